/* What the files of the replayer share. */
#ifndef TRACE_REPLAY_PRIVATE_H
#define TRACE_REPLAY_PRIVATE_H

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "tex/format.h"
#include "trace/trace.h"

/* What a handler answers for a call that it did not pass on; it has said why. */
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

/* Sets of kinds. */
#define KIND(k) (1u << OBJ_##k)
#define KINDS_TEXTURE (KIND(TEXTURE) | KIND(CUBE) | KIND(VOLUME_TEXTURE))
#define KINDS_ALL (((1u << OBJ_KIND_COUNT) - 1) & ~1u)

/* Objects that the device makes by itself and makes anew at Reset. */
enum object_origin { ORIGIN_OTHER, ORIGIN_BACK_BUFFER, ORIGIN_DEPTH, ORIGIN_SWAP_CHAIN };

/* An address of the recorded process and the object of ours that stands for it. Entries are never
 * removed, only overwritten: a program may go on using implicit surfaces, and levels of a texture,
 * after it has released its last reference. */
struct object {
    uint64_t address;
    enum object_kind kind;
    bool ex;               /* has the methods of the 9Ex interface */
    bool pinned;           /* we hold one reference that the program does not */
    uint32_t refs;         /* references we hold because the program does */
    void *iface;           /* NULL: gone */
    struct object *device; /* NULL for a D3D */
    struct object *parent; /* the texture of a level, the chain of a buffer, the device of those */
    struct object *children, *sibling;
    enum object_origin origin;
    uint32_t chain, index; /* swap chain and back buffer, by origin */
    void *auto_depth;      /* of a device: its own depth surface, for comparison only */
    void *user_memory;     /* of a D3DPOOL_SYSTEMMEM texture over the program's memory */
    struct object *next;   /* all objects of the replay */
};

struct object_map {
    struct object **slots; /* open addressing, power of two */
    size_t size, used;
    struct object *all;
};

/* A lock in force: where the program saw the memory, and where ours is. */
struct region {
    const struct object *object;
    uint32_t part; /* face * 16 + level; 0 for the rest */
    uint64_t traced, traced_size;
    uint64_t traced_pitch, traced_slice;
    uint8_t *real; /* NULL: nothing may be written (READONLY) */
    uint64_t real_pitch, real_slice;
    uint64_t row_bytes, rows, slices;
};

struct replay_window {
    uint64_t traced;
    HWND window;
};

struct method;

/* What a function of the capture is to us; found by name once. */
struct binding {
    const struct method *method; /* NULL: not known */
    uint32_t kinds;              /* of objects it may be called on */
    bool bound;
};

struct replay {
    struct trace_reader *reader;
    struct replay_options options;
    struct replay_stats stats;
    struct object_map objects;
    struct binding *bindings; /* by trace_function.index */
    uint32_t binding_count;
    struct region *regions;
    size_t region_count, region_room;
    struct replay_window *windows;
    size_t window_count;
    uint8_t *scratch;
    size_t scratch_size;
    uint64_t warnings;
    bool lost, stopped;
    /* The picture of the moment being announced. */
    struct object *moment_device, *moment_chain;
};

/* A call on its way. */
struct replay_call {
    struct replay *replay;
    const struct trace_call *call;
    struct object *self; /* NULL for plain functions */
};

typedef HRESULT handler_fn(struct replay_call *q);

enum method_flags {
    METHOD_EX = 1,       /* exists on 9Ex interfaces only */
    METHOD_PRESENT = 2,  /* ends a frame */
    METHOD_READBACK = 4, /* shows a picture afterwards */
    METHOD_DRAW = 8,
};

struct method {
    uint32_t kinds; /* 0: a plain function */
    const char *name;
    handler_fn *run; /* NULL: known, and left out on purpose */
    unsigned flags;
};

/* The method for a recorded name such as "IDirect3DDevice9Ex::Present"; NULL if unknown. */
const struct method *method_find(const char *name);

void replay_warn(struct replay *r, const struct trace_call *call, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* After a refusal of `hr`: the next less demanding multisampling to try, with a warning; false:
 * there is none. */
bool replay_lower_samples(struct replay_call *q, D3DMULTISAMPLE_TYPE *type, DWORD *quality,
                          HRESULT hr);
/* Says why a call is left out; returns REPLAY_SKIPPED. */
HRESULT replay_call_skip(struct replay_call *q, const char *format, ...) PRINTF_LIKE(2, 3);
/* Memory until the next call; NULL when short. */
void *replay_scratch(struct replay *r, size_t size);
HWND replay_window_for(struct replay *r, uint64_t traced, uint32_t width, uint32_t height);
void replay_windows_fini(struct replay *r);

/* --- replay_args.c: values as C arguments ----------------------------------------------------- */

/* Argument i; a missing one where the call has fewer. */
const struct trace_value *arg(const struct replay_call *q, unsigned i);
static inline uint32_t arg_u32(const struct replay_call *q, unsigned i)
{
    return (uint32_t)trace_number(arg(q, i));
}
float arg_float(const struct replay_call *q, unsigned i);
/* The single element of a pointer argument; NULL for a null pointer. */
const struct trace_value *value_pointee(const struct trace_value *value);
/* All numbers inside a value, in order, as 32-bit words; returns how many there are, of which at
 * most n are written. Structures whose members all have 32 bits come out as in memory. */
size_t value_words(const struct trace_value *value, uint32_t *out, size_t n);
/* A pointer to a structure of n words: NULL for null, else out filled. *ok false if it is not one.
 */
void *arg_words(const struct replay_call *q, unsigned i, void *out, size_t n, bool *ok);
/* A counted array of 32-bit words in scratch memory; NULL if it is null, or has fewer than n. */
uint32_t *arg_array(const struct replay_call *q, unsigned i, size_t n);
/* The bytes of a blob or of a REPR's blob; NULL for null or another kind. */
const uint8_t *arg_blob(const struct replay_call *q, unsigned i, uint32_t *size);
/* An object of one of the kinds, or NULL where the program passed null; false (and said why) where
 * it is unknown, gone or of another kind. */
bool arg_object(struct replay_call *q, unsigned i, uint32_t kinds, void *out);
/* The address in an out argument: 0 if missing or null. */
uint64_t arg_out_address(const struct replay_call *q, unsigned i);
/* True if the program passed a null out pointer. */
bool arg_out_null(const struct replay_call *q, unsigned i);

/* --- replay_objects.c ------------------------------------------------------------------------- */

struct object *object_find(struct replay *r, uint64_t address);
/* `iface`, of which the caller hands over one reference, now stands for the address. parent may be
 * NULL. NULL when memory is short (the reference is released). */
struct object *object_register(struct replay *r, uint64_t address, enum object_kind kind,
                               void *iface, struct object *device, struct object *parent);
/* Registers what a call put into out argument i; drops it where nothing was recorded there. */
struct object *replay_call_out(struct replay_call *q, unsigned i, enum object_kind kind,
                               void *iface, struct object *parent);
void object_add_ref(struct object *o);
void object_release(struct replay *r, struct object *o);
void objects_fini(struct replay *r);
/* Around a Reset: lets go of the device's own surfaces, and finds their successors. */
void objects_before_reset(struct replay *r, struct object *device);
void objects_after_reset(struct replay *r, struct object *device);

/* --- replay_memory.c -------------------------------------------------------------------------- */

/* Copies bytes recorded at an address into the locked region there. */
void memory_upload(struct replay *r, const struct trace_call *call, uint64_t to,
                   const uint8_t *bytes, size_t size);
/* An object went away or was unlocked: its regions end. part -1: all. */
void memory_remove_regions(struct replay *r, const struct object *object, int64_t part);
/* Notes a lock; ST_NOMEM. */
MUST_CHECK enum status memory_add_region(struct replay *r, const struct region *region);

/* --- replay_picture.c ------------------------------------------------------------------------- */

/* The surface that the moment shows: back buffer 0 of the chain being presented, else render target
 * 0; the caller releases it. */
IDirect3DSurface9 *replay_moment_surface(struct replay *r);
/* Of formats that hold no picture. */
bool replay_shows_nothing(D3DFORMAT format);
/* Rows of pixels of a format as a picture; format may be NULL. */
MUST_CHECK enum status picture_convert(const struct tex_format *format, uint32_t width,
                                       uint32_t height, const uint8_t *rows, size_t pitch,
                                       struct replay_picture *out);

/* --- Handlers --------------------------------------------------------------------------------- */
#define METHOD(kinds, name, handler, flags) handler_fn replay_##handler;
#define IGNORED(kinds, name)
#include "trace/replay_methods.def"
#undef METHOD
#undef IGNORED

#endif
