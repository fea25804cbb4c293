/* Conformance runner: executes scenes (*.d9t) on a Direct3D 9 implementation and reports unmet
 * expectations. The native build is linked with this library; the Windows build loads the d3d9.dll
 * beside it or the system's. The installed native program, novem-runner, loads any library.
 *
 * Tested by tests/tool/retrace.sh and tests/tool/programs.sh. */
#include "tool/cli/cli.h"
#include "tool/scene/scene.h"
#include "util/path.h"

#include "arguments.h"
#include "library.h"
#include "png.h"
#include "window.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <process.h>
#define getpid _getpid
#else
#include <sys/wait.h>
#include <unistd.h>
#endif

/* The child process writes its counts to this file, because an exit code only says pass or fail. */
static const char *tally_file;
static bool verbose;
static const char *shaders_file;
static const char *library, *windows; /* --d3d9, --window */
static bool unreadable;               /* a list that could not be read */
static const char *program = "runner";

/* Writes the picture as a PNG, if there is one. */
static bool write_picture(const struct scene_picture *picture, const char *path)
{
    if (picture->cut)
        printf("%s: the picture is too large\n", path);
    return !picture->cut && (!picture->height || png_write_rgba(path, picture->width,
                                                                picture->height, picture->rgba, 4));
}

/* Loads the library and opens the window at the first use. */
static void open_library(void)
{
    static bool open;

    if (open)
        return;
    open = true;
    if ((windows && !window_kind(program, windows)) || !library_open(program, library))
        exit(2);
    scene_library_is_novem(library_is_novem());
    if (window_is_real()) {
        void *window = window_open(320, 240);

        if (!window)
            exit(2);
        scene_use_window(window);
    }
}

static struct tally run_scene(const char *path, const char *png)
{
    struct scene_picture picture = {0};
    struct tally tally;

    open_library();
    tally = scene_run_file(path, stdout, verbose, png ? &picture : NULL);

    errno = 0;
    if (png && !write_picture(&picture, png)) {
        printf("%s: cannot be written%s%s\n", png, errno ? ": " : "", errno ? strerror(errno) : "");
        tally.failed++;
    }
    scene_picture_free(&picture);
    return tally;
}

static void add(struct tally *sum, const struct tally *t)
{
    sum->passed += t->passed;
    sum->failed += t->failed;
    sum->todo += t->todo;
    sum->skipped += t->skipped;
}

static bool read_tally(struct tally *t)
{
    FILE *f = path_open(tally_file, "r");
    bool ok = f && fscanf(f, "%u %u %u %u", &t->passed, &t->failed, &t->todo, &t->skipped) == 4;

    if (f)
        fclose(f);
    path_remove(tally_file);
    return ok;
}

static void write_tally(const struct tally *t)
{
    FILE *f = path_open(tally_file, "w");

    if (!f)
        return;
    fprintf(f, "%u %u %u %u\n", t->passed, t->failed, t->todo, t->skipped);
    fclose(f);
}

enum { SPAWN_ARGUMENTS = 12 };

#ifdef _WIN32
/* The C library joins the arguments with spaces; names hold no quotes. */
static int spawn_wide(const char *const args[SPAWN_ARGUMENTS])
{
    static wchar_t text[SPAWN_ARGUMENTS][PATH_WIDE], program[PATH_WIDE];
    const wchar_t *wide[SPAWN_ARGUMENTS + 1] = {NULL};

    for (unsigned i = 0; i < SPAWN_ARGUMENTS && args[i]; i++) {
        text[i][0] = L'"';
        path_widen(text[i] + 1, PATH_WIDE - 2, args[i]);
        wide[i] = wcscat(text[i], L"\"");
    }
    path_widen(program, PATH_WIDE, args[0]);
    return (int)_wspawnv(_P_WAIT, program, wide);
}
#endif

static int spawn(const char *self, const char *path)
{
    const char *args[SPAWN_ARGUMENTS] = {self, "--tally", tally_file,
                                         verbose ? "--verbose" : "--quiet"};
    unsigned n = 4;

    if (library)
        args[n++] = "--d3d9", args[n++] = library;
    if (windows)
        args[n++] = "--window", args[n++] = windows;
    if (shaders_file)
        args[n++] = "--shaders", args[n++] = shaders_file;
    args[n] = path;
#ifdef _WIN32
    return spawn_wide(args);
#else
    int status = -1;
    pid_t child = fork();

    if (!child) {
        execv(self, (char *const *)args);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
#endif
}

/* A child that ends without writing its counts has crashed. */
static struct tally run_isolated(const char *self, const char *path)
{
    struct tally tally = {0};
    int code;

    fflush(stdout);
    code = spawn(self, path);
    if (!read_tally(&tally)) {
        printf("%s: crashed with code %d\n", path, code);
        memset(&tally, 0, sizeof(tally));
        tally.failed = 1;
    }
    return tally;
}

static void run_argument(const char *self, const char *path, bool isolate, struct tally *sum)
{
    struct scene_list list;

    scene_list_make(&list, path);
    if (!list.n) {
        printf("%s: no scenes\n", path);
        sum->failed++;
    }
    for (unsigned i = 0; i < list.n; i++) {
        struct tally t = isolate ? run_isolated(self, list.path[i]) : run_scene(list.path[i], NULL);

        add(sum, &t);
    }
    scene_list_free(&list);
}

/* Runs a list with lines "SCENE<tab>PNG". */
static void run_list(const char *path, struct tally *sum)
{
    FILE *f = path_open(path, "r");
    char line[4096];

    if (!f) {
        tool_error("", "%s cannot be read: %s", path, strerror(errno));
        unreadable = true;
        return;
    }
    while (fgets(line, sizeof(line), f)) {
        char *tab = strchr(line, '\t');
        struct tally t = {.failed = 1};

        line[strcspn(line, "\r\n")] = '\0';
        if (tab) {
            *tab = '\0';
            t = run_scene(line, tab + 1);
        }
        add(sum, &t);
    }
    fclose(f);
}

/* The counts of a child go to a file that its parent names with the first option. */
static bool take_tally_file(int *argc, char **argv)
{
    if (*argc < 3 || strcmp(argv[1], "--tally") != 0)
        return false;
    tally_file = argv[2];
    memmove(argv + 1, argv + 3, (size_t)(*argc - 2) * sizeof(*argv));
    *argc -= 2;
    return true;
}

static void name_tally_file(void)
{
    static char name[PATH_TEXT_BYTES + 64], folder[PATH_TEXT_BYTES];
    const char *temp = path_variable("TMPDIR", folder, sizeof(folder));

    if (!temp && !(temp = path_variable("TEMP", folder, sizeof(folder))))
        temp = "/tmp";
    snprintf(name, sizeof(name), "%s/conformance-%d.tally", temp, (int)getpid());
    tally_file = name;
}

struct request {
    const char *picture;
    struct tool_list lists;
    bool isolate;
};

/* Returns an exit code, or a negative number to continue. */
static int parse(struct request *r, int argc, char **argv, const char **scenes)
{
    bool quiet = false;
    const struct tool_option options[] = {
        {"--picture", "OUT.png", "write the picture of the only scene", OPT_TEXT, &r->picture},
        {"--list", "FILE", "run the scenes of a list with lines SCENE<tab>PNG", OPT_LIST,
         &r->lists},
        {"--d3d9", "FILE", "the Direct3D 9 library (default: d3d9.dll on Windows, else Novem's)",
         OPT_TEXT, &library},
        {"--window", "KIND", "native window handles: none (default) or sdl, as in novem-retrace",
         OPT_TEXT, &windows},
        {"--isolate", NULL, "run each scene in a process of its own: a crash costs one scene",
         OPT_FLAG, &r->isolate},
        {"--shaders", "FILE", "append the text of shaders that expectations cover", OPT_TEXT,
         &shaders_file},
        {"--verbose", NULL, "also name the scenes that are skipped", OPT_FLAG, &verbose},
        {"--quiet", NULL, "do not name them (default)", OPT_FLAG, &quiet},
    };
    const struct tool_usage usage = {
        "[options] [SCENE.d9t|FOLDER ...]",
        "Runs text scenes on a Direct3D 9 library and reports unmet expectations.\n"
        "The exit code is 1 if a scene does not pass, 2 after an error.",
        options,
        sizeof(options) / sizeof(options[0]),
        0,
        (unsigned)argc,
    };
    int code = tool_parse(&usage, argc, argv, scenes);

    if (code >= 0)
        return code;
    if (!scenes[0] && !r->lists.n)
        return tool_error("", "usage: %s %s", program, usage.line);
    if (r->picture && (!scenes[0] || scenes[1] || r->lists.n))
        return tool_error("", "--picture needs one scene, and excludes --list");
    return code;
}

static int run(const struct request *r, char **argv, const char *const *scenes, bool child)
{
    struct tally sum = {0};

    for (unsigned i = 0; i < r->lists.n; i++)
        run_list(r->lists.text[i], &sum);
    if (r->picture) {
        struct tally t = run_scene(scenes[0], r->picture);

        add(&sum, &t);
    }
    for (unsigned i = 0; !r->picture && scenes[i]; i++)
        run_argument(argv[0], scenes[i], r->isolate, &sum);
    if (child)
        write_tally(&sum);
    else
        printf("conformance: %u passed, %u failed, %u todo, %u skipped\n", sum.passed, sum.failed,
               sum.todo, sum.skipped);
    errno = 0;
    if (fflush(stdout) || ferror(stdout))
        return tool_error("", "the output could not be written%s%s", errno ? ": " : "",
                          errno ? strerror(errno) : "");
    return unreadable ? TOOL_ERROR : sum.failed ? TOOL_DIFFERS : TOOL_OK;
}

int main(int argc, char **argv)
{
    static struct request request;
    int code = TOOL_ERROR;
    const char **scenes;
    bool child;

#ifndef _WIN32
    if (library_is_loaded)
        program = "novem-runner";
#endif
    take_arguments(&argc, &argv);
    child = take_tally_file(&argc, argv);
    scenes = calloc((size_t)argc + 1, sizeof(*scenes));
    tool_set_program(program);
    if (!child)
        name_tally_file();
    scene_demand_conformance();
    if (scenes)
        code = parse(&request, argc, argv, scenes);
    if (shaders_file)
        coverage_to(shaders_file);
    if (code < 0)
        code = run(&request, argv, scenes, child);
    free(scenes);
    return code;
}
