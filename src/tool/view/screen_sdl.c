/* Windows with SDL 2.
 *
 * Tested by tests/unit/tool/view/test_view.c. */
#include "tool/view/screen.h"

#include "present/window/sdl.h"
#include "util/alloc.h"
#include "util/log.h"

struct screen {
    const struct sdl *sdl;
    struct sdl_window *window;
};

static enum status sdl_screen_open(struct screen **out, const char *title, uint32_t width,
                                   uint32_t height)
{
    struct screen *screen = mem_calloc(1, sizeof(*screen));
    enum status st = screen ? sdl_open(&screen->sdl) : ST_NOMEM;

    *out = NULL;
    if (st != ST_OK) {
        mem_free(screen);
        return st;
    }
    screen->window = screen->sdl->CreateWindow(title, SDL_CENTERED, SDL_CENTERED, (int)width,
                                               (int)height, SDL_RESIZABLE);
    if (!screen->window) {
        log_error("present", "no window: %s", screen->sdl->GetError());
        sdl_close(screen->sdl);
        mem_free(screen);
        return ST_IO;
    }
    *out = screen;
    return ST_OK;
}

static void sdl_screen_close(struct screen *screen)
{
    screen->sdl->DestroyWindow(screen->window);
    sdl_close(screen->sdl);
    mem_free(screen);
}

static bool sdl_screen_event(struct screen *screen, struct screen_event *out)
{
    enum { LEFT = 1 };
    union sdl_event event;

    if (!screen->sdl->PollEvent(&event))
        return false;
    *out = (struct screen_event){.type = SCREEN_OTHER};
    switch (event.any.type) {
    case SDL_EVENT_QUIT:
        out->type = SCREEN_QUIT;
        break;
    case SDL_EVENT_KEY_DOWN:
        *out = (struct screen_event){.type = SCREEN_KEY, .key = event.key.key};
        break;
    case SDL_EVENT_MOTION:
        *out = (struct screen_event){.type = SCREEN_MOTION,
                                     .x = event.motion.x,
                                     .y = event.motion.y,
                                     .dx = event.motion.dx,
                                     .dy = event.motion.dy,
                                     .left_button = event.motion.state & LEFT};
        break;
    case SDL_EVENT_WHEEL:
        *out = (struct screen_event){.type = SCREEN_WHEEL, .steps = event.wheel.y};
        break;
    default:
        break;
    }
    return true;
}

static void sdl_screen_resize(struct screen *screen, uint32_t width, uint32_t height)
{
    screen->sdl->SetWindowSize(screen->window, (int)width, (int)height);
}

static enum status sdl_screen_begin(struct screen *screen, struct screen_pixels *out)
{
    struct sdl_surface *surface = screen->sdl->GetWindowSurface(screen->window);

    *out = (struct screen_pixels){0};
    if (!surface || !sdl_surface_is_rgb8(surface)) {
        log_error("present", "the window cannot be drawn into: %s", screen->sdl->GetError());
        return ST_IO;
    }
    *out = (struct screen_pixels){surface->pixels, (uint32_t)surface->pitch / 4,
                                  (uint32_t)surface->w, (uint32_t)surface->h};
    return ST_OK;
}

static enum status sdl_screen_end(struct screen *screen)
{
    screen->sdl->UpdateWindowSurface(screen->window);
    return ST_OK;
}

const struct screen_ops screen_sdl = {sdl_screen_open,   sdl_screen_close, sdl_screen_event,
                                      sdl_screen_resize, sdl_screen_begin, sdl_screen_end};
