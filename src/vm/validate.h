/* The judge of programs: fed with the items of a byte code in order, it refuses what makes no sense
 * in the version. Private to vm.
 *
 * Two degrees. Always refused is what drivers refuse (conformance suites assert it) and what the
 * back end could not run: wrong versions, registers, operands, nesting. Rules that only the
 * documentation states and whose breach has an obvious meaning (read ports, swizzles of old models,
 * use before a write …) stand in validate_strict.c and validate_history.c and count only when
 * vm_limits.strict is set, because shipped shaders break them. */
#ifndef VM_VALIDATE_H
#define VM_VALIDATE_H

#include "vm/decode.h"

/* What validate_history.c remembers between instructions. */
struct vm_history {
    uint8_t temp[32], texture[8], address, predicate; /* components written */
    uint8_t position;                                 /* of oPos */
    uint8_t colours, depth_writes;                    /* ps_2_x: oC# written, oDepth count */
    uint8_t order[32];                                /* ps_2_0: of dependent reads */
    bool calls; /* subroutines: text order is not the order of execution any more */
    bool arithmetic, reads_v, reads_r_as_coord; /* ps_1_x: in this phase */
    unsigned loops, static_flow;
    unsigned texture_slots, arithmetic_slots; /* of this phase */
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
    bool phase_seen; /* ps_1_4 */
    bool any_instr;  /* an instruction has been seen */
    /* ps_1_x texm3x2pad and texm3x3pad, waiting for the rest of their matrix */
    uint8_t pads, pad_rows, pad_stage, pad_source;
    struct vm_history history;
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
MUST_CHECK enum status vm_check_legacy(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_strict_dcl(struct vm_checker *c, const struct vm_dcl *dcl);
MUST_CHECK enum status vm_check_strict_instr(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_history(struct vm_checker *c, const struct vm_instr *instr);
MUST_CHECK enum status vm_check_history_end(struct vm_checker *c);

#endif
