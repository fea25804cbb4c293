/* Program builder: registers, literals, operand modifiers, sticky errors. */
#include "shader.h"

#include "vm/isa/isa.h"
#include "vm/program/program.h"

static struct vm_builder *builder(enum vm_stage stage)
{
    struct vm_builder *b;

    ck_assert_int_eq(vm_builder_create(&b, stage), ST_OK);
    return b;
}

static struct vm_program *finish(struct vm_builder *b)
{
    struct vm_program *program;

    ck_assert_int_eq(vm_builder_finish(b, &program), ST_OK);
    return program;
}

static void check_text(const struct vm_program *program, const char *expected)
{
    char *text;

    ck_assert_int_eq(vm_program_text(&text, program), ST_OK);
    ck_assert_str_eq(text, expected);
    mem_free(text);
}

START_TEST(vertex_program)
{
    struct vm_builder *b = builder(VM_VERTEX);
    struct vm_src position = vm_build_input(b, VM_USAGE_POSITION, 0);
    struct vm_src colour = vm_build_input(b, VM_USAGE_COLOR, 1);
    struct vm_src again = vm_build_input(b, VM_USAGE_POSITION, 0);
    struct vm_dst out = vm_build_output(b, VM_USAGE_POSITION, 0);
    struct vm_src r0 = vm_build_temp(b), r1 = vm_build_temp(b);
    struct vm_program *program;

    ck_assert_uint_eq(position.index, again.index);
    ck_assert_uint_ne(position.index, colour.index);
    vm_emit2(b, VM_OP_M4X4, out, position, vm_build_const(4));
    vm_emit2(b, VM_OP_MUL, vm_saturated(vm_to(r0, VM_MASK_XYZ)), vm_neg(colour),
             vm_build_literal(b, 0.5f, 0.5f, 0.5f, 1));
    vm_emit1(b, VM_OP_MOVA, vm_mask(vm_build_address(), VM_MASK_Y), vm_swizzle(colour, VM_SWZ_W));
    vm_emit3(b, VM_OP_MAD, vm_to(r1, VM_MASK_ALL), vm_abs(r0), vm_indexed(vm_build_const(20), 1),
             vm_build_literal(b, 0.5f, 0.5f, 0.5f, 1));
    vm_emit1(b, VM_OP_MOV, vm_build_output(b, VM_USAGE_PSIZE, 0), r1);
    program = finish(b);
    check_text(program, "    vs_3_sw\n"
                        "    dcl_position v0\n"
                        "    dcl_color1 v1\n"
                        "    dcl_position o0\n"
                        "    dcl_psize o1.x\n"
                        "    def c4096, 0.5, 0.5, 0.5, 1\n"
                        "    m4x4 o0, v0, c4\n"
                        "    mul_sat r0.xyz, -v1, c4096\n"
                        "    mova a0.y, v1.w\n"
                        "    mad r1, r0_abs, c20[a0.y], c4096\n"
                        "    mov o1.x, r1\n"
                        "\n// approximately 8 instruction slots used (0 texture, 8 arithmetic)\n");
    ck_assert_uint_eq(vm_program_info(program)->float_constants, VM_FIRST_LITERAL);
    ck_assert_uint_eq(program->n_temps, 2);
    vm_program_destroy(program);
}
END_TEST

START_TEST(pixel_program)
{
    struct vm_builder *b = builder(VM_PIXEL);
    struct vm_src texcoord = vm_build_input(b, VM_USAGE_TEXCOORD, 3);
    struct vm_src face = vm_build_input(b, VM_USAGE_VFACE, 0);
    struct vm_src r0 = vm_build_temp(b);
    struct vm_program *program;
    const struct vm_info *info;

    vm_emit_texld(b, vm_to(r0, VM_MASK_ALL), texcoord, vm_build_sampler(b, 7, 3), true);
    vm_emit3(b, VM_OP_CMP, vm_build_output(b, VM_USAGE_TARGET, 2), face, r0, vm_build_const(9));
    vm_emit1(b, VM_OP_MOV, vm_build_output(b, VM_USAGE_DEPTH, 0), vm_swizzle(r0, VM_SWZ_Z));
    program = finish(b);
    info = vm_program_info(program);
    check_text(program, "    ps_3_sw\n"
                        "    dcl_texcoord3 v0\n"
                        "    dcl vFace.x\n"
                        "    dcl_cube s7\n"
                        "    texldp r0, v0, s7\n"
                        "    cmp oC2, vFace, r0, c9\n"
                        "    mov oDepth.x, r0.z\n"
                        "\n// approximately 6 instruction slots used (4 texture, 2 arithmetic)\n");
    ck_assert_uint_eq(info->samplers, 1 << 7);
    ck_assert(!info->kills && info->writes_depth);
    ck_assert_uint_eq(info->colours, 4);
    ck_assert_uint_eq(info->float_constants, 10);
    ck_assert_int_ge(vm_program_output_slot(program, VM_FILE_DEPTHOUT, 0, 0), 0);
    vm_program_destroy(program);
}
END_TEST

START_TEST(literals_are_shared)
{
    struct vm_builder *b = builder(VM_PIXEL);
    unsigned a = vm_build_literal(b, 1, 2, 3, 4).index;

    ck_assert_uint_eq(a, VM_FIRST_LITERAL);
    ck_assert_uint_eq(vm_build_literal(b, 1, 2, 3, 5).index, a + 1);
    ck_assert_uint_eq(vm_build_literal(b, 1, 2, 3, 4).index, a);
    ck_assert_uint_eq(vm_build_literal(b, 0, 0, 0, 0).index, a + 2);
    ck_assert_uint_eq(vm_build_literal(b, -0.f, 0, 0, 0).index, a + 3); /* different bits */
    vm_builder_destroy(b);
}
END_TEST

START_TEST(operand_modifiers)
{
    struct vm_src c = vm_build_const(3);

    c = vm_swizzle(c, VM_SWZ(3, 2, 1, 0));
    ck_assert_uint_eq(vm_swizzle(c, VM_SWZ(0, 0, 1, 1)).swizzle, VM_SWZ(3, 3, 2, 2));
    ck_assert_uint_eq(vm_swizzle(c, VM_SWZ_X).swizzle, VM_SWZ_W);
    ck_assert_uint_eq(vm_neg(c).modifier, VM_MOD_NEG);
    ck_assert_uint_eq(vm_neg(vm_neg(c)).modifier, VM_MOD_NONE);
    ck_assert_uint_eq(vm_neg(vm_abs(c)).modifier, VM_MOD_ABSNEG);
    ck_assert_uint_eq(vm_abs(vm_neg(c)).modifier, VM_MOD_ABS);
    ck_assert_uint_eq(vm_mask(vm_to(c, VM_MASK_XYZ), VM_MASK_Z | VM_MASK_W).mask, VM_MASK_Z);
}
END_TEST

/* Each case makes one error; building continues, and finish reports it. */
static void mistake(struct vm_builder *b, int n)
{
    struct vm_src r0 = vm_build_temp(b), c0 = vm_build_const(0), unknown = r0, a0 = r0;
    struct vm_dst dst = vm_to(r0, VM_MASK_ALL), empty = vm_to(r0, 0);
    struct vm_dst address = vm_build_address();

    unknown.index = 5;
    a0.file = VM_FILE_ADDR;
    switch (n) {
    case 0:
        vm_emit1(b, VM_OP_ADD, dst, c0); /* too few sources */
        break;
    case 1:
        vm_emit2(b, VM_OP_MOV, dst, c0, c0); /* too many */
        break;
    case 2:
        vm_emit1(b, VM_OP_MOV, vm_to(c0, VM_MASK_ALL), r0);
        break;
    case 3:
        vm_emit1(b, VM_OP_MOV, empty, c0);
        break;
    case 4:
        vm_emit1(b, VM_OP_MOV, dst, unknown); /* a register that the builder never returned */
        break;
    case 5:
        vm_emit1(b, VM_OP_MOV, dst, a0);
        break;
    case 6:
        vm_emit1(b, VM_OP_MOV, address, r0);
        break;
    case 7:
        vm_emit1(b, VM_OP_ENDIF, dst, c0);
        break;
    case 8:
        vm_emit1(b, VM_OP_COUNT, dst, c0);
        break;
    case 9:
        vm_emit2(b, VM_OP_TEX, dst, c0, c0); /* no sampler */
        break;
    case 10:
        vm_emit2(b, VM_OP_M4X4, dst, r0, vm_build_const(4094)); /* matrix rows beyond the
                                                                   constants */
        break;
    case 11:
        vm_build_sampler(b, 16, 2);
        break;
    case 12:
        vm_build_output(b, VM_USAGE_TARGET, 4);
        break;
    case 13:
        vm_build_input(b, VM_USAGE_TEXCOORD, 16);
        break;
    case 14:
        for (unsigned i = 0; i <= VM_MAX_INPUTS; i++)
            vm_build_input(b, (enum vm_usage)(i >> 4), i & 15);
        break;
    default: /* fixed-function relative addressing exists in the vertex stage only */
        vm_emit1(b, VM_OP_MOV, dst, vm_indexed(c0, 0));
        break;
    }
}

START_TEST(finish_reports_errors)
{
    struct vm_builder *b = builder(VM_PIXEL);
    struct vm_program *program;
    int64_t live = mem_live_blocks();

    mistake(b, _i);
    vm_emit1(b, VM_OP_MOV, vm_build_output(b, VM_USAGE_TARGET, 0), vm_build_const(0));
    ck_assert_int_eq(vm_builder_finish(b, &program), ST_INVALID);
    ck_assert_ptr_null(program);
    ck_assert_int_le(mem_live_blocks(), live);
}
END_TEST

START_TEST(out_of_memory)
{
    int64_t live = mem_live_blocks();
    enum status st = ST_NOMEM;
    int64_t k;

    for (k = 0; st != ST_OK; k++) {
        struct vm_program *program = NULL;
        struct vm_builder *b;

        mem_fail_after(k);
        st = vm_builder_create(&b, VM_PIXEL);
        if (st == ST_OK) {
            vm_emit2(b, VM_OP_MUL, vm_build_output(b, VM_USAGE_TARGET, 0),
                     vm_build_input(b, VM_USAGE_COLOR, 0), vm_build_literal(b, 1, 2, 3, 4));
            st = vm_builder_finish(b, &program);
        }
        mem_fail_after(-1);
        vm_program_destroy(program);
        if (st != ST_OK)
            ck_assert_int_eq(st, ST_NOMEM);
        ck_assert_int_eq(mem_live_blocks(), live);
    }
    ck_assert_int_gt(k, 4);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/builder");
    TCase *t = tcase_create("builder");

    tcase_add_test(t, vertex_program);
    tcase_add_test(t, pixel_program);
    tcase_add_test(t, literals_are_shared);
    tcase_add_test(t, operand_modifiers);
    tcase_add_loop_test(t, finish_reports_errors, 0, 16);
    tcase_add_test(t, out_of_memory);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
