/* What a draw reads of vertex and index buffers. Private to device. */
#ifndef API_DEVICE_BUFFER_READS_H
#define API_DEVICE_BUFFER_READS_H

#include "api/com/device.h"

/* The vertices of a draw or of ProcessVertices. */
struct buffer_reads {
    unsigned first_stream;    /* 1: stream 0 and the indices are user memory */
    bool indexed;             /* the vertices are named by the index buffer, else 0, 1, 2 ... */
    uint32_t start_index, n;  /* the first index; the number of vertices or indices */
    const void *user_indices; /* instead of the index buffer; NULL: none */
    uint32_t index_bytes;     /* of user_indices: 2 or 4 */
    int64_t base;             /* added to each vertex */
};

/* Before the packet: buffers that draws read when they are called (reference: locks/read-time) are
 * brought to the renderer. Waits for nothing. */
HRESULT api_before_buffer_reads(struct device *d, const struct buffer_reads *reads);

#endif
