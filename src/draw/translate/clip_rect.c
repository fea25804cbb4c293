/* Computes the rectangle that draws and clears may change: the viewport, and the scissor if it is
 * on.
 * Tested by tests/conformance/clear and tests/conformance/viewport. */
#include "draw/translate/translate.h"

static int32_t clamp_int32(uint64_t value)
{
    return value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

void translate_intersect(int32_t rect[4], int32_t left, int32_t top, int32_t right, int32_t bottom)
{
    rect[0] = rect[0] > left ? rect[0] : left;
    rect[1] = rect[1] > top ? rect[1] : top;
    rect[2] = rect[2] < right ? rect[2] : right;
    rect[3] = rect[3] < bottom ? rect[3] : bottom;
}

void translate_clip_rect(const struct draw_state *state, int32_t rect[4])
{
    const D3DVIEWPORT9 *vp = &state->viewport;
    const RECT *s = &state->scissor;

    rect[0] = clamp_int32(vp->X);
    rect[1] = clamp_int32(vp->Y);
    rect[2] = clamp_int32((uint64_t)vp->X + vp->Width);
    rect[3] = clamp_int32((uint64_t)vp->Y + vp->Height);
    if (state->render[D3DRS_SCISSORTESTENABLE])
        translate_intersect(rect, s->left, s->top, s->right, s->bottom);
}
