/* Program objects: creates validated programs from byte code and answers queries about them. */
#include "vm/isa/item_text.h"
#include "vm/program/program_private.h"
#include "vm/validate/validate.h"

#include "util/alloc.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Limit of the program size, so that counts fit 32 bits. */
enum { MAX_WORDS = 1 << 24 };

/* A program under construction. */
struct draft {
    struct vm_program *program;
    struct vm_checker checker;
    struct vm_dcl *dcl;
    size_t n_dcl, max_dcl, max_def, max_instr;
};

struct vm_program *vm_program_new(void)
{
    static atomic_uint_least64_t last_id;
    struct vm_program *program = mem_calloc(1, sizeof(*program));

    if (program)
        program->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    return program;
}

enum status vm_grow(void **array, size_t n, size_t *n_max, size_t size)
{
    size_t larger = *n_max ? *n_max * 2 : 16;
    void *grown;

    if (n < *n_max)
        return ST_OK;
    grown = mem_realloc(*array, larger * size);
    if (!grown)
        return ST_NOMEM;
    *array = grown;
    *n_max = larger;
    return ST_OK;
}

static MUST_CHECK enum status add_dcl(struct draft *d, const struct vm_dcl *dcl)
{
    enum status st = vm_check_dcl(&d->checker, dcl);

    if (st == ST_OK)
        st = vm_grow((void **)&d->dcl, d->n_dcl, &d->max_dcl, sizeof(*dcl));
    if (st == ST_OK)
        d->dcl[d->n_dcl++] = *dcl;
    return st;
}

static MUST_CHECK enum status add_def(struct draft *d, const struct vm_definition *def)
{
    struct vm_program *program = d->program;
    enum status st = vm_check_def(&d->checker, def);

    if (st == ST_OK)
        st = vm_grow((void **)&program->def, program->n_def, &d->max_def, sizeof(*def));
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
    enum status st = vm_check_instr(&d->checker, instr);

    if (st == ST_OK)
        st = vm_grow((void **)&program->instr, program->n_instr, &d->max_instr, sizeof(*instr));
    if (st == ST_OK)
        program->instr[program->n_instr++] = *instr;
    return st;
}

static MUST_CHECK enum status read_items(struct draft *d, struct vm_reader *reader,
                                         struct vm_error *error)
{
    struct vm_item item;
    enum status st;

    do {
        if ((st = vm_reader_next(reader, &item, error)) != ST_OK)
            return st;
        d->checker.token = item.token;
        switch (item.kind) {
        case VM_ITEM_DCL:
            st = add_dcl(d, &item.dcl);
            break;
        case VM_ITEM_DEF:
            st = add_def(d, &item.def);
            break;
        case VM_ITEM_INSTR:
            st = add_instr(d, &item.instr);
            break;
        case VM_ITEM_END: /* for complete() */
        case VM_ITEM_COMMENT:
            break;
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
    enum status st;

    drop_earlier_definitions(program);
    memcpy(program->info.sampler_kind, d->checker.sampler_kind, sizeof(d->checker.sampler_kind));
    if ((st = vm_resolve_flow(program, error)) != ST_OK)
        return st;
    if ((st = vm_check_end(&d->checker)) != ST_OK)
        return st;
    if (!d->checker.limits->lenient &&
        (st = vm_check_dynamic(program, &reader->version, error)) != ST_OK)
        return st;
    if ((st = vm_check_slots(program, &reader->version, error)) != ST_OK)
        return st;
    if ((st = vm_program_fill_info(program, d->dcl, d->n_dcl, error)) != ST_OK)
        return st;
    program->n_tokens = reader->at;
    program->tokens = mem_alloc(reader->at * sizeof(*program->tokens));
    if (!program->tokens)
        return ST_NOMEM;
    memcpy(program->tokens, reader->words, reader->at * sizeof(*program->tokens));
    return ST_OK;
}

/* Appends the text of the item that contains a word: "mov r0, r12", or its words if it cannot be
 * decoded. */
static void put_item_at(struct vm_text *text, const uint32_t *tokens, size_t n, size_t token)
{
    enum { SHOWN = 4 };
    struct vm_reader reader;
    struct vm_item item;
    enum status st = vm_reader_open(&reader, tokens, n, NULL);

    do {
        if (st != ST_OK)
            return;
        st = vm_reader_next(&reader, &item, NULL);
    } while (st == ST_OK && item.kind != VM_ITEM_END && token >= item.token + item.n_words);
    if (st == ST_OK)
        vm_text_item(text, &item, &reader.version);
    for (size_t i = item.token; st != ST_OK && i < n && i < item.token + SHOWN; i++)
        vm_text_put(text, i > item.token ? " %08x" : "%08x", tokens[i]);
}

void vm_describe(struct vm_error *error, const uint32_t *tokens, size_t n)
{
    struct vm_text item = {.data = NULL};
    struct vm_version version;
    char name[8], rule[sizeof(error->text)];

    if (!error || !n || !vm_version_decode(&version, tokens[0]))
        return;
    if (error->token)
        put_item_at(&item, tokens, n, error->token);
    vm_version_text(name, &version);
    memcpy(rule, error->text, sizeof(rule));
    snprintf(error->text, sizeof(error->text), "%s: %.140s%s%.150s%s", name, rule,
             item.data ? ", in '" : "", item.data ? item.data : "", item.data ? "'" : "");
    mem_free(item.data);
}

static MUST_CHECK enum status create(struct vm_program **out, const uint32_t *tokens, size_t n,
                                     const struct vm_limits *limits, struct vm_error *error)
{
    struct vm_reader reader;
    struct draft d = {.program = NULL};
    enum status st;

    if ((st = vm_reader_open(&reader, tokens, n, error)) != ST_OK)
        return st;
    vm_checker_init(&d.checker, &reader.version, limits, error);
    if ((st = vm_check_version(&d.checker)) != ST_OK)
        return st;
    d.program = vm_program_new();
    if (!d.program)
        return ST_NOMEM;
    d.program->info.stage = reader.version.pixel ? VM_PIXEL : VM_VERTEX;
    d.program->info.major = reader.version.major;
    d.program->info.minor = reader.version.minor;
    d.program->software = limits->software;
    st = read_items(&d, &reader, error);
    if (st == ST_OK)
        st = complete(&d, &reader, error);
    mem_free(d.dcl);
    if (st != ST_OK) {
        vm_program_destroy(d.program);
        return st;
    }
    *out = d.program;
    return ST_OK;
}

enum status vm_program_create(struct vm_program **out, const uint32_t *tokens, size_t n,
                              const struct vm_limits *limits, struct vm_error *error)
{
    size_t n_read = n < MAX_WORDS ? n : MAX_WORDS;
    enum status st;

    *out = NULL;
    st = create(out, tokens, n_read, limits, error);
    if (st == ST_INVALID)
        vm_describe(error, tokens, n_read);
    return st;
}

void vm_program_destroy(struct vm_program *program)
{
    if (!program)
        return;
    mem_free(program->instr);
    mem_free(program->def);
    mem_free(program->tokens);
    mem_free(program);
}

const struct vm_info *vm_program_info(const struct vm_program *program)
{
    return &program->info;
}

const uint32_t *vm_program_tokens(const struct vm_program *program, size_t *n, bool *software)
{
    *n = program->n_tokens;
    *software = program->software;
    return program->tokens;
}

uint64_t vm_program_id(const struct vm_program *program)
{
    return program->id;
}

unsigned vm_program_float_file(const struct vm_program *program)
{
    struct vm_version version = {.pixel = program->info.stage == VM_PIXEL,
                                 .rank = vm_version_rank(program->info.stage == VM_PIXEL,
                                                         program->info.major, program->info.minor)};

    if (program->built)
        return VM_FIRST_LITERAL;
    return vm_file_size(&version, program->software, VM_FILE_CONST);
}

bool vm_program_has_texture_temps(const struct vm_program *program)
{
    return program->info.stage == VM_PIXEL && program->info.major == 1 && program->info.minor < 4;
}
