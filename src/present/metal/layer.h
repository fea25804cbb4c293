/* Pictures on a CAMetalLayer: three frames in flight, each with textures of its own. Private to
 * metal/. */
#ifndef PRESENT_METAL_LAYER_H
#define PRESENT_METAL_LAYER_H

#include "present/metal/objc.h"
#include "present/monitor/view.h"

/* A picture, and where it appears in the layer. */
struct metal_quad {
    const struct view_image *image; /* alpha does not matter */
    struct view_rect to;            /* pixels of the layer; the part outside is cut off */
    enum present_filter filter;
};
enum { METAL_QUADS = 2, METAL_FRAMES = 3 };

struct metal_layer;

/* vsync: frames wait for the display's refresh. ST_UNSUPPORTED: there is no Metal device; ST_IO: a
 * step failed. Both are logged. */
MUST_CHECK enum status metal_layer_create(struct metal_layer **out, const struct objc *o,
                                          bool vsync);
/* Waits for the frames in flight. NULL is allowed. */
void metal_layer_destroy(struct metal_layer *layer);
/* The CAMetalLayer, owned by `layer`. */
objc_id metal_layer_object(const struct metal_layer *layer);

/* Shows up to METAL_QUADS pictures, the later ones over the earlier ones, on black. The layer has
 * `size` pixels (width, height). Copies the pixels. Returns ST_OK
 * without showing anything if the system has no room for a frame; ST_IO: a step, or an earlier
 * frame, failed; logged. Needs an autorelease pool. */
MUST_CHECK enum status metal_layer_show(struct metal_layer *layer, const uint32_t size[2],
                                        const struct metal_quad *quads, unsigned n);

#endif
