/* The undocumented object that checks shaders instruction by instruction. */
#ifndef API_VALIDATOR_H
#define API_VALIDATOR_H

/* An IDirect3DShaderValidator9 with one reference; NULL: out of memory. */
void *api_validator_create(void);

#endif
