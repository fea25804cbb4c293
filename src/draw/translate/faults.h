/* Injected faults: changes the state of a draw so that it is rendered with a typical error. Only
 * builds with NOVEM_FAULTS can do so; in others the functions do nothing. */
#ifndef DRAW_TRANSLATE_FAULTS_H
#define DRAW_TRANSLATE_FAULTS_H

#include "draw/draw.h"
#include "raster/raster.h"
#include "util/fault_injection.h"
#include "util/scratch.h"

#if NOVEM_FAULTS
/* The state with the fault that is active; `state` itself if none is. copy: memory for the changed
 * state, which the next call overwrites. */
const struct draw_state *faults_apply(struct scratch *copy, const struct draw_state *state);
/* Applies faults that Direct3D's state cannot express, or that must not reach clears, feedback and
 * ProcessVertices. */
void faults_apply_raster_state(struct raster_state *state);
#else
static inline const struct draw_state *faults_apply(struct scratch *copy,
                                                    const struct draw_state *state)
{
    (void)copy;
    return state;
}
static inline void faults_apply_raster_state(struct raster_state *state)
{
    (void)state;
}
#endif
/* The same for a caller that binds meshes in the state that it draws with. */
static inline struct draw_state *faults_apply_writable(struct scratch *copy,
                                                       struct draw_state *state)
{
    return (struct draw_state *)(uintptr_t)faults_apply(copy, state);
}

#endif
