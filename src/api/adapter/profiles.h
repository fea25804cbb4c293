/* The adapter identity and the shader model that Novem reports, as novem.conf sets them. */
#ifndef API_ADAPTER_PROFILES_H
#define API_ADAPTER_PROFILES_H

#include <windows.h>
#include <d3d9.h>

#include <stdbool.h>
#include <stdint.h>

/* Fills every member but DeviceName and WHQLLevel. */
void api_fill_adapter_identifier(D3DADAPTER_IDENTIFIER9 *id);
/* Shader model of the reported hardware, 0 to 3. Software vertex processing always has model 3. */
unsigned api_shader_model(void);
/* Removes from the caps of full hardware what the reported shader model lacks. */
void api_limit_caps(D3DCAPS9 *caps, bool software_vertices);
/* Reported video memory of an adapter without resources, in bytes. */
int64_t api_video_memory(void);

#endif
