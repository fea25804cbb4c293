/* Test corpus of one-instruction programs for every opcode, version and legal modifier, generated
 * from the instruction table. Assembler, disassembler and their peers must agree on them; they need
 * not be meaningful programs. */
#ifndef TESTS_UNIT_VM_CORPUS_H
#define TESTS_UNIT_VM_CORPUS_H

#include "vm/isa/decode.h"

#include <string.h>

typedef void corpus_fn(void *ctx, const struct vm_version *version, const struct vm_item *item);

static inline bool corpus_version(struct vm_version *v, unsigned i)
{
    static const uint8_t minors[] = {0, 1, 2, 3, 4, 255};

    *v = (struct vm_version){i & 1, (uint8_t)(1 + (i >> 1) % 3), minors[i / 6 % 6], 0};
    v->rank = vm_version_rank(v->pixel, v->major, v->minor);
    return v->rank && (v->major > 1 || v->minor);
}
enum { CORPUS_VERSIONS = 36 };

/* The base form of an instruction, from which the variants are derived. */
static inline struct vm_item corpus_plain(enum vm_op op, const struct vm_version *v)
{
    struct vm_item item = {.kind = VM_ITEM_INSTR};
    struct vm_instr *instr = &item.instr;
    bool old_texture = v->pixel && v->rank < 14 && vm_op_info[op].op_class >= VM_CLASS_TEXTURE &&
                       vm_op_info[op].op_class <= VM_CLASS_TEXTURE1;
    bool texture = v->rank >= VM_RANK_2_0 && vm_op_info[op].op_class == VM_CLASS_TEXTURE;

    instr->op = (uint8_t)op;
    instr->control = op == VM_OP_IFC || op == VM_OP_BREAKC || op == VM_OP_SETP ? VM_CMP_NE : 0;
    instr->dst = (struct vm_dst){.file = !vm_op_info[op].n_dst ? VM_FILE_NONE
                                         : op == VM_OP_MOVA    ? VM_FILE_ADDR
                                         : op == VM_OP_SETP    ? VM_FILE_PREDICATE
                                         : old_texture         ? VM_FILE_TEXTURE
                                                               : VM_FILE_TEMP,
                                 .index = op == VM_OP_MOVA || op == VM_OP_SETP ? 0 : 1,
                                 .mask = VM_MASK_ALL,
                                 .rel_file = VM_FILE_NONE};
    while (vm_op_sources(op, v) >> (instr->n_src + 1) ||
           !(vm_op_sources(op, v) >> instr->n_src & 1)) { /* the widest form */
        unsigned i = instr->n_src++;
        bool first_texture = (v->pixel && v->rank == 14 && op == VM_OP_TEXCOORD) || old_texture;

        instr->src[i] = (struct vm_src){.file = first_texture       ? VM_FILE_TEXTURE
                                                : texture && i == 1 ? VM_FILE_SAMPLER
                                                                    : VM_FILE_TEMP,
                                        .index = (uint16_t)(v->rank < 14 ? i & 1 : i),
                                        .swizzle = VM_SWZ_XYZW,
                                        .rel_file = VM_FILE_NONE};
        if (op == VM_OP_CALL || op == VM_OP_LABEL || (op == VM_OP_CALLNZ && i == 0))
            instr->src[i].file = VM_FILE_LABEL;
        else if (op == VM_OP_IF || op == VM_OP_CALLNZ)
            instr->src[i].file = VM_FILE_CONSTBOOL;
        else if (op == VM_OP_BREAKP)
            instr->src[i] = (struct vm_src){
                .file = VM_FILE_PREDICATE, .swizzle = VM_SWZ_Y, .rel_file = VM_FILE_NONE};
        else if (op == VM_OP_REP || (op == VM_OP_LOOP && i == 1))
            instr->src[i].file = VM_FILE_CONSTINT;
        else if (op == VM_OP_LOOP)
            instr->src[i].file = VM_FILE_LOOP;
    }
    return item;
}

static inline bool corpus_modifier_exists(const struct vm_version *v, unsigned modifier)
{
    bool ps1 = v->pixel && v->rank < VM_RANK_2_0;

    if (modifier == VM_MOD_NONE || modifier == VM_MOD_NEG)
        return true;
    if (modifier == VM_MOD_ABS || modifier == VM_MOD_ABSNEG)
        return v->rank >= VM_RANK_3_0;
    if (modifier == VM_MOD_NOT)
        return false;
    return ps1 && (v->rank == 14 || (modifier != VM_MOD_DZ && modifier != VM_MOD_DW &&
                                     modifier != VM_MOD_X2 && modifier != VM_MOD_X2NEG));
}

static inline void corpus_sources(const struct vm_version *v, const struct vm_item *plain,
                                  corpus_fn *fn, void *ctx)
{
    static const uint8_t swizzles[] = {VM_SWZ_X,           VM_SWZ_Y,           VM_SWZ_Z,
                                       VM_SWZ_W,           VM_SWZ(3, 2, 1, 0), VM_SWZ(1, 2, 0, 3),
                                       VM_SWZ(0, 1, 1, 1), VM_SWZ(0, 1, 3, 3)};
    static const uint8_t files[] = {VM_FILE_TEMP, VM_FILE_INPUT, VM_FILE_CONST, VM_FILE_TEXTURE};
    bool flow = vm_op_info[plain->instr.op].op_class == VM_CLASS_FLOW;

    for (unsigned i = 0; i < plain->instr.n_src; i++) {
        struct vm_item item = *plain;
        struct vm_src *src = &item.instr.src[i];

        if (src->file != VM_FILE_TEMP && src->file != VM_FILE_TEXTURE)
            continue;
        for (unsigned m = 1; m < VM_MOD_NOT; m++) {
            src->modifier = (uint8_t)m;
            if (corpus_modifier_exists(v, m))
                fn(ctx, v, &item);
        }
        src->modifier = VM_MOD_NONE;
        if (src->file == VM_FILE_TEXTURE) /* texture addressing reads t# without modifiers */
            continue;
        for (unsigned k = 0; k < sizeof(swizzles); k++) {
            src->swizzle = swizzles[k];
            fn(ctx, v, &item);
        }
        src->swizzle = flow ? VM_SWZ_X : VM_SWZ_XYZW;
        for (unsigned k = 0; k < sizeof(files); k++) {
            src->file = files[k];
            src->index = 0;
            if (src->file == VM_FILE_TEXTURE && !(v->pixel && v->rank < VM_RANK_3_0))
                continue;
            fn(ctx, v, &item);
            src->index = src->file == VM_FILE_CONST ? 7 : 1;
            fn(ctx, v, &item);
        }
        if (v->pixel)
            continue;
        src->file = VM_FILE_CONST;
        src->index = 11;
        src->rel_file = VM_FILE_ADDR;
        for (unsigned k = 0; k < (v->rank < VM_RANK_2_0 ? 1 : 4); k++) {
            src->rel_component = (uint8_t)k;
            fn(ctx, v, &item);
        }
        src->rel_component = 0;
        src->rel_file = VM_FILE_LOOP;
        if (v->rank >= VM_RANK_2_0)
            fn(ctx, v, &item);
    }
}

static inline void corpus_destination(const struct vm_version *v, const struct vm_item *plain,
                                      corpus_fn *fn, void *ctx)
{
    bool ps1 = v->pixel && v->rank < VM_RANK_2_0;
    struct vm_item item = *plain;
    struct vm_dst *dst = &item.instr.dst;

    if (dst->file == VM_FILE_NONE)
        return;
    for (unsigned mask = 1; mask < 15; mask++) {
        dst->mask = (uint8_t)mask;
        fn(ctx, v, &item);
    }
    dst->mask = VM_MASK_ALL;
    /* These opcodes write no value that could be modified. */
    if (plain->instr.op == VM_OP_SETP || plain->instr.op == VM_OP_TEXKILL)
        return;
    for (unsigned i = 1; i < 8; i++) { /* combinations of modifiers */
        dst->saturate = i & 1;
        dst->partial = i & 2;
        dst->centroid = i & 4;
        if ((dst->saturate && !v->pixel && v->rank < VM_RANK_3_0) ||
            ((dst->partial || dst->centroid) && (!v->pixel || ps1)))
            continue;
        fn(ctx, v, &item);
    }
    dst->saturate = dst->partial = dst->centroid = false;
    for (int shift = -3; ps1 && shift <= 3; shift++) {
        dst->shift = (int8_t)shift;
        fn(ctx, v, &item);
        dst->saturate = true;
        fn(ctx, v, &item);
        dst->saturate = false;
    }
    dst->shift = 0;
    if (v->pixel || v->rank < VM_RANK_3_0 || dst->file != VM_FILE_TEMP)
        return;
    dst->file = VM_FILE_OUTPUT;
    dst->rel_file = VM_FILE_ADDR;
    for (unsigned k = 0; k < 4; k++) {
        dst->rel_component = (uint8_t)k;
        fn(ctx, v, &item);
    }
    dst->rel_component = 0;
    dst->rel_file = VM_FILE_LOOP;
    fn(ctx, v, &item);
}

static inline void corpus_instruction(const struct vm_version *v, enum vm_op op, corpus_fn *fn,
                                      void *ctx)
{
    struct vm_item plain = corpus_plain(op, v), item = plain;

    fn(ctx, v, &plain);
    corpus_sources(v, &plain, fn, ctx);
    corpus_destination(v, &plain, fn, ctx);
    if (plain.instr.control) {
        for (unsigned control = VM_CMP_GT; control <= VM_CMP_LE; control++) {
            item.instr.control = (uint8_t)control;
            fn(ctx, v, &item);
        }
    }
    if (op == VM_OP_TEX && v->rank >= VM_RANK_2_0) {
        for (unsigned control = VM_TEX_PROJECT; control <= VM_TEX_BIAS; control++) {
            item.instr.control = (uint8_t)control;
            fn(ctx, v, &item);
        }
    }
    item = plain;
    item.instr.coissue = true;
    if (v->pixel && v->rank < VM_RANK_2_0 && plain.instr.dst.file != VM_FILE_NONE)
        fn(ctx, v, &item);
    item = plain;
    item.instr.predicated = true;
    for (unsigned k = 0; v->rank >= VM_RANK_2_X && plain.instr.dst.file != VM_FILE_NONE && k < 10;
         k++) {
        item.instr.predicate =
            (struct vm_src){.file = VM_FILE_PREDICATE,
                            .swizzle = (uint8_t)(k < 2 ? VM_SWZ_XYZW : (k / 2 - 1) * 0x55u),
                            .modifier = k & 1 ? VM_MOD_NOT : VM_MOD_NONE,
                            .rel_file = VM_FILE_NONE};
        fn(ctx, v, &item);
    }
}

static inline void corpus_declarations(const struct vm_version *v, corpus_fn *fn, void *ctx)
{
    bool semantics = !v->pixel || v->rank >= VM_RANK_3_0;
    struct vm_item item = {.kind = VM_ITEM_DCL};

    if (!vm_op_exists(VM_OP_DCL, v))
        return;
    item.dcl.dst = (struct vm_dst){
        .file = VM_FILE_INPUT, .index = 1, .mask = VM_MASK_ALL, .rel_file = VM_FILE_NONE};
    for (unsigned usage = 0; usage <= (semantics ? 13u : 0u); usage++) {
        for (unsigned index = 0; index < (semantics ? 16u : 1u); index += 5) {
            item.dcl.usage = (uint8_t)usage;
            item.dcl.usage_index = (uint8_t)index;
            fn(ctx, v, &item);
        }
    }
    item.dcl.usage = item.dcl.usage_index = 0;
    for (unsigned i = 1; v->pixel && i < 4; i++) {
        item.dcl.dst.partial = i & 1;
        item.dcl.dst.centroid = i & 2;
        fn(ctx, v, &item);
    }
    item.dcl.dst.partial = item.dcl.dst.centroid = false;
    item.dcl.dst.file = VM_FILE_SAMPLER;
    for (unsigned kind = 2; (v->pixel || v->rank >= VM_RANK_3_0) && kind <= 4; kind++) {
        item.dcl.kind = (uint8_t)kind;
        fn(ctx, v, &item);
    }
}

static inline void corpus_definitions(const struct vm_version *v, corpus_fn *fn, void *ctx)
{
    static const uint32_t values[][4] = {{0, 0x3f800000, 0xbf000000, 0x40490fdb},
                                         {0x3eaaaaab, 0x80000000, 0x7f7fffff, 0x00800000}};
    struct vm_item item = {.kind = VM_ITEM_DEF};

    for (unsigned i = 0; i < 2; i++) {
        item.def = (struct vm_definition){.file = VM_FILE_CONST, .index = 3};
        memcpy(item.def.value.i, values[i], sizeof(values[i]));
        fn(ctx, v, &item);
        item.def.file = VM_FILE_CONSTINT;
        if (vm_op_exists(VM_OP_DEFI, v))
            fn(ctx, v, &item);
        item.def = (struct vm_definition){.file = VM_FILE_CONSTBOOL, .index = 3};
        item.def.value.i[0] = (int32_t)i;
        if (vm_op_exists(VM_OP_DEFB, v))
            fn(ctx, v, &item);
    }
}

static inline void corpus_visit(const struct vm_version *v, corpus_fn *fn, void *ctx)
{
    for (enum vm_op op = VM_OP_NOP; op < VM_OP_COUNT; op++) {
        if (vm_op_info[op].op_class != VM_CLASS_DECL && vm_op_exists(op, v))
            corpus_instruction(v, op, fn, ctx);
    }
    corpus_declarations(v, fn, ctx);
    corpus_definitions(v, fn, ctx);
}

/* Writes version, item and end token to words and returns their number. */
static inline unsigned corpus_words(uint32_t words[VM_ITEM_WORDS + 2], const struct vm_version *v,
                                    const struct vm_item *item)
{
    unsigned n;

    words[0] = vm_version_encode(v);
    n = vm_encode(words + 1, item, v);
    words[n + 1] = VM_TOKEN_END;
    return n + 2;
}

#endif
