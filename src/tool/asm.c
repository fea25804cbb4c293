/* `novem asm`: assembly text to byte code. */
#include "tool/tool.h"

#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>

enum { WORDS_A_LINE = 6 };

static void print_words(const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf("0x%08x,%c", words[i], i + 1 == n || (i + 1) % WORDS_A_LINE == 0 ? '\n' : ' ');
}

/* In a file byte code is little-endian. */
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

static int finish(const char *command, const char *file, const char *out, uint32_t *words, size_t n,
                  enum tool_shader_check check)
{
    struct vm_error error;

    if (!tool_shader_is_good(words, n, check, &error))
        return tool_error(command, "%s: word %zu: %s", file, error.token, error.text);
    if (!out)
        print_words(words, n);
    else if (write_words(out, words, n) != ST_OK)
        return tool_error(command, "%s cannot be written", out);
    return TOOL_OK;
}

int tool_asm(int argc, char **argv)
{
    const char *files[1], *out = NULL;
    bool strict = false, encode_only = false;
    const struct tool_option options[] = {
        {"-o", "FILE", "write the byte code there; without it the words are printed", OPT_TEXT,
         &out},
        {"--strict", NULL, "refuse also what shipped shaders do against the rules", OPT_FLAG, &strict},
        {"--no-check", NULL, "encode programs that a device would refuse", OPT_FLAG, &encode_only},
    };
    const struct tool_usage usage = {
        "asm FILE [options]",
        "Assembles a shader of any model from vs_1_1 to ps_3_sw (- reads standard input) and\n"
        "checks it as CreateVertexShader and CreatePixelShader do.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    enum tool_shader_check check;
    struct vm_error error;
    uint32_t *words;
    uint8_t *text;
    size_t n;
    enum status st;
    int code = tool_parse(&usage, argc, argv, files);

    if (code >= 0)
        return code;
    check = encode_only ? TOOL_SHADER_ANY : strict ? TOOL_SHADER_STRICT : TOOL_SHADER_DEVICE;
    st = tool_file_read(files[0], &text, &n);
    if (st != ST_OK)
        return tool_error(argv[0], "%s: %s", files[0], status_text(st));
    st = vm_assemble(&words, &n, (const char *)text, &error);
    mem_free(text);
    if (st == ST_NOMEM)
        return tool_error(argv[0], "%s", status_text(st));
    if (st != ST_OK) /* the message begins with line and column */
        return tool_error(argv[0], "%s:%s", files[0], error.text);
    code = finish(argv[0], files[0], out, words, n, check);
    mem_free(words);
    return code;
}
