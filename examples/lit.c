/* Example of the fixed function: a courtyard at night with directional, point and spot lights, fog,
 * mipmapped textures, a sphere map, point sprites, blended shadows and glows. */
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 10, SPARKS = 220 };

struct spark {
    struct vec3 position;
    float size;
    uint32_t colour;
};

struct sprite {
    struct vec3 position;
    uint32_t colour;
    float u, v;
};

struct lit {
    struct ex_app app;
    IDirect3DTexture9 *cobble, *marble, *wood, *metal, *shine, *sky, *glow, *blob;
    struct ex_mesh ground, columns, pedestal, torus, crate, dome;
    struct vec3 eye, torch[2];
    D3DMATRIX view, projection;
};

/* --- Textures --------------------------------------------------------------------------------- */

/* Cobblestones in shifted rows. */
static struct ex_colour cobble_texel(float u, float v, void *ctx)
{
    float y = v * 8.0f, row = ex_floor(y), x = u * 8.0f + ((int)row & 1 ? 0.5f : 0.0f);
    float cx = x - ex_floor(x) - 0.5f, cy = y - row - 0.5f;
    uint32_t id = ex_hash((uint32_t)ex_floor(x) % 8u, (uint32_t)row);
    float d = cx * cx * cx * cx + cy * cy * cy * cy;
    float stone = 1.0f - ex_smooth(0.018f, 0.058f, d);
    float grain = ex_fbm(u * 32.0f, v * 32.0f, 32, 4, 5);
    float tone = 0.42f + 0.25f * (float)(id & 255) / 255.0f + 0.32f * (grain - 0.5f);

    (void)ctx;
    tone *= 0.80f + 0.35f * (0.5f - cy) * stone;
    return ex_blend(ex_rgba(0.13f, 0.12f, 0.10f, 1), ex_rgba(tone * 1.03f, tone, tone * 0.93f, 1),
                    stone);
}

static struct ex_colour marble_texel(float u, float v, void *ctx)
{
    float warp = ex_fbm(u * 4.0f, v * 4.0f, 4, 5, 21);
    float vein = ex_sin((u * 2.0f + warp * 2.4f) * 2.0f * EX_PI);
    float dark = ex_smooth(0.86f, 1.0f, vein);
    float tone = 0.82f + 0.16f * ex_fbm(u * 16.0f, v * 16.0f, 16, 3, 9);

    (void)ctx;
    return ex_blend(ex_rgba(tone, tone * 0.97f, tone * 0.90f, 1), ex_rgba(0.46f, 0.40f, 0.36f, 1),
                    dark * 0.7f);
}

/* Planks with grain in an iron frame. */
static struct ex_colour wood_texel(float u, float v, void *ctx)
{
    float plank = ex_floor(u * 5.0f), x = u * 5.0f - plank;
    float bend = ex_fbm(u * 6.0f + plank * 0.37f, v * 2.0f, 16, 3, 3 + (uint32_t)plank);
    float grain = 0.5f + 0.5f * ex_sin((x * 3.0f + bend * 5.0f) * 2.0f * EX_PI);
    float gap = ex_smooth(0.0f, 0.05f, x < 0.5f ? x : 1.0f - x);
    float edge = u < v ? u : v, other = 1.0f - u < 1.0f - v ? 1.0f - u : 1.0f - v;
    struct ex_colour wood =
        ex_blend(ex_rgba(0.36f, 0.20f, 0.09f, 1), ex_rgba(0.62f, 0.40f, 0.20f, 1), grain * 0.8f);

    (void)ctx;
    wood = ex_blend(ex_rgba(0.08f, 0.05f, 0.03f, 1), wood, gap);
    edge = edge < other ? edge : other;
    if (edge < 0.07f)
        return ex_blend(ex_rgba(0.12f, 0.12f, 0.13f, 1), ex_rgba(0.42f, 0.42f, 0.45f, 1),
                        ex_smooth(0.0f, 0.05f, edge));
    return wood;
}

static struct ex_colour metal_texel(float u, float v, void *ctx)
{
    float brushed = ex_fbm(u * 64.0f, v * 4.0f, 64, 3, 33);
    float ring = ex_smooth(0.02f, 0.06f, v * 2.0f - ex_floor(v * 2.0f));

    (void)ctx;
    return ex_blend(ex_rgba(0.25f, 0.12f, 0.04f, 1),
                    ex_rgba(0.95f * (0.7f + 0.3f * brushed), 0.66f * (0.7f + 0.3f * brushed),
                            0.26f * (0.6f + 0.4f * brushed), 1),
                    ring);
}

/* Sphere map: sky above, dark ground, two warm lamps. */
static struct ex_colour shine_texel(float u, float v, void *ctx)
{
    float x = u * 2.0f - 1.0f, y = 1.0f - v * 2.0f, r2 = x * x + y * y;
    float lamp1 = (x - 0.4f) * (x - 0.4f) + (y - 0.35f) * (y - 0.35f);
    float lamp2 = (x + 0.5f) * (x + 0.5f) + (y - 0.1f) * (y - 0.1f);
    float horizon = ex_smooth(-0.12f, 0.12f, y), streak = ex_fbm(u * 8.0f, v * 24.0f, 8, 3, 41);
    struct ex_colour c =
        ex_blend(ex_rgba(0.06f, 0.04f, 0.03f, 1), ex_rgba(0.16f, 0.24f, 0.42f, 1), horizon);

    (void)ctx;
    c = ex_blend(c, ex_rgba(1, 0.85f, 0.5f, 1), 1.0f - ex_smooth(0.0f, 0.10f, lamp1));
    c = ex_blend(c, ex_rgba(0.6f, 0.9f, 1, 1), 1.0f - ex_smooth(0.0f, 0.05f, lamp2));
    c.r += 0.15f * (streak - 0.5f);
    return ex_blend(c, ex_rgba(0.02f, 0.02f, 0.04f, 1), ex_smooth(0.7f, 1.0f, r2));
}

/* Stars, a band of haze and a moon; v 0 is the zenith, 0.5 the horizon. The dome repeats it
 * twice. */
static struct ex_colour sky_texel(float u, float v, void *ctx)
{
    float glow = ex_smooth(0.15f, 0.52f, v), cloud = ex_fbm(u * 12.0f, v * 10.0f, 12, 5, 77);
    struct ex_colour c =
        ex_blend(ex_rgba(0.015f, 0.02f, 0.07f, 1), ex_rgba(0.086f, 0.122f, 0.235f, 1), glow);
    uint32_t star = ex_hash((uint32_t)(u * 512.0f), (uint32_t)(v * 512.0f) + 999u);
    float du = (u - 0.72f) * 0.92f, dv = v - 0.37f, moon = du * du + dv * dv;

    (void)ctx;
    if (star % 331u == 0 && cloud < 0.56f && v < 0.48f)
        c = ex_blend(c, ex_rgba(0.9f, 0.92f, 1, 1), 0.25f + 0.75f * (float)(star >> 24) / 255.0f);
    c = ex_blend(c, ex_rgba(0.22f, 0.26f, 0.40f, 1), ex_smooth(0.5f, 0.8f, cloud) * 0.7f);
    c = ex_blend(c, ex_rgba(0.45f, 0.5f, 0.65f, 1), 0.5f * (1.0f - ex_smooth(0.0f, 0.02f, moon)));
    return ex_blend(c, ex_rgba(0.98f, 0.97f, 0.90f, 1), 1.0f - ex_smooth(0.0007f, 0.0009f, moon));
}

/* White that fades towards the edge, also in alpha. */
static struct ex_colour glow_texel(float u, float v, void *ctx)
{
    float x = u * 2.0f - 1.0f, y = v * 2.0f - 1.0f, r = sqrtf(x * x + y * y);
    float a = ex_clamp(1.0f - r, 0.0f, 1.0f);

    (void)ctx;
    a = a * a * (0.35f + 0.65f * a);
    return ex_rgba(a, a, a, a);
}

static struct ex_colour blob_texel(float u, float v, void *ctx)
{
    float x = u * 2.0f - 1.0f, y = v * 2.0f - 1.0f;

    (void)ctx;
    return ex_rgba(0, 0, 0, 0.75f * (1.0f - ex_smooth(0.25f, 1.0f, sqrtf(x * x + y * y))));
}

static void make_art(struct lit *s)
{
    struct ex_app *app = &s->app;

    s->cobble = ex_texture(app, 512, cobble_texel, NULL);
    s->marble = ex_texture(app, 256, marble_texel, NULL);
    s->wood = ex_texture(app, 256, wood_texel, NULL);
    s->metal = ex_texture(app, 256, metal_texel, NULL);
    s->shine = ex_texture(app, 256, shine_texel, NULL);
    s->sky = ex_texture(app, 1024, sky_texel, NULL);
    s->glow = ex_texture(app, 128, glow_texel, NULL);
    s->blob = ex_texture(app, 128, blob_texel, NULL);
    ex_mesh_plane(&s->ground, 22.0f, 0.0f, 110, 14.0f);
    for (int i = 0; i < COLUMNS; i++) {
        float a = (float)i * 2.0f * EX_PI / COLUMNS;
        ex_mesh_column(&s->columns, ex_vec3(7.0f * ex_cos(a), 0, 7.0f * ex_sin(a)), 0.42f, 4.6f,
                       24);
    }
    ex_mesh_box(&s->pedestal, ex_vec3(0, 0.15f, 0), ex_vec3(1.7f, 0.15f, 1.7f), 1.0f);
    ex_mesh_box(&s->pedestal, ex_vec3(0, 0.65f, 0), ex_vec3(0.75f, 0.35f, 0.75f), 1.0f);
    ex_mesh_torus(&s->torus, 0.95f, 0.36f, 72, 32);
    ex_mesh_box(&s->crate, ex_vec3(0, 0, 0), ex_vec3(0.5f, 0.5f, 0.5f), 1.0f);
    ex_mesh_sphere(&s->dome, 40.0f, 32, 16);
    ex_mesh_upload(app, &s->ground);
    ex_mesh_upload(app, &s->columns);
    ex_mesh_upload(app, &s->pedestal);
    ex_mesh_upload(app, &s->torus);
    ex_mesh_upload(app, &s->crate);
    ex_mesh_upload(app, &s->dome);
}

/* --- State ------------------------------------------------------------------------------------ */

static void set_state(struct lit *s, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice9_SetRenderState(s->app.device, state, value);
}

static void set_float_state(struct lit *s, D3DRENDERSTATETYPE state, float value)
{
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    set_state(s, state, bits);
}

static void set_stage(struct lit *s, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    IDirect3DDevice9_SetTextureStageState(s->app.device, stage, state, value);
}

static void set_world(struct lit *s, D3DMATRIX m)
{
    IDirect3DDevice9_SetTransform(s->app.device, D3DTS_WORLD, &m);
}

static void set_texture(struct lit *s, DWORD stage, IDirect3DTexture9 *texture)
{
    IDirect3DDevice9_SetTexture(s->app.device, stage, (IDirect3DBaseTexture9 *)texture);
}

static void set_material(struct lit *s, float diffuse, float specular, float power)
{
    D3DMATERIAL9 m;

    memset(&m, 0, sizeof(m));
    m.Diffuse = (D3DCOLORVALUE){diffuse, diffuse, diffuse, 1};
    m.Ambient = m.Diffuse;
    m.Specular = (D3DCOLORVALUE){specular, specular, specular, 1};
    m.Power = power;
    IDirect3DDevice9_SetMaterial(s->app.device, &m);
}

static D3DLIGHT9 light_of(D3DLIGHTTYPE type, float r, float g, float b)
{
    D3DLIGHT9 light;

    memset(&light, 0, sizeof(light));
    light.Type = type;
    light.Diffuse = (D3DCOLORVALUE){r, g, b, 1};
    light.Specular = light.Diffuse;
    light.Range = 100.0f;
    light.Attenuation0 = 1.0f;
    return light;
}

static D3DVECTOR vector_of(struct vec3 v)
{
    return (D3DVECTOR){v.x, v.y, v.z};
}

static void set_lights(struct lit *s)
{
    D3DLIGHT9 moon = light_of(D3DLIGHT_DIRECTIONAL, 0.20f, 0.27f, 0.46f), spot;
    float t = s->app.time;

    moon.Direction = (D3DVECTOR){0.55f, -0.6f, 0.58f};
    IDirect3DDevice9_SetLight(s->app.device, 0, &moon);
    for (int i = 0; i < 2; i++) {
        D3DLIGHT9 torch = i ? light_of(D3DLIGHT_POINT, 0.25f, 0.95f, 1.15f)
                            : light_of(D3DLIGHT_POINT, 1.9f, 0.95f, 0.32f);
        torch.Position = vector_of(s->torch[i]);
        torch.Range = 14.0f;
        torch.Attenuation0 = 0.4f;
        torch.Attenuation2 = 0.16f;
        IDirect3DDevice9_SetLight(s->app.device, 1 + (DWORD)i, &torch);
    }
    spot = light_of(D3DLIGHT_SPOT, 1.5f, 1.35f, 1.1f);
    spot.Position = (D3DVECTOR){0, 6.5f, 0};
    spot.Direction = (D3DVECTOR){0.25f * ex_sin(t * 0.7f), -1.0f, 0.25f * ex_cos(t * 0.7f)};
    spot.Theta = 0.50f;
    spot.Phi = 0.95f;
    spot.Falloff = 1.0f;
    IDirect3DDevice9_SetLight(s->app.device, 3, &spot);
    for (DWORD i = 0; i < 4; i++)
        IDirect3DDevice9_LightEnable(s->app.device, i, TRUE);
}

static void set_constant_state(struct lit *s)
{
    set_state(s, D3DRS_AMBIENT, 0xff181e30);
    set_state(s, D3DRS_NORMALIZENORMALS, TRUE);
    set_state(s, D3DRS_LOCALVIEWER, TRUE);
    set_state(s, D3DRS_FOGCOLOR, 0xff161f3c);
    set_state(s, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    set_float_state(s, D3DRS_FOGSTART, 9.0f);
    set_float_state(s, D3DRS_FOGEND, 27.0f);
    set_float_state(s, D3DRS_POINTSCALE_A, 0.0f);
    set_float_state(s, D3DRS_POINTSCALE_B, 0.0f);
    set_float_state(s, D3DRS_POINTSCALE_C, 1.0f);
    for (DWORD i = 0; i < 2; i++) {
        IDirect3DDevice9_SetSamplerState(s->app.device, i, D3DSAMP_MINFILTER, D3DTEXF_ANISOTROPIC);
        IDirect3DDevice9_SetSamplerState(s->app.device, i, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
        IDirect3DDevice9_SetSamplerState(s->app.device, i, D3DSAMP_MIPFILTER, D3DTEXF_LINEAR);
        IDirect3DDevice9_SetSamplerState(s->app.device, i, D3DSAMP_MAXANISOTROPY, 8);
    }
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void place_camera(struct lit *s)
{
    float t = s->app.time, a = 1.2f + t * 0.12f;

    s->eye = ex_vec3(6.3f * ex_cos(a), 2.4f + 0.5f * ex_sin(t * 0.3f), 6.3f * ex_sin(a));
    s->view = ex_look_at(s->eye, ex_vec3(0, 1.7f, 0), ex_vec3(0, 1, 0));
    s->projection = ex_perspective(0.60f, (float)s->app.width / (float)s->app.height, 0.2f, 60.0f);
    IDirect3DDevice9_SetTransform(s->app.device, D3DTS_VIEW, &s->view);
    IDirect3DDevice9_SetTransform(s->app.device, D3DTS_PROJECTION, &s->projection);
    for (int i = 0; i < 2; i++) {
        float b = t * (i ? -0.55f : 0.45f) + (float)i * 2.4f;
        s->torch[i] =
            ex_vec3(4.2f * ex_cos(b), 1.5f + 0.4f * ex_sin(t * 1.3f + (float)i), 4.2f * ex_sin(b));
    }
}

static void draw_sky(struct lit *s)
{
    set_state(s, D3DRS_LIGHTING, FALSE);
    set_state(s, D3DRS_FOGENABLE, FALSE);
    set_state(s, D3DRS_ZENABLE, FALSE);
    set_state(s, D3DRS_CULLMODE, D3DCULL_CW);
    set_texture(s, 0, s->sky);
    set_world(s, ex_translation(s->eye.x, 0, s->eye.z));
    ex_mesh_draw(&s->app, &s->dome);
    set_state(s, D3DRS_CULLMODE, D3DCULL_CCW);
    set_state(s, D3DRS_ZENABLE, TRUE);
    set_state(s, D3DRS_FOGENABLE, TRUE);
    set_state(s, D3DRS_LIGHTING, TRUE);
}

static void draw_crate(struct lit *s, float x, float y, float z, float turn)
{
    D3DMATRIX r = ex_rotation_y(turn), t = ex_translation(x, y, z);

    set_world(s, ex_multiply(&r, &t));
    ex_mesh_draw(&s->app, &s->crate);
}

static void draw_solids(struct lit *s)
{
    set_material(s, 1.0f, 0.25f, 20.0f);
    set_texture(s, 0, s->cobble);
    set_world(s, ex_identity());
    set_state(s, D3DRS_SPECULARENABLE, TRUE);
    ex_mesh_draw(&s->app, &s->ground);
    set_texture(s, 0, s->marble);
    ex_mesh_draw(&s->app, &s->columns);
    ex_mesh_draw(&s->app, &s->pedestal);
    set_material(s, 1.0f, 0.0f, 1.0f);
    set_texture(s, 0, s->wood);
    draw_crate(s, 2.7f, 0.5f, 2.3f, 0.4f);
    draw_crate(s, 3.6f, 0.5f, 1.6f, 1.2f);
    draw_crate(s, 3.15f, 1.5f, 1.95f, 0.8f);
    draw_crate(s, -2.6f, 0.5f, -3.0f, 0.2f);
}

/* Stage 0 gives the gold colour, stage 1 adds a sphere map reflection. */
static void draw_torus(struct lit *s)
{
    D3DMATRIX a = ex_rotation_x(1.1f + 0.25f * ex_sin(s->app.time)), b, c;

    b = ex_rotation_y(s->app.time * 0.9f);
    c = ex_multiply(&a, &b);
    b = ex_translation(0, 2.35f, 0);
    set_world(s, ex_multiply(&c, &b));
    set_material(s, 1.0f, 1.0f, 48.0f);
    set_texture(s, 0, s->metal);
    set_texture(s, 1, s->shine);
    set_stage(s, 1, D3DTSS_COLOROP, D3DTOP_ADD);
    set_stage(s, 1, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    set_stage(s, 1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_stage(s, 1, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_SPHEREMAP);
    ex_mesh_draw(&s->app, &s->torus);
    set_stage(s, 1, D3DTSS_COLOROP, D3DTOP_DISABLE);
    set_stage(s, 1, D3DTSS_TEXCOORDINDEX, 1);
    set_texture(s, 1, NULL);
    set_state(s, D3DRS_SPECULARENABLE, FALSE);
}

static void draw_sprites(struct lit *s, const struct sprite *v, UINT quads)
{
    struct sprite list[6 * 32];
    static const int corner[6] = {0, 1, 2, 1, 3, 2};

    for (UINT i = 0; i < quads * 6; i++)
        list[i] = v[i / 6 * 4 + (UINT)corner[i % 6]];
    IDirect3DDevice9_SetFVF(s->app.device, D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1);
    set_world(s, ex_identity());
    ex_check(IDirect3DDevice9_DrawPrimitiveUP(s->app.device, D3DPT_TRIANGLELIST, quads * 2, list,
                                              sizeof(list[0])),
             "DrawPrimitiveUP");
}

static void set_quad(struct sprite *v, struct vec3 centre, struct vec3 right, struct vec3 up,
                     uint32_t colour)
{
    for (int i = 0; i < 4; i++) {
        struct vec3 p = ex_add(centre, ex_scale(right, i & 1 ? 1.0f : -1.0f));
        v[i] = (struct sprite){ex_add(p, ex_scale(up, i & 2 ? -1.0f : 1.0f)), colour,
                               i & 1 ? 1.0f : 0.0f, i & 2 ? 1.0f : 0.0f};
    }
}

/* Dark discs slightly above the ground; a depth bias avoids z-fighting. */
static void draw_shadows(struct lit *s)
{
    static const float spot[][3] = {
        {0, 0, 2.7f}, {2.7f, 2.3f, 0.95f}, {3.6f, 1.6f, 0.95f}, {-2.6f, -3.0f, 0.95f}};
    struct sprite v[4 * (4 + COLUMNS)];
    int n = 0;

    for (int i = 0; i < 4 + COLUMNS; i++) {
        float a = (float)(i - 4) * 2.0f * EX_PI / COLUMNS;
        struct vec3 at = i < 4 ? ex_vec3(spot[i][0], 0.01f, spot[i][1])
                               : ex_vec3(7.0f * ex_cos(a), 0.01f, 7.0f * ex_sin(a));
        float r = i < 4 ? spot[i][2] : 1.0f;
        set_quad(v + 4 * n++, at, ex_vec3(r, 0, 0), ex_vec3(0, 0, r), 0xffffffff);
    }
    set_state(s, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    set_float_state(s, D3DRS_DEPTHBIAS, -0.00005f);
    set_texture(s, 0, s->blob);
    draw_sprites(s, v, (UINT)n);
    set_float_state(s, D3DRS_DEPTHBIAS, 0.0f);
}

/* Additive halos that face the camera. */
static void draw_glows(struct lit *s)
{
    struct vec3 right = {s->view.m[0][0], s->view.m[1][0], s->view.m[2][0]};
    struct vec3 up = {s->view.m[0][1], s->view.m[1][1], s->view.m[2][1]};
    struct sprite v[4 * 4];

    for (int i = 0; i < 2; i++) {
        set_quad(v + 8 * i, s->torch[i], ex_scale(right, 1.1f), ex_scale(up, 1.1f),
                 i ? 0xff1d7890 : 0xffa85a1c);
        set_quad(v + 8 * i + 4, s->torch[i], ex_scale(right, 0.28f), ex_scale(up, 0.28f),
                 0xffffffff);
    }
    set_state(s, D3DRS_SRCBLEND, D3DBLEND_ONE);
    set_state(s, D3DRS_DESTBLEND, D3DBLEND_ONE);
    set_texture(s, 0, s->glow);
    draw_sprites(s, v, 4);
}

/* Each spark rises from a torch and fades; its state depends on time alone. */
static void draw_sparks(struct lit *s)
{
    struct spark v[SPARKS];

    for (uint32_t i = 0; i < SPARKS; i++) {
        float life = s->app.time * (0.35f + 0.3f * ex_random(i)) + ex_random(i + 1000u);
        float age = life - ex_floor(life), spread = 0.15f + 0.5f * age;
        float a = 2.0f * EX_PI * ex_random(i + 2000u) + age * 3.0f;
        struct vec3 from = s->torch[i & 1];
        struct ex_colour c = i & 1 ? ex_rgba(0.25f, 0.75f, 1, 1) : ex_rgba(1, 0.55f, 0.15f, 1);

        v[i].position = ex_add(from, ex_vec3(spread * ex_cos(a) * ex_random(i + 3000u), age * 1.9f,
                                             spread * ex_sin(a) * ex_random(i + 4000u)));
        v[i].size = 0.05f * (1.0f - 0.6f * age);
        v[i].colour = ex_pack(ex_blend(c, ex_rgba(0, 0, 0, 1), age));
    }
    set_state(s, D3DRS_POINTSPRITEENABLE, TRUE);
    set_state(s, D3DRS_POINTSCALEENABLE, TRUE);
    IDirect3DDevice9_SetFVF(s->app.device, D3DFVF_XYZ | D3DFVF_PSIZE | D3DFVF_DIFFUSE);
    ex_check(
        IDirect3DDevice9_DrawPrimitiveUP(s->app.device, D3DPT_POINTLIST, SPARKS, v, sizeof(v[0])),
        "DrawPrimitiveUP");
    set_state(s, D3DRS_POINTSPRITEENABLE, FALSE);
    set_state(s, D3DRS_POINTSCALEENABLE, FALSE);
}

static void draw_blended(struct lit *s)
{
    set_state(s, D3DRS_LIGHTING, FALSE);
    set_state(s, D3DRS_ZWRITEENABLE, FALSE);
    set_state(s, D3DRS_ALPHABLENDENABLE, TRUE);
    set_state(s, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    set_state(s, D3DRS_CULLMODE, D3DCULL_NONE);
    draw_shadows(s);
    set_state(s, D3DRS_FOGENABLE, FALSE);
    draw_glows(s);
    draw_sparks(s);
    set_state(s, D3DRS_FOGENABLE, TRUE);
    set_state(s, D3DRS_CULLMODE, D3DCULL_CCW);
    set_state(s, D3DRS_ALPHABLENDENABLE, FALSE);
    set_state(s, D3DRS_ZWRITEENABLE, TRUE);
    set_state(s, D3DRS_LIGHTING, TRUE);
}

static void draw_frame(struct lit *s)
{
    ex_check(IDirect3DDevice9_BeginScene(s->app.device), "BeginScene");
    IDirect3DDevice9_Clear(s->app.device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff161f3c,
                           1.0f, 0);
    place_camera(s);
    set_lights(s);
    draw_sky(s);
    draw_solids(s);
    draw_torus(s);
    draw_blended(s);
    ex_check(IDirect3DDevice9_EndScene(s->app.device), "EndScene");
}

static void free_art(struct lit *s)
{
    IDirect3DTexture9 *textures[] = {s->cobble, s->marble, s->wood, s->metal,
                                     s->shine,  s->sky,    s->glow, s->blob};
    struct ex_mesh *meshes[] = {&s->ground, &s->columns, &s->pedestal,
                                &s->torus,  &s->crate,   &s->dome};

    for (size_t i = 0; i < sizeof(textures) / sizeof(textures[0]); i++)
        IDirect3DTexture9_Release(textures[i]);
    for (size_t i = 0; i < sizeof(meshes) / sizeof(meshes[0]); i++)
        ex_mesh_free(meshes[i]);
}

int main(int argc, char **argv)
{
    static struct lit s;

    ex_open(&s.app, "lit: the fixed function", argc, argv);
    make_art(&s);
    set_constant_state(&s);
    do {
        draw_frame(&s);
    } while (ex_next_frame(&s.app));
    set_texture(&s, 0, NULL);
    free_art(&s);
    ex_close(&s.app);
    return 0;
}
