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

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* --- Reading ---------------------------------------------------------------------------------- */

/* Averages the samples of a pixel. */
static void read_pixel(const struct draw_target *target, uint32_t x, uint32_t y, float out[4])
{
    const struct tex_image *image = target->image;
    bool volume = image->desc.shape == TEX_VOLUME_MAP;
    unsigned samples = image->desc.samples > 1 ? image->desc.samples : 1;

    memset(out, 0, 4 * sizeof(*out));
    for (unsigned s = 0; s < samples; s++) {
        float rgba[4];

        tex_read_pixel(image, volume ? 0 : target->face, target->level, x, y,
                       volume ? target->face : s, rgba);
        for (unsigned c = 0; c < 4; c++)
            out[c] += rgba[c] / (float)samples;
    }
}

static void read_row(const struct draw_target *target, const struct tex_level *level, uint32_t y,
                     float *out)
{
    struct tex_image *image = target->image;
    tex_unpack_fn *unpack = image->desc.samples > 1 ? NULL : tex_unpacker(image->format);
    uint32_t slice = image->desc.shape == TEX_VOLUME_MAP ? target->face : 0;
    const uint8_t *at = unpack ? tex_level_at(level, image->format, 0, y, slice) : NULL;
    _Alignas(64) float lanes[4][TEX_LANES];
    float *const rows[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};

    for (uint32_t x = 0; x < level->width && !unpack; x++)
        read_pixel(target, x, y, out + 4 * (size_t)x);
    for (uint32_t x = 0; x < level->width && unpack; x += TEX_LANES) {
        unsigned n = level->width - x < TEX_LANES ? level->width - x : TEX_LANES;

        unpack(image->format, at + (size_t)x * image->format->bytes, n, rows);
        for (unsigned i = 0; i < 4 * n; i++)
            out[4 * (size_t)x + i] = lanes[i % 4][i / 4];
    }
}

/* NULL: out of memory. */
static float *read_floats(const struct draw_target *target, const struct tex_level *level)
{
    float *values = mem_alloc((size_t)level->width * level->height * 4 * sizeof(*values));

    for (uint32_t y = 0; values && y < level->height; y++)
        read_row(target, level, y, values + 4 * (size_t)level->width * y);
    return values;
}

/* --- Values to bytes -------------------------------------------------------------------------- */

static void find_range(struct frame_picture *p, const float *values, size_t n)
{
    for (unsigned c = 0; c < 4; c++) {
        p->low[c] = INFINITY;
        p->high[c] = -INFINITY;
    }
    for (size_t i = 0; i < 4 * n; i++) {
        p->low[i % 4] = values[i] < p->low[i % 4] ? values[i] : p->low[i % 4];
        p->high[i % 4] = values[i] > p->high[i % 4] ? values[i] : p->high[i % 4];
    }
}

static uint8_t to_byte(float x)
{
    return x > 0.0f ? x < 1.0f ? (uint8_t)(x * 255.0f + 0.5f) : 255 : 0;
}

static bool is_wide(const struct tex_format *format)
{
    return format->layout == TEX_LAYOUT_DEPTH || format->layout == TEX_LAYOUT_FLOAT16 ||
           format->layout == TEX_LAYOUT_FLOAT32;
}

/* Depth becomes grey between its least and its greatest value. */
static void put_depth(uint8_t *out, const struct frame_picture *p, const float *values, size_t n)
{
    float range = p->high[0] > p->low[0] ? p->high[0] - p->low[0] : 1.0f;

    for (size_t i = 0; i < n; i++) {
        memset(out + 4 * i, to_byte((values[4 * i] - p->low[0]) / range), 3);
        out[4 * i + 3] = 255;
    }
}

/* --- Files ------------------------------------------------------------------------------------ */

/* Writes a file under another name first: processes that answer at once write the same pictures,
 * and none may read a part of one. image: NULL: the file has `values`. */
static enum status write_file(const struct frame_pictures *pictures, const char *name,
                              const struct tool_image *image, const float *values, size_t bytes)
{
    char path[4096], part[4096];
    enum status st;

    snprintf(path, sizeof(path), "%s/images/%s", pictures->folder, name);
    snprintf(part, sizeof(part), "%s/images/part-%ld-%s", pictures->folder, (long)getpid(), name);
    if (access(path, F_OK) == 0)
        return ST_OK;
    st = image ? tool_png_write(part, image, 4) : tool_file_write(part, values, bytes);
    if (st == ST_OK && rename(part, path) != 0)
        st = ST_IO;
    if (st != ST_OK) {
        int error = errno;

        unlink(part);
        errno = error;
    }
    return st;
}

/* The picture and the file of its values have one name, which says the hash of the values: several
 * values may have one picture. */
static enum status write_raw(struct frame_pictures *pictures, struct frame_picture *p,
                             const float *values)
{
    size_t bytes = (size_t)p->width * p->height * 4 * sizeof(*values);
    char name[FRAME_PICTURE_NAME];

    snprintf(p->name, sizeof(p->name), "%016" PRIx64 ".png", hash_bytes(values, bytes, 0));
    snprintf(name, sizeof(name), "%.16s.f32", p->name);
    p->raw = !pictures->embedded;
    pictures->raw_left -= bytes;
    return write_file(pictures, name, NULL, values, bytes);
}

static enum status write_values(struct frame_pictures *pictures, struct frame_picture *p,
                                const struct tex_format *format, const float *values)
{
    size_t n = (size_t)p->width * p->height;
    struct tool_image image;
    enum status st = tool_image_create(&image, p->width, p->height);

    if (st)
        return st;
    if (p->ranged)
        put_depth(image.rgba, p, values, n);
    for (size_t i = 0; i < 4 * n && !p->ranged; i++)
        image.rgba[i] = to_byte(values[i]);
    if (is_wide(format) && pictures->raw_left / 16 >= n)
        st = write_raw(pictures, p, values);
    else
        snprintf(p->name, sizeof(p->name), "%016" PRIx64 "%s.png", tool_image_hash(&image, true),
                 p->ranged ? "-depth" : "");
    if (st == ST_OK)
        st = write_file(pictures, p->name, &image, NULL, 0);
    tool_image_fini(&image);
    return st;
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

enum status frame_picture_write(struct frame_pictures *pictures, const struct draw_target *target,
                                struct frame_picture *out)
{
    const struct frame_picture *known = target->image ? find(pictures, target) : NULL;
    const struct tex_format *format = target->image ? target->image->format : NULL;
    const struct tex_level *level;
    enum status st;
    float *values;

    if (!format || format->layout == TEX_LAYOUT_RAW)
        return ST_UNSUPPORTED;
    if (known) {
        *out = *known;
        return ST_OK;
    }
    level = tex_image_level(target->image,
                            target->image->desc.shape == TEX_VOLUME_MAP ? 0 : target->face,
                            target->level);
    values = read_floats(target, level);
    if (!values)
        return ST_NOMEM;
    *out = (struct frame_picture){.format = format->name,
                                  .width = level->width,
                                  .height = level->height,
                                  .ranged = format->layout == TEX_LAYOUT_DEPTH};
    find_range(out, values, (size_t)level->width * level->height);
    errno = 0;
    st = write_values(pictures, out, format, values);
    mem_free(values);
    if (st == ST_OK)
        keep(pictures, target, out);
    else if (!pictures->error)
        pictures->error = errno;
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
    if ((st = write_file(pictures, out->name, &image, NULL, 0)) && !pictures->error)
        pictures->error = errno;
    tool_image_fini(&image);
    return st;
}

void frame_pictures_forget(struct frame_pictures *pictures)
{
    memset(pictures->kept, 0, sizeof(pictures->kept));
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
