/* Checker of command streams: accepts the published stream, and refuses altered ones with the
 * expected reason. */
#include "../published.h"

#include "present/r500/check/check.h"
#include "check_main.h"

static struct r500_buffer buffers[2];
static const struct r500_memory memory = {buffers, 2};
static uint32_t stream[PUBLISHED + 2];
static struct r500_submit submit;
static struct r500_error error;

static void setup(void)
{
    buffers[0] = (struct r500_buffer){TARGET, FRAME_BYTES, NULL};
    buffers[1] = (struct r500_buffer){TEXTURE, FRAME_BYTES, NULL};
    memcpy(stream, published, sizeof(published));
    submit = submit_of(stream, PUBLISHED);
}

static enum status check(void)
{
    return r500_check(&submit, &memory, R500_RV515, &error);
}

static void refused(const char *reason)
{
    ck_assert_int_eq(check(), ST_INVALID);
    ck_assert_msg(strstr(error.text, reason) != NULL, "'%s' is not '%s'", error.text, reason);
}

static void set(uint32_t reg, uint32_t value)
{
    *value_of(stream, PUBLISHED, reg) = value;
}

START_TEST(published_stream_is_accepted)
{
    ck_assert_int_eq(check(), ST_OK);
    submit.flags[0] = 0; /* then pitch registers have relocations */
    ck_assert_int_eq(check(), ST_OK);
}
END_TEST

START_TEST(allow_list_has_its_size)
{
    unsigned n = 0;

    for (uint32_t reg = 0; reg < R500_REGISTER_BYTES; reg += 4)
        n += r500_is_allowed(reg);
    ck_assert_uint_eq(n, 495);
}
END_TEST

START_TEST(buffers_hold_what_is_drawn)
{
    buffers[0].size--;
    refused("colour buffer 0 is too small");
    buffers[0].size++;
    buffers[1].size--;
    refused("texture 0 is too small: needs 1228800");
}
END_TEST

/* Replaced register values and the expected reasons. */
static const struct {
    uint32_t reg, value;
    const char *reason;
} values[] = {
    {R500_SC_SCISSOR1, (WIDTH - 1) | HEIGHT << 13, "colour buffer 0 is too small"},
    {R500_ZB_CNTL, 2, "there is no z buffer"},
    {R500_VAP_VTX_SIZE, 5, "4 vertices of 5 dwords are not the 16"},
    {R500_TX_FILTER0, 0xa00, "texture 0 is too small: needs 1310720"},
    {R500_RB3D_CCTL, 0x20, "there is no colour buffer 1"},
    {R500_RB3D_CCTL, 0x400, "CMASK"},
    {R500_RB3D_COLORPITCH, WIDTH | 8 << 21, "unknown format 8"},
    {R500_TX_FORMAT1, 0x13, "unknown format 19"},
    {R500_ZB_BW_CNTL, 1, "HyperZ"},
    {R500_GB_Z_PEQ_CONFIG, 1, "GB_Z_PEQ_CONFIG"},
    {R500_TX_ENABLE, 3, "there is no texture 1"},
};

START_TEST(values_are_refused)
{
    set(values[_i].reg, values[_i].value);
    refused(values[_i].reason);
}
END_TEST

static const struct {
    uint32_t reg;
    const char *name;
} forbidden[] = {
    {R500_GB_TILE_CONFIG, "GB_TILE_CONFIG"},
    {R500_D1GRPH_PRIMARY_SURFACE_ADDRESS, "D1GRPH_PRIMARY_SURFACE_ADDRESS"},
    {0x2098, "0x2098"},
    {R500_GA_ENHANCE, "GA_ENHANCE"},
    {0x4be8, "0x4be8"},
};

START_TEST(registers_are_forbidden)
{
    stream[0] = PM4_TYPE0(forbidden[_i].reg, 1);
    refused("forbidden register");
    refused(forbidden[_i].name);
    ck_assert_uint_eq(error.at, 0);
    if (forbidden[_i].reg == 0x4be8) /* only RV530 has it */
        ck_assert_int_eq(r500_check(&submit, &memory, R500_RV530, &error), ST_OK);
}
END_TEST

START_TEST(packets_are_whole)
{
    submit.n--; /* the padding at the end */
    submit.n--;
    refused("beyond the end");
    submit.n = 0;
    refused("a stream of 0 dwords");
    submit.n = PUBLISHED;
    stream[PUBLISHED - 1] = 0x40000000;
    refused("type 1");
    stream[PUBLISHED - 1] = PM4_TYPE3(PM4_WAIT_FOR_IDLE, 1);
    refused("beyond the end");
    stream[PUBLISHED] = 0;
    submit.n++;
    refused("forbidden packet WAIT_FOR_IDLE");
}
END_TEST

START_TEST(relocations_are_required)
{
    uint32_t at = (uint32_t)(value_of(stream, PUBLISHED, R500_RB3D_COLOROFFSET) - stream) + 1;

    ck_assert_uint_eq(stream[at], PM4_RELOCATION);
    stream[at + 1] = 8;
    refused("relocation 8 is beyond the chunk");
    memmove(stream + at, stream + at + 2, (PUBLISHED - at - 2) * 4);
    submit.n -= 2;
    refused("the next packet is not a NOP");
}
END_TEST

START_TEST(relocations_name_buffers)
{
    struct r500_reloc others[2] = {relocs[0], relocs[1]};

    submit.relocs = others;
    others[1].handle = 77;
    refused("no buffer has handle 77");
    others[1].handle = TEXTURE;
    others[0].write_domain = R500_DOMAIN_CPU;
    refused("the CPU's domain");
}
END_TEST

START_TEST(unwritten_buffers_are_not_checked)
{
    buffers[0].size = 16;
    refused("colour buffer 0 is too small");
    set(R500_RB3D_COLOR_CHANNEL_MASK, 0);
    ck_assert_int_eq(check(), ST_OK);
}
END_TEST

START_TEST(large_textures)
{
    buffers[1].size = 4096 * 4 * 3000;
    set(R500_TX_FORMAT0, ((4096 - 1) & 0x7ff) | ((3000 - 1) & 0x7ff) << 11 | 1u << 31);
    set(R500_TX_FORMAT2, (4096 - 1) | 3 << 15);
    ck_assert_int_eq(check(), ST_OK);
    buffers[1].size--;
    refused("needs 49152000");
}
END_TEST

START_TEST(waits_for_a_line)
{
    uint32_t wait[] = {PM4_TYPE0(R500_D1MODE_VLINE_START_END, 1),
                       480,
                       PM4_TYPE0(R500_WAIT_UNTIL, 1),
                       8,
                       PM4_TYPE3(PM4_NOP, 1),
                       1};

    submit = submit_of(wait, 6);
    ck_assert_int_eq(check(), ST_OK);
    wait[5] = 2;
    refused("number of a display");
    wait[3] = 9;
    refused("more than the display's line");
    wait[2] = PM4_TYPE0(R500_TX_INVALTAGS, 1);
    refused("no WAIT_UNTIL after");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/check");
    TCase *tc = tcase_create("rules");

    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, published_stream_is_accepted);
    tcase_add_test(tc, allow_list_has_its_size);
    tcase_add_test(tc, buffers_hold_what_is_drawn);
    tcase_add_loop_test(tc, values_are_refused, 0, sizeof(values) / sizeof(values[0]));
    tcase_add_loop_test(tc, registers_are_forbidden, 0, sizeof(forbidden) / sizeof(forbidden[0]));
    tcase_add_test(tc, packets_are_whole);
    tcase_add_test(tc, relocations_are_required);
    tcase_add_test(tc, relocations_name_buffers);
    tcase_add_test(tc, unwritten_buffers_are_not_checked);
    tcase_add_test(tc, large_textures);
    tcase_add_test(tc, waits_for_a_line);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
