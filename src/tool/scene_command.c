/* `novem scene`: runs text scenes on this library and writes their pictures.
 *
 * Tested by tests/unit/tool/test_scene.c. */
#include "tool/cli/cli.h"
#include "tool/commands.h"
#include "tool/image/image.h"
#include "tool/scene/scene.h"
#include "util/alloc.h"

#include <stdio.h>
#include <string.h>

/* Where the picture of a scene goes that has no other result: FOLDER/NAME.d9t to NAME.png. */
static void name_picture(const char *file, char *png, size_t size)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');

    snprintf(png, size, "%.*s.png", (int)(dot && dot > name ? dot - name : (int)strlen(name)),
             name);
}

/* Runs one scene and returns its exit code. png NULL: only a scene without expectations gets a
 * file. */
static int run(const char *command, const char *file, const char *png, bool conformance)
{
    struct scene_picture picture = {0};
    struct tally tally = scene_run_file(file, stderr, false, png || !conformance ? &picture : NULL);
    const struct tool_image image = {picture.width, picture.height, picture.rgba};
    int code = tally.failed ? TOOL_DIFFERS : TOOL_OK;
    char own[256];

    if (!png && !conformance && !(tally.passed + tally.failed + tally.todo)) {
        name_picture(file, own, sizeof(own));
        png = own;
        if (picture.height && !picture.cut)
            printf("%s: %ux%u\n", png, (unsigned)picture.width, (unsigned)picture.height);
    }

    if (picture.cut && png)
        code = tool_error(command, "%s: shows more than a picture can hold", file);
    else if (png && !picture.height)
        code = tool_error(command, "%s: has no picture%s", file, tally.skipped ? ": skipped" : "");
    else if (png && tool_png_write(png, &image, 4) != ST_OK)
        code = tool_write_error(command, png);
    scene_picture_free(&picture);
    return code;
}

/* Runs a list with lines "SCENE<tab>PNG" and returns the worst exit code. */
static int run_list(const char *command, const char *list, bool conformance)
{
    int worst = TOOL_OK;
    char *next;
    uint8_t *bytes;
    size_t size;

    if (tool_file_read(list, &bytes, &size) != ST_OK)
        return tool_error(command, "%s cannot be read: %s", list, tool_file_reason(list, ST_IO));
    next = (char *)bytes;
    for (unsigned n = 1; next < (char *)bytes + size; n++) {
        char *line = next, *tab, *end = memchr(line, '\n', (size_t)((char *)bytes + size - line));
        int code;

        next = end ? end + 1 : (char *)bytes + size;
        if (end)
            *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        tab = strchr(line, '\t');
        if (tab)
            *tab = '\0';
        code = tab ? run(command, line, tab + 1, conformance)
                   : tool_error(command, "%s:%u: expected SCENE<tab>PNG", list, n);
        worst = code > worst ? code : worst;
    }
    mem_free(bytes);
    return worst;
}

int tool_scene(int argc, char **argv)
{
    const char *file, *png = NULL, *list = NULL;
    bool conformance = false;
    const struct tool_option options[] = {
        {"-o", "OUT.png", "write the scene's picture", OPT_TEXT, &png},
        {"--list", "FILE", "run the scenes of a list with lines SCENE<tab>PNG", OPT_TEXT, &list},
        {"--conformance", NULL, "a scene must name a rule and have an expectation", OPT_FLAG,
         &conformance},
    };
    const struct tool_usage usage = {
        "scene FILE.d9t [-o OUT.png]",
        "Runs a text scene (tests/conformance/language.md), writes its picture and reports unmet\n"
        "expectations. The picture stacks the images that the expectations read; without any, it\n"
        "is the render target. Without -o, only a scene without expectations has a picture:\n"
        "FILE.png in the current folder. Exit code: 0 all met, 1 some not, 2 error.",
        options,
        sizeof(options) / sizeof(options[0]),
        0,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &file);

    if (code >= 0)
        return code;
    if (!file == !list)
        return tool_error(argv[0], "needs either a scene or --list");
    if (list && png)
        return tool_error(argv[0], "-o and --list exclude each other");
    if (conformance)
        scene_demand_conformance();
    return list ? run_list(argv[0], list, conformance) : run(argv[0], file, png, conformance);
}
