/* Constant tables in listings. */
#include "shader.h"

/* Names in the compiler's constant table; invalid offsets do no harm. */
START_TEST(constant_table)
{
    static const char listing[] = "    vs_2_0\n    // Com\n    // c4-7 World\n    // s1 Tex\n\n";
    uint32_t words[] = {0xFFFE0200, 0x0017FFFE, 0x42415443, 28,         68, 0xFFFE0200,
                        2,          28,         0,          0,             /* header */
                        72,         0x00040002, 4,          0,          0, /* c4, 4 registers */
                        80,         0x00010003, 1,          0,          0, /* s1 */
                        0x006d6f43, 0x6c726f57, 0x00000064, 0x00786554, 0,  0x0000FFFF};
    char *text;

    ck_assert_int_eq(vm_disassemble(&text, words, sizeof(words) / 4, NULL), ST_OK);
    ck_assert_msg(!strncmp(text, listing, strlen(listing)), "%s", text);
    mem_free(text);
    for (unsigned i = 3; i < 23; i++) {
        words[i] ^= 0xfffffff0;
        ck_assert_int_eq(vm_disassemble(&text, words, sizeof(words) / 4, NULL), ST_OK);
        mem_free(text);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/constant_table");
    TCase *t = tcase_create("constant_table");

    tcase_add_test(t, constant_table);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
