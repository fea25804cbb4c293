/* Costs of a frame: what each draw and each shader does, in counts and in time. */
#ifndef TOOL_FRAME_COST_H
#define TOOL_FRAME_COST_H

#include "tool/frame/walk.h"

#include <stdio.h>

enum { FRAME_COST_ID = 17, FRAME_COST_NONE = UINT32_MAX };

/* A call that draws, clears or copies. Samples are counted in the order of the tests: covered =
 * killed + alpha failed + reached; reached = tested where the draw tests, and tested = stencil
 * failed + depth failed + passed. */
struct frame_cost_event {
    uint64_t call;
    char name[48];       /* "DrawIndexedPrimitive" */
    bool draw;           /* others have nothing but `seconds` */
    char *marker;        /* the markers that are open, "a;b"; "" if none are */
    uint32_t target;     /* resource: the first colour target, else depth; 0: none */
    uint32_t shader[2];  /* vertex, pixel: index in frame_cost.shader; FRAME_COST_NONE */
    uint64_t references; /* vertices that the primitives name */
    uint64_t vertices;   /* shaded */
    uint64_t primitives; /* = outside + culled + drawn */
    uint64_t outside, culled, drawn;
    uint64_t clipped; /* cut by a clip plane; of those culled or drawn */
    uint64_t covered, killed, alpha_failed, tested, stencil_failed, depth_failed, passed;
    uint64_t shaded;  /* pixels, without helper lanes */
    uint64_t written; /* samples that passed, if the draw writes a colour or depth or stencil */
    uint64_t lookups; /* texture lookups of both shaders */
    uint64_t instructions[2]; /* executed by the vertex shader, by the pixel shader */
    double seconds;           /* processor time; less than 0: not measured */
};

struct frame_cost_shader {
    char id[FRAME_COST_ID]; /* hash of the text, as `novem frame` names its file */
    bool pixel;
    char *text; /* the disassembly */
    uint64_t draws, invocations, instructions, lookups;
    double seconds; /* of the draws that use it, with both shaders */
    uint64_t *line; /* executions of each line of the text */
    uint32_t n_lines;
    bool generated; /* by the fixed function */
    /* The draw that executes most instructions of it, and the constants that it has there, as lines
     * of tool/bench/job.h ("; set c4 1 0 0 1"); "" if it is generated. */
    uint64_t most, most_call;
    char *settings;
};

struct frame_cost_target {
    uint32_t resource, width, height, samples;
    bool depth;
    uint64_t written; /* samples, by draws */
    double overdraw;  /* how often a sample of it is written, on average */
};

struct frame_cost {
    uint64_t frame;
    bool timed;
    struct frame_cost_event *event;
    struct frame_cost_shader *shader;
    struct frame_cost_target *target;
    uint32_t n_events, max_events, n_shaders, max_shaders, n_targets, max_targets;
};

/* Runs the rest of the frame and counts. Before, it runs the frame `runs` times in forks and
 * measures each event with the one before and after it finished; the least time counts. runs 0: no
 * times. The caller frees *out with frame_cost_fini, also after a failure. */
MUST_CHECK enum status frame_cost_gather(struct frame_cost *out, struct frame_walk *walk,
                                         unsigned runs);
void frame_cost_fini(struct frame_cost *cost);

/* --- cost_time.c: processor time of events ---------------------------------------------------- */

/* Seconds of the frame's events in order. */
struct frame_times {
    uint32_t n;
    double *seconds;
};
/* The caller frees `seconds` with mem_free. The walk stays at the frame's start. */
MUST_CHECK enum status frame_times_measure(struct frame_times *out, struct frame_walk *walk,
                                           unsigned runs);
/* Whether a packet other than a draw is an event, unless it belongs to a Present. */
bool frame_cost_is_event(enum cmd_op op);
bool frame_cost_is_present(const char *function);

/* --- cost_print.c, cost_json.c, cost_table.c: output ------------------------------------------ */

/* The object of cost_json.h. False: out of memory. */
bool frame_cost_print_json(const struct frame_cost *cost, FILE *out);
/* One line for each event, after a line of names. */
void frame_cost_print_csv(const struct frame_cost *cost, FILE *out);
/* Folded stacks, whose value is the number of instructions executed: "frame 2;pass 1 (target
 * 3);marker;604 DrawPrimitive;pixel 1200". */
void frame_cost_print_folded(const struct frame_cost *cost, FILE *out);
/* An aligned table, the costliest first, with a line of totals. False: out of memory. */
bool frame_cost_print_table(const struct frame_cost *cost, FILE *out);

#endif
