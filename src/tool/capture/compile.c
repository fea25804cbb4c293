/* `novem compile`: converts a capture to a compiled command stream. */
#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "trace/trace.h"
#include "util/path.h"
#include "util/plural.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    const char *command;
    struct nvs_compiler *compiler;
};

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct job *job = ctx;

    nvs_compile_moment(job->compiler, replay, moment);
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    const struct job *job = ctx;

    fprintf(stderr, "novem %s: %s\n", job->command, line);
}

/* The stream has nothing of these calls, and nothing in it tells. */
static int check_complete(const struct job *job, const char *file, const struct replay_stats *s)
{
    if (!s->failed && !s->skipped && !s->unsupported)
        return TOOL_OK;
    tool_error(job->command,
               "%s: " PLURAL_FORMAT " failed, %" PRIu64 " skipped, %" PRIu64
               " not supported: the stream is without them",
               file, PLURAL(s->failed, "call", "calls"), s->skipped, s->unsupported);
    return TOOL_DIFFERS;
}

static int compile(struct job *job, const char *file, const char *out, struct trace_reader *reader)
{
    const struct replay_options options = {
        .ctx = job, .on_moment = on_moment, .on_warning = on_warning};
    struct replay *replay = NULL;
    enum status st = nvs_compile_begin(&job->compiler, out), end;
    int code = TOOL_OK;

    if (st != ST_OK)
        return st == ST_IO ? tool_write_error(job->command, out)
                           : tool_error(job->command, "%s: %s", out, status_text(st));
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if (st == ST_DAMAGED)
        code = tool_error(job->command, "%s: %s; everything before it was compiled", file,
                          trace_reader_error(reader)->text);
    else if (st != ST_OK)
        code = tool_error(job->command, "%s: %s", file, status_text(st));
    else
        code = check_complete(job, file, replay_get_stats(replay));
    replay_destroy(replay);
    end = nvs_compile_end(job->compiler);
    if (end != ST_OK)
        code = end == ST_IO ? tool_write_error(job->command, out)
                            : tool_error(job->command, "%s: %s", out, status_text(end));
    return code;
}

int tool_compile(int argc, char **argv)
{
    const char *file, *out = NULL;
    const struct tool_option options[] = {
        {"-o", "FILE", "the compiled stream (output file)", OPT_TEXT, &out},
    };
    const struct tool_usage usage = {
        "compile FILE -o FILE.nvs",
        "Executes the Direct3D 9 calls of a capture and records the renderer's command packets.\n"
        "`novem replay FILE.nvs` renders the same pictures from them, without the calls.\n"
        "The exit code is 1 if a call failed or was skipped.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    struct job job = {.command = argv[0]};
    struct trace_reader *reader;
    struct trace_error error;
    int code = tool_parse(&usage, argc, argv, &file);

    if (code >= 0)
        return code;
    if (!out)
        return tool_error(argv[0], "usage: novem %s", usage.line);
    if (tool_file_is_same(file, out))
        return tool_error(argv[0], "%s: is the capture itself", out);
    if (trace_open(&reader, file, &error) != ST_OK)
        return tool_error(argv[0], "%s: %s", file, error.text);
    path_set_variable("NOVEM_THREADS", "1"); /* one thread makes the stream independent of timing */
    code = tool_targets_are_as_asked(argv[0]) ? compile(&job, file, out, reader) : TOOL_ERROR;
    trace_close(reader);
    return code;
}
