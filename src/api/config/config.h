/* Settings from novem.conf and the environment. */
#ifndef API_CONFIG_CONFIG_H
#define API_CONFIG_CONFIG_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>

/* ExitProcess stops the writer threads: frames that still wait in a queue would be lost. */
#ifdef _WIN32
#define SINK_QUEUE_DEFAULT "0"
#else
#define SINK_QUEUE_DEFAULT "4"
#endif

enum config_key {
#define KEY(id, name, kind, value, help) CONFIG_##id,
#include "api/config/config.def"
#undef KEY
    CONFIG_COUNT
};

/* Reads the settings on the first call. Invalid ones are logged and ignored. */
void api_config_load(void);
/* Sets a default of the program, which the file and the environment override. ST_BUSY: the settings
 * have been read; ST_INVALID: invalid value. */
MUST_CHECK enum status api_config_set(enum config_key key, const char *value);
/* Changes a value while the program runs, after the settings have been read. It is in force until
 * the process ends; strings that api_config_text returned before stay valid. ST_INVALID: invalid
 * value; ST_NOMEM: too many changes. */
MUST_CHECK enum status api_config_change(enum config_key key, const char *value);
/* Whether a value was changed so. */
bool api_config_is_changed(enum config_key key);
/* Case-insensitive; CONFIG_COUNT: no setting has the name. */
enum config_key api_config_find(const char *name);
/* NULL: neither the file nor the environment sets it, and it has no default. */
const char *api_config_text(enum config_key key);
unsigned api_config_number(enum config_key key);
/* Index of the value of SCALING, SCALE_FILTER, HUD_PLACE, FULLSCREEN or MOUSE in the order of its
 * help. */
unsigned api_config_choice(enum config_key key);
/* Width and height. False: the setting, which is a size, is not set. */
bool api_config_size(enum config_key key, unsigned size[2]);
bool api_config_ieee(void);      /* MUL_ZERO */
unsigned api_config_scale(void); /* RENDER_SCALE in thousandths */
/* Of settings that are "program" or a number; 0: "program". SAMPLES = 0 means 1. */
unsigned api_config_forced(enum config_key key);
bool api_config_on(enum config_key key); /* for settings that are on or off */
bool api_config_has_panel(void);         /* CONTROL has a port */
/* Describes the values that a setting accepts: "on or off". */
const char *api_config_accepted(enum config_key key);
/* Writes the name of the program's file; empty: unknown. */
void api_config_program(char *out, size_t size);
/* Writes the settings in force that change pictures and are not at their defaults, separated by
 * spaces: "MUL_ZERO=ieee VARIANT=snap-nw". Returns the length of the whole text, of which at most
 * size - 1 bytes are written; 0: there is none, and pictures are those of the reference. */
enum { CONFIG_PICTURE_CHANGES_BYTES = 1024 };
size_t api_config_picture_changes(char *out, size_t size);

/* Path of novem.conf; empty: there is none. */
const char *api_config_file(void);

/* Parses one line of novem.conf, and changes it: `name = value`, `[program.exe]`, blank, or a
 * comment after #. A section applies its lines to that program alone. *value points into the line:
 * the setting's value or the program's name.
 *
 * CONFIG_RENAMED: the line uses a former name, at *value, of the setting *key.
 * CONFIG_UNKNOWN: no setting has the name at *value.
 * CONFIG_INVALID: the setting *key does not accept *value.
 * CONFIG_MALFORMED: *value is neither a setting nor a section. */
enum config_line {
    CONFIG_NOTHING,
    CONFIG_SETTING,
    CONFIG_SECTION,
    CONFIG_RENAMED,
    CONFIG_UNKNOWN,
    CONFIG_INVALID,
    CONFIG_MALFORMED
};
enum config_line api_config_parse(char *line, enum config_key *key, const char **value);

#endif
