/* Chip names and ids, and buffer lookup. */
#include "present/r500/stream/submit.h"

#include <stddef.h>
#include <strings.h>

static const char *const names[R500_CHIPS] = {"RV515", "R520", "RV530", "R580", "RV560", "RV570"};

const char *r500_chip_name(unsigned chip)
{
    return chip < R500_CHIPS ? names[chip] : NULL;
}

enum r500_chip r500_chip_by_name(const char *name)
{
    for (unsigned i = 0; i < R500_CHIPS; i++)
        if (!strcasecmp(names[i], name))
            return (enum r500_chip)i;
    return R500_CHIPS;
}

/* The ids of a chip are contiguous, except those between RV560, RV570 and one of R580. */
enum r500_chip r500_chip_by_device(uint32_t pci_id)
{
    static const struct {
        uint16_t first, last;
        enum r500_chip chip;
    } ids[] = {
        {0x7100, 0x710f, R500_R520},  {0x7140, 0x715f, R500_RV515}, {0x7180, 0x719f, R500_RV515},
        {0x71c0, 0x71de, R500_RV530}, {0x7200, 0x7211, R500_RV515}, {0x7240, 0x724f, R500_R580},
        {0x7280, 0x7280, R500_RV570}, {0x7281, 0x7283, R500_RV560}, {0x7284, 0x7284, R500_R580},
        {0x7287, 0x7287, R500_RV560}, {0x7288, 0x728c, R500_RV570}, {0x7290, 0x7297, R500_RV560},
    };

    for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        if (pci_id >= ids[i].first && pci_id <= ids[i].last)
            return ids[i].chip;
    return R500_CHIPS;
}

struct r500_buffer *r500_buffer(const struct r500_memory *memory, uint32_t handle)
{
    for (unsigned i = 0; i < memory->n; i++)
        if (memory->buffers[i].handle == handle)
            return &memory->buffers[i];
    return NULL;
}
