/* The names of mistakes, and the one in force. */
#include "util/fault_injection.h"

#include <string.h>

enum bug bug_now;

static const struct {
    const char *name, *text;
} bugs[BUG_COUNT] = {
    {"none", "nothing is wrong"},
#define BUG(id, name, what) {name, what},
#include "util/fault_injection.def"
#undef BUG
};

enum bug bug_find(const char *name)
{
    enum bug bug = BUG_NONE;

    while (bug < BUG_COUNT && strcmp(name, bugs[bug].name))
        bug++;
    return bug;
}

const char *bug_name(enum bug bug)
{
    return bugs[bug].name;
}

const char *bug_text(enum bug bug)
{
    return bugs[bug].text;
}
