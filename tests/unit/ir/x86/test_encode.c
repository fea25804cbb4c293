/* Each form of forms.def with low and high registers, each way of addressing and each target, as
 * objdump disassembles it. Where there is no objdump for x86 the test says so and passes. */
#include "ir/x86/encode.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINES = 60000, LINE = 96 };
static char expected[MAX_LINES][LINE];
static unsigned n_lines;

static const struct x86_target targets[] = {{.is_64 = true},
                                            {.is_64 = true, .avx512 = true},
                                            {.is_64 = false},
                                            {.is_64 = false, .avx512 = true}};

/* --- The text that objdump should print ------------------------------------------------------- */

static const char *general_name(char kind, unsigned reg, bool is_64)
{
    static const char *const word[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    static char name[4][16];
    static unsigned next;
    char *to = name[next++ % 4];

    if (kind == 'b')
        snprintf(to, sizeof(name[0]), "%cl", "acdb"[reg]);
    else if (reg < 8)
        snprintf(to, sizeof(name[0]), "%c%s", kind == 'p' && is_64 ? 'r' : 'e', word[reg]);
    else
        snprintf(to, sizeof(name[0]), "r%u%s", reg, kind == 'p' ? "" : "d");
    return to;
}

static void add_register(char *text, char kind, unsigned reg, const struct x86_target *t)
{
    char vector = t->avx512 ? 'z' : 'y';
    char *end = text + strlen(text);

    if (kind == 'v' || (kind == 'c' && !t->avx512))
        sprintf(end, "%cmm%u", vector, reg);
    else if (kind == 'x' || (kind == 'h' && !t->avx512))
        sprintf(end, "xmm%u", reg);
    else if (kind == 'h')
        sprintf(end, "ymm%u", reg);
    else if (kind == 'k' || kind == 'c')
        sprintf(end, "k%u", reg);
    else
        strcpy(end, general_name(kind, reg, t->is_64));
}

static void add_memory(char *text, char kind, const struct x86_operand *m,
                       const struct x86_target *t)
{
    char *end = text + strlen(text);

    if (m->broadcast)
        end += sprintf(end, "DWORD BCST ");
    if (m->is_pool) {
        end += sprintf(end, t->is_64 ? "[rip+0x%x]" : "ds:0x%x", (unsigned)m->disp);
    } else {
        end += sprintf(end, "[%s", general_name('p', m->base, t->is_64));
        if (kind == 's')
            end += sprintf(end, "+%cmm%u*%u", t->avx512 ? 'z' : 'y', m->index, 1u << m->scale);
        else if (m->index != X86_NO_REGISTER)
            end += sprintf(end, "+%s*%u", general_name('p', m->index, t->is_64), 1u << m->scale);
        if (m->disp)
            end += sprintf(end, "%c0x%x", m->disp < 0 ? '-' : '+', (unsigned)abs(m->disp));
        end += sprintf(end, "]");
    }
}

static void add_operand(char *text, char field, char kind, const struct x86_inst *inst,
                        const struct x86_target *t)
{
    switch (field) {
    case 'R':
        add_register(text, kind, inst->r, t);
        break;
    case 'V':
        add_register(text, kind, inst->v, t);
        break;
    case 'O':
        add_register(text, kind, inst->m.reg, t);
        break;
    case 'M':
        if (inst->m.is_mem)
            add_memory(text, kind, &inst->m, t);
        else
            add_register(text, kind, inst->m.reg, t);
        break;
    case '4':
        add_register(text, kind, (unsigned)inst->imm >> 4, t);
        break;
    default:
        sprintf(text + strlen(text), "0x%x", (unsigned)inst->imm);
    }
}

/* objdump has names for comparisons with a predicate: here it is 1. */
static bool has_predicate(enum x86_form form)
{
    return form == X86_CMPPS || form == X86_PCMPD || form == X86_PCMPUD;
}

static const char *name_of(const struct x86_inst *inst, const struct x86_target *t)
{
    const struct x86_form_info *form = &ir_x86_form_info[inst->form];

    if (has_predicate(inst->form))
        return inst->form == X86_CMPPS   ? "vcmpltps"
               : inst->form == X86_PCMPD ? "vpcmpltd"
                                         : "vpcmpltud";
    return form->encoding == X86_EVEX || (form->encoding == X86_BOTH && t->avx512) ? form->evex_name
                                                                                   : form->name;
}

static void expect(const struct x86_inst *inst, const struct x86_target *t)
{
    const struct x86_form_info *form = &ir_x86_form_info[inst->form];
    char text[256] = "";
    unsigned operand = 0;

    strcat(text, name_of(inst, t));
    for (const char *field = form->shape; *field; field++) {
        if (field[0] >= '0' && field[0] <= '9' && field[-1] != 'R')
            continue; /* extends the opcode */
        if (field[0] == 'R' && field[1] == '4')
            continue;
        if (inst->form == X86_PGATHERDD && t->avx512 && *field == 'V')
            continue;
        if (has_predicate(inst->form) && *field == 'I')
            continue;
        if (operand)
            strcat(text, ",");
        add_operand(text, *field, form->kinds[operand], inst, t);
        if (!operand && inst->k)
            sprintf(text + strlen(text), "{k%u}%s", inst->k, inst->zeroing ? "{z}" : "");
        operand++;
    }
    ck_assert_uint_lt(n_lines, MAX_LINES);
    ck_assert_uint_lt(strlen(text), LINE);
    strcpy(expected[n_lines++], text);
}

/* --- Which operands a form takes -------------------------------------------------------------- */

static bool takes_memory(enum x86_form form, const struct x86_target *t)
{
    const struct x86_form_info *info = &ir_x86_form_info[form];
    const char *m = strchr(info->shape, 'M');
    bool only_registers = !strcmp(info->kinds, "rk") || !strcmp(info->kinds, "rv") ||
                          (info->kinds[0] == 'k' && form != X86_KMOVW && form != X86_KMOVW_TO);

    if (!m || only_registers)
        return false;
    return !(info->shape[0] == 'V' && info->shape[1] == 'M') || t->avx512; /* shifts */
}

static bool takes_registers(enum x86_form form)
{
    return form != X86_KMOVW_TO && !strchr(ir_x86_form_info[form].kinds, 's');
}

/* The highest registers of a kind; `low`: the lowest but a few. */
static unsigned pick(char kind, unsigned i, bool low, const struct x86_target *t,
                     enum x86_form form)
{
    const struct x86_form_info *info = &ir_x86_form_info[form];
    bool evex = info->encoding == X86_EVEX || (info->encoding == X86_BOTH && t->avx512);

    if (kind == 'k' || (kind == 'c' && t->avx512))
        return low ? 1 + i : 7 - i;
    if (kind == 'b')
        return low ? i : 3 - i;
    if (low || !t->is_64)
        return low ? i : 7 - i;
    return (evex && (kind == 'v' || kind == 'x' || kind == 'h') ? 31 : 15) - i;
}

static char kind_of(enum x86_form form, char field)
{
    const struct x86_form_info *info = &ir_x86_form_info[form];
    unsigned operand = 0;

    for (const char *f = info->shape; *f && *f != field; f++)
        operand += !(*f >= '0' && *f <= '9');
    return info->kinds[operand];
}

static void emit(struct x86_code *code, const struct x86_inst *inst)
{
    ir_x86_emit(code, inst);
    expect(inst, &code->target);
}

static void emit_addressed(struct x86_code *code, struct x86_inst inst)
{
    static const int32_t disp[] = {0, 64, -128, 4, 12, 0x12345, -0x12340};
    const struct x86_form_info *info = &ir_x86_form_info[inst.form];
    const struct x86_target *t = &code->target;
    unsigned bases = t->is_64 ? 16 : 8;
    bool vsib = strchr(info->kinds, 's'),
         full = info->tuple == 3 && t->avx512 && info->encoding >= X86_EVEX;

    for (unsigned base = 0; base < bases; base++)
        for (unsigned d = 0; d < 7; d++) {
            inst.m = x86_mem(base, disp[d]);
            if (vsib) {
                inst.m = x86_indexed(base, pick('v', 2, d & 1, t, inst.form), d & 3, disp[d]);
            } else if (d & 1) {
                inst.m = x86_indexed(base, (base + 1) % bases, d & 3, disp[d]);
                if (inst.m.index == X86_SP)
                    continue;
            }
            emit(code, &inst);
            if (full) {
                inst.m.broadcast = true;
                emit(code, &inst);
            }
        }
    if (!vsib) {
        inst.m = ir_x86_pool_vector(X86_POOL_LANE_BITS);
        emit(code, &inst);
    }
}

static void emit_form(struct x86_code *code, enum x86_form form)
{
    const struct x86_form_info *info = &ir_x86_form_info[form];
    const struct x86_target *t = &code->target;
    bool lanes = strchr(info->kinds, 's') && t->avx512; /* EVEX gathers need a mask */

    if ((info->encoding == X86_EVEX && !t->avx512) || (form == X86_MOVSXD && !t->is_64))
        return;
    if (info->encoding == X86_VEX && t->avx512 && strpbrk(info->kinds, "vx"))
        return; /* AVX-512 has other forms for it */
    for (unsigned low = 0; low < 2; low++) {
        struct x86_inst inst = {.form = form, .k = lanes ? 1 + low : 0};

        inst.r = (uint8_t)pick(kind_of(form, 'R'), 0, low, t, form);
        inst.v = form == X86_PGATHERDD && t->avx512
                     ? 0
                     : (uint8_t)pick(kind_of(form, 'V'), 1, low, t, form);
        inst.m =
            x86_reg(pick(kind_of(form, strchr(info->shape, 'O') ? 'O' : 'M'), 2, low, t, form));
        inst.imm = strchr(info->shape, 'D')   ? 0x12345678
                   : strchr(info->shape, '4') ? 0x30 + (low ? 0 : 0x40)
                                              : 1;
        if (takes_registers(form))
            emit(code, &inst);
        if (takes_memory(form, t))
            emit_addressed(code, inst);
    }
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* Removes blanks, sizes of operands, displacements of 0 and comments. */
static void normalise(char *line)
{
    char *to = line;

    if (strchr(line, '#'))
        *strchr(line, '#') = 0;
    for (char *ptr; (ptr = strstr(line, " PTR ")) != NULL;) {
        char *from = ptr;

        while (from > line && ((from[-1] >= 'A' && from[-1] <= 'Z')))
            from--;
        memmove(from, ptr + 5, strlen(ptr + 5) + 1);
    }
    for (char *zero; (zero = strstr(line, "+0x0]")) != NULL;)
        memmove(zero, zero + 4, strlen(zero + 4) + 1);
    for (const char *from = line; *from; from++)
        if (*from != ' ' && *from != '\t' && *from != '\n')
            *to++ = *from;
    *to = 0;
}

static void compare(const struct x86_code *code)
{
    char path[] = "/tmp/test_encodeXXXXXX", command[256], line[512];
    int fd = mkstemp(path);
    unsigned n = 0;
    FILE *text;

    ck_assert_int_ge(fd, 0);
    ck_assert(write(fd, code->bytes, code->n) == (ssize_t)code->n);
    close(fd);
    snprintf(command, sizeof(command), "objdump -D -b binary -m %s -M intel --no-show-raw-insn %s",
             code->target.is_64 ? "i386:x86-64" : "i386", path);
    text = popen(command, "r");
    ck_assert_ptr_nonnull(text);
    while (fgets(line, sizeof(line), text)) {
        char *inst = strstr(line, ":\t");

        if (!inst)
            continue;
        inst += strncmp(inst, ":\t{evex}", 8) ? 2 : 8; /* it could be VEX */
        normalise(inst);
        ck_assert_uint_lt(n, n_lines);
        normalise(expected[n]);
        ck_assert_msg(!strcmp(inst, expected[n]), "%s %s: %s, not %s",
                      code->target.is_64 ? "x86-64" : "x86-32",
                      code->target.avx512 ? "AVX-512" : "AVX2", inst, expected[n]);
        n++;
    }
    pclose(text);
    unlink(path);
    ck_assert_uint_eq(n, n_lines);
}

static bool has_objdump(void)
{
    bool has = !system("objdump -i 2>/dev/null | grep -q elf64-x86-64");

    if (!has)
        puts("test_encode: no objdump for x86; nothing was compared");
    return has;
}

START_TEST(forms)
{
    struct x86_code code;

    if (!has_objdump())
        return;
    n_lines = 0;
    ir_x86_code_init(&code, &targets[_i]);
    for (unsigned form = 0; form < X86_FORM_COUNT; form++)
        emit_form(&code, (enum x86_form)form);
    compare(&code);
    ir_x86_code_fini(&code);
}
END_TEST

/* Lanes of a mask, cleared or kept. */
START_TEST(masking)
{
    struct x86_code code;
    struct x86_inst inst = {.form = X86_ADDPS, .r = 1, .v = 2, .m = x86_reg(3), .k = 7};

    if (!has_objdump())
        return;
    n_lines = 0;
    ir_x86_code_init(&code, &targets[1]);
    emit(&code, &inst);
    inst.zeroing = true;
    emit(&code, &inst);
    inst.form = X86_PBLENDMD;
    emit(&code, &inst);
    compare(&code);
    ir_x86_code_fini(&code);
}
END_TEST

START_TEST(jumps)
{
    struct x86_code code;
    struct x86_inst inst = {.form = X86_MOVAPS, .r = 1, .m = x86_reg(2)};
    size_t over, back;

    if (!has_objdump())
        return;
    n_lines = 0;
    ir_x86_code_init(&code, &targets[_i]);
    over = ir_x86_jump(&code, X86_ZERO);
    strcpy(expected[n_lines++], _i & 1 ? "je0xc" : "je0xa");
    back = code.n;
    emit(&code, &inst);
    ir_x86_land(&code, over);
    ir_x86_jump_back(&code, X86_ALWAYS, back);
    strcpy(expected[n_lines++], "jmp0x6");
    ir_x86_jump_back(&code, X86_BELOW, back);
    strcpy(expected[n_lines++], "jb0x6");
    ir_x86_clear_upper(&code);
    ir_x86_ret(&code);
    strcpy(expected[n_lines++], "vzeroupper");
    strcpy(expected[n_lines++], "ret");
    compare(&code);
    ir_x86_code_fini(&code);
}
END_TEST

/* Equal constants are one; the fix-ups reach them. */
START_TEST(pool)
{
    const struct x86_target *t = &targets[_i];
    struct x86_code code;
    struct x86_operand first, again;
    uint32_t found;
    int32_t disp;

    ir_x86_code_init(&code, t);
    first = ir_x86_constant(&code, 0x3f800000);
    for (uint32_t i = 0; i < 1000; i++)
        ir_x86_constant(&code, i * 977);
    again = ir_x86_constant(&code, 0x3f800000);
    ck_assert_int_eq(first.disp, again.disp);
    ck_assert_int_eq(first.disp % (t->avx512 ? 4 : 32), 0);
    again = ir_x86_constant(&code, 977);
    ir_x86_emit(&code, &(struct x86_inst){.form = X86_CMPPS, .r = 1, .v = 1, .m = again, .imm = 1});
    memcpy(&disp, code.bytes + code.n - 5, 4);
    ck_assert_int_eq(disp, again.disp);
    again.disp = (int32_t)code.n; /* end of the instruction */
    ir_x86_finish(&code, 0x10000);
    ck_assert(!code.failed);
    memcpy(&disp, code.bytes + again.disp - 5, 4);
    if (t->is_64)
        memcpy(&found, code.bytes + again.disp + disp, 4);
    else
        found = code.pool[(disp - 0x10000) / 4];
    ck_assert_uint_eq(found, 977);
    ir_x86_code_fini(&code);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/x86/encode");
    TCase *tc = tcase_create("encode");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, forms, 0, 4);
    tcase_add_test(tc, masking);
    tcase_add_loop_test(tc, jumps, 0, 4);
    tcase_add_loop_test(tc, pool, 0, 4);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
