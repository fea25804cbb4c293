/* Rules that only the documentation states; see validate.h. */
#include "vm/validate.h"

enum status vm_check_strict_dcl(struct vm_checker *c, const struct vm_dcl *dcl)
{
    (void)c;
    (void)dcl;
    return ST_OK;
}

enum status vm_check_strict_instr(struct vm_checker *c, const struct vm_instr *instr)
{
    (void)c;
    (void)instr;
    return ST_OK;
}

enum status vm_check_strict_end(struct vm_checker *c)
{
    (void)c;
    return ST_OK;
}
