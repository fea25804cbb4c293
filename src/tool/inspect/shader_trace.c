/* Shader trace: prints inputs, every executed instruction and outputs of the shaders of one
 * pixel.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "draw/draw.h"
#include "tool/inspect/probe.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"

#include <inttypes.h>
#include <string.h>

static const char letters[] = "xyzw";

static void print_program(const struct inspect_probe *probe, const struct vm_program *program)
{
    char *text;

    if (vm_program_text(&text, program) != ST_OK)
        return;
    fprintf(probe->text, "%s", text);
    if (*text && text[strlen(text) - 1] != '\n')
        fprintf(probe->text, "\n");
    mem_free(text);
}

static const char *usage_name(const struct vm_io *io)
{
    return io->usage == VM_USAGE_VPOS    ? "vPos"
           : io->usage == VM_USAGE_VFACE ? "vFace"
           : vm_usage_text(io->usage)    ? vm_usage_text(io->usage)
                                         : "input";
}

static void print_inputs(const struct inspect_probe *probe, const struct draw_shader_batch *shading,
                         unsigned lane)
{
    const struct vm_info *info = vm_program_info(shading->program);

    for (unsigned i = 0; i < info->n_inputs; i++) {
        const struct vm_io *io = &info->input[i];

        fprintf(probe->text, "  %s%u", usage_name(io), io->index);
        fprintf(probe->text, ".");
        for (unsigned c = 0; c < 4; c++)
            if (io->slot[c] >= 0)
                fprintf(probe->text, "%c", letters[c]);
        fprintf(probe->text, " =");
        for (unsigned c = 0; c < 4; c++) {
            if (io->slot[c] < 0)
                continue;
            fprintf(probe->text, " ");
            run_print_float(probe->text, shading->inputs[io->slot[c] * VM_LANES + lane],
                            probe->hex);
        }
        fprintf(probe->text, "\n");
    }
}

/* Prints the constants that the code uses; programs built into the renderer are skipped. */
static void print_constants(const struct inspect_probe *probe,
                            const struct draw_shader_batch *shading)
{
    const struct vm_info *info = vm_program_info(shading->program);
    bool software;
    size_t n;

    if (!vm_program_tokens(shading->program, &n, &software))
        return;
    for (unsigned i = 0; i < info->direct_constants; i++) {
        const float *c = info->stage == VM_PIXEL ? probe->state->ps_constants.f[i]
                                                 : probe->state->vs_constants.f[i];

        fprintf(probe->text, "  c%u =", i);
        for (unsigned k = 0; k < 4; k++) {
            fprintf(probe->text, " ");
            run_print_float(probe->text, c[k], probe->hex);
        }
        fprintf(probe->text, "\n");
    }
}

static void print_lanes(const struct inspect_probe *probe, const struct draw_shader_batch *shading)
{
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        if (!(shading->lanes >> lane & 1) || (shading->lane >= 0 && shading->lane != (int)lane))
            continue;
        if (shading->lane < 0)
            fprintf(probe->text, "vertex %" PRId64 " (lane %u)\n",
                    shading->first + (shading->index ? shading->index[lane] : lane), lane);
        else
            fprintf(probe->text, "pixel %" PRIu32 ",%" PRIu32 " (lane %u of its batch)\n", probe->x,
                    probe->y, lane);
        print_inputs(probe, shading, lane);
    }
}

void inspect_trace_before(void *ctx, const struct draw_shader_batch *shading)
{
    struct inspect_probe *probe = ctx;
    struct run_trace *t = probe->trace;
    uint64_t last = shading->lanes ? shading->lanes : 1;

    if (!probe->text)
        return;
    t->program = shading->program;
    t->out = probe->text;
    t->only = shading->lane;
    t->hex = probe->hex;
    run_trace_begin(t, 0, 64 - (uint32_t)__builtin_clzll(last));
    fprintf(probe->text, shading->lane < 0 ? "--- vertex shader\n" : "--- pixel shader\n");
    print_program(probe, shading->program);
    print_constants(probe, shading);
    print_lanes(probe, shading);
}

void inspect_trace_step(void *ctx, const struct vm_step *step)
{
    struct inspect_probe *probe = ctx;

    if (probe->text)
        run_trace_step(probe->trace, step);
}

void inspect_trace_after(void *ctx, const float *const colour[DRAW_TARGETS])
{
    struct inspect_probe *probe = ctx;
    unsigned t = probe->target < DRAW_TARGETS ? probe->target : 0;

    if (!colour[t])
        return;
    probe->at->has_output = true;
    memcpy(probe->at->output, colour[t], sizeof(probe->at->output));
}
