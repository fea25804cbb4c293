/* Compiled streams without playing them: statistics of their contents, and their records as text.
 *
 * Tested by tests/unit/tool/capture/test_compile.c. */
#include "trace/stream/player.h"

#include "util/alloc.h"
#include "util/plural.h"

#include <string.h>

/* --- Counts ----------------------------------------------------------------------------------- */

_Static_assert(NVS_OPS <= sizeof(((struct nvs_contents *)0)->count) / sizeof(struct nvs_count),
               "nvs_contents has a counter for each record type");

static void count(struct nvs_contents *s, const struct nvs_record *record)
{
    struct nvs_count *count = &s->count[record->head.op];

    s->records++;
    s->draws += cmd_is_draw((enum cmd_op)record->head.op);
    s->frames += record->head.op == NVS_MOMENT && ((struct nvs_moment *)record->packet)->present;
    count->name = record->info->name;
    count->records++;
    count->bytes += record->data_bytes;
}

enum status nvs_get_contents(struct nvs *nvs, struct nvs_contents *out)
{
    struct nvs_record *record = mem_calloc(1, sizeof(*record));
    enum status st = record ? ST_OK : ST_NOMEM;

    memset(out, 0, sizeof(*out));
    while (st == ST_OK && (st = nvs_reader_next(&nvs->reader, record)) == ST_OK)
        count(out, record);
    out->blobs = nvs->reader.n_blobs;
    for (uint32_t i = 0; i < nvs->reader.n_blobs; i++)
        out->blob_bytes += nvs->reader.blobs[i].bytes;
    for (uint32_t i = 0; i < nvs->reader.n_frames && i < out->frames; i++)
        out->independent_frames += nvs->reader.first_frame[i] >= i;
    mem_free(record);
    return st == ST_NOTFOUND ? ST_OK : st;
}

/* --- Text ------------------------------------------------------------------------------------- */

enum { LINE = 8192 };

static size_t put_value(char *to, size_t room, const struct cmd_field *field, const uint8_t *at)
{
    uint32_t word;
    uint64_t wide;
    float real;

    memcpy(&word, at, sizeof(word));
    switch (field->kind) {
    case CMD_FIELD_I32:
        return (size_t)snprintf(to, room, "%d", (int32_t)word);
    case CMD_FIELD_F32:
        memcpy(&real, at, sizeof(real));
        return (size_t)snprintf(to, room, "%.9g", (double)real);
    case CMD_FIELD_U64:
        memcpy(&wide, at, sizeof(wide));
        return (size_t)snprintf(to, room, "0x%llx", (unsigned long long)wide);
    case CMD_FIELD_U32:
        return (size_t)snprintf(to, room, word > 0xffff ? "0x%x" : "%u", word);
    default:
        return (size_t)snprintf(to, room, "#%u", word);
    }
}

static size_t put_field(char *to, size_t room, const struct cmd_field *field, const uint8_t *at)
{
    size_t n = (size_t)snprintf(to, room, " %s=", field->name);

    for (unsigned i = 0; i < field->count && n + 32 < room; i++) {
        if (i)
            to[n++] = ',';
        n += put_value(to + n, room - n, field, at + i * (field->kind == CMD_FIELD_U64 ? 8 : 4));
    }
    return n;
}

static void put_line(char *to, const struct nvs_record *r)
{
    size_t n = (size_t)snprintf(to, LINE, "%u: %s", r->head.stream, r->info->name);

    for (unsigned i = 0; i < r->info->n_fields && n + 64 < LINE; i++)
        n += put_field(to + n, LINE - n, &r->info->field[i], r->packet + r->info->field[i].offset);
    if (r->head.op == NVS_MOMENT && r->data)
        n += (size_t)snprintf(to + n, LINE - n, " %.*s", (int)r->data_bytes, (const char *)r->data);
    else if (r->blob != NVS_NONE)
        n += (size_t)snprintf(to + n, LINE - n, " blob %u (" PLURAL_FORMAT ")", r->blob,
                              PLURAL(r->data_bytes, "byte", "bytes"));
    else if (r->data_bytes)
        n += (size_t)snprintf(to + n, LINE - n, " " PLURAL_FORMAT,
                              PLURAL(r->data_bytes, "byte", "bytes"));
    if (r->head.flags & NVS_UPLOAD)
        snprintf(to + n, LINE - n, " upload");
}

enum status nvs_print(struct nvs *nvs, void (*line)(void *ctx, const char *text), void *ctx)
{
    struct nvs_record *record = mem_calloc(1, sizeof(*record));
    char *text = mem_alloc(LINE);
    enum status st = record && text ? ST_OK : ST_NOMEM;

    while (st == ST_OK && (st = nvs_reader_next(&nvs->reader, record)) == ST_OK) {
        put_line(text, record);
        line(ctx, text);
    }
    mem_free(record);
    mem_free(text);
    return st == ST_NOTFOUND ? ST_OK : st;
}
