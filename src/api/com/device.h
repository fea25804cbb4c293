/* The device: its state, the objects that it owns, and the functions that its source files
 * share. */
#ifndef API_COM_DEVICE_H
#define API_COM_DEVICE_H

#include "api/com/com.h"
#include "api/window/cursor.h"
#include "api/window/fullscreen.h"
#include "api/swapchain/present_queue.h"
#include "api/state/state.h"
#include "cmd/cmd.h"
#include "present/present.h"

#include <pthread.h>

struct d3d9;
struct stateblock;
struct surface;
struct swapchain;
struct texture;

enum { MAX_CHAINS = 256 };

struct palette {
    PALETTEENTRY entry[256];
};

/* A vertex declaration that SetFVF created from an FVF code. */
struct fvf_decl {
    DWORD fvf;
    struct vertex_decl *decl; /* held by a private reference */
};

struct device {
    IDirect3DDevice9Ex iface;
    atomic_uint refs;
    struct d3d9 *d3d9; /* referenced */
    bool ex;
    D3DDEVICE_CREATION_PARAMETERS creation;
    D3DCAPS9 caps;
    bool software_shaders; /* software or mixed vertex processing: the larger limits */
    BOOL software;         /* Get/SetSoftwareVertexProcessing */
    pthread_mutex_t mutex; /* recursive */
    bool multithreaded;    /* D3DCREATE_MULTITHREADED: every call takes the mutex */

    struct cmd_stream *stream;
    struct present *present;
    struct present_queue present_queue;
    uint64_t frames[MAX_CHAINS]; /* presented frames of each swap chain */
    bool chain_used[MAX_CHAINS];

    struct swapchain *chain;                 /* implicit; held by a private reference */
    struct surface *auto_depth;              /* NULL without EnableAutoDepthStencil */
    struct surface *target[TARGETS], *depth; /* bound; held by private references */
    atomic_uint reset_blockers;              /* referenced D3DPOOL_DEFAULT objects */
    int64_t video_bytes;                     /* size of all resources, for GetAvailableTextureMem */
    struct texture *managed;                 /* list of all managed textures */

    struct state state;
    struct stateblock *recording; /* non-NULL between BeginStateBlock and EndStateBlock */
    struct fvf_decl *fvf_decls;   /* sorted by fvf */
    unsigned n_fvf_decls;
    struct palette **palettes; /* by number; NULL: never set */
    unsigned n_palettes;
    UINT palette; /* number of the current one */

    struct fullscreen screen;
    bool in_scene, lost; /* lost: a Reset failed, and only Reset recovers (not on Ex devices) */
    bool lights_dirty, palette_dirty;
    bool shader_refused;        /* the vertex shader exceeds hardware; draws use fixed function */
    uint32_t samplers_to_check; /* bit mask: their textures need updates before draws */
    bool targets_to_check;      /* a bound target belongs to an AUTOGENMIPMAP texture */

    struct cursor cursor;
    UINT frame_latency;
    INT gpu_priority;
};

static inline struct device *device_of(void *iface)
{
    return iface;
}

/* First line of every method that uses the device: locks it until the function returns. */
#define ENTER(d, iface)                                                                            \
    struct device *d __attribute__((cleanup(api_device_leave), unused)) = api_device_enter(iface)
struct device *api_device_enter(void *iface);
void api_device_leave(struct device **device);
/* The same for methods of objects of the device. */
#define ENTER_OBJECT(d, obj) ENTER(d, ((struct object *)(obj))->device)

void api_device_lock(struct device *device);
void api_device_unlock(struct device *device);
ULONG api_device_addref(struct device *device);
ULONG api_device_release(struct device *device);

/* mode: of a full-screen Ex device, else NULL. Completes *parameters. */
HRESULT api_device_create(struct device **out, struct d3d9 *d3d9, UINT adapter, D3DDEVTYPE type,
                          HWND focus, DWORD flags, D3DPRESENT_PARAMETERS *parameters);

/* --- emit.c ----------------------------------------------------------------------------------- */

/* Emits the packet that gives a slot of device->state to the renderer. */
HRESULT api_emit_slot(struct device *device, unsigned slot);
/* Emits `count` registers of a constant file. */
HRESULT api_emit_constants(struct device *device, enum constant_file file, unsigned start,
                           unsigned count);
HRESULT api_emit_target(struct device *device, unsigned index); /* or CMD_DEPTH_TARGET */
/* Emits the whole device state, after creation and Reset. */
HRESULT api_emit_all(struct device *device);
/* Emits deferred updates before a draw: lights, palette, generated mip levels. */
HRESULT api_emit_pending(struct device *device);
/* Sets ClipUnion and ClipIntersection, which later draws accumulate into. */
HRESULT api_set_clip_status(struct device *device, const D3DCLIPSTATUS9 *status);
/* Side effect of SetRenderTarget(0); Reset of an Ex device keeps the depth range. */
HRESULT api_reset_viewport(struct device *device, bool keep_depth_range);
/* Binds without validation; surface may be NULL. */
HRESULT api_set_target(struct device *device, unsigned index, struct surface *surface);
/* Value of D3DRS_POINTSIZE that triggers the RESZ copy of the depth buffer into the texture of
 * sampler 0 (reference: copy/resz). */
#define DEPTH_COPY_CODE 0x7fa05000u
HRESULT api_copy_depth(struct device *device);
/* Marks the generated mip levels of the bound targets as out of date. */
void api_targets_written(struct device *device);
/* Recomputes samplers_to_check and targets_to_check. */
void api_update_draw_checks(struct device *device);

/* --- Methods ---------------------------------------------------------------------------------- */

#define METHOD(type, name, ...) type WINAPI device_##name(IDirect3DDevice9Ex *iface, ##__VA_ARGS__);
#include "api/com/device_methods.def"
#undef METHOD

#endif
