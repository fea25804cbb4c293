/* Checks that draws and ProcessVertices share. Private to the module. */
#ifndef API_DEVICE_DRAW_H
#define API_DEVICE_DRAW_H

#include "api/com/device.h"

/* Refuses a vertex shader that uses registers of software vertex processing alone. The first draw
 * with hardware vertex processing fails. Then fixed function replaces the shader until the
 * application sets it again (reference: shader/mixed). */
HRESULT api_refuse_shader(struct device *device);

/* Checks what all draws need, and emits pending state. Only then marks the targets as written: a
 * target may also be a bound texture, whose mip levels must follow from its contents before the
 * draw. */
HRESULT api_prepare_draw(struct device *device);

#endif
