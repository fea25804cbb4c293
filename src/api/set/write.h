/* How Set methods write: to the device, or to the state block that is recorded. For the modules set
 * and capture. */
#ifndef API_SET_WRITE_H
#define API_SET_WRITE_H

#include "api/set/set.h"

struct stateblock {
    struct object base;
    bool created; /* by CreateStateBlock: Capture keeps the stream offsets */
    bool all_lights;
    struct slot_set slots; /* slots that the block contains */
    struct state state;
};

/* Returns the state that Set* writes: the recorded block, which then contains the slot, or the
 * device's. */
static inline struct state *writable(struct device *d, unsigned slot)
{
    if (!d->recording)
        return d->state;
    slot_add(&d->recording->slots, slot);
    return &d->recording->state;
}

/* Follows every write: emits the slot unless the write went to a recorded block. */
static inline HRESULT written(struct device *d, const struct state *s, unsigned slot)
{
    return s == d->state ? api_emit_slot(d, slot) : D3D_OK;
}

#endif
