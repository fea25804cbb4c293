/* Public interface of the recorder: writes a program's Direct3D 9 calls to a capture
 * (docs/formats.md).
 *
 * Recording replaces the vtable of each object; the recording methods call the original ones. */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "util/status.h"

#include <d3d9.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* --- Captures that start in the middle of a program (api/capture) -------------------------------
 */

/* Starts a capture in a new file. ST_BUSY: a capture is being written. ST_IO: errno says why;
 * EEXIST: the file exists. Objects that exist are not recorded until they get the methods of their
 * class. */
MUST_CHECK enum status record_begin(const char *path);
/* Ends it. False: not all of it could be written; logged. *calls: how many were written. */
bool record_end(uint64_t *calls);
/* The recording methods of a class, whose original ones are `real`. */
const void *record_methods(enum record_class class, const void *real);
/* Until it is called with false, the recording methods of this thread write calls that the program
 * did not make: as if they had returned 0, without calling the original methods. `out` arguments
 * are written as they are. */
void record_make_up(bool on);
/* Writes a copy of n bytes into a locked address, as an Unlock does. */
void record_memory(const void *address, const void *bytes, size_t n);
/* Writes the contents of a surface that no call of Direct3D can write: all its samples, tightly
 * packed (docs/formats.md). A replay gives them to SetPrivateData with this GUID. */
#define RECORD_CONTENTS_GUID                                                                       \
    {                                                                                              \
        0x8b6f0c52, 0x3e0d, 0x4a63,                                                                \
        {                                                                                          \
            0x9c, 0x1e, 0x57, 0xd2, 0x0a, 0xb4, 0x71, 0xe8                                         \
        }                                                                                          \
    }
void record_contents(const void *surface, const void *bytes, size_t n);
/* Calls fn after each successful Present that is recorded, with the device or swap chain; NULL: no
 * longer. */
typedef void record_presented_fn(const void *presenter);
void record_on_present(record_presented_fn *fn);

/* --- Calls of global functions ------------------------------------------------------------------
 */

/* Record calls of global functions, after they returned. */
void record_create9(UINT version, IDirect3D9 *result);
void record_create9_ex(UINT version, IDirect3D9Ex **out, HRESULT result);
void record_begin_event(D3DCOLOR colour, const WCHAR *name, int result);
void record_end_event(int result);
void record_marker(D3DCOLOR colour, const WCHAR *name);
void record_region(D3DCOLOR colour, const WCHAR *name);

#endif
