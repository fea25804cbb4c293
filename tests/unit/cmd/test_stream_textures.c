/* Tests textures as vertex streams: the commands in D3DRS_POINTSIZE, and the bytes that draws
 * read. */
#include "check_main.h"

#include "cmd/stream.h"

#include <string.h>

static void present(void *ctx, const struct cmd_present *packet, const struct tex_image *image)
{
    (void)ctx, (void)packet, (void)image;
}

static struct cmd_stream *make_stream(void)
{
    const struct draw_options options = {.threads = 1};
    struct cmd_stream *stream;

    ck_assert_int_eq(cmd_stream_create(&stream, &options, present, NULL), ST_OK);
    return stream;
}

static cmd_handle make_image(struct cmd_stream *stream, D3DFORMAT format, uint32_t width,
                             uint32_t height, bool unlocked)
{
    const struct tex_desc desc = {.shape = TEX_2D,
                                  .format = format,
                                  .width = width,
                                  .height = height,
                                  .depth = 1,
                                  .levels = 1,
                                  .samples = 1,
                                  .unlocked = unlocked};
    cmd_handle image = 0;

    ck_assert_int_eq(cmd_create_image(stream, &desc, NULL, &image), ST_OK);
    return image;
}

static struct tex_image *image_of(struct cmd_stream *stream, cmd_handle handle)
{
    return cmd_resource(stream, handle, CMD_IMAGE)->u.image;
}

/* Byte n of the texels, without the padding of rows, becomes n + seed. */
static void fill(struct tex_image *image, unsigned seed)
{
    size_t row = (size_t)image->level->width * image->format->bytes;

    for (uint32_t y = 0; y < image->level->height; y++)
        for (size_t i = 0; i < row; i++)
            image->level->data[y * image->level->row_pitch + i] = (uint8_t)(y * row + i + seed);
    tex_image_touch(image);
}

static void set(struct cmd_stream *stream, uint32_t value)
{
    const struct cmd_set_render_state packet = {D3DRS_POINTSIZE, value};

    ck_assert_int_eq(cmd_emit_set_render_state(stream, &packet, NULL, 0), ST_OK);
}

static void bind(struct cmd_stream *stream, unsigned sampler, cmd_handle image)
{
    const struct cmd_set_texture packet = {sampler, image};

    ck_assert_int_eq(cmd_emit_set_texture(stream, &packet, NULL, 0), ST_OK);
}

START_TEST(commands)
{
    struct cmd_stream *stream = make_stream();
    const struct draw_state *state = &stream->state;
    DWORD size = state->render[D3DRS_POINTSIZE];

    set(stream, 0x70ff0001);
    ck_assert(state->textures_as_streams);
    for (unsigned sampler = 0; sampler < 5; sampler++) {
        set(stream, 0x71ff0000 | sampler << 4 | (sampler + 3));
        ck_assert_uint_eq(state->stream_sampler[sampler + 3], 16 + sampler);
    }
    set(stream, 0x71ff006f); /* no such sampler */
    set(stream, 0x71ff000f);
    set(stream, 0x71ff007f);
    ck_assert_uint_eq(state->stream_sampler[15], 16);
    set(stream, 0x71ff005f);
    ck_assert_uint_eq(state->stream_sampler[15], 0);
    set(stream, 0x70ff0000);
    ck_assert(!state->textures_as_streams);
    ck_assert_uint_eq(state->stream_sampler[7], 20);
    ck_assert_uint_eq(state->render[D3DRS_POINTSIZE], size);
    set(stream, 0x72ff0001); /* a size */
    ck_assert_uint_eq(state->render[D3DRS_POINTSIZE], 0x72ff0001);
    cmd_stream_destroy(stream);
}
END_TEST

/* Demands that stream 2 reads `bytes` bytes that count from seed. */
static void expect_bytes(struct cmd_stream *stream, size_t bytes, unsigned seed)
{
    const struct draw_stream *now = &stream->state.stream[2];
    struct draw_stream kept[DRAW_STREAMS], before = *now;

    ck_assert_int_eq(stream_textures_begin(stream, 0, kept), ST_OK);
    ck_assert_uint_eq(now->size, bytes);
    ck_assert_uint_eq(now->stride, before.stride);
    ck_assert_uint_eq(now->offset, before.offset);
    for (size_t i = 0; i < bytes; i++)
        ck_assert_uint_eq(now->data[i], (uint8_t)(i + seed));
    stream_textures_end(stream, kept);
    ck_assert_ptr_eq(now->data, before.data);
}

/* Padded and tight rows, new contents, another texture at the sampler, and none. */
START_TEST(texels)
{
    struct cmd_stream *stream = make_stream();
    cmd_handle padded = make_image(stream, D3DFMT_A32B32G32R32F, 32, 3, true);
    cmd_handle tight = make_image(stream, D3DFMT_G32R32F, 4, 5, false), none;
    struct tex_image *image = image_of(stream, padded);

    ck_assert_uint_gt(image->level->row_pitch, 32 * 16);
    stream->state.stream[2].stride = 24;
    stream->state.stream[2].offset = 8;
    set(stream, 0x70ff0001);
    set(stream, 0x71ff0032); /* stream 2 from vertex texture 2 */
    expect_bytes(stream, 0, 0);
    bind(stream, 19, padded);
    fill(image, 3);
    expect_bytes(stream, 32 * 16 * 3, 3);
    fill(image, 4);
    expect_bytes(stream, 32 * 16 * 3, 4);
    fill(image_of(stream, tight), 9);
    bind(stream, 19, tight);
    expect_bytes(stream, 4 * 8 * 5, 9);
    bind(stream, 19, padded);
    expect_bytes(stream, 32 * 16 * 3, 4);
    none = make_image(stream, D3DFMT_DXT1, 8, 8, false);
    bind(stream, 19, none); /* blocks are no vertices */
    expect_bytes(stream, 0, 0);
    cmd_stream_destroy(stream);
}
END_TEST

/* A draw to the texture reads what the texture was before it. */
START_TEST(target)
{
    struct cmd_stream *stream = make_stream();
    cmd_handle image = make_image(stream, D3DFMT_A8R8G8B8, 16, 4, false);
    struct cmd_set_target packet = {.index = 0, .surface = {image, 0, 0}};
    struct draw_stream kept[DRAW_STREAMS];

    ck_assert_uint_eq(image_of(stream, image)->level->row_pitch, 64);
    fill(image_of(stream, image), 1);
    ck_assert_int_eq(cmd_emit_set_target(stream, &packet, NULL, 0), ST_OK);
    bind(stream, 16, image);
    set(stream, 0x70ff0001);
    set(stream, 0x71ff0002);
    ck_assert_int_eq(stream_textures_begin(stream, 0, kept), ST_OK);
    memset(image_of(stream, image)->level->data, 0, 64);
    ck_assert_uint_eq(stream->state.stream[2].data[7], 8);
    stream_textures_end(stream, kept);
    ck_assert_int_eq(stream_textures_begin(stream, 3, kept), ST_OK); /* stream 2 keeps its buffer */
    ck_assert_ptr_null(stream->state.stream[2].data);
    stream_textures_end(stream, kept);
    cmd_stream_destroy(stream);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("cmd/stream_textures");
    TCase *tc = tcase_create("stream textures");

    tcase_add_test(tc, commands);
    tcase_add_test(tc, texels);
    tcase_add_test(tc, target);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
