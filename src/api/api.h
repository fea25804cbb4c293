/* Interface of the API folder for the replay tools: what they need besides Direct3D's own
 * interfaces. */
#ifndef API_API_H
#define API_API_H

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "cmd/cmd.h"
#include "draw/draw.h"

/* Renderer options that the settings select. */
struct draw_options api_draw_options(void);
/* A row of the settings table with the value in force; false past the last row. The strings live as
 * long as the process. */
struct api_setting {
    const char *name, *help;
    const char *default_value, *value; /* NULL: none */
    char origin[1200];                 /* "default", "novem.conf:3", "NOVEM_LOG" */
    bool is_picture_setting; /* other values than the default change pixels of the same calls */
    bool changes_pictures;   /* and it has such a value */
};
bool api_setting(unsigned index, struct api_setting *out);
/* Whether novem.conf or the environment has a setting without effect: an unknown or former name, an
 * invalid value. Each is logged. */
bool api_config_has_mistakes(void);
/* Whether novem.conf names an unknown fault or variant renderer. Each is logged. */
bool api_config_has_unknown_renderer(void);
/* Selects the novem.conf section of the program `name`. Call it before the settings are read;
 * `name` must stay valid. */
void api_config_set_program(const char *name);
/* Reads the novem.conf of this folder instead of the one beside this program, under the same
 * conditions. NOVEM_CONFIG still names another file. */
void api_config_set_folder(const char *folder);
/* Line of the file at which the first section of the program begins; 0: it has none. *others: the
 * names of other sections, "a.exe, b.exe"; empty if there are none. */
unsigned api_config_section(const char **others);
/* Returns the command stream of the surface's device; *out: the surface as packets name it. */
const struct cmd_stream *api_surface_locate(IDirect3DSurface9 *surface, struct cmd_surface *out);

#endif
