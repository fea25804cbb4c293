/* The page: report.html has the list; a case's pictures are in a script of their own, loaded when
 * the case is looked at, since pages opened from disk may load scripts but not read files. */
#include "tool/golden/record.h"
#include "tool/png.h"

#include "util/alloc.h"

#include <string.h>

/* src/tool/golden/report.html, as it is. */
__asm__(".section .rodata\n"
        ".global golden_page\n.hidden golden_page\n"
        "golden_page:\n.incbin \"src/tool/golden/report.html\"\n.byte 0\n"
        ".previous\n");
extern const char golden_page[] __attribute__((visibility("hidden")));

/* JSON inside a script ends nowhere but at its end. */
static void put_json(FILE *file, const cJSON *record)
{
    char *text = cJSON_PrintUnformatted(record);

    for (const char *p = text; p && *p; p++) {
        if (*p == '<')
            fputs("\\u003c", file);
        else
            fputc(*p, file);
    }
    cJSON_free(text);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void put_base64(FILE *file, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)bytes[i] << 16 | (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0) |
                     (i + 2 < n ? bytes[i + 2] : 0);

        fputc(digits[v >> 18], file);
        fputc(digits[v >> 12 & 63], file);
        fputc(i + 1 < n ? digits[v >> 6 & 63] : '=', file);
        fputc(i + 2 < n ? digits[v & 63] : '=', file);
    }
}

static void put_plane(FILE *file, const char *name, const char *suffix,
                      const struct tool_image *image)
{
    uint8_t *bytes;
    size_t n;

    if (png_encode(image, 3, &bytes, &n) != ST_OK)
        return;
    fprintf(file, "  '%s%s': 'data:image/png;base64,", name, suffix);
    put_base64(file, bytes, n);
    fprintf(file, "',\n");
    mem_free(bytes);
}

/* Alpha becomes grey. False where it is 255 all over. */
static bool alpha_to_grey(struct tool_image *image)
{
    size_t n = (size_t)image->width * image->height;
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        uint8_t *p = image->rgba + 4 * i;

        any |= p[3] != 255;
        p[0] = p[1] = p[2] = p[3];
    }
    return any;
}

/* Colours and alpha apart, since a browser's canvas loses colours where alpha is small. */
static bool put_picture(FILE *file, const char *name, const char *path)
{
    struct tool_image image;

    if (!*path || tool_png_read(path, &image) != ST_OK)
        return false;
    put_plane(file, name, "", &image);
    if (alpha_to_grey(&image))
        put_plane(file, name, "-alpha", &image);
    tool_image_fini(&image);
    return true;
}

/* Where a case has pictures, writes them and tells the record's copy where. */
static void write_pictures(const char *folder, size_t index, const cJSON *record, cJSON *copy)
{
    char relative[48], *path;
    bool any = false;
    FILE *file;

    if (!strcmp(record_text(record, "verdict"), "pass") ||
        (!record_text(record, "reference")[0] && !record_text(record, "candidate")[0]))
        return;
    snprintf(relative, sizeof(relative), "report/%06zu.js", index);
    path = golden_format("%s/%s", folder, relative);
    file = path && golden_make_folders(path) ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "novem_pictures(%zu, {\n", index);
        any |= put_picture(file, "reference", record_text(record, "reference"));
        any |= put_picture(file, "candidate", record_text(record, "candidate"));
        put_picture(file, "mask", record_text(record, "mask"));
        fprintf(file, "});\n");
        any &= !fclose(file);
    }
    if (any)
        cJSON_AddStringToObject(copy, "pictures", relative);
    mem_free(path);
}

bool report_html(const struct records *records, const char *folder)
{
    const char *gap = strstr(golden_page, "@DATA@");
    char *path = golden_format("%s/report.html", folder);
    FILE *file = path && gap ? fopen(path, "w") : NULL;
    bool good = file != NULL;

    if (good) {
        fwrite(golden_page, 1, (size_t)(gap - golden_page), file);
        fputc('[', file);
        put_json(file, records->run);
        for (size_t i = 0; i < records->n; i++) {
            cJSON *copy = cJSON_Duplicate(records->cases[i], true);

            fputs(",\n", file);
            if (copy)
                write_pictures(folder, i, records->cases[i], copy);
            put_json(file, copy);
            cJSON_Delete(copy);
        }
        fprintf(file, "]%s", gap + strlen("@DATA@"));
        good = !ferror(file);
        good &= !fclose(file);
    }
    mem_free(path);
    return good;
}
