/* `novem inspect`: shows a frame in a browser. */
#ifndef TOOL_SERVE_SERVE_H
#define TOOL_SERVE_SERVE_H

int tool_inspect(int argc, char **argv);

#endif
