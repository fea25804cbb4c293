/* Seed shaders of every model and random mutations of them, for the fuzz tests.
 *
 * NOVEM_TEST_SHADERS may name files with more byte code, separated by blanks. */
#ifndef TESTS_FUZZ_VM_MUTATE_H
#define TESTS_FUZZ_VM_MUTATE_H

#include "check_main.h"

#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char *const seeds[] = {
    "vs_1_1\ndcl_position v0\ndcl_normal v3\ndef c0, 1, 2, 3, 4\nm4x4 oPos, v0, c4\nmov a0.x, v3.x\n"
    "mad r0.xyz, v3, c8[a0.x], -c0.wzyx\nmax oD0.xyz, r0, c0\nmov oT0.xy, v0\nmov oFog, c0.x",

    "vs_2_x\ndcl_position v0\ndefi i0, 3, 0, 1, 0\ndefb b0, true\nloop aL, i0\nif b0\n"
    "add r0, v0, c4[aL]\nelse\nif_gt r0.x, c1.y\nbreak\nendif\nendif\nendloop\nrep i0\nbreak_lt c1.x, c2.x\n"
    "endrep\ncallnz l2, b0\nsetp_ge p0, r0, c3\n(!p0.y) mov r0.x, c1\nsincos r1.xy, r0.x, c5, c6\n"
    "mov oPos, r0\nret\nlabel l2\nmova a0.xy, r0\nmov r2, c9[a0.y]\nret",

    "vs_3_0\ndcl_position v0\ndcl_texcoord1 v1\ndcl_2d s1\ndcl_position o0\ndcl_texcoord o1.xy\n"
    "dcl_color2 o1.zw\ndcl_fog o4.x\nmova a0.x, v1.x\nmov o0, v0[a0.x]\ntexldl r0, v0, s1\n"
    "mov o1[a0.x + 1].xy, -r0_abs\nmov o4.x, r0.x\nm3x3 r1.xyz, r0, c4\nlrp o1.zw, r1, r0, c2",

    "ps_1_1\ndef c0, 0.5, 0, 0, 1\ntex t0\ntexm3x3pad t1, t0_bx2\ntexm3x3pad t2, t0_bx2\n"
    "texm3x3vspec t3, t0_bx2\nmul_x2_sat r0.rgb, t3, 1-v0\n+mov_d2 r0.a, -t0_bx2.a\ncnd r0, r0.a, c0, v1",

    "ps_1_3\ntex t0\ntexbeml t1, t0\ntexm3x2pad t2, t0\ntexm3x2depth t3, t0\ncmp r0, t1, c0, c1\n"
    "dp4 r0.a, r0, c1",

    "ps_1_4\ntexld r0, t0_dw.xyw\ntexcrd r1.rgb, t1\nbem r1.rg, r1, r0\nphase\ntexld r2, r1_dz\n"
    "texcrd r5.rgb, t2\ntexdepth r5\ntexkill r1\nmad_sat r0, r2_x2, v0, -c0",

    "ps_2_0\ndcl t0.xyz\ndcl v1\ndcl_cube s2\ndcl_2d s0\ntexldp r0, t0, s0\ntexldb r1, t0, s2\n"
    "dp2add_sat r0.x, r0, r1, c3.y\nnrm r2, r0\npow r3.x, r2.x, r1.y\nmov oC0, r3\nmov oC1, r2\n"
    "mov oDepth, r0.x",

    "ps_3_0\ndcl_texcoord4_centroid v0.xy\ndcl_color v0.zw\ndcl_fog v1.x\ndcl vPos.xy\ndcl vFace\n"
    "dcl_volume s3\ndef c7, 1.#INF, -1, 0, 3\ndefi i2, 4, 1, 1, 0\nloop aL, i2\nadd r0, v0[aL], vPos.xyxy\n"
    "texldd r1, r0, s3, v0, v1\ntexldl r2, r0, s3\nendloop\ndsx r3, r0\ncmp oC0, vFace, r1, r3_abs\n"
    "texkill v0\nmov oC3.xz, c7",
};
/* clang-format on */
enum { N_SEEDS = sizeof(seeds) / sizeof(seeds[0]), MAX_SHADERS = 1024 };

struct seed {
    uint32_t *words;
    size_t n;
};

static struct seed shaders[MAX_SHADERS];
static unsigned n_shaders;

static inline void add_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    struct seed s = {.n = 0};
    long size;

    if (!file || n_shaders == MAX_SHADERS)
        return;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    s.words = mem_alloc((size_t)size + 4);
    s.n = fread(s.words, 4, (size_t)size / 4, file);
    fclose(file);
    shaders[n_shaders++] = s;
}

static inline void load(void)
{
    const char *list = getenv("NOVEM_TEST_SHADERS");
    char *names, *name;

    for (; n_shaders < N_SEEDS; n_shaders++)
        ck_assert_int_eq(
            vm_assemble(&shaders[n_shaders].words, &shaders[n_shaders].n, seeds[n_shaders], NULL),
            ST_OK);
    if (!list)
        return;
    names = strdup(list);
    for (name = strtok(names, " "); name; name = strtok(NULL, " "))
        add_file(name);
    free(names);
}

static inline void unload(void)
{
    while (n_shaders)
        mem_free(shaders[--n_shaders].words);
}

/* xorshift64 with a fixed seed */
static uint64_t random_state = 0x9e3779b97f4a7c15;
static uint32_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32);
}

/* Words that resemble tokens. */
static uint32_t plausible_word(const struct seed *s)
{
    switch (random_word() % 6) {
    case 0:
        return s->words[random_word() % s->n]; /* from the same shader */
    case 1:
        return random_word() % 98 | (random_word() % 6) << 24; /* an instruction */
    case 2:
        return 0x80000000 | (random_word() & 0x700007ff) | 0x000f0000; /* a destination */
    case 3:
        return 0x80000000 | (random_word() & 0x7fff3fff); /* any operand */
    case 4:
        return 0x0000ffff;
    default:
        return random_word();
    }
}

/* A copy of the seed with up to three words changed, allocated at its exact size; free() it. */
static inline uint32_t *damaged_copy(const struct seed *s)
{
    uint32_t *copy = malloc(s->n * sizeof(*copy));

    memcpy(copy, s->words, s->n * sizeof(*copy));
    for (unsigned k = random_word() % 3 + 1; k > 0; k--) {
        uint32_t *word = &copy[random_word() % s->n];

        *word = random_word() & 1 ? *word ^ 1u << random_word() % 32 : plausible_word(s);
    }
    return copy;
}

#endif
