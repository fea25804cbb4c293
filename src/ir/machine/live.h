/* What is known of a function's values before registers are allocated: where each is used next, how
 * long it lives, and whether memory has it anyway. */
#ifndef IR_MACHINE_LIVE_H
#define IR_MACHINE_LIVE_H

#include "ir/ir.h"

enum { MACHINE_NO_USE = UINT32_MAX };

/* Uses have positions, the numbers of instructions. The operands of phis are used where control
 * flow leaves for the phi: those of PHI at ENDIF (a) and IF (b), those of LPHI at LOOP (a) and
 * ENDLOOP (b). A value from outside of a loop that is used in the loop is used at its ENDLOOP, too:
 * the next iteration needs it. */
struct machine_live {
    const struct ir_inst *inst;
    uint32_t n;
    uint32_t *match;      /* IF, LOOP: its ENDIF, ENDLOOP; ENDIF, ENDLOOP: its IF, LOOP */
    uint32_t *first_use;  /* per value, or MACHINE_NO_USE */
    uint32_t (*next)[3];  /* per operand: the value's next use after this one, or MACHINE_NO_USE */
    uint32_t *memory_end; /* per value: the last position where memory may have to hold it */
    uint32_t *phi;        /* per value: a phi that takes it from the inside, or 0 */
    bool *homed;   /* per value: can be loaded at every use from where it comes: a constant, a
                      uniform, or a load from memory that is constant or that nothing writes
                      meanwhile */
    bool *dead;    /* per instruction: it has a result that nothing needs */
    bool *barrier; /* per instruction: all lanes are up to it before any lane goes on: CALL, and
                      control flow around one */
    bool *cut;     /* per instruction: all lanes are up to it, too, but it is of the next region */
    uint32_t *region; /* per instruction: number of barriers and cuts up to and with it */
    uint32_t *rare; /* per instruction: the outermost rare IF around it, or 0. Not for IFs that are
                       barriers: their code is not moved out of line. */
    uint8_t *row;   /* per instruction: its place in a row, see machine_row_size; 0: none */
};

/* constant_bases: as in ir_create. */
MUST_CHECK enum status ir_machine_live_init(struct machine_live *live, const struct ir_inst *inst,
                                            uint32_t n, uint32_t constant_bases);
void ir_machine_live_fini(struct machine_live *live); /* a zeroed struct is allowed */

static inline bool machine_is_phi(unsigned op)
{
    return op == IR_PHI || op == IR_MPHI;
}
static inline bool machine_is_loop_phi(unsigned op)
{
    return op == IR_LPHI || op == IR_MLPHI;
}
/* Rows: GATHERs one after another that load words of the same 16 bytes for all lanes. The first one
 * has number 1, the next 2, up to 4. The number of GATHERs of a row, given its first one. */
static inline unsigned machine_row_size(const struct machine_live *live, uint32_t first)
{
    unsigned n = 1;

    while (first + n < live->n && live->row[first + n] > n)
        n++;
    return n;
}

/* True if what the IF runs stands out of line. */
static inline bool machine_is_rare_if(const struct machine_live *live, uint32_t i)
{
    return live->inst[i].op == IR_IF && i + 1 < live->n && live->rare[i + 1] == i;
}

/* For loops over the phis that follow a LOOP or ENDIF. */
static inline bool machine_phi_at(const struct machine_live *live, uint32_t i)
{
    return i < live->n &&
           (machine_is_phi(live->inst[i].op) || machine_is_loop_phi(live->inst[i].op));
}

#endif
