/* Object map of a replay: recorded addresses, and the live objects that stand for them. */
#ifndef TRACE_REPLAY_OBJECTS_H
#define TRACE_REPLAY_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay;
struct replay_call;

enum object_kind {
    OBJ_NONE,
    OBJ_D3D,
    OBJ_DEVICE,
    OBJ_SWAP_CHAIN,
    OBJ_SURFACE,
    OBJ_TEXTURE,
    OBJ_CUBE,
    OBJ_VOLUME_TEXTURE,
    OBJ_VOLUME,
    OBJ_VERTEX_BUFFER,
    OBJ_INDEX_BUFFER,
    OBJ_VERTEX_SHADER,
    OBJ_PIXEL_SHADER,
    OBJ_DECLARATION,
    OBJ_STATE_BLOCK,
    OBJ_QUERY,
    OBJ_KIND_COUNT
};

/* Bit masks of object kinds. */
#define KIND(k) (1u << OBJ_##k)
#define KINDS_TEXTURE (KIND(TEXTURE) | KIND(CUBE) | KIND(VOLUME_TEXTURE))
#define KINDS_RESOURCE (KINDS_TEXTURE | KIND(SURFACE) | KIND(VERTEX_BUFFER) | KIND(INDEX_BUFFER))
#define KINDS_ALL (((1u << OBJ_KIND_COUNT) - 1) & ~1u)

/* Implicit objects: the device creates them, and recreates them at Reset. */
enum object_origin { ORIGIN_OTHER, ORIGIN_BACK_BUFFER, ORIGIN_DEPTH, ORIGIN_SWAP_CHAIN };

/* Maps an address of the recorded process to a live object. Entries are only overwritten, never
 * removed: a program may keep using implicit surfaces and texture levels after its last Release. */
struct object {
    uint64_t address;
    enum object_kind kind;
    bool ex;               /* supports the 9Ex interface */
    bool pinned;           /* the replayer holds one reference that the program does not */
    uint32_t refs;         /* references held on behalf of the program */
    void *iface;           /* NULL: destroyed */
    struct object *device; /* NULL for an IDirect3D9 */
    struct object *parent; /* owner: texture of a level, swap chain of a back buffer, else the
                            * device */
    struct object *children, *sibling;
    enum object_origin origin;
    uint32_t chain, index; /* swap chain and back buffer indices, by origin */
    void *auto_depth;      /* device: its automatic depth surface, only for comparison */
    void *user_memory;     /* memory of a D3DPOOL_SYSTEMMEM texture over application memory */
    struct object *next;   /* list of all objects of the replay */
};

struct object_map {
    struct object **slots; /* open addressing; size is a power of two */
    size_t size, used;
    struct object *all;
};

/* Looks up an object argument of the given kinds; NULL where the program passed null. Returns false
 * after a warning if the object is unknown, destroyed or of another kind. */
bool arg_object(struct replay_call *q, unsigned i, uint32_t kinds, void *out);
struct object *object_find(struct replay *r, uint64_t address);
/* Maps the address to iface and takes over one reference from the caller. parent may be NULL.
 * Returns NULL if out of memory, after releasing that reference. */
struct object *object_register(struct replay *r, uint64_t address, enum object_kind kind,
                               void *iface, struct object *device, struct object *parent);
/* Registers the interface of out argument i; releases it if the capture has no address for it. */
struct object *replay_call_out(struct replay_call *q, unsigned i, enum object_kind kind,
                               void *iface, struct object *parent);
void object_add_ref(struct object *o);
void object_release(struct replay *r, struct object *o);
void objects_fini(struct replay *r);
/* Release the implicit surfaces before a Reset, and look up their successors after it. */
void objects_before_reset(struct replay *r, struct object *device);
void objects_after_reset(struct replay *r, struct object *device);

#endif
