/* Read and write sets of command packets, recorded for dependencies.c. */
#include "tool/trim/dependencies.h"

#include "util/alloc.h"

#include <string.h>

/* --- Arrays ----------------------------------------------------------------------------------- */

/* Makes room for index `n`. Returns false and sets the status if memory runs out. */
static bool grow(struct gather *g, void *array, uint32_t *max, uint32_t n, size_t size)
{
    uint32_t more = 2 * n + 256;
    void *at, *old;

    if (n < *max)
        return true;
    memcpy(&old, array, sizeof(old));
    at = mem_realloc(old, more * size);
    if (!at) {
        g->status = ST_NOMEM;
        return false;
    }
    memset((uint8_t *)at + *max * size, 0, (more - *max) * size);
    memcpy(array, &at, sizeof(at));
    *max = more;
    return true;
}

uint8_t *inspect_dependencies_flags(struct gather *g, uint64_t call)
{
    struct inspect_dependencies *deps = g->deps;

    if (call >= UINT32_MAX / 4 || !grow(g, &deps->call, &deps->n, (uint32_t)call, 1))
        return NULL;
    return &deps->call[call];
}

/* --- What packets read and write -------------------------------------------------------------- */

static struct source *find_source(struct gather *g, const struct cmd_stream *stream)
{
    for (unsigned i = 0; i < g->n_sources; i++)
        if (g->source[i].stream == stream)
            return &g->source[i];
    return NULL;
}

static const struct resource *find(const struct source *s, cmd_handle handle)
{
    return handle && handle < s->n && s->resource[handle].parts ? &s->resource[handle] : NULL;
}

static void begin_event(struct gather *g)
{
    uint8_t *flags = inspect_dependencies_flags(g, g->call);

    if (!flags || !grow(g, &g->event, &g->max_events, g->n_events, sizeof(*g->event)))
        return;
    *flags |= INSPECT_CALL_DRAWS;
    g->event[g->n_events++] =
        (struct event){.call = g->call, .access = g->n_accesses, .required = g->required};
}

static void add(struct gather *g, const struct access *access)
{
    if (g->status != ST_OK ||
        !grow(g, &g->access, &g->max_accesses, g->n_accesses, sizeof(*access)))
        return;
    g->access[g->n_accesses++] = *access;
    g->event[g->n_events - 1].n++;
}

static void add_resource(struct gather *g, const struct source *s, cmd_handle handle, bool write)
{
    const struct resource *r = find(s, handle);

    if (r)
        add(g, &(struct access){r->node, 2 * r->parts, !write, write, false});
}

static struct access part(const struct resource *r, uint32_t face, uint32_t level, bool stencil)
{
    struct access a = {.first = r->node + (stencil ? r->parts : 0), .n = r->parts};

    if (r->image.shape != TEX_VOLUME_MAP) {
        a.first += face * r->image.levels + level;
        a.n = 1;
    }
    return a;
}

/* Adds the nodes of a surface's planes; depth counts as PLANE_COLOURS. */
static void add_surface(struct gather *g, const struct source *s, const struct cmd_surface *surface,
                        unsigned planes, struct access how)
{
    const struct resource *r = find(s, surface->image);

    for (unsigned p = 0; r && p < 2; p++) {
        struct access a;

        if (!(planes >> p & 1))
            continue;
        a = part(r, surface->face, surface->level, p == 1);
        a.read = how.read;
        a.write = how.write;
        a.overwrites = how.overwrites && r->image.shape != TEX_VOLUME_MAP;
        add(g, &a);
    }
}

static bool covers(const struct source *s, const struct cmd_surface *surface, int64_t left,
                   int64_t top, int64_t right, int64_t bottom)
{
    const struct resource *r = find(s, surface->image);
    uint32_t width = r ? r->image.width >> surface->level : 0;
    uint32_t height = r ? r->image.height >> surface->level : 0;

    return r && left <= 0 && top <= 0 && right >= (width ? width : 1) &&
           bottom >= (height ? height : 1);
}

static struct cmd_surface bound(const struct cmd_stream *stream, unsigned t)
{
    const struct draw_state *state = cmd_rendered_state(stream);
    const struct draw_target *target = t < DRAW_TARGETS ? &state->target[t] : &state->depth;

    return (struct cmd_surface){cmd_bound_target(stream, t), target->face, target->level};
}

bool inspect_uses_depth(const struct draw_state *state, unsigned *written)
{
    bool depth = state->render[D3DRS_ZENABLE] != 0, stencil = state->render[D3DRS_STENCILENABLE];
    bool bounds = state->render[D3DRS_ADAPTIVETESS_X] == MAKEFOURCC('N', 'V', 'D', 'B');

    *written = (depth && state->render[D3DRS_ZWRITEENABLE] ? PLANE_COLOURS : 0) |
               (stencil ? PLANE_STENCIL : 0);
    return depth || stencil || bounds;
}

static void on_draw(struct gather *g, const struct source *s)
{
    const struct draw_state *state = cmd_rendered_state(s->stream);
    struct cmd_surface surface;
    unsigned written;

    begin_event(g);
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (g->samplers >> i & 1)
            add_resource(g, s, s->texture[i], false);
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        add_resource(g, s, s->buffer[i], false);
    for (unsigned t = 0; t < DRAW_TARGETS; t++) {
        surface = bound(s->stream, t);
        add_surface(g, s, &surface, PLANE_COLOURS, (struct access){.read = true, .write = true});
    }
    surface = bound(s->stream, CMD_DEPTH_TARGET);
    if (!inspect_uses_depth(state, &written))
        return;
    add_surface(g, s, &surface, PLANE_COLOURS | PLANE_STENCIL, (struct access){.read = true});
    add_surface(g, s, &surface, written, (struct access){.write = true});
}

static void on_clear(struct gather *g, const struct source *s, const struct cmd_clear *p)
{
    const struct draw_state *state = cmd_rendered_state(s->stream);
    const D3DVIEWPORT9 *v = &state->viewport;
    const RECT *r = &state->scissor;

    begin_event(g);
    for (unsigned t = 0; t <= DRAW_TARGETS; t++) {
        const struct cmd_surface surface = bound(s->stream, t);
        bool depth = t == CMD_DEPTH_TARGET;
        unsigned planes = depth ? (p->flags & D3DCLEAR_ZBUFFER ? PLANE_COLOURS : 0) |
                                      (p->flags & D3DCLEAR_STENCIL ? PLANE_STENCIL : 0)
                          : p->flags & D3DCLEAR_TARGET ? PLANE_COLOURS
                                                       : 0;
        bool all = !p->n_rects && covers(s, &surface, v->X, v->Y, (int64_t)v->X + v->Width,
                                         (int64_t)v->Y + v->Height);

        if (state->render[D3DRS_SCISSORTESTENABLE])
            all = all && covers(s, &surface, r->left, r->top, r->right, r->bottom);
        add_surface(g, s, &surface, planes,
                    (struct access){.read = !all, .write = true, .overwrites = all});
        add_surface(g, s, &surface, (PLANE_COLOURS | PLANE_STENCIL) & ~planes,
                    (struct access){.read = g->required});
    }
}

static void on_copy(struct gather *g, const struct source *s, const struct cmd_surface *dst,
                    const struct cmd_box *box, const struct cmd_surface *src)
{
    const struct resource *to = find(s, dst->image);
    bool all = to && to->image.samples <= 1 && covers(s, dst, box->x0, box->y0, box->x1, box->y1);

    begin_event(g);
    add_surface(g, s, dst, PLANE_COLOURS | PLANE_STENCIL,
                (struct access){.read = !all, .write = true, .overwrites = all});
    if (src)
        add_surface(g, s, src, PLANE_COLOURS | PLANE_STENCIL, (struct access){.read = true});
}

static void on_process(struct gather *g, const struct source *s, cmd_handle dst)
{
    begin_event(g);
    add_resource(g, s, dst, true);
    add_resource(g, s, dst, false);
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        add_resource(g, s, s->buffer[i], false);
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        add_resource(g, s, s->texture[i], false);
}

static void on_destroy(struct source *s, cmd_handle handle)
{
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (s->texture[i] == handle)
            s->texture[i] = 0;
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        if (s->buffer[i] == handle)
            s->buffer[i] = 0;
}

static void on_packet(void *ctx, const struct cmd_stream *stream, enum cmd_op op,
                      const void *packet, const void *data, size_t data_bytes)
{
    const union {
        struct cmd_copy copy;
        struct cmd_stretch stretch;
        struct cmd_fill fill;
        struct cmd_generate_mips mips;
        struct cmd_process_vertices process;
        struct cmd_destroy destroy;
        struct cmd_clear clear;
        struct cmd_present present;
        struct cmd_set_texture texture;
        struct cmd_set_stream buffer;
    } *p = packet;
    struct gather *g = ctx;
    struct source *s = find_source(g, stream);
    struct cmd_box box;

    (void)data;
    (void)data_bytes;
    if (!s || g->status != ST_OK)
        return;
    switch ((unsigned)op) {
    case CMD_SET_TEXTURE:
        s->texture[p->texture.sampler] = p->texture.image;
        break;
    case CMD_SET_STREAM:
        s->buffer[p->buffer.stream] = p->buffer.buffer;
        break;
    case CMD_DESTROY:
        on_destroy(s, p->destroy.handle);
        break;
    case CMD_DRAW:
    case CMD_DRAW_UP:
        on_draw(g, s);
        break;
    case CMD_CLEAR:
        on_clear(g, s, &p->clear);
        break;
    case CMD_PROCESS_VERTICES:
        on_process(g, s, p->process.dst_buffer);
        break;
    case CMD_COPY:
        box = (struct cmd_box){p->copy.x, p->copy.y, 0, 0, 0, 1};
        box.x1 = p->copy.x + p->copy.box.x1 - p->copy.box.x0;
        box.y1 = p->copy.y + p->copy.box.y1 - p->copy.box.y0;
        on_copy(g, s, &p->copy.dst, &box, &p->copy.src);
        break;
    case CMD_STRETCH:
        on_copy(g, s, &p->stretch.dst, &p->stretch.dst_box, &p->stretch.src);
        break;
    case CMD_FILL:
        on_copy(g, s, &p->fill.dst, &p->fill.box, NULL);
        break;
    case CMD_GENERATE_MIPS:
        begin_event(g);
        add_resource(g, s, p->mips.image, true);
        add_resource(g, s, p->mips.image, false);
        break;
    case CMD_PRESENT:
        begin_event(g);
        add_resource(g, s, p->present.image, false);
        break;
    }
}

/* --- Streams and resources -------------------------------------------------------------------- */

static void on_open(void *ctx, const struct cmd_stream *stream)
{
    struct gather *g = ctx;
    struct source *s = find_source(g, NULL); /* reuse the entry of a closed stream */

    if (!s && g->n_sources < INSPECT_STREAMS)
        s = &g->source[g->n_sources++];
    if (s)
        s->stream = stream;
    else
        g->status = ST_UNSUPPORTED;
}

static void on_close(void *ctx, const struct cmd_stream *stream)
{
    struct source *s = find_source(ctx, stream);

    if (!s)
        return;
    mem_free(s->resource);
    memset(s, 0, sizeof(*s));
}

static void on_create(void *ctx, const struct cmd_stream *stream, cmd_handle handle,
                      const struct cmd_description *d)
{
    struct gather *g = ctx;
    struct source *s = find_source(g, stream);
    struct resource r = {.node = g->n_nodes, .parts = 1};

    if (!s || !grow(g, &s->resource, &s->n, handle, sizeof(*s->resource)))
        return;
    if (d->kind != CMD_IMAGE && d->kind != CMD_BUFFER)
        r.parts = 0;
    if (d->kind == CMD_IMAGE) {
        r.image = cmd_image((struct cmd_stream *)(uintptr_t)stream, handle)->desc;
        r.parts = r.image.levels * (r.image.shape == TEX_CUBE_MAP ? 6 : 1);
    }
    g->n_nodes += 2 * r.parts;
    s->resource[handle] = r;
}

const struct cmd_listener inspect_dependencies_listener = {NULL, on_open, on_close, on_create,
                                                           on_packet};
