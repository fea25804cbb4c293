/* Defines the interface ids of d3d9.h for the whole library.
 * Tested by tests/unit/api/com/test_com.c. */
#define INITGUID
#ifdef _WIN32
#include "api/com/com.h"
#else
/* Programs use them from libnovem.so: elsewhere no library has them, as uuid.lib has on Windows. */
#pragma GCC visibility push(default)
#include "api/com/com.h"
#pragma GCC visibility pop
#endif
