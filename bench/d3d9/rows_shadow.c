/* Rows of shadows from cubes on a floor: shadow map and stencil shadow volumes. */
#include "bench.h"

#include "bench/depth.psh.h"
#include "bench/depth.vsh.h"
#include "bench/shadow.psh.h"
#include "bench/shadow.vsh.h"

#include <string.h>

enum { ROW = 7, CUBES = ROW * ROW };

static const struct vec3 to_light = {0.45f, 0.75f, -0.48f};

static struct vec3 cube_centre(int i)
{
    return ex_vec3(1.6f * (float)(i % ROW - ROW / 2), 0.6f + 0.5f * ex_random((uint32_t)i),
                   1.6f * (float)(i / ROW - ROW / 2));
}

static D3DMATRIX cube_world(int i)
{
    D3DMATRIX turn = ex_rotation_y(0.5f * (float)i);
    struct vec3 c = cube_centre(i);
    D3DMATRIX place = ex_translation(c.x, c.y, c.z);

    return ex_multiply(&turn, &place);
}

static D3DMATRIX camera(int frame)
{
    float angle = 0.6f + 0.001f * (float)(frame % 300);
    D3DMATRIX view = ex_look_at(ex_vec3(9.0f * ex_sin(angle), 7.0f, -9.0f * ex_cos(angle)),
                                ex_vec3(0, 0, 0), ex_vec3(0, 1, 0));
    D3DMATRIX projection = ex_perspective(0.42f, (float)BENCH_WIDTH / BENCH_HEIGHT, 1.0f, 60.0f);

    return ex_multiply(&view, &projection);
}

/* Box and floor in one mesh; the floor is the last two triangles. */
static void make_boxes(struct bench *bench)
{
    ex_mesh_box(&bench->mesh, ex_vec3(0, 0, 0), ex_vec3(0.4f, 0.4f, 0.4f), 1.0f);
    ex_mesh_plane(&bench->mesh, 14.0f, 0.0f, 1, 8.0f);
    ex_mesh_upload(&bench->app, &bench->mesh);
}

static void draw_part(struct bench *bench, bool floor)
{
    UINT triangles = bench->mesh.n_indices / 3;

    ex_check(IDirect3DDevice9_DrawIndexedPrimitive(
                 bench->app.device, D3DPT_TRIANGLELIST, 0, 0, bench->mesh.n_vertices,
                 floor ? bench->mesh.n_indices - 6 : 0, floor ? 2 : triangles - 2),
             "DrawIndexedPrimitive");
}

static void bind_boxes(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetFVF(d, EX_VERTEX_FVF);
    IDirect3DDevice9_SetStreamSource(d, 0, bench->mesh.vb, 0, sizeof(struct ex_vertex));
    IDirect3DDevice9_SetIndices(d, bench->mesh.ib);
}

/* --- Shadow map ------------------------------------------------------------------------------- */

enum { MAP = 1024 };

struct map {
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *level, *depth;
    IDirect3DVertexShader9 *fill_vs, *show_vs;
    IDirect3DPixelShader9 *fill_ps, *show_ps;
};
static struct map map;

static bool begin_map(struct bench *bench)
{
    memset(&map, 0, sizeof(map));
    map.texture = bench_target(bench, MAP, MAP, D3DFMT_R32F, &map.level);
    if (!map.texture || FAILED(IDirect3DDevice9_CreateDepthStencilSurface(
                            bench->app.device, MAP, MAP, bench->depth, D3DMULTISAMPLE_NONE, 0,
                            FALSE, &map.depth, NULL)))
        return false;
    bench_own(bench, map.depth);
    bench->depths = true;
    map.fill_vs = bench_vertex_shader(bench, depth_vsh);
    map.fill_ps = bench_pixel_shader(bench, depth_psh);
    bench->depths = false;
    map.show_vs = bench_vertex_shader(bench, shadow_vsh);
    map.show_ps = bench_pixel_shader(bench, shadow_psh);
    make_boxes(bench);
    return true;
}

static D3DMATRIX light_camera(void)
{
    D3DMATRIX view = ex_look_at(ex_scale(to_light, 16.0f), ex_vec3(0, 0, 0), ex_vec3(0, 1, 0));
    D3DMATRIX projection = ex_orthographic(18.0f, 18.0f, 4.0f, 30.0f);

    return ex_multiply(&view, &projection);
}

/* Matrix from the light's clip space to texels of the map; positions are upper left texel
 * corners. */
static D3DMATRIX map_matrix(const D3DMATRIX *light)
{
    D3DMATRIX half = ex_scaling(0.5f, -0.5f, 1.0f), shift = ex_translation(0.5f, 0.5f, 0.0f),
              m = ex_multiply(light, &half);

    return ex_multiply(&m, &shift);
}

static void fill_map(struct bench *bench, const D3DMATRIX *light)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetTexture(d, 0, NULL);
    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, map.level), "SetRenderTarget");
    ex_check(IDirect3DDevice9_SetDepthStencilSurface(d, map.depth), "SetDepthStencilSurface");
    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xffffffff, 1.0f, 0);
    IDirect3DDevice9_SetVertexShader(d, map.fill_vs);
    IDirect3DDevice9_SetPixelShader(d, map.fill_ps);
    for (int i = 0; i <= CUBES; i++) {
        D3DMATRIX world = i < CUBES ? cube_world(i) : ex_identity(),
                  all = ex_multiply(&world, light);

        bench_vs_matrix(bench, 0, &all, 4);
        draw_part(bench, i == CUBES);
    }
}

static void show_map(struct bench *bench, const D3DMATRIX *light, int frame)
{
    const float pixel[5][4] = {{to_light.x, to_light.y, to_light.z, 0},
                               {0.85f, 0.8f, 0.65f, 0},
                               {0.12f, 0.15f, 0.2f, 0},
                               {1.0f / MAP, 0, 0.008f, 0},
                               {0, 1.0f / MAP, 0, 0}};
    IDirect3DDevice9 *d = bench->app.device;
    D3DMATRIX eye = camera(frame), to_map = map_matrix(light);

    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff607080, 1.0f, 0);
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)map.texture);
    IDirect3DDevice9_SetVertexShader(d, map.show_vs);
    IDirect3DDevice9_SetPixelShader(d, map.show_ps);
    IDirect3DDevice9_SetPixelShaderConstantF(d, 0, pixel[0], 5);
    for (int i = 0; i <= CUBES; i++) {
        D3DMATRIX world = i < CUBES ? cube_world(i) : ex_identity();
        D3DMATRIX all = ex_multiply(&world, &eye), mapped = ex_multiply(&world, &to_map);

        bench_vs_matrix(bench, 0, &all, 4);
        bench_vs_matrix(bench, 4, &world, 3);
        bench_vs_matrix(bench, 8, &mapped, 4);
        draw_part(bench, i == CUBES);
    }
}

static void draw_map(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;
    IDirect3DSurface9 *depth = NULL;
    D3DMATRIX light = light_camera();

    bind_boxes(bench);
    ex_check(IDirect3DDevice9_GetDepthStencilSurface(d, &depth), "GetDepthStencilSurface");
    fill_map(bench, &light);
    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, bench_back(bench)), "SetRenderTarget");
    ex_check(IDirect3DDevice9_SetDepthStencilSurface(d, depth), "SetDepthStencilSurface");
    IDirect3DSurface9_Release(depth);
    show_map(bench, &light, frame);
}

const struct bench_row bench_shadow_map = {
    "shadow-map", "49 cubes and a floor, a map of 1024x1024 R32F, four taps a pixel", begin_map,
    draw_map};

/* --- Stencil shadow volumes ------------------------------------------------------------------- */

/* A cube has six silhouette edges, and the volume one quad for each. */
enum { SIDES = 6, REACH = 30 };

/* Bits 0 to 2 of a corner's number are x, y and z; a face has one bit fixed. */
static struct vec3 corner(const D3DMATRIX *world, int bits)
{
    float p[3];

    for (int i = 0; i < 3; i++)
        p[i] = bits >> i & 1 ? 0.4f : -0.4f;
    return ex_vec3(p[0] * world->_11 + p[1] * world->_21 + p[2] * world->_31 + world->_41,
                   p[0] * world->_12 + p[1] * world->_22 + p[2] * world->_32 + world->_42,
                   p[0] * world->_13 + p[1] * world->_23 + p[2] * world->_33 + world->_43);
}

static bool face_lit(const D3DMATRIX *world, int axis, int high)
{
    const float *row = &world->_11 + 4 * axis;
    float d = row[0] * to_light.x + row[1] * to_light.y + row[2] * to_light.z;

    return high ? d > 0.0f : d < 0.0f;
}

/* Extrudes the edge away from the light: two triangles, clockwise from outside. */
static struct vec3 *add_side(struct vec3 *to, struct vec3 a, struct vec3 b, struct vec3 centre)
{
    struct vec3 away = ex_scale(to_light, -REACH), c = ex_add(a, away), d = ex_add(b, away);
    struct vec3 out = ex_cross(ex_sub(b, a), ex_sub(c, a));
    bool turned = ex_dot(out, ex_sub(a, centre)) < 0.0f;
    struct vec3 p = turned ? b : a, q = turned ? a : b, r = turned ? d : c, s = turned ? c : d;
    const struct vec3 six[6] = {p, q, r, q, s, r};

    memcpy(to, six, sizeof(six));
    return to + 6;
}

static struct vec3 *add_volume(struct vec3 *to, int cube)
{
    D3DMATRIX world = cube_world(cube);

    for (int axis = 0; axis < 3;
         axis++) /* axis of the edge; its adjacent faces are of the other two axes */
        for (int side = 0; side < 4; side++) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3, at = (side & 1) << u | (side >> 1) << v;

            if (face_lit(&world, u, side & 1) != face_lit(&world, v, side >> 1))
                to = add_side(to, corner(&world, at), corner(&world, at | 1 << axis),
                              cube_centre(cube));
        }
    return to;
}

static bool begin_volumes(struct bench *bench)
{
    const D3DMATERIAL9 material = {.Diffuse = {0.8f, 0.75f, 0.6f, 1}, .Ambient = {1, 1, 1, 1}};
    const D3DLIGHT9 sun = {.Type = D3DLIGHT_DIRECTIONAL,
                           .Diffuse = {1, 1, 1, 1},
                           .Direction = {-to_light.x, -to_light.y, -to_light.z}};
    static struct vec3 vertices[CUBES * SIDES * 6];
    struct vec3 *end = vertices;
    IDirect3DDevice9 *d = bench->app.device;

    bench->refusal = "it needs a two-sided stencil";
    if (bench->depth != D3DFMT_D24S8 || !(bench->app.caps.StencilCaps & D3DSTENCILCAPS_TWOSIDED))
        return false;
    make_boxes(bench);
    for (int i = 0; i < CUBES; i++)
        end = add_volume(end, i);
    bench->vertices = bench_vertices(bench, vertices, (size_t)((char *)end - (char *)vertices));
    IDirect3DVertexBuffer9_AddRef(bench->vertices);
    IDirect3DDevice9_SetMaterial(d, &material);
    IDirect3DDevice9_SetLight(d, 0, &sun);
    IDirect3DDevice9_LightEnable(d, 0, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_AMBIENT, 0xff404850);
    IDirect3DDevice9_SetRenderState(d, D3DRS_STENCILPASS, D3DSTENCILOP_INCR);
    IDirect3DDevice9_SetRenderState(d, D3DRS_CCW_STENCILPASS, D3DSTENCILOP_DECR);
    IDirect3DDevice9_SetRenderState(d, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    IDirect3DDevice9_SetRenderState(d, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    return end == vertices + CUBES * SIDES * 6;
}

static void draw_lit(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;
    D3DMATRIX eye = camera(frame);

    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL,
                           0xff607080, 1.0f, 0);
    IDirect3DDevice9_SetTransform(d, D3DTS_PROJECTION, &eye);
    bind_boxes(bench);
    for (int i = 0; i <= CUBES; i++) {
        D3DMATRIX world = i < CUBES ? cube_world(i) : ex_identity();

        IDirect3DDevice9_SetTransform(d, D3DTS_WORLD, &world);
        draw_part(bench, i == CUBES);
    }
}

static void set_counting(struct bench *bench, bool on)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, !on);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZWRITEENABLE, !on);
    IDirect3DDevice9_SetRenderState(d, D3DRS_COLORWRITEENABLE, on ? 0 : 15);
    IDirect3DDevice9_SetRenderState(d, D3DRS_CULLMODE, on ? D3DCULL_NONE : D3DCULL_CCW);
    IDirect3DDevice9_SetRenderState(d, D3DRS_STENCILENABLE, on);
    IDirect3DDevice9_SetRenderState(d, D3DRS_TWOSIDEDSTENCILMODE, on);
    IDirect3DDevice9_SetRenderState(d, D3DRS_STENCILFUNC, D3DCMP_ALWAYS);
}

/* Front faces increment, back faces decrement. */
static void count_volumes(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;
    D3DMATRIX world = ex_identity();

    set_counting(bench, true);
    IDirect3DDevice9_SetTransform(d, D3DTS_WORLD, &world);
    IDirect3DDevice9_SetFVF(d, D3DFVF_XYZ);
    IDirect3DDevice9_SetStreamSource(d, 0, bench->vertices, 0, sizeof(struct vec3));
    ex_check(IDirect3DDevice9_DrawPrimitive(d, D3DPT_TRIANGLELIST, 0, CUBES * SIDES * 2),
             "DrawPrimitive");
    set_counting(bench, false);
}

static void darken(struct bench *bench)
{
    static const D3DCOLOR dark[4] = {0x80000000, 0x80000000, 0x80000000, 0x80000000};
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_STENCILENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_STENCILFUNC, D3DCMP_NOTEQUAL);
    IDirect3DDevice9_SetRenderState(d, D3DRS_STENCILPASS, D3DSTENCILOP_KEEP);
    bench_draw_screen(bench, 0.5f, dark);
    IDirect3DDevice9_SetRenderState(d, D3DRS_STENCILPASS, D3DSTENCILOP_INCR);
    IDirect3DDevice9_SetRenderState(d, D3DRS_STENCILENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, TRUE);
}

static void draw_volumes(struct bench *bench, int frame)
{
    draw_lit(bench, frame);
    count_volumes(bench);
    darken(bench);
}

const struct bench_row bench_shadow_volumes = {
    "shadow-volumes", "the same cubes, 588 triangles of volumes counted in two-sided stencil",
    begin_volumes, draw_volumes};
