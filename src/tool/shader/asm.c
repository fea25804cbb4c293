/* `novem asm`: assembles or compiles text to byte code.
 *
 * Tested by tests/unit/tool/shader/test_shader.c. */
#include "tool/cli/cli.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_A_LINE = 6 };

static void print_words(const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf("0x%08x,%c", words[i], i + 1 == n || (i + 1) % WORDS_A_LINE == 0 ? '\n' : ' ');
}

/* Byte code files are little-endian. */
static MUST_CHECK enum status write_words(const char *path, uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t word = words[i];
        uint8_t *bytes = (uint8_t *)&words[i];

        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(word >> 8 * k);
    }
    return tool_file_write(path, words, n * sizeof(*words));
}

static int finish(const char *command, const char *out, struct tool_shader *shader,
                  enum tool_shader_check check, struct tool_errors *errors)
{
    int code = tool_shader_check(shader->words, shader->n, check, errors);

    if (code != TOOL_OK)
        return code;
    if (!out)
        print_words(shader->words, shader->n);
    else if (write_words(out, shader->words, shader->n) != ST_OK)
        return tool_write_error(command, out);
    return TOOL_OK;
}

int tool_asm(int argc, char **argv)
{
    static struct tool_shader_options source;
    const char *files[1], *out = NULL;
    bool strict = false, encode_only = false;
    const struct tool_option options[] = {
        {"-o", "FILE", "output file (default: print the words)", OPT_TEXT, &out},
        TOOL_SHADER_OPTIONS(source),
        {"--strict", NULL, "also refuse rule violations that shipped shaders contain", OPT_FLAG,
         &strict},
        {"--no-check", NULL, "do not validate: encode programs that break rules", OPT_FLAG,
         &encode_only},
    };
    const struct tool_usage usage = {
        "asm FILE [options]",
        "Assembles a shader of any model from vs_1_1 to ps_3_sw (- reads standard input) and\n"
        "checks the rules of the documentation, as a device does with STRICT_SHADERS=on.\n"
        "HLSL and effects, which it recognises by their content, are compiled: by vkd3d-shader\n"
        "1.3 or later, or by Wine's d3dcompiler. HLSL needs -T. What they make is checked as a\n"
        "device does without STRICT_SHADERS.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    struct tool_shader shader = {.words = NULL};
    enum tool_shader_check check;
    int code;

    memset(&source, 0, sizeof(source));
    code = tool_parse(&usage, argc, argv, files);
    if (code >= 0)
        return code;
    check = encode_only ? TOOL_SHADER_ANY : strict ? TOOL_SHADER_STRICT : TOOL_SHADER_DEVICE;
    code = tool_shader_load(&shader, argv[0], files[0], &source);
    if (code == TOOL_OK && shader.kind == HLSL_IS_BYTE_CODE)
        code = tool_error(argv[0], "%s: is byte code already (see novem dis)", files[0]);
    if (code == TOOL_OK) {
        struct tool_errors errors = {argv[0], files[0], shader.lines, 0};

        if (shader.compiled && check == TOOL_SHADER_DEVICE)
            check = TOOL_SHADER_LIMITS;
        code = finish(argv[0], out, &shader, check, &errors);
    }
    tool_shader_fini(&shader);
    return code;
}
