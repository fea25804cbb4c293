/* Example of shader model 2: tangent-space normal maps, cube map reflections, a sun and a moving
 * lamp. */
#include "common.h"

#include "shaders/bump.psh.h"
#include "shaders/bump.vsh.h"
#include "shaders/sky.psh.h"
#include "shaders/sky.vsh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reflection parameters of a material: shader constant c3. */
struct finish {
    float mirror, rim, shine, bumps;
};

struct bump {
    struct ex_app app;
    IDirect3DVertexShader9 *surface_vs, *sky_vs;
    IDirect3DPixelShader9 *surface_ps, *sky_ps;
    IDirect3DTexture9 *copper, *hammered, *tiles, *tile_bumps, *pearl, *pearl_bumps, *steel, *flat;
    IDirect3DCubeTexture9 *sky;
    struct ex_mesh knot, floor, ball, dome;
    struct vec3 eye;
    D3DMATRIX view_projection;
};

/* --- Textures --------------------------------------------------------------------------------- */

static const struct vec3 sun = {-0.52f, 0.42f, 0.744f};

/* An evening sky over dunes. */
static struct ex_colour sky_colour(struct vec3 d, void *ctx)
{
    float up = d.y, s = ex_dot(d, ex_normalize(sun)), haze = ex_smooth(-0.05f, 0.45f, up);
    struct ex_colour c =
        ex_blend(ex_rgba(0.98f, 0.72f, 0.47f, 1), ex_rgba(0.16f, 0.34f, 0.66f, 1), haze);

    (void)ctx;
    c = ex_blend(c, ex_rgba(1, 0.80f, 0.50f, 1), 0.75f * ex_smooth(0.80f, 1.0f, s));
    if (up > 0.02f) {
        float k = 1.6f / (up + 0.12f);
        float cloud = ex_fbm(d.x * k + 40.0f, d.z * k + 40.0f, 64, 6, 12);
        float cover = ex_smooth(0.50f, 0.78f, cloud) * ex_smooth(0.02f, 0.25f, up);
        float lit = ex_smooth(0.5f, 1.0f, cloud) * 0.3f + 0.25f * ex_smooth(0.3f, 1.0f, s);
        c = ex_blend(c, ex_rgba(0.80f + lit, 0.68f + lit, 0.66f + lit * 0.8f, 1), cover * 0.85f);
    }
    c = ex_blend(c, ex_rgba(1, 0.97f, 0.88f, 1), ex_smooth(0.9965f, 0.9985f, s));
    if (up < 0.0f) {
        float ripple =
            ex_fbm(d.x / (0.15f - up) * 2.0f + 32.0f, d.z / (0.15f - up) * 2.0f + 32.0f, 64, 4, 3);
        struct ex_colour sand =
            ex_rgba(0.52f + 0.22f * ripple, 0.38f + 0.16f * ripple, 0.26f + 0.10f * ripple, 1);
        c = ex_blend(c, sand, ex_smooth(0.0f, -0.08f, up));
    }
    return c;
}

static struct ex_colour copper_texel(float u, float v, void *ctx)
{
    float patina = ex_smooth(0.56f, 0.72f, ex_fbm(u * 6.0f, v * 6.0f, 6, 5, 17));
    float grain = ex_fbm(u * 48.0f, v * 48.0f, 48, 2, 5);
    struct ex_colour c =
        ex_blend(ex_rgba(0.62f, 0.30f, 0.16f, 1.0f), ex_rgba(0.78f, 0.44f, 0.26f, 1.0f), grain);

    (void)ctx;
    return ex_blend(c, ex_rgba(0.22f, 0.50f, 0.44f, 0.25f), patina * 0.8f);
}

/* Hammered metal: distance to the nearest of scattered points. */
static struct ex_colour dents(float u, float v, void *ctx)
{
    int n = 12, ix = (int)(u * (float)n), iy = (int)(v * (float)n);
    float best = 9.0f;

    (void)ctx;
    for (int j = -1; j <= 1; j++) {
        for (int i = -1; i <= 1; i++) {
            uint32_t h = ex_hash((uint32_t)((ix + i + n) % n), (uint32_t)((iy + j + n) % n));
            float px = (float)(ix + i) + 0.2f + 0.6f * (float)(h & 255) / 255.0f;
            float py = (float)(iy + j) + 0.2f + 0.6f * (float)(h >> 8 & 255) / 255.0f;
            float dx = u * (float)n - px, dy = v * (float)n - py, d = dx * dx + dy * dy;
            best = d < best ? d : best;
        }
    }
    return ex_rgba(ex_clamp(best, 0.0f, 1.0f), 0, 0, 1);
}

/* Glazed tiles with eight-pointed stars. */
static float tile_star(float u, float v)
{
    float x = (u * 4.0f - ex_floor(u * 4.0f)) * 2.0f - 1.0f;
    float y = (v * 4.0f - ex_floor(v * 4.0f)) * 2.0f - 1.0f;
    float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, square = ax > ay ? ax : ay;
    float diamond = (ax + ay) * 0.7071f;

    return square < diamond ? square : diamond;
}

static struct ex_colour tile_height(float u, float v, void *ctx)
{
    float x = u * 4.0f - ex_floor(u * 4.0f), y = v * 4.0f - ex_floor(v * 4.0f);
    float edge =
        ex_smooth(0.0f, 0.03f, x < 0.5f ? x : 1 - x) * ex_smooth(0.0f, 0.03f, y < 0.5f ? y : 1 - y);
    float star = 1.0f - ex_smooth(0.62f, 0.66f, tile_star(u, v));

    (void)ctx;
    return ex_rgba(0.5f * edge + 0.25f * star + 0.06f * ex_fbm(u * 24.0f, v * 24.0f, 24, 3, 7), 0,
                   0, 1);
}

static struct ex_colour tile_texel(float u, float v, void *ctx)
{
    float x = u * 4.0f - ex_floor(u * 4.0f), y = v * 4.0f - ex_floor(v * 4.0f);
    float grout = 1.0f - ex_smooth(0.012f, 0.03f, x < 0.5f ? x : 1 - x) *
                             ex_smooth(0.012f, 0.03f, y < 0.5f ? y : 1 - y);
    float s = tile_star(u, v), cloud = ex_fbm(u * 8.0f, v * 8.0f, 8, 4, 29);
    struct ex_colour blue =
        ex_rgba(0.05f + 0.10f * cloud, 0.24f + 0.16f * cloud, 0.42f + 0.14f * cloud, 0.8f);
    struct ex_colour cream = ex_rgba(0.80f, 0.74f, 0.62f, 0.6f);
    struct ex_colour c = ex_blend(blue, cream, ex_smooth(0.62f, 0.64f, s));

    (void)ctx;
    c = ex_blend(c, ex_rgba(0.75f, 0.42f, 0.16f, 0.7f), 1.0f - ex_smooth(0.24f, 0.26f, s));
    c = ex_blend(c, cream, ex_smooth(0.54f, 0.55f, s) - ex_smooth(0.585f, 0.595f, s));
    return ex_blend(c, ex_rgba(0.33f, 0.29f, 0.25f, 0.05f), grout);
}

static struct ex_colour pearl_texel(float u, float v, void *ctx)
{
    float swirl = ex_fbm(u * 4.0f + ex_fbm(u * 4.0f, v * 4.0f, 4, 3, 2) * 2.0f, v * 4.0f, 4, 5, 8);

    (void)ctx;
    return ex_blend(ex_rgba(0.10f, 0.30f, 0.22f, 1), ex_rgba(0.55f, 0.78f, 0.52f, 0.9f),
                    ex_smooth(0.3f, 0.7f, swirl));
}

static struct ex_colour pearl_height(float u, float v, void *ctx)
{
    float rib = ex_sin((u * 10.0f + v * 6.0f) * 2.0f * EX_PI);

    (void)ctx;
    return ex_rgba(0.5f + 0.5f * rib, 0, 0, 1);
}

static struct ex_colour steel_texel(float u, float v, void *ctx)
{
    (void)u, (void)v, (void)ctx;
    return ex_rgba(0.05f, 0.05f, 0.06f, 1);
}

static struct ex_colour level(float u, float v, void *ctx)
{
    (void)ctx;
    return ex_rgba(0.02f * ex_fbm(u * 3.0f, v * 3.0f, 3, 2, 4), 0, 0, 1);
}

/* --- Set-up ----------------------------------------------------------------------------------- */

static void make_shaders(struct bump *s)
{
    IDirect3DDevice9 *device = s->app.device;

    ex_check(IDirect3DDevice9_CreateVertexShader(device, bump_vsh, &s->surface_vs), "bump.vsh");
    ex_check(IDirect3DDevice9_CreatePixelShader(device, bump_psh, &s->surface_ps), "bump.psh");
    ex_check(IDirect3DDevice9_CreateVertexShader(device, sky_vsh, &s->sky_vs), "sky.vsh");
    ex_check(IDirect3DDevice9_CreatePixelShader(device, sky_psh, &s->sky_ps), "sky.psh");
}

static void make_art(struct bump *s)
{
    struct ex_app *app = &s->app;

    s->copper = ex_texture(app, 256, copper_texel, NULL);
    s->hammered = ex_normal_map(app, 256, 0.035f, dents, NULL);
    s->tiles = ex_texture(app, 512, tile_texel, NULL);
    s->tile_bumps = ex_normal_map(app, 512, 0.012f, tile_height, NULL);
    s->pearl = ex_texture(app, 256, pearl_texel, NULL);
    s->pearl_bumps = ex_normal_map(app, 256, 0.02f, pearl_height, NULL);
    s->steel = ex_texture(app, 8, steel_texel, NULL);
    s->flat = ex_normal_map(app, 64, 0.02f, level, NULL);
    s->sky = ex_cube_texture(app, 256, sky_colour, NULL);
    ex_mesh_knot(&s->knot, 1.05f, 0.34f, 320, 36);
    ex_mesh_plane(&s->floor, 28.0f, -1.25f, 8, 14.0f);
    ex_mesh_sphere(&s->ball, 0.65f, 64, 32);
    ex_mesh_sphere(&s->dome, 1.0f, 24, 12);
    ex_mesh_upload(app, &s->knot);
    ex_mesh_upload(app, &s->floor);
    ex_mesh_upload(app, &s->ball);
    ex_mesh_upload(app, &s->dome);
    for (DWORD i = 0; i < 3; i++) {
        IDirect3DDevice9_SetSamplerState(app->device, i, D3DSAMP_MINFILTER,
                                         i < 2 ? D3DTEXF_ANISOTROPIC : D3DTEXF_LINEAR);
        IDirect3DDevice9_SetSamplerState(app->device, i, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
        IDirect3DDevice9_SetSamplerState(app->device, i, D3DSAMP_MIPFILTER, D3DTEXF_LINEAR);
        IDirect3DDevice9_SetSamplerState(app->device, i, D3DSAMP_MAXANISOTROPY, 8);
    }
    IDirect3DDevice9_SetTexture(app->device, 2, (IDirect3DBaseTexture9 *)s->sky);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void set_matrix(struct bump *s, UINT reg, const D3DMATRIX *m, UINT rows)
{
    D3DMATRIX t = ex_transpose(m);

    IDirect3DDevice9_SetVertexShaderConstantF(s->app.device, reg, &t.m[0][0], rows);
}

static void pixel_constant(struct bump *s, UINT reg, float x, float y, float z, float w)
{
    const float v[4] = {x, y, z, w};

    IDirect3DDevice9_SetPixelShaderConstantF(s->app.device, reg, v, 1);
}

static void draw_sky(struct bump *s, const D3DMATRIX *view, const D3DMATRIX *projection)
{
    D3DMATRIX turn = *view, m;

    turn.m[3][0] = turn.m[3][1] = turn.m[3][2] = 0.0f;
    m = ex_multiply(&turn, projection);
    set_matrix(s, 0, &m, 4);
    IDirect3DDevice9_SetVertexShader(s->app.device, s->sky_vs);
    IDirect3DDevice9_SetPixelShader(s->app.device, s->sky_ps);
    IDirect3DDevice9_SetRenderState(s->app.device, D3DRS_CULLMODE, D3DCULL_CW);
    IDirect3DDevice9_SetRenderState(s->app.device, D3DRS_ZWRITEENABLE, FALSE);
    ex_mesh_draw(&s->app, &s->dome);
    IDirect3DDevice9_SetRenderState(s->app.device, D3DRS_ZWRITEENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(s->app.device, D3DRS_CULLMODE, D3DCULL_CCW);
}

static void draw_surface(struct bump *s, const struct ex_mesh *mesh, D3DMATRIX world,
                         IDirect3DTexture9 *colour, IDirect3DTexture9 *normals,
                         struct finish finish)
{
    D3DMATRIX m = ex_multiply(&world, &s->view_projection);
    const float eye[4] = {s->eye.x, s->eye.y, s->eye.z, 1};

    set_matrix(s, 0, &m, 4);
    set_matrix(s, 4, &world, 3);
    IDirect3DDevice9_SetVertexShaderConstantF(s->app.device, 7, eye, 1);
    pixel_constant(s, 3, finish.mirror, finish.rim, finish.shine, finish.bumps);
    IDirect3DDevice9_SetTexture(s->app.device, 0, (IDirect3DBaseTexture9 *)colour);
    IDirect3DDevice9_SetTexture(s->app.device, 1, (IDirect3DBaseTexture9 *)normals);
    ex_mesh_draw(&s->app, mesh);
}

static void set_lights(struct bump *s)
{
    struct vec3 to_sun = ex_normalize(sun);
    float t = s->app.time;

    pixel_constant(s, 0, to_sun.x, to_sun.y, to_sun.z, 0);
    pixel_constant(s, 1, 1.10f, 0.86f, 0.60f, 0);
    pixel_constant(s, 2, 0.24f, 0.27f, 0.34f, 0);
    pixel_constant(s, 4, 2.4f * ex_cos(t * 1.1f), 0.1f + 0.5f * ex_sin(t * 0.9f),
                   2.4f * ex_sin(t * 1.1f), 0);
    pixel_constant(s, 5, 0.20f, 0.34f, 0.62f, 0);
}

static void draw_surfaces(struct bump *s)
{
    float t = s->app.time;
    D3DMATRIX turn = ex_rotation_y(t * 0.5f), tilt = ex_rotation_x(0.35f), move;

    IDirect3DDevice9_SetVertexShader(s->app.device, s->surface_vs);
    IDirect3DDevice9_SetPixelShader(s->app.device, s->surface_ps);
    set_lights(s);
    draw_surface(s, &s->floor, ex_identity(), s->tiles, s->tile_bumps,
                 (struct finish){0.10f, 0.75f, 60.0f, 1.0f});
    draw_surface(s, &s->knot, ex_multiply(&tilt, &turn), s->copper, s->hammered,
                 (struct finish){0.45f, 0.55f, 48.0f, 1.0f});
    for (int i = 0; i < 3; i++) {
        float a = 0.5f + t * 0.25f + (float)i * 2.0944f;
        move = ex_translation(3.0f * ex_cos(a), -0.6f, 3.0f * ex_sin(a));
        draw_surface(s, &s->ball, ex_multiply(&turn, &move), i == 1 ? s->pearl : s->steel,
                     i == 0 ? s->flat : s->pearl_bumps,
                     i == 1 ? (struct finish){0.12f, 0.6f, 90.0f, 1.0f}
                            : (struct finish){0.88f, 0.12f, 220.0f, i == 0 ? 1.0f : 0.35f});
    }
}

static void draw_frame(struct bump *s)
{
    float a = -0.5f + s->app.time * 0.16f;
    D3DMATRIX view, projection;

    s->eye = ex_vec3(6.4f * ex_sin(a), 2.1f, -6.4f * ex_cos(a));
    view = ex_look_at(s->eye, ex_vec3(0, -0.1f, 0), ex_vec3(0, 1, 0));
    projection = ex_perspective(0.46f, (float)s->app.width / (float)s->app.height, 0.1f, 100.0f);
    s->view_projection = ex_multiply(&view, &projection);
    ex_check(IDirect3DDevice9_BeginScene(s->app.device), "BeginScene");
    IDirect3DDevice9_Clear(s->app.device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    draw_surfaces(s);
    draw_sky(s, &view, &projection);
    ex_check(IDirect3DDevice9_EndScene(s->app.device), "EndScene");
}

static void free_all(struct bump *s)
{
    IDirect3DTexture9 *textures[] = {s->copper, s->hammered,    s->tiles, s->tile_bumps,
                                     s->pearl,  s->pearl_bumps, s->steel, s->flat};
    struct ex_mesh *meshes[] = {&s->knot, &s->floor, &s->ball, &s->dome};

    for (DWORD i = 0; i < 3; i++)
        IDirect3DDevice9_SetTexture(s->app.device, i, NULL);
    for (size_t i = 0; i < sizeof(textures) / sizeof(textures[0]); i++)
        IDirect3DTexture9_Release(textures[i]);
    for (size_t i = 0; i < sizeof(meshes) / sizeof(meshes[0]); i++)
        ex_mesh_free(meshes[i]);
    IDirect3DCubeTexture9_Release(s->sky);
    IDirect3DVertexShader9_Release(s->surface_vs);
    IDirect3DVertexShader9_Release(s->sky_vs);
    IDirect3DPixelShader9_Release(s->surface_ps);
    IDirect3DPixelShader9_Release(s->sky_ps);
}

int main(int argc, char **argv)
{
    static struct bump s;

    ex_open(&s.app, "bump: shader model 2", argc, argv);
    make_shaders(&s);
    make_art(&s);
    do {
        draw_frame(&s);
    } while (ex_next_frame(&s.app));
    free_all(&s);
    ex_close(&s.app);
    return 0;
}
