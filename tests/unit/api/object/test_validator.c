/* Tests of Direct3DShaderValidatorCreate9 through its vtable, as applications call it. */
#include "check_main.h"

#include "util/alloc.h"

#include <d3d9.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef HRESULT(WINAPI *callback_fn)(const char *file, int line, DWORD_PTR arg, DWORD_PTR id,
                                     const char *message, void *context);

struct validator {
    const struct {
        HRESULT(WINAPI *QueryInterface)(struct validator *, REFIID, void **);
        ULONG(WINAPI *AddRef)(struct validator *);
        ULONG(WINAPI *Release)(struct validator *);
        HRESULT(WINAPI *Begin)(struct validator *, callback_fn, void *, DWORD_PTR);
        HRESULT(WINAPI *Instruction)
        (struct validator *, const char *, int, const DWORD *, unsigned);
        HRESULT(WINAPI *End)(struct validator *);
    } * vtbl;
};
struct validator *WINAPI Direct3DShaderValidatorCreate9(void);

static struct {
    unsigned count;
    const char *file;
    int line;
    DWORD_PTR arg;
    unsigned id[4];
    char message[400];
} told;

static HRESULT WINAPI tell(const char *file, int line, DWORD_PTR arg, DWORD_PTR id,
                           const char *message, void *context)
{
    ck_assert_ptr_eq(context, &told);
    ck_assert_uint_lt(told.count, 4);
    told.file = file;
    told.line = line;
    told.arg = arg;
    told.id[told.count++] = (unsigned)id;
    snprintf(told.message, sizeof(told.message), "%s", message);
    return S_OK;
}

static struct validator *v;
static int64_t live;
static const char *const file = "shader.asm";

static void setup(void)
{
    live = mem_live_blocks();
    memset(&told, 0, sizeof(told));
    v = Direct3DShaderValidatorCreate9();
    ck_assert_ptr_nonnull(v);
}

static void teardown(void)
{
    ck_assert_uint_eq(v->vtbl->Release(v), 0);
    ck_assert_int_eq(mem_live_blocks(), live);
}

static void begin(void)
{
    ck_assert_int_eq(v->vtbl->Begin(v, tell, &told, 7), S_OK);
}

/* Passes one instruction; lines count from 1. */
static HRESULT take(int line, unsigned n, const DWORD *words)
{
    return v->vtbl->Instruction(v, file, line, words, n);
}
#define TAKE(line, ...)                                                                            \
    ck_assert_int_eq(take(line, sizeof((const DWORD[]){__VA_ARGS__}) / sizeof(DWORD),              \
                          (const DWORD[]){__VA_ARGS__}),                                           \
                     S_OK)

START_TEST(valid_shaders_pass)
{
    begin();
    TAKE(1, 0xFFFE0101);
    TAKE(2, 0x0000001F, 0x80000000, 0x900F0000);             /* dcl_position v0 */
    TAKE(3, 0x0002FFFE, 0x12345678, 0x0000FFFF);             /* a comment */
    TAKE(4, 0x00000014, 0xC00F0000, 0x90E40000, 0xA0E40000); /* m4x4 oPos, v0, c0 */
    TAKE(5, 0x0000FFFF);
    ck_assert_int_eq(v->vtbl->End(v), S_OK);
    /* The same object again, without a callback. */
    ck_assert_int_eq(v->vtbl->Begin(v, NULL, NULL, 0), S_OK);
    TAKE(1, 0xFFFF0300);
    TAKE(2, 0x0000FFFF);
    ck_assert_int_eq(v->vtbl->End(v), S_OK);
    ck_assert_uint_eq(told.count, 0);
}
END_TEST

/* clang-format off */
static const struct {
    DWORD version, declaration[3], instruction[4];
    unsigned n, id;
    const char *message;
} instructions[] = {
    {0xFFFF0300, {0}, {0x0200001F, 0x80090005, 0x902F0009}, 3, 0, NULL},
    {0xFFFF0300, {0}, {0x0200001F, 0x800A0005, 0x902F0009}, 3, 0, NULL},
    {0xFFFF0300, {0}, {0x0200001F, 0x80090005, 0x902F000A}, 3, 0x12C,
     "ps_3_0: v10 is beyond the 10 inputs, in 'dcl_texcoord9_pp v10'"},
    {0xFFFF0300, {0x0200001F, 0x80090005, 0x902F0009}, {0x02000001, 0x80220002, 0x90FF0009}, 3, 0, NULL},
    {0xFFFF0300, {0}, {0x02000001, 0x80220002, 0x90FF000A}, 3, 0x167,
     "ps_3_0: v10 is beyond the 10 inputs, in 'mov_pp r2.y, v10.w'"},
    {0xFFFF0200, {0}, {0x03000002, 0x800F000C, 0xA0E40000, 0xA0E40000}, 4, 0x167,
     "ps_2_0: r12 is beyond the 12 temporaries, in 'add r12, c0, c0'"},
    {0xFFFF0200, {0}, {0x02000001, 0x800F0000, 0xA0500000}, 3, 0x167,
     "ps_2_0: source 1 of mov has a swizzle that does not exist, in 'mov r0, c0.xxyy'"},
    {0xFFFF0300, {0}, {0x03000002, 0x800F0000, 0xA0E40000, 0xA0E40001}, 4, 0x167,
     "ps_3_0: add reads 2 different c registers, of which it can read 1, in 'add r0, c0, c1'"},
    {0xFFFF0300, {0}, {0x0100001D, 0x80000000}, 2, 0x167, "ps_3_0: endloop with 1 source, in '0100001d 80000000'"},
    {0xFFFF0300, {0}, {0x01000026}, 1, 0x167, "ps_3_0: the byte code stops before the end token, in '01000026'"},
    {0xFFFF0300, {0}, {0x00000000, 0x00000000}, 2, 0x167, "ps_3_0: more than one instruction at once, in 'nop'"},
};
/* clang-format on */

START_TEST(instructions_report_errors)
{
    bool refused = instructions[_i].id;

    begin();
    TAKE(1, instructions[_i].version);
    if (instructions[_i].declaration[0])
        ck_assert_int_eq(take(2, 3, instructions[_i].declaration), S_OK);
    ck_assert_uint_eq(told.count, 0);
    ck_assert_int_eq(take(3, instructions[_i].n, instructions[_i].instruction), S_OK);
    ck_assert_uint_eq(told.count, refused);
    if (refused) {
        ck_assert_uint_eq(told.id[0], instructions[_i].id);
        ck_assert_ptr_eq(told.file, file);
        ck_assert_int_eq(told.line, 3);
        ck_assert_uint_eq(told.arg, 7);
        ck_assert_ptr_nonnull(strstr(told.message, instructions[_i].message));
        ck_assert_ptr_nonnull(strstr(told.message, "instruction 1: "));
    }
    TAKE(5, 0x0000FFFF);
    ck_assert_int_eq(v->vtbl->End(v), refused ? E_FAIL : S_OK);
    ck_assert_uint_eq(told.count, refused);
    begin(); /* the object accepts another shader */
}
END_TEST

/* Errors that only the complete shader reveals are reported at the end token. */
START_TEST(end_token_reports_errors)
{
    begin();
    TAKE(1, 0xFFFE0200);
    TAKE(2, 0x01000028, 0xE0E40800);             /* if b0 */
    TAKE(3, 0x02000001, 0xC00F0000, 0xA0E40000); /* mov oPos, c0 */
    ck_assert_uint_eq(told.count, 0);
    TAKE(4, 0x0000FFFF);
    ck_assert_uint_eq(told.count, 1);
    ck_assert_uint_eq(told.id[0], 0x168);
    ck_assert_ptr_nonnull(strstr(told.message, "vs_2_0: a block is not closed, in 'if b0'"));
    TAKE(5, 0x00000000);
    ck_assert_uint_eq(told.count, 2);
    ck_assert_ptr_nonnull(strstr(told.message, "something follows the end token"));
    ck_assert_int_eq(v->vtbl->End(v), E_FAIL);
    /* A missing end token, and an unknown version. */
    begin();
    TAKE(1, 0xFFFE0300);
    ck_assert_int_eq(v->vtbl->End(v), E_FAIL);
    ck_assert_ptr_nonnull(strstr(told.message, "the end token is missing"));
    begin();
    TAKE(1, 0xFFFE0205);
    ck_assert_ptr_nonnull(strstr(told.message, "fffe0205 is not a shader version"));
    TAKE(2, 0x0000FFFF);
    ck_assert_int_eq(v->vtbl->End(v), E_FAIL);
}
END_TEST

START_TEST(order_of_calls)
{
    static const DWORD dcl[] = {0x0000001F, 0x80000000, 0x900F0000};

    ck_assert_int_eq(v->vtbl->End(v), E_FAIL);
    ck_assert_int_eq(take(1, 3, dcl), E_FAIL);
    ck_assert_uint_eq(told.count, 0);
    begin();
    ck_assert_int_eq(take(28, 0, dcl), E_FAIL);
    ck_assert_int_eq(take(28, 1, NULL), E_FAIL);
    ck_assert_int_eq(take(28, 3, dcl), E_FAIL);
    ck_assert_uint_eq(told.count, 2);
    ck_assert_uint_eq(told.id[0], 0xEF);
    ck_assert_uint_eq(told.id[1], 0xF0);
    ck_assert_ptr_null(told.file);
    ck_assert_int_eq(told.line, 0);
    ck_assert_int_eq(v->vtbl->End(v), E_FAIL);
    ck_assert_uint_eq(told.count, 2);
    ck_assert_int_eq(v->vtbl->Begin(v, tell, &told, 0), E_FAIL);
    ck_assert_uint_eq(told.count, 3);
    ck_assert_uint_eq(told.id[2], 0xEB);
    ck_assert_int_eq(v->vtbl->Begin(v, NULL, &told, 0), E_FAIL);
}
END_TEST

/* A shader that could not be validated for lack of memory has not passed. */
START_TEST(out_of_memory)
{
    static const DWORD words[][4] = {
        {0xFFFF0300}, {0x02000001, 0x800F0800, 0xA0E40000}, {0x0000FFFF}};
    static const unsigned lengths[] = {1, 3, 1};
    bool failed = true;

    for (int n = 0; failed; n++) {
        ck_assert_int_lt(n, 100);
        failed = false;
        begin();
        mem_fail_after(n);
        for (unsigned i = 0; i < 3; i++) {
            HRESULT hr = take((int)i, lengths[i], words[i]);

            ck_assert(hr == S_OK || hr == E_OUTOFMEMORY);
            failed |= hr != S_OK;
        }
        mem_fail_after(-1);
        ck_assert_int_eq(v->vtbl->End(v), failed ? E_FAIL : S_OK);
    }
    ck_assert_uint_eq(told.count, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/validator");
    TCase *t = tcase_create("validator");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, valid_shaders_pass);
    tcase_add_loop_test(t, instructions_report_errors, 0,
                        sizeof(instructions) / sizeof(instructions[0]));
    tcase_add_test(t, end_token_reports_errors);
    tcase_add_test(t, order_of_calls);
    tcase_add_test(t, out_of_memory);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
