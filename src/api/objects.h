/* Children of a device that are no resources: declarations, shaders, queries, state blocks, swap
 * chains. */
#ifndef API_OBJECTS_H
#define API_OBJECTS_H

#include "api/com.h"
#include "api/state.h"
#include "cmd/cmd.h"

struct surface;

struct vertex_decl {
    struct object base;
    cmd_handle handle;
    DWORD fvf;  /* what GetFVF answers while it is set; 0: no code says the same */
    unsigned n; /* elements with the end marker */
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH + 1];
};
/* implicit: no reference, one hold. fvf: the code it comes from, or 0. */
HRESULT api_decl_create(struct vertex_decl **out, struct device *device,
                        const D3DVERTEXELEMENT9 *elements, DWORD fvf, bool implicit);
/* The declaration of an FVF code, made at its first use. */
HRESULT api_decl_for_fvf(struct vertex_decl **out, struct device *device, DWORD fvf);

struct shader {
    struct object base;
    cmd_handle handle;
    bool pixel;
    bool beyond_hardware; /* names constants that only software vertex processing has */
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
/* out NULL: asks whether the type is supported. */
HRESULT api_query_create(struct query **out, struct device *device, D3DQUERYTYPE type);

struct stateblock {
    struct object base;
    bool created; /* by CreateStateBlock: Capture keeps the stream offsets */
    bool all_lights;
    struct slot_set slots; /* what it contains */
    struct state state;
};
HRESULT api_stateblock_create(struct stateblock **out, struct device *device,
                              D3DSTATEBLOCKTYPE type);
HRESULT api_stateblock_begin(struct stateblock **out, struct device *device);
/* Turns a recorded block into an object with one reference. */
void api_stateblock_end(struct stateblock *block);
void api_stateblock_discard(struct stateblock *block); /* NULL is allowed */

struct swapchain {
    struct object base;
    bool implicit;
    unsigned number;
    D3DPRESENT_PARAMETERS parameters;
    unsigned n_buffers;
    struct surface *buffer[D3DPRESENT_BACK_BUFFERS_MAX_EX]; /* held */
    cmd_handle front;    /* what was shown last; 0 until GetFrontBufferData asks for it */
    cmd_handle resolved; /* what is shown of multisampled buffers; 0 for others */
    UINT presents;
};
/* Checks and completes parameters as CreateDevice, Reset and CreateAdditionalSwapChain do; mode as
 * in CreateDeviceEx. */
HRESULT api_check_parameters(D3DPRESENT_PARAMETERS *parameters, bool ex, UINT adapter, HWND focus);
HRESULT api_check_mode(const D3DPRESENT_PARAMETERS *parameters, const D3DDISPLAYMODEEX *mode);
HRESULT api_swapchain_create(struct swapchain **out, struct device *device,
                             const D3DPRESENT_PARAMETERS *parameters, bool implicit);
/* The implicit chain at Reset. */
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
