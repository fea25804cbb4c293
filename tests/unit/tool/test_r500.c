/* `novem r500`: dump, check and run of a file with two frames. */
#include "unit/tool/command.h"

#include "present/r500/r500.h"
#include "present/r500/stream/encode.h"
#include "tool/cli/cli.h"
#include "tool/commands.h"
#include "tool/image/image.h"

enum { WIDTH = 40, HEIGHT = 30, PITCH = 64, TARGET = 5, TEXTURE = 6 };

static uint32_t texels[WIDTH * HEIGHT];

static void fill(unsigned frame)
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        texels[i] = i * 2654435761u * (frame + 1);
}

/* vertex_dwords: 4 is valid. */
static void write_file(const char *path, uint32_t vertex_dwords)
{
    static const struct r500_reloc relocs[2] = {{TARGET, 4, 4, 8}, {TEXTURE, 4, 0, 8}};
    const struct r500_quad quad = {R500_RV570, R500_BYPASS, WIDTH, HEIGHT, WIDTH,  WIDTH, HEIGHT,
                                   PITCH,      0,           0,     WIDTH,  HEIGHT, false};
    const struct r500_buffer target = {TARGET, PITCH * HEIGHT * 4, NULL};
    const struct r500_buffer texture = {TEXTURE, sizeof(texels), (uint8_t *)texels};
    uint32_t stream[R500_QUAD_DWORDS];
    struct r500_submit submit = {stream, 0, relocs, 2, {R500_KEEP_TILING, 0}};
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(r500_encode_quad(stream, &submit.n, &quad), ST_OK);
    stream[119] = vertex_dwords;
    ck_assert_int_eq(r500_file_begin(file, R500_RV570), ST_OK);
    ck_assert_int_eq(r500_file_buffer(file, &target), ST_OK);
    for (uint32_t frame = 0; frame < 2; frame++) {
        const struct r500_flip flip = {TARGET, WIDTH, HEIGHT, PITCH * 4, frame, 7};

        fill(frame);
        ck_assert_int_eq(r500_file_buffer(file, &texture), ST_OK);
        ck_assert_int_eq(r500_file_submit(file, &submit), ST_OK);
        ck_assert_int_eq(r500_file_flip(file, &flip), ST_OK);
    }
    ck_assert_int_eq(fclose(file), 0);
}

static const char *run(int expected, char *what, char *path, char *to)
{
    char *argv[] = {"r500", what, path, "-o", to, NULL};

    return run_command(tool_r500, expected, to ? 5 : 3, argv);
}

static char path[64];

static void setup(void)
{
    open_folder();
    path_in_folder(path, "frames.r500");
    write_file(path, 4);
}

START_TEST(dump_names_things)
{
    static const char *const wanted[] = {
        "buffer 5: 7680 bytes\n",
        "buffer 6: 4800 bytes, with content\n",
        "stream 0: 216 dwords, 2 relocations",
        "43e4 SC_SCISSOR1 = 0x0003a027  X1=39  Y1=29\n",
        "relocation 1: buffer 6 read=4 write=0",
        "0: tex sem_wait write=rgba op=ld",
        "PRIM_TYPE=13  PRIM_WALK=3",
        "42200000 (40) 41f00000 (30) 3f800000 (1) 3f800000 (1)",
        "flip to buffer 5: 40x30, pitch 256 bytes; frame 7 of chain 0\n",
    };
    const char *text = run(TOOL_OK, "dump", path, NULL);

    for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        ck_assert_msg(strstr(text, wanted[i]) != NULL, "no '%s' in %s", wanted[i], text);
}
END_TEST

START_TEST(check_finds_streams)
{
    const char *text = run(TOOL_OK, "check", path, NULL);

    ck_assert_ptr_nonnull(strstr(text, "RV570: 2 streams are valid"));
    write_file(path, 5);
    text = run(TOOL_DIFFERS, "check", path, NULL);
    ck_assert_ptr_nonnull(strstr(text, "stream 0: refused, dword 191: 4 vertices of 5 dwords"));
    run(TOOL_DIFFERS, "run", path, NULL);
}
END_TEST

START_TEST(run_shows_frames)
{
    static const char *const names[] = {"frame-00007.png", "frame-1-00007.png"};
    char to[64], picture[64];

    path_in_folder(to, "new");
    run(TOOL_OK, "run", path, to);
    for (uint32_t frame = 0; frame < 2; frame++) {
        struct tool_image image;

        fill(frame);
        snprintf(picture, sizeof(picture), "%s/%s", to, names[frame]);
        ck_assert_int_eq(tool_png_read(picture, &image), ST_OK);
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
            for (unsigned c = 0; c < 3; c++)
                ck_assert_uint_eq(image.rgba[4 * i + c], texels[i] >> (16 - 8 * c) & 255);
        tool_image_fini(&image);
    }
    run(TOOL_OK, "run", path, to);
    run(TOOL_ERROR, "run", path, path);
}
END_TEST

START_TEST(bad_files_are_refused)
{
    uint8_t *bytes;
    size_t n;

    ck_assert_ptr_nonnull(strstr(run(TOOL_ERROR, "look", path, NULL), "no such subcommand"));
    ck_assert_int_eq(tool_file_read(path, &bytes, &n), ST_OK);
    ck_assert_int_eq(tool_file_write(path, bytes, n - 1), ST_OK);
    ck_assert_ptr_nonnull(strstr(run(TOOL_ERROR, "run", path, NULL), "middle of an item"));
    bytes[8] = 2;
    ck_assert_int_eq(tool_file_write(path, bytes, n), ST_OK);
    ck_assert_ptr_nonnull(strstr(run(TOOL_ERROR, "dump", path, NULL), "of another version"));
    bytes[0] = 'n';
    ck_assert_int_eq(tool_file_write(path, bytes, n), ST_OK);
    ck_assert_ptr_nonnull(strstr(run(TOOL_ERROR, "check", path, NULL), "no file of R500 streams"));
    mem_free(bytes);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/r500");
    TCase *tc = tcase_create("files");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_add_test(tc, dump_names_things);
    tcase_add_test(tc, check_finds_streams);
    tcase_add_test(tc, run_shows_frames);
    tcase_add_test(tc, bad_files_are_refused);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
