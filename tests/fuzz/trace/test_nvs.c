/* Fuzz test of compiled streams: truncated files, flipped bits in the file, and changed records
 * that are compressed again so that they reach the renderer, or a device. Nothing crashes. */
#include "sanitized.h"
#include "unit/trace/nvs_file.h"

#include "draw/draw.h"
#include "util/log.h"

/* Changed sizes make large images, whose memory sanitizers fill. */
#ifdef SANITIZED
enum { ROUNDS = 50 };
#else
enum { ROUNDS = 400 };
#endif

static uint32_t seed;

static uint32_t number(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(seed >> 4) * below) >> 28);
}

/* --- A stream with every kind of record ------------------------------------------------------- */

enum {
    COLOUR = 1,
    DEPTH,
    TEXTURE,
    SAMPLES,
    PLAIN,
    VERTICES,
    INDICES,
    RESULTS,
    VS,
    PS,
    DECLARATION,
    PROCESSED,
    QUERY,
    CUBE,
    VOLUME,
    PACKED
};

static void put_image(uint32_t handle, D3DFORMAT format, uint32_t shape, uint32_t size,
                      uint32_t levels, uint32_t samples)
{
    const struct nvs_create_image p = {
        handle, format, shape, size, size, shape == TEX_VOLUME_MAP ? 4 : 1, levels, samples, 0};

    put(NVS_CREATE_IMAGE, &p, NULL, 0);
}

static void put_shader(uint32_t handle, const char *text)
{
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_assemble(&words, &n, text, NULL), ST_OK);
    put(NVS_CREATE_SHADER, &(struct nvs_create_shader){handle, 0}, words, n * 4);
    mem_free(words);
}

static void put_resources(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, 0, 0},
                                                 {0, 12, D3DDECLTYPE_FLOAT2, 0, 5, 0}};
    static const D3DVERTEXELEMENT9 processed[] = {{0, 0, D3DDECLTYPE_FLOAT4, 0, 9, 0}};

    put_image(COLOUR, D3DFMT_A8R8G8B8, TEX_2D, 64, 1, 1);
    put_image(DEPTH, D3DFMT_D24S8, TEX_2D, 64, 1, 1);
    put_image(TEXTURE, D3DFMT_A8R8G8B8, TEX_2D, 16, 5, 1);
    put_image(SAMPLES, D3DFMT_A8R8G8B8, TEX_2D, 64, 1, 4);
    put_image(PLAIN, D3DFMT_R5G6B5, TEX_2D, 64, 1, 1);
    put(NVS_CREATE_BUFFER, &(struct nvs_create_buffer){VERTICES, 2000}, NULL, 0);
    put(NVS_CREATE_BUFFER, &(struct nvs_create_buffer){INDICES, 300}, NULL, 0);
    put(NVS_CREATE_BUFFER, &(struct nvs_create_buffer){RESULTS, 2000}, NULL, 0);
    put_shader(VS, "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmul oPos, v0, c0\nmov oT0, v1\n");
    put_shader(PS, "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, c0\nmov oC0, r0\n");
    put(NVS_CREATE_DECLARATION, &(struct nvs_create_declaration){DECLARATION, 2}, elements,
        sizeof(elements));
    put(NVS_CREATE_DECLARATION, &(struct nvs_create_declaration){PROCESSED, 1}, processed,
        sizeof(processed));
    put(NVS_CREATE_QUERY, &(struct nvs_create_query){QUERY, D3DQUERYTYPE_OCCLUSION}, NULL, 0);
    put_image(CUBE, D3DFMT_X8R8G8B8, TEX_CUBE_MAP, 8, 1, 1);
    put_image(VOLUME, D3DFMT_A8R8G8B8, TEX_VOLUME_MAP, 8, 1, 1);
    put_image(PACKED, D3DFMT_DXT1, TEX_2D, 16, 1, 1);
}

static void put_contents(void)
{
    float vertices[100][5];
    uint16_t indices[150];
    uint8_t texels[16 * 16 * 4];

    for (unsigned i = 0; i < 100; i++)
        for (unsigned k = 0; k < 5; k++)
            vertices[i][k] = (float)number(2000) / 1000.0f - 1.0f;
    for (unsigned i = 0; i < 150; i++)
        indices[i] = (uint16_t)number(100);
    for (unsigned i = 0; i < sizeof(texels); i++)
        texels[i] = (uint8_t)number(256);
    put(CMD_WRITE_BUFFER, &(struct cmd_write_buffer){VERTICES, 0}, vertices, sizeof(vertices));
    put(CMD_WRITE_BUFFER, &(struct cmd_write_buffer){INDICES, 0}, indices, sizeof(indices));
    put(CMD_WRITE_IMAGE, &(struct cmd_write_image){{TEXTURE, 0, 0}}, texels, sizeof(texels));
    put(CMD_WRITE_IMAGE, &(struct cmd_write_image){{PACKED, 0, 0}}, texels, 128);
    PUT(TOUCH, touch, TEXTURE);
}

static void put_states(void)
{
    static const float identity[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    static const D3DLIGHT9 light = {.Type = D3DLIGHT_POINT, .Range = 10, .Attenuation0 = 1};
    struct cmd_set_transform transform = {D3DTS_VIEW, {0}};
    struct cmd_set_palette palette = {{1, 2, 3}};

    PUT(SET_TARGET, set_target, 0, {COLOUR, 0, 0});
    PUT(SET_TARGET, set_target, CMD_DEPTH_TARGET, {DEPTH, 0, 0});
    PUT(SET_VIEWPORT, set_viewport, {0, 0, 64, 64, 0, 1});
    PUT(SET_SCISSOR, set_scissor, 4, 4, 60, 60);
    PUT(SET_STREAM, set_stream, 0, VERTICES, 0, 20);
    PUT(SET_STREAM_FREQUENCY, set_stream_frequency, 1, 1);
    PUT(SET_INDICES, set_indices, INDICES, 2);
    PUT(SET_DECLARATION, set_declaration, DECLARATION);
    for (unsigned state = 1; state < 210; state += 1 + number(4))
        PUT(SET_RENDER_STATE, set_render_state, state, number(8));
    PUT(SET_RENDER_STATE, set_render_state, D3DRS_CULLMODE, 1);
    PUT(SET_SAMPLER_STATE, set_sampler_state, 0, D3DSAMP_MINFILTER, 2);
    PUT(SET_STAGE_STATE, set_stage_state, 0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    PUT(SET_TEXTURE, set_texture, 0, TEXTURE);
    PUT(SET_TEXTURE, set_texture, 1, PACKED);
    PUT(SET_TEXTURE_LOD, set_texture_lod, TEXTURE, 0);
    memcpy(transform.m, identity, sizeof(identity));
    put(CMD_SET_TRANSFORM, &transform, NULL, 0);
    put(CMD_SET_LIGHTS, &(struct cmd_set_lights){1}, &light, sizeof(light));
    PUT(SET_MATERIAL, set_material, {.Power = 2});
    PUT(SET_CLIP_PLANE, set_clip_plane, 0, {1, 0, 0, 1});
    PUT(SET_CLIP_STATUS, set_clip_status, 0, 0);
    PUT(SET_SOFTWARE, set_software, 1);
    PUT(SET_NPATCH, set_npatch, 2.5f);
    put(CMD_SET_PALETTE, &palette, NULL, 0);
    put(CMD_SET_CONSTANTS, &(struct cmd_set_constants){0, CMD_FLOATS, 0, 4}, identity,
        sizeof(identity));
    put(CMD_SET_CONSTANTS, &(struct cmd_set_constants){1, CMD_FLOATS, 0, 4}, identity,
        sizeof(identity));
}

static void put_draws(void)
{
    static const float corners[15] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const float points[3][2][4] = {
        {{0, 0, 0}, {0, 0}}, {{1, 0, 0}, {1, 0}}, {{0, 1, 0}, {0, 1}}};
    const struct cmd_box all = {0, 0, 0, 64, 64, 1};

    PUT(BEGIN_QUERY, begin_query, QUERY);
    PUT(CLEAR, clear, 7, 0xff00ff00, 1, 1, 0);
    PUT(DRAW, draw, D3DPT_TRIANGLELIST, 20, 0, 0, 0, 0, 60);
    PUT(SET_SHADER, set_shader, 0, VS);
    PUT(SET_SHADER, set_shader, 1, PS);
    PUT(DRAW, draw, D3DPT_TRIANGLESTRIP, 30, 1, 0, 3, 0, 100);
    PUT(DRAW, draw, D3DPT_POINTLIST, 30, 1, 0, 3, 0, 100);
    PUT(DRAW, draw, D3DPT_LINELIST, 9, 0, 2, 0, 0, 18);
    put(CMD_DRAW_UP, &(struct cmd_draw_up){D3DPT_TRIANGLEFAN, 1, 20, 60, 0, 0, 0, 3}, corners, 60);
    PUT(SET_SHADER, set_shader, 0, 0);
    PUT(DRAW_PATCH, draw_patch, 0, D3DBASIS_BEZIER, D3DDEGREE_CUBIC, 4, 4, 3, 5, {3, 2, 4, 1}, 0);
    put(CMD_DRAW_PATCH,
        &(struct cmd_draw_patch){
            1, D3DBASIS_BEZIER, D3DDEGREE_LINEAR, 3, 1, 0, 3, {2, 3, 1, 0}, DECLARATION},
        points, sizeof(points));
    PUT(PROCESS_VERTICES, process_vertices, 0, 0, 20, 16, RESULTS, PROCESSED, 0);
    PUT(END_QUERY, end_query, QUERY);
    PUT(COPY, copy, {TEXTURE, 0, 1}, {TEXTURE, 0, 0}, 0, 0, 0, {0, 0, 0, 8, 8, 1});
    PUT(STRETCH, stretch, {PLAIN, 0, 0}, {COLOUR, 0, 0}, all, all, 2);
    PUT(STRETCH, stretch, {COLOUR, 0, 0}, {SAMPLES, 0, 0}, all, all, 0);
    PUT(FILL, fill, {CUBE, 3, 0}, {0, 0, 0, 4, 8, 1}, 0x12345678);
    PUT(GENERATE_MIPS, generate_mips, TEXTURE, 2);
    put(NVS_MOMENT, &(struct nvs_moment){1, COLOUR, 0, 0, 0, 0}, "Present", 7);
    PUT(PRESENT, present, .image = COLOUR);
}

static uint8_t *sample(size_t *n)
{
    seed = 5;
    begin();
    put(NVS_OPEN, &(struct nvs_open){0}, NULL, 0);
    put_resources();
    put_contents();
    put_states();
    put_draws();
    nvs_file_depends_on(&out, 0);
    nvs_file_frame(&out);
    put_draws();
    for (uint32_t handle = COLOUR; handle <= PACKED; handle++)
        PUT(DESTROY, destroy, handle);
    put(NVS_CLOSE, &(struct nvs_close){0}, NULL, 0);
    return end(n);
}

/* --- Tests
 * ---------------------------------------------------------------------------------------- */

START_TEST(sound)
{
    size_t n;
    uint8_t *bytes = sample(&n);

    ck_assert_msg(run(bytes, n) == ST_OK, "%s", message);
    ck_assert_uint_eq(moments, 2);
    free(bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(cut)
{
    size_t n;
    uint8_t *bytes = sample(&n);

    for (size_t k = 0; k < n; k += 7)
        ck_assert_int_ne(run(bytes, k), ST_OK);
    free(bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(flipped_bits)
{
    size_t n;
    uint8_t *bytes = sample(&n);

    seed = (uint32_t)_i + 1;
    for (unsigned round = 0; round < 2 * ROUNDS; round++) {
        size_t at = number((uint32_t)n);
        uint8_t bit = (uint8_t)(1u << number(8));

        bytes[at] ^= bit;
        (void)run(bytes, n);
        bytes[at] ^= bit;
    }
    free(bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* --- Changed records -------------------------------------------------------------------------- */

static const uint32_t telling[] = {
    0,   1,   2,      3,          4,          5,          6,     7,          8,         15,
    16,  17,  20,     21,         63,         64,         65,    255,        256,       257,
    511, 512, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 20000, 0x7f800000, 0x7fc00000};

static void change(uint8_t *bytes, size_t n)
{
    uint32_t word;
    size_t at;

    if (n < 4)
        return;
    at = number((uint32_t)(n / 4)) * 4;
    memcpy(&word, bytes + at, 4);
    switch (number(4)) {
    case 0:
        word ^= 1u << number(32);
        break;
    case 1:
        word += number(9) - 4;
        break;
    default:
        word = telling[number(sizeof(telling) / sizeof(telling[0]))];
        break;
    }
    memcpy(bytes + at, &word, 4);
}

/* Rewrites the records of a file; changes, drops or duplicates one in `one_in`. */
static uint8_t *changed(const uint8_t *bytes, size_t n, unsigned one_in, size_t *out_n)
{
    struct nvs_reader reader;
    struct nvs_record r;

    begin();
    ck_assert_int_eq(nvs_reader_open_memory(&reader, bytes, n), ST_OK);
    while (nvs_reader_next(&reader, &r) == ST_OK) {
        unsigned what = number(one_in);
        uint8_t *data;

        ck_assert_int_eq(nvs_reader_data(&reader, &r), ST_OK);
        data = malloc(r.data_bytes + 1);
        if (r.data_bytes)
            memcpy(data, r.data, r.data_bytes);
        if (what <= 2)
            change(r.packet, r.info->bytes);
        if (what == 3)
            change(data, r.data_bytes);
        if (what == 4 && r.data_bytes)
            r.data_bytes = number(r.data_bytes);
        r.head.flags = 0;
        for (unsigned k = what == 5 ? 0 : what == 6 ? 2 : 1; k--;)
            nvs_file_record(&out, &r.head, r.packet, r.info->bytes, data, r.data_bytes);
        free(data);
    }
    nvs_reader_close(&reader);
    return end(out_n);
}

START_TEST(changed_records)
{
    size_t n, m;
    uint8_t *bytes = sample(&n), *other;
    unsigned ran = 0;

    log_set_level(LOG_NONE);
    seed = (uint32_t)_i * 7919 + 11;
    for (unsigned round = 0; round < ROUNDS; round++) {
        other = changed(bytes, n, 60 + number(400), &m);
        ran += run(other, m) == ST_OK;
        free(other);
    }
    ck_assert_uint_gt(ran, 0); /* the reader does not refuse all */
    free(bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* --- As calls --------------------------------------------------------------------------------- */

static bool calls_moment(void *ctx, struct nvs_calls *calls, const struct replay_moment *moment)
{
    unsigned *pictures = ctx;
    struct replay_picture picture;

    (void)moment;
    if (nvs_calls_take_picture(calls, &picture) == ST_OK) {
        ++*pictures;
        mem_free(picture.rgba);
    }
    return true;
}

static void calls_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

/* Plays a stream through Direct3D 9. */
static enum status run_calls(const uint8_t *bytes, size_t n, unsigned *pictures)
{
    const struct nvs_calls_options options = {
        .ctx = pictures, .on_moment = calls_moment, .on_warning = calls_warning};
    struct nvs_calls *calls;
    struct trace_error error;
    enum status st = nvs_calls_open_memory(&calls, bytes, n, &error);

    *pictures = 0;
    if (st != ST_OK)
        return st;
    st = nvs_calls_run(calls, &options);
    nvs_calls_close(calls);
    return st;
}

START_TEST(changed_calls)
{
    size_t n, m;
    uint8_t *bytes = sample(&n), *other;
    unsigned pictures, ran = 0;

    log_set_level(LOG_NONE);
    ck_assert_int_eq(run_calls(bytes, n, &pictures), ST_OK);
    ck_assert_uint_eq(pictures, 2);
    seed = (uint32_t)_i * 7919 + 11;
    for (unsigned round = 0; round < ROUNDS / 2; round++) {
        other = changed(bytes, n, 60 + number(400), &m);
        ran += run_calls(other, m, &pictures) == ST_OK;
        free(other);
    }
    ck_assert_uint_gt(ran, 0);
    free(bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("compiled streams");
    TCase *tests = tcase_create("broken");

    tcase_set_timeout(tests, 120);
    setenv("NOVEM_THREADS", "1", 1);
    tcase_add_test(tests, sound);
    tcase_add_test(tests, cut);
    tcase_add_loop_test(tests, flipped_bits, 0, 2);
    tcase_add_loop_test(tests, changed_records, 0, 8);
    tcase_add_loop_test(tests, changed_calls, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
