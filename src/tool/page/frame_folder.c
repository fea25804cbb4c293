/* Writer of the page of a captured frame to a folder, with the pixels of its pictures.
 *
 * Tested by tests/unit/tool/page/test_frame_page.c and tests/browser. */
#include "tool/page/frame_page.h"

#include "tool/cli/cli.h"
#include "tool/page/page.h"
#include "util/alloc.h"
#include "util/folder_names.h"
#include "util/path.h"

#include <errno.h>
#include <libdeflate.h>
#include <string.h>
#include <unistd.h>

/* The floats of pixels, 16 bytes each, in zlib's format: first byte 0 of all pixels, then byte 1
 * and so on, which is shorter. NULL: out of memory. */
static uint8_t *pack(const uint8_t *values, size_t bytes, size_t *packed)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(4);
    size_t bound = compressor ? libdeflate_zlib_compress_bound(compressor, bytes) : 0;
    uint8_t *out = compressor ? mem_alloc(bound) : NULL, *planes = mem_alloc(bytes ? bytes : 1);
    size_t n = bytes / 16;

    for (size_t i = 0; planes && i < 16 * n; i++)
        planes[i] = values[i % n * 16 + i / n];
    *packed = out && planes ? libdeflate_zlib_compress(compressor, planes, 16 * n, out, bound) : 0;
    mem_free(planes);
    libdeflate_free_compressor(compressor);
    if (!*packed) {
        mem_free(out);
        out = NULL;
    }
    return out;
}

/* A file that the page loads as a script. */
static enum status write_pixels(const char *path, const char *name, const uint8_t *bytes, size_t n,
                                const uint8_t *values, size_t n_values)
{
    FILE *file = path_open(path, "w");

    if (!file)
        return ST_IO;
    fprintf(file, "answer(\"%s\", {\"png\": \"", name);
    page_put_base64(file, bytes, n);
    if (values) {
        fputs("\", \"planes\": \"", file);
        page_put_base64(file, values, n_values);
    }
    fputs("\"});\n", file);
    return tool_file_close(file, path) ? ST_OK : ST_IO;
}

/* The packed values of a picture, NULL if it has none. They move into the page: their file goes. */
static enum status take_values(const char *path, uint8_t **packed, size_t *n)
{
    uint8_t *values;
    size_t bytes;
    enum status st;

    *packed = NULL;
    *n = 0;
    if (!path_exists(path))
        return ST_OK;
    st = tool_file_read(path, &values, &bytes);
    if (st != ST_OK)
        return st;
    *packed = pack(values, bytes, n);
    mem_free(values);
    if (!*packed)
        return ST_NOMEM;
    path_remove(path);
    return ST_OK;
}

/* file: "NAME.png" of folder/images. */
static enum status add_picture(const char *folder, const char *file, char path[FRAME_PAGE_PATH])
{
    char name[256], script[FRAME_PAGE_PATH];
    uint8_t *bytes = NULL, *values = NULL;
    enum status st;
    size_t n, n_values;

    snprintf(name, sizeof(name), "%.*s", (int)(strlen(file) - strlen(".png")), file);
    snprintf(script, sizeof(script), "%s/data/%s.js", folder, name);
    if (path_exists(script))
        return ST_OK;
    snprintf(path, FRAME_PAGE_PATH, "%s/images/%s.f32", folder, name);
    st = take_values(path, &values, &n_values);
    if (st == ST_OK) {
        snprintf(path, FRAME_PAGE_PATH, "%s/images/%s", folder, file);
        st = tool_file_read(path, &bytes, &n);
    }
    if (st == ST_OK) {
        memcpy(path, script, FRAME_PAGE_PATH);
        st = write_pixels(path, name, bytes, n, values, n_values);
    }
    mem_free(bytes);
    mem_free(values);
    return st;
}

/* Names that the page accepts. */
static bool is_picture(const char *file)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t n = strspn(file, allowed);

    return n > 0 && n < 200 && !strcmp(file + n, ".png");
}

static enum status add_pictures(const char *folder, char path[FRAME_PAGE_PATH])
{
    struct folder_names images;
    enum status st;

    snprintf(path, FRAME_PAGE_PATH, "%s/images", folder);
    st = folder_names_read(&images, path);
    if (st != ST_OK)
        return st == ST_IO && errno == ENOENT ? ST_OK : st; /* a frame without pictures */
    for (size_t i = 0; st == ST_OK && i < images.n; i++)
        if (is_picture(images.name[i]))
            st = add_picture(folder, images.name[i], path);
    folder_names_free(&images);
    return st;
}

enum status frame_page_write_folder(const char *folder, const char *title,
                                    char path[FRAME_PAGE_PATH])
{
    enum status st = add_pictures(folder, path);
    FILE *file;

    if (st != ST_OK)
        return st;
    snprintf(path, FRAME_PAGE_PATH, "%s/index.html", folder);
    file = path_open(path, "w");
    if (!file)
        return ST_IO;
    frame_page_write(file, false, title);
    return tool_file_close(file, path) ? ST_OK : ST_IO;
}
