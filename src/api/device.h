/* The device: its state, what it owns, and how the other files reach it. */
#ifndef API_DEVICE_H
#define API_DEVICE_H

#include "api/com.h"
#include "api/cursor.h"
#include "api/fullscreen.h"
#include "api/present_queue.h"
#include "api/state.h"
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

/* A declaration that SetFVF made. */
struct fvf_decl {
    DWORD fvf;
    struct vertex_decl *decl; /* held */
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
    uint64_t frames[MAX_CHAINS]; /* presented, by number of the chain */
    bool chain_used[MAX_CHAINS];

    struct swapchain *chain;                 /* implicit, held */
    struct surface *auto_depth;              /* held; NULL without EnableAutoDepthStencil */
    struct surface *target[TARGETS], *depth; /* bound, held */
    atomic_uint reset_blockers;              /* D3DPOOL_DEFAULT objects that the program holds */
    int64_t video_bytes;                     /* of resources, for GetAvailableTextureMem */
    struct texture *managed;                 /* all managed textures */

    struct state state;
    struct stateblock *recording; /* between Begin- and EndStateBlock */
    struct fvf_decl *fvf_decls;   /* sorted by fvf */
    unsigned n_fvf_decls;
    struct palette **palettes; /* by number, NULL where never set */
    unsigned n_palettes;
    UINT palette; /* the current one */

    struct fullscreen screen;
    bool in_scene, lost; /* lost: a Reset failed, only Reset helps (not for Ex) */
    bool lights_dirty, palette_dirty;
    bool shader_refused; /* a draw met a vertex shader beyond hardware; it is not in force any more
                          */
    uint32_t samplers_to_check; /* bit per sampler whose texture wants a look before draws */
    bool targets_to_check;      /* a bound target belongs to a texture that generates its mips */

    struct cursor cursor;
    UINT frame_latency;
    INT gpu_priority;
};

static inline struct device *device_of(void *iface)
{
    return iface;
}

/* First line of every method that uses the device: enters it until the end of the function. */
#define ENTER(d, iface)                                                                            \
    struct device *d __attribute__((cleanup(api_device_leave), unused)) = api_device_enter(iface)
struct device *api_device_enter(void *iface);
void api_device_leave(struct device **device);
/* The same for objects of the device. */
#define ENTER_OBJECT(d, obj) ENTER(d, ((struct object *)(obj))->device)

void api_device_lock(struct device *device);
void api_device_unlock(struct device *device);
ULONG api_device_addref(struct device *device);
ULONG api_device_release(struct device *device);

/* mode: of a full-screen Ex device, else NULL. parameters are completed. */
HRESULT api_device_create(struct device **out, struct d3d9 *d3d9, UINT adapter, D3DDEVTYPE type,
                          HWND focus, DWORD flags, D3DPRESENT_PARAMETERS *parameters);

/* --- emit.c ----------------------------------------------------------------------------------- */

/* Sends the slot's contents of device->state to the renderer. */
HRESULT api_emit_slot(struct device *device, unsigned slot);
/* `count` registers of a file. */
HRESULT api_emit_constants(struct device *device, enum constant_file file, unsigned start,
                           unsigned count);
HRESULT api_emit_target(struct device *device, unsigned index); /* CMD_DEPTH_TARGET too */
/* All of them: after creation and Reset. */
HRESULT api_emit_all(struct device *device);
/* Emits what is sent late: lights, palette, generated mips. Before draws. */
HRESULT api_emit_pending(struct device *device);
/* ClipUnion and ClipIntersection, from where draws go on. */
HRESULT api_set_clip_status(struct device *device, const D3DCLIPSTATUS9 *status);
/* SetRenderTarget(0)'s side effect; Ex Reset keeps the depth range. */
HRESULT api_reset_viewport(struct device *device, bool keep_depth_range);
/* Binds without questions; surface may be NULL. */
HRESULT api_set_target(struct device *device, unsigned index, struct surface *surface);
/* What D3DRS_POINTSIZE stands for when it is set to this: the depth buffer goes to the texture of
 * sampler 0 (reference: copy/resz). */
#define DEPTH_COPY_CODE 0x7fa05000u
HRESULT api_copy_depth(struct device *device);
/* Says that the bound targets get new contents: their lower levels must be generated again. */
void api_targets_written(struct device *device);
/* Finds out anew what needs a look before draws. */
void api_update_draw_checks(struct device *device);

/* --- The table -------------------------------------------------------------------------------- */

#define METHOD(type, name, ...) type WINAPI device_##name(IDirect3DDevice9Ex *iface, ##__VA_ARGS__);
#include "api/device_methods.def"
#undef METHOD

#endif
