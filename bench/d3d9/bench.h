/* Frames a second of whole scenes through Direct3D 9 and nothing else, so that the same program
 * runs on any d3d9.dll. A row is one scene. */
#ifndef BENCH_D3D9_BENCH_H
#define BENCH_D3D9_BENCH_H

#include "common.h" /* of the examples: arithmetic, textures, meshes */

enum { BENCH_WIDTH = 1024, BENCH_HEIGHT = 768, BENCH_TEXTURES = 4 };

struct bench {
    struct ex_app app; /* app.device alone is used */
    IDirect3DSurface9 *readback;
    D3DADAPTER_IDENTIFIER9 adapter;

    /* What a row made for itself; released after it. */
    struct ex_mesh mesh;
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DTexture9 *texture[BENCH_TEXTURES];
    IDirect3DSurface9 *surface;
};

struct bench_row {
    const char *name, *what;
    bool (*begin)(struct bench *bench);            /* false: this device cannot */
    void (*frame)(struct bench *bench, int frame); /* draws, between BeginScene and EndScene */
};

/* rows_mesh.c, rows_screen.c, rows_layers.c, rows_copies.c */
extern const struct bench_row bench_lit_mesh, bench_textured_mesh, bench_blended_mesh,
    bench_terrain;
extern const struct bench_row bench_combiner, bench_point_sprites, bench_sprites;
extern const struct bench_row bench_layers_point, bench_layers_bilinear, bench_layers_trilinear,
    bench_layers_aniso, bench_layers_aniso_tilted;
extern const struct bench_row bench_upload, bench_stretchrect, bench_stretchrect_scaled,
    bench_autogen;

/* device.c */
void bench_open(struct bench *bench);
void bench_close(struct bench *bench);
/* All states back to their defaults, and what the last row made released. */
void bench_reset(struct bench *bench);
/* Returns when everything that was drawn is in the back buffer's memory. */
void bench_finish(struct bench *bench);
/* The back buffer, as it is after bench_finish, as a PNG file. */
void bench_picture(struct bench *bench, const char *path);

static inline DWORD bench_float(float value)
{
    union {
        float f;
        DWORD bits;
    } u = {value};

    return u.bits;
}

#endif
