/* Outcome of a command: checks the results of calls and counts expectations.
 *
 * Tested by tests/conformance. */
#include "tool/scene/command.h"
#include "tool/scene/parse.h"
#include "tool/scene/shader.h"

static bool is_on_novem = true;

void scene_library_is_novem(bool is_novem)
{
    is_on_novem = is_novem;
}

bool scene_is_on_novem(void)
{
    return is_on_novem;
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
    scene_say(scene, format, args);
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
