/* Pictures of dx9mt frame files in both modes: as Direct3D draws them, and as dx9mt's viewer does.
 */
#include "dx9mt_run.h"

/* --- Common to both modes --------------------------------------------------------------------- */

START_TEST(texture)
{
    frame_start(&f, 4, 2);
    frame_texture(&f, quad(-1, 1, 1, -1, 0), TEXTURE_ID, 21, 4, 2, 16, texels, sizeof(texels));
    CHECK_BOTH("rgbw", "ymck");
}
END_TEST

/* Pitch of 20 bytes: the fifth texel of a row is padding. */
START_TEST(pitch)
{
    const uint32_t rows[2][5] = {{0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff, 0xff123456},
                                 {0xffffff00, 0xffff00ff, 0xff00ffff, 0xff000000, 0xff123456}};

    frame_start(&f, 4, 2);
    frame_texture(&f, quad(-1, 1, 1, -1, 0), TEXTURE_ID, 21, 4, 2, 20, rows, sizeof(rows));
    CHECK_BOTH("rgbw", "ymck");
}
END_TEST

/* The second quad is behind the first where they overlap: columns 1 to 2, and 2 to 3. */
START_TEST(depth)
{
    frame_start(&f, 4, 2);
    frame_clear(&f, 3, 0xff102030, 1);
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *d = quad(i ? 0 : -0.5f, 1, i ? 1 : 0.5f, -1, i ? 0.75f : 0.25f);

        frame_colour(&f, d, !i, i, 0, 1);
        set(d, D_ZENABLE, 1);
        set(d, D_ZWRITE, 1);
        set(d, D_ZFUNC, 4);
    }
    CHECK_BOTH(".rrg", ".rrg");
    set_float(f.header, H_CLEAR_Z, 0.5f); /* now the second quad is behind the clear value */
    CHECK_BOTH(".rr.", ".rr.");
}
END_TEST

/* Half red over blue: 0.5 becomes 128, rounding halves up. */
START_TEST(blend)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff0000ff, 1);
    d = quad(-1, 1, 0, -1, 0);
    frame_colour(&f, d, 1, 0, 0, 0.5f);
    set_blend_by_alpha(d);
    CHECK_BOTH("hhbb", "hhbb");
    set(d, D_WRITE_MASK, 1); /* red channel only: blue is unchanged */
    set(d, D_BLEND, 0);
    CHECK_BOTH("mmbb", "mmbb");
}
END_TEST

/* A target of 2x2, red with a green second row, stretched to two columns of the screen. */
static void put_stretch(void)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    for (unsigned i = 0; i < 2; i++) {
        d = frame_quad(&f, 2, 2, whole_target);
        set(d, D_TARGET, OTHER);
        set(d, D_TARGET_TEXTURE, OTHER_TEXTURE);
        frame_colour(&f, d, !i, i, 0, 1);
    }
    set(d, D_SCISSOR_TEST, 1);
    set(d, D_SCISSOR + 4, 1);
    set(d, D_SCISSOR + 8, 2);
    set(d, D_SCISSOR + 12, 2);
}

START_TEST(stretch)
{
    uint8_t *d;

    put_stretch();
    d = frame_stretch(&f, 4, 2);
    set(d, D_SRC_SURFACE, OTHER);
    set(d, D_SRC_TEXTURE, OTHER_TEXTURE);
    set(d, D_SRC_RECT + 8, 2);
    set(d, D_SRC_RECT + 12, 2);
    set(d, D_DST_RECT, 1);
    set(d, D_DST_RECT + 8, 3);
    set(d, D_DST_RECT + 12, 2);
    set(d, D_STRETCH_FILTER, 1);
    CHECK_BOTH(".rr.", ".gg.");
}
END_TEST

/* The same target used as a texture. */
START_TEST(target_as_texture)
{
    put_stretch();
    frame_texture(&f, quad(-0.5f, 1, 0.5f, -1, 0), OTHER_TEXTURE, 21, 2, 2, 8, NULL, 0);
    CHECK_BOTH(".rr.", ".gg.");
}
END_TEST

/* add oPos, v0, c0 */
START_TEST(vertex_constants)
{
    static const uint32_t code[] = {0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000, 0x03000002,
                                    0xc00f0000, 0x90e40000, 0xa0e40000, 0x0000ffff};
    const float by[4] = {1, 0, 0, 0};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(-1, 1, 0, -1, 0);
    frame_bulk(&f, d, D_VS, code, sizeof(code), true);
    frame_bulk(&f, d, D_VS_CONSTANTS, by, sizeof(by), true);
    frame_colour(&f, d, 1, 0, 0, 1);
    CHECK_BOTH("..rr", "..rr");
}
END_TEST

/* 32-bit indices, start index, base vertex and stream offset. */
START_TEST(indices)
{
    static const uint32_t numbers[6] = {9, 9, 0, 1, 2, 3};
    const float at[6][6] = {{0}, {0}, {-1, 1, 0, 1}, {0, 1, 0, 1}, {-1, -1, 0, 1}, {0, -1, 0, 1}};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(0, 0, 0, 0, 0);
    frame_bulk(&f, d, D_VB, at, sizeof(at), true);
    frame_bulk(&f, d, D_IB, numbers, sizeof(numbers), true);
    set(d, D_INDEX_FORMAT, 102);
    set(d, D_START, 2);
    set(d, D_BASE_VERTEX, 1);
    set(d, D_STREAM_OFFSET, 24);
    frame_colour(&f, d, 1, 0, 0, 1);
    CHECK_BOTH("rr..", "rr..");
}
END_TEST

/* --- Differences between the modes ------------------------------------------------------------ */

/* Starts at half a pixel: pixel 0 has its centre at 0 (Direct3D) or 0.5 (viewer). */
START_TEST(pixel_centres)
{
    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    frame_colour(&f, quad(-0.75f, 1, 0.75f, -1, 0), 1, 0, 0, 1);
    CHECK(false, ".rrr", ".rrr");
    CHECK(true, "rrr.", "rrr.");
}
END_TEST

START_TEST(alpha_test)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(-1, 1, 0, -1, 0);
    frame_colour(&f, d, 1, 0, 0, 0.25f);
    set(d, D_ALPHA_TEST, 1);
    set(d, D_ALPHA_REF, 128);
    set(d, D_ALPHA_FUNC, 5);
    CHECK(false, "....", "....");
    CHECK(true, "rr..", "rr..");
}
END_TEST

/* A fan of two triangles; as a list, its four indices are one triangle. */
START_TEST(fan)
{
    static const uint16_t order[4] = {0, 1, 3, 2};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(-1, 1, 1, -1, 0);
    frame_bulk(&f, d, D_IB, order, sizeof(order), true);
    set(d, D_TYPE, 6);
    frame_colour(&f, d, 1, 0, 0, 1);
    CHECK(false, "rrrr", "rrrr");
    /* The half above the diagonal from 0,0 to 4,2: pixel centres with x > 2y. */
    CHECK(true, ".rrr", "...r");
}
END_TEST

/* X8R8G8B8 with top byte 0, blended by source alpha. */
START_TEST(unused_alpha)
{
    static const uint32_t red[8] = {0xff0000, 0xff0000, 0xff0000, 0xff0000,
                                    0xff0000, 0xff0000, 0xff0000, 0xff0000};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(-1, 1, 0, -1, 0);
    frame_texture(&f, d, TEXTURE_ID, 22, 4, 2, 16, red, sizeof(red));
    set_blend_by_alpha(d);
    CHECK(false, "rr..", "rr..");
    CHECK(true, "....", "....");
}
END_TEST

START_TEST(missing_texture)
{
    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    frame_texture(&f, quad(-1, 1, 0, -1, 0), TEXTURE_ID, 21, 4, 2, 16, NULL, 0);
    CHECK(false, "kk..", "kk..");
    CHECK(true, "....", "....");
}
END_TEST

/* A draw may read somewhat past its indices, as programs do. A frame of a few KB that asks for
 * billions of primitives is shown without them and is damaged. */
START_TEST(work_is_bounded)
{
    static const uint32_t counts[] = {65536 + 4, 65536 + 5, 1500000000, 0xffffffff};
    uint8_t *d;

    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        for (int viewer = 0; viewer < 2; viewer++) {
            struct stream file;

            frame_start(&f, 4, 2);
            frame_clear(&f, 1, 0xff102030, 1);
            d = quad(-1, 1, 0, -1, 0);
            frame_colour(&f, d, 1, 0, 0, 1);
            set(d, D_COUNT, counts[i]);
            frame_colour(&f, quad(0, 1, 1, -1, 0), 0, 1, 0, 1);
            file = frame_file(&f);
            ck_assert_int_eq(run(&file, viewer), i ? ST_DAMAGED : ST_OK);
            ck_assert_uint_eq(pictures, 1);
            ck_assert_uint_eq(pixel(0, 0), i ? 0x102030 : 0xff0000);
            ck_assert_uint_eq(pixel(3, 1), 0x00ff00);
            mem_free(picture.rgba);
            free(file.bytes);
        }
}
END_TEST

START_TEST(fixed_function)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = fixed_quad();
    CHECK(false, "rr..", "rr..");
    CHECK(true, "....", "....");
    set(d, D_COLOR_OP, 2); /* SELECTARG1 of the texture factor */
    set(d, D_COLOR_ARG1, 3);
    set(d, 572, 0xff00ff00);
    CHECK(false, "gg..", "gg..");
}
END_TEST

START_TEST(stencil)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 7, 0xff102030, 1);
    set(f.header, H_CLEAR_STENCIL, 3);
    d = quad(-1, 1, 0, -1, 0);
    frame_colour(&f, d, 1, 0, 0, 1);
    set(d, D_STENCIL, 1);
    set(d, D_STENCIL_FUNC, 3);
    set(d, D_STENCIL_REF, 2);
    set(d, D_STENCIL_MASK, 255);
    set(d, D_STENCIL_WRITE_MASK, 255);
    for (unsigned i = 0; i < 3; i++)
        set(d, D_STENCIL_PASS + 4 * i, 1);
    CHECK(false, "....", "....");
    CHECK(true, "rr..", "rr..");
    set(d, D_STENCIL_REF, 3);
    CHECK(false, "rr..", "rr..");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frames of dx9mt");
    TCase *tc = tcase_create("dx9mt");

    setenv("NOVEM_THREADS", "1", 0);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, texture);
    tcase_add_test(tc, pitch);
    tcase_add_test(tc, depth);
    tcase_add_test(tc, blend);
    tcase_add_test(tc, stretch);
    tcase_add_test(tc, target_as_texture);
    tcase_add_test(tc, vertex_constants);
    tcase_add_test(tc, indices);
    tcase_add_test(tc, pixel_centres);
    tcase_add_test(tc, alpha_test);
    tcase_add_test(tc, fan);
    tcase_add_test(tc, unused_alpha);
    tcase_add_test(tc, missing_texture);
    tcase_add_test(tc, work_is_bounded);
    tcase_add_test(tc, fixed_function);
    tcase_add_test(tc, stencil);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
