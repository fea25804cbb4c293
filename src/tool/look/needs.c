/* Which calls a part of a capture needs: what draws and copies read and write is noted while the
 * capture is replayed, and followed back from the part that is wanted. What is kept without need is
 * only a loss of space; what is left out wrongly shows in the hash. */
#include "tool/look/look.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <string.h>

/* Nodes are what contents can follow from: of an image each level of each face, and its stencil
 * apart; a buffer. */
struct access {
    uint32_t first, n;
    bool read, write, whole; /* whole: nothing is left of what was there */
};
struct event {
    uint64_t call;
    uint32_t access, n;
    bool wanted;
};

struct resource {
    uint32_t node, parts; /* stencil: node + parts on */
    struct tex_desc image;
};

struct source {
    const struct cmd_stream *stream;
    struct resource *resource;
    uint32_t n;
    cmd_handle texture[DRAW_SAMPLERS], buffer[DRAW_STREAMS];
};

struct gather {
    struct look_needs *needs;
    struct source source[LOOK_STREAMS];
    unsigned n_sources;
    uint32_t n_nodes;
    struct access *access;
    uint32_t n_accesses, max_accesses;
    struct event *event;
    uint32_t n_events, max_events;
    uint64_t call;
    struct cmd_stream *stream; /* whose packet ran last */
    uint32_t samplers;         /* that the draw that ran last samples */
    bool wanted, droppable, found;
    enum status status;
};

/* --- Arrays ----------------------------------------------------------------------------------- */

/* Room for one more, or for index `n`; false, and said so, where memory is short. */
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

static uint8_t *flags_of(struct gather *g, uint64_t call)
{
    struct look_needs *needs = g->needs;

    if (call >= UINT32_MAX / 4 || !grow(g, &needs->call, &needs->n, (uint32_t)call, 1))
        return NULL;
    return &needs->call[call];
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
    uint8_t *flags = flags_of(g, g->call);

    if (!flags || !grow(g, &g->event, &g->max_events, g->n_events, sizeof(*g->event)))
        return;
    *flags |= LOOK_CALL_DRAWS;
    g->event[g->n_events++] =
        (struct event){.call = g->call, .access = g->n_accesses, .wanted = g->wanted};
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

enum { COLOURS = 1, STENCIL = 2 };

/* planes: those that are meant, depth counting as colours. */
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
        a.whole = how.whole && r->image.shape != TEX_VOLUME_MAP;
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

static bool tests(const struct draw_state *state, unsigned *written)
{
    bool depth = state->render[D3DRS_ZENABLE] != 0, stencil = state->render[D3DRS_STENCILENABLE];
    bool bounds = state->render[D3DRS_ADAPTIVETESS_X] == MAKEFOURCC('N', 'V', 'D', 'B');

    *written = (depth && state->render[D3DRS_ZWRITEENABLE] ? COLOURS : 0) | (stencil ? STENCIL : 0);
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
        add_surface(g, s, &surface, COLOURS, (struct access){.read = true, .write = true});
    }
    surface = bound(s->stream, CMD_DEPTH_TARGET);
    if (!tests(state, &written))
        return;
    add_surface(g, s, &surface, COLOURS | STENCIL, (struct access){.read = true});
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
        unsigned planes = depth ? (p->flags & D3DCLEAR_ZBUFFER ? COLOURS : 0) |
                                      (p->flags & D3DCLEAR_STENCIL ? STENCIL : 0)
                          : p->flags & D3DCLEAR_TARGET ? COLOURS
                                                       : 0;
        bool all = !p->n_rects && covers(s, &surface, v->X, v->Y, (int64_t)v->X + v->Width,
                                         (int64_t)v->Y + v->Height);

        if (state->render[D3DRS_SCISSORTESTENABLE])
            all = all && covers(s, &surface, r->left, r->top, r->right, r->bottom);
        add_surface(g, s, &surface, planes,
                    (struct access){.read = !all, .write = true, .whole = all});
        add_surface(g, s, &surface, (COLOURS | STENCIL) & ~planes,
                    (struct access){.read = g->wanted});
    }
}

static void on_copy(struct gather *g, const struct source *s, const struct cmd_surface *dst,
                    const struct cmd_box *box, const struct cmd_surface *src)
{
    const struct resource *to = find(s, dst->image);
    bool all = to && to->image.samples <= 1 && covers(s, dst, box->x0, box->y0, box->x1, box->y1);

    begin_event(g);
    add_surface(g, s, dst, COLOURS | STENCIL,
                (struct access){.read = !all, .write = true, .whole = all});
    if (src)
        add_surface(g, s, src, COLOURS | STENCIL, (struct access){.read = true});
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
    struct source *s = find_source(g, NULL); /* one that was closed */

    if (!s && g->n_sources < LOOK_STREAMS)
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

/* --- What a call leaves ----------------------------------------------------------------------- */

static uint64_t hash_target(const struct draw_target *target, uint64_t hash)
{
    struct tex_image *image = target->image;
    const struct tex_level *level;
    bool volume = image && image->desc.shape == TEX_VOLUME_MAP;

    if (!image || image->format->layout == TEX_LAYOUT_RAW)
        return hash;
    level = tex_image_level(image, volume ? 0 : target->face, target->level);
    for (uint32_t s = 0; s < (image->desc.samples > 1 ? image->desc.samples : 1); s++)
        for (uint32_t y = 0; y < level->height; y++)
            hash = hash_bytes(tex_level_at(level, image->format, 0, y, volume ? target->face : s),
                              (size_t)level->width * image->format->bytes, hash + 1);
    return hash;
}

/* Targets as call needs->wish.call leaves them. */
static void take_targets(struct gather *g)
{
    const struct draw_state *state = cmd_rendered_state(g->stream);
    unsigned written;

    draw_flush(cmd_renderer(g->stream));
    for (unsigned t = 0; t < DRAW_TARGETS; t++)
        g->needs->hash = hash_target(&state->target[t], g->needs->hash + t);
    if (tests(state, &written))
        g->needs->hash = hash_target(&state->depth, g->needs->hash + DRAW_TARGETS);
    g->needs->complete = true;
}

/* --- The replay ------------------------------------------------------------------------------- */

static void before(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data)
{
    (void)ctx;
    (void)stream;
    (void)op;
    (void)packet;
    (void)data;
}

static void after(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data)
{
    const union {
        struct cmd_draw draw;
        struct cmd_draw_up draw_up;
    } *p = packet;
    struct gather *g = ctx;
    const struct vm_program *vertex, *pixel;
    uint32_t type = op == CMD_DRAW ? p->draw.type : p->draw_up.type;

    (void)data;
    if (op == CMD_DRAW || op == CMD_DRAW_UP) {
        bool known = draw_programs(cmd_renderer(stream), cmd_rendered_state(stream),
                                   (D3DPRIMITIVETYPE)type, &vertex, &pixel) == ST_OK;

        g->samplers = UINT32_MAX;
        if (known)
            g->samplers = vm_program_info(pixel)->samplers |
                          (vm_program_info(vertex)->samplers & 15) << DRAW_VERTEX_SAMPLER;
    }
    if (g->wanted && (op == CMD_DRAW || op == CMD_DRAW_UP || op == CMD_CLEAR)) {
        g->stream = stream;
        g->found = true;
    }
}

/* Calls that do nothing but draw or copy. */
static bool only_draws(const char *name)
{
    static const char *const methods[] = {
        "Clear",          "ColorFill",           "StretchRect",
        "UpdateSurface",  "GetRenderTargetData", "GetFrontBufferData",
        "ProcessVertices"};
    const char *colons = strstr(name, "::");

    for (size_t i = 0; colons && i < sizeof(methods) / sizeof(methods[0]); i++)
        if (!strcmp(colons + 2, methods[i]))
            return true;
    return replay_is_draw(name);
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct gather *g = ctx;
    const struct look_needs *needs = g->needs;
    uint8_t *flags;

    if (needs->to_call && g->found) {
        take_targets(g);
        return false;
    }
    if (!needs->to_call && replay_get_stats(replay)->frames > needs->last)
        return false;
    g->call = call->number;
    g->wanted = needs->to_call ? call->number == needs->last
                               : replay_get_stats(replay)->frames >= needs->first;
    flags = flags_of(g, g->call);
    if (flags && only_draws(call->function->name))
        *flags |= LOOK_CALL_ONLY_DRAWS;
    return g->status == ST_OK;
}

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct gather *g = ctx;
    struct look_needs *n = g->needs;
    struct replay_picture picture;

    if (!moment->present || n->to_call || moment->frame < n->first)
        return true;
    n->frames++;
    if (replay_take_picture(replay, &picture) == ST_OK) {
        n->hash = hash_bytes(&picture.width, sizeof(picture.width), n->hash + 1);
        n->hash = hash_bytes(picture.rgba, (size_t)picture.width * picture.height * 4, n->hash);
        mem_free(picture.rgba);
    }
    n->complete = n->frames == n->last - n->first + 1;
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

/* --- Following back --------------------------------------------------------------------------- */

static bool touches(const struct gather *g, const struct event *e, const uint8_t *needed)
{
    for (uint32_t i = 0; i < e->n; i++) {
        const struct access *a = &g->access[e->access + i];

        if (a->write && memchr(needed + a->first, 1, a->n))
            return true;
    }
    return false;
}

static void take(const struct gather *g, const struct event *e, uint8_t *needed)
{
    for (unsigned reads = 0; reads < 2; reads++)
        for (uint32_t i = 0; i < e->n; i++) {
            const struct access *a = &g->access[e->access + i];

            if (reads ? a->read : a->whole)
                memset(needed + a->first, (int)reads, a->n);
        }
}

/* Events of one call belong together: [from, to). */
static void follow_call(struct gather *g, uint32_t from, uint32_t to, uint8_t *needed)
{
    uint8_t *flags = &g->needs->call[g->event[from].call];
    bool wanted = g->event[from].wanted;

    for (uint32_t i = from; i < to && !wanted; i++)
        wanted = touches(g, &g->event[i], needed);
    if (wanted)
        *flags |= LOOK_CALL_NEEDED;
    for (uint32_t i = to; wanted && i-- > from;)
        take(g, &g->event[i], needed);
}

static void follow(struct gather *g)
{
    uint8_t *needed = mem_calloc(g->n_nodes + 1, 1);

    if (!needed) {
        g->status = ST_NOMEM;
        return;
    }
    for (uint32_t to = g->n_events, from; to; to = from) {
        from = to - 1;
        while (from && g->event[from - 1].call == g->event[to - 1].call)
            from--;
        follow_call(g, from, to, needed);
    }
    mem_free(needed);
}

enum status look_needs_gather(struct look_needs *needs, const char *file)
{
    struct gather *g = mem_calloc(1, sizeof(*g));
    const struct replay_options options = {
        .ctx = g, .on_call = on_call, .on_moment = on_moment, .on_warning = on_warning};
    const struct cmd_watch watch = {g, before, after};
    const struct cmd_tap tap = {g, on_open, on_close, on_create, on_packet};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay = NULL;
    enum status st;

    if (!g)
        return ST_NOMEM;
    g->needs = needs;
    st = trace_open(&reader, file, &error);
    if (st != ST_OK) {
        mem_free(g);
        return st;
    }
    cmd_set_watch(&watch);
    cmd_set_tap(&tap);
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if (needs->to_call && g->found && !needs->complete)
        take_targets(g);
    if (st == ST_OK || st == ST_DAMAGED)
        st = g->status;
    if (st == ST_OK)
        follow(g);
    g->status = st == ST_OK ? g->status : ST_INVALID; /* what is released now does not count */
    replay_destroy(replay);
    cmd_set_tap(NULL);
    cmd_set_watch(NULL);
    trace_close(reader);
    mem_free(g->access);
    mem_free(g->event);
    mem_free(g);
    return st;
}

void look_needs_fini(struct look_needs *needs)
{
    mem_free(needs->call);
    needs->call = NULL;
    needs->n = 0;
}
