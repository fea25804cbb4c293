/* Machine code of sampling functions.
 *
 * Tested by tests/unit/tex/emit/test_code.c. */
#include "tex/emit/emit.h"

#include "ir/compile/code_cache.h"

static struct ir *build(const void *key)
{
    return tex_emit_function(key);
}

static struct ir_code_cache cache =
    IR_CODE_CACHE(build, struct tex_emit_shape, TEX_EMIT_WORK_BYTES);

void tex_emit_cache_use(void)
{
    ir_code_cache_use(&cache);
}

void tex_emit_cache_leave(void)
{
    ir_code_cache_leave(&cache);
}

const struct ir_code *tex_emit_code_get(const struct tex_emit_shape *shape)
{
    return ir_code_cache_get(&cache, shape);
}

void tex_emit_code_run(const struct ir_code *code, const struct ir_args *args)
{
    _Alignas(64) uint8_t work[TEX_EMIT_WORK_BYTES];

    ir_code_run(code, args, work);
}
