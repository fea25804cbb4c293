/* Settings from novem.conf and the environment. */
#ifndef API_CONFIG_H
#define API_CONFIG_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a program ends by ExitProcess, nothing that waits is written any more. */
#ifdef _WIN32
#define SINK_QUEUE_DEFAULT "0"
#else
#define SINK_QUEUE_DEFAULT "4"
#endif

enum config_key {
#define KEY(id, name, kind, value, help) CONFIG_##id,
#include "api/config.def"
#undef KEY
    CONFIG_COUNT
};

/* Reads the settings, the first time only. What is wrong in them is logged and left out. */
void api_config_load(void);
/* NULL where neither file nor environment says anything and there is no default. */
const char *api_config_text(enum config_key key);
unsigned api_config_number(enum config_key key);
bool api_config_ieee(void);              /* MUL_ZERO */
bool api_config_on(enum config_key key); /* a key that is on or off */

/* One line of novem.conf: `name = value`, a `[program.exe]` from which on lines are for that
 * program alone, or blank or a comment that # begins. Changes the line; *value, the setting's value
 * or the program's name, is inside it. CONFIG_RENAMED: a former name, which *value points to; *key
 * is the setting that it names. */
enum config_line { CONFIG_NOTHING, CONFIG_SETTING, CONFIG_SECTION, CONFIG_RENAMED, CONFIG_WRONG };
enum config_line api_config_parse(char *line, enum config_key *key, const char **value);

#endif
