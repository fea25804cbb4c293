/* Loads libmicrohttpd at run time.
 *
 * Tested by tests/unit/tool/serve/test_http.c. */
#include "tool/serve/mhd.h"

#include <dlfcn.h>
#include <pthread.h>

static struct mhd mhd;
static const char *missing;

static void load(void)
{
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        missing = "the library libmicrohttpd is missing (Debian's package libmicrohttpd12 or "
                  "libmicrohttpd12t64)";
        return;
    }
#define X(name)                                                                                    \
    *(void **)&mhd.name = dlsym(library, "MHD_" #name);                                            \
    if (!mhd.name)                                                                                 \
        missing = "the installed libmicrohttpd is too old";
    MHD_FUNCTIONS(X)
#undef X
}

enum status mhd_open(const struct mhd **out, const char **reason)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    *out = &mhd;
    *reason = missing;
    return missing ? ST_UNSUPPORTED : ST_OK;
}
