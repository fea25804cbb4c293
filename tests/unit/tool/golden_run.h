/* Test helper for `novem golden`: pictures of grey pixels, runs of manifests, and their output. */
#ifndef TEST_GOLDEN_RUN_H
#define TEST_GOLDEN_RUN_H

#include "unit/tool/command.h"

#include "tool/golden/golden.h"
#include "tool/image/image.h"

static inline void save(const char *name, const struct tool_image *image)
{
    char path[64];

    path_in_folder(path, name);
    ck_assert_int_eq(tool_png_write(path, image, 4), ST_OK);
}

/* A 32x32 image of grey 100 with `n` pixels in a row from (x, y) brighter by `by`. */
static inline struct tool_image grey(unsigned x, unsigned y, unsigned n, unsigned by)
{
    struct tool_image image;

    ck_assert_int_eq(tool_image_create(&image, 32, 32), ST_OK);
    memset(image.rgba, 100, 32 * 32 * 4);
    for (unsigned i = 0; i < n; i++)
        image.rgba[4 * (y * 32 + x + i)] = (uint8_t)(100 + by);
    return image;
}

static inline void save_grey(const char *name, unsigned x, unsigned y, unsigned n, unsigned by)
{
    struct tool_image image = grey(x, y, n, by);

    save(name, &image);
    tool_image_fini(&image);
}

static inline void copy_file(const char *from, const char *to)
{
    char a[64], b[64];
    uint8_t *bytes;
    size_t n;

    path_in_folder(a, from);
    path_in_folder(b, to);
    ck_assert_int_eq(tool_file_read(a, &bytes, &n), ST_OK);
    ck_assert_int_eq(tool_file_write(b, bytes, n), ST_OK);
    mem_free(bytes);
}

/* Runs a manifest with this text and returns the output. */
static inline const char *golden(int expected, const char *text, const char *candidate,
                                 const char *extra)
{
    static char path[64], out[64];
    char *args[] = {"golden",          "run",         path, "-o", out, "--candidate",
                    (char *)candidate, (char *)extra, NULL};

    path_in_folder(path, "m.toml");
    path_in_folder(out, "out");
    write_text(path, text);
    return run_command(tool_golden, expected, extra ? 8 : 7, args);
}

static inline void says(const char *printed, const char *text)
{
    ck_assert_msg(strstr(printed, text) != NULL, "'%s' is not in: %s", text, printed);
}

static const char pair[] = "[[case]]\nname = 'p'\nreference = 'a.png'\ncandidate = 'b.png'\n";

static inline const char *run_pair(int expected, const char *more)
{
    char text[512];

    snprintf(text, sizeof(text), "%s%s", pair, more);
    return golden(expected, text, folder, "--quiet");
}

static inline void holds(const char *name, const char *text)
{
    char path[64];
    uint8_t *bytes;
    size_t n;

    path_in_folder(path, name);
    ck_assert_msg(tool_file_read(path, &bytes, &n) == ST_OK, "%s", path);
    says((const char *)bytes, text);
    mem_free(bytes);
}

#endif
