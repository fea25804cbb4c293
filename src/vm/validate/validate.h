/* Validator: makes programs from byte code and judges them by the rules of their shader version.
 *
 * rules.def lists the rules. Each belongs to a class, and struct vm_limits says up to which class
 * broken rules refuse a program. Broken rules of the other classes are findings: the program runs,
 * and the caller hears of them. */
#ifndef VM_VALIDATE_VALIDATE_H
#define VM_VALIDATE_VALIDATE_H

#include "util/status.h"
#include "vm/program/info.h"

/* Classes of rules, from those that always refuse to those that rarely do. */
enum vm_rule_class {
    VM_RULES_STRUCTURE,  /* the machine needs it, or the program has no meaning without it */
    VM_RULES_LIMIT,      /* caps and public tests say that Windows refuses */
    VM_RULES_DOCUMENTED, /* the documentation demands it; other implementations run the program */
    VM_RULES_SHIPPED     /* the documentation demands it, but shipped shaders break it */
};

enum vm_rule {
#define RULE(id, class, text) VM_RULE_##id,
#include "vm/validate/rules.def"
#undef RULE
    VM_RULE_COUNT
};

struct vm_rule_info {
    const char *name, *text; /* name: "READ_PORTS" */
    enum vm_rule_class rule_class;
};
extern const struct vm_rule_info vm_rule_info[VM_RULE_COUNT];

/* A rule that a program breaks although its limits do not enforce it: the first place. */
struct vm_finding {
    enum vm_rule rule;
    struct vm_error error;
};
typedef void vm_finding_fn(void *ctx, const struct vm_finding *finding);
/* An error of a refused program. */
typedef void vm_refusal_fn(void *ctx, const struct vm_error *error);

/* Limits of the device, and how strictly programs are judged. */
struct vm_limits {
    uint8_t vs_major, ps_major;  /* highest model, 0 to 3 */
    bool software;               /* accept *_sw models and their register counts */
    enum vm_rule_class enforced; /* broken rules of this class and those before it refuse */
    /* Hears of each broken rule that is not enforced, once a program, also of programs that are
     * refused later. May be NULL. */
    vm_finding_fn *report;
    void *report_ctx;
    /* Hears of each error of a refused program, in order. The checks go on after one, as far as
     * they remain reliable: those of the whole program run only if no instruction is refused. May
     * be NULL: the first error is the only one. ctx: report_ctx. */
    vm_refusal_fn *refuse;
};
/* hardware, software: enforce the documentation. lenient: enforces LIMIT, and has the register
 * counts of software. */
extern const struct vm_limits vm_limits_hardware, vm_limits_software, vm_limits_lenient;

/* Decodes and validates a token stream of at most n words; the end token may end it earlier. On
 * success the caller owns *out. Returns ST_INVALID with *error filled, the first one, or ST_NOMEM.
 * error may be NULL. */
MUST_CHECK enum status vm_program_create(struct vm_program **out, const uint32_t *tokens, size_t n,
                                         const struct vm_limits *limits, struct vm_error *error);

/* Incremental validator: applies the same rules to a program that arrives token by token: the
 * version, then each instruction with its operands, up to the end token. Returns ST_INVALID with
 * *error filled for each refused instruction, and still checks those that follow. With the end
 * token it checks the rules that need the whole program (blocks, results, slots), unless it has
 * refused an instruction before. It reports no findings. */
struct vm_validator;
MUST_CHECK enum status vm_validator_create(struct vm_validator **out, uint32_t version,
                                           const struct vm_limits *limits, struct vm_error *error);
void vm_validator_destroy(struct vm_validator *validator); /* NULL is allowed */
MUST_CHECK enum status vm_validator_instruction(struct vm_validator *validator,
                                                const uint32_t *words, size_t n,
                                                struct vm_error *error);
bool vm_validator_is_complete(const struct vm_validator *validator); /* has seen the end token */

#endif
