/* Costs of shaders over the frames of a capture. */
#ifndef TOOL_FRAME_SHADER_COSTS_H
#define TOOL_FRAME_SHADER_COSTS_H

#include "tool/frame/cost.h"

/* A draw that uses the shader. */
struct frame_shader_use {
    uint64_t frame, call, invocations, instructions;
    double seconds; /* less than 0: not measured */
};

struct frame_shader {
    char id[FRAME_COST_ID]; /* as in frame_cost_shader */
    bool pixel, generated;
    char *text;
    uint64_t frames, draws, invocations, instructions, lookups;
    double seconds; /* of the draws that use it, with both shaders */
    uint64_t *line; /* executions of each line of the text */
    uint32_t n_lines;
    uint64_t most; /* instructions in the costliest draw */
    uint64_t most_frame, most_call;
    char *settings; /* constants of the costliest draw */
    struct frame_shader_use *use;
    uint32_t n_uses, max_uses;
};

struct frame_shaders {
    uint64_t first, last, frames; /* the frames, and how many they are */
    bool timed;                   /* all of them */
    struct frame_shader *shader;
    uint32_t n, max;
};

/* Adds a frame. It is the next one, or the first. ST_NOMEM. */
MUST_CHECK enum status frame_shaders_add(struct frame_shaders *all, const struct frame_cost *cost);
/* Sorts the costliest first: by instructions. */
void frame_shaders_sort(struct frame_shaders *all);
void frame_shaders_fini(struct frame_shaders *all);

/* --- shader_costs_print.c --------------------------------------------------------------------- */

void frame_shader_model(const struct frame_shader *shader, char out[16]); /* "ps_3_0" */
/* An aligned table with a line of totals. False: out of memory. */
bool frame_shaders_print_table(const struct frame_shaders *all, FILE *out);
/* One line for each shader, after a line of names. */
void frame_shaders_print_csv(const struct frame_shaders *all, FILE *out);
/* The object of docs/profile.md. False: out of memory. */
bool frame_shaders_print_json(const struct frame_shaders *all, FILE *out);
/* Writes ID.asm for each shader into a folder, which is made if it is missing: text that `novem
 * asm`, `run-shader` and `bench` read, with the constants of the costliest draw. Returns TOOL_OK,
 * or TOOL_ERROR after a message. */
int frame_shaders_write(const struct frame_shaders *all, const char *command, const char *capture,
                        const char *folder);

#endif
