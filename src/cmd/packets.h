/* Declares the command packets between API and renderer as plain structs.
 *
 * Handles name resources (cmd/cmd.h). Data of variable length follows the struct. A packet contains
 * no pointer, so a file can store it unchanged. */
#ifndef CMD_PACKETS_H
#define CMD_PACKETS_H

#include "util/d3dtypes.h"

#include <stdbool.h>
#include <stdint.h>

/* Names a resource of one stream. 0: none. */
typedef uint32_t cmd_handle;

enum cmd_op {
#define PACKET(ID, name) CMD_##ID,
#include "cmd/packets.def"
#undef PACKET
    CMD_OP_COUNT
};

/* One level of one face of an image. If the packet has no z, `face` is the slice of a volume. */
struct cmd_surface {
    cmd_handle image; /* 0: none */
    uint32_t face, level;
};

struct cmd_box {
    uint32_t x0, y0, z0, x1, y1, z1; /* pixels, half open */
};

/* Values of D3DRS_POINTSIZE that switch alpha to coverage instead of setting a size (reference:
 * multisample/alpha-to-coverage). */
#define CMD_ALPHA_TO_MASK_ON ((DWORD)MAKEFOURCC('A', '2', 'M', '1'))
#define CMD_ALPHA_TO_MASK_OFF ((DWORD)MAKEFOURCC('A', '2', 'M', '0'))

/* Commands in D3DRS_POINTSIZE that make textures vertex streams (reference:
 * vertices/stream-textures). Bits 24 to 27 are the command, bits 0 to 15 its argument. */
#define CMD_R2VB_MASK 0xffff0000u
#define CMD_R2VB_ENABLE 0x70ff0000u /* 1: streams are replaced; 0: none is */
#define CMD_R2VB_STREAM 0x71ff0000u /* stream + 16 * sampler, from the displacement map's on */
enum { CMD_R2VB_NO_SAMPLER = 5 };

/* Whether a value of D3DRS_POINTSIZE is one of these commands and no size. */
static inline bool cmd_is_size_command(uint32_t value)
{
    return value == CMD_ALPHA_TO_MASK_ON || value == CMD_ALPHA_TO_MASK_OFF ||
           (value & CMD_R2VB_MASK) == CMD_R2VB_ENABLE || (value & CMD_R2VB_MASK) == CMD_R2VB_STREAM;
}

/* Numbers of binding slots. */
enum {
    CMD_SAMPLERS = 21, /* 0-15 pixel, 17-20 vertex */
    CMD_STREAMS = 16,
    CMD_CLIP_PLANES = 8,
    CMD_DEPTH_TARGET = 4, /* index of the depth and stencil target; 0-3 are the colour targets */
    CMD_TARGETS
};

struct cmd_set_render_state {
    uint32_t state, value; /* D3DRS_* */
};
struct cmd_set_sampler_state {
    uint32_t sampler, state, value; /* D3DSAMP_* */
};
struct cmd_set_stage_state {
    uint32_t stage, state, value; /* D3DTSS_* */
};
struct cmd_set_texture {
    uint32_t sampler;
    cmd_handle image;
};
struct cmd_set_texture_lod {
    cmd_handle image;
    uint32_t lod;
};
struct cmd_set_transform {
    uint32_t state; /* D3DTRANSFORMSTATETYPE: VIEW, PROJECTION, TEXTURE0-7, WORLDMATRIX(0-255) */
    float m[16];
};
struct cmd_set_material {
    D3DMATERIAL9 material;
};
/* Followed by `count` D3DLIGHT9: the enabled lights in the order of their indices, at most 8. */
struct cmd_set_lights {
    uint32_t count;
};
struct cmd_set_clip_plane {
    uint32_t index;
    float plane[4];
};
struct cmd_set_viewport {
    D3DVIEWPORT9 viewport;
};
struct cmd_set_scissor {
    int32_t left, top, right, bottom;
};
struct cmd_set_stream {
    uint32_t stream;
    cmd_handle buffer;
    uint32_t offset, stride;
};
struct cmd_set_stream_frequency {
    uint32_t stream, setting;
};
struct cmd_set_indices {
    cmd_handle buffer;
    uint32_t index_bytes; /* 2 or 4 */
};
struct cmd_set_declaration {
    cmd_handle declaration;
};
struct cmd_set_shader {
    uint32_t pixel; /* 0 vertex, 1 pixel */
    cmd_handle shader;
};
enum cmd_constants { CMD_FLOATS, CMD_INTS, CMD_BOOLS };
/* Followed by `count` float4, int4 or int32. */
struct cmd_set_constants {
    uint32_t pixel, kind, start, count;
};
struct cmd_set_target {
    uint32_t index; /* below CMD_TARGETS */
    struct cmd_surface surface;
};
/* Entries of the current palette as D3DCOLOR. */
struct cmd_set_palette {
    uint32_t colour[256];
};
/* Followed by `n_rects` D3DRECT. n_rects 0: clears the whole viewport. */
struct cmd_clear {
    uint32_t flags, colour, stencil;
    float z;
    uint32_t n_rects;
};
struct cmd_draw {
    uint32_t type, primitives, indexed;
    int32_t base_vertex;
    uint32_t start_index, min_index, vertices;
};
/* Followed by `vertex_bytes` bytes of vertices from vertex 0 on, padded to a multiple of 16, and
 * `index_bytes_total` bytes of indices. */
struct cmd_draw_up {
    uint32_t type, primitives, stride, vertex_bytes;
    uint32_t index_bytes; /* of one index: 2 or 4; 0: not indexed */
    uint32_t index_bytes_total, min_index, vertices;
};
struct cmd_process_vertices {
    uint32_t start, dst_index, count, dst_stride;
    cmd_handle dst_buffer, declaration;
    uint32_t flags;
};
/* Copy without conversion or filter: UpdateSurface, UpdateTexture, GetRenderTargetData. */
struct cmd_copy {
    struct cmd_surface dst, src;
    uint32_t x, y, z;   /* first pixel in dst */
    struct cmd_box box; /* in src */
};
struct cmd_stretch {
    struct cmd_surface dst, src;
    struct cmd_box dst_box, src_box;
    uint32_t filter; /* D3DTEXTUREFILTERTYPE */
};
/* A depth surface ignores `colour`: all of level 0 becomes depth 1 and stencil 0. */
struct cmd_fill {
    struct cmd_surface dst;
    struct cmd_box box;
    uint32_t colour;
};
struct cmd_generate_mips {
    cmd_handle image;
    uint32_t filter;
};
struct cmd_begin_query {
    cmd_handle query;
};
struct cmd_end_query {
    cmd_handle query;
};
struct cmd_present {
    cmd_handle image;       /* the back buffer, level 0 */
    uint32_t chain;         /* number of the swap chain in the API */
    int32_t src[4], dst[4]; /* left, top, right, bottom; all zero: everything */
    uint64_t window;        /* HWND or 0 */
    uint32_t interval, flags;
};
struct cmd_set_clip_status {
    uint32_t any, all; /* ClipUnion, ClipIntersection */
};
/* Switches software vertex processing, which updates the clip status. */
struct cmd_set_software {
    uint32_t on;
};

/* Destroys a resource of any kind. Its bindings become empty; earlier packets still use it. */
struct cmd_destroy {
    cmd_handle handle;
};
/* Renames an image or buffer to another backing that the API side has allocated. */
struct cmd_set_backing {
    cmd_handle handle;
    uint32_t backing;
};
/* Tells the renderer that the application has written to the memory of an image. */
struct cmd_touch {
    cmd_handle image;
};
/* Followed by the bytes to write at `offset`. */
struct cmd_write_buffer {
    cmd_handle buffer;
    uint32_t offset;
};
/* Followed by all bytes of the level in its memory layout. */
struct cmd_write_image {
    struct cmd_surface dst;
};
/* SetNPatchMode, only from devices that offer N-patches: it turns the tessellator on. */
struct cmd_set_npatch {
    float segments;
};
/* DrawRectPatch, DrawTriPatch. With a declaration the control points of a cached patch follow, as
 * struct draw_patch describes them. Without one they are vertices of the bound streams. */
struct cmd_draw_patch {
    uint32_t triangle, basis, degree; /* D3DBASISTYPE, D3DDEGREETYPE */
    uint32_t width, height;           /* control points of a row, rows; triangle: all, 1 */
    uint32_t start, stride;           /* of the bound streams: the first vertex, those of a row */
    float segments[4];
    cmd_handle declaration;
};
/* ComposeRects: the buffers hold D3DCOMPOSERECTDESC and D3DCOMPOSERECTDESTINATION. */
struct cmd_compose_rects {
    struct cmd_surface dst, src;
    cmd_handle src_rects, dst_rects;
    uint32_t count;     /* of dst_rects */
    uint32_t operation; /* D3DCOMPOSERECTSOP */
    int32_t x, y;       /* added to all positions in dst */
};

#endif
