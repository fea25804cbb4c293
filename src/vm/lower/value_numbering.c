/* IR emission with local value numbering: merges equal instances (common subexpressions) and hoists
 * uniform ones into the preamble. */
#include "util/alloc.h"
#include "util/hash.h"
#include "util/variant.h"
#include "vm/lower/passes.h"
#include "vm/run/run.h"

#include <string.h>

bool vm_lower_grow(struct lower *l, void *array, uint32_t n, uint32_t *capacity, size_t size)
{
    void *old, *bigger;
    uint32_t new_capacity = *capacity ? *capacity * 2 : 64;

    if (l->status)
        return false;
    if (n < *capacity)
        return true;
    memcpy(&old, array, sizeof(old));
    bigger = new_capacity > *capacity ? mem_realloc(old, new_capacity * size) : NULL;
    if (!bigger) {
        l->status = ST_NOMEM;
        return false;
    }
    memcpy(array, &bigger, sizeof(bigger));
    *capacity = new_capacity;
    return true;
}

/* --- Uniforms --------------------------------------------------------------------------------- */

static uint32_t scalar(struct lower *l, const struct vm_scalar *key)
{
    uint32_t *head = &l->scalar_hash[hash_bytes(key, sizeof(*key), 0) % SCALAR_HASH];

    for (uint32_t i = *head; i; i = l->scalar_next[i - 1])
        if (!memcmp(&l->scalar[i - 1], key, sizeof(*key)))
            return REF_SCALAR | (i - 1);
    if (!vm_lower_grow(l, &l->scalar, l->n_scalar, &l->cap_scalar, sizeof(*key)) ||
        !vm_lower_grow(l, &l->scalar_next, l->n_scalar, &l->cap_scalar_next, sizeof(*head)))
        return REF_NONE;
    l->scalar[l->n_scalar] = *key;
    l->scalar_next[l->n_scalar] = *head;
    *head = ++l->n_scalar;
    return REF_SCALAR | (l->n_scalar - 1);
}

uint32_t vm_lower_literal(struct lower *l, float x)
{
    struct vm_scalar s;

    memset(&s, 0, sizeof(s));
    s.from = VM_FROM_LITERAL;
    memcpy(&s.bits, &x, sizeof(x));
    return scalar(l, &s);
}

uint32_t vm_lower_scalar(struct lower *l, enum vm_scalar_from from, unsigned index,
                         unsigned component)
{
    struct vm_scalar s;

    memset(&s, 0, sizeof(s));
    s.from = (uint8_t)from;
    s.index = (uint16_t)index;
    s.component = (uint8_t)component;
    return scalar(l, &s);
}

/* Replaces a uniform with modifiers by another uniform, so that plain operand modes suffice. */
static uint32_t fold_modifiers(struct lower *l, uint32_t ref)
{
    uint32_t kind = ref & REF_KIND_MASK;

    if (!(ref & (REF_NEG | REF_ABS)))
        return ref;
    if (kind == REF_SCALAR) {
        struct vm_scalar s = l->scalar[ref & REF_ID_MASK];

        if (ref & REF_ABS)
            s.negate = false;
        s.absolute |= !!(ref & REF_ABS);
        s.negate ^= !!(ref & REF_NEG);
        return scalar(l, &s);
    }
    if (kind == REF_HOIST)
        return vm_lower_emit(l, VM_IR_MOV, &ref, 0, NULL);
    return ref;
}

static bool is_uniform(uint32_t ref)
{
    uint32_t kind = ref & REF_KIND_MASK;

    return kind == REF_SCALAR || kind == REF_HOIST;
}

static bool has_modifiers(uint32_t ref)
{
    return ref & (REF_NEG | REF_ABS);
}

/* --- Instances -------------------------------------------------------------------------------- */

/* Swaps factors and summands to suit plain operand modes: a uniform becomes the second of its pair.
 * In the first pair, an operand with modifiers becomes the first. */
static void canonicalise_operands(enum vm_ir_opcode opcode, uint32_t *src)
{
    unsigned n = vm_ir_op_info[opcode].n_src;
    bool sum_of_products = n > 3 && opcode != VM_IR_CRS;
    bool commutes = opcode == VM_IR_ADD || opcode == VM_IR_MUL || opcode == VM_IR_MAD ||
                    opcode == VM_IR_MSUB || opcode == VM_IR_NMAD || sum_of_products;

    for (unsigned i = 0; i + 1 < n && commutes; i += 2) {
        uint32_t first = src[i];

        if ((is_uniform(first) && !is_uniform(src[i + 1])) ||
            (i == 0 && !has_modifiers(first) && has_modifiers(src[1]))) {
            src[i] = src[i + 1];
            src[i + 1] = first;
        }
    }
}

unsigned vm_lower_operand_mode(enum vm_ir_opcode opcode, const uint32_t *words, bool saturate)
{
    const struct ir_op_info *info = &vm_ir_op_info[opcode];
    unsigned uniforms = 0, lane_arrays = 0; /* operand classes with at least one */

    for (unsigned i = 0; i < info->n_src; i++) {
        uint32_t ref = words[info->n_dst + i];
        unsigned class = 1u << vm_operand_class(info->n_src, i);

        if (i > 0 && has_modifiers(ref))
            return VM_OPMODE_ANY;
        *(is_uniform(ref) ? &uniforms : &lane_arrays) |= class;
    }
    if (info->flags != IR_PURE && opcode != VM_IR_STORE)
        return VM_OPMODE_ANY;
    if (uniforms & lane_arrays || (info->n_src && has_modifiers(words[info->n_dst])))
        return VM_OPMODE_FIRST;
    return VM_OPMODE_PLAIN + 2 * uniforms + saturate;
}

/* SAMPLE instances share an IR instruction if all but the sampler and the results agree. */
static bool same_sample_operands(const struct ir_stream *s, const struct ir_inst *inst,
                                 const uint32_t *words)
{
    const uint32_t *last = ir_words(s, inst, inst->n - 1);

    return inst->n < VM_MAX_SAMPLER_GROUP && !memcmp(last + 4, words + 4, 9 * sizeof(*words)) &&
           last[14] == words[14];
}

/* Appends to the last IR instruction if the opcode and modes agree. Kernels finish an instance
 * before the next, so dependent instances may share an IR instruction. */
void vm_lower_append(struct lower *l, struct ir_stream *s, uint32_t first_inst,
                     enum vm_ir_opcode opcode, bool saturate, const uint32_t *words)
{
    unsigned opmode = vm_lower_operand_mode(opcode, words, saturate);

    for (unsigned i = 0; i < ir_op_words(opcode); i++) {
        if (!vm_lower_grow(l, &s->arg, s->n_arg, &s->cap_arg, sizeof(*s->arg)))
            return;
        s->arg[s->n_arg++] = words[i];
    }
    if (s->n_inst > first_inst) {
        struct ir_inst *last = &s->inst[s->n_inst - 1];

        if (last->opcode == opcode && last->opmode == opmode && last->saturate == saturate &&
            (opcode != VM_IR_SAMPLE || same_sample_operands(s, last, words))) {
            last->n++;
            return;
        }
    }
    if (!vm_lower_grow(l, &s->inst, s->n_inst, &s->cap_inst, sizeof(*s->inst)))
        return;
    s->inst[s->n_inst++] = (struct ir_inst){
        .opcode = (uint8_t)opcode,
        .opmode = (uint8_t)opmode,
        .saturate = saturate,
        .arg = s->n_arg - ir_op_words(opcode),
        .n = 1,
    };
}

void vm_lower_instance(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *words)
{
    vm_lower_append(l, &l->main, l->block[l->n_block - 1].first_inst, opcode, false, words);
}

uint32_t vm_lower_new_value(struct lower *l)
{
    return REF_VALUE | l->n_value++;
}

/* Returns the entry of an equal instance or a free one; NULL if the probe limit is reached. */
static struct ir_vn_entry *vn_lookup(struct lower *l, const struct ir_vn_entry *key)
{
    uint64_t hash = hash_bytes(key->src, sizeof(key->src), key->opcode);

    for (uint32_t i = (uint32_t)hash, probes = 0; probes < VN_MAX_PROBES; i++, probes++) {
        struct ir_vn_entry *m = &l->vn_table[i % VN_TABLE_SIZE];
        bool stale = (m->ref & REF_KIND_MASK) == REF_VALUE && m->block != key->block;

        if (m->ref == REF_NONE || stale)
            return m;
        if (m->opcode == key->opcode && m->saturate == key->saturate &&
            !memcmp(m->src, key->src, sizeof(m->src)))
            return m;
    }
    return NULL;
}

/* The result modifiers of ps_1_x, _x2 … _d8, become a product with a literal. */
static uint32_t emit_shifted(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *src,
                             uint32_t imm, const struct dst_mod *dst_mod)
{
    struct dst_mod rest = {.saturate = dst_mod->saturate, .scale = 1.0f};
    uint32_t factors[] = {
        opcode == VM_IR_MOV ? src[0] : vm_lower_emit(l, opcode, src, imm, NULL),
        vm_lower_literal(l, dst_mod->scale),
    };

    return vm_lower_emit(l, VM_IR_MUL, factors, 0, &rest);
}

/* Hoists a product of two uniforms out of a sum. The sum adds it at the same position, so its
 * roundings stay. Returns the opcode for the operands left in src. */
static enum vm_ir_opcode hoist_uniform_product(struct lower *l, enum vm_ir_opcode opcode,
                                               uint32_t *src)
{
    unsigned n = opcode == VM_IR_DP4 ? 8 : opcode == VM_IR_DP3 ? 6 : 0;

    if (n && is_uniform(src[n - 2]) && is_uniform(src[n - 1])) {
        src[n - 2] = vm_lower_emit2(l, VM_IR_MUL, src[n - 2], src[n - 1]);
        src[n - 1] = REF_NONE;
        return opcode == VM_IR_DP4 ? VM_IR_DP3ADD : VM_IR_DP2ADD;
    }
    if (opcode == VM_IR_MAD && is_uniform(src[0]) && is_uniform(src[1])) {
        src[0] = vm_lower_emit2(l, VM_IR_MUL, src[0], src[1]);
        src[1] = src[2];
        src[2] = REF_NONE;
        return VM_IR_ADD;
    }
    return opcode;
}

static uint32_t emit(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *src, uint32_t imm,
                     const struct dst_mod *dst_mod)
{
    const struct ir_op_info *info = &vm_ir_op_info[opcode];
    struct ir_vn_entry key, *found = NULL;
    bool hoisted = info->flags == IR_PURE;
    uint32_t words[10];

    memset(&key, 0, sizeof(key));
    key.block = l->n_block;
    key.saturate = dst_mod && dst_mod->saturate;
    for (unsigned i = 0; i < info->n_src; i++) {
        /* fold_modifiers emits MOV to apply modifiers, so MOV keeps its own. */
        key.src[i] = opcode == VM_IR_MOV ? src[i] : fold_modifiers(l, src[i]);
        hoisted = hoisted && is_uniform(key.src[i]);
    }
    opcode = hoist_uniform_product(l, opcode, key.src);
    canonicalise_operands(opcode, key.src);
    info = &vm_ir_op_info[opcode];
    key.opcode = (uint8_t)opcode;
    if (info->n_imm)
        key.src[info->n_src] = imm;
    if (info->flags != IR_EFFECT) {
        found = vn_lookup(l, &key);
        if (found && found->ref != REF_NONE && found->opcode == opcode &&
            ((found->ref & REF_KIND_MASK) == REF_HOIST || found->block == key.block))
            return found->ref;
    }
    if (l->status)
        return REF_NONE;
    key.ref = hoisted ? REF_HOIST | l->n_hoist++ : vm_lower_new_value(l);
    words[0] = key.ref;
    memcpy(words + 1, key.src, (info->n_src + info->n_imm) * sizeof(*words));
    if (hoisted)
        vm_lower_append(l, &l->hoist, 0, opcode, key.saturate, words);
    else
        vm_lower_append(l, &l->main, l->block[l->n_block - 1].first_inst, opcode, key.saturate,
                        words);
    if (found)
        *found = key;
    return key.ref;
}

/* For a variant renderer (util/variant.h): computes the result with a different error, within what
 * the specification allows. */
static uint32_t emit_perturbed(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *src,
                               const struct dst_mod *dst_mod)
{
    float error = variant_current->function;
    uint32_t s[2], reversed[8];
    unsigned n = opcode == VM_IR_DP4 ? 4 : 3;

    if (opcode == VM_IR_DP3 || opcode == VM_IR_DP4) {
        for (unsigned i = 0; i < n; i++) {
            reversed[2 * i] = src[2 * (n - 1 - i)];
            reversed[2 * i + 1] = src[2 * (n - 1 - i) + 1];
        }
        return emit(l, opcode, reversed, 0, dst_mod);
    }
    s[0] = emit(l, opcode, src, 0, NULL);
    if (opcode == VM_IR_SIN || opcode == VM_IR_COS) {
        s[1] = vm_lower_literal(l, error > 0.0f ? 0.0008f : -0.0008f);
        return emit(l, VM_IR_ADD, s, 0, dst_mod);
    }
    s[1] = vm_lower_literal(l, 1.0f + error);
    return emit(l, VM_IR_MUL, s, 0, dst_mod);
}

static bool can_perturb(enum vm_ir_opcode opcode)
{
    switch (opcode) {
    case VM_IR_RCP:
    case VM_IR_RSQ:
    case VM_IR_NRM:
    case VM_IR_EXP2:
    case VM_IR_LOG2:
    case VM_IR_POW:
    case VM_IR_DIV:
    case VM_IR_SIN:
    case VM_IR_COS:
        return variant_current->function != 0.0f;
    case VM_IR_DP3:
    case VM_IR_DP4:
        return variant_current->reorder;
    default:
        return false;
    }
}

uint32_t vm_lower_emit(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *src, uint32_t imm,
                       const struct dst_mod *dst_mod)
{
    if (dst_mod && dst_mod->scale != 1.0f)
        return emit_shifted(l, opcode, src, imm, dst_mod);
    if (variant_current && can_perturb(opcode))
        return emit_perturbed(l, opcode, src, dst_mod);
    return emit(l, opcode, src, imm, dst_mod);
}

uint32_t vm_lower_emit1(struct lower *l, enum vm_ir_opcode opcode, uint32_t a)
{
    return vm_lower_emit(l, opcode, &a, 0, NULL);
}

uint32_t vm_lower_emit2(struct lower *l, enum vm_ir_opcode opcode, uint32_t a, uint32_t b)
{
    uint32_t src[] = {a, b};

    return vm_lower_emit(l, opcode, src, 0, NULL);
}

uint32_t vm_lower_emit3(struct lower *l, enum vm_ir_opcode opcode, uint32_t a, uint32_t b,
                        uint32_t c)
{
    uint32_t src[] = {a, b, c};

    return vm_lower_emit(l, opcode, src, 0, NULL);
}

uint32_t vm_lower_broadcast(struct lower *l, uint32_t ref)
{
    if ((ref & REF_KIND_MASK) != REF_SCALAR && !(ref & (REF_NEG | REF_ABS)))
        return ref; /* hoisted results fill all lanes */
    return vm_lower_emit(l, VM_IR_MOV, &ref, 0, NULL);
}
