/* Puts an overlay of a draw over the picture of its target.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/cli/cli.h"
#include "tool/frame/answer.h"
#include "tool/frame/cost_overlay.h"
#include "tool/frame/pictures.h"
#include "util/alloc.h"

#include <inttypes.h>
#include <stdlib.h>

static int unknown(const char *command, const char *name)
{
    char names[256] = "";
    size_t n = 0;

    for (unsigned i = 0; i < FRAME_OVERLAYS; i++)
        n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "",
                              frame_overlay_name((enum frame_overlay)i));
    return tool_error(command, "--overlay %s: there are only %s", name, names);
}

/* Colours over the picture by their alpha. False: out of memory. */
static bool blend(struct tool_image *image, const uint32_t *counts, bool mask)
{
    size_t n = (size_t)image->width * image->height;
    uint8_t *over = mem_alloc(4 * n);

    if (!over)
        return false;
    frame_counts_paint(over, counts, n, mask);
    for (size_t i = 0; i < 4 * n; i++) {
        unsigned alpha = over[i | 3], sum;

        sum = over[i] * alpha + image->rgba[i] * (255 - alpha);
        if (i % 4 < 3)
            image->rgba[i] = (uint8_t)((sum + 127) / 255);
    }
    mem_free(over);
    return true;
}

static int gather(struct frame_overlay_values *values, const char *command, const char *file,
                  uint64_t call, enum frame_overlay overlay)
{
    struct frame_walk *walk;
    uint64_t frame;
    enum status st;
    int code = frame_of_call(&frame, command, file, call);

    values->value = NULL;
    if (code == TOOL_OK)
        code = frame_walk_open(&walk, command, file, frame);
    if (code != TOOL_OK)
        return code;
    st = frame_overlay_gather(values, walk, overlay, call, false);
    frame_walk_close(walk);
    if (st == ST_NOTFOUND)
        return tool_error(command, "%s: call %" PRIu64 " is no draw", file, call);
    return st == ST_OK ? TOOL_OK : tool_error(command, "%s: %s", file, status_text(st));
}

int frame_overlay_blend(struct tool_image *image, const char *command, const char *file,
                        uint64_t call, const char *overlay)
{
    enum frame_overlay kind = frame_overlay_find(overlay);
    struct frame_overlay_values values;
    int code;

    if (kind == FRAME_OVERLAYS)
        return unknown(command, overlay);
    code = gather(&values, command, file, call, kind);
    if (code == TOOL_OK && (values.width != image->width || values.height != image->height))
        code = tool_error(command, "%s: call %" PRIu64 " does not draw to render target 0", file,
                          call);
    if (code == TOOL_OK && !blend(image, values.value, frame_overlay_is_mask(kind)))
        code = tool_error(command, "%s", status_text(ST_NOMEM));
    mem_free(values.value);
    return code;
}
