/* Sampler benchmark: the cheap stand-in that the corpus uses, and the cost of the real sampler for
 * comparison. */
#include "bench.h"
#include "draw/draw.h"

#include <string.h>

enum { STANDINS = 4, CHANNELS = 4, TEXTURE_SIZE = 256, TEXLDS = 4 };

static float texels[STANDINS][CHANNELS][STANDIN_LANES];

const float *standin_texels(unsigned sampler, unsigned channel)
{
    return texels[sampler % STANDINS][channel];
}

void standin_init(void)
{
    for (unsigned i = 0; i < STANDINS * CHANNELS * STANDIN_LANES; i++)
        (&texels[0][0][0])[i] = (float)(i * 37 % 251 + 1) / 256.0f;
}

void standin_sample(void *ctx, const struct sample *sample)
{
    (void)ctx;
    for (unsigned c = 0; c < CHANNELS; c++)
        if (sample->texel[c])
            memcpy(sample->texel[c], texels[sample->sampler % STANDINS][c],
                   VM_LANES * sizeof(float));
}

static struct tex_image *picture(void)
{
    struct tex_desc desc = {.format = D3DFMT_A8R8G8B8,
                            .shape = TEX_2D,
                            .width = TEXTURE_SIZE,
                            .height = TEXTURE_SIZE,
                            .depth = 1,
                            .levels = 0,
                            .samples = 1};
    struct tex_image *image;

    if (tex_image_create(&image, &desc, NULL))
        bench_fail("no memory");
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)(i * 37 % 251);
    return image;
}

static const struct kind {
    const char *name;
    uint8_t filter, mip; /* filter 0: the stand-in */
} kinds[] = {
    {"texld, stand-in", 0, 0},
    {"texld, point", D3DTEXF_POINT, D3DTEXF_NONE},
    {"texld, linear", D3DTEXF_LINEAR, D3DTEXF_NONE},
    {"texld, linear with mip maps", D3DTEXF_LINEAR, D3DTEXF_LINEAR},
};

static double measure_kind(struct job *job, const struct kind *kind, struct tex_image *image,
                           double *ceiling_ns)
{
    struct tex_sampler sampler;
    struct tex_sampler_state state = {
        .address = {D3DTADDRESS_WRAP, D3DTADDRESS_WRAP, D3DTADDRESS_WRAP},
        .min_filter = kind->filter,
        .mag_filter = kind->filter,
        .mip_filter = kind->mip,
        .max_anisotropy = 1};
    struct bench_timing timing;

    if (tex_sampler_init(&sampler, image, &state))
        bench_fail("no memory");
    job_compile(job);
    if (kind->filter) {
        job->batch.sample = draw_sample;
        job->batch.sample_ctx = &sampler;
    }
    timing = job_measure(job, NULL);
    job_drop(job);
    *ceiling_ns = timing.ceiling_ns;
    return timing.call_ns / TEXLDS;
}

void bench_samplers(void)
{
    static const char text[] = "; range texcoord0 0.30 0.33\n; range texcoord1 0.5 0.53\n"
                               "; range texcoord2 0.6 0.63\n; range texcoord3 0.8 0.83\n"
                               "ps_2_0\ndcl t0.xy\ndcl t1.xy\ndcl t2.xy\ndcl t3.xy\ndcl_2d s0\n"
                               "texld r0, t0, s0\ntexld r1, t1, s0\ntexld r2, t2, s0\n"
                               "texld r3, t3, s0\nadd r0, r0, r1\nadd r2, r2, r3\n"
                               "add r0, r0, r2\nmov oC0, r0\n";
    struct tex_image *image = picture();
    struct job job;

    job_open(&job, "texld", text);
    report_heading("Sampling, a texld (the corpus uses the stand-in)", "ns/lane");
    for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        if (!bench_wants("sampler", kinds[k].name))
            continue;
        report_name(kinds[k].name);
        for (int isa = -1; bench_next_isa(&isa);) {
            struct bench_result result = {
                .group = "sampler", .name = kinds[k].name, .instructions = 1};

            result.lane_ns = measure_kind(&job, &kinds[k], image, &result.ceiling_ns);
            report_add(&result);
            report_cell("%.3f", result.lane_ns);
        }
        report_end_row();
    }
    job_close(&job);
    tex_image_unref(&image);
}
