/* Trimming: cuts a capture to some frames or to one draw, with the calls that these depend on. */
#ifndef TOOL_TRIM_TRIM_H
#define TOOL_TRIM_TRIM_H

int tool_trim(int argc, char **argv); /* `novem trim` */

#endif
