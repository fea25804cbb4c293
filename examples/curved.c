/* Example of higher-order primitives: three bodies of 32 triangles each, and a plain of 128
 * triangles. The tessellator curves them (N-patches), divides them by their distance (adaptive
 * tessellation) and lifts the new vertices by displacement maps. Lines show the triangles of one
 * body. It needs the reference device. */
#include "common.h"

#include "shaders/curved.psh.h"
#include "shaders/curved.vsh.h"

#include <stdlib.h>
#include <string.h>

enum { MAP = 256, BODIES = 3, CRATERS = 52 };

struct surface {
    struct ex_mesh mesh;
    IDirect3DTexture9 *colour, *normals, *heights;
    float height; /* of the displacement, in units of the model */
};

struct curved {
    struct ex_app app;
    IDirect3DVertexDeclaration9 *declaration;
    IDirect3DVertexShader9 *vs;
    IDirect3DPixelShader9 *ps;
    IDirect3DTexture9 *black;
    struct surface body[BODIES], plain;
    struct vec3 eye;
    D3DMATRIX view, view_projection;
};

/* --- Heights ---------------------------------------------------------------------------------- */

/* Noise in space: 0 … 1. */
static float noise(struct vec3 p, uint32_t seed)
{
    float fx = ex_floor(p.x), fy = ex_floor(p.y), fz = ex_floor(p.z), sum = 0.0f;
    float t[3] = {ex_smooth(0, 1, p.x - fx), ex_smooth(0, 1, p.y - fy), ex_smooth(0, 1, p.z - fz)};

    for (int i = 0; i < 8; i++) {
        int dx = i & 1, dy = i >> 1 & 1, dz = i >> 2;
        uint32_t h = ex_hash((uint32_t)((int)fx + dx + 512) * 1024 + (uint32_t)((int)fy + dy + 512),
                             (uint32_t)((int)fz + dz + 512) + seed);
        float w = (dx ? t[0] : 1 - t[0]) * (dy ? t[1] : 1 - t[1]) * (dz ? t[2] : 1 - t[2]);

        sum += w * (float)(h & 0xffff) / 65535.0f;
    }
    return sum;
}

static float fractal(struct vec3 p, int octaves, uint32_t seed)
{
    float sum = 0.0f, weight = 0.5f, all = 0.0f;

    for (int i = 0; i < octaves; i++, weight *= 0.5f) {
        sum += weight * noise(p, seed + (uint32_t)i * 77);
        all += weight;
        p = ex_scale(p, 2.0f);
    }
    return sum / all;
}

/* Craters of several sizes: a bowl with a rim. */
static float moon_height(struct vec3 d)
{
    float h = 0.45f + 0.3f * fractal(ex_scale(d, 2.5f), 5, 5);

    for (int i = 0; i < CRATERS; i++) {
        float angle = 2.4f * (float)i, up = 3.6f * ((float)i + 0.5f) / CRATERS - 1.8f;
        struct vec3 at = ex_normalize(ex_vec3(ex_cos(angle), up, ex_sin(angle)));
        float radius = i % 7 == 2 ? 0.42f : i % 3 ? 0.13f : 0.22f;
        struct vec3 off = ex_sub(d, at);
        float r2 = ex_dot(off, off) / (radius * radius);

        if (r2 < 2.2f)
            h += (ex_smooth(2.2f, 1.0f, r2) * 0.55f - ex_smooth(1.1f, 0.2f, r2) * 1.05f) * radius;
    }
    return ex_clamp(h, 0, 1);
}

/* Rounded knobs on a coral. */
static float coral_height(struct vec3 d)
{
    float s = ex_sin(d.x * 11.0f + 2.0f * d.y) * ex_sin(d.y * 11.0f + 2.0f * d.z) *
              ex_sin(d.z * 11.0f + 2.0f * d.x);
    float knob = ex_smooth(0.02f, 0.55f, s < 0 ? -s : s);

    return ex_clamp(0.15f + 0.75f * knob + 0.12f * fractal(ex_scale(d, 9.0f), 3, 9), 0, 1);
}

/* Ridges and valleys of a rock. */
static float rock_height(struct vec3 d)
{
    float ridge = 2.0f * fractal(ex_scale(d, 1.9f), 6, 21) - 1.0f;
    float terrace = fractal(ex_scale(d, 1.1f), 3, 40);

    ridge = 1.0f - (ridge < 0 ? -ridge : ridge);
    return ex_clamp(ridge * ridge * 0.75f + terrace * 0.35f - 0.1f, 0, 1);
}

/* Dunes that grow with the distance; x and z from -1 to 1. */
static float plain_height(struct vec3 p)
{
    float bend = 3.0f * fractal(ex_scale(p, 2.0f), 3, 60);
    float wave = 0.5f + 0.5f * ex_sin(p.z * 26.0f + bend * 2.2f + p.x * 4.0f);
    float ripple = 0.5f + 0.5f * ex_sin(p.z * 260.0f + bend * 30.0f + p.x * 60.0f);
    float hill = fractal(ex_add(ex_scale(p, 2.6f), ex_vec3(7, 0, 3)), 4, 61);

    return ex_clamp(hill * 0.8f + wave * wave * 0.22f + ripple * 0.006f - 0.12f, 0, 1);
}

typedef float height_fn(struct vec3 at);

/* --- Maps ------------------------------------------------------------------------------------- */

/* The direction of a point of the unfolded octahedron; x and y from -1 to 1. Points of the border
 * that lie opposite each other have the same direction. */
static struct vec3 unfold(float x, float y)
{
    float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;

    if (ax + ay > 1.0f)
        return ex_vec3(x < 0 ? ay - 1 : 1 - ay, y < 0 ? ax - 1 : 1 - ax, 1 - ax - ay);
    return ex_vec3(x, y, 1 - ax - ay);
}

struct map {
    bool sphere;
    height_fn *height;
    float scale; /* of heights, in units of the model */
};

/* Place on the flat or round surface. */
static struct vec3 base_of(const struct map *map, float x, float y)
{
    return map->sphere ? ex_normalize(unfold(x, y)) : ex_vec3(x, 0, y);
}

static float coordinate(int i)
{
    return (float)(2 * i - (MAP - 1)) / (float)(MAP - 1);
}

/* Normals in the space of the model, from differences of the displaced surface. */
static IDirect3DTexture9 *normal_map(struct ex_app *app, const struct map *map)
{
    const float step = 1.2f / MAP;
    uint32_t *texels = ex_alloc(sizeof(*texels) * MAP * MAP);
    IDirect3DTexture9 *texture;

    for (int i = 0; i < MAP * MAP; i++) {
        struct vec3 base = base_of(map, coordinate(i % MAP), coordinate(i / MAP)), side, n;
        struct vec3 axis =
            map->sphere && (base.y > 0.7f || base.y < -0.7f) ? ex_vec3(1, 0, 0) : ex_vec3(0, 1, 0);
        struct vec3 p[4];

        side = map->sphere ? ex_normalize(ex_cross(axis, base)) : ex_vec3(1, 0, 0);
        axis = map->sphere ? ex_cross(base, side) : ex_vec3(0, 0, -1);
        for (int k = 0; k < 4; k++) {
            struct vec3 off = ex_scale(k < 2 ? side : axis, k & 1 ? -step : step);
            struct vec3 at = ex_add(base, off), up = ex_vec3(0, 1, 0);

            if (map->sphere)
                up = at = ex_normalize(at);
            p[k] = ex_add(at, ex_scale(up, map->scale * map->height(at)));
        }
        n = ex_normalize(ex_cross(ex_sub(p[0], p[1]), ex_sub(p[2], p[3])));
        if (ex_dot(n, map->sphere ? base : ex_vec3(0, 1, 0)) < 0)
            n = ex_scale(n, -1);
        texels[i] = ex_pack(ex_rgba(n.x * 0.5f + 0.5f, n.y * 0.5f + 0.5f, n.z * 0.5f + 0.5f, 1));
    }
    texture = ex_texture_from(app, MAP, MAP, texels, false);
    free(texels);
    return texture;
}

static IDirect3DTexture9 *height_map(struct ex_app *app, const struct map *map)
{
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;

    ex_check(IDirect3DDevice9_CreateTexture(app->device, MAP, MAP, 1, D3DUSAGE_DMAP, D3DFMT_R32F,
                                            D3DPOOL_MANAGED, &texture, NULL),
             "CreateTexture with D3DUSAGE_DMAP");
    ex_check(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0), "LockRect");
    for (int i = 0; i < MAP * MAP; i++) {
        float h = map->height(base_of(map, coordinate(i % MAP), coordinate(i / MAP)));

        memcpy((char *)locked.pBits + i / MAP * locked.Pitch + i % MAP * 4, &h, sizeof(h));
    }
    IDirect3DTexture9_UnlockRect(texture, 0);
    return texture;
}

/* Colour by height: `low`, `high`, and a finer grain. Alpha is the gloss. */
static IDirect3DTexture9 *colour_map(struct ex_app *app, const struct map *map,
                                     struct ex_colour low, struct ex_colour high)
{
    uint32_t *texels = ex_alloc(sizeof(*texels) * MAP * MAP);
    IDirect3DTexture9 *texture;

    for (int i = 0; i < MAP * MAP; i++) {
        struct vec3 base = base_of(map, coordinate(i % MAP), coordinate(i / MAP));
        float grain = 0.82f + 0.36f * fractal(ex_scale(base, 24.0f), 3, 90);
        struct ex_colour c = ex_blend(low, high, ex_smooth(0.15f, 0.85f, map->height(base)));

        texels[i] = ex_pack(ex_rgba(c.r * grain, c.g * grain, c.b * grain, c.a));
    }
    texture = ex_texture_from(app, MAP, MAP, texels, false);
    free(texels);
    return texture;
}

/* --- Meshes ----------------------------------------------------------------------------------- */

/* Texture coordinate of place x or y, -1 … 1, on the map. */
static float texel_of(float x)
{
    return ((x * 0.5f + 0.5f) * (MAP - 1) + 0.5f) / MAP;
}

static void add_vertex(struct ex_mesh *mesh, struct vec3 position, struct vec3 normal, float x,
                       float y)
{
    mesh->vertices[mesh->n_vertices++] =
        (struct ex_vertex){position, normal, texel_of(x), texel_of(y), {1, 0, 0}};
}

/* Adds two clockwise triangles; a, b, c and d lie around a square of the map. */
static void add_square(struct ex_mesh *mesh, const uint16_t at[4], bool first_diagonal)
{
    static const uint8_t order[2][6] = {{0, 1, 3, 1, 2, 3}, {0, 1, 2, 0, 2, 3}};

    for (int i = 0; i < 6; i++)
        mesh->indices[mesh->n_indices++] = at[order[first_diagonal][i]];
}

/* A grid of the map. Each face of the octahedron gets cells / 2 squared triangles. */
static void make_grid(struct ex_mesh *mesh, bool sphere, int cells)
{
    mesh->vertices = ex_alloc((size_t)(cells + 1) * (size_t)(cells + 1) * sizeof(*mesh->vertices));
    mesh->indices = ex_alloc((size_t)cells * (size_t)cells * 6 * sizeof(*mesh->indices));
    for (int j = 0; j <= cells; j++)
        for (int i = 0; i <= cells; i++) {
            float x = (float)(2 * i - cells) / (float)cells;
            float y = (float)(2 * j - cells) / (float)cells;
            struct vec3 d = sphere ? ex_normalize(unfold(x, y)) : ex_vec3(x, 0, -y);

            add_vertex(mesh, d, sphere ? d : ex_vec3(0, 1, 0), x, sphere ? y : -y);
        }
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            uint16_t a = (uint16_t)(j * (cells + 1) + i), b = (uint16_t)(a + cells + 1);
            const uint16_t square[4] = {a, (uint16_t)(a + 1), (uint16_t)(b + 1), b};

            add_square(mesh, square, (2 * i < cells) != (2 * j < cells));
        }
}

/* --- Set-up ----------------------------------------------------------------------------------- */

static void make_surface(struct ex_app *app, struct surface *surface, const struct map *map,
                         struct ex_colour low, struct ex_colour high)
{
    make_grid(&surface->mesh, map->sphere, map->sphere ? 4 : 8);
    ex_mesh_upload(app, &surface->mesh);
    surface->height = map->scale;
    surface->heights = height_map(app, map);
    surface->normals = normal_map(app, map);
    surface->colour = colour_map(app, map, low, high);
}

static void make_surfaces(struct curved *s)
{
    static const uint32_t black = 0xff000000;

    make_surface(&s->app, &s->body[0], &(struct map){true, moon_height, 0.24f},
                 ex_rgba(0.30f, 0.29f, 0.30f, 0.1f), ex_rgba(0.74f, 0.72f, 0.68f, 0.1f));
    make_surface(&s->app, &s->body[1], &(struct map){true, rock_height, 0.42f},
                 ex_rgba(0.16f, 0.34f, 0.36f, 0.9f), ex_rgba(0.86f, 0.70f, 0.46f, 0.2f));
    make_surface(&s->app, &s->body[2], &(struct map){true, coral_height, 0.26f},
                 ex_rgba(0.42f, 0.07f, 0.12f, 0.8f), ex_rgba(0.96f, 0.52f, 0.34f, 1.0f));
    make_surface(&s->app, &s->plain, &(struct map){false, plain_height, 0.13f},
                 ex_rgba(0.50f, 0.36f, 0.24f, 0.1f), ex_rgba(0.80f, 0.62f, 0.42f, 0.1f));
    s->black = ex_texture_from(&s->app, 1, 1, &black, false);
}

/* The texture coordinate is read twice: as it is, and to look up the displacement map. */
static void make_pipeline(struct curved *s)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
        {0, 12, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_NORMAL, 0},
        {0, 24, D3DDECLTYPE_FLOAT2, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
        {0, 24, D3DDECLTYPE_FLOAT2, D3DDECLMETHOD_LOOKUP, D3DDECLUSAGE_SAMPLE, 0},
        D3DDECL_END()};
    IDirect3DDevice9 *d = s->app.device;

    ex_check(IDirect3DDevice9_CreateVertexDeclaration(d, elements, &s->declaration),
             "CreateVertexDeclaration");
    ex_check(IDirect3DDevice9_CreateVertexShader(d, curved_vsh, &s->vs), "CreateVertexShader");
    ex_check(IDirect3DDevice9_CreatePixelShader(d, curved_psh, &s->ps), "CreatePixelShader");
    for (DWORD i = 0; i < 3; i++) {
        DWORD sampler = i < 2 ? i : D3DDMAPSAMPLER;

        IDirect3DDevice9_SetSamplerState(d, sampler, D3DSAMP_ADDRESSU, D3DTADDRESS_CLAMP);
        IDirect3DDevice9_SetSamplerState(d, sampler, D3DSAMP_ADDRESSV, D3DTADDRESS_CLAMP);
        IDirect3DDevice9_SetSamplerState(d, sampler, D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
        IDirect3DDevice9_SetSamplerState(d, sampler, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
    }
    IDirect3DDevice9_SetRenderState(d, D3DRS_NORMALDEGREE, D3DDEGREE_QUADRATIC);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ENABLEADAPTIVETESSELLATION, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_PATCHEDGESTYLE, D3DPATCHEDGE_CONTINUOUS);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void float_state(struct curved *s, D3DRENDERSTATETYPE type, float value)
{
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    IDirect3DDevice9_SetRenderState(s->app.device, type, bits);
}

static void set_matrix(struct curved *s, UINT reg, const D3DMATRIX *m, UINT rows)
{
    D3DMATRIX t = ex_transpose(m);

    IDirect3DDevice9_SetVertexShaderConstantF(s->app.device, reg, &t.m[0][0], rows);
}

static void pixel_constant(struct curved *s, UINT reg, float x, float y, float z, float w)
{
    const float v[4] = {x, y, z, w};

    IDirect3DDevice9_SetPixelShaderConstantF(s->app.device, reg, v, 1);
}

/* Edges get segments / distance segments: the third column of world * view gives the distance of
 * a vertex. */
static void set_levels(struct curved *s, const D3DMATRIX *world, float segments, float minimum)
{
    D3DMATRIX to_eye = ex_multiply(world, &s->view);

    for (int i = 0; i < 4; i++)
        float_state(s, (D3DRENDERSTATETYPE)(D3DRS_ADAPTIVETESS_X + i), to_eye.m[i][2]);
    float_state(s, D3DRS_MINTESSELLATIONLEVEL, minimum);
    float_state(s, D3DRS_MAXTESSELLATIONLEVEL, s->app.caps.MaxNpatchTessellationLevel);
    IDirect3DDevice9_SetNPatchMode(s->app.device, segments);
}

static void draw_surface(struct curved *s, const struct surface *surface, D3DMATRIX world)
{
    IDirect3DDevice9 *d = s->app.device;
    D3DMATRIX m = ex_multiply(&world, &s->view_projection);
    const float height[4] = {surface->height, 0, 0, 0};

    set_matrix(s, 0, &m, 4);
    set_matrix(s, 4, &world, 3);
    IDirect3DDevice9_SetVertexShaderConstantF(d, 7, height, 1);
    IDirect3DDevice9_SetTexture(d, D3DDMAPSAMPLER, (IDirect3DBaseTexture9 *)surface->heights);
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)surface->colour);
    IDirect3DDevice9_SetTexture(d, 1, (IDirect3DBaseTexture9 *)surface->normals);
    IDirect3DDevice9_SetVertexDeclaration(d, s->declaration);
    IDirect3DDevice9_SetStreamSource(d, 0, surface->mesh.vb, 0, sizeof(struct ex_vertex));
    IDirect3DDevice9_SetIndices(d, surface->mesh.ib);
    IDirect3DDevice9_DrawIndexedPrimitive(d, D3DPT_TRIANGLELIST, 0, 0, surface->mesh.n_vertices, 0,
                                          surface->mesh.n_indices / 3);
}

/* Draws the edges of the surface's triangles over it. */
static void draw_lines(struct curved *s, const struct surface *surface, D3DMATRIX world)
{
    struct surface lines = *surface;

    lines.colour = s->black;
    IDirect3DDevice9_SetRenderState(s->app.device, D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    float_state(s, D3DRS_DEPTHBIAS, -0.00002f);
    draw_surface(s, &lines, world);
    float_state(s, D3DRS_DEPTHBIAS, 0.0f);
    IDirect3DDevice9_SetRenderState(s->app.device, D3DRS_FILLMODE, D3DFILL_SOLID);
}

static void draw_bodies(struct curved *s)
{
    static const struct vec3 at[BODIES] = {
        {-2.5f, 0.35f, 0.9f}, {0.0f, 0.1f, -0.9f}, {2.6f, 0.4f, 1.0f}};

    for (int i = 0; i < BODIES; i++) {
        D3DMATRIX turn = ex_rotation_y(0.6f + (float)i + s->app.time * 0.35f);
        D3DMATRIX tilt = ex_rotation_x(0.5f - 0.4f * (float)i);
        D3DMATRIX place = ex_translation(at[i].x, at[i].y, at[i].z), world;

        world = ex_multiply(&tilt, &turn);
        world = ex_multiply(&world, &place);
        set_levels(s, &world, i == 2 ? 110.0f : 300.0f, 8.0f);
        draw_surface(s, &s->body[i], world);
        if (i == 2)
            draw_lines(s, &s->body[i], world);
    }
}

static void set_lights(struct curved *s)
{
    struct vec3 sun = ex_normalize(ex_vec3(-0.62f, 0.50f, -0.42f));

    pixel_constant(s, 0, sun.x, sun.y, sun.z, 0);
    pixel_constant(s, 1, 1.16f, 0.98f, 0.76f, 0);
    pixel_constant(s, 2, 0.34f, 0.40f, 0.52f, 0);
    pixel_constant(s, 3, s->eye.x, s->eye.y, s->eye.z, 0);
    pixel_constant(s, 4, 0.66f, 0.70f, 0.76f, 0.055f);
}

static void draw_frame(struct curved *s)
{
    float a = -0.15f + s->app.time * 0.12f;
    D3DMATRIX projection, plain = ex_scaling(12.0f, 12.0f, 12.0f), down;

    s->eye = ex_vec3(6.6f * ex_sin(a), 1.5f, -6.6f * ex_cos(a));
    s->view = ex_look_at(s->eye, ex_vec3(0, 0.1f, 0), ex_vec3(0, 1, 0));
    projection = ex_perspective(0.40f, (float)s->app.width / (float)s->app.height, 0.1f, 100.0f);
    s->view_projection = ex_multiply(&s->view, &projection);
    ex_check(IDirect3DDevice9_BeginScene(s->app.device), "BeginScene");
    IDirect3DDevice9_Clear(s->app.device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xffa8b2c2,
                           1.0f, 0);
    IDirect3DDevice9_SetVertexShader(s->app.device, s->vs);
    IDirect3DDevice9_SetPixelShader(s->app.device, s->ps);
    set_lights(s);
    draw_bodies(s);
    down = ex_translation(0, -2.1f, 0);
    plain = ex_multiply(&plain, &down);
    set_levels(s, &plain, 130.0f, 4.0f);
    draw_surface(s, &s->plain, plain);
    ex_check(IDirect3DDevice9_EndScene(s->app.device), "EndScene");
}

static void free_surface(struct surface *surface)
{
    ex_mesh_free(&surface->mesh);
    IDirect3DTexture9_Release(surface->colour);
    IDirect3DTexture9_Release(surface->normals);
    IDirect3DTexture9_Release(surface->heights);
}

static void free_all(struct curved *s)
{
    IDirect3DDevice9_SetTexture(s->app.device, D3DDMAPSAMPLER, NULL);
    IDirect3DDevice9_SetTexture(s->app.device, 0, NULL);
    IDirect3DDevice9_SetTexture(s->app.device, 1, NULL);
    for (int i = 0; i < BODIES; i++)
        free_surface(&s->body[i]);
    free_surface(&s->plain);
    IDirect3DTexture9_Release(s->black);
    IDirect3DVertexDeclaration9_Release(s->declaration);
    IDirect3DVertexShader9_Release(s->vs);
    IDirect3DPixelShader9_Release(s->ps);
}

int main(int argc, char **argv)
{
    static struct curved s;

    ex_open_reference(&s.app, "curved: N-patches, adaptive tessellation, displacement", argc, argv);
    make_pipeline(&s);
    make_surfaces(&s);
    do {
        draw_frame(&s);
    } while (ex_next_frame(&s.app));
    free_all(&s);
    ex_close(&s.app);
    return 0;
}
