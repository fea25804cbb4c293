/* Fuzz case of the shader machine: feeds bytes that may be a shader to all of src/vm. abort()
 * reports violated properties; sanitizers check memory.
 *
 *  - Decoding, validation and disassembly read no word out of bounds, and give reasons for errors.
 *  - Programs that stricter limits accept are accepted by the other limits too.
 *  - The disassembly of an accepted program assembles to the same words.
 *  - A program accepted by lenient limits compiles, terminates and stays within its memory. It
 *    keeps its inputs and gives the same outputs with every instruction set, for any initial
 *    contents of the work memory, with and without single-stepping.
 *
 * The first CASE_HEADER bytes choose limits, options and numbers; the words follow. */
#ifndef TESTS_FUZZ_VM_CASE_H
#define TESTS_FUZZ_VM_CASE_H

#include "util/alloc.h"
#include "util/cpu.h"
#include "util/fpenv.h"
#include "vm/isa/decode.h"
#include "vm/vm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_HEADER = 8, CASE_CONSTANTS = 64 };
#define CASE_EVERY_BYTE UINT64_C(0x0101010101010101)
/* Flags of the first byte. */
enum { CASE_SOFTWARE = 1, CASE_STRICT = 2, CASE_IEEE = 4, CASE_OBSERVE = 8, CASE_MANY_LANES = 16 };

struct fuzz_case {
    uint8_t flags, live_outputs, projected, isa;
    uint32_t seed;
    uint32_t *words; /* allocated at their exact size, for address sanitizers */
    size_t n;
};

#define CASE_CHECK(condition, ...)                                                                 \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fprintf(stderr, "\nfailed: %s\n", #condition);                                         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* --- Words ------------------------------------------------------------------------------------ */

/* Copies the words without comments, which the text does not contain. Returns the number of
 * words. */
static inline size_t case_without_comments(uint32_t *to, const uint32_t *words, size_t n)
{
    struct vm_reader reader;
    struct vm_item item;
    size_t used = 1;

    CASE_CHECK(vm_reader_open(&reader, words, n, NULL) == ST_OK, "no version");
    to[0] = words[0];
    do {
        CASE_CHECK(vm_reader_next(&reader, &item, NULL) == ST_OK, "word %zu", reader.at);
        if (item.kind == VM_ITEM_COMMENT)
            continue;
        memcpy(to + used, words + item.token, item.n_words * sizeof(*to));
        used += item.n_words;
    } while (item.kind != VM_ITEM_END);
    return used;
}

static inline void case_text(const uint32_t *words, size_t n)
{
    uint32_t *again, *plain = malloc(n * sizeof(*plain) + 1);
    struct vm_error error = {0, ""};
    size_t n_again, n_plain;
    char *text;

    n_plain = case_without_comments(plain, words, n);
    CASE_CHECK(vm_disassemble(&text, words, n, &error) == ST_OK, "%s", error.text);
    CASE_CHECK(vm_assemble(&again, &n_again, text, &error) == ST_OK, "%s\n%s", error.text, text);
    for (size_t i = 0; i < n_plain || i < n_again; i++)
        CASE_CHECK(i < n_plain && i < n_again && plain[i] == again[i],
                   "word %zu (%08x, again %08x; %zu and %zu words) of\n%s", i,
                   i < n_plain ? plain[i] : 0, i < n_again ? again[i] : 0, n_plain, n_again, text);
    mem_free(again);
    mem_free(text);
    free(plain);
}

static inline struct vm_program *case_create(const struct fuzz_case *c,
                                             const struct vm_limits *limits)
{
    struct vm_error error = {0, ""};
    struct vm_program *program;

    if (vm_program_create(&program, c->words, c->n, limits, &error) == ST_OK)
        return program;
    CASE_CHECK(error.text[0] && error.token <= c->n, "no reason");
    return NULL;
}

/* Returns the program if the VM can run it. */
static inline struct vm_program *case_program(const struct fuzz_case *c)
{
    struct vm_limits limits = c->flags & CASE_SOFTWARE ? vm_limits_software : vm_limits_hardware;
    struct vm_program *program = case_create(c, &vm_limits_lenient), *accepted;
    struct vm_error error = {0, ""};
    size_t n = vm_token_count(c->words, c->n);
    char *text;

    CASE_CHECK(n <= c->n, "%zu words", n);
    if (vm_disassemble(&text, c->words, c->n, &error) == ST_OK)
        mem_free(text);
    else
        CASE_CHECK(error.text[0] && error.token <= c->n && !program, "no reason");
    accepted = case_create(c, &limits);
    CASE_CHECK(program || !accepted, "only stricter rules take it");
    if (accepted)
        case_text(c->words, n);
    vm_program_destroy(accepted);
    limits.enforced = VM_RULES_SHIPPED;
    if (c->flags & CASE_STRICT) {
        struct vm_program *strict = case_create(c, &limits);

        CASE_CHECK(accepted || !strict, "only the strict rules take it");
        vm_program_destroy(strict);
    }
    return program;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static inline uint32_t case_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static inline float case_float(uint32_t *seed)
{
    static const float special[] = {0.0f,     -0.0f,     1.0f, -1.0f,  0.5f,  255.0f,
                                    INFINITY, -INFINITY, NAN,  1e-42f, 3e38f, -2e9f};
    uint32_t x = case_random(seed);

    if (x % 4 == 0)
        return special[x / 4 % 12];
    return ((float)(x >> 4) / 1048576.0f - 0.5f) * 16.0f;
}

struct case_numbers {
    float f[CASE_CONSTANTS][4], system[VM_SYSTEM_COUNT][4];
    int32_t i[16][4], b[16];
};

static inline void case_fill(struct case_numbers *k, uint32_t seed)
{
    for (unsigned i = 0; i < CASE_CONSTANTS * 4; i++)
        k->f[i / 4][i % 4] = case_float(&seed);
    for (unsigned i = 0; i < VM_SYSTEM_COUNT * 4; i++)
        k->system[i / 4][i % 4] = case_float(&seed);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t x = case_random(&seed);

        k->b[i] = (int32_t)(x & 1);
        k->i[i][0] = x & 0xffe ? (int32_t)(x >> 12 & 3) : (int32_t)(x << 8);
        k->i[i][1] = (int32_t)(x >> 9 & 15) - 4;
        k->i[i][2] = (int32_t)(x >> 13 & 7) - 3;
        k->i[i][3] = 0;
    }
}

/* Reads all of its arguments; the texel depends on the coordinates only. */
static inline void case_sample(void *ctx, const struct sample *s)
{
    const float *more[7] = {s->lod};

    for (unsigned i = 0; i < 3 && s->lod_mode == LOD_GRADIENT; i++) {
        more[1 + i] = s->ddx[i];
        more[4 + i] = s->ddy[i];
    }

    CASE_CHECK(!(s->lanes & ~*(uint64_t *)ctx), "samples lanes that are not there");
    CASE_CHECK(s->sampler < VM_MAX_SAMPLERS, "sampler %u", s->sampler);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        float sum = 0.0f;

        if (!(s->lanes >> lane & 1))
            continue;
        for (unsigned i = 0; i < 7; i++)
            sum += more[i] ? more[i][lane] : 0.0f;
        for (unsigned c = 0; c < 3; c++)
            sum += s->coord[c] ? s->coord[c][lane] * (float)(c + 1) : 0.25f;
        for (unsigned c = 0; c < 4; c++)
            if (s->texel[c])
                s->texel[c][lane] = sum + (float)c;
    }
}

/* --- Running ---------------------------------------------------------------------------------- */

struct case_result {
    float *out;
    uint64_t killed;
};

struct case_steps {
    uint64_t lanes;
    uint32_t n;
};

/* Reads every register at the first steps, then one register a step, each in turn: a loop may run
 * for VM_LANE_INSTRUCTION_LIMIT steps. */
static inline void case_step(void *ctx, const struct vm_step *o)
{
    enum { REGISTERS = 34, ALL = VM_FILE_NONE * REGISTERS * 4, WHOLE_STEPS = 256 };
    struct case_steps *steps = ctx;
    uint32_t at = steps->n++, n = at < WHOLE_STEPS ? ALL : 1;
    float x;

    CASE_CHECK(o->lanes && !(o->lanes & ~steps->lanes) && o->first <= o->last, "stepped %u-%u",
               o->first, o->last);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = (at + i) % ALL;

        (void)vm_step_register(o, j / 4 / REGISTERS, j / 4 % REGISTERS, j % 4, o->first % VM_LANES,
                               &x);
    }
}

static inline void *case_block(size_t n, int fill)
{
    void *block;

    /* Exact size, so that address sanitizers detect access to the next byte. */
    CASE_CHECK(posix_memalign(&block, 64, n ? n : 1) == 0, "no memory");
    memset(block, fill, n);
    return block;
}

static inline struct case_result case_run(const struct fuzz_case *c,
                                          const struct vm_program *program, enum cpu_isa isa,
                                          bool single_step, uint64_t lanes)
{
    const struct vm_info *info = vm_program_info(program);
    struct vm_options options;
    struct case_numbers k;
    struct vm_constants constants = {
        k.f, k.i, k.b, k.system, CASE_CONSTANTS, 16, 16, VM_SYSTEM_COUNT};
    struct vm_batch batch = {.lanes = lanes, .sample = case_sample, .sample_ctx = &lanes};
    size_t in_bytes = info->n_input_slots * VM_LANES * sizeof(float);
    size_t out_bytes = info->n_output_slots * VM_LANES * sizeof(float);
    struct case_result result;
    struct vm_code *code;
    struct case_steps steps = {lanes, 0};
    struct fp_mode mode;
    uint32_t seed = c->seed;
    float *inputs = malloc(in_bytes + 1);
    void *uniforms;

    CASE_CHECK(cpu_set_isa(isa) == ST_OK, "instruction set");
    memset(&options, 0, sizeof(options));
    options.live_outputs = c->live_outputs ? c->live_outputs * CASE_EVERY_BYTE : UINT64_MAX;
    options.ieee = c->flags & CASE_IEEE ? 1 : 0;
    options.single_step = single_step;
    for (unsigned i = 0; i < 8; i++)
        options.projected[i] = c->projected >> i & 1 ? (uint8_t)(2 + i % 3) : 0;
    CASE_CHECK(vm_code_create(&code, program, &options) == ST_OK,
               "an accepted program is not code");
    case_fill(&k, c->seed);
    uniforms = case_block(vm_code_uniform_bytes(code), isa ? 0xff : 0x41);
    vm_code_fill_uniforms(code, &constants, uniforms);
    batch.uniforms = uniforms;
    batch.work = case_block(vm_code_work_bytes(code), isa ? 0xff : 0x41);
    batch.step_hook = single_step ? case_step : NULL;
    batch.step_ctx = &steps;
    for (unsigned i = 0; i < info->n_input_slots * VM_LANES; i++)
        inputs[i] = case_float(&seed);
    memcpy(batch.work, inputs, in_bytes);
    mode = fp_enter();
    vm_run(code, &batch);
    fp_leave(mode);
    CASE_CHECK(!memcmp(batch.work, inputs, in_bytes), "inputs changed");
    CASE_CHECK(!(batch.killed & ~lanes), "killed lanes that are not there");
    result.killed = batch.killed;
    result.out = malloc(out_bytes + 1);
    memcpy(result.out, vm_code_outputs(code, batch.work), out_bytes);
    free(inputs);
    free(uniforms);
    free(batch.work);
    vm_code_destroy(code);
    return result;
}

/* Treats all NaNs as equal, and ignores dead outputs and inactive lanes. */
static inline void case_compare(const struct fuzz_case *c, const struct vm_program *program,
                                const struct case_result *a, const struct case_result *b,
                                uint64_t lanes, const char *what)
{
    const struct vm_info *info = vm_program_info(program);

    CASE_CHECK(a->killed == b->killed, "%s: other lanes are killed", what);
    for (unsigned i = 0; i < info->n_outputs * 4u; i++) {
        int slot = info->output[i / 4].slot[i % 4];

        if (slot < 0 || (c->live_outputs && !(c->live_outputs * CASE_EVERY_BYTE >> i / 4 & 1)))
            continue;
        for (unsigned lane = 0; lane < VM_LANES; lane++) {
            float x = a->out[slot * VM_LANES + (int)lane], y = b->out[slot * VM_LANES + (int)lane];
            char *text = NULL;

            if (!(lanes >> lane & 1) || (isnan(x) && isnan(y)) || !memcmp(&x, &y, sizeof(x)))
                continue;
            if (vm_program_text(&text, program) != ST_OK)
                text = NULL;
            CASE_CHECK(false, "%s: output %u.%u lane %u is %a and %a in\n%s", what, i / 4, i % 4,
                       lane, (double)x, (double)y, text ? text : "");
        }
    }
}

/* Lanes of the batch. Pixels come in whole quads, since derivatives read all lanes of a quad. Few
 * lanes have a small instruction limit for loops. */
static inline uint64_t case_lanes(const struct fuzz_case *c, const struct vm_program *program)
{
    bool pixel = vm_program_info(program)->stage == VM_PIXEL;

    if (!(c->flags & CASE_MANY_LANES))
        return pixel ? UINT64_C(15) << c->seed % 16 * 4 : UINT64_C(1) << c->seed % VM_LANES;
    if (c->seed & 1)
        return ~UINT64_C(0);
    return UINT64_C(0x0000000f0ff0f0ff) << (pixel ? c->seed % 8 * 4 : c->seed % 16);
}

static inline void case_execute(const struct fuzz_case *c, const struct vm_program *program)
{
    uint64_t lanes = case_lanes(c, program);
    struct case_result plain, other;
    enum cpu_isa isa = ISA_SCALAR;

    for (unsigned i = 0; i < ISA_COUNT; i++)
        if (cpu_has_isa((enum cpu_isa)i) && (isa == ISA_SCALAR || c->isa % 2))
            isa = (enum cpu_isa)i;
    plain = case_run(c, program, ISA_SCALAR, false, lanes);
    other = case_run(c, program, isa, false, lanes);
    case_compare(c, program, &plain, &other, lanes, cpu_isa_name(isa));
    free(other.out);
    if (c->flags & CASE_OBSERVE) {
        other = case_run(c, program, isa, true, lanes);
        case_compare(c, program, &plain, &other, lanes, "stepped");
        free(other.out);
    }
    free(plain.out);
}

/* Returns whether the case was a valid program. */
static inline bool case_try(const uint8_t *data, size_t size)
{
    int64_t live = mem_live_blocks();
    struct vm_program *program;
    struct fuzz_case c;
    bool good;

    if (size < CASE_HEADER)
        return false;
    c.flags = data[0];
    c.live_outputs = data[1];
    c.projected = data[2];
    c.isa = data[3];
    memcpy(&c.seed, data + 4, 4);
    c.n = (size - CASE_HEADER) / 4;
    c.words = malloc(c.n * 4 + !c.n);
    memcpy(c.words, data + CASE_HEADER, c.n * 4);
    program = case_program(&c);
    good = program != NULL;
    if (program)
        case_execute(&c, program);
    vm_program_destroy(program);
    free(c.words);
    CASE_CHECK(mem_live_blocks() == live, "memory is lost");
    return good;
}

#endif
