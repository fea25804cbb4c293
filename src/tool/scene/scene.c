/* Interpreter of the scene language: runs one scene line by line.
 *
 * Tested by tests/fuzz/api/test_scenes.c and tests/conformance. */
#include "tool/scene/scene.h"
#include "tool/scene/command.h"
#include "tool/scene/compare.h"
#include "tool/scene/device.h"
#include "tool/scene/parse.h"
#include "util/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    command_fn *run;
} commands[] = {
#define COMMAND(name) {#name, cmd_##name},
#include "tool/scene/commands.def"
#undef COMMAND
};

static bool demands_conformance;

void scene_demand_conformance(void)
{
    demands_conformance = true;
}

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
    if (!strcmp(word, "read") || !strcmp(word, "expect") ||
        !strcmp(word, "expect-novem")) { /* keep the image and `todo` */
        (word[0] == 'r' ? cmd_read : cmd_expect)(scene);
        return;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(commands[i].word, word))
            continue;
        if (!scene->line.outcome && strcmp(word, "query") && strcmp(word, "answer") &&
            strcmp(word, "holds"))
            scene->todo[0] = '\0';
        if (scene->line.outcome) /* an unknown name ends the scene before a call makes an object */
            (void)name_value(scene, NAMES_HRESULT, scene->line.outcome);
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
    scene_release_objects(scene);
    device_close(scene);
    scene_free(scene);
}

static void run_text(struct scene *scene)
{
    if (setjmp(scene->abandon))
        return;
    if (!parse_line(scene))
        scene_fail(scene, "the scene has no commands");
    do
        run_command(scene);
    while (!scene->skipped && parse_line(scene));
    scene_end(scene);
    if (scene->picture && !scene->picture->height && !scene->skipped)
        scene_read_image(scene);
    if (!demands_conformance)
        return;
    if (!scene->has_rule)
        scene_fail(scene, "the scene does not name its rule: # rule: topic/name");
    if (!scene->skipped && !scene->spares &&
        !(scene->tally.passed + scene->tally.failed + scene->tally.todo))
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
    char *text = NULL;
    FILE *f = NULL;
    long size;

    if (path_is_folder(path))
        errno = EISDIR;
    else if (path_is_special(path))
        errno = EINVAL;
    else
        f = path_open(path, "rb");
    if (!f)
        return NULL;
    if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET)) {
        text = calloc(1, (size_t)size + 1);
        if (text && (fread(text, 1, (size_t)size, f) != (size_t)size ||
                     memchr(text, '\0', (size_t)size))) { /* a NUL: it is no text */
            errno = ferror(f) ? errno : EILSEQ;
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
        fprintf(out, "%s: cannot be read: %s\n", path,
                errno == EILSEQ ? "not a text file" : strerror(errno));
    free(text);
    return tally;
}
