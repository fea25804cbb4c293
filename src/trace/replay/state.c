/* Replay handlers of calls whose lists captures store in other forms: rectangles, planes, palettes,
 * ramps, patches.
 *
 * Tested by tests/unit/trace/replay/test_methods.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"

static IDirect3DDevice9 *device_of(const struct replay_call *q)
{
    return q->self->iface;
}

HRESULT replay_clear(struct replay_call *q)
{
    const struct trace_value *list = arg(q, 2);
    uint32_t count = arg_u32(q, 1);
    const D3DRECT *rects = NULL;

    if (count > (1u << 20))
        return replay_call_skip(q, "%u rectangles", count);
    if (list->kind == TRACE_ARRAY) {
        rects = (const D3DRECT *)(const void *)arg_array(q, 2, (size_t)count * 4);
        if (!rects)
            return replay_call_skip(q, "fewer rectangles recorded than counted");
    }
    return IDirect3DDevice9_Clear(device_of(q), count, rects, arg_u32(q, 3), arg_u32(q, 4),
                                  arg_float(q, 5), arg_u32(q, 6));
}

/* Captures before version 6 may hold fewer than 4 numbers; the rest are zeros. */
HRESULT replay_set_clip_plane(struct replay_call *q)
{
    float plane[4] = {0};
    const struct trace_value *value = arg(q, 2);

    if (value->kind != TRACE_ARRAY)
        return replay_call_skip(q, "malformed plane");
    value_words(value, (uint32_t *)(void *)plane, 4);
    return IDirect3DDevice9_SetClipPlane(device_of(q), arg_u32(q, 1), plane);
}

HRESULT replay_set_palette_entries(struct replay_call *q)
{
    uint32_t *words = arg_array(q, 2, 256 * 4);
    PALETTEENTRY entries[256];

    if (!words)
        return replay_call_skip(q, "malformed palette");
    for (unsigned i = 0; i < 256; i++)
        entries[i] = (PALETTEENTRY){(BYTE)words[4 * i], (BYTE)words[4 * i + 1],
                                    (BYTE)words[4 * i + 2], (BYTE)words[4 * i + 3]};
    return IDirect3DDevice9_SetPaletteEntries(device_of(q), arg_u32(q, 1), entries);
}

HRESULT replay_set_gamma_ramp(struct replay_call *q)
{
    uint32_t *words = arg_array(q, 3, 3 * 256);
    D3DGAMMARAMP ramp;

    if (!words)
        return replay_call_skip(q, "malformed ramp");
    for (unsigned i = 0; i < 256; i++) {
        ramp.red[i] = (WORD)words[i];
        ramp.green[i] = (WORD)words[256 + i];
        ramp.blue[i] = (WORD)words[512 + i];
    }
    IDirect3DDevice9_SetGammaRamp((IDirect3DDevice9 *)q->self->iface, arg_u32(q, 1), arg_u32(q, 2),
                                  &ramp);
    return S_OK;
}

HRESULT replay_set_convolution_mono_kernel(struct replay_call *q)
{
    uint32_t width = arg_u32(q, 1), height = arg_u32(q, 2);
    const struct trace_value *rows = arg(q, 3), *columns = arg(q, 4);
    float row[16] = {0}, column[16] = {0};
    bool has_rows = rows && rows->kind != TRACE_NULL,
         has_columns = columns && columns->kind != TRACE_NULL;

    if (width > 16 || height > 16 ||
        (has_rows && value_words(rows, (uint32_t *)(void *)row, 16) < width) ||
        (has_columns && value_words(columns, (uint32_t *)(void *)column, 16) < height))
        return replay_call_skip(q, "malformed kernel");
    return IDirect3DDevice9Ex_SetConvolutionMonoKernel((IDirect3DDevice9Ex *)q->self->iface, width,
                                                       height, has_rows ? row : NULL,
                                                       has_columns ? column : NULL);
}

/* --- Patches ---------------------------------------------------------------------------------- */

/* The segments of n edges, and NULL where the program passed NULL. Captures of apitrace have only
 * the first number, which then counts for all edges. */
static const float *patch_segments(const struct replay_call *q, size_t n, float out[4], bool *ok)
{
    const struct trace_value *value = arg(q, 2);
    size_t words;

    if (value->kind == TRACE_NULL)
        return NULL;
    words = value_words(value, (uint32_t *)(void *)out, 4);
    for (size_t i = 1; words == 1 && i < n; i++)
        out[i] = out[0];
    *ok = *ok && value->kind == TRACE_ARRAY && (words == 1 || words >= n);
    return out;
}

HRESULT replay_draw_rect_patch(struct replay_call *q)
{
    bool ok = true;
    float memory[4];
    D3DRECTPATCH_INFO info;
    const D3DRECTPATCH_INFO *in = arg_words(q, 3, &info, sizeof(info) / 4, &ok);
    const float *segments = patch_segments(q, 4, memory, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed patch");
    return IDirect3DDevice9_DrawRectPatch(device_of(q), arg_u32(q, 1), segments, in);
}

HRESULT replay_draw_tri_patch(struct replay_call *q)
{
    bool ok = true;
    float memory[4];
    D3DTRIPATCH_INFO info;
    const D3DTRIPATCH_INFO *in = arg_words(q, 3, &info, sizeof(info) / 4, &ok);
    const float *segments = patch_segments(q, 3, memory, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed patch");
    return IDirect3DDevice9_DrawTriPatch(device_of(q), arg_u32(q, 1), segments, in);
}
