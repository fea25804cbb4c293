/* Operand words: register types of every stage and version. */
#include "shader.h"

#include "vm/isa/decode.h"

/* Register types 3 and 6 by stage and version; banks of c#. */
START_TEST(register_types)
{
    static const struct {
        bool pixel;
        uint8_t major, minor, rank;
        uint32_t word;
        uint8_t file;
        uint16_t index;
    } rows[] = {
        {false, 1, 1, 11, 0xB0E40000, VM_FILE_ADDR, 0},
        {true, 1, 1, 11, 0xB0E40003, VM_FILE_TEXTURE, 3},
        {false, 2, 0, 20, 0xE0E40007, VM_FILE_TEXCRDOUT, 7},
        {false, 3, 0, 30, 0xE0E40007, VM_FILE_OUTPUT, 7},
        {false, 2, 255, 22, 0xA0E407FF, VM_FILE_CONST, 2047},
        {false, 2, 255, 22, 0xB0E40800, VM_FILE_CONST, 2048},
        {false, 2, 255, 22, 0xC0E40801, VM_FILE_CONST, 4097},
        {false, 2, 255, 22, 0xD0E40FFF, VM_FILE_CONST, 8191},
        {true, 2, 0, 20, 0xA0E40803, VM_FILE_SAMPLER, 3},
        {true, 2, 0, 20, 0x80E40801, VM_FILE_COLOROUT, 1},
        {true, 3, 0, 30, 0x90E41001, VM_FILE_MISC, 1},
        {true, 3, 0, 30, 0xB0E41000, VM_FILE_PREDICATE, 0},
        {true, 3, 0, 30, 0xA0E417FF, VM_FILE_LABEL, 2047},
        {true, 3, 0, 30, 0xF0E40800, VM_FILE_LOOP, 0},
        {true, 3, 0, 30, 0xE0E40805, VM_FILE_CONSTBOOL, 5},
        {true, 3, 0, 30, 0xF0E40005, VM_FILE_CONSTINT, 5},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct vm_version v = {rows[i].pixel, rows[i].major, rows[i].minor, rows[i].rank};
        struct vm_src src;

        ck_assert_ptr_null(vm_src_decode(&src, rows[i].word, &v));
        ck_assert_uint_eq(src.file, rows[i].file);
        ck_assert_uint_eq(src.index, rows[i].index);
        ck_assert_uint_eq(vm_src_encode(&src), rows[i].word);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/decode_token");
    TCase *t = tcase_create("decode_token");

    tcase_add_test(t, register_types);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
