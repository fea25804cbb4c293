/* Reads a dx9mt frame: detects the revision, converts draws of all revisions to the newest one, and
 * retries while another program writes the file. */
#include "trace/dx9mt/dx9mt_private.h"

#include "util/alloc.h"

#include <string.h>
#include <time.h>

enum { SEQUENCE_AT = 4, POLLS_A_SECOND = 120, PATIENCE = 2 /* seconds, without follow mode */ };

/* --- Revisions -------------------------------------------------------------------------------- */

/* Converts a struct of an old revision to the newest one. */
static void read_fields(const struct dx9mt_fields *fields, unsigned revision, const uint8_t *from,
                        void *to)
{
    for (unsigned i = 0; i < fields->n; i++) {
        const struct dx9mt_field *f = &fields->field[i];
        unsigned size = dx9mt_elements(f, revision) * f->size;
        uint8_t *out = (uint8_t *)to + f->at;

        memset(out, 0, (size_t)f->size * f->count);
        memcpy(out, f->since > revision ? (const uint8_t *)&f->absent : from,
               f->since > revision ? f->size : size);
        from += size;
    }
}

static uint64_t aligned(uint64_t n)
{
    return (n + DX9MT_BULK_ALIGN - 1) & ~(uint64_t)(DX9MT_BULK_ALIGN - 1);
}

/* Returns whether the header matches a revision. The file has no version number, but bulk data
 * follow the draws, so their offset gives the draw size. Bulk data sizes include padding. */
static bool fits(const uint8_t *head, unsigned revision, struct dx9mt_header *h)
{
    read_fields(&dx9mt_header_fields, revision, head, h);
    return h->bulk_data_used % DX9MT_BULK_ALIGN == 0 &&
           h->bulk_data_offset ==
               aligned(dx9mt_size(&dx9mt_header_fields, revision) +
                       (uint64_t)h->draw_count * dx9mt_size(&dx9mt_draw_fields, revision));
}

/* With one draw, draw sizes 304 and 308 give the same offset of bulk data: the word at 304 is a
 * cull mode or padding. */
static bool is_cull_mode(const uint8_t *head, size_t have)
{
    return have >= 60 + 308 && head[60 + 304] >= 1 && head[60 + 304] <= 3 && !head[60 + 305] &&
           !head[60 + 306] && !head[60 + 307];
}

static unsigned find_revision(const uint8_t *head, size_t have, struct dx9mt_header *h)
{
    for (unsigned revision = DX9MT_REVISION; revision; revision--) {
        if (revision == 5 && fits(head, 4, h) && fits(head, 5, h) && !is_cull_mode(head, have))
            continue;
        if (fits(head, revision, h))
            return revision;
    }
    read_fields(&dx9mt_header_fields, DX9MT_REVISION, head, h);
    return DX9MT_REVISION; /* another writer may leave padding */
}

/* --- Reading ---------------------------------------------------------------------------------- */

enum outcome { READ, NOT_YET, WRONG, SHORT_OF_MEMORY };

static uint32_t sequence_now(struct dx9mt *d)
{
    uint32_t sequence = 0;

    return container_read_at(&d->base.in, SEQUENCE_AT, &sequence, 4) == 4 ? sequence : 0;
}

static enum outcome wrong(struct dx9mt *d, uint64_t at, const char *text)
{
    d->cut = (struct trace_error){.status = ST_DAMAGED, .stream_byte = at, .file_byte = at};
    snprintf(d->cut.text, sizeof(d->cut.text), "%s (file byte %llu)", text, (unsigned long long)at);
    return WRONG;
}

static enum outcome read_bytes(struct dx9mt *d, size_t need)
{
    uint64_t size = container_size(&d->base.in);
    size_t n = need < size ? need : (size_t)size;

    if (n > d->room) {
        mem_free(d->bytes);
        d->room = 0;
        d->bytes = mem_alloc(n);
        if (!d->bytes)
            return SHORT_OF_MEMORY;
        d->room = n;
    }
    d->have = container_read_at(&d->base.in, 0, d->bytes, n);
    return READ;
}

static enum outcome read_once(struct dx9mt *d)
{
    struct dx9mt_header *h = &d->header;
    uint8_t head[60 + 308] = {0};
    size_t have = container_read_at(&d->base.in, 0, head, sizeof(head));
    uint64_t need;

    d->cut.status = ST_OK;
    if (have < sizeof(*h))
        return wrong(d, have, "the file ends in the header");
    d->revision = find_revision(head, have, h);
    if (h->magic != DX9MT_MAGIC)
        return wrong(d, 0, "this is not a dx9mt frame");
    if (h->draw_count > DX9MT_DRAWS_MAX)
        return wrong(d, 36, "there are more draws than a frame can have");
    need = dx9mt_size(&dx9mt_header_fields, d->revision) +
           (uint64_t)h->draw_count * dx9mt_size(&dx9mt_draw_fields, d->revision);
    if (h->bulk_data_offset < need || h->bulk_data_offset > DX9MT_FILE_BYTES)
        return wrong(d, 52, "invalid offset of the bulk data");
    if (h->bulk_data_used > DX9MT_FILE_BYTES - h->bulk_data_offset)
        return wrong(d, 56, "bulk data are larger than the file may be");
    need = h->bulk_data_offset + (uint64_t)h->bulk_data_used;
    if (read_bytes(d, (size_t)need) != READ)
        return SHORT_OF_MEMORY;
    if (d->have < need)
        wrong(d, d->have, "the file is cut off");
    return READ;
}

static void wait_a_little(void)
{
    const struct timespec pause = {0, 1000000000 / POLLS_A_SECOND};

    nanosleep(&pause, NULL);
}

/* Reads a complete frame: the sequence number is not 0 and does not change during the read. */
static enum outcome read_whole(struct dx9mt *d)
{
    uint32_t sequence = sequence_now(d);
    enum outcome outcome;

    if (container_size(&d->base.in) >= SEQUENCE_AT + 4 && (!sequence || sequence == d->shown))
        return NOT_YET;
    outcome = read_once(d);
    if (sequence_now(d) != sequence)
        return NOT_YET;
    d->shown = sequence;
    return outcome;
}

bool dx9mt_read_frame(struct dx9mt *d)
{
    unsigned patience = d->base.in.file ? PATIENCE * POLLS_A_SECOND : 1;
    enum outcome outcome;

    while ((outcome = read_whole(d)) == NOT_YET) {
        if (!d->base.follow && !--patience) {
            container_fail(&d->base.in, ST_DAMAGED, "no complete frame within the time limit");
            return false;
        }
        if (d->base.in.file)
            wait_a_little();
    }
    d->frame++;
    d->draw = 0;
    if (outcome == READ)
        return true;
    if (outcome == SHORT_OF_MEMORY)
        container_fail(&d->base.in, ST_NOMEM, "%s", status_text(ST_NOMEM));
    else
        container_fail_with(&d->base.in, &d->cut);
    return false;
}

bool dx9mt_read_draw(const struct dx9mt *d, uint32_t i, struct dx9mt_draw *out)
{
    size_t size = dx9mt_size(&dx9mt_draw_fields, d->revision);
    size_t at = dx9mt_size(&dx9mt_header_fields, d->revision) + i * size;

    if (i >= d->header.draw_count || at + size > d->have)
        return false;
    read_fields(&dx9mt_draw_fields, d->revision, d->bytes + at, out);
    return true;
}

const uint8_t *dx9mt_bulk(const struct dx9mt *d, uint32_t offset, uint32_t size)
{
    const struct dx9mt_header *h = &d->header;

    if (!size || offset > h->bulk_data_used || size > h->bulk_data_used - offset)
        return NULL;
    if (h->bulk_data_offset + (uint64_t)offset + size > d->have)
        return NULL; /* truncated */
    return d->bytes + h->bulk_data_offset + offset;
}
