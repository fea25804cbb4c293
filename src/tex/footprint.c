/* Decodes what a batch of samples is about to read.
 *
 * The bounds of the batch's coordinates make a box of chunks, nearly always one to four: those are
 * decoded if they are not. Where the box is larger, because lanes lie far apart, each lane has its
 * own. Boxes may be a texel too wide but never too narrow, so that what is read is always there;
 * lanes that are not sampled may be read too, but what is read for them is not used. */
#include "tex/footprint.h"

#include <math.h>

/* An axis of a level, and how samples address it. */
struct axis {
    uint32_t size, chunk, chunks; /* texels, of a chunk, number of those */
    unsigned mode;                /* D3DTEXTUREADDRESS */
};

/* Chunks along an axis: count from first on, beginning again behind the last of n. */
struct run {
    uint32_t first, count, n;
};

struct box {
    struct run axis[3];
};

/* --- Coordinates ------------------------------------------------------------------------------ */

/* As fixed_position in sample_address.h, in texels: 0 … size. A NaN is 0. */
static float position(float t, float size, unsigned mode)
{
    switch (mode) {
    case D3DTADDRESS_WRAP:
        t -= floorf(t);
        break;
    case D3DTADDRESS_MIRROR:
        t -= 2.0f * floorf(t * 0.5f);
        t = t < 2.0f - t ? t : 2.0f - t;
        break;
    case D3DTADDRESS_MIRRORONCE:
        t = fabsf(t);
        break;
    }
    t = t > 0.0f ? t : 0.0f;
    t *= size;
    return t < size ? t : size;
}

static struct run whole(uint32_t n)
{
    return (struct run){0, n, n};
}

/* Texels that a footprint at a position reads lie from 3/4 below it to a quarter and one above, the
 * rounding of positions included. Those outside are, with WRAP, the ones at the other end. */
static struct run run_between(const struct axis *a, float low, float high, bool crosses)
{
    int32_t n = (int32_t)a->chunks, last = (int32_t)a->size - 1;
    int32_t from = (int32_t)floorf(low - 0.75f), to = (int32_t)(high + 0.25f) + 1, first, end;
    bool wraps = a->mode == D3DTADDRESS_WRAP;

    first = from >= 0 ? from / (int32_t)a->chunk : wraps ? -1 : 0;
    end = to <= last ? to / (int32_t)a->chunk : wraps ? n : n - 1;
    if (crosses)
        end += n;
    if (end - first + 1 >= n)
        return whole((uint32_t)n);
    return (struct run){(uint32_t)(first + n) % (uint32_t)n, (uint32_t)(end - first + 1),
                        (uint32_t)n};
}

/* Between two coordinates, of which neither is a NaN unless they are the same. */
static struct run run_of(const struct axis *a, float least, float largest)
{
    bool crosses = false;
    float from, to;

    if (a->chunks == 1)
        return whole(1);
    if (a->mode == D3DTADDRESS_WRAP || a->mode == D3DTADDRESS_MIRROR)
        crosses = floorf(least) < floorf(largest);
    if (crosses && (a->mode == D3DTADDRESS_MIRROR || !(largest - least < 1.0f)))
        return whole(a->chunks);
    from = position(least, (float)a->size, a->mode);
    to = position(largest, (float)a->size, a->mode);
    if (a->mode == D3DTADDRESS_MIRRORONCE && least < 0.0f && largest > 0.0f)
        return run_between(a, 0.0f, from > to ? from : to, false);
    if (from > to && !crosses)
        return run_between(a, to, from, false);
    return run_between(a, from, to, crosses);
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/* One level of one face. */
struct place {
    struct tex_shadow *shadow;
    uint32_t level;
    struct axis axis[3];
};

typedef bool visit_fn(const struct place *at, uint32_t cx, uint32_t cy, uint32_t cz);

static uint32_t step(const struct run *r, uint32_t i)
{
    return r->first + i < r->n ? r->first + i : r->first + i - r->n;
}

/* Until visit says false. */
static bool each_chunk(const struct place *at, const struct box *box, visit_fn *visit)
{
    for (uint32_t z = 0; z < box->axis[2].count; z++)
        for (uint32_t y = 0; y < box->axis[1].count; y++)
            for (uint32_t x = 0; x < box->axis[0].count; x++)
                if (!visit(at, step(&box->axis[0], x), step(&box->axis[1], y),
                           step(&box->axis[2], z)))
                    return false;
    return true;
}

static bool is_there(const struct place *at, uint32_t cx, uint32_t cy, uint32_t cz)
{
    return tex_shadow_is_done(&at->shadow->chunks[at->level], cx, cy, cz);
}

static bool need(const struct place *at, uint32_t cx, uint32_t cy, uint32_t cz)
{
    tex_shadow_need(at->shadow, at->level, cx, cy, cz);
    return true;
}

/* Decodes one that is missing, and no more. */
static bool need_one(const struct place *at, uint32_t cx, uint32_t cy, uint32_t cz)
{
    bool was = is_there(at, cx, cy, cz);

    tex_shadow_need(at->shadow, at->level, cx, cy, cz);
    return was;
}

static bool is_small(const struct box *box)
{
    return box->axis[0].count <= 2 && box->axis[1].count <= 2 && box->axis[2].count <= 3;
}

static struct box box_of_lane(const struct place *at, const struct tex_coords *coords,
                              unsigned lane)
{
    struct box box;

    for (int a = 0; a < 3; a++)
        box.axis[a] = at->axis[a].chunks == 1
                          ? whole(1)
                          : run_of(&at->axis[a], coords->axis[a][lane], coords->axis[a][lane]);
    return box;
}

/* Looking at each lane costs more than sampling it. So that it comes to an end, even if the lanes
 * never touch some of the box, a look that finds nothing to do decodes one chunk of it. */
static void need_lanes(const struct place *at, const struct tex_coords *coords, uint64_t lanes,
                       const struct box *around)
{
    bool found = false;

    for (; lanes; lanes &= lanes - 1) {
        struct box box = box_of_lane(at, coords, (unsigned)__builtin_ctzll(lanes));

        if (each_chunk(at, &box, is_there))
            continue;
        each_chunk(at, &box, need);
        found = true;
    }
    if (!found)
        each_chunk(at, around, need_one);
}

static void need_face(const struct place *at, const struct tex_coords *coords, uint64_t lanes)
{
    const struct tex_footprint_kern *kern = KERN_PICK(tex_footprint_kern);
    struct box box;

    if (!atomic_load_explicit(&at->shadow->chunks[at->level].missing, memory_order_acquire))
        return;
    for (int a = 0; a < 3; a++) {
        float least, largest;

        box.axis[a] = whole(at->axis[a].chunks);
        if (at->axis[a].chunks > 1 && kern->bounds(coords->axis[a], lanes, &least, &largest))
            box.axis[a] = run_of(&at->axis[a], least, largest);
    }
    if (is_small(&box))
        each_chunk(at, &box, need);
    else if (!each_chunk(at, &box, is_there))
        need_lanes(at, coords, lanes, &box);
}

/* --- Samplers --------------------------------------------------------------------------------- */

static uint64_t lanes_of_face(const int32_t *face_word, int32_t face, uint64_t lanes)
{
    uint64_t same = 0;

    for (uint64_t rest = lanes; rest; rest &= rest - 1)
        if (face_word[__builtin_ctzll(rest)] == face)
            same |= rest & -rest;
    return same;
}

void tex_footprint_need(const struct tex_sampler_private *s, const struct tex_level *level,
                        const struct tex_coords *coords, uint64_t lanes)
{
    uint32_t number = (uint32_t)(level - s->level), levels = s->shadow->image->desc.levels;
    const struct tex_chunks *c = &s->shadow->chunks[number];
    struct place at = {.shadow = s->shadow,
                       .level = number,
                       .axis = {{level->width, TEX_CHUNK, c->across, s->address[0]},
                                {level->height, TEX_CHUNK, c->down, s->address[1]},
                                {level->depth, 1, c->slices, s->address[2]}}};

    if (!coords->face_word) {
        if (lanes)
            need_face(&at, coords, lanes);
        return;
    }
    while (lanes) {
        int32_t word = coords->face_word[__builtin_ctzll(lanes)];
        uint64_t same = lanes_of_face(coords->face_word, word, lanes);

        at.level = number + (uint32_t)(word / s->face_words) * levels;
        need_face(&at, coords, same);
        lanes &= ~same;
    }
}

void tex_footprint_minify(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    tex_footprint_need(s, level, at, lanes);
    s->decoded_minify(s, level, at, lanes, out);
}

void tex_footprint_magnify(const struct tex_sampler_private *s, const struct tex_level *level,
                           const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    tex_footprint_need(s, level, at, lanes);
    s->decoded_magnify(s, level, at, lanes, out);
}
