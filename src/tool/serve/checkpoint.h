/* Going back in a process: a fork keeps the state of a moment, so that what follows can be done
 * again. */
#ifndef TOOL_SERVE_CHECKPOINT_H
#define TOOL_SERVE_CHECKPOINT_H

#include <stddef.h>

struct checkpoint {
    void *state;
    size_t n;
    int back; /* pipe to the process that waits */
};

/* Returns in a child, while this process waits. Returns again, in another child, after
 * checkpoint_return, with the bytes of `state` that were handed over. When a child ends otherwise,
 * this process ends in the same way. On lack of memory the process ends with status 1. */
void checkpoint_set(struct checkpoint *c, void *state, size_t n);
/* Ends this process; goes back to checkpoint_set with the present bytes of its state. */
_Noreturn void checkpoint_return(const struct checkpoint *c);

#endif
