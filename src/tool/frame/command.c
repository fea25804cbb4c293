/* `novem frame`: the command line.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "tool/cli/cli.h"
#include "tool/frame/frame.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"

#include <stdlib.h>

struct options {
    const char *command, *file, *folder, *target;
    unsigned frame, call; /* call UINT32_MAX: all */
};

static int write_target(const struct options *o)
{
    struct tool_image image;
    int code;

    setenv("NOVEM_THREADS", "1", 1);
    code = inspect_target_take(&image, o->command, o->file, o->call);
    if (code != TOOL_OK)
        return code;
    if (tool_png_write(o->target, &image, 3) != ST_OK)
        code = tool_write_error(o->command, o->target);
    tool_image_fini(&image);
    return code;
}

int tool_frame(int argc, char **argv)
{
    struct options o = {.command = argv[0], .call = UINT32_MAX};
    const struct tool_option options[] = {
        {"--frame", "F", "the frame, counted from 0 (default: 0)", OPT_UINT, &o.frame},
        {"-o", "DIR", "folder for the files, created if missing", OPT_TEXT, &o.folder},
        {"--call", "N", "write only call N of the frame", OPT_UINT, &o.call},
        {"--target", "FILE", "write only render target 0 after call N, as PNG", OPT_TEXT,
         &o.target},
    };
    const struct tool_usage usage = {
        "frame CAPTURE --frame F -o DIR",
        "Writes the draws of a frame to a folder: index.txt, index.json and index.html list its\n"
        "clears, draws and copies. For each draw there are the non-default states, the shaders\n"
        "(also those of the fixed function), the textures, the vertices before and after the\n"
        "vertex shader as OBJ, and the targets before and after.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &o.file);

    if (code >= 0)
        return code;
    if (o.target)
        return write_target(&o);
    if (!o.folder)
        return tool_error(o.command, "-o DIR is required: the folder for the files");
    return frame_files_write(o.command, o.file, o.frame, o.call == UINT32_MAX ? UINT64_MAX : o.call,
                             o.folder);
}
