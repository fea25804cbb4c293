/* What the files of the rasteriser share: the scene, its bins and primitives, and a worker's
 * memory.
 *
 *   raster.c plan.c                           scenes, targets, what a state means
 *   draw.c project_kern.c clip.c              vertices -> the screen, and cut
 *   setup.c extent.c rect.c line.c
 *   point.c many.c                            corners -> primitives
 *   bin.c clear.c                             primitives and clears -> bins of tiles
 *   tile.c fill.c order.c walk.c              bins -> blocks of 8x8 pixels
 *   batch_blocks.c batch.c lone.c             blocks, small triangles -> batches of 64 lanes
 *   block.c block_output.c                    blocks that are a batch by themselves
 *   steps.c grid.c ramp.c                     and tiles, without shading
 *   samples.c                                 their positions, centroids, coverage by alpha
 *   depth.c coarse.c late.c output.c          tests and writes */
#ifndef RASTER_RASTER_PRIVATE_H
#define RASTER_RASTER_PRIVATE_H

#include "raster/blend_kern.h"
#include "raster/block_kern.h"
#include "raster/block_test_kern.h"
#include "raster/coarse_kern.h"
#include "raster/depth_kern.h"
#include "raster/half_kern.h"
#include "raster/pixel_kern.h"
#include "raster/project_kern.h"
#include "raster/raster.h"
#include "raster/quad_kern.h"
#include "raster/raster_kern.h"
#include "raster/setup_kern.h"
#include "raster/wait_kern.h"
#include "tex/tex.h"
#include "util/arena.h"
#include "util/math.h"

enum {
    TILE_SHIFT = 6, /* of the usual, and largest, tiles of 64x64 pixels */
    BLOCK_DIM = 8,
    BLOCKS_PER_TILE = 64,
    SUBPIXEL_BITS = 8,
    SUBPIXEL = 1 << SUBPIXEL_BITS,
    MAX_SAMPLES = 8,
    MAX_DIM = 16384,
    QUADS = RASTER_LANES / 4,
    /* Positions stay within +-2^23 subpixels, so that coefficients of edges need 25 bits. */
    GUARD_BAND_PX = 32767,
    MAX_VERTEX_FLOATS = RASTER_V_ATTR + RASTER_MAX_ATTRS
};
_Static_assert((int)TEX_LANES == (int)RASTER_LANES, "batches go through tex's pack and unpack");

/* --- Primitives in the scene ------------------------------------------------------------------ */

struct raster_query {
    uint64_t *target;
    struct raster_query *next;
    uint64_t *counts; /* one a worker, QUERY_STRIDE apart */
};
enum { QUERY_STRIDE = 8 };

/* One colour target as a draw uses it. */
struct raster_output {
    const struct raster_surface *surface;
    tex_pack_fn *pack;
    tex_unpack_fn *unpack;
    bool blend, clamp, srgb, keeps_bits;
    bool bytes; /* tex_is_8888, and nothing is done to colours but conversion */
    bool mixes; /* tex_is_8888, and colours are blended, maybe with a write mask, as `mix` says */
    struct raster_byte_blend mix;
    bool halves;      /* A16B16G16R16F, all of it written */
    bool floats;      /* R32F, not blended */
    uint8_t keep[16]; /* bits of the pixel that the write mask protects */
};

/* A draw's state as tiles need it; lives in the bins' arena. */
struct raster_plan {
    struct raster_state s;
    bool early;          /* depth and stencil before shading: nothing after it can drop a pixel */
    bool prefilter;      /* late, but a failed early depth test is final */
    bool depth_in_place; /* blocks are tested where they lie */
    bool depth_used;     /* reads or writes the depth-stencil surface */
    bool coarse;         /* blocks are judged as a whole before their pixels are tested */
    bool hidden;         /* and what fails leaves nothing behind */
    bool even;           /* blocks of one stencil value may be judged by that */
    bool sorts;          /* sprites at one depth each may be drawn the nearest first */
    bool shades;
    bool leaves;       /* something besides colours */
    bool replaces;     /* all colours of the pixels that it covers, whatever they are */
    bool small;        /* few pixels may be found when a triangle is set up: PRIM_SMALL */
    bool tests_quads;  /* and be tested by depth together with others */
    bool runs;         /* and be taken straight from bins, one primitive after another */
    bool lone;         /* few pixels become lanes by themselves, without those of their quads */
    unsigned pattern;  /* of sample positions: their number, 1 where all are the centre */
    bool alpha_cover;  /* alpha decides which samples are drawn */
    bool centroid;     /* some attribute is taken inside the covered samples */
    bool straight;     /* targets of four bytes take colours as they are, one sample each */
    bool whole_blocks; /* those that one primitive covers are shaded by themselves: block.c */
    uint8_t needs;     /* of their arrays, as enum raster_unread */
    bool flat;         /* those of a primitive with equal attributes are of one colour */
    bool words, plain; /* s.words, s.plain may be asked about them */
    bool grid;         /* and s.grid, about tiles */
    bool ramps;        /* s.ramp is all that there is to their colours */
    bool sprite;
    int32_t rect[4];                   /* scissor cut to the surfaces in use */
    int32_t room[4];                   /* what all of these have */
    struct raster_depth_stencil ds[2]; /* front, back */
    struct raster_fog_params fog;
    struct raster_blend_params
        blend[2]; /* for targets with floats as they are, with factors clamped */
    unsigned n_outputs;
    struct raster_output output[RASTER_TARGETS];
    uint8_t output_target[RASTER_TARGETS];
    struct raster_query *query;
};

enum raster_prim_kind { PRIM_NONE, PRIM_TRIANGLE, PRIM_SMALL, PRIM_LINE, PRIM_RECT };

struct raster_edges {
    int64_t c[3]; /* in 1/256 subpixels squared, the fill rule's bias included */
    int32_t a[3], b[3];
};

/* Minor coordinate of the pixel at major coordinate m: ceil((offset + 256 * m * slope) / (256 *
 * length)). */
struct raster_line {
    int64_t offset;
    int32_t slope, length;
    int32_t first, last; /* major coordinates, inclusive */
    bool y_major;
};

struct raster_prim {
    const struct raster_plan *plan;
    uint8_t kind; /* enum raster_prim_kind; PRIM_NONE: given up while binning */
    bool cut;     /* a triangle's rect is smaller than its extent */
    bool linear;  /* all 1/w are equal: no division (reference: raster/perspective) */
    union {
        _Alignas(8) int32_t rect[4]; /* left, top, right, bottom of the pixels it may touch */
        struct {
            int32_t x, y;       /* even */
            uint32_t pixels[2]; /* of 8x8 from there on, a byte a row */
        } few;                  /* PRIM_SMALL */
    };
    float anchor_x, anchor_y;
    float face, depth_offset;
    struct raster_plane z, rhw;
    uint64_t constant; /* attributes with one value: bit per attribute */
    struct raster_plane attr[];
};

/* What lies behind the attributes of PRIM_TRIANGLE and PRIM_LINE. */
union raster_outline {
    struct raster_edges edges;
    struct raster_line line;
};

static inline union raster_outline *raster_prim_outline(const struct raster_prim *prim)
{
    size_t even = (prim->plan->s.n_attrs + 1u) & ~1u; /* planes, so that it is aligned */

    return (union raster_outline *)(uintptr_t)(prim->attr + even);
}

/* --- Bins ------------------------------------------------------------------------------------- */

enum bin_op { BIN_PRIM, BIN_PRIM_FULL, BIN_CLEAR };
enum { BIN_CHUNK_COMMANDS = 30, BIN_OP_MASK = 63 };

struct bin_chunk {
    struct bin_chunk *next;
    size_t count;
    uintptr_t command[BIN_CHUNK_COMMANDS]; /* address of the data (64-byte aligned) | enum bin_op */
};

struct bin {
    struct bin_chunk *first, *last;
    struct bin_chunk *kept; /* with the last command that leaves more than colours; NULL: none */
    unsigned n_kept;        /* commands of that chunk up to this one */
};

struct raster_fill {
    int32_t rect[4]; /* cut to the surface */
    const struct raster_surface *surface;
    uint8_t value[16], mask[16]; /* bits to replace, repeated; value has no others */
};

/* What commands in the bins may have written or counted: bits of raster.made. */
enum raster_made {
    MADE_COLOUR = 1 << 0,
    MADE_DEPTH = 1 << 1,
    MADE_STENCIL = 1 << 2,
    MADE_COUNTS = 1 << 3,
};

/* What of a tile's earlier commands is never seen where a clear fills all of the tile. */
enum raster_covers { COVERS_NOTHING, COVERS_COLOURS, COVERS_ALL };

struct raster_clear_command {
    int32_t rect[4];
    uint8_t covers; /* enum raster_covers */
    bool leaves;    /* depth or stencil */
    unsigned n_fills;
    struct raster_fill fill[RASTER_TARGETS + 1];
};

/* --- A worker's memory ------------------------------------------------------------------------ */

/* What block.c puts into a batch of its own. */
struct raster_block_lanes {
    _Alignas(64) float x[RASTER_LANES];
    float y[RASTER_LANES], z[RASTER_LANES], w[RASTER_LANES], face[RASTER_LANES];
};

/* What is known of a primitive's whole blocks. A prime number of them: primitives mostly lie
 * equally far apart. */
enum { LOOK_UPS = 61 };
struct raster_look_up {
    const struct raster_prim *prim;
    uint64_t rooms; /* raster->rooms when it was found + 1, as primitives come and go; 0: never */
    bool flat, ones;
    float colour[4]; /* flat: as shaded, and converted */
    uint32_t word;
    bool in_steps; /* flat: blended with whole numbers */
    struct raster_byte_steps steps;
    bool ramps; /* its colour is a ramp */
    struct raster_ramp ramp;
};

/* Primitives in the order in which they are to be drawn. */
enum { ORDERED = 128 };
struct raster_order {
    unsigned n;
    uint32_t code[ORDERED];
    const struct raster_prim *prim[ORDERED];
};

struct raster_worker {
    _Alignas(64) float x[RASTER_LANES];
    float y[RASTER_LANES], z[RASTER_LANES], w[RASTER_LANES], face[RASTER_LANES];
    float depth[RASTER_LANES];
    float source[4][RASTER_LANES], clamped[4][RASTER_LANES], stored[4][RASTER_LANES];
    float result[4][RASTER_LANES];
    uint32_t code[RASTER_LANES], words[RASTER_LANES];
    uint8_t pixels[RASTER_LANES * 16], packed[RASTER_LANES * 16], next[RASTER_LANES * 16];
    float *work, *batch_work; /* the shader's: for whole blocks, for batches */
    size_t work_bytes;        /* of either */
    struct raster *raster;
    unsigned number;

    /* The tile and the batch that is being filled */
    struct raster_tile_place tile; /* pixel of the upper left corner */
    const struct raster_plan *plan;
    struct raster_lanes lanes;
    struct raster_quads quads;
    uint64_t cover[MAX_SAMPLES]; /* lanes, per sample */
    /* Pixels of the blocks in hand, by rows; those of a block's samples follow one another. */
    uint64_t masks[BLOCKS_PER_TILE * MAX_SAMPLES];
    struct raster_waiting waiting;
    struct raster_pixels lone;        /* of plans that say so; their bits are in waiting.used */
    bool runs_lone;                   /* the batch in hand is of these */
    uint8_t place[RASTER_LANES]; /* plan->centroid: sample to take attributes at + 1; 0: centre */

    struct raster_coarse coarse;
    uint64_t fetched; /* blocks of the tile whose colours are in a cache, or on their way */

    struct raster_block_lanes block;
    struct raster_batch whole; /* block.c: the same from block to block while `kept` is */
    _Alignas(
        64) uint8_t saved[RASTER_LANES * 16]; /* rows of a block that is not written as a whole */
    const struct raster_prim *kept; /* its attributes of one value are in work; NULL: nobody's */
    struct raster_look_up known[LOOK_UPS]; /* by their primitives' addresses */

    struct raster_room {
        char *at;
        size_t left;
        uint64_t rooms; /* raster->rooms + 1 when it was taken; 0: never */
    } room;             /* many.c: of the bins' arena, for primitives to come */
};

/* --- The rasteriser --------------------------------------------------------------------------- */

/* A vertex on the screen. outside: bit per clip plane it fails. */
struct raster_screen_vertex {
    int32_t x, y; /* 1/256 pixel */
    float z, rhw;
    uint32_t outside;
    const float *v;
};
enum { CLIP_DROP = 1 << 31 }; /* not a number, or infinite */

enum { CLIP_W, CLIP_NEAR, CLIP_FAR, CLIP_LEFT, CLIP_RIGHT, CLIP_TOP, CLIP_BOTTOM, CLIP_USER };
enum { CLIP_PLANES = CLIP_USER + RASTER_CLIP_PLANES, MAX_POLYGON = 3 + CLIP_PLANES };

/* The least w that is divided by: keeps 1 / w finite; nothing visible lies nearer to the eye. */
#define RASTER_LEAST_W 0x1p-32

struct raster_viewport {
    double centre_x, centre_y, half_w, half_h, min_z, range_z;
};

/* What a worker found out about a triangle: nothing of it to draw; nothing to clip; or something.
 */
enum raster_look { LOOK_NOTHING, LOOK_WHOLE, LOOK_CUT };
enum { RECENT_PLANS = 8 };
enum { RASTER_GROUP = 4096, SEVERAL_TILES = UINT16_MAX, MOST_PARTS = 4 };
struct raster_found {
    struct raster_prim *prim; /* LOOK_WHOLE: the first of so many parts, one after another */
    uint8_t look, parts;      /* enum raster_look */
    uint16_t tile;            /* LOOK_WHOLE: the only one that it touches, or SEVERAL_TILES */
};

struct raster {
    const struct raster_kern *kern;
    const struct raster_quad_kern *quad_kern;
    const struct raster_setup_kern *setup_kern;
    const struct raster_depth_kern *depth_kern;
    const struct raster_coarse_kern *coarse_kern;
    const struct raster_block_kern *block_kern;
    const struct raster_block_test_kern *block_test_kern;
    const struct raster_blend_kern *blend_kern;
    const struct raster_half_kern *half_kern;
    const struct raster_project_kern *project_kern;
    const struct raster_wait_kern *wait_kern;
    const struct raster_pixel_kern *pixel_kern;
    struct pool *pool;
    struct raster_worker *workers;
    unsigned n_workers;
    struct raster_options options;
    unsigned tile_shift;

    struct raster_targets targets;
    tex_pack_fn *pack[RASTER_TARGETS];
    tex_unpack_fn *unpack[RASTER_TARGETS];
    uint32_t tiles_x, tiles_y;
    int32_t extent[4]; /* of the largest target */

    /* The open scene */
    uint64_t serial;
    bool touched;              /* something rendered since the serial was given */
    struct arena arena;        /* bins, primitives, plans: emptied whenever tiles have run */
    struct arena caller_arena; /* raster_alloc: emptied when the scene ends */
    struct bin *bins;
    size_t bins_room;
    uint32_t *busy; /* tiles with commands, in order of their first */
    unsigned n_busy;
    struct raster_query *queries;
    unsigned made;  /* enum raster_made */
    uint64_t rooms; /* counts raster_make_room: primitives not yet in bins are gone */
    /* Of the last draws of different states, in turn; NULL after a flush. */
    struct raster_recent {
        struct raster_plan *plan;
        struct raster_state state; /* what it was made from */
    } recent[RECENT_PLANS];
    unsigned next_recent;

    /* The draw in progress */
    const struct raster_state *state;
    struct raster_vertices vertices;
    const struct raster_plan *plan; /* this draw's; NULL: not looked for yet, or flushed */
    bool wraps;                     /* some attribute has D3DRS_WRAPn */
    struct raster_viewport viewport;
    float clip_planes[CLIP_PLANES][4];
    uint32_t clip_mask; /* planes in use */
    struct raster_screen_vertex *screen;
    size_t screen_room;
    unsigned n_clip_vertices;
    float wrapped[3][MAX_VERTEX_FLOATS];
    float clip_vertices[2 * CLIP_PLANES + 3][MAX_VERTEX_FLOATS];
    struct raster_found found[RASTER_GROUP]; /* many.c */
};

/* A mask of a block's pixels, row after row, as lanes in the order of quads of 2x2, and back: what
 * is bit 3 of a pixel's number, its row's lowest bit, is bit 1 of a lane's. */
static inline uint64_t raster_rows_to_lanes(uint64_t mask)
{
    mask = raster_swap_bits(mask, 4, UINT64_C(0x00f000f000f000f0));
    return raster_swap_bits(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
}

static inline uint64_t raster_lanes_to_rows(uint64_t mask)
{
    mask = raster_swap_bits(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
    return raster_swap_bits(mask, 4, UINT64_C(0x00f000f000f000f0));
}

static inline int32_t raster_tile_dim(const struct raster *raster)
{
    return 1 << raster->tile_shift;
}

/* The pixels of the worker's tile. */
static inline void raster_tile_rect(const struct raster_worker *worker, int32_t rect[4])
{
    rect[0] = worker->tile.x;
    rect[1] = worker->tile.y;
    rect[2] = worker->tile.x + raster_tile_dim(worker->raster);
    rect[3] = worker->tile.y + raster_tile_dim(worker->raster);
}

static inline const void *raster_command_data(uintptr_t command)
{
    return (const void *)(command & ~(uintptr_t)BIN_OP_MASK);
}

/* Whether a command is a small primitive of the plan. */
static inline bool raster_is_small(uintptr_t command, const struct raster_plan *plan)
{
    const struct raster_prim *prim = raster_command_data(command);

    return (command & BIN_OP_MASK) == BIN_PRIM && prim->plan == plan && prim->kind == PRIM_SMALL;
}

/* Small triangles are read once each, in an order that only the bin knows: the primitive of command
 * i, probably one of so many bytes. A call that does nothing else would be left out by gcc, so it is
 * none. */
enum { PREFETCH_AHEAD = 8 };
static inline __attribute__((always_inline)) void
raster_prefetch_command(const struct bin_chunk *chunk, size_t i, size_t bytes)
{
    const char *data;

    if (i >= chunk->count) {
        i -= chunk->count;
        chunk = chunk->next;
        if (!chunk || i >= chunk->count)
            return;
    }
    data = raster_command_data(chunk->command[i]);
    for (size_t at = 0; at < bytes; at += 64)
        __builtin_prefetch(data + at);
}

/* Of a PRIM_SMALL those pixels that lie in the tile, as 8x8 at (x, y) there. */
static inline uint64_t raster_small_pixels(const struct raster_prim *prim,
                                           const struct raster_tile_place *tile, unsigned *x,
                                           unsigned *y)
{
    uint64_t rows = prim->few.pixels[0] | (uint64_t)prim->few.pixels[1] << 32;
    int32_t left = prim->few.x - tile->x, top = prim->few.y - tile->y;

    if ((uint32_t)left > (uint32_t)tile->last || (uint32_t)top > (uint32_t)tile->last) {
        left = prim->few.x;
        top = prim->few.y;
        rows = raster_move_into_tile(tile, rows, &left, &top);
    }
    *x = (unsigned)left;
    *y = (unsigned)top;
    return rows;
}

/* Pixels that a primitive may touch. */
static inline void raster_prim_rect(const struct raster_prim *prim, int32_t rect[4])
{
    for (unsigned i = 0; i < 4; i++) {
        int32_t end = i < 2 ? 0 : prim->rect[i - 2] + BLOCK_DIM, most = prim->plan->rect[i];

        rect[i] = prim->kind != PRIM_SMALL || i < 2 ? prim->rect[i] : end < most ? end : most;
    }
}

/* Of the block with the pixel (x, y) in the worker's tile. */
static inline unsigned raster_block_number(const struct raster_worker *worker, int32_t x, int32_t y)
{
    return ((unsigned)(y - worker->tile.y) & (unsigned)-BLOCK_DIM) |
           (unsigned)(x - worker->tile.x) / BLOCK_DIM;
}

static inline uint64_t *raster_block_masks(struct raster_worker *worker, unsigned block)
{
    return worker->masks + (size_t)block * worker->raster->targets.samples;
}

/* Depths of some of 8x8 pixels were written, at any place in the tile: what is known of the blocks
 * around it is no more. */
static inline void raster_coarse_wrote(struct raster_worker *worker, int32_t x, int32_t y)
{
    if (worker->coarse.known)
        worker->coarse.known &= ~(UINT64_C(0x303) << raster_block_number(worker, x, y));
}

static inline bool raster_is_level(const struct raster_prim *prim)
{
    return prim->z.b == 0.0f && prim->z.c == 0.0f;
}

/* A plane's value at a distance from the anchor (reference: raster/interpolation). */
static inline float raster_plane_at(const struct raster_plane *plane, float dx, float dy)
{
    return plane->a + (math_mulf(plane->b, dx) + math_mulf(plane->c, dy));
}

/* raster.c: renders what is binned so that the arena is empty again; the scene stays open. */
void raster_make_room(struct raster *raster);
/* Limit of the bins' arena in bytes, for tests. */
void raster_limit_bins(struct raster *raster, size_t bytes);

/* plan.c: the plan of raster->state; NULL: no room. */
const struct raster_plan *raster_plan_get(struct raster *raster);

/* clip.c */
void raster_clip_begin(struct raster *raster);
/* One vertex; project_kern.h has the same for many. */
void raster_project(const struct raster *raster, struct raster_screen_vertex *out,
                    const float *vertex);
/* Cuts a polygon of *n corners by the planes in `planes`; edge[i]: corner i to the next is an edge
 * of the primitive. *n becomes 0 where nothing is left. */
void raster_clip_polygon(struct raster *raster, struct raster_screen_vertex *corner, bool *edge,
                         unsigned *n, uint32_t planes);
/* How far a vertex lies inside of a plane; below 0: outside. */
double raster_clip_distance(const struct raster *raster, unsigned plane, const float *p);
int32_t raster_round_even(double value); /* values below 2^31 */
bool raster_clip_line(struct raster *raster, struct raster_screen_vertex end[2], uint32_t planes);

/* vary.c: what another conforming renderer might make of vertices, of a triangle's planes, and of
 * colours for an output, which then lie in worker->result. Only if vary_now. */
void raster_vary_vertices(struct raster_screen_vertex *vertex, uint32_t n);
void raster_vary_planes(struct raster_prim *prim, const struct raster_screen_vertex *const v[3]);
void raster_vary_colours(struct raster_worker *worker, const struct raster_output *output,
                         const float *source[4]);

/* setup.c */
MUST_CHECK enum status raster_draw_triangle(struct raster *raster,
                                            const struct raster_screen_vertex *v0,
                                            const struct raster_screen_vertex *v1,
                                            const struct raster_screen_vertex *v2);
/* raster_draw_triangle in two steps that workers can take: what is to be done, and the primitives of
 * a triangle that nothing cuts, at found->prim; how many bytes they take, which is at most
 * MOST_PARTS times raster_prim_bytes, to a multiple of 64. Without wrapping, D3DFILL_SOLID. */
enum raster_look raster_triangle_look(const struct raster *raster, const struct raster_plan *plan,
                                      const struct raster_screen_vertex *const v[3]);
size_t raster_triangle_setup(const struct raster *raster, struct raster_found *found,
                             const struct raster_plan *plan,
                             const struct raster_screen_vertex *const v[3]);
/* A primitive of a triangle without its pixels. */
void raster_triangle_planes(struct raster_prim *prim, const struct raster_plan *plan,
                            const struct raster_screen_vertex *const v[3]);
/* Of any primitive; without an outline. */
size_t raster_prim_bytes(const struct raster_plan *plan);
size_t raster_plain_bytes(const struct raster_plan *plan);
/* many.c: whether so many triangles are better drawn by raster_draw_many; all of them. */
bool raster_many(const struct raster *raster, uint32_t count);
MUST_CHECK enum status raster_draw_many(struct raster *raster, uint32_t n_vertices,
                                        const uint32_t *indices, uint32_t count);
/* Moves the values of components with D3DRS_WRAPn to within a half of the first vertex's, in copies
 * of at most 3 vertices (reference: raster/wrap). */
void raster_wrap(struct raster *raster, struct raster_screen_vertex *corner, unsigned corners);
struct raster_prim *raster_prim_create(struct raster *raster, enum raster_prim_kind kind);

/* extent.c: edges and rectangle of a primitive from three corners of either winding; false: no
 * pixels. */
bool raster_triangle_cover(struct raster *raster, struct raster_prim *prim,
                           const struct raster_screen_vertex corner[3]);
bool raster_rect_cut(int32_t rect[4], const int32_t by[4]); /* false: nothing left */

/* rect.c: whether two triangles one after another may be found to be a rectangle. */
bool raster_rects(const struct raster *raster);
/* Draws two triangles as one rectangle, if that does not show; false: nothing was done. */
bool raster_draw_rect(struct raster *raster, const struct raster_screen_vertex *const v[6]);

/* line.c, point.c: flat is the vertex that flat attributes come from. */
MUST_CHECK enum status raster_emit_line(struct raster *raster,
                                        const struct raster_screen_vertex *from,
                                        const struct raster_screen_vertex *to, const float *flat,
                                        float face, bool last_pixel);
int32_t raster_line_minor(const struct raster_line *line, int32_t major);
MUST_CHECK enum status raster_emit_point(struct raster *raster,
                                         const struct raster_screen_vertex *at, const float *flat,
                                         float face);

/* bin.c: false: no room; the primitive is then given up. */
bool raster_bin_prim(struct raster *raster, struct raster_prim *prim);
/* The same for a primitive in one tile, which bins need not look at. */
bool raster_bin_in_tile(struct raster *raster, struct raster_prim *prim, uint32_t tile);
/* All parts of a triangle, so many bytes each. */
bool raster_bin_parts(struct raster *raster, const struct raster_found *found, size_t bytes);
/* Tiles within the rectangle forget colours: the primitives that follow replace them. */
void raster_bin_hide(struct raster *raster, const int32_t rect[4]);
/* The only tile that rect touches, or SEVERAL_TILES. */
uint16_t raster_only_tile(const struct raster *raster, const int32_t rect[4]);
bool raster_bin_clear(struct raster *raster, struct raster_clear_command *clear);

/* samples.c */
extern const int8_t raster_sample_x[MAX_SAMPLES + 1][MAX_SAMPLES]; /* [pattern][i], 1/16 pixel */
extern const int8_t raster_sample_y[MAX_SAMPLES + 1][MAX_SAMPLES];
/* The place of each of a block's pixels, 64 of them, from the samples that the primitive covers. */
void raster_centroid_places(const struct raster_plan *plan, unsigned samples, const uint64_t *cover,
                            uint8_t *place);
/* Takes centroid attributes of the batch where worker->place says. */
void raster_centroid_move(struct raster_worker *worker);
/* Lanes whose alpha is enough for a sample. */
uint64_t raster_alpha_cover(const struct raster_worker *worker, const struct raster_batch *batch,
                            unsigned sample);

/* walk.c: the pixels of a triangle in the blocks of a mask, a bit a block, as worker->masks;
 * returns the blocks that have some. */
uint64_t raster_walk_triangle(struct raster_worker *worker, const struct raster_prim *prim,
                              uint64_t todo);

/* order.c: sprites that follow one another in a tile. */
void raster_order_plan(struct raster_plan *plan);
/* false: not one of them, or of another plan, or there are enough. */
bool raster_order_add(struct raster_order *order, const struct raster *raster,
                      const struct raster_prim *prim);

/* tile.c */
/* Pixels of the block at (x, y) that lie in the rectangle. */
uint64_t raster_rect_mask(const int32_t rect[4], int32_t x, int32_t y);
/* All of the blocks in a mask, as worker->masks. */
void raster_mask_whole(struct raster_worker *worker, uint64_t blocks);
void raster_tile_run(struct raster_worker *worker, uint32_t tile);

/* batch.c */
/* Takes what worker->masks cover of the blocks in a mask. */
void raster_batch_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                         uint64_t blocks);
/* Takes the pixels of a PRIM_SMALL that lie in the tile. */
void raster_batch_small(struct raster_worker *worker, const struct raster_prim *prim);
/* Takes the commands of a chunk from number i on that are such primitives, of the batch's plan,
 * which says runs; returns the number of the next. */
size_t raster_batch_run(struct raster_worker *worker, const struct bin_chunk *chunk, size_t i);
void raster_batch_close(struct raster_worker *worker);
/* Makes the early tests that quads of the batch wait for. */
void raster_batch_test(struct raster_worker *worker);
/* Batches of this plan are next. */
void raster_batch_begin(struct raster_worker *worker, const struct raster_plan *plan);

/* lone.c: pixels without their quads, for plans that say lone. As raster_batch_run; of 8x8 pixels in
 * the tile, that have passed their test or not; tests that wait; and all that waits. */
size_t raster_lone_run(struct raster_worker *worker, const struct bin_chunk *chunk, size_t i);
void raster_lone_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                     unsigned y, uint64_t rows, bool tested);
void raster_lone_test(struct raster_worker *worker);
void raster_lone_close(struct raster_worker *worker);
/* raster_gather and raster_scatter for them. */
void raster_lone_gather(const struct raster_worker *worker, const struct raster_surface *surface,
                        void *out);
void raster_lone_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                         const void *in);

/* block.c: shades the 8x8 pixels at (x, y) and writes those of the masks, which early tests have
 * passed and the batch that is being filled does not have; late tests are made on the way. Its plan
 * says whole_blocks. */
void raster_block_run(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t *cover);
/* Fills or blends blocks of the tile, a bit each, if all of the primitive is of one colour; for
 * plans that say flat. */
bool raster_block_colour(struct raster_worker *worker, const struct raster_prim *prim,
                         uint64_t blocks);
/* The same of all blocks of the tile at (x, y); false: not at once. */
bool raster_block_tile(struct raster_worker *worker, const struct raster_prim *prim);

/* ramp.c: the primitive's colour as a ramp, where plan->ramps; false: it is none. */
bool raster_ramp_find(const struct raster_prim *prim, struct raster_ramp *ramp);
/* Its dim x dim pixels at (x, y), in all samples. */
void raster_ramp_put(const struct raster_worker *worker, const struct raster_ramp *ramp, int32_t x,
                     int32_t y, unsigned dim);

/* grid.c: fills the tile with words of s.grid, where plan->grid; false: nothing was done. */
bool raster_grid_tile(struct raster_worker *worker, const struct raster_prim *prim);

/* steps.c: false: the blend is not so simple. */
bool raster_find_steps(struct raster_byte_steps *steps, const struct raster_blend_kern *kern,
                       const struct raster_byte_blend *how, const float colour[4]);

/* depth.c */
/* Whether pixels that fail by depth leave the stencil as it is. */
bool raster_depth_fails_clean(const struct raster_depth_stencil *ds);
void raster_depth_layout(struct raster_depth_stencil *ds, const struct tex_format *format);
/* Early: tests one sample of blocks, a bit each; worker->masks become what passes. */
void raster_depth_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                         unsigned sample, uint64_t wanted, bool read_only);
/* Tests 8x8 pixels at any place in the tile of targets without samples; returns what passes. */
uint64_t raster_depth_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, uint64_t mask, bool read_only);
/* Tests quads where they lie, and writes if that is wanted; for plans that say tests_quads. */
uint64_t raster_depth_quads(struct raster_worker *worker, const struct raster_quads *quads,
                            uint64_t cover, bool write);
/* Whether blocks are tested where they lie, on a surface of so many bytes a pixel. */
bool raster_depth_in_place(const struct raster_depth_stencil *ds, unsigned bytes);
/* Early: whether all pixels of the worker's tile, one sample each, pass by one depth, which is then
 * written; false: nothing was done. */
bool raster_depth_tile(struct raster_worker *worker, const struct raster_prim *prim);
/* Late: tests the batch's lanes with the depths given, before the primitives' offsets. */
uint64_t raster_depth_lanes(struct raster_worker *worker, const float *z, unsigned sample,
                            uint64_t mask);

/* coarse.c */
void raster_coarse_plan(const struct raster *raster, struct raster_plan *plan);
/* How the primitive fares in the blocks of a mask; returns those in which something may come of it.
 * For plans that say coarse. */
uint64_t raster_coarse_judge(struct raster_worker *worker, const struct raster_prim *prim,
                             uint64_t blocks);
/* Of blocks those that the stencil test does not fail as a whole. For plans that say even. */
uint64_t raster_coarse_stencil(const struct raster_worker *worker, const struct raster_prim *prim,
                               uint64_t blocks);
/* The depth-stencil surface is cleared. */
void raster_coarse_clear(struct raster_worker *worker, const struct raster_fill *fill);
/* Depths were written: some of quads; all those of a block, by the primitive that was judged; one
 * code all over the tile. */
void raster_coarse_wrote_quads(struct raster_worker *worker, const struct raster_quads *quads);
void raster_coarse_wrote_block(struct raster_worker *worker, int32_t x, int32_t y);
void raster_coarse_level(struct raster_worker *worker, uint32_t code);

/* late.c */
/* Takes from worker->cover what fails the tests that wait for shading, and counts the rest. */
void raster_late_tests(struct raster_worker *worker, const struct raster_batch *batch);
/* The same of the block at (x, y), whose masks, in worker->masks, are by rows; false: nothing is
 * left. */
bool raster_late_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                       int32_t y, const struct raster_batch *batch, uint64_t *cover);
/* For the query that is open, if one is. */
void raster_count_samples(struct raster_worker *worker, uint64_t passed);

/* output.c */
void raster_output_lanes(struct raster_worker *worker, const struct raster_batch *batch,
                         const uint64_t *cover);
/* Colours for output n, with fog by `coordinate` and clamped for blending. */
void raster_output_source(struct raster_worker *worker, unsigned n,
                          const struct raster_batch *batch, const float *coordinate,
                          const float *source[4]);
/* From there to worker->packed; what is stored already lies in worker->pixels if blending or a
 * write mask needs it. */
void raster_output_pack(struct raster_worker *worker, const struct raster_output *output,
                        const float *source[4]);
/* The same for one of several samples, where the result of the one before may do. *packed: lanes
 * that worker->packed is right for, 0 at first. What is stored lies in raster_output_room. */
void raster_output_sample(struct raster_worker *worker, const struct raster_output *output,
                          const float *const colour[4], uint64_t mask, uint64_t *packed);
bool raster_output_reads(const struct raster_output *output);
uint8_t *raster_output_room(struct raster_worker *worker, const struct raster_output *output,
                            uint64_t packed);

/* Copies between a surface and an array of pixels in lane order, for the lanes of a mask. */
void raster_gather(const struct raster_worker *worker, const struct raster_surface *surface,
                   unsigned sample, void *out, uint64_t mask);
void raster_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                    unsigned sample, void *in, uint64_t mask);

#endif
