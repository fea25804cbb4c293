/* Checks which shaders dx9mt's viewer translates, and patches vertex shaders for the pixel centres
 * of its rasteriser.
 *
 * Tested by tests/unit/trace/dx9mt/test_dx9mt.c. */
#include "trace/dx9mt/dx9mt_private.h"

#include "util/alloc.h"

#include <windows.h>
#include <d3d9.h>

#include <string.h>

enum {
    INSTRUCTIONS_MAX = 512,
    MOVE_WORDS = 6 + 5 + 3, /* def, mad, mov */
    PARAMETER = 1u << 31,   /* set in all words except opcodes and the constants of def */
};
#define END_TOKEN 0x0000ffffu

static uint32_t opcode(uint32_t token)
{
    return token & D3DSI_OPCODE_MASK;
}

static bool is_def(uint32_t op)
{
    return op == D3DSIO_DEF || op == D3DSIO_DEFI || op == D3DSIO_DEFB;
}

/* Returns the words of the instruction at `at`, including its token; 0 if it exceeds the code. */
static size_t length(const uint32_t *code, size_t n, size_t at)
{
    uint32_t token = code[at];
    size_t words = 1;

    if (opcode(token) == D3DSIO_COMMENT)
        words += token >> D3DSI_COMMENTSIZE_SHIFT & 0x7fff;
    else if (D3DSHADER_VERSION_MAJOR(code[0]) >= 2)
        words += token >> D3DSI_INSTLENGTH_SHIFT & 15;
    else if (is_def(opcode(token)))
        words += 5;
    else
        while (at + words < n && code[at + words] & PARAMETER)
            words++;
    return at + words < n ? words : 0; /* leaves room for the end token */
}

/* --- Supported instructions ------------------------------------------------------------------- */

/* The viewer lacks subroutines, loops over aL, derivatives, and the ps_1_x texture instructions. */
static bool has_instruction(uint32_t op)
{
    switch (op) {
    case D3DSIO_CALL:
    case D3DSIO_CALLNZ:
    case D3DSIO_LOOP:
    case D3DSIO_ENDLOOP:
    case D3DSIO_RET:
    case D3DSIO_LABEL:
    case D3DSIO_DSX:
    case D3DSIO_DSY:
    case D3DSIO_TEXLDD:
        return false;
    default:
        return op < D3DSIO_TEXBEM || op > D3DSIO_TEXDEPTH || op == D3DSIO_DEF ||
               op == D3DSIO_DP2ADD;
    }
}

bool dx9mt_translates(const uint32_t *code, size_t n, uint32_t stage)
{
    bool old_pixel = stage == 0xffff && D3DSHADER_VERSION_MAJOR(code[0]) < 2;
    unsigned count = 0;

    if (n < 2 || code[0] >> 16 != stage)
        return false;
    for (size_t at = 1, words; at < n; at += words) {
        uint32_t op = opcode(code[at]);

        if (code[at] == END_TOKEN)
            return true;
        words = length(code, n, at);
        if (!words || (op != D3DSIO_COMMENT && ++count > INSTRUCTIONS_MAX))
            return false;
        if (op != D3DSIO_COMMENT && (!has_instruction(op) || (old_pixel && op == D3DSIO_TEX)))
            return false;
    }
    return false;
}

/* --- Positions -------------------------------------------------------------------------------- */

static uint32_t register_type(uint32_t token)
{
    return (token & D3DSP_REGTYPE_MASK) >> D3DSP_REGTYPE_SHIFT |
           (token & D3DSP_REGTYPE_MASK2) >> D3DSP_REGTYPE_SHIFT2;
}

static uint32_t register_number(uint32_t token)
{
    return token & D3DSP_REGNUM_MASK;
}

static uint32_t operand(uint32_t type, uint32_t number, uint32_t rest)
{
    return PARAMETER | (type << D3DSP_REGTYPE_SHIFT & D3DSP_REGTYPE_MASK) |
           (type << D3DSP_REGTYPE_SHIFT2 & D3DSP_REGTYPE_MASK2) | number | rest;
}

struct registers {
    bool temps[32], constants[256];
    uint32_t position_type, position; /* of the position output */
};

static void note_register(struct registers *r, uint32_t token)
{
    uint32_t type = register_type(token), number = register_number(token);

    if (type == D3DSPR_TEMP && number < 32)
        r->temps[number] = true;
    if (type == D3DSPR_CONST && number < 256)
        r->constants[number] = true;
}

static void survey(struct registers *r, const uint32_t *code, size_t n)
{
    r->position_type = D3DSPR_RASTOUT;
    for (size_t at = 1, words; at < n && code[at] != END_TOKEN; at += words) {
        uint32_t op = opcode(code[at]);

        words = length(code, n, at);
        if (op == D3DSIO_COMMENT)
            continue;
        if (op == D3DSIO_DCL && words >= 3 && register_type(code[at + 2]) == D3DSPR_OUTPUT &&
            (code[at + 1] & 0xf000f) == D3DDECLUSAGE_POSITION) {
            r->position_type = D3DSPR_OUTPUT;
            r->position = register_number(code[at + 2]);
        }
        for (size_t i = 1; op != D3DSIO_DCL && i < (is_def(op) ? 2 : words); i++)
            note_register(r, code[at + i]);
    }
}

static int last_free(const bool *used, int n)
{
    while (n-- > 0 && used[n]) {
    }
    return n;
}

/* Copies the code after the version token and replaces the position register by a temporary. */
static void copy_renamed(const struct registers *r, const uint32_t *code, size_t n, uint32_t temp,
                         uint32_t **out)
{
    for (size_t at = 1, words; at < n && code[at] != END_TOKEN; at += words) {
        uint32_t op = opcode(code[at]);
        uint32_t *to = *out;

        words = length(code, n, at);
        memcpy(to, code + at, words * sizeof(*to));
        *out += words;
        if (op == D3DSIO_COMMENT || op == D3DSIO_DCL || is_def(op) || words < 2)
            continue;
        if (register_type(to[1]) == r->position_type && register_number(to[1]) == r->position)
            to[1] = operand(D3DSPR_TEMP, temp,
                            to[1] & (D3DSP_WRITEMASK_ALL | D3DSP_DSTMOD_MASK | D3DSP_DSTSHIFT_MASK |
                                     D3DSHADER_ADDRESSMODE_MASK));
    }
}

/* Emits: temp.xy = temp.w * constant + temp; position = temp. */
static uint32_t *put_move(const struct registers *r, uint32_t version, uint32_t temp,
                          uint32_t constant, uint32_t *to)
{
    const uint32_t sizes = D3DSHADER_VERSION_MAJOR(version) >= 2 ? 1 << D3DSI_INSTLENGTH_SHIFT : 0;
    const uint32_t words[] = {
        D3DSIO_MAD | 4 * sizes,
        operand(D3DSPR_TEMP, temp, D3DSP_WRITEMASK_0 | D3DSP_WRITEMASK_1),
        operand(D3DSPR_TEMP, temp, D3DVS_X_W | D3DVS_Y_W | D3DVS_Z_W | D3DVS_W_W),
        operand(D3DSPR_CONST, constant, D3DVS_NOSWIZZLE),
        operand(D3DSPR_TEMP, temp, D3DVS_NOSWIZZLE),
        D3DSIO_MOV | 2 * sizes,
        operand(r->position_type, r->position, D3DSP_WRITEMASK_ALL),
        operand(D3DSPR_TEMP, temp, D3DVS_NOSWIZZLE),
        END_TOKEN,
    };

    memcpy(to, words, sizeof(words));
    return to + sizeof(words) / sizeof(words[0]);
}

enum status dx9mt_move_position(const uint32_t *code, size_t n, float width, float height,
                                uint32_t **out, size_t *out_n)
{
    const float by[4] = {width > 0 ? -1.0f / width : 0, height > 0 ? 1.0f / height : 0, 0, 0};
    unsigned major = D3DSHADER_VERSION_MAJOR(code[0]);
    struct registers r = {.position = 0};
    int temp, constant;
    uint32_t *to;

    *out = NULL;
    survey(&r, code, n);
    temp = last_free(r.temps, major < 2 || code[0] == D3DVS_VERSION(2, 0) ? 12 : 32);
    constant = last_free(r.constants, major < 2 ? 96 : 256);
    if (temp < 0 || constant < 0)
        return ST_UNSUPPORTED;
    to = *out = mem_alloc((n + MOVE_WORDS + 1) * sizeof(*to));
    if (!to)
        return ST_NOMEM;
    *to++ = code[0];
    *to++ = D3DSIO_DEF | (major >= 2 ? 5 << D3DSI_INSTLENGTH_SHIFT : 0);
    *to++ = operand(D3DSPR_CONST, (uint32_t)constant, D3DSP_WRITEMASK_ALL);
    memcpy(to, by, sizeof(by));
    to += 4;
    copy_renamed(&r, code, n, (uint32_t)temp, &to);
    to = put_move(&r, code[0], (uint32_t)temp, (uint32_t)constant, to);
    *out_n = (size_t)(to - *out);
    return ST_OK;
}
