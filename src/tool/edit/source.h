/* Shaders of changes as texts of any kind. */
#ifndef TOOL_EDIT_SOURCE_H
#define TOOL_EDIT_SOURCE_H

#include "tool/edit/change.h"

/* How HLSL is compiled. NULL: `entry` is main, `profile` is not given. Effects need neither: their
 * first pass says both. */
struct edit_source {
    const char *entry, *profile;
};

/* Adds a shader of a text in assembly or HLSL, or of an effect's pass, which its contents tell.
 * #include is refused: the text may come from elsewhere. False: `error` has the first messages, one
 * a line, that begin with line and column ("3:5: …"). */
bool edit_add_text(struct edit *edit, bool pixel, const char *text,
                   const struct edit_source *source, char error[EDIT_TEXT]);

#endif
