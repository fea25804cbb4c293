/* Tests the executors that touch memory with packets that no API call has checked, and maps that
 * must not wait. */
#include "check_main.h"

#include "cmd/backing.h"
#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>

static atomic_bool gate; /* a present waits until it is open */

static void present(void *ctx, const struct cmd_present *packet, const struct tex_image *image)
{
    (void)ctx, (void)packet, (void)image;
    while (!atomic_load(&gate))
        ;
}

static struct cmd_stream *make_stream(unsigned threads)
{
    const struct draw_options options = {.threads = threads};
    struct cmd_stream *stream;

    ck_assert_int_eq(cmd_stream_create(&stream, &options, present, NULL), ST_OK);
    return stream;
}

/* 0: images cannot have the format. */
static cmd_handle make_image(struct cmd_stream *stream, D3DFORMAT format)
{
    const struct tex_desc desc = {.shape = TEX_2D,
                                  .format = format,
                                  .width = 8,
                                  .height = 8,
                                  .depth = 1,
                                  .levels = 1,
                                  .samples = 1};
    cmd_handle image = 0;

    (void)!cmd_create_image(stream, &desc, NULL, &image);
    return image;
}

START_TEST(image_data_has_the_size_of_the_level)
{
    struct cmd_stream *stream = make_stream(1);
    struct cmd_write_image packet = {{make_image(stream, D3DFMT_A8R8G8B8), 0, 0}};
    uint8_t *data = calloc(1, 1 << 20);

    ck_assert_int_eq(cmd_emit_write_image(stream, &packet, data, 8 * 8 * 4), ST_OK);
    ck_assert_int_eq(cmd_emit_write_image(stream, &packet, data, 8 * 8 * 4 + 4), ST_INVALID);
    ck_assert_int_eq(cmd_emit_write_image(stream, &packet, data, 1 << 20), ST_INVALID);
    ck_assert_int_eq(cmd_emit_write_image(stream, &packet, data, 8), ST_INVALID);
    packet.dst.level = 1;
    ck_assert_int_eq(cmd_emit_write_image(stream, &packet, data, 4 * 4 * 4), ST_INVALID);
    free(data);
    cmd_stream_destroy(stream);
}
END_TEST

START_TEST(backings_exist)
{
    struct cmd_stream *stream = make_stream(2);
    cmd_handle image = make_image(stream, D3DFMT_A8R8G8B8), buffer;
    struct cmd_resource *resource[2];

    ck_assert_int_eq(cmd_create_buffer(stream, 64, CMD_BUFFER_SHARED, &buffer), ST_OK);
    resource[0] = cmd_resource(stream, image, CMD_IMAGE);
    resource[1] = cmd_resource(stream, buffer, CMD_BUFFER);
    cmd_start_staging(stream, resource[0], image);
    cmd_start_staging(stream, resource[1], buffer);
    cmd_execute(stream);
    for (unsigned i = 0; i < 2; i++) {
        struct cmd_set_backing packet = {i ? buffer : image, 0};

        ck_assert(resource[i]->staged);
        ck_assert_int_eq(cmd_exec[CMD_SET_BACKING](stream, &packet, NULL, 0), ST_OK);
        for (packet.backing = 2; packet.backing < CMD_MAX_BACKINGS + 2; packet.backing++)
            ck_assert_int_eq(cmd_exec[CMD_SET_BACKING](stream, &packet, NULL, 0), ST_INVALID);
        packet.backing = 1;
        ck_assert_int_eq(cmd_exec[CMD_SET_BACKING](stream, &packet, NULL, 0), ST_OK);
    }
    cmd_stream_destroy(stream);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* cmd_check accepts the copies that the executor makes, and no others. */
START_TEST(check_and_copy_agree)
{
    struct cmd_stream *stream = make_stream(1);
    unsigned n = tex_format_count(), copies = 0;
    cmd_handle *image = calloc(n, sizeof(*image));

    for (unsigned i = 0; i < n; i++)
        image[i] = make_image(stream, tex_format_at(i)->d3d);
    for (unsigned i = 0; i < n * n; i++) {
        struct cmd_copy copy = {{image[i / n], 0, 0}, {image[i % n], 0, 0}, 0, 0, 0,
                                {0, 0, 0, 8, 8, 1}};
        enum status st;

        if (!image[i / n] || !image[i % n])
            continue;
        st = cmd_check(stream, CMD_COPY, &copy, 0);
        ck_assert_msg(st == cmd_emit_copy(stream, &copy, NULL, 0), "%s to %s",
                      tex_format_at(i % n)->name, tex_format_at(i / n)->name);
        copies += st == ST_OK;
    }
    ck_assert_uint_gt(copies, n / 2);
    free(image);
    cmd_stream_destroy(stream);
}
END_TEST

/* A map that must not wait returns at once, although the renderer is still to write to a staged
 * image; it does not wait for packets that do not write. */
START_TEST(staged_map_does_not_wait)
{
    struct cmd_stream *stream = make_stream(2);
    cmd_handle image = make_image(stream, D3DFMT_A8R8G8B8);
    struct cmd_fill fill = {{image, 0, 0}, {0, 0, 0, 8, 8, 1}, 0x12345678};
    struct cmd_present shown = {.image = image};
    struct tex_level level;

    cmd_start_staging(stream, cmd_resource(stream, image, CMD_IMAGE), image);
    atomic_store(&gate, false);
    ck_assert_int_eq(cmd_emit_present(stream, &shown, NULL, 0), ST_OK);
    ck_assert_int_eq(cmd_map_image(stream, image, 0, 0, CMD_MAP_WRITE | CMD_MAP_TRY, &level),
                     ST_OK);
    cmd_unmap_image(stream, image, 0, 0, true);
    ck_assert_int_eq(cmd_emit_fill(stream, &fill, NULL, 0), ST_OK);
    ck_assert_int_eq(cmd_map_image(stream, image, 0, 0, CMD_MAP_READ | CMD_MAP_TRY, &level),
                     ST_BUSY);
    ck_assert_int_eq(cmd_map_image(stream, image, 0, 0, CMD_MAP_WRITE | CMD_MAP_TRY, &level),
                     ST_BUSY);
    atomic_store(&gate, true);
    while (cmd_map_image(stream, image, 0, 0, CMD_MAP_READ | CMD_MAP_TRY, &level) == ST_BUSY)
        ;
    ck_assert_uint_eq(*(uint32_t *)(void *)level.data, 0x12345678);
    cmd_unmap_image(stream, image, 0, 0, false);
    cmd_stream_destroy(stream);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("cmd/exec_memory");
    TCase *tc = tcase_create("memory");

    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, image_data_has_the_size_of_the_level);
    tcase_add_test(tc, backings_exist);
    tcase_add_test(tc, check_and_copy_agree);
    tcase_add_test(tc, staged_map_does_not_wait);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
