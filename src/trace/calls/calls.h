/* Player of compiled streams through Direct3D 9: turns each record into a call of a device.
 *
 * A stream knows neither pools nor usages of its resources. A first pass over the file (uses.c)
 * finds what each resource is for. Images that only the program writes are kept in memory, and
 * uploaded to managed textures; all others are render targets. */
#ifndef TRACE_CALLS_CALLS_H
#define TRACE_CALLS_CALLS_H

#include "trace/replay/replay.h"
#include "trace/replay/windows.h"
#include "trace/stream/read.h"

#include "tex/tex.h"

/* Result of a packet that no method of IDirect3DDevice9 executes; no method returns it, because the
 * bit 0x20000000 is the customer's. */
#define CALLS_NEEDS_EX ((HRESULT)0xa0000001)

/* What a resource is for. */
enum calls_use {
    USED_DRAWN = 1,     /* image: Direct3D writes it, or it is shown */
    USED_DEPTH = 2,     /* image: depth target */
    USED_TEXTURE = 4,   /* image */
    USED_MIPS = 8,      /* image: its levels are generated */
    USED_VERTICES = 16, /* buffer */
    USED_INDICES = 32,  /* buffer of 16-bit indices */
    USED_INDICES_32 = 64
};

struct calls_resource_use {
    uint32_t use; /* enum calls_use */
    uint32_t width, height;
};

/* A stream as a whole. */
struct calls_stream_use {
    uint32_t width, height; /* of the largest picture */
    bool software;          /* needs software vertex processing */
    bool reference;         /* draws what only the reference device offers */
};

/* Both lists are in the order of creation. */
struct calls_uses {
    struct calls_resource_use *resource;
    struct calls_stream_use *stream;
    uint32_t n_resources, n_streams;
};

struct calls_resource {
    enum cmd_kind kind; /* CMD_FREE: none */
    uint32_t use;
    struct tex_desc desc;     /* image; levels are resolved */
    struct tex_image *memory; /* contents of an image that only the program writes */
    IDirect3DBaseTexture9 *texture;
    IDirect3DSurface9 *surface; /* image without texture */
    uint32_t bytes;             /* buffer */
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DVertexShader9 *vertex_shader;
    IDirect3DPixelShader9 *pixel_shader;
    IDirect3DVertexDeclaration9 *declaration;
};

struct calls_stream {
    IDirect3DDevice9 *device;        /* NULL: closed */
    struct calls_resource *resource; /* indexed by handle; 0 is unused */
    uint32_t n, room;
    D3DVIEWPORT9 viewport;
    RECT scissor;
    bool software; /* needs software vertex processing */
    bool set_view; /* SetRenderTarget has changed viewport and scissor rectangle */
    unsigned lights;
};

struct nvs_calls {
    struct nvs_reader reader;
    struct nvs_calls_options options;
    struct replay_stats stats;
    struct calls_uses uses;
    uint32_t next_resource, next_stream; /* in uses */
    struct calls_stream streams[NVS_STREAMS];
    struct window_list windows;
    uint64_t frame;
    struct nvs_moment moment;
    struct calls_stream *moment_stream;
};

/* NULL: no such handle, or one of another kind. */
static inline struct calls_resource *calls_find(const struct calls_stream *stream, uint32_t handle,
                                                enum cmd_kind kind)
{
    return handle && handle < stream->n && stream->resource[handle].kind == kind
               ? &stream->resource[handle]
               : NULL;
}

/* --- uses.c ----------------------------------------------------------------------------------- */

/* Reads all records. ST_DAMAGED counts as the end of the file. */
MUST_CHECK enum status calls_find_uses(struct nvs_reader *reader, struct calls_uses *out);
void calls_free_uses(struct calls_uses *uses);

/* --- images.c --------------------------------------------------------------------------------- */

/* The results of these and the following functions are ST_INVALID for a damaged record, and *hr for
 * the calls that they made. */
MUST_CHECK enum status calls_create_image(struct calls_stream *stream, struct calls_resource *r,
                                          HRESULT *hr);
/* Returns a level with a reference; NULL if there is none. */
IDirect3DSurface9 *calls_surface(const struct calls_resource *r, uint32_t face, uint32_t level);

/* --- copies.c --------------------------------------------------------------------------------- */

MUST_CHECK enum status calls_write_image(struct calls_stream *stream,
                                         const struct cmd_write_image *p, const void *data,
                                         size_t bytes, HRESULT *hr);
MUST_CHECK enum status calls_copy(struct calls_stream *stream, const struct cmd_copy *p,
                                  HRESULT *hr);
MUST_CHECK enum status calls_stretch(struct calls_stream *stream, const struct cmd_stretch *p,
                                     HRESULT *hr);
MUST_CHECK enum status calls_fill(struct calls_stream *stream, const struct cmd_fill *p,
                                  HRESULT *hr);
MUST_CHECK enum status calls_generate_mips(struct calls_stream *stream,
                                           const struct cmd_generate_mips *p);

/* --- state.c ---------------------------------------------------------------------------------- */

/* Executes a packet that sets a state. */
MUST_CHECK enum status calls_set(struct calls_stream *stream, enum cmd_op op, const void *packet,
                                 const void *data, size_t bytes, HRESULT *hr);

/* --- draws.c ---------------------------------------------------------------------------------- */

/* Executes a clear or a draw, or writes a buffer. */
MUST_CHECK enum status calls_draw(struct calls_stream *stream, enum cmd_op op, const void *packet,
                                  const void *data, size_t bytes, HRESULT *hr);

/* --- patches.c -------------------------------------------------------------------------------- */

MUST_CHECK enum status calls_draw_patch(struct calls_stream *stream, const struct cmd_draw_patch *p,
                                        const void *data, size_t bytes, HRESULT *hr);

/* --- resources.c ------------------------------------------------------------------------------ */

/* Executes a creation record whose data are loaded. */
MUST_CHECK enum status calls_create(struct nvs_calls *calls, const struct nvs_record *record,
                                    struct calls_stream *stream, HRESULT *hr);
void calls_destroy(struct calls_resource *r);

#endif
