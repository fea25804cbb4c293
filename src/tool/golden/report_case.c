/* Writer of one case of the HTML report: the script file with its pictures and its entry in the
 * list.
 *
 * Tested by tests/unit/tool/golden/test_report.c. */
#include "tool/golden/report_case.h"

#include "tool/golden/files.h"

#include "tool/cli/cli.h"
#include "tool/golden/text.h"
#include "tool/image/flip.h"
#include "tool/image/image.h"
#include "tool/image/ssim.h"
#include "util/alloc.h"
#include "util/folder_names.h"
#include "util/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_MOST = 64 << 10 };

/* --- Pictures and metrics --------------------------------------------------------------------- */

static bool put_file(FILE *file, const char *key, const char *path)
{
    uint8_t *bytes;
    size_t n;

    if (!*path || tool_file_read(path, &bytes, &n) != ST_OK)
        return false;
    fprintf(file, "%s:", key);
    golden_put_png(file, bytes, n);
    fputs(",\n", file);
    mem_free(bytes);
    return true;
}

/* Writes the errors as a greyscale picture. */
static bool put_map(FILE *file, const char *path, const float *map, uint32_t width, uint32_t height)
{
    struct tool_image image;
    bool good;

    if (tool_image_create(&image, width, height) != ST_OK)
        return false;
    for (size_t i = 0; i < (size_t)width * height; i++)
        memset(image.rgba + 4 * i, (int)(map[i] * 255.0f + 0.5f), 4);
    good = tool_png_write(path, &image, 3) == ST_OK && put_file(file, "flip", path);
    tool_image_fini(&image);
    return good;
}

static void add_perceptual(cJSON *extra, const struct flip_result *flip, double ssim)
{
    const double quartiles[3] = {flip->quartile1, flip->median, flip->quartile3};

    cJSON_AddNumberToObject(extra, "flip", flip->mean);
    cJSON_AddNumberToObject(extra, "flipMax", flip->max);
    cJSON_AddItemToObject(extra, "quartiles", cJSON_CreateDoubleArray(quartiles, 3));
    cJSON_AddNumberToObject(extra, "ssim", ssim);
}

static bool measure(FILE *file, const char *folder, const struct report_case *c,
                    const struct tool_image *a, const struct tool_image *b)
{
    float *map = mem_alloc((size_t)a->width * a->height * sizeof(*map));
    char *path = golden_format("%s/report/%06zu-flip.png", folder, c->number);
    struct flip_result flip;
    double ssim;
    bool good = map && path &&
                flip_compare(a, b, flip_default_pixels_per_degree(), &flip, map) == ST_OK &&
                ssim_compare(a, b, &ssim) == ST_OK && put_map(file, path, map, a->width, a->height);

    if (good)
        add_perceptual(c->extra, &flip, ssim);
    mem_free(path);
    mem_free(map);
    return good;
}

/* Applies only if both pictures can be read, have the same size and differ. */
static bool put_flip(FILE *file, const char *folder, const struct report_case *c)
{
    const char *reference = record_text(c->record, "reference");
    const char *candidate = record_text(c->record, "candidate");
    struct tool_image a = {0}, b = {0};
    bool good = true;

    if (!*reference || !*candidate || !(record_number(c->record, "differing", 0.0) > 0.0))
        return true;
    if (tool_png_read(reference, &a) == ST_OK && tool_png_read(candidate, &b) == ST_OK &&
        a.width == b.width && a.height == b.height)
        good = measure(file, folder, c, &a, &b);
    tool_image_fini(&a);
    tool_image_fini(&b);
    return good;
}

/* --- Log and pages ---------------------------------------------------------------------------- */

static bool put_log(FILE *file, const char *folder, const char *name)
{
    char *path = golden_format("%s/logs/%s.log", folder, name);
    uint8_t *bytes = NULL;
    size_t n;
    bool there = path && tool_file_read(path, &bytes, &n) == ST_OK && n > 0;

    if (there) {
        fputs("log:", file);
        golden_put_json(file, (const char *)bytes + (n > LOG_MOST ? n - LOG_MOST : 0));
        fputs(",\n", file);
    }
    mem_free(bytes);
    mem_free(path);
    return there;
}

static bool is_page(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && !strcmp(dot, ".html");
}

static void put_page(FILE *file, const char *name, const char *page)
{
    char *title = golden_format("%.*s", (int)(strlen(page) - strlen(".html")), page);
    char *path = golden_format("pages/%s/%s", name, page);

    if (title && path) {
        fputs("{title:", file);
        golden_put_json(file, title);
        fputs(",file:", file);
        golden_put_json(file, path);
        fputs("},", file);
    }
    mem_free(title);
    mem_free(path);
}

static bool put_pages(FILE *file, const char *folder, const char *name)
{
    char *path = golden_format("%s/pages/%s", folder, name);
    struct folder_names names = {0};
    bool any = false;

    if (path && folder_names_read(&names, path) == ST_OK)
        for (size_t i = 0; i < names.n; i++) {
            if (!is_page(names.name[i]))
                continue;
            if (!any)
                fputs("pages:[", file);
            any = true;
            put_page(file, name, names.name[i]);
        }
    if (any)
        fputs("],\n", file);
    folder_names_free(&names);
    mem_free(path);
    return any;
}

/* --- The case's file -------------------------------------------------------------------------- */

/* Returns whether the file has any content. */
static bool put_all(FILE *file, const char *folder, struct report_case *c)
{
    static const char *const pictures[] = {"reference", "candidate", "mask"};
    const char *name = record_text(c->record, "case");
    bool any = false;

    fprintf(file, "novemCase(%zu,{", c->number);
    for (size_t i = 0; c->pictures && i < 3; i++)
        any |= put_file(file, pictures[i], record_text(c->record, pictures[i]));
    c->good = !c->pictures || put_flip(file, folder, c);
    any |= put_log(file, folder, name);
    any |= put_pages(file, folder, name);
    fputs("});\n", file);
    c->good &= !ferror(file);
    return any;
}

void report_case_write(const char *folder, struct report_case *c)
{
    char *path = golden_format("%s/report/%06zu.js", folder, c->number);
    FILE *file = path && c->extra ? path_open(path, "w") : NULL;

    if (file) {
        bool any = put_all(file, folder, c);

        c->good &= tool_file_close(file, path);
        if (any)
            cJSON_AddTrueToObject(c->extra, "data");
        else
            path_remove(path);
    }
    mem_free(path);
}
