/* `novem view`: painting, keys, and the whole program on a virtual screen. */
#include "screen.h"
#include "unit/tool/command.h"

#include "present/present.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/view/view.h"
#include "tool/view/viewer.h"
#include "present/window/keys.h"
#include "util/clock.h"
#include "util/log.h"

#include <sys/stat.h>

enum { WIDTH = 400, HEIGHT = 300, KEY_SPACE = 65, KEY_Q = 24, KEY_N = 57, KEY_S = 39 };

/* --- Painting --------------------------------------------------------------------------------- */

static uint32_t pixels[WIDTH * HEIGHT], window[WIDTH * (HEIGHT + VIEWER_BAR)];

static struct viewer viewer_of(uint32_t width, uint32_t height)
{
    struct frames_picture picture = {.pixels = pixels, .width = width, .height = height};
    struct viewer viewer = {.name = "x", .has_writer = true};

    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = i * 0x9e3779b1u >> 8;
    viewer_resize(&viewer, WIDTH, HEIGHT + VIEWER_BAR);
    viewer_take(&viewer, &picture, 0, 0);
    return viewer;
}

static uint32_t painted(const struct viewer *viewer, int x, int y)
{
    viewer_paint(viewer, window, WIDTH);
    return window[y * WIDTH + x];
}

START_TEST(one_to_one)
{
    struct viewer viewer = viewer_of(WIDTH, HEIGHT);

    viewer_paint(&viewer, window, WIDTH);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        ck_assert_uint_eq(window[i], pixels[i] & 0xffffff);
    /* A smaller picture is centred. */
    viewer = viewer_of(100, 50);
    ck_assert_uint_eq(painted(&viewer, 150, 125), pixels[0]);
    ck_assert_uint_eq(painted(&viewer, 249, 174), pixels[49 * 100 + 99]);
    ck_assert_uint_eq(painted(&viewer, 149, 125), painted(&viewer, 0, 0));
}
END_TEST

START_TEST(zoom_keeps_what_is_under_the_mouse)
{
    struct viewer viewer = viewer_of(WIDTH, HEIGHT);
    uint32_t px, py;

    viewer.mouse_x = 123;
    viewer.mouse_y = 77;
    for (int zoom = 1; zoom <= 4; zoom++) {
        viewer_key(&viewer, '+');
        ck_assert_int_eq(viewer.zoom, zoom);
        ck_assert(viewer_pixel_at(&viewer, 123, 77, &px, &py));
        ck_assert(px == 123 && py == 77);
        ck_assert_uint_eq(painted(&viewer, 123, 77), pixels[77 * WIDTH + 123]);
        ck_assert_uint_eq(painted(&viewer, 123 + (1 << zoom), 77), pixels[77 * WIDTH + 124]);
        ck_assert_uint_eq(painted(&viewer, 122, 77), pixels[77 * WIDTH + 122]);
    }
    for (unsigned i = 0; i < 20; i++)
        viewer_zoom(&viewer, -1);
    ck_assert_int_eq(viewer.zoom, VIEWER_ZOOM_MIN);
    viewer_paint(&viewer, window, WIDTH);
    for (unsigned i = 0; i < 20; i++)
        viewer_zoom(&viewer, 1);
    ck_assert_int_eq(viewer.zoom, VIEWER_ZOOM_MAX);
    viewer_key(&viewer, '1');
    ck_assert_uint_eq(painted(&viewer, 0, 0), pixels[0]);
}
END_TEST

START_TEST(large_pixels_show_their_values)
{
    struct viewer viewer = viewer_of(4, 4);
    unsigned written = 0, edge = 0;

    for (unsigned i = 0; i < 16; i++)
        pixels[i] = 0x102030;
    viewer.zoom = VIEWER_ZOOM_VALUES;
    viewer_resize(&viewer, WIDTH, HEIGHT + VIEWER_BAR);
    viewer_paint(&viewer, window, WIDTH);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            uint32_t pixel = window[(viewer.top + y) * WIDTH + viewer.left + x];

            ck_assert(pixel == 0x102030 || pixel == 0xffffff);
            written += pixel == 0xffffff;
            edge += pixel == 0xffffff && (!x || !y || x == 31 || y == 31);
        }
    ck_assert_uint_gt(written, 30); /* 16, 32, 48 */
    ck_assert_uint_eq(edge, 0);
}
END_TEST

START_TEST(pause_and_step)
{
    struct viewer viewer = viewer_of(4, 4);
    struct frames_picture picture = viewer.picture;

    ck_assert(viewer_wants_frame(&viewer));
    viewer_key(&viewer, ' ');
    ck_assert(!viewer_wants_frame(&viewer));
    viewer_key(&viewer, '.');
    ck_assert(viewer_wants_frame(&viewer));
    viewer_take(&viewer, &picture, 0, 1);
    ck_assert(!viewer_wants_frame(&viewer));
    viewer_key(&viewer, ' ');
    ck_assert(viewer_wants_frame(&viewer));
    ck_assert_int_eq(viewer_key(&viewer, 's'), VIEWER_SAVE);
    ck_assert_int_eq(viewer_key(&viewer, 'q'), VIEWER_QUIT);
}
END_TEST

/* Random keys and sizes: painting stays inside the buffer, or the sanitizers report it. */
START_TEST(random_input_stays_in_bounds)
{
    static const int32_t keys[] = {'+',        '+',     '-',       '1', KEYS_LEFT,
                                   KEYS_RIGHT, KEYS_UP, KEYS_DOWN, ' ', '.'};
    struct viewer viewer = viewer_of(WIDTH, HEIGHT);
    uint32_t seed = 1;

    for (unsigned i = 0; i < 3000; i++) {
        seed = seed * 1664525 + 1013904223;
        viewer.mouse_x = (int32_t)(seed >> 8) % WIDTH;
        viewer.mouse_y = (int32_t)(seed >> 12) % HEIGHT;
        viewer_key(&viewer, keys[(seed >> 16) % 10]);
        viewer_drag(&viewer, (int32_t)(seed >> 4) % 4000, -((int32_t)(seed >> 9) % 4000));
        viewer_resize(&viewer, 1 + (seed >> 20) % WIDTH, (seed >> 10) % (HEIGHT + VIEWER_BAR));
        if (i % 8 == 0)
            viewer_paint(&viewer, window, viewer.width);
    }
}
END_TEST

/* --- The command ------------------------------------------------------------------------------ */

static struct screen screen;
static char name[16];
static pid_t viewer_process;

static void setup(void)
{
    open_folder();
    snprintf(name, sizeof(name), "view-%u", (unsigned)getpid() % 1000000);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = i * 0x9e3779b1u >> 8;
}

static void setup_screen(void)
{
    setup();
    screen_open(&screen);
}

static void teardown_screen(void)
{
    if (viewer_process) {
        kill(viewer_process, SIGKILL);
        waitpid(viewer_process, NULL, 0);
    }
    screen_close(&screen);
    close_folder();
}

static struct present *open_writer(void)
{
    struct present_options options = {.sinks = NULL};
    char spec[48];
    struct present *present;

    snprintf(spec, sizeof(spec), "shm:%s", name);
    options.sinks = spec;
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    return present;
}

static void show(struct present *present, uint64_t number)
{
    struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                  .data = (const uint8_t *)pixels,
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .row_pitch = WIDTH * 4,
                                  .number = number};

    present_show(present, &frame);
}

static void start_viewer(void)
{
    viewer_process = fork();
    if (!viewer_process) {
        char *argv[] = {"view", name, NULL};

        if (chdir(folder))
            _exit(9);
        _exit(tool_view(2, argv));
    }
}

/* Waits until the window has the first frame's size. The window system may replace or move a window
 * while it opens, so the search repeats until the window stays. */
static uint32_t find_window(void)
{
    unsigned stays = 0;
    uint32_t id = 0;

    for (unsigned tries = 0; tries < 400 && stays < 10; tries++, screen_wait()) {
        id = screen_find(&screen, WIDTH, HEIGHT + VIEWER_BAR);
        stays = id && screen_is_at(&screen, id, 0, 0) ? stays + 1 : 0;
        if (id && !stays)
            screen_move(&screen, id, 0, 0);
    }
    ck_assert_uint_eq(stays, 10);
    return id;
}

/* The window system needs time to notice that the program is gone. */
static void lose_window(void)
{
    for (unsigned tries = 0; tries < 200; tries++, screen_wait())
        if (!screen_find(&screen, WIDTH, HEIGHT + VIEWER_BAR))
            return;
    ck_abort_msg("the window stays");
}

START_TEST(the_screen_shows_the_frame)
{
    struct present *present = open_writer();
    uint32_t id, frozen[WIDTH * HEIGHT];
    int status;

    show(present, 0);
    start_viewer();
    id = find_window();
    ck_assert(screen_shows(&screen, 0, 0, WIDTH, HEIGHT, pixels));
    for (uint64_t n = 1; n < 5; n++) {
        pixels[n * 77] ^= 0xffffff;
        show(present, n);
        ck_assert(screen_shows(&screen, 0, 0, WIDTH, HEIGHT, pixels));
    }

    screen_press(&screen, id, KEY_SPACE);
    for (unsigned i = 0; i < 10; i++)
        screen_wait();
    memcpy(frozen, pixels, sizeof(frozen));
    memset(pixels, 0x55, sizeof(pixels));
    show(present, 5);
    for (unsigned i = 0; i < 10; i++)
        screen_wait();
    ck_assert(screen_shows(&screen, 0, 0, WIDTH, HEIGHT, frozen));
    screen_press(&screen, id, KEY_N);
    ck_assert(screen_shows(&screen, 0, 0, WIDTH, HEIGHT, pixels));

    screen_press(&screen, id, KEY_S);
    screen_press(&screen, id, KEY_S);
    screen_press(&screen, id, KEY_Q);
    ck_assert_int_eq(waitpid(viewer_process, &status, 0), viewer_process);
    viewer_process = 0;
    ck_assert_int_eq(status, 0);
    /* The file that key s wrote. */
    struct tool_image image;
    char path[64], file[40];
    snprintf(file, sizeof(file), "%s-00005.png", name);
    path_in_folder(path, file);
    ck_assert_int_eq(tool_png_read(path, &image), ST_OK);
    ck_assert(image.width == WIDTH && image.rgba[0] == 0x55);
    tool_image_fini(&image);
    snprintf(file, sizeof(file), "%s-00005-2.png", name); /* no file is overwritten */
    path_in_folder(path, file);
    ck_assert_int_eq(tool_png_read(path, &image), ST_OK);
    tool_image_fini(&image);
    show(present, 6); /* no viewer is connected: no error */
    present_destroy(present);
}
END_TEST

static pid_t start_writer(uint32_t colour)
{
    pid_t child = fork();

    if (!child) {
        struct present *present = open_writer();

        for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
            pixels[i] = colour;
        for (uint64_t n = 0;; n++, screen_wait())
            show(present, n);
    }
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = colour;
    return child;
}

static void crash(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

START_TEST(crashes_of_either_side)
{
    struct present *present;
    pid_t writer;

    start_viewer(); /* before a writer exists */
    writer = start_writer(0x112233);
    find_window();
    ck_assert(screen_shows(&screen, 0, 0, WIDTH, HEIGHT, pixels));
    crash(writer);
    ck_assert(screen_shows(&screen, 0, 0, WIDTH, HEIGHT, pixels));
    writer = start_writer(0x445566);
    ck_assert(screen_shows(&screen, 0, 0, WIDTH, HEIGHT, pixels));
    crash(viewer_process);
    lose_window();
    start_viewer();
    find_window();
    ck_assert(screen_shows(&screen, 0, 0, WIDTH, HEIGHT, pixels));
    crash(writer);
    present = open_writer();
    show(present, 0);
    present_destroy(present); /* also removes the name */
}
END_TEST

START_TEST(save)
{
    char path[64], hash[32];
    char *argv[] = {"view", name, "--save", path, "--wait", "1"};
    struct tool_image image;
    struct present *present;
    const char *printed;

    path_in_folder(path, "x.png");
    printed = run_command(tool_view, TOOL_ERROR, 6, argv);
    ck_assert_ptr_nonnull(strstr(printed, "no frame in 1 second\n"));
    present = open_writer();
    show(present, 41);
    printed = run_command(tool_view, TOOL_OK, 6, argv);
    ck_assert_ptr_nonnull(strstr(printed, "x.png: frame 41 "));
    ck_assert_int_eq(tool_png_read(path, &image), ST_OK);
    snprintf(hash, sizeof(hash), " %016llx 400x300",
             (unsigned long long)tool_image_hash(&image, true));
    ck_assert_ptr_nonnull(strstr(printed, hash));
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        ck_assert_uint_eq((uint32_t)image.rgba[4 * i] << 16 | (uint32_t)image.rgba[4 * i + 1] << 8 |
                              image.rgba[4 * i + 2],
                          pixels[i] & 0xffffff);
    tool_image_fini(&image);
    present_destroy(present);
}
END_TEST

START_TEST(a_pipe_of_the_name)
{
    char path[64], pipe_path[64];
    char *argv[] = {"view", pipe_path, "--save", path, "--wait", "1"};
    const char *printed;

    path_in_folder(path, "x.png");
    path_in_folder(pipe_path, "pipe");
    ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
    printed = run_command(tool_view, TOOL_ERROR, 6, argv);
    ck_assert_ptr_nonnull(strstr(printed, "not a file with frames"));
    ck_assert_ptr_nonnull(strstr(printed, "no frame in 1 second\n"));
}
END_TEST

START_TEST(a_full_standard_output)
{
    char path[64];
    char *argv[] = {"view", name, "--save", path, "--wait", "1"};
    struct present *present = open_writer();
    pid_t child;
    int status;

    path_in_folder(path, "x.png");
    show(present, 0);
    fflush(stdout);
    child = fork();
    if (!child)
        _exit(freopen("/dev/full", "w", stdout) ? tool_view(6, argv) : 77);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == TOOL_ERROR);
    present_destroy(present);
}
END_TEST

START_TEST(no_screen)
{
    char *argv[] = {"view", name};

    setenv("DISPLAY", ":9876", 1);
    setenv("SDL_VIDEODRIVER", "x11", 1);
    run_command(tool_view, TOOL_ERROR, 2, argv);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("view");
    TCase *paint = tcase_create("paint"), *command = tcase_create("command");
    TCase *on_screen = tcase_create("screen");

    tcase_add_test(paint, one_to_one);
    tcase_add_test(paint, zoom_keeps_what_is_under_the_mouse);
    tcase_add_test(paint, large_pixels_show_their_values);
    tcase_add_test(paint, pause_and_step);
    tcase_add_test(paint, random_input_stays_in_bounds);
    suite_add_tcase(s, paint);
    tcase_add_checked_fixture(command, setup, close_folder);
    tcase_add_test(command, save);
    tcase_add_test(command, a_pipe_of_the_name);
    tcase_add_test(command, a_full_standard_output);
    tcase_add_test(command, no_screen);
    suite_add_tcase(s, command);
    tcase_add_checked_fixture(on_screen, setup_screen, teardown_screen);
    tcase_set_timeout(on_screen, 60);
    if (screen_is_there()) {
        tcase_add_test(on_screen, the_screen_shows_the_frame);
        tcase_add_test(on_screen, crashes_of_either_side);
    }
    suite_add_tcase(s, on_screen);
    return s;
}

TEST_MAIN(suite)
