/* Lowering: random programs against the reference interpreter on every instruction set; and what it
 * eliminates, hoists and shares. */
#include "machine_code.h"
#include "unit/vm/single_step.h"
#include "util/cpu.h"
#include "vm/ir/code.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- Random programs -------------------------------------------------------------------------- */

static uint32_t seed;
static unsigned rnd(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % n;
}

struct text {
    char data[16384];
    size_t n;
};

static void put(struct text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    t->n += (size_t)vsnprintf(t->data + t->n, sizeof(t->data) - t->n, format, args);
    va_end(args);
}

enum { TEMPS = 5 };
struct generator {
    struct text text;
    bool pixel, flow, in_loop, in_aloop, in_routine;
    bool differences;            /* allow dsx and dsy */
    bool used_const, used_input; /* one read port each per instruction */
    unsigned depth, left;
};

static const char *mask_text(unsigned mask)
{
    static char text[4][8];
    static unsigned turn;
    char *to = text[turn++ & 3];
    unsigned n = 0;

    to[n++] = '.';
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            to[n++] = "xyzw"[c];
    to[n] = 0;
    return mask == 15 ? "" : to;
}

static void swizzle(struct generator *g, bool replicate)
{
    unsigned a = rnd(4);

    if (replicate)
        put(&g->text, ".%c", "xyzw"[a]);
    else if (rnd(2))
        put(&g->text, ".%c%c%c%c", "xyzw"[rnd(4)], "xyzw"[rnd(4)], "xyzw"[rnd(4)], "xyzw"[rnd(4)]);
}

static void source(struct generator *g, bool replicate)
{
    unsigned kind = rnd(10);
    bool absolute = rnd(6) == 0;

    put(&g->text, rnd(4) ? ", " : ", -");
    if (kind < 2 && !g->used_const) {
        g->used_const = true;
        if (!g->pixel && g->in_aloop && rnd(2))
            put(&g->text, "c[aL+%u]", rnd(6));
        else if (!g->pixel && rnd(3) == 0)
            put(&g->text, "c%u[a0.%c]", rnd(8), "xyzw"[rnd(4)]);
        else
            put(&g->text, "c%u", rnd(10));
    } else if (kind < 5 && !g->used_input) {
        g->used_input = true;
        put(&g->text, "v%u", rnd(3));
    } else {
        put(&g->text, "r%u", rnd(TEMPS));
    }
    if (absolute)
        put(&g->text, "_abs");
    swizzle(g, replicate);
}

static void new_instruction(struct generator *g)
{
    g->used_const = g->used_input = false;
}

static const struct {
    const char *name;
    unsigned n;
    char kind;  /* m componentwise, s scalar, d dot, x xyz only and dst not a source, c sincos, p
                   pow */
    char stage; /* v, p or b(oth) */
} ops[] = {
    {"mov", 1, 'm', 'b'}, {"add", 2, 'm', 'b'}, {"sub", 2, 'm', 'b'}, {"mul", 2, 'm', 'b'},
    {"mad", 3, 'm', 'b'}, {"min", 2, 'm', 'b'}, {"max", 2, 'm', 'b'}, {"lrp", 3, 'm', 'b'},
    {"frc", 1, 'm', 'b'}, {"abs", 1, 'm', 'b'}, {"slt", 2, 'm', 'v'}, {"sge", 2, 'm', 'v'},
    {"cmp", 3, 'm', 'p'}, {"rcp", 1, 's', 'b'}, {"rsq", 1, 's', 'b'}, {"exp", 1, 's', 'b'},
    {"log", 1, 's', 'b'}, {"dp3", 2, 'd', 'b'}, {"dp4", 2, 'd', 'b'}, {"dst", 2, 'm', 'v'},
    {"lit", 1, 'm', 'v'}, {"mov", 1, 'm', 'b'}, {"mad", 3, 'm', 'b'}, {"expp", 1, 's', 'v'},
};

static void destination(struct generator *g, const char *name, unsigned mask)
{
    bool saturate = rnd(6) == 0 && strcmp(name, "frc") != 0;
    unsigned predicate = rnd(5);

    if (predicate == 0)
        put(&g->text, "(%sp0%s) ", rnd(2) ? "!" : "", rnd(2) ? ".y" : "");
    put(&g->text, "%s%s ", name, saturate ? "_sat" : "");
    if (rnd(5))
        put(&g->text, "r%u%s", rnd(TEMPS), mask_text(mask));
    else if (g->pixel)
        put(&g->text, "oC0%s", mask_text(mask));
    else if (rnd(4))
        put(&g->text, "o%u%s", rnd(2), mask_text(mask));
    else
        put(&g->text, "o2[a0.%c]%s", "xyzw"[rnd(4)], mask_text(mask));
}

static void arithmetic(struct generator *g)
{
    unsigned k = rnd(sizeof(ops) / sizeof(ops[0]));

    if (ops[k].stage == (g->pixel ? 'v' : 'p'))
        return;
    new_instruction(g);
    destination(g, ops[k].name, 1 + rnd(15));
    for (unsigned i = 0; i < ops[k].n; i++)
        source(g, ops[k].kind == 's');
    put(&g->text, "\n");
}

static void other(struct generator *g)
{
    static const char *const compare[] = {"gt", "eq", "ge", "lt", "ne", "le"};
    unsigned kind = rnd(g->pixel ? 6 : 9);

    new_instruction(g);
    if (g->differences && rnd(2)) {
        put(&g->text, "ds%c r%u%s, r%u\n", "xy"[rnd(2)], rnd(TEMPS), mask_text(1 + rnd(15)),
            rnd(TEMPS));
        return;
    }
    if (kind == 0) {
        put(&g->text, "setp_%s p0%s", compare[rnd(6)], mask_text(1 + rnd(15)));
        source(g, false);
        source(g, false);
    } else if (kind == 1) {
        put(&g->text, "pow r%u%s, r%u.x, v0.%c", rnd(2), mask_text(1 + rnd(15)), 2 + rnd(3),
            "xyzw"[rnd(4)]);
    } else if (kind == 2) {
        put(&g->text, "crs r%u%s, r%u, v1", rnd(2), mask_text(1 + rnd(7)), 2 + rnd(3));
    } else if (kind == 3) {
        put(&g->text, "nrm r%u%s, r%u", rnd(2), mask_text(1 + rnd(15)), 2 + rnd(3));
    } else if (kind == 4) {
        put(&g->text, "sincos r%u%s, r%u.%c", rnd(2), mask_text(1 + rnd(3)), 2 + rnd(3),
            "xyzw"[rnd(4)]);
    } else if (kind == 5) {
        if (g->pixel)
            put(&g->text, "texldl r%u%s, r%u%s, s1", rnd(TEMPS), mask_text(1 + rnd(15)), rnd(TEMPS),
                rnd(2) ? ".wzyx" : "");
        else
            put(&g->text, "texldl r%u%s, r%u, s1.ywzx", rnd(TEMPS), mask_text(1 + rnd(15)),
                rnd(TEMPS));
    } else if (kind == 6) {
        put(&g->text, "mova a0%s, r%u", mask_text(1 + rnd(15)), rnd(TEMPS));
    } else if (kind == 7) {
        put(&g->text, "m4x3 r%u.xyz, r%u, c%u", rnd(2), 2 + rnd(3), rnd(6));
    } else {
        put(&g->text, "m3x2 r%u.xy, r%u, r3", rnd(2), 2);
    }
    put(&g->text, "\n");
}

static void statements(struct generator *g, unsigned n);

static void branch(struct generator *g)
{
    static const char *const compare[] = {"gt", "eq", "ge", "lt", "ne", "le"};
    unsigned kind = rnd(3);

    new_instruction(g);
    if (kind == 0) {
        put(&g->text, "if %sb%u\n", rnd(2) ? "!" : "", rnd(4));
    } else if (kind == 1) {
        put(&g->text, "if %sp0.%c\n", rnd(2) ? "!" : "", "xyzw"[rnd(4)]);
    } else {
        put(&g->text, "if_%s r%u.x", compare[rnd(6)], rnd(TEMPS));
        source(g, true);
        put(&g->text, "\n");
    }
    g->depth++;
    statements(g, rnd(5));
    if (rnd(2)) {
        put(&g->text, "else\n");
        statements(g, rnd(5));
    }
    g->depth--;
    put(&g->text, "endif\n");
}

static void loop(struct generator *g)
{
    bool in_loop = g->in_loop, in_aloop = g->in_aloop, with_index = rnd(2);

    put(&g->text, with_index ? "loop aL, i%u\n" : "rep i%u\n", rnd(3));
    g->in_loop = true;
    g->in_aloop |= with_index;
    g->depth++;
    statements(g, 1 + rnd(5));
    g->depth--;
    g->in_loop = in_loop;
    g->in_aloop = in_aloop;
    put(&g->text, with_index ? "endloop\n" : "endrep\n");
}

static void statements(struct generator *g, unsigned n)
{
    for (; n && g->left; n--, g->left--) {
        unsigned kind = g->flow ? rnd(20) : rnd(14);

        new_instruction(g);
        if (kind < 11) {
            arithmetic(g);
        } else if (kind < 14) {
            other(g);
        } else if (kind < 16 && g->depth < 4) {
            branch(g);
        } else if (kind < 17 && g->depth < 3) {
            loop(g);
        } else if (kind == 17 && !g->in_routine) {
            if (rnd(2))
                put(&g->text, "call l%u\n", rnd(2));
            else
                put(&g->text, "callnz l%u, %sp0.x\n", rnd(2), rnd(2) ? "!" : "");
        } else if (kind >= 18 && g->in_loop) {
            if (rnd(2))
                put(&g->text, "break_lt r%u.y, r%u.z\n", rnd(TEMPS), rnd(TEMPS));
            else if (rnd(2))
                put(&g->text, "breakp p0.z\n");
            else if (g->depth > 1)
                put(&g->text, "if b%u\nbreak\nendif\n", rnd(4));
        }
    }
}

static void generate(struct generator *g, bool pixel, bool flow)
{
    struct text *t = &g->text;
    bool differences = g->differences;

    memset(g, 0, sizeof(*g));
    g->differences = differences;
    g->pixel = pixel;
    g->flow = flow;
    g->left = 50;
    put(t, pixel ? "ps_3_0\n" : "vs_3_0\n");
    put(t, "def c1, 1, -2, 0.5, 0\ndef c5, 0, 3, -0.25, 4\ndefi i1, 3, 1, 2, 0\ndefb b2, true\n");
    put(t, "%s v0\ndcl_texcoord0 v1\ndcl_texcoord1 v2\ndcl_2d s1\n",
        pixel ? "dcl_texcoord2" : "dcl_position");
    if (!pixel)
        put(t, "dcl_position o0\ndcl_texcoord0 o1\ndcl_texcoord1 o2\ndcl_texcoord2 o3.xyz\nmova "
               "a0, v0\n"
               "mov o0, v1\n");
    else
        put(t, "mov oC0, v1\n");
    for (unsigned i = 0; i < TEMPS; i++)
        put(t, "mov r%u, v%u\n", i, i % 3);
    put(t, "setp_gt p0, v0, v1\n");
    statements(g, 24);
    put(t, pixel ? "mov oC0.xz, r1\n" : "mov o2, r1\nmov o3.xyz, r0\n");
    if (flow) {
        g->in_routine = true;
        put(t, "ret\nlabel l0\n");
        statements(g, 4);
        put(t, "ret\nlabel l1\n");
        statements(g, 4);
        put(t, "ret\n");
    }
}

static void generate_ps_1(struct generator *g)
{
    static const char *const ops1[] = {"mov", "add", "sub", "mul", "mad", "lrp", "dp3", "cnd"};
    static const unsigned n_src[] = {1, 2, 2, 2, 3, 3, 2, 3};
    static const char *const shift[] = {"", "", "_x2", "_x4", "_d2", "_sat", "_x2_sat"};
    static const char *const pre[] = {"", "", "-", "1-"}, *const post[] = {"", "", "_bx2", "_bias"};
    struct text *t = &g->text;

    memset(g, 0, sizeof(*g));
    put(t, "ps_1_3\ndef c1, 3, -0.5, 0.25, -2\ntex t0\ntex t1\nmov r0, v0\nmov r1, v1\n");
    for (unsigned n = 0; n < 6; n++) {
        bool pair = rnd(3) == 0;
        char pair_dst = "01"[rnd(2)];

        for (unsigned half = 0; half <= pair; half++) {
            unsigned k = pair ? rnd(6) : rnd(8);

            put(t, "%s%s%s %c%c%s", half ? "+" : "", ops1[k], shift[rnd(7)], rnd(4) ? 'r' : 't',
                pair ? pair_dst : "01"[rnd(2)], pair ? half ? ".a" : ".rgb" : "");
            if (k == 7)
                put(t, ", r0.a");
            for (unsigned s = k == 7; s < n_src[k]; s++) {
                unsigned p = rnd(4), kind = rnd(s ? 3 : 2);
                const char *suffix = p == 3 ? "" : post[rnd(4)];

                if (kind == 2)
                    put(t, ", c%u", rnd(2));
                else
                    put(t, ", %s%c%u%s", pre[p], kind ? 't' : 'r', rnd(2), suffix);
            }
            put(t, "\n");
        }
    }
}

/* --- The comparison --------------------------------------------------------------------------- */

static float random_float(void)
{
    static const float special[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 1e-40f, 1e30f, -1e30f};

    if (rnd(24) == 0)
        return special[rnd(8)];
    return rnd(3) ? (float)rnd(9) - 4.0f : (float)rnd(100000) / 7777.0f - 6.0f;
}

static void check_lane(struct shader *s, const struct reference *m, unsigned lane, const char *isa,
                       const char *text)
{
    const float *out = vm_code_outputs(s->code, s->work);

    for (unsigned slot = 0; slot < s->info->n_output_slots; slot++)
        ck_assert_msg(same_float(m->output[slot], out[slot * VM_LANES + lane]),
                      "%s: slot %u lane %u: %a, not %a\n%s", isa, slot, lane,
                      (double)out[slot * VM_LANES + lane], (double)m->output[slot], text);
    ck_assert_msg((s->killed >> lane & 1) == m->killed, "%s: kill of lane %u\n%s", isa, lane, text);
}

/* Compares one lane's registers after every instruction with those of the reference. */
static void compare_steps(struct shader *s, float (*inputs)[VM_LANES], unsigned lane,
                          const char *text)
{
    static struct recorded_steps all;
    float in[VM_MAX_INPUTS * 4];
    struct reference m;
    struct fp_mode mode;

    s->lanes |= UINT64_C(1) << lane;
    all.lane = lane;
    all.n = all.at = 0;
    all.program = s->program;
    all.text = text;
    s->step_hook = record_step;
    s->step_ctx = &all;
    s->options.single_step = 1;
    shader_lower(s);
    memcpy(s->work, inputs, s->info->n_input_slots * (size_t)VM_LANE_BYTES);
    shader_run(s);
    for (unsigned slot = 0; slot < s->info->n_input_slots; slot++)
        in[slot] = inputs[slot][lane];
    mode = fp_enter();
    ref_run_steps(&m, s->program, &s->constants, in, compare_step, &all);
    fp_leave(mode);
    ck_assert_msg(all.at == all.n, "the trace goes on after the end\n%s", text);
    check_lane(s, &m, lane, "stepped", text);
}

static void random_constants(struct shader *s)
{
    for (unsigned i = 0; i < 10; i++)
        for (unsigned c = 0; c < 4; c++)
            s->f[i][c] = random_float();
    for (unsigned i = 0; i < 3; i++) {
        s->i[i][0] = (int)rnd(4);
        s->i[i][1] = (int)rnd(5) - 1;
        s->i[i][2] = (int)rnd(5) - 2;
    }
    for (unsigned i = 0; i < 4; i++)
        s->b[i] = (int)rnd(2);
}

/* Ways to run code. */
enum { INTERPRETED = 1, IN_MEMORY = 2 };

/* Compares outputs on the selected instruction set. steps: also compares after every
 * instruction. */
static void compare_mode(struct vm_program *program, unsigned way, bool steps, const char *text)
{
    static float inputs[VM_MAX_INPUTS * 4][VM_LANES];
    struct reference m;
    struct shader s;

    shader_init(&s, program);
    s.options.interpret = way & INTERPRETED;
    s.options.in_memory = (way & IN_MEMORY) != 0;
    shader_lower(&s);
    random_constants(&s);
    for (unsigned slot = 0; slot < s.info->n_input_slots; slot++)
        for (unsigned lane = 0; lane < VM_LANES; lane++)
            inputs[slot][lane] = random_float();
    memcpy(s.work, inputs, s.info->n_input_slots * VM_LANE_BYTES);
    s.lanes = rnd(4) ? ~UINT64_C(0) : (uint64_t)seed << 32 | seed * 77u;
    shader_run(&s);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        float in[VM_MAX_INPUTS * 4];
        struct fp_mode mode = fp_enter();

        for (unsigned slot = 0; slot < s.info->n_input_slots; slot++)
            in[slot] = inputs[slot][lane];
        if (s.lanes >> lane & 1) {
            ref_run(&m, program, &s.constants, in);
            ck_assert(m.steps < 100000);
            check_lane(&s, &m, lane, way & INTERPRETED ? "interpreted" : cpu_isa_name(cpu_isa()),
                       text);
        }
        fp_leave(mode);
        ck_assert(!memcmp(s.work, inputs, 4)); /* inputs are preserved */
    }
    if (steps)
        compare_steps(&s, inputs, rnd(VM_LANES), text);
    vm_code_destroy(s.code);
    mem_free(s.work);
    mem_free(s.uniforms);
}

/* False if the validator refuses the text: random programs may break a rule. */
static bool compare(const char *text)
{
    struct vm_program *program;
    uint32_t *tokens;
    size_t n;
    struct vm_error error;

    ck_assert_msg(vm_assemble(&tokens, &n, text, &error) == ST_OK, "%s\n%s", error.text, text);
    if (vm_program_create(&program, tokens, n, &vm_limits_lenient, &error)) {
        mem_free(tokens);
        if (getenv("SHOW_REFUSED"))
            fprintf(stderr, "%s\n%s\n", error.text, text);
        return false;
    }
    mem_free(tokens);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        uint32_t start = seed;

        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        ck_assert_int_eq(cpu_set_isa((enum cpu_isa)isa), ST_OK);
        compare_mode(program, 0, isa == 0, text);
        seed = start;
        if (has_machine_code((enum cpu_isa)isa))
            compare_mode(program, INTERPRETED, false, text);
        seed = start;
        compare_mode(program, IN_MEMORY, isa == 0, text);
        seed = start;
    }
    vm_program_destroy(program);
    return true;
}

enum { PROGRAMS = 150 };

START_TEST(random_programs_match_the_reference)
{
    static struct generator g;
    unsigned accepted = 0;

    for (unsigned i = 0; i < PROGRAMS; i++) {
        seed = (uint32_t)_i * 100003u + i * 7919u + 1;
        if (_i < 4)
            generate(&g, _i & 1, _i & 2);
        else
            generate_ps_1(&g);
        accepted += compare(g.text.data);
    }
    ck_assert_msg(accepted > PROGRAMS / 2, "only %u of %u were valid", accepted, PROGRAMS);
}
END_TEST

/* Runs a pixel program with different initial contents of memory, then with registers in memory;
 * false if it is invalid. */
static bool ignores_leftovers(const char *text, unsigned number)
{
    static float first[VM_MAX_OUTPUTS * 4 * VM_LANES];
    struct vm_program *program = NULL;
    struct vm_error error;
    struct shader s;
    uint32_t *tokens;
    size_t n;

    ck_assert_msg(vm_assemble(&tokens, &n, text, &error) == ST_OK, "%s", error.text);
    if (vm_program_create(&program, tokens, n, &vm_limits_lenient, &error) == ST_OK) {
        shader_init(&s, program);
        for (unsigned leftover = 0; leftover < 3; leftover++) {
            size_t bytes = s.info->n_output_slots * (size_t)VM_LANE_BYTES;

            s.options.in_memory = leftover == 2;
            shader_lower(&s);
            memset(s.work, leftover ? 0x41 : 0x43, vm_code_work_bytes(s.code));
            seed = number;
            for (unsigned k = 0; k < s.info->n_input_slots * VM_LANES; k++)
                ((float *)s.work)[k] = random_float();
            shader_run(&s);
            if (!leftover)
                memcpy(first, vm_code_outputs(s.code, s.work), bytes);
            for (size_t k = 0; k < bytes / 4; k++)
                ck_assert_msg(same_float(first[k], vm_code_outputs(s.code, s.work)[k]),
                              "lane %zu\n%s", k % VM_LANES, text);
        }
        shader_close(&s);
    }
    mem_free(tokens);
    return program != NULL;
}

/* Inactive lanes take part in derivatives: their values must come from the program, never from the
 * initial contents of memory. */
START_TEST(inactive_lanes_hold_no_leftovers)
{
    static struct generator g;
    unsigned accepted = 0;

    ck_assert(
        ignores_leftovers("ps_3_0\ndcl_texcoord v0\ndef c0, 0, 1, 2, 3\nmov r1, v0\n"
                          "if_gt v0.x, c0.x\nadd r0, v0, v0\nif_lt v0.y, c0.z\ndsx r1, r0\nendif\n"
                          "else\nmov r0, v0\nendif\nadd r0, r0, r1\nmov oC0, r0\n",
                          1));
    for (unsigned i = 0; i < PROGRAMS; i++) {
        seed = i * 7919u + 5;
        g.differences = true;
        generate(&g, true, true);
        accepted += ignores_leftovers(g.text.data, i);
    }
    ck_assert_msg(accepted > PROGRAMS / 3, "only %u were valid", accepted);
}
END_TEST

/* _i: registers in memory. */
START_TEST(any_allocation_may_fail)
{
    static const char *const text =
        "vs_3_0\ndcl_position v0\ndcl_position o0\nmova a0.x, v0.x\nmov r0, c1[a0.x]\n"
        "if b0\nadd r0, r0, c0\nendif\nmul r0, r0, c2.x\ncall l0\nmov o0, r0\nret\nlabel l0\n"
        "rep i0\nadd r0, r0, c3\nendrep\nret\n";
    struct vm_options options = {.live_outputs = UINT64_MAX, .in_memory = (uint8_t)_i};
    struct vm_program *program;
    struct vm_error error;
    uint32_t *tokens;
    size_t n;
    int64_t before;
    bool done = false;

    ck_assert_int_eq(vm_assemble(&tokens, &n, text, &error), ST_OK);
    ck_assert_int_eq(vm_program_create(&program, tokens, n, &vm_limits_lenient, &error), ST_OK);
    before = mem_live_blocks();
    for (int64_t k = 0; !done; k++) {
        struct vm_code *code;
        enum status st;

        mem_fail_after(k);
        st = vm_code_create(&code, program, &options);
        mem_fail_after(-1);
        done = st == ST_OK;
        ck_assert(st == ST_OK || (st == ST_NOMEM && !code));
        vm_code_destroy(code);
        ck_assert_int_eq(mem_live_blocks(), before);
    }
    vm_program_destroy(program);
    mem_free(tokens);
}
END_TEST

/* --- Epilogues -------------------------------------------------------------------------------- */

struct ending {
    int slot[2];
};

/* Stores the sum of two outputs at a base of its own, and drops the lanes where it is over 40. */
static ir_ref emit_sum(const void *ctx, struct ir *ir, const ir_ref *output)
{
    const struct ending *e = ctx;
    ir_ref sum = ir_emit(ir, IR_FADD, output[e->slot[0]], output[e->slot[1]], 0, 0);
    ir_ref base = ir_emit_mem(ir, IR_UNIFORM, VM_EPILOGUE_BASE + 1, 4, 0, 0, 0);

    ir_emit_mem(ir, IR_STORE, VM_EPILOGUE_BASE, 0, ir_emit(ir, IR_FADD, sum, base, 0, 0), 0, 0);
    return ir_emit(ir, IR_FLT, ir_const_f32(ir, 40.0f), sum, 0, 0);
}

/* _i 1: the program drops lanes, too. */
START_TEST(an_epilogue_ends_the_program)
{
    static const float base[2] = {-1.0f, 1000.0f};
    static _Alignas(64) float out[VM_LANES];
    struct ending ending;
    const struct vm_epilogue epilogue = {emit_sum, &ending};
    struct shader s;
    struct vm_batch batch;

    shader_open(&s, _i ? "ps_2_0\ndcl t0\ndef c0, 2, -5, 0, 0\nadd r0, t0.x, c0.y\ntexkill r0\n"
                         "mul r1, t0, c0.x\nmov oC0, r1\n"
                       : "ps_2_0\ndcl t0\ndef c0, 2, 0, 0, 0\nmul r1, t0, c0.x\nmov oC0, r1\n");
    for (unsigned i = 0; i < 2; i++)
        ending.slot[i] = s.info->output[0].slot[i];
    s.options.live_outputs = 0;
    s.options.epilogue = &epilogue;
    if (cpu_isa() == ISA_SCALAR || cpu_isa() == ISA_SSE2) { /* no compiler */
        struct vm_code *code;

        ck_assert_int_eq(vm_code_create(&code, s.program, &s.options), ST_UNSUPPORTED);
        shader_close(&s);
        return;
    }
    shader_lower(&s);
    for (unsigned i = 0; i < VM_LANES; i++) {
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[i] = (float)i;
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 1)[i] = 0.5f;
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 2)[i] =
            shader_input(&s, VM_USAGE_TEXCOORD, 0, 3)[i] = 0.0f;
    }
    batch = (struct vm_batch){.work = s.work, .uniforms = s.uniforms, .lanes = s.lanes};
    batch.epilogue[0] = out;
    batch.epilogue[1] = (void *)(uintptr_t)base;
    vm_code_fill_uniforms(s.code, &s.constants, s.uniforms);
    vm_run(s.code, &batch);
    for (unsigned i = 0; i < VM_LANES; i++) {
        float sum = 2.0f * (float)i + 1.0f;

        ck_assert_float_eq(out[i], sum + 1000.0f);
        ck_assert_uint_eq(batch.killed >> i & 1, sum > 40.0f || (_i && i < 5));
    }
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("lower");
    TCase *tc = tcase_create("meaning");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, random_programs_match_the_reference, 0, 5);
    tcase_add_test(tc, inactive_lanes_hold_no_leftovers);
    tcase_add_loop_test(tc, an_epilogue_ends_the_program, 0, 2);
    tcase_add_loop_test(tc, any_allocation_may_fail, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
