/* Looks up displacement maps for the vertices of a mesh, 64 at a time.
 * Tested by tests/unit/draw/test_npatch.c and tests/conformance/tessellation. */
#include "draw/displace.h"

#include "draw/translate/translate.h"
#include "util/math.h"

#include <string.h>

/* Whether the tessellator fills an element from the map. */
static bool looks_up(const D3DVERTEXELEMENT9 *e)
{
    return e->Method == D3DDECLMETHOD_LOOKUP || e->Method == D3DDECLMETHOD_LOOKUPPRESAMPLED;
}

/* There is no anisotropic filter: coordinates have no gradients. */
static void replace_filter(uint8_t *filter)
{
    if (*filter == D3DTEXF_ANISOTROPIC)
        *filter = D3DTEXF_LINEAR;
}

static enum status init_samplers(struct displacement *out, struct tex_image *image)
{
    struct tex_sampler_state setting = translate_sampler(out->state, DRAW_DISPLACEMENT_SAMPLER, 0);
    enum status st;

    replace_filter(&setting.min_filter);
    replace_filter(&setting.mag_filter);
    out->has_levels = setting.mip_filter != D3DTEXF_NONE;
    if ((st = tex_sampler_init(&out->sampler, image, &setting)))
        return st;
    setting.min_filter = setting.mag_filter = D3DTEXF_POINT;
    setting.mip_filter = D3DTEXF_NONE;
    return tex_sampler_init(&out->presampled, image, &setting);
}

enum status displacement_init(struct displacement *out, struct draw *draw,
                              const struct draw_state *state, const struct tess_adaptive *adaptive,
                              int position, int factor)
{
    struct tex_image *image = state->texture[DRAW_DISPLACEMENT_SAMPLER].image;
    const struct draw_decl *decl = state->decl;

    out->looks_up = false;
    for (unsigned i = 0; i < decl->n + decl->n_generated; i++)
        out->looks_up |= looks_up(&decl->element[i]);
    if (!out->looks_up)
        return ST_OK;
    out->state = state;
    out->adaptive = *adaptive;
    out->position = position;
    out->factor = factor;
    out->width = image ? image->desc.width : 1;
    out->height = image ? image->desc.height : 1;
    if (image)
        scene_sync(&draw->scene, image);
    return init_samplers(out, image);
}

/* --- Coordinates ------------------------------------------------------------------------------ */

/* A batch of vertices of the mesh. */
struct batch {
    float (*vertex)[4]; /* element 0 of the first vertex */
    uint32_t n_elements;
    unsigned n;
    _Alignas(64) float coord[4][TEX_LANES];
    _Alignas(64) float lod[TEX_LANES];
    _Alignas(64) float texel[4][TEX_LANES];
};

static float *vector_of(const struct batch *batch, unsigned i, unsigned element)
{
    return batch->vertex[(size_t)i * batch->n_elements + element];
}

/* The level of detail is how far the tessellation level is below its maximum. */
static float lod_of(const struct displacement *d, const float position[4], float factor)
{
    double level = tess_vertex_level(&d->adaptive, position, d->state->npatch, factor);
    float maximum = d->adaptive.maximum >= 1.0f ? d->adaptive.maximum : 1.0f;

    return math_log2f(maximum) - math_log2f(tess_edge_level(&d->adaptive, level, level));
}

static void find_lods(const struct displacement *d, struct batch *batch)
{
    for (unsigned i = 0; i < batch->n; i++)
        batch->lod[i] =
            !d->has_levels
                ? 0.0f
                : lod_of(d, vector_of(batch, i, (unsigned)d->position),
                         d->factor < 0 ? 1.0f : vector_of(batch, i, (unsigned)d->factor)[0]);
}

static void interpolated_coordinates(struct batch *batch, unsigned element)
{
    for (unsigned i = 0; i < batch->n; i++) {
        const float *from = vector_of(batch, i, element);

        batch->coord[0][i] = from[0];
        batch->coord[1][i] = from[1];
    }
}

/* The centre of texel number `first`, `first` + 1 ... of the map, row by row. */
static void sequential_coordinates(const struct displacement *d, struct batch *batch,
                                   uint64_t first)
{
    for (unsigned i = 0; i < batch->n; i++) {
        uint64_t index = first + i;
        double x = (double)(index % d->width) + 0.5, y = (double)(index / d->width) + 0.5;

        batch->coord[0][i] = math_narrowf(x / d->width);
        batch->coord[1][i] = math_narrowf(y / d->height);
    }
}

/* --- Lookups ---------------------------------------------------------------------------------- */

static void look_up(const struct tex_sampler *sampler, struct batch *batch, unsigned element)
{
    struct sample sample = {.lod_mode = LOD_EXPLICIT,
                            .lanes = ~UINT64_C(0) >> (TEX_LANES - batch->n),
                            .lod = batch->lod};

    for (unsigned c = 0; c < 4; c++) {
        sample.coord[c] = batch->coord[c];
        sample.texel[c] = batch->texel[c];
    }
    tex_sample(sampler, &sample);
    for (unsigned i = 0; i < batch->n; i++)
        for (unsigned c = 0; c < 4; c++)
            vector_of(batch, i, element)[c] = batch->texel[c][i];
}

static void apply_batch(const struct displacement *d, struct batch *batch, uint64_t number)
{
    const struct draw_decl *decl = d->state->decl;
    uint32_t offset = d->state->sampler[DRAW_DISPLACEMENT_SAMPLER][D3DSAMP_DMAPOFFSET];

    find_lods(d, batch);
    for (unsigned e = 0; e < batch->n_elements; e++)
        if (decl->element[e].Method == D3DDECLMETHOD_LOOKUP) {
            interpolated_coordinates(batch, e);
            look_up(&d->sampler, batch, e);
        } else if (decl->element[e].Method == D3DDECLMETHOD_LOOKUPPRESAMPLED) {
            sequential_coordinates(d, batch, number + offset);
            look_up(&d->presampled, batch, e);
        }
}

void displacement_apply(const struct displacement *displacement, struct tess_mesh *mesh,
                        uint64_t first)
{
    struct batch batch;

    if (!displacement->looks_up)
        return;
    memset(&batch, 0, sizeof(batch));
    for (unsigned i = 0; i < TEX_LANES; i++)
        batch.coord[3][i] = 1.0f;
    batch.n_elements = mesh->n_elements;
    for (uint32_t v = 0; v < mesh->n_vertices; v += batch.n) {
        uint32_t left = mesh->n_vertices - v;

        batch.n = left < TEX_LANES ? left : TEX_LANES;
        batch.vertex = mesh->vertex + (size_t)v * mesh->n_elements;
        apply_batch(displacement, &batch, first + v);
    }
}
