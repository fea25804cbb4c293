/* novem-hlsl.exe: compiles HLSL with d3dcompiler_47.dll. `novem` runs it under Wine
 * (src/tool/hlsl/wine.c):
 *
 *   novem-hlsl.exe ENTRY PROFILE NAME [-D NAME VALUE]… [-I FOLDER]… <SOURCE >OUTPUT 2>MESSAGES
 *
 * The output has HLSL_CODE_MARK, the number of words and the byte code. Other bytes may surround
 * them: compilers print characters that their scanners do not know.
 *
 * Exit code 0: compiled; 1: the source is wrong; 2: another error; 3: there is no
 * d3dcompiler_47.dll. */
#include "tool/hlsl/compiler.h"
#include "util/alloc.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>

enum { COMPILED, WRONG, FAILED_OTHERWISE, NO_COMPILER };

static char *read_input(size_t *n)
{
    size_t max = 1 << 16;
    char *text = mem_alloc(max + 1), *grown;

    *n = 0;
    while (text) {
        *n += fread(text + *n, 1, max - *n, stdin);
        if (*n < max)
            return text;
        max *= 2;
        grown = mem_realloc(text, max + 1);
        if (!grown)
            mem_free(text);
        text = grown;
    }
    return NULL;
}

static int finish(const struct hlsl_result *result, enum status st)
{
    uint32_t n = (uint32_t)result->n;

    if (result->messages)
        fputs(result->messages, stderr);
    if (st == ST_UNSUPPORTED)
        return NO_COMPILER;
    if (st != ST_OK)
        return st == ST_INVALID ? WRONG : FAILED_OTHERWISE;
    fputs(HLSL_CODE_MARK, stdout);
    fwrite(&n, sizeof(n), 1, stdout);
    fwrite(result->words, sizeof(*result->words), n, stdout);
    return !fflush(stdout) && !ferror(stdout) ? COMPILED : FAILED_OTHERWISE;
}

int main(int argc, char **argv)
{
    static struct hlsl_define define[HLSL_DEFINES];
    static const char *folder[HLSL_DEFINES];
    struct hlsl_source source = {.define = define, .folder = folder};
    struct hlsl_result result = {.words = NULL};
    char *text;

    if (argc < 4)
        return FAILED_OTHERWISE;
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
    source.entry = argv[1];
    source.profile = argv[2];
    source.name = argv[3];
    for (int i = 4; i < argc; i++) {
        if (!strcmp(argv[i], "-D") && i + 2 < argc && source.n_defines < HLSL_DEFINES) {
            define[source.n_defines++] = (struct hlsl_define){argv[i + 1], argv[i + 2]};
            i += 2;
        } else if (!strcmp(argv[i], "-I") && i + 1 < argc && source.n_folders < HLSL_DEFINES) {
            folder[source.n_folders++] = argv[++i];
        }
    }
    text = read_input(&source.n);
    source.text = text;
    return finish(&result, text ? hlsl_compile(&result, &source) : ST_NOMEM);
}
