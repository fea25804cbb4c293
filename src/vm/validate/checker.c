/* State of the validator between items, and what a broken rule leads to.
 *
 * Tested by tests/unit/vm/validate/test_validate.c and tests/unit/vm/validate/test_rules.c. */
#include "vm/validate/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct vm_limits vm_limits_hardware = {
    .vs_major = 3, .ps_major = 3, .enforced = VM_RULES_DOCUMENTED};
const struct vm_limits vm_limits_software = {
    .vs_major = 3, .ps_major = 3, .software = true, .enforced = VM_RULES_DOCUMENTED};
const struct vm_limits vm_limits_lenient = {
    .vs_major = 3, .ps_major = 3, .software = true, .enforced = VM_RULES_LIMIT};

const struct vm_rule_info vm_rule_info[VM_RULE_COUNT] = {
#define RULE(id, class, text) {#id, text, VM_RULES_##class},
#include "vm/validate/rules.def"
#undef RULE
};

static void refuse(struct vm_checker *c, const char *format, va_list args)
{
    c->refused = true;
    if (!c->error)
        return;
    c->error->token = c->token;
    vsnprintf(c->error->text, sizeof(c->error->text), format, args);
}

static void report(struct vm_checker *c, enum vm_rule rule, const char *format, va_list args)
{
    struct vm_finding finding = {.rule = rule, .error.token = c->token};

    vsnprintf(finding.error.text, sizeof(finding.error.text), format, args);
    vm_describe(&finding.error, c->words, c->n_words);
    c->limits->report(c->limits->report_ctx, &finding);
}

/* Later instructions break these rules as a consequence: the first place tells all. */
static bool is_told_once(const struct vm_checker *c, enum vm_rule rule)
{
    return c->limits->refuse && rule == VM_RULE_SLOTS_OF_VERSION;
}

void vm_rule_broken(struct vm_checker *c, enum vm_rule rule, const char *format, ...)
{
    bool enforced = vm_rule_info[rule].rule_class <= c->limits->enforced;
    bool found = c->found >> rule & 1;
    va_list args;

    if (c->refused || (found && enforced))
        return;
    va_start(args, format);
    if (enforced) {
        c->found |= (uint64_t)is_told_once(c, rule) << rule;
        refuse(c, format, args);
    } else {
        c->found |= UINT64_C(1) << rule;
        if (c->limits->report && !found)
            report(c, rule, format, args);
    }
    va_end(args);
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
