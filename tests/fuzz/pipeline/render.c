/* Draws a case of the pipeline fuzz through the Direct3D 9 API. */
#include "pipeline.h"

#include "util/alloc.h"
#include "vm/asm/asm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BACK_BUFFER = 16, MOST_POINTS = 200, QUERY_PATIENCE = 1000000 };

static void set(struct lottery_scene *scene, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice9_SetRenderState(scene->bench->app.device, state, value);
}

/* --- Shaders ---------------------------------------------------------------------------------- */

/* Binds a random shader; the library may refuse it, and the template stays. */
static bool bind_shader(struct lottery_scene *scene, const char *text, bool pixel)
{
    IDirect3DDevice9 *device = scene->bench->app.device;
    IDirect3DVertexShader9 *vs = NULL;
    IDirect3DPixelShader9 *ps = NULL;
    struct vm_error error;
    uint32_t *words;
    size_t n;
    HRESULT hr;

    if (vm_assemble(&words, &n, text, &error) != ST_OK) {
        printf("%s\n%s\n", error.text, text);
        return false;
    }
    hr = pixel ? IDirect3DDevice9_CreatePixelShader(device, (const DWORD *)words, &ps)
               : IDirect3DDevice9_CreateVertexShader(device, (const DWORD *)words, &vs);
    mem_free(words);
    if (FAILED(hr))
        return false;
    bench_own(scene->bench, pixel ? (void *)ps : (void *)vs);
    if (pixel)
        IDirect3DDevice9_SetPixelShader(device, ps);
    else
        IDirect3DDevice9_SetVertexShader(device, vs);
    return true;
}

static void bind_shaders(struct lottery_scene *scene, const struct pipeline_draw *d,
                         struct result *to)
{
    static char text[CASE_SHADER_TEXT];

    if (d->random_pixel_shader) {
        shader_pixel(text, d->state.seed, &d->state, case_colours(d));
        to->drawn_shaders++;
        to->refused_shaders += !bind_shader(scene, text, true);
    }
    if (d->random_vertex_shader) {
        shader_vertex(text, d->state.seed);
        to->drawn_shaders++;
        to->refused_shaders += !bind_shader(scene, text, false);
    }
}

/* --- States ----------------------------------------------------------------------------------- */

static void set_samplers(struct lottery_scene *scene, const struct pipeline_draw *d)
{
    IDirect3DDevice9 *device = scene->bench->app.device;

    for (DWORD n = 0; n < d->state.textures; n++) {
        for (DWORD i = 0; i < 3; i++)
            IDirect3DDevice9_SetSamplerState(device, n, D3DSAMP_ADDRESSU + i, d->address[n][i]);
        IDirect3DDevice9_SetSamplerState(device, n, D3DSAMP_MINFILTER, d->filters[n][0]);
        IDirect3DDevice9_SetSamplerState(device, n, D3DSAMP_MAGFILTER, d->filters[n][1]);
        IDirect3DDevice9_SetSamplerState(device, n, D3DSAMP_MIPFILTER, d->filters[n][2]);
        IDirect3DDevice9_SetSamplerState(device, n, D3DSAMP_MAXANISOTROPY,
                                         d->state.texture[n].anisotropy);
        IDirect3DDevice9_SetSamplerState(device, n, D3DSAMP_MAXMIPLEVEL, d->finest[n]);
        IDirect3DDevice9_SetSamplerState(device, n, D3DSAMP_BORDERCOLOR, d->border);
        IDirect3DDevice9_SetSamplerState(device, n, D3DSAMP_MIPMAPLODBIAS, bench_float(d->bias[n]));
    }
}

static void set_extras(struct lottery_scene *scene, const struct pipeline_draw *d)
{
    IDirect3DDevice9 *device = scene->bench->app.device;
    static const D3DRENDERSTATETYPE masks[] = {D3DRS_COLORWRITEENABLE, D3DRS_COLORWRITEENABLE1,
                                               D3DRS_COLORWRITEENABLE2, D3DRS_COLORWRITEENABLE3};

    for (unsigned i = 0; i < LOTTERY_TARGETS; i++)
        set(scene, masks[i], d->masks[i]);
    set(scene, D3DRS_FILLMODE, d->fill);
    set(scene, D3DRS_CULLMODE, d->cull);
    set(scene, D3DRS_STENCILREF, d->stencil_reference);
    set(scene, D3DRS_STENCILMASK, d->stencil_mask);
    set(scene, D3DRS_STENCILWRITEMASK, d->stencil_write_mask);
    set(scene, D3DRS_MULTISAMPLEMASK, d->sample_mask);
    set(scene, D3DRS_MULTISAMPLEANTIALIAS, d->each_sample);
    set(scene, D3DRS_ADAPTIVETESS_Y, d->transparency);
    set(scene, D3DRS_POINTSPRITEENABLE, d->sprites);
    set(scene, D3DRS_POINTSIZE, bench_float(d->point_size));
    set(scene, D3DRS_LASTPIXEL, d->last_pixel);
    set(scene, D3DRS_ANTIALIASEDLINEENABLE, d->antialiased_lines);
    if (d->state.depth_test)
        set(scene, D3DRS_ZENABLE, d->w_buffer ? D3DZB_USEW : D3DZB_TRUE);
    if (d->second[0])
        set(scene, D3DRS_SRCBLEND, d->second[0]);
    if (d->second[1])
        set(scene, D3DRS_DESTBLEND, d->second[1]);
    set(scene, D3DRS_DITHERENABLE, d->dithers);
    set(scene, D3DRS_DEPTHBIAS, bench_float(d->depth_bias));
    set(scene, D3DRS_SLOPESCALEDEPTHBIAS, bench_float(d->slope_bias));
    set(scene, D3DRS_ALPHAFUNC, d->alpha_function);
    set(scene, D3DRS_WRAP0, d->wrap);
    set(scene, D3DRS_FOGCOLOR, d->fog_colour);
    set(scene, D3DRS_TEXTUREFACTOR, d->factor);
    IDirect3DDevice9_SetViewport(device, &d->viewport);
    IDirect3DDevice9_SetScissorRect(device, &d->scissor);
    set_samplers(scene, d);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void clear(struct lottery_scene *scene, const struct pipeline_draw *d)
{
    for (unsigned i = 0; i < d->n_clears; i++)
        if (d->clear[i].flags)
            IDirect3DDevice9_Clear(scene->bench->app.device, !d->clear[i].whole,
                                   d->clear[i].whole ? NULL : &d->clear[i].rect, d->clear[i].flags,
                                   d->clear[i].colour, d->clear[i].depth, d->clear[i].stencil);
}

/* Indices of a primitive behind the first, and before it. */
static void index_counts(D3DPRIMITIVETYPE type, UINT *each, UINT *more)
{
    *each = type == D3DPT_TRIANGLELIST ? 3 : type == D3DPT_LINELIST ? 2 : 1;
    *more = type == D3DPT_LINESTRIP ? 1 : *each == 1 ? 2 : 0;
}

static void draw_primitives(struct lottery_scene *scene, const struct pipeline_draw *d)
{
    IDirect3DDevice9 *device = scene->bench->app.device;
    UINT each, more, n;

    if (tessellation_draw(scene, d))
        return;
    if (d->primitive == D3DPT_POINTLIST) {
        n = scene->n_vertices < MOST_POINTS ? scene->n_vertices : MOST_POINTS;
        IDirect3DDevice9_DrawPrimitive(device, D3DPT_POINTLIST, 0, n);
        return;
    }
    index_counts(d->primitive, &each, &more);
    n = scene->n_indices > more ? (scene->n_indices - more) / each : 0;
    for (UINT i = 0; i < d->calls; i++) {
        UINT first = n * i / d->calls, end = n * (i + 1) / d->calls;

        if (first < end)
            IDirect3DDevice9_DrawIndexedPrimitive(device, d->primitive, 0, 0, scene->n_vertices,
                                                  each * first, end - first);
    }
}

static IDirect3DQuery9 *make_query(struct lottery_scene *scene)
{
    IDirect3DQuery9 *query = NULL;

    ex_check(IDirect3DDevice9_CreateQuery(scene->bench->app.device, D3DQUERYTYPE_OCCLUSION, &query),
             "CreateQuery");
    bench_own(scene->bench, query);
    return query;
}

/* Returns the draw's query, or NULL. */
static IDirect3DQuery9 *draw(struct lottery_scene *scene, const struct pipeline_draw *d,
                             struct result *to)
{
    IDirect3DQuery9 *query = d->counts ? make_query(scene) : NULL;

    set_extras(scene, d);
    bind_shaders(scene, d, to);
    tessellation_set(scene, d);
    clear(scene, d);
    if (query)
        IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN);
    draw_primitives(scene, d);
    if (query)
        IDirect3DQuery9_Issue(query, D3DISSUE_END);
    return query;
}

static DWORD passed(IDirect3DQuery9 *query)
{
    DWORD n = 0;
    HRESULT hr = S_FALSE;

    for (unsigned i = 0; hr == S_FALSE && i < QUERY_PATIENCE; i++)
        hr = IDirect3DQuery9_GetData(query, &n, sizeof(n), D3DGETDATA_FLUSH);
    return hr == S_OK ? n : 0xdeadbeef;
}

/* Ends the renderer's scene: what it remembers of the targets goes into the next. */
static void flush(struct lottery_scene *scene)
{
    IDirect3DQuery9 *query = make_query(scene);

    IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN);
    IDirect3DQuery9_Issue(query, D3DISSUE_END);
    passed(query);
}

/* --- A case ----------------------------------------------------------------------------------- */

/* Puts levels of textures in the place of the lottery's targets: their neighbours in memory are the
 * other levels. */
static bool move_targets(struct lottery_scene *scene, const struct pipeline_case *c)
{
    const struct lottery_state *s = &c->draw[0].state;
    IDirect3DDevice9 *device = scene->bench->app.device;

    for (DWORD i = 0; c->level && i < s->targets; i++) {
        IDirect3DTexture9 *texture = NULL;

        if (FAILED(IDirect3DDevice9_CreateTexture(
                device, s->width << c->level, s->height << c->level, c->levels,
                D3DUSAGE_RENDERTARGET, s->target, D3DPOOL_DEFAULT, &texture, NULL)))
            return false;
        bench_own(scene->bench, texture);
        ex_check(IDirect3DTexture9_GetSurfaceLevel(texture, c->level, &scene->target[i]),
                 "GetSurfaceLevel");
        bench_own(scene->bench, scene->target[i]);
        if (!s->samples)
            ex_check(IDirect3DDevice9_SetRenderTarget(device, i, scene->target[i]),
                     "SetRenderTarget");
    }
    return true;
}

static void read_all(struct lottery_scene *scene, struct result *to)
{
    static const char *const names[LOTTERY_TARGETS] = {"target 0", "target 1", "target 2",
                                                       "target 3"};

    for (unsigned i = 0; i < LOTTERY_TARGETS; i++)
        if (scene->target[i])
            memory_read(scene->bench, scene->target[i], names[i], to);
    if (scene->multisampled)
        memory_read(scene->bench, scene->multisampled, "multisampled target", to);
    if (scene->depth)
        memory_read(scene->bench, scene->depth, "depth", to);
}

static void draw_all(struct bench *bench, const struct pipeline_case *c, unsigned n_draws,
                     struct result *to)
{
    IDirect3DQuery9 *query[CASE_DRAWS] = {NULL};
    struct lottery_scene scene;
    bool good = lottery_begin(&scene, bench, &c->draw[0].state) && move_targets(&scene, c);

    IDirect3DDevice9_BeginScene(bench->app.device);
    for (unsigned i = 0; good && i < n_draws; i++) {
        if (i) {
            bench->refusal = lottery_refusal(bench, &c->draw[i].state);
            good = !bench->refusal && lottery_change(&scene, &c->draw[i].state);
        }
        if (good && c->draw[i].flushes)
            flush(&scene);
        if (good)
            query[i] = draw(&scene, &c->draw[i], to);
    }
    IDirect3DDevice9_EndScene(bench->app.device);
    if (!good) {
        snprintf(to->refusal, sizeof(to->refusal), "%s",
                 bench->refusal ? bench->refusal : "creation of a level");
        return;
    }
    if (scene.multisampled)
        IDirect3DDevice9_StretchRect(bench->app.device, scene.multisampled, NULL, scene.target[0],
                                     NULL, D3DTEXF_NONE);
    for (unsigned i = 0; i < CASE_DRAWS; i++)
        to->passed[i] = query[i] ? passed(query[i]) : 0;
    read_all(&scene, to);
}

void render_case(const struct pipeline_case *c, unsigned n_draws, struct result *to)
{
    struct pipeline_case before;
    struct bench bench;

    bench_open(&bench, BACK_BUFFER, BACK_BUFFER, D3DFMT_UNKNOWN);
    if (c->before && !plain_way) {
        case_make(&before, c->before);
        memset(to, 0, offsetof(struct result, memory));
        draw_all(&bench, &before, before.n_draws, to);
        bench_release(&bench);
    }
    memset(to, 0, offsetof(struct result, memory));
    draw_all(&bench, c, n_draws, to);
    bench_release(&bench);
    bench_close(&bench);
    to->complete = true;
}
