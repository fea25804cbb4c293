/* Vertex shader rows: 500,000 small triangles, and 200,000 skinned vertices. */
#include "bench.h"

#include "bench/colour.psh.h"
#include "bench/skin.vsh.h"
#include "bench/small.vsh.h"

#include <stdlib.h>

struct grid {
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DVertexDeclaration9 *declaration;
    UINT n_vertices, n_triangles;
};
static struct grid grid;

static bool begin_grid(struct bench *bench, UINT n_vertices, UINT n_triangles)
{
    grid = (struct grid){.n_vertices = n_vertices, .n_triangles = n_triangles};
    return bench->app.caps.MaxVertexIndex >= n_vertices;
}

static void draw_grid(struct bench *bench, UINT stride)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetVertexDeclaration(d, grid.declaration);
    IDirect3DDevice9_SetStreamSource(d, 0, grid.vertices, 0, stride);
    IDirect3DDevice9_SetIndices(d, grid.indices);
    ex_check(IDirect3DDevice9_DrawIndexedPrimitive(d, D3DPT_TRIANGLELIST, 0, 0, grid.n_vertices, 0,
                                                   grid.n_triangles),
             "DrawIndexedPrimitive");
}

static void declare(struct bench *bench, const D3DVERTEXELEMENT9 *elements)
{
    ex_check(
        IDirect3DDevice9_CreateVertexDeclaration(bench->app.device, elements, &grid.declaration),
        "CreateVertexDeclaration");
    bench_own(bench, grid.declaration);
}

/* --- Small triangles -------------------------------------------------------------------------- */

/* Three sheets over nearly the whole screen, back to front: every pixel is drawn. */
enum {
    SHEETS = 3,
    CELLS_X = 340,
    CELLS_Y = 245,
    SHEET_VERTICES = (CELLS_X + 1) * (CELLS_Y + 1),
    SHEET_TRIANGLES = 2 * CELLS_X * CELLS_Y,
};

struct sheet_vertex {
    struct vec3 position, normal;
};

static struct sheet_vertex sheet_vertex(int sheet, int i, int j)
{
    float x = 2.0f * (float)i / CELLS_X - 1.0f, y = 1.0f - 2.0f * (float)j / CELLS_Y;
    float turn = 0.7f * (float)sheet, a = 9.0f * x + 4.0f * y + turn, b = 7.0f * y - 5.0f * x;
    float dx = 0.36f * ex_cos(a) - 0.15f * ex_cos(b), dy = 0.16f * ex_cos(a) + 0.21f * ex_cos(b);

    return (struct sheet_vertex){
        .position = {0.92f * x, 0.92f * y,
                     0.04f * ex_sin(a) + 0.03f * ex_sin(b) + 0.3f * (float)(1 - sheet)},
        .normal = ex_normalize(ex_vec3(dx, dy, -0.4f))};
}

static bool begin_small(struct bench *bench)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
        {0, 12, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0},
        D3DDECL_END()};
    struct sheet_vertex *v = ex_alloc(sizeof(*v) * SHEETS * SHEET_VERTICES), *to = v;
    uint32_t *index = ex_alloc(sizeof(*index) * 3 * SHEETS * SHEET_TRIANGLES), *at = index;

    for (int s = 0; s < SHEETS; s++)
        for (int j = 0; j <= CELLS_Y; j++)
            for (int i = 0; i <= CELLS_X; i++) {
                uint32_t corner = (uint32_t)(to - v), below = corner + CELLS_X + 1;

                *to++ = sheet_vertex(s, i, j);
                if (i == CELLS_X || j == CELLS_Y)
                    continue;
                *at++ = corner;
                *at++ = corner + 1;
                *at++ = below;
                *at++ = corner + 1;
                *at++ = below + 1;
                *at++ = below;
            }
    if (begin_grid(bench, SHEETS * SHEET_VERTICES, SHEETS * SHEET_TRIANGLES)) {
        grid.vertices = bench_vertices(bench, v, (size_t)((char *)to - (char *)v));
        grid.indices =
            bench_indices(bench, index, (size_t)((char *)at - (char *)index), D3DFMT_INDEX32);
        declare(bench, elements);
        bench_shaders(bench, small_vsh, NULL);
    }
    free(v);
    free(index);
    return grid.vertices;
}

static void draw_small(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;
    float angle = 0.01f * (float)(frame % 628);
    const float constants[3][4] = {{0.6f * ex_cos(angle), 0.6f * ex_sin(angle), -0.8f, 0},
                                   {0.9f, 0.8f, 0.6f, 1},
                                   {0.05f, 0.08f, 0.12f, 0}};
    D3DMATRIX flat = ex_orthographic(2.0f, 2.0f, -1.0f, 1.0f);

    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff203040, 1.0f, 0);
    bench_vs_matrix(bench, 0, &flat, 4);
    IDirect3DDevice9_SetVertexShaderConstantF(d, 4, constants[0], 3);
    draw_grid(bench, sizeof(struct sheet_vertex));
}

const struct bench_row bench_small_triangles = {
    "small-triangles", "500,000 triangles of four pixels, vs_2_0, tested by depth", begin_small,
    draw_small};

/* --- Skinning --------------------------------------------------------------------------------- */

/* Arms of 12 bones each. Quads share no vertices. */
enum { ARMS = 5, ARM_BONES = 12, BONES = ARMS * ARM_BONES, ALONG = 400, AROUND = 25 };

struct skin_vertex {
    struct vec3 position;
    float weights[4];
    uint32_t indices;
    struct vec3 normal;
};

static struct skin_vertex skin_vertex(int arm, int i, int j)
{
    float along = (float)i / ALONG, angle = 2.0f * EX_PI * (float)j / AROUND,
          radius = 0.3f - 0.25f * along;
    float at = along * (ARM_BONES - 3.001f), part = at - ex_floor(at);
    struct skin_vertex v = {
        .position = {radius * ex_cos(angle), radius * ex_sin(angle), 3.0f * along},
        .weights = {(1.0f - part) / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f, part / 3.0f},
        .normal = {ex_cos(angle), ex_sin(angle), 0.0f}};

    for (uint32_t k = 0; k < 4; k++)
        v.indices |= ((uint32_t)(arm * ARM_BONES) + (uint32_t)ex_floor(at) + k) << 8 * k;
    return v;
}

static bool begin_skinning(struct bench *bench)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
        {0, 12, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_BLENDWEIGHT, 0},
        {0, 28, D3DDECLTYPE_UBYTE4, 0, D3DDECLUSAGE_BLENDINDICES, 0},
        {0, 32, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0},
        D3DDECL_END()};
    UINT quads = ARMS * ALONG * AROUND;
    struct skin_vertex *v = ex_alloc(sizeof(*v) * 4 * quads), *to = v;
    uint32_t *index = ex_alloc(sizeof(*index) * 6 * quads), *at = index;

    for (int arm = 0; arm < ARMS; arm++)
        for (int i = 0; i < ALONG; i++)
            for (int j = 0; j < AROUND; j++) {
                static const uint8_t corner[6] = {0, 1, 2, 1, 3, 2};

                for (int k = 0; k < 6; k++)
                    *at++ = (uint32_t)(to - v) + corner[k];
                for (int k = 0; k < 4; k++)
                    *to++ = skin_vertex(arm, i + k / 2, j + k % 2);
            }
    if (bench->app.caps.VertexShaderVersion >= D3DVS_VERSION(3, 0) &&
        begin_grid(bench, 4 * quads, 2 * quads)) {
        grid.vertices = bench_vertices(bench, v, (size_t)((char *)to - (char *)v));
        grid.indices =
            bench_indices(bench, index, (size_t)((char *)at - (char *)index), D3DFMT_INDEX32);
        declare(bench, elements);
        bench_shaders(bench, skin_vsh, colour_psh);
    }
    free(v);
    free(index);
    return grid.vertices;
}

/* Each bone turns a little further than its parent; each arm starts in its own direction. */
static void set_bones(struct bench *bench, int frame)
{
    for (int bone = 0; bone < BONES; bone++) {
        int arm = bone / ARM_BONES;
        float bend =
            0.06f * ex_sin(0.02f * (float)(frame % 314) + (float)arm) * (float)(bone % ARM_BONES);
        D3DMATRIX turn = ex_rotation_x(bend), out = ex_rotation_y(2.0f * EX_PI * (float)arm / ARMS);
        D3DMATRIX m = ex_multiply(&turn, &out);

        bench_vs_matrix(bench, 20 + 3 * (UINT)bone, &m, 3);
    }
}

static void draw_skinning(struct bench *bench, int frame)
{
    static const float constants[3][4] = {
        {0.4f, 0.8f, -0.45f, 0}, {0.9f, 0.75f, 0.6f, 1}, {0.12f, 0.14f, 0.18f, 1}};
    D3DMATRIX view = ex_look_at(ex_vec3(0, 5.0f, -4.0f), ex_vec3(0, 0, 0), ex_vec3(0, 1, 0));
    D3DMATRIX projection = ex_perspective(0.45f, (float)BENCH_WIDTH / BENCH_HEIGHT, 1.0f, 20.0f);
    D3DMATRIX both = ex_multiply(&view, &projection);
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff304050, 1.0f, 0);
    bench_vs_matrix(bench, 0, &both, 4);
    IDirect3DDevice9_SetVertexShaderConstantF(d, 4, constants[0], 3);
    set_bones(bench, frame);
    draw_grid(bench, sizeof(struct skin_vertex));
}

const struct bench_row bench_skinning = {
    "skinning", "200,000 vertices with four of 60 bones, vs_3_0, 100,000 triangles", begin_skinning,
    draw_skinning};
