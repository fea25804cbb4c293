/* Decode on demand: decodes the pages of the decode cache that a batch of samples reads.
 *
 * The bounds of the batch's coordinates give a box of pages, usually one to four; the undecoded
 * ones among them are decoded. If lanes are far apart and the box is large, each lane gets its own
 * box. Boxes may be a texel too large but never too small, so all texels read are decoded. Inactive
 * lanes may read undecoded texels; their results are unused.
 * Tested by tests/unit/tex/cache/test_decode_cache.c. */
#include "tex/cache/decode_cache.h"
#include "tex/cache/decode_on_demand_kern.h"

enum { PAGE_SHIFT = 6 };
_Static_assert(TEX_DECODE_PAGE == 1 << PAGE_SHIFT, "pages are found by a shift");

/* --- Page boxes ------------------------------------------------------------------------------- */

struct page_box {
    struct tex_page_span axis[3];
};

/* One level of one face. */
struct subresource {
    struct tex_decode_cache *cache;
    uint32_t level;
    struct tex_page_axis axis[3];
};

typedef bool visit_fn(const struct subresource *at, uint32_t page_x, uint32_t page_y,
                      uint32_t page_z);

/* Returns the page at position i of the span. */
static uint32_t wrapped_page(const struct tex_page_span *r, uint32_t i)
{
    return r->first + i < r->n ? r->first + i : r->first + i - r->n;
}

/* Visits pages until `visit` returns false. */
static inline bool for_each_page(const struct subresource *at, const struct page_box *box,
                                 visit_fn *visit)
{
    for (uint32_t z = 0; z < box->axis[2].count; z++)
        for (uint32_t y = 0; y < box->axis[1].count; y++)
            for (uint32_t x = 0; x < box->axis[0].count; x++)
                if (!visit(at, wrapped_page(&box->axis[0], x), wrapped_page(&box->axis[1], y),
                           wrapped_page(&box->axis[2], z)))
                    return false;
    return true;
}

static inline bool is_decoded(const struct subresource *at, uint32_t page_x, uint32_t page_y,
                              uint32_t page_z)
{
    return tex_decode_cache_is_decoded(&at->cache->pages[at->level], page_x, page_y, page_z);
}

static bool require(const struct subresource *at, uint32_t page_x, uint32_t page_y, uint32_t page_z)
{
    tex_decode_cache_require(at->cache, at->level, page_x, page_y, page_z);
    return true;
}

/* Decodes the page. Returns false, which ends the visit, if it was not decoded before. */
static bool decode_one(const struct subresource *at, uint32_t page_x, uint32_t page_y,
                       uint32_t page_z)
{
    bool was = is_decoded(at, page_x, page_y, page_z);

    tex_decode_cache_require(at->cache, at->level, page_x, page_y, page_z);
    return was;
}

static bool is_small_box(const struct page_box *box)
{
    return box->axis[0].count <= 2 && box->axis[1].count <= 2 && box->axis[2].count <= 3;
}

static struct page_box page_box_of(const struct subresource *at,
                                   const struct tex_coord_range range[3])
{
    struct page_box box;

    KERN_PICK(tex_decode_on_demand_kern)->page_spans(at->axis, range, box.axis);
    return box;
}

static struct page_box page_box_of_lane(const struct subresource *at, const float *const *axis,
                                        unsigned lane)
{
    struct tex_coord_range range[3] = {0};

    for (int a = 0; a < 3; a++)
        if (at->axis[a].pages > 1) {
            float t = axis[a][lane];

            range[a] = (struct tex_coord_range){t, t, true};
        }
    return page_box_of(at, range);
}

/* Decodes pages lane by lane. Such checks cost more than sampling, and they recur while pages of
 * the surrounding box are undecoded. So if the pages of all lanes are decoded already, one more
 * page of the box is decoded. */
static void require_lanes(const struct subresource *at, const float *const *axis, uint64_t lanes,
                          const struct page_box *around)
{
    bool found_undecoded = false;

    for (; lanes; lanes &= lanes - 1) {
        struct page_box box = page_box_of_lane(at, axis, (unsigned)__builtin_ctzll(lanes));

        if (for_each_page(at, &box, is_decoded))
            continue;
        for_each_page(at, &box, require);
        found_undecoded = true;
    }
    if (!found_undecoded)
        for_each_page(at, around, decode_one);
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* The lanes of a request; for cube maps, those of one face. */
struct batch {
    const struct tex_decode_request *request;
    uint64_t lanes;
    struct tex_coord_range range[3];
    bool has_range;
};

static void compute_range(struct batch *batch, bool deep)
{
    const struct tex_decode_on_demand_kern *kern = KERN_PICK(tex_decode_on_demand_kern);
    const struct tex_decode_request *r = batch->request;

    if (batch->has_range)
        return;
    for (int a = 0; a < 2 + deep; a++)
        batch->range[a] =
            kern->coord_range(r->axis[a], r->step && a < 2 ? r->step[a] : NULL, batch->lanes);
    batch->has_range = true;
}

/* Decodes the pages of a level and face. Returns false, without decoding, if lines touch many
 * pages. */
static bool require_face(const struct subresource *at, struct batch *batch)
{
    struct page_box box;

    if (!atomic_load_explicit(&at->cache->pages[at->level].undecoded, memory_order_acquire)) {
        tex_decode_cache_hit(at->cache, at->level);
        return true;
    }
    compute_range(batch, at->axis[2].pages > 1);
    box = page_box_of(at, batch->range);
    if (for_each_page(at, &box, is_decoded)) {
        tex_decode_cache_hit(at->cache, at->level);
        return true;
    }
    if (is_small_box(&box)) {
        for_each_page(at, &box, require);
        return true;
    }
    if (!batch->request->step)
        require_lanes(at, batch->request->axis, batch->lanes, &box);
    return !batch->request->step;
}

static bool require_levels(struct batch *batch, uint32_t face)
{
    const struct tex_decode_request *r = batch->request;
    struct tex_decode_cache *cache = r->cache;
    bool decoded = true;

    for (uint32_t i = r->level; i < r->level + r->levels; i++) {
        const struct tex_level *level = &cache->level[i];
        const struct tex_decode_pages *c = &cache->pages[i];
        struct subresource at = {.cache = cache,
                                 .level = i + face * cache->image->desc.levels,
                                 .axis = {{level->width, c->across, PAGE_SHIFT, r->address[0]},
                                          {level->height, c->down, PAGE_SHIFT, r->address[1]},
                                          {level->depth, c->slices, 0, r->address[2]}}};

        decoded = require_face(&at, batch) && decoded;
    }
    return decoded;
}

static uint64_t lanes_of_face(const int32_t *face_offset, int32_t face, uint64_t lanes)
{
    uint64_t same = 0;

    for (uint64_t rest = lanes; rest; rest &= rest - 1)
        if (face_offset[__builtin_ctzll(rest)] == face)
            same |= rest & -rest;
    return same;
}

bool tex_decode_on_demand(const struct tex_decode_request *request)
{
    const int32_t *face_offset = request->face_offset;
    struct batch batch = {.request = request, .lanes = request->lanes};
    bool decoded = true;

    if (!atomic_load_explicit(&request->cache->undecoded, memory_order_acquire))
        return true;
    if (!face_offset)
        return !batch.lanes || require_levels(&batch, 0);
    for (uint64_t lanes = request->lanes; lanes; lanes &= ~batch.lanes) {
        int32_t word = face_offset[__builtin_ctzll(lanes)];

        batch.lanes = lanes_of_face(face_offset, word, lanes);
        batch.has_range = false;
        decoded = require_levels(&batch, (uint32_t)(word / request->cache->face_pitch)) && decoded;
    }
    return decoded;
}
