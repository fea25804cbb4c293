/* Compiler of captures: replays one through the public interface and writes the command packets of
 * its devices to a file.
 *
 * Tested by tests/unit/tool/capture/test_compile.c. */
#include "trace/stream/frame_deps.h"
#include "trace/stream/state_filter.h"
#include "trace/stream/write.h"

#include "api/api.h"
#include "trace/replay/replay.h"
#include "util/alloc.h"

#include <errno.h>
#include <string.h>

struct compiled_stream {
    const struct cmd_stream *stream; /* NULL: unused */
    struct nvs_frame_deps *deps;
    struct nvs_state_filter *filter;
};

struct nvs_compiler {
    struct nvs_file file;
    struct cmd_listener listener;
    struct compiled_stream streams[NVS_STREAMS];
    uint32_t frame;
};

static void note(struct nvs_compiler *c, enum status st)
{
    if (c->file.status == ST_OK)
        c->file.status = st;
}

/* Returns the index of a stream; NVS_STREAMS if unknown. */
static unsigned find(const struct nvs_compiler *c, const struct cmd_stream *stream)
{
    unsigned i = 0;

    while (i < NVS_STREAMS && c->streams[i].stream != stream)
        i++;
    return i;
}

static void record(struct nvs_compiler *c, unsigned stream, unsigned op, unsigned flags,
                   const void *packet, const void *data, size_t data_bytes)
{
    const struct nvs_head head = {(uint16_t)op, (uint8_t)flags, (uint8_t)stream};
    struct nvs_op_info info;

    if (nvs_op_info(op, &info))
        nvs_file_record(&c->file, &head, packet, info.bytes, data, data_bytes);
}

/* --- Listener of the command streams ---------------------------------------------------------- */

static void on_open(void *ctx, const struct cmd_stream *stream)
{
    struct nvs_compiler *c = ctx;
    unsigned i = find(c, NULL);

    if (i == NVS_STREAMS) {
        note(c, ST_UNSUPPORTED);
        return;
    }
    note(c, nvs_frame_deps_create(&c->streams[i].deps));
    note(c, nvs_state_filter_create(&c->streams[i].filter));
    if (c->file.status != ST_OK)
        return;
    c->streams[i].stream = stream;
    record(c, i, NVS_OPEN, 0, &(struct nvs_open){0}, NULL, 0);
}

static void free_stream(struct compiled_stream *stream)
{
    nvs_frame_deps_destroy(stream->deps);
    nvs_state_filter_destroy(stream->filter);
    *stream = (struct compiled_stream){0};
}

static void on_close(void *ctx, const struct cmd_stream *stream)
{
    struct nvs_compiler *c = ctx;
    unsigned i = find(c, stream);

    if (i == NVS_STREAMS)
        return;
    record(c, i, NVS_CLOSE, 0, &(struct nvs_close){0}, NULL, 0);
    free_stream(&c->streams[i]);
}

static void create_image(struct nvs_compiler *c, unsigned i, cmd_handle handle,
                         const struct tex_desc *desc)
{
    const struct nvs_create_image packet = {handle,       desc->format,  desc->shape,
                                            desc->width,  desc->height,  desc->depth,
                                            desc->levels, desc->samples, desc->unlocked};

    record(c, i, NVS_CREATE_IMAGE, 0, &packet, NULL, 0);
}

static void create_shader(struct nvs_compiler *c, unsigned i, cmd_handle handle,
                          const struct vm_program *program)
{
    struct nvs_create_shader packet = {handle, 0};
    bool software;
    size_t n;
    const uint32_t *tokens = vm_program_tokens(program, &n, &software);

    packet.software = software;
    record(c, i, NVS_CREATE_SHADER, 0, &packet, tokens, n * sizeof(*tokens));
}

static void create_declaration(struct nvs_compiler *c, unsigned i, cmd_handle handle,
                               const D3DVERTEXELEMENT9 *element, unsigned n)
{
    struct nvs_create_declaration packet = {handle, 0};

    while (packet.elements < n && element[packet.elements].Stream != 0xff)
        packet.elements++;
    record(c, i, NVS_CREATE_DECLARATION, 0, &packet, element, packet.elements * sizeof(*element));
}

static void on_create(void *ctx, const struct cmd_stream *stream, cmd_handle handle,
                      const struct cmd_description *d)
{
    struct nvs_compiler *c = ctx;
    unsigned i = find(c, stream);

    if (i == NVS_STREAMS)
        return;
    note(c, nvs_frame_deps_resource(c->streams[i].deps, handle,
                                    d->kind == CMD_IMAGE ? &d->u.image : NULL));
    switch (d->kind) {
    case CMD_IMAGE:
        create_image(c, i, handle, &d->u.image);
        break;
    case CMD_BUFFER:
        record(c, i, NVS_CREATE_BUFFER, 0,
               &(struct nvs_create_buffer){handle, (uint32_t)d->u.buffer_bytes}, NULL, 0);
        break;
    case CMD_SHADER:
        create_shader(c, i, handle, d->u.shader);
        break;
    case CMD_DECLARATION:
        create_declaration(c, i, handle, d->u.declaration.element, d->u.declaration.n);
        break;
    case CMD_QUERY:
        record(c, i, NVS_CREATE_QUERY, 0, &(struct nvs_create_query){handle, d->u.query}, NULL, 0);
        break;
    case CMD_FREE:
        break;
    }
}

static void on_packet(void *ctx, const struct cmd_stream *stream, enum cmd_op op,
                      const void *packet, const void *data, size_t data_bytes)
{
    struct nvs_compiler *c = ctx;
    unsigned i = find(c, stream);
    bool upload;

    if (i == NVS_STREAMS)
        return;
    if (nvs_state_filter_is_redundant(c->streams[i].filter, op, packet, cmd_packet_bytes(op)))
        return;
    upload = nvs_frame_deps_packet(c->streams[i].deps, c->frame, op, packet);
    record(c, i, op, upload ? NVS_UPLOAD : 0, packet, data, data_bytes);
}

/* --- The compiler ----------------------------------------------------------------------------- */

enum status nvs_compile_begin(struct nvs_compiler **out, const char *path)
{
    struct nvs_compiler *c = mem_calloc(1, sizeof(*c));
    enum status st;

    *out = NULL;
    if (!c)
        return ST_NOMEM;
    st = nvs_file_create(&c->file, path);
    if (st != ST_OK) {
        mem_free(c);
        return st;
    }
    nvs_file_frame(&c->file);
    c->listener = (struct cmd_listener){c, on_open, on_close, on_create, on_packet};
    cmd_set_listener(&c->listener);
    *out = c;
    return ST_OK;
}

/* Locates the surface of the moment; returns false if it has no picture. */
static bool find_place(struct replay *replay, const struct cmd_stream **stream,
                       struct cmd_surface *out)
{
    D3DSURFACE_DESC desc;
    IDirect3DSurface9 *surface = replay_moment_surface(replay, &desc);

    if (!surface)
        return false;
    *stream = api_surface_locate(surface, out);
    IDirect3DSurface9_Release(surface);
    return true;
}

void nvs_compile_moment(struct nvs_compiler *c, struct replay *replay,
                        const struct replay_moment *moment)
{
    struct nvs_moment packet = {.present = moment->present,
                                .call_low = (uint32_t)moment->call,
                                .call_high = (uint32_t)(moment->call >> 32)};
    const struct cmd_stream *stream;
    struct cmd_surface surface;
    unsigned i = NVS_STREAMS;

    if (find_place(replay, &stream, &surface))
        i = find(c, stream);
    if (i < NVS_STREAMS) {
        packet.image = surface.image;
        packet.face = surface.face;
        packet.level = surface.level;
        nvs_file_depends_on(&c->file, nvs_frame_deps_first(c->streams[i].deps, surface.image));
    }
    record(c, i % NVS_STREAMS, NVS_MOMENT, 0, &packet, moment->name, strlen(moment->name));
    if (!moment->present)
        return;
    c->frame++;
    nvs_file_frame(&c->file);
}

enum status nvs_compile_end(struct nvs_compiler *c)
{
    enum status st = nvs_file_finish(&c->file);
    int error = errno;

    cmd_set_listener(NULL);
    for (unsigned i = 0; i < NVS_STREAMS; i++)
        free_stream(&c->streams[i]);
    mem_free(c);
    errno = error;
    return st;
}
