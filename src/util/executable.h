/* Memory for machine code that is made at run time: filled once, executed from then on, and never
 * writable and executable at the same time. */
#ifndef UTIL_EXECUTABLE_H
#define UTIL_EXECUTABLE_H

#include "util/status.h"

#include <stddef.h>

struct executable {
    void *base; /* at the beginning of a page; NULL: there is none */
    size_t bytes;
};

/* Pages with a copy of the code. ST_NOMEM: there is no memory; ST_UNSUPPORTED: the system lets
 * nobody execute it. */
MUST_CHECK enum status executable_create(struct executable *out, const void *code, size_t bytes);
void executable_destroy(struct executable *executable); /* of none, too */

#endif
