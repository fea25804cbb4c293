/* Reads surfaces, row by row as they change.
 *
 * Tested by tests/unit/tool/frame/test_surface.c. */
#include "tool/frame/surface.h"

#include "tex/tex.h"
#include "util/alloc.h"

#include <math.h>
#include <string.h>

bool frame_surface_is_wide(const struct tex_format *format)
{
    return format->layout == TEX_LAYOUT_DEPTH || format->layout == TEX_LAYOUT_FLOAT16 ||
           format->layout == TEX_LAYOUT_FLOAT32;
}

/* --- Reading a row ---------------------------------------------------------------------------- */

static struct draw_target target_of(const struct frame_surface *s)
{
    return (struct draw_target){(struct tex_image *)(uintptr_t)s->from, s->face, s->level};
}

static bool is_volume(const struct frame_surface *s)
{
    return s->from->desc.shape == TEX_VOLUME_MAP;
}

static const struct tex_level *level_of(const struct draw_target *target)
{
    return tex_image_level(target->image,
                           target->image->desc.shape == TEX_VOLUME_MAP ? 0 : target->face,
                           target->level);
}

/* Averages the samples of a pixel. */
static void read_pixel(const struct frame_surface *s, uint32_t x, uint32_t y, float out[4])
{
    memset(out, 0, 4 * sizeof(*out));
    for (unsigned i = 0; i < s->samples; i++) {
        float rgba[4];

        tex_read_pixel(s->from, is_volume(s) ? 0 : s->face, s->level, x, y,
                       is_volume(s) ? s->face : i, rgba);
        for (unsigned c = 0; c < 4; c++)
            out[c] += rgba[c] / (float)s->samples;
    }
}

static void read_row(const struct frame_surface *s, const struct tex_level *level, uint32_t y,
                     float *out)
{
    tex_unpack_fn *unpack = s->samples > 1 ? NULL : tex_unpacker(s->format);
    uint32_t slice = is_volume(s) ? s->face : 0;
    const uint8_t *at = unpack ? tex_level_at(level, s->format, 0, y, slice) : NULL;
    _Alignas(64) float lanes[4][TEX_LANES];
    float *const rows[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};

    for (uint32_t x = 0; x < s->width && !unpack; x++)
        read_pixel(s, x, y, out + 4 * (size_t)x);
    for (uint32_t x = 0; x < s->width && unpack; x += TEX_LANES) {
        unsigned n = s->width - x < TEX_LANES ? s->width - x : TEX_LANES;
        float *to = out + 4 * (size_t)x;

        unpack(s->format, at + (size_t)x * s->format->bytes, n, rows);
        for (unsigned i = 0; i < n; i++)
            for (unsigned c = 0; c < 4; c++)
                to[4 * i + c] = lanes[c][i];
    }
}

/* --- Values ----------------------------------------------------------------------------------- */

static void find_range(const float *values, uint32_t width, float low[4], float high[4])
{
    for (unsigned c = 0; c < 4; c++) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
    for (size_t i = 0; i < width; i++)
        for (unsigned c = 0; c < 4; c++) {
            float value = values[4 * i + c];

            low[c] = value < low[c] ? value : low[c];
            high[c] = value > high[c] ? value : high[c];
        }
}

static uint8_t to_byte(float x)
{
    return x > 0.0f ? x < 1.0f ? (uint8_t)(x * 255.0f + 0.5f) : 255 : 0;
}

static void put_plain(uint8_t *out, const float *values, uint32_t width)
{
    for (size_t i = 0; i < 4 * (size_t)width; i++)
        out[i] = to_byte(values[i]);
}

static void put_grey(uint8_t *out, const float *values, uint32_t width, float low, float high)
{
    float range = high > low ? high - low : 1.0f;

    for (size_t i = 0; i < width; i++) {
        memset(out + 4 * i, to_byte((values[4 * i] - low) / range), 3);
        out[4 * i + 3] = 255;
    }
}

/* --- Changes ---------------------------------------------------------------------------------- */

/* Whether a row is one of bytes of its own. */
static bool has_rows(const struct tex_format *format)
{
    return format->block_w == 1 && format->block_h == 1 && format->layout != TEX_LAYOUT_PLANAR;
}

/* Compares a row with the copy and updates that; true: it has changed. */
static bool take_row(struct frame_surface *s, const struct tex_level *level, uint32_t y)
{
    bool changed = !s->raw;

    for (unsigned i = 0; s->raw && i < s->samples; i++) {
        uint8_t *copy = s->raw + ((size_t)y * s->samples + i) * s->row_bytes;
        const uint8_t *row = tex_level_at(level, s->format, 0, y, is_volume(s) ? s->face : i);

        if (!memcmp(copy, row, s->row_bytes))
            continue;
        memcpy(copy, row, s->row_bytes);
        changed = true;
    }
    return changed;
}

static void mark(struct frame_surface *s, uint32_t y)
{
    for (unsigned f = 0; f < FRAME_FORMS; f++) {
        s->form[f].hashed = false;
        if (s->form[f].stale)
            s->form[f].stale[y] = 1;
    }
}

/* Values of a row: into `values`, or at once into the picture if they are not kept. */
static void update_row(struct frame_surface *s, const struct tex_level *level, uint32_t y,
                       float *row)
{
    struct frame_form *plain = &s->form[FRAME_PLAIN];

    if (s->values)
        row = s->values + 4 * (size_t)s->width * y;
    read_row(s, level, y, row);
    find_range(row, s->width, s->low + 4 * (size_t)y, s->high + 4 * (size_t)y);
    mark(s, y);
    if (s->values)
        return;
    put_plain(plain->image.rgba + 4 * (size_t)s->width * y, row, s->width);
    plain->stale[y] = 0;
    if (plain->bands)
        png_bands_touch(plain->bands, y);
}

static void join_ranges(struct frame_surface *s)
{
    memcpy(s->least, s->low, sizeof(s->least));
    memcpy(s->most, s->high, sizeof(s->most));
    for (uint32_t y = 1; y < s->height; y++)
        for (unsigned c = 0; c < 4; c++) {
            float low = s->low[4 * (size_t)y + c], high = s->high[4 * (size_t)y + c];

            s->least[c] = low < s->least[c] ? low : s->least[c];
            s->most[c] = high > s->most[c] ? high : s->most[c];
        }
}

/* fresh: nothing has been read yet. */
static enum status update(struct frame_surface *s, bool fresh)
{
    struct draw_target target = target_of(s);
    const struct tex_level *level = level_of(&target);
    float *row = mem_alloc(4 * (size_t)s->width * sizeof(*row));
    bool changed = false;

    if (!row)
        return ST_NOMEM;
    for (uint32_t y = 0; y < s->height; y++)
        if (take_row(s, level, y) || fresh) {
            update_row(s, level, y, row);
            changed = true;
        }
    if (changed)
        join_ranges(s);
    s->version = s->from->version;
    mem_free(row);
    return ST_OK;
}

/* --- The table -------------------------------------------------------------------------------- */

static void destroy(struct frame_surface *s)
{
    if (!s)
        return;
    for (unsigned f = 0; f < FRAME_FORMS; f++) {
        tool_image_fini(&s->form[f].image);
        png_bands_destroy(s->form[f].bands);
        mem_free(s->form[f].stale);
    }
    mem_free(s->raw);
    mem_free(s->values);
    mem_free(s->low);
    mem_free(s->high);
    mem_free(s);
}

static enum status start_form(struct frame_surface *s, struct frame_form *form)
{
    enum status st;

    if (form->stale)
        return ST_OK;
    if ((st = tool_image_create(&form->image, s->width, s->height)))
        return st;
    form->stale = mem_alloc(s->height);
    if (!form->stale) {
        tool_image_fini(&form->image);
        return ST_NOMEM;
    }
    memset(form->stale, 1, s->height);
    return ST_OK;
}

static bool allocate(struct frame_surface *s)
{
    size_t pixels = (size_t)s->width * s->height;
    bool wide = frame_surface_is_wide(s->format);

    s->low = mem_alloc(4 * (size_t)s->height * sizeof(float));
    s->high = mem_alloc(4 * (size_t)s->height * sizeof(float));
    if (s->kept)
        s->raw = mem_calloc((size_t)s->height * s->samples, s->row_bytes);
    if (wide)
        s->values = mem_alloc(4 * pixels * sizeof(float));
    return s->low && s->high && (s->raw || !s->kept) && (s->values || !wide) &&
           (wide || start_form(s, &s->form[FRAME_PLAIN]) == ST_OK);
}

/* The most that a surface takes: its copy, values, and pictures with their compressed bytes. */
static size_t most_bytes(const struct frame_surface *s)
{
    size_t pixels = (size_t)s->width * s->height;
    size_t forms = frame_surface_is_wide(s->format) ? 2 : 1;

    return pixels * (s->samples * s->format->bytes + forms * 9) +
           (frame_surface_is_wide(s->format) ? 16 * pixels : 0);
}

static enum status create(struct frame_surface **out, const struct draw_target *target)
{
    const struct tex_level *level = level_of(target);
    const struct tex_desc *desc = &target->image->desc;
    struct frame_surface *s = mem_calloc(1, sizeof(*s));

    *out = s;
    if (!s)
        return ST_NOMEM;
    s->from = target->image;
    s->format = target->image->format;
    s->face = target->face;
    s->level = target->level;
    s->width = level->width;
    s->height = level->height;
    s->samples = desc->samples > 1 ? desc->samples : 1;
    s->row_bytes = tex_row_bytes(s->format, s->width);
    s->bytes = most_bytes(s);
    return ST_OK;
}

static struct frame_surface *find(const struct frame_surfaces *all,
                                  const struct draw_target *target)
{
    const struct tex_level *level = level_of(target);
    unsigned samples = target->image->desc.samples;

    for (unsigned i = 0; i < FRAME_SURFACES; i++) {
        struct frame_surface *s = all->surface[i];

        /* The image may be another one at the same address: rows are compared in any case. */
        if (s && s->from == target->image && s->face == target->face && s->level == target->level &&
            s->format == target->image->format && s->width == level->width &&
            s->height == level->height && s->samples == (samples > 1 ? samples : 1))
            return s;
    }
    return NULL;
}

static void drop(struct frame_surfaces *all, unsigned slot)
{
    if (all->surface[slot])
        all->bytes -= all->surface[slot]->bytes;
    destroy(all->surface[slot]);
    all->surface[slot] = NULL;
}

static unsigned oldest(const struct frame_surfaces *all)
{
    unsigned found = 0;

    for (unsigned i = 1; i < FRAME_SURFACES; i++) {
        const struct frame_surface *a = all->surface[found], *b = all->surface[i];

        if (a && (!b || b->used < a->used))
            found = i;
    }
    return found;
}

/* Makes room in the table, so that it stays within its bounds. */
static void insert(struct frame_surfaces *all, struct frame_surface *s)
{
    unsigned slot = oldest(all);

    drop(all, slot);
    s->kept = true;
    s->used = ++all->clock;
    all->surface[slot] = s;
    all->bytes += s->bytes;
    while (all->bytes > all->most) {
        unsigned first = FRAME_SURFACES;

        for (unsigned i = 0; i < FRAME_SURFACES; i++)
            if (all->surface[i] && all->surface[i] != s &&
                (first == FRAME_SURFACES || all->surface[i]->used < all->surface[first]->used))
                first = i;
        drop(all, first);
    }
}

static enum status read_new(struct frame_surfaces *all, const struct draw_target *target, bool keep,
                            struct frame_surface **out)
{
    enum status st = create(out, target);

    if (st != ST_OK)
        return st;
    if (keep && has_rows((*out)->format) && (*out)->bytes <= all->most)
        insert(all, *out);
    st = allocate(*out) ? update(*out, true) : ST_NOMEM;
    if (st != ST_OK) {
        for (unsigned i = 0; i < FRAME_SURFACES; i++)
            if (all->surface[i] == *out) {
                drop(all, i);
                *out = NULL;
            }
        destroy(*out);
        *out = NULL;
    }
    return st;
}

enum status frame_surface_read(struct frame_surfaces *all, const struct draw_target *target,
                               bool keep, struct frame_surface **out)
{
    struct frame_surface *known = find(all, target);

    if (!known)
        return read_new(all, target, keep, out);
    *out = known;
    known->used = ++all->clock;
    return known->version == target->image->version ? ST_OK : update(known, false);
}

void frame_surface_release(struct frame_surface *s)
{
    if (s && !s->kept)
        destroy(s);
}

void frame_surfaces_forget(struct frame_surfaces *all)
{
    for (unsigned i = 0; i < FRAME_SURFACES; i++)
        if (all->surface[i])
            all->surface[i]->version = UINT64_MAX;
}

void frame_surfaces_fini(struct frame_surfaces *all)
{
    for (unsigned i = 0; i < FRAME_SURFACES; i++)
        drop(all, i);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void update_form(struct frame_surface *s, enum frame_form_kind kind)
{
    struct frame_form *form = &s->form[kind];

    for (uint32_t y = 0; y < s->height; y++) {
        const float *row = s->values + 4 * (size_t)s->width * y;
        uint8_t *out = form->image.rgba + 4 * (size_t)s->width * y;

        if (!form->stale[y])
            continue;
        if (kind == FRAME_GREY)
            put_grey(out, row, s->width, s->least[0], s->most[0]);
        else
            put_plain(out, row, s->width);
        form->stale[y] = 0;
        if (form->bands)
            png_bands_touch(form->bands, y);
    }
}

enum status frame_surface_form(struct frame_surface *s, enum frame_form_kind kind)
{
    struct frame_form *form = &s->form[kind];
    enum status st = start_form(s, form);

    if (st != ST_OK)
        return st;
    if (kind == FRAME_GREY && (memcmp(&s->grey_low, &s->least[0], sizeof(float)) != 0 ||
                               memcmp(&s->grey_high, &s->most[0], sizeof(float)) != 0)) {
        memset(form->stale, 1, s->height);
        form->hashed = false;
        s->grey_low = s->least[0];
        s->grey_high = s->most[0];
    }
    if (s->values)
        update_form(s, kind);
    if (!form->hashed)
        form->hash = tool_image_hash(&form->image, true);
    form->hashed = true;
    return ST_OK;
}

enum status frame_surface_write(struct frame_surface *s, enum frame_form_kind kind,
                                const char *path)
{
    struct frame_form *form = &s->form[kind];

    if (!s->kept)
        return tool_png_write(path, &form->image, 4);
    if (!form->bands)
        form->bands = png_bands_create(s->width, s->height);
    return form->bands ? png_bands_write(form->bands, path, &form->image, form->hash) : ST_NOMEM;
}
