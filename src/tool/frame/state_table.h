/* The states of a draw as a list: group, name, value as text. */
#ifndef TOOL_FRAME_STATE_TABLE_H
#define TOOL_FRAME_STATE_TABLE_H

#include "draw/draw.h"

enum { FRAME_GROUP = 24, FRAME_VALUE = 400 };

/* A state: bytes of a struct draw_state. */
struct frame_state {
    char group[FRAME_GROUP]; /* "render state", "sampler 3", "stage 0", "transform", "viewport" … */
    char name[32];           /* "ZFUNC", "MAGFILTER", "view", "x" … */
    size_t offset;
    uint8_t bytes, kind; /* kind: private to state_table.c */
    int8_t sampler, stage, light;
    bool fixed_vertex; /* only the fixed function's vertex processing reads it */
};

/* All states, in the order in which they are shown. *n: their number. */
const struct frame_state *frame_states(unsigned *n);
/* The state before any call, as far as draw_state has it. Static. */
const struct draw_state *frame_states_default(void);
/* Whether the state exists: a light that is on. */
bool frame_state_exists(const struct frame_state *s, const struct draw_state *state);
/* Whether two draws have the same value; both may lack it. */
bool frame_state_same(const struct frame_state *s, const struct draw_state *a,
                      const struct draw_state *b);
/* The value as text, without the prefixes of enumerations: "LESSEQUAL". "": it does not exist. */
void frame_state_text(char out[FRAME_VALUE], const struct frame_state *s,
                      const struct draw_state *state);
/* The number of states that differ. */
unsigned frame_states_differ(const struct draw_state *a, const struct draw_state *b);
/* Bit masks of what a draw with these programs reads. */
uint32_t frame_samplers(const struct vm_program *vertex, const struct vm_program *pixel);
uint32_t frame_stages(const struct draw_state *state);

#endif
