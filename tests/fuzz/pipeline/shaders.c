/* Random shaders of model 3 as assembly: arithmetic, samples, branches, loops, calls and
 * predication. Registers have values before they are read, and loops end. */
#include "pipeline.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEMPS = 6, MOST_DEPTH = 3, SUBROUTINES = 2 };

struct writer {
    char *text;
    size_t n;
    uint32_t seed, lots;
    const struct lottery_state *state; /* NULL: a vertex shader */
    int budget;                        /* statements that are left */
    unsigned depth, loops, calls;      /* open blocks and loops; subroutines that may be called */
    bool divergent;                    /* lanes may differ in whether they are here */
};

static uint32_t below(struct writer *w, uint32_t n)
{
    return (uint32_t)((uint64_t)ex_hash(w->seed, w->lots++) * n >> 32);
}

static void __attribute__((format(printf, 2, 3))) put(struct writer *w, const char *format, ...)
{
    va_list args;

    if (w->n + 256 > CASE_SHADER_TEXT)
        return;
    va_start(args, format);
    w->n += (size_t)vsnprintf(w->text + w->n, CASE_SHADER_TEXT - w->n, format, args);
    va_end(args);
}

static const char *one_word(struct writer *w, const char *const *words, unsigned n)
{
    return words[below(w, n)];
}
#define ONE_OF(w, ...)                                                                             \
    one_word(w, (const char *const[]){__VA_ARGS__},                                                \
             sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* --- Operands --------------------------------------------------------------------------------- */

/* A source; at most one of an instruction is no temporary. `scalar`: one component. */
static void put_source(struct writer *w, bool plain, bool scalar)
{
    static const char axis[] = "xyzw";
    uint32_t kind = plain ? 9 : below(w, 10);
    const char *negative = below(w, 4) ? "" : "-", *absolute = below(w, 8) ? "" : "_abs";

    put(w, ", %s", negative);
    if (kind < 2)
        put(w, "c%u", below(w, 2) ? 8 + below(w, 3) : below(w, 4));
    else if (kind == 2)
        put(w, "v%u", w->state ? below(w, 2) : 1 + below(w, 2));
    else
        put(w, "r%u", below(w, TEMPS));
    put(w, "%s", absolute);
    if (scalar)
        put(w, ".%c", axis[below(w, 4)]);
    else if (!below(w, 3))
        put(w, ".%c%c%c%c", axis[below(w, 4)], axis[below(w, 4)], axis[below(w, 4)],
            axis[below(w, 4)]);
}

static void put_target(struct writer *w, const char *masks[], unsigned n)
{
    put(w, " r%u%s", below(w, TEMPS), masks[below(w, n)]);
}

static const char *any_masks[] = {"",   "",    "",     ".xyz", ".x",   ".y",
                                  ".w", ".xy", ".xzw", ".yz",  ".xyw", ".z"};
enum { MASKS = sizeof(any_masks) / sizeof(any_masks[0]) };

static void put_predicate(struct writer *w)
{
    if (!below(w, 6))
        put(w, "(%sp0%s) ", ONE_OF(w, "", "!"), ONE_OF(w, "", ".x", ".y", ".z", ".w"));
}

/* --- Instructions ----------------------------------------------------------------------------- */

static void put_arithmetic(struct writer *w)
{
    static const struct {
        const char *name;
        unsigned sources;
        bool scalar;
    } table[] = {{"mov", 1, false}, {"add", 2, false}, {"sub", 2, false}, {"mul", 2, false},
                 {"mul", 2, false}, {"mad", 3, false}, {"mad", 3, false}, {"dp3", 2, false},
                 {"dp4", 2, false}, {"min", 2, false}, {"max", 2, false}, {"frc", 1, false},
                 {"abs", 1, false}, {"lrp", 3, false}, {"rcp", 1, true},  {"rsq", 1, true},
                 {"exp", 1, true},  {"log", 1, true},  {"pow", 2, true}};
    unsigned i = below(w, sizeof(table) / sizeof(table[0]));

    put_predicate(w);
    put(w, "%s%s", table[i].name, below(w, 6) ? "" : "_sat");
    put_target(w, any_masks, MASKS);
    for (unsigned k = 0; k < table[i].sources; k++)
        put_source(w, k > 0, table[i].scalar);
    put(w, "\n");
}

/* Instructions of one stage alone, or with rules of their own. The target of nrm, crs and lrp is
 * none of the sources. */
static void put_special(struct writer *w)
{
    uint32_t kind = below(w, 6), a = below(w, TEMPS), b = (a + 1 + below(w, TEMPS - 1)) % TEMPS;

    if (kind == 0)
        put(w, "nrm r%u.xyz, r%u\n", a, b);
    else if (kind == 1)
        put(w, "crs r%u.xyz, r%u, r%u\n", a, b, (a + 1 + below(w, TEMPS - 1)) % TEMPS);
    else if (kind == 2)
        put(w, "sincos r%u.xy, r%u.%s\n", a, b, ONE_OF(w, "x", "y", "w"));
    else if (kind == 3)
        put(w, "setp_%s p0%s, r%u, r%u\n", ONE_OF(w, "gt", "ge", "lt", "le", "eq", "ne"),
            ONE_OF(w, "", "", ".x", ".yz"), a, b);
    else if (!w->state)
        put(w, "%s r%u, r%u, r%u\n", ONE_OF(w, "slt", "sge"), a, b, below(w, TEMPS));
    else if (kind == 4)
        put(w, "cmp r%u%s, r%u, r%u, r%u\n", a, any_masks[below(w, MASKS)], b, below(w, TEMPS),
            below(w, TEMPS));
    else
        put(w, "dp2add r%u%s, r%u, r%u, r%u.w\n", a, any_masks[below(w, MASKS)], b, below(w, TEMPS),
            below(w, TEMPS));
}

static void put_texture(struct writer *w)
{
    unsigned s = below(w, w->state->textures), to = below(w, TEMPS), coord = below(w, TEMPS);
    bool input = below(w, 2);
    uint32_t kind = below(w, w->divergent ? 2 : 8);
    char at[16];

    snprintf(at, sizeof(at), "%c%u", input ? 'v' : 'r', input ? 1 + below(w, 2) : coord);
    if (kind == 0)
        put(w, "texldl r%u, r%u, s%u\n", to, coord, s);
    else if (kind == 1)
        put(w, "texldd r%u, %s, s%u, r%u, r%u\n", to, at, s, below(w, TEMPS), below(w, TEMPS));
    else if (kind == 2)
        put(w, "texldb r%u, r%u, s%u\n", to, coord, s);
    else if (kind == 3)
        put(w, "texldp r%u, r%u, s%u\n", to, coord, s);
    else
        put(w, "texld r%u%s, %s, s%u%s\n", to, below(w, 4) ? "" : ".xyz", at, s,
            below(w, 4) ? "" : ".zyxw");
}

static void put_slope(struct writer *w)
{
    put(w, "%s r%u%s, r%u\n", ONE_OF(w, "dsx", "dsy"), below(w, TEMPS), any_masks[below(w, MASKS)],
        below(w, TEMPS));
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void put_block(struct writer *w);

static void put_if(struct writer *w)
{
    bool was = w->divergent;
    uint32_t kind = below(w, 5);

    if (kind == 0) {
        put(w, "if %sb%u\n", ONE_OF(w, "", "!"), below(w, 2));
    } else if (kind == 1) {
        put(w, "if %sp0.%s\n", ONE_OF(w, "", "!"), ONE_OF(w, "x", "y", "z", "w"));
        w->divergent = true;
    } else {
        put(w, "if_%s r%u.%s", ONE_OF(w, "gt", "ge", "lt", "le", "eq", "ne"), below(w, TEMPS),
            ONE_OF(w, "x", "y", "z", "w"));
        put_source(w, false, true);
        put(w, "\n");
        w->divergent = true;
    }
    put_block(w);
    if (below(w, 2)) {
        put(w, "else\n");
        put_block(w);
    }
    put(w, "endif\n");
    w->divergent = was;
}

static void put_loop(struct writer *w)
{
    bool was = w->divergent, aL = below(w, 3) == 0, breaks = below(w, 2);

    put(w, aL ? "loop aL, i%u\n" : "rep i%u\n", below(w, 2));
    w->loops++;
    w->divergent |= breaks;
    put_block(w);
    if (breaks) {
        if (below(w, 3))
            put(w, "break_%s r%u.x, r%u.y\n", ONE_OF(w, "gt", "lt", "ge", "ne"), below(w, TEMPS),
                below(w, TEMPS));
        else
            put(w, "breakp %sp0.%s\n", ONE_OF(w, "", "!"), ONE_OF(w, "x", "w"));
        put_block(w);
    }
    if (aL && w->state)
        put(w, "mad r%u, v[aL], c8, r%u\n", below(w, TEMPS), below(w, TEMPS));
    else if (aL)
        put(w, "mul r%u, r%u, c[aL + 8]\n", below(w, TEMPS), below(w, TEMPS));
    w->loops--;
    put(w, aL ? "endloop\n" : "endrep\n");
    w->divergent = was;
}

static void put_call(struct writer *w)
{
    unsigned l = below(w, w->calls);

    if (below(w, 2))
        put(w, "call l%u\n", l);
    else
        put(w, "callnz l%u, %s\n", l, ONE_OF(w, "b0", "!b1", "p0.x", "!p0.z"));
}

static void put_statement(struct writer *w)
{
    uint32_t kind = below(w, 20);
    bool nests = w->depth < MOST_DEPTH && w->budget > 0;

    w->budget--;
    if (kind < 2 && nests)
        put_if(w);
    else if (kind == 2 && nests && w->loops < 2)
        put_loop(w);
    else if (kind == 3 && w->calls)
        put_call(w);
    else if (kind < 7 && w->state && w->state->textures)
        put_texture(w);
    else if (kind == 7 && w->state && !w->divergent)
        put_slope(w);
    else if (kind == 8 && w->state && !w->divergent && !w->depth && !below(w, 3))
        put(w, "texkill r%u%s\n", below(w, TEMPS), ONE_OF(w, "", ".xy", ".xyz"));
    else if (kind < 12)
        put_special(w);
    else
        put_arithmetic(w);
}

static void put_block(struct writer *w)
{
    w->depth++;
    for (uint32_t n = 1 + below(w, 4); n; n--)
        put_statement(w);
    w->depth--;
}

/* Subroutines behind the main program; each may be reached by any lanes. */
static void put_subroutines(struct writer *w, unsigned n)
{
    if (n)
        put(w, "ret\n");
    w->calls = 0;
    w->divergent = true;
    for (unsigned i = 0; i < n; i++) {
        put(w, "label l%u\n", i);
        w->budget = 4;
        put_block(w);
        put(w, "ret\n");
    }
}

/* Products of special numbers are infinite, and NaN without the rule of products with zero. */
static float number(struct writer *w, bool is_special)
{
    static const float special[] = {0.0f, 0.0f, 1.0f, 3e38f, -3e38f, 0.5f, 255.0f, 1e-3f};

    return is_special ? special[below(w, 8)] : (float)below(w, 4000) / 1000.0f - 2.0f;
}

static void put_numbers(struct writer *w)
{
    for (unsigned i = 8; i < 11; i++) {
        put(w, "def c%u", i);
        for (unsigned k = 0; k < 4; k++)
            put(w, ", %g", (double)(k || i < 10 ? number(w, i == 10 || !below(w, 4)) : 0.0f));
        put(w, "\n");
    }
    put(w, "defi i0, %u, 0, 1, 0\ndefi i1, %u, 1, 1, 0\n", below(w, 5), 1 + below(w, 2));
    put(w, "defb b0, true\ndefb b1, false\n");
}

/* r5: zeros and infinities, in some pixels only. */
static void put_extremes(struct writer *w)
{
    if (below(w, 2)) {
        put(w, "mov r5, c10\n");
        return;
    }
    put(w, "mul r5, c10, c10\n");
    if (w->state && below(w, 2))
        put(w, "cmp r5, r1.%s, r5, c10.%s\n", ONE_OF(w, "xyzw", "xxxx", "yyyy"),
            ONE_OF(w, "x", "xyzw", "wzyx"));
}

/* In some pixels and channels, 0 * infinity is added to the first colour. */
static void put_infinite_products(struct writer *w)
{
    put(w, "sub r3, r1, r%u\nmul r5, c10, c10\n", 2 + below(w, 3));
    put(w, "cmp r4, r3%s, c10.x, r%u\n", ONE_OF(w, "", ".x", ".y"), below(w, 3));
    if (below(w, 2))
        put(w, "mad r0%s, r5%s, r4, r0\n", any_masks[below(w, MASKS)], ONE_OF(w, "", ".y", ".z"));
    else
        put(w, "dp3 r4.x, r5, r4\nadd r0%s, r0, r4.x\n", any_masks[below(w, MASKS)]);
}

/* --- Programs --------------------------------------------------------------------------------- */

void shader_pixel(char text[CASE_SHADER_TEXT], uint32_t seed, const struct lottery_state *state,
                  unsigned colours)
{
    struct writer w = {.text = text, .seed = seed, .state = state};
    unsigned subroutines = below(&w, 3) ? 0 : 1 + below(&w, SUBROUTINES);
    bool position = below(&w, 3) == 0, face = below(&w, 3) == 0;

    put(&w, "ps_3_0\n");
    put_numbers(&w);
    put(&w, "dcl_color0%s v0\n", below(&w, 5) ? "" : "_centroid");
    put(&w, "dcl_texcoord0 v1.xyz\ndcl_texcoord1 v2.xyz\ndcl_texcoord2 v3.xyz\n");
    put(&w, "%s%s", position ? "dcl vPos.xy\n" : "", face ? "dcl vFace\n" : "");
    for (unsigned i = 0; i < state->textures; i++)
        put(&w, "dcl_%s s%u\n",
            state->texture[i].type == D3DRTYPE_CUBETEXTURE     ? "cube"
            : state->texture[i].type == D3DRTYPE_VOLUMETEXTURE ? "volume"
                                                               : "2d",
            i);
    put(&w, "mov r0, v0\nmov r1.xyz, v1\nmov r1.w, c8.x\nmov r2.xyz, v2\nmov r2.w, c9.y\n");
    put(&w, "mul r3, r1, r2\nmov r4, c8\n");
    put_extremes(&w);
    put(&w, "setp_gt p0, r1, r2\n");
    if (position)
        put(&w, "mul r3.xy, vPos, c9\n");
    if (face)
        put(&w, "cmp r4.w, vFace, r0.x, r1.x\n");
    w.calls = subroutines;
    w.budget = 4 + (int)below(&w, 24);
    while (w.budget > 0)
        put_statement(&w);
    if (below(&w, 2))
        put_infinite_products(&w);
    for (unsigned i = 0; i < colours; i++)
        put(&w, "%s oC%u, r%u\n", below(&w, 5) ? "mov" : "mov_sat", i, i);
    if (!below(&w, 8))
        put(&w, "mov_sat r5.x, r5.x\nmov oDepth, r5.x\n");
    put_subroutines(&w, subroutines);
}

void shader_vertex(char text[CASE_SHADER_TEXT], uint32_t seed)
{
    static const char *const usage[] = {"color0", "color1", "texcoord0", "texcoord1", "texcoord2"};
    struct writer w = {.text = text, .seed = ex_hash(seed, 0x5673)};
    unsigned subroutines = below(&w, 3) ? 0 : 1 + below(&w, SUBROUTINES);

    put(&w, "vs_3_0\n");
    put_numbers(&w);
    put(&w, "dcl_position v0\ndcl_normal v1\ndcl_color0 v2\ndcl_color1 v3\n");
    put(&w, "dcl_texcoord0 v4\ndcl_texcoord1 v5\ndcl_texcoord2 v6\n");
    put(&w, "dcl_position o0\ndcl_fog o1.x\n");
    for (unsigned i = 0; i < 5; i++)
        put(&w, "dcl_%s o%u%s\n", usage[i], 2 + i, i < 2 ? "" : ".xyz");
    put(&w, "m4x4 r0, v0, c0\nmov o0, r0\nmad o1.x, r0.w, c5.x, c5.y\n");
    put(&w, "mov r1, v2\nmov r2, v4\nmov r3, v5\nmov r4, v6\nmov r5, v1\n");
    if (!below(&w, 3))
        put_extremes(&w);
    put(&w, "setp_gt p0, r1, r2\n");
    w.calls = subroutines;
    w.budget = 3 + (int)below(&w, 12);
    while (w.budget > 0)
        put_statement(&w);
    for (unsigned i = 0; i < 5; i++)
        put(&w, "mov o%u%s, r%u\n", 2 + i, i < 2 ? "" : ".xyz", 1 + i);
    put_subroutines(&w, subroutines);
}
