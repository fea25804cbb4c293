/* Plays a compiled stream through Direct3D 9 (trace/trace.h, nvs_calls_*): devices, records,
 * pictures.
 *
 * Tested by tests/fuzz/trace/test_nvs.c and tests/tool/retrace.sh. */
#include "trace/calls/calls.h"

#include "util/alloc.h"
#include "util/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Opening ---------------------------------------------------------------------------------- */

/* A file that was written to memory has no path. */
struct source {
    const char *path;
    const void *data;
    size_t size;
};

static enum status open_reader(struct nvs_reader *reader, const struct source *source)
{
    return source->path ? nvs_reader_open(reader, source->path)
                        : nvs_reader_open_memory(reader, source->data, source->size);
}

/* Reads the file twice. */
static enum status open_source(struct nvs_calls **out, const struct source *source,
                               struct trace_error *error)
{
    struct nvs_calls *c = mem_calloc(1, sizeof(*c));
    enum status st;

    *out = c;
    if (!c) {
        *error = (struct trace_error){.status = ST_NOMEM, .text = "out of memory"};
        return ST_NOMEM;
    }
    st = open_reader(&c->reader, source);
    if (st == ST_OK)
        st = calls_find_uses(&c->reader, &c->uses);
    if (st == ST_OK) {
        nvs_reader_close(&c->reader);
        st = open_reader(&c->reader, source);
    }
    if (st == ST_OK)
        return ST_OK;
    *error = c->reader.error;
    if (error->status == ST_OK)
        *error = (struct trace_error){.status = st, .text = "out of memory"};
    nvs_calls_close(c);
    *out = NULL;
    return st;
}

enum status nvs_calls_open(struct nvs_calls **out, const char *path, struct trace_error *error)
{
    return open_source(out, &(struct source){.path = path}, error);
}

enum status nvs_calls_open_memory(struct nvs_calls **out, const void *data, size_t size,
                                  struct trace_error *error)
{
    return open_source(out, &(struct source){.data = data, .size = size}, error);
}

static void close_stream(struct calls_stream *s)
{
    for (uint32_t i = 1; i < s->n; i++)
        calls_destroy(&s->resource[i]);
    mem_free(s->resource);
    if (s->device)
        IDirect3DDevice9_Release(s->device);
    *s = (struct calls_stream){0};
}

void nvs_calls_close(struct nvs_calls *c)
{
    if (!c)
        return;
    for (unsigned i = 0; i < NVS_STREAMS; i++)
        close_stream(&c->streams[i]);
    windows_fini(&c->windows);
    calls_free_uses(&c->uses);
    nvs_reader_close(&c->reader);
    mem_free(c);
}

/* --- Devices ---------------------------------------------------------------------------------- */

static HRESULT create_type(IDirect3D9 *d3d, D3DDEVTYPE type, D3DPRESENT_PARAMETERS pp,
                           bool software, IDirect3DDevice9 **out)
{
    DWORD behaviour =
        software ? D3DCREATE_MIXED_VERTEXPROCESSING : D3DCREATE_HARDWARE_VERTEXPROCESSING;
    HRESULT hr = IDirect3D9_CreateDevice(d3d, 0, type, pp.hDeviceWindow,
                                         behaviour | D3DCREATE_FPU_PRESERVE, &pp, out);

    return SUCCEEDED(hr)
               ? hr
               : IDirect3D9_CreateDevice(
                     d3d, 0, type, pp.hDeviceWindow,
                     D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_FPU_PRESERVE, &pp, out);
}

/* The reference device may need the SDK; the hardware then has to do. */
static HRESULT create_device(IDirect3D9 *d3d, D3DPRESENT_PARAMETERS pp,
                             const struct calls_stream_use *use, IDirect3DDevice9 **out)
{
    bool software = use && use->software;

    if (use && use->reference && SUCCEEDED(create_type(d3d, D3DDEVTYPE_REF, pp, software, out)))
        return D3D_OK;
    return create_type(d3d, D3DDEVTYPE_HAL, pp, software, out);
}

/* The back buffer holds the largest picture of the stream. */
static enum status open_stream(struct nvs_calls *c, struct calls_stream *s)
{
    const struct calls_stream_use *use =
        c->next_stream < c->uses.n_streams ? &c->uses.stream[c->next_stream] : NULL;
    uint32_t width = use && use->width ? use->width : 64;
    uint32_t height = use && use->height ? use->height : 64;
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    const D3DPRESENT_PARAMETERS pp = {
        .BackBufferWidth = width,
        .BackBufferHeight = height,
        .BackBufferFormat = D3DFMT_X8R8G8B8,
        .BackBufferCount = 1,
        .SwapEffect = D3DSWAPEFFECT_COPY,
        .hDeviceWindow = window_for(&c->windows, (uint64_t)c->next_stream + 1, width, height),
        .Windowed = TRUE,
        .PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE};

    s->n = 1;
    s->software = use && use->software;
    c->next_stream++;
    if (!d3d)
        return ST_LOST;
    if (FAILED(create_device(d3d, pp, use, &s->device)))
        s->device = NULL;
    IDirect3D9_Release(d3d);
    if (!s->device)
        return ST_LOST;
    IDirect3DDevice9_BeginScene(s->device);
    return ST_OK;
}

/* --- Moments ---------------------------------------------------------------------------------- */

/* Shows the picture in the window, too, so that recorders and overlays see frames. */
static void present(struct calls_stream *s, const struct nvs_moment *p)
{
    const struct calls_resource *image = calls_find(s, p->image, CMD_IMAGE);
    IDirect3DSurface9 *from = image ? calls_surface(image, p->face, p->level) : NULL, *to = NULL;

    if (from &&
        SUCCEEDED(IDirect3DDevice9_GetBackBuffer(s->device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &to))) {
        IDirect3DDevice9_StretchRect(s->device, from, NULL, to, NULL, D3DTEXF_NONE);
        IDirect3DSurface9_Release(to);
    }
    if (from)
        IDirect3DSurface9_Release(from);
    IDirect3DDevice9_EndScene(s->device);
    IDirect3DDevice9_Present(s->device, NULL, NULL, NULL, NULL);
    IDirect3DDevice9_BeginScene(s->device);
}

/* Returns false if the hook ends the replay. */
static bool play_moment(struct nvs_calls *c, const struct nvs_record *record,
                        struct calls_stream *s)
{
    const struct nvs_moment *p = (const void *)record->packet;
    char name[64] = "";
    const struct replay_moment moment = {.call = p->call_low | (uint64_t)p->call_high << 32,
                                         .name = name,
                                         .present = p->present != 0,
                                         .frame = c->frame};
    size_t n = record->data_bytes < sizeof(name) ? record->data_bytes : sizeof(name) - 1;
    bool go_on;

    if (n)
        memcpy(name, record->data, n);
    c->moment = *p;
    c->moment_stream = s;
    go_on = !c->options.on_moment || c->options.on_moment(c->options.ctx, c, &moment);
    c->moment_stream = NULL;
    if (p->present) {
        c->frame++;
        c->stats.frames++;
        if (s->device)
            present(s, p);
    }
    return go_on;
}

enum status nvs_calls_take_picture(struct nvs_calls *c, struct replay_picture *out)
{
    const struct calls_stream *s = c->moment_stream;
    const struct calls_resource *r = s ? calls_find(s, c->moment.image, CMD_IMAGE) : NULL;
    IDirect3DSurface9 *surface = r ? calls_surface(r, c->moment.face, c->moment.level) : NULL;

    memset(out, 0, sizeof(*out));
    return surface ? replay_read_surface(s->device, surface, out) : ST_NOTFOUND;
}

/* --- Records ---------------------------------------------------------------------------------- */

/* The player creates devices of IDirect3D9, which are enough for all but two methods. */
static void note_failure(struct nvs_calls *c, const struct nvs_record *record, HRESULT hr)
{
    char line[256], reason[64];

    c->stats.failed++;
    snprintf(reason, sizeof(reason), "failed with %#" PRIx32, (uint32_t)hr);
    snprintf(line, sizeof(line), "frame %llu, %s: %s", (unsigned long long)c->frame,
             record->info->name,
             hr == CALLS_NEEDS_EX ? "needs a device of Direct3D 9Ex; replay the capture" : reason);
    if (c->options.on_warning)
        c->options.on_warning(c->options.ctx, line);
    else
        log_warn("nvs", "%s", line);
}

static enum status play_packet(struct nvs_calls *c, const struct nvs_record *record,
                               struct calls_stream *s, HRESULT *hr)
{
    const void *p = record->packet;
    enum cmd_op op = (enum cmd_op)record->head.op;

    switch (op) {
    case CMD_DRAW:
    case CMD_DRAW_UP:
    case CMD_DRAW_PATCH:
        c->stats.draws++;
        return calls_draw(s, op, p, record->data, record->data_bytes, hr);
    case CMD_CLEAR:
    case CMD_PROCESS_VERTICES:
    case CMD_WRITE_BUFFER:
        return calls_draw(s, op, p, record->data, record->data_bytes, hr);
    case CMD_WRITE_IMAGE:
        return calls_write_image(s, p, record->data, record->data_bytes, hr);
    case CMD_COPY:
        return calls_copy(s, p, hr);
    case CMD_STRETCH:
        return calls_stretch(s, p, hr);
    case CMD_FILL:
        return calls_fill(s, p, hr);
    case CMD_GENERATE_MIPS:
        return calls_generate_mips(s, p);
    case CMD_COMPOSE_RECTS:
        *hr = CALLS_NEEDS_EX;
        return ST_OK;
    case CMD_DESTROY: {
        uint32_t handle = ((const struct cmd_destroy *)p)->handle;

        if (handle && handle < s->n)
            calls_destroy(&s->resource[handle]);
        return ST_OK;
    }
    case CMD_PRESENT: /* the moment before it presents */
    case CMD_BEGIN_QUERY:
    case CMD_END_QUERY:
    case CMD_TOUCH:
    case CMD_SET_BACKING:
        return ST_OK;
    default:
        return calls_set(s, op, p, record->data, record->data_bytes, hr);
    }
}

/* ST_NOTFOUND: a hook ended the replay. */
static enum status play(struct nvs_calls *c, struct nvs_record *record)
{
    struct calls_stream *s = &c->streams[record->head.stream];
    enum status st = nvs_reader_data(&c->reader, record);
    HRESULT hr = D3D_OK;

    if (st != ST_OK)
        return st;
    c->stats.calls++;
    if (record->head.op == NVS_MOMENT)
        return play_moment(c, record, s) ? ST_OK : ST_NOTFOUND;
    if (record->head.op == NVS_OPEN)
        return s->device ? ST_INVALID : open_stream(c, s);
    if (!s->device)
        return ST_INVALID;
    if (record->head.op == NVS_CLOSE)
        close_stream(s);
    else if (record->head.op < CMD_OP_COUNT)
        st = play_packet(c, record, s, &hr);
    else
        st = calls_create(c, record, s, &hr);
    if (st == ST_OK && FAILED(hr))
        note_failure(c, record, hr);
    return st;
}

enum status nvs_calls_run(struct nvs_calls *c, const struct nvs_calls_options *options)
{
    struct nvs_record *record = mem_calloc(1, sizeof(*record));
    enum status st = ST_NOMEM;

    if (!record)
        return st;
    c->options = *options;
    c->windows.open = options->open_window;
    c->windows.ctx = options->ctx;
    while ((st = nvs_reader_next(&c->reader, record)) == ST_OK)
        if ((st = play(c, record)) != ST_OK)
            break;
    if (st == ST_INVALID)
        st = nvs_reader_fail(&c->reader, ST_DAMAGED, record->offset, record->at,
                             "%s: invalid numbers", record->info->name);
    mem_free(record);
    return st == ST_NOTFOUND ? ST_OK : st;
}

const struct trace_error *nvs_calls_error(const struct nvs_calls *calls)
{
    return &calls->reader.error;
}

const struct replay_stats *nvs_calls_get_stats(const struct nvs_calls *calls)
{
    return &calls->stats;
}
