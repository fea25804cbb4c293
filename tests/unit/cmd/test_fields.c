/* Tests the field table of command packets: the fields cover each packet in order without gaps. */
#include "check_main.h"

#include "cmd/cmd.h"

START_TEST(fields_cover_packets)
{
    unsigned n;
    const struct cmd_field *field = cmd_fields(_i, &n);
    size_t at = 0;

    for (unsigned i = 0; i < n; i++) {
        ck_assert_msg(field[i].offset == at, "%s.%s is at %u, not at %zu", cmd_name(_i),
                      field[i].name, field[i].offset, at);
        at += (size_t)field[i].count * (field[i].kind == CMD_FIELD_U64 ? 8 : 4);
    }
    ck_assert_msg(at == cmd_packet_bytes(_i), "%s: fields end at %zu of %zu", cmd_name(_i), at,
                  cmd_packet_bytes(_i));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("fields of packets");
    TCase *tests = tcase_create("fields");

    tcase_add_loop_test(tests, fields_cover_packets, 0, CMD_OP_COUNT);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
