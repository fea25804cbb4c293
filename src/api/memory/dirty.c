/* Dirty regions of textures: boxes, in pixels of level 0, that changed since the last upload
 * (reference: locks/dirty). Boxes of smaller levels are derived. */
#include "api/memory/dirty.h"

#include "api/memory/memory.h"
#include "util/min_max.h"

static bool box_contains(const struct tex_box *a, const struct tex_box *b)
{
    return a->x0 <= b->x0 && a->y0 <= b->y0 && a->z0 <= b->z0 && a->x1 >= b->x1 && a->y1 >= b->y1 &&
           a->z1 >= b->z1;
}

static struct tex_box box_union(const struct tex_box *a, const struct tex_box *b)
{
    return (struct tex_box){a->x0 < b->x0 ? a->x0 : b->x0, a->y0 < b->y0 ? a->y0 : b->y0,
                            a->z0 < b->z0 ? a->z0 : b->z0, a->x1 > b->x1 ? a->x1 : b->x1,
                            a->y1 > b->y1 ? a->y1 : b->y1, a->z1 > b->z1 ? a->z1 : b->z1};
}

/* Adds a box. A full list collapses into the bounding box of all. */
static void add_box(struct dirty_region *region, struct tex_box box)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < region->count; i++)
        if (box_contains(&region->box[i], &box))
            return;
    for (unsigned i = 0; i < region->count; i++)
        if (!box_contains(&box, &region->box[i]))
            region->box[kept++] = region->box[i];
    if (kept == DIRTY_BOXES) {
        for (unsigned i = 0; i < kept; i++)
            box = box_union(&box, &region->box[i]);
        kept = 0;
    }
    region->box[kept++] = box;
    region->count = kept;
}

static struct tex_box whole(const struct texture *texture)
{
    return (struct tex_box){0, 0, 0, texture->width, texture->height, texture->depth};
}

void api_dirty_add_all(struct texture *texture)
{
    for (uint32_t face = 0; face < texture->faces; face++)
        texture->dirty[face] = (struct dirty_region){1, {whole(texture)}};
}

void api_dirty_clear_all(struct texture *texture)
{
    for (uint32_t face = 0; face < texture->faces; face++)
        texture->dirty[face].count = 0;
}

bool api_dirty_is_all(const struct texture *texture)
{
    struct tex_box all = whole(texture);

    for (uint32_t face = 0; face < texture->faces; face++)
        if (texture->dirty[face].count != 1 || !box_contains(&texture->dirty[face].box[0], &all))
            return false;
    return true;
}

static uint32_t scale_up(uint32_t v, uint32_t level, uint32_t limit)
{
    uint64_t wide = (uint64_t)v << level;

    return wide > limit ? limit : (uint32_t)wide;
}

void api_dirty_add(struct texture *texture, uint32_t face, uint32_t level,
                   const struct tex_box *box)
{
    const struct surface *sub = &texture->sub[level];
    uint32_t w = texture->width, h = texture->height, depth = texture->depth;
    struct tex_box add = {
        scale_up(box->x0, level, w), scale_up(box->y0, level, h), scale_up(box->z0, level, depth),
        scale_up(box->x1, level, w), scale_up(box->y1, level, h), scale_up(box->z1, level, depth),
    };

    /* The last pixel of a smaller level covers what odd sizes leave over in level 0. */
    add.x1 = box->x1 == sub->width ? w : add.x1;
    add.y1 = box->y1 == sub->height ? h : add.y1;
    add.z1 = box->z1 == sub->depth ? depth : add.z1;
    add_box(&texture->dirty[face], add);
}

static uint32_t scale_down(uint32_t v, uint32_t level, bool up)
{
    return up ? (uint32_t)(((uint64_t)v + (1u << level) - 1) >> level) : v >> level;
}

bool api_dirty_box(const struct texture *texture, unsigned i, const struct surface *from,
                   const struct surface *to, struct tex_box *out)
{
    const struct tex_box *dirty = &texture->dirty[from->face].box[i];
    uint32_t bw = max_u32(from->format->block_w, to->format->block_w);
    uint32_t bh = max_u32(from->format->block_h, to->format->block_h); /* 1, 2 or 4 */
    uint32_t level = from->level;

    *out = (struct tex_box){
        scale_down(dirty->x0, level, false) / bw * bw,
        scale_down(dirty->y0, level, false) / bh * bh,
        scale_down(dirty->z0, level, false),
        (scale_down(dirty->x1, level, true) + bw - 1) / bw * bw,
        (scale_down(dirty->y1, level, true) + bh - 1) / bh * bh,
        scale_down(dirty->z1, level, true),
    };
    out->x1 = min_u32(out->x1, min_u32(from->width, to->width));
    out->y1 = min_u32(out->y1, min_u32(from->height, to->height));
    out->z1 = min_u32(out->z1, min_u32(from->depth, to->depth));
    return out->x0 < out->x1 && out->y0 < out->y1 && out->z0 < out->z1;
}
