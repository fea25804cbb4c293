/* Code of a function whose registers are allocated: loops over vectors, control flow, and where
 * moves of values stand. The machine emits the single steps. */
#ifndef IR_MACHINE_FLOW_H
#define IR_MACHINE_FLOW_H

#include "ir/machine/allocate.h"
#include "ir/machine/code.h"

#include <stddef.h>
#include <stdint.h>

/* Conditions of jumps, on the last test. */
enum machine_condition { MACHINE_IF_NONE, MACHINE_IF_ANY, MACHINE_ALWAYS };

/* How a machine emits the steps, given its own state. Positions are bytes of code. */
struct machine_emitter {
    size_t (*position)(void *machine);
    void (*rewind)(void *machine, size_t position); /* drops the code behind it */

    /* Loops over vectors: before the loop; the head of a round, whose first instruction is i; the
     * end of a round of `step` lanes, which jumps to the head while lanes are left. */
    void (*begin_vectors)(void *machine);
    void (*begin_vector)(void *machine, uint32_t i);
    void (*next_vector)(void *machine, unsigned step, size_t head);

    /* Whether a mask has any lane: of the current vector, in a register; of all lanes, in memory,
     * where each round has written `step` lanes. */
    void (*test)(void *machine, uint8_t place);
    void (*test_all)(void *machine, uint32_t mask, unsigned step);

    /* Jumps forward: jump returns a number for land, which makes the present end the target. */
    size_t (*jump)(void *machine, enum machine_condition condition);
    void (*land)(void *machine, size_t jump);
    void (*jump_back)(void *machine, enum machine_condition condition, size_t target);

    void (*move)(void *machine, const struct machine_move *move);
    void (*to_slot)(void *machine, uint32_t value, uint8_t place); /* stores it in its slot */
    void (*call)(void *machine, uint32_t function);
    void (*operation)(void *machine, uint32_t i); /* neither control flow nor a call */
};

/* Where control flow of an IF or LOOP goes on. */
struct machine_flow {
    size_t jump; /* IF: to ENDIF; rare IF: to its first instruction */
    size_t back; /* LOOP: its first instruction; rare IF: what follows ENDIF */
};

struct machine_function {
    struct machine_live live;
    struct machine_allocation allocation;
    const struct machine_registers *registers;
    unsigned step; /* lanes that a round of a loop over vectors takes: one vector or a group */
    bool single;   /* one vector stands for all lanes */

    const struct machine_emitter *emitter; /* set by the machine */
    void *machine;

    struct machine_flow *flow; /* per IF and LOOP */
    struct machine_mark *mark; /* origins of the code so far */
    uint32_t n_marks, mark_capacity;
    bool no_memory; /* for marks */

    /* Of the current region: its start, the head of its rounds, their first instruction. */
    size_t before_region, head, region;
};

/* Analyses a function and allocates its registers. */
MUST_CHECK enum status ir_machine_function_init(struct machine_function *f, const struct ir *ir,
                                                const struct machine_registers *registers,
                                                const struct machine_constraint *constraint,
                                                unsigned step);
void ir_machine_function_fini(struct machine_function *f); /* a zeroed struct is allowed */

/* Emits all instructions: a loop over the vectors of the 64 lanes for each region between
 * barriers. */
void ir_machine_generate(struct machine_function *f);
/* Emits what rare IFs run, behind the function. */
void ir_machine_generate_rare(struct machine_function *f);
/* Hands over what tools ask of the code: origins, spills. */
MUST_CHECK enum status ir_machine_describe(struct machine_function *f, struct machine_code *out);

#endif
