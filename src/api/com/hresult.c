/* Maps internal status codes to the HRESULTs that applications see. */
#include "api/com/com.h"

HRESULT api_hresult(enum status st)
{
    switch (st) {
    case ST_OK:
        return D3D_OK;
    case ST_NOMEM:
        return E_OUTOFMEMORY;
    case ST_INVALID:
    case ST_DAMAGED:
        return D3DERR_INVALIDCALL;
    case ST_UNSUPPORTED:
        return D3DERR_NOTAVAILABLE;
    case ST_LOST:
        return D3DERR_DEVICELOST;
    case ST_BUSY:
        return D3DERR_WASSTILLDRAWING;
    case ST_NOTFOUND:
        return D3DERR_NOTFOUND;
    case ST_IO:
        break;
    }
    return E_FAIL;
}
