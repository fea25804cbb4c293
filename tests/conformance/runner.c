/* Runs conformance scenes (*.d9t) against the Direct3D 9 it finds and says which expectations are
 * not met. Built natively it uses this library; built for Windows it takes the d3d9.dll beside it
 * or the system's.
 *
 *   runner [--isolate] [--verbose] [--shaders FILE] scene.d9t|FOLDER …
 *
 * --shaders appends the text of all shaders that expectations have covered to a file.
 * --isolate runs each scene in a process of its own, so that a crash costs one scene. The exit code
 * is 0 when everything passed. */
#include "scene.h"

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

/* What a child process tells its parent by its exit code is only good or bad; the numbers go
 * through this file. */
static const char *tally_file;
static bool verbose;
static const char *shaders_file;

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (!f)
        return NULL;
    if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET)) {
        text = calloc(1, (size_t)size + 1);
        if (text && fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(f);
    return text;
}

static struct tally run_scene(const char *path)
{
    struct tally tally = {.failed = 1};
    char *text = read_file(path);

    if (text)
        tally = scene_run(path, text, stdout, verbose);
    else
        printf("%s: cannot be read\n", path);
    free(text);
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
    const char *const args[] = {self,         "--tally",
                                tally_file,   verbose ? "--verbose" : "--quiet",
                                path,         shaders_file ? "--shaders" : NULL,
                                shaders_file, NULL};
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

/* A child that ends without leaving its numbers has crashed. */
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
        struct tally t = isolate ? run_isolated(self, list.path[i]) : run_scene(list.path[i]);

        add(sum, &t);
    }
    scene_list_free(&list);
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
