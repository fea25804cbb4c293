/* The encoder of AArch64 against a disassembler: each form with low and high registers, constants,
 * jumps, what is out of reach, and memory shortage. */
#include "ir/arm64/encode.h"
#include "util/alloc.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *text, *imm;
} forms[ARM64_FORM_COUNT] = {
#define ARM64_FORM(id, text, opcode, imm) [ARM64_##id] = {text, #imm},
#include "ir/arm64/forms.def"
#undef ARM64_FORM
};

enum { LINE = 96, MOST_LINES = 512 };
static char expected[MOST_LINES][LINE];
static unsigned n_lines;

/* --- Expected text ---------------------------------------------------------------------------- */

static int64_t pick_immediate(const char *kind, bool high)
{
    static const struct {
        const char *kind;
        int64_t imm[2];
    } picks[] = {
        {"NONE", {0, 0}},       {"SHL", {1, 31}},         {"SHR", {1, 31}},     {"WORD", {1, 3}},
        {"DOUBLE", {1, 0}},     {"BYTE", {0x70, 0x95}},   {"EXT", {4, 12}},     {"LANE", {1, 2}},
        {"U4", {4, 16380}},     {"U8", {8, 32760}},       {"U16", {16, 65520}}, {"U12", {1, 4095}},
        {"U12H", {1, 4095}},    {"H0", {1, 0xabcd}},      {"H16", {1, 0xabcd}}, {"P8", {16, -512}},
        {"B19", {64, 0xffffc}}, {"B26", {64, 0x7fffffc}}, {"T14", {64, 0x7ffc}}};

    for (unsigned i = 0; i < sizeof(picks) / sizeof(picks[0]); i++)
        if (!strcmp(picks[i].kind, kind))
            return picks[i].imm[high];
    ck_abort_msg("no immediate for %s", kind);
    return 0;
}

/* The float of a modified immediate: 0x70 is 1, 0x95 is -5.25. */
static double float_of(int64_t imm)
{
    return imm == 0x70 ? 1.0 : -5.25;
}

/* Writes a form's text. at: the address of the instruction. */
static void expect(enum arm64_form form, unsigned d, unsigned n, unsigned m, int64_t imm, size_t at)
{
    char *to = expected[n_lines++], *end = to + LINE;

    for (const char *from = forms[form].text; *from; from++) {
        const char *before = from > forms[form].text ? from - 1 : from;

        if (*from != '$') {
            *to++ = *from;
            continue;
        }
        switch (*++from) {
        case 'd':
            to += snprintf(to, (size_t)(end - to), "%u", d);
            break;
        case 'n':
            to += snprintf(to, (size_t)(end - to), "%u", n);
            break;
        case 'm':
            to += snprintf(to, (size_t)(end - to), "%u", m);
            break;
        case 'f':
            to += snprintf(to, (size_t)(end - to), "%.18e", float_of(imm));
            break;
        case 'j':
            to += snprintf(to, (size_t)(end - to), "%llx", (long long)at + imm);
            break;
        default:
            to +=
                snprintf(to, (size_t)(end - to), *before == 'x' ? "%llx" : "%lld", (long long)imm);
        }
    }
    *to = 0;
}

static void emit(struct arm64_code *code, enum arm64_form form, bool high)
{
    const char *text = forms[form].text;
    unsigned d = strstr(text, "$d") ? (high ? 29 : 1) : 0;
    unsigned n = strstr(text, "$n") ? (high ? 30 : 2) : 0;
    unsigned m = strstr(text, "$m") ? (high ? 28 : 3) : 0;
    int64_t imm = pick_immediate(forms[form].imm, high);

    expect(form, d, n, m, imm, code->n);
    ir_arm64_emit(code, form, d, n, m, imm);
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* Removes blanks and comments. */
static void normalise(char *line)
{
    char *to = line;

    if (strstr(line, "//"))
        *strstr(line, "//") = 0;
    for (const char *from = line; *from; from++)
        if (*from != ' ' && *from != '\t' && *from != '\n')
            *to++ = *from;
    *to = 0;
}

static void compare(const struct arm64_code *code)
{
    char path[] = "/tmp/test_encodeXXXXXX", command[256], line[512];
    int fd = mkstemp(path);
    unsigned n = 0;
    FILE *text;

    ck_assert_int_ge(fd, 0);
    ck_assert(write(fd, code->bytes, code->n) == (ssize_t)code->n);
    close(fd);
    snprintf(command, sizeof(command),
             "aarch64-linux-gnu-objdump -D -b binary -m aarch64 --no-show-raw-insn %s", path);
    text = popen(command, "r");
    ck_assert_ptr_nonnull(text);
    while (n < n_lines && fgets(line, sizeof(line), text)) {
        char *inst = strstr(line, ":\t");

        if (!inst)
            continue;
        normalise(inst += 2);
        normalise(expected[n]);
        ck_assert_msg(!strcmp(inst, expected[n]), "%s, not %s", inst, expected[n]);
        n++;
    }
    pclose(text);
    unlink(path);
    ck_assert_uint_eq(n, n_lines);
}

static bool has_objdump(void)
{
    bool has = !system("aarch64-linux-gnu-objdump --version >/dev/null 2>&1");

    if (!has)
        puts("test_encode: aarch64-linux-gnu-objdump is missing; nothing was compared");
    return has;
}

START_TEST(each_form)
{
    struct arm64_code code;

    if (!has_objdump())
        return;
    ir_arm64_code_init(&code);
    n_lines = 0;
    for (unsigned form = 0; form < ARM64_FORM_COUNT; form++)
        for (unsigned high = 0; high < 2; high++)
            emit(&code, (enum arm64_form)form, high);
    ck_assert(!code.failed && !code.too_long);
    compare(&code);
    ir_arm64_code_fini(&code);
}
END_TEST

/* Constants take one instruction, most of them without memory; equal ones share memory. */
START_TEST(constants)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } rows[] = {{0, "movi v7.4s, #0x0"},
                {0xff00, "movi v7.4s, #0xff, lsl #8"},
                {0x800000, "movi v7.4s, #0x80, lsl #16"},
                {0x80000000, "movi v7.4s, #0x80, lsl #24"},
                {UINT32_MAX, "mvni v7.4s, #0x0"},
                {0xffffff0f, "mvni v7.4s, #0xf0"},
                {0x5a5a5a5a, "movi v7.16b, #0x5a"},
                {0x3f800000, "fmov v7.4s, #1.000000000000000000e+00"},
                {0xbf400000, "fmov v7.4s, #-7.500000000000000000e-01"},
                {0x41f80000, "fmov v7.4s, #3.100000000000000000e+01"},
                {0x3f3504f3, "ldr q7, 0x40"},
                {0x41fc0000, "ldr q7, 0x50"},
                {0x3e200000, "fmov v7.4s, #1.562500000000000000e-01"},
                {0x3d800000, "ldr q7, 0x60"},
                {0x3f3504f3, "ldr q7, 0x40"}};
    struct arm64_code code;

    if (!has_objdump())
        return;
    ir_arm64_code_init(&code);
    n_lines = 0;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ir_arm64_constant(&code, 7, rows[i].bits);
        snprintf(expected[n_lines++], LINE, "%s", rows[i].text);
    }
    ir_arm64_finish(&code);
    ck_assert_uint_eq(code.n, 0x70);
    ck_assert(!memcmp(code.bytes + 0x5c, &rows[11].bits, 4));
    compare(&code);
    ir_arm64_code_fini(&code);
}
END_TEST

/* Many constants find their places, also behind code that was dropped. */
START_TEST(pool)
{
    struct arm64_code code;
    uint32_t word;

    ir_arm64_code_init(&code);
    for (uint32_t i = 0; i < 1000; i++)
        ir_arm64_constant(&code, 0, 0x12345 + i % 500 * 0x101);
    ir_arm64_rewind(&code, 3996);
    ir_arm64_emit(&code, ARM64_RET, 0, 0, 0, 0);
    ck_assert_uint_eq(code.n_pool, 500);
    ir_arm64_finish(&code);
    ck_assert_uint_eq(code.n, 4000 + 500 * 16);
    for (uint32_t i = 0; i < 999; i++) {
        memcpy(&word, code.bytes + 4 * i, sizeof(word));
        memcpy(&word, code.bytes + 4 * i + (word >> 5 & 0x7ffff) * 4, sizeof(word));
        ck_assert_uint_eq(word, 0x12345 + i % 500 * 0x101);
    }
    memcpy(&word, code.bytes + 3996, sizeof(word));
    ck_assert_uint_eq(word, 0xd65f03c0);
    ir_arm64_code_fini(&code);
}
END_TEST

START_TEST(jumps)
{
    struct arm64_code code;
    size_t forward[3];

    if (!has_objdump())
        return;
    ir_arm64_code_init(&code);
    n_lines = 0;
    forward[0] = code.n;
    ir_arm64_emit(&code, ARM64_CBZ, 16, 0, 0, 0);
    forward[1] = code.n;
    ir_arm64_emit(&code, ARM64_B, 0, 0, 0, 0);
    forward[2] = code.n;
    ir_arm64_emit(&code, ARM64_TBZ, 3, 0, 48, 0);
    ir_arm64_land(&code, forward[0]);
    ir_arm64_land(&code, forward[1]);
    ir_arm64_jump_back(&code, ARM64_CBNZ, 16, 4);
    ir_arm64_jump_back(&code, ARM64_B_LOWER, 0, 0);
    ir_arm64_land(&code, forward[2]);
    for (unsigned i = 0; i < 5; i++)
        snprintf(expected[n_lines++], LINE, "%s",
                 ((const char *[]){"cbz x16, 0xc", "b 0xc", "tbz x3, #48, 0x14", "cbnz x16, 0x4",
                                   "b.cc 0x0"})[i]);
    ck_assert(!code.failed && !code.too_long);
    compare(&code);
    ir_arm64_code_fini(&code);
}
END_TEST

/* What has no encoding is noticed. */
START_TEST(out_of_reach)
{
    static const struct {
        enum arm64_form form;
        int64_t last, beyond;
    } rows[] = {{ARM64_B, 0x7fffffc, 0x8000000},
                {ARM64_B, -0x8000000, -0x8000004},
                {ARM64_CBZ, 0xffffc, 0x100000},
                {ARM64_CBZ, -0x100000, -0x100004},
                {ARM64_TBZ, 0x7ffc, 0x8000},
                {ARM64_LDR_Q, 65520, 65536},
                {ARM64_LDR_Q, 16, 8},
                {ARM64_ADD_I, 4095, 4096},
                {ARM64_LDR_Q_L, 0xffffc, 0x100000},
                {ARM64_STP_PUSH, -512, -520}};
    bool reaches;

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ir_arm64_encode(rows[i].form, 0, 0, 0, rows[i].last, &reaches);
        ck_assert_msg(reaches, "row %u", i);
        ir_arm64_encode(rows[i].form, 0, 0, 0, rows[i].beyond, &reaches);
        ck_assert_msg(!reaches, "row %u", i);
    }
}
END_TEST

START_TEST(memory_shortage)
{
    int64_t blocks = mem_live_blocks(), n = 0;
    bool failed;

    do {
        struct arm64_code code;

        mem_fail_once(n++);
        ir_arm64_code_init(&code);
        for (uint32_t i = 0; i < 300; i++)
            ir_arm64_constant(&code, 0, 0x12345 + i * 0x101);
        ir_arm64_finish(&code);
        failed = code.failed;
        ir_arm64_code_fini(&code);
        mem_fail_once(-1);
        ck_assert_int_eq(mem_live_blocks(), blocks);
    } while (failed);
    ck_assert_int_gt(n, 8);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/arm64/encode");
    TCase *tc = tcase_create("encode");

    tcase_add_test(tc, each_form);
    tcase_add_test(tc, constants);
    tcase_add_test(tc, pool);
    tcase_add_test(tc, jumps);
    tcase_add_test(tc, out_of_reach);
    tcase_add_test(tc, memory_shortage);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
