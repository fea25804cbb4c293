/* Judges programs that arrive one instruction at a time, as the validator object gets them. */
#include "vm/program_private.h"
#include "vm/validate.h"

#include "util/alloc.h"

#include <string.h>

struct vm_judge {
    struct vm_limits limits;
    struct vm_checker checker;
    struct vm_reader reader; /* over words */
    uint32_t *words;
    size_t n, max;
    bool refused, ended;
};

static MUST_CHECK enum status append(struct vm_judge *judge, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        enum status st =
            vm_grow((void **)&judge->words, judge->n, &judge->max, sizeof(*judge->words));

        if (st != ST_OK)
            return st;
        judge->words[judge->n++] = words[i];
    }
    return ST_OK;
}

enum status vm_judge_create(struct vm_judge **out, uint32_t version, const struct vm_limits *limits,
                            struct vm_error *error)
{
    struct vm_judge *judge = mem_calloc(1, sizeof(*judge));
    enum status st;

    *out = NULL;
    if (!judge)
        return ST_NOMEM;
    judge->limits = *limits;
    st = append(judge, &version, 1);
    if (st == ST_OK)
        st = vm_reader_open(&judge->reader, judge->words, 1, error);
    if (st == ST_OK) {
        vm_checker_init(&judge->checker, &judge->reader.version, &judge->limits, error);
        st = vm_check_version(&judge->checker);
        if (st == ST_INVALID)
            vm_describe(error, judge->words, judge->n);
    }
    if (st == ST_OK)
        *out = judge;
    else
        vm_judge_destroy(judge);
    return st;
}

void vm_judge_destroy(struct vm_judge *judge)
{
    if (!judge)
        return;
    mem_free(judge->words);
    mem_free(judge);
}

static MUST_CHECK enum status check_item(struct vm_judge *judge, const struct vm_item *item)
{
    judge->checker.token = item->token;
    switch (item->kind) {
    case VM_ITEM_DCL:
        return vm_check_dcl(&judge->checker, &item->dcl);
    case VM_ITEM_DEF:
        return vm_check_def(&judge->checker, &item->def);
    case VM_ITEM_INSTR:
        return vm_check_instr(&judge->checker, &item->instr);
    default:
        return ST_OK;
    }
}

/* What only the whole program tells: blocks, results, slots. */
static MUST_CHECK enum status check_program(struct vm_judge *judge, struct vm_error *error)
{
    struct vm_program *program;
    enum status st;

    judge->ended = true;
    if (judge->refused) /* what is said of the rest would be guesswork */
        return ST_OK;
    st = vm_program_create(&program, judge->words, judge->n, &judge->limits, error);
    if (st == ST_OK)
        vm_program_destroy(program);
    return st;
}

enum status vm_judge_instruction(struct vm_judge *judge, const uint32_t *words, size_t n,
                                 struct vm_error *error)
{
    size_t begin = judge->n;
    struct vm_item item;
    enum status st = append(judge, words, n);

    if (st != ST_OK)
        return st;
    if (judge->ended)
        return vm_fault(error, begin, "something follows the end token");
    judge->reader.words = judge->words;
    judge->reader.n = judge->n;
    judge->reader.at = begin;
    judge->checker.error = error;
    st = vm_reader_next(&judge->reader, &item, error);
    if (st == ST_OK && judge->reader.at != judge->n)
        st = vm_fault(error, judge->reader.at, "more than one instruction at once");
    if (st == ST_OK && item.kind == VM_ITEM_END)
        return check_program(judge, error);
    if (st == ST_OK)
        st = check_item(judge, &item);
    if (st == ST_INVALID) {
        vm_describe(error, judge->words, judge->n);
        judge->refused = true;
    }
    return st;
}

bool vm_judge_is_complete(const struct vm_judge *judge)
{
    return judge->ended;
}
