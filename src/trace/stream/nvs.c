/* Compiled streams: opening and closing a file for the player.
 *
 * Tested by tests/unit/trace/stream/test_blobs.c and tests/fuzz/trace/test_nvs.c. */
#include "trace/stream/player.h"

#include "trace/codec/container.h"
#include "util/alloc.h"
#include "util/path.h"

#include <string.h>

bool nvs_is_file(const char *path)
{
    FILE *file = container_is_special(path) ? NULL : path_open(path, "rb");
    char magic[8] = {0};
    bool is = file && fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
              !memcmp(magic, NVS_MAGIC, sizeof(magic));

    if (file)
        fclose(file);
    return is;
}

static enum status finish_open(struct nvs **out, struct nvs *nvs, enum status st,
                               struct trace_error *error)
{
    *out = nvs;
    if (st == ST_OK)
        return ST_OK;
    *error = nvs->reader.error;
    nvs_close(nvs);
    *out = NULL;
    return st;
}

static struct nvs *new_nvs(struct trace_error *error)
{
    struct nvs *nvs = mem_calloc(1, sizeof(*nvs));

    if (!nvs)
        *error = (struct trace_error){.status = ST_NOMEM, .text = "out of memory"};
    return nvs;
}

enum status nvs_open(struct nvs **out, const char *path, struct trace_error *error)
{
    struct nvs *nvs = new_nvs(error);

    *out = NULL;
    return nvs ? finish_open(out, nvs, nvs_reader_open(&nvs->reader, path), error) : ST_NOMEM;
}

enum status nvs_open_memory(struct nvs **out, const void *data, size_t size,
                            struct trace_error *error)
{
    struct nvs *nvs = new_nvs(error);

    *out = NULL;
    return nvs ? finish_open(out, nvs, nvs_reader_open_memory(&nvs->reader, data, size), error)
               : ST_NOMEM;
}

void nvs_close(struct nvs *nvs)
{
    if (!nvs)
        return;
    nvs_play_end(nvs);
    nvs_reader_close(&nvs->reader);
    mem_free(nvs);
}

const struct trace_error *nvs_error(const struct nvs *nvs)
{
    return &nvs->reader.error;
}

const struct replay_stats *nvs_get_stats(const struct nvs *nvs)
{
    return &nvs->stats;
}

void nvs_progress(const struct nvs *nvs, uint64_t *done, uint64_t *total)
{
    *done = nvs->reader.offset;
    *total = nvs->reader.size;
}
