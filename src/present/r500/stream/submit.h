/* A submission to the kernel: command stream, relocations, and the buffers that they name. */
#ifndef PRESENT_R500_STREAM_SUBMIT_H
#define PRESENT_R500_STREAM_SUBMIT_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

enum r500_chip { R500_RV515, R500_R520, R500_RV530, R500_R580, R500_RV560, R500_RV570, R500_CHIPS };

/* Return NULL and R500_CHIPS for unknown values. */
const char *r500_chip_name(unsigned chip);
enum r500_chip r500_chip_by_name(const char *name);
enum r500_chip r500_chip_by_device(uint32_t pci_id);

enum {
    R500_DOMAIN_CPU = 1,
    R500_DOMAIN_GTT = 2,
    R500_DOMAIN_VRAM = 4,
    R500_KEEP_TILING = 1, /* in flags[0] */
    R500_END_OF_FRAME = 4,
    R500_SIZE_MAX = 4096,        /* of textures and targets, in pixels */
    R500_STREAM_BYTES = 1 << 20, /* kernel limit */
    R500_RELOC_DWORDS = 4,
};

struct r500_reloc {
    uint32_t handle, read_domains, write_domain, flags;
};

struct r500_submit {
    const uint32_t *stream;
    uint32_t n;
    const struct r500_reloc *relocs;
    uint32_t n_relocs;
    uint32_t flags[2];
};

struct r500_buffer {
    uint32_t handle, size; /* size in bytes */
    uint8_t *data;         /* NULL if only the size matters */
};

struct r500_memory {
    struct r500_buffer *buffers;
    unsigned n;
};

/* Returns NULL if no buffer has the handle. */
struct r500_buffer *r500_buffer(const struct r500_memory *memory, uint32_t handle);

/* Position and description of an error in a stream. */
struct r500_error {
    uint32_t at; /* dword of the packet header */
    char text[160];
};

#endif
