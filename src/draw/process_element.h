/* What ProcessVertices writes into each element of its destination. Private to draw. */
#ifndef DRAW_PROCESS_ELEMENT_H
#define DRAW_PROCESS_ELEMENT_H

#include "draw/pipeline.h"

enum process_source {
    PROCESS_SKIP,    /* stays as it is */
    PROCESS_DEFAULT, /* nobody brings it: 0, diffuse white */
    PROCESS_SCREEN,  /* the position, on the screen */
    PROCESS_OUTPUT,  /* an output of the vertex stage */
    PROCESS_SOURCE   /* an element of the streams, as it is */
};

struct process_element {
    uint8_t from;    /* enum process_source */
    uint8_t type, n; /* D3DDECLTYPE; components to write, of floats */
    bool clamp;      /* to [0,1] */
    bool fog;        /* alpha is the fog factor */
    uint16_t offset;
    float default_value; /* of components that nobody writes */
    const struct vm_io *output;
    const D3DVERTEXELEMENT9 *source;
};

struct process_pipeline {
    unsigned n;
    struct process_element element[MAXD3DDECLLENGTH];
    const struct vm_io *fog;
};

void process_pipeline_init(struct process_pipeline *out, const struct draw_pipeline *pipeline,
                           const struct draw_state *state, const struct draw_process *process);

#endif
