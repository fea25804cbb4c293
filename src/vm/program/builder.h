/* Program builder: makes programs in memory without byte code, for example for fixed function. */
#ifndef VM_PROGRAM_BUILDER_H
#define VM_PROGRAM_BUILDER_H

#include "util/status.h"
#include "vm/program/info.h"

/* Builds one program of model 3_sw without the limits of the model. The draw sets c0 … c4095, and
 * the number of r# is unlimited. Literals become definitions from c4096 on. They do not count in
 * vm_info.float_constants, and relative addressing cannot reach them. Calls report no errors;
 * vm_builder_finish returns the first error (no memory, bad operand). */
struct vm_builder;
enum { VM_FIRST_LITERAL = 4096 };
MUST_CHECK enum status vm_builder_create(struct vm_builder **out, enum vm_stage stage);
void vm_builder_destroy(struct vm_builder *builder); /* NULL is allowed; not after finish */
/* Destroys the builder in every case. */
MUST_CHECK enum status vm_builder_finish(struct vm_builder *builder, struct vm_program **out);

/* Declares an input or output semantic and returns its register. The same (usage, index) gives the
 * same register again. Outputs of the pixel stage: VM_USAGE_TARGET, VM_USAGE_DEPTH. */
struct vm_src vm_build_input(struct vm_builder *b, enum vm_usage usage, unsigned index);
struct vm_dst vm_build_output(struct vm_builder *b, enum vm_usage usage, unsigned index);
struct vm_src vm_build_sampler(struct vm_builder *b, unsigned number, unsigned kind);
struct vm_src vm_build_temp(struct vm_builder *b); /* a new r# */
struct vm_src vm_build_const(unsigned index);      /* c#, set by the draw */
struct vm_src vm_build_literal(struct vm_builder *b, float x, float y, float z, float w);
struct vm_dst vm_build_address(void); /* a0, for mova */

/* Operand modifiers. Swizzles compose with the operand's own swizzle. */
struct vm_src vm_swizzle(struct vm_src src, unsigned swizzle);
struct vm_src vm_neg(struct vm_src src);
struct vm_src vm_abs(struct vm_src src);
struct vm_src vm_indexed(struct vm_src src, unsigned a0_component); /* c[index + a0.component] */
struct vm_dst vm_to(struct vm_src reg, unsigned mask);              /* a register as destination */
struct vm_dst vm_mask(struct vm_dst dst, unsigned mask);
struct vm_dst vm_saturated(struct vm_dst dst);

/* Opcodes are VM_OP_*. The shorter forms omit unused sources. */
void vm_emit1(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0);
void vm_emit2(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0,
              struct vm_src s1);
void vm_emit3(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0,
              struct vm_src s1, struct vm_src s2);
/* projected selects texldp. */
void vm_emit_texld(struct vm_builder *b, struct vm_dst dst, struct vm_src coord,
                   struct vm_src sampler, bool projected);

#endif
