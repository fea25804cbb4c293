/* Tells a state as features, each with a value: the words of --describe, and what the report
 * counts. */
#include "lottery.h"

#include <stdio.h>

struct teller {
    lottery_tell_fn *tell;
    void *context;
};

static void word(const struct teller *t, const char *feature, const struct choice *table,
                 DWORD value)
{
    t->tell(t->context, feature, lottery_word(table, value));
}

static void number(const struct teller *t, const char *feature, DWORD value)
{
    char text[16];

    snprintf(text, sizeof(text), "%u", (unsigned)value);
    t->tell(t->context, feature, text);
}

static void flag(const struct teller *t, const char *feature, bool value)
{
    if (value)
        t->tell(t->context, feature, "on");
}

static void targets(const struct teller *t, const struct lottery_state *s)
{
    word(t, "target", lottery_formats, s->target);
    number(t, "targets", s->targets);
    word(t, "samples", lottery_samples, s->samples);
    word(t, "write mask", lottery_masks, s->write_mask);
    flag(t, "sRGB write", s->srgb_write);
    word(t, "depth buffer", lottery_depths, s->depth);
}

static void stencil(const struct teller *t, const struct lottery_stencil *s)
{
    word(t, "stencil function", lottery_functions, s->function);
    word(t, "stencil fail", lottery_stencil_ops, s->fail);
    word(t, "stencil depth fail", lottery_stencil_ops, s->depth_fail);
    word(t, "stencil pass", lottery_stencil_ops, s->pass);
}

static void tests(const struct teller *t, const struct lottery_state *s)
{
    if (s->depth_test) {
        word(t, "depth function", lottery_functions, s->depth_function);
        t->tell(t->context, "depth write", s->depth_write ? "on" : "off");
    }
    flag(t, "stencil", s->stencil_test);
    flag(t, "stencil of two sides", s->two_sided);
    for (unsigned i = 0; s->stencil_test && i < (s->two_sided ? 2u : 1u); i++)
        stencil(t, &s->stencil[i]);
    flag(t, "alpha test", s->alpha_test);
    if (s->alpha_test)
        word(t, "alpha function", lottery_functions, s->alpha_function);
    flag(t, "scissor", s->scissor);
    flag(t, "depth bias", s->depth_bias);
    flag(t, "clip plane", s->clip_plane);
}

static void output(const struct teller *t, const struct lottery_state *s)
{
    flag(t, "blend", s->blend);
    if (s->blend) {
        word(t, "source", lottery_factors, s->source);
        word(t, "destination", lottery_factors, s->destination);
        word(t, "blend operation", lottery_blend_ops, s->op);
    }
    flag(t, "separate alpha", s->separate_alpha);
    if (s->separate_alpha) {
        word(t, "source of alpha", lottery_factors, s->source_alpha);
        word(t, "destination of alpha", lottery_factors, s->destination_alpha);
        word(t, "alpha blend operation", lottery_blend_ops, s->op_alpha);
    }
    word(t, "fog", lottery_fogs, s->fog);
}

static void texture(const struct teller *t, const struct lottery_texture *s)
{
    word(t, "texture", lottery_texels, s->format);
    word(t, "texture type", lottery_types, s->type);
    word(t, "texture size", lottery_sizes, s->size);
    word(t, "filter", lottery_filters, s->filter);
    word(t, "mip filter", lottery_mips, s->mip);
    if (s->filter == D3DTEXF_ANISOTROPIC)
        number(t, "anisotropy", s->anisotropy);
    word(t, "address", lottery_addresses, s->address);
    word(t, "texels a pixel", lottery_scales, s->scale);
    flag(t, "sRGB read", s->srgb);
    flag(t, "LOD bias", s->bias != 0.0f);
}

static void shading(const struct teller *t, const struct lottery_state *s)
{
    word(t, "pixel shader", lottery_pixel_shaders, s->pixel_shader);
    word(t, "vertex shader", lottery_vertex_shaders, s->vertex_shader);
    number(t, "textures", s->textures);
    for (unsigned i = 0; i < s->textures; i++) {
        texture(t, &s->texture[i]);
        if (s->pixel_shader != PS_NONE)
            continue;
        word(t, "stage operation", lottery_stage_ops, s->stage[i].op);
        word(t, "stage argument", lottery_stage_args, s->stage[i].arg2);
        word(t, "stage alpha operation", lottery_stage_ops, s->stage[i].alpha_op);
    }
    if (s->lights)
        number(t, "lights", s->lights);
    flag(t, "specular", s->specular);
    flag(t, "flat shading", s->flat);
}

void lottery_features(const struct lottery_state *s, lottery_tell_fn *tell, void *context)
{
    struct teller t = {tell, context};

    targets(&t, s);
    tests(&t, s);
    output(&t, s);
    shading(&t, s);
    word(&t, "geometry", lottery_geometries, s->geometry);
    word(&t, "vertex colours", lottery_colours, s->colour);
    flag(&t, "vertices in pixels", s->transformed);
    flag(&t, "culling", s->cull);
    number(&t, "draws", s->draws);
}
