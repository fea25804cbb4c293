/* Assembles a shader text into a C header: `embed shaders/bump.vsh` writes
 * `static const DWORD bump_vsh[] = {...};` to standard output. */
#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "vm/vm.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void print_name(const char *path)
{
    const char *base = strrchr(path, '/');

    for (const char *c = base ? base + 1 : path; *c; c++)
        putchar(isalnum((unsigned char)*c) ? *c : '_');
}

static void print_header(const char *path, const uint32_t *tokens, size_t n)
{
    printf("/* Made from %s. */\nstatic const DWORD ", path);
    print_name(path);
    printf("[] = {");
    for (size_t i = 0; i < n; i++)
        printf("%s0x%08x,", i % 6 ? " " : "\n    ", (unsigned)tokens[i]);
    printf("\n};\n");
}

static int embed(const char *path)
{
    struct vm_error why = {0};
    uint32_t *tokens = NULL;
    uint8_t *text;
    size_t size, n = 0;
    enum status st = tool_file_read(path, &text, &size);

    if (st != ST_OK)
        return tool_error("", "%s: %s", path, tool_file_reason(path, st));
    st = vm_assemble(&tokens, &n, (const char *)text, &why);
    if (st == ST_OK)
        print_header(path, tokens, n);
    else
        tool_error("", "%s: %s", path, why.text);
    mem_free(tokens);
    mem_free(text);
    if (st != ST_OK)
        return TOOL_DIFFERS;
    return fflush(stdout) || ferror(stdout) ? tool_write_error("", "standard output") : TOOL_OK;
}

int main(int argc, char **argv)
{
    const struct tool_usage usage = {
        .line = "SHADER >HEADER",
        .text = "Assembles a shader text into a C header, with an array of its tokens.",
        .files_min = 1,
        .files_max = 1,
    };
    const char *path;
    int code;

    tool_set_program("embed");
    code = tool_parse(&usage, argc, argv, &path);
    return code < 0 ? embed(path) : code;
}
