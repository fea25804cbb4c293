/* What code is made of: origins of machine code, operations of instructions. */
#include "check_main.h"
#include "machine_code.h"

#include "util/alloc.h"
#include "util/cpu.h"
#include "vm/vm.h"

#include <string.h>

static struct vm_program *program(const char *text)
{
    struct vm_error error = {0};
    struct vm_program *out;
    uint32_t *words;
    size_t n;

    ck_assert_msg(vm_assemble(&words, &n, text, &error) == ST_OK, "%s", error.text);
    ck_assert_msg(vm_program_create(&out, words, n, &vm_limits_lenient, &error) == ST_OK, "%s",
                  error.text);
    mem_free(words);
    return out;
}

static struct vm_code *code_of(const struct vm_program *p, bool origins, bool in_memory)
{
    struct vm_options options;
    struct vm_code *code;

    memset(&options, 0, sizeof(options));
    options.live_outputs = UINT64_MAX;
    options.origins = origins;
    options.in_memory = in_memory;
    ck_assert_int_eq(vm_code_create(&code, p, &options), ST_OK);
    return code;
}

/* Bit i: some machine instruction is for instruction i; bit 31: for none. */
static uint32_t origins_of(const struct ir_code *code)
{
    struct ir_code_info info;
    uint32_t found = 0;

    ir_code_describe(code, &info);
    ck_assert(info.bytes > 0 && info.lanes >= 4);
    for (size_t at = 0; at < info.bytes; at++) {
        unsigned origin = ir_code_origin(code, at);

        ck_assert_uint_lt(origin, 32);
        found |= 1u << (origin ? origin - 1 : 31);
    }
    return found;
}

/* 0: once a draw; 1: in the operands of 2; 4 stores the result. 3 has a copy for products that the
 * zero rule makes exact, behind the exit. */
static const char text[] = "vs_2_0\ndcl_position v0\nmul r1, c0, c1\nmov r2, v0.wzyx\n"
                           "rcp r0.x, v0.y\nmad r0, r0.x, r2, r1\nmov oPos, r0\n";

START_TEST(machine_code_has_origins)
{
    struct vm_program *p = program(text);
    struct vm_code *code = code_of(p, true, false), *plain = code_of(p, false, false);
    struct ir_code_info a, b;

    ck_assert_uint_eq(vm_code_functions(code), 1);
    ck_assert_ptr_null(vm_code_machine(code, 1));
    ck_assert_int_eq(vm_code_machine(code, 0) != NULL, has_machine_code(cpu_isa()));
    if (has_machine_code(cpu_isa())) {
        ck_assert_uint_eq(origins_of(vm_code_machine(code, 0)) & 0x1f, 0x1c);
        ck_assert_uint_eq(origins_of(vm_code_machine(plain, 0)), UINT32_C(1) << 31);
        /* They change no code. */
        ir_code_describe(vm_code_machine(code, 0), &a);
        ir_code_describe(vm_code_machine(plain, 0), &b);
        ck_assert_uint_eq(a.bytes, b.bytes);
        ck_assert_int_eq(memcmp(a.code, b.code, a.bytes), 0);
        ck_assert_uint_eq(b.n_marks, 0);
    }
    vm_code_destroy(code);
    vm_code_destroy(plain);
    vm_program_destroy(p);
}
END_TEST

START_TEST(operations_have_rates)
{
    struct vm_program *p = program(text);
    struct vm_code *code = code_of(p, true, false), *plain = code_of(p, false, false);

    ck_assert_uint_eq(vm_code_operations(code, 0).draw, 4);
    ck_assert_uint_eq(vm_code_operations(code, 0).lane, 0);
    ck_assert_uint_eq(vm_code_operations(code, 3).draw, 0);
    ck_assert_uint_eq(vm_code_operations(code, 3).lane,
                      8); /* and the loads of r2, which move reads */
    ck_assert_uint_eq(vm_code_operations(code, 4).lane, 4);
    ck_assert_uint_eq(vm_code_operations(code, 5).lane, 0);
    ck_assert_uint_eq(vm_code_operations(plain, 3).lane, 0);
    vm_code_destroy(code);
    vm_code_destroy(plain);
    vm_program_destroy(p);
}
END_TEST

/* Routines that are not inlined have code of their own. */
START_TEST(routines_have_machine_code)
{
    struct vm_program *p = program("vs_2_0\ndcl_position v0\nmov r0, v0\ncall l0\nmov oPos, r0\n"
                                   "ret\nlabel l0\nadd r0, r0, c1\nret\n");
    struct vm_code *code = code_of(p, true, true);

    ck_assert_uint_eq(vm_code_functions(code), 2);
    if (has_machine_code(cpu_isa()))
        ck_assert(origins_of(vm_code_machine(code, 1)) & 1u << 5);
    vm_code_destroy(code);
    vm_program_destroy(p);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/run/machine");
    TCase *t = tcase_create("machine");

    tcase_add_test(t, machine_code_has_origins);
    tcase_add_test(t, operations_have_rates);
    tcase_add_test(t, routines_have_machine_code);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
