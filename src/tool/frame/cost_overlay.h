/* Overlays of a draw: a number for each pixel of its target. */
#ifndef TOOL_FRAME_COST_OVERLAY_H
#define TOOL_FRAME_COST_OVERLAY_H

#include "tool/frame/walk.h"
#include "tool/image/image.h"

enum frame_overlay {
    FRAME_OVERLAY_DRAW,       /* 1: the draw writes the pixel, in any target or depth */
    FRAME_OVERLAY_WIREFRAME,  /* 1: an edge of a primitive lies there, culled or hidden ones too */
    FRAME_OVERLAY_OVERDRAW,   /* samples written */
    FRAME_OVERLAY_DEPTH_FAIL, /* samples that fail the depth test */
    FRAME_OVERLAY_STENCIL_FAIL, /* samples that fail the stencil test */
    FRAME_OVERLAY_SHADED,       /* invocations of the pixel shader */
    FRAME_OVERLAY_QUADS, /* how often the pixel's quad is shaded: `shaded` and helper lanes */
    FRAME_OVERLAY_TRIANGLE_SIZE, /* pixels of the last triangle that passes; 0: none */
    FRAME_OVERLAY_COST,          /* instructions of the pixel shader */
    FRAME_OVERLAYS
};
/* By a name as the page has it, such as "depth-fail"; FRAME_OVERLAYS: no overlay has the name. */
enum frame_overlay frame_overlay_find(const char *name);
const char *frame_overlay_name(enum frame_overlay overlay);
/* Whether the values are 0 and 1 alone. */
bool frame_overlay_is_mask(enum frame_overlay overlay);

/* Row by row; the caller frees `value` with mem_free. */
struct frame_overlay_values {
    uint32_t width, height;
    uint32_t *value;
};
/* Runs the frame up to the draw of a call, and gathers an overlay on its first colour target, or on
 * its depth surface if it has none. pass: the draws before it to the same target are included, back
 * to the first after another target. ST_NOTFOUND: the call draws nothing in the frame. */
MUST_CHECK enum status frame_overlay_gather(struct frame_overlay_values *out,
                                            struct frame_walk *walk, enum frame_overlay overlay,
                                            uint64_t call, bool pass);

/* overlay_blend.c: puts the overlay of a call's draw over a picture of its first target. Returns an
 * exit code, after a message. */
int frame_overlay_blend(struct tool_image *image, const char *command, const char *file,
                        uint64_t call, const char *overlay);

#endif
