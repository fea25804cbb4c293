/* Decodes what a batch of samples is about to read.
 *
 * The bounds of the batch's coordinates make a box of chunks, nearly always one to four: those are
 * decoded if they are not. Where the box is larger, because lanes lie far apart, each lane has its
 * own. Boxes may be a texel too wide but never too narrow, so that what is read is always there;
 * lanes that are not sampled may be read too, but what is read for them is not used. */
#include "tex/decode_on_demand.h"

enum { CHUNK_SHIFT = 6 };
_Static_assert(TEX_DECODE_PAGE == 1 << CHUNK_SHIFT, "chunks are found by a shift");

/* --- Boxes ------------------------------------------------------------------------------------ */

struct chunk_box {
    struct tex_run axis[3];
};

/* One level of one face. */
struct place {
    struct tex_decode_cache *shadow;
    uint32_t level;
    struct tex_axis axis[3];
};

typedef bool visit_fn(const struct place *at, uint32_t cx, uint32_t cy, uint32_t cz);

static uint32_t step(const struct tex_run *r, uint32_t i)
{
    return r->first + i < r->n ? r->first + i : r->first + i - r->n;
}

/* Until visit says false. */
static inline bool each_chunk(const struct place *at, const struct chunk_box *box, visit_fn *visit)
{
    for (uint32_t z = 0; z < box->axis[2].count; z++)
        for (uint32_t y = 0; y < box->axis[1].count; y++)
            for (uint32_t x = 0; x < box->axis[0].count; x++)
                if (!visit(at, step(&box->axis[0], x), step(&box->axis[1], y),
                           step(&box->axis[2], z)))
                    return false;
    return true;
}

static inline bool is_there(const struct place *at, uint32_t cx, uint32_t cy, uint32_t cz)
{
    return tex_decode_cache_is_decoded(&at->decode_cache->pages[at->level], cx, cy, cz);
}

static bool need(const struct place *at, uint32_t cx, uint32_t cy, uint32_t cz)
{
    tex_decode_cache_require(at->decode_cache, at->level, cx, cy, cz);
    return true;
}

/* Decodes one that is missing, and no more. */
static bool need_one(const struct place *at, uint32_t cx, uint32_t cy, uint32_t cz)
{
    bool was = is_there(at, cx, cy, cz);

    tex_decode_cache_require(at->decode_cache, at->level, cx, cy, cz);
    return was;
}

static bool is_small(const struct chunk_box *box)
{
    return box->axis[0].count <= 2 && box->axis[1].count <= 2 && box->axis[2].count <= 3;
}

static struct chunk_box box_of(const struct place *at, const struct tex_range range[3])
{
    struct chunk_box box;

    KERN_PICK(tex_footprint_kern)->runs(at->axis, range, box.axis);
    return box;
}

static struct chunk_box box_of_lane(const struct place *at, const struct tex_coords *coords,
                                    unsigned lane)
{
    struct tex_range range[3] = {0};

    for (int a = 0; a < 3; a++)
        if (at->axis[a].pages > 1) {
            float t = coords->axis[a][lane];

            range[a] = (struct tex_range){t, t, true};
        }
    return box_of(at, range);
}

/* Looking at each lane costs more than sampling it. So that it comes to an end, even if the lanes
 * never touch some of the box, a look that finds nothing to do decodes one chunk of it. */
static void need_lanes(const struct place *at, const struct tex_coords *coords, uint64_t lanes,
                       const struct chunk_box *around)
{
    bool found = false;

    for (; lanes; lanes &= lanes - 1) {
        struct chunk_box box = box_of_lane(at, coords, (unsigned)__builtin_ctzll(lanes));

        if (each_chunk(at, &box, is_there))
            continue;
        each_chunk(at, &box, need);
        found = true;
    }
    if (!found)
        each_chunk(at, around, need_one);
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* Some lanes of one face. */
struct batch {
    const struct tex_coords *coords;
    const float *const *step; /* NULL: the lanes are no lines */
    uint64_t lanes;
    struct tex_range range[3];
    bool has_range;
};

static void find_range(struct batch *batch, bool deep)
{
    const struct tex_footprint_kern *kern = KERN_PICK(tex_footprint_kern);

    if (batch->has_range)
        return;
    for (int a = 0; a < 2 + deep; a++)
        batch->range[a] = kern->range(batch->coords->axis[a],
                                      batch->step && a < 2 ? batch->step[a] : NULL, batch->lanes);
    batch->has_range = true;
}

/* False where lines touch many chunks. */
static bool need_face(const struct place *at, struct batch *batch)
{
    struct chunk_box box;

    if (!atomic_load_explicit(&at->decode_cache->pages[at->level].undecoded, memory_order_acquire))
        return true;
    find_range(batch, at->axis[2].pages > 1);
    box = box_of(at, batch->range);
    if (each_chunk(at, &box, is_there)) {
        tex_decode_cache_hit(at->decode_cache, at->level);
        return true;
    }
    if (is_small(&box)) {
        each_chunk(at, &box, need);
        return true;
    }
    if (!batch->step)
        need_lanes(at, batch->coords, batch->lanes, &box);
    return !batch->step;
}

static bool need_levels(const struct tex_sampler_private *s, uint32_t face, uint32_t number,
                        unsigned levels, struct batch *batch)
{
    bool there = true;

    for (uint32_t i = number; i < number + levels; i++) {
        const struct tex_level *level = &s->level[i];
        const struct tex_decode_pages *c = &s->decode_cache->pages[i];
        struct place at = {.decode_cache = s->decode_cache,
                           .level = i + face * s->decode_cache->image->desc.levels,
                           .axis = {{level->width, c->across, CHUNK_SHIFT, s->address[0]},
                                    {level->height, c->down, CHUNK_SHIFT, s->address[1]},
                                    {level->depth, c->slices, 0, s->address[2]}}};

        there = need_face(&at, batch) && there;
    }
    return there;
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

static bool need_batch(const struct tex_sampler_private *s, const struct tex_level *level,
                       unsigned levels, struct batch *batch)
{
    const int32_t *face_word = batch->coords->face_word;
    uint32_t number = (uint32_t)(level - s->level);
    uint64_t lanes = batch->lanes;
    bool there = true;

    if (!atomic_load_explicit(&s->decode_cache->undecoded, memory_order_acquire))
        return true;
    if (!face_word)
        return !lanes || need_levels(s, 0, number, levels, batch);
    while (lanes) {
        int32_t word = face_word[__builtin_ctzll(lanes)];

        batch->lanes = lanes_of_face(face_word, word, lanes);
        batch->has_range = false;
        there = need_levels(s, (uint32_t)(word / s->face_words), number, levels, batch) && there;
        lanes &= ~batch->lanes;
    }
    return there;
}

void tex_footprint_need(const struct tex_sampler_private *s, const struct tex_level *level,
                        unsigned levels, const struct tex_coords *coords, uint64_t lanes)
{
    struct batch batch = {.coords = coords, .lanes = lanes};

    need_batch(s, level, levels, &batch);
}

bool tex_footprint_need_lines(const struct tex_sampler_private *s, const struct tex_level *level,
                              unsigned levels, const struct tex_coords *coords,
                              const float *const step[2], uint64_t lanes)
{
    struct batch batch = {.coords = coords, .step = step, .lanes = lanes};

    return need_batch(s, level, levels, &batch);
}

void tex_footprint_minify(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    tex_footprint_need(s, level, 1, at, lanes);
    s->decoded_minify(s, level, at, lanes, out);
}

void tex_footprint_magnify(const struct tex_sampler_private *s, const struct tex_level *level,
                           const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    tex_footprint_need(s, level, 1, at, lanes);
    s->decoded_magnify(s, level, at, lanes, out);
}
