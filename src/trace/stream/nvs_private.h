/* File format of compiled streams (docs/formats.md, "Compiled streams"): structures, writer and
 * reader. All numbers are little-endian. */
#ifndef TRACE_STREAM_NVS_PRIVATE_H
#define TRACE_STREAM_NVS_PRIVATE_H

#include "cmd/cmd.h"
#include "trace/trace.h"

#include <stdio.h>

#define NVS_MAGIC "NOVEMNVS"

enum {
    NVS_VERSION = 1,
    NVS_RATIO = 256,                  /* maximum compression ratio */
    NVS_SECTION_MAX = 2 << 20,        /* uncompressed size of record and blob sections */
    NVS_LARGE_MAX = 1 << 30,          /* uncompressed size of other sections */
    NVS_OWN_SECTION_BYTES = 64 << 10, /* longer blobs get a section each */
    NVS_INLINE_BYTES = 64,            /* longer data become blobs */
    NVS_BLOB_CACHE_BYTES = 32 << 20,  /* decompressed blobs, excluding one large blob */
    NVS_STREAMS = 256,
    NVS_NONE = 0xffffffff /* no frame: depends on no drawing */
};

struct nvs_header {
    char magic[8];
    uint32_t version, reserved;
    uint64_t packets;  /* hash of the packet and field tables */
    uint64_t checksum; /* of the preceding fields */
};

#define NVS_TAG(a, b, c, d) ((uint32_t)(a) | (b) << 8 | (c) << 16 | (uint32_t)(d) << 24)
enum nvs_tag {
    NVS_BLOBS = NVS_TAG('B', 'L', 'O', 'B'), /* count lengths, then the blobs, each padded to 16 */
    NVS_LARGE = NVS_TAG('B', 'I', 'G', 'B'), /* one blob, nothing else */
    NVS_RECORDS = NVS_TAG('C', 'M', 'D', 'S'), /* records */
    NVS_INDEX = NVS_TAG('I', 'N', 'D', 'X'),   /* count words: first frame that each frame depends
                                                * on */
    NVS_END = NVS_TAG('D', 'O', 'N', 'E')      /* empty; first: offset of the index */
};

/* The compressed bytes follow. */
struct nvs_section {
    uint32_t tag, packed, bytes, count;
    uint64_t first;    /* number of the first blob or frame, or as the tag says */
    uint64_t checksum; /* of the compressed bytes, seeded with the hash of the preceding fields */
};

enum nvs_op {
#define RECORD(ID, name, value) NVS_##ID = value,
#include "trace/stream/records.def"
#undef RECORD
    NVS_OPS
};

/* Header of a record. The packet follows as is. If the record has data, either their byte count and
 * the data (padded to 4), or the number of a blob, follow. */
struct nvs_head {
    uint16_t op; /* enum cmd_op or enum nvs_op */
    uint8_t flags;
    uint8_t stream;
};
enum nvs_flags {
    NVS_HAS_DATA = 1,
    NVS_HAS_BLOB = 2,
    NVS_UPLOAD = 4 /* copies application data: executed even where drawing is skipped */
};

struct nvs_create_image {
    uint32_t handle, format, shape, width, height, depth, levels, samples, unlocked;
};
struct nvs_create_buffer {
    uint32_t handle, bytes;
};
struct nvs_create_shader { /* data: tokens */
    uint32_t handle, software;
};
struct nvs_create_declaration { /* data: D3DVERTEXELEMENT9s without the terminator */
    uint32_t handle, elements;
};
struct nvs_create_query {
    uint32_t handle, type;
};
struct nvs_open {
    uint32_t reserved;
};
struct nvs_close {
    uint32_t reserved;
};
struct nvs_moment {               /* data: the call's name */
    uint32_t present;             /* 1: Present, 0: readback */
    uint32_t image, face, level;  /* the surface to show; image 0: none */
    uint32_t call_low, call_high; /* call number in the capture */
};

/* Looks up the name, packet size and fields of an op; returns false if it is unknown. */
struct nvs_op_info {
    const char *name;
    size_t bytes;
    const struct cmd_field *field;
    unsigned n_fields;
};
bool nvs_op_info(unsigned op, struct nvs_op_info *out);
/* Returns a hash of all tables, so that the reader rejects files that other tables wrote. */
uint64_t nvs_tables(void);

/* --- write.c: sections and blobs -------------------------------------------------------------- */

struct nvs_bytes {
    uint8_t *data;
    size_t n, room;
};

struct nvs_file {
    FILE *file;
    enum status status; /* first failure; the writer then stops writing */
    uint64_t offset;    /* of the next section */
    struct nvs_bytes records, blobs, lengths, frames, scratch;
    uint32_t n_records, n_blobs, first_blob, n_frames;
    struct nvs_blob_entry {
        uint64_t hash;
        uint32_t number, bytes;
    } * blob_table; /* open addressing */
    size_t blob_table_size;
};

MUST_CHECK enum status nvs_file_create(struct nvs_file *file, const char *path);
void nvs_file_record(struct nvs_file *file, const struct nvs_head *head, const void *packet,
                     size_t packet_bytes, const void *data, size_t data_bytes);
/* Starts a frame. A frame depends on the earliest frame that any of its moments depends on. */
void nvs_file_frame(struct nvs_file *file);
void nvs_file_depends_on(struct nvs_file *file, uint32_t first_frame);
/* Writes the pending sections and the index, and closes the file. */
MUST_CHECK enum status nvs_file_finish(struct nvs_file *file);

/* --- frame_deps.c: which earlier frames a picture depends on ---------------------------------- */

struct nvs_frame_deps; /* one per stream */

MUST_CHECK enum status nvs_frame_deps_create(struct nvs_frame_deps **out);
void nvs_frame_deps_destroy(struct nvs_frame_deps *deps);
MUST_CHECK enum status nvs_frame_deps_resource(struct nvs_frame_deps *deps, cmd_handle handle,
                                               const struct tex_desc *image); /* NULL: a buffer */
/* Tracks a packet; returns true for a copy whose source no draw has written. */
bool nvs_frame_deps_packet(struct nvs_frame_deps *deps, uint32_t frame, enum cmd_op op,
                           const void *packet);
/* First frame whose draws the image depends on; NVS_NONE: none. */
uint32_t nvs_frame_deps_first(const struct nvs_frame_deps *deps, cmd_handle image);

/* --- state_filter.c: removal of redundant state changes --------------------------------------- */

struct nvs_state_filter; /* one per stream */

MUST_CHECK enum status nvs_state_filter_create(struct nvs_state_filter **out);
void nvs_state_filter_destroy(struct nvs_state_filter *filter);
/* Returns true if the packet repeats the current state as earlier packets set it. */
bool nvs_state_filter_is_redundant(struct nvs_state_filter *filter, enum cmd_op op,
                                   const void *packet, size_t bytes);

/* --- read.c ----------------------------------------------------------------------------------- */

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

MUST_CHECK enum status nvs_reader_open(struct nvs_reader *reader, const char *path);
MUST_CHECK enum status nvs_reader_open_memory(struct nvs_reader *reader, const void *data,
                                              size_t size);
void nvs_reader_close(struct nvs_reader *reader);
/* Reads the next record; ST_NOTFOUND at the end. nvs_reader_data loads the data of blobs. */
MUST_CHECK enum status nvs_reader_next(struct nvs_reader *reader, struct nvs_record *out);
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

#endif
