/* Messages of refused programs: adds the version and the text of the instruction to the reason.
 *
 * Tested by tests/unit/vm/validate/test_validate.c. */
#include "vm/isa/text.h"
#include "vm/validate/rules.h"

#include "util/alloc.h"

#include <stdio.h>
#include <string.h>

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
