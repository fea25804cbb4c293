/* Tests of what a player learns of a compiled stream before it plays: what each resource is for,
 * and which device the stream needs. */
#include "../nvs_file.h"

#include "draw/draw.h"
#include "trace/calls/calls.h"

enum { FIRST = 1, SECOND = 2 }; /* handles */

/* Reads the uses of the stream under construction, and frees it. */
static struct calls_uses find(void)
{
    struct calls_uses uses;
    struct nvs_reader reader;
    size_t n;
    uint8_t *bytes = end(&n);

    ck_assert_int_eq(nvs_reader_open_memory(&reader, bytes, n), ST_OK);
    ck_assert_int_eq(calls_find_uses(&reader, &uses), ST_OK);
    nvs_reader_close(&reader);
    free(bytes);
    return uses;
}

static void open_stream(void)
{
    begin();
    PUT_OWN(OPEN, open, 0);
}

static void make_image(uint32_t handle)
{
    PUT_OWN(CREATE_IMAGE, create_image, handle, D3DFMT_A8R8G8B8, TEX_2D, 8, 4, 1, 1, 1, 0);
}

/* --- States that only a reference device emits ------------------------------------------------ */

/* A device without the feature emits another value, so only these need the reference device. */
static const struct {
    uint32_t state, value;
    bool reference;
} render_states[] = {
    {D3DRS_SRCBLEND, D3DBLEND_SRCCOLOR2, true},
    {D3DRS_SRCBLEND, D3DBLEND_INVSRCCOLOR2, true},
    {D3DRS_SRCBLEND, D3DBLEND_INVBLENDFACTOR, false},
    {D3DRS_DESTBLEND, D3DBLEND_SRCCOLOR2, true},
    {D3DRS_DESTBLEND, D3DBLEND_INVSRCCOLOR2, true},
    {D3DRS_DESTBLEND, D3DBLEND_SRCCOLOR, false},
    {D3DRS_SRCBLENDALPHA, D3DBLEND_INVSRCCOLOR2, true},
    {D3DRS_SRCBLENDALPHA, D3DBLEND_ONE, false},
    {D3DRS_DESTBLENDALPHA, D3DBLEND_SRCCOLOR2, true},
    {D3DRS_DESTBLENDALPHA, D3DBLEND_ZERO, false},
    {D3DRS_DITHERENABLE, DRAW_DITHERS, true},
    {D3DRS_DITHERENABLE, TRUE, false},
    {D3DRS_DITHERENABLE, FALSE, false},
    {D3DRS_ZENABLE, D3DZB_USEW, true},
    {D3DRS_ZENABLE, D3DZB_TRUE, false},
    {D3DRS_ALPHAREF, D3DBLEND_SRCCOLOR2, false}, /* the value means this in blend factors only */
    {D3DRS_ALPHAREF, DRAW_DITHERS, false},
};

START_TEST(render_states_that_need_reference)
{
    struct calls_uses uses;

    open_stream();
    PUT(SET_RENDER_STATE, set_render_state, D3DRS_ALPHABLENDENABLE, TRUE);
    PUT(SET_RENDER_STATE, set_render_state, render_states[_i].state, render_states[_i].value);
    uses = find();
    ck_assert_uint_eq(uses.n_streams, 1);
    ck_assert_int_eq(uses.stream[0].reference, render_states[_i].reference);
    ck_assert(!uses.stream[0].software);
    calls_free_uses(&uses);
}
END_TEST

static const struct {
    uint32_t state, value;
    bool reference;
} sampler_states[] = {
    {D3DSAMP_MAGFILTER, D3DTEXF_GAUSSIANQUAD, true},
    {D3DSAMP_MAGFILTER, D3DTEXF_PYRAMIDALQUAD, true},
    {D3DSAMP_MAGFILTER, D3DTEXF_LINEAR, false},
    {D3DSAMP_MINFILTER, D3DTEXF_GAUSSIANQUAD, true},
    {D3DSAMP_MINFILTER, D3DTEXF_PYRAMIDALQUAD, true},
    {D3DSAMP_MINFILTER, D3DTEXF_ANISOTROPIC, false},
    {D3DSAMP_MAXANISOTROPY, D3DTEXF_GAUSSIANQUAD, false},
};

START_TEST(sampler_states_that_need_reference)
{
    struct calls_uses uses;

    open_stream();
    PUT(SET_SAMPLER_STATE, set_sampler_state, 3, sampler_states[_i].state,
        sampler_states[_i].value);
    uses = find();
    ck_assert_int_eq(uses.stream[0].reference, sampler_states[_i].reference);
    calls_free_uses(&uses);
}
END_TEST

/* Each stream has a device of its own. */
START_TEST(streams_are_apart)
{
    struct nvs_head second = {.op = NVS_OPEN, .stream = 1};
    struct nvs_op_info info;
    struct calls_uses uses;

    open_stream();
    ck_assert(nvs_op_info(NVS_OPEN, &info));
    nvs_file_record(&out, &second, &(struct nvs_open){0}, info.bytes, NULL, 0);
    PUT(SET_RENDER_STATE, set_render_state, D3DRS_DITHERENABLE, DRAW_DITHERS);
    uses = find();
    ck_assert_uint_eq(uses.n_streams, 2);
    ck_assert(uses.stream[0].reference);
    ck_assert(!uses.stream[1].reference);
    calls_free_uses(&uses);
}
END_TEST

/* --- Resources -------------------------------------------------------------------------------- */

START_TEST(images)
{
    struct calls_uses uses;

    open_stream();
    make_image(FIRST);
    make_image(SECOND);
    PUT(SET_TEXTURE, set_texture, 0, FIRST);
    PUT(SET_TARGET, set_target, .index = CMD_DEPTH_TARGET, .surface.image = SECOND);
    PUT(COPY, copy, .dst.image = FIRST, .src.image = SECOND);
    PUT_OWN(MOMENT, moment, .present = 1, .image = FIRST);
    uses = find();
    ck_assert_uint_eq(uses.n_resources, 2);
    ck_assert_uint_eq(uses.resource[0].use, USED_TEXTURE | USED_DRAWN);
    ck_assert_uint_eq(uses.resource[1].use, USED_DRAWN | USED_DEPTH);
    ck_assert_uint_eq(uses.stream[0].width, 8);
    ck_assert_uint_eq(uses.stream[0].height, 4);
    calls_free_uses(&uses);
}
END_TEST

/* A copy of what was drawn is no longer the program's own. */
START_TEST(copies_of_drawn_images)
{
    struct calls_uses uses;

    open_stream();
    for (uint32_t handle = 1; handle <= 4; handle++)
        make_image(handle);
    PUT(COPY, copy, .dst.image = 3, .src.image = 2);
    PUT(COPY, copy, .dst.image = 2, .src.image = 1);
    PUT(SET_TARGET, set_target, .index = 0, .surface.image = 1);
    uses = find();
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(uses.resource[i].use, i < 3 ? USED_DRAWN : 0);
    calls_free_uses(&uses);
}
END_TEST

START_TEST(buffers_and_constants)
{
    struct calls_uses uses;

    open_stream();
    PUT_OWN(CREATE_BUFFER, create_buffer, FIRST, 64);
    PUT_OWN(CREATE_BUFFER, create_buffer, SECOND, 64);
    PUT(SET_STREAM, set_stream, .stream = 0, .buffer = FIRST, .stride = 16);
    PUT(SET_INDICES, set_indices, .buffer = SECOND, .index_bytes = 4);
    PUT(SET_SOFTWARE, set_software, .on = 1);
    uses = find();
    ck_assert_uint_eq(uses.resource[0].use, USED_VERTICES);
    ck_assert_uint_eq(uses.resource[1].use, USED_INDICES_32);
    ck_assert(uses.stream[0].software);
    ck_assert(!uses.stream[0].reference);
    calls_free_uses(&uses);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("trace/uses");
    TCase *tc = tcase_create("uses");

    tcase_add_loop_test(tc, render_states_that_need_reference, 0,
                        sizeof(render_states) / sizeof(render_states[0]));
    tcase_add_loop_test(tc, sampler_states_that_need_reference, 0,
                        sizeof(sampler_states) / sizeof(sampler_states[0]));
    tcase_add_test(tc, streams_are_apart);
    tcase_add_test(tc, images);
    tcase_add_test(tc, copies_of_drawn_images);
    tcase_add_test(tc, buffers_and_constants);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
