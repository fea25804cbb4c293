/* Source lines of byte code: places that the assembler reports, or the debug comment of a compiler.
 *
 * The debug comment begins with DBUG. A structure of ten words follows (D3DXSHADER_DEBUGINFO): its
 * size, offsets of the compiler's name and of the source, number and offset of files, number and
 * offset of instructions, and others. A file is the offset of its name. An instruction is a line
 * and a file, 16 bits each, and the offset of its code. Offsets are bytes from the structure, those
 * of code bytes from the version token. */
#include "vm/asm/comment.h"
#include "vm/asm/asm.h"
#include "vm/isa/array.h"
#include "vm/isa/decode.h"

#include <string.h>

struct entry {
    size_t word;
    const char *file;
    unsigned line, column;
};

struct vm_lines {
    struct entry *entry;
    size_t n, max;
    char **file;
    size_t n_files, max_files;
};

enum status vm_lines_create(struct vm_lines **out)
{
    *out = mem_calloc(1, sizeof(**out));
    return *out ? ST_OK : ST_NOMEM;
}

void vm_lines_destroy(struct vm_lines *lines)
{
    if (!lines)
        return;
    for (size_t i = 0; i < lines->n_files; i++)
        mem_free(lines->file[i]);
    mem_free(lines->file);
    mem_free(lines->entry);
    mem_free(lines);
}

/* A copy of the name that lives as long as the map. */
static MUST_CHECK enum status keep_name(struct vm_lines *lines, const char *name, const char **out)
{
    size_t n = strlen(name) + 1;
    enum status st;

    for (size_t i = lines->n_files; i-- > 0;) {
        *out = lines->file[i];
        if (!strcmp(*out, name))
            return ST_OK;
    }
    st = vm_grow((void **)&lines->file, lines->n_files, &lines->max_files, sizeof(*lines->file));
    if (st != ST_OK)
        return st;
    lines->file[lines->n_files] = mem_alloc(n);
    if (!lines->file[lines->n_files])
        return ST_NOMEM;
    memcpy(lines->file[lines->n_files], name, n);
    *out = lines->file[lines->n_files++];
    return ST_OK;
}

enum status vm_lines_add(struct vm_lines *lines, const struct vm_asm_place *place)
{
    struct entry entry = {.word = place->word, .line = place->line, .column = place->column};
    enum status st = place->file ? keep_name(lines, place->file, &entry.file) : ST_OK;

    if (st == ST_OK)
        st = vm_grow((void **)&lines->entry, lines->n, &lines->max, sizeof(*lines->entry));
    if (st == ST_OK)
        lines->entry[lines->n++] = entry;
    return st;
}

bool vm_lines_find(const struct vm_lines *lines, size_t word, struct vm_line *out)
{
    size_t first = 0, end = lines->n;

    while (first < end) { /* the last entry that does not follow the word */
        size_t middle = first + (end - first) / 2;

        if (lines->entry[middle].word <= word)
            first = middle + 1;
        else
            end = middle;
    }
    if (!first || !lines->entry[first - 1].line)
        return false;
    *out = (struct vm_line){lines->entry[first - 1].file, lines->entry[first - 1].line,
                            lines->entry[first - 1].column};
    return true;
}

/* --- The debug comment ------------------------------------------------------------------------ */

enum {
    DBUG = 0x47554244,
    HEADER_SIZE = 40,
    FILES = 12,
    FILE_INFO = 16,
    INSTRUCTIONS = 20,
    INSTRUCTION_INFO = 24,
    INSTRUCTION_SIZE = 8
};

/* Items of a byte code: their places in it, and in the same byte code without comments. Compilers
 * may add the comment after they have counted. */
struct items {
    size_t *at, *plain;
    size_t n, max_at, max_plain;
};

static MUST_CHECK enum status add_item(struct items *items, const struct vm_item *item,
                                       size_t comments)
{
    enum status st = vm_grow((void **)&items->at, items->n, &items->max_at, sizeof(*items->at));

    if (st == ST_OK)
        st = vm_grow((void **)&items->plain, items->n, &items->max_plain, sizeof(*items->plain));
    if (st != ST_OK)
        return st;
    items->at[items->n] = item->token;
    items->plain[items->n++] = item->token - comments;
    return ST_OK;
}

/* Lists the items, and finds the comment. */
static MUST_CHECK enum status read_items(struct items *items, struct asm_comment *debug,
                                         const uint32_t *tokens, size_t n)
{
    struct vm_reader reader;
    struct vm_item item = {.kind = VM_ITEM_END};
    size_t comments = 0;
    enum status st = vm_reader_open(&reader, tokens, n, NULL);

    do {
        if (st == ST_OK)
            st = vm_reader_next(&reader, &item, NULL);
        if (st != ST_OK)
            return st;
        if (item.kind != VM_ITEM_COMMENT) {
            st = add_item(items, &item, comments);
        } else {
            comments += item.n_words;
            if (item.n_words > 1 && tokens[item.token + 1] == DBUG)
                *debug = (struct asm_comment){tokens + item.token + 2, (item.n_words - 2) * 4};
        }
    } while (item.kind != VM_ITEM_END);
    return st;
}

/* The item that begins at a word; items->n: none does. */
static size_t find_item(const struct items *items, const size_t *begin, size_t word)
{
    size_t first = 0, end = items->n;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (begin[middle] < word)
            first = middle + 1;
        else
            end = middle;
    }
    return first < items->n && begin[first] == word ? first : items->n;
}

static size_t instruction_at(const struct asm_comment *debug, uint32_t i)
{
    return asm_comment_number(debug, INSTRUCTION_INFO, 4) + (size_t)i * INSTRUCTION_SIZE;
}

/* Of the two ways to count words, the one that finds more of the instructions. */
static const size_t *counted(const struct asm_comment *debug, const struct items *items, uint32_t n)
{
    size_t found[2] = {0, 0};

    for (uint32_t i = 0; i < n; i++) {
        size_t word = asm_comment_number(debug, instruction_at(debug, i) + 4, 4) / 4;

        found[0] += find_item(items, items->at, word) < items->n;
        found[1] += find_item(items, items->plain, word) < items->n;
    }
    return found[1] > found[0] ? items->plain : items->at;
}

static MUST_CHECK enum status add_instruction(struct vm_lines *lines,
                                              const struct asm_comment *debug,
                                              const struct items *items, const size_t *begin,
                                              size_t at)
{
    enum { NAME_BYTES = 260 };
    char name[NAME_BYTES] = "";
    unsigned file = asm_comment_number(debug, at + 2, 2);
    size_t item = find_item(items, begin, asm_comment_number(debug, at + 4, 4) / 4);
    struct vm_asm_place place = {.file = name, .line = asm_comment_number(debug, at, 2)};

    if (item == items->n || (lines->n && items->at[item] <= lines->entry[lines->n - 1].word))
        return ST_OK;
    place.word = items->at[item];
    if (file < asm_comment_number(debug, FILES, 4)) {
        size_t info = asm_comment_number(debug, FILE_INFO, 4) + (size_t)file * 4;

        asm_comment_string(debug, asm_comment_number(debug, info, 4), name, sizeof(name));
    }
    place.file = *name ? name : NULL;
    return vm_lines_add(lines, &place);
}

static MUST_CHECK enum status
add_instructions(struct vm_lines *lines, const struct asm_comment *debug, const struct items *items)
{
    uint32_t n = asm_comment_number(debug, INSTRUCTIONS, 4);
    const size_t *begin;
    enum status st = ST_OK;

    if (asm_comment_number(debug, 0, 4) < HEADER_SIZE - 4 || n > debug->n_bytes / INSTRUCTION_SIZE)
        return ST_OK;
    begin = counted(debug, items, n);
    for (uint32_t i = 0; i < n && st == ST_OK; i++)
        st = add_instruction(lines, debug, items, begin, instruction_at(debug, i));
    return st;
}

enum status vm_lines_add_debug(struct vm_lines *lines, const uint32_t *tokens, size_t n)
{
    struct asm_comment debug = {NULL, 0};
    struct items items = {.n = 0};
    enum status st = read_items(&items, &debug, tokens, n);

    if (st == ST_OK && debug.words)
        st = add_instructions(lines, &debug, &items);
    mem_free(items.at);
    mem_free(items.plain);
    return st == ST_NOMEM ? st : ST_OK;
}
