/* Test fixture for the rasteriser: targets in plain memory, a shader that outputs its attributes,
 * and a random number generator. */
#ifndef TESTS_UNIT_RASTER_FIXTURE_H
#define TESTS_UNIT_RASTER_FIXTURE_H

#include "raster/raster.h"
#include "tex/tex.h"
#include "util/alloc.h"
#include "util/cpu.h"

#include <stdlib.h>
#include <string.h>

struct canvas {
    struct pool *pool;
    struct raster *raster;
    struct raster_targets targets;
    uint8_t *memory[RASTER_TARGETS + 1];
    struct raster_fast_clear *fast_clear[RASTER_TARGETS + 1];
    size_t bytes[RASTER_TARGETS + 1];
};

static inline struct raster_surface canvas_surface(struct canvas *c, unsigned slot,
                                                   D3DFORMAT format)
{
    const struct tex_format *f = tex_format_get(format);
    uint32_t pitch = tex_row_pitch(f, c->targets.width);

    c->bytes[slot] = (size_t)pitch * c->targets.height * c->targets.samples;
    c->memory[slot] = mem_calloc(1, c->bytes[slot] + 64);
    c->fast_clear[slot] = mem_calloc(raster_fast_clear_count(c->targets.width, c->targets.height),
                                     sizeof(struct raster_fast_clear));
    return (struct raster_surface){
        .format = f,
        .data = c->memory[slot],
        .row_pitch = pitch,
        .sample_pitch = pitch * c->targets.height,
        .width = c->targets.width,
        .height = c->targets.height,
        .fast_clear = c->fast_clear[slot],
    };
}

/* D3DFMT_UNKNOWN: the target is not bound. */
static inline void canvas_open(struct canvas *c, unsigned threads, uint32_t width, uint32_t height,
                               unsigned samples, D3DFORMAT colour, D3DFORMAT depth)
{
    memset(c, 0, sizeof(*c));
    c->targets.width = width;
    c->targets.height = height;
    c->targets.samples = samples;
    ck_assert_int_eq(pool_create(&c->pool, threads), ST_OK);
    ck_assert_int_eq(raster_create(&c->raster, c->pool), ST_OK);
    if (colour != D3DFMT_UNKNOWN)
        c->targets.colour[0] = canvas_surface(c, 0, colour);
    if (depth != D3DFMT_UNKNOWN)
        c->targets.depth = canvas_surface(c, RASTER_TARGETS, depth);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
}

static inline void canvas_close(struct canvas *c)
{
    raster_destroy(c->raster);
    pool_destroy(c->pool);
    for (unsigned i = 0; i <= RASTER_TARGETS; i++) {
        mem_free(c->memory[i]);
        mem_free(c->fast_clear[i]);
    }
}

static inline uint32_t canvas_pixel(const struct canvas *c, uint32_t x, uint32_t y)
{
    uint32_t value = 0;
    const struct raster_surface *s = &c->targets.colour[0];

    memcpy(&value, s->data + (size_t)y * s->row_pitch + (size_t)x * s->format->bytes,
           s->format->bytes < 4 ? s->format->bytes : 4);
    return value;
}

static inline uint32_t canvas_depth(const struct canvas *c, uint32_t x, uint32_t y)
{
    uint32_t value = 0;
    const struct raster_surface *s = &c->targets.depth;

    memcpy(&value, s->data + (size_t)y * s->row_pitch + (size_t)x * s->format->bytes,
           s->format->bytes);
    return value;
}

/* Writes the attributes in slots 0 to 3 to every target. */
static inline void shade_attributes(const void *ctx, struct raster_shade_batch *batch)
{
    (void)ctx;
    for (unsigned t = 0; t < RASTER_TARGETS; t++)
        for (unsigned i = 0; i < 4; i++)
            batch->colour[t][i] = (const float *)batch->work + i * RASTER_LANES;
}

/* Pretransformed vertices with four attributes; all channels written; no tests. */
static inline void default_state(const struct canvas *c, struct raster_state *s)
{
    memset(s, 0, sizeof(*s));
    s->ps_inputs = RASTER_PS_INPUT_ALL;
    s->needs_quads = true;
    s->shade = shade_attributes;
    s->work_bytes = 8 * RASTER_LANES * sizeof(float);
    s->n_attrs = 4;
    for (unsigned i = 0; i < 4; i++)
        s->attr[i] = (struct raster_attr){.slot = (uint8_t)i, .interp = RASTER_PERSPECTIVE};
    s->transformed = true;
    s->values.viewport[2] = (float)c->targets.width;
    s->values.viewport[3] = (float)c->targets.height;
    s->values.viewport[5] = 1.0f;
    s->values.scissor[2] = (int32_t)c->targets.width;
    s->values.scissor[3] = (int32_t)c->targets.height;
    s->cull = D3DCULL_NONE;
    s->fill = D3DFILL_SOLID;
    s->values.point_size_max = 64.0f;
    s->sample_mask = ~0u;
    for (unsigned i = 0; i < 2; i++)
        s->stencil[i] = (struct raster_stencil_face){D3DCMP_ALWAYS, D3DSTENCILOP_KEEP,
                                                     D3DSTENCILOP_KEEP, D3DSTENCILOP_KEEP};
    s->depth_func = D3DCMP_LESSEQUAL;
    s->alpha_func = D3DCMP_ALWAYS;
    s->values.stencil_mask = s->values.stencil_write_mask = 0xff;
    s->blend_rgb = s->blend_alpha =
        (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ZERO, D3DBLENDOP_ADD};
    for (unsigned i = 0; i < RASTER_TARGETS; i++)
        s->write_mask[i] = 15;
}

/* Opens a canvas of one target, one sample and one thread with its default state. */
static inline void canvas_open_default(struct canvas *c, struct raster_state *s, uint32_t width,
                                       uint32_t height, D3DFORMAT format)
{
    canvas_open(c, 1, width, height, 1, format, D3DFMT_UNKNOWN);
    default_state(c, s);
}

struct vertex {
    float x, y, z, rhw, size, unused[3], rgba[4];
};
_Static_assert(sizeof(struct vertex) == (RASTER_V_ATTR + 4) * sizeof(float), "vertex layout");

static inline struct vertex vertex_at(float x, float y, float z, uint32_t argb)
{
    return (struct vertex){
        .x = x,
        .y = y,
        .z = z,
        .rhw = 1.0f,
        .size = 1.0f,
        .rgba = {(float)(argb >> 16 & 255) / 255.0f, (float)(argb >> 8 & 255) / 255.0f,
                 (float)(argb & 255) / 255.0f, (float)(argb >> 24) / 255.0f},
    };
}

static inline enum status draw(struct canvas *c, const struct raster_state *s,
                               enum raster_primitive primitive, const struct vertex *v,
                               uint32_t n_vertices)
{
    uint32_t corners = primitive == RASTER_POINTS ? 1 : primitive == RASTER_LINES ? 2 : 3;
    struct raster_vertices vertices = {.data = &v->x, .stride_floats = 12, .count = n_vertices};
    uint32_t *indices = malloc(n_vertices * sizeof(*indices));
    enum status st;

    for (uint32_t i = 0; i < n_vertices; i++)
        indices[i] = i;
    st = raster_draw(c->raster, s, &vertices, primitive, indices, n_vertices / corners);
    free(indices);
    return st;
}

/* Corners: upper left, upper right, lower left, lower right. */
static inline enum status draw_corners(struct canvas *c, const struct raster_state *s,
                                       const struct vertex v[4])
{
    const struct vertex list[6] = {v[0], v[1], v[2], v[3], v[2], v[1]};

    return draw(c, s, RASTER_TRIANGLES, list, 6);
}

static inline enum status draw_rect(struct canvas *c, const struct raster_state *s, float x0,
                                    float y0, float x1, float y1, float z, uint32_t argb)
{
    struct vertex v[6] = {vertex_at(x0, y0, z, argb), vertex_at(x1, y0, z, argb),
                          vertex_at(x0, y1, z, argb), vertex_at(x0, y1, z, argb),
                          vertex_at(x1, y0, z, argb), vertex_at(x1, y1, z, argb)};

    return draw(c, s, RASTER_TRIANGLES, v, 6);
}

/* Clears depth and stencil of all pixels. */
static inline enum status clear_depth(struct canvas *c, float z, uint8_t stencil)
{
    const int32_t rect[4] = {0, 0, (int32_t)c->targets.width, (int32_t)c->targets.height};
    const struct raster_clear clear = {
        .depth = true, .stencil = true, .z = z, .stencil_value = stencil};

    return raster_clear(c->raster, &clear, &rect, 1);
}

static inline enum status clear_all(struct canvas *c, uint32_t argb, float z, uint8_t stencil)
{
    struct raster_clear clear = {
        .colour = true,
        .depth = true,
        .stencil = true,
        .rgba = {(float)(argb >> 16 & 255) / 255.0f, (float)(argb >> 8 & 255) / 255.0f,
                 (float)(argb & 255) / 255.0f, (float)(argb >> 24) / 255.0f},
        .z = z,
        .stencil_value = stencil,
    };
    int32_t rect[1][4] = {{0, 0, 16384, 16384}};

    return raster_clear(c->raster, &clear, rect, 1);
}

static uint64_t random_bits = 0x853c49e6748fea9bu;

static inline void random_seed(uint64_t seed)
{
    random_bits = seed;
}

static inline uint32_t random_u32(void)
{
    random_bits = random_bits * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_bits >> 32);
}

static inline int32_t random_between(int32_t low, int32_t high)
{
    return low + (int32_t)(random_u32() % (uint32_t)(high - low + 1));
}

#endif
