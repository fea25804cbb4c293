/* Finds the instructions of a program in its disassembly.
 *
 * Tested by tests/unit/tool/frame/test_cost.c and tests/unit/tool/frame/test_steps.c. */
#include "tool/frame/shader_lines.h"

#include "tool/frame/json.h"
#include "util/alloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The line from `at` on, without its indentation; *next: the line after it. */
static size_t line_at(const char **at, const char **next)
{
    const char *end = strchr(*at, '\n');

    *at += strspn(*at, " \t");
    *next = end ? end + 1 : *at + strlen(*at);
    return (size_t)((end ? end : *next) - *at);
}

/* The first line from *at on, which is line *number, that has a text. Moves both behind it. */
static uint32_t find_line(const char **at, uint32_t *number, const char *text)
{
    const char *next;
    uint32_t line = *number;

    for (const char *from = *at; *from; from = next, line++) {
        size_t n = line_at(&from, &next);

        if (n != strcspn(text, "\n") || strncmp(from, text, n) != 0)
            continue;
        *at = next;
        *number = line + 1;
        return line;
    }
    return FRAME_NO_LINE;
}

/* The lines have the order of the program. */
enum status frame_instruction_lines(const struct vm_program *program, const char *text,
                                    uint32_t *line)
{
    uint32_t number = 0, n = vm_program_length(program);

    for (uint32_t i = 0; i < n; i++) {
        char *instruction;
        enum status st = vm_instr_text(&instruction, program, i);

        if (st != ST_OK)
            return st;
        line[i] = find_line(&text, &number, instruction + strspn(instruction, " \t"));
        mem_free(instruction);
    }
    return ST_OK;
}

/* Lines that neither run nor count: the version, declarations, constants, comments. */
static bool is_instruction(const char *line, size_t n)
{
    static const char *const others[] = {"dcl", "def", "vs_", "ps_", "//", "#"};
    size_t skipped = 0;

    while (skipped < n && isspace((unsigned char)line[skipped]))
        skipped++;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (n - skipped >= strlen(others[i]) &&
            !strncmp(line + skipped, others[i], strlen(others[i])))
            return false;
    return skipped < n;
}

cJSON *frame_shader_lines(const char *text)
{
    cJSON *list = cJSON_CreateArray();

    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        char *shown = frame_utf8(line, n);
        cJSON *entry = frame_append(list);

        frame_add_text(entry, "text", shown ? shown : "");
        cJSON_AddBoolToObject(entry, "instruction", is_instruction(line, n));
        free(shown);
        line += n + (line[n] == '\n');
    }
    return list;
}
