/* What the compilers of HLSL share: results, files.
 *
 * Tested by tests/unit/tool/hlsl/test_vkd3d.c and tests/unit/tool/hlsl/test_wine.c. */
#include "tool/hlsl/compiler.h"

#include "util/alloc.h"
#include "util/path.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FILE = 1 << 28 };

#ifdef __APPLE__
const char *hlsl_library = "libvkd3d-shader.1.dylib";
#else
const char *hlsl_library = "libvkd3d-shader.so.1";
#endif
const char *hlsl_program;

void hlsl_result_fini(struct hlsl_result *result)
{
    mem_free(result->words);
    mem_free(result->messages);
    *result = (struct hlsl_result){.words = NULL};
}

/* --- Results ---------------------------------------------------------------------------------- */

enum status compiler_say(struct hlsl_result *out, enum status st, const char *format, ...)
{
    va_list args, again;
    int n;

    mem_free(out->messages);
    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    out->messages = n < 0 ? NULL : mem_alloc((size_t)n + 1);
    if (out->messages)
        vsnprintf(out->messages, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return out->messages ? st : ST_NOMEM;
}

enum status compiler_take_code(struct hlsl_result *out, const void *code, size_t bytes)
{
    const uint8_t *byte = code;

    if (bytes < 8 || bytes % 4 || byte[3] != 0xff || byte[2] < 0xfe)
        return compiler_say(out, ST_INVALID, "%s",
                            "the compiler's result is no byte code of Direct3D 9");
    out->words = mem_alloc(bytes);
    if (!out->words)
        return ST_NOMEM;
    out->n = bytes / 4;
    for (size_t i = 0; i < out->n; i++, byte += 4)
        out->words[i] =
            byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
    return ST_OK;
}

enum status hlsl_read_file(const char *path, char **text, size_t *n)
{
    FILE *file = path_is_folder(path) || path_is_special(path) ? NULL : path_open(path, "rb");
    enum status st = ST_IO;
    long size;

    *text = NULL;
    if (!file)
        return ST_IO;
    if (!fseek(file, 0, SEEK_END) && (size = ftell(file)) >= 0 && size < MAX_FILE &&
        !fseek(file, 0, SEEK_SET)) {
        *n = (size_t)size;
        *text = mem_calloc(1, *n + 1);
        st = !*text ? ST_NOMEM : fread(*text, 1, *n, file) == *n ? ST_OK : ST_IO;
    }
    if (st != ST_OK)
        mem_free(*text);
    fclose(file);
    return st;
}

static MUST_CHECK enum status read_in(const char *folder, size_t length, const char *name,
                                      char **text, size_t *n, char **path)
{
    size_t size = length + strlen(name) + 2;
    enum status st;

    *path = mem_alloc(size);
    if (!*path)
        return ST_NOMEM;
    snprintf(*path, size, "%.*s%s%s", (int)length, folder, length ? "/" : "", name);
    st = hlsl_read_file(*path, text, n);
    if (st != ST_OK)
        mem_free(*path);
    return st;
}

enum status compiler_include(const struct hlsl_source *source, const char *from, const char *name,
                             char **text, size_t *n, char **path)
{
    const char *slash = strrchr(from, '/');
    enum status st = source->alone
                         ? ST_INVALID
                         : read_in(from, slash ? (size_t)(slash - from) : 0, name, text, n, path);

    for (unsigned i = 0; st == ST_IO && i < source->n_folders; i++)
        st = read_in(source->folder[i], strlen(source->folder[i]), name, text, n, path);
    return st;
}
