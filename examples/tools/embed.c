/* Assembles a shader text into a C header: `embed shaders/bump.vsh` writes
 * `static const DWORD bump_vsh[] = {...};` to standard output. */
#include "util/alloc.h"
#include "vm/vm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t room = 1 << 16, n = 0;
    char *text = malloc(room);

    if (f && text)
        n = fread(text, 1, room - 1, f);
    if (f)
        fclose(f);
    if (!n || n == room - 1) {
        fprintf(stderr, "embed: cannot read %s\n", path);
        exit(1);
    }
    text[n] = '\0';
    return text;
}

static void print_name(const char *path)
{
    const char *base = strrchr(path, '/');

    for (const char *c = base ? base + 1 : path; *c; c++)
        putchar(isalnum((unsigned char)*c) ? *c : '_');
}

int main(int argc, char **argv)
{
    struct vm_error error = {0};
    uint32_t *tokens = NULL;
    size_t n = 0;
    char *text;

    if (argc != 2) {
        fprintf(stderr, "usage: embed shader-text >header\n");
        return 2;
    }
    text = read_text(argv[1]);
    if (vm_assemble(&tokens, &n, text, &error) != ST_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], error.text);
        return 1;
    }
    printf("/* Made from %s. */\nstatic const DWORD ", argv[1]);
    print_name(argv[1]);
    printf("[] = {");
    for (size_t i = 0; i < n; i++)
        printf("%s0x%08x,", i % 6 ? " " : "\n    ", (unsigned)tokens[i]);
    printf("\n};\n");
    mem_free(tokens);
    free(text);
    return 0;
}
