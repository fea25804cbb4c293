/* Writer of the page of a captured frame to a folder, with the pixels of its pictures.
 *
 * Tested by tests/unit/tool/page/test_frame_page.c and tests/browser. */
#include "tool/page/frame_page.h"

#include "tool/cli/cli.h"
#include "tool/page/page.h"
#include "util/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A file that the page loads as a script. */
static enum status write_pixels(const char *path, const char *name, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return ST_IO;
    fprintf(file, "answer(\"%s\", {\"png\": \"", name);
    page_put_base64(file, bytes, n);
    fputs("\"});\n", file);
    return tool_file_close(file, path) ? ST_OK : ST_IO;
}

/* file: "NAME.png" of folder/images. */
static enum status add_picture(const char *folder, const char *file, char path[FRAME_PAGE_PATH])
{
    char name[256], script[FRAME_PAGE_PATH];
    enum status st;
    uint8_t *bytes;
    size_t n;

    snprintf(name, sizeof(name), "%.*s", (int)(strlen(file) - strlen(".png")), file);
    snprintf(script, sizeof(script), "%s/data/%s.js", folder, name);
    if (access(script, F_OK) == 0)
        return ST_OK;
    snprintf(path, FRAME_PAGE_PATH, "%s/images/%s", folder, file);
    st = tool_file_read(path, &bytes, &n);
    if (st != ST_OK)
        return st;
    memcpy(path, script, FRAME_PAGE_PATH);
    st = write_pixels(path, name, bytes, n);
    mem_free(bytes);
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
    enum status st = ST_OK;
    const struct dirent *entry;
    DIR *images;

    snprintf(path, FRAME_PAGE_PATH, "%s/images", folder);
    images = opendir(path);
    if (!images)
        return errno == ENOENT ? ST_OK : ST_IO; /* a frame without pictures */
    while (st == ST_OK && (entry = readdir(images)))
        if (is_picture(entry->d_name))
            st = add_picture(folder, entry->d_name, path);
    closedir(images);
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
    file = fopen(path, "w");
    if (!file)
        return ST_IO;
    frame_page_write(file, false, title);
    return tool_file_close(file, path) ? ST_OK : ST_IO;
}
