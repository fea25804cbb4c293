/* RESZ: a render state that copies the depth buffer. Private to the module. */
#ifndef API_SET_DEPTH_COPY_H
#define API_SET_DEPTH_COPY_H

#include "api/com/device.h"

/* Value of D3DRS_POINTSIZE that triggers the copy into the texture of sampler 0
 * (reference: copy/resz). */
#define DEPTH_COPY_CODE 0x7fa05000u
HRESULT api_copy_depth(struct device *device);

#endif
