/* Golden suite: compares the pictures of another Direct3D 9 implementation with golden images.
 * docs/golden.md describes the manifest and the terms. */
#ifndef TOOL_GOLDEN_GOLDEN_H
#define TOOL_GOLDEN_GOLDEN_H

int tool_golden(int argc, char **argv); /* `novem golden` */

#endif
