/* Reads vertex elements of every type into structure-of-arrays lanes. */
#include "draw/fetch.h"

#include "util/half.h"

#include <string.h>

unsigned fetch_type_bytes(unsigned type)
{
    static const uint8_t bytes[] = {
        [D3DDECLTYPE_FLOAT1] = 4,    [D3DDECLTYPE_FLOAT2] = 8,    [D3DDECLTYPE_FLOAT3] = 12,
        [D3DDECLTYPE_FLOAT4] = 16,   [D3DDECLTYPE_D3DCOLOR] = 4,  [D3DDECLTYPE_UBYTE4] = 4,
        [D3DDECLTYPE_SHORT2] = 4,    [D3DDECLTYPE_SHORT4] = 8,    [D3DDECLTYPE_UBYTE4N] = 4,
        [D3DDECLTYPE_SHORT2N] = 4,   [D3DDECLTYPE_SHORT4N] = 8,   [D3DDECLTYPE_USHORT2N] = 4,
        [D3DDECLTYPE_USHORT4N] = 8,  [D3DDECLTYPE_UDEC3] = 4,     [D3DDECLTYPE_DEC3N] = 4,
        [D3DDECLTYPE_FLOAT16_2] = 4, [D3DDECLTYPE_FLOAT16_4] = 8,
    };

    return type < sizeof(bytes) ? bytes[type] : 0;
}

unsigned fetch_type_components(unsigned type)
{
    switch (type) {
    case D3DDECLTYPE_FLOAT1:
        return 1;
    case D3DDECLTYPE_FLOAT2:
    case D3DDECLTYPE_SHORT2:
    case D3DDECLTYPE_SHORT2N:
    case D3DDECLTYPE_USHORT2N:
    case D3DDECLTYPE_FLOAT16_2:
        return 2;
    case D3DDECLTYPE_FLOAT3:
    case D3DDECLTYPE_UDEC3:
    case D3DDECLTYPE_DEC3N:
        return 3;
    default:
        return 4;
    }
}

static void read_shorts(const uint8_t *p, unsigned n, float scale, float out[4])
{
    for (unsigned c = 0; c < n; c++) {
        int16_t v;

        memcpy(&v, p + 2 * c, 2);
        out[c] = scale == 1.0f ? (float)v : (float)v / scale;
    }
}

static void read_ushorts(const uint8_t *p, unsigned n, float out[4])
{
    for (unsigned c = 0; c < n; c++) {
        uint16_t v;

        memcpy(&v, p + 2 * c, 2);
        out[c] = (float)v / 65535.0f;
    }
}

static void read_halves(const uint8_t *p, unsigned n, float out[4])
{
    for (unsigned c = 0; c < n; c++) {
        uint16_t v;

        memcpy(&v, p + 2 * c, 2);
        out[c] = half_to_float(v);
    }
}

/* Three fields of ten bits, x lowest; the signed kind is divided by 511. */
static void read_dec3(const uint8_t *p, bool is_signed, float out[4])
{
    uint32_t word;

    memcpy(&word, p, 4);
    for (unsigned c = 0; c < 3; c++, word >>= 10)
        out[c] = is_signed ? (float)((int32_t)(word << 22) >> 22) / 511.0f : (float)(word & 1023);
}

/* Any type; components it does not have are 0, 0, 0, 1 (reference: vertices/missing-components). */
static void read_element(unsigned type, const uint8_t *p, float out[4])
{
    out[0] = out[1] = out[2] = 0.0f;
    out[3] = 1.0f;
    switch (type) {
    case D3DDECLTYPE_FLOAT1:
    case D3DDECLTYPE_FLOAT2:
    case D3DDECLTYPE_FLOAT3:
    case D3DDECLTYPE_FLOAT4:
        memcpy(out, p, 4 * (type - D3DDECLTYPE_FLOAT1 + 1));
        break;
    case D3DDECLTYPE_D3DCOLOR:
        out[0] = (float)p[2] / 255.0f;
        out[1] = (float)p[1] / 255.0f;
        out[2] = (float)p[0] / 255.0f;
        out[3] = (float)p[3] / 255.0f;
        break;
    case D3DDECLTYPE_UBYTE4:
        for (unsigned c = 0; c < 4; c++)
            out[c] = (float)p[c];
        break;
    case D3DDECLTYPE_UBYTE4N:
        for (unsigned c = 0; c < 4; c++)
            out[c] = (float)p[c] / 255.0f;
        break;
    case D3DDECLTYPE_SHORT2:
    case D3DDECLTYPE_SHORT4:
        read_shorts(p, type == D3DDECLTYPE_SHORT2 ? 2 : 4, 1.0f, out);
        break;
    case D3DDECLTYPE_SHORT2N:
    case D3DDECLTYPE_SHORT4N:
        read_shorts(p, type == D3DDECLTYPE_SHORT2N ? 2 : 4, 32767.0f, out);
        break;
    case D3DDECLTYPE_USHORT2N:
    case D3DDECLTYPE_USHORT4N:
        read_ushorts(p, type == D3DDECLTYPE_USHORT2N ? 2 : 4, out);
        break;
    case D3DDECLTYPE_UDEC3:
    case D3DDECLTYPE_DEC3N:
        read_dec3(p, type == D3DDECLTYPE_DEC3N, out);
        break;
    case D3DDECLTYPE_FLOAT16_2:
    case D3DDECLTYPE_FLOAT16_4:
        read_halves(p, type == D3DDECLTYPE_FLOAT16_2 ? 2 : 4, out);
        break;
    default:
        break;
    }
}

/* The element's bytes of vertex number v, or zeros where the stream ends before them. */
static const uint8_t *element_at(const struct draw_stream *stream, const struct plan_fetch *fetch,
                                 int64_t v)
{
    static const uint8_t zeros[16];
    int64_t start = (int64_t)stream->offset + fetch->offset, at;

    if (!stream->data || __builtin_mul_overflow(v, (int64_t)stream->stride, &at) ||
        __builtin_add_overflow(at, start, &at) || at < 0 ||
        at > (int64_t)stream->size - fetch->bytes)
        return zeros;
    return stream->data + at;
}

/* Numbers of the vertices that lanes read; with index NULL all lanes read vertex `base`. */
struct fetch_lanes {
    const uint32_t *index;
    unsigned n;
    int64_t base;
};

static int64_t vertex_of(const struct fetch_lanes *lanes, unsigned i)
{
    return lanes->index ? lanes->base + lanes->index[i] : lanes->base;
}

/* The types that nearly all vertices consist of; components that nobody reads go nowhere. */
static inline void fetch_floats(const struct plan_fetch *fetch, const struct draw_stream *stream,
                                const struct fetch_lanes *lanes, unsigned components, float *work)
{
    float nowhere[VM_LANES], *to[4];

    for (unsigned c = 0; c < 4; c++)
        to[c] = fetch->slot[c] >= 0 ? work + fetch->slot[c] * VM_LANES : nowhere;
    for (unsigned i = 0; i < lanes->n; i++) {
        const uint8_t *p = element_at(stream, fetch, vertex_of(lanes, i));

        for (unsigned c = 0; c < components; c++)
            memcpy(&to[c][i], p + 4 * c, 4);
    }
    for (unsigned c = components; c < 4; c++)
        for (unsigned i = 0; fetch->slot[c] >= 0 && i < lanes->n; i++)
            to[c][i] = c == 3 ? 1.0f : 0.0f;
}

static void fetch_any(const struct plan_fetch *fetch, const struct draw_stream *stream,
                      const struct fetch_lanes *lanes, float *work)
{
    for (unsigned i = 0; i < lanes->n; i++) {
        float value[4];

        read_element(fetch->type, element_at(stream, fetch, vertex_of(lanes, i)), value);
        for (unsigned c = 0; c < 4; c++)
            if (fetch->slot[c] >= 0)
                work[fetch->slot[c] * VM_LANES + (int)i] = value[c];
    }
}

/* How many vertices in turn read the same data of a stream: a divider without flags is for vs_3_0 in
 * software vertex processing (reference: vertices/divider). */
static uint32_t repeats(const struct draw_state *state, const struct draw_stream *stream)
{
    const uint32_t flags = D3DSTREAMSOURCE_INDEXEDDATA | (uint32_t)D3DSTREAMSOURCE_INSTANCEDATA;

    return stream->frequency > 1 && !(stream->frequency & flags) && state->software_vertices &&
                   state->vs && vm_program_info(state->vs)->major >= 3
               ? stream->frequency
               : 1;
}

static void fetch_one(const struct plan_fetch *fetch, const struct draw_state *state,
                      const uint32_t *index, unsigned n, int64_t base, uint32_t instance,
                      float *work)
{
    const struct draw_stream *stream = &state->stream[fetch->stream];
    uint32_t divider = stream->frequency & 0x3fffffff, repeat = repeats(state, stream);
    struct fetch_lanes lanes = {index, n, base};
    uint32_t repeated[VM_LANES];

    if (fetch_per_instance(stream)) {
        lanes = (struct fetch_lanes){NULL, n, divider ? instance / divider : 0};
    } else if (repeat > 1) {
        for (unsigned i = 0; i < n; i++)
            repeated[i] = (uint32_t)((base + index[i]) / repeat);
        lanes = (struct fetch_lanes){repeated, n, 0};
    }
    switch (fetch->type) {
    case D3DDECLTYPE_FLOAT1:
        fetch_floats(fetch, stream, &lanes, 1, work);
        break;
    case D3DDECLTYPE_FLOAT2:
        fetch_floats(fetch, stream, &lanes, 2, work);
        break;
    case D3DDECLTYPE_FLOAT3:
        fetch_floats(fetch, stream, &lanes, 3, work);
        break;
    case D3DDECLTYPE_FLOAT4:
        fetch_floats(fetch, stream, &lanes, 4, work);
        break;
    default:
        fetch_any(fetch, stream, &lanes, work);
        break;
    }
}

void fetch_value(const struct draw_state *state, const D3DVERTEXELEMENT9 *e, int64_t v,
                 float out[4])
{
    const struct plan_fetch fetch = {.stream = (uint8_t)e->Stream,
                                     .type = e->Type,
                                     .offset = e->Offset,
                                     .bytes = (uint16_t)fetch_type_bytes(e->Type)};
    const struct draw_stream *stream = &state->stream[e->Stream % DRAW_STREAMS];

    read_element(e->Type, element_at(stream, &fetch, fetch_per_instance(stream) ? 0 : v), out);
}

void fetch_batch(const struct draw_plan *plan, const struct draw_state *state,
                 const uint32_t *index, unsigned n, int64_t base, uint32_t instance, float *work)
{
    for (unsigned f = 0; f < plan->n_fetch; f++)
        fetch_one(&plan->fetch[f], state, index, n, base, instance, work);
    for (unsigned f = 0; f < plan->n_default; f++)
        for (unsigned i = 0; i < VM_LANES; i++)
            work[plan->dflt[f].slot * VM_LANES + (int)i] = plan->dflt[f].value;
}
