/* Example of deferred shading: three render targets, a shadow map, scissored lamp quads accumulated
 * in half floats, bloom and tone mapping. */
#include "common.h"

#include "shaders/blur.psh.h"
#include "shaders/bright.psh.h"
#include "shaders/gbuffer.psh.h"
#include "shaders/gbuffer.vsh.h"
#include "shaders/lamp.psh.h"
#include "shaders/quad.vsh.h"
#include "shaders/shadow.psh.h"
#include "shaders/shadow.vsh.h"
#include "shaders/sun.psh.h"
#include "shaders/tone.psh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAMPS = 28, SHADOW = 1024, COLUMNS = 16 };
#define FAR_AWAY 60.0f
#define SLOPE 0.56f

enum target_name { COLOUR, NORMAL, DISTANCE, LIGHT, BLOOM_A, BLOOM_B, SHADOW_MAP, TARGETS };

struct target {
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *surface;
    int width, height;
};

struct lamp {
    struct vec3 place;
    float range;
    struct ex_colour colour;
};

struct thing {
    const struct ex_mesh *mesh;
    IDirect3DTexture9 *texture;
    D3DMATRIX world;
    struct ex_colour tint; /* a: glow */
};

enum { SUN_PS, LAMP_PS, BRIGHT_PS, BLUR_PS, TONE_PS, GBUFFER_PS, SHADOW_PS, PIXEL_SHADERS };
enum { QUAD_VS, GBUFFER_VS, SHADOW_VS, VERTEX_SHADERS };

struct deferred {
    struct ex_app app;
    IDirect3DVertexShader9 *vs[VERTEX_SHADERS];
    IDirect3DPixelShader9 *ps[PIXEL_SHADERS];
    struct target target[TARGETS];
    IDirect3DSurface9 *back, *depth, *shadow_depth;
    IDirect3DTexture9 *marble, *stone, *plain;
    struct ex_mesh floor, column, knot, ball, box;
    struct lamp lamp[LAMPS];
    struct thing thing[COLUMNS + LAMPS + 16];
    int n_things;
    struct vec3 eye;
    D3DMATRIX view, projection, view_projection, sun;
};

/* --- Textures --------------------------------------------------------------------------------- */

static struct ex_colour marble_texel(float u, float v, void *ctx)
{
    int cell = ((int)(u * 2.0f) + (int)(v * 2.0f)) & 1;
    float warp = ex_fbm(u * 5.0f, v * 5.0f, 5, 5, cell ? 11u : 23u);
    float vein = ex_smooth(0.86f, 1.0f, ex_sin((u * 3.0f + v + warp * 2.2f) * 2.0f * EX_PI));
    float x = u * 2.0f - ex_floor(u * 2.0f), y = v * 2.0f - ex_floor(v * 2.0f);
    float seam = ex_smooth(0.0f, 0.012f, x < 0.5f ? x : 1 - x) *
                 ex_smooth(0.0f, 0.012f, y < 0.5f ? y : 1 - y);
    struct ex_colour c = cell ? ex_blend(ex_rgba(0.62f, 0.60f, 0.57f, 0.5f),
                                         ex_rgba(0.40f, 0.37f, 0.35f, 0.5f), vein)
                              : ex_blend(ex_rgba(0.06f, 0.06f, 0.07f, 0.7f),
                                         ex_rgba(0.45f, 0.42f, 0.36f, 0.7f), vein);

    (void)ctx;
    return ex_blend(ex_rgba(0.02f, 0.02f, 0.02f, 0), c, seam);
}

static struct ex_colour stone_texel(float u, float v, void *ctx)
{
    float t = 0.40f + 0.28f * ex_fbm(u * 8.0f, v * 8.0f, 8, 5, 3);
    float flute = 0.8f + 0.2f * ex_sin(u * 12.0f * 2.0f * EX_PI);

    (void)ctx;
    return ex_rgba(t * flute, t * 0.95f * flute, t * 0.86f * flute, 0.25f);
}

static struct ex_colour white_texel(float u, float v, void *ctx)
{
    (void)u, (void)v, (void)ctx;
    return ex_rgba(1, 1, 1, 0.9f);
}

/* --- Set-up ----------------------------------------------------------------------------------- */

static void make_shaders(struct deferred *s)
{
    static const struct {
        const DWORD *code;
        int slot;
    } vertex[] = {{quad_vsh, QUAD_VS}, {gbuffer_vsh, GBUFFER_VS}, {shadow_vsh, SHADOW_VS}},
      pixel[] = {{sun_psh, SUN_PS},      {lamp_psh, LAMP_PS}, {bright_psh, BRIGHT_PS},
                 {blur_psh, BLUR_PS},    {tone_psh, TONE_PS}, {gbuffer_psh, GBUFFER_PS},
                 {shadow_psh, SHADOW_PS}};

    for (size_t i = 0; i < sizeof(vertex) / sizeof(vertex[0]); i++)
        ex_check(IDirect3DDevice9_CreateVertexShader(s->app.device, vertex[i].code,
                                                     &s->vs[vertex[i].slot]),
                 "CreateVertexShader");
    for (size_t i = 0; i < sizeof(pixel) / sizeof(pixel[0]); i++)
        ex_check(
            IDirect3DDevice9_CreatePixelShader(s->app.device, pixel[i].code, &s->ps[pixel[i].slot]),
            "CreatePixelShader");
}

static void make_target(struct deferred *s, enum target_name name, int w, int h, D3DFORMAT format)
{
    struct target *t = &s->target[name];

    ex_check(IDirect3DDevice9_CreateTexture(s->app.device, (UINT)w, (UINT)h, 1,
                                            D3DUSAGE_RENDERTARGET, format, D3DPOOL_DEFAULT,
                                            &t->texture, NULL),
             "CreateTexture");
    ex_check(IDirect3DTexture9_GetSurfaceLevel(t->texture, 0, &t->surface), "GetSurfaceLevel");
    t->width = w;
    t->height = h;
}

static void make_targets(struct deferred *s)
{
    int w = s->app.width, h = s->app.height;

    make_target(s, COLOUR, w, h, D3DFMT_A8R8G8B8);
    make_target(s, NORMAL, w, h, D3DFMT_A8R8G8B8);
    make_target(s, DISTANCE, w, h, D3DFMT_R32F);
    make_target(s, LIGHT, w, h, D3DFMT_A16B16G16R16F);
    make_target(s, BLOOM_A, w / 4, h / 4, D3DFMT_A16B16G16R16F);
    make_target(s, BLOOM_B, w / 4, h / 4, D3DFMT_A16B16G16R16F);
    make_target(s, SHADOW_MAP, SHADOW, SHADOW, D3DFMT_R32F);
    ex_check(IDirect3DDevice9_CreateDepthStencilSurface(s->app.device, SHADOW, SHADOW, D3DFMT_D24S8,
                                                        D3DMULTISAMPLE_NONE, 0, TRUE,
                                                        &s->shadow_depth, NULL),
             "CreateDepthStencilSurface");
    ex_check(IDirect3DDevice9_GetRenderTarget(s->app.device, 0, &s->back), "GetRenderTarget");
    ex_check(IDirect3DDevice9_GetDepthStencilSurface(s->app.device, &s->depth),
             "GetDepthStencilSurface");
}

static void make_art(struct deferred *s)
{
    struct ex_app *app = &s->app;

    s->marble = ex_texture(app, 512, marble_texel, NULL);
    s->stone = ex_texture(app, 256, stone_texel, NULL);
    s->plain = ex_texture(app, 4, white_texel, NULL);
    ex_mesh_plane(&s->floor, 24.0f, 0.0f, 8, 12.0f);
    ex_mesh_column(&s->column, ex_vec3(0, 0, 0), 0.45f, 5.0f, 32);
    ex_mesh_box(&s->box, ex_vec3(0, 0.5f, 0), ex_vec3(0.5f, 0.5f, 0.5f), 0.5f);
    ex_mesh_knot(&s->knot, 1.1f, 0.30f, 240, 28);
    ex_mesh_sphere(&s->ball, 1.0f, 28, 14);
    ex_mesh_upload(app, &s->floor);
    ex_mesh_upload(app, &s->column);
    ex_mesh_upload(app, &s->box);
    ex_mesh_upload(app, &s->knot);
    ex_mesh_upload(app, &s->ball);
}

/* --- Scene ------------------------------------------------------------------------------------ */

static void add_thing(struct deferred *s, const struct ex_mesh *mesh, IDirect3DTexture9 *texture,
                      D3DMATRIX world, struct ex_colour tint)
{
    s->thing[s->n_things++] = (struct thing){mesh, texture, world, tint};
}

static struct ex_colour hue(float h)
{
    float r = 0.5f + 0.5f * ex_cos(h * 2 * EX_PI),
          g = 0.5f + 0.5f * ex_cos((h - 0.33f) * 2 * EX_PI);
    float b = 0.5f + 0.5f * ex_cos((h - 0.67f) * 2 * EX_PI);

    return ex_rgba(r * r, g * g * 0.8f, b * b, 1);
}

static void place_lamps(struct deferred *s)
{
    float t = s->app.time;

    for (uint32_t i = 0; i < LAMPS; i++) {
        struct lamp *l = &s->lamp[i];
        float r = 2.0f + 9.0f * ex_random(i + 10), speed = (0.2f + 0.3f * ex_random(i + 50));
        float a = 2 * EX_PI * ex_random(i + 90) + t * (i & 1 ? speed : -speed);
        D3DMATRIX size = ex_scaling(0.07f, 0.07f, 0.07f), move;

        l->place = ex_vec3(r * ex_cos(a),
                           0.35f + 1.5f * ex_random(i + 130) + 0.2f * ex_sin(t * 2 + (float)i),
                           r * ex_sin(a));
        l->range = 2.6f + 1.4f * ex_random(i + 170);
        l->colour = ex_blend(hue((float)i / LAMPS), ex_rgba(1, 0.9f, 0.8f, 1), 0.05f);
        move = ex_translation(l->place.x, l->place.y, l->place.z);
        add_thing(s, &s->ball, s->plain, ex_multiply(&size, &move),
                  ex_rgba(l->colour.r, l->colour.g, l->colour.b, 1));
    }
}

static void place_things(struct deferred *s)
{
    struct ex_colour white = ex_rgba(1, 1, 1, 0);
    D3DMATRIX turn = ex_rotation_y(s->app.time * 0.6f), lift = ex_translation(0, 2.55f, 0);

    s->n_things = 0;
    add_thing(s, &s->floor, s->marble, ex_identity(), white);
    for (int i = 0; i < COLUMNS; i++) {
        float a = (float)(i / 2) * 2 * EX_PI / (COLUMNS / 2), r = i & 1 ? 11.0f : 7.2f;
        add_thing(s, &s->column, s->stone, ex_translation(r * ex_cos(a), 0, r * ex_sin(a)), white);
    }
    for (int i = 0; i < 3; i++) {
        float side = 3.4f - 1.1f * (float)i;
        D3DMATRIX size = ex_scaling(side, 0.26f, side),
                  move = ex_translation(0, 0.26f * (float)i, 0);
        add_thing(s, &s->box, s->stone, ex_multiply(&size, &move), white);
    }
    add_thing(s, &s->knot, s->plain, ex_multiply(&turn, &lift), ex_rgba(0.86f, 0.62f, 0.34f, 0));
    place_lamps(s);
}

static void place_camera(struct deferred *s)
{
    float a = 0.35f + s->app.time * 0.13f;
    D3DMATRIX sun_view, sun_projection;

    s->eye = ex_vec3(6.2f * ex_sin(a), 2.5f + 0.5f * ex_sin(s->app.time * 0.4f), -6.2f * ex_cos(a));
    s->view = ex_look_at(s->eye, ex_vec3(0, 1.6f, 0), ex_vec3(0, 1, 0));
    s->projection =
        ex_perspective(SLOPE, (float)s->app.width / (float)s->app.height, 0.2f, FAR_AWAY);
    s->view_projection = ex_multiply(&s->view, &s->projection);
    sun_view = ex_look_at(ex_vec3(-14, 17, -9), ex_vec3(0, 0, 0), ex_vec3(0, 1, 0));
    sun_projection = ex_orthographic(27, 27, 1, 50);
    s->sun = ex_multiply(&sun_view, &sun_projection);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void vertex_matrix(struct deferred *s, UINT reg, const D3DMATRIX *m, UINT rows)
{
    D3DMATRIX t = ex_transpose(m);

    IDirect3DDevice9_SetVertexShaderConstantF(s->app.device, reg, &t.m[0][0], rows);
}

static void pixel_constant(struct deferred *s, UINT reg, float x, float y, float z, float w)
{
    const float v[4] = {x, y, z, w};

    IDirect3DDevice9_SetPixelShaderConstantF(s->app.device, reg, v, 1);
}

static void set_target(struct deferred *s, DWORD slot, const struct target *t)
{
    ex_check(IDirect3DDevice9_SetRenderTarget(s->app.device, slot, t ? t->surface : NULL),
             "SetRenderTarget");
}

static void set_texture(struct deferred *s, DWORD slot, IDirect3DTexture9 *texture,
                        D3DTEXTUREFILTERTYPE filter)
{
    IDirect3DDevice9 *device = s->app.device;
    bool mips = filter == D3DTEXF_ANISOTROPIC;

    IDirect3DDevice9_SetTexture(device, slot, (IDirect3DBaseTexture9 *)texture);
    IDirect3DDevice9_SetSamplerState(device, slot, D3DSAMP_MINFILTER, filter);
    IDirect3DDevice9_SetSamplerState(device, slot, D3DSAMP_MAGFILTER,
                                     mips ? D3DTEXF_LINEAR : filter);
    IDirect3DDevice9_SetSamplerState(device, slot, D3DSAMP_MIPFILTER,
                                     mips ? D3DTEXF_LINEAR : D3DTEXF_NONE);
    IDirect3DDevice9_SetSamplerState(device, slot, D3DSAMP_MAXANISOTROPY, 8);
    IDirect3DDevice9_SetSamplerState(device, slot, D3DSAMP_ADDRESSU,
                                     mips ? D3DTADDRESS_WRAP : D3DTADDRESS_CLAMP);
    IDirect3DDevice9_SetSamplerState(device, slot, D3DSAMP_ADDRESSV,
                                     mips ? D3DTADDRESS_WRAP : D3DTADDRESS_CLAMP);
}

static void draw_things(struct deferred *s, const D3DMATRIX *view_projection, bool shadow)
{
    for (int i = 0; i < s->n_things; i++) {
        const struct thing *t = &s->thing[i];
        D3DMATRIX m = ex_multiply(&t->world, view_projection);

        if (shadow && t->tint.a > 0.0f)
            continue; /* lamps cast no shadow */
        vertex_matrix(s, 0, &m, 4);
        vertex_matrix(s, 4, &t->world, 3);
        if (!shadow) {
            pixel_constant(s, 0, t->tint.r, t->tint.g, t->tint.b, t->tint.a);
            set_texture(s, 0, t->texture, D3DTEXF_ANISOTROPIC);
        }
        ex_mesh_draw(&s->app, t->mesh);
    }
}

static void draw_shadow_map(struct deferred *s)
{
    IDirect3DDevice9 *device = s->app.device;

    set_target(s, 0, &s->target[SHADOW_MAP]);
    IDirect3DDevice9_SetDepthStencilSurface(device, s->shadow_depth);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xffffffff, 1.0f,
                           0);
    IDirect3DDevice9_SetVertexShader(device, s->vs[SHADOW_VS]);
    IDirect3DDevice9_SetPixelShader(device, s->ps[SHADOW_PS]);
    draw_things(s, &s->sun, true);
}

/* One Clear covers all three targets; distance 0 marks the background. */
static void draw_surfaces(struct deferred *s)
{
    IDirect3DDevice9 *device = s->app.device;

    set_target(s, 0, &s->target[COLOUR]);
    set_target(s, 1, &s->target[NORMAL]);
    set_target(s, 2, &s->target[DISTANCE]);
    IDirect3DDevice9_SetDepthStencilSurface(device, s->depth);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    IDirect3DDevice9_SetVertexShader(device, s->vs[GBUFFER_VS]);
    IDirect3DDevice9_SetPixelShader(device, s->ps[GBUFFER_PS]);
    draw_things(s, &s->view_projection, false);
    set_target(s, 1, NULL);
    set_target(s, 2, NULL);
}

static void draw_quad(struct deferred *s, const struct target *to)
{
    static const float quad[4][5] = {
        {-1, 1, 0, 0, 0}, {1, 1, 0, 1, 0}, {-1, -1, 0, 0, 1}, {1, -1, 0, 1, 1}};
    int w = to ? to->width : s->app.width, h = to ? to->height : s->app.height;
    const float shift[4] = {-1.0f / (float)w, 1.0f / (float)h, 0, 0};

    IDirect3DDevice9_SetVertexShader(s->app.device, s->vs[QUAD_VS]);
    IDirect3DDevice9_SetVertexShaderConstantF(s->app.device, 0, shift, 1);
    IDirect3DDevice9_SetFVF(s->app.device, D3DFVF_XYZ | D3DFVF_TEX1);
    ex_check(IDirect3DDevice9_DrawPrimitiveUP(s->app.device, D3DPT_TRIANGLESTRIP, 2, quad,
                                              sizeof(quad[0])),
             "DrawPrimitiveUP");
}

static void set_rays(struct deferred *s)
{
    float aspect = (float)s->app.width / (float)s->app.height;
    const D3DMATRIX *v = &s->view;
    const float rays[3][4] = {
        {v->m[0][0] * SLOPE * aspect, v->m[1][0] * SLOPE * aspect, v->m[2][0] * SLOPE * aspect, 0},
        {v->m[0][1] * SLOPE, v->m[1][1] * SLOPE, v->m[2][1] * SLOPE, 0},
        {v->m[0][2], v->m[1][2], v->m[2][2], 0}};

    IDirect3DDevice9_SetVertexShaderConstantF(s->app.device, 1, &rays[0][0], 3);
    pixel_constant(s, 3, s->eye.x, s->eye.y, s->eye.z, 0);
    for (DWORD i = 0; i < 3; i++)
        set_texture(s, i, s->target[COLOUR + i].texture, D3DTEXF_POINT);
}

static void draw_sun(struct deferred *s)
{
    struct vec3 sun = ex_normalize(ex_vec3(-14, 17, -9));
    D3DMATRIX to_map = ex_identity(), m, t;

    to_map.m[0][0] = 0.5f;
    to_map.m[1][1] = -0.5f;
    to_map.m[3][0] = 0.5f + 0.5f / SHADOW;
    to_map.m[3][1] = 0.5f + 0.5f / SHADOW;
    m = ex_multiply(&s->sun, &to_map);
    t = ex_transpose(&m);
    pixel_constant(s, 0, sun.x, sun.y, sun.z, 0);
    pixel_constant(s, 1, 0.62f, 0.78f, 1.20f, 0);
    pixel_constant(s, 2, 0.035f, 0.045f, 0.085f, 0);
    IDirect3DDevice9_SetPixelShaderConstantF(s->app.device, 4, &t.m[0][0], 4);
    pixel_constant(s, 8, 1.0f / SHADOW, 0.0025f, 0.05f, 0);
    set_texture(s, 3, s->target[SHADOW_MAP].texture, D3DTEXF_POINT);
    IDirect3DDevice9_SetPixelShader(s->app.device, s->ps[SUN_PS]);
    draw_quad(s, NULL);
    set_texture(s, 3, NULL, D3DTEXF_POINT);
}

/* Screen rectangle that a lamp reaches; false: empty. */
static bool lamp_rect(const struct deferred *s, const struct lamp *l, RECT *rect)
{
    const D3DMATRIX *v = &s->view;
    struct vec3 p = l->place;
    float x = p.x * v->m[0][0] + p.y * v->m[1][0] + p.z * v->m[2][0] + v->m[3][0];
    float y = p.x * v->m[0][1] + p.y * v->m[1][1] + p.z * v->m[2][1] + v->m[3][1];
    float z = p.x * v->m[0][2] + p.y * v->m[1][2] + p.z * v->m[2][2] + v->m[3][2];
    float w = (float)s->app.width, h = (float)s->app.height, focus = h / (2.0f * SLOPE), r, cx, cy;

    if (z < -l->range)
        return false;
    *rect = (RECT){0, 0, s->app.width, s->app.height};
    if (z < l->range * 1.1f)
        return true; /* the camera may be inside */
    r = l->range * focus / sqrtf(z * z - l->range * l->range) * 1.15f;
    cx = w * 0.5f + x / z * focus;
    cy = h * 0.5f - y / z * focus;
    rect->left = (LONG)ex_clamp(cx - r, 0, w);
    rect->top = (LONG)ex_clamp(cy - r, 0, h);
    rect->right = (LONG)ex_clamp(cx + r + 1, 0, w);
    rect->bottom = (LONG)ex_clamp(cy + r + 1, 0, h);
    return rect->left < rect->right && rect->top < rect->bottom;
}

static void draw_lamps(struct deferred *s)
{
    IDirect3DDevice9 *device = s->app.device;
    RECT rect;

    IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHABLENDENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_SRCBLEND, D3DBLEND_ONE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_DESTBLEND, D3DBLEND_ONE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, TRUE);
    IDirect3DDevice9_SetPixelShader(device, s->ps[LAMP_PS]);
    for (int i = 0; i < LAMPS; i++) {
        const struct lamp *l = &s->lamp[i];

        if (!lamp_rect(s, l, &rect))
            continue;
        IDirect3DDevice9_SetScissorRect(device, &rect);
        pixel_constant(s, 0, l->place.x, l->place.y, l->place.z, 1.0f / l->range);
        pixel_constant(s, 1, l->colour.r * 2.6f, l->colour.g * 2.6f, l->colour.b * 2.6f, 0);
        draw_quad(s, NULL);
    }
    IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHABLENDENABLE, FALSE);
}

static void filter(struct deferred *s, int shader, const struct target *from,
                   const struct target *to)
{
    set_target(s, 0, to);
    set_texture(s, 0, from->texture, D3DTEXF_POINT);
    IDirect3DDevice9_SetPixelShader(s->app.device, s->ps[shader]);
    draw_quad(s, to);
}

static void draw_bloom(struct deferred *s)
{
    struct target *t = s->target;

    pixel_constant(s, 0, 0.9f, 0, 1.0f / (float)t[LIGHT].width, 1.0f / (float)t[LIGHT].height);
    filter(s, BRIGHT_PS, &t[LIGHT], &t[BLOOM_A]);
    for (int i = 0; i < 2; i++) {
        pixel_constant(s, 0, (1.0f + (float)i) / (float)t[BLOOM_A].width, 0, 0, 0);
        filter(s, BLUR_PS, &t[BLOOM_A], &t[BLOOM_B]);
        pixel_constant(s, 0, 0, (1.0f + (float)i) / (float)t[BLOOM_A].height, 0, 0);
        filter(s, BLUR_PS, &t[BLOOM_B], &t[BLOOM_A]);
    }
}

static void draw_frame(struct deferred *s)
{
    IDirect3DDevice9 *device = s->app.device;

    place_camera(s);
    place_things(s);
    ex_check(IDirect3DDevice9_BeginScene(device), "BeginScene");
    draw_shadow_map(s);
    draw_surfaces(s);
    set_target(s, 0, &s->target[LIGHT]);
    IDirect3DDevice9_SetDepthStencilSurface(device, NULL);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    set_rays(s);
    draw_sun(s);
    draw_lamps(s);
    for (DWORD i = 0; i < 3; i++)
        set_texture(s, i, NULL, D3DTEXF_POINT);
    draw_bloom(s);
    ex_check(IDirect3DDevice9_SetRenderTarget(device, 0, s->back), "SetRenderTarget");
    set_texture(s, 0, s->target[LIGHT].texture, D3DTEXF_POINT);
    set_texture(s, 1, s->target[BLOOM_A].texture, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetPixelShader(device, s->ps[TONE_PS]);
    draw_quad(s, NULL);
    set_texture(s, 0, NULL, D3DTEXF_POINT);
    set_texture(s, 1, NULL, D3DTEXF_POINT);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, TRUE);
    ex_check(IDirect3DDevice9_EndScene(device), "EndScene");
}

static void free_all(struct deferred *s)
{
    struct ex_mesh *meshes[] = {&s->floor, &s->column, &s->knot, &s->ball, &s->box};

    for (int i = 0; i < TARGETS; i++) {
        IDirect3DSurface9_Release(s->target[i].surface);
        IDirect3DTexture9_Release(s->target[i].texture);
    }
    for (int i = 0; i < VERTEX_SHADERS; i++)
        IDirect3DVertexShader9_Release(s->vs[i]);
    for (int i = 0; i < PIXEL_SHADERS; i++)
        IDirect3DPixelShader9_Release(s->ps[i]);
    for (size_t i = 0; i < sizeof(meshes) / sizeof(meshes[0]); i++)
        ex_mesh_free(meshes[i]);
    IDirect3DSurface9_Release(s->back);
    IDirect3DSurface9_Release(s->depth);
    IDirect3DSurface9_Release(s->shadow_depth);
    IDirect3DTexture9_Release(s->marble);
    IDirect3DTexture9_Release(s->stone);
    IDirect3DTexture9_Release(s->plain);
}

int main(int argc, char **argv)
{
    static struct deferred s;

    ex_open(&s.app, "deferred: many targets, many lamps", argc, argv);
    if (s.app.caps.NumSimultaneousRTs < 3 || s.app.caps.PixelShaderVersion < D3DPS_VERSION(3, 0)) {
        fprintf(stderr, "this example requires three render targets and shader model 3\n");
        return 1;
    }
    make_shaders(&s);
    make_targets(&s);
    make_art(&s);
    do {
        draw_frame(&s);
    } while (ex_next_frame(&s.app));
    free_all(&s);
    ex_close(&s.app);
    return 0;
}
