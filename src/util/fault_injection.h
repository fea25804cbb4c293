/* Mistakes that are made on purpose, one at a time, so that tools which compare pictures can be
 * tested: a bug must be found. None unless the setting BUG names one. They sit where state is
 * translated, never in inner loops. */
#ifndef UTIL_FAULT_INJECTION_H
#define UTIL_FAULT_INJECTION_H

#include <stdbool.h>

enum bug {
    BUG_NONE,
#define BUG(id, name, what) BUG_##id,
#include "util/fault_injection.def"
#undef BUG
    BUG_COUNT
};

/* Set before a device is made and never changed while one lives. */
extern enum bug bug_now;

static inline bool bug_is(enum bug bug)
{
    return bug_now == bug;
}

/* BUG_COUNT: there is no such. */
enum bug bug_find(const char *name);
const char *bug_name(enum bug bug); /* of BUG_NONE: "none" */
const char *bug_text(enum bug bug);

#endif
