/* Opens the Objective-C runtime and the frameworks of macOS.
 *
 * Tested by tests/unit/present/metal/test_layer.c. */
#ifndef _WIN32

#include "present/metal/objc.h"

#include <dlfcn.h>
#include <pthread.h>

#define FRAMEWORK(name) "/System/Library/Frameworks/" name ".framework/" name

static const char *const libraries[] = {"/usr/lib/libobjc.A.dylib", FRAMEWORK("Foundation"),
                                        FRAMEWORK("CoreGraphics"),  FRAMEWORK("AppKit"),
                                        FRAMEWORK("QuartzCore"),    FRAMEWORK("Metal")};
enum { LIBRARIES = sizeof(libraries) / sizeof(libraries[0]) };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct objc system_access, test_access;
static bool replaced, tried;
static const char *system_misses;

static void register_names(struct objc *o)
{
    static const char *const names[OBJC_MESSAGES] = {
#define MESSAGE0(result, name, selector) [OBJC_##name] = selector,
#define MESSAGE1(result, name, selector, A) [OBJC_##name] = selector,
#define MESSAGE2(result, name, selector, A, B) [OBJC_##name] = selector,
#define MESSAGE3(result, name, selector, A, B, C) [OBJC_##name] = selector,
#define MESSAGE4(result, name, selector, A, B, C, D) [OBJC_##name] = selector,
#include "present/metal/messages.def"
    };

    for (unsigned i = 0; i < OBJC_MESSAGES; i++)
        o->selectors[i] = o->runtime.register_name(names[i]);
}

/* Returns the symbol that is missing, or NULL. The libraries are never closed. */
static const char *find_symbols(struct objc_runtime *r)
{
    const struct {
        const char *name;
        void *to;
    } symbols[] = {{"objc_getClass", &r->get_class},
                   {"sel_registerName", &r->register_name},
                   {"object_getClass", &r->class_of},
                   {"class_getMethodImplementation", &r->implementation},
                   {"objc_autoreleasePoolPush", &r->pool_push},
                   {"objc_autoreleasePoolPop", &r->pool_pop},
                   {"MTLCreateSystemDefaultDevice", &r->default_device},
                   {"CGColorSpaceCreateWithName", &r->create_colour_space},
                   {"CGColorSpaceRelease", &r->release_colour_space},
                   {"kCGColorSpaceSRGB", &r->srgb}};
    void *opened[LIBRARIES], *symbol;

    for (unsigned i = 0; i < LIBRARIES; i++) {
        opened[i] = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
        if (!opened[i])
            return libraries[i];
    }
    for (unsigned i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        symbol = NULL;
        for (unsigned k = 0; k < LIBRARIES && !symbol; k++)
            symbol = dlsym(opened[k], symbols[i].name);
        if (!symbol)
            return symbols[i].name;
        *(void **)symbols[i].to = symbol;
    }
    return NULL;
}

static void try_system(void)
{
    if (tried)
        return;
    tried = true;
    system_misses = find_symbols(&system_access.runtime);
    if (!system_misses)
        register_names(&system_access);
}

const struct objc *objc_open(const char **missing)
{
    const struct objc *found;
    const char *misses = NULL;

    pthread_mutex_lock(&lock);
    if (!replaced)
        try_system();
    if (!replaced)
        misses = system_misses;
    found = replaced ? &test_access : misses ? NULL : &system_access;
    pthread_mutex_unlock(&lock);
    if (missing)
        *missing = misses;
    return found;
}

void objc_replace(const struct objc_runtime *runtime)
{
    pthread_mutex_lock(&lock);
    replaced = runtime;
    if (runtime) {
        test_access.runtime = *runtime;
        register_names(&test_access);
    }
    pthread_mutex_unlock(&lock);
}

#endif
