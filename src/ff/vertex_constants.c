/* Constants of the fixed-function vertex shader. Products and inverses use double precision and
 * round once, so that results do not depend on the order of matrix products
 * (reference: vertices/transform).
 * Tested by tests/unit/ff/test_vertex.c and tests/unit/ff/test_vertex_fog.c. */
#include "ff/vertex.h"
#include "util/math.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct matrix {
    double m[4][4];
};

static struct matrix matrix_load(const D3DMATRIX *in)
{
    struct matrix out;

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            out.m[i][j] = in->m[i][j];
    }
    return out;
}

static struct matrix matrix_product(const struct matrix *a, const struct matrix *b)
{
    struct matrix out;

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            out.m[i][j] =
                ((a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j]) + a->m[i][2] * b->m[2][j]) +
                a->m[i][3] * b->m[3][j];
    }
    return out;
}

static void store_columns(float (*c)[4], const struct matrix *in, unsigned columns)
{
    for (unsigned j = 0; j < columns; j++) {
        for (int i = 0; i < 4; i++)
            c[j][i] = math_narrowf(in->m[i][j]);
    }
}

/* --- Normals --------------------------------------------------------------------------------- */

/* Cofactor: signed determinant without row r and column s. */
static double cofactor(const struct matrix *a, int r, int s)
{
    static const int rest[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    const double *x = a->m[rest[r][0]], *y = a->m[rest[r][1]], *z = a->m[rest[r][2]];
    int i = rest[s][0], j = rest[s][1], k = rest[s][2];
    double det = (x[i] * (y[j] * z[k] - y[k] * z[j]) - x[j] * (y[i] * z[k] - y[k] * z[i])) +
                 x[k] * (y[i] * z[j] - y[j] * z[i]);

    return (r + s) & 1 ? -det : det;
}

/* True if a determinant is 0 up to rounding error: tiny compared with the product of the row
 * lengths. A flattening world matrix times a view rarely gives exactly 0. */
static bool singular(const struct matrix *a, double det)
{
    double volume = 1.0; /* squared */

    for (int i = 0; i < 4; i++) {
        const double *r = a->m[i];

        volume *= ((r[0] * r[0] + r[1] * r[1]) + r[2] * r[2]) + r[3] * r[3];
    }
    return !(det * det > 1e-28 * volume) || !isfinite(det);
}

/* Upper left 3x3 of the inverse transpose of the whole matrix; the identity if it is singular
 * (reference: light/normals). */
static void store_normal_columns(float (*c)[4], const struct matrix *a)
{
    double det = 0.0;
    bool use_identity;

    for (int j = 0; j < 4; j++)
        det += a->m[0][j] * cofactor(a, 0, j);
    use_identity = singular(a, det);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++)
            c[j][i] = math_narrowf(use_identity ? i == j : cofactor(a, i, j) / det);
        c[j][3] = 0.0f;
    }
}

/* --- Scalars --------------------------------------------------------------------------------- */

static float float_state(const struct ff_state *state, D3DRENDERSTATETYPE id)
{
    float value;

    memcpy(&value, &state->render[id], sizeof(value));
    return value;
}

static void store_colour(float c[4], D3DCOLORVALUE colour)
{
    c[0] = colour.r;
    c[1] = colour.g;
    c[2] = colour.b;
    c[3] = colour.a;
}

static void store_vector(float c[4], const double v[3], float w)
{
    for (int i = 0; i < 3; i++)
        c[i] = math_narrowf(v[i]);
    c[3] = w;
}

/* 1 / range, but never so small that it counts as 0: fog that ends at or near infinity means no
 * fog (reference: fog/infinite-range). */
static float fog_slope(double range)
{
    const double least = 0x1p-126;
    double slope = 1.0 / range;

    if (fabs(slope) < least)
        slope = copysign(least, range);
    return math_narrowf(slope);
}

static void store_fog(const struct vertex_key *key, const struct ff_state *state, float c[4])
{
    const double log2_e = 1.4426950408889634, sqrt_log2_e = 1.2011224087864498;
    double start = float_state(state, D3DRS_FOGSTART), end = float_state(state, D3DRS_FOGEND);
    double density = float_state(state, D3DRS_FOGDENSITY);

    switch (key->fog) {
    case FF_FOG_LINEAR: /* start = end: full fog, because the factor becomes 0 */
        c[0] = math_narrowf(end);
        c[1] = start == end ? 0.0f : fog_slope(end - start);
        break;
    case FF_FOG_EXP: /* e^-x as a power of 2 */
        c[0] = math_narrowf(-density * log2_e);
        break;
    case FF_FOG_EXP2:
        c[0] = math_narrowf(density * sqrt_log2_e);
        break;
    }
}

static void store_point(const struct ff_state *state, float (*c)[4])
{
    c[VC_POINT][0] = float_state(state, D3DRS_POINTSCALE_A);
    c[VC_POINT][1] = float_state(state, D3DRS_POINTSCALE_B);
    c[VC_POINT][2] = float_state(state, D3DRS_POINTSCALE_C);
    c[VC_POINT][3] = float_state(state, D3DRS_POINTSIZE);
    c[VC_MISC][0] = (float)state->viewport.Height;
}

/* --- Lights ---------------------------------------------------------------------------------- */

/* Transforms a row vector with the given w by the view matrix. */
static void to_eye(double out[3], const D3DVECTOR *v, double w, const D3DMATRIX *view)
{
    for (int j = 0; j < 3; j++)
        out[j] = (((double)v->x * view->m[0][j] + (double)v->y * view->m[1][j]) +
                  (double)v->z * view->m[2][j]) +
                 w * view->m[3][j];
}

static void set_length(double v[3], double length)
{
    double d = sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);

    for (int i = 0; i < 3; i++)
        v[i] = d > 0.0 ? v[i] * length / d : 0.0;
}

/* If the inner cone is not inside the outer cone, the edge is hard, at the inner cone. A cone
 * without width lights nothing, not even its axis, where the rounded cosine may exceed 1. */
static void store_spot(float c[4], const D3DLIGHT9 *light)
{
    float inner = math_cosf(light->Theta * 0.5f), outer = math_cosf(light->Phi * 0.5f);
    double width = (double)inner - outer;
    float edge = width > 0.0 ? outer : inner;

    c[0] = edge < 1.0f ? edge : 2.0f;
    c[1] = width > 0.0 ? math_narrowf(1.0 / width) : INFINITY;
    c[2] = light->Falloff;
}

/* Distances are compared by their squares, which have less rounding error. An infinite distance
 * exceeds any range, and 0 is not within a negative range. */
static float range_squared(float range)
{
    if (!(range >= 0.0f))
        return -1.0f;
    return range < 1.8e19f ? range * range : FLT_MAX;
}

static void store_light(float (*c)[4], const D3DLIGHT9 *light, const D3DMATRIX *view)
{
    double position[3], direction[3];

    to_eye(position, &light->Position, 1.0, view);
    to_eye(direction, &light->Direction, 0.0, view);
    set_length(direction, light->Type == D3DLIGHT_DIRECTIONAL ? -1.0 : 1.0);
    store_vector(c[VC_L_POSITION], position, range_squared(light->Range));
    store_vector(c[VC_L_DIRECTION], direction, 0.0f);
    store_colour(c[VC_L_DIFFUSE], light->Diffuse);
    store_colour(c[VC_L_SPECULAR], light->Specular);
    store_colour(c[VC_L_AMBIENT], light->Ambient);
    c[VC_L_ATTENUATION][0] = light->Attenuation0;
    c[VC_L_ATTENUATION][1] = light->Attenuation1;
    c[VC_L_ATTENUATION][2] = light->Attenuation2;
    if (light->Type == D3DLIGHT_SPOT)
        store_spot(c[VC_L_SPOT], light);
}

static void store_lighting(const struct vertex_key *key, const struct ff_state *state,
                           float (*c)[4])
{
    D3DCOLOR ambient = state->render[D3DRS_AMBIENT];
    const D3DMATERIAL9 *material = state->material;

    for (int i = 0; i < 4; i++)
        c[VC_AMBIENT][i] = (float)(ambient >> (i < 3 ? 16 - 8 * i : 24) & 0xff) / 255.0f;
    store_colour(c[VC_MATERIAL + FF_DIFFUSE], material->Diffuse);
    store_colour(c[VC_MATERIAL + FF_AMBIENT], material->Ambient);
    store_colour(c[VC_MATERIAL + FF_SPECULAR], material->Specular);
    store_colour(c[VC_MATERIAL + FF_EMISSIVE], material->Emissive);
    c[VC_MISC][2] = material->Power;
    for (unsigned i = 0; i < key->n_lights; i++)
        store_light(&c[VC_LIGHT + i * VC_LIGHT_SIZE], state->light[i], state->view);
}

/* --- Interface ------------------------------------------------------------------------------- */

/* Applications set few of the 256 world matrices. The remaining ones are identities, so their
 * constants are all equal. */
static void store_blending(const struct vertex_key *key, const struct ff_state *state,
                           float (*c)[4])
{
    struct matrix view = matrix_load(state->view), projection = matrix_load(state->projection);
    unsigned stride = vertex_blend_stride(key), n = vertex_blend_matrices(key);

    store_columns(&c[VC_PROJECTION], &projection, 4);
    for (unsigned i = 0; i < n; i++) {
        float(*columns)[4] = &c[VC_BLEND + i * stride];
        struct matrix world, eye;

        if (i > state->n_world) {
            memcpy(columns, columns - stride, stride * sizeof(*columns));
            continue;
        }
        world = matrix_load(&state->world[i]);
        eye = matrix_product(&world, &view);
        store_columns(columns, &eye, 4);
        if (key->normal)
            store_normal_columns(columns + 4, &eye);
    }
}

static void store_transforms(const struct vertex_key *key, const struct ff_state *state,
                             float (*c)[4])
{
    struct matrix world = matrix_load(&state->world[0]), view = matrix_load(state->view);
    struct matrix projection = matrix_load(state->projection);
    struct matrix eye = matrix_product(&world, &view), clip = matrix_product(&eye, &projection);

    store_columns(&c[VC_CLIP], &clip, 4);
    store_columns(&c[VC_EYE], &eye, 4);
    if (key->normal)
        store_normal_columns(&c[VC_NORMAL], &eye);
}

/* Number of constants that this key uses. */
static unsigned constants_used(const struct vertex_key *key)
{
    unsigned used = VC_LIGHT + key->n_lights * VC_LIGHT_SIZE;

    for (unsigned i = 0; i < FF_STAGES; i++) {
        if (key->stage[i].count)
            used = VC_TEXTURE + 4 * (i + 1);
    }
    if (vertex_blends(key))
        used = VC_BLEND + vertex_blend_matrices(key) * vertex_blend_stride(key);
    return used;
}

unsigned ff_vertex_constants(const struct ff_vertex_key *bytes, const struct ff_state *state,
                             float (*c)[4])
{
    struct vertex_key key;
    unsigned used;

    memcpy(&key, bytes, sizeof(key));
    used = constants_used(&key);
    memset(c, 0, used * sizeof(*c));
    store_point(state, c);
    if (key.transformed)
        return used;
    store_fog(&key, state, c[VC_FOG]);
    c[VC_MISC][1] = float_state(state, D3DRS_TWEENFACTOR);
    if (key.lit)
        store_lighting(&key, state, c);
    for (unsigned i = 0; i < FF_STAGES; i++) {
        struct matrix texture = matrix_load(&state->texture[i]);

        if (key.stage[i].count)
            store_columns(&c[VC_TEXTURE + 4 * i], &texture, 4);
    }
    if (vertex_blends(&key))
        store_blending(&key, state, c);
    else
        store_transforms(&key, state, c);
    return used;
}
