/* Compiles sampling functions and keeps their code.
 *
 * Tested by tests/unit/tex/emit/test_code.c. */
#include "tex/emit/emit.h"

#include "ir/pass/pass.h"
#include "ir/x86/x86.h"
#include "util/alloc.h"
#include "util/equal.h"
#include "util/hash.h"

#include <pthread.h>
#include <string.h>

/* A program needs some ten. With more than CODES, further shapes take the kernels: the memory of
 * code stays below some megabytes. */
enum { CODES = 512, BUCKETS = 128 };

struct tex_emit_code {
    struct tex_emit_code *next;
    struct tex_emit_shape shape;
    enum cpu_isa isa;
    struct ir_code *code; /* NULL: there is no compiler, or no executable memory */
};

static struct {
    pthread_mutex_t lock;
    unsigned users, n_codes;
    struct tex_emit_code *bucket[BUCKETS];
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- Functions -------------------------------------------------------------------------------- */

static enum status compile(struct ir_code **out, const struct tex_emit_shape *shape,
                           enum cpu_isa isa)
{
    struct ir *ir = tex_emit_function(shape);
    struct ir *live = ir ? ir_remove_dead(ir) : NULL;
    enum status st = live ? ir_compile(out, live, isa) : ST_NOMEM;

    ir_destroy(live);
    ir_destroy(ir);
    if (!st && ir_code_work_bytes(*out) > TEX_EMIT_WORK_BYTES) {
        ir_code_destroy(*out);
        *out = NULL;
        return ST_UNSUPPORTED;
    }
    return st;
}

static struct tex_emit_code *new_code(const struct tex_emit_shape *shape, enum cpu_isa isa)
{
    struct tex_emit_code *code = mem_calloc(1, sizeof(*code));
    enum status st;

    if (!code)
        return NULL;
    memcpy(&code->shape, shape, sizeof(*shape));
    code->isa = isa;
    st = compile(&code->code, shape, isa);
    if (st && st != ST_UNSUPPORTED) { /* memory is short: the next sampler tries again */
        mem_free(code);
        return NULL;
    }
    return code;
}

/* --- The cache -------------------------------------------------------------------------------- */

void tex_emit_cache_use(void)
{
    pthread_mutex_lock(&cache.lock);
    cache.users++;
    pthread_mutex_unlock(&cache.lock);
}

static void clear(void)
{
    for (unsigned i = 0; i < BUCKETS; i++) {
        struct tex_emit_code *code = cache.bucket[i], *next;

        for (; code; code = next) {
            next = code->next;
            ir_code_destroy(code->code);
            mem_free(code);
        }
        cache.bucket[i] = NULL;
    }
    cache.n_codes = 0;
}

void tex_emit_cache_leave(void)
{
    pthread_mutex_lock(&cache.lock);
    if (!--cache.users)
        clear();
    pthread_mutex_unlock(&cache.lock);
}

static const struct tex_emit_code *find(const struct tex_emit_shape *shape, enum cpu_isa isa)
{
    struct tex_emit_code **bucket = &cache.bucket[hash_bytes(shape, sizeof(*shape), 0) % BUCKETS];
    struct tex_emit_code *code;

    for (code = *bucket; code; code = code->next)
        if (code->isa == isa && bytes_equal(&code->shape, shape, sizeof(*shape)))
            return code;
    code = cache.n_codes < CODES ? new_code(shape, isa) : NULL;
    if (!code)
        return NULL;
    code->next = *bucket;
    *bucket = code;
    cache.n_codes++;
    return code;
}

const struct tex_emit_code *tex_emit_code_get(const struct tex_emit_shape *shape)
{
    const struct tex_emit_code *code = NULL;

    pthread_mutex_lock(&cache.lock);
    if (cache.users)
        code = find(shape, cpu_isa());
    pthread_mutex_unlock(&cache.lock);
    return code && code->code ? code : NULL;
}

void tex_emit_code_run(const struct tex_emit_code *code, const struct ir_args *args)
{
    _Alignas(64) uint8_t work[TEX_EMIT_WORK_BYTES];

    ir_code_run(code->code, args, work);
}
