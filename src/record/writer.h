/* Capture writer: encodes values, writes signatures at their first use, and stores snappy chunks.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct record_type;

/* Buffer of one chunk; its contents are lost if the program is killed. */
struct writer {
    FILE *file;
    char *path;
    uint8_t *chunk, *at, *end, *packed;
    struct snappy_table *table;
    uint64_t calls;
    unsigned functions, structs, enums, bitmasks; /* signatures written so far */
    unsigned epoch;                               /* unique among all writers of the process */
};

/* Creates a file of stream version 6. process may be NULL. ST_BUSY: a living process records to it.
 * ST_IO: errno says why. */
MUST_CHECK enum status writer_open(struct writer *w, const char *path, const char *process);
/* Writes all buffered data to the file. If that fails the file is closed: file becomes NULL, errno
 * says why, and later data are discarded. */
void writer_flush(struct writer *w);
/* False: not all data were written; logged. */
bool writer_close(struct writer *w);
/* Whether a writer of this process has failed to write its data. */
bool writer_lost_data(void);

void writer_bytes(struct writer *w, const void *from, size_t n);

/* Makes room for a tag and a number. */
static inline void writer_reserve(struct writer *w)
{
    if (w->end - w->at < 16)
        writer_flush(w);
}

static inline void writer_byte(struct writer *w, uint8_t byte)
{
    writer_reserve(w);
    *w->at++ = byte;
}

/* Writes to reserved room and returns the end. */
static inline uint8_t *writer_number_at(uint8_t *at, uint64_t n)
{
    for (; n >= 0x80; n >>= 7)
        *at++ = (uint8_t)(n | 0x80);
    *at++ = (uint8_t)n;
    return at;
}

static inline void writer_number(struct writer *w, uint64_t n)
{
    writer_reserve(w);
    w->at = writer_number_at(w->at, n);
}

/* Writes a tag byte and a number. */
static inline void writer_tagged(struct writer *w, uint8_t tag, uint64_t n)
{
    writer_reserve(w);
    *w->at = tag;
    w->at = writer_number_at(w->at + 1, n);
}

void writer_string(struct writer *w, const char *text);

/* --- Values ----------------------------------------------------------------------------------- */

enum { WRITER_CALL_FAKE = 1 };

void writer_null(struct writer *w);
void writer_blob(struct writer *w, const void *bytes, size_t n);
void writer_array(struct writer *w, size_t n); /* n values follow */
void writer_wide(struct writer *w, const uint16_t *text);
void writer_floats(struct writer *w, const void *at, size_t n); /* n elements */
/* Writes the value at an address according to its type. */
void writer_value(struct writer *w, struct record_type *type, const void *at);

#endif
