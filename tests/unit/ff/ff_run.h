/* Test harness of fixed-function programs: a state with the defaults of Direct3D, and a batch of 64
 * lanes with inputs and outputs by semantic. */
#ifndef TESTS_FF_RUN_H
#define TESTS_FF_RUN_H

#include "ff/ff.h"
#include "util/alloc.h"
#include "util/fpenv.h"
#include "vm/vm.h"

#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- State ----------------------------------------------------------------------------------- */

struct test_state {
    DWORD render[FF_RENDER_STATES];
    DWORD stage[FF_STAGES][FF_STAGE_STATES];
    D3DMATRIX world[256], view, projection, texture[FF_STAGES];
    D3DMATERIAL9 material;
    D3DLIGHT9 lights[FF_LIGHTS];
    const D3DLIGHT9 *light[FF_LIGHTS];
    struct ff_state s;
};

static inline DWORD float_bits(float x)
{
    DWORD bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline void matrix_identity(D3DMATRIX *m)
{
    memset(m, 0, sizeof(*m));
    for (int i = 0; i < 4; i++)
        m->m[i][i] = 1.0f;
}

static inline void stage_defaults(DWORD *stage, unsigned i)
{
    stage[D3DTSS_COLOROP] = i ? D3DTOP_DISABLE : D3DTOP_MODULATE;
    stage[D3DTSS_ALPHAOP] = i ? D3DTOP_DISABLE : D3DTOP_SELECTARG1;
    stage[D3DTSS_COLORARG1] = stage[D3DTSS_ALPHAARG1] = D3DTA_TEXTURE;
    stage[D3DTSS_COLORARG2] = stage[D3DTSS_ALPHAARG2] = D3DTA_CURRENT;
    stage[D3DTSS_COLORARG0] = stage[D3DTSS_ALPHAARG0] = D3DTA_CURRENT;
    stage[D3DTSS_RESULTARG] = D3DTA_CURRENT;
    stage[D3DTSS_TEXCOORDINDEX] = i;
}

static inline void test_state_init(struct test_state *t)
{
    memset(t, 0, sizeof(*t));
    for (unsigned i = 0; i < 256; i++)
        matrix_identity(&t->world[i]);
    matrix_identity(&t->view);
    matrix_identity(&t->projection);
    for (unsigned i = 0; i < FF_STAGES; i++) {
        matrix_identity(&t->texture[i]);
        stage_defaults(t->stage[i], i);
        t->light[i] = &t->lights[i];
    }
    t->render[D3DRS_LIGHTING] = t->render[D3DRS_COLORVERTEX] = t->render[D3DRS_LOCALVIEWER] = TRUE;
    t->render[D3DRS_DIFFUSEMATERIALSOURCE] = D3DMCS_COLOR1;
    t->render[D3DRS_SPECULARMATERIALSOURCE] = D3DMCS_COLOR2;
    t->render[D3DRS_POINTSIZE] = t->render[D3DRS_POINTSCALE_A] = float_bits(1.0f);
    t->render[D3DRS_FOGEND] = t->render[D3DRS_FOGDENSITY] = float_bits(1.0f);
    t->render[D3DRS_TEXTUREFACTOR] = 0xffffffff;
    t->s = (struct ff_state){
        .render = t->render,
        .stage = (const DWORD(*)[FF_STAGE_STATES])t->stage,
        .world = t->world,
        .n_world = 256,
        .view = &t->view,
        .projection = &t->projection,
        .texture = t->texture,
        .material = &t->material,
        .light = t->light,
        .viewport = {0, 0, 640, 480, 0.0f, 1.0f},
        .inputs = FF_IN_POSITION,
    };
}

/* --- Random numbers -------------------------------------------------------------------------- */

static inline uint32_t test_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static inline float test_float(uint32_t *seed, float low, float high)
{
    return low + (high - low) * (float)(test_random(seed) >> 8) / 16777216.0f;
}

/* --- Running --------------------------------------------------------------------------------- */

enum { TEST_ATTRS = 16 };

struct test_attr {
    unsigned usage, index;
    float v[4][VM_LANES];
};

struct test_attrs {
    unsigned n;
    struct test_attr attr[TEST_ATTRS];
};

/* Finds or adds an attribute; new ones are 0, 0, 0, 0. */
static inline struct test_attr *test_attr(struct test_attrs *set, unsigned usage, unsigned index)
{
    for (unsigned i = 0; i < set->n; i++) {
        if (set->attr[i].usage == usage && set->attr[i].index == index)
            return &set->attr[i];
    }
    ck_assert_uint_lt(set->n, TEST_ATTRS);
    memset(&set->attr[set->n], 0, sizeof(set->attr[0]));
    set->attr[set->n].usage = usage;
    set->attr[set->n].index = index;
    return &set->attr[set->n++];
}

static inline const struct test_attr *test_has(const struct test_attrs *set, unsigned usage,
                                               unsigned index)
{
    for (unsigned i = 0; i < set->n; i++) {
        if (set->attr[i].usage == usage && set->attr[i].index == index)
            return &set->attr[i];
    }
    return NULL;
}

/* The same value in all lanes. */
static inline void test_set(struct test_attrs *set, unsigned usage, unsigned index, float x,
                            float y, float z, float w)
{
    struct test_attr *a = test_attr(set, usage, index);

    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        a->v[0][lane] = x;
        a->v[1][lane] = y;
        a->v[2][lane] = z;
        a->v[3][lane] = w;
    }
}

struct test_run {
    struct test_attrs in, out;
    float c[FF_VERTEX_CONSTANTS][4];
    unsigned n_c;
    vm_sample_fn *sample;
    void *sample_ctx;
};

static inline void run_program(const struct vm_program *program, struct test_run *run)
{
    const struct vm_info *info = vm_program_info(program);
    struct vm_options options = {.live_outputs = UINT64_MAX};
    struct vm_constants constants = {.f = (const float(*)[4])run->c, .n_f = run->n_c};
    struct vm_batch batch = {
        .lanes = ~(uint64_t)0, .sample = run->sample, .sample_ctx = run->sample_ctx};
    struct fp_mode old = fp_enter();
    struct vm_code *code;
    void *uniforms;
    float *work, *out;

    ck_assert_int_eq(vm_code_create(&code, program, &options), ST_OK);
    uniforms = mem_calloc(1, vm_code_uniform_bytes(code) + 64);
    work = mem_calloc(1, vm_code_work_bytes(code) + 64);
    vm_code_fill_uniforms(code, &constants, uniforms);
    for (unsigned i = 0; i < info->n_inputs; i++) {
        const struct vm_io *io = &info->input[i];
        const struct test_attr *a = test_has(&run->in, io->usage, io->index);

        ck_assert_msg(a != NULL, "the program reads usage %u index %u", io->usage, io->index);
        for (unsigned c = 0; c < 4; c++) {
            if (io->slot[c] >= 0)
                memcpy(work + io->slot[c] * VM_LANES, a->v[c], sizeof(a->v[c]));
        }
    }
    batch.work = work;
    batch.uniforms = uniforms;
    vm_run(code, &batch);
    out = vm_code_outputs(code, work);
    run->out.n = 0;
    for (unsigned i = 0; i < info->n_outputs; i++) {
        const struct vm_io *io = &info->output[i];
        struct test_attr *a = test_attr(&run->out, io->usage, io->index);

        for (unsigned c = 0; c < 4; c++) {
            if (io->slot[c] >= 0)
                memcpy(a->v[c], out + io->slot[c] * VM_LANES, sizeof(a->v[c]));
        }
    }
    mem_free(work);
    mem_free(uniforms);
    vm_code_destroy(code);
    fp_leave(old);
}

static inline void run_vertex(const struct test_state *t, struct test_run *run)
{
    struct ff_vertex_key key;
    struct vm_program *program;
    struct fp_mode old = fp_enter();

    ff_vertex_key_init(&key, &t->s);
    memset(run->c, 0xff, sizeof(run->c)); /* NaN detects reads of constants that are not written */
    run->n_c = ff_vertex_constants(&key, &t->s, run->c);
    fp_leave(old);
    ck_assert_uint_le(run->n_c, FF_VERTEX_CONSTANTS);
    ck_assert_int_eq(ff_vertex_build(&program, &key), ST_OK);
    run_program(program, run);
    vm_program_destroy(program);
}

static inline void run_pixel(const struct test_state *t, struct test_run *run)
{
    struct ff_pixel_key key;
    struct vm_program *program;

    ff_pixel_key_init(&key, &t->s);
    memset(run->c, 0xff, sizeof(run->c));
    run->n_c = ff_pixel_constants(&key, &t->s, run->c);
    ck_assert_uint_le(run->n_c, FF_PIXEL_CONSTANTS);
    ck_assert_int_eq(ff_pixel_build(&program, &key), ST_OK);
    run_program(program, run);
    vm_program_destroy(program);
}

/* Component of an output; undeclared outputs read 0. */
static inline float output(const struct test_run *run, unsigned usage, unsigned index, unsigned c,
                           unsigned lane)
{
    const struct test_attr *a = test_has(&run->out, usage, index);

    return a ? a->v[c][lane] : 0.0f;
}

#endif
