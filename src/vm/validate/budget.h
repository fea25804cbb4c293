/* What a program takes of the limits of its model, and the lengths of its ways through branches. */
#ifndef VM_VALIDATE_BUDGET_H
#define VM_VALIDATE_BUDGET_H

#include "util/status.h"
#include "vm/program/info.h"

/* Limits that a model does not have are 0. */
struct vm_budget {
    uint32_t slots, max_slots;           /* instruction slots */
    uint32_t texture, max_texture;       /* ps_1_x and ps_2_0: those of texture instructions, */
    uint32_t arithmetic, max_arithmetic; /* and all others. ps_1_4: of both phases together */
    uint32_t temps, max_temps;           /* highest r# + 1 */
    uint32_t constants, max_constants;   /* highest c# that is read without an index + 1 */
    bool indexed;                        /* c# are read with an index, too */
    uint32_t samplers, max_samplers;
};
void vm_program_budget(const struct vm_program *program, struct vm_budget *out);

/* What a lane runs from the first instruction to the end. Numbers stop at UINT64_MAX. */
struct vm_path {
    uint64_t instructions, slots, texture_reads;
};
/* The shortest and the longest way, by slots. Loops run as often as their integer constants say,
 * and constant conditions go the way that the boolean constants say: i, b (n_i, n_b of them;
 * further ones are 0), unless the program defines them. Other conditions go either way; break may
 * leave a loop in its first round. */
MUST_CHECK enum status vm_program_paths(const struct vm_program *program, const int32_t (*i)[4],
                                        unsigned n_i, const int32_t *b, unsigned n_b,
                                        struct vm_path *shortest, struct vm_path *longest);

#endif
