/* Shaders of the variants `colours` and `rotated`. The tokens of a shader of model 2 or 3 get
 * instructions at the beginning and at the end, and write a temporary register instead of an
 * output.
 *
 *   colours   vertex shader: colour times the colour of the vertex; pixel shader: oC0 times v0
 *   rotated   vertex shader: the position, rotated on the screen
 */
#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers. */
enum {
    R_TEMP = D3DSPR_TEMP,
    R_INPUT = D3DSPR_INPUT,
    R_CONST = D3DSPR_CONST,
    R_POSITION = D3DSPR_RASTOUT, /* model 2 */
    R_COLOUR = D3DSPR_ATTROUT,   /* model 2 */
    R_OUT = D3DSPR_OUTPUT,       /* model 3 */
    R_PIXEL = D3DSPR_COLOROUT,
};
enum { ALL = 0xf, XY = 0x3, ZW = 0xc };                             /* write masks */
enum { XYZW = 0xe4, XXXX = 0x00, YYYY = 0x55, ZX = 0x02 };          /* swizzles */
enum { RESULT = 11, ROTATED = 10, FREE_CONSTANT = 255, ROOM = 64 }; /* registers, tokens added */

struct writer {
    DWORD *at;
    bool pixel;
    DWORD major; /* version of the shader model */
};

static DWORD reg(unsigned type, unsigned n)
{
    return 0x80000000u | (type & 7) << 28 | (type & 0x18) << 8 | n;
}

static DWORD dst(unsigned type, unsigned n, unsigned mask)
{
    return reg(type, n) | mask << 16;
}

static DWORD src(unsigned type, unsigned n, unsigned swizzle)
{
    return reg(type, n) | swizzle << 16;
}

static unsigned type_of(DWORD token)
{
    return (token >> 28 & 7) | (token >> 8 & 0x18);
}

static unsigned number_of(DWORD token)
{
    return token & 0x7ff;
}

static void put(struct writer *w, unsigned opcode, const DWORD *operands, unsigned count)
{
    *w->at++ = opcode | count << 24;
    memcpy(w->at, operands, count * sizeof(*operands));
    w->at += count;
}
#define PUT(w, opcode, ...)                                                                        \
    put(w, opcode, (const DWORD[]){__VA_ARGS__},                                                   \
        (unsigned)(sizeof((const DWORD[]){__VA_ARGS__}) / sizeof(DWORD)))

static void declare(struct writer *w, unsigned usage, DWORD token)
{
    PUT(w, D3DSIO_DCL, 0x80000000u | usage, token);
}

static unsigned length_of(DWORD instruction)
{
    return (instruction & 0xffff) == D3DSIO_COMMENT ? instruction >> 16 & 0x7fff
                                                    : instruction >> 24 & 15;
}

/* The register of a declared usage of index 0; -1: none. Inputs of ps_2_0 have no usage. */
static int declared(const DWORD *at, const struct writer *w, unsigned type, unsigned usage)
{
    for (at++; (*at & 0xffff) != D3DSIO_END; at += 1 + length_of(*at)) {
        bool plain = w->pixel && w->major == 2;

        if ((*at & 0xffff) == D3DSIO_DCL && type_of(at[2]) == type &&
            (plain ? !number_of(at[2]) : (at[1] & 0xf001f) == usage))
            return (int)number_of(at[2]);
    }
    return -1;
}

static bool has_operands(unsigned opcode)
{
    return opcode != D3DSIO_DCL && opcode != D3DSIO_DEF && opcode != D3DSIO_DEFI &&
           opcode != D3DSIO_DEFB && opcode != D3DSIO_COMMENT;
}

/* Copies the instructions; those that write the output write a temporary register. Returns whether
 * one does. */
static bool redirect(struct writer *w, const DWORD *at, DWORD output, unsigned temporary)
{
    bool found = false;

    for (at++; (*at & 0xffff) != D3DSIO_END; at += 1 + length_of(*at)) {
        unsigned opcode = *at & 0xffff, length = length_of(*at);

        memcpy(w->at, at, (1 + length) * sizeof(*at));
        for (unsigned i = 1; i <= length; i++)
            if (has_operands(opcode) && reg(type_of(at[i]), number_of(at[i])) == output) {
                w->at[i] = (at[i] & ~(output | 0x7ff)) | reg(R_TEMP, temporary);
                found = true;
            }
        w->at += 1 + length;
    }
    return found;
}

static void colour_pixels(struct writer *w, const DWORD *tokens)
{
    const unsigned input = w->major == 2 ? 0 : 9;

    if (declared(tokens, w, R_INPUT, D3DDECLUSAGE_COLOR) >= 0) { /* it has the vertex colour */
        redirect(w, tokens, 0, 0);
        return;
    }
    declare(w, w->major == 2 ? 0 : D3DDECLUSAGE_COLOR, dst(R_INPUT, input, ALL));
    redirect(w, tokens, reg(R_PIXEL, 0), RESULT);
    PUT(w, D3DSIO_MUL, dst(R_TEMP, RESULT, ALL), src(R_TEMP, RESULT, XYZW),
        src(R_INPUT, input, XYZW));
    PUT(w, D3DSIO_MOV, dst(R_PIXEL, 0, ALL), src(R_TEMP, RESULT, XYZW));
}

static void colour_vertices(struct writer *w, const DWORD *tokens)
{
    DWORD output = reg(R_COLOUR, 0);

    declare(w, D3DDECLUSAGE_COLOR, dst(R_INPUT, 15, ALL));
    if (w->major == 3) {
        int n = declared(tokens, w, R_OUT, D3DDECLUSAGE_COLOR);

        if (n < 0)
            declare(w, D3DDECLUSAGE_COLOR, dst(R_OUT, 11, ALL));
        output = reg(R_OUT, n < 0 ? 11 : (unsigned)n);
    }
    if (redirect(w, tokens, output, RESULT))
        PUT(w, D3DSIO_MUL, output | ALL << 16, src(R_TEMP, RESULT, XYZW), src(R_INPUT, 15, XYZW));
    else
        PUT(w, D3DSIO_MOV, output | ALL << 16, src(R_INPUT, 15, XYZW));
}

/* x' = x cos - y sin / aspect, y' = x sin aspect + y cos */
static void rotate_vertices(struct writer *w, const DWORD *tokens)
{
    const float aspect = (float)BENCH_WIDTH / BENCH_HEIGHT;
    DWORD output = reg(R_POSITION, 0);

    if (w->major == 3)
        output = reg(R_OUT, (unsigned)declared(tokens, w, R_OUT, D3DDECLUSAGE_POSITION));
    PUT(w, D3DSIO_DEF, dst(R_CONST, FREE_CONSTANT, ALL), bench_float(BENCH_TURN_COS),
        bench_float(BENCH_TURN_SIN * aspect), bench_float(-BENCH_TURN_SIN / aspect), 0);
    redirect(w, tokens, output, RESULT);
    PUT(w, D3DSIO_MUL, dst(R_TEMP, ROTATED, XY), src(R_TEMP, RESULT, XXXX),
        src(R_CONST, FREE_CONSTANT, XYZW));
    PUT(w, D3DSIO_MAD, dst(R_TEMP, ROTATED, XY), src(R_TEMP, RESULT, YYYY),
        src(R_CONST, FREE_CONSTANT, ZX), src(R_TEMP, ROTATED, XYZW));
    PUT(w, D3DSIO_MOV, dst(R_TEMP, ROTATED, ZW), src(R_TEMP, RESULT, XYZW));
    PUT(w, D3DSIO_MOV, output | ALL << 16, src(R_TEMP, ROTATED, XYZW));
}

DWORD *bench_vary_shader(const DWORD *tokens, enum bench_variant variant)
{
    struct writer w = {.pixel = tokens[0] >> 16 == 0xffff, .major = tokens[0] >> 8 & 0xff};
    const DWORD *end = tokens + 1;
    DWORD *varied;

    while ((*end & 0xffff) != D3DSIO_END)
        end += 1 + length_of(*end);
    varied = w.at = ex_alloc(((size_t)(end - tokens) + ROOM) * sizeof(*varied));
    *w.at++ = tokens[0];
    if (w.pixel)
        colour_pixels(&w, tokens);
    else if (variant == BENCH_COLOURS)
        colour_vertices(&w, tokens);
    else
        rotate_vertices(&w, tokens);
    *w.at = D3DSIO_END;
    return varied;
}
