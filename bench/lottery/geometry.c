/* Geometry of the lottery, in view space: large rotated quads, a mesh, small triangles, or sprites.
 * Texture coordinates follow the pixels that a primitive covers, so that each texture has its
 * number of texels a pixel. */
#include "lottery.h"

#include <stdlib.h>

enum {
    LARGE_QUADS = 6,
    SMALL_TRIANGLES = 2500,
    SPRITES = 220,
    SLIVERS = 30,
    BLOCKS = 12,
    CUT_QUADS = 10
};

/* --- Building --------------------------------------------------------------------------------- */

struct builder {
    const struct lottery_state *state;
    struct lottery_mesh *mesh;
    uint32_t lots;              /* number of the next random value */
    float width, height, focus; /* focus: pixels of a length of 1 at distance 1 */
};

static float lot(struct builder *b, float least, float most)
{
    uint32_t hash = ex_hash(b->state->seed ^ 0x9e3779b9u, b->lots++);

    return least + (most - least) * (float)(hash >> 8) * 0x1p-24f;
}

static D3DCOLOR lot_colour(struct builder *b)
{
    float red = lot(b, 0.3f, 1.0f), green = lot(b, 0.3f, 1.0f), blue = lot(b, 0.3f, 1.0f);

    return ex_pack(ex_rgba(red, green, blue, lot(b, 0.25f, 1.0f)));
}

/* What the vertices of a primitive share. */
struct primitive {
    struct vec3 normal;
    D3DCOLOR diffuse, specular;
    float u, v; /* offset in pixels */
};

static struct primitive begin_primitive(struct builder *b, struct vec3 normal)
{
    struct primitive p = {.normal = normal, .diffuse = 0xffffffff};

    if (b->state->colour != COLOUR_WHITE)
        p.diffuse = lot_colour(b);
    p.specular = lot_colour(b) >> 2 & 0x3f3f3f3f;
    p.specular |= (uint32_t)(64 + (int)lot(b, 0.0f, 191.0f)) << 24;
    p.u = lot(b, 0.0f, 256.0f);
    p.v = lot(b, 0.0f, 256.0f);
    return p;
}

/* Coordinates for a texture: `u` and `v` in pixels, `fu` and `fv` as parts of the primitive. */
static struct vec3 coordinates(const struct lottery_texture *t, float u, float v, float fu,
                               float fv)
{
    float step = (float)t->scale / 100.0f / (float)t->size;

    if (t->type == D3DRTYPE_CUBETEXTURE)
        return ex_vec3(2.0f * fu - 1.0f, 2.0f * fv - 1.0f, 0.6f);
    return ex_vec3(u * step, v * step, 0.25f + 0.5f * fu);
}

static uint16_t add_vertex(struct builder *b, const struct primitive *p, struct vec3 position,
                           float u, float v, float fu, float fv)
{
    struct lottery_mesh *m = b->mesh;
    struct lottery_vertex *to = &m->vertices[m->n_vertices];

    to->position = position;
    to->normal = p->normal;
    to->diffuse = b->state->colour == COLOUR_VARYING ? lot_colour(b) : p->diffuse;
    to->specular = p->specular;
    for (unsigned i = 0; i < LOTTERY_TEXTURES; i++)
        to->coordinates[i] = coordinates(&b->state->texture[i], p->u + u, p->v + v, fu, fv);
    return (uint16_t)m->n_vertices++;
}

static void add_triangle(struct builder *b, uint16_t i, uint16_t j, uint16_t k)
{
    uint16_t *to = &b->mesh->indices[b->mesh->n_indices];

    to[0] = i;
    to[1] = j;
    to[2] = k;
    b->mesh->n_indices += 3;
}

/* A pixel of the screen, from its centre, at distance z. */
static struct vec3 at_pixel(const struct builder *b, float x, float y, float z)
{
    return ex_vec3(x * z / b->focus, -y * z / b->focus, z);
}

/* The plane of a quad: steps of a pixel to the right and down at the distance of its centre. */
struct plane {
    struct vec3 centre, right, down;
};

static struct plane lot_plane(struct builder *b, float x, float y, float z, float angle, float tilt)
{
    float size = z / b->focus, c = ex_cos(angle), s = ex_sin(angle);
    float right = lot(b, -tilt, tilt), down = lot(b, -tilt, tilt);

    return (struct plane){at_pixel(b, x, y, z), ex_scale(ex_vec3(c, -s, right), size),
                          ex_scale(ex_vec3(-s, -c, down), size)};
}

static struct vec3 on_plane(const struct plane *p, float x, float y)
{
    return ex_add(p->centre, ex_add(ex_scale(p->right, x), ex_scale(p->down, y)));
}

static struct vec3 normal_of(const struct plane *p)
{
    return ex_normalize(ex_cross(p->down, p->right));
}

static void add_quad(struct builder *b, const struct plane *plane, float half_width,
                     float half_height)
{
    struct primitive p = begin_primitive(b, normal_of(plane));
    uint16_t corner[4];

    for (unsigned i = 0; i < 4; i++) {
        float fu = (float)(i & 1), fv = (float)(i >> 1);
        float x = (2.0f * fu - 1.0f) * half_width, y = (2.0f * fv - 1.0f) * half_height;

        corner[i] = add_vertex(b, &p, on_plane(plane, x, y), x, y, fu, fv);
    }
    add_triangle(b, corner[0], corner[1], corner[2]);
    add_triangle(b, corner[2], corner[1], corner[3]);
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* A number of primitives for the default size, and as many a pixel for others, but one at least. */
static int in_proportion(const struct builder *b, unsigned n)
{
    const unsigned pixels = LOTTERY_WIDTH * LOTTERY_HEIGHT;

    return (int)((n * b->state->width * b->state->height + pixels - 1) / pixels);
}

static void make_large(struct builder *b)
{
    for (int i = 0; i < LARGE_QUADS; i++) {
        float x = lot(b, -90.0f, 90.0f), y = lot(b, -70.0f, 70.0f), z = lot(b, 2.0f, 9.0f);
        struct plane plane = lot_plane(b, x, y, z, lot(b, 0.0f, 2.0f * EX_PI), 0.6f);
        float width = lot(b, 130.0f, 250.0f);

        add_quad(b, &plane, width, lot(b, 100.0f, 200.0f));
    }
}

static void make_small(struct builder *b)
{
    for (int i = 0; i < in_proportion(b, SMALL_TRIANGLES); i++) {
        float x = lot(b, -0.5f, 0.5f) * b->width, y = lot(b, -0.5f, 0.5f) * b->height;
        float z = lot(b, 2.0f, 10.0f), angle = lot(b, 0.0f, 2.0f * EX_PI), radius;
        struct plane plane = lot_plane(b, x, y, z, 0.0f, 0.3f);
        struct primitive p = begin_primitive(b, normal_of(&plane));
        uint16_t corner[3];

        radius = lot(b, 3.5f, 8.5f);
        for (int k = 0; k < 3; k++) {
            float at = angle + 2.0944f * (float)k + lot(b, -0.6f, 0.6f);
            float u = radius * ex_cos(at), v = radius * ex_sin(at);

            corner[k] =
                add_vertex(b, &p, on_plane(&plane, u, v), u, v, 0.5f + 0.05f * u, 0.5f + 0.05f * v);
        }
        add_triangle(b, corner[0], corner[1], corner[2]);
    }
}

static void make_sprites(struct builder *b)
{
    for (int i = 0; i < in_proportion(b, SPRITES); i++) {
        float x = lot(b, -0.5f, 0.5f) * b->width, y = lot(b, -0.5f, 0.5f) * b->height;
        struct plane plane = lot_plane(b, x, y, lot(b, 2.0f, 10.0f), 0.0f, 0.0f);
        float width = lot(b, 8.0f, 44.0f);

        add_quad(b, &plane, width, lot(b, 8.0f, 44.0f));
    }
}

/* Triangles of any length, up to a few pixels wide, some of them of no width. */
static void make_slivers(struct builder *b)
{
    for (int i = 0; i < SLIVERS; i++) {
        float x = lot(b, -0.6f, 0.6f) * b->width, y = lot(b, -0.6f, 0.6f) * b->height;
        float length = lot(b, 1.0f, 1.2f) * b->width, width = lot(b, -0.5f, 3.0f);
        struct plane plane =
            lot_plane(b, x, y, lot(b, 2.0f, 10.0f), lot(b, 0.0f, 2.0f * EX_PI), 0.2f);

        add_quad(b, &plane, length * lot(b, 0.01f, 0.5f), width < 0.0f ? 0.0f : width);
    }
}

/* Rectangles whose edges lie between pixels, many of them at multiples of 8. */
static void make_blocks(struct builder *b)
{
    for (int i = 0; i < BLOCKS; i++) {
        float unit = lot(b, 0.0f, 1.0f) < 0.5f ? 8.0f : 1.0f, at[4];
        float z = lot(b, 2.0f, 10.0f);

        for (unsigned k = 0; k < 4; k++)
            at[k] = unit * (float)(int)(lot(b, 0.0f, k & 1 ? b->height : b->width) / unit);
        if (lot(b, 0.0f, 1.0f) < 0.1f) { /* the whole target */
            at[0] = at[1] = 0.0f;
            at[2] = b->width;
            at[3] = b->height;
        }
        add_quad(b,
                 &(struct plane){at_pixel(b, (at[0] + at[2] - b->width) * 0.5f,
                                          (at[1] + at[3] - b->height) * 0.5f, z),
                                 ex_vec3(z / b->focus, 0.0f, 0.0f),
                                 ex_vec3(0.0f, -z / b->focus, 0.0f)},
                 (at[2] - at[0]) * 0.5f, (at[3] - at[1]) * 0.5f);
    }
}

/* Planes that reach behind the camera and beyond the far plane. */
static void make_cut(struct builder *b)
{
    for (int i = 0; i < CUT_QUADS; i++) {
        struct vec3 centre = ex_vec3(lot(b, -2.0f, 2.0f), lot(b, -2.0f, 2.0f), lot(b, -1.0f, 9.0f));
        struct plane plane = {
            centre, ex_vec3(lot(b, -1.0f, 1.0f), lot(b, -1.0f, 1.0f), lot(b, -3.0f, 3.0f)),
            ex_vec3(lot(b, -1.0f, 1.0f), lot(b, -1.0f, 1.0f), lot(b, -3.0f, 3.0f))};

        add_quad(b, &plane, lot(b, 0.2f, 4.0f), lot(b, 0.2f, 4.0f));
    }
}

/* A sphere, a torus or a knot in front of the camera, turned. Its circumference counts as 600
 * pixels for the texture. */
static void make_solid(struct builder *b)
{
    const int cells = (int)b->state->mesh_cells;
    struct ex_mesh shape = {0};
    struct primitive p = begin_primitive(b, ex_vec3(0.0f, 0.0f, -1.0f));
    D3DMATRIX x = ex_rotation_x(lot(b, -1.0f, 1.0f)), y = ex_rotation_y(lot(b, -1.0f, 1.0f));
    D3DMATRIX turn = ex_multiply(&x, &y);

    switch (lottery_lot(b->state->seed, "shape", 3)) {
    case 0:
        ex_mesh_sphere(&shape, 1.6f, cells, cells);
        break;
    case 1:
        ex_mesh_torus(&shape, 1.3f, 0.5f, 2 * cells, cells);
        break;
    default:
        ex_mesh_knot(&shape, 0.8f, 0.3f, 4 * cells, cells / 2);
        break;
    }
    for (UINT i = 0; i < shape.n_vertices && i < LOTTERY_MAX_VERTICES; i++) {
        const struct ex_vertex *v = &shape.vertices[i];
        const D3DMATRIX *m = &turn;
        struct vec3 at[2] = {v->position, v->normal};

        for (int k = 0; k < 2; k++)
            at[k] = ex_vec3(at[k].x * m->_11 + at[k].y * m->_21 + at[k].z * m->_31,
                            at[k].x * m->_12 + at[k].y * m->_22 + at[k].z * m->_32,
                            at[k].x * m->_13 + at[k].y * m->_23 + at[k].z * m->_33);
        p.normal = at[1];
        add_vertex(b, &p, ex_add(at[0], ex_vec3(0.0f, 0.0f, 4.0f)), 600.0f * v->u, 600.0f * v->v,
                   0.5f + 0.3f * at[0].x, 0.5f + 0.3f * at[0].y);
    }
    for (UINT i = 0; i + 2 < shape.n_indices; i += 3)
        add_triangle(b, shape.indices[i], shape.indices[i + 1], shape.indices[i + 2]);
    ex_mesh_free(&shape);
}

void lottery_make_mesh(const struct lottery_state *state, struct lottery_mesh *mesh)
{
    struct builder b = {.state = state,
                        .mesh = mesh,
                        .width = (float)state->width,
                        .height = (float)state->height,
                        .focus = (float)state->height / (2.0f * LOTTERY_SLOPE)};

    mesh->n_vertices = mesh->n_indices = 0;
    mesh->vertices = ex_alloc(LOTTERY_MAX_VERTICES * sizeof(mesh->vertices[0]));
    mesh->indices = ex_alloc(LOTTERY_MAX_VERTICES * 3 * sizeof(mesh->indices[0]));
    switch (state->geometry) {
    case GEOMETRY_LARGE:
        make_large(&b);
        break;
    case GEOMETRY_SMALL:
        make_small(&b);
        break;
    case GEOMETRY_SPRITES:
        make_sprites(&b);
        break;
    case GEOMETRY_SLIVERS:
        make_slivers(&b);
        break;
    case GEOMETRY_BLOCKS:
        make_blocks(&b);
        break;
    case GEOMETRY_CUT:
        make_cut(&b);
        break;
    default:
        make_solid(&b);
        break;
    }
}

void lottery_free_mesh(struct lottery_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
}
