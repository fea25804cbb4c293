/* The calls that bring a new device to the state of a device in use. Private to the module. */
#ifndef API_CAPTURE_SNAPSHOT_H
#define API_CAPTURE_SNAPSHOT_H

#include "api/com/device.h"
#include "api/state/state.h"

struct snapshot {
    struct device *device;
    IDirect3DDevice9Ex *iface;
    const IDirect3DDevice9ExVtbl *to; /* methods that record only */
    void *spare;                      /* an address that no object has, for temporary ones */
    struct state there;               /* state of the new device so far */
    bool failed;                      /* memory ran out */
};

/* --- objects.c -------------------------------------------------------------------------------- */

/* Recording methods of an object. */
static inline const void *snapshot_methods(const struct object *obj)
{
    return record_methods(obj->class->record, obj->class->vtbl);
}
/* Whether SetFVF made the object. */
bool api_snapshot_is_fvf(const struct object *obj);
/* Writes all objects but state blocks, with their contents. */
void api_snapshot_objects(struct snapshot *s);
/* Gives the objects the number of references that the program has; after all uses. */
void api_snapshot_references(struct snapshot *s);

/* --- contents.c ------------------------------------------------------------------------------- */

/* Logs that the capture lacks something. */
void api_snapshot_lacks(const char *what);
struct texture;
struct surface;
struct buffer;
void api_snapshot_texture(struct snapshot *s, struct texture *texture);
void api_snapshot_surface(struct snapshot *s, struct surface *surface);
void api_snapshot_buffer(struct snapshot *s, struct buffer *buffer);

/* --- values.c --------------------------------------------------------------------------------- */

/* Writes the calls of a device that is idle between two frames: objects, state blocks, targets and
 * state. ST_NOMEM: not all of them. */
MUST_CHECK enum status api_snapshot_put(struct device *device);

#endif
