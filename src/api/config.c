/* Configuration: one table is parser, validator and documentation. */
#include "api/config.h"

#include "util/cpu.h"
#include "util/log.h"

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

enum kind { NUMBER, TEXT, LEVEL, ISA, RULES, SWITCH, TILE };
enum { VALUE_BYTES = 512 };

static const struct {
    const char *name, *variable;
    enum kind kind;
    const char *value;
} keys[CONFIG_COUNT] = {
#define KEY(id, name, kind, value, help) {name, "NOVEM_" name, kind, value},
#include "api/config.def"
#undef KEY
};

static char settings[CONFIG_COUNT][VALUE_BYTES];
static bool present[CONFIG_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *const level_names[] = {"none", "error", "warn", "info", "debug"};
enum { LEVELS = sizeof(level_names) / sizeof(level_names[0]) };
static const char *const float_rules[] = {"d3d9", "ieee"};
enum { FLOAT_RULES = sizeof(float_rules) / sizeof(float_rules[0]) };

static int find_level(const char *text)
{
    for (int i = 0; i < LEVELS; i++)
        if (!strcasecmp(text, level_names[i]))
            return i;
    return -1;
}

static int find_isa(const char *text)
{
    for (int i = 0; i < ISA_COUNT; i++)
        if (!strcasecmp(text, cpu_isa_name(i)))
            return i;
    return -1;
}

static int find_rules(const char *text)
{
    for (int i = 0; i < FLOAT_RULES; i++)
        if (!strcasecmp(text, float_rules[i]))
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

static bool valid(enum config_key key, const char *value)
{
    if (strlen(value) >= VALUE_BYTES)
        return false;
    switch (keys[key].kind) {
    case NUMBER:
        return is_number(value);
    case LEVEL:
        return find_level(value) >= 0;
    case ISA:
        return find_isa(value) >= 0;
    case RULES:
        return find_rules(value) >= 0;
    case SWITCH:
        return is_switch(value);
    case TILE:
        return is_tile(value);
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

enum status api_config_parse(char *line, enum config_key *key, const char **value)
{
    char *name = trim(line), *equals = strchr(name, '=');

    if (!*name || *name == '#')
        return ST_NOTFOUND;
    if (!equals)
        return ST_INVALID;
    *equals = '\0';
    name = trim(name);
    *value = trim(equals + 1);
    for (*key = 0; *key < CONFIG_COUNT; (*key)++)
        if (!strcasecmp(name, keys[*key].name))
            return valid(*key, *value) ? ST_OK : ST_INVALID;
    return ST_INVALID;
}

/* --- Loading ---------------------------------------------------------------------------------- */

static void take(enum config_key key, const char *value)
{
    snprintf(settings[key], VALUE_BYTES, "%s", value);
    present[key] = true;
}

/* The folder of the program, with the separator at its end; empty where it cannot be known. */
static void program_folder(char *out, size_t size)
{
    char *last = NULL;

    out[0] = '\0';
#ifdef _WIN32
    DWORD n = GetModuleFileNameA(NULL, out, (DWORD)size);
#else
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
#endif
    if (n <= 0 || (size_t)n >= size) {
        out[0] = '\0';
        return;
    }
    out[n] = '\0';
    for (char *c = out; *c; c++)
        if (*c == '/' || *c == '\\')
            last = c;
    if (last)
        last[1] = '\0';
}

static FILE *open_file(char *path, size_t size)
{
    const char *named = getenv("NOVEM_CONFIG");
    FILE *file;
    size_t used;

    if (named) {
        snprintf(path, size, "%s", named);
        file = fopen(path, "r");
        if (!file)
            log_warn("api", "%s: cannot be read (NOVEM_CONFIG)", path);
        return file;
    }
    program_folder(path, size);
    used = strlen(path);
    snprintf(path + used, size - used, "novem.conf");
    return fopen(path, "r");
}

static void read_file(void)
{
    char path[1024], line[1024];
    unsigned number = 0;
    FILE *file = open_file(path, sizeof(path));

    while (file && fgets(line, sizeof(line), file)) {
        enum config_key key;
        const char *value;
        enum status st = api_config_parse(line, &key, &value);

        number++;
        if (st == ST_OK)
            take(key, value);
        else if (st == ST_INVALID)
            log_warn("api", "%s:%u: no such setting, or a value that is not allowed", path, number);
    }
    if (file)
        fclose(file);
}

static void load(void)
{
    read_file();
    for (unsigned key = 0; key < CONFIG_COUNT; key++) {
        const char *value = getenv(keys[key].variable);

        if (value && valid(key, value))
            take(key, value);
        else if (value)
            log_warn("api", "%s=%s: a value that is not allowed", keys[key].variable, value);
    }
    if (present[CONFIG_LOG])
        log_set_level((enum log_level)find_level(settings[CONFIG_LOG]));
    if (present[CONFIG_SIMD] && cpu_set_isa(find_isa(settings[CONFIG_SIMD])) != ST_OK)
        log_warn("api", "SIMD = %s: this processor lacks it", settings[CONFIG_SIMD]);
}

void api_config_load(void)
{
    pthread_once(&once, load);
}

const char *api_config_text(enum config_key key)
{
    return present[key] ? settings[key] : keys[key].value;
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
    return find_rules(api_config_text(CONFIG_FLOATRULES)) == 1;
}
