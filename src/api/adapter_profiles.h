/* As what Novem shows itself: the adapter's name and the shader model, as novem.conf wants them. */
#ifndef API_ADAPTER_PROFILES_H
#define API_ADAPTER_PROFILES_H

#include <windows.h>
#include <d3d9.h>

#include <stdbool.h>
#include <stdint.h>

bool api_adapter_profile_exists(const char *name);
/* Everything but DeviceName and WHQLLevel. */
void api_fill_adapter_identifier(D3DADAPTER_IDENTIFIER9 *id);
/* 0 to 3: what hardware is said to have. Software vertex processing has model 3 always. */
unsigned api_shader_model(void);
/* Takes what the model lacks out of the caps of full hardware. */
void api_limit_caps(D3DCAPS9 *caps, bool software_vertices);
/* Of an adapter without resources, in bytes. */
int64_t api_video_memory(void);

#endif
