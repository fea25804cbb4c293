/* Calls the constructors of a program, as a glibc before 2.34 expects of the program
 * (glibc_stubs.sh). A newer one does so itself, unless the program gives a function for it. Link
 * with --wrap=__libc_start_main.
 *
 * Tested by tests/install/glibc.sh. */
#include <stddef.h>

#define HIDDEN __attribute__((visibility("hidden")))

typedef int main_function(int, char **, char **);
typedef void constructor(int, char **, char **);
int __real___libc_start_main(main_function *, int, char **, constructor *, void (*fini)(void),
                             void (*rtld_fini)(void), void *stack_end);
extern void _init(void);
HIDDEN extern constructor *__init_array_start[], *__init_array_end[];

static void construct(int argc, char **argv, char **environment)
{
    _init();
    for (constructor **c = __init_array_start; c < __init_array_end; c++)
        (*c)(argc, argv, environment);
}

HIDDEN int __wrap___libc_start_main(main_function *main, int argc, char **argv, constructor *init,
                                    void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    return __real___libc_start_main(main, argc, argv, init ? init : construct, fini, rtld_fini,
                                    stack_end);
}
