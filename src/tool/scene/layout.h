/* Vertex layout and named vertex buffers of a scene. */
#ifndef TOOL_SCENE_LAYOUT_H
#define TOOL_SCENE_LAYOUT_H

#include "tool/scene/command.h"

/* --- layout.c --------------------------------------------------------------------------------- */

/* Sets the vertex layout and streams of the scene. */
void layout_bind(struct scene *scene);
DWORD layout_fvf(struct scene *scene, char *text);
/* Parses vertex elements from a block, with the end marker; returns their number. layout: the block
 * is the scene's vertex layout. */
UINT layout_elements(struct scene *scene, char *at, D3DVERTEXELEMENT9 *elements, bool layout);
/* Bytes of a D3DDECLTYPE. */
UINT layout_type_bytes(BYTE type);

/* --- buffer.c --------------------------------------------------------------------------------- */

void buffer_name(struct scene *scene, const char *name, IDirect3DVertexBuffer9 *buffer, UINT size);
const struct named_buffer *buffer_find(struct scene *scene, const char *name);

#endif
