/* What goes to the kernel: a stream, its relocations, and the buffers they name. */
#ifndef PRESENT_R500_SUBMIT_H
#define PRESENT_R500_SUBMIT_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

enum r500_chip { R500_RV515, R500_R520, R500_RV530, R500_R580, R500_RV560, R500_RV570, R500_CHIPS };

/* NULL and R500_CHIPS where there is none. */
const char *r500_chip_name(unsigned chip);
enum r500_chip r500_chip_by_name(const char *name);
enum r500_chip r500_chip_by_device(uint32_t pci_id);

enum {
    R500_DOMAIN_CPU = 1,
    R500_DOMAIN_GTT = 2,
    R500_DOMAIN_VRAM = 4,
    R500_KEEP_TILING = 1, /* of flags[0] */
    R500_END_OF_FRAME = 4,
    R500_SIZE_MAX = 4096,        /* of textures and targets, in pixels */
    R500_STREAM_BYTES = 1 << 20, /* that the kernel takes at most */
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
    uint32_t handle, size; /* bytes */
    uint8_t *data;         /* may be NULL where only sizes matter */
};

struct r500_memory {
    struct r500_buffer *buffers;
    unsigned n;
};

/* NULL where no buffer has the handle. */
struct r500_buffer *r500_buffer(const struct r500_memory *memory, uint32_t handle);

/* Where in a stream something is wrong. */
struct r500_error {
    uint32_t at; /* dword of the packet's header */
    char text[160];
};

/* Whether a stream may write the register at a byte offset without further rules. */
bool r500_is_allowed(uint32_t reg);

/* Whether the radeon driver of Linux would take it, by its rules (docs/r500.md). ST_INVALID:
 * *error tells why not. */
MUST_CHECK enum status r500_check(const struct r500_submit *submit,
                                  const struct r500_memory *memory, enum r500_chip chip,
                                  struct r500_error *error);

#endif
