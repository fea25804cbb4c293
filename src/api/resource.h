/* Textures, surfaces, volumes and buffers. */
#ifndef API_RESOURCE_H
#define API_RESOURCE_H

#include "api/com.h"
#include "cmd/cmd.h"

struct swapchain;

/* What a lock of a DC excludes: all levels and faces of one texture, or one surface alone. */
struct lock_group {
    unsigned locks;
    bool dc_out;
};

/* A surface of its own, or a level of a 2D or cube texture, or of a volume texture (then it is an
 * IDirect3DVolume9 and all about DCs is unused). */
struct surface {
    struct object base;
    struct texture *texture; /* container; NULL for a surface of its own */
    struct swapchain *chain; /* of a back buffer; not counted, cleared when the chain lets go */
    cmd_handle image;
    uint32_t face, level;
    const struct tex_format *format;
    uint32_t width, height, depth;
    DWORD usage;
    D3DPOOL pool;
    D3DMULTISAMPLE_TYPE samples;
    DWORD quality;
    uint32_t sample_count; /* that `samples` and `quality` stand for */
    bool lockable, plain;
    bool discardable;    /* a depth buffer that does not keep its contents over Present */
    void *user_memory;   /* the program's own, with tight rows; NULL normally */
    int64_t video_bytes; /* of its own image, counted in the device */

    struct lock_group own_group, *group;
    bool locked, read_only, own_staging;
    uint8_t *staging; /* what a locked level of ATI1 or ATI2 shows; NULL otherwise */
    struct surface_dc *dc;
};

enum { DIRTY_BOXES = 8 };
/* In pixels of level 0. */
struct dirty_region {
    unsigned count;
    struct tex_box box[DIRTY_BOXES];
};

/* A texture of any shape. */
struct texture {
    struct object base;
    cmd_handle image; /* what draws read; that of its levels, unless managed.c made another */
    const struct tex_format *format;
    enum tex_shape shape;
    uint32_t width, height, depth;
    uint32_t faces, levels; /* levels that programs see; more stand behind AUTOGENMIPMAP */
    DWORD usage;
    D3DPOOL pool;
    DWORD priority, lod;
    D3DTEXTUREFILTERTYPE auto_filter;
    bool generates, stale; /* has levels of AUTOGENMIPMAP; they do not follow from level 0 yet */
    int64_t video_bytes;
    struct lock_group group;
    struct dirty_region dirty[6]; /* by face */
    struct surface *sub;          /* [face * levels + level] */
    uint8_t *linear;              /* all levels of ATI1 or ATI2 as locks show them; or NULL */

    /* Managed textures: their list, and the scene that drew them when `dirty` was last right. */
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
    UINT written_from, written_to; /* what the locks that are open cover, together */
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

/* Only managed textures and vertex buffers have a priority; others answer 0. */
DWORD api_set_priority(struct object *obj, D3DRESOURCETYPE type, DWORD priority);
DWORD api_get_priority(struct object *obj, D3DRESOURCETYPE type);
void api_preload(struct object *obj, D3DRESOURCETYPE type);

/* What WPF asks an Ex device for, which has no D3DPOOL_MANAGED; in no header. */
#define POOL_MANAGED_EX ((D3DPOOL)6)
/* Managed resources: textures and buffers whose copy in video memory the runtime keeps. */
static inline bool pool_managed(D3DPOOL pool)
{
    return pool == D3DPOOL_MANAGED || pool == POOL_MANAGED_EX;
}
/* Whether textures and buffers may be made there. */
static inline bool pool_exists(D3DPOOL pool, bool ex)
{
    return pool == D3DPOOL_DEFAULT || pool == D3DPOOL_SYSTEMMEM || pool == D3DPOOL_SCRATCH ||
           pool == (ex ? POOL_MANAGED_EX : D3DPOOL_MANAGED);
}

enum image_kind { IMAGE_PLAIN, IMAGE_TARGET, IMAGE_DEPTH };
/* Whether the format exists for such surfaces, as CheckDeviceFormat answers. */
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
    HANDLE *shared; /* of DEFAULT ones; NULL: private */
};
/* With one reference, or with none and one hold (implicit). */
HRESULT api_surface_create(struct surface **out, struct device *device,
                           const struct surface_args *args, bool implicit);
/* Gives an implicit surface other contents in place: the pointer that programs keep stays valid. */
HRESULT api_surface_recreate(struct surface *surface, const struct surface_args *args);
/* An image of the surface's size and format with one sample; the caller destroys it. */
MUST_CHECK enum status api_scratch_image(const struct surface *like, cmd_handle *out);
/* The levels of a texture. */
void api_surface_init_level(struct surface *surface, struct texture *texture, uint32_t face,
                            uint32_t level);
/* The surface has new contents: levels of AUTOGENMIPMAP textures must be generated again. */
void api_surface_written(struct surface *surface);

/* --- lock.c ----------------------------------------------------------------------------------- */

HRESULT api_surface_desc(const struct surface *surface, D3DSURFACE_DESC *desc);
HRESULT api_volume_desc(const struct surface *volume, D3DVOLUME_DESC *desc);
HRESULT api_surface_lock(struct surface *surface, D3DLOCKED_RECT *out, const RECT *rect,
                         DWORD flags);
/* by_texture: called on the container, whose rules about unlocking twice are milder. */
HRESULT api_surface_unlock(struct surface *surface, bool by_texture);
HRESULT api_volume_lock(struct surface *volume, D3DLOCKED_BOX *out, const D3DBOX *box, DWORD flags);
HRESULT api_volume_unlock(struct surface *volume);
/* Ends a lock that is still open when the level goes. */
void api_lock_drop(struct surface *surface);
/* May an image of the format have the size? */
bool api_block_size_ok(const struct tex_format *format, uint32_t width, uint32_t height);
/* A whole number of blocks, or up to the edge. */
bool api_box_aligned(const struct tex_format *format, const struct tex_box *box, uint32_t width,
                     uint32_t height);
/* NULL: all of it; false, and all of it, for rectangles that are empty, reversed or reach outside.
 */
bool api_surface_box(const struct surface *surface, const RECT *rect, struct tex_box *box);
bool api_volume_box(const struct surface *volume, const D3DBOX *in, struct tex_box *box);

/* --- lock_layout.c ---------------------------------------------------------------------------- */

bool api_format_is_ati(const struct tex_format *format);
/* A level as programs see it; one block is `bytes` long. */
struct level_view {
    uint8_t *bits;
    uint32_t row_pitch, slice_pitch;
    uint32_t block_w, block_h, bytes;
};
HRESULT api_map_level(struct surface *surface, DWORD flags, struct level_view *view);
/* Writes back what needs it, unless surface->read_only. */
void api_unmap_level(struct surface *surface);
/* User memory to the image, before the image is read; and back, after it was written. Other
 * surfaces need nothing. */
HRESULT api_surface_load_user(struct surface *surface);
HRESULT api_surface_store_user(struct surface *surface);

/* --- texture.c, texture_create.c -------------------------------------------------------------- */

extern const struct object_class *const api_texture_class[]; /* by enum tex_shape */
void api_texture_free(struct texture *texture);              /* half-made ones too */

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

/* Adds a box of a level. */
void api_texture_dirty(struct texture *texture, uint32_t face, uint32_t level,
                       const struct tex_box *box);
void api_texture_all_dirty(struct texture *texture);
void api_texture_clean(struct texture *texture);
bool api_texture_is_all_dirty(const struct texture *texture);
/* The part of a level that a dirty box stands for, out to whole blocks and inside both levels;
 * false where that is nothing. */
bool api_dirty_in_level(const struct tex_box *dirty, uint32_t level, const struct surface *src,
                        const struct surface *dst, struct tex_box *out);

/* --- managed.c: other textures need nothing of it --------------------------------------------- */

void api_managed_add(struct texture *texture);
void api_managed_remove(struct texture *texture);
/* Draws read another image than locks write. */
bool api_managed_has_device_copy(const struct texture *texture);
/* Before a lock whose writes draws shall not see until they are declared dirty. */
HRESULT api_managed_separate_device_copy(struct texture *texture);
/* Before something becomes dirty. */
void api_managed_before_dirty(struct texture *texture);
/* What is dirty, to where draws read. */
MUST_CHECK enum status api_managed_upload(struct texture *texture);
void api_managed_preload(struct texture *texture);

extern const struct object_class api_surface_class, api_volume_class;

/* --- buffer.c --------------------------------------------------------------------------------- */

HRESULT api_buffer_create(struct buffer **out, struct device *device, D3DRESOURCETYPE type,
                          UINT size, DWORD usage, D3DPOOL pool, DWORD fvf_or_format,
                          HANDLE *shared);

#endif
