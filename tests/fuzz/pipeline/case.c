/* The draws of a seed: states of the lottery, widened to rare values, all formats and sizes, and
 * what the lottery leaves out. */
#include "pipeline.h"

#include <stdio.h>
#include <string.h>

/* --- Lots ------------------------------------------------------------------------------------- */

static uint32_t seed_of_draw, lots;

static uint32_t below(uint32_t n)
{
    return (uint32_t)((uint64_t)ex_hash(seed_of_draw, lots++) * n >> 32);
}

static bool chance(uint32_t percent)
{
    return below(100) < percent;
}

static float between(float least, float most)
{
    return least + (most - least) * (float)below(1 << 20) / (float)(1 << 20);
}

/* Any entry of a table, whatever its weight. */
static DWORD any(const struct choice *table)
{
    uint32_t n = 0;

    while (table[n].word)
        n++;
    return table[below(n)].value;
}

/* --- Targets ---------------------------------------------------------------------------------- */

/* All draws of a case share them. */
static void widen_targets(struct pipeline_case *c)
{
    struct lottery_state *s = &c->draw[0].state;

    if (chance(40))
        s->target = any(lottery_formats);
    else if (chance(30))
        s->target = chance(50) ? D3DFMT_X8R8G8B8 : D3DFMT_A8R8G8B8;
    if (chance(50))
        s->depth = any(lottery_depths);
    s->samples = chance(25) ? any(lottery_samples) : D3DMULTISAMPLE_NONE;
    if (chance(20))
        s->targets = 1 + below(4);
    if (s->targets > 1)
        s->samples = D3DMULTISAMPLE_NONE;
    if (s->samples && (s->depth == D3DFMT_D32F_LOCKABLE || s->depth == D3DFMT_D24FS8))
        s->depth = D3DFMT_D24S8; /* devices have no samples of these */
    s->width = chance(70) ? 1 + below(150) : 8 * (1 + below(18));
    s->height = chance(70) ? 1 + below(110) : 8 * (1 + below(14));
    if (chance(30)) { /* whole tiles */
        s->width = 64 + below(100);
        s->height = 64 + below(70);
    }
    c->level = chance(25) ? below(3) : 0;
    c->levels = c->level + 1 + (c->level ? below(2) : 0);
}

static void share_targets(struct lottery_state *s, const struct lottery_state *first)
{
    s->target = first->target;
    s->depth = first->depth;
    s->samples = first->samples;
    s->targets = first->targets;
    s->width = first->width;
    s->height = first->height;
    s->srgb_write = chance(15) && (s->target == D3DFMT_X8R8G8B8 || s->target == D3DFMT_A8R8G8B8);
}

/* --- States ----------------------------------------------------------------------------------- */

static bool has_stencil(D3DFORMAT format)
{
    return format == D3DFMT_D24S8 || format == D3DFMT_D24FS8;
}

static void widen_tests(struct pipeline_draw *d)
{
    struct lottery_state *s = &d->state;

    s->depth_test = s->depth != D3DFMT_UNKNOWN && chance(85);
    s->depth_write = s->depth_test && chance(75);
    if (chance(40))
        s->depth_function = any(lottery_functions);
    s->stencil_test = has_stencil(s->depth) && chance(45);
    s->two_sided = s->stencil_test && chance(40);
    for (unsigned i = 0; i < 2 && chance(50); i++)
        s->stencil[i] =
            (struct lottery_stencil){any(lottery_functions), any(lottery_stencil_ops),
                                     any(lottery_stencil_ops), any(lottery_stencil_ops)};
    d->stencil_reference = below(256);
    d->stencil_mask = chance(60) ? 0xffffffff : below(256);
    d->stencil_write_mask = chance(60) ? 0xffffffff : below(256);
    s->alpha_test = chance(25);
    d->alpha_function = chance(60) ? s->alpha_function : any(lottery_functions);
    s->alpha_reference = below(256);
    d->depth_bias = chance(20) ? between(-0.05f, 0.05f) : 0.0f;
    d->slope_bias = chance(20) ? between(-2.0f, 2.0f) : 0.0f;
    d->w_buffer = ex_hash(d->state.seed, 0x574275) % 6 == 0;
}

/* One side or both. */
static void widen_factors(struct pipeline_draw *d)
{
    uint32_t lot = ex_hash(d->state.seed, 0x536563);

    if (lot % 6)
        return;
    for (unsigned i = 0; i < 2; i++)
        if (lot / 6 % 3 != i)
            d->second[i] = D3DBLEND_SRCCOLOR2 + (lot >> (16 + i) & 1);
}

unsigned case_colours(const struct pipeline_draw *d)
{
    unsigned colours = d->state.targets;

    return colours < 2 && (d->second[0] || d->second[1]) ? 2 : colours;
}

static void widen_output(struct pipeline_draw *d)
{
    struct lottery_state *s = &d->state;

    for (unsigned i = 0; i < LOTTERY_TARGETS; i++)
        d->masks[i] = chance(60) ? 0xf : below(16);
    if (chance(30)) {
        s->source = any(lottery_factors);
        s->destination = any(lottery_factors);
        s->op = any(lottery_blend_ops);
    }
    widen_factors(d);
    d->dithers = ex_hash(s->seed, 0x446974) % 3 == 0;
    d->sample_mask = chance(75) ? 0xffffffff : below(65536);
    d->each_sample = chance(85);
    d->transparency = chance(80)   ? 0
                      : chance(30) ? (DWORD)MAKEFOURCC('A', 'T', 'O', 'C')
                                   : (DWORD)MAKEFOURCC('S', 'S', 'A', 'A');
    d->fog_colour = below(1 << 24);
    d->factor = ex_hash(seed_of_draw, 0x466163);
}

static void widen_texture(struct pipeline_draw *d, unsigned n)
{
    static const DWORD sizes[] = {1, 2, 4, 8, 16, 32, 64, 64, 3, 5, 12, 37, 60, 128};
    struct lottery_texture *t = &d->state.texture[n];
    bool is_dxt;

    if (chance(40))
        t->format = any(lottery_texels);
    is_dxt = t->format == D3DFMT_DXT1 || t->format == D3DFMT_DXT3 || t->format == D3DFMT_DXT5;
    t->size = sizes[below(sizeof(sizes) / sizeof(sizes[0]))];
    if (t->type != D3DRTYPE_TEXTURE || is_dxt)
        t->size = 4u << below(4);
    if (t->type == D3DRTYPE_VOLUMETEXTURE && is_dxt)
        t->format = D3DFMT_A8R8G8B8;
    if (chance(40))
        t->scale = 1 + below(chance(40) ? 100 : 1600);
    if (t->type == D3DRTYPE_TEXTURE && t->scale > 100 && chance(70))
        t->size = 128;
    for (unsigned i = 0; i < 3; i++)
        d->address[n][i] = chance(60) ? t->address : D3DTADDRESS_WRAP + below(5);
    d->filters[n][0] = chance(70) ? t->filter : any(lottery_filters);
    d->filters[n][1] = chance(70) ? d->filters[n][0] : any(lottery_filters);
    d->filters[n][2] = t->mip;
    d->finest[n] = chance(15) ? below(4) : 0;
    d->bias[n] = chance(20) ? between(-3.0f, 3.0f) : 0.0f;
}

static void widen_geometry(struct pipeline_draw *d)
{
    static const D3DPRIMITIVETYPE others[] = {D3DPT_POINTLIST, D3DPT_LINELIST, D3DPT_LINESTRIP,
                                              D3DPT_TRIANGLESTRIP, D3DPT_TRIANGLEFAN};
    struct lottery_state *s = &d->state;
    LONG width = (LONG)s->width, height = (LONG)s->height;

    if (chance(45))
        s->geometry = any(lottery_geometries);
    if (s->geometry == GEOMETRY_MESH)
        s->mesh_cells = 4 + below(16);
    if (s->geometry == GEOMETRY_CUT)
        s->transformed = false;
    else if (s->vertex_shader == VS_NONE && chance(25))
        s->transformed = true;
    if (s->transformed)
        s->lights = 0;
    s->clip_plane = chance(10);
    d->primitive = chance(75) ? D3DPT_TRIANGLELIST : others[below(5)];
    d->fill = chance(93) ? D3DFILL_SOLID : D3DFILL_POINT + below(2);
    d->cull = s->cull || chance(25) ? D3DCULL_NONE + below(3) : D3DCULL_NONE;
    d->last_pixel = chance(70);
    d->antialiased_lines = ex_hash(seed_of_draw, 0x4c696e) & 1;
    d->sprites = chance(40);
    d->point_size = chance(50) ? 1.0f : between(0.0f, 30.0f);
    d->wrap = chance(10) ? below(8) : 0;
    d->border = ex_hash(seed_of_draw, 0x426f72);
    d->calls = chance(70) ? 1 : 1 + below(8);
    d->counts = chance(40);
    d->viewport = (D3DVIEWPORT9){0, 0, (DWORD)width, (DWORD)height, 0.0f, 1.0f};
    if (chance(30)) {
        d->viewport.X = below((uint32_t)width);
        d->viewport.Y = below((uint32_t)height);
        d->viewport.Width = 1 + below((uint32_t)width - d->viewport.X);
        d->viewport.Height = 1 + below((uint32_t)height - d->viewport.Y);
        d->viewport.MinZ = chance(50) ? 0.0f : between(0.0f, 0.5f);
        d->viewport.MaxZ = chance(50) ? 1.0f : between(0.5f, 1.0f);
    }
    s->scissor = chance(25);
    d->scissor = (RECT){(LONG)below((uint32_t)width), (LONG)below((uint32_t)height), 0, 0};
    d->scissor.right = d->scissor.left + (LONG)below((uint32_t)(width - d->scissor.left) + 1);
    d->scissor.bottom = d->scissor.top + (LONG)below((uint32_t)(height - d->scissor.top) + 1);
}

/* Shaders of model 3 come in pairs. */
static void widen_shaders(struct pipeline_draw *d)
{
    struct lottery_state *s = &d->state;

    d->random_pixel_shader = s->pixel_shader >= PS_BRANCH || chance(50);
    if (!d->random_pixel_shader)
        return;
    s->pixel_shader = PS_LOOP;
    s->vertex_shader = VS_3_0;
    s->transformed = false;
    s->lights = 0;
    s->textures = below(LOTTERY_TEXTURES + 1);
    d->random_vertex_shader = chance(50);
}

/* A level that is the same for a whole sprite. */
static void choose_level(struct pipeline_draw *d)
{
    struct lottery_texture *t = &d->state.texture[0];

    t->levels = true;
    t->mip = D3DTEXF_POINT;
    t->size = 64u << below(2);
    t->scale = (100u << below(4)) + below(100);
    t->bias = d->bias[0] = 0.0f;
    d->finest[0] = 0;
    d->filters[0][0] = d->filters[0][1] = D3DTEXF_POINT + below(2);
    d->filters[0][2] = D3DTEXF_POINT;
}

/* Most of what programs draw has few features, and there the shortcuts are: a plain state with a
 * few of the features that were drawn. */
static void simplify(struct pipeline_draw *d)
{
    struct lottery_state *s = &d->state;
    static const DWORD geometries[] = {GEOMETRY_BLOCKS, GEOMETRY_BLOCKS, GEOMETRY_SPRITES,
                                       GEOMETRY_SMALL, GEOMETRY_MESH};
    static const DWORD shaders[] = {PS_NONE, PS_NONE, PS_NONE, PS_COLOUR, PS_TEXTURE};

    s->depth_test &= chance(40);
    s->depth_write &= s->depth_test;
    s->stencil_test &= chance(10);
    s->alpha_test &= chance(10);
    s->blend &= chance(50);
    s->separate_alpha &= s->blend;
    s->scissor &= chance(30);
    s->clip_plane = s->flat = false;
    s->fog = FOG_NONE;
    s->lights = 0;
    s->specular = false;
    d->sample_mask |= chance(80) ? 0xffffffff : 0;
    for (unsigned i = 0; i < LOTTERY_TARGETS && chance(90); i++)
        d->masks[i] = 0xf;
    d->primitive = D3DPT_TRIANGLELIST;
    d->fill = D3DFILL_SOLID;
    d->wrap = 0;
    if (chance(75))
        s->geometry = geometries[below(sizeof(geometries) / sizeof(geometries[0]))];
    if (s->geometry == GEOMETRY_MESH) { /* thousands of triangles, which several threads set up */
        s->mesh_cells = 8 + below(36);
        d->calls = 1;
    }
    if (!chance(80))
        return;
    d->random_pixel_shader = d->random_vertex_shader = false;
    s->pixel_shader = shaders[below(sizeof(shaders) / sizeof(shaders[0]))];
    s->vertex_shader = chance(50) || s->transformed ? VS_NONE : VS_1_1;
    s->textures = s->pixel_shader == PS_COLOUR ? 0 : s->pixel_shader ? 1 : below(3);
    s->texture[0].type = D3DRTYPE_TEXTURE;
    for (unsigned i = 0; i < s->textures; i++)
        s->stage[i].op = s->stage[i].alpha_op = chance(40) ? D3DTOP_SELECTARG1 : D3DTOP_MODULATE;
    if (s->textures && chance(50))
        choose_level(d);
}

static void make_clears(struct pipeline_draw *d, bool first)
{
    const struct lottery_state *s = &d->state;

    static const DWORD some[] = {1, 2, 2, 4, 4, 3, 6, 7};

    d->n_clears = first ? 1u + chance(30) : below(3) * chance(50);
    for (unsigned i = 0; i < d->n_clears; i++) {
        d->clear[i].whole = (first && !i) || chance(65);
        d->clear[i].flags = first && !i && chance(80)
                                ? D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL
                                : some[below(8)];
        if (s->depth == D3DFMT_UNKNOWN)
            d->clear[i].flags &= D3DCLEAR_TARGET;
        if (!has_stencil(s->depth))
            d->clear[i].flags &= ~(DWORD)D3DCLEAR_STENCIL;
        d->clear[i].colour = ex_hash(seed_of_draw, 0x436c65 + i);
        d->clear[i].depth = chance(60)   ? (float)(s->depth_function != D3DCMP_GREATER &&
                                                 s->depth_function != D3DCMP_GREATEREQUAL)
                            : chance(50) ? (float)below(2)
                                         : between(0.0f, 1.0f);
        d->clear[i].stencil = chance(40) ? 0 : chance(40) ? 254 : below(256);
        d->clear[i].rect.x1 = (LONG)below(s->width);
        d->clear[i].rect.y1 = (LONG)below(s->height);
        d->clear[i].rect.x2 = d->clear[i].rect.x1 + 1 + (LONG)below(s->width);
        d->clear[i].rect.y2 = d->clear[i].rect.y1 + 1 + (LONG)below(s->height);
    }
}

void case_make(struct pipeline_case *c, uint32_t seed)
{
    memset(c, 0, sizeof(*c));
    c->seed = seed;
    lots = 0;
    seed_of_draw = ex_hash(seed, 0x50697065); /* "Pipe" */
    c->n_draws = 1 + below(CASE_DRAWS);
    c->before = chance(30) ? 1 + below(1 << 20) : 0;
    for (unsigned i = 0; i < c->n_draws; i++) {
        struct pipeline_draw *d = &c->draw[i];

        lottery_draw_state(&d->state, seed * CASE_DRAWS + i);
        if (!i)
            widen_targets(c);
        share_targets(&d->state, &c->draw[0].state);
        widen_tests(d);
        widen_output(d);
        widen_shaders(d);
        for (unsigned n = 0; n < LOTTERY_TEXTURES; n++)
            widen_texture(d, n);
        widen_geometry(d);
        if (chance(45))
            simplify(d);
        tessellation_choose(d);
        make_clears(d, !i);
        d->flushes = chance(35);
    }
}

/* --- Description ------------------------------------------------------------------------------ */

static void tell(void *context, const char *feature, const char *value)
{
    (void)context;
    printf("  %s: %s;", feature, value);
}

static void describe_texture(const struct pipeline_draw *d, unsigned n)
{
    printf("\n  sampler %u: address %u %u %u, filter %u %u %u, finest level %u, bias %g", n,
           (unsigned)d->address[n][0], (unsigned)d->address[n][1], (unsigned)d->address[n][2],
           (unsigned)d->filters[n][0], (unsigned)d->filters[n][1], (unsigned)d->filters[n][2],
           (unsigned)d->finest[n], (double)d->bias[n]);
}

static void describe_draw(const struct pipeline_draw *d, uint32_t seed)
{
    static char text[CASE_SHADER_TEXT];
    const struct lottery_state *s = &d->state;

    lottery_features(s, tell, NULL);
    printf("\n  primitive %d, fill %u, cull %u, %u calls, viewport %u %u %ux%u %g-%g", d->primitive,
           (unsigned)d->fill, (unsigned)d->cull, d->calls, (unsigned)d->viewport.X,
           (unsigned)d->viewport.Y, (unsigned)d->viewport.Width, (unsigned)d->viewport.Height,
           (double)d->viewport.MinZ, (double)d->viewport.MaxZ);
    if (s->scissor)
        printf(", scissor %d %d %d %d", (int)d->scissor.left, (int)d->scissor.top,
               (int)d->scissor.right, (int)d->scissor.bottom);
    printf("\n  write masks %x %x %x %x, stencil %x/%x/%x, sample mask %x, samples %s%s, "
           "depth bias %g %g, alpha function %u, reference %u, wrap %u, points %g%s%s%s",
           (unsigned)d->masks[0], (unsigned)d->masks[1], (unsigned)d->masks[2],
           (unsigned)d->masks[3], (unsigned)d->stencil_reference, (unsigned)d->stencil_mask,
           (unsigned)d->stencil_write_mask, (unsigned)d->sample_mask,
           d->each_sample ? "apart" : "at the centre",
           !d->transparency                                           ? ""
           : d->transparency == (DWORD)MAKEFOURCC('A', 'T', 'O', 'C') ? " with ATOC"
                                                                      : " with SSAA",
           (double)d->depth_bias, (double)d->slope_bias, (unsigned)d->alpha_function,
           (unsigned)s->alpha_reference, (unsigned)d->wrap, (double)d->point_size,
           d->sprites ? " with sprites" : "", d->antialiased_lines ? ", antialiased lines" : "",
           d->w_buffer && s->depth_test ? ", W-buffer" : "");
    tessellation_describe(d);
    printf(", second factors %u %u%s", (unsigned)d->second[0], (unsigned)d->second[1],
           d->dithers ? ", dithered" : "");
    for (unsigned n = 0; n < s->textures; n++)
        describe_texture(d, n);
    printf("\n");
    if (d->random_pixel_shader) {
        shader_pixel(text, seed, s, case_colours(d));
        printf("%s", text);
    }
    if (d->random_vertex_shader) {
        shader_vertex(text, seed);
        printf("%s", text);
    }
}

void case_describe(const struct pipeline_case *c, unsigned first, unsigned last)
{
    const struct lottery_state *s = &c->draw[0].state;

    printf("seed %u: %u draws, %ux%u, level %u of %u", (unsigned)c->seed, c->n_draws,
           (unsigned)s->width, (unsigned)s->height, (unsigned)c->level, (unsigned)c->levels);
    printf(c->before ? ", after seed %u\n" : "\n", (unsigned)c->before);
    for (unsigned i = first; i <= last && i < c->n_draws; i++) {
        const struct pipeline_draw *d = &c->draw[i];

        printf("draw %u:%s", i, d->flushes ? " after a flush;" : "");
        for (unsigned k = 0; k < d->n_clears; k++)
            printf(" clear %x %s %08x %g %x;", (unsigned)d->clear[k].flags,
                   d->clear[k].whole ? "all" : "a part", (unsigned)d->clear[k].colour,
                   (double)d->clear[k].depth, (unsigned)d->clear[k].stencil);
        describe_draw(d, d->state.seed);
    }
}
