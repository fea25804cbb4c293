/* Compiles merge functions and keeps their code.
 *
 * Tested by tests/unit/raster/merge/test_code.c. */
#include "raster/merge/code.h"

#include "ir/pass/pass.h"
#include "ir/x86/x86.h"
#include "util/alloc.h"
#include "util/equal.h"
#include "util/hash.h"

#include <pthread.h>
#include <string.h>

/* A program needs some ten. With more than CODES, further targets take the kernels: the memory of
 * code stays below some megabytes. */
enum { CODES = 512, BUCKETS = 128 };

struct raster_merge_code {
    struct raster_merge_code *next;
    struct raster_merge_target target;
    enum cpu_isa isa;
    struct ir_code *code; /* NULL: there is no compiler, or no executable memory */
    const struct raster_merge_tables *tables;
};

static struct {
    pthread_mutex_t lock;
    unsigned users, n_codes;
    struct raster_merge_code *bucket[BUCKETS];
    struct raster_merge_tables *tables; /* NULL: not needed yet */
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

/* --- Functions -------------------------------------------------------------------------------- */

static enum status compile(struct ir_code **out, const struct raster_merge_target *target,
                           enum cpu_isa isa)
{
    struct ir *ir = raster_merge_target_function(target);
    struct ir *live = ir ? ir_remove_dead(ir) : NULL;
    enum status st = live ? ir_compile(out, live, isa) : ST_NOMEM;

    ir_destroy(live);
    ir_destroy(ir);
    if (!st && ir_code_work_bytes(*out) > RASTER_MERGE_WORK_BYTES) {
        ir_code_destroy(*out);
        *out = NULL;
        return ST_UNSUPPORTED;
    }
    return st;
}

static void make_tables(void)
{
    if (cache.tables)
        return;
    cache.tables = mem_alloc(sizeof(*cache.tables));
    if (cache.tables)
        raster_merge_tables_init(cache.tables);
}

static struct raster_merge_code *new_code(const struct raster_merge_target *target,
                                          enum cpu_isa isa)
{
    struct raster_merge_code *code = mem_calloc(1, sizeof(*code));
    enum status st;

    if (!code)
        return NULL;
    if (target->srgb)
        make_tables();
    memcpy(&code->target, target, sizeof(*target));
    code->isa = isa;
    code->tables = cache.tables;
    st = target->srgb && !cache.tables ? ST_NOMEM : compile(&code->code, target, isa);
    if (st && st != ST_UNSUPPORTED) { /* memory is short: the next pipeline tries again */
        mem_free(code);
        return NULL;
    }
    return code;
}

/* --- The cache -------------------------------------------------------------------------------- */

void raster_merge_cache_use(void)
{
    pthread_mutex_lock(&cache.lock);
    cache.users++;
    pthread_mutex_unlock(&cache.lock);
}

static void clear(void)
{
    for (unsigned i = 0; i < BUCKETS; i++) {
        struct raster_merge_code *code = cache.bucket[i], *next;

        for (; code; code = next) {
            next = code->next;
            ir_code_destroy(code->code);
            mem_free(code);
        }
        cache.bucket[i] = NULL;
    }
    mem_free(cache.tables);
    cache.tables = NULL;
    cache.n_codes = 0;
}

void raster_merge_cache_leave(void)
{
    pthread_mutex_lock(&cache.lock);
    if (!--cache.users)
        clear();
    pthread_mutex_unlock(&cache.lock);
}

static const struct raster_merge_code *find(const struct raster_merge_target *target,
                                            enum cpu_isa isa)
{
    struct raster_merge_code **bucket =
        &cache.bucket[hash_bytes(target, sizeof(*target), 0) % BUCKETS];
    struct raster_merge_code *code;

    for (code = *bucket; code; code = code->next)
        if (code->isa == isa && bytes_equal(&code->target, target, sizeof(*target)))
            return code;
    code = cache.n_codes < CODES ? new_code(target, isa) : NULL;
    if (!code)
        return NULL;
    code->next = *bucket;
    *bucket = code;
    cache.n_codes++;
    return code;
}

const struct raster_merge_code *raster_merge_code_get(const struct raster_merge_target *target)
{
    const enum cpu_isa isa = cpu_isa();
    const struct raster_merge_code *code;

    if (!raster_merge_supports(target) || !is_faster(target, isa))
        return NULL;
    pthread_mutex_lock(&cache.lock);
    code = find(target, isa);
    pthread_mutex_unlock(&cache.lock);
    return code && code->code ? code : NULL;
}

const struct raster_merge_tables *raster_merge_tables_get(void)
{
    pthread_mutex_lock(&cache.lock);
    make_tables();
    pthread_mutex_unlock(&cache.lock);
    return cache.tables;
}

void raster_merge_code_run(const struct raster_merge_code *code, const float *const colour[4],
                           uint32_t (*words)[IR_LANES], const float factor[4], void *work)
{
    struct ir_args args = {.base = {[RASTER_MERGE_PIXELS] = words,
                                    [RASTER_MERGE_UNIFORMS] = (void *)(uintptr_t)factor,
                                    [RASTER_MERGE_TABLES] = (void *)(uintptr_t)code->tables}};

    for (unsigned c = 0; c < 4; c++)
        args.base[RASTER_MERGE_COLOURS + c] = (void *)(uintptr_t)colour[c];
    ir_code_run(code->code, &args, work);
}
