/* Pixel programs that end with the output merger: one for each shape of targets that a pipeline
 * draws to.
 *
 * Tested by tests/fuzz/pipeline and tests/conformance/blend. */
#include "draw/pipeline/pipeline.h"

#include "util/alloc.h"
#include "util/equal.h"

#include <string.h>

_Static_assert((int)RASTER_MERGE_PIXELS == (int)VM_EPILOGUE_BASE, "bases of the epilogue");
_Static_assert((int)RASTER_MERGE_BASES - VM_EPILOGUE_BASE <= (int)VM_EPILOGUE_BASES, "they fit");

struct ending {
    const struct draw_pipeline *pipeline;
    const struct raster_merge_key *key;
};

/* Components that the program does not write are 0. */
static ir_ref emit(const void *ctx, struct ir *ir, const ir_ref *output)
{
    const struct ending *ending = ctx;
    ir_ref colour[RASTER_TARGETS][4], passed;

    for (unsigned t = 0; t < RASTER_TARGETS; t++)
        for (unsigned c = 0; c < 4; c++) {
            int slot = ending->pipeline->colour[t][c];

            colour[t][c] = slot < 0 ? ir_const_f32(ir, 0.0f) : output[slot];
        }
    passed = raster_merge_emit(ir, ending->key, (const ir_ref(*)[4])colour);
    return passed ? ir_emit(ir, IR_MNOT, passed, 0, 0, 0) : 0;
}

static enum status compile(struct pipeline_merged *merged, const struct draw_pipeline *pipeline)
{
    const struct ending ending = {pipeline, &merged->key};
    const struct vm_epilogue epilogue = {emit, &ending};
    struct vm_options options;
    enum status st;

    pipeline_pixel_options(&options, &pipeline->key);
    options.live_outputs = pipeline->depth_output;
    options.epilogue = &epilogue;
    st = vm_code_create(&merged->code, pipeline->program[1], &options);
    if (st)
        return st == ST_UNSUPPORTED ? ST_OK : st;
    merged->uniform_bytes = vm_code_uniform_bytes(merged->code);
    if (vm_code_work_bytes(merged->code) > pipeline->ps_work_bytes) {
        vm_code_destroy(merged->code);
        merged->code = NULL;
    }
    return ST_OK;
}

/* The entry for a key. NULL: memory is short. */
static struct pipeline_merged *find(const struct draw_pipeline *pipeline,
                                    const struct raster_merge_key *key)
{
    struct pipeline_merged *merged = *pipeline->merged;

    while (merged && !bytes_equal(&merged->key, key, sizeof(*key)))
        merged = merged->next;
    if (merged)
        return merged;
    merged = mem_calloc(1, sizeof(*merged));
    if (!merged)
        return NULL;
    memcpy(&merged->key, key, sizeof(*key)); /* padding, too */
    merged->next = *pipeline->merged;
    *pipeline->merged = merged;
    return merged;
}

/* States that a program draws with a few times only are not worth the time. */
enum { MERGED_AFTER = 8 };

enum status pipeline_merged_get(struct pipeline_cache *cache, const struct draw_pipeline *pipeline,
                                const struct raster_merge_key *key, bool eager,
                                const struct pipeline_merged **out)
{
    struct pipeline_merged *merged = find(pipeline, key);
    enum status st = ST_OK;

    *out = NULL;
    if (!merged)
        return ST_NOMEM;
    if (!merged->is_compiled && cache->n_merged < PIPELINE_MERGED_MAX &&
        (eager || merged->draws++ >= MERGED_AFTER)) {
        st = compile(merged, pipeline);
        merged->is_compiled = !st;
        cache->n_merged += merged->code != NULL;
        cache->statistics.merged_built += merged->code != NULL;
    }
    if (merged->code)
        *out = merged;
    return st;
}

void pipeline_merged_destroy(struct pipeline_cache *cache, struct draw_pipeline *pipeline)
{
    struct pipeline_merged *merged = pipeline->merged ? *pipeline->merged : NULL, *next;

    for (; merged; merged = next) {
        next = merged->next;
        cache->n_merged -= merged->code != NULL;
        vm_code_destroy(merged->code);
        mem_free(merged);
    }
    mem_free(pipeline->merged);
}
