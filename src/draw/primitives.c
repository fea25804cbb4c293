/* Executes a draw of primitives: calls the debug hook, and chooses between the draw as it is and
 * N-patches.
 * Tested by tests/unit/draw/test_draw_call.c and tests/unit/draw/test_npatch.c. */
#include "draw/context.h"
#include "draw/draw_call.h"
#include "draw/npatch.h"
#include "util/fpenv.h"
#include "util/primitive.h"

static void call_draw_hook(struct draw *draw, const struct draw_state *state,
                           const struct draw_args *args)
{
    if (!draw->hooks->draw || draw->in_hook)
        return;
    draw->in_hook = true;
    draw->hooks->draw(draw->hooks->ctx, draw, state, args);
    draw->in_hook = false;
}

enum status draw_primitives(struct draw *draw, struct draw_state *state,
                            const struct draw_args *args)
{
    struct fp_mode mode;
    enum status st;

    if (!args->primitives || !state->decl || !primitive_vertices(args->type, 1))
        return ST_OK;
    if (draw->hooks)
        call_draw_hook(draw, state, args);
    mode = fp_enter();
    state = faults_apply_writable(&draw->faulty, state);
    if (state->tessellator && npatch_applies(state, args))
        st = npatch_draw(draw, state, args);
    else
        st = draw_call_execute(draw, state, args);
    fp_leave(mode);
    return st;
}
