/* The third opinion of `novem captures`: pictures of a GPU beside Novem's and the references.
 *
 * Tested by tests/unit/tool/capture/test_captures.c. */
#include "tool/capture/captures.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "util/alloc.h"
#include "util/variant.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Writes the path of the last PNG of a folder, in the order of names; false: there is none. */
static bool last_picture(const char *folder, char path[CAPTURES_PATH], const char **file)
{
    struct dirent **files;
    bool found = false;
    int n = scandir(folder, &files, NULL, alphasort);

    for (int i = n - 1; i >= 0; i--) {
        size_t length = strlen(files[i]->d_name);

        if (!found && length > 4 && !strcmp(files[i]->d_name + length - 4, ".png")) {
            snprintf(path, CAPTURES_PATH, "%s/%s", folder, files[i]->d_name);
            *file = path + strlen(folder) + 1;
            found = true;
        }
        free(files[i]);
    }
    if (n >= 0)
        free(files);
    return found;
}

/* The share of pixels beyond the tolerance; 1 if the sizes differ. */
static double share(const struct tool_image *a, const struct tool_image *b)
{
    struct tool_difference d;

    if (tool_image_compare(a, b, CAPTURES_TOLERANCE, &d, NULL) != ST_OK)
        return 1.0;
    return (double)d.above / (double)d.pixels;
}

/* Reads the line that `novem mask` prints. */
static void read_counts(const char *log, struct capture *c)
{
    unsigned long long outside, beyond;
    uint8_t *bytes;
    size_t n;

    if (tool_file_read(log, &bytes, &n) != ST_OK)
        return;
    c->masked = sscanf((char *)bytes,
                       "frame %*u pixels %llu uncertain %llu (%*f %%) edge %*u texel %*u depth %*u "
                       "arithmetic %*u undefined %*u outside %llu beyond %llu inside %llu",
                       &c->pixels, &c->uncertain, &outside, &beyond, &c->permitted) == 5;
    c->wrong = c->masked ? outside + beyond : 0;
    mem_free(bytes);
}

/* Judges the GPU's picture, whose name has the frame, by the mask of that frame. */
static bool judge(const struct survey *s, struct capture *c, const char *picture, const char *name)
{
    char trace[CAPTURES_PATH], log[CAPTURES_PATH], frame[24], tolerance[16];
    const char *args[] = {"novem",       "mask",    trace,         "--frames", frame,
                          "--tolerance", tolerance, "--candidate", picture,    NULL};
    unsigned long long number;
    char end;
    int status;

    if (sscanf(name, "frame-%llu.pn%c", &number, &end) != 2 || end != 'g')
        return true;
    snprintf(trace, sizeof(trace), "%s/%s/%s.trace", s->folder, c->name, c->name);
    snprintf(log, sizeof(log), "%s/%s/mask", s->work, c->name);
    snprintf(frame, sizeof(frame), "%llu", number);
    snprintf(tolerance, sizeof(tolerance), "%d", CAPTURES_MASK_TOLERANCE);
    /* A mask takes as many renderings as there are variants, and one of the reference. */
    if (!captures_execute(log, s->limit * (variant_count() + 1), args, &status))
        return false;
    read_counts(log, c);
    if (!c->masked)
        tool_error(s->command, "%s: no mask; %s says why", c->name, log);
    return true;
}

bool captures_compare_gpu(const struct survey *s, struct capture *c)
{
    char folder[CAPTURES_PATH], path[3][CAPTURES_PATH];
    struct tool_image ours = {0}, reference = {0}, gpu = {0};
    const char *file, *of_gpu;

    snprintf(folder, sizeof(folder), "%s/%s", s->gpu, c->name);
    if (!s->gpu || !last_picture(folder, path[2], &of_gpu))
        return true;
    snprintf(folder, sizeof(folder), "%s/%s/ref", s->folder, c->name);
    if (!last_picture(folder, path[1], &file))
        return true;
    snprintf(path[0], CAPTURES_PATH, "%.2000s/%.1000s/%.900s", s->work, c->name, file);
    if (tool_png_read(path[0], &ours) == ST_OK && tool_png_read(path[1], &reference) == ST_OK &&
        tool_png_read(path[2], &gpu) == ST_OK) {
        c->gpu = true;
        c->apart[CAPTURES_NOVEM] = share(&reference, &gpu);
        c->apart[CAPTURES_REFERENCE] = share(&ours, &gpu);
        c->apart[CAPTURES_GPU] = share(&ours, &reference);
    }
    tool_image_fini(&ours);
    tool_image_fini(&reference);
    tool_image_fini(&gpu);
    return !s->masks || !c->gpu || judge(s, c, path[2], of_gpu);
}

int captures_alone(const struct capture *c)
{
    int alone = -1;

    for (int who = 0; who < CAPTURES_OPINIONS; who++) {
        if (c->apart[who] > CAPTURES_AGREE)
            continue;
        if (alone >= 0)
            return -1; /* two pairs agree: nobody is alone */
        alone = who;
    }
    return alone;
}
