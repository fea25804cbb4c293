/* The judge of programs: fed with the items of a byte code in order, it refuses what the version
 * forbids. Private to vm.
 *
 * Three degrees (struct vm_limits). As a device judges: everything that the documentation of the
 * version forbids, but for a few rules that shipped shaders break, so that no implementation can
 * have enforced them; those count when limits are strict. Lenient limits leave out everything whose
 * breach has an obvious meaning (validate_form.c, validate_history.c, most of validate_ps1.c): what
 * remains is what the machine could not run. */
#ifndef VM_VALIDATE_H
#define VM_VALIDATE_H

#include "vm/decode.h"

/* What is remembered between instructions. */
struct vm_history {
    uint8_t temp[32], texture[8], address, predicate; /* components written */
    uint8_t position;                                 /* of oPos */
    uint8_t colours, depth_writes;                    /* ps_2_x: oC# written, oDepth count */
    uint8_t order[32];                                /* ps_2_0: of dependent reads */
    bool calls; /* subroutines: text order is not the order of execution any more */
    unsigned texture_slots, arithmetic_slots; /* ps_1_x: of this phase */
};

/* ps_1_x */
struct vm_ps1_history {
    bool phase_seen, arithmetic, reads_v, reads_r_as_coord; /* but for the first: in this phase */
    bool depth;                                             /* r5 is used up by texdepth */
    uint8_t bump_sources;                                   /* t# that texbem or texbeml has read */
    uint8_t selector[8];          /* ps_1_4: how t# was read: 1 .xyz, 2 .xyw */
    unsigned compares, bems, dzs; /* cmp (1_2, 1_3), bem, _dz (1_4) */
    /* texm3x2pad and texm3x3pad, waiting for the rest of their matrix */
    uint8_t pads, pad_rows, pad_stage, pad_source;
    struct vm_instr previous;
};

struct vm_checker {
    struct vm_version version;
    const struct vm_limits *limits;
    struct vm_error *error; /* may be NULL */
    size_t token;           /* of the item under examination */
    /* Masks of declared components; what needs no declaration is declared from the start. */
    uint8_t input[16], texture[8], output[16], misc[2];
    uint16_t samplers;
    uint8_t sampler_kind[VM_MAX_SAMPLERS];
    uint16_t semantics[2][16]; /* inputs, outputs: by usage, a bit per usage index */
    bool any_instr;            /* an instruction has been seen */
    struct vm_history history;
    struct vm_ps1_history ps1;
};

void vm_checker_init(struct vm_checker *c, const struct vm_version *version,
                     const struct vm_limits *limits, struct vm_error *error);
MUST_CHECK enum status vm_check_version(struct vm_checker *c);
MUST_CHECK enum status vm_check_dcl(struct vm_checker *c, const struct vm_dcl *dcl);
MUST_CHECK enum status vm_check_def(struct vm_checker *c, const struct vm_definition *def);
MUST_CHECK enum status vm_check_instr(struct vm_checker *c, const struct vm_instr *instr);
/* At the end token. */
MUST_CHECK enum status vm_check_end(struct vm_checker *c);

/* Over the whole list, when it is complete: blocks, loops, subroutines; fills vm_instr.target. */
MUST_CHECK enum status vm_resolve_flow(struct vm_program *program, struct vm_error *error);
/* After it, and when limits are not lenient: what pixel shaders may not do in branches. */
MUST_CHECK enum status vm_check_dynamic(const struct vm_program *program,
                                        const struct vm_version *version, struct vm_error *error);
/* Counts instruction slots into program->info; refuses more than the model has. */
MUST_CHECK enum status vm_check_slots(struct vm_program *program, const struct vm_version *version,
                                      struct vm_error *error);
/* Slots of one instruction; sampler_kind as in vm_info. */
unsigned vm_instr_slots(const struct vm_instr *instr, const struct vm_version *version,
                        const uint8_t sampler_kind[VM_MAX_SAMPLERS]);
bool vm_op_is_texture(enum vm_op op);

/* How many registers of a file a version has (validate_regs.c). */
unsigned vm_file_size(const struct vm_version *version, bool software, unsigned file);

/* Parts of the above. */
enum status vm_refuse(struct vm_checker *c, const char *format, ...) PRINTF_LIKE(2, 3);
MUST_CHECK enum status vm_check_register(struct vm_checker *c, unsigned file, unsigned index,
                                         unsigned rows);
MUST_CHECK enum status vm_check_dst(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_src(struct vm_checker *c, const struct vm_instr *instr, unsigned i);
/* These are skipped when limits are lenient, but for the matrices in vm_check_ps1. */
MUST_CHECK enum status vm_check_ps1(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_dcl_form(struct vm_checker *c, const struct vm_dcl *dcl);
MUST_CHECK enum status vm_check_form(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_history(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_history_end(struct vm_checker *c);
/* ps_1_x and ps_2_0: texture and arithmetic instructions each have their slots. */
MUST_CHECK enum status vm_check_split(struct vm_checker *c, const struct vm_instr *instr);

#endif
