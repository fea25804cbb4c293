/* Recording of one call: method descriptors, parameter kinds, and the hooks of calls with side
 * effects. */
#ifndef RECORD_CALL_H
#define RECORD_CALL_H

#include "record/record.h"
#include "record/types.h"
#include "record/writer.h"

/* args: `this` first if there is one, 64 bits each. */
typedef void record_write(struct writer *w, const uint64_t *args);
typedef void record_hook(const uint64_t *args, uint64_t result);

enum record_param_kind {
    PARAM_VALUE,     /* the argument itself */
    PARAM_POINTER,   /* a pointer, written as an array of its one pointee */
    PARAM_REFERENCE, /* the pointee of a reference */
    PARAM_LIST,      /* `times` elements, times argument count_arg unless that is 0 */
    PARAM_CUSTOM,    /* `write` writes it */
};

struct record_param {
    const char *name;
    enum record_param_kind kind;
    bool output; /* out parameter: written only if the call succeeded */
    unsigned char count_arg;
    unsigned short times;
    struct record_type *type;
    record_write *write;
};

struct record_method {
    const char *name;
    const struct record_param *params;
    unsigned count;
    bool fake;
    bool output;                /* has out parameters; set with its signature */
    struct record_type *result; /* NULL: void */
    unsigned epoch, id;         /* see struct record_type */
};

/* Initialisers for tables of parameters. */
#define VALUE(t) .kind = PARAM_VALUE, .type = &record_##t
#define VALUE_OUT(t) VALUE(t), .output = true
#define POINTS(t) .kind = PARAM_POINTER, .type = &record_##t
#define POINTS_OUT(t) POINTS(t), .output = true
#define REFERS(t) .kind = PARAM_REFERENCE, .type = &record_##t
#define LIST(t, arg, n) .kind = PARAM_LIST, .type = &record_##t, .count_arg = arg, .times = n
#define LIST_OUT(t, arg, n) LIST(t, arg, n), .output = true
#define BY(function) .kind = PARAM_CUSTOM, .write = record_put_##function
#define BY_OUT(function) BY(function), .output = true

/* --- call.c ----------------------------------------------------------------------------------- */

/* Creates the capture. Logs a file that cannot be created. */
void record_start(const char *path);
/* Ends the capture; false if there was none. */
bool record_stop(void);
/* As record_stop; false: not all could be written. */
bool record_finish(uint64_t *calls);
bool record_is_on(void);
/* Tells the function of record_on_present. */
void record_tell_presented(const void *presenter);
/* Records a call after its return: in arguments, result, out arguments. */
void record_call(struct record_method *method, const uint64_t *args, uint64_t result);
/* Writes all recorded calls to the file. */
void record_flush(void);
/* While it is set, the recording methods of this thread write made-up calls (record.h). */
extern _Thread_local bool record_made_up;
/* Returns the original vtable of a class; NULL before its first object exists. */
const void *record_real(enum record_class class);
void record_set_real(enum record_class class, const void *real);

static inline void *record_pointer(uint64_t arg)
{
    return (void *)(uintptr_t)arg;
}

/* --- methods.c -------------------------------------------------------------------------------- */

/* Recording vtables by class. */
extern const void *const record_tables[RECORD_CLASS_COUNT];

/* --- special.c: writers for values that depend on other arguments ----------------------------- */

record_write record_put_byte_code, record_put_elements, record_put_declaration, record_put_vertices,
    record_put_indices, record_put_indexed_vertices, record_put_render_state,
    record_put_render_state_at, record_put_stage_state, record_put_stage_state_at,
    record_put_sampler_state, record_put_sampler_state_at, record_put_answer,
    record_put_shared_memory;

/* --- locks.c: a successful lock is noted, Unlock records the memory contents ------------------ */

record_hook record_vertices_locked, record_indices_locked, record_surface_locked,
    record_volume_locked, record_texture_locked, record_cube_locked, record_volumes_locked;
record_hook record_object_unlocks, record_texture_unlocks, record_cube_unlocks,
    record_volumes_unlocks;
void record_forget_locks(void);

#endif
