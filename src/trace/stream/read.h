/* Reader of compiled streams: sections, blobs and records of a file. */
#ifndef TRACE_STREAM_READ_H
#define TRACE_STREAM_READ_H

#include "trace/stream/format.h"
#include "trace/trace.h"

#include <stdio.h>

struct nvs_blob {
    uint32_t section; /* index of its section */
    uint32_t at, bytes;
};

/* A section of compressed blobs. */
struct nvs_packed {
    uint64_t offset; /* file offset of its header */
    struct nvs_section head;
    uint8_t *data; /* decompressed; NULL: not in the cache */
    uint32_t next; /* section decompressed next (cache age order) */
};

struct nvs_record {
    struct nvs_head head;
    const struct nvs_op_info *info;
    _Alignas(8) uint8_t packet[2048];
    const uint8_t *data;       /* borrowed until the next record */
    uint32_t data_bytes, blob; /* blob: NVS_NONE: inline data */
    uint64_t offset;           /* of the section, for error messages */
    uint32_t at;
};

struct nvs_reader {
    FILE *file;
    const uint8_t *memory; /* set instead of a file */
    uint64_t size, offset; /* offset: of the next section */
    struct trace_error error;
    struct nvs_packed *packed; /* blob sections */
    uint32_t n_packed, room_packed;
    struct nvs_blob *blobs;
    uint32_t n_blobs, room_blobs;
    struct nvs_blob_cache { /* FIFO ring of decompressed sections */
        void *block;
        uint8_t *memory;         /* inside block */
        size_t at;               /* offset for the next section */
        uint32_t oldest, newest; /* NVS_NONE: empty */
        struct nvs_bytes large;  /* a blob too large for the ring */
        uint32_t large_section;  /* NVS_NONE: none */
    } cache;
    struct nvs_section section; /* the record section being read */
    uint64_t section_at;
    struct nvs_bytes records, scratch; /* scratch: compressed bytes */
    struct ZSTD_DCtx_s *unpacker;
    size_t at;
    uint32_t *first_frame; /* indexed by frame */
    uint32_t n_frames;
    bool has_index;
    struct nvs_op_info ops[NVS_OPS]; /* indexed by op; name NULL: undefined */
};

/* --- sections.c ------------------------------------------------------------------------------- */

/* Reads bytes of the file; returns false if it has too few. */
bool nvs_reader_at(struct nvs_reader *reader, uint64_t offset, void *to, size_t n);
/* Reads the header of a section and checks its sizes. */
MUST_CHECK enum status nvs_reader_head(struct nvs_reader *reader, uint64_t offset,
                                       struct nvs_section *head);
/* Makes room for n bytes; discards the contents. */
bool nvs_reserve(struct nvs_bytes *bytes, size_t n);
/* Decompresses a section into memory of head->bytes. */
MUST_CHECK enum status nvs_reader_unpack(struct nvs_reader *reader, uint64_t offset,
                                         const struct nvs_section *head, uint8_t *to);
enum status nvs_reader_fail(struct nvs_reader *reader, enum status st, uint64_t section,
                            uint64_t at, const char *format, ...) PRINTF_LIKE(5, 6);

/* --- blobs.c ---------------------------------------------------------------------------------- */

void nvs_blobs_init(struct nvs_reader *reader);
void nvs_blobs_end(struct nvs_reader *reader);
/* Registers the section of blobs at offset. */
MUST_CHECK enum status nvs_blobs_add(struct nvs_reader *reader, uint64_t offset,
                                     const struct nvs_section *head);
/* Makes record->data valid; decompresses the blob if necessary. */
MUST_CHECK enum status nvs_reader_data(struct nvs_reader *reader, struct nvs_record *record);
/* Copies the record's data to memory of data_bytes. The memory may be partly written on failure. */
MUST_CHECK enum status nvs_reader_data_to(struct nvs_reader *reader, struct nvs_record *record,
                                          uint8_t *to);

/* --- read.c ----------------------------------------------------------------------------------- */

MUST_CHECK enum status nvs_reader_open(struct nvs_reader *reader, const char *path);
MUST_CHECK enum status nvs_reader_open_memory(struct nvs_reader *reader, const void *data,
                                              size_t size);
void nvs_reader_close(struct nvs_reader *reader);
/* Reads the next record; ST_NOTFOUND at the end. nvs_reader_data loads the data of blobs. */
MUST_CHECK enum status nvs_reader_next(struct nvs_reader *reader, struct nvs_record *out);

#endif
