/* Incremental validator: checks programs that arrive one instruction at a time (struct
 * vm_validator).
 *
 * Tested by tests/unit/api/object/test_validator.c. */
#include "vm/isa/array.h"
#include "vm/validate/rules.h"

#include <string.h>

struct vm_validator {
    struct vm_limits limits;
    struct vm_checker checker;
    struct vm_reader reader; /* over words */
    uint32_t *words;
    size_t n, max;
    bool refused, ended;
};

static MUST_CHECK enum status append(struct vm_validator *validator, const uint32_t *words,
                                     size_t n)
{
    for (size_t i = 0; i < n; i++) {
        enum status st = vm_grow((void **)&validator->words, validator->n, &validator->max,
                                 sizeof(*validator->words));

        if (st != ST_OK)
            return st;
        validator->words[validator->n++] = words[i];
    }
    return ST_OK;
}

enum status vm_validator_create(struct vm_validator **out, uint32_t version,
                                const struct vm_limits *limits, struct vm_error *error)
{
    struct vm_validator *validator = mem_calloc(1, sizeof(*validator));
    enum status st;

    *out = NULL;
    if (!validator)
        return ST_NOMEM;
    validator->limits = *limits;
    validator->limits.report = NULL;
    st = append(validator, &version, 1);
    if (st == ST_OK)
        st = vm_reader_open(&validator->reader, validator->words, 1, error);
    if (st == ST_OK) {
        vm_checker_init(&validator->checker, &validator->reader.version, &validator->limits, error);
        validator->checker.words = validator->words;
        validator->checker.n_words = validator->n;
        st = vm_check_version(&validator->checker);
        if (st == ST_INVALID)
            vm_describe(error, validator->words, validator->n);
    }
    if (st == ST_OK)
        *out = validator;
    else
        vm_validator_destroy(validator);
    return st;
}

void vm_validator_destroy(struct vm_validator *validator)
{
    if (!validator)
        return;
    mem_free(validator->words);
    mem_free(validator);
}

/* Checks the rules that need the whole program: blocks, results, slots. */
static MUST_CHECK enum status check_program(struct vm_validator *validator, struct vm_error *error)
{
    struct vm_program *program;
    enum status st;

    validator->ended = true;
    if (validator->refused) /* further errors would be unreliable */
        return ST_OK;
    st = vm_program_create(&program, validator->words, validator->n, &validator->limits, error);
    if (st == ST_OK)
        vm_program_destroy(program);
    return st;
}

enum status vm_validator_instruction(struct vm_validator *validator, const uint32_t *words,
                                     size_t n, struct vm_error *error)
{
    size_t begin = validator->n;
    struct vm_item item;
    enum status st = append(validator, words, n);

    if (st != ST_OK)
        return st;
    if (validator->ended)
        return vm_set_error(error, begin, "something follows the end token");
    validator->reader.words = validator->words;
    validator->reader.n = validator->n;
    validator->reader.at = begin;
    validator->checker.error = error;
    validator->checker.words = validator->words;
    validator->checker.n_words = validator->n;
    st = vm_reader_next(&validator->reader, &item, error);
    if (st == ST_OK && validator->reader.at != validator->n)
        st = vm_set_error(error, validator->reader.at, "more than one instruction at once");
    if (st == ST_OK && item.kind == VM_ITEM_END)
        return check_program(validator, error);
    if (st == ST_OK)
        st = vm_check_item(&validator->checker, &item);
    if (st == ST_INVALID) {
        vm_describe(error, validator->words, validator->n);
        validator->refused = true;
    }
    return st;
}

bool vm_validator_is_complete(const struct vm_validator *validator)
{
    return validator->ended;
}
