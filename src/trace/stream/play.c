/* Player of compiled streams: validates each record, then creates the resource, uploads the
 * contents or emits the packet.
 *
 * Tested by tests/fuzz/trace/test_nvs.c and tests/unit/tool/capture/test_compile.c. */
#include "trace/stream/player.h"

#include "api/api.h"
#include "util/alloc.h"

#include <string.h>

static const enum cmd_kind kind_of_field[] = {
    [CMD_FIELD_IMAGE] = CMD_IMAGE,   [CMD_FIELD_BUFFER] = CMD_BUFFER,
    [CMD_FIELD_SHADER] = CMD_SHADER, [CMD_FIELD_DECLARATION] = CMD_DECLARATION,
    [CMD_FIELD_QUERY] = CMD_QUERY,   [CMD_FIELD_RESOURCE] = CMD_FREE,
};

/* --- Packets ---------------------------------------------------------------------------------- */

static void destroy(struct nvs *nvs, struct played_stream *stream, uint32_t handle)
{
    struct played_resource *resource = nvs_find(stream, handle);

    if (!resource)
        return;
    cmd_destroy(stream->stream, resource->handle);
    nvs->memory_used -= resource->bytes;
    *resource = (struct played_resource){0};
}

/* Translates handles of the file to handles of the command stream. */
static bool translate(const struct played_stream *stream, struct nvs_record *record)
{
    for (unsigned i = 0; i < record->info->n_fields; i++) {
        const struct cmd_field *field = &record->info->field[i];
        const struct played_resource *resource;
        uint32_t handle;

        if (field->kind < CMD_FIELD_IMAGE)
            continue;
        memcpy(&handle, record->packet + field->offset, sizeof(handle));
        if (!handle)
            continue;
        resource = nvs_find(stream, handle);
        if (!resource || resource->kind != kind_of_field[field->kind])
            return false;
        memcpy(record->packet + field->offset, &resource->handle, sizeof(handle));
    }
    return true;
}

/* Returns true for packets that are skipped while no visible frame depends on draws. */
static bool can_skip(const struct nvs_record *record)
{
    switch (record->head.op) {
    case CMD_COPY:
    case CMD_STRETCH:
    case CMD_FILL:
    case CMD_GENERATE_MIPS:
        return !(record->head.flags & NVS_UPLOAD);
    case CMD_CLEAR:
    case CMD_DRAW:
    case CMD_DRAW_UP:
    case CMD_DRAW_PATCH:
    case CMD_PROCESS_VERTICES:
    case CMD_BEGIN_QUERY:
    case CMD_END_QUERY:
    case CMD_PRESENT:
        return true;
    default:
        return false;
    }
}

/* Decompresses into the resource's memory if the renderer does not use it. ST_BUSY: the caller
 * emits a packet instead. */
static enum status write_image(struct nvs *nvs, struct cmd_stream *stream,
                               struct nvs_record *record)
{
    const struct cmd_surface *dst = &((const struct cmd_write_image *)record->packet)->dst;
    struct tex_level level;
    enum status st;

    if (cmd_map_image(stream, dst->image, dst->face, dst->level, CMD_MAP_WRITE | CMD_MAP_TRY,
                      &level) != ST_OK)
        return ST_BUSY;
    st = nvs_reader_data_to(&nvs->reader, record, level.data);
    cmd_unmap_image(stream, dst->image, dst->face, dst->level, true);
    return st;
}

static enum status write_buffer(struct nvs *nvs, struct cmd_stream *stream,
                                struct nvs_record *record)
{
    const struct cmd_write_buffer *p = (const void *)record->packet;
    uint8_t *data;
    enum status st;

    if (cmd_map_buffer(stream, p->buffer, CMD_MAP_WRITE | CMD_MAP_TRY, &data) != ST_OK)
        return ST_BUSY;
    st = nvs_reader_data_to(&nvs->reader, record, data + p->offset);
    cmd_unmap_buffer(stream, p->buffer, p->offset, record->data_bytes);
    return st;
}

/* Returns ST_UNSUPPORTED if the packet exceeds the work limits. */
static enum status emit(struct nvs *nvs, struct played_stream *stream, struct nvs_record *record)
{
    enum cmd_op op = (enum cmd_op)record->head.op;
    enum status st = ST_BUSY;

    if (op == CMD_WRITE_IMAGE)
        st = write_image(nvs, stream->stream, record);
    else if (op == CMD_WRITE_BUFFER)
        st = write_buffer(nvs, stream->stream, record);
    if (st != ST_BUSY)
        return st;
    st = nvs_reader_data(&nvs->reader, record);
    if (st != ST_OK)
        return st;
    if (!nvs_limits_allow(stream, op, record->packet, record->data))
        return ST_UNSUPPORTED;
    return cmd_emit(stream->stream, op, record->packet, record->info->bytes, record->data,
                    record->data_bytes);
}

static void note_failure(struct nvs *nvs, const struct nvs_record *record, enum status st)
{
    nvs->stats.failed++;
    nvs_warn(nvs, record, st == ST_UNSUPPORTED ? "exceeds the work limits" : status_text(st));
}

static enum status play_packet(struct nvs *nvs, struct nvs_record *record,
                               struct played_stream *stream)
{
    enum cmd_op op = (enum cmd_op)record->head.op;
    enum status st;

    if (cmd_is_draw(op))
        nvs->stats.draws++;
    if (nvs->frame < nvs->start && can_skip(record))
        return ST_OK;
    if (op == CMD_DESTROY) {
        destroy(nvs, stream, ((struct cmd_destroy *)record->packet)->handle);
        return ST_OK;
    }
    nvs_limits_track(stream, op, record->packet);
    if (!translate(stream, record))
        return nvs_damaged(nvs, record, "a handle names no resource of its kind");
    if (cmd_check(stream->stream, op, record->packet, record->data_bytes) != ST_OK)
        return nvs_damaged(nvs, record, "the packet is invalid");
    st = emit(nvs, stream, record);
    if (nvs->reader.error.status != ST_OK)
        return nvs->reader.error.status;
    if (st == ST_OK && op == CMD_PRESENT)
        st = cmd_wait_for_frames(stream->stream, FRAMES_AHEAD, false);
    nvs->stats.executed++;
    if (st != ST_OK)
        note_failure(nvs, record, st);
    return ST_OK;
}

/* --- Streams ---------------------------------------------------------------------------------- */

static enum status open_stream(struct nvs *nvs, const struct nvs_record *record,
                               struct played_stream *stream)
{
    const struct draw_options options = api_draw_options();
    enum status st;

    if (stream->stream)
        return nvs_damaged(nvs, record, "the stream is open");
    if (!nvs_charge_memory(nvs, NVS_STREAM_BYTES))
        return nvs_damaged(nvs, record, "exceeds the memory limit for a file of this size");
    stream->n = 1;
    st = cmd_stream_create(&stream->stream, &options, NULL, NULL);
    if (st != ST_OK)
        return nvs_reader_fail(&nvs->reader, st, record->offset, record->at, "%s", status_text(st));
    return ST_OK;
}

/* --- Moments ---------------------------------------------------------------------------------- */

static enum status play_moment(struct nvs *nvs, struct nvs_record *record,
                               struct played_stream *stream)
{
    const struct nvs_moment *p = (const void *)record->packet;
    char name[64] = "";
    struct replay_moment moment = {.call = p->call_low | (uint64_t)p->call_high << 32,
                                   .name = name,
                                   .present = p->present != 0,
                                   .frame = nvs->frame};
    size_t n = record->data_bytes < sizeof(name) ? record->data_bytes : sizeof(name) - 1;

    if (n)
        memcpy(name, record->data, n);
    nvs->moment_stream = stream;
    nvs->moment = *p;
    if (nvs->options.on_moment && !nvs->options.on_moment(nvs->options.ctx, nvs, &moment))
        nvs->stopped = true;
    nvs->moment_stream = NULL;
    if (p->present) {
        nvs->frame++;
        nvs->stats.frames++;
    }
    return ST_OK;
}

static bool shows_nothing(const struct nvs_record *record)
{
    return record->head.op == NVS_MOMENT && !((const struct nvs_moment *)record->packet)->image;
}

static enum status play(struct nvs *nvs, struct nvs_record *record)
{
    struct played_stream *stream = &nvs->streams[record->head.stream];
    enum status st;

    nvs->stats.calls++;
    if (record->head.op == NVS_OPEN)
        return open_stream(nvs, record, stream);
    if (!stream->stream && !shows_nothing(record))
        return nvs_damaged(nvs, record, "the stream is not open");
    if (record->head.op < CMD_OP_COUNT)
        return play_packet(nvs, record, stream);
    st = nvs_reader_data(&nvs->reader, record);
    if (st != ST_OK)
        return st;
    if (record->head.op == NVS_CLOSE)
        nvs_close_stream(nvs, stream);
    else if (record->head.op == NVS_MOMENT)
        return play_moment(nvs, record, stream);
    else
        return nvs_create(nvs, record, stream);
    return ST_OK;
}

/* Returns the first frame to draw for the pictures of frames first … last. */
static uint64_t first_drawn(const struct nvs_reader *reader, uint64_t first, uint64_t last)
{
    uint64_t start = first;

    if (!reader->has_index)
        return 0;
    for (uint64_t f = first; f <= last && f < reader->n_frames; f++)
        if (reader->first_frame[f] < start)
            start = reader->first_frame[f];
    return start;
}

static uint64_t memory_limit_of(uint64_t size)
{
    uint64_t bytes =
        size < UINT32_MAX ? NVS_MEMORY_BASE + size * NVS_MEMORY_FACTOR : NVS_MEMORY_MAX;

    return bytes < NVS_MEMORY_MAX ? bytes : NVS_MEMORY_MAX;
}

enum status nvs_run(struct nvs *nvs, const struct nvs_options *options)
{
    struct nvs_record *record = mem_calloc(1, sizeof(*record));
    enum status st = ST_NOMEM;

    if (!record)
        return st;
    nvs->options = *options;
    nvs->memory_limit = memory_limit_of(nvs->reader.size);
    nvs->start = first_drawn(&nvs->reader, options->first, options->last);
    while (!nvs->stopped && (st = nvs_reader_next(&nvs->reader, record)) == ST_OK)
        if ((st = play(nvs, record)) != ST_OK)
            break;
    mem_free(record);
    nvs_play_end(nvs);
    return st == ST_NOTFOUND ? ST_OK : st;
}
