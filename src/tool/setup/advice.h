/* What may keep a program from using Novem, said before the user meets it. */
#ifndef TOOL_SETUP_ADVICE_H
#define TOOL_SETUP_ADVICE_H

#include "tool/setup/pe.h"

/* Notes on the libraries that the program, or a dll of its folder, imports. */
void advise_on_imports(const struct pe *pe, const char *folder, const char *program);
/* Whether the folder has a wrapper of Direct3D 8, such as d3d8to9: a d3d8.dll that uses d3d9.dll.
 */
bool advise_has_wrapper(const char *folder);
/* Notes on the prefix and on the environment. */
void advise_on_wine(const char *prefix, unsigned bits);

#endif
