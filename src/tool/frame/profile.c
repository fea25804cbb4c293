/* `novem profile`: what the draws and shaders of a frame cost.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/cli/cli.h"
#include "tool/frame/cost.h"
#include "tool/frame/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct options {
    const char *command, *file, *by, *path;
    unsigned frame, runs;
    bool json, csv, folded;
};

/* False: out of memory. */
static bool print(const struct options *o, const struct frame_cost *cost, bool by_shader, FILE *out)
{
    if (o->json)
        return frame_cost_print_json(cost, out);
    if (!o->csv && !o->folded)
        return frame_cost_print_table(cost, by_shader, out);
    if (o->csv)
        frame_cost_print_csv(cost, by_shader, out);
    else
        frame_cost_print_folded(cost, out);
    return true;
}

static int write_costs(const struct options *o, const struct frame_cost *cost, bool by_shader)
{
    bool to_file = o->path && strcmp(o->path, "-") != 0;
    FILE *out = to_file ? fopen(o->path, "w") : stdout;
    int code = TOOL_OK;

    if (!out)
        return tool_write_error(o->command, o->path);
    if (!print(o, cost, by_shader, out))
        code = tool_error(o->command, "%s", status_text(ST_NOMEM));
    errno = 0;
    if (to_file && !tool_file_close(out, o->path))
        return tool_write_error(o->command, o->path);
    return code;
}

static int gather(const struct options *o, struct frame_cost *cost)
{
    struct frame_walk *walk;
    int code = frame_walk_open(&walk, o->command, o->file, o->frame);
    enum status st;

    if (code != TOOL_OK)
        return code;
    st = frame_cost_gather(cost, walk, o->runs);
    if (st != ST_OK)
        code = tool_error(o->command, "%s: %s", o->file, status_text(st));
    else if (!cost->n_events && !frame_walk_presented(walk))
        code = tool_error(o->command, "%s: there is no frame %u", o->file, o->frame);
    frame_walk_close(walk);
    return code;
}

static int run(const struct options *o)
{
    bool by_shader = o->by && !strcmp(o->by, "shader");
    struct frame_cost cost = {0};
    int code;

    if (o->by && !by_shader && strcmp(o->by, "draw") != 0)
        return tool_error(o->command, "--by %s: 'draw' or 'shader'", o->by);
    if (o->json + o->csv + o->folded > 1)
        return tool_error(o->command, "only one of --json, --csv and --folded is possible");
    if (o->path && tool_file_is_same(o->path, o->file))
        return tool_error(o->command, "%s is the capture", o->path);
    code = gather(o, &cost);
    if (code == TOOL_OK)
        code = write_costs(o, &cost, by_shader);
    frame_cost_fini(&cost);
    return code;
}

int tool_profile(int argc, char **argv)
{
    struct options o = {.command = argv[0], .runs = 3};
    const struct tool_option options[] = {
        {"--frame", "F", "the frame, counted from 0 (default: 0)", OPT_UINT, &o.frame},
        {"--by", "WHAT", "a line for each 'draw' (default) or for each 'shader'", OPT_TEXT, &o.by},
        {"--runs", "N", "least time of N runs (default: 3); 0: no times", OPT_UINT, &o.runs},
        {"--json", NULL, "print JSON", OPT_FLAG, &o.json},
        {"--csv", NULL, "print CSV", OPT_FLAG, &o.csv},
        {"--folded", NULL, "print folded stacks of instructions, for flame graphs", OPT_FLAG,
         &o.folded},
        {"-o", "FILE", "write to a file", OPT_TEXT, &o.path},
    };
    const struct tool_usage usage = {
        "profile CAPTURE --frame F [options]",
        "Counts what the draws of a frame do: vertices shaded, primitives culled, clipped and\n"
        "drawn, samples covered, tested and written, pixels shaded, texture samples taken,\n"
        "instructions executed. Measures the processor time of each draw, clear and copy.\n"
        "The costliest come first.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &o.file);

    return code < 0 ? run(&o) : code;
}
