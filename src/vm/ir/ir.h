/* Intermediate representation: opcodes (ops.def), operand words, operand modes, and the IR
 * instruction that the interpreter executes and the JIT compiles. Private to vm. */
#ifndef VM_IR_IR_H
#define VM_IR_IR_H

#include <stdbool.h>
#include <stdint.h>

enum vm_ir_opcode {
#define IR_OP(name, ...) VM_IR_##name,
#include "vm/ir/ops.def"
#undef IR_OP
    VM_IR_COUNT,
    VM_IR_FLOW = VM_IR_COUNT, /* flow control, see vm_ir_op.fn */
    VM_IR_END                 /* ends the code */
};

enum ir_op_flags { IR_PURE, IR_LOCAL, IR_EFFECT, IR_EARLY_CLOBBER };
struct ir_op_info {
    uint8_t n_dst, n_src, n_imm, flags;
};
extern const struct ir_op_info vm_ir_op_info[VM_IR_COUNT];
/* Operand words of an instance. */
static inline unsigned ir_op_words(unsigned opcode)
{
    return vm_ir_op_info[opcode].n_dst + vm_ir_op_info[opcode].n_src + vm_ir_op_info[opcode].n_imm;
}

/* Operand word: a byte offset, multiple of 64, with flags in the low bits. */
enum {
    VM_ARG_UNIFORM = 1, /* in the uniforms, one value repeated over 64 bytes; otherwise in work
                           memory */
    VM_ARG_NEG = 2,     /* negate, after VM_ARG_ABS */
    VM_ARG_ABS = 4,     /* take the absolute value */
    VM_ARG_OFFSET = ~63,
    VM_ARG_NONE = -1 /* absent destination or operand */
};

/* Predicate operand: VM_PRED_ON | component | VM_PRED_NOT; 0 is always true. */
enum { VM_PRED_NOT = 4, VM_PRED_ON = 8 };

enum { VM_SAMPLE_WORDS = 15 }; /* words of an instance: see vm_exec_sample */

/* Operand modes of kernels. ANY takes operands of every kind with modifiers and saturates if
 * op->saturate. FIRST is the same, but only the first operand may have modifiers. Plain operands
 * have one mode for each set of operand classes that are uniforms, with and without saturation:
 * VM_OPMODE_PLAIN + 2 * set + saturate. vm_kern.fn is NULL where a kernel lacks the mode. */
enum { VM_OPMODE_ANY, VM_OPMODE_FIRST, VM_OPMODE_PLAIN, VM_OPMODE_COUNT = VM_OPMODE_PLAIN + 2 * 8 };

/* Class of operand i of n. Up to three operands have a class each. More operands form a sum of
 * products: the first factors are class 0, the second factors 1, the addend 2. */
static inline unsigned vm_operand_class(unsigned n, unsigned i)
{
    return n <= 3 ? i : n % 2 && i == n - 1 ? 2 : i & 1;
}

/* IR functions use the System V ABI on 64-bit Windows too. No vector register is callee-saved
 * there, and the JIT emits the same code for all systems. */
#if defined(_WIN32) && defined(__x86_64__)
#define VM_SYSV_ABI __attribute__((sysv_abi))
#else
#define VM_SYSV_ABI
#endif
struct vm_frame;
struct vm_ir_op;
typedef VM_SYSV_ABI void vm_ir_op_fn(const struct vm_ir_op *op, struct vm_frame *f);

struct vm_ir_op {
    vm_ir_op_fn *fn[2];  /* [1] runs while flow control has disabled lanes */
    const uint32_t *arg; /* n instances of operand words, laid out as in ir/ops.def */
    uint32_t n;
    uint32_t target; /* flow: index of the IR instruction to go to */
    uint32_t imm;    /* flow: constant register, or predicate operand */
    bool saturate;   /* clamp the result; plain-operand kernels have it built in */
    uint8_t opcode;  /* enum vm_ir_opcode; VM_IR_FLOW, VM_IR_END */
};

#endif
