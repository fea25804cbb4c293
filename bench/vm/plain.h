/* Four shaders of the corpus as plain C over the same arrays, for all lanes. */
#ifndef BENCH_VM_PLAIN_H
#define BENCH_VM_PLAIN_H

#include "vm/vm.h"

/* in[i][c] is component c of input i of vm_info, out likewise. */
struct plain_args {
    const float *in[VM_MAX_INPUTS][4];
    float *out[VM_MAX_OUTPUTS][4];
    const float (*c)[4];
    unsigned lanes;
};
typedef void plain_fn(const struct plain_args *a);
plain_fn plain_mix, plain_light, plain_normal_map, plain_tone_map;

#endif
