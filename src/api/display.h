/* The adapters, one for each monitor of the desktop, the primary one first: their modes, and
 * changing them. Natively there is one adapter whose mode nothing changes. */
#ifndef API_DISPLAY_H
#define API_DISPLAY_H

#include "api/com.h"

#include <stdbool.h>

UINT api_adapter_count(void);
/* "\\.\DISPLAY1" and the like. */
const char *api_adapter_name(UINT adapter);
/* A number on Windows' side, or on ours something that is not NULL. NULL for adapters that are not
 * there. */
HMONITOR api_adapter_monitor(UINT adapter);
/* Where the monitor is on the desktop. */
RECT api_adapter_rect(UINT adapter);

/* The mode that the monitor has now; the format is always X8R8G8B8. */
void api_adapter_mode(UINT adapter, D3DDISPLAYMODE *mode);
/* Modes in which it can be with that format: smaller ones first, then slower ones; 0 for formats
 * that no mode has. */
UINT api_mode_count(UINT adapter, D3DFORMAT format);
bool api_mode_at(UINT adapter, D3DFORMAT format, UINT index, D3DDISPLAYMODE *mode);
/* Formats with alpha are shown in modes without. */
bool api_mode_exists(UINT adapter, UINT width, UINT height, D3DFORMAT format);

/* Until it is restored, or another program changes it. refresh 0: any. False where the system
 * refuses. */
bool api_set_mode(UINT adapter, UINT width, UINT height, UINT refresh);
/* All monitors have the modes of the registry again (reference: device/display-modes). */
void api_restore_modes(void);

#endif
