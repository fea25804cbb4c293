/* The plain way of the pipeline fuzz takes no shortcut that claims to change no pixel: the linker
 * routes the functions that offer them here (--wrap), and they answer that there is none. So the
 * other ways are compared with the general code. */
#include "pipeline.h"

#include "ir/pass/pass.h"
#include "raster/raster.h"
#include "tex/shortcut/shortcut.h"

bool plain_way;

/* --- Shader code ------------------------------------------------------------------------------ */

struct ir *__real_ir_expand_mul0(const struct ir *ir);
struct ir *__wrap_ir_expand_mul0(const struct ir *ir);

/* A copy that keeps the exact products. */
struct ir *__wrap_ir_expand_mul0(const struct ir *ir)
{
    return plain_way ? ir_remove_dead(ir) : __real_ir_expand_mul0(ir);
}

/* --- Sampling --------------------------------------------------------------------------------- */

void __real_tex_sampler_const_lod(const struct tex_sampler *sampler,
                                  const struct tex_gradients *gradients,
                                  struct tex_const_lod *const_lod);
void __wrap_tex_sampler_const_lod(const struct tex_sampler *sampler,
                                  const struct tex_gradients *gradients,
                                  struct tex_const_lod *const_lod);
bool __real_tex_can_group_samplers(const struct tex_sampler *a, const struct tex_sampler *b);
bool __wrap_tex_can_group_samplers(const struct tex_sampler *a, const struct tex_sampler *b);
tex_sample_packed_fn *__real_tex_sampler_packed(const struct tex_sampler *sampler);
tex_sample_packed_fn *__wrap_tex_sampler_packed(const struct tex_sampler *sampler);
tex_axis_aligned_fn *__real_tex_sampler_axis_aligned(const struct tex_sampler *sampler);
tex_axis_aligned_fn *__wrap_tex_sampler_axis_aligned(const struct tex_sampler *sampler);

void __wrap_tex_sampler_const_lod(const struct tex_sampler *sampler,
                                  const struct tex_gradients *gradients,
                                  struct tex_const_lod *const_lod)
{
    __real_tex_sampler_const_lod(sampler, gradients, const_lod);
    if (plain_way)
        *const_lod = (struct tex_const_lod){.lod_and_filter = -1};
}

bool __wrap_tex_can_group_samplers(const struct tex_sampler *a, const struct tex_sampler *b)
{
    return !plain_way && __real_tex_can_group_samplers(a, b);
}

tex_sample_packed_fn *__wrap_tex_sampler_packed(const struct tex_sampler *sampler)
{
    return plain_way ? NULL : __real_tex_sampler_packed(sampler);
}

tex_axis_aligned_fn *__wrap_tex_sampler_axis_aligned(const struct tex_sampler *sampler)
{
    return plain_way ? NULL : __real_tex_sampler_axis_aligned(sampler);
}

/* --- Rasteriser ------------------------------------------------------------------------------- */

void __real_raster_draw_begin(struct raster *raster, const struct raster_state *state);
void __wrap_raster_draw_begin(struct raster *raster, const struct raster_state *state);

void __wrap_raster_draw_begin(struct raster *raster, const struct raster_state *state)
{
    static struct raster_state general; /* stays until raster_draw_end */

    if (plain_way) {
        general = *state;
        general.attribs_only = general.is_cheap = general.is_gradient = false;
        general.shade_texture_only = NULL;
        general.shade_rgba8 = NULL;
        general.shade_axis_aligned = NULL;
        state = &general;
    }
    __real_raster_draw_begin(raster, state);
}
