/* Builds quad texels and decides which images get them. */
#include "tex/cache/cache.h"

#include "util/alloc.h"

#include <stdatomic.h>

/* Building the layout costs about as much as quad texels save in a few scenes that show the whole
 * image once. So restart_count doubles the number of scenes that an image must stay unchanged, up
 * to this limit. */
enum { MAX_REQUIRED_SCENES = 1 << 12 };

/* Larger images would cause a visible stall, and most of their texels may never be sampled. */
enum { MAX_IMAGE_BYTES = 16 << 20, MAX_TOTAL_BYTES = sizeof(void *) < 8 ? 32 << 20 : 128 << 20 };

struct tex_quad_texels {
    struct tex_image_copy copy;
    struct tex_quad_texels_level level[TEX_MAX_LEVELS];
    uint64_t *columns; /* NULL: not built */
    size_t bytes;
    uint64_t version;       /* of the image at the last call */
    uint64_t scene;         /* serial of the last scene that sampled the image */
    unsigned stable_scenes; /* number of scenes that sampled this version */
    unsigned required_scenes;
};
_Static_assert(offsetof(struct tex_quad_texels, copy) == 0, "the image knows it by its copy");

static atomic_size_t total_bytes;

static void release_layout(struct tex_quad_texels *q)
{
    if (!q->columns)
        return;
    mem_free(q->columns);
    q->columns = NULL;
    atomic_fetch_sub_explicit(&total_bytes, q->bytes, memory_order_relaxed);
}

static void destroy(struct tex_image_copy *copy)
{
    struct tex_quad_texels *quad_texels = (struct tex_quad_texels *)copy;

    release_layout(quad_texels);
    mem_free(quad_texels);
}

/* --- Building --------------------------------------------------------------------------------- */

static size_t slice_columns(const struct tex_level *level)
{
    return (size_t)(level->width + 1) * level->height;
}

/* Columns of all levels of a face. */
static size_t face_columns(const struct tex_image *image, const struct tex_level *levels)
{
    size_t columns = 0;

    for (uint32_t l = 0; l < image->desc.levels; l++)
        columns += slice_columns(&levels[l]) * levels[l].depth;
    return columns;
}

static void fill_row(uint64_t *column, const uint32_t *upper, const uint32_t *lower, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++)
        column[x] = (upper[x] | (uint64_t)lower[x] << 32) ^ UINT64_C(0x8080808080808080);
    column[width] = column[0];
}

static void fill_slice(uint64_t *column, const struct tex_level *level, const uint8_t *texels)
{
    for (uint32_t y = 0; y < level->height; y++) {
        uint32_t below = y + 1 < level->height ? y + 1 : 0;

        fill_row(column + (size_t)y * (level->width + 1),
                 (const uint32_t *)(const void *)(texels + (size_t)y * level->row_pitch),
                 (const uint32_t *)(const void *)(texels + (size_t)below * level->row_pitch),
                 level->width);
    }
}

static void fill_level(uint64_t *column, const struct tex_level *level)
{
    for (uint32_t z = 0; z < level->depth; z++)
        fill_slice(column + z * slice_columns(level), level,
                   level->data + (size_t)z * level->slice_pitch);
}

/* Returns false if the memory limits would be exceeded or allocation fails. */
static bool reserve(struct tex_quad_texels *q, size_t columns)
{
    size_t all = atomic_load_explicit(&total_bytes, memory_order_relaxed);

    if (columns > MAX_IMAGE_BYTES / sizeof(*q->columns))
        return false;
    q->bytes = columns * sizeof(*q->columns);
    do {
        if (q->bytes > (size_t)MAX_TOTAL_BYTES - all)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&total_bytes, &all, all + q->bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    q->columns = mem_alloc(q->bytes);
    if (!q->columns)
        atomic_fetch_sub_explicit(&total_bytes, q->bytes, memory_order_relaxed);
    return q->columns;
}

static void build_layout(struct tex_quad_texels *q, const struct tex_image *image,
                         const struct tex_level *levels)
{
    size_t face = face_columns(image, levels), columns = 0;
    uint32_t n = image->desc.levels;

    if (!reserve(q, face * image->faces))
        return;
    if (image->decode_cache && levels == image->decode_cache->level)
        tex_decode_cache_require_all(image->decode_cache);
    for (uint32_t l = 0; l < n; l++) {
        q->level[l].column = q->columns + columns;
        q->level[l].slice_bytes = (uint32_t)(slice_columns(&levels[l]) * sizeof(*q->columns));
        q->level[l].face_bytes = (uint32_t)(face * sizeof(*q->columns));
        for (uint32_t f = 0; f < image->faces; f++)
            fill_level(q->columns + f * face + columns, &levels[f * n + l]);
        columns += slice_columns(&levels[l]) * levels[l].depth;
    }
}

/* --- When to build ---------------------------------------------------------------------------- */

/* Drops the layout and counts scenes of the new version. */
static void restart_count(struct tex_quad_texels *q, uint64_t version)
{
    if (q->columns && q->required_scenes < MAX_REQUIRED_SCENES)
        q->required_scenes *= 2;
    release_layout(q);
    q->version = version;
    q->stable_scenes = 0;
}

/* Returns true once, when the image has been stable for the required number of scenes. */
static bool is_due(struct tex_quad_texels *q, uint64_t scene)
{
    if (q->scene == scene || q->stable_scenes >= q->required_scenes)
        return false;
    q->scene = scene;
    return ++q->stable_scenes == q->required_scenes;
}

const struct tex_quad_texels_level *tex_quad_texels_get(struct tex_image *image,
                                                        const struct tex_level *levels)
{
    struct tex_quad_texels *q = image->quad_texels;

    if (!q) {
        if (!(q = image->quad_texels = mem_calloc(1, sizeof(*q))))
            return NULL;
        q->copy.destroy = destroy;
        q->required_scenes = TEX_QUAD_TEXELS_MIN_SCENES;
    }
    if (q->version != image->version)
        restart_count(q, image->version);
    if (is_due(q, image->last_scene))
        build_layout(q, image, levels);
    return q->columns ? q->level : NULL;
}
