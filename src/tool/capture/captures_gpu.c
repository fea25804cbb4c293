/* The third opinion of `novem captures`: pictures of a GPU beside Novem's and the references.
 *
 * Tested by tests/unit/tool/capture/test_captures.c. */
#include "tool/capture/captures.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"

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

void captures_compare_gpu(const struct survey *s, struct capture *c)
{
    char folder[CAPTURES_PATH], path[3][CAPTURES_PATH];
    struct tool_image ours = {0}, reference = {0}, gpu = {0};
    const char *file, *of_gpu;

    snprintf(folder, sizeof(folder), "%s/%s", s->gpu, c->name);
    if (!s->gpu || !last_picture(folder, path[2], &of_gpu))
        return;
    snprintf(folder, sizeof(folder), "%s/%s/ref", s->folder, c->name);
    if (!last_picture(folder, path[1], &file))
        return;
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
