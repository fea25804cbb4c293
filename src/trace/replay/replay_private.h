/* Private declarations of the replayer: object map, locked regions, call bindings, arguments. */
#ifndef TRACE_REPLAY_REPLAY_PRIVATE_H
#define TRACE_REPLAY_REPLAY_PRIVATE_H

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "tex/format.h"
#include "trace/trace.h"

/* Result of a handler that did not execute its call; the handler has logged the reason. */
#define REPLAY_SKIPPED ((HRESULT)0x0badca11)

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

/* A locked region: its address and pitch in the recorded process, and its memory here. */
struct region {
    const struct object *object;
    uint32_t part; /* face * 16 + level; 0 otherwise */
    uint64_t traced, traced_size;
    uint64_t traced_pitch, traced_slice;
    uint8_t *real; /* NULL: not writable (READONLY) */
    uint64_t real_pitch, real_slice;
    uint64_t row_bytes, rows, slices;
};

struct replay_window {
    uint64_t traced;
    HWND window;
};

struct method;

/* Binding of a recorded function to a method, looked up by name once per function. */
struct binding {
    const struct method *method; /* NULL: unknown */
    uint32_t kinds;              /* mask of valid object kinds for `this` */
    bool bound;
};

struct replay {
    struct trace_reader *reader;
    struct replay_options options;
    struct replay_stats stats;
    struct object_map objects;
    struct binding *bindings; /* indexed by trace_function.index */
    uint32_t binding_count;
    struct region *regions;
    size_t region_count, region_room;
    struct replay_window *windows;
    size_t window_count;
    uint8_t *scratch;
    size_t scratch_size;
    uint64_t warnings;
    bool lost, stopped;
    /* Source of the picture while on_moment runs. */
    struct object *moment_device, *moment_chain;
};

/* A call being replayed. */
struct replay_call {
    struct replay *replay;
    const struct trace_call *call;
    struct object *self; /* NULL for a plain function */
};

typedef HRESULT handler_fn(struct replay_call *q);

enum method_flags {
    METHOD_EX = 1,       /* 9Ex interfaces only */
    METHOD_PRESENT = 2,  /* ends a frame */
    METHOD_READBACK = 4, /* has a picture afterwards */
    METHOD_DRAW = 8,
};

struct method {
    uint32_t kinds; /* 0: a plain function */
    const char *name;
    handler_fn *run; /* NULL: known and deliberately ignored */
    unsigned flags;
};

/* Finds the method for a recorded name such as "IDirect3DDevice9Ex::Present"; NULL if unknown. */
const struct method *method_find(const char *name);

void replay_warn(struct replay *r, const struct trace_call *call, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Lowers the multisampling after a failure `hr` and warns. Returns false at the lowest type. */
bool replay_lower_samples(struct replay_call *q, D3DMULTISAMPLE_TYPE *type, DWORD *quality,
                          HRESULT hr);
/* Warns why the call is skipped; returns REPLAY_SKIPPED. */
HRESULT replay_call_skip(struct replay_call *q, const char *format, ...) PRINTF_LIKE(2, 3);
/* Allocates memory that lives until the next call; NULL if out of memory. */
void *replay_scratch(struct replay *r, size_t size);
HWND replay_window_for(struct replay *r, uint64_t traced, uint32_t width, uint32_t height);
void replay_windows_fini(struct replay *r);

/* --- args.c: recorded values as C arguments --------------------------------------------------- */

/* Returns argument i; a TRACE_MISSING value if the call has fewer. */
const struct trace_value *arg(const struct replay_call *q, unsigned i);
static inline uint32_t arg_u32(const struct replay_call *q, unsigned i)
{
    return (uint32_t)trace_number(arg(q, i));
}
float arg_float(const struct replay_call *q, unsigned i);
/* Returns the single element of a pointer argument; NULL for a null pointer. */
const struct trace_value *value_pointee(const struct trace_value *value);
/* Flattens all numbers of a value to 32-bit words in order. Returns their count; writes at most n.
 * A struct whose members all have 32 bits gets its memory layout. */
size_t value_words(const struct trace_value *value, uint32_t *out, size_t n);
/* Reads a pointer to a struct of n words: returns NULL for null, else out. Sets *ok to false if the
 * argument is neither. */
void *arg_words(const struct replay_call *q, unsigned i, void *out, size_t n, bool *ok);
/* Reads a counted array of 32-bit words into scratch memory; NULL if it is null or has fewer than
 * n. */
uint32_t *arg_array(const struct replay_call *q, unsigned i, size_t n);
/* Returns the bytes of a blob or of a REPR's blob; NULL for null or another kind. */
const uint8_t *arg_blob(const struct replay_call *q, unsigned i, uint32_t *size);
/* Looks up an object argument of the given kinds; NULL where the program passed null. Returns false
 * after a warning if the object is unknown, destroyed or of another kind. */
bool arg_object(struct replay_call *q, unsigned i, uint32_t kinds, void *out);
/* Returns the recorded address in an out argument; 0 if missing or null. */
uint64_t arg_out_address(const struct replay_call *q, unsigned i);
/* Returns whether the program passed a null out pointer. */
bool arg_out_null(const struct replay_call *q, unsigned i);

/* --- objects.c -------------------------------------------------------------------------------- */

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

/* --- memory.c --------------------------------------------------------------------------------- */

/* Copies bytes recorded at an address into the locked region that contains it. */
void memory_upload(struct replay *r, const struct trace_call *call, uint64_t to,
                   const uint8_t *bytes, size_t size);
/* Ends the regions of an object that was unlocked or destroyed. part -1: all parts. */
void memory_remove_regions(struct replay *r, const struct object *object, int64_t part);
/* Registers a locked region; ST_NOMEM on failure. */
MUST_CHECK enum status memory_add_region(struct replay *r, const struct region *region);

/* --- Handlers --------------------------------------------------------------------------------- */
#define METHOD(kinds, name, handler, flags) handler_fn replay_##handler;
#define IGNORED(kinds, name)
#include "trace/replay/methods.def"
#undef METHOD
#undef IGNORED

#endif
