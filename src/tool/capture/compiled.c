/* `novem info` and `novem dump` for compiled streams.
 *
 * Tested by tests/unit/tool/capture/test_compile.c. */
#include "tool/capture/compiled.h"

#include "tex/tex.h"
#include "tool/cli/cli.h"
#include "tool/inspect/state_names.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A number after " name=", or 0. */
static uint32_t field(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at ? (uint32_t)strtoul(at + strlen(name), NULL, 0) : 0;
}

/* Names what the numbers of a record mean; false: nothing is known of them. */
static bool explain(char out[STATE_TEXT_BYTES], const char *text)
{
    static const char *const kinds[] = {": set_render_state ", ": set_stage_state ",
                                        ": set_sampler_state "};
    const char *name = NULL;

    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strstr(text, kinds[i]))
            return inspect_state_describe(out, (enum inspect_state_kind)i, field(text, " state="),
                                          field(text, " value="));
    if (strstr(text, ": draw"))
        name = inspect_primitive_name(field(text, " type="));
    else if (strstr(text, ": create_image "))
        name = tex_format_name(field(text, " format="));
    snprintf(out, STATE_TEXT_BYTES, "%s", name ? name : "");
    return name;
}

static void print_line(void *ctx, const char *text)
{
    struct dump *dump = ctx;
    uint64_t number = dump->number++;
    char names[STATE_TEXT_BYTES];
    bool named = explain(names, text);

    if (number >= dump->from && number <= dump->to &&
        (!dump->name || strstr(text, dump->name) || (named && strstr(names, dump->name))))
        printf("%" PRIu64 " %s%s%s\n", number, text, named ? "  // " : "", named ? names : "");
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
