/* Version of the project. The Makefile defines NOVEM_VERSION from the file VERSION.
 * Tested by tests/unit/util/test_version.c. */
#include "util/version.h"

const char *version_text(void)
{
    return NOVEM_VERSION;
}
