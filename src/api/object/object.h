/* Children of a device that are not resources: vertex declarations, shaders, queries, state blocks
 * and swap chains. */
#ifndef API_OBJECT_OBJECT_H
#define API_OBJECT_OBJECT_H

#include "api/com/com.h"
#include "api/state/state.h"
#include "cmd/cmd.h"

struct surface;

struct vertex_decl {
    struct object base;
    cmd_handle handle;
    DWORD fvf;  /* the code that GetFVF returns while it is set; 0: no equivalent code */
    unsigned n; /* number of elements, end marker included */
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH + 1];
};
/* implicit: no reference, one private reference. fvf: the code it was created from, or 0. */
HRESULT api_decl_create(struct vertex_decl **out, struct device *device,
                        const D3DVERTEXELEMENT9 *elements, DWORD fvf, bool implicit);
/* Returns the declaration of an FVF code; creates it on first use. */
HRESULT api_decl_for_fvf(struct vertex_decl **out, struct device *device, DWORD fvf);

struct shader {
    struct object base;
    cmd_handle handle;
    bool pixel;
    bool beyond_hardware; /* uses constants that only software vertex processing has */
    UINT bytes;
    DWORD *tokens;
};
HRESULT api_shader_create(struct shader **out, struct device *device, const DWORD *tokens,
                          bool pixel);

enum query_state { QUERY_FRESH, QUERY_BUILDING, QUERY_ISSUED, QUERY_DONE };
struct query {
    struct object base;
    D3DQUERYTYPE type;
    enum query_state state;
    cmd_handle handle;
    unsigned polls;
    uint64_t value;
};
/* out NULL: tests whether the type is supported. */
HRESULT api_query_create(struct query **out, struct device *device, D3DQUERYTYPE type);

struct stateblock {
    struct object base;
    bool created; /* by CreateStateBlock: Capture keeps the stream offsets */
    bool all_lights;
    struct slot_set slots; /* slots that the block contains */
    struct state state;
};
HRESULT api_stateblock_create(struct stateblock **out, struct device *device,
                              D3DSTATEBLOCKTYPE type);
HRESULT api_stateblock_begin(struct stateblock **out, struct device *device);
/* Completes a recorded block: it becomes an object with one reference. */
void api_stateblock_end(struct stateblock *block);
void api_stateblock_discard(struct stateblock *block); /* NULL is allowed */

struct swapchain {
    struct object base;
    bool implicit;
    unsigned number;
    D3DPRESENT_PARAMETERS parameters;
    unsigned n_buffers;
    struct surface *buffer[D3DPRESENT_BACK_BUFFERS_MAX_EX]; /* held by private references */
    cmd_handle front;    /* last presented image; 0 until GetFrontBufferData needs it */
    cmd_handle resolved; /* image that multisampled buffers resolve to; 0: not multisampled */
    UINT presents;
};
/* Validates and completes the parameters for CreateDevice, Reset and CreateAdditionalSwapChain;
 * mode as in CreateDeviceEx. */
HRESULT api_check_parameters(D3DPRESENT_PARAMETERS *parameters, bool ex, UINT adapter, HWND focus);
HRESULT api_check_mode(const D3DPRESENT_PARAMETERS *parameters, const D3DDISPLAYMODEEX *mode);
HRESULT api_swapchain_create(struct swapchain **out, struct device *device,
                             const D3DPRESENT_PARAMETERS *parameters, bool implicit);
/* Recreates the buffers of the implicit chain at Reset. */
HRESULT api_swapchain_recreate(struct swapchain *chain, const D3DPRESENT_PARAMETERS *parameters);
HRESULT api_swapchain_present(struct swapchain *chain, const RECT *src, const RECT *dst,
                              HWND window, DWORD flags);
HRESULT api_swapchain_buffer(struct swapchain *chain, UINT index, IDirect3DSurface9 **out);
HRESULT api_swapchain_mode(const struct swapchain *chain, D3DDISPLAYMODE *mode);
HRESULT api_swapchain_mode_ex(const struct swapchain *chain, D3DDISPLAYMODEEX *mode,
                              D3DDISPLAYROTATION *rotation);
HRESULT api_swapchain_front(struct swapchain *chain, struct surface *dst);

static inline struct vertex_decl *decl_of(void *iface)
{
    return iface;
}
static inline struct shader *shader_of(void *iface)
{
    return iface;
}
static inline struct swapchain *swapchain_of(void *iface)
{
    return iface;
}

#endif
