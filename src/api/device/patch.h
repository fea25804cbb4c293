/* Declares the cache of patches. Private to device. */
#ifndef API_DEVICE_PATCH_H
#define API_DEVICE_PATCH_H

#include "api/com/device.h"

/* Deletes all cached patches. */
void api_drop_patches(struct device *device);

#endif
