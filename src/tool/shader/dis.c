/* `novem dis`: disassembles byte code and lists the program's inputs and outputs.
 *
 * Tested by tests/unit/tool/shader/test_shader.c. */
#include "tool/cli/cli.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>

static struct vm_limits limits_of(const uint32_t *words, size_t n, enum tool_shader_check check)
{
    struct vm_limits limits = vm_limits_hardware;

    limits.enforced = check == TOOL_SHADER_STRICT   ? VM_RULES_SHIPPED
                      : check == TOOL_SHADER_LIMITS ? VM_RULES_LIMIT
                                                    : VM_RULES_DOCUMENTED;
    limits.software = n && (words[0] & 255) == 255; /* vs_2_sw and other software models */
    return limits;
}

bool tool_shader_is_good(const uint32_t *words, size_t n, enum tool_shader_check check,
                         struct vm_error *error)
{
    struct vm_limits limits = limits_of(words, n, check);
    struct vm_program *program;

    if (check == TOOL_SHADER_ANY)
        return true;
    *error = (struct vm_error){0, "out of memory"};
    if (vm_program_create(&program, words, n, &limits, error) != ST_OK)
        return false;
    vm_program_destroy(program);
    return true;
}

static void refuse(void *ctx, const struct vm_error *error)
{
    tool_errors_word(ctx, error);
}

int tool_shader_check(const uint32_t *words, size_t n, enum tool_shader_check check,
                      struct tool_errors *errors)
{
    struct vm_limits limits = limits_of(words, n, check);
    struct vm_program *program;
    enum status st;

    if (check == TOOL_SHADER_ANY)
        return TOOL_OK;
    limits.refuse = refuse;
    limits.report_ctx = errors;
    st = vm_program_create(&program, words, n, &limits, NULL);
    if (st != ST_OK && st != ST_INVALID)
        return tool_error(errors->command, "%s", status_text(st));
    vm_program_destroy(program);
    return tool_errors_end(errors);
}

static int print(const char *command, const char *file, const struct tool_shader *shader,
                 bool exact, enum tool_shader_check check)
{
    struct tool_errors errors = {command, file, shader->lines, 0};
    struct vm_error error = {0, "out of memory"};
    char *text;
    enum status st =
        exact ? vm_disassemble_exact(&text, shader->words, shader->n, &error)
              : vm_disassemble_lines(&text, shader->words, shader->n, shader->lines, &error);

    if (st != ST_OK)
        return tool_error(command, "%s: word %zu: %s", file, error.token, error.text);
    fputs(text, stdout);
    mem_free(text);
    return tool_shader_check(shader->words, shader->n, check, &errors);
}

/* Byte code with the lines of its debug comment. */
static int load(struct tool_shader *shader, const char *command, const char *file)
{
    uint8_t *bytes;
    size_t n;
    enum status st = tool_file_read(file, &bytes, &n);

    if (st != ST_OK)
        return tool_error(command, "%s: %s", file, tool_file_reason(file, st));
    shader->kind = hlsl_kind_of(bytes, n);
    shader->n = tool_shader_words(bytes, n);
    shader->words = (uint32_t *)(void *)bytes;
    st = vm_lines_create(&shader->lines);
    if (st == ST_OK)
        st = vm_lines_add_debug(shader->lines, shader->words, shader->n);
    return st == ST_OK ? TOOL_OK : tool_error(command, "%s", status_text(st));
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
    struct tool_shader shader = {.words = NULL};
    int code = tool_parse(&usage, argc, argv, files);

    if (code >= 0)
        return code;
    code = load(&shader, argv[0], files[0]);
    if (code == TOOL_OK && (shader.kind == HLSL_IS_HLSL || shader.kind == HLSL_IS_EFFECT))
        code = tool_error(argv[0], "%s: %s, not byte code (novem asm makes it)", files[0],
                          hlsl_kind_text(shader.kind));
    else if (code == TOOL_OK)
        code = print(argv[0], files[0], &shader, exact,
                     read_only ? TOOL_SHADER_ANY
                     : strict  ? TOOL_SHADER_STRICT
                               : TOOL_SHADER_DEVICE);
    tool_shader_fini(&shader);
    return code;
}
