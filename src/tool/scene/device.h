/* Device of a scene. */
#ifndef TOOL_SCENE_DEVICE_H
#define TOOL_SCENE_DEVICE_H

#include "tool/scene/command.h"

bool device_open(struct scene *scene); /* false: Direct3D 9 is not available */
void device_close(struct scene *scene);

#endif
