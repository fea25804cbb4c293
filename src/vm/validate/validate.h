/* Validator: makes programs from byte code and refuses what the shader version forbids.
 *
 * There are three levels of strictness (struct vm_limits). Default limits enforce the documented
 * rules of the version, except those that shipped shaders break: no implementation can have
 * enforced them. Strict limits enforce these too. Lenient limits drop all rules whose violation has
 * an obvious meaning (form.c, history.c, most of ps1.c). They keep the rules that protect the VM.
 */
#ifndef VM_VALIDATE_VALIDATE_H
#define VM_VALIDATE_VALIDATE_H

#include "util/status.h"
#include "vm/program/info.h"

/* Limits of the device. Programs that exceed them are refused. */
struct vm_limits {
    uint8_t vs_major, ps_major; /* highest model, 0 to 3 */
    bool software;              /* accept *_sw models and their register counts */
    bool strict;  /* also refuse what the documentation forbids although shipped shaders do it */
    bool lenient; /* refuse only what the VM cannot run; for tests and experiments */
};
extern const struct vm_limits vm_limits_hardware, vm_limits_software, vm_limits_lenient;

/* Decodes and validates a token stream of at most n words; the end token may end it earlier. On
 * success the caller owns *out. Returns ST_INVALID with *error filled, or ST_NOMEM. error may be
 * NULL. */
MUST_CHECK enum status vm_program_create(struct vm_program **out, const uint32_t *tokens, size_t n,
                                         const struct vm_limits *limits, struct vm_error *error);

/* Incremental validator: applies the same rules to a program that arrives token by token: the
 * version, then each instruction with its operands, up to the end token. Returns ST_INVALID with
 * *error filled for each refused instruction, and still checks those that follow. With the end
 * token it checks the rules that need the whole program (blocks, results, slots), unless it has
 * refused an instruction before. */
struct vm_validator;
MUST_CHECK enum status vm_validator_create(struct vm_validator **out, uint32_t version,
                                           const struct vm_limits *limits, struct vm_error *error);
void vm_validator_destroy(struct vm_validator *validator); /* NULL is allowed */
MUST_CHECK enum status vm_validator_instruction(struct vm_validator *validator,
                                                const uint32_t *words, size_t n,
                                                struct vm_error *error);
bool vm_validator_is_complete(const struct vm_validator *validator); /* has seen the end token */

#endif
