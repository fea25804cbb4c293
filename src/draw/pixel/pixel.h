/* Pixels: binds program, constants and samplers of a draw, and shades batches of fragments for the
 * rasteriser. */
#ifndef DRAW_PIXEL_PIXEL_H
#define DRAW_PIXEL_PIXEL_H

#include "draw/scene/scene.h"

struct ps_binding;

/* Applications often alternate between a few combinations of textures and constants. */
enum { RECENT_PS_BINDINGS = 8 };

/* Memory that the pixel stage uses from draw to draw. */
struct ps_memory {
    struct scratch uniforms, constants;
    const struct ps_binding
        *recent[RECENT_PS_BINDINGS]; /* ring; bindings of the open scene or NULL */
    unsigned next;
    uint64_t flushes; /* scene->flushes when the ring was last used */
};
void ps_memory_fini(struct ps_memory *memory);

/* What a draw binds to the pixel stage. hooks: NULL unless they follow shaders. */
struct ps_draw {
    const struct draw_pipeline *pipeline;
    const struct draw_state *state;
    const struct ff_state *ff;
    const struct draw_debug_hooks *hooks;
    const struct pipeline_merged *merged; /* NULL: colours go through memory */
};
/* Creates or reuses the pixel stage binding of a draw: all that workers need to shade its pixels.
 * Valid until the scene is flushed. */
MUST_CHECK enum status ps_bind(struct ps_memory *memory, struct draw_scene *scene,
                               const struct ps_draw *draw, const struct ps_binding **out);
/* Sets the shading part of the raster state. */
void ps_set_raster_state(struct raster_state *out, const struct ps_binding *binding);

#endif
