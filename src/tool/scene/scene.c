/* Interpreter of the scene language: runs one scene line by line. */
#include "tool/scene/scene.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Memory limit of a scene: its text, and its images at the largest texel size. */
static const uint64_t MEMORY_MAX = 512u << 20;

struct block {
    _Alignas(max_align_t) struct block *next;
};

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

/* --- Services for the commands ---------------------------------------------------------------- */

static void say(const struct scene *scene, const char *format, va_list args)
{
    fprintf(scene->out, "%s:%d: ", scene->path, scene->line.number);
    vfprintf(scene->out, format, args);
    putc('\n', scene->out);
}

void scene_fail(struct scene *scene, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(scene, format, args);
    va_end(args);
    scene->tally.failed++;
    longjmp(scene->abandon, 1);
}

void scene_expect(struct scene *scene, bool met, const char *format, ...)
{
    va_list args;

    if (scene->todo[0] && !met) {
        scene->tally.todo++;
        if (!scene->verbose)
            return;
    } else if (scene->todo[0]) {
        scene->tally.failed++;
        fprintf(scene->out, "%s:%d: unexpected pass (todo: %s)\n", scene->path, scene->line.number,
                scene->todo);
        return;
    } else if (met) {
        scene->tally.passed++;
        coverage_expectation_met(scene);
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
        scene_expect(scene, (DWORD)hr == want, "%s: want %s, got %08x", what, outcome,
                     (unsigned)hr);
        scene->line.outcome = NULL;
    } else if (FAILED(hr)) {
        scene_fail(scene, "%s fails with %08x", what, (unsigned)hr);
    }
    return SUCCEEDED(hr);
}

static void release(IUnknown *object)
{
    object->lpVtbl->Release(object);
}

void scene_use_memory(struct scene *scene, uint64_t bytes)
{
    if (bytes > MEMORY_MAX - scene->memory)
        scene_fail(scene, "the scene needs more than %u MiB", (unsigned)(MEMORY_MAX >> 20));
    scene->memory += bytes;
}

void *scene_alloc(struct scene *scene, size_t size)
{
    struct block *block;

    scene_use_memory(scene, size + sizeof(*block));
    block = calloc(1, size + sizeof(*block));
    if (!block)
        scene_fail(scene, "out of memory");
    block->next = scene->blocks;
    scene->blocks = block;
    return block + 1;
}

void scene_own(struct scene *scene, void *object)
{
    if (!object)
        return;
    if (scene->n_owned == MAX_OWNED) {
        release(object);
        scene_fail(scene, "the scene creates too many objects");
    }
    scene->owned[scene->n_owned++] = object;
}

void scene_begin(struct scene *scene)
{
    const char *outcome = scene->line.outcome; /* belongs to the next call */

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

static void join_words(struct scene *scene, char *out, size_t size)
{
    out[0] = '\0';
    for (int i = 1; i < scene->line.n; i++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", i > 1 ? " " : "", scene->line.word[i]);
    }
}

/* `todo REASON` applies to the expectations up to the next other command. */
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
            scene_fail(scene, "%s has no result to check", word);
        return;
    }
    scene_fail(scene, "'%s' is not a command", word);
}

static void release_all(struct scene *scene)
{
    while (scene->n_owned > 0)
        release(scene->owned[--scene->n_owned]);
    device_close(scene);
    while (scene->blocks) {
        struct block *next = scene->blocks->next;

        free(scene->blocks);
        scene->blocks = next;
    }
}

static void run_text(struct scene *scene)
{
    if (setjmp(scene->abandon))
        return;
    while (!scene->skipped && parse_line(scene))
        run_command(scene);
    scene_end(scene);
    if (scene->picture && !scene->picture->height && !scene->skipped)
        scene_read_image(scene);
    if (!scene->has_rule)
        scene_fail(scene, "the scene does not name its rule: # rule: topic/name");
    if (!scene->skipped && !(scene->tally.passed + scene->tally.failed + scene->tally.todo))
        scene_fail(scene, "the scene expects nothing");
}

struct tally scene_run(const char *path, char *text, FILE *out, bool verbose,
                       struct scene_picture *picture)
{
    struct scene *scene = calloc(1, sizeof(*scene));
    struct tally tally = {.failed = 1};

    if (!scene) {
        fprintf(out, "%s: out of memory\n", path);
        return tally;
    }
    scene->path = path;
    scene->picture = picture;
    scene->at = text;
    scene->out = out;
    scene->verbose = verbose;
    scene->next_line = 1;
    if (!device_open(scene)) {
        fprintf(out, "%s: no device\n", path);
    } else {
        run_text(scene);
        if (scene->skipped && verbose)
            fprintf(out, "%s: skipped\n", path);
        scene->tally.skipped = scene->skipped;
        tally = scene->tally;
    }
    release_all(scene);
    free(scene);
    return tally;
}

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

struct tally scene_run_file(const char *path, FILE *out, bool verbose,
                            struct scene_picture *picture)
{
    struct tally tally = {.failed = 1};
    char *text = read_file(path);

    if (text)
        tally = scene_run(path, text, out, verbose, picture);
    else
        fprintf(out, "%s: cannot be read\n", path);
    free(text);
    return tally;
}
