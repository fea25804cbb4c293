/* The file of a compiled stream (docs/formats.md, "Compiled streams"). All numbers are
 * little-endian. */
#ifndef TRACE_NVS_PRIVATE_H
#define TRACE_NVS_PRIVATE_H

#include "cmd/cmd.h"
#include "trace/trace.h"

#include <stdio.h>

#define NVS_MAGIC "NOVEMNVS"

enum {
    NVS_VERSION = 1,
    NVS_RATIO = 256,                  /* unpacked bytes a packed one may stand for */
    NVS_SECTION_MAX = 2 << 20,        /* unpacked, of records and blobs */
    NVS_LARGE_MAX = 1 << 30,          /* of other sections */
    NVS_OWN_SECTION_BYTES = 64 << 10, /* longer blobs have a section each */
    NVS_INLINE_BYTES = 64,            /* longer data are blobs */
    NVS_BLOB_CACHE_BYTES = 32 << 20,  /* of unpacked blobs, beside a large one */
    NVS_STREAMS = 256,
    NVS_NONE = 0xffffffff /* of a frame: needs nothing that was drawn */
};

struct nvs_header {
    char magic[8];
    uint32_t version, reserved;
    uint64_t packets;  /* hash of the tables of packets and fields */
    uint64_t checksum; /* of what comes before */
};

#define NVS_TAG(a, b, c, d) ((uint32_t)(a) | (b) << 8 | (c) << 16 | (uint32_t)(d) << 24)
enum nvs_tag {
    NVS_BLOBS = NVS_TAG('B', 'L', 'O', 'B'), /* count lengths, then the bytes, each padded to 16 */
    NVS_LARGE = NVS_TAG('B', 'I', 'G', 'B'), /* one blob, nothing else */
    NVS_RECORDS = NVS_TAG('C', 'M', 'D', 'S'), /* records */
    NVS_INDEX = NVS_TAG('I', 'N', 'D', 'X'),   /* count words: what each frame needs */
    NVS_END = NVS_TAG('D', 'O', 'N', 'E')      /* no bytes; first: offset of the index */
};

/* Followed by the packed bytes. */
struct nvs_section {
    uint32_t tag, packed, bytes, count;
    uint64_t first;    /* number of the first blob or frame, or what the tag says */
    uint64_t checksum; /* of the packed bytes, seeded with that of the fields before */
};

enum nvs_op {
#define RECORD(ID, name, value) NVS_##ID = value,
#include "trace/nvs_records.def"
#undef RECORD
    NVS_OPS
};

/* A record: the head, the packet as it is, and where there are data a word with their number of
 * bytes and then they, padded to 4, or a word with the number of a blob. */
struct nvs_head {
    uint16_t op; /* enum cmd_op or enum nvs_op */
    uint8_t flags;
    uint8_t stream;
};
enum nvs_flags {
    NVS_HAS_DATA = 1,
    NVS_HAS_BLOB = 2,
    NVS_UPLOAD = 4 /* a copy of what programs have written: also done where drawing is skipped */
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
struct nvs_create_declaration { /* data: D3DVERTEXELEMENT9, without the end */
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
struct nvs_moment {               /* data: name of the call */
    uint32_t present;             /* else a read-back */
    uint32_t image, face, level;  /* what is to be seen; image 0: nothing */
    uint32_t call_low, call_high; /* number of the call in the capture */
};

/* Name, packet size and fields of an op; false: there is no such. */
struct nvs_op_info {
    const char *name;
    size_t bytes;
    const struct cmd_field *field;
    unsigned n_fields;
};
bool nvs_op_info(unsigned op, struct nvs_op_info *out);
/* Hash of all tables, so that a file of other tables is not misread. */
uint64_t nvs_tables(void);

/* --- nvs_write.c: sections and blobs ---------------------------------------------------------- */

struct nvs_bytes {
    uint8_t *data;
    size_t n, room;
};

struct nvs_file {
    FILE *file;
    enum status status; /* the first failure; after it nothing is written */
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
/* A frame begins; what it needs is the least of what its pictures need. */
void nvs_file_frame(struct nvs_file *file);
void nvs_file_depends_on(struct nvs_file *file, uint32_t first_frame);
/* Writes what is left, and closes. */
MUST_CHECK enum status nvs_file_finish(struct nvs_file *file);

/* --- nvs_frame_deps.c: what pictures depend on --------------------------------------------- */

struct nvs_frame_deps; /* of one stream */

MUST_CHECK enum status nvs_frame_deps_create(struct nvs_frame_deps **out);
void nvs_frame_deps_destroy(struct nvs_frame_deps *deps);
MUST_CHECK enum status nvs_frame_deps_resource(struct nvs_frame_deps *deps, cmd_handle handle,
                                               const struct tex_desc *image); /* NULL: no image */
/* True for a copy that depends on nothing drawn. */
bool nvs_frame_deps_packet(struct nvs_frame_deps *deps, uint32_t frame, enum cmd_op op,
                           const void *packet);
/* First frame whose drawing the image depends on; NVS_NONE. */
uint32_t nvs_frame_deps_first(const struct nvs_frame_deps *deps, cmd_handle image);

/* --- nvs_state_filter.c: state that is set to what it is already -------------------------- */

struct nvs_state_filter; /* of one stream */

MUST_CHECK enum status nvs_state_filter_create(struct nvs_state_filter **out);
void nvs_state_filter_destroy(struct nvs_state_filter *filter);
/* True where the packet changes nothing, as far as packets before it tell. */
bool nvs_state_filter_is_redundant(struct nvs_state_filter *filter, enum cmd_op op,
                                   const void *packet, size_t bytes);

/* --- nvs_read.c ------------------------------------------------------------------------------- */

struct nvs_blob {
    uint32_t section; /* index of its section */
    uint32_t at, bytes;
};

/* A section of blobs. */
struct nvs_packed {
    uint64_t offset; /* of its header */
    struct nvs_section head;
    uint8_t *data; /* unpacked; NULL: not */
    uint32_t next; /* the section that was unpacked after it */
};

struct nvs_record {
    struct nvs_head head;
    const struct nvs_op_info *info;
    _Alignas(8) uint8_t packet[2048];
    const uint8_t *data;       /* borrowed until the next record */
    uint32_t data_bytes, blob; /* blob: NVS_NONE where it is none */
    uint64_t offset;           /* of the section, for messages */
    uint32_t at;
};

struct nvs_reader {
    FILE *file;
    const uint8_t *memory; /* instead of a file */
    uint64_t size, offset; /* offset: of the next section */
    struct trace_error error;
    struct nvs_packed *packed; /* sections of blobs */
    uint32_t n_packed, room_packed;
    struct nvs_blob *blobs;
    uint32_t n_blobs, room_blobs;
    struct nvs_blob_cache { /* unpacked sections, one after another in memory that is used again */
        void *block;
        uint8_t *memory;         /* in the block */
        size_t at;               /* where the next one goes */
        uint32_t oldest, newest; /* NVS_NONE: none */
        struct nvs_bytes large;  /* one that is too long for it */
        uint32_t large_section;  /* NVS_NONE: none */
    } cache;
    struct nvs_section section; /* the open one of records */
    uint64_t section_at;
    struct nvs_bytes records, scratch; /* scratch: packed bytes on their way */
    struct ZSTD_DCtx_s *unpacker;
    size_t at;
    uint32_t *first_frame; /* of each frame */
    uint32_t n_frames;
    bool has_index;
    struct nvs_op_info ops[NVS_OPS]; /* by number; name NULL where there is none */
};

MUST_CHECK enum status nvs_reader_open(struct nvs_reader *reader, const char *path);
MUST_CHECK enum status nvs_reader_open_memory(struct nvs_reader *reader, const void *data,
                                              size_t size);
void nvs_reader_close(struct nvs_reader *reader);
/* The next record; ST_NOTFOUND at the end. Data of blobs are fetched by nvs_reader_data. */
MUST_CHECK enum status nvs_reader_next(struct nvs_reader *reader, struct nvs_record *out);
/* Room for n bytes, whose contents are lost. */
bool nvs_reserve(struct nvs_bytes *bytes, size_t n);
/* A section's contents, to memory of head->bytes. */
MUST_CHECK enum status nvs_reader_unpack(struct nvs_reader *reader, uint64_t offset,
                                         const struct nvs_section *head, uint8_t *to);
enum status nvs_reader_fail(struct nvs_reader *reader, enum status st, uint64_t section,
                            uint64_t at, const char *format, ...) PRINTF_LIKE(5, 6);

/* --- nvs_blobs.c ------------------------------------------------------------------------------ */

void nvs_blobs_init(struct nvs_reader *reader);
void nvs_blobs_end(struct nvs_reader *reader);
/* A section of blobs comes at offset. */
MUST_CHECK enum status nvs_blobs_add(struct nvs_reader *reader, uint64_t offset,
                                     const struct nvs_section *head);
/* Sees to it that out->data is there, also of a blob. */
MUST_CHECK enum status nvs_reader_data(struct nvs_reader *reader, struct nvs_record *record);
/* The same, into memory of data_bytes; it may be written where this fails. */
MUST_CHECK enum status nvs_reader_data_to(struct nvs_reader *reader, struct nvs_record *record,
                                          uint8_t *to);

#endif
