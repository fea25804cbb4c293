/* Textures and surfaces of a scene, and their texels. */
#ifndef TOOL_SCENE_RESOURCE_H
#define TOOL_SCENE_RESOURCE_H

#include "tool/scene/command.h"

/* --- resource.c ------------------------------------------------------------------------------- */

/* Value of key=; default +x. */
UINT parse_key_face(struct scene *scene, const char *key);
/* Parses key=x0,y0,x1,y1; false if the key is absent. */
bool parse_key_rect(struct scene *scene, const char *key, RECT *rect);
struct resource *resource_find(struct scene *scene, const char *name);
/* Same, but the resource must be a texture. */
IDirect3DBaseTexture9 *resource_texture(struct scene *scene, const char *name);
/* Aborts a scene whose images need too much memory. */
void resource_use_memory(struct scene *scene, UINT width, UINT height, UINT depth, UINT samples);
/* A surface of the resource; the scene owns it. */
IDirect3DSurface9 *resource_surface(struct scene *scene, struct resource *resource, UINT face,
                                    UINT level);

/* --- texels.c --------------------------------------------------------------------------------- */

/* Bytes per row of blocks, and rows of blocks, of a w × h image. */
UINT texel_row_bytes(D3DFORMAT format, UINT w);
/* Bits of red, green, blue and alpha, 0: absent. False: not a format of packed unsigned channels.
 */
bool texel_channel_bits(D3DFORMAT format, unsigned bits[4]);
UINT texel_rows(D3DFORMAT format, UINT h);
/* The locked memory of an image. */
struct texel_area {
    D3DFORMAT format;
    UINT w, h, d, pitch, slice_pitch;
    uint8_t *bits;
};
/* Writes the texels described at *at (language.md, "texels") to one image. Stops at a word that
 * starts the next image. */
void texel_write(struct scene *scene, char **at, const struct texel_area *area);
/* Decodes a texel; false if the runner cannot read the format. */
bool texel_decode(D3DFORMAT format, const uint8_t *bits, float rgba[4]);

#endif
