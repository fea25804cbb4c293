/* Differential fuzz of the pixel pipeline: a seed makes a few random draws on the same targets, and
 * all ways to run them must leave the same bytes.
 *
 *   case.c      the draws of a seed: states of the lottery, widened to all that is valid
 *   tessellate.c  N-patches and patches
 *   shaders.c   random shaders with branches, loops, calls and predication
 *   render.c    draws a case through the Direct3D 9 API
 *   plain.c     the general code alone, to compare with
 *   memory.c    the bytes of the targets and those around them; guards around all allocations
 *   compare.c   what differs: surface, pixel, values, and the draw that makes the difference
 *   main.c      seeds, configurations, processes
 *
 * See docs/contributing.md. */
#ifndef TESTS_FUZZ_PIPELINE_PIPELINE_H
#define TESTS_FUZZ_PIPELINE_PIPELINE_H

#include "lottery.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CASE_DRAWS = 4, CASE_CLEARS = 2, CASE_SHADER_TEXT = 1 << 14 };

enum pipeline_tessellated { TESSELLATE_NOTHING, TESSELLATE_NPATCHES, TESSELLATE_PATCH };
/* What the tessellator does to texture coordinates 0. */
enum pipeline_method { METHOD_NONE, METHOD_LOOKUP, METHOD_PRESAMPLED, METHOD_UV };

/* A patch takes the place of the primitives. */
struct pipeline_tessellation {
    enum pipeline_tessellated kind;
    DWORD edge_style, position_degree, normal_degree;
    float npatch, segments[4];
    bool adaptive, is_triangle;
    float minimum, maximum, plane[4];
    D3DRECTPATCH_INFO rectangle;
    D3DTRIPATCH_INFO triangle;
    UINT handle;
    enum pipeline_method method;
    DWORD map_offset, map_filter;
};

/* What a draw has besides a state of the lottery. */
struct pipeline_draw {
    struct lottery_state state;
    D3DPRIMITIVETYPE primitive;
    DWORD fill, cull, masks[LOTTERY_TARGETS];
    D3DVIEWPORT9 viewport;
    RECT scissor;
    DWORD stencil_reference, stencil_mask, stencil_write_mask, sample_mask;
    bool each_sample;   /* D3DRS_MULTISAMPLEANTIALIAS */
    DWORD transparency; /* D3DRS_ADAPTIVETESS_Y: ATOC, SSAA or 0 */
    bool sprites, last_pixel, antialiased_lines;
    bool w_buffer;   /* if depth is tested */
    DWORD second[2]; /* second source colours that replace the blend factors; 0: they do not */
    bool dithers;
    float point_size, depth_bias, slope_bias;
    DWORD alpha_function, wrap, border, fog_colour, factor;
    DWORD address[LOTTERY_TEXTURES][3], filters[LOTTERY_TEXTURES][3], finest[LOTTERY_TEXTURES];
    float bias[LOTTERY_TEXTURES];
    bool random_pixel_shader, random_vertex_shader, counts, flushes;
    unsigned calls; /* draw calls that share the primitives */
    struct pipeline_tessellation tessellation;
    /* Before the draw. */
    unsigned n_clears;
    struct {
        DWORD flags, stencil;
        D3DCOLOR colour;
        float depth;
        bool whole;
        D3DRECT rect;
    } clear[CASE_CLEARS];
};

struct pipeline_case {
    uint32_t seed, before; /* before: of a case that the same device draws first; 0: none */
    DWORD levels, level;   /* the targets are this level of textures with so many */
    unsigned n_draws;
    struct pipeline_draw draw[CASE_DRAWS];
};

void case_make(struct pipeline_case *c, uint32_t seed);
/* Prints the draws from `first` to `last`. */
void case_describe(const struct pipeline_case *c, unsigned first, unsigned last);

/* tessellate.c: chooses, sets and describes what the tessellator does. tessellation_draw draws a
 * patch; false: the draw has none, or the scene has not enough vertices. */
void tessellation_choose(struct pipeline_draw *d);
void tessellation_set(struct lottery_scene *scene, const struct pipeline_draw *d);
bool tessellation_draw(struct lottery_scene *scene, const struct pipeline_draw *d);
void tessellation_describe(const struct pipeline_draw *d);

/* Assembly of a random ps_3_0 or vs_3_0 for the textures of a state. colours: how many to write. */
void shader_pixel(char text[CASE_SHADER_TEXT], uint32_t seed, const struct lottery_state *state,
                  unsigned colours);
unsigned case_colours(const struct pipeline_draw *d);
void shader_vertex(char text[CASE_SHADER_TEXT], uint32_t seed);

/* --- Results ---------------------------------------------------------------------------------- */

enum { RESULT_SURFACES = LOTTERY_TARGETS + 2, RESULT_BYTES = 24 << 20 };

struct result_surface {
    const char *name; /* "target 0", "depth"; NULL: there is none */
    D3DFORMAT format;
    uint32_t width, height, samples, pixel_bytes, row_pitch, sample_pitch;
    size_t at, bytes; /* in `memory`: the whole image, and the bytes behind it */
    size_t first;     /* of the level that is the target */
};

/* What one process leaves; it lies in shared memory. */
struct result {
    char refusal[64]; /* the device cannot draw the case; "": it can */
    bool complete;
    DWORD passed[CASE_DRAWS]; /* occlusion queries */
    unsigned refused_shaders, drawn_shaders;
    struct result_surface surface[RESULT_SURFACES];
    size_t n_bytes;
    uint8_t memory[RESULT_BYTES];
};

/* Draws the first n_draws of a case, and reads all memory. The plain way draws nothing before it.
 */
void render_case(const struct pipeline_case *c, unsigned n_draws, struct result *to);
/* Waits for the draws and appends the bytes of a surface's image. */
void memory_read(struct bench *bench, IDirect3DSurface9 *surface, const char *name,
                 struct result *to);
/* Byte that new blocks are filled with. */
extern uint8_t memory_garbage;

/* Whether this process takes no shortcuts. */
extern bool plain_way;

/* Prints the first difference; false: there is one. */
bool compare_results(const struct result *a, const struct result *b, const char *what);

#endif
