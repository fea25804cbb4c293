/* Writer of compiled streams: sections and blobs. */
#ifndef TRACE_STREAM_WRITE_H
#define TRACE_STREAM_WRITE_H

#include "trace/stream/format.h"

#include <stdio.h>

struct nvs_file {
    FILE *file;
    char *path;
    int error;          /* errno of a write that failed */
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
/* Writes the pending sections and the index, and closes the file. After a failure the file is
 * removed; of ST_IO errno has the reason. */
MUST_CHECK enum status nvs_file_finish(struct nvs_file *file);

#endif
