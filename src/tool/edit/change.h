/* Changes of a draw: states, constants and shaders that it gets instead of its own. */
#ifndef TOOL_EDIT_CHANGE_H
#define TOOL_EDIT_CHANGE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EDIT_TEXT = 512, EDIT_CHANGES = 256 };

enum edit_kind {
    EDIT_RENDER_STATE, /* these three as enum inspect_state_kind */
    EDIT_STAGE_STATE,
    EDIT_SAMPLER_STATE,
    EDIT_FLOATS, /* a constant register */
    EDIT_INTEGERS,
    EDIT_BOOLEAN,
    EDIT_SHADER
};

struct edit_change {
    enum edit_kind kind;
    bool pixel;       /* constants and shaders: of the pixel shader */
    uint32_t index;   /* stage, sampler or register */
    uint32_t state;   /* D3DRS_…, D3DTSS_… or D3DSAMP_… */
    const char *name; /* of the state, without prefix; static */
    uint32_t word[4]; /* the value */
    uint32_t *code;   /* byte code; NULL: no shader, but the fixed function */
    size_t n_words;
};

/* Zeroed at first. */
struct edit {
    struct edit_change change[EDIT_CHANGES];
    unsigned n;
};

/* Formats the error; returns false. */
bool edit_fail(char error[EDIT_TEXT], const char *format, ...) PRINTF_LIKE(2, 3);
/* Each adds a change. False: the text is wrong, or the same thing is changed twice; `error` says
 * what in one line.
 *
 * A state: "ZFUNC=ALWAYS", "sampler0:MINFILTER=POINT", "stage1:COLOROP=ADD"; samplers of other
 * kinds are "vertexsampler0" and "displacementsampler". The place may have spaces, as in "sampler
 * 0". Values: see inspect_state_value_parse. */
bool edit_add_state(struct edit *edit, const char *text, char error[EDIT_TEXT]);
/* A constant: "ps:c3=1,0,0,1", "vs:i0=1,2,3,4", "ps:b2=TRUE". */
bool edit_add_constant(struct edit *edit, const char *text, char error[EDIT_TEXT]);
/* A shader in byte code, of which the edit gets a copy. Its rules are the caller's to check. */
bool edit_add_code(struct edit *edit, bool pixel, const uint32_t *words, size_t n,
                   char error[EDIT_TEXT]);
/* A shader in assembly. Errors begin with line and column ("3:5: …"). NULL: the fixed function. */
bool edit_add_shader(struct edit *edit, bool pixel, const char *assembly, char error[EDIT_TEXT]);
void edit_fini(struct edit *edit);

#endif
