/* Decoder: round trip of every opcode in every version, encoding errors with their word,
 * skipping. */
#include "shader.h"

#include "vm/isa/decode.h"

/* clang-format off */
static const struct vm_version versions[] = {
    {false, 1, 1, 11}, {false, 2, 0, 20}, {false, 2, 1, 21},  {false, 2, 255, 22}, {false, 3, 0, 30},
    {false, 3, 255, 31}, {true, 1, 1, 11}, {true, 1, 2, 12},  {true, 1, 3, 13},    {true, 1, 4, 14},
    {true, 2, 0, 20},  {true, 2, 1, 21},  {true, 2, 255, 22}, {true, 3, 0, 30},    {true, 3, 255, 31},
};
/* clang-format on */

/* An instruction of the opcode with all fields set that its encoding has. */
static struct vm_item full_instr(enum vm_op op, const struct vm_version *v, unsigned n_src)
{
    struct vm_item item = {.kind = VM_ITEM_INSTR};
    struct vm_instr *instr = &item.instr;

    instr->op = op;
    instr->n_src = n_src;
    instr->control = op == VM_OP_IFC || op == VM_OP_BREAKC || op == VM_OP_SETP ? VM_CMP_LE
                     : op == VM_OP_TEX && v->rank >= VM_RANK_2_0               ? VM_TEX_BIAS
                                                                               : 0;
    instr->coissue = v->pixel && v->rank < VM_RANK_2_0;
    instr->target = VM_NO_TARGET;
    instr->dst.file = instr->dst.rel_file = VM_FILE_NONE;
    if (vm_op_info[op].n_dst) {
        instr->dst = (struct vm_dst){.file = VM_FILE_TEMP,
                                     .index = 11,
                                     .mask = VM_MASK_Y | VM_MASK_W,
                                     .saturate = true,
                                     .partial = true,
                                     .centroid = true,
                                     .shift = -3,
                                     .rel_file = VM_FILE_NONE};
        instr->predicated = v->rank >= VM_RANK_2_X;
    }
    if (instr->predicated)
        instr->predicate = (struct vm_src){.file = VM_FILE_PREDICATE,
                                           .modifier = VM_MOD_NOT,
                                           .swizzle = VM_SWZ_Z,
                                           .rel_file = VM_FILE_NONE};
    for (unsigned i = 0; i < n_src; i++) {
        bool indexed = v->rank >= VM_RANK_2_0 && !v->pixel;

        instr->src[i] = (struct vm_src){.file = VM_FILE_CONST,
                                        .index = 3 + i,
                                        .modifier = VM_MOD_NEG,
                                        .swizzle = VM_SWZ(3, 0, 2, 1),
                                        .rel_file = indexed ? VM_FILE_ADDR : VM_FILE_NONE,
                                        .rel_component = indexed ? 2 : 0};
    }
    return item;
}

static void check_round_trip(const struct vm_item *item, const struct vm_version *v)
{
    uint32_t words[2 + VM_ITEM_WORDS], again[VM_ITEM_WORDS];
    struct vm_error error = {0, ""};
    struct vm_reader reader;
    struct vm_item read;
    unsigned n;

    words[0] = vm_version_encode(v);
    n = vm_encode(words + 1, item, v);
    words[1 + n] = VM_TOKEN_END;
    ck_assert_uint_eq(vm_token_count(words, n + 2), n + 2);
    ck_assert_int_eq(vm_reader_open(&reader, words, n + 2, &error), ST_OK);
    ck_assert_msg(vm_reader_next(&reader, &read, &error) == ST_OK, "%s: %s",
                  vm_op_info[item->instr.op].text, error.text);
    ck_assert_uint_eq(read.kind, item->kind);
    ck_assert_uint_eq(read.n_words, n);
    ck_assert_uint_eq(read.token, 1);
    ck_assert_uint_eq(read.instr.n_src, item->instr.n_src);
    ck_assert_int_eq(read.instr.dst.shift, item->instr.dst.shift);
    ck_assert_uint_eq(vm_encode(again, &read, v), n);
    ck_assert_mem_eq(again, words + 1, n * sizeof(*again));
    ck_assert_int_eq(vm_reader_next(&reader, &read, &error), ST_OK);
    ck_assert_uint_eq(read.kind, VM_ITEM_END);
}

START_TEST(op_round_trips)
{
    if (vm_op_info[_i].op_class == VM_CLASS_DECL)
        return;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        unsigned allowed = vm_op_sources((enum vm_op)_i, &versions[i]);

        for (unsigned n = 0; n <= VM_MAX_SRC; n++) {
            struct vm_item item = full_instr((enum vm_op)_i, &versions[i], n);

            if (allowed >> n & 1 && vm_op_exists((enum vm_op)_i, &versions[i]))
                check_round_trip(&item, &versions[i]);
        }
    }
}
END_TEST

/* Encoding errors; the version is word 0, the item begins at word 1. */
/* clang-format off */
static const struct {
    uint32_t words[10];
    unsigned n, token;
    const char *reason;
} faults[] = {
    {{0}, 0, 0, "there is no byte code"},
    {{0x43425844}, 1, 0, "43425844 is not a shader version"}, /* DXBC */
    {{0xFFFE0301, 0xFFFF}, 2, 0, "fffe0301 is not a shader version"},
    {{0xFFFE0200}, 1, 1, "the byte code stops before the end token"},
    {{0xFFFE0200, 0x02000001, 0x800F0000}, 3, 3, "the byte code stops before the end token"},
    {{0xFFFE0101, 0x00000001, 0x800F0000}, 3, 3, "the byte code stops before the end token"},
    {{0xFFFE0200, 0x0005FFFE, 0, 0xFFFF}, 4, 1, "a comment reaches past the end"},
    {{0xFFFE0200, 0x00000031, 0xFFFF}, 3, 1, "opcode 49 does not exist"},
    {{0xFFFE0200, 0x800F0000, 0xFFFF}, 3, 1, "800f0000 is no instruction of this version"},
    {{0xFFFE0200, 0x12000001, 0x800F0000, 0xB0E41000, 0xFFFF}, 5, 1, "12000001 is no instruction"},
    {{0xFFFE0101, 0x40000001, 0x800F0000, 0x80E40000, 0xFFFF}, 5, 1, "40000001 is no instruction"},
    {{0xFFFE0101, 0x02000001, 0x800F0000, 0x80E40000, 0xFFFF}, 5, 1, "02000001 is no instruction"},
    {{0xFFFE0200, 0x01000001, 0x800F0000, 0x80E40000, 0xFFFF}, 5, 1, "mov with 0 sources"},
    {{0xFFFE0200, 0x03000001, 0x800F0000, 0x80E40000, 0x80E40000, 0xFFFF}, 6, 1,
     "mov with 2 sources"},
    {{0xFFFE0200, 0x00000001, 0xFFFF}, 3, 2, "an instruction is longer than its length field"},
    {{0xFFFE0200, 0x0100001C, 0x80E40000, 0xFFFF}, 4, 1, "ret with 1 source"},
    {{0xFFFE0101, 0x00000001, 0x800F0000, 0x00000001, 0xFFFF}, 5, 3, "an operand is missing"},
    {{0xFFFE0200, 0x02000001, 0x800F4000, 0x80E40000, 0xFFFF}, 5, 2, "reserved bits of an operand"},
    {{0xFFFE0200, 0x02000001, 0x808F0000, 0x80E40000, 0xFFFF}, 5, 2,
     "reserved bits of a destination"},
    {{0xFFFE0200, 0x02000001, 0x800F0000, 0x80E41000, 0xFFFF}, 5, 3, "a register type does not"},
    {{0xFFFF0200, 0x02000001, 0xC00F0000, 0x80E40000, 0xFFFF}, 5, 2, "a register type does not"},
    {{0xFFFE0200, 0x02000001, 0x800F0000, 0x8EE40000, 0xFFFF}, 5, 3, "a source modifier does not"},
    {{0xFFFE0200, 0x03000001, 0x800F0000, 0xA0E42000, 0x80E40000, 0xFFFF}, 6, 4,
     "a register is indexed by something other"},
    {{0xFFFE0200, 0x03000001, 0x800F0000, 0xA0E42000, 0xB1000000, 0xFFFF}, 6, 4,
     "the index of a register has a modifier"},
    {{0xFFFE0201, 0x1300000A, 0x800F0000, 0x80E40000, 0x80E40000, 0xFFFF}, 6, 3,
     "a predicate is not p0 or !p0"},
    {{0xFFFE0201, 0x1000002A, 0xFFFF}, 3, 1, "else cannot be predicated"},
    {{0xFFFE0201, 0x02000029, 0x80000000, 0x80000000, 0xFFFF}, 5, 1, "if with control 0"},
    {{0xFFFE0201, 0x02070029, 0x80000000, 0x80000000, 0xFFFF}, 5, 1, "if with control 7"},
    {{0xFFFE0200, 0x01010028, 0xE0E40800, 0xFFFF}, 4, 1, "if with control 1"},
    {{0xFFFF0200, 0x03030042, 0x800F0000, 0xB0E40000, 0xA0E40800, 0xFFFF}, 6, 1,
     "texld with control 3"},
    {{0xFFFE0200, 0x0200001F, 0x80001000, 0x900F0000, 0xFFFF}, 5, 2,
     "reserved bits of a declaration"},
    {{0xFFFE0200, 0x0200001F, 0x00000000, 0x900F0000, 0xFFFF}, 5, 2,
     "reserved bits of a declaration"},
    /* a sampler with a usage, an input with a texture type */
    {{0xFFFF0200, 0x0200001F, 0x90000005, 0xA00F0800, 0xFFFF}, 5, 2,
     "reserved bits of a declaration"},
    {{0xFFFE0200, 0x0200001F, 0x90000000, 0x900F0000, 0xFFFF}, 5, 2,
     "reserved bits of a declaration"},
    {{0xFFFE0200, 0x05000051, 0x800F0000, 0, 0, 0, 0, 0xFFFF}, 8, 2, "def of something"},
    {{0xFFFE0200, 0x05000051, 0xA0070000, 0, 0, 0, 0, 0xFFFF}, 8, 2, "def of something"},
    {{0xFFFE0200, 0x06000051, 0xA00F0000, 0, 0, 0, 0, 0xFFFF}, 8, 7, "def is shorter"},
    {{0xFFFE0200, 0x04000051, 0xA00F0000, 0, 0, 0, 0, 0xFFFF}, 8, 6, "an instruction is longer"},
};
/* clang-format on */

START_TEST(encoding_fault)
{
    struct vm_error error = {99, ""};
    struct vm_reader reader;
    struct vm_item item = {.kind = VM_ITEM_COMMENT};
    enum status st = vm_reader_open(&reader, faults[_i].words, faults[_i].n, &error);

    while (st == ST_OK && item.kind != VM_ITEM_END)
        st = vm_reader_next(&reader, &item, &error);
    ck_assert_int_eq(st, ST_INVALID);
    ck_assert_msg(!strncmp(error.text, faults[_i].reason, strlen(faults[_i].reason)),
                  "'%s' instead of '%s'", error.text, faults[_i].reason);
    ck_assert_uint_eq(error.token, faults[_i].token);
}
END_TEST

/* Words inside comments and definitions that look like an end token do not count as one. */
START_TEST(counting)
{
    static const uint32_t sm1[] = {0xFFFE0101, 0x0002FFFE, 0x0000FFFF, 0x0000FFFF, 0x00000051,
                                   0xA00F0000, 0x0000FFFF, 0,          0x0000FFFF, 0,
                                   0x00000001, 0x800F0000, 0xA0E40000, 0x0000FFFF, 0x0000FFFF};
    static const uint32_t sm2[] = {0xFFFE0200, 0x05000051, 0xA00F0000, 0x0000FFFF,
                                   0,          0x0000FFFF, 0,          0x03000063,
                                   0x0000FFFF, 0x0000FFFF, 0x0000FFFF, 0x0000FFFF};

    ck_assert_uint_eq(vm_token_count(sm1, 15), 14);
    ck_assert_uint_eq(vm_token_count(sm2, 12), 12); /* opcode 99 is unknown, but its length is
                                                       known */
    for (size_t n = 0; n < 14; n++)
        ck_assert_uint_eq(vm_token_count(sm1, n), 0);
    for (size_t n = 0; n < 12; n++)
        ck_assert_uint_eq(vm_token_count(sm2, n), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/decode");
    TCase *t = tcase_create("decode");

    tcase_add_loop_test(t, op_round_trips, 0, VM_OP_COUNT);
    tcase_add_loop_test(t, encoding_fault, 0, sizeof(faults) / sizeof(faults[0]));
    tcase_add_test(t, counting);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
