/* Code of sampling functions: samplers take it while it has users, equal shapes share it, and its
 * number is bounded. */
#include "check_main.h"
#include "machine_code.h"

#include "../tex_helpers.h"
#include "tex/emit/emit.h"
#include "tex/sample/sampler.h"
#include "util/cpu.h"

#include <string.h>

/* Shapes that differ in the places of their channels. */
static struct tex_emit_shape shape_of(unsigned number)
{
    struct tex_emit_shape shape;

    memset(&shape, 0, sizeof(shape));
    shape.bytes = 2;
    shape.axes = 2;
    shape.address[0] = shape.address[1] = D3DTADDRESS_WRAP;
    for (unsigned c = 0; c < 4; c++) {
        shape.swizzle[c] = (uint8_t)c;
        shape.shift[c] = (uint8_t)(number >> 3 * c & 7);
        shape.bits[c] = 4;
    }
    return shape;
}

START_TEST(equal_shapes_share_code)
{
    struct tex_emit_shape a = shape_of(0), b = shape_of(1);

    if (!has_machine_code(cpu_isa()))
        return;
    ck_assert_ptr_null(tex_emit_code_get(&a)); /* no users */
    tex_emit_cache_use();
    ck_assert_ptr_nonnull(tex_emit_code_get(&a));
    ck_assert_ptr_eq(tex_emit_code_get(&a), tex_emit_code_get(&a));
    ck_assert_ptr_ne(tex_emit_code_get(&a), tex_emit_code_get(&b));
    tex_emit_cache_leave();
}
END_TEST

START_TEST(the_number_of_functions_is_bounded)
{
    unsigned found = 0;

    if (!has_machine_code(cpu_isa()))
        return;
    tex_emit_cache_use();
    for (unsigned i = 0; i < 600; i++) {
        struct tex_emit_shape shape = shape_of(i);

        found += tex_emit_code_get(&shape) != NULL;
    }
    ck_assert_uint_eq(found, 512);
    tex_emit_cache_leave();
}
END_TEST

static struct tex_sampler_private sampler_of(struct tex_image *image, unsigned min_filter)
{
    struct tex_sampler_state state = default_state();
    struct tex_sampler sampler;

    state.min_filter = (uint8_t)min_filter;
    ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
    return *tex_sampler_private(&sampler);
}

/* Bytes take kernels. A sampler with one filter has one function, so that it selects no LOD. */
START_TEST(samplers_take_code_where_it_is_faster)
{
    struct tex_image *words = make_2d(D3DFMT_L16, 4, 4), *bytes = make_2d(D3DFMT_A8R8G8B8, 4, 4);
    struct tex_sampler_private s = sampler_of(words, D3DTEXF_POINT);

    ck_assert_ptr_null(s.minify_code);
    tex_code_use();
    s = sampler_of(words, D3DTEXF_POINT);
    ck_assert_int_eq(s.minify_code != NULL, has_machine_code(cpu_isa()));
    ck_assert(s.minify == s.magnify && !s.needs_lod);
    s = sampler_of(words, D3DTEXF_LINEAR);
    ck_assert_int_eq(s.magnify_code != NULL, has_machine_code(cpu_isa()));
    ck_assert(s.minify != s.magnify && s.needs_lod);
    s = sampler_of(bytes, D3DTEXF_POINT);
    ck_assert_ptr_null(s.minify_code);
    tex_code_leave();
    tex_image_unref(&words);
    tex_image_unref(&bytes);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex/emit/code");
    TCase *tc = tcase_create("code");

    tcase_add_test(tc, equal_shapes_share_code);
    tcase_add_test(tc, the_number_of_functions_is_bounded);
    tcase_add_test(tc, samplers_take_code_where_it_is_faster);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
