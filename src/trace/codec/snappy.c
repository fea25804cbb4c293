/* Snappy decompressor of apitrace's container: "at", then chunks of a 32-bit length and one raw
 * snappy block.
 *
 * Tested by tests/unit/trace/codec/test_container.c. */
#include "trace/codec/codecs.h"

#include "util/alloc.h"
#include "util/plural.h"

/* Without the library, every block is decoded as a damaged one is: slower, to the same bytes. */
#ifndef NOVEM_SNAPPY
#define NOVEM_SNAPPY 1
#endif
#if NOVEM_SNAPPY
#include <snappy-c.h>
#endif
#include <string.h>

/* A snappy element makes at most 64 bytes out of 3, so a longer claimed length is damage. */
enum { SNAPPY_MAX_GROWTH = 22, SNAPPY_SLACK = 64 };

struct codec {
    uint8_t *packed, *plain;
    size_t packed_room, plain_room;
};

static uint8_t *grow(uint8_t **buffer, size_t *room, size_t want)
{
    if (want > *room) {
        uint8_t *bigger = mem_alloc(want);

        if (!bigger)
            return NULL;
        mem_free(*buffer);
        *buffer = bigger;
        *room = want;
    }
    return *buffer;
}

/* Decodes the length varint of a block and returns its size; 0 if it is malformed. */
static size_t block_length(const uint8_t *in, size_t n, size_t *length)
{
    uint64_t value = 0;

    for (size_t i = 0; i < n && i < 5; i++) {
        value |= (uint64_t)(in[i] & 0x7f) << (7 * i);
        if (!(in[i] & 0x80)) {
            *length = (size_t)value;
            return value <= UINT32_MAX ? i + 1 : 0;
        }
    }
    return 0;
}

struct element {
    size_t length, offset, header; /* offset 0: literal */
};

/* Reads one tag; returns false if the input ends inside it. */
static bool element_read(const uint8_t *in, size_t n, struct element *e)
{
    unsigned tag = in[0], extra;

    if ((tag & 3) == 0) {
        extra = tag >> 2 < 60 ? 0 : (tag >> 2) - 59;
        e->length = tag >> 2;
        e->offset = 0;
    } else {
        extra = (tag & 3) == 1 ? 1 : (tag & 3) == 2 ? 2 : 4;
        e->length = (tag & 3) == 1 ? 3 + (tag >> 2 & 7) : tag >> 2;
        e->offset = (tag & 3) == 1 ? (tag >> 5) << 8 : 0;
    }
    e->header = 1 + extra;
    if (n < e->header)
        return false;
    if ((tag & 3) == 0 && extra)
        e->length = 0;
    for (unsigned i = 0; i < extra; i++) {
        if ((tag & 3) == 0)
            e->length |= (size_t)in[1 + i] << (8 * i);
        else
            e->offset |= (size_t)in[1 + i] << (8 * i);
    }
    e->length++;
    return true;
}

size_t snappy_decode_part(const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
    size_t length = 0, at = block_length(in, n, &length), made = 0;
    struct element e;

    if (!at)
        return 0;
    if (room > length)
        room = length;
    while (at < n && made < room && element_read(in + at, n - at, &e)) {
        at += e.header;
        if (e.length > room - made)
            e.length = room - made;
        if ((in[at - e.header] & 3) == 0) {
            if (e.length > n - at)
                e.length = n - at;
            memcpy(out + made, in + at, e.length);
            at += e.length;
            made += e.length;
            continue;
        }
        if (e.offset == 0 || e.offset > made)
            break;
        for (size_t i = 0; i < e.length; i++, made++) /* source and destination may overlap */
            out[made] = out[made - e.offset];
    }
    return made;
}

/* Decodes a whole block with the library; false: the block is damaged, or there is no library. */
static bool block_decode(const uint8_t *in, size_t n, uint8_t *out, size_t *made)
{
#if NOVEM_SNAPPY
    return snappy_uncompress((const char *)in, n, (char *)out, made) == SNAPPY_OK;
#else
    (void)in, (void)n, (void)out, (void)made;
    return false;
#endif
}

/* Decodes the chunk's compressed bytes. A damaged or truncated block delivers its intact prefix. */
static enum status chunk_decode(struct container *c, uint64_t announced, size_t present)
{
    struct codec *k = c->codec;
    size_t length = 0, made;
    uint64_t most = (uint64_t)present * SNAPPY_MAX_GROWTH + SNAPPY_SLACK;

    if (!block_length(k->packed, present, &length)) {
        container_fail_later(c, c->unit_byte, "the chunk's length is malformed");
        return ST_OK;
    }
    if (!grow(&k->plain, &k->plain_room, length < most ? length : (size_t)most))
        return ST_NOMEM;
    made = length;
    if (present < announced || length > most || !block_decode(k->packed, present, k->plain, &made))
        made =
            snappy_decode_part(k->packed, present, k->plain, length < most ? length : (size_t)most);
    c->at = k->plain;
    c->end = k->plain + made;
    c->window_byte += made;
    if (present < announced)
        container_fail_later(c, c->unit_byte,
                             "the file is cut off: a chunk of " PLURAL_FORMAT " has %zu",
                             PLURAL(announced, "byte", "bytes"), present);
    else if (made < length)
        container_fail_later(c, c->unit_byte, "the chunk is corrupt: %zu of %zu bytes decoded",
                             made, length);
    return ST_OK;
}

static enum status snappy_fill(struct container *c)
{
    struct codec *k = c->codec;
    uint8_t head[4];
    uint64_t announced;
    size_t present;

    do {
        c->unit_byte = c->consumed;
        present = container_raw(c, head, 4);
        if (present < 4) {
            if (present)
                container_fail_later(c, c->unit_byte,
                                     "the file is cut off inside a chunk's length");
            return ST_OK;
        }
        announced = (uint64_t)head[0] | (uint64_t)head[1] << 8 | (uint64_t)head[2] << 16 |
                    (uint64_t)head[3] << 24;
        if (!announced)
            return ST_OK; /* end of data */
        present =
            announced < c->size - c->consumed ? (size_t)announced : (size_t)(c->size - c->consumed);
        if (!grow(&k->packed, &k->packed_room, present))
            return ST_NOMEM;
        present = container_raw(c, k->packed, present);
        if (chunk_decode(c, announced, present) != ST_OK)
            return ST_NOMEM;
    } while (c->at == c->end && c->pending_error.status == ST_OK);
    return ST_OK;
}

static void snappy_close(struct container *c)
{
    mem_free(c->codec->packed);
    mem_free(c->codec->plain);
    mem_free(c->codec);
}

enum status snappy_codec_open(struct container *c)
{
    uint8_t magic[2];

    c->codec = mem_calloc(1, sizeof(*c->codec));
    if (!c->codec)
        return ST_NOMEM;
    c->name = "snappy";
    c->fill = snappy_fill;
    c->close = snappy_close;
    return container_raw(c, magic, 2) == 2 ? ST_OK : ST_IO;
}
