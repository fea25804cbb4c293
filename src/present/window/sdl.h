/* Loads SDL 2 at run time, so that Novem builds and loads without it. Declares the used part of
 * SDL's binary interface, which is stable within version 2. Not in Windows builds. */
#ifndef PRESENT_WINDOW_SDL_H
#define PRESENT_WINDOW_SDL_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SDL_VIDEO = 0x20,          /* SDL_INIT_VIDEO */
    SDL_CENTERED = 0x2fff0000, /* SDL_WINDOWPOS_CENTERED */
    SDL_RESIZABLE = 0x20,      /* SDL_WINDOW_RESIZABLE */
    SDL_EVENT_QUIT = 0x100,
    SDL_EVENT_WINDOW = 0x200,
    SDL_EVENT_KEY_DOWN = 0x300,
    SDL_EVENT_MOTION = 0x400,
    SDL_EVENT_BUTTON_DOWN = 0x401,
    SDL_EVENT_BUTTON_UP = 0x402,
    SDL_EVENT_WHEEL = 0x403,
    SDL_WINDOW_CLOSES = 14, /* SDL_WINDOWEVENT_CLOSE */
};

struct sdl_window; /* SDL_Window */

/* Leading members of SDL_PixelFormat and SDL_Surface. */
struct sdl_format {
    uint32_t format;
};
struct sdl_surface {
    uint32_t flags;
    const struct sdl_format *format;
    int w, h, pitch; /* pixels, pixels, bytes */
    void *pixels;
};

/* SDL_Event, with the event types that the window sink handles. */
union sdl_event {
    struct {
        uint32_t type, timestamp, window;
    } any;
    struct {
        uint32_t type, timestamp, window;
        uint8_t event, pad[3];
        int32_t data1, data2;
    } window;
    struct {
        uint32_t type, timestamp, window;
        uint8_t state, repeat, pad[2];
        int32_t scancode, key;
    } key;
    struct {
        uint32_t type, timestamp, window, which, state;
        int32_t x, y, dx, dy;
    } motion;
    struct {
        uint32_t type, timestamp, window, which;
        uint8_t button, state, clicks, pad;
        int32_t x, y;
    } button;
    struct {
        uint32_t type, timestamp, window, which;
        int32_t x, y;
    } wheel;
    uint8_t all[128]; /* larger than SDL's union, which may grow */
};

#define SDL_FUNCTIONS(F)                                                                           \
    F(int, SetHint, (const char *name, const char *value))                                         \
    F(uint32_t, WasInit, (uint32_t systems))                                                       \
    F(int, InitSubSystem, (uint32_t systems))                                                      \
    F(void, QuitSubSystem, (uint32_t systems))                                                     \
    F(const char *, GetError, (void))                                                              \
    F(struct sdl_window *, CreateWindow,                                                           \
      (const char *title, int x, int y, int w, int h, uint32_t flags))                             \
    F(struct sdl_window *, CreateWindowFrom, (const void *id))                                     \
    F(void, DestroyWindow, (struct sdl_window * window))                                           \
    F(uint32_t, GetWindowID, (struct sdl_window * window))                                         \
    F(void, SetWindowTitle, (struct sdl_window * window, const char *title))                       \
    F(void, SetWindowSize, (struct sdl_window * window, int w, int h))                             \
    F(struct sdl_surface *, GetWindowSurface, (struct sdl_window * window))                        \
    F(int, UpdateWindowSurface, (struct sdl_window * window))                                      \
    F(int, PollEvent, (union sdl_event * event))                                                   \
    F(void, PumpEvents, (void))

struct sdl {
#define F(type, name, arguments) type(*name) arguments;
    SDL_FUNCTIONS(F)
#undef F
};

/* Loads SDL and initialises its video subsystem (reference-counted). The table is never freed.
 * Returns ST_UNSUPPORTED after logging a message. */
MUST_CHECK enum status sdl_open(const struct sdl **out);
void sdl_close(const struct sdl *sdl);

/* Returns whether the window surface is writable and has 8 bits each of red, green and blue in
 * 32-bit words. */
bool sdl_surface_is_rgb8(const struct sdl_surface *surface);

#endif
