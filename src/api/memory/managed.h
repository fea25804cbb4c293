/* Managed textures and their device copy; does nothing for others. Private to the module. */
#ifndef API_MEMORY_MANAGED_H
#define API_MEMORY_MANAGED_H

#include "api/memory/resource.h"

/* Whether draws read another image than locks write. */
bool api_managed_has_device_copy(const struct texture *texture);
/* Called before a lock with D3DLOCK_NO_DIRTY_UPDATE: draws shall not see its writes until a dirty
 * region covers them. */
HRESULT api_managed_separate_device_copy(struct texture *texture);
/* Uploads the dirty regions to the device copy. */
MUST_CHECK enum status api_managed_upload(struct texture *texture);

#endif
