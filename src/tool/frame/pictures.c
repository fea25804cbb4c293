/* Writes surfaces as PNG files and as floats, and describes them.
 *
 * Tested by tests/unit/tool/frame/test_answer.c. */
#include "tool/frame/pictures.h"

#include "tex/tex.h"
#include "tool/cli/cli.h"
#include "tool/frame/json.h"
#include "tool/image/image.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/path.h"
#include "util/process.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- Files ------------------------------------------------------------------------------------ */

/* Where a file goes, and the name that it has at first: processes that answer at once write the
 * same pictures, and none may read a part of one. */
struct new_file {
    char path[4096], part[4096];
};

/* False: the file is there already. */
static bool begin_file(struct new_file *file, const struct frame_pictures *pictures,
                       const char *name)
{
    snprintf(file->path, sizeof(file->path), "%s/images/%s", pictures->folder, name);
    snprintf(file->part, sizeof(file->part), "%s/images/part-%lu-%s", pictures->folder,
             process_id(), name);
    return !path_exists(file->path);
}

static enum status end_file(const struct new_file *file, enum status st)
{
    if (st == ST_OK && !path_rename(file->part, file->path))
        st = ST_IO;
    if (st != ST_OK) {
        int error = errno;

        path_remove(file->part);
        errno = error;
    }
    return st;
}

/* Writes the picture under the name of its hash. */
static enum status write_form(const struct frame_pictures *pictures, struct frame_surface *surface,
                              enum frame_form_kind kind, const char *name)
{
    struct new_file file;

    if (!begin_file(&file, pictures, name))
        return ST_OK;
    return end_file(&file, frame_surface_write(surface, kind, file.part));
}

/* The picture and the file of its values have one name, which says the hash of the values: several
 * values may have one picture. */
static enum status write_raw(struct frame_pictures *pictures, struct frame_picture *p,
                             const float *values)
{
    size_t bytes = (size_t)p->width * p->height * 4 * sizeof(*values);
    char name[FRAME_PICTURE_NAME];
    struct new_file file;

    snprintf(p->name, sizeof(p->name), "%016" PRIx64 ".png", hash_bytes(values, bytes, 0));
    snprintf(name, sizeof(name), "%.16s.f32", p->name);
    p->raw = !pictures->embedded;
    pictures->raw_left -= bytes;
    if (!begin_file(&file, pictures, name))
        return ST_OK;
    return end_file(&file, tool_file_write(file.part, values, bytes));
}

static enum status write_surface(struct frame_pictures *pictures, struct frame_picture *p,
                                 struct frame_surface *surface)
{
    enum frame_form_kind kind = p->ranged ? FRAME_GREY : FRAME_PLAIN;
    enum status st = frame_surface_form(surface, kind);

    if (st != ST_OK)
        return st;
    if (surface->values && pictures->raw_left / 16 >= (size_t)p->width * p->height)
        st = write_raw(pictures, p, surface->values);
    else
        snprintf(p->name, sizeof(p->name), "%016" PRIx64 "%s.png", surface->form[kind].hash,
                 p->ranged ? "-depth" : "");
    return st == ST_OK ? write_form(pictures, surface, kind, p->name) : st;
}

/* --- Pictures --------------------------------------------------------------------------------- */

static const struct frame_picture *find(const struct frame_pictures *pictures,
                                        const struct draw_target *target)
{
    for (unsigned i = 0; i < FRAME_PICTURES_KEPT; i++) {
        const struct draw_target *kept = &pictures->kept[i].target;

        if (kept->image == target->image && kept->face == target->face &&
            kept->level == target->level && pictures->kept[i].version == target->image->version)
            return &pictures->kept[i].picture;
    }
    return NULL;
}

static void keep(struct frame_pictures *pictures, const struct draw_target *target,
                 const struct frame_picture *picture)
{
    unsigned i = pictures->next++ % FRAME_PICTURES_KEPT;

    pictures->kept[i].target = *target;
    pictures->kept[i].version = target->image->version;
    pictures->kept[i].picture = *picture;
}

static bool can_show(const struct draw_target *target)
{
    return target->image && target->image->format->layout != TEX_LAYOUT_RAW;
}

enum status frame_picture_write(struct frame_pictures *pictures, const struct draw_target *target,
                                bool changes, struct frame_picture *out)
{
    const struct frame_picture *known;
    struct frame_surface *surface;
    enum status st;

    if (!can_show(target))
        return ST_UNSUPPORTED;
    if ((known = find(pictures, target))) {
        *out = *known;
        return ST_OK;
    }
    if ((st = frame_surface_read(&pictures->surfaces, target, changes, &surface)))
        return st;
    *out = (struct frame_picture){.format = surface->format->name,
                                  .width = surface->width,
                                  .height = surface->height,
                                  .ranged = surface->format->layout == TEX_LAYOUT_DEPTH};
    memcpy(out->low, surface->least, sizeof(out->low));
    memcpy(out->high, surface->most, sizeof(out->high));
    errno = 0;
    st = write_surface(pictures, out, surface);
    if (st == ST_OK)
        keep(pictures, target, out);
    else if (!pictures->error)
        pictures->error = errno;
    frame_surface_release(surface);
    return st;
}

enum status frame_picture_write_plain(struct frame_pictures *pictures,
                                      const struct draw_target *target, bool changes,
                                      char name[FRAME_PICTURE_NAME])
{
    struct frame_surface *surface;
    enum status st;

    if (!can_show(target))
        return ST_UNSUPPORTED;
    if ((st = frame_surface_read(&pictures->surfaces, target, changes, &surface)))
        return st;
    st = frame_surface_form(surface, FRAME_PLAIN);
    snprintf(name, FRAME_PICTURE_NAME, "%016" PRIx64 ".png", surface->form[FRAME_PLAIN].hash);
    errno = 0;
    if (st == ST_OK)
        st = write_form(pictures, surface, FRAME_PLAIN, name);
    if (st != ST_OK && !pictures->error)
        pictures->error = errno;
    frame_surface_release(surface);
    return st;
}

/* The colour of a count from 0, the least, to 1, the greatest. */
static void put_heat(uint8_t out[4], float at)
{
    static const uint8_t stop[4][3] = {
        {49, 104, 220}, {40, 180, 90}, {250, 220, 40}, {220, 40, 40}};
    unsigned i = at < 1.0f ? (unsigned)(3.0f * at) : 2;
    float weight = 3.0f * at - (float)i;

    for (unsigned c = 0; c < 3; c++)
        out[c] =
            (uint8_t)((float)stop[i][c] * (1.0f - weight) + (float)stop[i + 1][c] * weight + 0.5f);
    out[3] = 200;
}

uint32_t frame_counts_paint(uint8_t *rgba, const uint32_t *counts, size_t n, bool mask)
{
    static const uint8_t magenta[4] = {255, 0, 220, 200};
    uint32_t most = 0;

    for (size_t i = 0; i < n; i++)
        most = counts[i] > most ? counts[i] : most;
    memset(rgba, 0, 4 * n);
    for (size_t i = 0; i < n; i++) {
        if (counts[i] && mask)
            memcpy(rgba + 4 * i, magenta, 4);
        else if (counts[i])
            put_heat(rgba + 4 * i, most > 1 ? log2f((float)counts[i]) / log2f((float)most) : 0);
    }
    return most;
}

enum status frame_picture_write_counts(struct frame_pictures *pictures, const uint32_t *counts,
                                       uint32_t width, uint32_t height, bool mask,
                                       struct frame_picture *out)
{
    struct tool_image image;
    struct new_file file;
    uint32_t most;
    enum status st;

    *out = (struct frame_picture){.format = "counts", .width = width, .height = height};
    if ((st = tool_image_create(&image, width, height)))
        return st;
    most = frame_counts_paint(image.rgba, counts, (size_t)width * height, mask);
    for (unsigned c = 0; c < 4; c++)
        out->high[c] = (float)most;
    snprintf(out->name, sizeof(out->name), "%016" PRIx64 ".png", tool_image_hash(&image, true));
    errno = 0;
    if (begin_file(&file, pictures, out->name))
        st = end_file(&file, tool_png_write(file.part, &image, 4));
    if (st != ST_OK && !pictures->error)
        pictures->error = errno;
    tool_image_fini(&image);
    return st;
}

void frame_pictures_forget(struct frame_pictures *pictures)
{
    memset(pictures->kept, 0, sizeof(pictures->kept));
    frame_surfaces_forget(&pictures->surfaces);
}

void frame_pictures_fini(struct frame_pictures *pictures)
{
    frame_surfaces_fini(&pictures->surfaces);
}

cJSON *frame_picture_json(const struct frame_picture *picture)
{
    cJSON *object = cJSON_CreateObject();
    char path[64];

    snprintf(path, sizeof(path), "images/%s", picture->name);
    frame_add_text(object, "file", path);
    frame_add_text(object, "format", picture->format);
    cJSON_AddItemToObject(object, "min", frame_floats(picture->low, 4));
    cJSON_AddItemToObject(object, "max", frame_floats(picture->high, 4));
    if (picture->ranged)
        cJSON_AddTrueToObject(object, "ranged");
    if (picture->raw) {
        snprintf(path, sizeof(path), "images/%.16s.f32", picture->name);
        frame_add_text(object, "raw", path);
    }
    return object;
}
