/* Vertex fetch: reads vertex elements of all types into structure-of-arrays lanes. */
#include "draw/vertex/fetch.h"

#include "draw/vertex/vertex.h"
#include "draw/vertex/vertex_kern.h"
#include "util/half.h"

#include <string.h>

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

static void read_float16(const uint8_t *p, unsigned n, float out[4])
{
    for (unsigned c = 0; c < n; c++) {
        uint16_t v;

        memcpy(&v, p + 2 * c, 2);
        out[c] = half_to_float(v);
    }
}

/* Three fields of ten bits, x lowest. Signed fields are divided by 511. */
static void read_dec3(const uint8_t *p, bool is_signed, float out[4])
{
    uint32_t word;

    memcpy(&word, p, 4);
    for (unsigned c = 0; c < 3; c++, word >>= 10)
        out[c] = is_signed ? (float)((int32_t)(word << 22) >> 22) / 511.0f : (float)(word & 1023);
}

/* Reads one element of any type. Missing components are 0, 0, 0, 1 (reference:
 * vertices/missing-components). */
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
        read_float16(p, type == D3DDECLTYPE_FLOAT16_2 ? 2 : 4, out);
        break;
    default:
        break;
    }
}

/* Address of the element of vertex number v; of zeros if the element exceeds the stream. */
static const uint8_t *element_at(const struct draw_stream *stream,
                                 const struct pipeline_fetch *fetch, int64_t v)
{
    static const uint8_t zeros[16];
    int64_t start = (int64_t)stream->offset + fetch->offset, at;

    if (!stream->data || __builtin_mul_overflow(v, (int64_t)stream->stride, &at) ||
        __builtin_add_overflow(at, start, &at) || at < 0 ||
        at > (int64_t)stream->size - fetch->bytes)
        return zeros;
    return stream->data + at;
}

/* --- Address generation ----------------------------------------------------------------------- */

/* Addresses of the vertices of all lanes in a stream that advances per vertex. */
struct vertex_addresses {
    const struct draw_stream *stream; /* NULL: not yet computed */
    bool in_bounds; /* all vertices begin inside the stream; false: the next fields are undefined */
    size_t bytes_left; /* from the beginning of the last vertex to the end of the stream */
    _Alignas(64) uint32_t offset[VM_LANES]; /* bytes from stream->data */
};

static int64_t vertex_of(const struct fetch_lanes *lanes, unsigned i)
{
    return lanes->base + (lanes->index ? lanes->index[i] : i);
}

static void find_range(const struct fetch_lanes *lanes, int64_t *first, int64_t *last)
{
    const uint32_t *index = lanes->index;
    uint32_t low = index ? index[0] : 0, high = index ? index[0] : lanes->n - 1;

    for (unsigned i = 1; index && i < lanes->n; i++) {
        low = low < index[i] ? low : index[i];
        high = high > index[i] ? high : index[i];
    }
    *first = lanes->base + low;
    *last = lanes->base + high;
}

/* Whether vertices first … last begin inside the stream. at: offsets of the first and the last. */
static bool find_bounds(const struct draw_stream *stream, int64_t first, int64_t last,
                        int64_t at[2])
{
    return stream->data && first >= 0 && stream->size <= INT32_MAX &&
           !__builtin_mul_overflow(last, (int64_t)stream->stride, &at[1]) &&
           !__builtin_add_overflow(at[1], (int64_t)stream->offset, &at[1]) &&
           at[1] <= (int64_t)stream->size &&
           (at[0] = first * stream->stride + stream->offset) <= at[1];
}

/* Successive batches usually read successive vertices. Prefetches as many bytes after the last
 * vertex as this batch spans. */
static void prefetch_next(const struct draw_stream *stream, const int64_t end[2])
{
    enum { MAX_BYTES = 16 << 10, LINE = 64 };
    int64_t from = end[1] + stream->stride, extent = end[1] - end[0];

    if (extent > MAX_BYTES)
        return;
    for (int64_t i = 0; i < extent && from + i < (int64_t)stream->size; i += LINE)
        __builtin_prefetch(stream->data + from + i);
}

/* Computes the vertex address of each lane. Padding lanes up to a multiple of 16 get the address of
 * the last lane. */
static void compute_addresses(struct vertex_addresses *addresses, const struct draw_stream *stream,
                              const struct fetch_lanes *lanes)
{
    int64_t first, last, end[2];
    uint32_t stride = stream->stride, start;

    addresses->stream = stream;
    find_range(lanes, &first, &last);
    addresses->in_bounds = find_bounds(stream, first, last, end);
    if (!addresses->in_bounds)
        return;
    addresses->bytes_left = stream->size - (size_t)end[1];
    prefetch_next(stream, end);
    /* Intermediate 32-bit sums may wrap, but each result lies between the two ends. */
    start = (uint32_t)lanes->base * stride + stream->offset;
    if (lanes->index)
        for (unsigned i = 0; i < lanes->n; i++)
            addresses->offset[i] = start + lanes->index[i] * stride;
    else
        for (unsigned i = 0; i < lanes->n; i++)
            addresses->offset[i] = start + i * stride;
    for (unsigned i = lanes->n; i & 15; i++)
        addresses->offset[i] = addresses->offset[lanes->n - 1];
}

/* --- Elements to lanes ------------------------------------------------------------------------ */

/* State of the fetch of one batch. */
struct fetch_state {
    const struct vertex_kern *kern;
    const struct draw_state *state;
    struct fetch_lanes lanes;
    float *work;
    struct vertex_addresses addresses;
    _Alignas(64) uint32_t word[2][VM_LANES];
    float discarded[VM_LANES]; /* receives components that the program does not read */
};

/* Fetches an element of any type lane by lane, with bounds checks for each vertex. */
static void fetch_scalar(struct fetch_state *f, const struct pipeline_fetch *fetch,
                         const struct draw_stream *stream, uint32_t repeat)
{
    for (unsigned i = 0; i < f->lanes.n; i++) {
        int64_t v = vertex_of(&f->lanes, i);
        float value[4];

        if (repeat > 1)
            v = (uint32_t)(v / repeat);
        read_element(fetch->type, element_at(stream, fetch, v), value);
        for (unsigned c = 0; c < 4; c++)
            if (fetch->slot[c] >= 0)
                f->work[fetch->slot[c] * VM_LANES + (int)i] = value[c];
    }
}

static void fill_row(const struct fetch_state *f, int slot, float value)
{
    for (unsigned i = 0; slot >= 0 && i < f->lanes.n; i++)
        f->work[slot * VM_LANES + (int)i] = value;
}

/* Fetches an element of a per-instance stream: the same value for all lanes. */
static void fetch_instance(const struct fetch_state *f, const struct pipeline_fetch *fetch,
                           const struct draw_stream *stream)
{
    uint32_t divider = stream->frequency & 0x3fffffff;
    float value[4];

    read_element(fetch->type, element_at(stream, fetch, divider ? f->lanes.instance / divider : 0),
                 value);
    for (unsigned c = 0; c < 4; c++)
        fill_row(f, fetch->slot[c], value[c]);
}

/* Loads the n words of each element. All elements are inside the stream. */
static void load_words(const struct fetch_state *f, const uint8_t *from, unsigned n,
                       uint32_t *const to[2])
{
    for (unsigned w = 0; w < n; w++)
        for (unsigned i = 0; i < f->lanes.n; i++)
            memcpy(&to[w][i], from + f->addresses.offset[i] + 4 * w, 4);
}

static void fetch_uint8(struct fetch_state *f, const uint8_t *from, unsigned type,
                        float *const row[4])
{
    float *const colour[4] = {row[2], row[1], row[0], row[3]};

    load_words(f, from, 1, (uint32_t *[2]){f->word[0], NULL});
    f->kern->unpack_uint8(f->word[0], f->lanes.n, type != D3DDECLTYPE_UBYTE4,
                          type == D3DDECLTYPE_D3DCOLOR ? colour : row);
}

static void fetch_int16(struct fetch_state *f, const uint8_t *from, unsigned words,
                        enum vertex_int16 kind, float *const row[4])
{
    load_words(f, from, words, (uint32_t *[2]){f->word[0], f->word[1]});
    for (unsigned w = 0; w < words; w++)
        f->kern->unpack_int16(f->word[w], f->lanes.n, kind, row + 2 * w);
}

/* Fetches the common types with SIMD kernels. False: the type has no kernel. */
static bool fetch_simd(struct fetch_state *f, const struct pipeline_fetch *fetch,
                       float *const row[4])
{
    const uint8_t *from = f->addresses.stream->data + fetch->offset;

    switch (fetch->type) {
    case D3DDECLTYPE_FLOAT1:
    case D3DDECLTYPE_FLOAT2:
        load_words(f, from, fetch->bytes / 4u,
                   (uint32_t *[2]){(uint32_t *)(void *)row[0], (uint32_t *)(void *)row[1]});
        return true;
    case D3DDECLTYPE_FLOAT3: /* also loads the word after it */
    case D3DDECLTYPE_FLOAT4:
        if (f->addresses.bytes_left < fetch->offset + 16u)
            return false;
        f->kern->gather_vec4(from, f->addresses.offset, f->lanes.n, row);
        return true;
    case D3DDECLTYPE_D3DCOLOR:
    case D3DDECLTYPE_UBYTE4:
    case D3DDECLTYPE_UBYTE4N:
        fetch_uint8(f, from, fetch->type, row);
        return true;
    case D3DDECLTYPE_SHORT2:
    case D3DDECLTYPE_SHORT4:
        fetch_int16(f, from, fetch->bytes / 4u, VERTEX_SHORT, row);
        return true;
    case D3DDECLTYPE_SHORT2N:
    case D3DDECLTYPE_SHORT4N:
        fetch_int16(f, from, fetch->bytes / 4u, VERTEX_SHORT_N, row);
        return true;
    case D3DDECLTYPE_USHORT2N:
    case D3DDECLTYPE_USHORT4N:
        fetch_int16(f, from, fetch->bytes / 4u, VERTEX_USHORT_N, row);
        return true;
    default:
        return false;
    }
}

/* Number of successive vertices that read the same data of a stream. A frequency without flags is a
 * divider for vs_3_0 in software vertex processing (reference: vertices/divider). */
static uint32_t repeats(const struct draw_state *state, const struct draw_stream *stream)
{
    const uint32_t flags = D3DSTREAMSOURCE_INDEXEDDATA | (uint32_t)D3DSTREAMSOURCE_INSTANCEDATA;

    return stream->frequency > 1 && !(stream->frequency & flags) && state->software_vertices &&
                   state->vs && vm_program_info(state->vs)->major >= 3
               ? stream->frequency
               : 1;
}

static void fetch_element(struct fetch_state *f, const struct pipeline_fetch *fetch)
{
    const struct draw_stream *stream = &f->state->stream[fetch->stream];
    uint32_t repeat = repeats(f->state, stream);
    float *row[4];

    if (stream_per_instance(stream)) {
        fetch_instance(f, fetch, stream);
        return;
    }
    if (repeat == 1 && f->addresses.stream != stream)
        compute_addresses(&f->addresses, stream, &f->lanes);
    for (unsigned c = 0; c < 4; c++)
        row[c] = fetch->slot[c] >= 0 ? f->work + fetch->slot[c] * VM_LANES : f->discarded;
    if (repeat > 1 || !f->addresses.in_bounds ||
        f->addresses.bytes_left < (size_t)fetch->offset + fetch->bytes ||
        !fetch_simd(f, fetch, row)) {
        fetch_scalar(f, fetch, stream, repeat);
        return;
    }
    for (unsigned c = decl_type_components(fetch->type); c < 4; c++)
        fill_row(f, fetch->slot[c], c == 3 ? 1.0f : 0.0f);
}

void fetch_value(const struct draw_state *state, const D3DVERTEXELEMENT9 *e, int64_t v,
                 float out[4])
{
    const struct pipeline_fetch fetch = {.stream = (uint8_t)e->Stream,
                                         .type = e->Type,
                                         .offset = e->Offset,
                                         .bytes = (uint16_t)decl_type_bytes(e->Type)};
    const struct draw_stream *stream = &state->stream[e->Stream % DRAW_STREAMS];

    read_element(e->Type, element_at(stream, &fetch, stream_per_instance(stream) ? 0 : v), out);
}

void fetch_vertex_value(const struct draw_state *state, const D3DVERTEXELEMENT9 *e, int64_t v,
                        uint32_t instance, float out[4])
{
    const struct draw_stream *stream = &state->stream[e->Stream % DRAW_STREAMS];
    const struct pipeline_fetch fetch = {.offset = e->Offset,
                                         .bytes = (uint16_t)decl_type_bytes(e->Type)};
    uint32_t repeat = repeats(state, stream), divider = stream->frequency & 0x3fffffff;

    if (stream_per_instance(stream))
        v = divider ? instance / divider : 0;
    else if (repeat > 1)
        v = (uint32_t)(v / repeat);
    read_element(e->Type, element_at(stream, &fetch, v), out);
}

void fetch_batch(const struct draw_pipeline *pipeline, const struct draw_state *state,
                 const struct vertex_kern *kern, const struct fetch_lanes *lanes, float *work)
{
    struct fetch_state f;

    f.kern = kern;
    f.state = state;
    f.lanes = *lanes;
    f.work = work;
    f.addresses.stream = NULL;
    for (unsigned e = 0; e < pipeline->n_fetch; e++)
        fetch_element(&f, &pipeline->fetch[e]);
    for (unsigned e = 0; e < pipeline->n_default; e++)
        for (unsigned i = 0; i < VM_LANES; i++)
            work[pipeline->dflt[e].slot * VM_LANES + (int)i] = pipeline->dflt[e].value;
}
