/* Settings in force: reads novem.conf and the environment, and lists the settings for users. */
#include "api/config/config.h"

#include "api/api.h"
#include "api/config/keys.h"
#include "util/cpu.h"
#include "util/fault_injection.h"
#include "util/log.h"
#include "util/path.h"
#include "util/system.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/stat.h>
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/auxv.h>
#endif

enum { CHANGED_BYTES = 32 << 10 }; /* all texts of changed values */
enum { PATH_BYTES = PATH_TEXT_BYTES, LINE_BYTES = 1024, FILE_MOST_BYTES = 1 << 20 };

/* Source of a value; later ones take precedence. */
enum origin { BY_DEFAULT, FROM_PROGRAM, FROM_FILE, FROM_SECTION, FROM_ENVIRONMENT };

static struct {
    char value[CONFIG_VALUE_BYTES];
    enum origin origin;
    unsigned line; /* line of the file */
} settings[CONFIG_COUNT];
static char file_name[PATH_BYTES];   /* path of novem.conf; empty: there is none */
static const char *program_override; /* replaces the name of the process; NULL: not replaced */
static const char *folder_override;  /* replaces the folder of the process; NULL: not replaced */
static unsigned program_section;     /* line of the first section of the program; 0: none */
static char other_sections[200];     /* names of the first other ones, "a.exe, b.exe" */
static unsigned unknown_renderers;   /* faults and variants in the file that do not exist */
static unsigned mistakes; /* settings in the file and the environment that have no effect */
static _Atomic(const char *) changed[CONFIG_COUNT]; /* while the program runs; NULL: not changed */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of api_config_set and load */
static bool loaded;

/* --- Programs with the rights of another user ---------------------------------------------------
 */

/* Whether the program is a set-user-ID or set-group-ID program, whose environment comes from a user
 * with fewer rights (secure_getenv of glibc makes the same test). */
static bool is_privileged(void)
{
#if defined(__linux__)
    return getauxval(AT_SECURE) != 0;
#elif defined(_WIN32)
    return false;
#else
    return issetugid();
#endif
}

/* Reads an environment variable, which may lie in out. One that could make a privileged program
 * write a file or open a port is ignored. */
static const char *variable(const char *name, bool writes, char out[PATH_BYTES])
{
    const char *value = path_variable(name, out, PATH_BYTES);

    if (!value || !writes || !is_privileged())
        return value;
    log_warn("api", "%s is ignored: the program runs with the rights of another user", name);
    return NULL;
}

/* A privileged program reads no file of the user who started it: its folder may be that user's. */
static bool is_trusted(FILE *file)
{
#ifdef _WIN32
    (void)file;
    return true;
#else
    struct stat about;

    return !is_privileged() ||
           (!fstat(fileno(file), &about) && (about.st_uid == 0 || about.st_uid == geteuid()));
#endif
}

/* --- Loading ---------------------------------------------------------------------------------- */

static void set_value(enum config_key key, const char *value, enum origin origin, unsigned line)
{
    if (origin < settings[key].origin)
        return;
    snprintf(settings[key].value, CONFIG_VALUE_BYTES, "%s", value);
    settings[key].origin = origin;
    settings[key].line = line;
}

/* Returns the end of the folder in *out, which receives at least that. */
static const char *program_folder(char *out, size_t size)
{
    int n;

    if (!folder_override)
        return path_of_program(out, size);
    n = snprintf(out, size, "%s/", folder_override);
    return out + ((size_t)n < size ? n : 0);
}

static FILE *open_file(void)
{
    char program[PATH_BYTES - 16], buffer[PATH_BYTES];
    const char *named = variable("NOVEM_CONFIG", true, buffer);
    const char *name = program_folder(program, sizeof(program));
    FILE *file;
    int n = named
                ? snprintf(file_name, PATH_BYTES, "%s", named)
                : snprintf(file_name, PATH_BYTES, "%.*snovem.conf", (int)(name - program), program);

    errno = ENAMETOOLONG;
    file = n < PATH_BYTES ? path_open(file_name, "r") : NULL;
    if (!file && named)
        log_warn("api", "%s: cannot open the file (NOVEM_CONFIG): %s", file_name, strerror(errno));
    if (file && !is_trusted(file)) {
        log_warn("api", "%s is ignored: the file of a user without the program's rights",
                 file_name);
        fclose(file);
        file = NULL;
    }
    if (!file)
        file_name[0] = '\0';
    return file;
}

/* Reads a line without its end; returns false at the end of the file, and when none of *left bytes
 * is left: devices have no end. *whole: it fits and has no zero byte. */
static bool read_line(FILE *file, char line[LINE_BYTES], bool *whole, size_t *left)
{
    size_t n = 0;
    int c = EOF;

    *whole = true;
    while (*left && --*left && (c = getc(file)) != EOF && c != '\n')
        if (c && n < LINE_BYTES - 1)
            line[n++] = (char)c;
        else
            *whole = false;
    line[n] = '\0';
    return c != EOF || n || !*whole;
}

/* Editors for Windows write a byte order mark. */
static char *without_mark(char *line, unsigned number)
{
    return number == 1 && !strncmp(line, "\xef\xbb\xbf", 3) ? line + 3 : line;
}

static void note_line(const char *line, unsigned number)
{
    if (line[strspn(line, " \t")] != '#')
        log_warn("api", "%s:%u: the line is ignored: it has %d bytes or more, or a zero byte",
                 file_name, number, LINE_BYTES);
}

/* place: where the name stands; prefix: of the names that the user types there. */
static void warn_of_name(const char *place, const char *name, const char *prefix)
{
    struct suggestion s;

    suggestion_init(&s, name);
    for (unsigned key = 0; key < CONFIG_COUNT; key++)
        suggestion_offer(&s, api_config_keys[key].name);
    if (*prefix)
        suggestion_offer(&s, "CONFIG");
    if (s.best)
        log_warn("api", "%s: no setting is called '%s'; did you mean %s%s?", place, name, prefix,
                 s.best);
    else
        log_warn("api", "%s: no setting is called '%s'; `novem config --list` lists them", place,
                 name);
    mistakes++;
}

static void warn_of_value(const char *place, enum config_key key, const char *value)
{
    char word[LOG_WORD_BYTES];
    struct suggestion s;

    if (key == CONFIG_LOG) {
        log_levels_suggest(value, word, &s);
    } else {
        suggestion_init(&s, value);
        api_config_offer_values(key, &s);
    }
    log_warn("api", "%s = %s is ignored: the value is not %s" SUGGESTION_FORMAT, place, value,
             api_config_accepted(key), SUGGESTION_ARGS(s));
    mistakes++;
}

static bool enter_section(const char *name, const char *program, unsigned line)
{
    size_t n = strlen(other_sections);

    if (strcasecmp(name, program)) {
        if (n + strlen(name) + 3 < sizeof(other_sections))
            snprintf(other_sections + n, sizeof(other_sections) - n, "%s%s", n ? ", " : "", name);
        return false;
    }
    if (!program_section)
        program_section = line;
    return true;
}

static void read_lines(FILE *file, const char *program)
{
    enum origin origin = FROM_FILE;
    bool applies = true, whole;
    char line[LINE_BYTES], place[PATH_BYTES + 64];
    size_t left = FILE_MOST_BYTES;

    for (unsigned number = 1; read_line(file, line, &whole, &left); number++) {
        enum config_key key = CONFIG_COUNT;
        const char *value;

        if (!whole) {
            note_line(line, number);
            continue;
        }
        switch (api_config_parse(without_mark(line, number), &key, &value)) {
        case CONFIG_SECTION:
            origin = FROM_SECTION;
            applies = enter_section(value, program, number);
            break;
        case CONFIG_SETTING:
            if (applies)
                set_value(key, value, origin, number);
            break;
        case CONFIG_RENAMED:
            log_error("api", "%s:%u: %s is ignored: the setting is now called %s", file_name,
                      number, value, api_config_keys[key].name);
            mistakes++;
            break;
        case CONFIG_UNKNOWN:
            snprintf(place, sizeof(place), "%s:%u", file_name, number);
            warn_of_name(place, value, "");
            break;
        case CONFIG_INVALID:
            snprintf(place, sizeof(place), "%s:%u: %s", file_name, number,
                     api_config_keys[key].name);
            warn_of_value(place, key, value);
            unknown_renderers += applies && (key == CONFIG_FAULT || key == CONFIG_VARIANT);
            break;
        case CONFIG_MALFORMED:
            log_warn("api", "%s:%u: '%s' is ignored: neither `name = value` nor `[program.exe]`",
                     file_name, number, value);
            mistakes++;
            break;
        case CONFIG_NOTHING:
            break;
        }
    }
    if (ferror(file))
        log_warn("api", "%s: cannot be read: %s", file_name, strerror(errno));
    else if (!left)
        log_warn("api", "%s: the settings behind the first %d bytes are ignored", file_name,
                 FILE_MOST_BYTES);
}

static void read_file(void)
{
    char program[PATH_BYTES];
    const char *name = path_of_program(program, sizeof(program));
    FILE *file = open_file();

    if (!file)
        return;
    read_lines(file, program_override ? program_override : name);
    fclose(file);
}

/* Names of variables have no case on Windows. */
#ifdef _WIN32
static bool is_same_variable(const char *a, size_t length, const char *b)
{
    return strlen(b) == length && !_strnicmp(a, b, length);
}
#else
static bool is_same_variable(const char *a, size_t length, const char *b)
{
    return strlen(b) == length && !strncmp(a, b, length);
}
#endif

static void check_renamed_variables(void)
{
    char buffer[PATH_BYTES];

    for (unsigned i = 0; i < RENAMED_SETTINGS; i++) {
        const struct renamed_setting *renamed = &api_config_renamed[i];

        if (!path_variable(renamed->variable, buffer, sizeof(buffer)))
            continue;
        log_error("api", "%s is ignored: the setting is now called %s", renamed->variable,
                  api_config_keys[renamed->key].variable);
        mistakes++;
    }
}

static void close_defaults(void)
{
    pthread_mutex_lock(&lock);
    loaded = true;
    pthread_mutex_unlock(&lock);
}

enum status api_config_set(enum config_key key, const char *value)
{
    enum status st = ST_OK;

    pthread_mutex_lock(&lock);
    if (loaded)
        st = ST_BUSY;
    else if (!api_config_is_valid(key, value))
        st = ST_INVALID;
    else
        set_value(key, value, FROM_PROGRAM, 0);
    pthread_mutex_unlock(&lock);
    return st;
}

static bool is_known(const char *variable_name, size_t length)
{
    /* Variables that are no settings: the last ones are for Novem's own tests. */
    static const char *const others[] = {"NOVEM_CONFIG", "NOVEM_DATA", "NOVEM_ORACLE",
                                         "NOVEM_FUZZ_SECONDS"};

    for (unsigned key = 0; key < CONFIG_COUNT; key++)
        if (is_same_variable(variable_name, length, api_config_keys[key].variable))
            return true;
    for (unsigned i = 0; i < RENAMED_SETTINGS; i++)
        if (is_same_variable(variable_name, length, api_config_renamed[i].variable))
            return true;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (is_same_variable(variable_name, length, others[i]))
            return true;
    return !strncmp(variable_name, "NOVEM_TEST_", strlen("NOVEM_TEST_"));
}

/* assignment: NAME=VALUE of the environment. */
static void check_variable(const char *assignment)
{
    size_t length = strcspn(assignment, "="), prefix = strlen("NOVEM_");
    char name[CONFIG_VALUE_BYTES];
    const char *typed = name + prefix;

    if (strncasecmp(assignment, "NOVEM_", prefix) || is_known(assignment, length))
        return;
    snprintf(name, sizeof(name), "%.*s", (int)length, assignment);
    warn_of_name(name, typed, "NOVEM_");
}

/* Reports variables whose names begin with NOVEM_ and that no setting has. */
#ifdef _WIN32
static void check_variables(void)
{
    wchar_t *all = GetEnvironmentStringsW();
    char text[PATH_BYTES];

    for (const wchar_t *one = all; one && *one; one += wcslen(one) + 1)
        if (path_narrow(text, sizeof(text), one))
            check_variable(text);
    if (all)
        FreeEnvironmentStringsW(all);
}
#else
static void check_variables(void)
{
    for (char **one = system_environment(); one && *one; one++)
        check_variable(*one);
}
#endif

#ifdef _WIN32
/* Whether the program has windows, as its file says; others have a console. */
static bool has_windows(void)
{
    const char *image = (const char *)GetModuleHandleA(NULL);
    const IMAGE_DOS_HEADER *dos = (const void *)image;
    const IMAGE_NT_HEADERS *nt = (const void *)(image + dos->e_lfanew);

    return nt->OptionalHeader.Subsystem != IMAGE_SUBSYSTEM_WINDOWS_CUI;
}
#else
static bool has_windows(void)
{
    return false; /* a program's folder is not the place for logs there */
}
#endif

static void choose_log_place(void)
{
    static const char file[] = "novem.log";
    char program[PATH_BYTES - sizeof(file)], path[PATH_BYTES];
    const char *name = path_of_program(program, sizeof(program));

    snprintf(path, sizeof(path), "%.*s%s", (int)(name - program), program, file);
    log_set_place(api_config_text(CONFIG_LOG_FILE), *name && has_windows() ? path : NULL);
}

static void load(void)
{
    char buffer[PATH_BYTES];

    close_defaults();
    read_file();
    check_renamed_variables();
    check_variables();
    for (unsigned key = 0; key < CONFIG_COUNT; key++) {
        const char *value =
            variable(api_config_keys[key].variable, api_config_keys[key].writes_files, buffer);

        if (value && api_config_is_valid(key, value))
            set_value(key, value, FROM_ENVIRONMENT, 0);
        else if (value && *value) /* an empty variable that is no value is as none */
            warn_of_value(api_config_keys[key].variable, key, value);
    }
    if (settings[CONFIG_LOG].origin)
        log_set_levels(settings[CONFIG_LOG].value);
    choose_log_place();
    if (settings[CONFIG_SIMD].origin &&
        cpu_set_isa(api_config_find_isa(settings[CONFIG_SIMD].value)) != ST_OK)
        log_warn("api", "SIMD = %s: not supported by this processor", settings[CONFIG_SIMD].value);
}

void api_config_load(void)
{
    pthread_once(&once, load);
}

/* Keeps each text once, for ever: other threads may still use the former value. The lock is held.
 * NULL: there is no room. */
static const char *keep_text(const char *value)
{
    static char texts[CHANGED_BYTES];
    static size_t used;
    size_t bytes = strlen(value) + 1;
    char *text = texts;

    for (; text < texts + used; text += strlen(text) + 1)
        if (!strcmp(text, value))
            return text;
    if (bytes > sizeof(texts) - used)
        return NULL;
    used += bytes;
    return memcpy(text, value, bytes);
}

enum status api_config_change(enum config_key key, const char *value)
{
    const char *text;

    if (!api_config_is_valid(key, value))
        return ST_INVALID;
    pthread_mutex_lock(&lock);
    text = keep_text(value);
    if (text)
        atomic_store(&changed[key], text);
    pthread_mutex_unlock(&lock);
    return text ? ST_OK : ST_NOMEM;
}

bool api_config_is_changed(enum config_key key)
{
    return atomic_load(&changed[key]) != NULL;
}

const char *api_config_text(enum config_key key)
{
    const char *text = atomic_load_explicit(&changed[key], memory_order_acquire);

    if (text)
        return text;
    return settings[key].origin ? settings[key].value : api_config_keys[key].value;
}

unsigned api_config_number(enum config_key key)
{
    const char *text = api_config_text(key);

    return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

bool api_config_size(enum config_key key, unsigned size[2])
{
    const char *text = api_config_text(key);

    return text && api_config_parse_size(text, size);
}

bool api_config_on(enum config_key key)
{
    return !strcasecmp(api_config_text(key), "on");
}

unsigned api_config_choice(enum config_key key)
{
    int word = api_config_find_word(key, api_config_text(key));

    return word < 0 ? 0 : (unsigned)word;
}

bool api_config_ieee(void)
{
    return api_config_find_mul_zero(api_config_text(CONFIG_MUL_ZERO)) == 1;
}

bool api_config_has_panel(void)
{
    return strcasecmp(api_config_text(CONFIG_CONTROL), "off") != 0;
}

unsigned api_config_scale(void)
{
    return api_config_parse_scale(api_config_text(CONFIG_RENDER_SCALE));
}

unsigned api_config_forced(enum config_key key)
{
    const char *text = api_config_text(key);

    return strcasecmp(text, "program") ? api_config_number(key) + !strcmp(text, "0") : 0;
}

/* --- Settings that change pictures ------------------------------------------------------------ */

/* FAULT = none injects nothing, as no FAULT does. */
static bool changes_pictures(enum config_key key)
{
    const char *value = api_config_text(key), *usual = api_config_keys[key].value;

    if (!api_config_keys[key].changes_pictures || !value)
        return false;
    if (key == CONFIG_FAULT)
        return fault_find(value) != FAULT_NONE;
    if (key == CONFIG_RENDER_SCALE) /* "1.0" is 1 */
        return api_config_scale() != 1000;
    return !usual || strcasecmp(value, usual) != 0;
}

size_t api_config_picture_changes(char *out, size_t size)
{
    size_t length = 0;

    api_config_load();
    if (size)
        out[0] = '\0';
    for (unsigned key = 0; key < CONFIG_COUNT; key++) {
        size_t left = length < size ? size - length : 0;

        if (changes_pictures((enum config_key)key))
            length +=
                (size_t)snprintf(left ? out + length : NULL, left, "%s%s=%s", length ? " " : "",
                                 api_config_keys[key].name, api_config_text((enum config_key)key));
    }
    return length;
}

const char *api_config_file(void)
{
    return file_name;
}

/* --- Listing for users ------------------------------------------------------------------------ */

static void describe_origin(enum config_key key, char *out, size_t size)
{
    if (api_config_is_changed(key)) {
        snprintf(out, size, "control panel");
        return;
    }
    switch (settings[key].origin) {
    case BY_DEFAULT:
        snprintf(out, size, "default");
        break;
    case FROM_PROGRAM:
        snprintf(out, size, "program");
        break;
    case FROM_FILE:
    case FROM_SECTION:
        snprintf(out, size, "%s:%u", file_name, settings[key].line);
        break;
    case FROM_ENVIRONMENT:
        snprintf(out, size, "%s", api_config_keys[key].variable);
        break;
    }
}

void api_config_program(char *out, size_t size)
{
    char path[PATH_BYTES];

    snprintf(out, size, "%s", path_of_program(path, sizeof(path)));
}

void api_config_set_program(const char *name)
{
    program_override = name;
}

void api_config_set_folder(const char *folder)
{
    folder_override = folder;
}

unsigned api_config_section(const char **others)
{
    api_config_load();
    *others = other_sections;
    return program_section;
}

bool api_config_has_mistakes(void)
{
    api_config_load();
    return mistakes != 0;
}

bool api_config_has_unknown_renderer(void)
{
    api_config_load();
    return unknown_renderers != 0;
}

bool api_setting(unsigned index, struct api_setting *out)
{
    api_config_load();
    if (index >= CONFIG_COUNT)
        return false;
    *out = (struct api_setting){.name = api_config_keys[index].name,
                                .help = api_config_keys[index].help,
                                .default_value = api_config_keys[index].value,
                                .value = api_config_text((enum config_key)index),
                                .is_picture_setting = api_config_keys[index].changes_pictures,
                                .changes_pictures = changes_pictures((enum config_key)index)};
    describe_origin((enum config_key)index, out->origin, sizeof(out->origin));
    return true;
}
