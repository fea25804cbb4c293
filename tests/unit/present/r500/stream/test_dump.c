/* Disassembler of command streams: the published stream as text, damaged streams. */
#include "../published.h"

#include "present/r500/stream/dump.h"

#include "check_main.h"

#include <stdlib.h>

static struct r500_error error;

/* The caller frees the text. */
static char *dump(const uint32_t *stream, uint32_t n, enum status expected)
{
    const struct r500_submit submit = submit_of(stream, n);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    ck_assert_int_eq(r500_dump(out, &submit, &error), expected);
    fclose(out);
    return text;
}

START_TEST(the_published_stream_has_names)
{
    static const char *const wanted[] = {
        "4e4c RB3D_DSTCACHE_CTLSTAT = 0x0000000a",
        "SC_SCISSOR1 = 0x003be27f  X1=639  Y1=479\n",
        "NOP 0  relocation 0: buffer 1 read=4 write=4 flags=0x8\n",
        "NOP 4  relocation 1: buffer 2 read=4 write=0 flags=0x8\n",
        "0: tex sem_wait write=rgba op=ld",
        "1: out sem_wait out=rgba",
        "opcode 0x35 3D_DRAW_IMMD_2: 17 dwords  VF_CNTL 0x0004003d",
        "44200000 (640) 43f00000 (480) 3f800000 (1) 3f800000 (1)\n",
        "filler\n",
    };
    char *text = dump(published, PUBLISHED, ST_OK);

    for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        ck_assert_msg(strstr(text, wanted[i]) != NULL, "no '%s' in %s", wanted[i], text);
    free(text);
}
END_TEST

/* What is readable is printed, then the error has the position of the packet. */
START_TEST(damaged_streams_end_the_text)
{
    const uint32_t stream[] = {PM4_TYPE0(R500_ZB_CNTL, 1), 2, PM4_TYPE0(R500_ZB_CNTL, 9), 0};
    char *text = dump(stream, 4, ST_DAMAGED);

    ck_assert_ptr_nonnull(strstr(text, "ZB_CNTL = 0x00000002"));
    ck_assert_uint_eq(error.at, 2);
    ck_assert_ptr_nonnull(strstr(error.text, "beyond the end"));
    free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/stream/dump");
    TCase *tc = tcase_create("dump");

    tcase_add_test(tc, the_published_stream_has_names);
    tcase_add_test(tc, damaged_streams_end_the_text);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
