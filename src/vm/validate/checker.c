/* State of the validator between items, and how its rules refuse one.
 *
 * Tested by tests/unit/vm/validate/test_validate.c. */
#include "vm/validate/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct vm_limits vm_limits_hardware = {.vs_major = 3, .ps_major = 3};
const struct vm_limits vm_limits_software = {.vs_major = 3, .ps_major = 3, .software = true};
const struct vm_limits vm_limits_lenient = {
    .vs_major = 3, .ps_major = 3, .software = true, .lenient = true};

enum status vm_refuse(struct vm_checker *c, const char *format, ...)
{
    va_list args;

    if (c->error) {
        c->error->token = c->token;
        va_start(args, format);
        vsnprintf(c->error->text, sizeof(c->error->text), format, args);
        va_end(args);
    }
    return ST_INVALID;
}

void vm_checker_init(struct vm_checker *c, const struct vm_version *version,
                     const struct vm_limits *limits, struct vm_error *error)
{
    memset(c, 0, sizeof(*c));
    c->version = *version;
    c->limits = limits;
    c->error = error;
    /* Before ps_3_0, v0, v1 and t# need no declaration: the register implies the semantic. */
    if (version->pixel && version->rank < VM_RANK_3_0) {
        memset(c->input, VM_MASK_ALL, sizeof(c->input));
        memset(c->texture, VM_MASK_ALL, sizeof(c->texture));
    }
}
