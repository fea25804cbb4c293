/* Export of a draw's vertices to OBJ files, captured from the vertex shader's batches.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "draw/draw.h"
#include "tool/cli/cli.h"
#include "tool/inspect/frame.h"
#include "util/alloc.h"
#include "util/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A vertex as the OBJ files show it. */
struct corner {
    int64_t number;
    float position[3], normal[3], texcoord[2], screen[3];
};

struct mesh {
    struct draw_debug_hooks hooks;
    const struct draw_state *state;
    struct corner *corner; /* sorted by number after gathering */
    uint32_t n, max;
    uint32_t batch; /* index of the current batch's first corner */
    bool failed, has_normals, has_texcoords;
};

/* --- Gathering -------------------------------------------------------------------------------- */

static void read_input(const struct draw_shader_batch *shading, unsigned lane, unsigned usage,
                       unsigned index, float *out, unsigned n, bool *found)
{
    const struct vm_info *info = vm_program_info(shading->program);

    for (unsigned i = 0; i < info->n_inputs; i++) {
        const struct vm_io *io = &info->input[i];

        if (io->usage != usage || io->index != index)
            continue;
        *found = true;
        for (unsigned c = 0; c < n; c++)
            if (io->slot[c] >= 0)
                out[c] = shading->inputs[io->slot[c] * VM_LANES + lane];
    }
}

static void on_before(void *ctx, const struct draw_shader_batch *shading)
{
    struct mesh *m = ctx;
    bool position;

    m->batch = m->n;
    for (unsigned lane = 0; lane < VM_LANES && shading->lane < 0; lane++) {
        struct corner *c;

        if (!(shading->lanes >> lane & 1))
            continue;
        if (m->n == m->max) {
            uint32_t max = m->max ? 2 * m->max : 1024;
            void *more = mem_realloc(m->corner, max * sizeof(*m->corner));

            m->failed |= !more;
            if (!more)
                return;
            m->corner = more;
            m->max = max;
        }
        c = &m->corner[m->n++];
        memset(c, 0, sizeof(*c));
        c->number = shading->first + (shading->index ? shading->index[lane] : lane);
        read_input(shading, lane, VM_USAGE_POSITION, 0, c->position, 3, &position);
        read_input(shading, lane, VM_USAGE_POSITIONT, 0, c->position, 3, &position);
        read_input(shading, lane, VM_USAGE_NORMAL, 0, c->normal, 3, &m->has_normals);
        read_input(shading, lane, VM_USAGE_TEXCOORD, 0, c->texcoord, 2, &m->has_texcoords);
    }
}

/* Stores screen positions; transformed vertices already have theirs. */
static void on_vertices(void *ctx, const struct draw_shader_batch *shading,
                        const float *const position[4])
{
    struct mesh *m = ctx;
    const D3DVIEWPORT9 *v = &m->state->viewport;
    uint32_t at = m->batch;

    (void)shading;
    for (unsigned lane = 0; at < m->n; lane++, at++) {
        struct corner *c = &m->corner[at];
        float p[4] = {0};

        for (unsigned k = 0; k < 4; k++)
            p[k] = position[k] ? position[k][lane] : 0.0f;
        if (m->state->decl && m->state->decl->n &&
            m->state->decl->element[0].Usage == D3DDECLUSAGE_POSITIONT) {
            memcpy(c->screen, p, sizeof(c->screen));
            continue;
        }
        c->screen[0] = (float)v->X + (p[0] / p[3] + 1.0f) * 0.5f * (float)v->Width;
        c->screen[1] = (float)v->Y + (1.0f - p[1] / p[3]) * 0.5f * (float)v->Height;
        c->screen[2] = v->MinZ + p[2] / p[3] * (v->MaxZ - v->MinZ);
    }
}

static void on_step(void *ctx, const struct vm_step *step)
{
    (void)ctx;
    (void)step;
}

static void on_after(void *ctx, const float *const colour[DRAW_TARGETS])
{
    (void)ctx;
    (void)colour;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = ((const struct corner *)a)->number, y = ((const struct corner *)b)->number;

    return x < y ? -1 : x > y;
}

/* Removes duplicates: several batches of a draw may shade the same vertex. */
static void sort(struct mesh *m)
{
    uint32_t kept = 0;

    if (m->n)
        qsort(m->corner, m->n, sizeof(*m->corner), by_number);
    for (uint32_t i = 0; i < m->n; i++)
        if (!i || m->corner[i].number != m->corner[kept - 1].number)
            m->corner[kept++] = m->corner[i];
    m->n = kept;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* The OBJ index (from 1) of the draw's i-th vertex; 0: it was not shaded. */
static uint32_t vertex_at(const struct mesh *m, const struct draw_args *args, uint32_t i)
{
    const struct draw_indices *indices = &m->state->indices;
    uint64_t at = (uint64_t)args->start_index + i;
    struct corner key = {.number = (int64_t)args->base_vertex + i};
    const struct corner *found;

    if (args->indexed) {
        uint32_t index = 0;

        if (!indices->data || (at + 1) * indices->bytes > indices->size)
            return 0;
        memcpy(&index, indices->data + at * indices->bytes, indices->bytes);
        key.number = (int64_t)args->base_vertex + index;
    }
    if (!m->n)
        return 0;
    found = bsearch(&key, m->corner, m->n, sizeof(key), by_number);
    return found ? (uint32_t)(found - m->corner) + 1 : 0;
}

static unsigned corners_of(D3DPRIMITIVETYPE type, uint32_t p, uint32_t at[3])
{
    bool odd = p & 1;

    switch (type) {
    case D3DPT_POINTLIST:
        at[0] = p;
        return 1;
    case D3DPT_LINELIST:
    case D3DPT_LINESTRIP:
        at[0] = type == D3DPT_LINELIST ? 2 * p : p;
        at[1] = at[0] + 1;
        return 2;
    case D3DPT_TRIANGLEFAN:
        at[0] = 0;
        at[1] = p + 1;
        at[2] = p + 2;
        return 3;
    case D3DPT_TRIANGLESTRIP:
        at[0] = p;
        at[1] = p + 1 + odd;
        at[2] = p + 2 - odd;
        return 3;
    default:
        at[0] = 3 * p;
        at[1] = at[0] + 1;
        at[2] = at[0] + 2;
        return 3;
    }
}

static void write_corner(FILE *out, const struct mesh *m, uint32_t v, bool plain)
{
    bool normal = m->has_normals && !plain, texcoord = m->has_texcoords && !plain;

    fprintf(out, " %" PRIu32, v);
    if (texcoord)
        fprintf(out, "/%" PRIu32, v);
    if (normal)
        fprintf(out, texcoord ? "/%" PRIu32 : "//%" PRIu32, v);
}

static void write_primitives(FILE *out, const struct mesh *m, const struct draw_args *args,
                             bool plain)
{
    static const char *const letter[] = {"", "p", "l", "f"};

    for (uint32_t p = 0; p < args->primitives; p++) {
        uint32_t at[3], v[3];
        unsigned n = corners_of(args->type, p, at);
        bool whole = true;

        for (unsigned i = 0; i < n; i++)
            whole &= (v[i] = vertex_at(m, args, at[i])) != 0;
        if (!whole)
            continue;
        fprintf(out, "%s", letter[n]);
        for (unsigned i = 0; i < n; i++)
            write_corner(out, m, v[i], plain || n < 3);
        fprintf(out, "\n");
    }
}

static enum status write_file(const struct mesh *m, const struct draw_args *args, const char *path,
                              bool screen)
{
    FILE *out = path_open(path, "w");

    if (!out)
        return ST_IO;
    for (uint32_t i = 0; i < m->n; i++) {
        const float *p = screen ? m->corner[i].screen : m->corner[i].position;

        fprintf(out, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (uint32_t i = 0; i < m->n && m->has_texcoords && !screen; i++)
        fprintf(out, "vt %.9g %.9g\n", (double)m->corner[i].texcoord[0],
                (double)m->corner[i].texcoord[1]);
    for (uint32_t i = 0; i < m->n && m->has_normals && !screen; i++)
        fprintf(out, "vn %.9g %.9g %.9g\n", (double)m->corner[i].normal[0],
                (double)m->corner[i].normal[1], (double)m->corner[i].normal[2]);
    write_primitives(out, m, args, screen);
    return tool_file_close(out, path) ? ST_OK : ST_IO;
}

/* --- The draw --------------------------------------------------------------------------------- */

enum status inspect_vertices_run(struct draw *draw, const struct draw_state *state,
                                 const struct draw_args *args, struct draw_debug_hooks *hooks,
                                 struct draw_debug_hooks *resume)
{
    struct draw_state *copy = mem_alloc(sizeof(*copy));
    struct draw_args first = *args;
    D3DCLIPSTATUS9 status;
    enum status st;

    if (!copy)
        return ST_NOMEM;
    memcpy(copy, state, sizeof(*copy));
    if (state->clip_status)
        status = *state->clip_status;
    first.instances = 1;
    copy->render[D3DRS_SCISSORTESTENABLE] = TRUE; /* so that the draw writes no pixels */
    copy->scissor = (RECT){0, 0, 0, 0};
    copy->occlusion = NULL;
    copy->tessellator = false; /* the vertices are those that the program draws */
    draw_set_debug_hooks(draw, hooks);
    st = draw_primitives(draw, copy, &first);
    draw_flush(draw);
    draw_set_debug_hooks(draw, resume);
    if (state->clip_status)
        *state->clip_status = status;
    mem_free(copy);
    return st;
}

enum status inspect_mesh_write(struct draw *draw, const struct draw_state *state,
                               const struct draw_args *args, struct draw_debug_hooks *resume,
                               const char *fetched, const char *projected)
{
    struct mesh m = {.state = state,
                     .hooks = {.shaders = true,
                               .x = -1.0f,
                               .before = on_before,
                               .step = on_step,
                               .after = on_after,
                               .vertices = on_vertices}};
    enum status st;

    m.hooks.ctx = &m;
    st = inspect_vertices_run(draw, state, args, &m.hooks, resume);
    if (!st && m.failed)
        st = ST_NOMEM;
    sort(&m);
    if (!st)
        st = write_file(&m, args, fetched, false);
    if (!st)
        st = write_file(&m, args, projected, true);
    mem_free(m.corner);
    return st;
}
