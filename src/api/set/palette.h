/* Texture palettes. Private to the module. */
#ifndef API_SET_PALETTE_H
#define API_SET_PALETTE_H

#include "api/com/device.h"

MUST_CHECK enum status api_emit_palette(struct device *device);

#endif
