/* Answers about a recorded frame, parsed back and compared with what the program did. */
#include "unit/tool/frame/capture.h"

#include "tool/image/image.h"

#include <errno.h>
#include <sys/stat.h>

static void setup(void)
{
    record_capture();
    mkdir(in_folder("images"), 0777);
}

/* --- Events ----------------------------------------------------------------------------------- */

START_TEST(a_frame_lists_events_passes_and_markers)
{
    static const char *const kinds[] = {"begin", "clear", "draw", "mark", "draw", "end", "copy"};
    static const int depths[] = {0, 1, 1, 1, 1, 0, 0}, passes[] = {0, 0, 0, 0, 0, 0, 1};
    cJSON *frame = ask("frame");
    const cJSON *events = member(frame, "events"), *event;
    int i = 0;

    ck_assert_str_eq(text_of(frame, "capture"), "x.trace");
    ck_assert_int_eq(number_of(frame, "frame"), 1);
    ck_assert_int_eq(number_of(frame, "width"), WIDTH);
    ck_assert_int_eq(number_of(frame, "height"), HEIGHT);
    ck_assert_int_eq(cJSON_GetArraySize(events), 7);
    cJSON_ArrayForEach(event, events)
    {
        ck_assert_str_eq(text_of(event, "kind"), kinds[i]);
        ck_assert_int_eq(number_of(event, "depth"), depths[i]);
        ck_assert_int_eq(number_of(event, "pass"), passes[i]);
        if (i == 0 || i == 3)
            ck_assert_str_eq(text_of(event, "what"), hostile_text);
        i++;
    }
    ck_assert_str_eq(text_of(cJSON_GetArrayItem(events, 0), "colour"), "#102030");
    ck_assert_int_eq(number_of(cJSON_GetArrayItem(events, 2), "primitives"), 2);
    ck_assert_int_eq(number_of(cJSON_GetArrayItem(events, 4), "changed"), 2); /* of depth */
    ck_assert_int_eq(number_of(cJSON_GetArrayItem(events, 2), "vertices"), 4); /* no indices */
    ck_assert_int_eq(number_of(cJSON_GetArrayItem(events, 4), "vertices"), 4);
    ck_assert_int_eq(cJSON_GetArraySize(member(frame, "passes")), 2);
    ck_assert_str_eq(text_of(cJSON_GetArrayItem(member(frame, "passes"), 0), "what"),
                     "2 draws, 1 clear to A8R8G8B8 32x16 + D24S8 32x16");
    cJSON_Delete(frame);
}
END_TEST

static const cJSON *state_of(const cJSON *event, const char *group, const char *name)
{
    const cJSON *state;

    cJSON_ArrayForEach(
        state, member(event, "states")) if (!strcmp(text_of(state, "group"), group) &&
                                            !strcmp(text_of(state, "name"), name)) return state;
    return NULL;
}

START_TEST(a_draw_tells_its_states)
{
    cJSON *first = ask_call("event", call_of("draw", 0));
    cJSON *second = ask_call("event", call_of("draw", 1));
    const cJSON *z = state_of(second, "render state", "ZFUNC");

    ck_assert_str_eq(text_of(z, "value"), "ALWAYS");
    ck_assert(cJSON_IsFalse(member(z, "default")));
    ck_assert(cJSON_IsTrue(member(z, "changed")));
    ck_assert_str_eq(text_of(z, "before"), "LESSEQUAL");
    z = state_of(first, "render state", "ZFUNC");
    ck_assert_str_eq(text_of(z, "value"), "LESSEQUAL");
    ck_assert(cJSON_IsTrue(member(z, "default")));
    ck_assert(cJSON_IsFalse(member(z, "changed"))); /* nothing is known of the draw before */
    ck_assert_str_eq(text_of(state_of(first, "render state", "CULLMODE"), "value"), "NONE");
    ck_assert_ptr_nonnull(state_of(first, "stage 0", "COLOROP"));
    ck_assert_ptr_null(state_of(second, "stage 0", "COLOROP")); /* it has a pixel shader */
    ck_assert_ptr_null(state_of(first, "sampler 5", "MAGFILTER"));
    cJSON_Delete(first);
    cJSON_Delete(second);
}
END_TEST

START_TEST(a_draw_tells_its_constants_by_name)
{
    cJSON *first = ask_call("event", call_of("draw", 0));
    cJSON *second = ask_call("event", call_of("draw", 1));
    const cJSON *floats = member(member(member(second, "constants"), "pixel"), "float");
    const cJSON *c = element(floats, "name", "shade[0]");

    ck_assert_int_eq(cJSON_GetArraySize(floats), 2);
    ck_assert_ptr_nonnull(c);
    ck_assert_int_eq(number_of(c, "register"), 0);
    ck_assert(cJSON_GetArrayItem(member(c, "value"), 1)->valuedouble == 0.5);
    ck_assert(cJSON_GetArrayItem(member(c, "value"), 2)->valuedouble == 0.25);
    ck_assert_ptr_null(cJSON_GetObjectItem(member(second, "constants"), "vertex"));
    ck_assert_ptr_null(cJSON_GetObjectItem(member(first, "constants"), "pixel"));
    ck_assert_str_eq(text_of(cJSON_GetArrayItem(member(second, "textures"), 0), "name"), "map");
    cJSON_Delete(first);
    cJSON_Delete(second);
}
END_TEST

START_TEST(a_draw_tells_its_streams_and_arguments)
{
    cJSON *event = ask_call("event", call_of("draw", 1));
    const cJSON *stream = cJSON_GetArrayItem(member(event, "streams"), 0), *argument;
    bool found = false;

    ck_assert_int_eq(number_of(stream, "stride"), sizeof(struct vertex));
    ck_assert_int_ne((int)number_of(stream, "resource"), 0);
    ck_assert_str_eq(text_of(member(event, "indices"), "format"), "INDEX16");
    ck_assert_int_eq(cJSON_GetArraySize(member(event, "declaration")), 3);
    ck_assert_str_eq(text_of(cJSON_GetArrayItem(member(event, "declaration"), 1), "type"),
                     "D3DCOLOR");
    cJSON_ArrayForEach(
        argument,
        member(event, "arguments")) if (!strcmp(cJSON_GetArrayItem(argument, 1)->valuestring,
                                                "D3DPT_TRIANGLELIST")) found = true;
    ck_assert(found);
    cJSON_Delete(event);
}
END_TEST

/* --- Pictures --------------------------------------------------------------------------------- */

static void read_picture(const cJSON *picture, struct tool_image *image)
{
    ck_assert_int_eq(tool_png_read(in_folder(text_of(picture, "file")), image), ST_OK);
}

START_TEST(targets_have_pictures_before_and_after)
{
    cJSON *event = ask_call("event", call_of("draw", 0));
    const cJSON *colour = element(member(event, "targets"), "slot", "target 0");
    const cJSON *depth = element(member(event, "targets"), "slot", "depth"), *after;
    struct tool_image image;
    float *values;
    size_t n;

    read_picture(member(colour, "before"), &image);
    ck_assert_uint_eq(image.width, WIDTH);
    ck_assert_int_eq(memcmp(image.rgba, "\x20\x40\x60\xff", 4), 0); /* cleared */
    tool_image_fini(&image);
    read_picture(member(colour, "after"), &image);
    ck_assert_int_ne(memcmp(image.rgba, "\x20\x40\x60\xff", 4), 0);
    tool_image_fini(&image);
    after = member(depth, "after");
    ck_assert(cJSON_IsTrue(member(after, "ranged")));
    ck_assert(cJSON_GetArrayItem(member(after, "min"), 0)->valuedouble < 0.3);
    ck_assert(cJSON_GetArrayItem(member(member(depth, "before"), "min"), 0)->valuedouble == 1);
    ck_assert_int_eq(tool_file_read(in_folder(text_of(after, "raw")), (uint8_t **)&values, &n),
                     ST_OK);
    ck_assert_uint_eq(n, WIDTH * HEIGHT * 16);
    ck_assert(values[0] > 0.49f && values[0] < 0.51f);
    ck_assert(values[4 * (WIDTH - 1)] > 0.25f && values[4 * (WIDTH - 1)] < 0.3f);
    mem_free(values);
    cJSON_Delete(event);
}
END_TEST

START_TEST(levels_have_pictures_after_any_call)
{
    cJSON *event = ask_call("event", call_of("draw", 0)), *picture;
    unsigned id = (unsigned)number_of(cJSON_GetArrayItem(member(event, "textures"), 0), "resource");
    unsigned target =
        (unsigned)number_of(element(member(event, "targets"), "slot", "target 0"), "resource");
    struct tool_image image;
    char key[FRAME_KEY];

    snprintf(key, sizeof(key), "resource/%u/end/0/1/0", id);
    picture = ask(key);
    read_picture(picture, &image);
    ck_assert_uint_eq(image.width, 2);
    ck_assert_int_eq(image.rgba[0], 0x80);
    tool_image_fini(&image);
    cJSON_Delete(picture);
    snprintf(key, sizeof(key), "resource/%u/%u/0/0/0", target, (unsigned)call_of("clear", 0));
    picture = ask(key);
    read_picture(picture, &image);
    ck_assert_int_eq(memcmp(image.rgba, "\x20\x40\x60\xff", 4), 0);
    tool_image_fini(&image);
    cJSON_Delete(picture);
    cJSON_Delete(event);
}
END_TEST

/* --- Meshes, resources, shaders --------------------------------------------------------------- */

START_TEST(meshes_have_vertices_before_and_after)
{
    static const int order[6] = {0, 1, 2, 2, 1, 3};
    cJSON *mesh = ask_call("mesh", call_of("draw", 1));
    const cJSON *rows = member(member(mesh, "in"), "rows"), *names, *screen;
    int at = -1, i = 0;

    ck_assert_str_eq(text_of(mesh, "topology"), "TRIANGLELIST");
    ck_assert_int_eq(cJSON_GetArraySize(rows), 4);
    names = member(member(mesh, "in"), "columns");
    cJSON_ArrayForEach(screen, names)
    {
        if (!strcmp(screen->valuestring, "POSITION0.x"))
            at = i;
        i++;
    }
    ck_assert_int_ge(at, 0);
    for (i = 0; i < 4; i++)
        ck_assert(cJSON_GetArrayItem(cJSON_GetArrayItem(rows, i), at)->valuedouble ==
                  (double)square[i].x);
    for (i = 0; i < 6; i++)
        ck_assert_int_eq(cJSON_GetArrayItem(member(mesh, "indices"), i)->valueint, order[i]);
    screen = cJSON_GetArrayItem(member(mesh, "screen"), 3); /* the top right corner */
    ck_assert(cJSON_GetArrayItem(screen, 0)->valuedouble == WIDTH);
    ck_assert(cJSON_GetArrayItem(screen, 1)->valuedouble == 0);
    ck_assert(cJSON_GetArrayItem(screen, 2)->valuedouble == 0.25);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetArrayItem(member(member(mesh, "out"), "rows"), 0)),
                     cJSON_GetArraySize(member(member(mesh, "out"), "columns")));
    ck_assert(cJSON_IsFalse(member(mesh, "cut")));
    cJSON_Delete(mesh);
}
END_TEST

static void used(const cJSON *resource, const char *list, uint64_t call, const char *how)
{
    const cJSON *use;

    cJSON_ArrayForEach(use, member(resource, list)) if ((uint64_t)number_of(use, "call") == call &&
                                                        !strcmp(text_of(use, "how"), how)) return;
    ck_abort_msg("no %s by call %u: %s", list, (unsigned)call, how);
}

START_TEST(resources_tell_who_wrote_and_who_read)
{
    cJSON *answer = ask("resources");
    const cJSON *list = member(answer, "resources");
    uint64_t draw = call_of("draw", 1), copy = call_of("copy", 0), clear = call_of("clear", 0);
    const cJSON *back = element(list, "method", "CreateDevice"), *r;

    used(back, "writes", clear, "clear");
    used(back, "writes", draw, "draw");
    used(back, "reads", copy, "copy");
    used(element(list, "kind", "buffer"), "reads", draw, "vertices");
    ck_assert_str_eq(text_of(element(list, "kind", "buffer"), "usage"), "WRITEONLY");
    used(element(list, "kind", "indices"), "reads", draw, "indices");
    ck_assert_int_eq(cJSON_GetArraySize(member(element(list, "kind", "indices"), "reads")), 1);
    used(element(list, "kind", "depth"), "writes", call_of("draw", 0), "draw");
    used(element(list, "kind", "depth"), "reads", draw, "test"); /* it writes no depth */
    r = element(list, "usage", "RENDERTARGET");
    used(r, "writes", copy, "copy");
    ck_assert_int_eq(number_of(r, "bytes") >= WIDTH * HEIGHT * 4, 1);
    r = element(list, "pool", "MANAGED");
    ck_assert_ptr_nonnull(r);
    cJSON_Delete(answer);
}
END_TEST

START_TEST(shaders_have_lines_and_draws)
{
    uint64_t draw = call_of("draw", 1);
    cJSON *event = ask_call("event", draw), *shader;
    const cJSON *line;
    char key[FRAME_KEY];
    int instructions = 0;

    snprintf(key, sizeof(key), "shader/%s", text_of(member(event, "shaders"), "pixel"));
    shader = ask(key);
    ck_assert_str_eq(text_of(shader, "version"), "ps_2_0");
    ck_assert_str_eq(text_of(shader, "kind"), "pixel");
    cJSON_ArrayForEach(line, member(shader, "lines")) instructions +=
        cJSON_IsTrue(member(line, "instruction"));
    ck_assert_int_eq(instructions, 3);
    ck_assert_int_eq(cJSON_GetArraySize(member(shader, "draws")), 1);
    ck_assert_uint_eq((uint64_t)cJSON_GetArrayItem(member(shader, "draws"), 0)->valuedouble, draw);
    cJSON_Delete(shader);
    cJSON_Delete(event);
}
END_TEST

/* --- Errors ----------------------------------------------------------------------------------- */

/* --- Costs and overlays ----------------------------------------------------------------------- */

START_TEST(costs_count_each_draw)
{
    cJSON *costs = ask("costs");
    const cJSON *event, *events = member(costs, "events");
    unsigned draws = 0;

    cJSON_ArrayForEach(event, events)
    {
        if (number_of(event, "primitives") == 0)
            continue;
        draws++;
        ck_assert_int_eq(number_of(event, "primitives"), 2);
        ck_assert_int_eq(number_of(event, "written"), WIDTH * HEIGHT);
    }
    ck_assert_uint_eq(draws, 2);
    cJSON_Delete(costs);
}
END_TEST

/* Both triangles of the square write each pixel once, together; none fails the depth test. */
START_TEST(overlays_are_pictures)
{
    unsigned call = (unsigned)call_of("draw", 0);
    struct tool_image image;
    char key[FRAME_KEY];
    cJSON *picture;

    for (unsigned fail = 0; fail < 2; fail++) {
        snprintf(key, sizeof(key), "event/%u/overlay/%s", call, fail ? "depth-fail" : "overdraw");
        picture = ask(key);
        ck_assert_int_eq(cJSON_GetArrayItem(member(picture, "max"), 0)->valueint, !fail);
        read_picture(picture, &image);
        ck_assert_uint_eq(image.width, WIDTH);
        ck_assert_uint_eq(image.height, HEIGHT);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
            ck_assert_int_eq(memcmp(image.rgba + 4 * i, fail ? "\0\0\0\0" : "\x31\x68\xdc\xc8", 4),
                             0);
        tool_image_fini(&image);
        cJSON_Delete(picture);
    }
}
END_TEST

START_TEST(keys_without_an_answer)
{
    static const struct {
        const char *key;
        enum status status;
    } cases[] = {{"event/0", ST_NOTFOUND},
                 {"mesh/999999", ST_NOTFOUND},
                 {"shader/0", ST_NOTFOUND},
                 {"resource/999/end/0/0/0", ST_NOTFOUND},
                 {"resource/3/end/9/0/0", ST_NOTFOUND},
                 {"resource/3/end/0/99/0", ST_NOTFOUND},
                 {"resource/3/end/0/0/7", ST_NOTFOUND},
                 {"resource/3/end/0/0", ST_INVALID},
                 {"event/0/overlay/overdraw", ST_NOTFOUND},
                 {"event/0/overlay/none", ST_INVALID},
                 {"event/x/overlay/overdraw", ST_INVALID},
                 {"event/x", ST_INVALID},
                 {"event/1/2", ST_INVALID},
                 {"event", ST_INVALID},
                 {"", ST_INVALID},
                 {"../frame", ST_INVALID},
                 {"frame?", ST_INVALID},
                 {"event/99999999999999999999", ST_INVALID}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct frame_walk *walk;
        cJSON *answer;

        ck_assert_int_eq(frame_walk_open(&walk, "test", path, 1), TOOL_OK);
        ck_assert_msg(frame_answer(walk, folder, cases[i].key, &answer) == cases[i].status, "%s",
                      cases[i].key);
        ck_assert_ptr_null(answer);
        frame_walk_close(walk);
    }
}
END_TEST

START_TEST(pictures_that_cannot_be_written)
{
    struct frame_walk *walk;
    char key[FRAME_KEY];
    cJSON *answer;

    snprintf(key, sizeof(key), "event/%u", (unsigned)call_of("draw", 0));
    ck_assert_int_eq(frame_walk_open(&walk, "test", path, 1), TOOL_OK);
    ck_assert_int_eq(frame_answer(walk, in_folder("missing"), key, &answer), ST_IO);
    ck_assert_int_eq(errno, ENOENT);
    frame_walk_close(walk);
}
END_TEST

/* --- Files ------------------------------------------------------------------------------------ */

/* Every data file is a call with its own key; the answer is the one that frame_answer gives. */
static void check_file(const char *key)
{
    char name[160], begin[160];
    cJSON *stored, *answer = ask(key);
    uint8_t *bytes;
    size_t n;

    snprintf(name, sizeof(name), "out/data/%s.js", key);
    snprintf(begin, sizeof(begin), "answer(\"%s\", ", key);
    ck_assert_int_eq(tool_file_read(in_folder(name), &bytes, &n), ST_OK);
    ck_assert_int_eq(strncmp((char *)bytes, begin, strlen(begin)), 0);
    ck_assert_str_eq((char *)bytes + n - 3, ");\n");
    bytes[n - 3] = 0;
    stored = cJSON_Parse((char *)bytes + strlen(begin));
    ck_assert_ptr_nonnull(stored);
    ck_assert(cJSON_Compare(stored, answer, true));
    cJSON_Delete(stored);
    cJSON_Delete(answer);
    mem_free(bytes);
}

START_TEST(a_frame_becomes_files)
{
    char out[64], key[FRAME_KEY];

    path_in_folder(out, "out");
    run_command(tool_frame, TOOL_OK, 6, (char *[]){"frame", path, "--frame", "1", "-o", out, NULL});
    check_file("frame");
    check_file("resources");
    ck_assert_int_eq(access(in_folder("out/data/costs.js"), R_OK), 0); /* times differ */
    snprintf(key, sizeof(key), "mesh/%u", (unsigned)call_of("draw", 1));
    check_file(key);
    ck_assert_int_eq(access(in_folder("out/frame.json"), R_OK), 0);
    ck_assert_int_eq(access(in_folder("out/index.html"), R_OK), 0);
}
END_TEST

START_TEST(a_full_disk_is_reported)
{
    char out[64];
    const char *said;

    if (access("/dev/full", W_OK) != 0)
        return;
    path_in_folder(out, "out");
    mkdir(out, 0777);
    ck_assert_int_eq(symlink("/dev/full", in_folder("out/frame.json")), 0);
    said = run_command(tool_frame, TOOL_ERROR, 6,
                       (char *[]){"frame", path, "--frame", "1", "-o", out, NULL});
    ck_assert_ptr_nonnull(strstr(said, "not all files could be written"));
    ck_assert_ptr_nonnull(strstr(said, "No space left"));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame/answer");
    TCase *tc = tcase_create("frame/answer");

    setenv("NOVEM_SINK", "none", 1);
    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_frame_lists_events_passes_and_markers);
    tcase_add_test(tc, a_draw_tells_its_states);
    tcase_add_test(tc, a_draw_tells_its_constants_by_name);
    tcase_add_test(tc, a_draw_tells_its_streams_and_arguments);
    tcase_add_test(tc, targets_have_pictures_before_and_after);
    tcase_add_test(tc, levels_have_pictures_after_any_call);
    tcase_add_test(tc, meshes_have_vertices_before_and_after);
    tcase_add_test(tc, resources_tell_who_wrote_and_who_read);
    tcase_add_test(tc, shaders_have_lines_and_draws);
    tcase_add_test(tc, costs_count_each_draw);
    tcase_add_test(tc, overlays_are_pictures);
    tcase_add_test(tc, keys_without_an_answer);
    tcase_add_test(tc, pictures_that_cannot_be_written);
    tcase_add_test(tc, a_frame_becomes_files);
    tcase_add_test(tc, a_full_disk_is_reported);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
