/* Calls that make the changes of a draw before it, and undo them after it. */
#ifndef TOOL_EDIT_CALLS_H
#define TOOL_EDIT_CALLS_H

#include "tool/edit/change.h"
#include "trace/trace.h"

/* A call with the memory of what it points to. */
struct edit_call {
    struct trace_call call;
    struct trace_function function;
    char name[48];
    struct trace_value args[4], items[4];
    struct trace_names type[2];
    struct trace_name value[2];
    char text[2][48];
};

/* Zeroed before edit_calls_make. */
struct edit_calls {
    struct edit_call *call; /* n_before calls, then n_after calls */
    unsigned n_before, n_after;
    uint32_t *code; /* of shaders that have to be created again */
    uint32_t *other_code;
};

/* Makes the calls for a draw of the replay, which has not been executed yet. Those before it are
 * executed, so that the draw is drawn with the changes. The edit outlives the calls. False: `error`
 * says why in one line; a state may have been changed. */
bool edit_calls_make(struct edit_calls *out, const struct edit *edit, struct replay *replay,
                     const struct trace_call *draw, char error[EDIT_TEXT]);
/* Executes those after the draw, for a replay that goes on. */
bool edit_calls_undo(const struct edit_calls *calls, struct replay *replay, char error[EDIT_TEXT]);
void edit_calls_fini(struct edit_calls *calls);

#endif
