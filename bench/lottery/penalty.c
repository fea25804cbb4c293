/* The table of penalties: a plain state, and the same with one feature. */
#include "lottery.h"

#include <string.h>

struct penalty {
    const char *name, *what;
    void (*base)(struct lottery_state *s); /* NULL: the plain state */
    void (*feature)(struct lottery_state *s);
};

/* --- States ----------------------------------------------------------------------------------- */

/* Large triangles with varying colours and a bilinear texture, depth tested and written. */
static void make_plain(struct lottery_state *s)
{
    memset(s, 0, sizeof(*s));
    *s = (struct lottery_state){.seed = 1,
                                .width = LOTTERY_WIDTH,
                                .height = LOTTERY_HEIGHT,
                                .target = D3DFMT_X8R8G8B8,
                                .depth = D3DFMT_D24X8,
                                .targets = 1,
                                .write_mask = 0xf,
                                .depth_test = true,
                                .depth_write = true,
                                .depth_function = D3DCMP_LESSEQUAL,
                                .alpha_function = D3DCMP_GREATEREQUAL,
                                .alpha_reference = 100,
                                .source = D3DBLEND_SRCALPHA,
                                .destination = D3DBLEND_INVSRCALPHA,
                                .op = D3DBLENDOP_ADD,
                                .textures = 1,
                                .geometry = GEOMETRY_LARGE,
                                .colour = COLOUR_VARYING,
                                .draws = 1,
                                .mesh_cells = 30};
    for (unsigned i = 0; i < LOTTERY_TEXTURES; i++) {
        s->texture[i] = (struct lottery_texture){.format = D3DFMT_A8R8G8B8,
                                                 .type = D3DRTYPE_TEXTURE,
                                                 .size = 256,
                                                 .levels = true,
                                                 .filter = D3DTEXF_LINEAR,
                                                 .mip = D3DTEXF_NONE,
                                                 .anisotropy = 8,
                                                 .address = D3DTADDRESS_WRAP,
                                                 .scale = 100};
        s->stage[i] =
            (struct lottery_stage){D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_CURRENT, D3DTOP_MODULATE};
    }
    for (unsigned i = 0; i < 2; i++)
        s->stencil[i] = (struct lottery_stencil){D3DCMP_LESSEQUAL, D3DSTENCILOP_KEEP,
                                                 D3DSTENCILOP_KEEP, D3DSTENCILOP_INCR};
}

#define TARGET(name, value)                                                                        \
    static void name(struct lottery_state *s)                                                      \
    {                                                                                              \
        s->target = D3DFMT_##value;                                                                \
    }
TARGET(to_a8r8g8b8, A8R8G8B8)
TARGET(to_r5g6b5, R5G6B5)
TARGET(to_x1r5g5b5, X1R5G5B5)
TARGET(to_a2r10g10b10, A2R10G10B10)
TARGET(to_g16r16, G16R16)
TARGET(to_a16b16g16r16, A16B16G16R16)
TARGET(to_r16f, R16F)
TARGET(to_g16r16f, G16R16F)
TARGET(to_a16b16g16r16f, A16B16G16R16F)
TARGET(to_r32f, R32F)
TARGET(to_g32r32f, G32R32F)
TARGET(to_a32b32g32r32f, A32B32G32R32F)

static void with_d16(struct lottery_state *s)
{
    s->depth = D3DFMT_D16;
}

static void with_red_green(struct lottery_state *s)
{
    s->write_mask = 0x3;
}

static void with_rgb(struct lottery_state *s)
{
    s->write_mask = 0x7;
}

static void with_srgb_read(struct lottery_state *s)
{
    s->texture[0].srgb = true;
}

static void with_srgb_write(struct lottery_state *s)
{
    s->srgb_write = true;
}

static void with_blend(struct lottery_state *s)
{
    s->blend = true;
}

static void with_blended_mask(struct lottery_state *s)
{
    with_blend(s);
    with_red_green(s);
}

static void with_blended_srgb(struct lottery_state *s)
{
    with_blend(s);
    with_srgb_write(s);
}

static void with_alpha_test(struct lottery_state *s)
{
    s->alpha_test = true;
}

static void with_stencil_format(struct lottery_state *s)
{
    s->depth = D3DFMT_D24S8;
}

static void with_stencil(struct lottery_state *s)
{
    s->stencil_test = true;
}

static void with_fog(struct lottery_state *s)
{
    s->fog = FOG_TABLE_LINEAR;
}

static void with_shader(struct lottery_state *s)
{
    s->pixel_shader = PS_TEXTURE;
}

static void with_depth_output(struct lottery_state *s)
{
    s->pixel_shader = PS_DEPTH;
}

static void with_kill(struct lottery_state *s)
{
    s->pixel_shader = PS_KILL;
}

static void with_samples(struct lottery_state *s)
{
    s->samples = D3DMULTISAMPLE_4_SAMPLES;
}

static void with_trilinear(struct lottery_state *s)
{
    s->texture[0].mip = D3DTEXF_LINEAR;
}

static void with_anisotropy(struct lottery_state *s)
{
    s->texture[0].filter = D3DTEXF_ANISOTROPIC;
}

static void with_half_texels(struct lottery_state *s)
{
    s->texture[0].format = D3DFMT_A16B16G16R16F;
}

static void with_mesh(struct lottery_state *s)
{
    s->geometry = GEOMETRY_MESH;
}

static void with_small_triangles(struct lottery_state *s)
{
    s->geometry = GEOMETRY_SMALL;
}

static void with_sprites(struct lottery_state *s)
{
    s->geometry = GEOMETRY_SPRITES;
}

/* --- The table -------------------------------------------------------------------------------- */

static const struct penalty penalties[] = {
    {"d16", "D16 depth", NULL, with_d16},
    {"mask", "write mask rg, X8R8G8B8", NULL, with_red_green},
    {"mask-rgb", "write mask rgb, A8R8G8B8", to_a8r8g8b8, with_rgb},
    {"mask-a16f", "write mask rg, A16B16G16R16F", to_a16b16g16r16f, with_red_green},
    {"mask-a32f", "write mask rg, A32B32G32R32F", to_a32b32g32r32f, with_red_green},
    {"mask-565", "write mask rg, R5G6B5", to_r5g6b5, with_red_green},
    {"srgb-read", "sRGB read", NULL, with_srgb_read},
    {"srgb-write", "sRGB write", NULL, with_srgb_write},
    {"r5g6b5", "target R5G6B5", NULL, to_r5g6b5},
    {"x1r5g5b5", "target X1R5G5B5", NULL, to_x1r5g5b5},
    {"a2r10g10b10", "target A2R10G10B10", NULL, to_a2r10g10b10},
    {"g16r16", "target G16R16", NULL, to_g16r16},
    {"a16b16g16r16", "target A16B16G16R16", NULL, to_a16b16g16r16},
    {"r16f", "target R16F", NULL, to_r16f},
    {"g16r16f", "target G16R16F", NULL, to_g16r16f},
    {"a16f", "target A16B16G16R16F", NULL, to_a16b16g16r16f},
    {"r32f", "target R32F", NULL, to_r32f},
    {"g32r32f", "target G32R32F", NULL, to_g32r32f},
    {"a32f", "target A32B32G32R32F", NULL, to_a32b32g32r32f},
    {"blend", "blending", NULL, with_blend},
    {"blend-565", "blending, R5G6B5", to_r5g6b5, with_blend},
    {"blend-a16f", "blending, A16B16G16R16F", to_a16b16g16r16f, with_blend},
    {"blend-a32f", "blending, A32B32G32R32F", to_a32b32g32r32f, with_blend},
    {"blend-1010102", "blending, A2R10G10B10", to_a2r10g10b10, with_blend},
    {"blend-a16", "blending, A16B16G16R16", to_a16b16g16r16, with_blend},
    {"blend-mask", "write mask rg, blending", with_blend, with_blended_mask},
    {"blend-srgb", "sRGB write, blending", with_blend, with_blended_srgb},
    {"alpha-test", "alpha test", NULL, with_alpha_test},
    {"stencil", "stencil, D24S8", with_stencil_format, with_stencil},
    {"fog", "table fog", NULL, with_fog},
    {"depth-output", "oDepth, ps_2_0", with_shader, with_depth_output},
    {"texkill", "texkill, ps_2_0", with_shader, with_kill},
    {"samples", "four samples", NULL, with_samples},
    {"trilinear", "trilinear filter", NULL, with_trilinear},
    {"anisotropy", "anisotropy 8", NULL, with_anisotropy},
    {"half-texels", "A16B16G16R16F texture", NULL, with_half_texels},
    {"mesh", "mesh of triangles of 100 pixels", NULL, with_mesh},
    {"small", "triangles of 60 pixels", NULL, with_small_triangles},
    {"sprites", "axis-aligned sprites", NULL, with_sprites},
};

bool lottery_penalty(unsigned n, bool with, struct lottery_state *state, const char **name,
                     const char **what)
{
    const struct penalty *p = &penalties[n];

    if (n >= sizeof(penalties) / sizeof(penalties[0]))
        return false;
    make_plain(state);
    if (p->base)
        p->base(state);
    if (with)
        p->feature(state);
    *name = p->name;
    *what = p->what;
    return true;
}
