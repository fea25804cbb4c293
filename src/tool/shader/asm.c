/* `novem asm`: assembles text to byte code.
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

static int finish(const char *command, const char *file, const char *out, uint32_t *words, size_t n,
                  enum tool_shader_check check)
{
    struct vm_error error;

    if (!tool_shader_is_good(words, n, check, &error))
        return tool_error(command, "%s: word %zu: %s", file, error.token, error.text);
    if (!out)
        print_words(words, n);
    else if (write_words(out, words, n) != ST_OK)
        return tool_write_error(command, out);
    return TOOL_OK;
}

/* --- #include and -D -------------------------------------------------------------------------- */

struct folders {
    const char *file; /* path of the main file */
    const struct tool_list *list;
};

static MUST_CHECK enum status read_in(const char *folder, size_t length, const char *name,
                                      char **text, char **path)
{
    size_t size = length + strlen(name) + 2, n;
    uint8_t *bytes;
    enum status st;

    *path = mem_alloc(size);
    if (!*path)
        return ST_NOMEM;
    snprintf(*path, size, "%.*s%s%s", (int)length, folder, length ? "/" : "", name);
    st = tool_file_read(*path, &bytes, &n);
    *text = (char *)bytes;
    if (st != ST_OK)
        mem_free(*path);
    return st;
}

/* Looks next to the including file first, then in the folders of -I. */
static enum status include(void *ctx, const char *from, const char *name, char **text, char **path)
{
    const struct folders *folders = ctx;
    const char *beside = from ? from : folders->file, *slash = strrchr(beside, '/');
    enum status st = read_in(beside, slash ? (size_t)(slash - beside) : 0, name, text, path);

    for (unsigned i = 0; st != ST_OK && st != ST_NOMEM && i < folders->list->n; i++) {
        const char *folder = folders->list->text[i];

        st = read_in(folder, strlen(folder), name, text, path);
    }
    return st;
}

/* Splits NAME or NAME=VALUE in place. */
static unsigned split_defines(struct vm_asm_define *define, char (*names)[64],
                              const struct tool_list *list)
{
    for (unsigned i = 0; i < list->n; i++) {
        const char *equals = strchr(list->text[i], '=');
        size_t length = equals ? (size_t)(equals - list->text[i]) : strlen(list->text[i]);

        snprintf(names[i], sizeof(names[i]), "%.*s", (int)length, list->text[i]);
        define[i] = (struct vm_asm_define){names[i], equals ? equals + 1 : "1"};
    }
    return list->n;
}

static bool names_file(const char *message)
{
    return *message < '0' || *message > '9';
}

int tool_asm(int argc, char **argv)
{
    static struct tool_list defines, paths;
    static struct vm_asm_define define[TOOL_LIST_MAX];
    static char names[TOOL_LIST_MAX][64];
    const char *files[1], *out = NULL;
    bool strict = false, encode_only = false;
    const struct tool_option options[] = {
        {"-o", "FILE", "output file (default: print the words)", OPT_TEXT, &out},
        {"-D", "NAME[=VALUE]", "define a macro", OPT_LIST, &defines},
        {"-I", "FOLDER", "search this folder for #include", OPT_LIST, &paths},
        {"--strict", NULL, "also refuse rule violations that shipped shaders contain", OPT_FLAG,
         &strict},
        {"--no-check", NULL, "do not validate: encode programs that break rules", OPT_FLAG,
         &encode_only},
    };
    const struct tool_usage usage = {
        "asm FILE [options]",
        "Assembles a shader of any model from vs_1_1 to ps_3_sw (- reads standard input) and\n"
        "checks the rules of the documentation, as a device does with STRICT_SHADERS=on.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    struct folders folders = {.list = &paths};
    struct vm_asm_source source = {define, 0, include, &folders};
    enum tool_shader_check check;
    struct vm_error error;
    uint32_t *words;
    uint8_t *text;
    size_t n;
    enum status st;
    int code;

    defines.n = paths.n = 0;
    code = tool_parse(&usage, argc, argv, files);
    if (code >= 0)
        return code;
    folders.file = files[0];
    source.n_defines = split_defines(define, names, &defines);
    check = encode_only ? TOOL_SHADER_ANY : strict ? TOOL_SHADER_STRICT : TOOL_SHADER_DEVICE;
    st = tool_file_read(files[0], &text, &n);
    if (st != ST_OK)
        return tool_error(argv[0], "%s: %s", files[0], tool_file_reason(files[0], st));
    st = vm_assemble_source(&words, &n, (const char *)text, &source, &error);
    mem_free(text);
    if (st == ST_NOMEM)
        return tool_error(argv[0], "%s", status_text(st));
    if (st != ST_OK) /* the text starts with line and column, preceded by the name of an included
                      * file */
        return tool_error(argv[0], "%s%s%s", names_file(error.text) ? "" : files[0],
                          names_file(error.text) ? "" : ":", error.text);
    code = finish(argv[0], files[0], out, words, n, check);
    mem_free(words);
    return code;
}
