/* Rules of the validator: checks the items of a byte code in order, then the whole program. Private
 * to the module.
 *
 * A check calls vm_rule_broken for each broken rule and goes on. The first one that is enforced
 * refuses the item (vm_checker.refused); those after it do not count. Checks that follow the ones
 * of class STRUCTURE and LIMIT run only if these have not refused, so they may trust numbers of
 * registers. */
#ifndef VM_VALIDATE_RULES_H
#define VM_VALIDATE_RULES_H

#include "vm/isa/decode.h"
#include "vm/program/program.h"
#include "vm/validate/validate.h"

/* Facts about earlier instructions that later checks need. */
struct vm_history {
    uint8_t temp[VM_TEMPS], texture[8], address, predicate; /* components written */
    uint8_t position;                                       /* components of oPos written */
    uint8_t colours;                                        /* oC# written */
    bool depth;                                             /* oDepth written */
    uint8_t order[VM_TEMPS]; /* ps_2_0, per r#: length of the chain of texture reads that it
                                depends on */
    bool calls;              /* has subroutines: text order is no longer execution order */
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
    /* The byte code so far, for the texts of findings. */
    const uint32_t *words;
    size_t n_words;
    size_t token;   /* of the current item */
    bool refused;   /* an enforced rule is broken; *error has the first one */
    uint64_t found; /* bit per rule: reported as a finding, or told once */
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
_Static_assert(VM_RULE_COUNT <= 64, "vm_checker.found has a bit per rule");

void vm_checker_init(struct vm_checker *c, const struct vm_version *version,
                     const struct vm_limits *limits, struct vm_error *error);
/* Notes that the current item breaks a rule: refuses it or reports a finding. */
void vm_rule_broken(struct vm_checker *c, enum vm_rule rule, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Adds the version and the instruction at error->token to the text of the error. */
void vm_describe(struct vm_error *error, const uint32_t *tokens, size_t n);

/* Each returns ST_INVALID if the program is refused, with *c->error filled. */
MUST_CHECK enum status vm_check_version(struct vm_checker *c);
MUST_CHECK enum status vm_check_item(struct vm_checker *c, const struct vm_item *item);
/* Supposes that the registers of a refused item are declared and written (assume.c), so that later
 * items do not break rules on its account. */
void vm_assume_item(struct vm_checker *c, const struct vm_item *item);
/* Checks that apply at the end token. */
MUST_CHECK enum status vm_check_end(struct vm_checker *c);
/* Runs on the complete list: matches blocks, loops and subroutines; fills vm_instr.target. */
MUST_CHECK enum status vm_resolve_flow(struct vm_checker *c, struct vm_program *program);
/* Runs after vm_resolve_flow: restrictions on pixel shaders in dynamic branches. */
MUST_CHECK enum status vm_check_dynamic(struct vm_checker *c, const struct vm_program *program);
/* Compares the instruction slots with those of the model. Runs after vm_program_fill_info. */
MUST_CHECK enum status vm_check_slots(struct vm_checker *c, const struct vm_program *program);

/* --- Slots (slots.c) -------------------------------------------------------------------------- */

/* The slots of a model, or VM_NO_LIMIT. */
enum { VM_NO_LIMIT = 0xffffffff };
unsigned vm_max_slots(const struct vm_version *version);
/* ps_1_x (of a phase) and ps_2_0: those of texture instructions and of all others. */
void vm_split_limits(const struct vm_version *version, unsigned *texture, unsigned *arithmetic);
/* Adds the slots of an instruction to texture_slots or arithmetic_slots. */
void vm_add_split(struct vm_history *h, const struct vm_instr *instr, unsigned slots);

/* --- Parts of vm_check_item ------------------------------------------------------------------- */

void vm_check_register(struct vm_checker *c, unsigned file, unsigned index, unsigned rows);
void vm_check_dst(struct vm_checker *c, const struct vm_instr *instr);
void vm_check_src(struct vm_checker *c, const struct vm_instr *instr, unsigned i);
void vm_check_dcl_form(struct vm_checker *c, const struct vm_dcl *dcl);
void vm_check_form(struct vm_checker *c, const struct vm_instr *instr);
void vm_check_history(struct vm_checker *c, const struct vm_instr *instr);
void vm_check_history_end(struct vm_checker *c);
void vm_check_ps1(struct vm_checker *c, const struct vm_instr *instr);
/* ps_1_x and ps_2_0: texture and arithmetic instructions have separate slots. */
void vm_check_split(struct vm_checker *c, const struct vm_instr *instr);

#endif
