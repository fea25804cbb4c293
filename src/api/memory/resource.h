/* What textures, surfaces, volumes and buffers consist of, and the geometry of their levels.
 *
 * memory/memory.h owns the members below "Memory": other modules read `locked`, and set `group` and
 * `user_memory` at creation. */
#ifndef API_MEMORY_RESOURCE_H
#define API_MEMORY_RESOURCE_H

#include "api/com/com.h"
#include "cmd/packets.h"
#include "tex/tex.h"

struct swapchain;
struct surface_dc;

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
    /* What the image has. altered: that differs from what the program asked for, by the settings
     * RENDER_SCALE and SAMPLES (memory.h). A depth surface may have more pixels than stored_*. */
    uint32_t stored_width, stored_height, stored_samples;
    bool altered;
    bool lockable, plain;
    bool discardable;      /* depth buffer whose contents Present may discard */
    int64_t video_bytes;   /* size of its own image, counted in the device */
    struct surface_dc *dc; /* open device context (api/window/gdi.c); NULL: none */

    /* Memory */
    struct lock_group own_group, *group;
    void *user_memory; /* the application's memory with tight rows; NULL: none */
    bool locked, read_only, own_staging;
    uint8_t *staging; /* memory of a locked ATI1 or ATI2 level; NULL otherwise */
    /* Of a locked altered surface: an image as the program asked for, and the box of the lock. */
    cmd_handle as_asked;
    struct tex_box locked_box;
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
    /* Of a multiple-element texture: the image of element 1; `image` is that of element 0. */
    cmd_handle second_element;
    const struct tex_format *format;
    enum tex_shape shape;
    uint32_t width, height, depth;
    uint32_t stored_width, stored_height; /* as those of a surface */
    uint32_t faces, levels; /* levels that applications see; AUTOGENMIPMAP images have more */
    DWORD usage;
    D3DPOOL pool;
    DWORD priority, lod;
    D3DTEXTUREFILTERTYPE auto_filter;
    bool generates; /* has AUTOGENMIPMAP levels */
    int64_t video_bytes;
    struct surface *sub; /* [face * levels + level] */

    /* Memory */
    struct lock_group group;
    bool stale;                   /* the AUTOGENMIPMAP levels are out of date */
    struct dirty_region dirty[6]; /* for each face */
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

    /* Memory */
    bool read_at_call; /* draws read it when they are called, not when they run */
    unsigned locks;
    uint32_t scanned; /* bytes of indices read since the last lock, to find what draws read of it */
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
/* True for surfaces of multiple-element textures. Each element is an A8R8G8B8 image of its own. The
 * application sees one surface, which it can neither lock nor copy. */
static inline bool has_elements(const struct surface *surface)
{
    return surface && surface->texture && surface->texture->second_element;
}
static inline struct cmd_surface surface_ref(const struct surface *surface)
{
    return (struct cmd_surface){surface->image, surface->face, surface->level};
}
static inline struct cmd_box box_ref(const struct tex_box *box)
{
    return (struct cmd_box){box->x0, box->y0, box->z0, box->x1, box->y1, box->z1};
}

/* --- Pools ------------------------------------------------------------------------------------ */

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

/* --- Geometry --------------------------------------------------------------------------------- */

bool api_format_is_ati(const struct tex_format *format);
/* Whether an image of the format may have the size. */
bool api_block_size_ok(const struct tex_format *format, uint32_t width, uint32_t height);
/* Whether the box consists of whole blocks, or of blocks up to the edge. */
bool api_box_aligned(const struct tex_format *format, const struct tex_box *box, uint32_t width,
                     uint32_t height);
/* rect NULL: the whole surface. Returns false and the whole surface for empty, reversed and
 * out-of-range rectangles. */
bool api_surface_box(const struct surface *surface, const RECT *rect, struct tex_box *box);
bool api_volume_box(const struct surface *volume, const D3DBOX *in, struct tex_box *box);

#endif
