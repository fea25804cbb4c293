/* Conformance runner: executes scenes (*.d9t) on a Direct3D 9 implementation and reports unmet
 * expectations. The native build is linked with this library; the Windows build loads the d3d9.dll
 * beside it or the system's. The installed native program, novem-runner, loads any library.
 *
 *   runner [--isolate] [--verbose] [--shaders FILE] scene.d9t|FOLDER …
 *   runner --picture OUT.png scene.d9t
 *   runner --list FILE
 *
 * --picture writes the scene's picture (language.md, "The picture of a scene"). --list does so for
 * each line SCENE<tab>PNG of a file. --shaders appends the text of all shaders covered by
 * expectations to a file. --isolate runs each scene in a process of its own, so that a crash costs
 * one scene. --d3d9 LIB, before the scenes, names the library; --window as in novem-retrace. The
 * exit code is 0 if all scenes pass. */
#include "tool/scene/scene.h"

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
    if ((windows && !window_kind("runner", windows)) || !library_open("runner", library))
        exit(2);
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
    FILE *f = fopen(tally_file, "r");
    bool ok = f && fscanf(f, "%u %u %u %u", &t->passed, &t->failed, &t->todo, &t->skipped) == 4;

    if (f)
        fclose(f);
    remove(tally_file);
    return ok;
}

static void write_tally(const struct tally *t)
{
    FILE *f = fopen(tally_file, "w");

    if (!f)
        return;
    fprintf(f, "%u %u %u %u\n", t->passed, t->failed, t->todo, t->skipped);
    fclose(f);
}

static int spawn(const char *self, const char *path)
{
    const char *args[12] = {self, "--tally", tally_file, verbose ? "--verbose" : "--quiet"};
    unsigned n = 4;

    if (library)
        args[n++] = "--d3d9", args[n++] = library;
    if (windows)
        args[n++] = "--window", args[n++] = windows;
    if (shaders_file)
        args[n++] = "--shaders", args[n++] = shaders_file;
    args[n] = path;
#ifdef _WIN32
    return (int)_spawnv(_P_WAIT, self, args);
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
    FILE *f = fopen(path, "r");
    char line[4096];

    if (!f) {
        printf("%s: cannot be read\n", path);
        sum->failed++;
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

int main(int argc, char **argv)
{
    struct tally sum = {0};
    bool isolate = false, child = false;
    const char *temp = getenv("TMPDIR");
    char name[256];

    if (!temp && !(temp = getenv("TEMP")))
        temp = "/tmp";
    snprintf(name, sizeof(name), "%s/conformance-%d.tally", temp, (int)getpid());
    tally_file = name;
    scene_demand_conformance();
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--isolate")) {
            isolate = true;
        } else if (!strcmp(argv[i], "--verbose") || !strcmp(argv[i], "--quiet")) {
            verbose = argv[i][2] == 'v';
        } else if (!strcmp(argv[i], "--tally") && i + 1 < argc) {
            tally_file = argv[++i];
            child = true;
        } else if (!strcmp(argv[i], "--shaders") && i + 1 < argc) {
            coverage_to(shaders_file = argv[++i]);
        } else if (!strcmp(argv[i], "--d3d9") && i + 1 < argc) {
            library = argv[++i];
        } else if (!strcmp(argv[i], "--window") && i + 1 < argc) {
            windows = argv[++i];
        } else if (!strcmp(argv[i], "--list") && i + 1 < argc) {
            run_list(argv[++i], &sum);
        } else if (!strcmp(argv[i], "--picture") && i + 2 < argc) {
            struct tally t = run_scene(argv[i + 2], argv[i + 1]);

            add(&sum, &t);
            i += 2;
        } else {
            run_argument(argv[0], argv[i], isolate, &sum);
        }
    }
    if (child)
        write_tally(&sum);
    else
        printf("conformance: %u passed, %u failed, %u todo, %u skipped\n", sum.passed, sum.failed,
               sum.todo, sum.skipped);
    return sum.failed != 0;
}
