/* Textures and their levels, as the files that create and destroy them share them. Private to the
 * module. */
#ifndef API_OBJECT_TEXTURE_H
#define API_OBJECT_TEXTURE_H

#include "api/memory/resource.h"

extern const struct object_class *const api_texture_class[]; /* indexed by enum tex_shape */
void api_texture_free(struct texture *texture);              /* also half-created ones */

extern const struct object_class api_surface_class, api_volume_class;
/* Initialises a level of a texture. */
void api_surface_init_level(struct surface *surface, struct texture *texture, uint32_t face,
                            uint32_t level);
HRESULT api_surface_desc(const struct surface *surface, D3DSURFACE_DESC *desc);
HRESULT api_volume_desc(const struct surface *volume, D3DVOLUME_DESC *desc);

#endif
