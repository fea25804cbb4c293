/* What CreateDevice and Reset both make from the present parameters. Private to the module. */
#ifndef API_DEVICE_RESET_H
#define API_DEVICE_RESET_H

#include "api/com/device.h"

/* Creates, recreates or releases the automatic depth buffer. */
HRESULT api_recreate_depth(struct device *device, const D3DPRESENT_PARAMETERS *parameters);
/* Binds the first back buffer and the automatic depth buffer. */
HRESULT api_bind_implicit(struct device *device);
/* Takes RENDER_SCALE and SAMPLES from the settings. The device has no targets at this moment. */
void api_set_rendering(struct device *device);
/* Enters full-screen mode where the parameters ask for it. */
HRESULT api_enter_full_screen(struct device *device, const D3DPRESENT_PARAMETERS *parameters);

#endif
