/* Log lines of calls that fail, once for each call and format. */
#ifndef API_COM_REFUSED_H
#define API_COM_REFUSED_H

#include "util/log.h"

#include <windows.h>
#include <d3d9.h>

/* Logs a warning that `call` failed: "CreateTexture A16B16G16R16 failed (D3DERR_INVALIDCALL): " and
 * the text, which says what was asked for. D3DFMT_UNKNOWN: the call has no format. Returns hr.
 * Results that programs expect of a device that is lost or busy are not logged. */
HRESULT api_refused(HRESULT hr, const char *call, D3DFORMAT format, const char *text, ...)
    PRINTF_LIKE(4, 5);
/* The same for a question whose answer is no: information, not a warning. */
HRESULT api_denied(HRESULT hr, const char *call, D3DFORMAT format, const char *text, ...)
    PRINTF_LIKE(4, 5);
/* "D3DERR_INVALIDCALL", or the number. */
const char *api_result_name(HRESULT hr, char number[16]);

#endif
