/* `novem cost`: what shaders cost. */
#ifndef TOOL_COST_COST_H
#define TOOL_COST_COST_H

int tool_cost(int argc, char **argv);

#endif
