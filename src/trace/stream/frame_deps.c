/* Frame dependency tracker: for each image and buffer, the first frame whose draws its contents
 * depend on.
 *
 * Application data, and copies of it, depend on no frame. To reproduce an image, the player
 * executes all uploads and state changes from the beginning, and draws from that frame on. */
#include "trace/stream/frame_deps.h"

#include "draw/draw.h"
#include "util/alloc.h"
#include "util/min_max.h"

#include <string.h>

struct resource {
    uint32_t first_frame, stencil_first_frame; /* of colour or depth; of stencil */
    bool single_level;                         /* one level and one face */
    uint32_t width, height, samples;
};

struct nvs_frame_deps {
    struct resource *resource;
    cmd_handle n;
    struct cmd_bindings bindings;
    D3DVIEWPORT9 viewport;
    struct cmd_set_scissor scissor;
    bool scissored, tests_depth, tests_stencil;
};

enum status nvs_frame_deps_create(struct nvs_frame_deps **out)
{
    *out = mem_calloc(1, sizeof(**out));
    return *out ? ST_OK : ST_NOMEM;
}

void nvs_frame_deps_destroy(struct nvs_frame_deps *deps)
{
    if (deps)
        mem_free(deps->resource);
    mem_free(deps);
}

enum status nvs_frame_deps_resource(struct nvs_frame_deps *deps, cmd_handle handle,
                                    const struct tex_desc *image)
{
    struct resource *r;

    if (handle >= deps->n) {
        cmd_handle n = (handle + 256) * 2;

        r = mem_realloc(deps->resource, n * sizeof(*r));
        if (!r)
            return ST_NOMEM;
        memset(r + deps->n, 0, (n - deps->n) * sizeof(*r));
        deps->resource = r;
        deps->n = n;
    }
    r = &deps->resource[handle];
    *r = (struct resource){.first_frame = NVS_NONE, .stencil_first_frame = NVS_NONE};
    if (image) {
        r->single_level = image->shape == TEX_2D && image->levels == 1;
        r->width = image->width;
        r->height = image->height;
        r->samples = image->samples;
    }
    return ST_OK;
}

static struct resource *find(const struct nvs_frame_deps *deps, cmd_handle handle)
{
    return handle && handle < deps->n ? &deps->resource[handle] : NULL;
}

uint32_t nvs_frame_deps_first(const struct nvs_frame_deps *deps, cmd_handle handle)
{
    const struct resource *r = find(deps, handle);

    return r ? min_u32(r->first_frame, r->stencil_first_frame) : NVS_NONE;
}

/* Makes the resource also depend on frame `from`. */
static void add(struct nvs_frame_deps *deps, cmd_handle handle, uint32_t from)
{
    struct resource *r = find(deps, handle);

    if (r)
        r->first_frame = min_u32(r->first_frame, from);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

/* What the packet writes depends on its frame and on everything that it reads. Depth and stencil
 * count only while they are tested. */
static void draw(struct nvs_frame_deps *deps, uint32_t frame, const struct cmd_access *access,
                 unsigned n)
{
    struct resource *depth = NULL;
    uint32_t from = frame;

    for (unsigned i = 0; i < n; i++) {
        if (access[i].bound != CMD_USE_BIND_TARGET && access[i].read)
            from = min_u32(from, nvs_frame_deps_first(deps, access[i].handle));
        if (access[i].bound == CMD_USE_BIND_TARGET && access[i].index == CMD_DEPTH_TARGET)
            depth = find(deps, access[i].handle);
    }
    if (depth && deps->tests_depth)
        from = min_u32(from, depth->first_frame);
    if (depth && deps->tests_stencil)
        from = min_u32(from, depth->stencil_first_frame);
    for (unsigned i = 0; i < n; i++)
        if (access[i].write && find(deps, access[i].handle) != depth)
            add(deps, access[i].handle, from);
    if (depth && deps->tests_depth)
        depth->first_frame = from;
    if (depth && deps->tests_stencil)
        depth->stencil_first_frame = from;
}

static bool covers(const struct nvs_frame_deps *deps, const struct resource *r)
{
    const D3DVIEWPORT9 *v = &deps->viewport;
    const struct resource *first = find(deps, deps->bindings.target[0]);

    if (!r->single_level || v->X || v->Y || v->Width < r->width || v->Height < r->height ||
        (first && first->samples != r->samples))
        return false;
    return !deps->scissored ||
           (deps->scissor.left <= 0 && deps->scissor.top <= 0 &&
            deps->scissor.right >= (int32_t)r->width && deps->scissor.bottom >= (int32_t)r->height);
}

static void clear(struct nvs_frame_deps *deps, uint32_t frame, const struct cmd_clear *p)
{
    for (unsigned i = 0; i <= DRAW_TARGETS; i++) {
        struct resource *r = find(deps, deps->bindings.target[i]);
        DWORD flag = i < DRAW_TARGETS ? D3DCLEAR_TARGET : D3DCLEAR_ZBUFFER;
        bool all = r && !p->n_rects && covers(deps, r);

        if (r && p->flags & flag)
            r->first_frame = all ? frame : min_u32(r->first_frame, frame);
        if (all && p->flags & flag && i < DRAW_TARGETS)
            r->stencil_first_frame = frame; /* no stencil here; a copy may have set the field */
        if (r && i == CMD_DEPTH_TARGET && p->flags & D3DCLEAR_STENCIL)
            r->stencil_first_frame = all ? frame : min_u32(r->stencil_first_frame, frame);
    }
}

/* Returns true if the source contains no draws. */
static bool copy(struct nvs_frame_deps *deps, uint32_t frame, cmd_handle dst, cmd_handle src,
                 const struct cmd_box *box)
{
    struct resource *to = find(deps, dst);
    uint32_t from = nvs_frame_deps_first(deps, src);

    if (!to || (from == NVS_NONE && nvs_frame_deps_first(deps, dst) == NVS_NONE))
        return true;
    to->stencil_first_frame = min_u32(min_u32(from, frame), to->stencil_first_frame);
    if (box && to->single_level && to->samples == 1 && !box->x0 && !box->y0 &&
        box->x1 >= to->width && box->y1 >= to->height)
        to->first_frame = to->stencil_first_frame = min_u32(from, frame);
    else
        to->first_frame = min_u32(min_u32(from, frame), to->first_frame);
    return false;
}

/* --- Packets ---------------------------------------------------------------------------------- */

/* State that the tracker depends on. */
static void set(struct nvs_frame_deps *deps, enum cmd_op op, const void *packet)
{
    const union {
        struct cmd_set_viewport viewport;
        struct cmd_set_scissor scissor;
        struct cmd_set_render_state state;
    } *p = packet;

    switch (op) {
    case CMD_SET_VIEWPORT:
        deps->viewport = p->viewport.viewport;
        break;
    case CMD_SET_SCISSOR:
        deps->scissor = p->scissor;
        break;
    case CMD_SET_RENDER_STATE:
        if (p->state.state == D3DRS_SCISSORTESTENABLE)
            deps->scissored = p->state.value != 0;
        if (p->state.state == D3DRS_ZENABLE)
            deps->tests_depth = p->state.value != 0;
        if (p->state.state == D3DRS_STENCILENABLE)
            deps->tests_stencil = p->state.value != 0;
        break;
    default:
        break;
    }
}

/* Application data of all pixels of a resource depends on no frame. */
static void upload(struct nvs_frame_deps *deps, cmd_handle handle)
{
    struct resource *r = find(deps, handle);

    if (r && r->single_level)
        r->first_frame = r->stencil_first_frame = NVS_NONE;
}

bool nvs_frame_deps_packet(struct nvs_frame_deps *deps, uint32_t frame, enum cmd_op op,
                           const void *packet)
{
    unsigned uses = cmd_uses(op);
    struct cmd_access access[CMD_MAX_ACCESSES];
    struct cmd_box box;
    bool has_box;

    if (op == CMD_CLEAR) {
        clear(deps, frame, packet);
    } else if (uses & CMD_USE_BOUND_MODIFY) {
        draw(deps, frame, access, cmd_accesses(op, packet, &deps->bindings, access));
    } else if (uses & CMD_USE_WRITE) {
        has_box = cmd_written_box(op, packet, &box);
        return copy(deps, frame, cmd_named(op, packet, CMD_USE_WRITE),
                    cmd_named(op, packet, CMD_USE_READ), has_box ? &box : NULL);
    } else if (uses & CMD_USE_UPLOAD) {
        upload(deps, cmd_named(op, packet, CMD_USE_UPLOAD));
    } else {
        cmd_bindings_update(&deps->bindings, op, packet);
        set(deps, op, packet);
    }
    return false;
}
