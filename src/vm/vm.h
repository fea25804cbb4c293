/* Shader virtual machine: decodes, validates, compiles and runs shader byte code of vs_1_1 …
 * ps_3_0, 64 lanes a batch in structure-of-arrays form. The builder makes programs in memory
 * without byte code, for example for fixed function.
 *
 *   tokens --vm_program_create--> vm_program --vm_code_create--> vm_code --vm_run--> lanes
 *   builder --vm_builder_finish-->
 *
 * Programs and code are immutable once built, and threads may share them. Clients include this
 * header; each module declares its part. */
#ifndef VM_VM_H
#define VM_VM_H

#include "vm/isa/isa.h"           /* opcodes, operands, usages */
#include "vm/program/info.h"      /* programs and their interface */
#include "vm/program/builder.h"   /* programs built in memory */
#include "vm/validate/validate.h" /* programs from byte code */
#include "vm/validate/budget.h"   /* limits of the models, ways through branches */
#include "vm/asm/asm.h"           /* text */
#include "vm/lower/lower.h"       /* programs to code */
#include "vm/ir/pattern_match.h"  /* what simple code computes */
#include "vm/run/run.h"           /* batches of lanes */
#include "vm/run/machine.h"       /* what code is made of */

#endif
