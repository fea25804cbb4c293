/* Public interface of the recorder: writes a program's Direct3D 9 calls to a capture
 * (docs/formats.md).
 *
 * Recording replaces the vtable of each object; the recording methods call the original ones. */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <d3d9.h>

#include <stdbool.h>

enum record_class {
    RECORD_D3D9,
    RECORD_D3D9_EX,
    RECORD_DEVICE,
    RECORD_DEVICE_EX,
    RECORD_SWAP_CHAIN,
    RECORD_SWAP_CHAIN_EX,
    RECORD_TEXTURE,
    RECORD_CUBE,
    RECORD_VOLUMES,
    RECORD_SURFACE,
    RECORD_VOLUME,
    RECORD_VERTICES,
    RECORD_INDICES,
    RECORD_VERTEX_SHADER,
    RECORD_PIXEL_SHADER,
    RECORD_DECLARATION,
    RECORD_STATE_BLOCK,
    RECORD_QUERY,
    RECORD_CLASS_COUNT
};

/* Starts the capture at the first call; NULL or "": no recording. Logs a file that cannot be
 * created. */
void record_open(const char *path);
/* Ends the capture; for tests and the end of the process. */
void record_close(void);
/* Whether a capture could not be created or not be written in full. */
bool record_lost_calls(void);

/* Returns the vtable for a new object of a class; `real` if recording is off. */
const void *record_vtbl(enum record_class class, const void *real);

/* Record calls of global functions, after they returned. */
void record_create9(UINT version, IDirect3D9 *result);
void record_create9_ex(UINT version, IDirect3D9Ex **out, HRESULT result);
void record_begin_event(D3DCOLOR colour, const WCHAR *name, int result);
void record_end_event(int result);
void record_marker(D3DCOLOR colour, const WCHAR *name);
void record_region(D3DCOLOR colour, const WCHAR *name);

#endif
