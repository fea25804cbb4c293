/* SetConvolutionMonoKernel: the size of the filter CONVOLUTIONMONO.
 *
 * Tested by tests/unit/api/set/test_convolution.c. */
#include "api/com/device_methods.h"
#include "api/set/write.h"
#include "api/state/state.h"

/* Weights are those of a box; others are refused (reference: texture/convolution). */
HRESULT WINAPI device_SetConvolutionMonoKernel(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                               float *rows, float *columns)
{
    enum { MOST = 7 };
    ENTER(d, iface);
    struct state *s;

    if (!width || width > MOST || !height || height > MOST || rows || columns)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_RENDER + CONVOLUTION_STATE);
    s->render[CONVOLUTION_STATE] = width | height << 8;
    return written(d, s, SLOT_RENDER + CONVOLUTION_STATE);
}
