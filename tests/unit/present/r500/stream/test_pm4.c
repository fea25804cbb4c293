/* PM4 packets: every type, the packets of the published stream, damaged ones. */
#include "../published.h"

#include "check_main.h"

static struct pm4_packet packet;
static const char *reason;

static const struct {
    uint32_t dwords[4], n;
    struct pm4_packet packet; /* without data */
} good[] = {
    {{PM4_TYPE0(0x4e00, 1), 7}, 2, {.type = 0, .n = 1, .reg = 0x4e00}},
    {{PM4_TYPE0(0x1000, 3), 1, 2, 3}, 4, {.type = 0, .n = 3, .reg = 0x1000}},
    {{PM4_TYPE0(0x1000, 2) | PM4_ONE_REG, 1, 2}, 3, {.n = 2, .reg = 0x1000, .one_reg = true}},
    {{PM4_FILLER}, 1, {.type = 2}},
    {{PM4_RELOCATION, 4}, 2, {.type = 3, .n = 1, .opcode = PM4_NOP}},
    {{PM4_TYPE3(PM4_3D_DRAW_IMMD_2, 2), 1, 2}, 3, {.type = 3, .n = 2, .opcode = 0x35}},
};

START_TEST(packets_of_every_type)
{
    const struct pm4_packet *want = &good[_i].packet;
    uint32_t at = 0;

    ck_assert_int_eq(pm4_read(good[_i].dwords, good[_i].n, &at, &packet, &reason), ST_OK);
    ck_assert_uint_eq(at, good[_i].n);
    ck_assert_uint_eq(packet.type, want->type);
    ck_assert_uint_eq(packet.n, want->n);
    ck_assert_uint_eq(packet.reg, want->reg);
    ck_assert_uint_eq(packet.opcode, want->opcode);
    ck_assert_int_eq(packet.one_reg, want->one_reg);
    ck_assert_ptr_eq(packet.data, good[_i].dwords + 1);
}
END_TEST

static const struct {
    uint32_t dwords[2], n;
    const char *reason;
} damaged[] = {
    {{0}, 0, "no packet"},
    {{0x40000000, 0}, 2, "type 1"},
    {{PM4_TYPE0(0x1000, 1)}, 1, "beyond the end"},
    {{PM4_TYPE3(PM4_NOP, 2), 0}, 2, "beyond the end"},
};

START_TEST(damaged_packets_are_refused)
{
    uint32_t at = 0;

    ck_assert_int_eq(pm4_read(damaged[_i].dwords, damaged[_i].n, &at, &packet, &reason),
                     ST_DAMAGED);
    ck_assert_uint_eq(at, 0);
    ck_assert_ptr_nonnull(strstr(reason, damaged[_i].reason));
}
END_TEST

/* The packets follow one another without gaps, and there is one draw. */
START_TEST(the_published_stream_is_read_in_full)
{
    uint32_t at = 0, before = 0, draws = 0;

    for (; at < PUBLISHED; before = at) {
        ck_assert_int_eq(pm4_read(published, PUBLISHED, &at, &packet, &reason), ST_OK);
        ck_assert_uint_eq(packet.at, before);
        ck_assert_uint_eq(at, before + 1 + packet.n);
        draws += packet.type == 3 && packet.opcode == PM4_3D_DRAW_IMMD_2;
    }
    ck_assert_uint_eq(at, PUBLISHED);
    ck_assert_uint_eq(draws, 1);
}
END_TEST

START_TEST(opcodes_have_names)
{
    ck_assert_str_eq(pm4_opcode_name(PM4_3D_DRAW_IMMD_2), "3D_DRAW_IMMD_2");
    ck_assert_str_eq(pm4_opcode_name(PM4_BITBLT_MULTI), "BITBLT_MULTI");
    ck_assert_ptr_null(pm4_opcode_name(0x11));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/stream/pm4");
    TCase *tc = tcase_create("pm4");

    tcase_add_loop_test(tc, packets_of_every_type, 0, sizeof(good) / sizeof(good[0]));
    tcase_add_loop_test(tc, damaged_packets_are_refused, 0, sizeof(damaged) / sizeof(damaged[0]));
    tcase_add_test(tc, the_published_stream_is_read_in_full);
    tcase_add_test(tc, opcodes_have_names);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
