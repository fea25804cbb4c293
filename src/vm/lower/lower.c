/* Lowering driver: passes the instructions of a validated program to alu.c, tex.c and flow.c, then
 * runs the passes of the IR and compiles the result. passes.h describes the data. */
#include "vm/lower/passes.h"

#include "ir/pass/pass.h"
#include "util/alloc.h"
#include "util/cpu.h"

#include <string.h>

/* --- Outputs ---------------------------------------------------------------------------------- */

static void store_output(struct lower *l, uint32_t slot, ir_ref value)
{
    ir_emit_mem(l->ir, IR_STORE, VM_BASE_OUTPUTS, slot * VM_LANE_BYTES, value, 0, 0);
}

/* Stores an output at the end of the program. */
static void store_result(struct lower *l, int slot)
{
    if (slot < 0)
        return;
    vm_lower_set_origin(l, vm_lower_output_origin(l, (uint32_t)slot));
    store_output(l, (uint32_t)slot, l->def[l->vreg_output + (uint32_t)slot]);
}

/* Around a write to an indexed output, outputs are in memory. */
static void store_outputs(struct lower *l)
{
    for (uint32_t i = 0; i < l->program->info.n_output_slots && !l->in_memory; i++)
        store_output(l, i, vm_lower_all_lanes(l, l->vreg_output + i));
}

static void load_outputs(struct lower *l)
{
    for (uint32_t i = 0; i < l->program->info.n_output_slots && !l->in_memory; i++)
        l->def[l->vreg_output + i] =
            ir_emit_mem(l->ir, IR_LOAD, VM_BASE_OUTPUTS, i * VM_LANE_BYTES, 0, 0, 0);
    l->n_flow++;
}

/* Clamps colours and fog of vs_1 and vs_2 (reference: shader/colour-clamp). The colour of ps_1_x
 * is r0, clamped (reference: shader/ps1-result). */
static void clamp_outputs(struct lower *l)
{
    const struct vm_info *info = &l->program->info;

    for (unsigned c = 0; l->is_ps1 && c < 4; c++) {
        int slot = vm_program_output_slot(l->program, VM_FILE_TEMP, 0, c);

        vm_lower_set_origin(l, slot >= 0 ? vm_lower_output_origin(l, (uint32_t)slot) : 0);
        if (slot >= 0)
            vm_lower_put(l, l->vreg_output + (uint32_t)slot, vm_saturate(l, vm_lower_get(l, c)));
    }
    for (unsigned i = 0; !l->pixel && l->rank < VM_RANK_3_0 && i < info->n_outputs; i++) {
        const struct vm_io *io = &info->output[i];

        for (unsigned c = 0; c < 4; c++) {
            uint32_t vreg = l->vreg_output + (uint32_t)io->slot[c];

            if (io->slot[c] < 0 || (io->usage != VM_USAGE_COLOR && io->usage != VM_USAGE_FOG))
                continue;
            vm_lower_set_origin(l, vm_lower_output_origin(l, (uint32_t)io->slot[c]));
            vm_lower_put(l, vreg, vm_saturate(l, vm_lower_get(l, vreg)));
        }
    }
}

static bool is_live(const struct lower *l, unsigned output)
{
    return l->options->single_step || l->options->live_outputs >> output & 1;
}

/* Returns true if it may drop lanes. */
static bool emit_epilogue(struct lower *l)
{
    const struct vm_epilogue *epilogue = l->options->epilogue;
    ir_ref dropped = epilogue ? epilogue->emit(epilogue->ctx, l->ir, l->def + l->vreg_output) : 0;

    if (dropped)
        l->def[l->vreg_killed] = vm_op2(l, IR_MOR, l->def[l->vreg_killed], dropped);
    return dropped != 0;
}

static void end_program(struct lower *l)
{
    const struct vm_info *info = &l->program->info;

    clamp_outputs(l);
    if (l->in_memory)
        return;
    for (unsigned i = 0; i < info->n_outputs; i++)
        for (unsigned c = 0; c < 4 && is_live(l, i); c++)
            store_result(l, info->output[i].slot[c]);
    vm_lower_set_origin(l, 0);
    if (emit_epilogue(l) || info->kills)
        ir_emit_mem(l->ir, IR_MSTORE, VM_BASE_SCRATCH, VM_KILLED_AT, l->def[l->vreg_killed], 0, 0);
}

/* --- Single-stepping -------------------------------------------------------------------------- */

static void note_step(struct lower *l, uint32_t last)
{
    struct vm_code *code = l->code;
    struct vm_step_op *more = mem_realloc(code->step, (code->n_steps + 1) * sizeof(*more));

    if (!more) {
        l->status = ST_NOMEM;
        return;
    }
    code->step = more;
    code->step[code->n_steps++] = (struct vm_step_op){l->n_stepped, last};
}

static void store_mask(struct lower *l, uint32_t at, ir_ref mask)
{
    ir_emit_mem(l->ir, IR_MSTORE, VM_BASE_SCRATCH, at, mask, 0, 0);
}

/* Puts the registers that have changed into their places. */
static void store_registers(struct lower *l)
{
    for (uint32_t vreg = 0; vreg < l->vreg_predicate; vreg++) {
        ir_ref value = vm_lower_all_lanes(l, vreg);

        if (value != l->stepped[vreg])
            vm_lower_store(l, vreg, value);
        l->stepped[vreg] = value;
    }
    for (uint32_t vreg = l->vreg_predicate; vreg <= l->vreg_killed; vreg++)
        vm_lower_store(l, vreg, l->def[vreg]);
}

/* Calls the step hook, after the registers are in their places. Waits while
 * results or matrix rows are pending. */
static void step(struct lower *l, uint32_t instr)
{
    if (!l->options->single_step || l->n_pending || l->n_rows || l->status)
        return;
    if (!l->in_memory)
        store_registers(l);
    vm_lower_store_al(l);
    store_mask(l, VM_EXEC_AT, l->exec);
    ir_emit(l->ir, IR_CALL, 0, 0, 0, l->code->n_steps | VM_CALL_STEP);
    note_step(l, instr);
    l->n_stepped = instr + 1;
}

static enum status begin_stepping(struct lower *l)
{
    struct vm_code *code = l->code;

    code->program = l->program;
    l->stepped = mem_calloc(l->n_vreg, sizeof(*l->stepped));
    if (!l->stepped)
        return ST_NOMEM;
    code->vreg_texture = l->vreg_texture;
    code->vreg_address = l->vreg_address;
    code->vreg_output = l->vreg_output;
    code->has_textures = l->is_ps1;
    return ST_OK;
}

/* --- Instructions ----------------------------------------------------------------------------- */

static void lower_instruction(struct lower *l, uint32_t i)
{
    const struct vm_instr *in = &l->program->instr[i];
    const struct vm_instr *next = i + 1 < l->program->n_instr ? in + 1 : NULL;
    unsigned op_class = vm_op_info[in->op].op_class;
    bool scatters =
        in->dst.file != VM_FILE_NONE && in->dst.rel_file != VM_FILE_NONE && in->op != VM_OP_TEXKILL;

    if (scatters)
        store_outputs(l);
    if (op_class == VM_CLASS_TEXTURE || op_class == VM_CLASS_TEXTURE1 || in->op == VM_OP_BEM)
        vm_lower_texture(l, in);
    else
        vm_lower_alu(l, in);
    /* Both instructions of a co-issued pair read before either writes. */
    if (!next || !next->coissue || in->coissue)
        vm_lower_commit(l);
    if (scatters)
        load_outputs(l);
    step(l, i);
}

static bool is_flow(const struct vm_instr *in)
{
    return vm_op_info[in->op].op_class == VM_CLASS_FLOW;
}

static bool reports_late(unsigned op)
{
    return op == VM_OP_ELSE || op == VM_OP_ENDIF || op == VM_OP_LABEL;
}

/* Lowers a flow instruction and returns the next one. A call goes to the instruction after a label,
 * which is reported. */
static uint32_t lower_flow(struct lower *l, uint32_t flow)
{
    unsigned op = l->program->instr[flow].op;
    uint32_t next;

    if (!reports_late(op))
        step(l, flow);
    next = vm_lower_flow(l, flow);
    if (reports_late(op) && next == flow + 1)
        step(l, flow);
    if (next == flow + 1)
        return next;
    l->n_stepped = next;
    if (op == VM_OP_CALL || op == VM_OP_CALLNZ) {
        l->n_stepped = next - 1;
        step(l, next - 1);
    }
    return next;
}

/* A program with branches whose function is longer is lowered with registers in memory. */
enum { MAX_MERGED = 1 << 16 };

/* Lowers from instruction i to the end of the program or routine. */
static void lower_from(struct lower *l, uint32_t i)
{
    const struct vm_program *p = l->program;
    uint32_t n;

    l->n_stepped = i;
    while (i < p->n_instr && !l->status && !ir_status(l->ir)) {
        l->n_lowered++;
        vm_lower_set_origin(l, i + 1);
        if (!is_flow(&p->instr[i])) {
            lower_instruction(l, i++);
            continue;
        }
        i = lower_flow(l, i);
        ir_insts(l->ir, &n);
        if (n > MAX_MERGED && !l->in_memory) {
            l->grows = true;
            return;
        }
    }
}

static void lower_main(struct lower *l)
{
    vm_lower_begin(l);
    l->row[0] = l->row[1] = l->row_w[0] = l->row_w[1] = vm_literal(l, 0.0f);
    lower_from(l, 0);
    vm_lower_set_origin(l, 0);
    if (!l->status && !l->grows)
        end_program(l);
    l->function[0] = l->ir;
    l->ir = NULL;
}

static void lower_routine(struct lower *l, uint32_t label)
{
    l->ir = ir_create(VM_CONSTANT_BASES);
    if (!l->ir) {
        l->status = ST_NOMEM;
        return;
    }
    vm_lower_begin_routine(l);
    l->n_stepped = label;
    step(l, label);
    lower_from(l, label + 1);
    l->function[1 + l->routine_at[label]] = l->ir;
    l->ir = NULL;
}

static void lower_program(struct lower *l)
{
    const struct vm_program *p = l->program;

    l->function = mem_calloc(1 + l->code->n_routines, sizeof(struct ir *));
    if (!l->function) {
        l->status = ST_NOMEM;
        return;
    }
    lower_main(l);
    for (uint32_t i = 0; i < p->n_instr && l->in_memory && !l->status; i++)
        if (p->instr[i].op == VM_OP_LABEL)
            lower_routine(l, i);
}

/* --- Code ------------------------------------------------------------------------------------- */

static void fill_slots(const struct vm_program *p, struct vm_code *code)
{
    memset(code->slots, -1, sizeof(code->slots));
    for (unsigned output = 0; output < 2; output++) {
        const struct vm_io *io = output ? p->info.output : p->info.input;
        unsigned n = output ? p->info.n_outputs : p->info.n_inputs;

        for (unsigned i = 0; i < n; i++)
            for (unsigned c = 0; c < 4; c++)
                if (io[i].slot[c] >= 0 && io[i].reg < VM_SLOT_REGISTERS)
                    code->slots[output].slot[io[i].reg][c] = io[i].slot[c];
    }
}

static enum status copy_definitions(const struct vm_program *p, struct vm_code *code)
{
    code->def = mem_alloc((p->n_def + 1) * sizeof(*code->def));
    if (!code->def)
        return ST_NOMEM;
    if (p->n_def)
        memcpy(code->def, p->def, p->n_def * sizeof(*code->def));
    code->n_defs = p->n_def;
    return ST_OK;
}

static size_t align64(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Puts literals that outputs are, or are scaled by, among the uniforms: patterns refer to them by
 * place. */
static void note_literals(struct lower *l)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(l->code->body, &n);

    for (ir_ref ref = 1; ref < n && !l->status; ref++) {
        bool names =
            inst[ref].op == IR_FMUL0 || inst[ref].op == IR_FMUL || inst[ref].op == IR_STORE;
        const struct ir_inst *last = &inst[inst[ref].arg[inst[ref].op == IR_STORE ? 0 : 1]];

        if (names && last->op == IR_CONST)
            vm_find_scalar(l, &(struct vm_scalar){.from = VM_FROM_LITERAL, .component = last->imm});
    }
}

/* True if a texel has a component that something reads. Marks those that nothing reads. is_read: a
 * bit per place. */
static bool has_live_component(uint32_t texel[4], uint32_t is_read)
{
    bool live = false;

    for (unsigned c = 0; c < 4; c++) {
        if (is_read >> texel[c] / VM_LANE_BYTES & 1)
            live = true;
        else
            texel[c] = VM_NO_PLACE;
    }
    return live;
}

static void drop_texels_of(struct vm_sample_op *op, uint32_t is_read)
{
    uint8_t live = 0;

    for (unsigned i = 0; i < op->n; i++) {
        if (!has_live_component(op->texel[i], is_read))
            continue;
        op->sampler[live] = op->sampler[i];
        memmove(op->texel[live++], op->texel[i], sizeof(op->texel[i]));
    }
    op->n = live;
}

static bool is_sample(const struct ir_inst *inst)
{
    return inst->op == IR_CALL && !(inst->imm & (VM_CALL_STEP | VM_CALL_ROUTINE));
}

/* Results of samples that nothing reads are not computed; a call without results does nothing. Each
 * call is followed by the loads of its results. */
static void drop_dead_texels(struct vm_code *code, const struct ir *body)
{
    struct vm_sample_op *op = NULL;
    uint32_t n, is_read = 0;
    const struct ir_inst *inst = ir_insts(body, &n);

    for (ir_ref ref = 1; ref < n; ref++) {
        if (inst[ref].op == IR_LOAD && inst[ref].base == VM_BASE_TEXELS)
            is_read |= 1u << inst[ref].imm / VM_LANE_BYTES;
        if (!is_sample(&inst[ref]))
            continue;
        if (op)
            drop_texels_of(op, is_read);
        op = &code->sample[inst[ref].imm];
        is_read = 0;
    }
    if (op)
        drop_texels_of(op, is_read);
}

/* Splits off the preamble and drops dead code. */
static enum status optimise(struct lower *l, struct ir **function, struct ir **preamble,
                            uint32_t *hoisted_bytes)
{
    struct ir *body;

    if (ir_status(*function))
        return ir_status(*function);
    body = ir_hoist(*function, VM_BASE_HOISTED, hoisted_bytes, preamble);
    ir_destroy(*function);
    *function = body ? ir_remove_dead(body) : NULL;
    ir_destroy(body);
    if (!*function)
        return ST_NOMEM;
    drop_dead_texels(l->code, *function);
    return ST_OK;
}

/* Longer functions are interpreted: their machine code would take long to make. */
enum { MAX_COMPILED = 1 << 18 };

/* Makes machine code, or a program for the interpreter. *bytes: work memory. */
static enum status compile_body(struct vm_function *f, const struct ir *body,
                                const struct vm_options *options, size_t *bytes)
{
    enum status st = ST_UNSUPPORTED;
    struct ir *expanded;
    uint32_t n;

    ir_insts(body, &n);
    if (!options->interpret && n <= MAX_COMPILED) {
        expanded = ir_expand_mul0(body);
        st = expanded ? ir_compile(&f->machine_code, expanded, cpu_isa()) : ST_NOMEM;
        ir_destroy(expanded);
    }
    if (!st)
        *bytes = ir_code_work_bytes(f->machine_code);
    if (st != ST_UNSUPPORTED || options->epilogue)
        return st;
    st = options->origins == 2 ? ir_interp_create_marked(&f->body, body)
                               : ir_interp_create(&f->body, body);
    if (!st)
        *bytes = ir_interp_work_bytes(f->body);
    return st;
}

/* Makes a function run. Memory of the preamble lies behind the uniforms. */
static enum status compile_function(struct vm_code *code, struct vm_function *f,
                                    const struct ir *body, const struct ir *preamble,
                                    const struct vm_options *options, size_t *bytes)
{
    enum status st = ir_interp_create(&f->preamble, preamble);
    size_t end;

    if (st)
        return st;
    end = code->preamble_at + ir_interp_work_bytes(f->preamble);
    if (end > code->uniform_bytes)
        code->uniform_bytes = end;
    return compile_body(f, body, options, bytes);
}

static struct vm_function *function_of(struct vm_code *code, uint32_t i)
{
    return i ? &code->routine[i - 1] : &code->main;
}

/* Places memory of the functions: that of a routine lies behind that of all its callers, which come
 * earlier in the program. bytes: of each function. */
static void place_functions(struct lower *l, const size_t *bytes)
{
    struct vm_code *code = l->code;
    const struct vm_program *p = l->program;
    struct vm_function *current = &code->main;
    size_t end = align64(code->main.work_at + bytes[0]);

    code->work_bytes = end;
    for (uint32_t i = 0; i < p->n_instr && code->n_routines; i++) {
        struct vm_function *called;

        if (p->instr[i].op == VM_OP_LABEL) {
            current = &code->routine[l->routine_at[i]];
            end = align64(current->work_at + bytes[1 + l->routine_at[i]]);
            code->work_bytes = end > code->work_bytes ? end : code->work_bytes;
        }
        if (p->instr[i].op != VM_OP_CALL && p->instr[i].op != VM_OP_CALLNZ)
            continue;
        called = &code->routine[l->routine_at[p->instr[i].target]];
        called->work_at = end > called->work_at ? end : called->work_at;
    }
}

static void lay_out(struct vm_code *code, uint32_t hoisted_bytes)
{
    code->constants_at = align64(code->n_scalars * sizeof(uint32_t));
    code->hoisted_at =
        code->constants_at + align64(code->n_constants ? (code->n_constants + 1) * 16u : 0);
    code->preamble_at = code->hoisted_at + align64(hoisted_bytes);
    code->texels_at = align64(code->scratch_at + code->scratch_bytes);
    code->main.work_at = code->texels_at + code->texel_bytes;
    for (uint32_t i = 0; i < code->n_routines; i++)
        code->routine[i].work_at = code->main.work_at;
}

/* preamble, bytes: of each function, zero at first. */
static enum status compile_functions(struct lower *l, struct ir **preamble, size_t *bytes)
{
    struct vm_code *code = l->code;
    uint32_t hoisted_bytes = 0, n = 1 + code->n_routines;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < n && !st; i++)
        st = optimise(l, &l->function[i], &preamble[i], &hoisted_bytes);
    for (uint32_t i = 0; i < n && !st; i++)
        st = vm_lower_count_operations(l, l->function[i], preamble[i]);
    if (st)
        return st;
    code->body = l->function[0];
    code->preamble = preamble[0];
    l->function[0] = preamble[0] = NULL;
    note_literals(l);
    if (l->status)
        return l->status;
    lay_out(code, hoisted_bytes);
    for (uint32_t i = 0; i < n && !st; i++) {
        const struct ir *body = i ? l->function[i] : code->body;
        const struct ir *once = i ? preamble[i] : code->preamble;

        st = compile_function(code, function_of(code, i), body, once, l->options, &bytes[i]);
    }
    if (!st)
        place_functions(l, bytes);
    return st;
}

static enum status compile(struct lower *l)
{
    uint32_t n = 1 + l->code->n_routines;
    struct ir **preamble = mem_calloc(n, sizeof(*preamble));
    size_t *bytes = mem_calloc(n, sizeof(*bytes));
    enum status st = ST_NOMEM;

    l->code->routine = mem_calloc(n, sizeof(*l->code->routine));
    if (preamble && bytes && l->code->routine)
        st = compile_functions(l, preamble, bytes);
    for (uint32_t i = 0; preamble && i < n; i++)
        ir_destroy(preamble[i]);
    mem_free(preamble);
    mem_free(bytes);
    return st;
}

/* --- Interface -------------------------------------------------------------------------------- */

/* If a register has several definitions, the last one counts. */
static void note_definitions(struct lower *l)
{
    for (uint32_t i = 0; i < l->program->n_def; i++)
        if (l->program->def[i].file == VM_FILE_CONST)
            l->def_of[l->program->def[i].index] = i + 1;
}

static void number_vregs(struct lower *l)
{
    const struct vm_program *p = l->program;

    l->vreg_texture = p->n_temps * 4u;
    l->vreg_address = l->vreg_texture + (l->is_ps1 ? 8 * 4 : 0);
    l->vreg_output = l->vreg_address + 4;
    l->vreg_predicate = l->vreg_output + p->info.n_output_slots;
    l->vreg_killed = l->vreg_predicate + 4;
    l->vreg_active = l->vreg_killed + 1;
    l->vreg_alive = l->vreg_active + 1;
    l->vreg_budget = l->vreg_alive + 1;
    l->n_vreg = l->vreg_budget + 1;
}

static enum status init(struct lower *l, const struct vm_program *p,
                        const struct vm_options *options, struct vm_code *code, bool in_memory)
{
    memset(l, 0, sizeof(*l));
    l->in_memory = in_memory;
    l->program = p;
    l->options = options;
    l->code = code;
    l->pixel = p->info.stage == VM_PIXEL;
    l->rank = vm_program_version(p).rank;
    l->is_ps1 = l->pixel && l->rank < VM_RANK_2_0;
    number_vregs(l);
    code->clamp_constants = l->is_ps1;
    code->outputs_at = p->info.n_input_slots * (size_t)VM_LANE_BYTES;
    code->scratch_at = code->outputs_at + p->info.n_output_slots * (size_t)VM_LANE_BYTES;
    code->scratch_bytes = VM_SCRATCH_MASK_BYTES;
    fill_slots(p, code);
    l->ir = ir_create(VM_CONSTANT_BASES |
                      (in_memory || options->single_step ? 0 : IR_CALLS_REPEAT)); /* of samplers */
    l->def = mem_calloc(l->n_vreg, sizeof(*l->def));
    for (uint32_t i = 0; i < p->n_def; i++)
        if (p->def[i].file == VM_FILE_CONST && p->def[i].index >= l->n_def_of)
            l->n_def_of = p->def[i].index + 1u;
    l->def_of = mem_calloc(l->n_def_of + 1u, sizeof(*l->def_of));
    if (!l->ir || !l->def || !l->def_of || !vm_lower_find_writes(l))
        return ST_NOMEM;
    note_definitions(l);
    if ((in_memory || options->single_step) && !vm_lower_make_places(l))
        return ST_NOMEM;
    if (in_memory && !vm_lower_find_routines(l))
        return ST_NOMEM;
    return options->single_step ? begin_stepping(l) : ST_OK;
}

static void fini(struct lower *l)
{
    ir_destroy(l->ir);
    for (uint32_t i = 0; l->function && i < 1 + l->code->n_routines; i++)
        ir_destroy(l->function[i]);
    mem_free(l->function);
    mem_free(l->saved);
    mem_free(l->routine_at);
    mem_free(l->routine_length);
    mem_free(l->construct);
    mem_free(l->scalar_bucket);
    mem_free(l->loop_writes);
    mem_free(l->write_set);
    mem_free(l->def);
    mem_free(l->def_of);
    mem_free(l->stepped);
}

/* *grows: the program needs registers in memory. */
static enum status create(struct vm_code **out, const struct vm_program *program,
                          const struct vm_options *options, bool in_memory, bool *grows)
{
    struct vm_code *code = mem_calloc(1, sizeof(*code));
    struct lower l;
    enum status st;

    if (!code)
        return ST_NOMEM;
    st = init(&l, program, options, code, in_memory);
    if (!st)
        st = copy_definitions(program, code);
    if (!st) {
        lower_program(&l);
        st = l.status;
    }
    *grows = l.grows;
    if (!st && !l.grows)
        st = compile(&l);
    fini(&l);
    if (st || *grows)
        vm_code_destroy(code);
    else
        *out = code;
    return st;
}

enum status vm_code_create(struct vm_code **out, const struct vm_program *program,
                           const struct vm_options *options)
{
    bool grows = options->in_memory;
    enum status st = ST_OK;

    *out = NULL;
    if (!grows)
        st = create(out, program, options, false, &grows);
    if (!st && grows && options->epilogue)
        st = ST_UNSUPPORTED;
    if (!st && grows)
        st = create(out, program, options, true, &grows);
    return st;
}

static void fini_function(struct vm_function *f)
{
    ir_interp_destroy(f->preamble);
    ir_interp_destroy(f->body);
    ir_code_destroy(f->machine_code);
}

bool vm_code_is_compiled(const struct vm_code *code)
{
    bool compiled = code->main.machine_code;

    for (uint32_t i = 0; i < code->n_routines; i++)
        compiled &= code->routine[i].machine_code != NULL;
    return compiled;
}

void vm_code_destroy(struct vm_code *code)
{
    if (!code)
        return;
    ir_destroy(code->body);
    ir_destroy(code->preamble);
    fini_function(&code->main);
    for (uint32_t i = 0; code->routine && i < code->n_routines; i++)
        fini_function(&code->routine[i]);
    mem_free(code->routine);
    mem_free(code->scalar);
    mem_free(code->def);
    mem_free(code->sample);
    mem_free(code->step);
    mem_free(code->vreg_place);
    mem_free(code->operations);
    mem_free(code);
}
