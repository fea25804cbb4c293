/* Example of shader model 3: an island from a vertex texture, ground of summed noise octaves, water
 * with ray-marched reflections, and clouds. */
#include "common.h"

#include "shaders/clouds.psh.h"
#include "shaders/clouds.vsh.h"
#include "shaders/land.psh.h"
#include "shaders/land.vsh.h"
#include "shaders/water.psh.h"
#include "shaders/water.vsh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP = 256 };
#define LAND_SIZE 64.0f
#define LAND_HEIGHT 21.0f

struct program {
    IDirect3DVertexShader9 *vs;
    IDirect3DPixelShader9 *ps;
};

struct procedural {
    struct ex_app app;
    struct program land, water, clouds;
    IDirect3DTexture9 *noise, *heights;
    struct ex_mesh grid, sea, dome;
    struct vec3 eye;
};

/* --- Textures --------------------------------------------------------------------------------- */

/* Ridged noise: folded at its middle, so that valleys become crests. */
static float ridges(float x, float y)
{
    float sum = 0.0f, weight = 0.5f, carry = 1.0f;

    for (uint32_t i = 0; i < 7; i++) {
        float n = ex_noise(x, y, 64 << i, 300 + i) * 2.0f - 1.0f;
        n = 1.0f - (n < 0.0f ? -n : n);
        n = n * n * carry;
        carry = ex_clamp(n * 1.6f, 0.0f, 1.0f);
        sum += n * weight;
        weight *= 0.5f;
        x *= 2.0f;
        y *= 2.0f;
    }
    return sum;
}

/* Land above 0: one mountain off the centre, hills, a bay. */
static float land_height(float u, float v)
{
    float x = u * 2.0f - 1.0f, y = v * 2.0f - 1.0f, r = sqrtf(x * x + y * y);
    float px = x - 0.12f, py = y - 0.16f,
          peak = 1.0f - ex_smooth(0.0f, 0.75f, sqrtf(px * px + py * py));
    float bx = x + 0.25f, by = y + 0.45f,
          bay = 1.0f - ex_smooth(0.10f, 0.42f, sqrtf(bx * bx + by * by));
    float shore = 0.30f * (ex_fbm(u * 5.0f + 9.0f, v * 5.0f, 64, 5, 90) - 0.5f);
    float h = 0.16f * (1.0f - ex_smooth(0.45f, 0.95f, r + shore)) - 0.06f;

    h += (ridges(u * 3.0f + 4.0f, v * 3.0f + 2.0f) - 0.18f) * (0.10f + 0.95f * peak * peak) *
         (1.0f - ex_smooth(0.55f, 0.95f, r));
    h = ex_mix(h, -0.05f, bay * 0.9f);
    return ex_clamp(h, -0.08f, 1.0f);
}

static struct ex_colour noise_texel(float u, float v, void *ctx)
{
    (void)ctx;
    return ex_rgba(ex_noise(u * 32.0f, v * 32.0f, 32, 1), ex_noise(u * 32.0f, v * 32.0f, 32, 51),
                   ex_noise(u * 32.0f, v * 32.0f, 32, 101),
                   ex_noise(u * 32.0f, v * 32.0f, 32, 151));
}

static void make_heights(struct procedural *s)
{
    D3DLOCKED_RECT locked;

    ex_check(IDirect3DDevice9_CreateTexture(s->app.device, MAP, MAP, 1, 0, D3DFMT_R32F,
                                            D3DPOOL_MANAGED, &s->heights, NULL),
             "CreateTexture");
    ex_check(IDirect3DTexture9_LockRect(s->heights, 0, &locked, NULL, 0), "LockRect");
    for (int y = 0; y < MAP; y++) {
        for (int x = 0; x < MAP; x++) {
            float h = land_height((float)x / (MAP - 1), (float)y / (MAP - 1));
            memcpy((char *)locked.pBits + y * locked.Pitch + x * 4, &h, 4);
        }
    }
    IDirect3DTexture9_UnlockRect(s->heights, 0);
}

static void make_program(struct procedural *s, struct program *p, const DWORD *vs, const DWORD *ps,
                         const char *name)
{
    ex_check(IDirect3DDevice9_CreateVertexShader(s->app.device, vs, &p->vs), name);
    ex_check(IDirect3DDevice9_CreatePixelShader(s->app.device, ps, &p->ps), name);
}

static void make_all(struct procedural *s)
{
    struct ex_app *app = &s->app;

    if (app->caps.PixelShaderVersion < D3DPS_VERSION(3, 0)) {
        fprintf(stderr, "this example requires shader model 3\n");
        exit(1);
    }
    make_program(s, &s->land, land_vsh, land_psh, "land");
    make_program(s, &s->water, water_vsh, water_psh, "water");
    make_program(s, &s->clouds, clouds_vsh, clouds_psh, "clouds");
    s->noise = ex_texture(app, 256, noise_texel, NULL);
    make_heights(s);
    ex_mesh_plane(&s->grid, 0.5f, 0.0f, MAP - 1, 1.0f);
    ex_mesh_plane(&s->sea, 0.5f, 0.0f, 16, 1.0f);
    ex_mesh_sphere(&s->dome, 1.0f, 32, 16);
    ex_mesh_upload(app, &s->grid);
    ex_mesh_upload(app, &s->sea);
    ex_mesh_upload(app, &s->dome);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void set_sampler(struct procedural *s, DWORD sampler, IDirect3DTexture9 *texture,
                        D3DTEXTUREFILTERTYPE filter, D3DTEXTUREADDRESS address)
{
    IDirect3DDevice9 *device = s->app.device;

    IDirect3DDevice9_SetTexture(device, sampler, (IDirect3DBaseTexture9 *)texture);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_MINFILTER, filter);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_MAGFILTER, filter);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_MIPFILTER,
                                     filter == D3DTEXF_LINEAR ? D3DTEXF_LINEAR : D3DTEXF_NONE);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_ADDRESSU, address);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_ADDRESSV, address);
}

static void vertex_constant(struct procedural *s, UINT reg, float x, float y, float z, float w)
{
    const float v[4] = {x, y, z, w};

    IDirect3DDevice9_SetVertexShaderConstantF(s->app.device, reg, v, 1);
}

static void pixel_constant(struct procedural *s, UINT reg, float x, float y, float z, float w)
{
    const float v[4] = {x, y, z, w};

    IDirect3DDevice9_SetPixelShaderConstantF(s->app.device, reg, v, 1);
}

static void use(struct procedural *s, const struct program *p, const D3DMATRIX *m)
{
    D3DMATRIX t = ex_transpose(m);

    IDirect3DDevice9_SetVertexShader(s->app.device, p->vs);
    IDirect3DDevice9_SetPixelShader(s->app.device, p->ps);
    IDirect3DDevice9_SetVertexShaderConstantF(s->app.device, 0, &t.m[0][0], 4);
}

static void set_air(struct procedural *s)
{
    struct vec3 sun = ex_normalize(ex_vec3(-0.62f, 0.30f, 0.60f));

    pixel_constant(s, 0, sun.x, sun.y, sun.z, 0);
    pixel_constant(s, 1, 1.28f, 1.02f, 0.72f, 0);
    pixel_constant(s, 2, 0.26f, 0.34f, 0.50f, 0);
    pixel_constant(s, 3, s->eye.x, s->eye.y, s->eye.z, 0);
    pixel_constant(s, 4, 0.80f, 0.76f, 0.72f, 0.0062f);
    pixel_constant(s, 5, s->app.time, 1.0f / LAND_SIZE, 1.0f / LAND_HEIGHT, 0.22f);
    pixel_constant(s, 6, 0.14f, 0.33f, 0.66f, 0);
    pixel_constant(s, 7, 0.86f, 0.80f, 0.74f, 0);
}

static void draw_frame(struct procedural *s)
{
    IDirect3DDevice9 *device = s->app.device;
    float a = 0.62f + s->app.time * 0.07f, cell = LAND_SIZE / (MAP - 1);
    D3DMATRIX view, turn, projection, m;

    s->eye =
        ex_vec3(-43.0f * ex_sin(a), 3.6f + 0.8f * ex_sin(s->app.time * 0.2f), -43.0f * ex_cos(a));
    view = turn = ex_look_at(s->eye, ex_vec3(1.0f, 4.6f, 2.0f), ex_vec3(0, 1, 0));
    turn.m[3][0] = turn.m[3][1] = turn.m[3][2] = 0.0f;
    projection = ex_perspective(0.42f, (float)s->app.width / (float)s->app.height, 0.3f, 400.0f);
    ex_check(IDirect3DDevice9_BeginScene(device), "BeginScene");
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    set_air(s);
    set_sampler(s, 0, s->noise, D3DTEXF_LINEAR, D3DTADDRESS_WRAP);
    set_sampler(s, 1, s->heights, D3DTEXF_POINT, D3DTADDRESS_CLAMP);
    set_sampler(s, D3DVERTEXTEXTURESAMPLER0, s->heights, D3DTEXF_POINT, D3DTADDRESS_CLAMP);
    m = ex_multiply(&view, &projection);
    use(s, &s->land, &m);
    vertex_constant(s, 4, LAND_SIZE, LAND_HEIGHT, (MAP - 1.0f) / MAP, 0.5f);
    vertex_constant(s, 6, 1.0f / MAP, 0.0f, 2.0f * cell / LAND_HEIGHT, 0);
    ex_mesh_draw(&s->app, &s->grid);
    use(s, &s->water, &m);
    vertex_constant(s, 4, LAND_SIZE * 8.0f, 0, 0, 0);
    ex_mesh_draw(&s->app, &s->sea);
    m = ex_multiply(&turn, &projection);
    use(s, &s->clouds, &m);
    IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_CW);
    ex_mesh_draw(&s->app, &s->dome);
    IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_CCW);
    ex_check(IDirect3DDevice9_EndScene(device), "EndScene");
}

static void free_program(struct program *p)
{
    IDirect3DVertexShader9_Release(p->vs);
    IDirect3DPixelShader9_Release(p->ps);
}

int main(int argc, char **argv)
{
    static struct procedural s;

    ex_open(&s.app, "procedural: shader model 3", argc, argv);
    make_all(&s);
    do {
        draw_frame(&s);
    } while (ex_next_frame(&s.app));
    set_sampler(&s, 0, NULL, D3DTEXF_POINT, D3DTADDRESS_WRAP);
    set_sampler(&s, 1, NULL, D3DTEXF_POINT, D3DTADDRESS_WRAP);
    set_sampler(&s, D3DVERTEXTEXTURESAMPLER0, NULL, D3DTEXF_POINT, D3DTADDRESS_WRAP);
    free_program(&s.land);
    free_program(&s.water);
    free_program(&s.clouds);
    IDirect3DTexture9_Release(s.noise);
    IDirect3DTexture9_Release(s.heights);
    ex_mesh_free(&s.grid);
    ex_mesh_free(&s.sea);
    ex_mesh_free(&s.dome);
    ex_close(&s.app);
    return 0;
}
