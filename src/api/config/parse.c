/* The table of settings, the check of their values, and the parser of a line of novem.conf.
 * Tested by tests/unit/api/config/test_config.c and tests/fuzz/api/test_config.c. */
#include "api/config/keys.h"
#include "util/cpu.h"
#include "util/fault_injection.h"
#include "util/log.h"
#include "util/variant.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct config_entry api_config_keys[CONFIG_COUNT] = {
#define KEY(id, name, kind, value, help)                                                           \
    {name, "NOVEM_" name, KIND_##kind, value, help, false, false},
#define PICTURE_KEY(id, name, kind, value, help)                                                   \
    {name, "NOVEM_" name, KIND_##kind, value, help, true, false},
#define FILE_KEY(id, name, kind, value, help)                                                      \
    {name, "NOVEM_" name, KIND_##kind, value, help, false, true},
#include "api/config/config.def"
#undef KEY
};

const struct renamed_setting api_config_renamed[RENAMED_SETTINGS] = {
#define RENAMED(old, id) {old, "NOVEM_" old, CONFIG_##id},
#include "api/config/renamed.def"
#undef RENAMED
};

static const char *const mul_zero_rules[] = {"d3d9", "ieee"};
enum { MUL_ZERO_RULES = sizeof(mul_zero_rules) / sizeof(mul_zero_rules[0]) };

int api_config_find_isa(const char *text)
{
    for (int i = 0; i < ISA_COUNT; i++)
        if (!strcasecmp(text, cpu_isa_name(i)))
            return i;
    return -1;
}

int api_config_find_mul_zero(const char *text)
{
    for (int i = 0; i < MUL_ZERO_RULES; i++)
        if (!strcasecmp(text, mul_zero_rules[i]))
            return i;
    return -1;
}

/* Words of settings, in the order of their enumerations. */
enum { WORDS_MAX = 4 };
static const char *const words[][WORDS_MAX] = {
    [KIND_SCALING] = {"stretch", "aspect", "integer"},
    [KIND_SCALE_FILTER] = {"nearest", "linear", "sharp"},
    [KIND_FULLSCREEN] = {"program", "off", "borderless"},
    [KIND_MOUSE] = {"picture", "window"},
    [KIND_CORNER] = {"top-left", "top-right", "bottom-left", "bottom-right"},
};

int api_config_find_word(enum config_key key, const char *text)
{
    enum config_kind kind = api_config_keys[key].kind;

    if (kind >= sizeof(words) / sizeof(words[0]))
        return -1;
    for (int i = 0; i < WORDS_MAX && words[kind][i]; i++)
        if (!strcasecmp(text, words[kind][i]))
            return i;
    return -1;
}

enum { MOST_FRAMES = 999999999, SIZE_LEAST = 64, SIZE_MOST = 8192 };

static bool is_number(const char *text, unsigned long most)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    return isdigit((unsigned char)*text) && !*end && n <= most;
}

/* Reads a side of a size; returns NULL if there is none. */
static const char *parse_side(const char *text, unsigned *side)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (!isdigit((unsigned char)*text) || n < SIZE_LEAST || n > SIZE_MOST)
        return NULL;
    *side = (unsigned)n;
    return end;
}

bool api_config_parse_size(const char *text, unsigned size[2])
{
    const char *end = parse_side(text, &size[0]);

    if (!end || tolower((unsigned char)*end) != 'x')
        return false;
    end = parse_side(end + 1, &size[1]);
    return end && !*end;
}

static bool is_switch(const char *text)
{
    return !strcasecmp(text, "on") || !strcasecmp(text, "off");
}

static bool is_tile(const char *text)
{
    return !strcmp(text, "8") || !strcmp(text, "16") || !strcmp(text, "32") || !strcmp(text, "64");
}

static bool is_hex(const char *text)
{
    size_t n = strlen(text);

    return n && n <= 4 && strspn(text, "0123456789abcdefABCDEF") == n;
}

static bool is_port(const char *text)
{
    return !strcasecmp(text, "off") || is_number(text, 65535);
}

unsigned api_config_parse_scale(const char *text)
{
    unsigned whole = 0, part = 0, unit = 100;
    const char *c = text;

    for (; isdigit((unsigned char)*c) && whole < 1000; c++)
        whole = whole * 10 + (unsigned)(*c - '0');
    if (c == text)
        return 0;
    if (*c == '.')
        for (c++; isdigit((unsigned char)*c); c++, unit /= 10)
            part += unit * (unsigned)(*c - '0');
    return *c ? 0 : whole * 1000 + part;
}

static bool is_scale(const char *text)
{
    unsigned scale = api_config_parse_scale(text);

    return scale >= 250 && scale <= 2000;
}

static bool is_taps(const char *text)
{
    return !strcasecmp(text, "program") || (is_number(text, 16) && strtoul(text, NULL, 10) > 0);
}

static bool is_samples(const char *text)
{
    return !strcasecmp(text, "program") || (strlen(text) == 1 && strchr("01248", *text));
}

static const char *const adapters[] = {
#define PROFILE(name, ...) name,
#include "api/config/adapters.def"
#undef PROFILE
};
enum { ADAPTERS = sizeof(adapters) / sizeof(adapters[0]) };

static bool is_adapter(const char *text)
{
    for (unsigned i = 0; i < ADAPTERS; i++)
        if (!strcasecmp(text, adapters[i]))
            return true;
    return false;
}

static bool is_model(const char *text)
{
    return *text >= '0' && *text <= '3' && !text[1];
}

bool api_config_is_valid(enum config_key key, const char *value)
{
    unsigned size[2];

    if (strlen(value) >= CONFIG_VALUE_BYTES)
        return false;
    switch (api_config_keys[key].kind) {
    case KIND_NUMBER:
        return is_number(value, 4096);
    case KIND_FRAME:
        return is_number(value, MOST_FRAMES);
    case KIND_LEVELS:
        return log_levels_ok(value);
    case KIND_ISA:
        return api_config_find_isa(value) >= 0;
    case KIND_MUL_ZERO:
        return api_config_find_mul_zero(value) >= 0;
    case KIND_SWITCH:
        return is_switch(value);
    case KIND_JIT:
        return is_switch(value) || !strcasecmp(value, "eager");
    case KIND_TILE:
        return is_tile(value);
    case KIND_HEX:
        return is_hex(value);
    case KIND_PORT:
        return is_port(value);
    case KIND_ADAPTER:
        return is_adapter(value);
    case KIND_MODEL:
        return is_model(value);
    case KIND_CAPS:
        return !strcasecmp(value, "hardware") || !strcasecmp(value, "reference");
    case KIND_SCALING:
    case KIND_SCALE_FILTER:
    case KIND_CORNER:
    case KIND_FULLSCREEN:
    case KIND_MOUSE:
        return api_config_find_word(key, value) >= 0;
    case KIND_FACTOR:
        return *value >= '1' && *value <= '4' && !value[1];
    case KIND_PERCENT:
        return is_number(value, 100);
    case KIND_SIZE:
        return api_config_parse_size(value, size);
    case KIND_VARIANT_NAME:
        return variant_find(value) != NULL;
    case KIND_FAULT_NAME:
        return fault_find(value) != FAULT_COUNT;
    case KIND_SCALE:
        return is_scale(value);
    case KIND_TAPS:
        return is_taps(value);
    case KIND_SAMPLES:
        return is_samples(value);
    case KIND_TEXT:
        break;
    }
    return true;
}

enum config_key api_config_find(const char *name)
{
    enum config_key key = 0;

    while (key < CONFIG_COUNT && strcasecmp(name, api_config_keys[key].name))
        key++;
    return key;
}

const char *api_config_accepted(enum config_key key)
{
    static const char *const texts[] = {
        [KIND_NUMBER] = "a number from 0 to 4096",
        [KIND_FRAME] = "a number from 0 to 999999999",
        [KIND_TEXT] = "a shorter text",
        [KIND_LEVELS] =
            "none, error, warn, info or debug, and levels of parts after commas: warn,tex=debug",
        [KIND_ISA] = "scalar, sse2, avx2, avx512 or neon",
        [KIND_MUL_ZERO] = "d3d9 or ieee",
        [KIND_SWITCH] = "on or off",
        [KIND_JIT] = "on, off or eager",
        [KIND_TILE] = "8, 16, 32 or 64",
        [KIND_HEX] = "a number of 1 to 4 hexadecimal digits, without 0x",
        [KIND_PORT] = "off, or a number from 0 to 65535",
        [KIND_ADAPTER] = "the name of an adapter",
        [KIND_MODEL] = "0, 1, 2 or 3",
        [KIND_CAPS] = "hardware or reference",
        [KIND_SCALING] = "stretch, aspect or integer",
        [KIND_SCALE_FILTER] = "nearest, linear or sharp",
        [KIND_CORNER] = "top-left, top-right, bottom-left or bottom-right",
        [KIND_FACTOR] = "1, 2, 3 or 4",
        [KIND_PERCENT] = "a number from 0 to 100",
        [KIND_FULLSCREEN] = "program, off or borderless",
        [KIND_MOUSE] = "picture or window",
        [KIND_SIZE] = "WIDTHxHEIGHT, from 64x64 to 8192x8192: 1280x720",
        [KIND_VARIANT_NAME] = "the name of a variant renderer",
        [KIND_FAULT_NAME] = "the name of a fault",
        [KIND_SCALE] = "a number from 0.25 to 2",
        [KIND_TAPS] = "program or a number from 1 to 16",
        [KIND_SAMPLES] = "program, 1, 2, 4 or 8",
    };

    return texts[api_config_keys[key].kind];
}

void api_config_offer_values(enum config_key key, struct suggestion *s)
{
    switch (api_config_keys[key].kind) {
    case KIND_ISA:
        for (int i = 0; i < ISA_COUNT; i++)
            suggestion_offer(s, cpu_isa_name(i));
        break;
    case KIND_ADAPTER:
        for (unsigned i = 0; i < ADAPTERS; i++)
            suggestion_offer(s, adapters[i]);
        break;
    case KIND_VARIANT_NAME:
        for (unsigned i = 0; i < variant_count(); i++)
            suggestion_offer(s, variant_get(i)->name);
        break;
    case KIND_FAULT_NAME:
        for (unsigned i = 0; i < FAULT_COUNT; i++)
            suggestion_offer(s, fault_name(i));
        break;
    default: /* the message lists all values */
        break;
    }
}

static char *trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static bool section(char *text, const char **value)
{
    size_t n = strlen(text);

    if (text[0] != '[' || text[n - 1] != ']')
        return false;
    text[n - 1] = '\0';
    *value = trim(text + 1);
    return true;
}

enum config_line api_config_parse(char *line, enum config_key *key, const char **value)
{
    char *name = trim(line), *equals = strchr(name, '=');

    if (!*name || *name == '#')
        return CONFIG_NOTHING;
    if (section(name, value))
        return CONFIG_SECTION;
    if (!equals) {
        *value = name;
        return CONFIG_MALFORMED;
    }
    *equals = '\0';
    name = trim(name);
    *value = trim(equals + 1);
    *key = api_config_find(name);
    if (*key != CONFIG_COUNT)
        return api_config_is_valid(*key, *value) ? CONFIG_SETTING : CONFIG_INVALID;
    for (unsigned i = 0; i < RENAMED_SETTINGS; i++) {
        if (strcasecmp(name, api_config_renamed[i].name))
            continue;
        *key = api_config_renamed[i].key;
        *value = name;
        return CONFIG_RENAMED;
    }
    *value = name;
    return CONFIG_UNKNOWN;
}
