/* Benchmark scenes through the Direct3D 9 API alone, so that the same program runs on any d3d9.dll.
 * A row is one scene. */
#ifndef BENCH_D3D9_BENCH_H
#define BENCH_D3D9_BENCH_H

#include <stdio.h>

#include "common.h" /* arithmetic, textures and meshes of the examples */

enum { BENCH_WIDTH = 1024, BENCH_HEIGHT = 768, BENCH_TEXTURES = 4, BENCH_OWNED = 64 };

/* A variant draws a row with one property changed. */
enum bench_variant {
    BENCH_ROW,
    BENCH_COLOURS,
    BENCH_ROTATED,
    BENCH_TARGET,
    BENCH_TEXTURE,
    BENCH_MASK,
    BENCH_FOG,
    BENCH_VARIANTS
};

struct bench {
    struct ex_app app; /* only app.device is used */
    IDirect3DSurface9 *readback;
    D3DFORMAT depth; /* format of depth buffers */
    D3DADAPTER_IDENTIFIER9 adapter;
    enum bench_variant variant; /* of the current row */

    /* Resources of the current row; released after it. */
    struct ex_mesh mesh;
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DTexture9 *texture[BENCH_TEXTURES];
    IDirect3DSurface9 *surface;
    IUnknown *owned[BENCH_OWNED]; /* registered by bench_own */
    int n_owned;
    bool depths;         /* shaders that are created now write depths: variants keep them */
    const char *refusal; /* set by `begin`: why this device cannot run the row */
};

struct bench_row {
    const char *name, *what;
    bool (*begin)(struct bench *bench);            /* false: this device cannot run the row */
    void (*frame)(struct bench *bench, int frame); /* called between BeginScene and EndScene */
};

/* rows_mesh.c, rows_screen.c, rows_layers.c, rows_copies.c */
extern const struct bench_row bench_lit_mesh, bench_lit_textured_mesh, bench_textured_mesh,
    bench_blended_mesh, bench_terrain;
extern const struct bench_row bench_combiner, bench_combiner_4, bench_point_sprites, bench_sprites;
extern const struct bench_row bench_layers_point, bench_layers_bilinear, bench_layers_trilinear,
    bench_layers_aniso, bench_layers_aniso_tilted;
extern const struct bench_row bench_upload, bench_stretchrect, bench_stretchrect_scaled,
    bench_autogen;
/* rows_fill.c, rows_pixel.c, rows_vertex.c, rows_cubes.c, rows_shadow.c, rows_calls.c */
extern const struct bench_row bench_clears, bench_flat, bench_flat_z, bench_blend;
extern const struct bench_row bench_long_shader, bench_branches, bench_targets_4, bench_hdr;
extern const struct bench_row bench_small_triangles, bench_skinning;
extern const struct bench_row bench_bump_cubes, bench_bump_cubes_ms4;
extern const struct bench_row bench_shadow_map, bench_shadow_volumes;
extern const struct bench_row bench_alpha_quads, bench_draws, bench_dynamic;

/* device.c */
/* Turns overdraw elimination off, as peers have none, unless the environment sets it. Call it
 * before the library is loaded. */
void bench_draw_all_layers(void);
/* depth: format of the automatic depth buffer; D3DFMT_UNKNOWN: none. */
void bench_open(struct bench *bench, int width, int height, D3DFORMAT depth);
void bench_close(struct bench *bench);
/* Unbinds and releases the resources of the last row. */
void bench_release(struct bench *bench);
/* Restores all default states, and releases the resources of the last row. */
void bench_reset(struct bench *bench);
/* Returns when all draws are complete and the back buffer is in system memory. */
void bench_finish(struct bench *bench);
/* Writes the back buffer that bench_finish read as a PNG file. */
void bench_picture(struct bench *bench, const char *path);
/* Writes rows of three bytes a pixel as a PNG file. */
void bench_write_png(const char *path, int width, int height, const uint8_t *rgb);

/* clock.c */
double bench_seconds(void);
double bench_processor_seconds(void); /* user and system time of all threads */
double bench_caller_seconds(void);    /* processor time of the calling thread */

/* frames.c */
/* Draws n frames and returns the seconds. The calling thread computes for `work` ms in each. The
 * last frame is not presented, so that it can be read. */
double bench_frames(struct bench *bench, const struct bench_row *row, int n, double work);
/* Frames that take about `seconds`, at least two; draws until it knows. */
int bench_calibrate(struct bench *bench, const struct bench_row *row, double seconds, double work);

/* variant.c */
struct bench_variant_text {
    const char *name, *what;
};
extern const struct bench_variant_text bench_variants[BENCH_VARIANTS];
/* Why a row has no such variant; NULL: it has. */
const char *bench_left_out(const struct bench_row *row, enum bench_variant variant);
/* Turns the device into one that draws a variant. Call it after bench_reset and before `begin`. */
void bench_vary(struct bench *bench, enum bench_variant variant);
/* Turns the device back and releases the resources of the row. Call it before bench_reset. */
void bench_vary_end(struct bench *bench);
/* For vertex buffers in pixels: the variant `rotated` turns each group of vertices about its
 * centre. A vertex begins with x and y. */
void bench_turn(const struct bench *bench, void *vertices, size_t stride, int count, int group);

/* relatives.c */
struct bench_relatives {
    double seconds; /* of a row or variant, over all rounds */
    unsigned rounds;
    enum bench_variant only; /* BENCH_ROW: all variants */
    const char *pictures;    /* prefix or NULL */
    FILE *json;              /* or NULL */
};
/* Measures a row and its variants by turns and prints a line for each. */
void bench_compare_relatives(struct bench *bench, const struct bench_row *row,
                             const struct bench_relatives *options);

/* scene.c: helpers of rows with shaders. The bench owns all objects that they create until the row
 * ends. */
void bench_own(struct bench *bench, void *object);
void bench_shaders(struct bench *bench, const DWORD *vs, const DWORD *ps);
IDirect3DVertexShader9 *bench_vertex_shader(struct bench *bench, const DWORD *tokens);
IDirect3DPixelShader9 *bench_pixel_shader(struct bench *bench, const DWORD *tokens);
IDirect3DVertexBuffer9 *bench_vertices(struct bench *bench, const void *from, size_t bytes);
IDirect3DIndexBuffer9 *bench_indices(struct bench *bench, const void *from, size_t bytes,
                                     D3DFORMAT format);
/* A render target texture and its surface; NULL: the device does not support the format. */
IDirect3DTexture9 *bench_target(struct bench *bench, UINT width, UINT height, D3DFORMAT format,
                                IDirect3DSurface9 **level);
/* The implicit render target and depth buffer, without a reference. */
IDirect3DSurface9 *bench_back(struct bench *bench);
IDirect3DSurface9 *bench_depth(struct bench *bench);
void bench_vs_matrix(struct bench *bench, UINT first, const D3DMATRIX *m, UINT rows);
void bench_filter(struct bench *bench, DWORD stage, DWORD filter, DWORD mip);

/* Draws a rectangle in pixels, as transformed vertices with a colour and a set of texture
 * coordinates. */
struct bench_screen_vertex {
    float x, y, z, rhw;
    D3DCOLOR diffuse;
    float u, v;
};
#define BENCH_SCREEN_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)
void bench_corners(struct bench_screen_vertex v[4], float x, float y, float width, float height,
                   float z, D3DCOLOR colour);
void bench_draw_screen(struct bench *bench, float z, const D3DCOLOR colour[4]);

static inline DWORD bench_float(float value)
{
    union {
        float f;
        DWORD bits;
    } u = {value};

    return u.bits;
}

#endif
