/* What pictures depend on: for each image and buffer the first frame whose drawing its contents
 * follow from. What programs have written, and copies of that, depend on no frame. A picture of an
 * image comes out right where all uploads and states are replayed from the beginning, and drawing
 * from that frame on. */
#include "trace/nvs_private.h"

#include "draw/draw.h"
#include "util/alloc.h"

#include <string.h>

struct resource {
    uint32_t needs, stencil_needs; /* of all but stencil; of stencil */
    bool whole;                    /* an image of one level and face */
    uint32_t width, height, samples;
};

struct nvs_needs {
    struct resource *resource;
    cmd_handle n;
    cmd_handle texture[DRAW_SAMPLERS], stream[DRAW_STREAMS], target[DRAW_TARGETS + 1];
    D3DVIEWPORT9 viewport;
    struct cmd_set_scissor scissor;
    bool scissored, tests_depth, tests_stencil;
};

enum status nvs_needs_create(struct nvs_needs **out)
{
    *out = mem_calloc(1, sizeof(**out));
    return *out ? ST_OK : ST_NOMEM;
}

void nvs_needs_destroy(struct nvs_needs *needs)
{
    if (needs)
        mem_free(needs->resource);
    mem_free(needs);
}

enum status nvs_needs_resource(struct nvs_needs *needs, cmd_handle handle,
                               const struct tex_desc *image)
{
    struct resource *r;

    if (handle >= needs->n) {
        cmd_handle n = (handle + 256) * 2;

        r = mem_realloc(needs->resource, n * sizeof(*r));
        if (!r)
            return ST_NOMEM;
        memset(r + needs->n, 0, (n - needs->n) * sizeof(*r));
        needs->resource = r;
        needs->n = n;
    }
    r = &needs->resource[handle];
    *r = (struct resource){.needs = NVS_NOTHING, .stencil_needs = NVS_NOTHING};
    if (image) {
        r->whole = image->shape == TEX_2D && image->levels == 1;
        r->width = image->width;
        r->height = image->height;
        r->samples = image->samples;
    }
    return ST_OK;
}

static struct resource *find(const struct nvs_needs *needs, cmd_handle handle)
{
    return handle && handle < needs->n ? &needs->resource[handle] : NULL;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t nvs_needs_of(const struct nvs_needs *needs, cmd_handle handle)
{
    const struct resource *r = find(needs, handle);

    return r ? least(r->needs, r->stencil_needs) : NVS_NOTHING;
}

/* The resource follows from what it was and from this. */
static void add(struct nvs_needs *needs, cmd_handle handle, uint32_t from)
{
    struct resource *r = find(needs, handle);

    if (r)
        r->needs = least(r->needs, from);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void draw(struct nvs_needs *n, uint32_t frame)
{
    struct resource *depth = find(n, n->target[CMD_DEPTH_TARGET]);
    uint32_t from = frame;

    if (depth && n->tests_depth)
        from = least(from, depth->needs);
    if (depth && n->tests_stencil)
        from = least(from, depth->stencil_needs);
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        from = least(from, nvs_needs_of(n, n->texture[i]));
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        from = least(from, nvs_needs_of(n, n->stream[i]));
    for (unsigned i = 0; i < DRAW_TARGETS; i++)
        add(n, n->target[i], from);
    if (depth && n->tests_depth)
        depth->needs = from;
    if (depth && n->tests_stencil)
        depth->stencil_needs = from;
}

static bool covers(const struct nvs_needs *n, const struct resource *r)
{
    const D3DVIEWPORT9 *v = &n->viewport;
    const struct resource *first = find(n, n->target[0]);

    if (!r->whole || v->X || v->Y || v->Width < r->width || v->Height < r->height ||
        (first && first->samples != r->samples))
        return false;
    return !n->scissored ||
           (n->scissor.left <= 0 && n->scissor.top <= 0 && n->scissor.right >= (int32_t)r->width &&
            n->scissor.bottom >= (int32_t)r->height);
}

static void clear(struct nvs_needs *n, uint32_t frame, const struct cmd_clear *p)
{
    for (unsigned i = 0; i <= DRAW_TARGETS; i++) {
        struct resource *r = find(n, n->target[i]);
        DWORD flag = i < DRAW_TARGETS ? D3DCLEAR_TARGET : D3DCLEAR_ZBUFFER;
        bool all = r && !p->n_rects && covers(n, r);

        if (r && p->flags & flag)
            r->needs = all ? frame : least(r->needs, frame);
        if (all && p->flags & flag && i < DRAW_TARGETS)
            r->stencil_needs = frame; /* there is none; a copy may have said so */
        if (r && i == CMD_DEPTH_TARGET && p->flags & D3DCLEAR_STENCIL)
            r->stencil_needs = all ? frame : least(r->stencil_needs, frame);
    }
}

/* True where nothing drawn takes part. */
static bool copy(struct nvs_needs *n, uint32_t frame, cmd_handle dst, cmd_handle src,
                 const struct cmd_box *box)
{
    struct resource *to = find(n, dst);
    uint32_t from = nvs_needs_of(n, src);

    if (!to || (from == NVS_NOTHING && nvs_needs_of(n, dst) == NVS_NOTHING))
        return true;
    to->stencil_needs = least(least(from, frame), to->stencil_needs);
    if (box && to->whole && to->samples == 1 && !box->x0 && !box->y0 && box->x1 >= to->width &&
        box->y1 >= to->height)
        to->needs = to->stencil_needs = least(from, frame);
    else
        to->needs = least(least(from, frame), to->needs);
    return false;
}

static struct cmd_box copied(const struct cmd_copy *p)
{
    return (struct cmd_box){
        p->x, p->y, 0, p->x + p->box.x1 - p->box.x0, p->y + p->box.y1 - p->box.y0, 1};
}

/* --- Packets ---------------------------------------------------------------------------------- */

static void set(struct nvs_needs *n, enum cmd_op op, const void *packet)
{
    const union {
        struct cmd_set_texture texture;
        struct cmd_set_stream stream;
        struct cmd_set_target target;
        struct cmd_set_viewport viewport;
        struct cmd_set_scissor scissor;
        struct cmd_set_render_state state;
        struct cmd_write_image image;
    } *p = packet;
    struct resource *r;

    switch (op) {
    case CMD_SET_TEXTURE:
        n->texture[p->texture.sampler] = p->texture.image;
        break;
    case CMD_SET_STREAM:
        n->stream[p->stream.stream] = p->stream.buffer;
        break;
    case CMD_SET_TARGET:
        n->target[p->target.index] = p->target.surface.image;
        break;
    case CMD_SET_VIEWPORT:
        n->viewport = p->viewport.viewport;
        break;
    case CMD_SET_SCISSOR:
        n->scissor = p->scissor;
        break;
    case CMD_SET_RENDER_STATE:
        if (p->state.state == D3DRS_SCISSORTESTENABLE)
            n->scissored = p->state.value != 0;
        if (p->state.state == D3DRS_ZENABLE)
            n->tests_depth = p->state.value != 0;
        if (p->state.state == D3DRS_STENCILENABLE)
            n->tests_stencil = p->state.value != 0;
        break;
    case CMD_WRITE_IMAGE:
        r = find(n, p->image.dst.image);
        if (r && r->whole)
            r->needs = r->stencil_needs = NVS_NOTHING;
        break;
    default:
        break;
    }
}

static void forget(cmd_handle *slot, unsigned n, cmd_handle handle)
{
    for (unsigned i = 0; i < n; i++)
        if (slot[i] == handle)
            slot[i] = 0;
}

static void destroy(struct nvs_needs *n, cmd_handle handle)
{
    forget(n->texture, DRAW_SAMPLERS, handle);
    forget(n->stream, DRAW_STREAMS, handle);
    forget(n->target, DRAW_TARGETS + 1, handle);
}

static void process(struct nvs_needs *n, uint32_t frame, cmd_handle dst)
{
    add(n, dst, frame);
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        add(n, dst, nvs_needs_of(n, n->stream[i]));
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        add(n, dst, nvs_needs_of(n, n->texture[i]));
}

bool nvs_needs_packet(struct nvs_needs *n, uint32_t frame, enum cmd_op op, const void *packet)
{
    const union {
        struct cmd_copy copy;
        struct cmd_stretch stretch;
        struct cmd_fill fill;
        struct cmd_generate_mips mips;
        struct cmd_process_vertices process;
        struct cmd_destroy destroy;
        struct cmd_clear clear;
    } *p = packet;
    struct cmd_box box;

    switch (op) {
    case CMD_DRAW:
    case CMD_DRAW_UP:
        draw(n, frame);
        return false;
    case CMD_CLEAR:
        clear(n, frame, &p->clear);
        return false;
    case CMD_PROCESS_VERTICES:
        process(n, frame, p->process.dst_buffer);
        return false;
    case CMD_COPY:
        box = copied(&p->copy);
        return copy(n, frame, p->copy.dst.image, p->copy.src.image, &box);
    case CMD_STRETCH:
        return copy(n, frame, p->stretch.dst.image, p->stretch.src.image, &p->stretch.dst_box);
    case CMD_FILL:
        return copy(n, frame, p->fill.dst.image, 0, &p->fill.box);
    case CMD_GENERATE_MIPS:
        return copy(n, frame, p->mips.image, p->mips.image, NULL);
    case CMD_DESTROY:
        destroy(n, p->destroy.handle);
        return false;
    default:
        set(n, op, packet);
        return false;
    }
}
