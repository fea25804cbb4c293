/* The table of settings: names, kinds and defaults; and how values are checked. Private to the
 * module. */
#ifndef API_CONFIG_KEYS_H
#define API_CONFIG_KEYS_H

#include "api/config/config.h"
#include "util/suggestion.h"

enum config_kind {
    KIND_NUMBER,
    KIND_FRAME,
    KIND_TEXT,
    KIND_LEVELS,
    KIND_ISA,
    KIND_MUL_ZERO,
    KIND_SWITCH,
    KIND_JIT,
    KIND_TILE,
    KIND_HEX,
    KIND_PORT,
    KIND_ADAPTER,
    KIND_MODEL,
    KIND_CAPS,
    KIND_SCALING,
    KIND_SCALE_FILTER,
    KIND_CORNER,
    KIND_FACTOR,
    KIND_PERCENT,
    KIND_FULLSCREEN,
    KIND_MOUSE,
    KIND_SIZE,
    KIND_VARIANT_NAME,
    KIND_FAULT_NAME,
    KIND_SCALE,
    KIND_TAPS,
    KIND_SAMPLES
};
enum { CONFIG_VALUE_BYTES = 512 };

struct config_entry {
    const char *name, *variable;
    enum config_kind kind;
    const char *value, *help; /* value: the default; NULL: none */
    bool changes_pictures;
    bool writes_files; /* or opens a port */
};
extern const struct config_entry api_config_keys[CONFIG_COUNT];

/* Former names of settings. */
struct renamed_setting {
    const char *name, *variable;
    enum config_key key;
};
enum {
    RENAMED_SETTINGS = 0
#define RENAMED(old, id) +1
#include "api/config/renamed.def"
#undef RENAMED
};
extern const struct renamed_setting api_config_renamed[RENAMED_SETTINGS];

bool api_config_is_valid(enum config_key key, const char *value);
/* Offers the words that a setting accepts. */
void api_config_offer_values(enum config_key key, struct suggestion *s);
/* Index of a word among those of a setting that accepts some words alone; -1: none of them. */
int api_config_find_word(enum config_key key, const char *text);
/* Reads WIDTHxHEIGHT. */
bool api_config_parse_size(const char *text, unsigned size[2]);
/* Index of a rule of MUL_ZERO (0: Direct3D's, 1: IEEE's) and of an instruction set; -1: unknown. */
int api_config_find_mul_zero(const char *text);
int api_config_find_isa(const char *text);
/* Thousandths, of which at most three digits count: "0.75" gives 750; 0: no number. */
unsigned api_config_parse_scale(const char *text);

#endif
