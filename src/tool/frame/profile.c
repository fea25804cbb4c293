/* `novem profile`: what the draws and shaders of a frame cost, or the shaders of a capture.
 *
 * Tested by tests/unit/tool/frame/test_cost.c and tests/unit/tool/frame/test_shader_costs.c. */
#include "tool/cli/cli.h"
#include "tool/frame/cost.h"
#include "tool/frame/frame.h"
#include "tool/frame/shader_costs.h"
#include "util/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *command, *file, *by, *frames, *path, *folder;
    unsigned frame, runs;
    bool all, json, csv, folded;
    /* Of these. */
    bool by_shader;
    uint64_t first, last; /* last UINT64_MAX: to the end */
};

/* --- Output ----------------------------------------------------------------------------------- */

/* What is printed: a frame, or shaders of frames. */
struct results {
    struct frame_cost frame; /* the last one */
    struct frame_shaders shaders;
};

/* False: out of memory. */
static bool print_shaders(const struct options *o, const struct frame_shaders *all, FILE *out)
{
    if (o->json)
        return frame_shaders_print_json(all, out);
    if (!o->csv)
        return frame_shaders_print_table(all, out);
    frame_shaders_print_csv(all, out);
    return true;
}

static bool print(const struct options *o, const struct results *r, FILE *out)
{
    if (o->by_shader)
        return print_shaders(o, &r->shaders, out);
    if (o->json)
        return frame_cost_print_json(&r->frame, out);
    if (!o->csv && !o->folded)
        return frame_cost_print_table(&r->frame, out);
    if (o->csv)
        frame_cost_print_csv(&r->frame, out);
    else
        frame_cost_print_folded(&r->frame, out);
    return true;
}

static int write_costs(const struct options *o, const struct results *r)
{
    bool to_file = o->path && strcmp(o->path, "-") != 0;
    FILE *out = to_file ? path_open(o->path, "w") : stdout;
    int code = TOOL_OK;

    if (!out)
        return tool_write_error(o->command, o->path);
    if (!print(o, r, out))
        code = tool_error(o->command, "%s", status_text(ST_NOMEM));
    errno = 0;
    if (to_file && !tool_file_close(out, o->path))
        return tool_write_error(o->command, o->path);
    return code;
}

/* --- Frames ----------------------------------------------------------------------------------- */

/* Gathers the frame where the walk stands. *more: there may be another. */
static int gather_frame(const struct options *o, struct frame_walk *walk, struct results *r,
                        bool *more)
{
    uint64_t frame = frame_walk_frame(walk);
    enum status st;

    frame_cost_fini(&r->frame);
    st = frame_cost_gather(&r->frame, walk, o->runs);
    *more = false;
    if (st == ST_OK && !r->frame.n_events && !frame_walk_presented(walk)) {
        if (frame == o->first || o->last != UINT64_MAX)
            return tool_error(o->command, "%s: there is no frame %" PRIu64, o->file,
                              frame == o->first ? frame : o->last);
        return TOOL_OK;
    }
    if (st == ST_OK)
        st = frame_shaders_add(&r->shaders, &r->frame);
    if (st == ST_OK && frame < o->last) {
        st = frame_walk_advance(walk, frame + 1);
        *more = st == ST_OK;
        if (st == ST_NOTFOUND && o->last != UINT64_MAX)
            return tool_error(o->command, "%s: there is no frame %" PRIu64, o->file, o->last);
        st = st == ST_NOTFOUND ? ST_OK : st;
    }
    return st == ST_OK ? TOOL_OK : tool_error(o->command, "%s: %s", o->file, status_text(st));
}

static int gather(const struct options *o, struct results *r)
{
    struct frame_walk *walk;
    int code = frame_walk_open(&walk, o->command, o->file, o->first);
    bool more = true;

    while (code == TOOL_OK && more)
        code = gather_frame(o, walk, r, &more);
    frame_walk_close(walk);
    frame_shaders_sort(&r->shaders);
    return code;
}

/* Parses "5", "5-9" or "5-". */
static bool parse_frames(struct options *o)
{
    char *end;

    o->first = o->frame;
    o->last = o->all ? UINT64_MAX : o->first;
    if (o->all)
        o->first = 0;
    if (!o->frames)
        return true;
    if (*o->frames < '0' || *o->frames > '9')
        return false;
    o->first = o->last = strtoull(o->frames, &end, 10);
    if (!*end)
        return true;
    if (*end++ != '-')
        return false;
    o->last = UINT64_MAX;
    if (!*end)
        return true;
    if (*end < '0' || *end > '9')
        return false;
    o->last = strtoull(end, &end, 10);
    return !*end && o->last >= o->first && o->last != UINT64_MAX;
}

static int check(struct options *o)
{
    if (o->by && strcmp(o->by, "shader") != 0 && strcmp(o->by, "draw") != 0)
        return tool_error(o->command, "--by %s: 'draw' or 'shader'", o->by);
    if (o->json + o->csv + o->folded > 1)
        return tool_error(o->command, "only one of --json, --csv and --folded is possible");
    if (o->path && tool_file_is_same(o->path, o->file))
        return tool_error(o->command, "%s is the capture", o->path);
    if (!parse_frames(o))
        return tool_error(o->command, "'%s' is not a range of frames", o->frames);
    if ((o->frames != NULL) + o->all + (o->frame != 0) > 1)
        return tool_error(o->command, "only one of --frame, --frames and --all is possible");
    o->by_shader = o->frames || o->all || (o->by && !strcmp(o->by, "shader"));
    if (o->by_shader && (o->folded || (o->by && !strcmp(o->by, "draw"))))
        return tool_error(o->command, "shaders of several frames are possible alone, without %s",
                          o->folded ? "--folded" : "--by draw");
    return TOOL_OK;
}

static int run(struct options *o)
{
    struct results results = {0};
    int code = check(o);

    if (code == TOOL_OK)
        code = gather(o, &results);
    if (code == TOOL_OK)
        code = write_costs(o, &results);
    if (code == TOOL_OK && o->folder)
        code = frame_shaders_write(&results.shaders, o->command, o->file, o->folder);
    frame_cost_fini(&results.frame);
    frame_shaders_fini(&results.shaders);
    return code;
}

int tool_profile(int argc, char **argv)
{
    struct options o = {.command = argv[0], .runs = 3};
    const struct tool_option options[] = {
        {"--frame", "F", "the frame, counted from 0 (default: 0)", OPT_UINT, &o.frame},
        {"--by", "WHAT", "a line for each 'draw' (default) or for each 'shader'", OPT_TEXT, &o.by},
        {"--frames", "A-B", "shaders of frames A to B; 'A-' goes on to the end", OPT_TEXT,
         &o.frames},
        {"--all", NULL, "shaders of all frames", OPT_FLAG, &o.all},
        {"--shaders", "DIR", "write the shaders, with the constants of their costliest draws",
         OPT_TEXT, &o.folder},
        {"--runs", "N", "least time of N runs (default: 3); 0: no times", OPT_UINT, &o.runs},
        {"--json", NULL, "print JSON", OPT_FLAG, &o.json},
        {"--csv", NULL, "print CSV", OPT_FLAG, &o.csv},
        {"--folded", NULL, "print folded stacks of instructions, for flame graphs", OPT_FLAG,
         &o.folded},
        {"-o", "FILE", "write to a file", OPT_TEXT, &o.path},
    };
    const struct tool_usage usage = {
        "profile CAPTURE [--frame F | --frames A-B | --all] [options]",
        "Counts what the draws of a frame do: vertices shaded, primitives culled, clipped and\n"
        "drawn, samples covered, tested and written, pixels shaded, texture samples taken,\n"
        "instructions executed. Measures the processor time of each draw, clear and copy.\n"
        "The costliest come first. Shaders are those of a frame, of several, or of all.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &o.file);

    return code < 0 ? run(&o) : code;
}
