/* Commands that ask the device and judge what it says. */
#include "tool/scene/scene.h"

#include <string.h>

/* answer state|sampler N|stage N NAME=VALUE …: what Get*State gives back. */
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

/* validate [PASSES]: ValidateDevice; a refusal leaves the number of passes alone. */
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
