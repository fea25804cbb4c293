/* `novem mask`: command line of the uncertainty masks.
 *
 * Tested by tests/unit/tool/mask/test_mask.c. */
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/mask/mask.h"
#include "util/variant.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FRAMES_MAX = 64 };

struct job {
    const char *command;
    const char *out, *frames, *candidate, *low, *high;
    const char *why;
    unsigned tolerance;
    bool quiet, members;
    struct mask_input input;
};

static void print_counts(const struct job *job, uint64_t frame, const struct mask_verdict *v)
{
    if (job->quiet)
        return;
    printf("frame %" PRIu64 " pixels %" PRIu64 " uncertain %" PRIu64 " (%.2f %%)", frame, v->pixels,
           v->uncertain, 100.0 * (double)v->uncertain / (double)v->pixels);
    for (unsigned b = 0; b < VARIANT_CLASSES; b++)
        printf(" %s %" PRIu64, variant_class_name(b), v->of_class[b]);
    if (job->candidate)
        printf(" outside %" PRIu64 " beyond %" PRIu64 " inside %" PRIu64 " most %u", v->outside,
               v->beyond, v->inside, v->max_difference);
    putchar('\n');
}

/* Says which variants make pixels uncertain, as far as the options ask for it. */
static int explain(const struct job *job, const struct mask *mask)
{
    if (job->members)
        mask_print_members(mask);
    if (job->why && !mask_print_why(mask, &job->input))
        return tool_error(job->command, "pixel %s is outside the picture of %ux%u", job->why,
                          mask->reference.width, mask->reference.height);
    return TOOL_OK;
}

static int write_one(const struct job *job, const char *path, const struct tool_image *image)
{
    if (path && tool_png_write(path, image, 4) != ST_OK)
        return tool_write_error(job->command, path);
    return TOOL_OK;
}

static int write_mask(const struct job *job, const char *path, const struct mask *mask)
{
    struct tool_image picture;
    int code;

    if (mask_picture(mask, job->tolerance, &picture) != ST_OK)
        return tool_error(job->command, "out of memory");
    code = write_one(job, path, &picture);
    tool_image_fini(&picture);
    return code;
}

/* Writes the masks of several frames to the folder, or of one frame to the named files. */
static int write_all(const struct job *job, const struct mask *mask, uint64_t frame)
{
    char path[4096];
    int code;

    if (job->input.first == job->input.last) {
        code = job->out ? write_mask(job, job->out, mask) : TOOL_OK;
        if (code == TOOL_OK)
            code = write_one(job, job->low, &mask->low);
        return code == TOOL_OK ? write_one(job, job->high, &mask->high) : code;
    }
    if (!job->out)
        return TOOL_OK;
    snprintf(path, sizeof(path), "%s/frame-%05" PRIu64 "-mask.png", job->out, frame);
    return write_mask(job, path, mask);
}

static int compare_candidate(const struct job *job, const struct mask *mask, uint64_t frame)
{
    struct tool_image candidate = {0};
    struct mask_verdict verdict;
    enum status st = job->candidate ? tool_png_read(job->candidate, &candidate) : ST_OK;

    if (st != ST_OK)
        return tool_error(job->command, "%s: %s", job->candidate,
                          st == ST_IO || st == ST_NOMEM ? tool_file_reason(job->candidate, st)
                                                        : "is not a valid PNG");
    st = mask_compare(mask, job->candidate ? &candidate : NULL, job->tolerance, &verdict);
    if (st != ST_OK)
        tool_error(job->command, "%s: is %ux%u, the reference %ux%u", job->candidate,
                   candidate.width, candidate.height, mask->reference.width,
                   mask->reference.height);
    tool_image_fini(&candidate);
    if (st != ST_OK)
        return TOOL_ERROR;
    print_counts(job, frame, &verdict);
    return verdict.outside || verdict.beyond ? TOOL_DIFFERS : TOOL_OK;
}

static int run(struct job *job)
{
    static struct mask masks[FRAMES_MAX];
    uint64_t n = job->input.last - job->input.first + 1;
    char message[MASK_MESSAGE];
    unsigned made;
    int code = TOOL_OK;

    if (n > FRAMES_MAX)
        return tool_error(job->command, "at most %d frames at a time", FRAMES_MAX);
    if (mask_make(&job->input, masks, (unsigned)n, &made, message) != ST_OK)
        return tool_error(job->command, "%s", message);
    for (unsigned i = 0; i < made; i++) {
        int one = write_all(job, &masks[i], job->input.first + i);

        if (one == TOOL_OK)
            one = compare_candidate(job, &masks[i], job->input.first + i);
        if (one != TOOL_ERROR && explain(job, &masks[i]) != TOOL_OK)
            one = TOOL_ERROR;
        code = one > code ? one : code;
        mask_fini(&masks[i]);
    }
    return code;
}

/* Parses "5" or "5-9". */
static bool parse_frames(struct job *job)
{
    char *end;

    if (!job->frames)
        return true;
    if (*job->frames < '0' || *job->frames > '9')
        return false;
    job->input.first = job->input.last = strtoull(job->frames, &end, 10);
    if (!*end)
        return true;
    if (*end++ != '-' || *end < '0' || *end > '9')
        return false;
    job->input.last = strtoull(end, &end, 10);
    return !*end && job->input.last >= job->input.first;
}

/* Parses "12,60". */
static bool parse_why(struct job *job)
{
    char end;

    return !job->why ||
           (job->why[strspn(job->why, "0123456789,")] == '\0' &&
            sscanf(job->why, "%u,%u%c", &job->input.why[0], &job->input.why[1], &end) == 2);
}

int tool_mask(int argc, char **argv)
{
    struct job job = {.command = argv[0]};
    const struct tool_option options[] = {
        {"-o", "OUT", "output PNG; for several frames, the output folder", OPT_TEXT, &job.out},
        {"--frames", "A-B", "frames of a capture, counted from 0 (default: 0)", OPT_TEXT,
         &job.frames},
        {"--candidate", "PNG", "compare this picture with the mask", OPT_TEXT, &job.candidate},
        {"--tolerance", "N", "accept channel differences up to N everywhere (default: 0)", OPT_UINT,
         &job.tolerance},
        {"--low", "PNG", "write the lower bound of each channel", OPT_TEXT, &job.low},
        {"--high", "PNG", "write the upper bound of each channel", OPT_TEXT, &job.high},
        {"--why", "X,Y", "say which variants change this pixel, and to which colours", OPT_TEXT,
         &job.why},
        {"--members", NULL, "count the pixels that each variant makes uncertain", OPT_FLAG,
         &job.members},
        {"--variants", "PREFIX", "use only variants whose names start with PREFIX", OPT_TEXT,
         &job.input.variants},
        {"--jobs", "N", "concurrent renderers (default: one per processor)", OPT_UINT,
         &job.input.jobs},
        {"--quiet", NULL, "print nothing", OPT_FLAG, &job.quiet},
    };
    const struct tool_usage usage = {
        "mask FILE [options]",
        "Renders a text scene (.d9t) or frames of a capture with every variant renderer, and\n"
        "reports the pixels that differ from the reference (docs/uncertainty.md). Colours of the\n"
        "mask: red edge, green texel, blue depth, dark yellow arithmetic, dark magenta undefined,\n"
        "black certain. With a candidate the exit code is 1 if a pixel outside the mask is wrong,\n"
        "or a pixel inside exceeds the variants' bounds.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &job.input.file);

    if (code >= 0)
        return code;
    if (!parse_frames(&job))
        return tool_error(job.command, "'%s' is not a range of frames", job.frames);
    if (!parse_why(&job))
        return tool_error(job.command, "'%s' is not a pixel X,Y", job.why);
    job.input.tolerance = job.tolerance;
    if (job.candidate && job.input.first != job.input.last)
        return tool_error(job.command, "--candidate needs a single frame");
    if (job.out && job.input.first != job.input.last && mkdir(job.out, 0777) && errno != EEXIST)
        return tool_error(job.command, "%s: %s", job.out, strerror(errno));
    return run(&job);
}
