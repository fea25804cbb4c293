/* IDirect3DShaderValidator9, the undocumented interface that validates shaders instruction by
 * instruction. */
#ifndef API_OBJECT_VALIDATOR_H
#define API_OBJECT_VALIDATOR_H

/* Creates an IDirect3DShaderValidator9 with one reference; NULL: out of memory. */
void *api_validator_create(void);

#endif
