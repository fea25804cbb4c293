/* Emitter of a frame's draws and copies: as Direct3D 9 executes them, or so that they reproduce
 * dx9mt's viewer (docs/formats.md lists the differences).
 *
 * Tested by tests/unit/trace/dx9mt/test_dx9mt.c. */
#include "trace/dx9mt/dx9mt_private.h"

#include "ff/ff.h"
#include "util/alloc.h"
#include "util/log.h"

#include <windows.h>
#include <d3d9.h>

#include <stdio.h>
#include <string.h>

enum { EXTRA_PRIMITIVES = 1 << 16 };

/* --- Vertices --------------------------------------------------------------------------------- */

/* Keeps the elements that the viewer supports. It reads all from stream 0 and passes positions
 * through the shader, POSITIONT included. */
static bool viewer_element(D3DVERTEXELEMENT9 *e)
{
    static const uint8_t indices[] = {
        [D3DDECLUSAGE_POSITION] = 1,     [D3DDECLUSAGE_POSITIONT] = 1,
        [D3DDECLUSAGE_COLOR] = 2,        [D3DDECLUSAGE_TEXCOORD] = 6,
        [D3DDECLUSAGE_NORMAL] = 1,       [D3DDECLUSAGE_TANGENT] = 1,
        [D3DDECLUSAGE_BINORMAL] = 1,     [D3DDECLUSAGE_BLENDWEIGHT] = 1,
        [D3DDECLUSAGE_BLENDINDICES] = 1,
    };

    if (e->Usage >= sizeof(indices) || e->UsageIndex >= indices[e->Usage])
        return false;
    e->Stream = 0;
    e->Method = D3DDECLMETHOD_DEFAULT;
    if (e->Usage == D3DDECLUSAGE_POSITIONT)
        e->Usage = D3DDECLUSAGE_POSITION;
    if (e->Type == D3DDECLTYPE_UDEC3 || e->Type == D3DDECLTYPE_DEC3N)
        e->Type = D3DDECLTYPE_FLOAT3;
    return true;
}

/* Reads the elements of the draw's declaration or FVF, without terminator; returns 0 if there are
 * none. */
static unsigned read_elements(const struct dx9mt *d, const struct dx9mt_draw *draw,
                              D3DVERTEXELEMENT9 *out)
{
    unsigned n = draw->decl_count, kept = 0;
    const uint8_t *bytes = n <= DX9MT_ELEMENTS_MAX
                               ? dx9mt_bulk(d, draw->decl_bulk_offset, n * (uint32_t)sizeof(*out))
                               : NULL;

    if (bytes)
        memcpy(out, bytes, n * sizeof(*out));
    else
        n = draw->fvf ? ff_fvf_to_elements(draw->fvf, out) : 0;
    for (unsigned i = 0; i < n; i++) {
        if (out[i].Stream == 0xff || out[i].Type == D3DDECLTYPE_UNUSED)
            break;
        if (!d->base.as_viewer || viewer_element(&out[i]))
            out[kept++] = out[i];
    }
    return kept;
}

static bool put_vertices(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    const uint8_t *vertices = dx9mt_bulk(d, draw->vb_bulk_offset, draw->vb_bulk_size);
    const uint8_t *indices = dx9mt_bulk(d, draw->ib_bulk_offset, draw->ib_bulk_size);
    uint32_t format = draw->index_format == D3DFMT_INDEX32 ? D3DFMT_INDEX32 : D3DFMT_INDEX16;
    D3DVERTEXELEMENT9 elements[MAXD3DDECLLENGTH + 2];
    unsigned n = read_elements(d, draw, elements);

    if (!vertices || !indices || !draw->stream0_stride || !n)
        return false;
    elements[n++] = (D3DVERTEXELEMENT9)D3DDECL_END();
    CALL(d, CALL_SET_DECLARATION, DX9MT_DEVICE,
         dx9mt_use_cached(d, CALL_CREATE_DECLARATION, elements, n * (uint32_t)sizeof(*elements)));
    CALL(d, CALL_SET_STREAM, DX9MT_DEVICE, 0, dx9mt_use_buffer(d, vertices, draw->vb_bulk_size, 0),
         draw->stream0_offset, draw->stream0_stride);
    CALL(d, CALL_SET_INDICES, DX9MT_DEVICE,
         dx9mt_use_buffer(d, indices, draw->ib_bulk_size, format));
    return true;
}

/* --- Shaders ---------------------------------------------------------------------------------- */

static void put_constants(struct dx9mt *d, enum dx9mt_call number, uint32_t offset, uint32_t size,
                          uint32_t most)
{
    const uint8_t *bytes = dx9mt_bulk(d, offset, size);
    uint32_t n = size / 16 < most ? size / 16 : most;
    uint32_t first;

    if (!bytes || !n)
        return;
    memcpy(&first, bytes, 4);
    CALL_WITH(d, DX9MT_OUT + 1, bytes, n * 16, number, DX9MT_DEVICE, 0, DX9MT_OUT + 1, first, n);
}

/* Returns the shader's byte code; NULL if there is none. */
static const uint32_t *code_of(const struct dx9mt *d, uint32_t offset, uint32_t size)
{
    return size >= 8 && offset % 4 == 0 && d->header.bulk_data_offset % 4 == 0
               ? (const uint32_t *)(const void *)dx9mt_bulk(d, offset, size & ~3u)
               : NULL;
}

/* The viewer's rasteriser puts pixel centres at half-integers, Direct3D 9 at integers. */
static uint32_t moved_shader(struct dx9mt *d, const struct dx9mt_draw *draw, const uint32_t *code)
{
    uint32_t *moved, object = 0;
    size_t n;
    enum status st =
        dx9mt_move_position(code, draw->vs_bytecode_bulk_size / 4, (float)draw->viewport_width,
                            (float)draw->viewport_height, &moved, &n);

    if (st == ST_OK)
        object = dx9mt_use_cached(d, CALL_CREATE_VERTEX_SHADER, moved, (uint32_t)n * 4);
    if (st == ST_NOMEM)
        d->no_memory = true;
    mem_free(moved);
    return object;
}

static bool put_shaders(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    const uint32_t *vs = code_of(d, draw->vs_bytecode_bulk_offset, draw->vs_bytecode_bulk_size);
    const uint32_t *ps = code_of(d, draw->ps_bytecode_bulk_offset, draw->ps_bytecode_bulk_size);
    uint32_t vs_object = 0, ps_object = 0;

    if (d->base.as_viewer &&
        (!vs || !ps || !dx9mt_translates(vs, draw->vs_bytecode_bulk_size / 4, 0xfffe) ||
         !dx9mt_translates(ps, draw->ps_bytecode_bulk_size / 4, 0xffff)))
        return false;
    if (vs && d->base.as_viewer)
        vs_object = moved_shader(d, draw, vs);
    else if (vs)
        vs_object =
            dx9mt_use_cached(d, CALL_CREATE_VERTEX_SHADER, vs, draw->vs_bytecode_bulk_size & ~3u);
    if (ps)
        ps_object =
            dx9mt_use_cached(d, CALL_CREATE_PIXEL_SHADER, ps, draw->ps_bytecode_bulk_size & ~3u);
    if (d->base.as_viewer && !vs_object)
        return false;
    CALL(d, CALL_SET_VERTEX_SHADER, DX9MT_DEVICE, vs_object);
    CALL(d, CALL_SET_PIXEL_SHADER, DX9MT_DEVICE, ps_object);
    put_constants(d, CALL_SET_VERTEX_CONSTANTS, draw->vs_constants_bulk_offset,
                  draw->vs_constants_size, 256);
    put_constants(d, CALL_SET_PIXEL_CONSTANTS, draw->ps_constants_bulk_offset,
                  draw->ps_constants_size, 224);
    return true;
}

/* --- Draws ------------------------------------------------------------------------------------ */

/* Returns the number of indices of n primitives; 0 for an invalid type. */
static uint32_t index_count(uint32_t type, uint64_t n)
{
    const uint64_t counts[] = {0, n, 2 * n, n + 1, 3 * n, n + 2, n + 2};

    return type < 7 && counts[type] <= UINT32_MAX ? (uint32_t)counts[type] : 0;
}

static void put_draw(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    uint32_t type = draw->primitive_type, count = draw->primitive_count, vertices;

    /* The viewer draws every type but strips as a triangle list with the same index count. */
    if (d->base.as_viewer && type != D3DPT_TRIANGLESTRIP) {
        count = index_count(type, count) / 3;
        type = D3DPT_TRIANGLELIST;
    }
    vertices = draw->num_vertices ? draw->num_vertices : draw->vb_bulk_size / draw->stream0_stride;
    if (count)
        CALL(d, CALL_DRAW_INDEXED, DX9MT_DEVICE, type, (uint32_t)draw->base_vertex,
             draw->min_vertex_index, vertices, draw->start_index, count);
}

/* A few bytes of a damaged frame must not cause hours of work. A draw may read past its indices, as
 * applications do, by as much as a draw of a compiled stream (stream/limits.c). */
static bool exceeds_limits(const struct dx9mt_draw *draw)
{
    uint32_t index_bytes = draw->index_format == D3DFMT_INDEX32 ? 4 : 2;

    return draw->primitive_count > EXTRA_PRIMITIVES + draw->ib_bulk_size / index_bytes;
}

/* The frame is shown without the draw, and then the file counts as damaged. */
static void note_damage(struct dx9mt *d, uint32_t primitives)
{
    if (d->cut.status != ST_OK)
        return;
    d->cut = (struct trace_error){.status = ST_DAMAGED};
    snprintf(d->cut.text, sizeof(d->cut.text),
             "frame %u: entry %u asks for %u primitives, more than its indices can hold",
             d->header.frame_id, d->draw, primitives);
}

/* Emits the draw; returns the reason if it is left out, otherwise NULL. */
static const char *try_draw(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    if (!draw->primitive_count || !draw->render_target_id)
        return "it has no primitives, or no target";
    if (exceeds_limits(draw)) {
        note_damage(d, draw->primitive_count);
        return "it exceeds the work limits";
    }
    if (!dx9mt_use_target(d, draw, false))
        return "its target is too large";
    if (!put_vertices(d, draw))
        return "vertices, indices or their description are missing";
    if (!dx9mt_put_textures(d, draw))
        return "a texture is missing";
    if (!put_shaders(d, draw))
        return "it has no shaders that the viewer translates";
    dx9mt_put_states(d, draw);
    put_draw(d, draw);
    return NULL;
}

/* --- Copies ----------------------------------------------------------------------------------- */

/* Returns the source surface. A texture lends its surface for the duration of the copy. */
static uint32_t source_of(struct dx9mt *d, const struct dx9mt_draw *draw, uint32_t *level)
{
    struct dx9mt_target *target = dx9mt_target_of_texture(d, draw->src_texture_id);
    uint32_t texture = draw->src_texture_id ? dx9mt_texture_of(d, draw->src_texture_id) : 0;

    *level = 0;
    if (!target && !texture)
        target = dx9mt_target_of_surface(d, draw->src_surface_id);
    if (target)
        return target->surface;
    if (!texture)
        return 0;
    *level = dx9mt_new_object(d);
    CALL(d, CALL_GET_SURFACE_LEVEL, texture, 0, DX9MT_OUT, *level);
    return *level;
}

static const char *try_stretch(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    const uint32_t from[4] = {(uint32_t)draw->src_left, (uint32_t)draw->src_top,
                              (uint32_t)draw->src_right, (uint32_t)draw->src_bottom};
    const uint32_t to[4] = {(uint32_t)draw->dst_left, (uint32_t)draw->dst_top,
                            (uint32_t)draw->dst_right, (uint32_t)draw->dst_bottom};
    bool part = draw->src_right > draw->src_left && draw->src_bottom > draw->src_top;
    bool into = draw->dst_right > draw->dst_left && draw->dst_bottom > draw->dst_top;
    uint32_t filter = draw->stretch_filter, level, source;
    struct dx9mt_target *target = dx9mt_use_target(d, draw, true);

    if (!draw->render_target_id || !target)
        return "it has no target";
    if (filter > D3DTEXF_LINEAR || (d->base.as_viewer && filter != D3DTEXF_POINT))
        filter = D3DTEXF_LINEAR;
    source = source_of(d, draw, &level);
    if (!source)
        return "its source is missing";
    if (source == target->surface)
        return "its source is its target";
    CALL(d, CALL_STRETCH_RECT, DX9MT_DEVICE, source, part ? DX9MT_OUT : 0, from[0], from[1],
         from[2], from[3], target->surface, into ? DX9MT_OUT : 0, to[0], to[1], to[2], to[3],
         filter);
    if (level)
        CALL(d, CALL_SURFACE_RELEASE, level);
    return NULL;
}

void dx9mt_draw(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    const char *why =
        draw->command_type == DX9MT_STRETCH_RECT ? try_stretch(d, draw) : try_draw(d, draw);

    if (why)
        log_warn("dx9mt", "frame %u: entry %u is left out: %s", d->header.frame_id, d->draw, why);
}

/* --- Frames ----------------------------------------------------------------------------------- */

void dx9mt_begin_frame(struct dx9mt *d)
{
    const uint32_t create[2] = {DX9MT_D3D, D3D_SDK_VERSION};

    if (!d->device) {
        d->next_object = 0x1000;
        dx9mt_call(d, CALL_CREATE9, create, 2, 0, NULL, 0);
        CALL(d, CALL_CREATE_DEVICE, DX9MT_D3D, 0, D3DDEVTYPE_HAL, 1,
             D3DCREATE_HARDWARE_VERTEXPROCESSING, DX9MT_OUT, 64, 64, D3DFMT_X8R8G8B8, 1, 0, 0,
             D3DSWAPEFFECT_DISCARD, 1, 1, 0, 0, 0, 0, D3DPRESENT_INTERVAL_IMMEDIATE, DX9MT_OUT,
             DX9MT_DEVICE);
        d->device = true;
    }
    CALL(d, CALL_BEGIN_SCENE, DX9MT_DEVICE);
}

/* Present shows render target 0. */
void dx9mt_present_frame(struct dx9mt *d)
{
    struct dx9mt_target *screen = dx9mt_target_of_surface(d, d->header.present_render_target_id);
    struct dx9mt_draw draw = {.render_target_id = d->header.present_render_target_id};

    if (screen) {
        draw.render_target_width = screen->width;
        draw.render_target_height = screen->height;
        draw.render_target_format = screen->format;
    }
    if (!dx9mt_use_target(d, &draw, false))
        log_warn("dx9mt", "frame %u: its size is out of range", d->header.frame_id);
    CALL(d, CALL_END_SCENE, DX9MT_DEVICE);
    CALL(d, CALL_PRESENT, DX9MT_DEVICE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    dx9mt_end_frame_objects(d);
}
