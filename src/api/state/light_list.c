/* The lights of a device or state block: an array sorted by index.
 * Tested by tests/unit/api/set/test_lights.c. */
#include "api/state/state.h"
#include "util/alloc.h"

#include <string.h>

struct light *api_light_find(const struct state *state, DWORD index)
{
    unsigned lo = 0, hi = state->n_lights;

    while (lo < hi) {
        unsigned mid = (lo + hi) / 2;

        if (state->lights[mid].index < index)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < state->n_lights && state->lights[lo].index == index ? &state->lights[lo] : NULL;
}

void api_light_default(struct light *light, DWORD index)
{
    memset(light, 0, sizeof(*light));
    light->index = index;
    light->light.Type = D3DLIGHT_DIRECTIONAL;
    light->light.Diffuse.r = light->light.Diffuse.g = light->light.Diffuse.b = 1.0f;
    light->light.Direction.z = 1.0f;
}

struct light *api_light_get(struct state *state, DWORD index)
{
    struct light *light = api_light_find(state, index);
    unsigned at = state->n_lights;

    if (light)
        return light;
    /* The array doubles: it is full whenever the count is a power of two. */
    if (!(state->n_lights & (state->n_lights - 1))) {
        unsigned room = state->n_lights ? state->n_lights * 2 : 1;

        light = mem_realloc(state->lights, room * sizeof(*light));
        if (!light)
            return NULL;
        state->lights = light;
    }
    while (at && state->lights[at - 1].index > index) {
        state->lights[at] = state->lights[at - 1];
        at--;
    }
    state->n_lights++;
    api_light_default(&state->lights[at], index);
    return &state->lights[at];
}
