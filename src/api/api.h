/* The door of the API for the tools that replay: what they need besides Direct3D's own interfaces.
 */
#ifndef API_API_H
#define API_API_H

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "cmd/cmd.h"
#include "draw/draw.h"

/* How the settings want renderers to be. */
struct draw_options api_draw_options(void);
/* A row of the table of settings, and what is in force; false past the last. Strings live as long
 * as the program. */
struct api_setting {
    const char *name, *help;
    const char *default_value, *value; /* NULL: none */
    char origin[1200];                 /* "default", "novem.conf:3", "NOVEM_LOG" */
};
bool api_setting(unsigned index, struct api_setting *out);
/* Whether novem.conf or the environment sets something by a former name; the log has it as an
 * error. */
bool api_config_uses_former_names(void);
/* Settings as a program of that name would have them; before they are read. Borrowed for good. */
void api_config_set_program(const char *name);
/* The stream of the surface's device, and where in it the surface is. */
const struct cmd_stream *api_surface_locate(IDirect3DSurface9 *surface, struct cmd_surface *out);

#endif
