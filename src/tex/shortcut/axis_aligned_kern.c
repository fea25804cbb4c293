/* Axis-aligned sampling of RGBA8 textures: computes texel indices and weights once per column and
 * once per row, and loads adjacent texels together (reference: texture/point, texture/linear,
 * texture/mip-linear, numbers/unorm).
 * Tested by tests/kernel/tex/shortcut/test_packed_kern.c. */
#include "tex/sample/rgba8.h"
#include "tex/shortcut/kernels.h"

enum { VECTORS = TEX_AXIS_ALIGNED_SIZE / SIMD_LANES };

/* --- Axes ------------------------------------------------------------------------------------- */

/* Texels of each column or row. Point sampling: one texel, twice. Linear: both texels and the
 * weight of the second, as in struct texel_addr. */
struct axis_texels {
    _Alignas(64) int32_t texel[2][TEX_AXIS_ALIGNED_SIZE];
    _Alignas(64) int32_t weight[TEX_AXIS_ALIGNED_SIZE];
};

INLINE void point_texels(struct axis_texels *axis, const float *t, uint32_t size, unsigned mode)
{
    for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i += SIMD_LANES) {
        i32v texel = point_axis(f32v_load(t + i), size, mode).index[0];

        i32v_store(axis->texel[0] + i, texel);
        i32v_store(axis->texel[1] + i, texel);
    }
}

INLINE void linear_texels(struct axis_texels *axis, const float *t, uint32_t size, unsigned mode,
                          bool vertical)
{
    for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i += SIMD_LANES) {
        struct axis_addr addr = linear_axis_addr(f32v_load(t + i), size, mode);

        i32v_store(axis->texel[0] + i, addr.index);
        i32v_store(axis->texel[1] + i, addr.next);
        i32v_store(axis->weight + i, vertical ? vertical_weights(addr.position)
                                              : i32v_broadcast_byte_16(addr.position));
    }
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* How a vector's texels are loaded. LOAD_CONTIGUOUS: as consecutive words. LOAD_LOCAL: as a
 * permutation of two vectors; one starts at the first texel, the other ends with the last texel's
 * neighbour. LOAD_GATHER: one by one. */
enum load_pattern { LOAD_CONTIGUOUS, LOAD_LOCAL, LOAD_GATHER };

struct columns {
    struct axis_texels axis;
    enum load_pattern pattern[VECTORS];
    int32_t from[2][VECTORS]; /* LOAD_LOCAL: start of each of the two vectors */
    _Alignas(64) int32_t order[2][TEX_AXIS_ALIGNED_SIZE]; /* LOAD_LOCAL: permutation of words */
};

/* True in lanes whose number is a valid index of a word of a vector. */
INLINE m32v are_words(i32v number)
{
    return i32v_eq(i32v_and(number, i32v_set1(-SIMD_LANES)), i32v_set1(0));
}

/* Computes the permutation that selects the texels from the words of the two vectors. Returns false
 * if a texel is in neither. */
INLINE bool find_word_order(int32_t *order, const int32_t *texel, const int32_t from[2])
{
    i32v at = i32v_load(texel), low = i32v_sub(at, i32v_set1(from[0]));
    i32v high = i32v_sub(at, i32v_set1(from[1])), second = i32v_set1(SIMD_FROM_HIGH);
    m32v in_low = are_words(low);

    i32v_store(order, i32v_select(in_low, low, i32v_or(high, second)));
    return m32v_every(m32v_or(in_low, are_words(high)));
}

/* Places the two vectors of LOAD_LOCAL. The second one ends with the last texel's neighbour, but
 * does not start before the first one. Returns false if a texel is in neither. */
INLINE bool are_local(struct columns *c, unsigned n)
{
    const struct axis_texels *axis = &c->axis;
    unsigned i = n * SIMD_LANES;
    int32_t first = axis->texel[0][i], last = axis->texel[0][i + SIMD_LANES - 1];
    int32_t from[2] = {first, last + 2 - SIMD_LANES > first ? last + 2 - SIMD_LANES : first};

    c->from[0][n] = from[0];
    c->from[1][n] = from[1];
    return SIMD_LANES >= 8 && find_word_order(c->order[0] + i, axis->texel[0] + i, from) &&
           find_word_order(c->order[1] + i, axis->texel[1] + i, from);
}

INLINE void load_local(const int32_t *row, const struct columns *c, unsigned i, i32v texel[2])
{
    i32v low = i32v_loadu(row + c->from[0][i / SIMD_LANES]);
    i32v high = i32v_loadu(row + c->from[1][i / SIMD_LANES]);

    texel[0] = i32v_select_words(low, high, i32v_load(c->order[0] + i));
    texel[1] = i32v_select_words(low, high, i32v_load(c->order[1] + i));
}

INLINE bool are_contiguous(const struct axis_texels *axis, unsigned i)
{
    i32v want = i32v_iota(axis->texel[0][i]);
    i32v second = i32v_sub(i32v_load(axis->texel[1] + i), want);
    m32v same = i32v_eq(i32v_load(axis->texel[0] + i), want);

    /* The second texels are the next ones, or equal the first for point sampling. */
    return m32v_every(same) &&
           (m32v_every(i32v_eq(second, i32v_set1(1))) || m32v_every(i32v_eq(second, i32v_set1(0))));
}

INLINE void find_load_patterns(struct columns *c)
{
    for (unsigned n = 0; n < VECTORS; n++)
        c->pattern[n] = are_contiguous(&c->axis, n * SIMD_LANES) ? LOAD_CONTIGUOUS
                        : are_local(c, n)                        ? LOAD_LOCAL
                                                                 : LOAD_GATHER;
}

INLINE void load_texels(const int32_t *row, const struct columns *c, unsigned i, i32v texel[2])
{
    enum load_pattern pattern = c->pattern[i / SIMD_LANES];

    if (pattern == LOAD_CONTIGUOUS) {
        texel[0] = i32v_loadu(row + c->axis.texel[0][i]);
        texel[1] = i32v_loadu(row + c->axis.texel[1][i]);
    } else if (pattern == LOAD_LOCAL) {
        load_local(row, c, i, texel);
    } else {
        texel[0] = i32v_load_words(row, c->axis.texel[0] + i);
        texel[1] = i32v_load_words(row, c->axis.texel[1] + i);
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

INLINE const int32_t *row_of(const struct tex_level *level, int32_t y)
{
    return (const int32_t *)(const void *)(level->data + (size_t)y * level->row_pitch);
}

INLINE int32_t *pixels_of(const struct tex_axis_aligned *area, unsigned y)
{
    return (int32_t *)(void *)(area->rows + y * area->pitch);
}

/* Returns the bits that are 1 in every pixel: those of the area, and an absent alpha channel. */
INLINE i32v set_bits(const struct tex_sampler_private *s, const struct tex_axis_aligned *area)
{
    return i32v_set1((int32_t)(area->set | (s->swizzle[3] == TEX_SWIZZLE_ONE ? 0xff000000u : 0)));
}

static void sample_points(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_axis_aligned *area)
{
    struct columns columns;
    struct axis_texels rows;
    i32v set = set_bits(s, area);

    point_texels(&columns.axis, area->u, level->width, s->address[0]);
    find_load_patterns(&columns);
    point_texels(&rows, area->v, level->height, s->address[1]);
    for (unsigned y = 0; y < TEX_AXIS_ALIGNED_SIZE; y++) {
        const int32_t *row = row_of(level, rows.texel[0][y]);
        int32_t *pixels = pixels_of(area, y);

        for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i += SIMD_LANES) {
            i32v texel[2];

            load_texels(row, &columns, i, texel);
            i32v_storeu(pixels + i, i32v_or(texel[0], set));
        }
    }
}

/* --- Bilinear, one level ---------------------------------------------------------------------- */

/* A row of texels, weighted per column. Usually two rows of pixels share it. */
struct line {
    _Alignas(64) int32_t even[TEX_AXIS_ALIGNED_SIZE], odd[TEX_AXIS_ALIGNED_SIZE];
    int32_t row; /* -1: empty */
};

/* A level with the texels of all columns and rows, and the weighted rows around the current row of
 * pixels. */
struct filter {
    const struct tex_level *level;
    struct columns columns;
    struct axis_texels rows;
    struct line line[2];           /* cache of weighted rows */
    const struct line *between[2]; /* the lines above and below the current row of pixels */
    i32v weight;                   /* of both lines */
};

INLINE void start_filter(struct filter *f, const struct tex_sampler_private *s,
                         const struct tex_level *level, const struct tex_axis_aligned *area)
{
    f->level = level;
    linear_texels(&f->columns.axis, area->u, level->width, s->address[0], false);
    find_load_patterns(&f->columns);
    linear_texels(&f->rows, area->v, level->height, s->address[1], true);
    f->line[0].row = f->line[1].row = -1;
}

INLINE void weigh_line(struct line *line, const struct filter *f, int32_t y)
{
    const int32_t *row = row_of(f->level, y);

    for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i += SIMD_LANES) {
        i32v texel[2], even, odd;

        load_texels(row, &f->columns, i, texel);
        weigh_texels(texel[0], texel[1], i32v_load(f->columns.axis.weight + i), &even, &odd);
        i32v_store(line->even + i, bias_to_signed_16(even));
        i32v_store(line->odd + i, bias_to_signed_16(odd));
    }
    line->row = y;
}

/* Returns the weighted row y, cached or new. A new one does not replace the cached row `other`. */
INLINE const struct line *find_line(struct filter *f, int32_t y, int32_t other)
{
    struct line *line = &f->line[f->line[0].row == other];

    if (f->line[0].row == y)
        return &f->line[0];
    if (f->line[1].row == y)
        return &f->line[1];
    weigh_line(line, f, y);
    return line;
}

INLINE void set_row(struct filter *f, unsigned y)
{
    int32_t above = f->rows.texel[0][y], below = f->rows.texel[1][y];

    f->between[0] = find_line(f, above, below);
    f->between[1] = find_line(f, below, above);
    f->weight = i32v_set1(f->rows.weight[y]);
}

INLINE void sum_lines(const struct filter *f, unsigned i, int32_t addend, i32v sum[4])
{
    const struct line *upper = f->between[0], *lower = f->between[1];
    const i32v even[2] = {i32v_load(upper->even + i), i32v_load(lower->even + i)};
    const i32v odd[2] = {i32v_load(upper->odd + i), i32v_load(lower->odd + i)};

    sum_rows(even, odd, f->weight, addend, sum);
}

static void sample_linear(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_axis_aligned *area)
{
    i32v set = set_bits(s, area);
    struct filter f;

    start_filter(&f, s, level, area);
    for (unsigned y = 0; y < TEX_AXIS_ALIGNED_SIZE; y++) {
        int32_t *pixels = pixels_of(area, y);

        set_row(&f, y);
        for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i += SIMD_LANES) {
            i32v sum[4];

            sum_lines(&f, i, 32768, sum);
            i32v_storeu(pixels + i, i32v_or(pack_sums(sum), set));
        }
    }
}

/* --- Bilinear, two levels --------------------------------------------------------------------- */

/* Rounds to 0 … 255, half up. Values are filtered texels and therefore not negative. */
INLINE i32v unorm8_of(f32v value)
{
    f32v scaled = f32v_mul(f32v_min(f32v_set1(1.0f), value), f32v_set1(255.0f));

    return f32v_to_i32_trunc(f32v_add(scaled, f32v_set1(0.5f)));
}

INLINE i32v blend_levels(const struct filter f[2], unsigned i, f32v next)
{
    f32v rest = f32v_sub(f32v_set1(1.0f), next);
    i32v fine[4], coarse[4], code[4];

    sum_lines(&f[0], i, 0, fine);
    sum_lines(&f[1], i, 0, coarse);
    UNROLL
    for (int c = 0; c < 4; c++) {
        f32v a = f32v_div_codes(i32v_to_f32(fine[c]), 255.0f * 65536.0f);
        f32v b = f32v_div_codes(i32v_to_f32(coarse[c]), 255.0f * 65536.0f);

        code[c] = unorm8_of(f32v_add(f32v_mul_ftz_any(a, rest), f32v_mul_ftz_any(b, next)));
    }
    return i32v_pack_bytes(code[0], code[1], code[2], code[3]);
}

static void sample_levels(const struct tex_sampler_private *s,
                          const struct tex_axis_aligned_level *from,
                          const struct tex_axis_aligned *area)
{
    i32v set = set_bits(s, area);
    f32v next = f32v_set1(from->next);
    struct filter f[2];

    start_filter(&f[0], s, from->level, area);
    start_filter(&f[1], s, from->level + 1, area);
    for (unsigned y = 0; y < TEX_AXIS_ALIGNED_SIZE; y++) {
        int32_t *pixels = pixels_of(area, y);

        set_row(&f[0], y);
        set_row(&f[1], y);
        for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i += SIMD_LANES)
            i32v_storeu(pixels + i, i32v_or(blend_levels(f, i, next), set));
    }
}

/* --- Entry point ------------------------------------------------------------------------------ */

/* Decodes the pages that the area reads. Returns false if there are too many. */
static bool require_texels(const struct tex_sampler_private *s,
                           const struct tex_axis_aligned_level *from,
                           const struct tex_axis_aligned *area)
{
    static const _Alignas(64) float none[TEX_LANES];
    const float *const step[2] = {none, none};
    const struct tex_coords at = {.axis = {area->u, area->v, area->u}};

    return !s->decode_cache ||
           tex_require_texels(s, from->level, from->next != 0.0f ? 2 : 1, &at, step, ~UINT64_C(0));
}
_Static_assert((int)TEX_AXIS_ALIGNED_SIZE == (int)TEX_LANES,
               "the coordinates of an area's axes fill one batch");

static bool sample(const struct tex_sampler *sampler, const struct tex_axis_aligned *area)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);
    const struct tex_sample_rgba8_kern *kern = &KERN_NAME(tex_sample_rgba8_kern);
    struct tex_axis_aligned_level from;

    if (!KERN_NAME(tex_const_lod_kern).axis_aligned_level(s, area, &from) ||
        (from.next != 0.0f && from.filter != kern->linear) || !require_texels(s, &from, area))
        return false;
    if (from.next != 0.0f)
        sample_levels(s, &from, area);
    else if (from.filter == kern->linear)
        sample_linear(s, from.level, area);
    else
        sample_points(s, from.level, area);
    return true;
}

const struct tex_axis_aligned_kern KERN_NAME(tex_axis_aligned_kern) = {.sample = sample};
