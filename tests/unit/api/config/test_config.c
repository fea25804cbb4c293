/* Tests of novem.conf: lines, program sections, and precedence of the environment. */
#include "api/config/config.h"

#include "api/api.h"
#include "check_main.h"
#include "util/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const struct {
    const char *line;
    enum config_line kind;
    enum config_key key;
    const char *value;
} lines[] = {
    {"", CONFIG_NOTHING, 0, NULL},
    {"   \r\n", CONFIG_NOTHING, 0, NULL},
    {"# THREADS = 3\n", CONFIG_NOTHING, 0, NULL},
    {"THREADS = 3\n", CONFIG_SETTING, CONFIG_THREADS, "3"},
    {"  threads=12  \r\n", CONFIG_SETTING, CONFIG_THREADS, "12"},
    {"THREADS = -1\n", CONFIG_INVALID, CONFIG_THREADS, "-1"},
    {"THREADS = three\n", CONFIG_INVALID, CONFIG_THREADS, "three"},
    {"THREADS = 99999999999999999999\n", CONFIG_INVALID, CONFIG_THREADS, "99999999999999999999"},
    {"THREADS =\n", CONFIG_INVALID, CONFIG_THREADS, ""},
    {"THREADS\n", CONFIG_MALFORMED, 0, "THREADS"},
    {"SINK = png:a = b, window", CONFIG_SETTING, CONFIG_SINK, "png:a = b, window"},
    {"Log = DEBUG\n", CONFIG_SETTING, CONFIG_LOG, "DEBUG"},
    {"LOG = loud\n", CONFIG_INVALID, CONFIG_LOG, "loud"},
    {"SIMD = scalar\n", CONFIG_SETTING, CONFIG_SIMD, "scalar"},
    {"SIMD = sse9\n", CONFIG_INVALID, CONFIG_SIMD, "sse9"},
    {"Mul_Zero = IEEE\n", CONFIG_SETTING, CONFIG_MUL_ZERO, "IEEE"},
    {"MUL_ZERO = d3d9\n", CONFIG_SETTING, CONFIG_MUL_ZERO, "d3d9"},
    {"Strict_Shaders = on\n", CONFIG_SETTING, CONFIG_STRICT_SHADERS, "on"},
    {"STRICT_SHADERS = yes\n", CONFIG_INVALID, CONFIG_STRICT_SHADERS, "yes"},
    {"MUL_ZERO = 1\n", CONFIG_INVALID, CONFIG_MUL_ZERO, "1"},
    {"Early_Z = off\n", CONFIG_SETTING, CONFIG_EARLY_Z, "off"},
    {"FRAGMENT_PACKING = ON\n", CONFIG_SETTING, CONFIG_FRAGMENT_PACKING, "ON"},
    {"EARLY_Z = 0\n", CONFIG_INVALID, CONFIG_EARLY_Z, "0"},
    {"Cull_Overdrawn = off\n", CONFIG_SETTING, CONFIG_CULL_OVERDRAWN, "off"},
    {"TILE_SIZE = 16\n", CONFIG_SETTING, CONFIG_TILE_SIZE, "16"},
    {"TILE_SIZE = 128\n", CONFIG_INVALID, CONFIG_TILE_SIZE, "128"},
    {"TILE_SIZE = 12\n", CONFIG_INVALID, CONFIG_TILE_SIZE, "12"},
    {"LOG = warn,tex=debug , vm = none\n", CONFIG_INVALID, CONFIG_LOG,
     "warn,tex=debug , vm = none"},
    {"LOG = warn, tex=debug\n", CONFIG_SETTING, CONFIG_LOG, "warn, tex=debug"},
    {"Vendor_ID = 10DE\n", CONFIG_SETTING, CONFIG_VENDOR_ID, "10DE"},
    {"VENDOR_ID = 0x10de\n", CONFIG_INVALID, CONFIG_VENDOR_ID, "0x10de"},
    {"VENDOR_ID = 10000\n", CONFIG_INVALID, CONFIG_VENDOR_ID, "10000"},
    {"ADAPTER = GeForce-6800\n", CONFIG_SETTING, CONFIG_ADAPTER, "GeForce-6800"},
    {"ADAPTER = voodoo\n", CONFIG_INVALID, CONFIG_ADAPTER, "voodoo"},
    {"SHADER_MODEL = 2\n", CONFIG_SETTING, CONFIG_SHADER_MODEL, "2"},
    {"Control = 8080\n", CONFIG_SETTING, CONFIG_CONTROL, "8080"},
    {"CONTROL = 0\n", CONFIG_SETTING, CONFIG_CONTROL, "0"},
    {"CONTROL = Off\n", CONFIG_SETTING, CONFIG_CONTROL, "Off"},
    {"CONTROL = on\n", CONFIG_INVALID, CONFIG_CONTROL, "on"},
    {"CONTROL = 65536\n", CONFIG_INVALID, CONFIG_CONTROL, "65536"},
    {"CONTROL = localhost:80\n", CONFIG_INVALID, CONFIG_CONTROL, "localhost:80"},
    {"SHADER_MODEL = 4\n", CONFIG_INVALID, CONFIG_SHADER_MODEL, "4"},
    {"Caps = Reference\n", CONFIG_SETTING, CONFIG_CAPS, "Reference"},
    {"CAPS = ref\n", CONFIG_INVALID, CONFIG_CAPS, "ref"},
    {"FULLSCREEN = Borderless\n", CONFIG_SETTING, CONFIG_FULLSCREEN, "Borderless"},
    {"FULLSCREEN = on\n", CONFIG_INVALID, CONFIG_FULLSCREEN, "on"},
    {"RESOLUTION = 64X8192\n", CONFIG_SETTING, CONFIG_RESOLUTION, "64X8192"},
    {"RESOLUTION = 63x480\n", CONFIG_INVALID, CONFIG_RESOLUTION, "63x480"},
    {"RESOLUTION = 640x8193\n", CONFIG_INVALID, CONFIG_RESOLUTION, "640x8193"},
    {"RESOLUTION = 640\n", CONFIG_INVALID, CONFIG_RESOLUTION, "640"},
    {"RESOLUTION = 640x+480\n", CONFIG_INVALID, CONFIG_RESOLUTION, "640x+480"},
    {"RESOLUTION = 640x480x\n", CONFIG_INVALID, CONFIG_RESOLUTION, "640x480x"},
    {" [ game one.exe ] \r\n", CONFIG_SECTION, 0, "game one.exe"},
    {"[game\n", CONFIG_MALFORMED, 0, "[game"},
    {"COLOUR = red\n", CONFIG_UNKNOWN, 0, "COLOUR"},
    {"FloatRules = ieee\n", CONFIG_RENAMED, CONFIG_MUL_ZERO, "FloatRules"},
    {"BUG = \n", CONFIG_RENAMED, CONFIG_FAULT, "BUG"},
    {"= 3\n", CONFIG_UNKNOWN, 0, ""},
};

START_TEST(single_lines)
{
    enum config_key key;
    const char *value;
    char line[128];

    snprintf(line, sizeof(line), "%s", lines[_i].line);
    ck_assert_int_eq(api_config_parse(line, &key, &value), lines[_i].kind);
    if (lines[_i].kind == CONFIG_SETTING || lines[_i].kind == CONFIG_RENAMED ||
        lines[_i].kind == CONFIG_INVALID)
        ck_assert_int_eq(key, lines[_i].key);
    if (lines[_i].value)
        ck_assert_str_eq(value, lines[_i].value);
}
END_TEST

/* --- Files ------------------------------------------------------------------------------------ */

static char path[] = "/tmp/novem-test-XXXXXX";

static void write_file(void)
{
    static const char text[] = "threads = 3\n"
                               "TILE_SIZE = 16\n"
                               "[other.exe]\n"
                               "THREADS = 5\n"
                               "SHADER_MODEL = 1\n"
                               "[Game.EXE]\n"
                               "THREADS = 7\n"
                               "nonsense = 1\n"
                               "VIDEO_MEMORY = 64\n";
    int file = mkstemp(path);

    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, sizeof(text) - 1), sizeof(text) - 1);
    close(file);
    setenv("NOVEM_CONFIG", path, 1);
    setenv("NOVEM_VIDEO_MEMORY", "128", 1);
    setenv("NOVEM_TILE_SIZE", "17", 1); /* invalid */
}

static const struct api_setting *setting(const char *name)
{
    static struct api_setting s;

    for (unsigned i = 0; api_setting(i, &s); i++)
        if (!strcmp(s.name, name))
            return &s;
    return NULL;
}

static unsigned complaints;

static void count(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    (void)level;
    (void)line;
    complaints++;
}

/* Lines of all programs, of this program and of others; the environment overrides them. */
START_TEST(program_sections)
{
    write_file();
    log_set_sink(count, NULL);
    if (_i)
        api_config_set_program("game.exe");
    ck_assert_str_eq(setting("THREADS")->value, _i ? "7" : "3");
    ck_assert_str_eq(setting("SHADER_MODEL")->value, "3");
    ck_assert_str_eq(setting("SHADER_MODEL")->origin, "default");
    ck_assert_str_eq(setting("TILE_SIZE")->value, "16");
    ck_assert_ptr_nonnull(strstr(setting("TILE_SIZE")->origin, ":2"));
    ck_assert_str_eq(setting("VIDEO_MEMORY")->value, "128");
    ck_assert_str_eq(setting("VIDEO_MEMORY")->origin, "NOVEM_VIDEO_MEMORY");
    ck_assert_uint_eq(complaints, 2);
    log_set_sink(NULL, NULL);
    unlink(path);
}
END_TEST

/* --- Lines that no setting has ---------------------------------------------------------------- */

static void write_bytes(const char *bytes, size_t n)
{
    int file = mkstemp(path);

    ck_assert_int_eq(write(file, bytes, n), (ssize_t)n);
    close(file);
    setenv("NOVEM_CONFIG", path, 1);
}

/* A long line is one line: its rest is no setting. */
START_TEST(long_lines)
{
    static char text[8192];
    static const unsigned lengths[] = {1022, 1023, 1024, 2046, 5000};
    size_t n = 0;

    n += (size_t)sprintf(text, "\xef\xbb\xbfTHREADS = 2\n"); /* as Notepad writes it */
    text[n] = _i < 5 ? '[' : '#';
    memset(text + n + 1, 'x', 8000);
    n += _i < 5 ? lengths[_i] : lengths[_i - 5];
    n += (size_t)sprintf(text + n, "TILE_SIZE = 16\nTHREADS = 3\n");
    write_bytes(text, n);
    log_set_sink(count, NULL);
    ck_assert_str_eq(setting("TILE_SIZE")->value, "64");
    ck_assert_str_eq(setting("THREADS")->value, "3");
    ck_assert_ptr_nonnull(strstr(setting("THREADS")->origin, ":3"));
    ck_assert_uint_eq(complaints, _i < 5 ? 1 : 0);
    log_set_sink(NULL, NULL);
    unlink(path);
}
END_TEST

/* A device without an end. */
START_TEST(file_without_end)
{
    setenv("NOVEM_CONFIG", "/dev/zero", 1);
    log_set_sink(count, NULL);
    ck_assert_str_eq(setting("TILE_SIZE")->value, "64");
    ck_assert_uint_eq(complaints, 2);
    log_set_sink(NULL, NULL);
}
END_TEST

START_TEST(zero_bytes)
{
    static const char text[] = "THREADS = 3\0 2\nTILE_SIZE = 16\n\0";

    write_bytes(text, sizeof(text) - 1);
    log_set_sink(count, NULL);
    ck_assert_str_eq(setting("THREADS")->value, "0");
    ck_assert_str_eq(setting("TILE_SIZE")->value, "16");
    ck_assert_uint_eq(complaints, 2);
    log_set_sink(NULL, NULL);
    unlink(path);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
    static char name[1200];

    memset(name, 'x', sizeof(name) - 1);
    setenv("NOVEM_CONFIG", _i == 0 ? "/tmp" : _i == 1 ? "/nonexistent" : name, 1);
    log_set_sink(count, NULL);
    ck_assert_str_eq(setting("TILE_SIZE")->value, "64");
    ck_assert_uint_eq(complaints, 1);
    log_set_sink(NULL, NULL);
}
END_TEST

/* --- Set-user-ID programs --------------------------------------------------------------------- */

/* Runs instead of the tests in the copy of this program: prints the settings of two variables. */
__attribute__((constructor)) static void print_settings(void)
{
    if (!getenv("NOVEM_TEST_PRINT"))
        return;
    printf("%s", getauxval(AT_SECURE) ? "privileged\n" : "plain\n");
    for (unsigned i = 0; i < 6; i++) {
        static const char *const names[] = {"SINK",      "RECORD",  "THREADS",
                                            "TILE_SIZE", "CONTROL", "LOG_FILE"};
        const char *value = setting(names[i])->value;

        printf("%s=%s\n", names[i], value ? value : "");
    }
    fflush(stdout);
    _exit(0);
}

/* Copies this program to the folder with another owner, which only root can set. */
static bool copy_program(const char *to)
{
    char command[512], self[256];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

    ck_assert_int_gt(length, 0);
    self[length] = '\0';
    snprintf(command, sizeof(command), "cp '%s' %s && chown 65534:65534 %s && chmod 6755 %s", self,
             to, to, to);
    return !geteuid() && !system(command);
}

static void run_copy(const char *program, char *printed, size_t size)
{
    char command[512];
    FILE *output;
    size_t n;

    snprintf(command, sizeof(command),
             "NOVEM_TEST_PRINT=1 NOVEM_SINK=none NOVEM_RECORD=x NOVEM_CONFIG=%s.my NOVEM_THREADS=5 "
             "NOVEM_CONTROL=0 NOVEM_LOG_FILE=x "
             "%s 2>&1",
             program, program);
    output = popen(command, "r");
    ck_assert_ptr_nonnull(output);
    n = fread(printed, 1, size - 1, output);
    printed[n] = '\0';
    ck_assert_int_eq(pclose(output), 0);
}

static void put_line(const char *folder, const char *name, const char *line)
{
    char file_path[64];
    FILE *file;

    snprintf(file_path, sizeof(file_path), "%s/%s", folder, name);
    file = fopen(file_path, "w");
    ck_assert(file && fputs(line, file) >= 0 && !fclose(file));
}

/* The user who starts the program cannot make it write files with its rights. */
START_TEST(privileged_programs)
{
    char folder[] = "/tmp/novem-setuid-XXXXXX", program[64], command[512], printed[4096];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(program, sizeof(program), "%s/game", folder);
    put_line(folder, "game.my", "TILE_SIZE = 32\n");
    put_line(folder, "novem.conf", "TILE_SIZE = 16\n");
    snprintf(command, sizeof(command), "chmod 755 %s", folder);
    ck_assert_int_eq(system(command), 0);
    if (copy_program(program)) {
        run_copy(program, printed, sizeof(printed));
        if (strstr(printed, "plain\n")) {
            puts("privileged_programs: skipped, this file system ignores set-user-ID");
        } else {
            ck_assert_msg(strstr(printed, "SINK=\n") && strstr(printed, "RECORD=\n"), "%s",
                          printed);
            ck_assert_msg(strstr(printed, "CONTROL=off\n") && strstr(printed, "LOG_FILE=\n"), "%s",
                          printed);
            ck_assert_msg(strstr(printed, "THREADS=5\n") && strstr(printed, "TILE_SIZE=16\n"), "%s",
                          printed);
            ck_assert_msg(strstr(printed, "NOVEM_SINK is ignored"), "%s", printed);
            /* A novem.conf of somebody else beside the program. */
            snprintf(command, sizeof(command), "chown 1234 %s/novem.conf", folder);
            ck_assert_int_eq(system(command), 0);
            run_copy(program, printed, sizeof(printed));
            ck_assert_msg(strstr(printed, "TILE_SIZE=64\n"), "%s", printed);
            ck_assert_msg(strstr(printed, "novem.conf is ignored"), "%s", printed);
        }
    } else {
        puts("privileged_programs: skipped, only root can make such a program");
    }
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* --- Former names ----------------------------------------------------------------------------- */

static char errors[1024];

static void collect(void *ctx, enum log_level level, const char *line)
{
    size_t n = strlen(errors);

    (void)ctx;
    ck_assert_int_eq(level, LOG_ERROR);
    snprintf(errors + n, sizeof(errors) - n, "%s\n", line);
}

/* Former names set nothing, and the log gives the new names. */
START_TEST(former_names_are_errors)
{
    static const char text[] = "[other.exe]\n"
                               "TileSize = 16\n";
    int file = mkstemp(path);

    ck_assert_int_eq(write(file, text, sizeof(text) - 1), sizeof(text) - 1);
    close(file);
    setenv("NOVEM_CONFIG", path, 1);
    setenv("NOVEM_FLOATRULES", "ieee", 1);
    log_set_sink(collect, NULL);
    ck_assert_str_eq(setting("MUL_ZERO")->value, "d3d9");
    ck_assert_str_eq(setting("TILE_SIZE")->value, "64");
    ck_assert_ptr_nonnull(strstr(errors, ":2: TileSize is ignored: the setting is now called "
                                         "TILE_SIZE\n"));
    ck_assert_ptr_nonnull(strstr(errors, "NOVEM_FLOATRULES is ignored: the setting is now called "
                                         "NOVEM_MUL_ZERO\n"));
    ck_assert(api_config_has_mistakes());
    log_set_sink(NULL, NULL);
    unlink(path);
}
END_TEST

START_TEST(current_names_log_nothing)
{
    setenv("NOVEM_MUL_ZERO", "ieee", 1);
    ck_assert_str_eq(setting("MUL_ZERO")->value, "ieee");
    ck_assert(!api_config_has_mistakes());
}
END_TEST

/* --- Mistakes --------------------------------------------------------------------------------- */

static const struct {
    const char *line, *variable, *value; /* a line of the file, or a variable of the environment */
    const char *message;                 /* NULL: none */
} mistakes[] = {
    {"TREADS = 3", NULL, NULL, ":1: no setting is called 'TREADS'; did you mean THREADS?\n"},
    {"COLOUR = red", NULL, NULL,
     ":1: no setting is called 'COLOUR'; `novem config --list` lists them\n"},
    {"THREADS = three", NULL, NULL,
     ":1: THREADS = three is ignored: the value is not a number from 0 to 4096\n"},
    {"VSYNC = no", NULL, NULL, ":1: VSYNC = no is ignored: the value is not on or off\n"},
    {"ADAPTER = gefroce-6800", NULL, NULL,
     ":1: ADAPTER = gefroce-6800 is ignored: the value is not the name of an adapter; did you mean "
     "geforce-6800?\n"},
    {"THREADS 3", NULL, NULL,
     ":1: 'THREADS 3' is ignored: neither `name = value` nor `[program.exe]`\n"},
    {"", "NOVEM_TREADS", "3",
     "NOVEM_TREADS: no setting is called 'TREADS'; did you mean NOVEM_THREADS?\n"},
    {"", "NOVEM_threads", "3",
     "NOVEM_threads: no setting is called 'threads'; did you mean NOVEM_THREADS?\n"},
    {"", "NOVEM_COLOUR", "red",
     "NOVEM_COLOUR: no setting is called 'COLOUR'; `novem config --list` lists them\n"},
    {"", "NOVEM_CONFIGS", "x",
     "NOVEM_CONFIGS: no setting is called 'CONFIGS'; did you mean NOVEM_CONFIG?\n"},
    {"", "NOVEM_config", "x",
     "NOVEM_config: no setting is called 'config'; did you mean NOVEM_CONFIG?\n"},
    {"", "NOVEM_THREADS", "three",
     "NOVEM_THREADS = three is ignored: the value is not a number from 0 to 4096\n"},
    {"", "NOVEM_FAULT", "half-pixle",
     "NOVEM_FAULT = half-pixle is ignored: the value is not the name of a fault; did you mean "
     "half-pixel?\n"},
    {"", "NOVEM_TEST_ANYTHING", "1", NULL},
    {"", "NOVEM_THREADS", "3", NULL},
    {"", "NOVEMBER", "30", NULL},
};

static void collect_all(void *ctx, enum log_level level, const char *line)
{
    size_t n = strlen(errors);

    (void)ctx;
    (void)level;
    snprintf(errors + n, sizeof(errors) - n, "%s\n", line);
}

/* A message says whether the name or the value is wrong, and what was probably meant. */
START_TEST(mistakes_are_explained)
{
    write_bytes(mistakes[_i].line, strlen(mistakes[_i].line));
    if (mistakes[_i].variable)
        setenv(mistakes[_i].variable, mistakes[_i].value, 1);
    log_set_sink(collect_all, NULL);
    ck_assert_int_eq(api_config_has_mistakes(), mistakes[_i].message != NULL);
    log_set_sink(NULL, NULL);
    unlink(path);
    if (mistakes[_i].message)
        ck_assert_msg(strstr(errors, mistakes[_i].message) != NULL, "%s", errors);
    else
        ck_assert_str_eq(errors, "");
}
END_TEST

static const struct {
    const char *name;
    enum config_key key;
} former_names[] = {
#define RENAMED(old, id) {old, CONFIG_##id},
#include "api/config/renamed.def"
#undef RENAMED
};

/* No former name is a current one, and each maps to one setting. */
START_TEST(former_names_are_unique)
{
    ck_assert_int_lt(former_names[_i].key, CONFIG_COUNT);
    ck_assert_ptr_null(setting(former_names[_i].name));
}
END_TEST

/* --- Settings that change pictures ------------------------------------------------------------ */

/* Only values other than the defaults change pictures; names and values stand as in novem.conf. */
START_TEST(picture_changes_are_listed)
{
    char text[CONFIG_PICTURE_CHANGES_BYTES], cut[10];

    setenv("NOVEM_MUL_ZERO", "D3D9", 1);
    setenv("NOVEM_FAULT", _i ? "specular" : "none", 1);
    setenv("NOVEM_TILE_SIZE", "16", 1);
    if (_i)
        setenv("NOVEM_DISCARD_DEPTH", "off", 1);
    ck_assert_uint_eq(api_config_picture_changes(text, sizeof(text)), _i ? 32 : 0);
    ck_assert_str_eq(text, _i ? "DISCARD_DEPTH=off FAULT=specular" : "");
    ck_assert_uint_eq(api_config_picture_changes(cut, sizeof(cut)), _i ? 32 : 0);
    ck_assert_str_eq(cut, _i ? "DISCARD_D" : "");
    ck_assert_uint_eq(api_config_picture_changes(NULL, 0), _i ? 32 : 0);
    ck_assert_int_eq(setting("FAULT")->changes_pictures, _i);
    ck_assert(setting("FAULT")->is_picture_setting && !setting("MUL_ZERO")->changes_pictures);
    ck_assert(!setting("TILE_SIZE")->is_picture_setting && !setting("TILE_SIZE")->changes_pictures);
}
END_TEST

START_TEST(all_settings_have_help)
{
    struct api_setting s;
    unsigned n = 0;

    for (; api_setting(n, &s); n++)
        ck_assert_uint_gt(strlen(s.help), 10);
    ck_assert_uint_eq(n, CONFIG_COUNT);
}
END_TEST

/* --- Changes while the program runs ----------------------------------------------------------- */

START_TEST(changed_values_are_in_force)
{
    const char *former, *first;

    log_set_level(LOG_NONE);
    setenv("NOVEM_FRAME_LIMIT", "25", 1);
    api_config_load();
    former = api_config_text(CONFIG_FRAME_LIMIT);
    ck_assert_str_eq(former, "25");
    ck_assert(!api_config_is_changed(CONFIG_FRAME_LIMIT));
    ck_assert_int_eq(api_config_change(CONFIG_FRAME_LIMIT, "fast"), ST_INVALID);
    ck_assert(!api_config_is_changed(CONFIG_FRAME_LIMIT));
    ck_assert_int_eq(api_config_change(CONFIG_FRAME_LIMIT, "60"), ST_OK);
    first = api_config_text(CONFIG_FRAME_LIMIT);
    ck_assert_uint_eq(api_config_number(CONFIG_FRAME_LIMIT), 60);
    ck_assert_str_eq(setting("FRAME_LIMIT")->origin, "control panel");
    ck_assert_int_eq(api_config_change(CONFIG_VSYNC, "off"), ST_OK);
    ck_assert(!api_config_on(CONFIG_VSYNC));
    ck_assert_int_eq(api_config_change(CONFIG_HUD, ""), ST_OK);
    ck_assert_str_eq(api_config_text(CONFIG_HUD), "");
    ck_assert_int_eq(api_config_change(CONFIG_FRAME_LIMIT, "30"), ST_OK);
    ck_assert_str_eq(former, "25");
    ck_assert_str_eq(first, "60");
    ck_assert_int_eq(api_config_change(CONFIG_FRAME_LIMIT, "60"), ST_OK);
    ck_assert_ptr_eq(api_config_text(CONFIG_FRAME_LIMIT), first); /* one text takes memory once */
}
END_TEST

START_TEST(changes_have_a_limit)
{
    enum status st = ST_OK;
    char value[400];
    unsigned n = 0;

    api_config_load();
    memset(value, 'x', sizeof(value));
    value[sizeof(value) - 1] = '\0';
    for (; st == ST_OK && n < 1000; n++) {
        snprintf(value, 8, "%06u", n);
        value[6] = 'x';
        value[7] = 'x';
        st = api_config_change(CONFIG_HUD, value);
    }
    ck_assert_int_eq(st, ST_NOMEM);
    ck_assert_uint_gt(n, 50);
    ck_assert_int_ne(strcmp(api_config_text(CONFIG_HUD), value), 0);
    ck_assert_int_eq(strncmp(api_config_text(CONFIG_HUD), value, 3), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/config");
    TCase *tc = tcase_create("config");

    tcase_add_loop_test(tc, single_lines, 0, sizeof(lines) / sizeof(lines[0]));
    tcase_add_loop_test(tc, program_sections, 0, 2);
    tcase_add_loop_test(tc, long_lines, 0, 10);
    tcase_add_test(tc, file_without_end);
    tcase_add_test(tc, zero_bytes);
    tcase_add_loop_test(tc, files_that_cannot_be_read, 0, 3);
    tcase_add_test(tc, privileged_programs);
    tcase_add_test(tc, former_names_are_errors);
    tcase_add_test(tc, current_names_log_nothing);
    tcase_add_loop_test(tc, former_names_are_unique, 0,
                        sizeof(former_names) / sizeof(former_names[0]));
    tcase_add_loop_test(tc, mistakes_are_explained, 0, sizeof(mistakes) / sizeof(mistakes[0]));
    tcase_add_loop_test(tc, picture_changes_are_listed, 0, 2);
    tcase_add_test(tc, all_settings_have_help);
    tcase_add_test(tc, changed_values_are_in_force);
    tcase_add_test(tc, changes_have_a_limit);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
