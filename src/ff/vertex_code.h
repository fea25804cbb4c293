/* State of the fixed-function vertex shader generator. Private to ff. */
#ifndef FF_VERTEX_CODE_H
#define FF_VERTEX_CODE_H

#include "ff/emit.h"
#include "ff/vertex.h"

struct vertex_code {
    struct vm_builder *b;
    const struct vertex_key *key;
    struct vm_src eye;       /* position in eye space, x y z */
    struct vm_src normal;    /* in eye space; zero if the vertex has none */
    struct vm_src to_vertex; /* unit vector from the eye */
    struct vm_src eye_distance;
};

static inline struct vm_src const_component(unsigned index, unsigned c)
{
    return component(vm_build_const(index), c);
}

/* Emits vertex lighting to COLOR0 and, with lit_specular, COLOR1. */
void vertex_code_light(struct vertex_code *c);
/* Emits the texture coordinates of all stages. */
void vertex_code_texcoords(struct vertex_code *c);

#endif
