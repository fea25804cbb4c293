/* Registers of a shader that runs in single steps: which there are, and which components an
 * instruction wrote.
 *
 * Tested by tests/unit/tool/shader/test_run.c and tests/unit/tool/frame/test_steps.c. */
#include "tool/shader/shader.h"

#include <string.h>

static void list_file(struct run_trace *t, const struct vm_step *o, unsigned file, unsigned n)
{
    for (unsigned reg = 0; reg < n && t->n < RUN_REGISTERS; reg++) {
        struct run_register *r = &t->shown[t->n];
        float x;

        memset(r, 0, sizeof(*r));
        r->file = (uint8_t)file;
        r->reg = (uint16_t)reg;
        for (unsigned c = 0; c < (file == VM_FILE_LOOP ? 1 : 4); c++)
            r->present |= (uint8_t)(vm_step_register(o, file, reg, c, 0, &x) << c);
        t->n += r->present != 0;
    }
}

void run_trace_list(struct run_trace *t, const struct vm_step *o)
{
    bool pixel = vm_program_info(t->program)->stage == VM_PIXEL;
    bool linked = !pixel && vm_program_info(t->program)->major >= 3;

    list_file(t, o, VM_FILE_LOOP, 1);
    list_file(t, o, VM_FILE_ADDR, 1);
    list_file(t, o, VM_FILE_PREDICATE, 1);
    list_file(t, o, VM_FILE_TEMP, 64);
    list_file(t, o, VM_FILE_TEXTURE, pixel ? 8 : 0);
    list_file(t, o, VM_FILE_OUTPUT, linked ? VM_MAX_OUTPUTS : 0);
    list_file(t, o, VM_FILE_RASTOUT, pixel || linked ? 0 : 3);
    list_file(t, o, VM_FILE_ATTROUT, pixel || linked ? 0 : 2);
    list_file(t, o, VM_FILE_TEXCRDOUT, pixel || linked ? 0 : 8);
    list_file(t, o, VM_FILE_COLOROUT, pixel ? 8 : 0);
    list_file(t, o, VM_FILE_DEPTHOUT, pixel ? 1 : 0);
}

bool run_trace_wants(const struct run_trace *t, uint64_t lanes, unsigned lane)
{
    return lane < t->n_lanes && (lanes >> lane & 1) &&
           (t->only < 0 || (uint32_t)t->only == t->first_lane + lane);
}

unsigned run_trace_update(const struct run_trace *t, struct run_register *r,
                          const struct vm_step *o)
{
    unsigned changed = 0;

    for (unsigned c = 0; c < 4; c++) {
        for (unsigned lane = 0; (r->present >> c & 1) && lane < t->n_lanes; lane++) {
            float x;

            vm_step_register(o, r->file, r->reg, c, lane, &x);
            if (memcmp(&x, &r->x[lane][c], sizeof(x)) && run_trace_wants(t, o->lanes, lane))
                changed |= 1u << c;
            r->x[lane][c] = x;
        }
    }
    return changed;
}

bool run_trace_is_destination(const struct run_register *r, const struct vm_step *o)
{
    return o->dst->file == r->file && o->dst->index == r->reg && o->dst->rel_file == VM_FILE_NONE;
}
