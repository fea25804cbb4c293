/* Scene commands that query device state and check the answers.
 *
 * Tested by tests/conformance/vertices and tests/conformance/stage. */
#include "tool/scene/command.h"
#include "tool/scene/vertex_answers.h"
#include "tool/scene/parse.h"

#include <string.h>

/* answer state|sampler N|stage N NAME=VALUE …: checks Get*State. */
void cmd_answer(struct scene *scene)
{
    const char *what = parse_word(scene, 1);
    enum state_class class = !strcmp(what, "state")     ? STATE_RENDER
                             : !strcmp(what, "sampler") ? STATE_SAMPLER
                                                        : STATE_STAGE;
    DWORD number;

    if (answer_vertex_query(scene))
        return;
    number = class == STATE_RENDER ? 0 : parse_uint(scene, parse_word(scene, 2));
    for (int i = class == STATE_RENDER ? 2 : 3; i < scene->line.n; i++) {
        DWORD state, want, got = 0xdeadbeef;
        HRESULT hr;

        name_state(scene, class, scene->line.word[i], &state, &want);
        if (class == STATE_RENDER)
            hr = IDirect3DDevice9_GetRenderState(scene->device, state, &got);
        else if (class == STATE_SAMPLER)
            hr = IDirect3DDevice9_GetSamplerState(scene->device, number, state, &got);
        else
            hr = IDirect3DDevice9_GetTextureStageState(scene->device, number, state, &got);
        if (scene_check(scene, hr, "Get*State"))
            scene_expect(scene, got == want, "%s: got %#lx", scene->line.word[i],
                         (unsigned long)got);
    }
}

/* validate [PASSES]: ValidateDevice; on failure the number of passes must be unchanged. */
void cmd_validate(struct scene *scene)
{
    DWORD want = scene->line.n > 1 ? parse_uint(scene, scene->line.word[1]) : 1, got = 0xdeadbeef;
    HRESULT hr = IDirect3DDevice9_ValidateDevice(scene->device, &got);

    scene_check(scene, hr, "ValidateDevice");
    if (FAILED(hr))
        want = 0xdeadbeef;
    scene_expect(scene, got == want, "%#lx passes, expected %#lx", (unsigned long)got,
                 (unsigned long)want);
}
