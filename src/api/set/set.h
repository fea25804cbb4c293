/* The state of a device: its Set and Get methods, state blocks, and the packets that give the state
 * to the renderer.
 *
 * A Set method writes a slot of struct state (state/state.h) and emits it. While a state block is
 * recorded, it writes to the block alone. Lights, palettes and what textures need before a draw
 * are emitted with the next draw. */
#ifndef API_SET_SET_H
#define API_SET_SET_H

#include "api/com/device.h"
#include "api/state/state.h"

/* --- Emission --------------------------------------------------------------------------------- */

/* Emits the packet that gives a slot of device->state to the renderer. */
HRESULT api_emit_slot(struct device *device, unsigned slot);
/* Emits `count` registers of a constant file. */
HRESULT api_emit_constants(struct device *device, enum constant_file file, unsigned start,
                           unsigned count);
HRESULT api_emit_target(struct device *device, unsigned index); /* or CMD_DEPTH_TARGET */
/* Emits what depends on whether target 0 has elements (reference: target/elements). */
HRESULT api_emit_elements(struct device *device);
/* Emits the whole device state, after creation and Reset. */
HRESULT api_emit_all(struct device *device);
/* Emits deferred updates before a draw: lights, palette, generated mip levels. */
HRESULT api_emit_pending(struct device *device);
/* Sets ClipUnion and ClipIntersection, which later draws accumulate into. */
HRESULT api_set_clip_status(struct device *device, const D3DCLIPSTATUS9 *status);
/* Side effect of SetRenderTarget(0); Reset of an Ex device keeps the depth range. */
HRESULT api_reset_viewport(struct device *device, bool keep_depth_range);
/* Binds without validation; surface may be NULL. */
HRESULT api_set_target(struct device *device, unsigned index, struct surface *surface);
/* Marks the generated mip levels of the bound targets as out of date. */
void api_targets_written(struct device *device);

/* --- Palettes --------------------------------------------------------------------------------- */

void api_free_palettes(struct device *device);

/* --- State blocks ----------------------------------------------------------------------------- */

void api_stateblock_discard(struct stateblock *block); /* NULL is allowed */

#endif
