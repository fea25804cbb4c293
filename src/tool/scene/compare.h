/* Surfaces that expectations read, and the picture that shows them. */
#ifndef TOOL_SCENE_COMPARE_H
#define TOOL_SCENE_COMPARE_H

#include "tool/scene/command.h"

/* --- compare.c -------------------------------------------------------------------------------- */

/* Reads the surface for expectations into scene->image. */
void scene_read_image(struct scene *scene);
/* Compares the whole target with word i of the line (and `tol N` after it); `what` is for the
 * message. */
void expect_all(struct scene *scene, int i, const char *what);

/* --- picture.c -------------------------------------------------------------------------------- */

void picture_add(struct scene_picture *picture, const struct image *image);

#endif
