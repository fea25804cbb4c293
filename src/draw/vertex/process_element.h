/* Declares the mapping of ProcessVertices: a source for each element of the destination. Private to
 * vertex. */
#ifndef DRAW_VERTEX_PROCESS_ELEMENT_H
#define DRAW_VERTEX_PROCESS_ELEMENT_H

#include "draw/pipeline/pipeline.h"

enum process_source {
    PROCESS_SKIP,    /* leaves the destination unchanged */
    PROCESS_DEFAULT, /* the element has no source: default_value */
    PROCESS_SCREEN,  /* the position in screen space */
    PROCESS_OUTPUT,  /* an output of the vertex stage */
    PROCESS_SOURCE   /* a copy of a source element */
};

struct process_element {
    uint8_t from;    /* enum process_source */
    uint8_t type, n; /* D3DDECLTYPE; number of float components to write */
    bool clamp;      /* clamps to [0,1] */
    bool fog;        /* alpha is the fog factor */
    uint16_t offset;
    float default_value; /* of components without a source */
    const struct vm_io *output;      /* NULL: default_value */
    const D3DVERTEXELEMENT9 *source; /* of PROCESS_SOURCE */
};

struct process_mapping {
    unsigned n; /* elements */
    struct process_element element[MAXD3DDECLLENGTH];
    const struct vm_io *fog; /* the output that is the fog factor; NULL: none */
};

void process_mapping_init(struct process_mapping *out, const struct draw_pipeline *pipeline,
                          const struct draw_state *state, const struct draw_process *process);

#endif
