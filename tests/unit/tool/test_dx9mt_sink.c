/* dx9mt sink: bytes of the live frame file, and replay of its frames as dx9mt's viewer does it. */
#include "unit/tool/command.h"

#include "present/dx9mt/dx9mt.h"
#include "present/present.h"
#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "util/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>

enum { WIDTH = 37, HEIGHT = 23, PIXELS = WIDTH * HEIGHT };

static uint32_t pixels[PIXELS];
static char frame_file[64];

static void setup(void)
{
    open_folder();
    path_in_folder(frame_file, "frame.bin");
    for (unsigned i = 0; i < PIXELS; i++)
        pixels[i] = i * 0x9e3779b1u;
}

static struct present *open_sink(const char *suffix, enum status expected)
{
    char spec[96];
    const struct present_options options = {.sinks = spec};
    struct present *present;

    snprintf(spec, sizeof(spec), "dx9mt:%s%s", frame_file, suffix);
    ck_assert_int_eq(present_create(&present, &options), expected);
    return present;
}

static struct present_frame frame_of(void)
{
    return (struct present_frame){.format = tex_format_get(D3DFMT_X8R8G8B8),
                                  .data = (const uint8_t *)pixels,
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .row_pitch = WIDTH * 4};
}

static void show(struct present *present)
{
    const struct present_frame frame = frame_of();

    present_show(present, &frame);
}

static uint32_t word_at(const uint8_t *bytes, size_t at)
{
    return (uint32_t)bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
           (uint32_t)bytes[at + 3] << 24;
}

/* --- Bytes: offsets of dx9mt's description ---------------------------------------------------- */

static const struct {
    uint32_t at, value;
} header_words[] =
    {
        {0, 0xdead9001}, {4, 2},
        {8, WIDTH},      {12, HEIGHT},
        {16, 0},         {20, 0},
        {24, 0},         {28, 0},
        {32, 0},         {36, 1},
        {44, 0},         {48, 0x02000001},
        {52, 880},       {56, 128 + 3408 + 64 + 64}, /* 37 * 23 * 4 is 3404 */
},
  draw_words[] = {
      {0, 0},
      {4, 5},
      {8, 0},
      {12, 0},
      {16, 4},
      {20, 0},
      {24, 2},
      {28, 0x02000001},
      {36, WIDTH},
      {40, HEIGHT},
      {44, 22},
      {104, 0},
      {108, 0},
      {112, WIDTH},
      {116, HEIGHT},
      {120, 0},
      {124, 0x3f800000},
      {152, 0},
      {156, 24},
      {160, 101},
      {164, 0x04000001},
      {168, 0},
      {196, 2},
      {228, 22},
      {260, WIDTH},
      {292, HEIGHT},
      {324, WIDTH * 4},
      {356, 1},
      {388, 1},
      {420, 0},
      {452, 3},
      {484, 3},
      {516, 3},
      {576, 0},
      {580, 2},
      {584, 1},
      {596, 8},
      {600, 0},
      {604, 96},
      {608, 96},
      {612, 8},
      {616, 128},
      {648, 3404},
      {680, 112},
      {684, 2},
      {692, 0},
      {700, 0},
      {708, 128 + 3408},
      {712, 56},
      {716, 128 + 3408 + 64},
      {720, 60},
      {724, 0},
      {728, 0},
      {732, 8},
      {736, 0},
      {756, 1},
      {760, 0},
      {764, 1},
      {768, 15},
      {784, 0},
};

static const uint32_t vertex_shader[] = {0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F,
                                         0x80000005, 0x900F0001, 0x02000001, 0xC00F0000, 0x90E40000,
                                         0x02000001, 0xE00F0000, 0x90E40001, 0x0000FFFF};
static const uint32_t pixel_shader[] = {0xFFFF0200, 0x0200001F, 0x80000000, 0xB0030000, 0x0200001F,
                                        0x90000000, 0xA00F0800, 0x03000042, 0x800F0000, 0xB0E40000,
                                        0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF};

START_TEST(bytes_of_the_file)
{
    struct present *present = open_sink("", ST_OK);
    struct stat about;
    uint8_t *bytes;
    FILE *file;

    show(present);
    show(present); /* the second frame has number 2 */
    present_destroy(present);
    ck_assert_int_eq(stat(frame_file, &about), 0);
    ck_assert_int_eq(about.st_size, 268435456);
    bytes = calloc(1, 8192);
    file = fopen(frame_file, "rb");
    ck_assert_uint_eq(fread(bytes, 1, 8192, file), 8192);
    fclose(file);
    for (size_t i = 0; i < sizeof(header_words) / sizeof(header_words[0]); i++)
        ck_assert_msg(word_at(bytes, header_words[i].at) == header_words[i].value,
                      "header, byte %u: %u", header_words[i].at,
                      word_at(bytes, header_words[i].at));
    for (size_t i = 0; i < sizeof(draw_words) / sizeof(draw_words[0]); i++)
        ck_assert_msg(word_at(bytes, 60 + draw_words[i].at) == draw_words[i].value,
                      "draw, byte %u: %u", draw_words[i].at, word_at(bytes, 60 + draw_words[i].at));
    ck_assert_mem_eq(bytes + 880 + 128, pixels, sizeof(pixels));
    ck_assert_mem_eq(bytes + 880 + 128 + 3408, vertex_shader, sizeof(vertex_shader));
    ck_assert_mem_eq(bytes + 880 + 128 + 3408 + 64, pixel_shader, sizeof(pixel_shader));
    free(bytes);
}
END_TEST

/* --- Pictures --------------------------------------------------------------------------------- */

static void replay(struct tool_image *image)
{
    char path[64];
    char *argv[] = {"replay", frame_file, "--viewer-exact", "-o", folder, "--quiet"};

    run_command(tool_replay, TOOL_OK, 6, argv);
    path_in_folder(path, "frame-00000.png");
    ck_assert_int_eq(tool_png_read(path, image), ST_OK);
}

static void check_picture(uint32_t width, uint32_t height, const uint32_t *wanted)
{
    struct tool_image image;

    replay(&image);
    ck_assert(image.width == width && image.height == height);
    for (size_t i = 0; i < (size_t)width * height; i++)
        ck_assert_msg(((uint32_t)image.rgba[4 * i] << 16 | (uint32_t)image.rgba[4 * i + 1] << 8 |
                       image.rgba[4 * i + 2]) == (wanted[i] & 0xffffff),
                      "pixel %zu", i);
    tool_image_fini(&image);
}

static const char *const revisions[] = {"", "@808", "@748", "@700", "@308", "@304", "@272"};

START_TEST(the_viewer_shows_the_frame)
{
    struct present *present = open_sink(revisions[_i], ST_OK);
    struct stat about;

    show(present);
    present_destroy(present);
    ck_assert_int_eq(stat(frame_file, &about), 0);
    ck_assert_int_eq(about.st_size, _i < 3 ? 256 << 20 : 16 << 20);
    check_picture(WIDTH, HEIGHT, pixels);
}
END_TEST

START_TEST(other_formats)
{
    static uint16_t halves[PIXELS];
    static uint32_t wanted[PIXELS];
    struct present_frame frame = frame_of();
    struct present *present = open_sink("", ST_OK);

    for (unsigned i = 0; i < PIXELS; i++) {
        uint32_t red = i & 31, green = i >> 2 & 63, blue = i * 7 & 31;

        halves[i] = (uint16_t)(red << 11 | green << 5 | blue);
        wanted[i] = (red * 255 * 2 + 31) / 62 << 16 | (green * 255 * 2 + 63) / 126 << 8 |
                    (blue * 255 * 2 + 31) / 62;
    }
    frame.format = tex_format_get(D3DFMT_R5G6B5);
    frame.data = (const uint8_t *)halves;
    frame.row_pitch = WIDTH * 2;
    present_show(present, &frame);
    present_destroy(present);
    check_picture(WIDTH, HEIGHT, wanted);
}
END_TEST

START_TEST(gamma_of_a_full_screen_device)
{
    uint16_t ramp[3][256];
    struct present_frame frame = frame_of();
    struct present *present = open_sink("", ST_OK);
    uint32_t wanted[PIXELS];

    for (unsigned c = 0; c < 3; c++)
        for (unsigned i = 0; i < 256; i++)
            ramp[c][i] = (uint16_t)((255 - i) * 257);
    present_set_gamma(present, (const uint16_t(*)[256])ramp);
    for (unsigned i = 0; i < PIXELS; i++)
        wanted[i] = ~pixels[i];
    frame.full_screen = true;
    present_show(present, &frame);
    present_destroy(present);
    check_picture(WIDTH, HEIGHT, wanted);
}
END_TEST

/* A viewer ignores a sequence number that it has shown, so those of a second device go on. */
START_TEST(a_second_device)
{
    uint8_t start[8];
    FILE *file;

    for (unsigned i = 0; i < 2; i++) {
        struct present *present = open_sink("", ST_OK);

        show(present);
        show(present);
        present_destroy(present);
    }
    file = fopen(frame_file, "rb");
    ck_assert(file && fread(start, 1, 8, file) == 8 && !fclose(file));
    ck_assert_uint_eq(word_at(start, 4), 4);
}
END_TEST

/* Anybody may put a link into /tmp: its target stays. */
START_TEST(links_are_not_followed)
{
    struct present *present = open_sink("", ST_OK);
    char target[64];
    uint8_t byte;
    FILE *file;

    log_set_level(LOG_NONE);
    path_in_folder(target, "precious");
    write_text(target, "");
    ck_assert_int_eq(symlink(target, frame_file), 0);
    show(present);
    present_destroy(present);
    file = fopen(target, "rb");
    ck_assert(file && fread(&byte, 1, 1, file) == 0 && !fclose(file));
    ck_assert(present_lost_frames());
}
END_TEST

/* A 16 MiB file cannot hold 2100 x 2000 pixels, but every second pixel fits. */
START_TEST(large_frames_are_halved)
{
    enum { WIDE = 2101, HIGH = 2000, HALF_WIDE = 1051, HALF_HIGH = 1000 };
    uint32_t *large = calloc(WIDE * HIGH, 4), *wanted = calloc(HALF_WIDE * HALF_HIGH, 4);
    struct present_frame frame = frame_of();
    struct present *present = open_sink("@700", ST_OK);

    log_set_level(LOG_ERROR);
    for (unsigned i = 0; i < WIDE * HIGH; i++)
        large[i] = i * 2654435761u >> 8;
    for (unsigned y = 0; y < HALF_HIGH; y++)
        for (unsigned x = 0; x < HALF_WIDE; x++)
            wanted[y * HALF_WIDE + x] =
                large[y * HIGH / HALF_HIGH * WIDE + (uint64_t)x * WIDE / HALF_WIDE];
    frame.width = WIDE;
    frame.height = HIGH;
    frame.row_pitch = WIDE * 4;
    frame.data = (const uint8_t *)large;
    present_show(present, &frame);
    present_destroy(present);
    check_picture(HALF_WIDE, HALF_HIGH, wanted);
    free(large);
    free(wanted);
}
END_TEST

START_TEST(frames_may_change_their_size)
{
    struct present *present = open_sink("", ST_OK);
    struct present_frame frame = frame_of();

    frame.height = 2;
    present_show(present, &frame);
    show(present);
    frame.height = 3;
    present_show(present, &frame);
    present_destroy(present);
    check_picture(WIDTH, 3, pixels);
}
END_TEST

/* --- The protocol ----------------------------------------------------------------------------- */

static atomic_bool done;

/* Pauses after every other frame, or a reader might never see a complete one. */
static void *show_frames(void *arg)
{
    const struct timespec moment = {.tv_nsec = 50000};

    for (uint32_t n = 1; !atomic_load(&done); n++) {
        for (unsigned i = 0; i < PIXELS; i++)
            pixels[i] = n;
        show(arg);
        if (n % 2)
            nanosleep(&moment, NULL);
    }
    return NULL;
}

/* Copies frames as a viewer does, while the sink writes at full speed. */
START_TEST(copies_are_never_torn)
{
    struct present *present = open_sink("", ST_OK);
    uint8_t copy[8192];
    unsigned whole = 0, tries = 0;
    pthread_t thread;
    FILE *file;

    memset(pixels, 0, sizeof(pixels));
    show(present);
    file = fopen(frame_file, "rb");
    setvbuf(file, NULL, _IONBF, 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, show_frames, present), 0);
    for (; whole < 1000 && tries < 1000000; tries++) {
        uint32_t before, after;

        fseek(file, 4, SEEK_SET);
        ck_assert_uint_eq(fread(&before, 1, 4, file), 4);
        fseek(file, 0, SEEK_SET);
        ck_assert_uint_eq(fread(copy, 1, sizeof(copy), file), sizeof(copy));
        fseek(file, 4, SEEK_SET);
        ck_assert_uint_eq(fread(&after, 1, 4, file), 4);
        if (!before || before != after)
            continue;
        whole++;
        for (unsigned i = 1; i < PIXELS; i++)
            ck_assert_uint_eq(word_at(copy, 1008 + 4 * i), word_at(copy, 1008));
        ck_assert_uint_eq(word_at(copy, 60 + 196), before);
    }
    atomic_store(&done, true);
    pthread_join(thread, NULL);
    fclose(file);
    present_destroy(present);
    ck_assert_uint_eq(whole, 1000);
}
END_TEST

START_TEST(unknown_revisions)
{
    static const char *const wrong[] = {"@252", "@120", "@1", "@809"};

    log_set_level(LOG_NONE);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_ptr_null(open_sink(wrong[i], ST_INVALID));
    present_destroy(open_sink("@", ST_OK)); /* an ordinary name */
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("dx9mt sink");
    TCase *tc = tcase_create("dx9mt sink");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, bytes_of_the_file);
    tcase_add_loop_test(tc, the_viewer_shows_the_frame, 0,
                        sizeof(revisions) / sizeof(revisions[0]));
    tcase_add_test(tc, other_formats);
    tcase_add_test(tc, gamma_of_a_full_screen_device);
    tcase_add_test(tc, a_second_device);
    tcase_add_test(tc, links_are_not_followed);
    tcase_add_test(tc, large_frames_are_halved);
    tcase_add_test(tc, frames_may_change_their_size);
    tcase_add_test(tc, copies_are_never_torn);
    tcase_add_test(tc, unknown_revisions);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
