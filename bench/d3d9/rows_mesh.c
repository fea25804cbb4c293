/* Vertex processing rows of the fixed function: lit, textured and skinned meshes, and a terrain in
 * fog. */
#include "bench.h"

#include <string.h>

/* --- Shared helpers --------------------------------------------------------------------------- */

static struct ex_colour marble(float u, float v, void *ctx)
{
    float n = ex_fbm(u * 8.0f, v * 8.0f, 8, 5, 7);
    float vein = 0.5f + 0.5f * ex_sin(12.0f * EX_PI * (u + 0.4f * n));

    (void)ctx;
    return ex_rgba(0.35f + 0.6f * vein, 0.3f + 0.5f * n, 0.25f + 0.4f * (1.0f - vein), 1.0f);
}

static void set_filters(struct bench *bench, DWORD stage)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
}

static void set_camera(struct bench *bench, struct vec3 eye, struct vec3 at, float zn, float zf)
{
    D3DMATRIX view = ex_look_at(eye, at, ex_vec3(0, 1, 0));
    D3DMATRIX projection = ex_perspective(0.5f, (float)BENCH_WIDTH / BENCH_HEIGHT, zn, zf);

    IDirect3DDevice9_SetTransform(bench->app.device, D3DTS_VIEW, &view);
    IDirect3DDevice9_SetTransform(bench->app.device, D3DTS_PROJECTION, &projection);
}

/* 100,000 triangles of about ten pixels. */
static void make_knot(struct bench *bench)
{
    ex_mesh_knot(&bench->mesh, 1.0f, 0.42f, 500, 100);
    ex_mesh_upload(&bench->app, &bench->mesh);
    set_camera(bench, ex_vec3(0.0f, 2.6f, -2.9f), ex_vec3(0, 0, 0), 1.0f, 10.0f);
}

static void draw_knot(struct bench *bench, int frame)
{
    D3DMATRIX world = ex_rotation_y(0.01f * (float)(frame % 628));

    IDirect3DDevice9_Clear(bench->app.device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER,
                           0xff203040, 1.0f, 0);
    IDirect3DDevice9_SetTransform(bench->app.device, D3DTS_WORLD, &world);
    ex_mesh_draw(&bench->app, &bench->mesh);
}

/* --- Three lights ----------------------------------------------------------------------------- */

static D3DLIGHT9 light(D3DLIGHTTYPE type, float r, float g, float b)
{
    return (D3DLIGHT9){.Type = type,
                       .Diffuse = {r, g, b, 1.0f},
                       .Specular = {r, g, b, 1.0f},
                       .Ambient = {0.05f * r, 0.05f * g, 0.05f * b, 1.0f},
                       .Range = 20.0f};
}

static void set_lights(struct bench *bench)
{
    D3DLIGHT9 sun = light(D3DLIGHT_DIRECTIONAL, 0.6f, 0.55f, 0.5f);
    D3DLIGHT9 lamp = light(D3DLIGHT_POINT, 0.3f, 0.6f, 1.0f);
    D3DLIGHT9 spot = light(D3DLIGHT_SPOT, 1.0f, 0.5f, 0.2f);
    const D3DLIGHT9 *all[3] = {&sun, &lamp, &spot};

    sun.Direction = (D3DVECTOR){0.5f, -0.8f, 0.4f};
    lamp.Position = (D3DVECTOR){-2.0f, 1.5f, -1.0f};
    lamp.Attenuation0 = 0.4f;
    lamp.Attenuation1 = 0.1f;
    lamp.Attenuation2 = 0.05f;
    spot.Position = (D3DVECTOR){1.5f, 2.5f, -2.0f};
    spot.Direction = (D3DVECTOR){-0.5f, -0.8f, 0.65f};
    spot.Attenuation0 = 0.5f;
    spot.Attenuation1 = 0.1f;
    spot.Theta = 0.5f;
    spot.Phi = 1.2f;
    spot.Falloff = 1.0f;
    for (DWORD i = 0; i < 3; i++) {
        IDirect3DDevice9_SetLight(bench->app.device, i, all[i]);
        IDirect3DDevice9_LightEnable(bench->app.device, i, TRUE);
    }
}

static bool begin_lit_mesh(struct bench *bench)
{
    const D3DMATERIAL9 material = {.Diffuse = {0.5f, 0.48f, 0.45f, 1.0f},
                                   .Ambient = {0.8f, 0.8f, 0.8f, 1.0f},
                                   .Specular = {0.35f, 0.35f, 0.35f, 1.0f},
                                   .Power = 20.0f};

    make_knot(bench);
    set_lights(bench);
    IDirect3DDevice9_SetMaterial(bench->app.device, &material);
    IDirect3DDevice9_SetRenderState(bench->app.device, D3DRS_AMBIENT, 0xff181818);
    IDirect3DDevice9_SetRenderState(bench->app.device, D3DRS_SPECULARENABLE, TRUE);
    return true;
}

const struct bench_row bench_lit_mesh = {
    "lit-mesh", "100,000 triangles, directional, point and spot light, specular", begin_lit_mesh,
    draw_knot};

/* --- A texture -------------------------------------------------------------------------------- */

static bool begin_textured_mesh(struct bench *bench)
{
    make_knot(bench);
    bench->texture[0] = ex_texture(&bench->app, 256, marble, NULL);
    IDirect3DDevice9_SetTexture(bench->app.device, 0, (IDirect3DBaseTexture9 *)bench->texture[0]);
    set_filters(bench, 0);
    IDirect3DDevice9_SetRenderState(bench->app.device, D3DRS_LIGHTING, FALSE);
    return true;
}

const struct bench_row bench_textured_mesh = {
    "textured-mesh", "100,000 triangles, bilinear mip-mapped texture, no light",
    begin_textured_mesh, draw_knot};

static bool begin_lit_textured_mesh(struct bench *bench)
{
    begin_lit_mesh(bench);
    bench->texture[0] = ex_texture(&bench->app, 256, marble, NULL);
    IDirect3DDevice9_SetTexture(bench->app.device, 0, (IDirect3DBaseTexture9 *)bench->texture[0]);
    set_filters(bench, 0);
    return true;
}

const struct bench_row bench_lit_textured_mesh = {
    "lit-textured-mesh", "the mesh of lit-mesh with its lights and a texture",
    begin_lit_textured_mesh, draw_knot};

/* --- Vertex blending -------------------------------------------------------------------------- */

struct blended_vertex {
    struct vec3 position;
    float weight[3];
    uint32_t indices;
    struct vec3 normal;
};
enum { BONES = 16 };
#define BLENDED_FVF (D3DFVF_XYZB4 | D3DFVF_LASTBETA_UBYTE4 | D3DFVF_NORMAL)

/* Gives a vertex the four bones nearest to its position along the tube. */
static struct blended_vertex blended(const struct ex_vertex *v)
{
    float along = v->u / 16.0f * BONES, part = along - ex_floor(along);
    uint32_t bone = (uint32_t)ex_floor(along);
    struct blended_vertex out = {.position = v->position, .normal = v->normal};

    out.weight[0] =
        (1.0f - part) / 3.0f; /* continuous where `bone` changes; the fourth is part / 3 */
    out.weight[1] = out.weight[2] = 1.0f / 3.0f;
    for (uint32_t i = 0; i < 4; i++)
        out.indices |= (bone + i) % BONES << 8 * i;
    return out;
}

static void upload_blended(struct bench *bench)
{
    UINT bytes = bench->mesh.n_vertices * (UINT)sizeof(struct blended_vertex);
    struct blended_vertex *to;

    ex_check(IDirect3DDevice9_CreateVertexBuffer(
                 bench->app.device, bytes, D3DUSAGE_WRITEONLY | D3DUSAGE_SOFTWAREPROCESSING,
                 BLENDED_FVF, D3DPOOL_MANAGED, &bench->vertices, NULL),
             "CreateVertexBuffer");
    ex_check(IDirect3DVertexBuffer9_Lock(bench->vertices, 0, 0, (void **)&to, 0), "Lock");
    for (UINT i = 0; i < bench->mesh.n_vertices; i++)
        to[i] = blended(&bench->mesh.vertices[i]);
    IDirect3DVertexBuffer9_Unlock(bench->vertices);
}

/* Devices without matrix palettes in hardware have them in software. */
static bool begin_blended_mesh(struct bench *bench)
{
    const D3DMATERIAL9 material = {.Diffuse = {0.8f, 0.9f, 0.7f, 1.0f}};
    IDirect3DDevice9 *d = bench->app.device;

    if (bench->app.caps.MaxVertexBlendMatrixIndex < BONES - 1 &&
        FAILED(IDirect3DDevice9_SetSoftwareVertexProcessing(d, TRUE)))
        return false;
    make_knot(bench);
    upload_blended(bench);
    set_lights(bench);
    IDirect3DDevice9_LightEnable(d, 1, FALSE);
    IDirect3DDevice9_LightEnable(d, 2, FALSE);
    IDirect3DDevice9_SetMaterial(d, &material);
    IDirect3DDevice9_SetRenderState(d, D3DRS_VERTEXBLEND, D3DVBF_3WEIGHTS);
    IDirect3DDevice9_SetRenderState(d, D3DRS_INDEXEDVERTEXBLENDENABLE, TRUE);
    return true;
}

static void draw_blended_mesh(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff203040, 1.0f, 0);
    for (UINT i = 0; i < BONES; i++) {
        float wave = 0.1f * ex_sin(0.05f * (float)frame + (float)i);
        D3DMATRIX bone = ex_translation(0.0f, wave, 0.0f);

        IDirect3DDevice9_SetTransform(d, D3DTS_WORLDMATRIX(i), &bone);
    }
    IDirect3DDevice9_SetFVF(d, BLENDED_FVF);
    IDirect3DDevice9_SetStreamSource(d, 0, bench->vertices, 0, sizeof(struct blended_vertex));
    IDirect3DDevice9_SetIndices(d, bench->mesh.ib);
    ex_check(IDirect3DDevice9_DrawIndexedPrimitive(
                 d, D3DPT_TRIANGLELIST, 0, 0, bench->mesh.n_vertices, 0, bench->mesh.n_indices / 3),
             "DrawIndexedPrimitive");
}

const struct bench_row bench_blended_mesh = {
    "blended-mesh", "100,000 triangles, four of 16 matrices a vertex, one light",
    begin_blended_mesh, draw_blended_mesh};

/* --- Terrain in fog --------------------------------------------------------------------------- */

static struct ex_colour grass(float u, float v, void *ctx)
{
    float n = ex_fbm(u * 16.0f, v * 16.0f, 16, 4, 3);

    (void)ctx;
    return ex_rgba(0.2f + 0.3f * n, 0.35f + 0.5f * n, 0.1f + 0.2f * n, 1.0f);
}

static struct ex_colour detail(float u, float v, void *ctx)
{
    float n = ex_fbm(u * 32.0f, v * 32.0f, 32, 3, 11);

    (void)ctx;
    return ex_rgba(0.25f + 0.5f * n, 0.25f + 0.5f * n, 0.25f + 0.5f * n, 1.0f);
}

/* A height field of 160 x 160 cells. */
static void make_hills(struct bench *bench)
{
    ex_mesh_plane(&bench->mesh, 40.0f, 0.0f, 160, 12.0f);
    for (UINT i = 0; i < bench->mesh.n_vertices; i++) {
        struct ex_vertex *v = &bench->mesh.vertices[i];
        float x = 0.1f * v->position.x, z = 0.1f * v->position.z;

        v->position.y = 2.0f * ex_sin(x + 0.7f * z) + 1.2f * ex_sin(2.1f * z);
        v->normal = ex_normalize(ex_vec3(-0.2f * ex_cos(x + 0.7f * z), 1.0f,
                                         -0.14f * ex_cos(x + 0.7f * z) - 0.25f * ex_cos(2.1f * z)));
    }
    ex_mesh_upload(&bench->app, &bench->mesh);
}

static void set_fog(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetRenderState(d, D3DRS_FOGENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_FOGCOLOR, 0xff8090a0);
    IDirect3DDevice9_SetRenderState(d, D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    IDirect3DDevice9_SetRenderState(d, D3DRS_FOGSTART, bench_float(10.0f));
    IDirect3DDevice9_SetRenderState(d, D3DRS_FOGEND, bench_float(60.0f));
}

static bool begin_terrain(struct bench *bench)
{
    const D3DMATERIAL9 material = {.Diffuse = {1, 1, 1, 1}, .Ambient = {1, 1, 1, 1}};
    IDirect3DDevice9 *d = bench->app.device;

    make_hills(bench);
    set_lights(bench);
    IDirect3DDevice9_LightEnable(d, 1, FALSE);
    IDirect3DDevice9_LightEnable(d, 2, FALSE);
    IDirect3DDevice9_SetMaterial(d, &material);
    IDirect3DDevice9_SetRenderState(d, D3DRS_AMBIENT, 0xff606060);
    bench->texture[0] = ex_texture(&bench->app, 256, grass, NULL);
    bench->texture[1] = ex_texture(&bench->app, 256, detail, NULL);
    for (DWORD i = 0; i < 2; i++) {
        IDirect3DDevice9_SetTexture(d, i, (IDirect3DBaseTexture9 *)bench->texture[i]);
        set_filters(bench, i);
    }
    IDirect3DDevice9_SetTextureStageState(d, 1, D3DTSS_COLOROP, D3DTOP_MODULATE2X);
    IDirect3DDevice9_SetTextureStageState(d, 1, D3DTSS_TEXCOORDINDEX, 0);
    set_fog(bench);
    set_camera(bench, ex_vec3(0.0f, 6.0f, -40.0f), ex_vec3(0.0f, 1.0f, 0.0f), 0.5f, 100.0f);
    return true;
}

static void draw_terrain(struct bench *bench, int frame)
{
    D3DMATRIX world = ex_rotation_y(0.002f * (float)(frame % 3141));

    IDirect3DDevice9_Clear(bench->app.device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER,
                           0xff8090a0, 1.0f, 0);
    IDirect3DDevice9_SetTransform(bench->app.device, D3DTS_WORLD, &world);
    ex_mesh_draw(&bench->app, &bench->mesh);
}

const struct bench_row bench_terrain = {"terrain",
                                        "51,200 triangles, one light, two textures, vertex fog",
                                        begin_terrain, draw_terrain};
