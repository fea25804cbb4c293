/* Functions as text. */
#include "check_main.h"

#include "ir/check/check.h"

#include <stdlib.h>
#include <string.h>

START_TEST(every_kind_of_instruction_has_its_form)
{
    static const char expected[] = "%1 = load b0[256]\n"
                                   "%2 = const 0x3f800000\n"
                                   "%3 = flt %1, %2\n"
                                   "if %3\n"
                                   "    %5 = fadd %1, %2\n"
                                   "    loop\n"
                                   "        %7 = lphi %5, %8\n"
                                   "        %8 = quad %7, 177\n"
                                   "    endloop %3\n"
                                   "endif\n"
                                   "%11 = phi %8, %1\n"
                                   "%12 = gather b2[4], %11, %3\n"
                                   "store b3[0], %12\n"
                                   "call 7\n"
                                   "if %3 rarely\n"
                                   "    call 8\n"
                                   "endif\n";
    struct ir *ir = ir_create(0);
    ir_ref a = ir_emit_mem(ir, IR_LOAD, 0, 256, 0, 0, 0), one = ir_const_f32(ir, 1), mask, sum, phi,
           next;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    mask = ir_emit(ir, IR_FLT, a, one, 0, 0);
    ir_if(ir, mask);
    sum = ir_emit(ir, IR_FADD, a, one, 0, 0);
    ir_loop(ir);
    phi = ir_loop_phi(ir, sum);
    next = ir_emit(ir, IR_QUAD, phi, 0, 0, 0xb1);
    ir_loop_next(ir, phi, next);
    ir_endloop(ir, mask);
    ir_endif(ir);
    ir_emit_mem(ir, IR_STORE, 3, 0, ir_emit_mem(ir, IR_GATHER, 2, 4, ir_phi(ir, next, a), mask, 0),
                0, 0);
    ir_emit(ir, IR_CALL, 0, 0, 0, 7);
    ir_if_rare(ir, mask);
    ir_emit(ir, IR_CALL, 0, 0, 0, 8);
    ir_endif(ir);
    ir_print(ir, out);
    fclose(out);
    ck_assert_str_eq(text, expected);
    free(text);
    ir_destroy(ir);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/print");
    TCase *t = tcase_create("print");

    tcase_add_test(t, every_kind_of_instruction_has_its_form);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
