/* Read and write sets of command packets, recorded for dependencies.c.
 *
 * Tested by tests/unit/tool/trim/test_trim.c and tests/unit/tool/inspect/test_pixel.c. */
#include "cmd/cmd.h"
#include "draw/draw.h"
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

uint8_t *trim_dependencies_flags(struct gather *g, uint64_t call)
{
    struct trim_dependencies *deps = g->deps;

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
    uint8_t *flags = trim_dependencies_flags(g, g->call);

    if (!flags || !grow(g, &g->event, &g->max_events, g->n_events, sizeof(*g->event)))
        return;
    *flags |= TRIM_CALL_DRAWS;
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

bool trim_uses_depth(const struct draw_state *state, unsigned *written)
{
    bool depth = state->render[D3DRS_ZENABLE] != 0, stencil = state->render[D3DRS_STENCILENABLE];
    bool bounds = state->render[D3DRS_ADAPTIVETESS_X] == MAKEFOURCC('N', 'V', 'D', 'B');

    *written = (depth && state->render[D3DRS_ZWRITEENABLE] ? PLANE_COLOURS : 0) |
               (stencil ? PLANE_STENCIL : 0);
    return depth || stencil || bounds;
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

/* A draw reads and writes the bound targets, but depth only if a test or a write needs it. */
static void add_target(struct gather *g, const struct source *s, unsigned index)
{
    const struct cmd_surface surface = bound(s->stream, index);
    unsigned written;

    if (index != CMD_DEPTH_TARGET) {
        add_surface(g, s, &surface, PLANE_COLOURS, (struct access){.read = true, .write = true});
    } else if (trim_uses_depth(cmd_rendered_state(s->stream), &written)) {
        add_surface(g, s, &surface, PLANE_COLOURS | PLANE_STENCIL, (struct access){.read = true});
        add_surface(g, s, &surface, written, (struct access){.write = true});
    }
}

/* A packet that writes only a part of the pixels also reads, because the others keep their
 * values. */
static void add_access(struct gather *g, const struct source *s, const struct cmd_access *access,
                       const struct cmd_box *written)
{
    const struct resource *r = find(s, access->handle);
    struct access how = {.read = access->read || access->write, .write = access->write};

    if (!r)
        return;
    if (!access->surface) {
        how.first = r->node;
        how.n = 2 * r->parts;
        add(g, &how);
        return;
    }
    if (access->write && written && r->image.samples <= 1 &&
        covers(s, access->surface, written->x0, written->y0, written->x1, written->y1)) {
        how.read = access->read;
        how.overwrites = true;
    }
    add_surface(g, s, access->surface, PLANE_COLOURS | PLANE_STENCIL, how);
}

static void on_access(struct gather *g, const struct source *s, enum cmd_op op, const void *packet)
{
    bool draws = cmd_uses(op) & CMD_USE_BOUND_WRITE;
    struct cmd_access access[CMD_MAX_ACCESSES];
    unsigned n = cmd_accesses(op, packet, &s->bindings, access);
    struct cmd_box box;
    bool has_box = cmd_written_box(op, packet, &box);

    begin_event(g);
    for (unsigned i = 0; i < n; i++) {
        if (access[i].bound == CMD_USE_BIND_TARGET)
            add_target(g, s, access[i].index);
        else if (!draws || access[i].bound != CMD_USE_BIND_TEXTURE ||
                 g->samplers >> access[i].index & 1)
            add_access(g, s, &access[i], has_box ? &box : NULL);
    }
}

static void on_packet(void *ctx, const struct cmd_stream *stream, enum cmd_op op,
                      const void *packet, const void *data, size_t data_bytes)
{
    struct gather *g = ctx;
    struct source *s = find_source(g, stream);

    (void)data;
    (void)data_bytes;
    if (!s || g->status != ST_OK)
        return;
    if (op == CMD_CLEAR)
        on_clear(g, s, packet);
    else if (cmd_uses(op) & CMD_USE_ACCESS)
        on_access(g, s, op, packet);
    else
        cmd_bindings_update(&s->bindings, op, packet);
}

/* --- Streams and resources -------------------------------------------------------------------- */

static void on_open(void *ctx, const struct cmd_stream *stream)
{
    struct gather *g = ctx;
    struct source *s = find_source(g, NULL); /* reuse the entry of a closed stream */

    if (!s && g->n_sources < TRIM_STREAMS)
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

const struct cmd_listener trim_dependencies_listener = {NULL, on_open, on_close, on_create,
                                                        on_packet};
