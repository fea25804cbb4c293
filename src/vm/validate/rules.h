/* Rules of the validator: checks the items of a byte code in order, then the whole program. Private
 * to the module. */
#ifndef VM_VALIDATE_RULES_H
#define VM_VALIDATE_RULES_H

#include "vm/isa/decode.h"
#include "vm/program/program.h"
#include "vm/validate/validate.h"

/* Facts about earlier instructions that later checks need. */
struct vm_history {
    uint8_t temp[32], texture[8], address, predicate; /* components written */
    uint8_t position;                                 /* components of oPos written */
    uint8_t colours, depth_writes;                    /* ps_2_x: oC# written, number of oDepth
                                                         writes */
    uint8_t order[32];                                /* ps_2_0, per r#: length of the chain of
                                                         texture reads that it depends on */
    bool calls; /* has subroutines: text order is no longer execution order */
    unsigned texture_slots, arithmetic_slots; /* ps_1_x: used in this phase */
};

/* ps_1_x */
struct vm_ps1_history {
    bool phase_seen;
    bool arithmetic, reads_v, reads_r_as_coord; /* seen in this phase */
    bool depth;                                 /* texdepth has consumed r5 */
    uint8_t bump_sources;                       /* bit per t# that texbem or texbeml has read */
    uint8_t selector[8];          /* ps_1_4: selector that t# was read with: 1 .xyz, 2 .xyw */
    unsigned compares, bems, dzs; /* number of cmp (1_2, 1_3), bem, _dz (1_4) */
    /* texm3x2pad and texm3x3pad that wait for the rest of their matrix */
    uint8_t pads, pad_rows, pad_stage, pad_source;
    struct vm_instr previous;
};

struct vm_checker {
    struct vm_version version;
    const struct vm_limits *limits;
    struct vm_error *error; /* may be NULL */
    size_t token;           /* of the current item */
    /* Masks of declared components; registers without declarations count as declared from the
     * start. */
    uint8_t input[16], texture[8], output[16], misc[2];
    uint16_t samplers;
    uint8_t sampler_kind[VM_MAX_SAMPLERS];
    uint16_t semantics[2][16]; /* inputs, outputs: per usage, a bit per usage index */
    bool any_instr;            /* an instruction has been seen */
    struct vm_history history;
    struct vm_ps1_history ps1;
};

void vm_checker_init(struct vm_checker *c, const struct vm_version *version,
                     const struct vm_limits *limits, struct vm_error *error);
MUST_CHECK enum status vm_check_version(struct vm_checker *c);
MUST_CHECK enum status vm_check_item(struct vm_checker *c, const struct vm_item *item);
/* Checks that apply at the end token. */
MUST_CHECK enum status vm_check_end(struct vm_checker *c);

/* Runs on the complete list: matches blocks, loops and subroutines; fills vm_instr.target. */
MUST_CHECK enum status vm_resolve_flow(struct vm_program *program, struct vm_error *error);
/* Runs after vm_resolve_flow unless limits are lenient: restrictions on pixel shaders in dynamic
 * branches. */
MUST_CHECK enum status vm_check_dynamic(const struct vm_program *program,
                                        const struct vm_version *version, struct vm_error *error);
/* Refuses more instruction slots than the model has. Runs after vm_program_fill_info. */
MUST_CHECK enum status vm_check_slots(const struct vm_program *program,
                                      const struct vm_version *version, struct vm_error *error);
/* Adds the version and the instruction at error->token to the text of the error. */
void vm_describe(struct vm_error *error, const uint32_t *tokens, size_t n);

/* --- Parts of vm_check_item ------------------------------------------------------------------- */

enum status vm_refuse(struct vm_checker *c, const char *format, ...) PRINTF_LIKE(2, 3);
MUST_CHECK enum status vm_check_register(struct vm_checker *c, unsigned file, unsigned index,
                                         unsigned rows);
MUST_CHECK enum status vm_check_dst(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_src(struct vm_checker *c, const struct vm_instr *instr, unsigned i);
/* Skipped with lenient limits, except the matrix rules in vm_check_ps1. */
MUST_CHECK enum status vm_check_ps1(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_dcl_form(struct vm_checker *c, const struct vm_dcl *dcl);
MUST_CHECK enum status vm_check_form(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_history(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_history_end(struct vm_checker *c);
/* ps_1_x and ps_2_0: texture and arithmetic instructions have separate slots. */
MUST_CHECK enum status vm_check_split(struct vm_checker *c, const struct vm_instr *instr);

#endif
