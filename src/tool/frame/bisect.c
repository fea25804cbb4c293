/* `novem golden bisect`: binary search for the first draw after which another Direct3D 9
 * implementation renders a different target.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "tool/cli/cli.h"
#include "tool/frame/candidate.h"
#include "tool/frame/frame.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "util/alloc.h"
#include "util/path.h"
#include "util/plural.h"
#include "util/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct bisect {
    const char *command, *file, *candidate, *folder, *frame;
    unsigned threshold, pixels;
    struct inspect_target_draws draws;
    unsigned runs;     /* of the candidate's command */
    bool failed;       /* a message was printed */
    uint64_t of_frame; /* UINT64_MAX: all frames */
};

/* --- The candidate ---------------------------------------------------------------------------- */

static bool run_candidate(struct bisect *b, uint64_t call, struct tool_image *image)
{
    char path[4096], *line;
    const struct candidate_values values = {b->file, path, call, call};
    int code;

    snprintf(path, sizeof(path), "%s/candidate.png", b->folder);
    path_remove(path);
    line = frame_candidate_command(b->candidate, &values);
    fflush(stdout);
    code = line ? process_run(line) : -1;
    free(line);
    b->runs++;
    b->failed = true;
    if (code != 0)
        tool_error(b->command, "the candidate failed at call %" PRIu64, call);
    else if (tool_png_read(path, image) != ST_OK)
        tool_error(b->command, "the candidate wrote no PNG for call %" PRIu64, call);
    else
        b->failed = false;
    return !b->failed;
}

/* --- Comparing -------------------------------------------------------------------------------- */

static void write_pictures(struct bisect *b, const struct tool_image *reference,
                           const struct tool_image *heat)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/reference.png", b->folder);
    b->failed |= tool_png_write(path, reference, 3) != ST_OK;
    snprintf(path, sizeof(path), "%s/difference.png", b->folder);
    b->failed |= tool_png_write(path, heat, 3) != ST_OK;
}

static bool compare(struct bisect *b, const struct tool_image *reference,
                    const struct tool_image *candidate, bool keep, struct tool_difference *d)
{
    struct tool_image heat = {0};
    enum status st;

    memset(d, 0, sizeof(*d));
    if (reference->width != candidate->width || reference->height != candidate->height)
        return true;
    st = tool_image_compare(reference, candidate, b->threshold, d, keep ? &heat : NULL);
    if (st != ST_OK)
        b->failed = true;
    else if (keep)
        write_pictures(b, reference, &heat);
    tool_image_fini(&heat);
    return d->above > b->pixels;
}

/* Whether the target differs after the call. keep: write both pictures to the folder. */
static bool differs(struct bisect *b, uint64_t call, bool keep, struct tool_difference *d)
{
    struct tool_image reference = {0}, candidate = {0};
    bool result = false;

    if (b->failed)
        return false;
    if (inspect_target_take(&reference, b->command, b->file, call) != TOOL_OK)
        b->failed = true;
    else if (run_candidate(b, call, &candidate))
        result = compare(b, &reference, &candidate, keep, d);
    tool_image_fini(&reference);
    tool_image_fini(&candidate);
    return result;
}

/* --- Searching -------------------------------------------------------------------------------- */

static bool same_target(const struct inspect_target_draw *a, const struct inspect_target_draw *b)
{
    return a->stream == b->stream && a->image == b->image && a->face == b->face &&
           a->level == b->level;
}

/* Lists the draws from `first` on that write its target, up to the next clear of it. A difference
 * made by one of them usually persists to the last, so testing the last finds it. */
static size_t draws_until_clear(const struct bisect *b, size_t first, bool *visited, size_t *list)
{
    const struct inspect_target_draws *s = &b->draws;
    size_t n = 0;

    for (size_t i = first; i < s->n; i++) {
        if (visited[i] || !same_target(&s->draw[i], &s->draw[first]))
            continue;
        if (n && (s->draw[i].clear || s->draw[i].frame != s->draw[first].frame))
            break;
        visited[i] = true;
        list[n++] = i;
    }
    return n;
}

/* The first of n draws after which the target differs; it differs after the last. */
static size_t first_difference(struct bisect *b, const size_t *list, size_t n)
{
    size_t low = 0, high = n - 1;

    while (low < high && !b->failed) {
        size_t middle = low + (high - low) / 2;
        struct tool_difference d;

        if (differs(b, b->draws.draw[list[middle]].call, false, &d))
            high = middle;
        else
            low = middle + 1;
    }
    return list[low];
}

/* Returns the index of the draw, or the number of draws if nothing differs. */
static size_t search(struct bisect *b, bool *visited, size_t *list)
{
    size_t found = b->draws.n;

    for (size_t i = 0; i < found && !b->failed; i++) {
        struct tool_difference d;
        size_t n, first;

        if (visited[i])
            continue;
        n = draws_until_clear(b, i, visited, list);
        if (b->of_frame != UINT64_MAX && b->draws.draw[i].frame != b->of_frame)
            continue;
        if (!differs(b, b->draws.draw[list[n - 1]].call, false, &d))
            continue;
        first = first_difference(b, list, n);
        found = first < found ? first : found;
    }
    return found;
}

/* --- The command ------------------------------------------------------------------------------ */

static int report(struct bisect *b, size_t found)
{
    struct tool_difference d;
    const struct inspect_target_draw *draw;
    int code;

    if (b->failed)
        return TOOL_ERROR;
    if (found == b->draws.n) {
        printf("no target differs (" PLURAL_FORMAT " of the candidate)\n",
               PLURAL(b->runs, "run", "runs"));
        return TOOL_OK;
    }
    draw = &b->draws.draw[found];
    differs(b, draw->call, true, &d);
    if (b->failed)
        return tool_error(b->command, "%s: pictures could not be written", b->folder);
    code = frame_files_write(b->command, b->file, draw->frame, draw->call, b->folder);
    if (code != TOOL_OK)
        return code;
    printf("call %" PRIu64 " of frame %" PRIu64
           " is the first after which its target differs: " PLURAL_FORMAT
           " by more than %u, at most by %u (" PLURAL_FORMAT " of the candidate)\n",
           draw->call, draw->frame, PLURAL(d.above, "pixel", "pixels"), b->threshold, d.max,
           PLURAL(b->runs, "run", "runs"));
    printf(
        "%s: reference.png, candidate.png, difference.png; index.txt: state, shaders, textures\n",
        b->folder);
    return TOOL_DIFFERS;
}

/* Whether the capture draws in the frame to search. */
static bool has_frame(const struct bisect *b)
{
    for (size_t i = 0; i < b->draws.n; i++)
        if (b->draws.draw[i].frame == b->of_frame)
            return true;
    return b->of_frame == UINT64_MAX;
}

static int run(struct bisect *b)
{
    bool *visited;
    size_t *list;
    int code;

    if (!path_make_folder(b->folder) && errno != EEXIST)
        return tool_error(b->command, "%s: %s", b->folder, strerror(errno));
    path_set_variable("NOVEM_THREADS", "1");
    if (!tool_pictures_are_reference(b->command))
        return TOOL_ERROR;
    code = inspect_target_draws_gather(&b->draws, b->command, b->file);
    visited = mem_calloc(b->draws.n + 1, sizeof(*visited));
    list = mem_calloc(b->draws.n + 1, sizeof(*list));
    if (code == TOOL_OK && (!visited || !list))
        code = tool_error(b->command, "out of memory");
    if (code == TOOL_OK && !has_frame(b))
        code =
            tool_error(b->command, "%s: no draw or clear in frame %" PRIu64, b->file, b->of_frame);
    if (code == TOOL_OK)
        code = report(b, search(b, visited, list));
    mem_free(visited);
    mem_free(list);
    mem_free(b->draws.draw);
    return code;
}

int tool_bisect(int argc, char **argv)
{
    struct bisect b = {.command = "golden bisect", .folder = "bisect", .of_frame = UINT64_MAX};
    const struct tool_option options[] = {
        {"--candidate", "CMD",
         "shell command that writes the picture {out} of {capture} after {call}", OPT_TEXT,
         &b.candidate},
        {"--frame", "F", "consider only draws of frame F", OPT_TEXT, &b.frame},
        {"--threshold", "T", "accept channel differences up to T (default: 0)", OPT_UINT,
         &b.threshold},
        {"--pixels", "N", "accept N pixels with larger differences (default: 0)", OPT_UINT,
         &b.pixels},
        {"-o", "DIR", "folder for the results (default: bisect)", OPT_TEXT, &b.folder},
    };
    const struct tool_usage usage = {
        "golden bisect CAPTURE --candidate CMD [options]",
        "Finds the first draw or clear of a capture after which its render target differs from\n"
        "that of another Direct3D 9, and writes both pictures, the state, shaders and textures.\n"
        "The command must write render target 0 after call {call} of {capture} to the PNG file\n"
        "{out}. The exit code is 1 if a target differs.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &b.file);

    if (code >= 0)
        return code;
    if (!b.candidate)
        return tool_error(b.command, "--candidate is required: it renders the pictures to compare");
    if (!tool_programs_exist(b.command, b.candidate))
        return TOOL_ERROR;
    if (b.frame) {
        char *end;

        b.of_frame = strtoull(b.frame, &end, 10);
        if (*end || *b.frame < '0' || *b.frame > '9')
            return tool_error(b.command, "'%s' is not a number", b.frame);
    }
    return run(&b);
}
