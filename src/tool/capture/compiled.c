/* `novem info` and `novem dump` for compiled streams.
 *
 * Tested by tests/unit/tool/capture/test_compile.c. */
#include "tool/capture/compiled.h"

#include "tool/cli/cli.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_contents(const struct nvs_contents *s)
{
    printf("container  compiled stream\nrecords    %" PRIu64 "\nframes     %" PRIu64 " (%" PRIu64
           " depend on none before)\ndraws      %" PRIu64 "\nblobs      %" PRIu64
           ", %.1f MiB\n\nrecords by name, and bytes of their data:\n",
           s->records, s->frames, s->independent_frames, s->draws, s->blobs,
           (double)s->blob_bytes / (1 << 20));
    for (unsigned i = 0; i < sizeof(s->count) / sizeof(s->count[0]); i++)
        if (s->count[i].name)
            printf("  %8" PRIu64 "  %-22s %12" PRIu64 "\n", s->count[i].records, s->count[i].name,
                   s->count[i].bytes);
}

static int finish(const char *command, const char *file, enum status st, struct nvs *nvs)
{
    if (st != ST_OK)
        tool_error(command, "%s: %s", file,
                   *nvs_error(nvs)->text ? nvs_error(nvs)->text : status_text(st));
    nvs_close(nvs);
    return st == ST_OK ? TOOL_OK : TOOL_ERROR;
}

int tool_info_compiled(const char *command, const char *file)
{
    static struct nvs_contents contents;
    struct trace_error error;
    struct nvs *nvs;
    enum status st;

    if (nvs_open(&nvs, file, &error) != ST_OK)
        return tool_error(command, "%s: %s", file, error.text);
    st = nvs_get_contents(nvs, &contents);
    print_contents(&contents);
    return finish(command, file, st, nvs);
}

struct dump {
    const char *name;
    uint64_t from, to, number;
};

static void print_line(void *ctx, const char *text)
{
    struct dump *dump = ctx;
    uint64_t number = dump->number++;

    if (number >= dump->from && number <= dump->to && (!dump->name || strstr(text, dump->name)))
        printf("%" PRIu64 " %s\n", number, text);
}

int tool_dump_compiled(const char *command, const char *file, const char *name, uint64_t from,
                       uint64_t to)
{
    struct dump dump = {name, from, to, 0};
    int code;
    struct trace_error error;
    struct nvs *nvs;

    if (nvs_open(&nvs, file, &error) != ST_OK)
        return tool_error(command, "%s: %s", file, error.text);
    code = finish(command, file, nvs_print(nvs, print_line, &dump), nvs);
    if (code == TOOL_OK && from > 0 && from >= dump.number)
        return tool_error(command, "%s: there is no record %" PRIu64, file, from);
    return code;
}
