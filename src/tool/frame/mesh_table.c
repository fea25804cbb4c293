/* Draws the first instance of a draw outside of the scissor, and lists what its vertex shader reads
 * and writes.
 *
 * Tested by tests/unit/tool/frame/test_answer.c. */
#include "tool/frame/mesh_table.h"

#include "tool/frame/json.h"
#include "tool/inspect/frame.h"
#include "tool/inspect/state_names.h"
#include "util/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4 * (VM_MAX_INPUTS + VM_MAX_OUTPUTS) };

struct mesh {
    struct draw_debug_hooks hooks;
    const struct draw_state *state;
    const struct vm_program *program;
    uint32_t n_in, n_out, width; /* columns; width: of a row */
    int16_t in[SLOTS], out[SLOTS];
    int64_t *number; /* of each vertex */
    float *rows;     /* inputs, outputs, position; `width` values a vertex */
    uint32_t n, max, limit;
    uint32_t batch; /* index of the current batch's first vertex */
    bool failed, cut;
};

/* --- Columns ---------------------------------------------------------------------------------- */

/* Fills the slots of all components that a list of registers has. */
static uint32_t columns(const struct vm_io *io, unsigned n, int16_t slots[SLOTS])
{
    uint32_t count = 0;

    for (unsigned i = 0; i < n; i++)
        for (unsigned c = 0; c < 4; c++)
            if (io[i].slot[c] >= 0 && count < SLOTS)
                slots[count++] = io[i].slot[c];
    return count;
}

static void add_columns(cJSON *table, const struct vm_io *io, unsigned n)
{
    cJSON *names = frame_add_array(table, "columns");
    char name[48];

    for (unsigned i = 0; i < n; i++)
        for (unsigned c = 0; c < 4; c++) {
            const char *usage = vm_usage_text(io[i].usage);

            if (io[i].slot[c] < 0)
                continue;
            snprintf(name, sizeof(name), "%s%u.%c", usage ? usage : "usage", io[i].index,
                     "xyzw"[c]);
            for (char *at = name; *at && *at != '.'; at++)
                *at = (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
            cJSON_AddItemToArray(names, cJSON_CreateString(name));
        }
}

/* The columns are known at the first batch. */
static void find_columns(struct mesh *m, const struct vm_program *program)
{
    const struct vm_info *info = vm_program_info(program);

    m->program = program;
    m->n_in = columns(info->input, info->n_inputs, m->in);
    m->n_out = columns(info->output, info->n_outputs, m->out);
    m->width = m->n_in + m->n_out + 4;
}

/* --- Gathering -------------------------------------------------------------------------------- */

static bool grow(struct mesh *m)
{
    uint32_t max = m->max ? 2 * m->max : 1024;
    void *number, *rows;

    if (m->n < m->max)
        return true;
    number = mem_realloc(m->number, max * sizeof(*m->number));
    if (number)
        m->number = number;
    rows = number ? mem_realloc(m->rows, (size_t)max * m->width * sizeof(*m->rows)) : NULL;
    if (!rows) {
        m->failed = true;
        return false;
    }
    m->rows = rows;
    m->max = max;
    return true;
}

static void on_before(void *ctx, const struct draw_shader_batch *shading)
{
    struct mesh *m = ctx;

    m->batch = m->n;
    if (shading->lane >= 0)
        return;
    if (!m->program)
        find_columns(m, shading->program);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        float *row;

        if (!(shading->lanes >> lane & 1))
            continue;
        m->cut |= m->n == m->limit;
        if (m->n == m->limit || !grow(m))
            return;
        m->number[m->n] = shading->first + (shading->index ? shading->index[lane] : lane);
        row = m->rows + (size_t)m->width * m->n++;
        memset(row, 0, m->width * sizeof(*row));
        for (uint32_t i = 0; i < m->n_in; i++)
            row[i] = shading->inputs[m->in[i] * VM_LANES + (int)lane];
    }
}

static void on_vertices(void *ctx, const struct draw_shader_batch *shading,
                        const float *const position[4])
{
    struct mesh *m = ctx;
    uint32_t at = m->batch;

    for (unsigned lane = 0; lane < VM_LANES && at < m->n; lane++) {
        float *row;

        if (!(shading->lanes >> lane & 1))
            continue;
        row = m->rows + (size_t)m->width * at++ + m->n_in;
        for (uint32_t i = 0; i < m->n_out; i++)
            *row++ = shading->outputs[m->out[i] * VM_LANES + (int)lane];
        for (unsigned c = 0; c < 4; c++)
            *row++ = position[c] ? position[c][lane] : 0.0f;
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

/* Whether the vertices are on the screen already. */
static bool is_transformed(const struct mesh *m)
{
    return m->state->decl && m->state->decl->n &&
           m->state->decl->element[0].Usage == D3DDECLUSAGE_POSITIONT;
}

/* --- Order ------------------------------------------------------------------------------------ */

struct place {
    int64_t number;
    uint32_t row;
};

static int by_number(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* The vertices by number; several batches of a draw may shade the same vertex. NULL: no memory. */
static struct place *sort(const struct mesh *m, uint32_t *n)
{
    struct place *place = mem_alloc((m->n + 1) * sizeof(*place));

    *n = 0;
    if (!place)
        return NULL;
    for (uint32_t i = 0; i < m->n; i++)
        place[i] = (struct place){m->number[i], i};
    qsort(place, m->n, sizeof(*place), by_number);
    for (uint32_t i = 0; i < m->n; i++)
        if (!*n || place[i].number != place[*n - 1].number)
            place[(*n)++] = place[i];
    return place;
}

uint32_t frame_mesh_corners(const struct draw_args *args)
{
    static const struct {
        uint32_t each, more;
    } types[] = {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {3, 0}, {1, 2}, {1, 2}};
    unsigned type = (unsigned)args->type < 7 ? (unsigned)args->type : 0;

    return args->primitives ? args->primitives * types[type].each + types[type].more : 0;
}

/* The vertex that the draw's i-th corner names; -1: none. */
static int64_t vertex_at(const struct mesh *m, const struct draw_args *args, uint32_t i)
{
    const struct draw_indices *indices = &m->state->indices;
    uint64_t at = (uint64_t)args->start_index + i;
    uint32_t index = 0;

    if (!indices->data || (at + 1) * indices->bytes > indices->size)
        return -1;
    memcpy(&index, indices->data + at * indices->bytes, indices->bytes);
    return (int64_t)args->base_vertex + index;
}

/* The row of a vertex; n: it has none. */
static uint32_t find_row(const struct place *place, uint32_t n, int64_t number)
{
    uint32_t low = 0, high = n;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (place[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && place[low].number == number ? low : n;
}

/* The corners of an indexed draw as numbers of rows; a corner without a vertex is null. */
static void add_indices(cJSON *object, const struct mesh *m, const struct draw_args *args,
                        const struct place *place, uint32_t n)
{
    uint32_t corners = frame_mesh_corners(args), most = 6 * m->limit;
    cJSON *indices;

    if (!args->indexed) {
        cJSON_AddNullToObject(object, "indices");
        return;
    }
    indices = frame_add_array(object, "indices");
    for (uint32_t i = 0; i < corners && i < most; i++) {
        uint32_t row = find_row(place, n, vertex_at(m, args, i));

        cJSON_AddItemToArray(indices, row < n ? cJSON_CreateNumber(row) : cJSON_CreateNull());
    }
}

/* --- Culling ---------------------------------------------------------------------------------- */

static int64_t row_of(const struct mesh *m, const struct draw_args *args, const struct place *place,
                      uint32_t n, uint32_t corner)
{
    int64_t at = args->indexed ? find_row(place, n, vertex_at(m, args, corner)) : corner;

    return at < n ? at : -1;
}

/* Twice the area in 1/256 pixel, which is positive clockwise on the screen. Behind the viewer the
 * determinant of x, y and w has the sign that the visible part has. */
static double area_of(const struct mesh *m, const float *const p[3])
{
    const D3DVIEWPORT9 *v = &m->state->viewport;
    double x[3], y[3];

    if (!is_transformed(m) && !(p[0][3] > 0 && p[1][3] > 0 && p[2][3] > 0))
        return -(p[0][0] * ((double)p[1][1] * p[2][3] - (double)p[2][1] * p[1][3]) -
                 p[0][1] * ((double)p[1][0] * p[2][3] - (double)p[2][0] * p[1][3]) +
                 p[0][3] * ((double)p[1][0] * p[2][1] - (double)p[2][0] * p[1][1]));
    for (unsigned i = 0; i < 3; i++) {
        double w = is_transformed(m) ? 1.0 : p[i][3];

        x[i] = is_transformed(m) ? p[i][0] : (p[i][0] / w + 1.0) * 0.5 * v->Width;
        y[i] = is_transformed(m) ? p[i][1] : (1.0 - p[i][1] / w) * 0.5 * v->Height;
        x[i] = rint(256.0 * x[i]);
        y[i] = rint(256.0 * y[i]);
    }
    return (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
}

static bool is_culled(const struct mesh *m, const float *const p[3])
{
    DWORD mode = m->state->render[D3DRS_CULLMODE];
    double area = area_of(m, p);

    return area == 0.0 || (mode == D3DCULL_CW && area > 0.0) || (mode == D3DCULL_CCW && area < 0.0);
}

/* The corners of triangle i; those of every second one of a strip have the other order. */
static void corners_of(uint32_t out[3], D3DPRIMITIVETYPE type, uint32_t i)
{
    bool strip = type == D3DPT_TRIANGLESTRIP, fan = type == D3DPT_TRIANGLEFAN;

    out[0] = fan ? 0 : strip ? i : 3 * i;
    out[1] = fan ? i + 1 : strip ? i + 1 + (i & 1) : 3 * i + 1;
    out[2] = fan ? i + 2 : strip ? i + 2 - (i & 1) : 3 * i + 2;
}

/* Numbers of triangles that face away or have no area. */
static void add_culled(cJSON *object, const struct mesh *m, const struct draw_args *args,
                       const struct place *place, uint32_t n)
{
    cJSON *list = frame_add_array(object, "culled");
    bool triangles = args->type >= D3DPT_TRIANGLELIST && args->type <= D3DPT_TRIANGLEFAN;

    for (uint32_t i = 0; triangles && i < args->primitives && i < 2 * m->limit; i++) {
        const float *p[3];
        uint32_t corner[3];
        bool known = true;

        corners_of(corner, args->type, i);
        for (unsigned k = 0; k < 3; k++) {
            int64_t row = row_of(m, args, place, n, corner[k]);

            known = known && row >= 0;
            p[k] = m->rows + (known ? (size_t)m->width * place[row].row : 0) + m->n_in + m->n_out;
        }
        if (known && is_culled(m, p))
            cJSON_AddItemToArray(list, cJSON_CreateNumber(i));
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static cJSON *screen_of(const struct mesh *m, const float p[4])
{
    const D3DVIEWPORT9 *v = &m->state->viewport;
    float s[4] = {p[0], p[1], p[2], p[3]};

    if (!is_transformed(m)) {
        s[0] = (float)v->X + (p[0] / p[3] + 1.0f) * 0.5f * (float)v->Width;
        s[1] = (float)v->Y + (1.0f - p[1] / p[3]) * 0.5f * (float)v->Height;
        s[2] = v->MinZ + p[2] / p[3] * (v->MaxZ - v->MinZ);
    }
    return frame_floats(s, 4);
}

static void add_rows(cJSON *object, const struct mesh *m, const struct place *place, uint32_t n)
{
    const struct vm_info *info = m->program ? vm_program_info(m->program) : NULL;
    cJSON *in = frame_add_object(object, "in"), *out = frame_add_object(object, "out");
    cJSON *numbers, *in_rows, *out_rows, *screen;

    add_columns(in, info ? info->input : NULL, info ? info->n_inputs : 0);
    add_columns(out, info ? info->output : NULL, info ? info->n_outputs : 0);
    in_rows = frame_add_array(in, "rows");
    out_rows = frame_add_array(out, "rows");
    screen = frame_add_array(object, "screen");
    numbers = frame_add_array(object, "vertices");
    for (uint32_t i = 0; i < n; i++) {
        const float *row = m->rows + (size_t)m->width * place[i].row;

        cJSON_AddItemToArray(numbers, cJSON_CreateNumber((double)place[i].number));
        cJSON_AddItemToArray(in_rows, frame_floats(row, m->n_in));
        cJSON_AddItemToArray(out_rows, frame_floats(row + m->n_in, m->n_out));
        cJSON_AddItemToArray(screen, screen_of(m, row + m->n_in + m->n_out));
    }
}

static cJSON *describe(const struct mesh *m, const struct draw_args *args)
{
    const char *name = inspect_primitive_name(args->type);
    uint32_t n;
    struct place *place = sort(m, &n);
    cJSON *object = place ? cJSON_CreateObject() : NULL;

    if (object) {
        frame_add_text(object, "topology", name ? name + strlen("D3DPT_") : "unknown");
        frame_add_number(object, "primitives", args->primitives);
        add_indices(object, m, args, place, n);
        add_rows(object, m, place, n);
        add_culled(object, m, args, place, n);
        cJSON_AddBoolToObject(object, "cut", m->cut);
    }
    mem_free(place);
    return object;
}

enum status frame_mesh_json(cJSON **out, struct draw *draw, const struct draw_state *state,
                            const struct draw_args *args, struct draw_debug_hooks *resume,
                            uint32_t limit)
{
    struct mesh *m = mem_calloc(1, sizeof(*m));
    enum status st = m ? ST_OK : ST_NOMEM;

    *out = NULL;
    if (st == ST_OK) {
        m->state = state;
        m->limit = limit;
        m->hooks = (struct draw_debug_hooks){.ctx = m,
                                             .shaders = true,
                                             .x = -1.0f,
                                             .before = on_before,
                                             .step = on_step,
                                             .after = on_after,
                                             .vertices = on_vertices};
        st = inspect_vertices_run(draw, state, args, &m->hooks, resume);
    }
    if (st == ST_OK && m->failed)
        st = ST_NOMEM;
    if (st == ST_OK)
        *out = describe(m, args);
    if (st == ST_OK && !*out)
        st = ST_NOMEM;
    if (m) {
        mem_free(m->number);
        mem_free(m->rows);
    }
    mem_free(m);
    return st;
}
