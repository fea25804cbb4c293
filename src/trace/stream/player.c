/* State of the player of compiled streams: its resources and their memory, its warnings and errors.
 *
 * Tested by tests/fuzz/trace/test_nvs.c. */
#include "trace/stream/player.h"

#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>

void nvs_warn(struct nvs *nvs, const struct nvs_record *record, const char *what)
{
    char line[256];

    snprintf(line, sizeof(line), "frame %llu, %s: %s", (unsigned long long)nvs->frame,
             record->info->name, what);
    if (nvs->options.on_warning)
        nvs->options.on_warning(nvs->options.ctx, line);
    else
        log_warn("nvs", "%s", line);
}

enum status nvs_damaged(struct nvs *nvs, const struct nvs_record *record, const char *what)
{
    return nvs_reader_fail(&nvs->reader, ST_DAMAGED, record->offset, record->at, "%s: %s",
                           record->info->name, what);
}

bool nvs_charge_memory(struct nvs *nvs, uint64_t bytes)
{
    if (bytes > nvs->memory_limit - nvs->memory_used)
        return false;
    nvs->memory_used += bytes;
    return true;
}

struct played_resource *nvs_find(const struct played_stream *stream, uint32_t handle)
{
    return handle && handle < stream->n && stream->resource[handle].kind ? &stream->resource[handle]
                                                                         : NULL;
}

void nvs_close_stream(struct nvs *nvs, struct played_stream *stream)
{
    cmd_stream_destroy(stream->stream);
    for (uint32_t i = 1; i < stream->n; i++)
        nvs->memory_used -= stream->resource[i].bytes;
    mem_free(stream->resource);
    *stream = (struct played_stream){0};
}

void nvs_play_end(struct nvs *nvs)
{
    for (unsigned i = 0; i < NVS_STREAMS; i++)
        nvs_close_stream(nvs, &nvs->streams[i]);
}
