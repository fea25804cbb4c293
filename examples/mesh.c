/* Meshes of the examples: parametric grids as boxes, spheres, tori, knots and columns. */
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reserves space for more vertices and indices. */
static void grow(struct ex_mesh *mesh, UINT vertices, UINT indices)
{
    struct ex_vertex *v = ex_alloc((mesh->n_vertices + vertices) * sizeof(*v));
    uint16_t *i = ex_alloc((mesh->n_indices + indices) * sizeof(*i));

    if (mesh->n_vertices) {
        memcpy(v, mesh->vertices, mesh->n_vertices * sizeof(*v));
        memcpy(i, mesh->indices, mesh->n_indices * sizeof(*i));
    }
    free(mesh->vertices);
    free(mesh->indices);
    mesh->vertices = v;
    mesh->indices = i;
}

typedef struct ex_vertex surface_fn(float u, float v, const float *arg);

/* Adds a grid over (u, v) in 0 … 1. With u to the right and v down its triangles are clockwise. */
static void add_grid(struct ex_mesh *mesh, int nu, int nv, surface_fn *surface, const float *arg)
{
    UINT base = mesh->n_vertices;

    grow(mesh, (UINT)((nu + 1) * (nv + 1)), (UINT)(nu * nv * 6));
    for (int j = 0; j <= nv; j++) {
        for (int i = 0; i <= nu; i++)
            mesh->vertices[mesh->n_vertices++] =
                surface((float)i / (float)nu, (float)j / (float)nv, arg);
    }
    for (int j = 0; j < nv; j++) {
        for (int i = 0; i < nu; i++) {
            UINT a = base + (UINT)(j * (nu + 1) + i), b = a + 1, c = a + (UINT)nu + 1, d = c + 1;
            const UINT corners[6] = {a, b, c, b, d, c};
            for (int k = 0; k < 6; k++)
                mesh->indices[mesh->n_indices++] = (uint16_t)corners[k];
        }
    }
}

/* arg: centre, right, down (half edges), texture repeat. */
static struct ex_vertex flat(float u, float v, const float *arg)
{
    struct vec3 centre = {arg[0], arg[1], arg[2]}, right = {arg[3], arg[4], arg[5]};
    struct vec3 down = {arg[6], arg[7], arg[8]};

    return (struct ex_vertex){
        .position = ex_add(
            centre, ex_add(ex_scale(right, 2.0f * u - 1.0f), ex_scale(down, 2.0f * v - 1.0f))),
        .normal = ex_normalize(ex_cross(right, down)),
        .u = u * arg[9],
        .v = v * arg[10],
        .tangent = ex_normalize(right),
    };
}

static void add_face(struct ex_mesh *mesh, struct vec3 centre, struct vec3 right, struct vec3 down,
                     float uv_scale)
{
    float arg[11] = {centre.x, centre.y, centre.z, right.x,  right.y, right.z,
                     down.x,   down.y,   down.z,   uv_scale, uv_scale};

    add_grid(mesh, 1, 1, flat, arg);
}

void ex_mesh_box(struct ex_mesh *mesh, struct vec3 c, struct vec3 h, float uv_scale)
{
    struct vec3 x = {h.x, 0, 0}, y = {0, -h.y, 0}, z = {0, 0, h.z};

    add_face(mesh, ex_vec3(c.x, c.y, c.z - h.z), x, y, uv_scale);
    add_face(mesh, ex_vec3(c.x, c.y, c.z + h.z), ex_scale(x, -1), y, uv_scale);
    add_face(mesh, ex_vec3(c.x + h.x, c.y, c.z), z, y, uv_scale);
    add_face(mesh, ex_vec3(c.x - h.x, c.y, c.z), ex_scale(z, -1), y, uv_scale);
    add_face(mesh, ex_vec3(c.x, c.y + h.y, c.z), x, ex_scale(z, -1), uv_scale);
    add_face(mesh, ex_vec3(c.x, c.y - h.y, c.z), x, z, uv_scale);
}

void ex_mesh_plane(struct ex_mesh *mesh, float half, float y, int cells, float repeat)
{
    float arg[11] = {0, y, 0, half, 0, 0, 0, 0, -half, repeat, repeat};

    add_grid(mesh, cells, cells, flat, arg);
}

static struct ex_vertex sphere(float u, float v, const float *arg)
{
    float a = u * 2.0f * EX_PI, b = v * EX_PI;
    struct vec3 n = {ex_sin(b) * ex_cos(a), ex_cos(b), ex_sin(b) * ex_sin(a)};

    return (struct ex_vertex){
        .position = ex_scale(n, arg[0]),
        .normal = n,
        .u = u * 2.0f,
        .v = v,
        .tangent = {-ex_sin(a), 0, ex_cos(a)},
    };
}

void ex_mesh_sphere(struct ex_mesh *mesh, float radius, int slices, int stacks)
{
    add_grid(mesh, slices, stacks, sphere, &radius);
}

static struct ex_vertex torus(float u, float v, const float *arg)
{
    float a = u * 2.0f * EX_PI, b = -v * 2.0f * EX_PI;
    struct vec3 out = {ex_cos(a), 0, ex_sin(a)};
    struct vec3 n = {out.x * ex_cos(b), ex_sin(b), out.z * ex_cos(b)};

    return (struct ex_vertex){
        .position = ex_add(ex_scale(out, arg[0]), ex_scale(n, arg[1])),
        .normal = n,
        .u = u * 6.0f,
        .v = v * 2.0f,
        .tangent = {-ex_sin(a), 0, ex_cos(a)},
    };
}

void ex_mesh_torus(struct ex_mesh *mesh, float radius, float tube, int around, int across)
{
    float arg[2] = {radius, tube};

    add_grid(mesh, around, across, torus, arg);
}

static struct vec3 knot_path(float t, float radius)
{
    float r = radius * (1.0f + 0.45f * ex_cos(3.0f * t));

    return ex_vec3(r * ex_cos(2.0f * t), radius * 0.55f * ex_sin(3.0f * t), r * ex_sin(2.0f * t));
}

static struct ex_vertex knot(float u, float v, const float *arg)
{
    float t = u * 2.0f * EX_PI, b = v * 2.0f * EX_PI, step = 0.01f;
    struct vec3 p = knot_path(t, arg[0]);
    struct vec3 along =
        ex_normalize(ex_sub(knot_path(t + step, arg[0]), knot_path(t - step, arg[0])));
    struct vec3 side = ex_normalize(ex_cross(along, p));
    struct vec3 up = ex_cross(side, along);
    struct vec3 n = ex_add(ex_scale(side, ex_cos(b)), ex_scale(up, ex_sin(b)));

    return (struct ex_vertex){
        .position = ex_add(p, ex_scale(n, arg[1])),
        .normal = n,
        .u = u * 16.0f,
        .v = v * 2.0f,
        .tangent = along,
    };
}

void ex_mesh_knot(struct ex_mesh *mesh, float radius, float tube, int along, int across)
{
    float arg[2] = {radius, tube};

    add_grid(mesh, along, across, knot, arg);
}

static struct ex_vertex column(float u, float v, const float *arg)
{
    float a = u * 2.0f * EX_PI;
    /* base, tapered shaft and capital */
    float edge = ex_smooth(0.10f, 0.07f, v) + ex_smooth(0.90f, 0.94f, v);
    float r = arg[3] * (1.0f + 0.30f * edge + 0.06f * ex_sin(v * EX_PI));
    struct vec3 n = {ex_cos(a), 0, ex_sin(a)};

    return (struct ex_vertex){
        .position = {arg[0] + n.x * r, arg[1] + (1.0f - v) * arg[4], arg[2] + n.z * r},
        .normal = n,
        .u = u * 2.0f,
        .v = v * 3.0f,
        .tangent = {-n.z, 0, n.x},
    };
}

void ex_mesh_column(struct ex_mesh *mesh, struct vec3 foot, float radius, float height, int slices)
{
    float arg[5] = {foot.x, foot.y, foot.z, radius, height};

    add_grid(mesh, slices, 24, column, arg);
}

void ex_mesh_upload(struct ex_app *app, struct ex_mesh *mesh)
{
    UINT vertex_bytes = mesh->n_vertices * (UINT)sizeof(*mesh->vertices);
    UINT index_bytes = mesh->n_indices * 2;
    void *to;

    ex_check(IDirect3DDevice9_CreateVertexBuffer(app->device, vertex_bytes, D3DUSAGE_WRITEONLY,
                                                 EX_VERTEX_FVF, D3DPOOL_MANAGED, &mesh->vb, NULL),
             "CreateVertexBuffer");
    ex_check(IDirect3DVertexBuffer9_Lock(mesh->vb, 0, 0, &to, 0), "Lock");
    memcpy(to, mesh->vertices, vertex_bytes);
    IDirect3DVertexBuffer9_Unlock(mesh->vb);
    ex_check(IDirect3DDevice9_CreateIndexBuffer(app->device, index_bytes, D3DUSAGE_WRITEONLY,
                                                D3DFMT_INDEX16, D3DPOOL_MANAGED, &mesh->ib, NULL),
             "CreateIndexBuffer");
    ex_check(IDirect3DIndexBuffer9_Lock(mesh->ib, 0, 0, &to, 0), "Lock");
    memcpy(to, mesh->indices, index_bytes);
    IDirect3DIndexBuffer9_Unlock(mesh->ib);
}

void ex_mesh_draw(struct ex_app *app, const struct ex_mesh *mesh)
{
    IDirect3DDevice9_SetFVF(app->device, EX_VERTEX_FVF);
    IDirect3DDevice9_SetStreamSource(app->device, 0, mesh->vb, 0, sizeof(*mesh->vertices));
    IDirect3DDevice9_SetIndices(app->device, mesh->ib);
    ex_check(IDirect3DDevice9_DrawIndexedPrimitive(app->device, D3DPT_TRIANGLELIST, 0, 0,
                                                   mesh->n_vertices, 0, mesh->n_indices / 3),
             "DrawIndexedPrimitive");
}

void ex_mesh_free(struct ex_mesh *mesh)
{
    if (mesh->vb)
        IDirect3DVertexBuffer9_Release(mesh->vb);
    if (mesh->ib)
        IDirect3DIndexBuffer9_Release(mesh->ib);
    free(mesh->vertices);
    free(mesh->indices);
    memset(mesh, 0, sizeof(*mesh));
}
