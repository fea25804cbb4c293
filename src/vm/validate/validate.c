/* Validator: reads byte code item by item, checks each, and makes a program of those that pass. */
#include "vm/isa/array.h"
#include "vm/validate/rules.h"

#include <string.h>

/* Limit of the program size, so that counts fit 32 bits. */
enum { MAX_WORDS = 1 << 24 };

/* A program under construction. */
struct draft {
    struct vm_program *program;
    struct vm_checker checker;
    struct vm_dcl *dcl;
    size_t n_dcl, max_dcl, max_def, max_instr;
    struct vm_error now, first; /* if limits->refuse hears of all errors */
    bool refused;
};

/* Tells an error of the program, and keeps the first one. */
static void tell(struct draft *d)
{
    const struct vm_limits *limits = d->checker.limits;

    vm_describe(&d->now, d->checker.words, d->checker.n_words);
    if (!d->refused)
        d->first = d->now;
    d->refused = true;
    limits->refuse(limits->report_ctx, &d->now);
}

static MUST_CHECK enum status add_dcl(struct draft *d, const struct vm_dcl *dcl)
{
    enum status st = vm_grow((void **)&d->dcl, d->n_dcl, &d->max_dcl, sizeof(*dcl));

    if (st == ST_OK)
        d->dcl[d->n_dcl++] = *dcl;
    return st;
}

static MUST_CHECK enum status add_def(struct draft *d, const struct vm_definition *def)
{
    struct vm_program *program = d->program;
    enum status st = vm_grow((void **)&program->def, program->n_def, &d->max_def, sizeof(*def));

    if (st != ST_OK)
        return st;
    program->def[program->n_def] = *def;
    if (def->file == VM_FILE_CONSTBOOL)
        program->def[program->n_def].value.i[0] = def->value.i[0] != 0;
    program->n_def++;
    return ST_OK;
}

static MUST_CHECK enum status add_instr(struct draft *d, const struct vm_instr *instr)
{
    struct vm_program *program = d->program;
    enum status st =
        vm_grow((void **)&program->instr, program->n_instr, &d->max_instr, sizeof(*instr));

    if (st == ST_OK)
        program->instr[program->n_instr++] = *instr;
    return st;
}

static MUST_CHECK enum status add_item(struct draft *d, const struct vm_item *item)
{
    switch (item->kind) {
    case VM_ITEM_DCL:
        return add_dcl(d, &item->dcl);
    case VM_ITEM_DEF:
        return add_def(d, &item->def);
    case VM_ITEM_INSTR:
        return add_instr(d, &item->instr);
    default: /* the end is for complete() */
        return ST_OK;
    }
}

static MUST_CHECK enum status read_items(struct draft *d, struct vm_reader *reader,
                                         struct vm_error *error)
{
    struct vm_item item;
    enum status st;

    do {
        st = vm_reader_next(reader, &item, error);
        if (st != ST_OK)
            return st;
        st = vm_check_item(&d->checker, &item);
        if (st == ST_OK) {
            st = add_item(d, &item);
        } else if (st == ST_INVALID && d->checker.limits->refuse) {
            tell(d);
            vm_assume_item(&d->checker, &item);
            st = ST_OK;
        }
    } while (st == ST_OK && item.kind != VM_ITEM_END);
    return st;
}

/* If a register has several definitions, the last one counts. */
static void drop_earlier_definitions(struct vm_program *program)
{
    uint32_t seen[3][8192 / 32];
    uint32_t n = program->n_def, kept = n;

    memset(seen, 0, sizeof(seen));
    for (uint32_t i = n; i-- > 0;) {
        const struct vm_definition *def = &program->def[i];
        unsigned set = def->file == VM_FILE_CONST ? 0 : def->file == VM_FILE_CONSTINT ? 1 : 2;
        uint32_t *word = &seen[set][def->index / 32], bit = 1u << def->index % 32;

        if (*word & bit)
            continue;
        *word |= bit;
        program->def[--kept] = *def;
    }
    program->n_def = n - kept;
    if (kept)
        memmove(program->def, program->def + kept, program->n_def * sizeof(*program->def));
}

/* Steps that need the complete list of instructions. */
static MUST_CHECK enum status complete(struct draft *d, const struct vm_reader *reader,
                                       struct vm_error *error)
{
    struct vm_program *program = d->program;
    struct vm_checker *checker = &d->checker;
    enum status st, filled;

    drop_earlier_definitions(program);
    memcpy(program->info.sampler_kind, checker->sampler_kind, sizeof(checker->sampler_kind));
    if ((st = vm_resolve_flow(checker, program)) != ST_OK ||
        (st = vm_check_end(checker)) != ST_OK || (st = vm_check_dynamic(checker, program)) != ST_OK)
        return st;
    filled = vm_program_fill_info(program, d->dcl, d->n_dcl, error); /* counts the slots, too */
    if ((st = vm_check_slots(checker, program)) != ST_OK)
        return st;
    if (filled != ST_OK)
        return filled;
    program->n_tokens = reader->at;
    program->tokens = mem_alloc(reader->at * sizeof(*program->tokens));
    if (!program->tokens)
        return ST_NOMEM;
    memcpy(program->tokens, reader->words, reader->at * sizeof(*program->tokens));
    return ST_OK;
}

static MUST_CHECK enum status build(struct draft *d, struct vm_reader *reader,
                                    const struct vm_limits *limits, struct vm_error *error)
{
    enum status st;

    d->program = vm_program_new();
    if (!d->program)
        return ST_NOMEM;
    d->program->info.stage = reader->version.pixel ? VM_PIXEL : VM_VERTEX;
    d->program->info.major = reader->version.major;
    d->program->info.minor = reader->version.minor;
    d->program->software = limits->software;
    st = read_items(d, reader, error);
    return st == ST_OK && !d->refused ? complete(d, reader, error) : st;
}

static MUST_CHECK enum status create(struct draft *d, const uint32_t *tokens, size_t n,
                                     const struct vm_limits *limits, struct vm_error *error)
{
    struct vm_reader reader;
    enum status st = vm_reader_open(&reader, tokens, n, error);

    d->checker.limits = limits;
    if (st == ST_OK)
        vm_checker_init(&d->checker, &reader.version, limits, error);
    d->checker.words = tokens;
    d->checker.n_words = n;
    if (st == ST_OK)
        st = vm_check_version(&d->checker);
    if (st == ST_OK)
        st = build(d, &reader, limits, error);
    mem_free(d->dcl);
    if (st == ST_INVALID && limits->refuse)
        tell(d);
    return st == ST_OK && d->refused ? ST_INVALID : st;
}

enum status vm_program_create(struct vm_program **out, const uint32_t *tokens, size_t n,
                              const struct vm_limits *limits, struct vm_error *error)
{
    size_t n_read = n < MAX_WORDS ? n : MAX_WORDS;
    struct draft d = {.program = NULL};
    enum status st = create(&d, tokens, n_read, limits, limits->refuse ? &d.now : error);

    *out = st == ST_OK ? d.program : NULL;
    if (st != ST_OK)
        vm_program_destroy(d.program);
    if (st == ST_INVALID && !limits->refuse)
        vm_describe(error, tokens, n_read);
    else if (st == ST_INVALID && error)
        *error = d.first;
    return st;
}
