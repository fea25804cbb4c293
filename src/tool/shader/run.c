/* `novem run-shader`: runs a shader for given inputs and prints its outputs; --trace prints every
 * executed instruction. */
#include "tool/shader/run.h"

#include "draw/draw.h"
#include "tool/cli/cli.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <string.h>

struct run {
    const char *command, *file;
    struct run_settings settings;
    bool ieee, hex, trace, lines;
    unsigned only; /* lane number + 1 */

    const struct tool_shader_options *source;
    struct tool_shader shader;
    struct vm_program *program;
    struct vm_code *code;
    struct run_inputs in;
    struct run_constants *constants;
    struct run_textures tex;
    struct run_trace *tracer;
    void *work, *uniforms;
};

/* --- The program ------------------------------------------------------------------------------ */

static int load(struct run *r)
{
    struct vm_error error = {0, "out of memory"};
    int code = tool_shader_load(&r->shader, r->command, r->file, r->source);
    struct tool_errors errors = {r->command, r->file, r->shader.lines, 0};

    if (code != TOOL_OK)
        return code;
    /* Incomplete shaders run too, as far as they have a meaning. */
    if (vm_program_create(&r->program, r->shader.words, r->shader.n, &vm_limits_lenient, &error) ==
        ST_OK)
        return TOOL_OK;
    tool_errors_word(&errors, &error);
    return tool_errors_end(&errors);
}

/* --- Preparation ------------------------------------------------------------------------------ */

static int prepare(struct run *r)
{
    struct vm_options options;
    struct vm_constants constants;
    int code;

    r->constants = mem_calloc(1, sizeof(*r->constants));
    r->tracer = mem_calloc(1, sizeof(*r->tracer));
    if (!r->constants || !r->tracer)
        return tool_error(r->command, "out of memory");
    if ((code = load(r)) != TOOL_OK ||
        (code = run_settings_apply(&r->settings, r->command, vm_program_info(r->program), &r->in,
                                   r->constants, &r->tex)) != TOOL_OK)
        return code;
    if (r->only > run_inputs_lanes(&r->in))
        return tool_error(r->command, "--lane %u: there are only %u", r->only - 1,
                          run_inputs_lanes(&r->in));
    memset(&options, 0, sizeof(options));
    options.live_outputs = UINT64_MAX;
    options.ieee = r->ieee;
    options.single_step = r->trace;
    if (vm_code_create(&r->code, r->program, &options) != ST_OK)
        return tool_error(r->command, "out of memory");
    r->work = mem_alloc(vm_code_work_bytes(r->code));
    r->uniforms = mem_alloc(vm_code_uniform_bytes(r->code));
    if (!r->work || !r->uniforms)
        return tool_error(r->command, "out of memory");
    constants = (struct vm_constants){
        .f = r->constants->f,
        .i = r->constants->i,
        .b = r->constants->b,
        .system = r->constants->system,
        .n_f = RUN_FLOATS,
        .n_i = RUN_INTS,
        .n_b = RUN_BOOLS,
        .n_system = VM_SYSTEM_COUNT,
    };
    vm_code_fill_uniforms(r->code, &constants, r->uniforms);
    return TOOL_OK;
}

/* --- Outputs ---------------------------------------------------------------------------------- */

static void output_name(const struct vm_info *info, const struct vm_io *io, char name[RUN_NAME])
{
    if (info->stage == VM_PIXEL && io->usage == VM_USAGE_DEPTH)
        strcpy(name, "oDepth");
    else if (info->stage == VM_PIXEL)
        snprintf(name, RUN_NAME, info->major == 1 ? "r%u" : "oC%u", io->index);
    else if (info->major >= 3)
        snprintf(name, RUN_NAME, "o%u", io->reg);
    else if (io->usage == VM_USAGE_COLOR || io->usage == VM_USAGE_TEXCOORD)
        snprintf(name, RUN_NAME, "o%c%u", io->usage == VM_USAGE_COLOR ? 'D' : 'T', io->index);
    else
        strcpy(name, io->usage == VM_USAGE_POSITION ? "oPos"
                     : io->usage == VM_USAGE_FOG    ? "oFog"
                                                    : "oPts");
}

static void print_output(const struct run *r, const struct vm_io *io, const float *slots,
                         unsigned lane)
{
    const struct vm_info *info = vm_program_info(r->program);
    const char *separator = " = ";
    char name[RUN_NAME];

    output_name(info, io, name);
    printf("%s", name);
    if (io->mask != VM_MASK_ALL && io->mask != VM_MASK_X) {
        printf(".");
        for (unsigned c = 0; c < 4; c++)
            if (io->mask >> c & 1)
                printf("%c", "xyzw"[c]);
    }
    if (info->stage == VM_VERTEX && info->major >= 3)
        printf(" (%s%u)", vm_usage_text(io->usage), io->index);
    for (unsigned c = 0; c < 4; c++) {
        if (io->slot[c] < 0)
            continue;
        printf("%s", separator);
        run_print_float(stdout, slots[io->slot[c] * VM_LANES + lane], r->hex);
        separator = ", ";
    }
    printf("\n");
}

static void print_outputs(const struct run *r, uint32_t first, uint32_t n, uint64_t killed)
{
    const struct vm_info *info = vm_program_info(r->program);
    const float *slots = vm_code_outputs(r->code, r->work);

    for (unsigned lane = 0; lane < n; lane++) {
        if (r->only && first + lane != r->only - 1)
            continue;
        if (killed >> lane & 1)
            printf("lane %u: killed\n", first + lane);
        for (unsigned i = 0; i < info->n_outputs; i++) {
            if (run_inputs_lanes(&r->in) > 1)
                printf("lane %u: ", first + lane);
            print_output(r, &info->output[i], slots, lane);
        }
    }
}

/* --- Running ---------------------------------------------------------------------------------- */

static void run_batch(struct run *r, uint32_t first, uint32_t n)
{
    struct vm_batch batch = {
        .work = r->work,
        .uniforms = r->uniforms,
        .lanes = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0),
        .sample = draw_sample,
        .sample_ctx = r->tex.sampler,
        .step_hook = run_trace_step,
        .step_ctx = r->tracer,
    };
    struct fp_mode mode;

    memset(r->work, 0, vm_code_work_bytes(r->code));
    run_inputs_fill(&r->in, vm_program_info(r->program), first, r->work);
    run_trace_begin(r->tracer, first, n);
    mode = fp_enter();
    vm_run(r->code, &batch);
    fp_leave(mode);
    if (r->trace)
        printf("\n");
    print_outputs(r, first, n, batch.killed);
}

static int run(struct run *r)
{
    int code = prepare(r);
    uint32_t lanes;

    if (code != TOOL_OK)
        return code;
    lanes = run_inputs_lanes(&r->in);
    r->tracer->out = stdout;
    r->tracer->program = r->program;
    r->tracer->lines = r->shader.lines;
    r->tracer->text_lines = r->lines;
    r->tracer->hex = r->hex;
    r->tracer->only = (int)r->only - 1;
    for (uint32_t first = 0; first < lanes; first += VM_LANES)
        run_batch(r, first, lanes - first < VM_LANES ? lanes - first : VM_LANES);
    return TOOL_OK;
}

static void fini(struct run *r)
{
    mem_free(r->work);
    mem_free(r->uniforms);
    mem_free(r->constants);
    mem_free(r->tracer);
    vm_code_destroy(r->code);
    vm_program_destroy(r->program);
    tool_shader_fini(&r->shader);
    run_inputs_fini(&r->in);
    run_textures_fini(&r->tex);
}

int tool_run_shader(int argc, char **argv)
{
    static struct tool_shader_options source;
    struct run r = {.command = argv[0], .source = &source};
    unsigned lane = UINT32_MAX;
    const struct tool_option options[] = {
        RUN_SETTINGS_OPTIONS(&r.settings, &r.tex),
        {"--ieee", NULL, "0 * infinity is NaN (IEEE) instead of 0 (Direct3D 9)", OPT_FLAG, &r.ieee},
        {"--trace", NULL, "print every executed instruction and the registers it wrote", OPT_FLAG,
         &r.trace},
        {"--lines", NULL, "with --trace: print the lines of assembly, too", OPT_FLAG, &r.lines},
        {"--lane", "N", "print only this lane", OPT_UINT, &lane},
        {"--hex", NULL, "print numbers as bits", OPT_FLAG, &r.hex},
        TOOL_SHADER_OPTIONS(source),
    };
    const struct tool_usage usage = {
        "run-shader FILE [options]",
        "Runs a shader (assembly, byte code, HLSL or an effect; - reads standard input) and "
        "prints\n"
        "its outputs. HLSL needs -T. Numbers are decimal, inf, nan, or the bits of a float as 0x "
        "and eight digits.\n"
        "A / separates the rows of further lanes; the last row repeats. In a pixel shader four\n"
        "lanes form a quad; t0=0,0@0.1,0@0,0.1 is 0,0 with steps of 0.1,0 to the right and 0,0.1\n"
        "down. Missing components are 0, 0, 0, 1.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code;

    memset(&source, 0, sizeof(source));
    code = tool_parse(&usage, argc, argv, &r.file);
    if (code >= 0)
        return code;
    r.only = lane == UINT32_MAX ? 0 : lane + 1;
    code = run(&r);
    fini(&r);
    return code;
}
