/* Textures of four bytes a texel, seen straight on: which texels a column or a row of pixels takes
 * is found once for all of it, and texels side by side are loaded together (reference:
 * texture/point, texture/linear, numbers/unorm). */
#include "tex/grid_kern.h"

#include "tex/sample_bytes.h"

INLINE const struct tex_sampler_private *inside(const struct tex_sampler *sampler)
{
    return (const struct tex_sampler_private *)(const void *)sampler->opaque;
}

/* --- Axes ------------------------------------------------------------------------------------- */

/* Of each column or row: its texel, or its two and the second's weight as struct places has it. */
struct grid_axis {
    _Alignas(64) int32_t texel[2][TEX_GRID];
    _Alignas(64) int32_t weight[TEX_GRID];
    bool adjoining; /* each has the texel after the one before, and the next as second */
};

INLINE m32v adjoins(const struct grid_axis *axis, unsigned i)
{
    i32v first = i32v_load(axis->texel[0] + i), second = i32v_load(axis->texel[1] + i);
    i32v want = i32v_iota(axis->texel[0][0] + (int32_t)i);

    return m32v_and(i32v_eq(first, want), i32v_eq(second, i32v_add(want, i32v_set1(1))));
}

INLINE void point_texels(struct grid_axis *axis, const float *t, uint32_t size, unsigned mode)
{
    m32v adjoining = m32v_all();

    for (unsigned i = 0; i < TEX_GRID; i += SIMD_LANES) {
        i32v texel = point_axis(f32v_load(t + i), size, mode).index[0];

        i32v_store(axis->texel[0] + i, texel);
        i32v_store(axis->texel[1] + i, i32v_add(texel, i32v_set1(1)));
        adjoining = m32v_and(adjoining, adjoins(axis, i));
    }
    axis->adjoining = m32v_every(adjoining);
}

INLINE void linear_texels(struct grid_axis *axis, const float *t, uint32_t size, unsigned mode,
                          bool vertical)
{
    m32v adjoining = m32v_all();

    for (unsigned i = 0; i < TEX_GRID; i += SIMD_LANES) {
        struct steps steps = linear_steps(f32v_load(t + i), size, mode);

        i32v_store(axis->texel[0] + i, steps.index);
        i32v_store(axis->texel[1] + i, steps.next);
        i32v_store(axis->weight + i, vertical ? vertical_weights(steps.position)
                                              : i32v_byte_in_halves(steps.position));
        adjoining = m32v_and(adjoining, adjoins(axis, i));
    }
    axis->adjoining = m32v_every(adjoining);
}

/* --- Rows ------------------------------------------------------------------------------------- */

INLINE const int32_t *row_of(const struct tex_level *level, int32_t y)
{
    return (const int32_t *)(const void *)(level->data + (size_t)y * level->row_pitch);
}

INLINE int32_t *pixels_of(const struct tex_grid *grid, unsigned y)
{
    return (int32_t *)(void *)(grid->rows + y * grid->pitch);
}

/* Bits that the texture does not have read as ones. */
INLINE i32v set_bits(const struct tex_sampler_private *s, const struct tex_grid *grid)
{
    return i32v_set1((int32_t)(grid->set | (s->from[3] == TEX_RAW_ONE ? 0xff000000u : 0)));
}

INLINE i32v load_texels(const int32_t *row, const struct grid_axis *columns, unsigned which,
                        unsigned i)
{
    if (columns->adjoining)
        return i32v_loadu(row + columns->texel[which][0] + i);
    return i32v_load_words(row, columns->texel[which] + i);
}

/* --- Points ----------------------------------------------------------------------------------- */

static void sample_points(const struct tex_sampler *sampler, const struct tex_grid *grid)
{
    const struct tex_sampler_private *s = inside(sampler);
    const struct tex_level *level = &s->level[s->first];
    struct grid_axis columns, rows;
    i32v set = set_bits(s, grid);

    point_texels(&columns, grid->u, level->width, s->address[0]);
    point_texels(&rows, grid->v, level->height, s->address[1]);
    for (unsigned y = 0; y < TEX_GRID; y++) {
        const int32_t *row = row_of(level, rows.texel[0][y]);
        int32_t *pixels = pixels_of(grid, y);

        for (unsigned i = 0; i < TEX_GRID; i += SIMD_LANES)
            i32v_storeu(pixels + i, i32v_or(load_texels(row, &columns, 0, i), set));
    }
}

/* --- Filtered --------------------------------------------------------------------------------- */

/* A row of texels, weighed for each column; mostly two rows of pixels need it. */
struct line {
    _Alignas(64) int32_t even[TEX_GRID], odd[TEX_GRID];
    int32_t row; /* -1: none */
};

INLINE void weigh_line(struct line *line, const struct tex_level *level, int32_t y,
                       const struct grid_axis *columns)
{
    const int32_t *row = row_of(level, y);

    for (unsigned i = 0; i < TEX_GRID; i += SIMD_LANES) {
        i32v even, odd;

        weigh_texels(load_texels(row, columns, 0, i), load_texels(row, columns, 1, i),
                     i32v_load(columns->weight + i), &even, &odd);
        i32v_store(line->even + i, signed_halves(even));
        i32v_store(line->odd + i, signed_halves(odd));
    }
    line->row = y;
}

/* Which of the lines holds a row, which may replace what `other` does not need. */
INLINE unsigned find_line(struct line lines[2], const struct tex_level *level, int32_t y,
                          int32_t other, const struct grid_axis *columns)
{
    unsigned n;

    if (lines[0].row == y || lines[1].row == y)
        return lines[1].row == y;
    n = lines[0].row == other;
    weigh_line(&lines[n], level, y, columns);
    return n;
}

INLINE void blend_lines(const struct line *upper, const struct line *lower, i32v weight, i32v set,
                        int32_t *pixels)
{
    for (unsigned i = 0; i < TEX_GRID; i += SIMD_LANES) {
        const i32v even[2] = {i32v_load(upper->even + i), i32v_load(lower->even + i)};
        const i32v odd[2] = {i32v_load(upper->odd + i), i32v_load(lower->odd + i)};
        i32v sum[4];

        sum_rows(even, odd, weight, 32768, sum);
        i32v_storeu(pixels + i, i32v_or(word_of_sums(sum), set));
    }
}

static void sample_squares(const struct tex_sampler *sampler, const struct tex_grid *grid)
{
    const struct tex_sampler_private *s = inside(sampler);
    const struct tex_level *level = &s->level[s->first];
    struct grid_axis columns, rows;
    struct line lines[2];
    i32v set = set_bits(s, grid);

    linear_texels(&columns, grid->u, level->width, s->address[0], false);
    linear_texels(&rows, grid->v, level->height, s->address[1], true);
    lines[0].row = lines[1].row = -1;
    for (unsigned y = 0; y < TEX_GRID; y++) {
        int32_t above = rows.texel[0][y], below = rows.texel[1][y];
        unsigned upper = find_line(lines, level, above, below, &columns);
        unsigned lower = find_line(lines, level, below, above, &columns);

        blend_lines(&lines[upper], &lines[lower], i32v_set1(rows.weight[y]), set,
                    pixels_of(grid, y));
    }
}

const struct tex_grid_kern KERN_NAME(tex_grid_kern) = {.point = sample_points,
                                                       .linear = sample_squares};
