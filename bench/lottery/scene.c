/* A scene of the lottery: creates the resources of a state, sets the state, draws frames, and reads
 * the targets. */
#include "lottery.h"

#include "lottery/arithmetic.psh.h"
#include "lottery/branch.psh.h"
#include "lottery/bump_1_1.psh.h"
#include "lottery/colour.psh.h"
#include "lottery/cube.psh.h"
#include "lottery/dependent_1_4.psh.h"
#include "lottery/depth.psh.h"
#include "lottery/gradients.psh.h"
#include "lottery/kill.psh.h"
#include "lottery/layers.psh.h"
#include "lottery/light.psh.h"
#include "lottery/loop.psh.h"
#include "lottery/projected.psh.h"
#include "lottery/targets_2.psh.h"
#include "lottery/targets_4.psh.h"
#include "lottery/tex_1_1.psh.h"
#include "lottery/texture.psh.h"
#include "lottery/vertex_1_1.vsh.h"
#include "lottery/vertex_2_0.vsh.h"
#include "lottery/vertex_3_0.vsh.h"
#include "lottery/volume.psh.h"

#include <stdlib.h>
#include <string.h>

#define VERTEX_FVF                                                                                 \
    (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX3 |                 \
     D3DFVF_TEXCOORDSIZE3(0) | D3DFVF_TEXCOORDSIZE3(1) | D3DFVF_TEXCOORDSIZE3(2))
#define SCREEN_FVF                                                                                 \
    (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX3 | D3DFVF_TEXCOORDSIZE3(0) |    \
     D3DFVF_TEXCOORDSIZE3(1) | D3DFVF_TEXCOORDSIZE3(2))

static const DWORD *const pixel_shaders[PS_COUNT] = {
    [PS_COLOUR] = colour_psh,
    [PS_TEXTURE] = texture_psh,
    [PS_TEX_1_1] = tex_1_1_psh,
    [PS_BUMP_1_1] = bump_1_1_psh,
    [PS_DEPENDENT_1_4] = dependent_1_4_psh,
    [PS_LAYERS] = layers_psh,
    [PS_LIGHT] = light_psh,
    [PS_KILL] = kill_psh,
    [PS_DEPTH] = depth_psh,
    [PS_CUBE] = cube_psh,
    [PS_VOLUME] = volume_psh,
    [PS_PROJECTED] = projected_psh,
    [PS_ARITHMETIC] = arithmetic_psh,
    [PS_TARGETS_2] = targets_2_psh,
    [PS_TARGETS_4] = targets_4_psh,
    [PS_BRANCH] = branch_psh,
    [PS_LOOP] = loop_psh,
    [PS_GRADIENTS] = gradients_psh,
};
static const DWORD *const vertex_shaders[] = {
    [VS_1_1] = vertex_1_1_vsh, [VS_2_0] = vertex_2_0_vsh, [VS_3_0] = vertex_3_0_vsh};

static D3DMATRIX projection(const struct lottery_state *s)
{
    return ex_perspective(LOTTERY_SLOPE, (float)s->width / (float)s->height, LOTTERY_NEAR,
                          LOTTERY_FAR);
}

/* --- Resources -------------------------------------------------------------------------------- */

static bool make_targets(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;
    IDirect3DDevice9 *d = scene->bench->app.device;

    for (DWORD i = 0; i < s->targets; i++)
        if (!bench_target(scene->bench, s->width, s->height, s->target, &scene->target[i]))
            return false;
    if (s->samples) {
        if (FAILED(IDirect3DDevice9_CreateRenderTarget(d, s->width, s->height, s->target,
                                                       (D3DMULTISAMPLE_TYPE)s->samples, 0, FALSE,
                                                       &scene->multisampled, NULL)))
            return false;
        bench_own(scene->bench, scene->multisampled);
    }
    if (s->depth != D3DFMT_UNKNOWN) {
        if (FAILED(IDirect3DDevice9_CreateDepthStencilSurface(
                d, s->width, s->height, s->depth, (D3DMULTISAMPLE_TYPE)s->samples, 0,
                s->depth != D3DFMT_D32F_LOCKABLE, &scene->depth, NULL)))
            return false;
        bench_own(scene->bench, scene->depth);
    }
    if (FAILED(IDirect3DDevice9_CreateOffscreenPlainSurface(
            d, s->width, s->height, s->target, D3DPOOL_SYSTEMMEM, &scene->readback, NULL)))
        return false;
    bench_own(scene->bench, scene->readback);
    return true;
}

/* Projects a vertex, as the device would. */
static struct lottery_screen_vertex project(const struct lottery_state *s,
                                            const struct lottery_vertex *v)
{
    struct lottery_screen_vertex to = {.diffuse = v->diffuse, .specular = v->specular};
    const float width = (float)s->width, height = (float)s->height;
    const float focus = height / (2.0f * LOTTERY_SLOPE);

    to.rhw = 1.0f / v->position.z;
    to.position =
        ex_vec3(width * 0.5f - 0.5f + v->position.x * focus * to.rhw,
                height * 0.5f - 0.5f - v->position.y * focus * to.rhw,
                LOTTERY_FAR / (LOTTERY_FAR - LOTTERY_NEAR) * (1.0f - LOTTERY_NEAR * to.rhw));
    memcpy(to.coordinates, v->coordinates, sizeof(to.coordinates));
    return to;
}

static void make_geometry(struct lottery_scene *scene)
{
    struct lottery_mesh mesh;
    struct lottery_screen_vertex *screen;

    lottery_make_mesh(scene->state, &mesh);
    scene->n_vertices = mesh.n_vertices;
    scene->n_indices = mesh.n_indices;
    scene->indices = bench_indices(scene->bench, mesh.indices,
                                   mesh.n_indices * sizeof(mesh.indices[0]), D3DFMT_INDEX16);
    if (scene->state->transformed) {
        screen = ex_alloc(mesh.n_vertices * sizeof(*screen));
        for (UINT i = 0; i < mesh.n_vertices; i++)
            screen[i] = project(scene->state, &mesh.vertices[i]);
        scene->stride = sizeof(*screen);
        scene->vertices = bench_vertices(scene->bench, screen, mesh.n_vertices * sizeof(*screen));
        free(screen);
    } else {
        scene->stride = sizeof(mesh.vertices[0]);
        scene->vertices =
            bench_vertices(scene->bench, mesh.vertices, mesh.n_vertices * sizeof(mesh.vertices[0]));
    }
    lottery_free_mesh(&mesh);
}

/* --- States ----------------------------------------------------------------------------------- */

/* All states that a seed may change are set for each seed. Reset is no way to the initial states:
 * DXVK 3.1 goes on adding specular colours that were enabled before it. */
static void set(struct lottery_scene *scene, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice9_SetRenderState(scene->bench->app.device, state, value);
}

static bool keeps_greater(DWORD function)
{
    return function == D3DCMP_GREATER || function == D3DCMP_GREATEREQUAL;
}

static void set_stencil(struct lottery_scene *scene)
{
    const struct lottery_stencil *front = &scene->state->stencil[0],
                                 *back = &scene->state->stencil[1];

    set(scene, D3DRS_STENCILENABLE, scene->state->stencil_test);
    set(scene, D3DRS_STENCILREF, 2);
    set(scene, D3DRS_STENCILFUNC, front->function);
    set(scene, D3DRS_STENCILFAIL, front->fail);
    set(scene, D3DRS_STENCILZFAIL, front->depth_fail);
    set(scene, D3DRS_STENCILPASS, front->pass);
    set(scene, D3DRS_TWOSIDEDSTENCILMODE, scene->state->two_sided);
    set(scene, D3DRS_CCW_STENCILFUNC, back->function);
    set(scene, D3DRS_CCW_STENCILFAIL, back->fail);
    set(scene, D3DRS_CCW_STENCILZFAIL, back->depth_fail);
    set(scene, D3DRS_CCW_STENCILPASS, back->pass);
}

static void set_tests(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;
    const float plane[4] = {0.6f, 0.8f, 0.0f, 0.2f};

    set(scene, D3DRS_ZENABLE, s->depth_test);
    set(scene, D3DRS_ZWRITEENABLE, s->depth_write);
    set(scene, D3DRS_ZFUNC, s->depth_function);
    set_stencil(scene);
    set(scene, D3DRS_ALPHATESTENABLE, s->alpha_test);
    set(scene, D3DRS_ALPHAFUNC, s->alpha_function);
    set(scene, D3DRS_ALPHAREF, s->alpha_reference);
    set(scene, D3DRS_DEPTHBIAS, bench_float(s->depth_bias ? -0.0001f : 0.0f));
    set(scene, D3DRS_SLOPESCALEDEPTHBIAS, bench_float(s->depth_bias ? -0.5f : 0.0f));
    IDirect3DDevice9_SetClipPlane(scene->bench->app.device, 0, plane);
    set(scene, D3DRS_CLIPPLANEENABLE, s->clip_plane);
}

static void set_output(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;
    static const D3DRENDERSTATETYPE masks[] = {D3DRS_COLORWRITEENABLE, D3DRS_COLORWRITEENABLE1,
                                               D3DRS_COLORWRITEENABLE2, D3DRS_COLORWRITEENABLE3};

    for (int i = 0; i < 4; i++)
        set(scene, masks[i], s->write_mask);
    set(scene, D3DRS_SRGBWRITEENABLE, s->srgb_write);
    set(scene, D3DRS_ALPHABLENDENABLE, s->blend);
    set(scene, D3DRS_SRCBLEND, s->source);
    set(scene, D3DRS_DESTBLEND, s->destination);
    set(scene, D3DRS_BLENDOP, s->op);
    set(scene, D3DRS_BLENDFACTOR, 0xa0c06080);
    set(scene, D3DRS_SEPARATEALPHABLENDENABLE, s->separate_alpha);
    set(scene, D3DRS_SRCBLENDALPHA, s->source_alpha);
    set(scene, D3DRS_DESTBLENDALPHA, s->destination_alpha);
    set(scene, D3DRS_BLENDOPALPHA, s->op_alpha);
}

static void set_fog(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;
    static const DWORD tables[] = {[FOG_NONE] = D3DFOG_NONE,
                                   [FOG_VERTEX] = D3DFOG_NONE,
                                   [FOG_TABLE_LINEAR] = D3DFOG_LINEAR,
                                   [FOG_TABLE_EXP] = D3DFOG_EXP,
                                   [FOG_TABLE_EXP2] = D3DFOG_EXP2};

    set(scene, D3DRS_FOGENABLE, s->fog != FOG_NONE);
    set(scene, D3DRS_FOGCOLOR, 0x00507090);
    /* Distances are those of the camera; of vertices in pixels, depths. */
    set(scene, D3DRS_FOGSTART, bench_float(s->transformed ? 0.5f : 2.0f));
    set(scene, D3DRS_FOGEND, bench_float(s->transformed ? 1.0f : 10.0f));
    set(scene, D3DRS_FOGDENSITY, bench_float(s->transformed ? 0.8f : 0.15f));
    set(scene, D3DRS_FOGTABLEMODE, tables[s->fog]);
    set(scene, D3DRS_FOGVERTEXMODE,
        s->fog == FOG_VERTEX && !s->transformed && s->vertex_shader == VS_NONE ? D3DFOG_LINEAR
                                                                               : D3DFOG_NONE);
}

/* Passes the vertex colour. */
static const struct lottery_stage untextured = {D3DTOP_SELECTARG1, D3DTA_DIFFUSE, D3DTA_CURRENT,
                                                D3DTOP_SELECTARG1};

static void set_stage(struct lottery_scene *scene, DWORD n, const struct lottery_stage *stage)
{
    IDirect3DDevice9 *d = scene->bench->app.device;

    IDirect3DDevice9_SetTextureStageState(d, n, D3DTSS_COLOROP, stage->op);
    IDirect3DDevice9_SetTextureStageState(d, n, D3DTSS_COLORARG1, stage->arg1);
    IDirect3DDevice9_SetTextureStageState(d, n, D3DTSS_COLORARG2, stage->arg2);
    IDirect3DDevice9_SetTextureStageState(d, n, D3DTSS_ALPHAOP, stage->alpha_op);
    IDirect3DDevice9_SetTextureStageState(d, n, D3DTSS_ALPHAARG1, stage->arg1);
    IDirect3DDevice9_SetTextureStageState(d, n, D3DTSS_ALPHAARG2, stage->arg2);
}

static void set_sampler(struct lottery_scene *scene, DWORD n)
{
    IDirect3DDevice9 *d = scene->bench->app.device;
    const struct lottery_texture *t = &scene->state->texture[n];
    bool aniso = t->filter == D3DTEXF_ANISOTROPIC;

    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_MINFILTER, t->filter);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_MAGFILTER, aniso ? D3DTEXF_LINEAR : t->filter);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_MIPFILTER, t->mip);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_MAXANISOTROPY, aniso ? t->anisotropy : 1);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_ADDRESSU, t->address);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_ADDRESSV, t->address);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_ADDRESSW, t->address);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_BORDERCOLOR, 0xff4080c0);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_SRGBTEXTURE, t->srgb);
    IDirect3DDevice9_SetSamplerState(d, n, D3DSAMP_MIPMAPLODBIAS, bench_float(t->bias));
}

static bool set_textures(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;

    for (DWORD i = 0; i < s->textures; i++) {
        IDirect3DBaseTexture9 *texture = lottery_make_texture(scene->bench, &s->texture[i], i);

        if (!texture)
            return false;
        IDirect3DDevice9_SetTexture(scene->bench->app.device, i, texture);
        set_sampler(scene, i);
        if (s->pixel_shader == PS_NONE)
            set_stage(scene, i, &s->stage[i]);
    }
    if (s->pixel_shader == PS_NONE && !s->textures)
        set_stage(scene, 0, &untextured);
    IDirect3DDevice9_SetTextureStageState(scene->bench->app.device, s->textures ? s->textures : 1,
                                          D3DTSS_COLOROP, D3DTOP_DISABLE);
    set(scene, D3DRS_TEXTUREFACTOR, 0xa080c0e0);
    return true;
}

static void set_lights(struct lottery_scene *scene)
{
    IDirect3DDevice9 *d = scene->bench->app.device;
    const D3DLIGHT9 lights[3] = {{.Type = D3DLIGHT_DIRECTIONAL,
                                  .Diffuse = {0.8f, 0.7f, 0.6f, 1.0f},
                                  .Specular = {0.5f, 0.5f, 0.5f, 1.0f},
                                  .Direction = {0.3f, -0.4f, 0.8660254f}},
                                 {.Type = D3DLIGHT_POINT,
                                  .Diffuse = {0.3f, 0.5f, 0.9f, 1.0f},
                                  .Position = {2.0f, 2.0f, 1.0f},
                                  .Range = 30.0f,
                                  .Attenuation1 = 0.2f},
                                 {.Type = D3DLIGHT_SPOT,
                                  .Diffuse = {0.9f, 0.4f, 0.3f, 1.0f},
                                  .Position = {-1.0f, 0.0f, -1.0f},
                                  .Direction = {0.1f, 0.0f, 0.9949874f},
                                  .Range = 30.0f,
                                  .Falloff = 1.0f,
                                  .Attenuation0 = 1.0f,
                                  .Theta = 0.3f,
                                  .Phi = 0.9f}};
    const D3DMATERIAL9 material = {.Diffuse = {1.0f, 1.0f, 1.0f, 1.0f},
                                   .Ambient = {1.0f, 1.0f, 1.0f, 1.0f},
                                   .Specular = {0.6f, 0.6f, 0.6f, 1.0f},
                                   .Power = 12.0f};

    set(scene, D3DRS_LIGHTING, scene->state->lights > 0);
    set(scene, D3DRS_AMBIENT, 0xff303038);
    IDirect3DDevice9_SetMaterial(d, &material);
    for (DWORD i = 0; i < 3; i++) {
        IDirect3DDevice9_SetLight(d, i, &lights[i]);
        IDirect3DDevice9_LightEnable(d, i, i < scene->state->lights);
    }
}

/* Vertex constants: c0-3 projection, c4 direction to the light, c5 (fog scale, fog offset, ambient,
 * 1). Pixel constants differ by seed. */
static void set_shaders(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;
    IDirect3DDevice9 *d = scene->bench->app.device;
    D3DMATRIX matrix = projection(s);
    const float vertex[2][4] = {{-0.3f, 0.4f, -0.8660254f, 0.0f}, {-0.125f, 1.25f, 0.3f, 1.0f}};
    float pixel[4][4];

    bench_shaders(scene->bench, vertex_shaders[s->vertex_shader], pixel_shaders[s->pixel_shader]);
    bench_vs_matrix(scene->bench, 0, &matrix, 4);
    IDirect3DDevice9_SetVertexShaderConstantF(d, 4, vertex[0], 2);
    for (unsigned i = 0; i < 16; i++)
        pixel[i / 4][i % 4] = 0.1f + 0.8f * (float)lottery_lot(s->seed + i, "constant", 256) / 255;
    IDirect3DDevice9_SetPixelShaderConstantF(d, 0, pixel[0], 4);
    IDirect3DDevice9_SetTransform(d, D3DTS_PROJECTION, &matrix);
    set(scene, D3DRS_SPECULARENABLE, s->specular);
    set(scene, D3DRS_SHADEMODE, s->flat ? D3DSHADE_FLAT : D3DSHADE_GOURAUD);
    set(scene, D3DRS_CULLMODE, s->cull ? D3DCULL_CCW : D3DCULL_NONE);
}

static void bind(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;
    const RECT inner = {40, 30, (LONG)s->width - 50, (LONG)s->height - 20};
    IDirect3DDevice9 *d = scene->bench->app.device;

    ex_check(IDirect3DDevice9_SetRenderTarget(
                 d, 0, scene->multisampled ? scene->multisampled : scene->target[0]),
             "SetRenderTarget");
    for (DWORD i = 1; i < LOTTERY_TARGETS; i++)
        ex_check(IDirect3DDevice9_SetRenderTarget(d, i, scene->target[i]), "SetRenderTarget");
    ex_check(IDirect3DDevice9_SetDepthStencilSurface(d, scene->depth), "SetDepthStencilSurface");
    set(scene, D3DRS_SCISSORTESTENABLE, s->scissor);
    IDirect3DDevice9_SetScissorRect(d, &inner);
    IDirect3DDevice9_SetStreamSource(d, 0, scene->vertices, 0, scene->stride);
    IDirect3DDevice9_SetIndices(d, scene->indices);
    IDirect3DDevice9_SetFVF(d, s->transformed ? SCREEN_FVF : VERTEX_FVF);
}

bool lottery_begin(struct lottery_scene *scene, struct bench *bench,
                   const struct lottery_state *state)
{
    memset(scene, 0, sizeof(*scene));
    scene->bench = bench;
    scene->state = state;
    bench->refusal = lottery_refusal(bench, state);
    if (bench->refusal)
        return false;
    if (!make_targets(scene)) {
        bench->refusal = "creation of a resource";
        return false;
    }
    return lottery_change(scene, state);
}

bool lottery_change(struct lottery_scene *scene, const struct lottery_state *state)
{
    scene->state = state;
    if (!set_textures(scene)) {
        scene->bench->refusal = "creation of a resource";
        return false;
    }
    make_geometry(scene);
    set_tests(scene);
    set_output(scene);
    set_fog(scene);
    set_lights(scene);
    set_shaders(scene);
    bind(scene);
    return true;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static void clear(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;
    DWORD flags = D3DCLEAR_TARGET;

    if (s->depth != D3DFMT_UNKNOWN)
        flags |= D3DCLEAR_ZBUFFER;
    if (s->depth == D3DFMT_D24S8 || s->depth == D3DFMT_D24FS8)
        flags |= D3DCLEAR_STENCIL;
    /* Channels of 0 and 1 are the same whether a device converts the colour of a clear to sRGB or
     * not. */
    ex_check(IDirect3DDevice9_Clear(scene->bench->app.device, 0, NULL, flags,
                                    s->srgb_write ? 0x800000ff : 0x80304050,
                                    keeps_greater(s->depth_function) ? 0.0f : 1.0f, 2),
             "Clear");
}

static void draw(struct lottery_scene *scene)
{
    UINT triangles = scene->n_indices / 3, draws = scene->state->draws;

    for (UINT i = 0; i < draws; i++) {
        UINT first = triangles * i / draws, end = triangles * (i + 1) / draws;

        ex_check(IDirect3DDevice9_DrawIndexedPrimitive(scene->bench->app.device, D3DPT_TRIANGLELIST,
                                                       0, 0, scene->n_vertices, 3 * first,
                                                       end - first),
                 "DrawIndexedPrimitive");
    }
}

void lottery_frame(struct lottery_scene *scene)
{
    IDirect3DDevice9 *d = scene->bench->app.device;

    ex_check(IDirect3DDevice9_BeginScene(d), "BeginScene");
    clear(scene);
    draw(scene);
    IDirect3DDevice9_EndScene(d);
    if (scene->multisampled)
        ex_check(IDirect3DDevice9_StretchRect(d, scene->multisampled, NULL, scene->target[0], NULL,
                                              D3DTEXF_NONE),
                 "StretchRect");
    ex_check(IDirect3DDevice9_Present(d, NULL, NULL, NULL, NULL), "Present");
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void read_target(struct lottery_scene *scene, DWORD n, D3DLOCKED_RECT *locked)
{
    ex_check(IDirect3DDevice9_GetRenderTargetData(scene->bench->app.device, scene->target[n],
                                                  scene->readback),
             "GetRenderTargetData");
    ex_check(IDirect3DSurface9_LockRect(scene->readback, locked, NULL, 0), "LockRect");
}

void lottery_wait(struct lottery_scene *scene)
{
    D3DLOCKED_RECT locked;

    read_target(scene, 0, &locked);
    IDirect3DSurface9_UnlockRect(scene->readback);
}

uint64_t lottery_hash(struct lottery_scene *scene)
{
    const struct lottery_state *s = scene->state;
    const unsigned bytes = s->width * lottery_pixel_bytes(s->target);
    uint64_t hash = 0xcbf29ce484222325u;
    D3DLOCKED_RECT locked;

    for (DWORD i = 0; i < s->targets; i++) {
        read_target(scene, i, &locked);
        for (DWORD y = 0; y < s->height; y++) {
            uint8_t *row = (uint8_t *)locked.pBits + (ptrdiff_t)y * locked.Pitch;

            lottery_clear_unused(s->target, row, s->width);
            for (unsigned x = 0; x < bytes; x++)
                hash = (hash ^ row[x]) * 0x100000001b3u;
        }
        IDirect3DSurface9_UnlockRect(scene->readback);
    }
    return hash;
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(ex_clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f);
}

void lottery_picture(struct lottery_scene *scene, const char *path)
{
    const D3DFORMAT format = scene->state->target;
    const int width = (int)scene->state->width, height = (int)scene->state->height;
    const unsigned bytes = lottery_pixel_bytes(format);
    uint8_t *rgb = ex_alloc((size_t)width * (size_t)height * 3), *to = rgb;
    D3DLOCKED_RECT locked;

    read_target(scene, 0, &locked);
    for (int y = 0; y < height; y++) {
        const uint8_t *row = (const uint8_t *)locked.pBits + (ptrdiff_t)y * locked.Pitch;

        for (int x = 0; x < width; x++, to += 3) {
            struct ex_colour c = lottery_unpack(format, row + (unsigned)x * bytes);

            to[0] = to_byte(c.r);
            to[1] = to_byte(c.g);
            to[2] = to_byte(c.b);
        }
    }
    IDirect3DSurface9_UnlockRect(scene->readback);
    bench_write_png(path, width, height, rgb);
    free(rgb);
}
