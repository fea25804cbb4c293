/* What a program takes of the limits of its model, and the lengths of its ways through branches. */
#include "vm/validate/budget.h"

#include "util/alloc.h"
#include "vm/validate/rules.h"

/* --- Limits ----------------------------------------------------------------------------------- */

static void split(const struct vm_program *p, const struct vm_version *version,
                  struct vm_budget *out)
{
    struct vm_history all = {0};

    for (uint32_t i = 0; i < p->n_instr; i++)
        vm_add_split(&all, &p->instr[i],
                     vm_instr_slots(&p->instr[i], version, p->info.sampler_kind));
    out->texture = all.texture_slots;
    out->arithmetic = all.arithmetic_slots;
    vm_split_limits(version, &out->max_texture, &out->max_arithmetic);
    if (version->rank == 14) { /* as much again in the second phase */
        out->max_texture *= 2;
        out->max_arithmetic *= 2;
    }
}

void vm_program_budget(const struct vm_program *p, struct vm_budget *out)
{
    struct vm_version version = vm_program_version(p);
    unsigned slots = vm_max_slots(&version);
    bool software = version.minor == 255;

    *out = (struct vm_budget){
        .slots = p->info.instructions,
        .max_slots = slots == VM_NO_LIMIT ? 0 : slots,
        .temps = p->n_temps,
        .max_temps = vm_file_size(&version, software, VM_FILE_TEMP),
        .constants = p->info.direct_constants,
        .indexed = p->info.float_constants != p->info.direct_constants,
        .max_constants = vm_file_size(&version, software, VM_FILE_CONST),
        .samplers = (uint32_t)__builtin_popcount(p->info.samplers),
        .max_samplers = vm_file_size(&version, software, VM_FILE_SAMPLER),
    };
    if (version.pixel && version.rank < VM_RANK_2_0)
        out->max_samplers = version.rank == 14 ? 6 : 4;
    if (version.pixel && version.rank <= VM_RANK_2_0)
        split(p, &version, out);
}

/* --- Ways ------------------------------------------------------------------------------------- */

/* The ways through a part of the program. */
struct ways {
    struct vm_path least, most; /* to its end */
    struct vm_path to_break;    /* the shortest one to a break */
    bool may_break, ends;       /* ends: it always breaks */
};

struct walker {
    const struct vm_program *program;
    struct vm_version version;
    const int32_t (*i)[4], *b;
    unsigned n_i, n_b;
    struct ways *routine; /* per instruction that is a label */
    bool *known;
};

static uint64_t add(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t n)
{
    return n && a > UINT64_MAX / n ? UINT64_MAX : a * n;
}

static struct vm_path plus(struct vm_path a, struct vm_path b)
{
    return (struct vm_path){add(a.instructions, b.instructions), add(a.slots, b.slots),
                            add(a.texture_reads, b.texture_reads)};
}

static struct vm_path repeated(struct vm_path a, uint64_t n)
{
    return (struct vm_path){times(a.instructions, n), times(a.slots, n), times(a.texture_reads, n)};
}

static struct vm_path shorter(struct vm_path a, struct vm_path b)
{
    return a.slots < b.slots || (a.slots == b.slots && a.instructions <= b.instructions) ? a : b;
}

static struct vm_path longer(struct vm_path a, struct vm_path b)
{
    return a.slots > b.slots || (a.slots == b.slots && a.instructions >= b.instructions) ? a : b;
}

/* Adds what runs next. */
static void follow(struct ways *w, const struct ways *next)
{
    struct vm_path to_break = plus(w->least, next->to_break);

    if (w->ends)
        return;
    if (next->may_break)
        w->to_break = w->may_break ? shorter(w->to_break, to_break) : to_break;
    w->may_break |= next->may_break;
    w->least = plus(w->least, next->least);
    w->most = plus(w->most, next->most);
    w->ends = next->ends;
}

static struct ways either(const struct ways *a, const struct ways *b)
{
    struct ways w = {.may_break = a->may_break || b->may_break, .ends = a->ends && b->ends};

    w.least = a->ends ? b->least : b->ends ? a->least : shorter(a->least, b->least);
    w.most = longer(a->most, b->most);
    w.to_break = !a->may_break   ? b->to_break
                 : !b->may_break ? a->to_break
                                 : shorter(a->to_break, b->to_break);
    return w;
}

static const struct vm_definition *definition(const struct walker *k, unsigned file, unsigned index)
{
    for (uint32_t i = k->program->n_def; i-- > 0;)
        if (k->program->def[i].file == file && k->program->def[i].index == index)
            return &k->program->def[i];
    return NULL;
}

static bool is_true(const struct walker *k, const struct vm_src *src)
{
    const struct vm_definition *def = definition(k, VM_FILE_CONSTBOOL, src->index);
    bool value = def ? def->value.i[0] != 0 : src->index < k->n_b ? k->b[src->index] != 0 : false;

    return value != (src->modifier == VM_MOD_NOT);
}

/* Rounds of a loop or rep. */
static uint64_t rounds(const struct walker *k, const struct vm_instr *in)
{
    unsigned index = in->src[in->op == VM_OP_LOOP ? 1 : 0].index;
    const struct vm_definition *def = definition(k, VM_FILE_CONSTINT, index);
    int32_t n = def ? def->value.i[0] : index < k->n_i ? k->i[index][0] : 0;

    return n < 0 ? 0 : n > 255 ? 255 : (uint64_t)n;
}

static struct ways single(const struct walker *k, uint32_t i)
{
    const struct vm_instr *in = &k->program->instr[i];
    struct ways w = {0};

    w.least.instructions = in->op != VM_OP_LABEL && in->op != VM_OP_PHASE;
    w.least.slots = vm_instr_slots(in, &k->version, k->program->info.sampler_kind);
    w.least.texture_reads = vm_instr_samples(k->program, i);
    w.most = w.least;
    return w;
}

static struct ways walk(struct walker *k, uint32_t i, uint32_t end);

/* The ways behind a constant or other condition: `then` or nothing, or `otherwise`. */
static struct ways choose(const struct walker *k, const struct vm_instr *in,
                          const struct vm_src *condition, const struct ways *then,
                          const struct ways *otherwise)
{
    if (condition->file == VM_FILE_CONSTBOOL && in->op != VM_OP_IFC)
        return is_true(k, condition) ? *then : *otherwise;
    return either(then, otherwise);
}

/* *next: the instruction behind. */
static struct ways walk_if(struct walker *k, uint32_t i, uint32_t *next)
{
    const struct vm_instr *instr = k->program->instr, *in = &instr[i];
    uint32_t other = in->target, end = instr[other].op == VM_OP_ELSE ? instr[other].target : other;
    struct ways w = single(k, i), then = walk(k, i + 1, other), otherwise = {0}, chosen;

    if (other != end) {
        struct ways jump = single(k, other); /* else, which the first side runs to */

        follow(&then, &jump);
        otherwise = walk(k, other + 1, end);
    }
    chosen = choose(k, in, &in->src[0], &then, &otherwise);
    follow(&w, &chosen);
    *next = end; /* endif has a slot of its own */
    return w;
}

static struct ways walk_loop(struct walker *k, uint32_t i, uint32_t *next)
{
    const struct vm_instr *in = &k->program->instr[i];
    uint64_t n = rounds(k, in);
    struct ways w = single(k, i), body = walk(k, i + 1, in->target);
    struct ways end = single(k, in->target), all = {0};

    follow(&body, &end);
    all.most = repeated(body.most, n);
    all.least = body.ends ? body.to_break : repeated(body.least, n);
    if (n && body.may_break)
        all.least = shorter(all.least, body.to_break);
    if (!n)
        all = (struct ways){0};
    follow(&w, &all);
    *next = in->target + 1;
    return w;
}

static struct ways walk_call(struct walker *k, uint32_t i)
{
    const struct vm_instr *in = &k->program->instr[i];
    struct ways w = single(k, i), none = {0}, chosen;
    uint32_t label = in->target;

    if (!k->known[label]) {
        k->routine[label] = walk(k, label + 1, k->program->n_instr);
        k->routine[label].may_break = k->routine[label].ends = false;
        k->known[label] = true;
    }
    chosen = in->op == VM_OP_CALLNZ ? choose(k, in, &in->src[1], &k->routine[label], &none)
                                    : k->routine[label];
    follow(&w, &chosen);
    return w;
}

/* break, breakc, breakp: may leave, and take their slots if they do not. */
static struct ways walk_break(const struct walker *k, uint32_t i)
{
    struct ways w = single(k, i);

    w.may_break = true;
    w.to_break = w.least;
    w.ends = k->program->instr[i].op == VM_OP_BREAK && !k->program->instr[i].predicated;
    return w;
}

/* From instruction i up to `end`, the ret of the routine, or the next label. */
static struct ways walk(struct walker *k, uint32_t i, uint32_t end)
{
    struct ways w = {0};

    while (i < end && k->program->instr[i].op != VM_OP_LABEL) {
        struct ways next;
        uint32_t behind = i + 1;

        switch (k->program->instr[i].op) {
        case VM_OP_IF:
        case VM_OP_IFC:
            next = walk_if(k, i, &behind);
            break;
        case VM_OP_LOOP:
        case VM_OP_REP:
            next = walk_loop(k, i, &behind);
            break;
        case VM_OP_CALL:
        case VM_OP_CALLNZ:
            next = walk_call(k, i);
            break;
        case VM_OP_BREAK:
        case VM_OP_BREAKC:
        case VM_OP_BREAKP:
            next = walk_break(k, i);
            break;
        default:
            next = single(k, i);
        }
        follow(&w, &next);
        if (k->program->instr[i].op == VM_OP_RET)
            break;
        i = behind;
    }
    return w;
}

enum status vm_program_paths(const struct vm_program *program, const int32_t (*i)[4], unsigned n_i,
                             const int32_t *b, unsigned n_b, struct vm_path *shortest,
                             struct vm_path *longest)
{
    struct walker k = {.program = program,
                       .version = vm_program_version(program),
                       .i = i,
                       .b = b,
                       .n_i = n_i,
                       .n_b = n_b,
                       .routine = mem_calloc(program->n_instr + 1, sizeof(*k.routine)),
                       .known = mem_calloc(program->n_instr + 1, sizeof(*k.known))};
    bool good = k.routine && k.known;

    if (good) {
        struct ways all = walk(&k, 0, program->n_instr);

        *shortest = all.least;
        *longest = all.most;
    }
    mem_free(k.routine);
    mem_free(k.known);
    return good ? ST_OK : ST_NOMEM;
}
