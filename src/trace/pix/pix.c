/* Reader of PIX run files: parses chunks of events and attributes, and extracts the calls among
 * them. */
#include "trace/pix/pix.h"
#include "trace/pix/decoder.h"

#include "util/alloc.h"
#include "util/plural.h"

#include <string.h>

/* Chunk types that the reader parses; it skips all others. */
enum pix_chunk { PIX_EVENT = 0x3eb, PIX_ATTRIBUTE = 0x3ec };
/* Event definitions by number, and the attribute that carries a call. */
enum pix_event { PIX_PROCESS_START = 3, PIX_CALL_AT_ONCE = 11, PIX_CALL_LATER = 19 };
/* Bytes between the number of an event and its call: parent and time. */
enum { PIX_EVENT_BYTES = 12 };

struct pix {
    struct trace_reader base;
    struct decoder decoder;
    const struct trace_call *call; /* the last call returned */
    struct heap names;             /* lives as long as the file */
    uint8_t *bytes;                /* of the current call */
    size_t room;
};

enum {
    PIECE_BYTES = 1 << 16,
    CALL_FACTOR = 64, /* limit of call bytes per compressed byte of the file */
    CALL_BYTES_FLOOR = 64 << 20,
    NAMES_BYTES_MAX = 1 << 20,
};

static struct pix *of(struct trace_reader *base)
{
    return (struct pix *)base;
}

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* --- Start ------------------------------------------------------------------------------------ */

/* The first chunk has 20 bytes and type 0x3e8. */
static bool recognise(const uint8_t *first, size_t n)
{
    return n >= 8 && word_at(first) >= 4 && word_at(first + 4) == 0x3e8;
}

static void start(struct trace_reader *base)
{
    struct pix *p = of(base);

    p->names.limit_bytes = NAMES_BYTES_MAX;
    decoder_init(&p->decoder);
}

static void finish(struct trace_reader *base)
{
    struct pix *p = of(base);

    decoder_fini(&p->decoder);
    heap_fini(&p->names);
    mem_free(p->bytes);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Upper limit of a call's size; gzip reaches ratios of up to 1000. */
static uint64_t call_bytes_max(const struct container *in)
{
    uint64_t most = in->size * CALL_FACTOR;

    return most > CALL_BYTES_FLOOR ? most : CALL_BYTES_FLOOR;
}

/* Reads the chunk's bytes. The buffer grows as they arrive, so that a damaged size allocates at
 * most twice the bytes in the file. */
static bool take_bytes(struct pix *p, uint32_t n)
{
    struct container *in = &p->base.in;
    size_t have = 0;

    if (in->plain ? n > in->size - container_tell(in) : n > call_bytes_max(in)) {
        container_fail(in, ST_DAMAGED, "a call of %u bytes does not fit into the file", n);
        return false;
    }
    while (have < n) {
        size_t piece = have < PIECE_BYTES ? PIECE_BYTES : have;

        if (piece > n - have)
            piece = n - have;
        if (have + piece > p->room) {
            uint8_t *bigger = mem_realloc(p->bytes, have + piece);

            if (!bigger) {
                container_fail(in, ST_NOMEM, "%s", status_text(ST_NOMEM));
                return false;
            }
            p->bytes = bigger;
            p->room = have + piece;
        }
        container_bytes(in, p->bytes + have, piece);
        if (in->failed)
            return false;
        have += piece;
    }
    return true;
}

/* Reads the call (size and bytes) that fills the rest of a chunk. Returns true if it is a Direct3D
 * 9 call; numbers below and above belong to PIX and to helper libraries. */
static bool read_call(struct pix *p, uint32_t rest)
{
    uint32_t size;

    if (rest < 4) {
        container_fail(&p->base.in, ST_DAMAGED,
                       "a call of " PLURAL_FORMAT " is too short for its size",
                       PLURAL(rest, "byte", "bytes"));
        return false;
    }
    size = container_u32(&p->base.in);
    if (size > rest - 4)
        container_fail(&p->base.in, ST_DAMAGED, "a call of " PLURAL_FORMAT " in a chunk with %u",
                       PLURAL(size, "byte", "bytes"), rest - 4);
    if (p->base.in.failed || !take_bytes(p, size))
        return false;
    container_skip(&p->base.in, rest - 4 - size);
    if (p->base.in.failed)
        return false;
    if (!decoder_call(&p->decoder, p->bytes, size, true, &p->call))
        container_fail(&p->base.in, ST_NOMEM, "%s", status_text(ST_NOMEM));
    return p->call && !p->base.in.failed;
}

/* Reads the process path: a count and UTF-16 text. */
static void read_process(struct pix *p, uint32_t rest)
{
    uint32_t n = rest >= 4 ? container_u32(&p->base.in) : 0;
    char *text = NULL;

    rest -= rest >= 4 ? 4 : rest;
    if (n <= rest / 2 && n < 4096 && p->base.property_count < READER_PROPERTIES_MAX)
        text = heap_alloc(&p->names, n + 1);
    for (uint32_t i = 0; text && i < n; i++, rest -= 2) {
        uint8_t low = container_byte(&p->base.in), high = container_byte(&p->base.in);

        text[i] = high || low >= 0x7f ? '?' : (char)low;
    }
    container_skip(&p->base.in, rest);
    if (!text || p->base.in.failed)
        return;
    text[n] = 0;
    p->base.properties[p->base.property_count++] = (struct trace_property){"process.name", text};
}

/* --- Chunks ----------------------------------------------------------------------------------- */

/* Returns true if the chunk held a Direct3D 9 call. */
static bool read_chunk(struct pix *p)
{
    struct container *in = &p->base.in;
    uint32_t size = container_u32(in), type = container_u32(in), first, second;

    if (!in->failed && size < 4)
        container_fail(in, ST_DAMAGED, "a chunk of " PLURAL_FORMAT " is too short for its type",
                       PLURAL(size, "byte", "bytes"));
    if (in->failed)
        return false;
    size -= 4;
    if ((type != PIX_EVENT && type != PIX_ATTRIBUTE) || size < 8) {
        container_skip(in, size);
        return false;
    }
    first = container_u32(in);
    second = container_u32(in);
    size -= 8;
    if (type == PIX_ATTRIBUTE && second == PIX_CALL_LATER)
        return read_call(p, size);
    if (type == PIX_EVENT && first == PIX_CALL_AT_ONCE && size >= PIX_EVENT_BYTES) {
        container_skip(in, PIX_EVENT_BYTES);
        return read_call(p, size - PIX_EVENT_BYTES);
    }
    if (type == PIX_EVENT && first == PIX_PROCESS_START)
        read_process(p, size);
    else
        container_skip(in, size);
    return false;
}

static enum status next(struct trace_reader *base, const struct trace_call **out)
{
    struct pix *p = of(base);

    *out = decoder_pending(&p->decoder);
    if (*out)
        return ST_OK;
    while (!base->in.failed && !container_at_end(&base->in))
        if (read_chunk(p)) {
            *out = p->call;
            return ST_OK;
        }
    return base->in.failed ? base->in.error.status : ST_OK;
}

const struct trace_format pix_format = {
    "PIX run file", sizeof(struct pix), recognise, start, next, finish,
};
