/* Texture lookups: the cheap stand-in that other subjects use, and real samplers beside it.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/subject.h"

#include "draw/draw.h"
#include "tool/cli/cli.h"
#include "util/alloc.h"

enum { TEXTURE_SIZE = 256, TEXLDS = 4 };

static const struct filter {
    const char *name;
    uint8_t filter, mip; /* filter 0: the stand-in */
} filters[] = {
    {"texld, stand-in", 0, 0},
    {"texld, point", D3DTEXF_POINT, D3DTEXF_NONE},
    {"texld, linear", D3DTEXF_LINEAR, D3DTEXF_NONE},
    {"texld, linear with mip maps", D3DTEXF_LINEAR, D3DTEXF_LINEAR},
};

struct bench_texture {
    struct tex_sampler sampler;
    struct tex_image *image;
};

enum status bench_texture_create(struct bench_texture **out)
{
    struct tex_desc desc = {.format = D3DFMT_A8R8G8B8,
                            .shape = TEX_2D,
                            .width = TEXTURE_SIZE,
                            .height = TEXTURE_SIZE,
                            .depth = 1,
                            .levels = 0,
                            .samples = 1};
    struct bench_texture *texture = mem_calloc(1, sizeof(*texture));
    enum status st = texture ? tex_image_create(&texture->image, &desc, NULL) : ST_NOMEM;

    if (st) {
        mem_free(texture);
        return st;
    }
    for (size_t i = 0; i < texture->image->bytes; i++)
        texture->image->memory[i] = (uint8_t)(i * 37 % 251);
    *out = texture;
    return ST_OK;
}

void bench_texture_destroy(struct bench_texture *texture)
{
    if (texture)
        tex_image_unref(&texture->image);
    mem_free(texture);
}

enum status bench_texture_bind(struct bench_texture *texture, const struct bench_subject *subject)
{
    const struct filter *filter = &filters[subject->filter];
    struct tex_sampler_state state = {
        .address = {D3DTADDRESS_WRAP, D3DTADDRESS_WRAP, D3DTADDRESS_WRAP},
        .min_filter = filter->filter,
        .mag_filter = filter->filter,
        .mip_filter = filter->mip,
        .max_anisotropy = 1};
    enum status st;

    if (!filter->filter)
        return ST_OK;
    if ((st = tex_sampler_init(&texture->sampler, texture->image, &state)))
        return st;
    for (unsigned t = 0; t < subject->job.n_batches; t++) {
        subject->job.batches[t].vm.sample = draw_sample;
        subject->job.batches[t].vm.sample_ctx = &texture->sampler;
    }
    return ST_OK;
}

int bench_add_samplers(struct bench_subjects *s)
{
    static const char text[] = "; range texcoord0 0.30 0.33\n; range texcoord1 0.5 0.53\n"
                               "; range texcoord2 0.6 0.63\n; range texcoord3 0.8 0.83\n"
                               "ps_2_0\ndcl t0.xy\ndcl t1.xy\ndcl t2.xy\ndcl t3.xy\ndcl_2d s0\n"
                               "texld r0, t0, s0\ntexld r1, t1, s0\ntexld r2, t2, s0\n"
                               "texld r3, t3, s0\nadd r0, r0, r1\nadd r2, r2, r3\n"
                               "add r0, r0, r2\nmov oC0, r0\n";

    for (unsigned k = 0; k < sizeof(filters) / sizeof(filters[0]); k++) {
        struct bench_subject *subject;

        if (!bench_subject_wanted(s, BENCH_SAMPLER, filters[k].name))
            continue;
        if (!(subject = bench_subject_add(s, BENCH_SAMPLER, filters[k].name)))
            return TOOL_ERROR;
        subject->filter = k;
        subject->divide = TEXLDS;
        subject->instructions = 1;
        if (bench_subject_open(s, subject, &subject->job, text) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}
