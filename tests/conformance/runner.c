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

#include <stdarg.h>
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

static const struct {
    const char *word;
    command_fn *run;
} commands[] = {
    {"answer", cmd_answer},
    {"autofilter", cmd_autofilter},
    {"backbuffer", cmd_backbuffer},
    {"begin", cmd_begin},
    {"bind", cmd_bind},
    {"buffer", cmd_buffer},
    {"clear", cmd_clear},
    {"clipplane", cmd_clipplane},
    {"clipstatus", cmd_clipstatus},
    {"colorfill", cmd_colorfill},
    {"compute", cmd_compute},
    {"const", cmd_const},
    {"cube", cmd_cube},
    {"decl", cmd_decl},
    {"depth", cmd_depth},
    {"device", cmd_device},
    {"dirty", cmd_dirty},
    {"draw", cmd_draw},
    {"end", cmd_end},
    {"evict", cmd_evict},
    {"fill", cmd_fill},
    {"freq", cmd_freq},
    {"frontdata", cmd_frontdata},
    {"fvf", cmd_fvf},
    {"generate", cmd_generate},
    {"holds", cmd_holds},
    {"indices", cmd_indices},
    {"light", cmd_light},
    {"lod", cmd_lod},
    {"material", cmd_material},
    {"multiply", cmd_multiply},
    {"needs", cmd_needs},
    {"palette", cmd_palette},
    {"preload", cmd_preload},
    {"present", cmd_present},
    {"process", cmd_process},
    {"quad", cmd_quad},
    {"quadxyz", cmd_quadxyz},
    {"query", cmd_query},
    {"rendertarget", cmd_rendertarget},
    {"sampler", cmd_sampler},
    {"scissor", cmd_scissor},
    {"shader", cmd_shader},
    {"software", cmd_software},
    {"stage", cmd_stage},
    {"state", cmd_state},
    {"stream", cmd_stream},
    {"stretchrect", cmd_stretchrect},
    {"surface", cmd_surface},
    {"target", cmd_target},
    {"targetdata", cmd_targetdata},
    {"texture", cmd_texture},
    {"transform", cmd_transform},
    {"updatesurface", cmd_updatesurface},
    {"updatetexture", cmd_updatetexture},
    {"validate", cmd_validate},
    {"vertices", cmd_vertices},
    {"viewport", cmd_viewport},
    {"volume", cmd_volume},
};

/* --- What the commands use -------------------------------------------------------------------- */

static void say(const struct scene *scene, const char *format, va_list args)
{
    printf("%s:%d: ", scene->path, scene->line.number);
    vprintf(format, args);
    putchar('\n');
}

void scene_fail(struct scene *scene, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(scene, format, args);
    va_end(args);
    scene->tally.failed++;
    longjmp(scene->give_up, 1);
}

void scene_judge(struct scene *scene, bool met, const char *format, ...)
{
    va_list args;

    if (scene->todo[0] && !met) {
        scene->tally.todo++;
        if (!verbose)
            return;
    } else if (scene->todo[0]) {
        scene->tally.failed++;
        printf("%s:%d: unexpected pass (todo: %s)\n", scene->path, scene->line.number, scene->todo);
        return;
    } else if (met) {
        scene->tally.passed++;
        coverage_met(scene);
        return;
    } else {
        scene->tally.failed++;
    }
    va_start(args, format);
    say(scene, format, args);
    va_end(args);
}

bool scene_check(struct scene *scene, HRESULT hr, const char *what)
{
    const char *outcome = scene->line.outcome;

    if (outcome) {
        DWORD want = name_value(scene, NAMES_HRESULT, outcome);
        scene_judge(scene, (DWORD)hr == want, "%s: want %s, got %08x", what, outcome, (unsigned)hr);
        scene->line.outcome = NULL;
    } else if (FAILED(hr)) {
        scene_fail(scene, "%s fails with %08x", what, (unsigned)hr);
    }
    return SUCCEEDED(hr);
}

void *scene_alloc(size_t size)
{
    void *block = calloc(1, size ? size : 1);

    if (!block) {
        fprintf(stderr, "conformance: out of memory\n");
        exit(2);
    }
    return block;
}

void scene_keep(struct scene *scene, void *object)
{
    if (!object)
        return;
    if (scene->n_kept == MAX_KEPT)
        scene_fail(scene, "the scene makes too many objects");
    scene->kept[scene->n_kept++] = object;
}

void scene_begin(struct scene *scene)
{
    const char *outcome = scene->line.outcome; /* is that of what follows */

    scene->line.outcome = NULL;
    if (!scene->in_scene)
        scene_check(scene, IDirect3DDevice9_BeginScene(scene->device), "BeginScene");
    scene->line.outcome = outcome;
    scene->in_scene = true;
    scene->image_valid = false;
}

void scene_end(struct scene *scene)
{
    if (scene->in_scene)
        scene_check(scene, IDirect3DDevice9_EndScene(scene->device), "EndScene");
    scene->in_scene = false;
    scene->image_valid = false;
}

/* --- One scene -------------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (!f)
        return NULL;
    if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET)) {
        text = scene_alloc((size_t)size + 1);
        if (fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(f);
    return text;
}

static void join_words(struct scene *scene, char *out, size_t size)
{
    out[0] = '\0';
    for (int i = 1; i < scene->line.n; i++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", i > 1 ? " " : "", scene->line.word[i]);
    }
}

/* `todo REASON` holds for the expectations up to the next other command. */
static void run_command(struct scene *scene)
{
    const char *word = scene->line.word[0];

    if (!strcmp(word, "todo")) {
        join_words(scene, scene->todo, sizeof(scene->todo));
        if (!scene->todo[0])
            scene_fail(scene, "todo needs a reason");
        return;
    }
    if (!strcmp(word, "read") || !strcmp(word, "expect")) {
        (word[0] == 'r' ? cmd_read : cmd_expect)(scene);
        return;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(commands[i].word, word))
            continue;
        if (!scene->line.outcome && strcmp(word, "query") && strcmp(word, "answer") &&
            strcmp(word, "holds"))
            scene->todo[0] = '\0';
        commands[i].run(scene);
        scene->image_valid = false;
        if (scene->line.outcome)
            scene_fail(scene, "%s has no outcome to judge", word);
        return;
    }
    scene_fail(scene, "'%s' is no command", word);
}

static void release(IUnknown *object)
{
    object->lpVtbl->Release(object);
}

static void release_all(struct scene *scene)
{
    while (scene->n_kept > 0)
        release(scene->kept[--scene->n_kept]);
    geometry_free(scene);
    coverage_free(scene);
    free(scene->image.data);
    device_close(scene);
}

static void run_text(struct scene *scene)
{
    if (setjmp(scene->give_up))
        return;
    while (!scene->skipped && parse_line(scene))
        run_command(scene);
    scene_end(scene);
    if (!scene->has_rule)
        scene_fail(scene, "the scene does not name its rule: # rule: topic/name");
    if (!scene->skipped && !(scene->tally.passed + scene->tally.failed + scene->tally.todo))
        scene_fail(scene, "the scene expects nothing");
}

static struct tally run_scene(const char *path)
{
    struct scene *scene = scene_alloc(sizeof(*scene));
    struct tally tally = {0};
    char *text = read_file(path);

    scene->path = path;
    scene->text = scene->at = text;
    scene->next_line = 1;
    if (!text) {
        printf("%s: cannot be read\n", path);
        tally.failed = 1;
    } else if (!device_open(scene)) {
        printf("%s: no device\n", path);
        tally.failed = 1;
    } else {
        run_text(scene);
        if (scene->skipped && verbose)
            printf("%s: skipped\n", path);
        scene->tally.skipped = scene->skipped;
        tally = scene->tally;
    }
    release_all(scene);
    free(text);
    free(scene);
    return tally;
}

/* --- All scenes ------------------------------------------------------------------------------- */

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
