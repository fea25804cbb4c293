/* A scene with a fault on purpose, for docs/tutorial-pixel.md: a torus stands behind a pane of glass,
 * and the part of it behind the glass is missing. `--fixed` draws it as it should be.
 *
 * `make tutorial-capture` records docs/captures/fault.trace from it. */
#include "common.h"

#include <string.h>

struct scene {
    struct ex_app app;
    struct ex_mesh ground, columns, torus, pane;
    IDirect3DTexture9 *tiles;
    bool fixed;
};

static struct ex_colour tile_texel(float u, float v, void *ctx)
{
    bool dark = ((int)(u * 8.0f) + (int)(v * 8.0f)) & 1;

    (void)ctx;
    return dark ? ex_rgba(0.46f, 0.42f, 0.38f, 1) : ex_rgba(0.78f, 0.74f, 0.66f, 1);
}

static void make_scene(struct scene *s)
{
    struct ex_app *app = &s->app;

    ex_mesh_plane(&s->ground, 12.0f, 0.0f, 6, 3.0f);
    for (int i = 0; i < 5; i++)
        ex_mesh_column(&s->columns, ex_vec3(2.4f * (float)(i - 2), 0, 4.0f), 0.3f, 3.2f, 12);
    ex_mesh_torus(&s->torus, 0.9f, 0.34f, 40, 16);
    ex_mesh_box(&s->pane, ex_vec3(0.75f, 1.25f, -1.6f), ex_vec3(0.8f, 1.25f, 0.03f), 1.0f);
    ex_mesh_upload(app, &s->ground);
    ex_mesh_upload(app, &s->columns);
    ex_mesh_upload(app, &s->torus);
    ex_mesh_upload(app, &s->pane);
    s->tiles = ex_texture(app, 64, tile_texel, NULL);
}

static void set_material(struct scene *s, struct ex_colour colour, float shine)
{
    const D3DMATERIAL9 material = {.Diffuse = {colour.r, colour.g, colour.b, colour.a},
                                   .Ambient = {colour.r, colour.g, colour.b, colour.a},
                                   .Specular = {shine, shine, shine, 0},
                                   .Power = 30.0f};

    IDirect3DDevice9_SetMaterial(s->app.device, &material);
}

static void set_light(struct scene *s)
{
    IDirect3DDevice9 *d = s->app.device;
    const D3DLIGHT9 light = {.Type = D3DLIGHT_DIRECTIONAL,
                             .Diffuse = {0.9f, 0.86f, 0.78f, 1},
                             .Specular = {1, 1, 1, 1},
                             .Direction = {0.5f, -0.8f, 0.6f}};

    IDirect3DDevice9_SetLight(d, 0, &light);
    IDirect3DDevice9_LightEnable(d, 0, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_AMBIENT, 0xff485060);
    IDirect3DDevice9_SetRenderState(d, D3DRS_SPECULARENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_NORMALIZENORMALS, TRUE);
}

static void set_world(struct scene *s, D3DMATRIX m)
{
    IDirect3DDevice9_SetTransform(s->app.device, D3DTS_WORLD, &m);
}

static void draw_ground(struct scene *s)
{
    IDirect3DDevice9 *d = s->app.device;

    D3DPERF_BeginEvent(0xffa08060, (const WCHAR *)u"ground");
    set_world(s, ex_identity());
    set_material(s, ex_rgba(1, 1, 1, 1), 0.0f);
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)s->tiles);
    ex_mesh_draw(&s->app, &s->ground);
    IDirect3DDevice9_SetTexture(d, 0, NULL);
    set_material(s, ex_rgba(0.82f, 0.80f, 0.76f, 1), 0.1f);
    ex_mesh_draw(&s->app, &s->columns);
    D3DPERF_EndEvent();
}

static void draw_torus(struct scene *s)
{
    D3DMATRIX turn = ex_rotation_x(1.1f), lift = ex_translation(0, 1.3f, 0.6f);

    D3DPERF_BeginEvent(0xffe0a020, (const WCHAR *)u"torus");
    set_world(s, ex_multiply(&turn, &lift));
    set_material(s, ex_rgba(0.95f, 0.55f, 0.10f, 1), 0.8f);
    ex_mesh_draw(&s->app, &s->torus);
    D3DPERF_EndEvent();
}

/* The fault: the glass writes depth, though what is behind it may come later. */
static void draw_glass(struct scene *s)
{
    IDirect3DDevice9 *d = s->app.device;

    D3DPERF_BeginEvent(0xff4080e0, (const WCHAR *)u"glass");
    set_world(s, ex_identity());
    set_material(s, ex_rgba(0.35f, 0.62f, 0.85f, 0.45f), 0.2f);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    IDirect3DDevice9_SetRenderState(d, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    if (s->fixed)
        IDirect3DDevice9_SetRenderState(d, D3DRS_ZWRITEENABLE, FALSE);
    ex_mesh_draw(&s->app, &s->pane);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZWRITEENABLE, TRUE);
    D3DPERF_EndEvent();
}

static void draw_frame(struct scene *s)
{
    IDirect3DDevice9 *d = s->app.device;
    float angle = 0.25f + 0.1f * s->app.time;
    D3DMATRIX view = ex_look_at(ex_vec3(-6.0f * ex_sin(angle), 2.3f, -6.0f * ex_cos(angle)),
                                ex_vec3(0, 1.15f, 0), ex_vec3(0, 1, 0));
    D3DMATRIX projection =
        ex_perspective(0.36f, (float)s->app.width / (float)s->app.height, 1.0f, 40.0f);

    ex_check(IDirect3DDevice9_BeginScene(d), "BeginScene");
    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff8fb4d8, 1.0f, 0);
    IDirect3DDevice9_SetTransform(d, D3DTS_VIEW, &view);
    IDirect3DDevice9_SetTransform(d, D3DTS_PROJECTION, &projection);
    IDirect3DDevice9_SetFVF(d, EX_VERTEX_FVF);
    set_light(s);
    draw_ground(s);
    if (s->fixed)
        draw_torus(s);
    draw_glass(s);
    if (!s->fixed)
        draw_torus(s);
    ex_check(IDirect3DDevice9_EndScene(d), "EndScene");
}

int main(int argc, char **argv)
{
    static struct scene s;

    if (argc > 1 && !strcmp(argv[argc - 1], "--fixed")) {
        s.fixed = true;
        argc--;
    }
    ex_open(&s.app, "fault: a torus behind glass", argc, argv);
    make_scene(&s);
    do
        draw_frame(&s);
    while (ex_next_frame(&s.app));
    ex_mesh_free(&s.ground);
    ex_mesh_free(&s.columns);
    ex_mesh_free(&s.torus);
    ex_mesh_free(&s.pane);
    IDirect3DTexture9_Release(s.tiles);
    ex_close(&s.app);
    return 0;
}
