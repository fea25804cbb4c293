/* The device as its objects see it: its members, its references and its lock. The modules that own
 * the parts behind the pointers declare them. */
#ifndef API_COM_DEVICE_H
#define API_COM_DEVICE_H

#include "api/adapter/adapter.h"
#include "api/com/com.h"

#include <pthread.h>

struct cmd_stream;
struct cursor;
struct d3d9;
struct fullscreen;
struct fvf_decl;
struct palette;
struct patch;
struct present;
struct present_queue;
struct state;
struct stateblock;
struct surface;
struct swapchain;
struct texture;

enum { TARGETS = 4 };

struct device {
    IDirect3DDevice9Ex iface;
    atomic_uint refs;
    void (*destroy)(struct device *device); /* called when the last reference is released */
    struct d3d9 *d3d9;                      /* referenced */
    bool ex;
    D3DDEVICE_CREATION_PARAMETERS creation;
    D3DCAPS9 caps;
    bool software_shaders; /* software or mixed vertex processing: the larger limits */
    BOOL software;         /* Get/SetSoftwareVertexProcessing */
    pthread_mutex_t mutex; /* recursive */
    bool multithreaded;    /* D3DCREATE_MULTITHREADED: every call takes the mutex */

    struct cmd_stream *stream;
    struct present *present;
    struct present_queue *present_queue;

    /* Settings RENDER_SCALE in thousandths and SAMPLES (0: the program's), and the size of the
     * implicit back buffers, to whose targets they apply. */
    struct {
        unsigned scale, samples;
        uint32_t width, height;
    } render_as;

    struct swapchain *chain;                 /* implicit; held by a private reference */
    struct surface *auto_depth;              /* NULL without EnableAutoDepthStencil */
    struct surface *target[TARGETS], *depth; /* bound; held by private references */
    struct object *objects, **objects_end;   /* all objects of the device, in order of creation */
    atomic_uint reset_blockers;              /* referenced D3DPOOL_DEFAULT objects */
    int64_t video_bytes;                     /* size of all resources, for GetAvailableTextureMem */
    struct texture *managed;                 /* list of all managed textures */

    struct state *state;
    struct stateblock *recording; /* non-NULL between BeginStateBlock and EndStateBlock */
    struct fvf_decl *fvf_decls;   /* declarations that SetFVF created; sorted by FVF code */
    unsigned n_fvf_decls;
    struct patch *patches; /* cached patches, sorted by handle */
    unsigned n_patches;
    struct palette **palettes; /* by number; NULL: never set */
    unsigned n_palettes;

    struct fullscreen *screen;
    bool in_scene, lost; /* lost: a Reset failed, and only Reset recovers (not on Ex devices) */
    bool loss_logged;    /* since the last Reset */
    bool lights_dirty, palette_dirty;
    bool uses_stream_textures; /* D3DRS_POINTSIZE has had a command of R2VB */
    bool shader_refused;       /* the vertex shader exceeds hardware; draws use fixed function */
    /* samplers_to_check: bit mask of the samplers whose textures need updates before draws. It is
     * out of date while textures_changed. */
    bool textures_changed;
    uint32_t samplers_to_check;
    bool targets_to_check; /* a bound target belongs to an AUTOGENMIPMAP texture; or SAMPLES */

    /* Called after each successful Present; NULL unless one frame is to be captured. */
    void (*presented)(struct swapchain *chain);

    struct cursor *cursor;
    UINT frame_latency;
    INT gpu_priority;
};

static inline struct device *device_of(void *iface)
{
    return iface;
}

/* With api_offers: asks whether the device offers a feature. */
static inline struct device_kind api_kind(const struct device *device)
{
    return api_device_kind(device->creation.DeviceType, device->ex);
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

/* First step of the device's constructor: one reference, and the mutex. */
void api_device_init(struct device *device, bool multithreaded,
                     void (*destroy)(struct device *device));
/* Last step of its destructor, before the memory is freed. */
void api_device_fini(struct device *device);

#endif
