/* What the compilers of HLSL share: messages, included files, byte code. Private to the module. */
#ifndef TOOL_HLSL_COMPILER_H
#define TOOL_HLSL_COMPILER_H

#include "tool/hlsl/hlsl.h"

enum { HLSL_DEFINES = 256 };

/* Wine's d3dcompiler_47, through a program of ours (wine.c); on Windows the system's (windows.c).
 * ST_UNSUPPORTED: it is not there, and messages say what is missing. */
MUST_CHECK enum status wine_compile(struct hlsl_result *out, const struct hlsl_source *source);
MUST_CHECK enum status windows_compile(struct hlsl_result *out, const struct hlsl_source *source);

/* What precedes the number of words and the byte code in the output of novem-hlsl.exe. */
#define HLSL_CODE_MARK "novem-hlsl: byte code\n"

/* Replaces the messages of a result; returns the status, or ST_NOMEM. */
enum status compiler_say(struct hlsl_result *out, enum status st, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Copies byte code to the result. ST_INVALID: it is none of Direct3D 9, and messages say so. */
MUST_CHECK enum status compiler_take_code(struct hlsl_result *out, const void *code, size_t bytes);
/* Reads an included file: beside the file that includes it, or from the folders of the source. The
 * caller frees text and path with mem_free. */
MUST_CHECK enum status compiler_include(const struct hlsl_source *source, const char *from,
                                        const char *name, char **text, size_t *n, char **path);

#endif
