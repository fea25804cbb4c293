/* Settings: parser, validator and documentation of novem.conf and the environment, all from one
 * table. */
#include "api/config/config.h"

#include "api/api.h"
#include "api/adapter/profiles.h"
#include "util/fault_injection.h"
#include "util/cpu.h"
#include "util/log.h"
#include "util/variant.h"

#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

enum kind {
    NUMBER,
    TEXT,
    LEVELS,
    ISA,
    MUL_ZERO,
    SWITCH,
    TILE,
    HEX,
    ADAPTER,
    MODEL,
    VARIANT_NAME,
    FAULT_NAME
};
enum { VALUE_BYTES = 512, PATH_BYTES = 1024 };

static const struct {
    const char *name, *variable;
    enum kind kind;
    const char *value, *help;
} keys[CONFIG_COUNT] = {
#define KEY(id, name, kind, value, help) {name, "NOVEM_" name, kind, value, help},
#include "api/config/config.def"
#undef KEY
};

static const struct renamed_setting {
    const char *name, *variable;
    enum config_key key;
} renamed_settings[] = {
#define RENAMED(old, id) {old, "NOVEM_" old, CONFIG_##id},
#include "api/config/renamed.def"
#undef RENAMED
};
enum { RENAMED_SETTINGS = sizeof(renamed_settings) / sizeof(renamed_settings[0]) };

/* Source of a value; later ones take precedence. */
enum origin { BY_DEFAULT, FROM_FILE, FROM_SECTION, FROM_ENVIRONMENT };

static struct {
    char value[VALUE_BYTES];
    enum origin origin;
    unsigned line; /* line of the file */
} settings[CONFIG_COUNT];
static char file_name[PATH_BYTES];   /* path of novem.conf; empty: there is none */
static const char *program_override; /* replaces the name of the process; NULL: not replaced */
static unsigned renamed_uses;        /* uses of former names in the file and the environment */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *const mul_zero_rules[] = {"d3d9", "ieee"};
enum { MUL_ZERO_RULES = sizeof(mul_zero_rules) / sizeof(mul_zero_rules[0]) };

static int find_isa(const char *text)
{
    for (int i = 0; i < ISA_COUNT; i++)
        if (!strcasecmp(text, cpu_isa_name(i)))
            return i;
    return -1;
}

static int find_mul_zero(const char *text)
{
    for (int i = 0; i < MUL_ZERO_RULES; i++)
        if (!strcasecmp(text, mul_zero_rules[i]))
            return i;
    return -1;
}

static bool is_number(const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    return isdigit((unsigned char)*text) && !*end && n <= 4096;
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

static bool is_model(const char *text)
{
    return *text >= '0' && *text <= '3' && !text[1];
}

static bool valid(enum config_key key, const char *value)
{
    if (strlen(value) >= VALUE_BYTES)
        return false;
    switch (keys[key].kind) {
    case NUMBER:
        return is_number(value);
    case LEVELS:
        return log_levels_ok(value);
    case ISA:
        return find_isa(value) >= 0;
    case MUL_ZERO:
        return find_mul_zero(value) >= 0;
    case SWITCH:
        return is_switch(value);
    case TILE:
        return is_tile(value);
    case HEX:
        return is_hex(value);
    case ADAPTER:
        return api_adapter_profile_exists(value);
    case MODEL:
        return is_model(value);
    case VARIANT_NAME:
        return variant_find(value) != NULL;
    case FAULT_NAME:
        return fault_find(value) != FAULT_COUNT;
    case TEXT:
        break;
    }
    return true;
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
    if (!equals)
        return CONFIG_WRONG;
    *equals = '\0';
    name = trim(name);
    *value = trim(equals + 1);
    for (*key = 0; *key < CONFIG_COUNT; (*key)++)
        if (!strcasecmp(name, keys[*key].name))
            return valid(*key, *value) ? CONFIG_SETTING : CONFIG_WRONG;
    for (unsigned i = 0; i < RENAMED_SETTINGS; i++) {
        if (strcasecmp(name, renamed_settings[i].name))
            continue;
        *key = renamed_settings[i].key;
        *value = name;
        return CONFIG_RENAMED;
    }
    return CONFIG_WRONG;
}

/* --- Loading ---------------------------------------------------------------------------------- */

static void set_value(enum config_key key, const char *value, enum origin origin, unsigned line)
{
    if (origin < settings[key].origin)
        return;
    snprintf(settings[key].value, VALUE_BYTES, "%s", value);
    settings[key].origin = origin;
    settings[key].line = line;
}

/* Returns the name of the program inside *out, which receives its path; both are empty where the
 * path is unknown. */
static const char *program_path(char *out, size_t size)
{
    const char *name = out;

    out[0] = '\0';
#ifdef _WIN32
    DWORD n = GetModuleFileNameA(NULL, out, (DWORD)size);
#else
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
#endif
    out[n > 0 && (size_t)n < size ? n : 0] = '\0';
    for (const char *c = out; *c; c++)
        if (*c == '/' || *c == '\\')
            name = c + 1;
    return name;
}

static FILE *open_file(void)
{
    const char *named = getenv("NOVEM_CONFIG");
    char program[PATH_BYTES - 16];
    const char *name = program_path(program, sizeof(program));
    FILE *file;

    if (named)
        snprintf(file_name, sizeof(file_name), "%s", named);
    else
        snprintf(file_name, sizeof(file_name), "%.*snovem.conf", (int)(name - program), program);
    file = fopen(file_name, "r");
    if (!file && named)
        log_warn("api", "%s: cannot open the file (NOVEM_CONFIG)", file_name);
    if (!file)
        file_name[0] = '\0';
    return file;
}

static void read_lines(FILE *file, const char *program)
{
    enum origin origin = FROM_FILE;
    bool applies = true;
    char line[1024];

    for (unsigned number = 1; fgets(line, sizeof(line), file); number++) {
        enum config_key key;
        const char *value;

        switch (api_config_parse(line, &key, &value)) {
        case CONFIG_SECTION:
            origin = FROM_SECTION;
            applies = !strcasecmp(value, program);
            break;
        case CONFIG_SETTING:
            if (applies)
                set_value(key, value, origin, number);
            break;
        case CONFIG_RENAMED:
            log_error("api", "%s:%u: %s is ignored: the setting is now called %s", file_name,
                      number, value, keys[key].name);
            renamed_uses++;
            break;
        case CONFIG_WRONG:
            log_warn("api", "%s:%u: unknown setting or invalid value", file_name, number);
            break;
        case CONFIG_NOTHING:
            break;
        }
    }
}

static void read_file(void)
{
    char program[PATH_BYTES];
    const char *name = program_path(program, sizeof(program));
    FILE *file = open_file();

    if (!file)
        return;
    read_lines(file, program_override ? program_override : name);
    fclose(file);
}

static void check_renamed_variables(void)
{
    for (unsigned i = 0; i < RENAMED_SETTINGS; i++) {
        const struct renamed_setting *renamed = &renamed_settings[i];

        if (!getenv(renamed->variable))
            continue;
        log_error("api", "%s is ignored: the setting is now called %s", renamed->variable,
                  keys[renamed->key].variable);
        renamed_uses++;
    }
}

static void load(void)
{
    read_file();
    check_renamed_variables();
    for (unsigned key = 0; key < CONFIG_COUNT; key++) {
        const char *value = getenv(keys[key].variable);

        if (value && valid(key, value))
            set_value(key, value, FROM_ENVIRONMENT, 0);
        else if (value)
            log_warn("api", "%s=%s: invalid value", keys[key].variable, value);
    }
    if (settings[CONFIG_LOG].origin)
        log_set_levels(settings[CONFIG_LOG].value);
    if (settings[CONFIG_SIMD].origin && cpu_set_isa(find_isa(settings[CONFIG_SIMD].value)) != ST_OK)
        log_warn("api", "SIMD = %s: not supported by this processor", settings[CONFIG_SIMD].value);
}

void api_config_load(void)
{
    pthread_once(&once, load);
}

const char *api_config_text(enum config_key key)
{
    return settings[key].origin ? settings[key].value : keys[key].value;
}

unsigned api_config_number(enum config_key key)
{
    const char *text = api_config_text(key);

    return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

bool api_config_on(enum config_key key)
{
    return !strcasecmp(api_config_text(key), "on");
}

bool api_config_ieee(void)
{
    return find_mul_zero(api_config_text(CONFIG_MUL_ZERO)) == 1;
}

/* --- Listing for users ------------------------------------------------------------------------ */

static void describe_origin(enum config_key key, char *out, size_t size)
{
    switch (settings[key].origin) {
    case BY_DEFAULT:
        snprintf(out, size, "default");
        break;
    case FROM_FILE:
    case FROM_SECTION:
        snprintf(out, size, "%s:%u", file_name, settings[key].line);
        break;
    case FROM_ENVIRONMENT:
        snprintf(out, size, "%s", keys[key].variable);
        break;
    }
}

void api_config_set_program(const char *name)
{
    program_override = name;
}

bool api_config_uses_former_names(void)
{
    api_config_load();
    return renamed_uses != 0;
}

bool api_setting(unsigned index, struct api_setting *out)
{
    api_config_load();
    if (index >= CONFIG_COUNT)
        return false;
    *out = (struct api_setting){.name = keys[index].name,
                                .help = keys[index].help,
                                .default_value = keys[index].value,
                                .value = api_config_text((enum config_key)index)};
    describe_origin((enum config_key)index, out->origin, sizeof(out->origin));
    return true;
}
