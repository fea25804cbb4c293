/* Mutated byte code, truncated at every word and with random words changed: it is refused, or it is
 * a program that satisfies the invariants of vm/program/program.h. It never causes a crash, an
 * endless loop or a read out of bounds.
 *
 * The words are allocated at their exact size, so that address sanitizers detect every read beyond
 * them. */
#include "fuzz/vm/mutate.h"
#include "vm/program/program.h"

/* Checks the invariants of accepted programs that lowering relies on. */
static void check_invariants(const struct vm_program *p)
{
    for (uint32_t i = 0; i < p->n_instr; i++) {
        const struct vm_instr *instr = &p->instr[i];
        bool jumps =
            instr->op == VM_OP_IF || instr->op == VM_OP_IFC || instr->op == VM_OP_ELSE ||
            instr->op == VM_OP_LOOP || instr->op == VM_OP_REP || instr->op == VM_OP_BREAK ||
            instr->op == VM_OP_BREAKC || instr->op == VM_OP_BREAKP || instr->op == VM_OP_ENDLOOP ||
            instr->op == VM_OP_ENDREP || instr->op == VM_OP_CALL || instr->op == VM_OP_CALLNZ;

        ck_assert(instr->op < VM_OP_COUNT && instr->n_src <= VM_MAX_SRC);
        ck_assert(jumps == (instr->target != VM_NO_TARGET));
        ck_assert(!jumps || instr->target < p->n_instr);
        if (instr->dst.file == VM_FILE_TEMP)
            ck_assert(instr->dst.index < p->n_temps);
        for (unsigned s = 0; s < instr->n_src; s++) {
            if (instr->src[s].file == VM_FILE_TEMP)
                ck_assert(instr->src[s].index + vm_instr_src_rows(instr, s) <= p->n_temps);
            if (instr->src[s].file == VM_FILE_CONST)
                ck_assert(instr->src[s].index < p->info.float_constants);
        }
    }
    ck_assert(p->info.n_inputs <= VM_MAX_INPUTS && p->info.n_outputs <= VM_MAX_OUTPUTS);
}

/* The disassembly of an accepted program assembles to the same words. */
static void check_listing(const uint32_t *words, size_t n)
{
    struct vm_error error = {0, ""};
    struct vm_program *program;
    uint32_t *again;
    size_t n_again;
    char *text;

    if (vm_program_create(&program, words, n, &vm_limits_software, &error) != ST_OK)
        return;
    vm_program_destroy(program);
    ck_assert_int_eq(vm_disassemble_exact(&text, words, n, &error), ST_OK);
    ck_assert_msg(vm_assemble(&again, &n_again, text, &error) == ST_OK, "%s\n%s", error.text, text);
    ck_assert_msg(n_again <= n, "%s", text);
    for (size_t i = 0; i < n_again; i++) /* [a0] comes back as [a0.x] */
        ck_assert_msg(again[i] == words[i] || (words[i] == 0xb0e40000 && again[i] == 0xb0000000),
                      "word %zu\n%s", i, text);
    mem_free(again);
    mem_free(text);
}

/* Returns whether the words are a valid program. */
static bool try_words(const uint32_t *words, size_t n)
{
    static const struct vm_limits strict = {3, 3, .software = true, .enforced = VM_RULES_SHIPPED};
    struct vm_error error = {0, ""};
    struct vm_program *program;
    bool good, strictly_good;
    char *text;

    (void)vm_token_count(words, n);
    if (vm_disassemble(&text, words, n, &error) == ST_OK)
        mem_free(text);
    good = vm_program_create(&program, words, n, &vm_limits_lenient, &error) == ST_OK;
    if (good) {
        check_invariants(program);
        ck_assert_int_eq(vm_program_text(&text, program), ST_OK);
        mem_free(text);
        vm_program_destroy(program);
        check_listing(words, n);
    } else {
        ck_assert(error.text[0] && error.token <= n);
    }
    strictly_good = vm_program_create(&program, words, n, &strict, &error) == ST_OK;
    ck_assert(good || !strictly_good);
    if (strictly_good)
        vm_program_destroy(program);
    return good;
}

START_TEST(truncated_words)
{
    int64_t live;

    load();
    live = mem_live_blocks();
    for (unsigned i = 0; i < n_shaders; i++) {
        for (size_t n = 0; n < shaders[i].n; n++) {
            uint32_t *part = malloc(n * sizeof(*part) + !n);

            if (n)
                memcpy(part, shaders[i].words, n * sizeof(*part));
            ck_assert_msg(!try_words(part, n), "shader %u cut to %zu words", i, n);
            free(part);
        }
        ck_assert_msg(try_words(shaders[i].words, shaders[i].n), "shader %u", i);
    }
    ck_assert_int_eq(mem_live_blocks(), live);
    unload();
}
END_TEST

START_TEST(changed_words)
{
    unsigned good = 0, rounds;
    int64_t live;

    load();
    live = mem_live_blocks();
    rounds = n_shaders > N_SEEDS ? 20 : 400;
    for (unsigned i = 0; i < n_shaders; i++) {
        for (unsigned round = 0; round < rounds; round++) {
            uint32_t *copy = damaged_copy(&shaders[i]);

            good += try_words(copy, shaders[i].n);
            free(copy);
        }
    }
    ck_assert_int_eq(mem_live_blocks(), live);
    ck_assert_msg(good > 0, "no changed shader was accepted: the test checks too little");
    unload();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/tokens");
    TCase *t = tcase_create("tokens");

    tcase_set_timeout(t, 600);
    tcase_add_test(t, truncated_words);
    tcase_add_test(t, changed_words);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
