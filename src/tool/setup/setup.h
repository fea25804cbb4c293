/* `novem setup-wine`: puts d3d9.dll beside a Windows program and makes Wine load it. */
#ifndef TOOL_SETUP_SETUP_H
#define TOOL_SETUP_SETUP_H

#include <stddef.h>

int tool_setup_wine(int argc, char **argv);
/* Describes the d3d9.dll of a folder: "Novem 0.9.0, 32 bit", or what is there instead. */
void setup_describe_dll(const char *folder, char *out, size_t size);

#endif
