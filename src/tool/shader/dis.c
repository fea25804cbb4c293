/* `novem dis`: disassembles byte code and lists the program's inputs and outputs.
 *
 * Tested by tests/unit/tool/shader/test_shader.c. */
#include "tool/cli/cli.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>

bool tool_shader_is_good(const uint32_t *words, size_t n, enum tool_shader_check check,
                         struct vm_error *error)
{
    struct vm_limits limits = vm_limits_hardware;
    struct vm_program *program;

    if (check == TOOL_SHADER_ANY)
        return true;
    limits.enforced = check == TOOL_SHADER_STRICT ? VM_RULES_SHIPPED : VM_RULES_DOCUMENTED;
    limits.software = n && (words[0] & 255) == 255; /* vs_2_sw and other software models */
    *error = (struct vm_error){0, "out of memory"};
    if (vm_program_create(&program, words, n, &limits, error) != ST_OK)
        return false;
    vm_program_destroy(program);
    return true;
}

size_t tool_shader_words(uint8_t *bytes, size_t n)
{
    uint32_t *words = (uint32_t *)(void *)bytes;

    for (size_t i = 0; i < n / 4; i++)
        words[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                   (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    return n / 4;
}

static int print(const char *command, const char *file, const uint32_t *words, size_t n, bool exact,
                 enum tool_shader_check check)
{
    struct vm_error error = {0, "out of memory"};
    char *text;

    if ((exact ? vm_disassemble_exact : vm_disassemble)(&text, words, n, &error) != ST_OK)
        return tool_error(command, "%s: word %zu: %s", file, error.token, error.text);
    fputs(text, stdout);
    mem_free(text);
    if (!tool_shader_is_good(words, n, check, &error))
        return tool_error(command, "%s: word %zu: %s", file, error.token, error.text);
    return TOOL_OK;
}

int tool_dis(int argc, char **argv)
{
    const char *files[1];
    bool strict = false, read_only = false, exact = false;
    const struct tool_option options[] = {
        {"--exact", NULL, "print comments too, so that `novem asm` reproduces the same bytes",
         OPT_FLAG, &exact},
        {"--strict", NULL, "also report rule violations that shipped shaders contain", OPT_FLAG,
         &strict},
        {"--no-check", NULL, "do not validate the program", OPT_FLAG, &read_only},
    };
    const struct tool_usage usage = {
        "dis FILE [options]",
        "Disassembles byte code to text that `novem asm` accepts (- reads standard input), and\n"
        "reports where it breaks a rule of the documentation, as a device with\n"
        "STRICT_SHADERS=on does.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    uint8_t *bytes;
    size_t n;
    enum status st;
    int code = tool_parse(&usage, argc, argv, files);

    if (code >= 0)
        return code;
    st = tool_file_read(files[0], &bytes, &n);
    if (st != ST_OK)
        return tool_error(argv[0], "%s: %s", files[0], tool_file_reason(files[0], st));
    n = tool_shader_words(bytes, n);
    code = print(argv[0], files[0], (const uint32_t *)(const void *)bytes, n, exact,
                 read_only ? TOOL_SHADER_ANY
                 : strict  ? TOOL_SHADER_STRICT
                           : TOOL_SHADER_DEVICE);
    mem_free(bytes);
    return code;
}
