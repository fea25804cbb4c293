/* Textures, surfaces, volumes and buffers. */
#ifndef API_MEMORY_RESOURCE_H
#define API_MEMORY_RESOURCE_H

#include "api/com/com.h"
#include "cmd/cmd.h"

struct swapchain;

/* Scope in which GetDC and locks exclude each other: all levels and faces of one texture, or one
 * stand-alone surface. */
struct lock_group {
    unsigned locks;
    bool dc_out;
};

/* A stand-alone surface, a level of a 2D or cube texture, or a level of a volume texture. The
 * latter is an IDirect3DVolume9 and does not use the members for device contexts. */
struct surface {
    struct object base;
    struct texture *texture; /* container; NULL: stand-alone surface */
    struct swapchain *chain; /* of a back buffer; weak, cleared on release by the chain */
    cmd_handle image;
    uint32_t face, level;
    const struct tex_format *format;
    uint32_t width, height, depth;
    DWORD usage;
    D3DPOOL pool;
    D3DMULTISAMPLE_TYPE samples;
    DWORD quality;
    uint32_t sample_count; /* number of samples that `samples` and `quality` mean */
    bool lockable, plain;
    bool discardable;    /* depth buffer whose contents Present may discard */
    void *user_memory;   /* the application's memory with tight rows; NULL: none */
    int64_t video_bytes; /* size of its own image, counted in the device */

    struct lock_group own_group, *group;
    bool locked, read_only, own_staging;
    uint8_t *staging; /* memory of a locked ATI1 or ATI2 level; NULL otherwise */
    struct surface_dc *dc;
};

enum { DIRTY_BOXES = 8 };
/* Boxes in pixels of level 0. */
struct dirty_region {
    unsigned count;
    struct tex_box box[DIRTY_BOXES];
};

/* A 2D, cube or volume texture. */
struct texture {
    struct object base;
    cmd_handle image; /* image that draws read; not that of the levels if device copy */
    const struct tex_format *format;
    enum tex_shape shape;
    uint32_t width, height, depth;
    uint32_t faces, levels; /* levels that applications see; AUTOGENMIPMAP images have more */
    DWORD usage;
    D3DPOOL pool;
    DWORD priority, lod;
    D3DTEXTUREFILTERTYPE auto_filter;
    bool generates, stale; /* has AUTOGENMIPMAP levels; they are out of date */
    int64_t video_bytes;
    struct lock_group group;
    struct dirty_region dirty[6]; /* for each face */
    struct surface *sub;          /* [face * levels + level] */
    uint8_t *linear;              /* memory of locks of all ATI1 or ATI2 levels; or NULL */

    /* Managed textures: links of the device's list, and the last read at which `dirty` was
     * cleared. */
    struct texture *next_managed, **link_managed;
    uint64_t cleaned_at_read;
};

struct buffer {
    struct object base;
    D3DRESOURCETYPE type;
    cmd_handle handle;
    UINT size;
    DWORD usage, fvf;
    D3DFORMAT format; /* of indices */
    D3DPOOL pool;
    DWORD priority;
    unsigned locks;
    uint8_t *mapped;
    UINT written_from, written_to; /* union of the ranges that the open locks cover */
};

static inline struct surface *surface_of(void *iface)
{
    return iface;
}
static inline struct texture *texture_of(void *iface)
{
    return iface;
}
static inline struct buffer *buffer_of(void *iface)
{
    return iface;
}
static inline struct cmd_surface surface_ref(const struct surface *surface)
{
    return (struct cmd_surface){surface->image, surface->face, surface->level};
}
static inline struct cmd_box box_ref(const struct tex_box *box)
{
    return (struct cmd_box){box->x0, box->y0, box->z0, box->x1, box->y1, box->z1};
}

/* --- resource.c ------------------------------------------------------------------------------- */

/* Methods of IDirect3DResource9 after GetDevice. */
#define RESOURCE_METHODS(I, prefix, resource_type)                                                 \
    OBJECT_METHODS(I, prefix)                                                                      \
    PRIVATE_DATA_METHODS(I, prefix)                                                                \
    static DWORD WINAPI prefix##_SetPriority(I *iface, DWORD priority)                             \
    {                                                                                              \
        return api_set_priority((struct object *)iface, resource_type, priority);                  \
    }                                                                                              \
    static DWORD WINAPI prefix##_GetPriority(I *iface)                                             \
    {                                                                                              \
        return api_get_priority((struct object *)iface, resource_type);                            \
    }                                                                                              \
    static void WINAPI prefix##_PreLoad(I *iface)                                                  \
    {                                                                                              \
        api_preload((struct object *)iface, resource_type);                                        \
    }                                                                                              \
    static D3DRESOURCETYPE WINAPI prefix##_GetType(I *iface)                                       \
    {                                                                                              \
        (void)iface;                                                                               \
        return resource_type;                                                                      \
    }
/* clang-format off */
#define RESOURCE_VTBL(prefix)                                                                      \
    OBJECT_VTBL(prefix), PRIVATE_DATA_VTBL(prefix), .SetPriority = prefix##_SetPriority,           \
        .GetPriority = prefix##_GetPriority, .PreLoad = prefix##_PreLoad,                          \
        .GetType = prefix##_GetType
/* clang-format on */

/* Only managed textures and vertex buffers have a priority; others return 0. */
DWORD api_set_priority(struct object *obj, D3DRESOURCETYPE type, DWORD priority);
DWORD api_get_priority(struct object *obj, D3DRESOURCETYPE type);
void api_preload(struct object *obj, D3DRESOURCETYPE type);

/* Undeclared pool that WPF uses with Ex devices, which have no D3DPOOL_MANAGED. */
#define POOL_MANAGED_EX ((D3DPOOL)6)
/* Pools whose resources have a device copy that the runtime maintains. */
static inline bool pool_managed(D3DPOOL pool)
{
    return pool == D3DPOOL_MANAGED || pool == POOL_MANAGED_EX;
}
/* Whether textures and buffers may be created in the pool. */
static inline bool pool_exists(D3DPOOL pool, bool ex)
{
    return pool == D3DPOOL_DEFAULT || pool == D3DPOOL_SYSTEMMEM || pool == D3DPOOL_SCRATCH ||
           pool == (ex ? POOL_MANAGED_EX : D3DPOOL_MANAGED);
}

enum image_kind { IMAGE_PLAIN, IMAGE_TARGET, IMAGE_DEPTH };
/* Whether such surfaces may have the format; agrees with CheckDeviceFormat. */
bool api_surface_format_ok(const struct tex_format *format, enum image_kind kind, D3DPOOL pool);

/* --- surface.c -------------------------------------------------------------------------------- */

struct surface_args {
    enum image_kind kind;
    uint32_t width, height;
    D3DFORMAT format;
    D3DMULTISAMPLE_TYPE samples;
    DWORD quality, usage;
    D3DPOOL pool;
    bool lockable, discardable;
    void *user_memory;
    HANDLE *shared; /* of DEFAULT surfaces; NULL: not shared */
};
/* The surface has one reference, or, if implicit, one private reference. */
HRESULT api_surface_create(struct surface **out, struct device *device,
                           const struct surface_args *args, bool implicit);
/* Replaces the contents of an implicit surface: pointers that applications hold stay valid. */
HRESULT api_surface_recreate(struct surface *surface, const struct surface_args *args);
/* Creates a single-sample image of the surface's size and format; the caller destroys it. */
MUST_CHECK enum status api_scratch_image(const struct surface *like, cmd_handle *out);
/* Initialises a level of a texture. */
void api_surface_init_level(struct surface *surface, struct texture *texture, uint32_t face,
                            uint32_t level);
/* Called after every write: marks AUTOGENMIPMAP levels as out of date. */
void api_surface_written(struct surface *surface);

/* --- lock.c ----------------------------------------------------------------------------------- */

HRESULT api_surface_desc(const struct surface *surface, D3DSURFACE_DESC *desc);
HRESULT api_volume_desc(const struct surface *volume, D3DVOLUME_DESC *desc);
HRESULT api_surface_lock(struct surface *surface, D3DLOCKED_RECT *out, const RECT *rect,
                         DWORD flags);
/* by_texture: called on the container, which tolerates a second unlock. */
HRESULT api_surface_unlock(struct surface *surface, bool by_texture);
HRESULT api_volume_lock(struct surface *volume, D3DLOCKED_BOX *out, const D3DBOX *box, DWORD flags);
HRESULT api_volume_unlock(struct surface *volume);
/* Ends an open lock before the level is destroyed. */
void api_lock_drop(struct surface *surface);
/* Whether an image of the format may have the size. */
bool api_block_size_ok(const struct tex_format *format, uint32_t width, uint32_t height);
/* Whether the box consists of whole blocks, or of blocks up to the edge. */
bool api_box_aligned(const struct tex_format *format, const struct tex_box *box, uint32_t width,
                     uint32_t height);
/* rect NULL: the whole surface. Returns false and the whole surface for empty, reversed and
 * out-of-range rectangles. */
bool api_surface_box(const struct surface *surface, const RECT *rect, struct tex_box *box);
bool api_volume_box(const struct surface *volume, const D3DBOX *in, struct tex_box *box);

/* --- lock_layout.c ---------------------------------------------------------------------------- */

bool api_format_is_ati(const struct tex_format *format);
/* A mapped level in the layout that applications see; one block is `bytes` long. */
struct level_view {
    uint8_t *bits;
    uint32_t row_pitch, slice_pitch;
    uint32_t block_w, block_h, bytes;
};
HRESULT api_map_level(struct surface *surface, DWORD flags, struct level_view *view);
/* Writes a copy back, unless surface->read_only. */
void api_unmap_level(struct surface *surface);
/* Copies user memory to the image before reads of the image, and back after writes. Surfaces
 * without user memory need neither. */
HRESULT api_surface_load_user(struct surface *surface);
HRESULT api_surface_store_user(struct surface *surface);

/* --- texture.c, texture_create.c -------------------------------------------------------------- */

extern const struct object_class *const api_texture_class[]; /* indexed by enum tex_shape */
void api_texture_free(struct texture *texture);              /* also half-created ones */

struct texture_args {
    enum tex_shape shape;
    UINT width, height, depth, levels;
    DWORD usage;
    D3DFORMAT format;
    D3DPOOL pool;
    HANDLE *shared;
};
HRESULT api_texture_create(struct texture **out, struct device *device,
                           const struct texture_args *args);

/* --- dirty.c ---------------------------------------------------------------------------------- */

/* Adds a box of a level to the dirty region. */
void api_texture_dirty(struct texture *texture, uint32_t face, uint32_t level,
                       const struct tex_box *box);
void api_texture_all_dirty(struct texture *texture);
void api_texture_clean(struct texture *texture);
bool api_texture_is_all_dirty(const struct texture *texture);
/* Projects a dirty box to a level, extends it to whole blocks and clips it to both surfaces; false:
 * empty. */
bool api_dirty_in_level(const struct tex_box *dirty, uint32_t level, const struct surface *src,
                        const struct surface *dst, struct tex_box *out);

/* --- managed.c: managed textures; does nothing for others ------------------------------------- */

void api_managed_add(struct texture *texture);
void api_managed_remove(struct texture *texture);
/* Whether draws read another image than locks write. */
bool api_managed_has_device_copy(const struct texture *texture);
/* Called before a lock with D3DLOCK_NO_DIRTY_UPDATE: draws shall not see its writes until a dirty
 * region covers them. */
HRESULT api_managed_separate_device_copy(struct texture *texture);
/* Called before a dirty region grows. */
void api_managed_before_dirty(struct texture *texture);
/* Uploads the dirty regions to the device copy. */
MUST_CHECK enum status api_managed_upload(struct texture *texture);
void api_managed_preload(struct texture *texture);

extern const struct object_class api_surface_class, api_volume_class;

/* --- buffer.c --------------------------------------------------------------------------------- */

HRESULT api_buffer_create(struct buffer **out, struct device *device, D3DRESOURCETYPE type,
                          UINT size, DWORD usage, D3DPOOL pool, DWORD fvf_or_format,
                          HANDLE *shared);

#endif
