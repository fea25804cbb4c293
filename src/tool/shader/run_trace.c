/* Instruction trace of a shader: prints each instruction and the registers that it wrote.
 *
 * Tested by tests/unit/tool/shader/test_run.c. */
#include "tool/shader/run.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"

#include <string.h>

enum { BAR_LANES = 16, TEXT_WIDTH = 44 };

static const char letters[] = "xyzw";

/* --- Registers -------------------------------------------------------------------------------- */

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

/* Lists all registers of the program with their initial value 0. */
static void list_registers(struct run_trace *t, const struct vm_step *o)
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

/* Whether a lane is in the set and selected for printing. */
static bool wanted(const struct run_trace *t, uint64_t lanes, unsigned lane)
{
    return lane < t->n_lanes && (lanes >> lane & 1) &&
           (t->only < 0 || (uint32_t)t->only == t->first_lane + lane);
}

/* Stores a register's current value. Returns the components that changed in a printed lane. */
static unsigned update(const struct run_trace *t, struct run_register *r, const struct vm_step *o)
{
    unsigned changed = 0;

    for (unsigned c = 0; c < 4; c++) {
        for (unsigned lane = 0; (r->present >> c & 1) && lane < t->n_lanes; lane++) {
            float x;

            vm_step_register(o, r->file, r->reg, c, lane, &x);
            if (memcmp(&x, &r->x[lane][c], sizeof(x)) && wanted(t, o->lanes, lane))
                changed |= 1u << c;
            r->x[lane][c] = x;
        }
    }
    return changed;
}

static void print_register(const struct run_trace *t, const struct run_register *r, unsigned mask,
                           unsigned lane)
{
    char name[VM_REGISTER_TEXT];
    const char *separator = "";

    vm_register_text(name, r->file, r->reg);
    fprintf(t->out, "%s", name);
    if (mask != VM_MASK_ALL && r->present != VM_MASK_X)
        fprintf(t->out, ".");
    for (unsigned c = 0; c < 4; c++)
        if (mask != VM_MASK_ALL && r->present != VM_MASK_X && (mask >> c & 1))
            fprintf(t->out, "%c", letters[c]);
    fprintf(t->out, " = ");
    for (unsigned c = 0; c < 4; c++) {
        if (mask >> c & 1) {
            fprintf(t->out, "%s", separator);
            run_print_float(t->out, r->x[lane][c], t->hex);
            separator = ", ";
        }
    }
    fprintf(t->out, "\n");
}

/* Prints one line if all lanes agree, else one line per lane. */
static void print_lanes(const struct run_trace *t, const struct run_register *r, unsigned mask,
                        uint64_t lanes)
{
    bool same = true;
    unsigned first = VM_LANES;

    for (unsigned lane = t->n_lanes; lane-- > 0;)
        if (wanted(t, lanes, lane))
            first = lane;
    if (first == VM_LANES)
        return;
    for (unsigned lane = first; lane < t->n_lanes; lane++)
        for (unsigned c = 0; c < 4; c++)
            if (wanted(t, lanes, lane) && (mask >> c & 1))
                same &= !memcmp(&r->x[lane][c], &r->x[first][c], sizeof(float));
    for (unsigned lane = first; lane < t->n_lanes; lane++) {
        if (!wanted(t, lanes, lane))
            continue;
        fprintf(t->out, "          ");
        if (!same)
            fprintf(t->out, "lane %-3u ", t->first_lane + lane);
        print_register(t, r, mask, lane);
        if (same)
            return;
    }
}

/* --- Instructions ----------------------------------------------------------------------------- */

/* Prints the active lanes as "lanes ##..", or for many lanes "lanes: 12 of 64"; nothing if all are
 * active. */
static void print_bar(const struct run_trace *t, uint64_t lanes, int used)
{
    uint64_t all = t->n_lanes < 64 ? (UINT64_C(1) << t->n_lanes) - 1 : ~UINT64_C(0);

    if ((lanes & all) == all)
        return;
    fprintf(t->out, "%*s", used < TEXT_WIDTH ? TEXT_WIDTH - used : 2, "");
    if (t->n_lanes > BAR_LANES) {
        fprintf(t->out, "lanes: %d of %u", __builtin_popcountll(lanes & all), t->n_lanes);
        return;
    }
    fprintf(t->out, "lanes ");
    for (unsigned lane = 0; lane < t->n_lanes; lane++)
        fprintf(t->out, "%c", lanes >> lane & 1 ? '#' : '.');
}

static void print_instructions(const struct run_trace *t, const struct vm_step *o)
{
    for (uint32_t i = o->first; i <= o->last; i++) {
        char *text;

        if (vm_instr_text(&text, t->program, i) != ST_OK)
            continue;
        fprintf(t->out, "%5u  %s", i, text);
        if (i == o->last)
            print_bar(t, o->lanes, (int)strlen(text));
        mem_free(text);
        fprintf(t->out, "\n");
    }
}

static void print_killed(struct run_trace *t, uint64_t killed)
{
    for (unsigned lane = 0; lane < t->n_lanes; lane++)
        if (wanted(t, killed & ~t->killed, lane))
            fprintf(t->out, "          lane %-3u killed\n", t->first_lane + lane);
    t->killed = killed;
}

void run_trace_begin(struct run_trace *t, uint32_t first_lane, uint32_t n_lanes)
{
    t->first_lane = first_lane;
    t->n_lanes = n_lanes;
    t->killed = 0;
    t->n = 0;
}

void run_trace_step(void *ctx, const struct vm_step *o)
{
    struct run_trace *t = ctx;

    if (!t->n)
        list_registers(t, o);
    if (t->only >= 0 && !wanted(t, o->lanes, (unsigned)t->only - t->first_lane))
        return;
    /* A loop increments aL after its instruction was printed, so print the new aL before the next
     * one. */
    if (update(t, &t->shown[0], o))
        print_lanes(t, &t->shown[0], VM_MASK_X, ~UINT64_C(0));
    print_instructions(t, o);
    for (unsigned i = 1; i < t->n; i++) {
        struct run_register *r = &t->shown[i];
        bool is_dst =
            o->dst->file == r->file && o->dst->index == r->reg && o->dst->rel_file == VM_FILE_NONE;
        unsigned mask = update(t, r, o) | (is_dst ? o->dst->mask : 0u);

        if (mask & r->present)
            print_lanes(t, r, mask & r->present, o->lanes);
    }
    print_killed(t, o->killed);
}
