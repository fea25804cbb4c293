/* Sink "dx9mt:FILE": writes frames to dx9mt's live frame file, for its viewer on macOS with Metal.
 *
 * The file holds one draw: a quad over the whole target, textured with the frame. Clip space is -1
 * … 1 and the viewer's pixel centres lie at .5, so each texel maps to its pixel.
 *
 * Tested by tests/unit/tool/test_dx9mt_sink.c. */
#include "present/dx9mt/dx9mt.h"
#include "present/monitor/view.h"
#include "present/shared/mapped.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/log.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_path[] = "/tmp/dx9mt_metal_frame.bin";
static const char vertex_text[] = "vs_2_0\n"
                                  "dcl_position v0\n"
                                  "dcl_texcoord v1\n"
                                  "mov oPos, v0\n"
                                  "mov oT0, v1\n";
static const char pixel_text[] = "ps_2_0\n"
                                 "dcl t0.xy\n"
                                 "dcl_2d s0\n"
                                 "texld r0, t0, s0\n"
                                 "mov oC0, r0\n";

/* Object ids: kind << 24 | number, as dx9mt assigns them. */
enum { TARGET = 0x02000001, TEXTURE = 0x04000001 };

struct quad {
    float vertex[4][6]; /* x, y, z, w, u, v */
    uint16_t index[8];  /* four indices and padding */
    uint8_t declaration[2][8];
};
_Static_assert(sizeof(struct quad) == 128, "items are padded to 16 bytes");

static const struct quad quad = {
    {{-1, 1, 0, 1, 0, 0}, {1, 1, 0, 1, 1, 0}, {-1, -1, 0, 1, 0, 1}, {1, -1, 0, 1, 1, 1}},
    {0, 1, 2, 3},
    /* stream, offset (two bytes each), type, method, usage, index */
    {{0, 0, 0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITION, 0},
     {0, 0, 16, 0, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0}},
};
enum {
    INDEX_AT = offsetof(struct quad, index),
    DECLARATION_AT = offsetof(struct quad, declaration),
    TEXTURE_AT = sizeof(struct quad)
};

struct shader {
    uint32_t *words;
    size_t n;
};

struct present_sink {
    char path[MAPPED_PATH_BYTES];
    unsigned revision;
    struct mapped mapped;
    uint32_t sequence;
    struct shader vertex, pixel;
    struct canvas canvas;
};

static uint64_t aligned(uint64_t n)
{
    return (n + DX9MT_BULK_ALIGN - 1) & ~(uint64_t)(DX9MT_BULK_ALIGN - 1);
}

/* --- Layout ----------------------------------------------------------------------------------- */

/* Offsets from the start of the bulk data. */
struct bulk_layout {
    uint32_t texture_bytes, vertex_shader, pixel_shader, used;
};

static uint32_t bulk_at(const struct present_sink *sink)
{
    return (uint32_t)aligned(dx9mt_size(&dx9mt_header_fields, sink->revision) +
                             dx9mt_size(&dx9mt_draw_fields, sink->revision));
}

static uint64_t file_bytes(const struct present_sink *sink)
{
    return sink->revision < DX9MT_LARGE ? DX9MT_FILE_BYTES_BEFORE : DX9MT_FILE_BYTES;
}

/* Returns false if the frame does not fit into the file. */
static bool lay_out(const struct present_sink *sink, uint32_t width, uint32_t height,
                    struct bulk_layout *out)
{
    uint64_t texture = (uint64_t)width * height * 4;
    uint64_t vertex = TEXTURE_AT + aligned(texture), pixel = vertex + aligned(sink->vertex.n * 4);
    uint64_t used = pixel + aligned(sink->pixel.n * 4);

    if (used > file_bytes(sink) - bulk_at(sink))
        return false;
    *out =
        (struct bulk_layout){(uint32_t)texture, (uint32_t)vertex, (uint32_t)pixel, (uint32_t)used};
    return true;
}

/* --- Header and draw -------------------------------------------------------------------------- */

static void write_fields(const struct dx9mt_fields *fields, unsigned revision, const void *from,
                         uint8_t *to)
{
    for (unsigned i = 0; i < fields->n; i++) {
        const struct dx9mt_field *f = &fields->field[i];
        unsigned size = dx9mt_elements(f, revision) * f->size;

        memcpy(to, (const uint8_t *)from + f->at, size);
        to += size;
    }
}

static struct dx9mt_header header_of(const struct present_sink *sink,
                                     const struct view_image *image,
                                     const struct present_frame *frame,
                                     const struct bulk_layout *layout)
{
    return (struct dx9mt_header){
        .magic = DX9MT_MAGIC,
        .width = image->width,
        .height = image->height,
        .draw_count = 1,
        .replay_hash = (uint32_t)frame->number,
        .frame_id = (uint32_t)frame->number,
        .present_render_target_id = TARGET,
        .bulk_data_offset = bulk_at(sink),
        .bulk_data_used = layout->used,
    };
}

static void set_states(struct dx9mt_draw *draw)
{
    draw->sampler_min_filter[0] = draw->sampler_mag_filter[0] = D3DTEXF_POINT;
    draw->sampler_address_u[0] = draw->sampler_address_v[0] = D3DTADDRESS_CLAMP;
    draw->sampler_address_w[0] = D3DTADDRESS_CLAMP;
    draw->rs_src_blend = D3DBLEND_ONE;
    draw->rs_dest_blend = D3DBLEND_ZERO;
    draw->rs_blendop = D3DBLENDOP_ADD;
    draw->rs_alpha_func = draw->rs_zfunc = draw->rs_stencilfunc = D3DCMP_ALWAYS;
    draw->rs_stencilpass = draw->rs_stencilfail = draw->rs_stencilzfail = D3DSTENCILOP_KEEP;
    draw->rs_cull_mode = D3DCULL_NONE;
    draw->rs_colorwriteenable = 15;
}

static struct dx9mt_draw draw_of(const struct present_sink *sink, const struct view_image *image,
                                 const struct bulk_layout *layout)
{
    struct dx9mt_draw draw = {
        .command_type = DX9MT_DRAW,
        .primitive_type = D3DPT_TRIANGLESTRIP,
        .num_vertices = 4,
        .primitive_count = 2,
        .render_target_id = TARGET,
        .render_target_width = image->width,
        .render_target_height = image->height,
        .render_target_format = D3DFMT_X8R8G8B8,
        .viewport_width = image->width,
        .viewport_height = image->height,
        .viewport_max_z = 1,
        .stream0_stride = sizeof(quad.vertex[0]),
        .index_format = D3DFMT_INDEX16,
        .tex_id = {TEXTURE},
        .tex_generation = {sink->sequence},
        .tex_format = {D3DFMT_X8R8G8B8},
        .tex_width = {image->width},
        .tex_height = {image->height},
        .tex_pitch = {image->width * 4},
        .vb_bulk_size = sizeof(quad.vertex),
        .ib_bulk_offset = INDEX_AT,
        .ib_bulk_size = 4 * sizeof(quad.index[0]),
        .tex_bulk_offset = {TEXTURE_AT},
        .tex_bulk_size = {layout->texture_bytes},
        .decl_bulk_offset = DECLARATION_AT,
        .decl_count = 2,
        .vs_bytecode_bulk_offset = layout->vertex_shader,
        .vs_bytecode_bulk_size = (uint32_t)(sink->vertex.n * 4),
        .ps_bytecode_bulk_offset = layout->pixel_shader,
        .ps_bytecode_bulk_size = (uint32_t)(sink->pixel.n * 4),
    };

    set_states(&draw);
    return draw;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static enum status put_pixels(struct present_sink *sink, const struct present_frame *frame,
                              const struct view_gamma *gamma, const struct view_image *to)
{
    const struct view_rect src = {0, 0, (int32_t)frame->width, (int32_t)frame->height};
    const struct view_rect dst = {0, 0, (int32_t)to->width, (int32_t)to->height};
    struct view_image seen;
    enum status st;

    if (to->width == frame->width && to->height == frame->height)
        return canvas_copy(&sink->canvas, frame, gamma, to);
    st = canvas_update(&sink->canvas, frame, gamma, &seen);
    if (st == ST_OK)
        view_stretch(to, &dst, &seen, &src);
    return st;
}

static uint32_t *sequence_of(const struct present_sink *sink)
{
    return (uint32_t *)(void *)(sink->mapped.bytes + offsetof(struct dx9mt_header, sequence));
}

/* Writes everything except the sequence number, which then makes the frame valid. */
static enum status write_frame(struct present_sink *sink, const struct present_frame *frame,
                               const struct view_gamma *gamma, struct view_image *image,
                               const struct bulk_layout *layout)
{
    const struct dx9mt_header header = header_of(sink, image, frame, layout);
    const struct dx9mt_draw draw = draw_of(sink, image, layout);
    uint8_t *bulk = sink->mapped.bytes + header.bulk_data_offset;

    write_fields(&dx9mt_draw_fields, sink->revision, &draw,
                 sink->mapped.bytes + dx9mt_size(&dx9mt_header_fields, sink->revision));
    memcpy(bulk, &quad, sizeof(quad));
    memcpy(bulk + layout->vertex_shader, sink->vertex.words, sink->vertex.n * 4);
    memcpy(bulk + layout->pixel_shader, sink->pixel.words, sink->pixel.n * 4);
    write_fields(&dx9mt_header_fields, sink->revision, &header, sink->mapped.bytes);
    image->pixels = (uint32_t *)(void *)(bulk + TEXTURE_AT);
    return put_pixels(sink, frame, gamma, image);
}

/* Maps the part of the file that this frame needs. The sequence goes on where an earlier device
 * ended: a viewer ignores a number that it has shown. */
static enum status need_bytes(struct present_sink *sink, size_t bytes)
{
    enum status st;

    if (sink->mapped.bytes && sink->mapped.size >= bytes)
        return ST_OK;
    mapped_close(&sink->mapped);
    st = mapped_open(&sink->mapped, sink->path, file_bytes(sink), bytes, DX9MT_MAGIC);
    if (st == ST_OK && !sink->sequence)
        sink->sequence = __atomic_load_n(sequence_of(sink), __ATOMIC_RELAXED);
    return st;
}

/* Chooses the displayed size: the frame's, or the part of it that fits into the file. */
static void choose_size(const struct present_sink *sink, const struct present_frame *frame,
                        struct view_image *image, struct bulk_layout *layout)
{
    uint32_t part = 1;

    do {
        image->width = image->pitch = (frame->width + part - 1) / part;
        image->height = (frame->height + part - 1) / part;
        part++;
    } while (!lay_out(sink, image->width, image->height, layout));
    if (image->width != frame->width)
        log_once("present", sink->path, "%s: a frame of %ux%u is too large and shown as %ux%u",
                 sink->path, frame->width, frame->height, image->width, image->height);
}

static enum status dx9mt_show(struct present_sink *sink, const struct present_frame *frame,
                              const struct present_view *view)
{
    struct view_image image;
    struct bulk_layout layout;
    enum status st;

    if (frame->chain)
        return ST_OK;
    choose_size(sink, frame, &image, &layout);
    st = need_bytes(sink, (size_t)bulk_at(sink) + layout.used);
    if (st == ST_OK && !mapped_is_whole(&sink->mapped, sink->path))
        st = ST_IO;
    if (st != ST_OK)
        return st;
    sink->sequence += sink->sequence == UINT32_MAX ? 2 : 1; /* 0 means: being written */
    __atomic_store_n(sequence_of(sink), 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* orders the zero before all other writes */
    st = write_frame(sink, frame, view->gamma, &image, &layout);
    if (st == ST_OK)
        __atomic_store_n(sequence_of(sink), sink->sequence, __ATOMIC_RELEASE);
    return st;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static enum status dx9mt_close(struct present_sink *sink)
{
    mapped_close(&sink->mapped);
    canvas_fini(&sink->canvas);
    mem_free(sink->vertex.words);
    mem_free(sink->pixel.words);
    mem_free(sink);
    return ST_OK;
}

/* "FILE", or "FILE@748" for a viewer whose draws have that many bytes. */
static bool parse(struct present_sink *sink, const char *target)
{
    char name[MAPPED_PATH_BYTES], *at;
    int n = snprintf(name, sizeof(name), "%s%s", strpbrk(target, "/\\") || !*target ? "" : "./",
                     *target ? target : default_path);

    if (n >= (int)sizeof(name))
        return false;
    sink->revision = DX9MT_REVISION;
    at = strrchr(name, '@');
    if (at && at[1] && !at[1 + strspn(at + 1, "0123456789")]) {
        unsigned long bytes = strtoul(at + 1, NULL, 10);

        while (sink->revision >= DX9MT_SHADERS &&
               dx9mt_size(&dx9mt_draw_fields, sink->revision) != bytes)
            sink->revision--;
        *at = '\0';
    }
    if (sink->revision < DX9MT_SHADERS) {
        log_error("present", "dx9mt:FILE@N wants N 272, 304, 308, 700, 748 or 808");
        return false;
    }
    return mapped_path(sink->path, name);
}

static enum status dx9mt_open(struct present_sink **out, const char *target,
                              const struct present_options *options)
{
    struct present_sink *sink = mem_calloc(1, sizeof(*sink));
    struct vm_error error;
    enum status st;

    (void)options;
    *out = NULL;
    if (!sink)
        return ST_NOMEM;
    st = parse(sink, target) ? ST_OK : ST_INVALID;
    if (st == ST_OK)
        st = vm_assemble(&sink->vertex.words, &sink->vertex.n, vertex_text, &error);
    if (st == ST_OK)
        st = vm_assemble(&sink->pixel.words, &sink->pixel.n, pixel_text, &error);
    if (st != ST_OK) {
        (void)!dx9mt_close(sink);
        return st;
    }
    *out = sink;
    return ST_OK;
}

const struct present_sink_ops present_dx9mt_ops = {
    .name = "dx9mt",
    .pacing = PRESENT_PACE_ALL,
    .open = dx9mt_open,
    .show = dx9mt_show,
    .close = dx9mt_close,
};
