/* Windows for native Direct3D 9 libraries: hidden windows of SDL 2, which is loaded at run time.
 *
 * Tested by tests/tool/retrace.sh. */
#include "window.h"

#include "present/window/sdl.h"

#include <stdio.h>
#include <string.h>

enum { SDL_HIDDEN = 0x8, SDL_VULKAN = 0x10000000 };

static const struct sdl *sdl;

bool window_kind(const char *program, const char *kind)
{
    if (!strcmp(kind, "none"))
        return true;
    if (strcmp(kind, "sdl")) {
        fprintf(stderr, "%s: --window is none or sdl, not '%s'\n", program, kind);
        return false;
    }
    if (sdl_open(&sdl) == ST_OK)
        return true;
    fprintf(stderr, "%s: --window sdl: SDL 2 cannot be used\n", program);
    return false;
}

bool window_is_real(void)
{
    return sdl != NULL;
}

void *window_open(uint32_t width, uint32_t height)
{
    struct sdl_window *window;

    width = width ? width : 640;
    height = height ? height : 480;
    window = sdl->CreateWindow("novem", 0, 0, (int)width, (int)height, SDL_HIDDEN | SDL_VULKAN);
    if (!window) /* a system without Vulkan */
        window = sdl->CreateWindow("novem", 0, 0, (int)width, (int)height, SDL_HIDDEN);
    if (!window)
        fprintf(stderr, "novem: SDL opens no window: %s\n", sdl->GetError());
    return window;
}
