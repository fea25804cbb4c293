/* `novem setup-wine`: puts d3d9.dll beside a Windows program and makes Wine load it. */
#ifndef TOOL_SETUP_SETUP_H
#define TOOL_SETUP_SETUP_H

int tool_setup_wine(int argc, char **argv);

#endif
