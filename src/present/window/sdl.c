/* Loads SDL 2 at run time.
 *
 * Tested by tests/unit/present/window/test_window_sdl.c. */
#ifndef _WIN32

#include "present/window/sdl.h"

#include "util/log.h"

#include <dlfcn.h>
#include <pthread.h>

static const char *const names[] = {"libSDL2-2.0.so.0", "libSDL2-2.0.0.dylib", "libSDL2-2.0.dylib"};
static struct sdl sdl;
static bool found;

static bool find_functions(void *library)
{
    bool all = true;

#define F(type, name, arguments)                                                                   \
    *(void **)&sdl.name = dlsym(library, "SDL_" #name);                                            \
    all = all && sdl.name;
    SDL_FUNCTIONS(F)
#undef F
    return all;
}

static void find_library(void)
{
    void *library = NULL;

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]) && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    found = library && find_functions(library);
#ifdef NOVEM_STATIC
    log_error("present", "a window needs SDL 2, which a static program cannot open");
    return;
#endif
    if (!library)
        log_error("present", "a window needs SDL 2 (package libsdl2-2.0-0): %s", dlerror());
    else if (!found)
        log_error("present", "the installed SDL is too old");
}

enum status sdl_open(const struct sdl **out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    *out = NULL;
    pthread_once(&once, find_library);
    if (!found)
        return ST_UNSUPPORTED;
    sdl.SetHint("SDL_NO_SIGNAL_HANDLERS", "1"); /* SIGINT belongs to the program */
    sdl.SetHint("SDL_VIDEO_ALLOW_SCREENSAVER", "1");
    if (sdl.InitSubSystem(SDL_VIDEO)) {
        log_error("present", "no window: %s", sdl.GetError());
        return ST_UNSUPPORTED;
    }
    *out = &sdl;
    return ST_OK;
}

void sdl_close(const struct sdl *s)
{
    s->QuitSubSystem(SDL_VIDEO);
}

bool sdl_surface_is_rgb8(const struct sdl_surface *surface)
{
    enum { XRGB8888 = 0x16161804, ARGB8888 = 0x16362004 };

    return surface->format->format == XRGB8888 || surface->format->format == ARGB8888;
}

#endif
