/* Defines the interface ids of d3d9.h for the whole library.
 * Tested by tests/unit/api/com/test_com.c. */
#define INITGUID
#include "api/com/com.h"
