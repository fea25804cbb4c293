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
        if (run_trace_wants(t, lanes, lane))
            first = lane;
    if (first == VM_LANES)
        return;
    for (unsigned lane = first; lane < t->n_lanes; lane++)
        for (unsigned c = 0; c < 4; c++)
            if (run_trace_wants(t, lanes, lane) && (mask >> c & 1))
                same &= !memcmp(&r->x[lane][c], &r->x[first][c], sizeof(float));
    for (unsigned lane = first; lane < t->n_lanes; lane++) {
        if (!run_trace_wants(t, lanes, lane))
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

/* Names the line of the source if it is another than that of the instruction before. Lines of
 * assembly are an option: the trace shows their text. */
static void print_line(struct run_trace *t, uint32_t instr)
{
    struct vm_line line;

    if (!t->lines || !vm_lines_find(t->lines, vm_instr_word(t->program, instr), &line) ||
        (line.column && !t->text_lines) || (line.line == t->line.line && line.file == t->line.file))
        return;
    t->line = line;
    fprintf(t->out, "       // %s:%u\n", line.file ? line.file : "line", line.line);
}

static void print_instructions(struct run_trace *t, const struct vm_step *o)
{
    for (uint32_t i = o->first; i <= o->last; i++) {
        char *text;

        print_line(t, i);
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
        if (run_trace_wants(t, killed & ~t->killed, lane))
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
        run_trace_list(t, o);
    if (t->only >= 0 && !run_trace_wants(t, o->lanes, (unsigned)t->only - t->first_lane))
        return;
    /* A loop increments aL after its instruction was printed, so print the new aL before the next
     * one. */
    if (run_trace_update(t, &t->shown[0], o))
        print_lanes(t, &t->shown[0], VM_MASK_X, ~UINT64_C(0));
    print_instructions(t, o);
    for (unsigned i = 1; i < t->n; i++) {
        struct run_register *r = &t->shown[i];
        unsigned mask =
            run_trace_update(t, r, o) | (run_trace_is_destination(r, o) ? o->dst->mask : 0u);

        if (mask & r->present)
            print_lanes(t, r, mask & r->present, o->lanes);
    }
    print_killed(t, o->killed);
}
