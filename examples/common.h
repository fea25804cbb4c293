/* Common code of the examples: a window (on Windows) and a device, the frame loop, deterministic
 * arithmetic, procedural textures and meshes. It uses plain Direct3D 9 only.
 *
 * Options of every example: --frames N (0: until the window is closed), --start N (number of the
 * first frame), --size WxH and --samples N. Time depends on the frame number alone, so a frame
 * always looks the same. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <windows.h>
#include <d3d9.h>

#include <stdbool.h>
#include <stdint.h>

/* --- Program ---------------------------------------------------------------------------------- */

struct ex_app {
    IDirect3D9 *d3d;
    IDirect3DDevice9 *device;
    HWND window;
    D3DPRESENT_PARAMETERS pp;
    D3DCAPS9 caps;
    int width, height;
    int frame, last_frame; /* last_frame < 0: no last frame */
    float time;            /* seconds: frame / 60 */
};

/* Exits with a message if no device can be created. */
void ex_open(struct ex_app *app, const char *title, int argc, char **argv);
/* The same with the reference device, which has features that hardware lacks. */
void ex_open_reference(struct ex_app *app, const char *title, int argc, char **argv);
/* Presents the current frame and starts the next; false after the last. */
bool ex_next_frame(struct ex_app *app);
void ex_close(struct ex_app *app);
/* Exits with a message if hr is a failure. */
void ex_check(HRESULT hr, const char *what);
void *ex_alloc(size_t size);

/* --- Arithmetic ------------------------------------------------------------------------------- */

#define EX_PI 3.14159265f

struct vec3 {
    float x, y, z;
};

float ex_sin(float x); /* error below 1e-6 for |x| < 1000 */
float ex_cos(float x);
float ex_floor(float x);
float ex_clamp(float x, float lowest, float highest);
float ex_mix(float a, float b, float t);
float ex_smooth(float from, float to, float x); /* 0 … 1, derivative 0 at both ends */
struct vec3 ex_vec3(float x, float y, float z);
struct vec3 ex_add(struct vec3 a, struct vec3 b);
struct vec3 ex_sub(struct vec3 a, struct vec3 b);
struct vec3 ex_scale(struct vec3 a, float s);
struct vec3 ex_cross(struct vec3 a, struct vec3 b);
float ex_dot(struct vec3 a, struct vec3 b);
struct vec3 ex_normalize(struct vec3 a);
uint32_t ex_hash(uint32_t x, uint32_t y);
float ex_random(uint32_t n); /* 0 … 1 */

/* Matrices for row vectors, as in Direct3D: p * world * view * projection. */
D3DMATRIX ex_identity(void);
D3DMATRIX ex_multiply(const D3DMATRIX *a, const D3DMATRIX *b);
D3DMATRIX ex_translation(float x, float y, float z);
D3DMATRIX ex_scaling(float x, float y, float z);
D3DMATRIX ex_rotation_x(float angle);
D3DMATRIX ex_rotation_y(float angle);
D3DMATRIX ex_rotation_z(float angle);
D3DMATRIX ex_look_at(struct vec3 eye, struct vec3 at, struct vec3 up);
/* slope: half the height of the view at distance 1. */
D3DMATRIX ex_perspective(float slope, float aspect, float zn, float zf);
D3DMATRIX ex_orthographic(float w, float h, float zn, float zf);
D3DMATRIX ex_transpose(const D3DMATRIX *m); /* for shaders, which take rows as columns */
/* The inverse of a rotation with translation. */
D3DMATRIX ex_invert_rigid(const D3DMATRIX *m);

/* --- Textures --------------------------------------------------------------------------------- */

/* Noise with a period of `period` cells in both directions; 0 … 1. */
float ex_noise(float x, float y, int period, uint32_t seed);
/* Sum of `octaves` noises, each with twice the frequency and half the amplitude; 0 … 1. */
float ex_fbm(float x, float y, int period, int octaves, uint32_t seed);

struct ex_colour {
    float r, g, b, a;
};
struct ex_colour ex_rgba(float r, float g, float b, float a);
struct ex_colour ex_blend(struct ex_colour a, struct ex_colour b, float t);
uint32_t ex_pack(struct ex_colour c); /* D3DCOLOR */

/* Colour at the texel centre (u, v), 0 … 1 each. */
typedef struct ex_colour ex_texel_fn(float u, float v, void *ctx);
/* A8R8G8B8 texture with a full mip chain, box filtered. */
IDirect3DTexture9 *ex_texture(struct ex_app *app, int size, ex_texel_fn *texel, void *ctx);
/* The same from an array of texels; w and h are powers of two. */
IDirect3DTexture9 *ex_texture_from(struct ex_app *app, int w, int h, const uint32_t *texels,
                                   bool levels);
/* Normal map of a height field (red of `height`), `depth` texture widths high. */
IDirect3DTexture9 *ex_normal_map(struct ex_app *app, int size, float depth, ex_texel_fn *height,
                                 void *ctx);
/* Colour in a direction. */
typedef struct ex_colour ex_sky_fn(struct vec3 direction, void *ctx);
IDirect3DCubeTexture9 *ex_cube_texture(struct ex_app *app, int size, ex_sky_fn *sky, void *ctx);

/* --- Meshes ----------------------------------------------------------------------------------- */

/* Common vertex format; the tangent, texture coordinate 1, points along growing u. */
struct ex_vertex {
    struct vec3 position, normal;
    float u, v;
    struct vec3 tangent;
};
#define EX_VERTEX_FVF                                                                              \
    (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX2 | D3DFVF_TEXCOORDSIZE2(0) | D3DFVF_TEXCOORDSIZE3(1))

struct ex_mesh {
    struct ex_vertex *vertices;
    uint16_t *indices;
    UINT n_vertices, n_indices;
    IDirect3DVertexBuffer9 *vb;
    IDirect3DIndexBuffer9 *ib;
};

/* Shapes are added to a zeroed mesh, which is then uploaded once. Triangles are clockwise from
 * outside. */
void ex_mesh_box(struct ex_mesh *mesh, struct vec3 centre, struct vec3 half, float uv_scale);
void ex_mesh_sphere(struct ex_mesh *mesh, float radius, int slices, int stacks);
void ex_mesh_torus(struct ex_mesh *mesh, float radius, float tube, int around, int across);
/* A (2,3) torus knot. */
void ex_mesh_knot(struct ex_mesh *mesh, float radius, float tube, int along, int across);
/* Horizontal square of size 2 * half at height y with cells x cells quads, texture repeated
 * `repeat` times. */
void ex_mesh_plane(struct ex_mesh *mesh, float half, float y, int cells, float repeat);
void ex_mesh_column(struct ex_mesh *mesh, struct vec3 foot, float radius, float height, int slices);
void ex_mesh_upload(struct ex_app *app, struct ex_mesh *mesh);
void ex_mesh_draw(struct ex_app *app, const struct ex_mesh *mesh);
void ex_mesh_free(struct ex_mesh *mesh);

#endif
