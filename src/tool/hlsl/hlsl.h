/* Shaders as files: recognises byte code, assembly, HLSL and effects by their content, and compiles
 * HLSL with a compiler of the system: vkd3d-shader, Wine's d3dcompiler, or on Windows Windows'
 * own. */
#ifndef TOOL_HLSL_HLSL_H
#define TOOL_HLSL_HLSL_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Kinds (kind.c) --------------------------------------------------------------------------- */

enum hlsl_kind {
    HLSL_IS_BYTE_CODE,
    HLSL_IS_ASSEMBLY, /* also a block asm { } */
    HLSL_IS_HLSL,
    HLSL_IS_EFFECT /* HLSL with techniques */
};
/* A text that is none of them counts as assembly. A 0 follows the n bytes. */
enum hlsl_kind hlsl_kind_of(const void *bytes, size_t n);
/* "is assembly" */
const char *hlsl_kind_text(enum hlsl_kind kind);

/* Reads a whole file; a 0 follows it. The caller frees it with mem_free. */
MUST_CHECK enum status hlsl_read_file(const char *path, char **text, size_t *n);
/* A copy of a text (util/alloc.h) with blanks for comments and for the contents of strings; places
 * stay. NULL: out of memory. */
char *hlsl_without_comments(const char *text, size_t n);
/* Blanks all of a text but its first asm { … }, whose contents stay at their places. False: there
 * is none. */
bool hlsl_keep_asm_block(char *text);

/* --- Compilers (compile.c) -------------------------------------------------------------------- */

struct hlsl_define {
    const char *name, *value;
};

struct hlsl_source {
    const char *text;
    size_t n;
    const char *name;            /* path, for messages and for #include beside it */
    const char *entry, *profile; /* "main", "ps_3_0" */
    const struct hlsl_define *define;
    unsigned n_defines;
    const char *const *folder; /* for #include */
    unsigned n_folders;
    bool alone; /* #include is refused: the text must read no files; a 0 follows it */
};

struct hlsl_result {
    uint32_t *words; /* NULL unless the result is ST_OK */
    size_t n;
    char *messages; /* lines of the compiler, "" or NULL: none; warnings if the result is ST_OK */
};

/* Compiles with the first compiler that is there. ST_INVALID: the text or the profile is wrong, and
 * messages say why; ST_UNSUPPORTED: there is no compiler, and messages say what to install.
 * hlsl_result_fini frees *out in all cases. */
MUST_CHECK enum status hlsl_compile(struct hlsl_result *out, const struct hlsl_source *source);
void hlsl_result_fini(struct hlsl_result *result);
/* Whether Direct3D 9 has the profile: "vs_1_1" to "ps_3_0". */
bool hlsl_profile_is_known(const char *profile);
/* Name of the library of vkd3d-shader, and path of novem-hlsl.exe (NULL: it is searched); tests
 * replace them. */
extern const char *hlsl_library, *hlsl_program;

/* --- Effects (effect.c) ----------------------------------------------------------------------- */

enum { HLSL_NAME = 64, HLSL_ERROR = 320 };

/* The shader of a pass. */
struct hlsl_pass {
    char *text; /* for the compiler, or assembly; util/alloc.h */
    bool is_assembly;
    char profile[16], entry[HLSL_NAME];
};

/* Finds a shader of an effect. Names are NULL: the first technique, the first pass. stage: 'v',
 * 'p', or 0 if the pass has one shader only. ST_INVALID with the error filled, or ST_NOMEM. */
MUST_CHECK enum status hlsl_effect_pass(struct hlsl_pass *out, const char *text, size_t n,
                                        const char *technique, const char *pass, char stage,
                                        char error[HLSL_ERROR]);

#endif
