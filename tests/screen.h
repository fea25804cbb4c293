/* Private X display for window tests: Xvfb, whose framebuffer is a file, and a minimal X11 client
 * that sends the input of users and window managers. Tests that need it are skipped without Xvfb
 * and SDL 2. */
#ifndef TESTS_SCREEN_H
#define TESTS_SCREEN_H

#include "check_main.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SCREEN_WIDTH = 640, SCREEN_HEIGHT = 480 };

struct screen {
    pid_t server;
    char folder[32];
    int client;
    uint16_t requests; /* requests sent; also the sequence number of the last one */
    uint32_t root, next_id;
    uint32_t *pixels; /* X8R8G8B8, as of the last screen_look */
};

/* Suppressions for the leak sanitizer: memory that other libraries keep. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libdbus-1.so\nleak:libSDL2\nleak:libX11\nleak:libxcb\n";
}

static inline bool screen_is_there(void)
{
    void *sdl = dlopen("libSDL2-2.0.so.0", RTLD_NOW);

    return sdl && !system("command -v Xvfb >/dev/null");
}

/* --- X protocol ------------------------------------------------------------------------------- */

static inline void x_send(struct screen *s, const void *request, size_t n)
{
    ck_assert_int_eq(write(s->client, request, n), (ssize_t)n);
    s->requests++;
}

static inline void x_receive(struct screen *s, void *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t got = read(s->client, (uint8_t *)bytes + at, n - at);

        ck_assert_int_gt(got, 0);
        at += (size_t)got;
    }
}

/* Reads the reply to the last request. Skips events, and errors of earlier requests: windows of
 * other programs may disappear at any time. Returns false for an error. */
static inline bool x_answers(struct screen *s, uint32_t answer[8])
{
    do
        x_receive(s, answer, 32);
    while ((answer[0] & 255) > 1 || (uint16_t)(answer[0] >> 16) != s->requests);
    return answer[0] & 255;
}

/* Returns the length, in words, of the data after the reply. */
static inline uint32_t x_answer(struct screen *s, uint32_t answer[8])
{
    ck_assert(x_answers(s, answer));
    return answer[1];
}

static inline void x_connect(struct screen *s, unsigned display)
{
    const uint8_t hello[12] = {'l', 0, 11};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    uint32_t words[16384];

    snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/.X11-unix/X%u", display);
    s->client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(s->client, (const struct sockaddr *)&address, sizeof(address)), 0);
    x_send(s, hello, sizeof(hello));
    x_receive(s, words, 8);
    ck_assert_uint_eq(words[0] & 255, 1);
    ck_assert_uint_lt(words[1] >> 16, 16384);
    x_receive(s, words, (words[1] >> 16) * 4);
    s->next_id = words[1];
    s->requests = 0;
    s->root = words[8 + ((words[4] & 0xffff) + 3) / 4 + (words[5] >> 8 & 255) * 2];
}

/* Creates a window, as an application does. */
static inline uint32_t screen_window(struct screen *s, unsigned x, unsigned y, unsigned width,
                                     unsigned height)
{
    const uint32_t id = ++s->next_id;
    const uint32_t create[8] = {1 | 8 << 16,          id,      s->root, x | y << 16,
                                width | height << 16, 1 << 16, 0,       0};
    const uint32_t map[2] = {8 | 2 << 16, id}, sync[1] = {43 | 1 << 16};
    uint32_t answer[8];

    x_send(s, create, sizeof(create));
    x_send(s, map, sizeof(map));
    x_send(s, sync, sizeof(sync));
    x_answer(s, answer);
    return id;
}

/* Finds the window of that size; 0: none. */
static inline uint32_t screen_find(struct screen *s, unsigned width, unsigned height)
{
    const uint32_t tree[2] = {15 | 2 << 16, s->root};
    uint32_t answer[8], child[64], n;

    x_send(s, tree, sizeof(tree));
    n = x_answer(s, answer);
    ck_assert_uint_le(n, 64);
    x_receive(s, child, n * 4);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t geometry[2] = {14 | 2 << 16, child[i]};

        x_send(s, geometry, sizeof(geometry));
        if (x_answers(s, answer) && answer[4] == (width | height << 16))
            return child[i];
    }
    return 0;
}

static inline void screen_resize(struct screen *s, uint32_t id, unsigned width, unsigned height)
{
    const uint32_t configure[5] = {12 | 5 << 16, id, 4 | 8, width, height};

    x_send(s, configure, sizeof(configure));
}

static inline void screen_move(struct screen *s, uint32_t id, unsigned x, unsigned y)
{
    const uint32_t configure[5] = {12 | 5 << 16, id, 1 | 2, x, y};

    x_send(s, configure, sizeof(configure));
}

static inline bool screen_is_at(struct screen *s, uint32_t id, unsigned x, unsigned y)
{
    const uint32_t geometry[2] = {14 | 2 << 16, id};
    uint32_t answer[8];

    x_send(s, geometry, sizeof(geometry));
    return x_answers(s, answer) && answer[3] == (x | y << 16);
}

/* Presses and releases a key in that window; `code` is the hardware key code. */
static inline void screen_press(struct screen *s, uint32_t id, unsigned code)
{
    for (unsigned type = 2; type <= 3; type++) { /* press, release */
        const uint32_t send[11] = {25 | 11 << 16, id, type - 1, type | code << 8, 0,
                                   s->root,       id, 0,        5 | 5 << 16,      5 | 5 << 16,
                                   1 << 16};

        x_send(s, send, sizeof(send));
    }
}

static inline uint32_t x_atom(struct screen *s, const char *name)
{
    uint32_t request[10] = {16 | (2 + ((uint32_t)strlen(name) + 3) / 4) << 16,
                            (uint32_t)strlen(name)};
    uint32_t answer[8];

    memcpy(request + 2, name, strlen(name));
    x_send(s, request, (request[0] >> 16) * 4);
    x_answer(s, answer);
    return answer[2];
}

/* Sends the message of a window manager's close button. */
static inline void screen_close_window(struct screen *s, uint32_t id)
{
    const uint32_t send[11] = {25 | 11 << 16,
                               id,
                               0,
                               33 | 32 << 8,
                               id,
                               x_atom(s, "WM_PROTOCOLS"),
                               x_atom(s, "WM_DELETE_WINDOW")};

    x_send(s, send, sizeof(send));
}

/* --- Display ---------------------------------------------------------------------------------- */

static inline void screen_open(struct screen *s)
{
    char number[16] = {0}, display[24], size[32];
    int ready[2];

    memset(s, 0, sizeof(*s));
    strcpy(s->folder, "/tmp/novem-screen-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(s->folder));
    ck_assert_int_eq(pipe(ready), 0);
    snprintf(size, sizeof(size), "%dx%dx24", SCREEN_WIDTH, SCREEN_HEIGHT);
    s->server = fork();
    if (!s->server) {
        char fd[16];

        snprintf(fd, sizeof(fd), "%d", ready[1]);
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        execlp("Xvfb", "Xvfb", "-displayfd", fd, "-screen", "0", size, "-fbdir", s->folder, "-ac",
               "-nolisten", "tcp", NULL);
        _exit(1);
    }
    close(ready[1]);
    ck_assert_int_gt(read(ready[0], number, sizeof(number) - 1), 0);
    close(ready[0]);
    snprintf(display, sizeof(display), ":%d", atoi(number));
    setenv("DISPLAY", display, 1);
    setenv("SDL_VIDEODRIVER", "x11", 1);
    x_connect(s, (unsigned)atoi(number));
    s->pixels = malloc(SCREEN_WIDTH * SCREEN_HEIGHT * 4);
}

static inline void screen_close(struct screen *s)
{
    char command[64];

    free(s->pixels);
    close(s->client);
    kill(s->server, SIGTERM);
    waitpid(s->server, NULL, 0);
    snprintf(command, sizeof(command), "rm -rf %s", s->folder);
    ck_assert_int_eq(system(command), 0);
}

static inline uint32_t x_big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads the framebuffer file, which is in xwd format. */
static inline void screen_look(struct screen *s)
{
    uint8_t head[100];
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "%s/Xvfb_screen0", s->folder);
    file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(head, 1, sizeof(head), file), sizeof(head));
    ck_assert_uint_eq(x_big_endian(head + 48), SCREEN_WIDTH * 4); /* bytes per row */
    fseek(file, (long)(x_big_endian(head) + x_big_endian(head + 76) * 12), SEEK_SET);
    ck_assert_uint_eq(fread(s->pixels, 4, SCREEN_WIDTH * SCREEN_HEIGHT, file),
                      SCREEN_WIDTH * SCREEN_HEIGHT);
    fclose(file);
}

static inline void screen_wait(void)
{
    const struct timespec tick = {0, 20000000};

    nanosleep(&tick, NULL);
}

/* Waits a limited time until that part of the screen equals the picture; returns whether it
 * does. */
static inline bool screen_shows(struct screen *s, unsigned left, unsigned top, unsigned width,
                                unsigned height, const uint32_t *picture)
{
    for (unsigned tries = 0; tries < 500; tries++) {
        bool same = true;

        screen_look(s);
        for (unsigned y = 0; y < height; y++)
            for (unsigned x = 0; x < width; x++)
                same &=
                    !((s->pixels[(top + y) * SCREEN_WIDTH + left + x] ^ picture[y * width + x]) &
                      0xffffff);
        if (same)
            return true;
        screen_wait();
    }
    return false;
}

#endif
