/* The vertex program while it is written. Private to ff. */
#ifndef FF_VERTEX_CODE_H
#define FF_VERTEX_CODE_H

#include "ff/emit.h"
#include "ff/vertex.h"

struct vertex_code {
    struct vm_builder *b;
    const struct vertex_key *key;
    struct vm_src eye;       /* position in eye space, x y z */
    struct vm_src normal;    /* in eye space; zero without one */
    struct vm_src to_vertex; /* unit, from the eye */
    struct vm_src eye_distance;
};

static inline struct vm_src const_component(unsigned index, unsigned c)
{
    return component(vm_build_const(index), c);
}

/* The colours of a vertex under LIGHTING, to COLOR0 and, with lit_specular, COLOR1. */
void vertex_code_light(struct vertex_code *c);
/* Texture coordinates of all stages. */
void vertex_code_texcoords(struct vertex_code *c);

#endif
