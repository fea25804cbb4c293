/* File format of compiled streams (docs/formats.md, "Compiled streams"): sections, records and
 * their tables. All numbers are little-endian. */
#ifndef TRACE_STREAM_FORMAT_H
#define TRACE_STREAM_FORMAT_H

#include "cmd/cmd.h"
#include "util/status.h"

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

/* Growable memory of the reader and the writer. */
struct nvs_bytes {
    uint8_t *data;
    size_t n, room;
};

#endif
