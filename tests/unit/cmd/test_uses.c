/* Tests what packets read, write and bind: slots of bindings, accesses, and boxes of copies. */
#include "check_main.h"

#include "cmd/cmd.h"

#include <stdio.h>

static struct cmd_bindings bindings;

static void setup(void)
{
    bindings = (struct cmd_bindings){
        .texture = {[3] = 30, [20] = 31}, .stream = {[1] = 40}, .indices = 50, .target = {60}};
    bindings.target[CMD_DEPTH_TARGET] = 61;
}

START_TEST(bindings_follow_packets)
{
    struct cmd_bindings now = {0};

    cmd_bindings_update(&now, CMD_SET_TEXTURE, &(struct cmd_set_texture){3, 30});
    cmd_bindings_update(&now, CMD_SET_TEXTURE, &(struct cmd_set_texture){20, 31});
    cmd_bindings_update(&now, CMD_SET_TEXTURE, &(struct cmd_set_texture){CMD_SAMPLERS, 1});
    cmd_bindings_update(&now, CMD_SET_STREAM, &(struct cmd_set_stream){.stream = 1, .buffer = 40});
    cmd_bindings_update(&now, CMD_SET_INDICES, &(struct cmd_set_indices){50, 2});
    cmd_bindings_update(&now, CMD_SET_TARGET, &(struct cmd_set_target){0, {60, 0, 0}});
    cmd_bindings_update(&now, CMD_SET_TARGET,
                        &(struct cmd_set_target){CMD_DEPTH_TARGET, {61, 0, 0}});
    cmd_bindings_update(&now, CMD_FILL, &(struct cmd_fill){.dst = {7, 0, 0}});
    ck_assert_mem_eq(&now, &bindings, sizeof(now));
    cmd_bindings_update(&now, CMD_SET_STREAM, &(struct cmd_set_stream){.stream = 1});
    ck_assert_uint_eq(now.stream[1], 0);
}
END_TEST

START_TEST(destroyed_resources_leave_all_slots)
{
    static const cmd_handle handles[] = {30, 31, 40, 50, 60, 61};
    static const struct cmd_bindings none;

    bindings.texture[0] = 60; /* a target as a texture */
    for (size_t i = 0; i < sizeof(handles) / sizeof(handles[0]); i++)
        cmd_bindings_update(&bindings, CMD_DESTROY, &(struct cmd_destroy){handles[i]});
    ck_assert_mem_eq(&bindings, &none, sizeof(none));
}
END_TEST

/* "r30" reads resource 30, "w" writes, "m" does both; ".2.1" is face 2 of level 1, "[3]" a slot. */
static void print(char *text, const struct cmd_access *access, unsigned n)
{
    text[0] = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct cmd_access *a = &access[i];

        text += sprintf(text, "%s%c%u", i ? " " : "",
                        a->read && a->write ? 'm'
                        : a->read           ? 'r'
                                            : 'w',
                        a->handle);
        if (a->surface)
            text += sprintf(text, ".%u.%u", a->surface->face, a->surface->level);
        if (a->bound)
            text += sprintf(text, "[%u]", a->index);
    }
}

static const struct {
    enum cmd_op op;
    const char *accesses;
    union {
        struct cmd_draw draw;
        struct cmd_process_vertices process;
        struct cmd_copy copy;
        struct cmd_stretch stretch;
        struct cmd_fill fill;
        struct cmd_generate_mips mips;
        struct cmd_present present;
        struct cmd_touch touch;
    } packet;
} rows[] = {
    {CMD_DRAW, "r30[3] r31[20] r40[1] r50[0] m60[0] m61[4]", {{0}}},
    {CMD_DRAW_UP, "r30[3] r31[20] r40[1] r50[0] m60[0] m61[4]", {{0}}},
    {CMD_DRAW_PATCH, "r30[3] r31[20] r40[1] r50[0] m60[0] m61[4]", {{0}}},
    {CMD_CLEAR, "w60[0] w61[4]", {{0}}},
    {CMD_PROCESS_VERTICES, "w9 r30[3] r31[20] r40[1] r50[0]", {.process = {.dst_buffer = 9}}},
    {CMD_COPY, "w5.1.2 r6.3.4", {.copy = {.dst = {5, 1, 2}, .src = {6, 3, 4}}}},
    {CMD_STRETCH, "w5.1.2 r6.3.4", {.stretch = {.dst = {5, 1, 2}, .src = {6, 3, 4}}}},
    {CMD_FILL, "w5.1.2", {.fill = {.dst = {5, 1, 2}}}},
    {CMD_GENERATE_MIPS, "m5", {.mips = {.image = 5}}},
    {CMD_PRESENT, "r60", {.present = {.image = 60}}},
    {CMD_PRESENT, "", {.present = {.image = 0}}},
    {CMD_TOUCH, "", {.touch = {.image = 60}}},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

START_TEST(packets_have_accesses)
{
    struct cmd_access access[CMD_MAX_ACCESSES];
    char text[256];

    print(text, access, cmd_accesses(rows[_i].op, &rows[_i].packet, &bindings, access));
    ck_assert_str_eq(text, rows[_i].accesses);
}
END_TEST

START_TEST(full_bindings_fit)
{
    struct cmd_access access[CMD_MAX_ACCESSES];
    const struct cmd_process_vertices process = {.dst_buffer = 1};

    for (size_t i = 0; i < sizeof(bindings) / sizeof(cmd_handle); i++)
        ((cmd_handle *)&bindings)[i] = 1;
    ck_assert_uint_eq(cmd_accesses(CMD_DRAW, &(struct cmd_draw){0}, &bindings, access),
                      CMD_MAX_ACCESSES - 2);
    ck_assert_uint_le(cmd_accesses(CMD_PROCESS_VERTICES, &process, &bindings, access),
                      CMD_MAX_ACCESSES);
}
END_TEST

START_TEST(copies_have_boxes)
{
    const struct cmd_copy copy = {.x = 10, .y = 20, .z = 30, .box = {1, 2, 3, 5, 7, 9}};
    const struct cmd_stretch stretch = {.dst_box = {1, 2, 3, 4, 5, 6}};
    const struct cmd_fill fill = {.box = {1, 2, 3, 4, 5, 6}};
    const struct cmd_box moved = {10, 20, 30, 14, 25, 36};
    struct cmd_box box;

    ck_assert(cmd_written_box(CMD_COPY, &copy, &box));
    ck_assert_mem_eq(&box, &moved, sizeof(box));
    ck_assert(cmd_written_box(CMD_STRETCH, &stretch, &box));
    ck_assert_mem_eq(&box, &stretch.dst_box, sizeof(box));
    ck_assert(cmd_written_box(CMD_FILL, &fill, &box));
    ck_assert_mem_eq(&box, &fill.box, sizeof(box));
    ck_assert(!cmd_written_box(CMD_GENERATE_MIPS, &(struct cmd_generate_mips){0}, &box));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("uses of packets");
    TCase *tests = tcase_create("uses");

    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, bindings_follow_packets);
    tcase_add_test(tests, destroyed_resources_leave_all_slots);
    tcase_add_loop_test(tests, packets_have_accesses, 0, ROWS);
    tcase_add_test(tests, full_bindings_fit);
    tcase_add_test(tests, copies_have_boxes);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
