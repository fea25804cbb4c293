/* Log lines of calls that fail.
 *
 * Tested by tests/unit/api/device/test_report.c. */
#include "api/com/refused.h"

#include "tex/format.h"

#include <stdarg.h>
#include <stdio.h>

enum { KEY_BYTES = 96, TEXT_BYTES = 512 };

const char *api_result_name(HRESULT hr, char number[16])
{
    switch (hr) {
    case D3DERR_INVALIDCALL:
        return "D3DERR_INVALIDCALL";
    case D3DERR_NOTAVAILABLE:
        return "D3DERR_NOTAVAILABLE";
    case D3DERR_OUTOFVIDEOMEMORY:
        return "D3DERR_OUTOFVIDEOMEMORY";
    case E_OUTOFMEMORY:
        return "E_OUTOFMEMORY";
    case E_NOTIMPL:
        return "E_NOTIMPL";
    case E_FAIL:
        return "E_FAIL";
    default:
        snprintf(number, 16, "0x%08lx", (unsigned long)(uint32_t)hr);
        return number;
    }
}

static bool is_expected(HRESULT hr)
{
    return SUCCEEDED(hr) || hr == D3DERR_DEVICELOST || hr == D3DERR_DEVICENOTRESET ||
           hr == D3DERR_WASSTILLDRAWING;
}

static void write_line(enum log_level level, HRESULT hr, const char *call, D3DFORMAT format,
                       const char *text, va_list args)
{
    const char *gap = format ? " " : "", *name = format ? tex_format_name(format) : "";
    char key[KEY_BYTES], number[16], details[TEXT_BYTES];

    if (is_expected(hr) || level > log_level("api"))
        return;
    snprintf(key, sizeof(key), "%s%s%s", call, gap, name);
    vsnprintf(details, sizeof(details), text, args);
    log_once_at(level, "api", key, "%s%s%s failed (%s)%s%s", call, gap, name,
                api_result_name(hr, number), *details ? ": " : "", details);
}

HRESULT api_refused(HRESULT hr, const char *call, D3DFORMAT format, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    write_line(LOG_WARN, hr, call, format, text, args);
    va_end(args);
    return hr;
}

HRESULT api_denied(HRESULT hr, const char *call, D3DFORMAT format, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    write_line(LOG_INFO, hr, call, format, text, args);
    va_end(args);
    return hr;
}
