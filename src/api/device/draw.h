/* Checks that draws and ProcessVertices share. Private to the module. */
#ifndef API_DEVICE_DRAW_H
#define API_DEVICE_DRAW_H

#include "api/com/device.h"

/* Refuses a vertex shader that uses registers of software vertex processing alone. The first draw
 * with hardware vertex processing fails. Then fixed function replaces the shader until the
 * application sets it again (reference: shader/mixed). */
HRESULT api_refuse_shader(struct device *device);

#endif
