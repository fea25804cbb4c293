/* Words of a scene: numbers, keys and blocks, and names of Direct3D constants. */
#ifndef TOOL_SCENE_PARSE_H
#define TOOL_SCENE_PARSE_H

#include "tool/scene/command.h"

/* --- parse.c ---------------------------------------------------------------------------------- */

bool parse_line(struct scene *scene); /* false: end of file */
/* The i-th word; aborts the scene if the line has fewer. */
const char *parse_word(struct scene *scene, int i);
/* Value of `key=` on this line; NULL if absent. */
const char *parse_key(const struct scene *scene, const char *key);
bool parse_flag(const struct scene *scene, const char *word);
bool parse_is_number(const char *text);
float parse_float(struct scene *scene, const char *text);
uint32_t parse_uint(struct scene *scene, const char *text);   /* decimal, or hexadecimal with 0x */
uint32_t parse_hex(struct scene *scene, const char *text);    /* hexadecimal without 0x */
uint32_t parse_colour(struct scene *scene, const char *text); /* aarrggbb, rrggbb is opaque */
void parse_size(struct scene *scene, const char *text, UINT *w, UINT *h, UINT *d);
/* Parses comma-separated floats; returns their number, at most max. */
int parse_floats(struct scene *scene, const char *text, float *out, int max);
LONG parse_whole(struct scene *scene, float value); /* the value must be an integer */
UINT parse_key_uint(struct scene *scene, const char *key, UINT otherwise);
/* The next word of a block, without comments; NULL at the end. *at starts as line.block. */
char *parse_block_word(struct scene *scene, char **at);

/* --- names.c ---------------------------------------------------------------------------------- */

struct name {
    const char *text;
    DWORD value;
};
enum name_list {
    NAMES_FORMAT,
    NAMES_POOL,
    NAMES_PRIMITIVE,
    NAMES_DECLTYPE,
    NAMES_DECLUSAGE,
    NAMES_FILTER,
    NAMES_HRESULT,
    NAMES_TRANSFORM,
    NAMES_FVF,
    NAMES_FACE,
    NAMES_USAGE
};
DWORD name_value(struct scene *scene, enum name_list list, const char *text);
D3DFORMAT name_format(struct scene *scene, const char *text);

/* Parses NAME=VALUE of a render, sampler or texture stage state. */
enum state_class { STATE_RENDER, STATE_SAMPLER, STATE_STAGE };
void name_state(struct scene *scene, enum state_class class, char *assignment, DWORD *state,
                DWORD *value);

#endif
