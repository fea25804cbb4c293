/* `novem diff`: compares two images and prints or draws their difference.
 *
 * Tested by tests/unit/tool/image/test_image.c. */
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "util/plural.h"

#include <math.h>
#include <stdio.h>

/* Peak signal-to-noise ratio in decibels; infinite for equal images. */
static double psnr(const struct tool_difference *d)
{
    return 10.0 * log10(255.0 * 255.0 / d->squares);
}

static int compare(const char *command, const char *const *files, const struct tool_image *images,
                   unsigned threshold, unsigned decibels, const char *heat_path)
{
    struct tool_difference d;
    struct tool_image heat = {0};
    enum status st =
        tool_image_compare(&images[0], &images[1], threshold, &d, heat_path ? &heat : NULL);

    if (st == ST_INVALID) {
        printf("sizes differ: %s is %ux%u, %s is %ux%u\n", files[0], images[0].width,
               images[0].height, files[1], images[1].width, images[1].height);
        return TOOL_DIFFERS;
    }
    if (st != ST_OK)
        return tool_error(command, "%s", status_text(st));
    printf("max %u, mean %.4f, PSNR %.2f dB, %.4f %% of " PLURAL_FORMAT " further apart than %u\n",
           d.max, d.mean, psnr(&d), 100.0 * (double)d.above / (double)d.pixels,
           PLURAL(d.pixels, "pixel", "pixels"), threshold);
    if (heat_path) {
        st = tool_png_write(heat_path, &heat, 3);
        tool_image_fini(&heat);
        if (st != ST_OK)
            return tool_write_error(command, heat_path);
    }
    if (decibels)
        return psnr(&d) < decibels ? TOOL_DIFFERS : TOOL_OK;
    return d.above ? TOOL_DIFFERS : TOOL_OK;
}

int tool_diff(int argc, char **argv)
{
    const char *files[2], *heat_path = NULL;
    unsigned threshold = 0, decibels = 0;
    const struct tool_option options[] = {
        {"-o", "HEAT.png",
         "write a heat map: blue for differences of 1-2, red to white for larger ones", OPT_TEXT,
         &heat_path},
        {"--threshold", "N", "ignore channel differences up to N (default: 0)", OPT_UINT,
         &threshold},
        {"--psnr", "DB", "require a peak signal-to-noise ratio of at least DB decibels", OPT_UINT,
         &decibels},
    };
    const struct tool_usage usage = {
        "diff A.png B.png [options]",
        "Compares the colours of two pictures; alpha is ignored. Exit code: 0 equal or within the\n"
        "threshold, 1 different, 2 error.",
        options,
        sizeof(options) / sizeof(options[0]),
        2,
        2,
    };
    struct tool_image images[2] = {0};
    int code = tool_parse(&usage, argc, argv, files);

    if (code >= 0)
        return code;
    code = -1;
    for (unsigned i = 0; i < 2 && code < 0; i++) {
        enum status st = tool_png_read(files[i], &images[i]);

        if (st != ST_OK)
            code = tool_error(argv[0], "%s: %s", files[i],
                              st == ST_IO ? tool_file_reason(files[i], st) : "is not a valid PNG");
    }
    if (code < 0)
        code = compare(argv[0], files, images, threshold, decibels, heat_path);
    tool_image_fini(&images[0]);
    tool_image_fini(&images[1]);
    return code;
}
