/* Windows with Metal, and the choice of the system's windows. */
#include "tool/view/screen.h"

#include "present/metal/window.h"
#include "util/alloc.h"

struct screen {
    struct metal_window *window;
    uint32_t *pixels;
    size_t room;
    uint32_t width, height; /* of the pixels in use */
};

static enum status metal_screen_open(struct screen **out, const char *title, uint32_t width,
                                     uint32_t height)
{
    struct screen *screen = mem_calloc(1, sizeof(*screen));
    enum status st = ST_NOMEM;

    *out = NULL;
    if (screen)
        st = metal_window_open(&screen->window, title, (const uint32_t[]){width, height}, true);
    if (st == ST_OK)
        *out = screen;
    else
        mem_free(screen);
    return st;
}

static void metal_screen_close(struct screen *screen)
{
    metal_window_close(screen->window);
    mem_free(screen->pixels);
    mem_free(screen);
}

static bool metal_screen_event(struct screen *screen, struct screen_event *out)
{
    struct metal_event event;

    if (!metal_window_event(screen->window, &event))
        return false;
    *out = (struct screen_event){.type = event.type == METAL_EVENT_CLOSE    ? SCREEN_QUIT
                                         : event.type == METAL_EVENT_KEY    ? SCREEN_KEY
                                         : event.type == METAL_EVENT_MOTION ? SCREEN_MOTION
                                         : event.type == METAL_EVENT_WHEEL  ? SCREEN_WHEEL
                                                                            : SCREEN_OTHER,
                                 .key = event.key,
                                 .x = event.x,
                                 .y = event.y,
                                 .dx = event.dx,
                                 .dy = event.dy,
                                 .left_button = event.left_button,
                                 .steps = event.steps};
    return true;
}

static void metal_screen_resize(struct screen *screen, uint32_t width, uint32_t height)
{
    metal_window_resize(screen->window, (const uint32_t[]){width, height});
}

static enum status metal_screen_begin(struct screen *screen, struct screen_pixels *out)
{
    uint32_t size[2], *pixels;
    size_t n;

    *out = (struct screen_pixels){0};
    metal_window_measure(screen->window);
    metal_window_size(screen->window, size);
    n = (size_t)size[0] * size[1];
    if (n > screen->room) {
        pixels = mem_realloc(screen->pixels, n * sizeof(*pixels));
        if (!pixels)
            return ST_NOMEM;
        screen->pixels = pixels;
        screen->room = n;
    }
    screen->width = size[0];
    screen->height = size[1];
    *out = (struct screen_pixels){screen->pixels, size[0], size[0], size[1]};
    return ST_OK;
}

static enum status metal_screen_end(struct screen *screen)
{
    const struct metal_picture picture = {
        .image = {screen->pixels, screen->width, screen->width, screen->height}};

    return metal_window_show(screen->window, &picture);
}

const struct screen_ops screen_metal = {metal_screen_open,   metal_screen_close, metal_screen_event,
                                        metal_screen_resize, metal_screen_begin, metal_screen_end};

const struct screen_ops *screen_of_system(void)
{
    return metal_window_possible(NULL) ? &screen_metal : &screen_sdl;
}
