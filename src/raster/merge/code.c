/* Machine code of merge functions, and the tables that they share.
 *
 * Tested by tests/unit/raster/merge/test_code.c. */
#include "raster/merge/code.h"

#include "ir/compile/code_cache.h"
#include "util/alloc.h"
#include "util/forks.h"

#include <stdatomic.h>

static struct ir *build(const void *key)
{
    return raster_merge_target_function(key);
}

static struct ir_code_cache cache =
    IR_CODE_CACHE(build, struct raster_merge_target, RASTER_MERGE_WORK_BYTES);

static struct {
    pthread_mutex_t lock;
    unsigned users;
    _Atomic(struct raster_merge_tables *) made; /* NULL: not needed yet */
} tables = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- Choice ----------------------------------------------------------------------------------- */

static bool same_blend(const struct raster_blend *a, const struct raster_blend *b)
{
    return a->src == b->src && a->dst == b->dst && a->op == b->op;
}

/* The kernels of float formats have code for these. */
static bool is_common(const struct raster_merge_target *target)
{
    static const struct raster_blend common[] = {
        {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
        {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD},
        {D3DBLEND_ONE, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
        {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD},
    };

    for (unsigned i = 0; i < sizeof(common) / sizeof(common[0]); i++)
        if (same_blend(&target->rgb, &common[i]) && same_blend(&target->alpha, &common[i]))
            return true;
    return false;
}

static bool writes_all(const struct raster_merge_target *target)
{
    for (unsigned c = 0; c < 4; c++)
        if (target->format->channel[c].bits && !(target->write_mask >> c & 1))
            return false;
    return true;
}

/* Whether the function is faster than the kernel: bench/merge. Words go through memory between the
 * function and the surface, which a kernel without blending saves. The table of sRGB codes costs
 * gathers, and AVX-512 kernels compute as fast. */
static bool is_faster(const struct raster_merge_target *target, enum cpu_isa isa)
{
    bool floats = target->format->layout == TEX_LAYOUT_FLOAT16 ||
                  target->format->layout == TEX_LAYOUT_FLOAT32;

    if (target->srgb)
        return isa == ISA_AVX2;
    if (!writes_all(target))
        return true;
    return target->blends && !(floats && is_common(target));
}

/* --- Interface -------------------------------------------------------------------------------- */

void raster_merge_cache_use(void)
{
    ir_code_cache_use(&cache);
    fork_guard(&tables.lock, FORK_OUTER);
    pthread_mutex_lock(&tables.lock);
    tables.users++;
    pthread_mutex_unlock(&tables.lock);
}

void raster_merge_cache_leave(void)
{
    ir_code_cache_leave(&cache);
    pthread_mutex_lock(&tables.lock);
    if (!--tables.users) {
        mem_free(atomic_load(&tables.made));
        atomic_store(&tables.made, NULL);
    }
    pthread_mutex_unlock(&tables.lock);
}

const struct raster_merge_tables *raster_merge_tables_get(void)
{
    struct raster_merge_tables *made;

    pthread_mutex_lock(&tables.lock);
    made = atomic_load(&tables.made);
    if (!made && (made = mem_alloc(sizeof(*made)))) {
        raster_merge_tables_init(made);
        atomic_store(&tables.made, made);
    }
    pthread_mutex_unlock(&tables.lock);
    return made;
}

const struct ir_code *raster_merge_code_get(const struct raster_merge_target *target)
{
    if (!raster_merge_supports(target) || !is_faster(target, cpu_isa()) ||
        (target->srgb && !raster_merge_tables_get()))
        return NULL;
    return ir_code_cache_get(&cache, target);
}

void raster_merge_code_run(const struct ir_code *code, const float *const colour[4],
                           uint32_t (*words)[IR_LANES], const float factor[4], void *work)
{
    struct ir_args args = {
        .base = {[RASTER_MERGE_PIXELS] = words,
                 [RASTER_MERGE_UNIFORMS] = (void *)(uintptr_t)factor,
                 [RASTER_MERGE_TABLES] = atomic_load_explicit(&tables.made, memory_order_acquire)}};

    for (unsigned c = 0; c < 4; c++)
        args.base[RASTER_MERGE_COLOURS + c] = (void *)(uintptr_t)colour[c];
    ir_code_run(code, &args, work);
}
