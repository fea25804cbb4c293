/* Chip model: the first failure, and reads of registers.
 *
 * Tested by tests/unit/present/r500/model/test_model.c. */
#include "present/r500/model/state.h"

#include <stdarg.h>
#include <stdio.h>

bool model_fail(struct model *m, enum status st, const char *format, ...)
{
    va_list args;

    if (m->status != ST_OK)
        return false;
    m->status = st;
    va_start(args, format);
    vsnprintf(m->error->text, sizeof(m->error->text), format, args);
    va_end(args);
    return false;
}

uint32_t model_reg(struct model *m, uint32_t reg)
{
    char name[64];

    if (m->written[reg / 4])
        return m->regs[reg / 4];
    r500_name(name, sizeof(name), reg);
    model_fail(m, ST_UNSUPPORTED, "the stream draws without a value in %s", name);
    return 0;
}
