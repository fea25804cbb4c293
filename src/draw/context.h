/* State of the front end: the scene, the pipelines, and the memory that its stages use from draw to
 * draw. For the files of the folder itself. */
#ifndef DRAW_CONTEXT_H
#define DRAW_CONTEXT_H

#include "draw/pipeline/pipeline.h"
#include "draw/pixel/pixel.h"
#include "draw/scene/scene.h"
#include "draw/translate/faults.h"
#include "draw/vertex/vertex.h"
#include "tess/pattern.h"

struct draw {
    struct pool *pool;
    bool ieee, no_aa_lines, interpret, eager; /* see struct draw_options */
    struct pipeline_cache pipelines;
    struct draw_scene scene;
    struct vertex_memory vertex;
    struct vertex_reuse_memory reuse;
    struct ps_memory pixel;
    struct scratch vertices;     /* of a batch */
    struct scratch faulty;       /* the state of a draw with an injected fault */
    struct scratch points;       /* control points of a patch */
    struct tess_mesh mesh;       /* of a tessellated draw */
    struct tess_pattern pattern; /* of an N-patch */

    struct draw_debug_hooks *hooks; /* NULL unless set */
    bool in_hook;                   /* hooks->draw is running */

    struct batch_slot
        *batch_slot; /* parallel_draw.c: several for each worker; NULL until the first large draw */
};

/* draw_call.c: Finds the pipeline of a key, or creates it from the programs and declaration of the
 * state. Borrowed from the cache until the next call. */
MUST_CHECK enum status draw_find_pipeline(struct draw *draw, const struct draw_key *key,
                                          const struct draw_state *state,
                                          const struct draw_pipeline **out);
/* parallel_draw.c: Frees the batch slots. */
void parallel_draw_destroy(struct draw *draw);

#endif
