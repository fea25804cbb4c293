/* Which images get copies for bilinear samples, and making those. */
#include "tex/quad_texels.h"

#include "util/alloc.h"

#include <stdatomic.h>

/* Making a copy costs about what it saves in a few scenes that show all of the image once. */
enum { MOST_PATIENCE = 1 << 12 };

/* A larger one would be a pause that is seen, and most of it may never be. */
enum { MOST_BYTES = 16 << 20, MOST_BYTES_OF_ALL = sizeof(void *) < 8 ? 32 << 20 : 128 << 20 };

struct tex_squares {
    struct tex_square_level level[TEX_MAX_LEVELS];
    uint64_t *columns; /* NULL: there are none */
    size_t bytes;
    uint64_t version; /* of the image when it was last looked at */
    uint64_t scene;   /* the last of those in which it was */
    unsigned scenes;  /* how many of them showed this version */
    unsigned patience;
};

static atomic_size_t bytes_of_all;

static void forget(struct tex_squares *q)
{
    if (!q->columns)
        return;
    mem_free(q->columns);
    q->columns = NULL;
    atomic_fetch_sub_explicit(&bytes_of_all, q->bytes, memory_order_relaxed);
}

void tex_squares_destroy(struct tex_squares *squares)
{
    if (!squares)
        return;
    forget(squares);
    mem_free(squares);
}

/* --- Making ----------------------------------------------------------------------------------- */

static size_t columns_of(const struct tex_level *level)
{
    return (size_t)(level->width + 1) * level->height;
}

static void fill_row(uint64_t *column, const uint32_t *upper, const uint32_t *lower, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++)
        column[x] = (upper[x] | (uint64_t)lower[x] << 32) ^ UINT64_C(0x8080808080808080);
    column[width] = column[0];
}

static void fill_level(uint64_t *column, const struct tex_level *level)
{
    for (uint32_t y = 0; y < level->height; y++) {
        uint32_t below = y + 1 < level->height ? y + 1 : 0;

        fill_row(column + (size_t)y * (level->width + 1),
                 (const uint32_t *)(const void *)(level->data + (size_t)y * level->row_pitch),
                 (const uint32_t *)(const void *)(level->data + (size_t)below * level->row_pitch),
                 level->width);
    }
}

/* False: it would be too much. */
static bool reserve(struct tex_squares *q, size_t columns)
{
    size_t all = atomic_load_explicit(&bytes_of_all, memory_order_relaxed);

    if (columns > MOST_BYTES / sizeof(*q->columns))
        return false;
    q->bytes = columns * sizeof(*q->columns);
    do {
        if (q->bytes > (size_t)MOST_BYTES_OF_ALL - all)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&bytes_of_all, &all, all + q->bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    q->columns = mem_alloc(q->bytes);
    if (!q->columns)
        atomic_fetch_sub_explicit(&bytes_of_all, q->bytes, memory_order_relaxed);
    return q->columns;
}

static void make(struct tex_squares *q, const struct tex_level *levels, uint32_t n)
{
    size_t columns = 0;

    for (uint32_t l = 0; l < n; l++)
        columns += columns_of(&levels[l]);
    if (!reserve(q, columns))
        return;
    columns = 0;
    for (uint32_t l = 0; l < n; l++) {
        q->level[l].column = q->columns + columns;
        fill_level(q->columns + columns, &levels[l]);
        columns += columns_of(&levels[l]);
    }
}

/* --- Patience --------------------------------------------------------------------------------- */

static void begin_again(struct tex_squares *q, uint64_t version)
{
    if (q->columns && q->patience < MOST_PATIENCE)
        q->patience *= 2;
    forget(q);
    q->version = version;
    q->scenes = 0;
}

/* True once, when it has stayed as it is for long enough. */
static bool is_due(struct tex_squares *q, uint64_t scene)
{
    if (q->scene == scene || q->scenes >= q->patience)
        return false;
    q->scene = scene;
    return ++q->scenes == q->patience;
}

const struct tex_square_level *tex_squares_of(struct tex_image *image,
                                              const struct tex_level *levels)
{
    struct tex_squares *q = image->squares;

    if (!q) {
        if (!(q = image->squares = mem_calloc(1, sizeof(*q))))
            return NULL;
        q->patience = TEX_SQUARES_PATIENCE;
    }
    if (q->version != image->version)
        begin_again(q, image->version);
    if (is_due(q, image->last_scene))
        make(q, levels, image->desc.levels);
    return q->columns ? q->level : NULL;
}
