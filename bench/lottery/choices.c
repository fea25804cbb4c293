/* Draws the state of a seed by lot: the tables of choices with their weights, and the rules that
 * make a state valid. */
#include "lottery.h"

#include <string.h>

/* --- Tables ----------------------------------------------------------------------------------- */

#define FORMAT(name, weight)                                                                       \
    {                                                                                              \
        D3DFMT_##name, weight, #name                                                               \
    }

const struct choice lottery_formats[] = {
    FORMAT(X8R8G8B8, 22), FORMAT(A8R8G8B8, 22), FORMAT(R5G6B5, 8),
    FORMAT(X1R5G5B5, 7),  FORMAT(A1R5G5B5, 0),  FORMAT(A2R10G10B10, 5),
    FORMAT(A8B8G8R8, 1),  FORMAT(G16R16, 3),    FORMAT(A16B16G16R16, 4),
    FORMAT(R16F, 4),      FORMAT(G16R16F, 4),   FORMAT(A16B16G16R16F, 10),
    FORMAT(R32F, 5),      FORMAT(G32R32F, 3),   FORMAT(A32B32G32R32F, 5),
    {0, 0, NULL}};
/* D3DFMT_UNKNOWN: no depth buffer. */
const struct choice lottery_depths[] = {{D3DFMT_UNKNOWN, 18, "none"},
                                        FORMAT(D16, 16),
                                        FORMAT(D24X8, 22),
                                        FORMAT(D24S8, 34),
                                        FORMAT(D32, 1),
                                        FORMAT(D24FS8, 1),
                                        FORMAT(D32F_LOCKABLE, 1),
                                        {0, 0, NULL}};
/* Software devices support four samples; few support two. */
const struct choice lottery_samples[] = {
    {D3DMULTISAMPLE_NONE, 90, "1"},       {D3DMULTISAMPLE_2_SAMPLES, 0, "2"},
    {D3DMULTISAMPLE_4_SAMPLES, 10, "4"},  {D3DMULTISAMPLE_8_SAMPLES, 0, "8"},
    {D3DMULTISAMPLE_16_SAMPLES, 0, "16"}, {0, 0, NULL}};
const struct choice lottery_functions[] = {{D3DCMP_NEVER, 1, "never"},
                                           {D3DCMP_LESS, 12, "less"},
                                           {D3DCMP_EQUAL, 2, "equal"},
                                           {D3DCMP_LESSEQUAL, 40, "less or equal"},
                                           {D3DCMP_GREATER, 8, "greater"},
                                           {D3DCMP_NOTEQUAL, 3, "not equal"},
                                           {D3DCMP_GREATEREQUAL, 12, "greater or equal"},
                                           {D3DCMP_ALWAYS, 8, "always"},
                                           {0, 0, NULL}};
const struct choice lottery_stencil_ops[] = {{D3DSTENCILOP_KEEP, 8, "keep"},
                                             {D3DSTENCILOP_ZERO, 1, "zero"},
                                             {D3DSTENCILOP_REPLACE, 4, "replace"},
                                             {D3DSTENCILOP_INCRSAT, 2, "increment, saturate"},
                                             {D3DSTENCILOP_DECRSAT, 1, "decrement, saturate"},
                                             {D3DSTENCILOP_INVERT, 1, "invert"},
                                             {D3DSTENCILOP_INCR, 3, "increment"},
                                             {D3DSTENCILOP_DECR, 2, "decrement"},
                                             {0, 0, NULL}};
const struct choice lottery_factors[] = {{D3DBLEND_ZERO, 3, "zero"},
                                         {D3DBLEND_ONE, 8, "one"},
                                         {D3DBLEND_SRCCOLOR, 2, "source colour"},
                                         {D3DBLEND_INVSRCCOLOR, 2, "1 - source colour"},
                                         {D3DBLEND_SRCALPHA, 12, "source alpha"},
                                         {D3DBLEND_INVSRCALPHA, 10, "1 - source alpha"},
                                         {D3DBLEND_DESTALPHA, 1, "destination alpha"},
                                         {D3DBLEND_INVDESTALPHA, 1, "1 - destination alpha"},
                                         {D3DBLEND_DESTCOLOR, 4, "destination colour"},
                                         {D3DBLEND_INVDESTCOLOR, 2, "1 - destination colour"},
                                         {D3DBLEND_SRCALPHASAT, 1, "source alpha, saturated"},
                                         {D3DBLEND_BLENDFACTOR, 1, "blend factor"},
                                         {D3DBLEND_INVBLENDFACTOR, 1, "1 - blend factor"},
                                         {0, 0, NULL}};
const struct choice lottery_blend_ops[] = {{D3DBLENDOP_ADD, 20, "add"},
                                           {D3DBLENDOP_SUBTRACT, 1, "subtract"},
                                           {D3DBLENDOP_REVSUBTRACT, 2, "reverse subtract"},
                                           {D3DBLENDOP_MIN, 1, "minimum"},
                                           {D3DBLENDOP_MAX, 1, "maximum"},
                                           {0, 0, NULL}};
const struct choice lottery_masks[] = {{0xf, 78, "rgba"}, {0x7, 10, "rgb"}, {0x8, 2, "a"},
                                       {0x1, 2, "r"},     {0x3, 3, "rg"},   {0xd, 3, "rba"},
                                       {0x4, 2, "b"},     {0, 0, NULL}};
const struct choice lottery_fogs[] = {{FOG_NONE, 76, "none"},
                                      {FOG_TABLE_LINEAR, 7, "table, linear"},
                                      {FOG_TABLE_EXP, 4, "table, exponential"},
                                      {FOG_TABLE_EXP2, 3, "table, exponential squared"},
                                      {FOG_VERTEX, 10, "vertex"},
                                      {0, 0, NULL}};
const struct choice lottery_geometries[] = {
    {GEOMETRY_LARGE, 34, "large triangles"},    {GEOMETRY_MESH, 24, "mesh"},
    {GEOMETRY_SMALL, 20, "small triangles"},    {GEOMETRY_SPRITES, 22, "sprites"},
    {GEOMETRY_SLIVERS, 0, "slivers"},           {GEOMETRY_BLOCKS, 0, "blocks"},
    {GEOMETRY_CUT, 0, "cut by the near plane"}, {0, 0, NULL}};
const struct choice lottery_colours[] = {{COLOUR_WHITE, 3, "white"},
                                         {COLOUR_PRIMITIVE, 3, "one a primitive"},
                                         {COLOUR_VARYING, 4, "varying"},
                                         {0, 0, NULL}};
const struct choice lottery_types[] = {{D3DRTYPE_TEXTURE, 42, "2D"},
                                       {D3DRTYPE_CUBETEXTURE, 4, "cube"},
                                       {D3DRTYPE_VOLUMETEXTURE, 4, "volume"},
                                       {0, 0, NULL}};
const struct choice lottery_texels[] = {FORMAT(A8R8G8B8, 24),    FORMAT(X8R8G8B8, 10),
                                        FORMAT(R5G6B5, 5),       FORMAT(A1R5G5B5, 3),
                                        FORMAT(A4R4G4B4, 4),     FORMAT(DXT1, 14),
                                        FORMAT(DXT3, 4),         FORMAT(DXT5, 10),
                                        FORMAT(L8, 5),           FORMAT(A8L8, 3),
                                        FORMAT(A8, 2),           FORMAT(G16R16, 2),
                                        FORMAT(A16B16G16R16, 2), FORMAT(A16B16G16R16F, 5),
                                        FORMAT(R32F, 3),         FORMAT(A32B32G32R32F, 2),
                                        FORMAT(R16F, 2),         {0, 0, NULL}};
const struct choice lottery_filters[] = {{D3DTEXF_POINT, 8, "point"},
                                         {D3DTEXF_LINEAR, 24, "linear"},
                                         {D3DTEXF_ANISOTROPIC, 5, "anisotropic"},
                                         {0, 0, NULL}};
const struct choice lottery_mips[] = {{D3DTEXF_NONE, 6, "none"},
                                      {D3DTEXF_POINT, 5, "point"},
                                      {D3DTEXF_LINEAR, 8, "linear"},
                                      {0, 0, NULL}};
const struct choice lottery_addresses[] = {{D3DTADDRESS_WRAP, 12, "wrap"},
                                           {D3DTADDRESS_MIRROR, 2, "mirror"},
                                           {D3DTADDRESS_CLAMP, 5, "clamp"},
                                           {D3DTADDRESS_BORDER, 1, "border"},
                                           {0, 0, NULL}};
const struct choice lottery_sizes[] = {
    {64, 2, "64"}, {128, 3, "128"}, {256, 5, "256"}, {512, 2, "512"}, {0, 0, NULL}};
const struct choice lottery_scales[] = {{25, 2, "0.25"}, {50, 2, "0.5"}, {100, 5, "1"},
                                        {150, 2, "1.5"}, {300, 1, "3"},  {0, 0, NULL}};
const struct choice lottery_stage_ops[] = {{D3DTOP_SELECTARG1, 3, "select"},
                                           {D3DTOP_MODULATE, 12, "modulate"},
                                           {D3DTOP_MODULATE2X, 3, "modulate, twice"},
                                           {D3DTOP_ADD, 3, "add"},
                                           {D3DTOP_ADDSIGNED, 1, "add signed"},
                                           {D3DTOP_SUBTRACT, 1, "subtract"},
                                           {D3DTOP_ADDSMOOTH, 1, "add smooth"},
                                           {D3DTOP_BLENDDIFFUSEALPHA, 2, "blend by diffuse alpha"},
                                           {D3DTOP_BLENDTEXTUREALPHA, 3, "blend by texture alpha"},
                                           {D3DTOP_BLENDFACTORALPHA, 1, "blend by factor alpha"},
                                           {D3DTOP_DOTPRODUCT3, 1, "dot product"},
                                           {0, 0, NULL}};
const struct choice lottery_stage_args[] = {{D3DTA_CURRENT, 8, "current"},
                                            {D3DTA_DIFFUSE, 5, "diffuse"},
                                            {D3DTA_TFACTOR, 2, "factor"},
                                            {D3DTA_DIFFUSE | D3DTA_COMPLEMENT, 1, "1 - diffuse"},
                                            {0, 0, NULL}};
const struct choice lottery_pixel_shaders[] = {{PS_NONE, 44, "none"},
                                               {PS_COLOUR, 3, "colour 2.0"},
                                               {PS_TEXTURE, 3, "texture 2.0"},
                                               {PS_TEX_1_1, 6, "modulate 1.1"},
                                               {PS_BUMP_1_1, 4, "bump 1.1"},
                                               {PS_DEPENDENT_1_4, 3, "dependent read 1.4"},
                                               {PS_LAYERS, 6, "layers 2.0"},
                                               {PS_LIGHT, 6, "light 2.0"},
                                               {PS_KILL, 3, "texkill 2.0"},
                                               {PS_DEPTH, 2, "depth 2.0"},
                                               {PS_CUBE, 3, "cube 2.0"},
                                               {PS_VOLUME, 2, "volume 2.0"},
                                               {PS_PROJECTED, 3, "projected 2.0"},
                                               {PS_ARITHMETIC, 5, "arithmetic 2.0"},
                                               {PS_TARGETS_2, 0, "two targets 2.0"},
                                               {PS_TARGETS_4, 0, "four targets 2.0"},
                                               {PS_BRANCH, 4, "branches 3.0"},
                                               {PS_LOOP, 3, "loop 3.0"},
                                               {PS_GRADIENTS, 3, "gradients 3.0"},
                                               {0, 0, NULL}};
const struct choice lottery_vertex_shaders[] = {{VS_NONE, 40, "none"},
                                                {VS_1_1, 25, "1.1"},
                                                {VS_2_0, 35, "2.0"},
                                                {VS_3_0, 0, "3.0"},
                                                {0, 0, NULL}};

const char *lottery_word(const struct choice *table, DWORD value)
{
    while (table->word && table->value != value)
        table++;
    return table->word ? table->word : "?";
}

/* --- Lots ------------------------------------------------------------------------------------- */

uint32_t lottery_lot(uint32_t seed, const char *purpose, uint32_t n)
{
    uint32_t hash = ex_hash(seed, 0x4c6f74); /* "Lot" */

    for (; *purpose; purpose++)
        hash = ex_hash(hash, (uint8_t)*purpose);
    return (uint32_t)((uint64_t)ex_hash(hash, n) * n >> 32);
}

static bool chance(uint32_t seed, const char *purpose, uint32_t percent)
{
    return lottery_lot(seed, purpose, 100) < percent;
}

static DWORD choose(uint32_t seed, const char *purpose, const struct choice *table)
{
    uint32_t sum = 0, lot;

    for (const struct choice *c = table; c->word; c++)
        sum += c->weight;
    lot = lottery_lot(seed, purpose, sum);
    for (; lot >= table->weight; table++)
        lot -= table->weight;
    return table->value;
}

/* Purposes of a texture or stage: the purpose and the number of the stage. */
static DWORD choose_nth(uint32_t seed, const char *purpose, unsigned n, const struct choice *table)
{
    return choose(ex_hash(seed, n + 1), purpose, table);
}

/* --- Parts of a state ------------------------------------------------------------------------- */

static void draw_targets(struct lottery_state *s)
{
    uint32_t seed = s->seed;

    s->target = choose(seed, "target", lottery_formats);
    s->depth = choose(seed, "depth", lottery_depths);
    s->samples = choose(seed, "samples", lottery_samples);
    s->write_mask = choose(seed, "write mask", lottery_masks);
    s->srgb_write = chance(seed, "srgb write", 12) &&
                    (s->target == D3DFMT_X8R8G8B8 || s->target == D3DFMT_A8R8G8B8);
    s->targets = 1;
    if (chance(seed, "targets", 8)) {
        s->targets = chance(seed, "four targets", 50) ? 4 : 2;
        s->samples = D3DMULTISAMPLE_NONE;
    }
}

static void draw_stencil(struct lottery_state *s)
{
    s->stencil_test =
        (s->depth == D3DFMT_D24S8 || s->depth == D3DFMT_D24FS8) && chance(s->seed, "stencil", 35);
    s->two_sided = s->stencil_test && chance(s->seed, "two sided", 30);
    for (unsigned i = 0; i < 2; i++) {
        struct lottery_stencil *t = &s->stencil[i];

        t->function = choose_nth(s->seed, "stencil function", i, lottery_functions);
        t->fail = choose_nth(s->seed, "stencil fail", i, lottery_stencil_ops);
        t->depth_fail = choose_nth(s->seed, "stencil depth fail", i, lottery_stencil_ops);
        t->pass = choose_nth(s->seed, "stencil pass", i, lottery_stencil_ops);
    }
}

static void draw_tests(struct lottery_state *s)
{
    uint32_t seed = s->seed;

    s->depth_test = s->depth != D3DFMT_UNKNOWN && chance(seed, "depth test", 88);
    s->depth_write = s->depth_test && chance(seed, "depth write", 80);
    s->depth_function = choose(seed, "depth function", lottery_functions);
    /* Nothing would be drawn, or only what equals the cleared depth. */
    if (s->depth_function == D3DCMP_NEVER || s->depth_function == D3DCMP_EQUAL)
        s->depth_function = D3DCMP_LESSEQUAL;
    draw_stencil(s);
    s->alpha_test = chance(seed, "alpha test", 18);
    s->alpha_function = chance(seed, "alpha function", 75) ? D3DCMP_GREATEREQUAL : D3DCMP_LESS;
    s->alpha_reference = 48 + lottery_lot(seed, "alpha reference", 128);
    s->scissor = chance(seed, "scissor", 6);
    s->depth_bias = s->depth_test && chance(seed, "depth bias", 6);
}

static void draw_output(struct lottery_state *s)
{
    uint32_t seed = s->seed;

    s->blend = chance(seed, "blend", 42);
    s->source = choose(seed, "source", lottery_factors);
    s->destination = choose(seed, "destination", lottery_factors);
    if (s->destination == D3DBLEND_SRCALPHASAT) /* a factor of the source alone */
        s->destination = D3DBLEND_ONE;
    if (chance(seed, "transparency", 40)) {
        s->source = D3DBLEND_SRCALPHA;
        s->destination = D3DBLEND_INVSRCALPHA;
    }
    s->op = choose(seed, "blend op", lottery_blend_ops);
    s->separate_alpha = s->blend && chance(seed, "separate alpha", 15);
    s->source_alpha = choose(seed, "source of alpha", lottery_factors);
    s->destination_alpha = choose(seed, "destination of alpha", lottery_factors);
    if (s->destination_alpha == D3DBLEND_SRCALPHASAT)
        s->destination_alpha = D3DBLEND_ONE;
    s->op_alpha = choose(seed, "op of alpha", lottery_blend_ops);
    s->fog = choose(seed, "fog", lottery_fogs);
}

static void draw_texture(struct lottery_state *s, unsigned n)
{
    struct lottery_texture *t = &s->texture[n];
    uint32_t seed = ex_hash(s->seed, n + 1);

    t->format = choose(seed, "texels", lottery_texels);
    t->type = choose(seed, "type", lottery_types);
    t->size = choose(seed, "size", lottery_sizes);
    t->levels = chance(seed, "levels", 65);
    t->filter = choose(seed, "filter", lottery_filters);
    t->mip = t->levels ? choose(seed, "mip", lottery_mips) : D3DTEXF_NONE;
    t->anisotropy = 2u << lottery_lot(seed, "anisotropy", 4);
    t->address = choose(seed, "address", lottery_addresses);
    t->srgb = chance(seed, "srgb", 12) &&
              (t->format == D3DFMT_A8R8G8B8 || t->format == D3DFMT_X8R8G8B8 ||
               t->format == D3DFMT_DXT1 || t->format == D3DFMT_DXT3 || t->format == D3DFMT_DXT5);
    t->bias = t->levels && chance(seed, "bias", 10) ? 0.5f : 0.0f;
    t->scale = choose(seed, "scale", lottery_scales);
}

/* The type of texture that a shader declares for a sampler; 0: any. */
static D3DRESOURCETYPE declared(DWORD shader, unsigned sampler)
{
    if (shader == PS_NONE || shader == PS_TEX_1_1)
        return 0;
    if (sampler == 2 && shader == PS_CUBE)
        return D3DRTYPE_CUBETEXTURE;
    if (sampler == 2 && shader == PS_VOLUME)
        return D3DRTYPE_VOLUMETEXTURE;
    return D3DRTYPE_TEXTURE;
}

static DWORD textures_of(uint32_t seed, DWORD shader)
{
    switch (shader) {
    case PS_NONE:
        return chance(seed, "untextured", 14)
                   ? 0
                   : 1 + lottery_lot(seed, "textures", 2) + lottery_lot(seed, "more textures", 2);
    case PS_COLOUR:
    case PS_ARITHMETIC:
        return 0;
    case PS_TEXTURE:
    case PS_KILL:
    case PS_DEPTH:
    case PS_PROJECTED:
        return 1;
    case PS_TEX_1_1:
    case PS_BUMP_1_1:
    case PS_DEPENDENT_1_4:
    case PS_LIGHT:
    case PS_GRADIENTS:
    case PS_BRANCH:
    case PS_LOOP:
    case PS_TARGETS_2:
        return 2;
    default:
        return 3;
    }
}

static void limit_texture(struct lottery_texture *t, D3DRESOURCETYPE type)
{
    if (type)
        t->type = type;
    if (t->type == D3DRTYPE_CUBETEXTURE && t->size > 256)
        t->size = 256;
    if (t->type == D3DRTYPE_VOLUMETEXTURE) {
        t->size = 64;
        /* Compressed volumes and anisotropic ones are rare in devices. */
        if (t->format == D3DFMT_DXT1 || t->format == D3DFMT_DXT3 || t->format == D3DFMT_DXT5)
            t->format = D3DFMT_A8R8G8B8;
        if (t->filter == D3DTEXF_ANISOTROPIC)
            t->filter = D3DTEXF_LINEAR;
    }
}

static void draw_shading(struct lottery_state *s)
{
    uint32_t seed = s->seed;

    s->pixel_shader = choose(seed, "pixel shader", lottery_pixel_shaders);
    if (s->targets > 1)
        s->pixel_shader = s->targets == 4 ? PS_TARGETS_4 : PS_TARGETS_2;
    s->textures = textures_of(seed, s->pixel_shader);
    for (unsigned i = 0; i < LOTTERY_TEXTURES; i++) {
        struct lottery_stage *stage = &s->stage[i];

        draw_texture(s, i);
        limit_texture(&s->texture[i], declared(s->pixel_shader, i));
        stage->op = choose_nth(seed, "stage op", i, lottery_stage_ops);
        stage->arg1 = D3DTA_TEXTURE;
        stage->arg2 = choose_nth(seed, "stage argument", i, lottery_stage_args);
        stage->alpha_op = choose_nth(seed, "alpha op", i, lottery_stage_ops);
        /* The dot product belongs to colour; blending of alpha needs no other stage. */
        if (stage->alpha_op == D3DTOP_DOTPRODUCT3)
            stage->alpha_op = D3DTOP_SELECTARG1;
    }
    s->flat = chance(seed, "flat", 5);
    s->specular = chance(seed, "specular", 12);
}

static void draw_geometry(struct lottery_state *s)
{
    uint32_t seed = s->seed;

    s->geometry = choose(seed, "geometry", lottery_geometries);
    s->colour = choose(seed, "colour", lottery_colours);
    s->draws = chance(seed, "draws", 25) ? 6 : 1;
    s->cull = s->geometry == GEOMETRY_MESH && chance(seed, "cull", 60);
    s->mesh_cells = 16 + lottery_lot(seed, "cells", 32);
    s->transformed = (s->geometry == GEOMETRY_SPRITES && chance(seed, "transformed", 60)) ||
                     (s->geometry == GEOMETRY_LARGE && chance(seed, "transformed", 10));
    s->vertex_shader = choose(seed, "vertex shader", lottery_vertex_shaders);
    if (s->pixel_shader >= PS_BRANCH) {
        s->vertex_shader = VS_3_0;
        s->transformed = false;
    }
    if (s->transformed)
        s->vertex_shader = VS_NONE;
    s->lights = chance(seed, "lighting", 30) ? 1 + lottery_lot(seed, "lights", 3) : 0;
    if (s->transformed || s->vertex_shader != VS_NONE)
        s->lights = 0;
    s->clip_plane = !s->transformed && s->vertex_shader == VS_NONE && chance(seed, "clip", 4);
}

void lottery_draw_state(struct lottery_state *state, uint32_t seed)
{
    memset(state, 0, sizeof(*state));
    state->seed = seed;
    state->width = LOTTERY_WIDTH;
    state->height = LOTTERY_HEIGHT;
    draw_targets(state);
    draw_tests(state);
    draw_output(state);
    draw_shading(state);
    draw_geometry(state);
}
