/* Tests the field table of command packets: the fields cover each packet in order without gaps, and
 * every handle has the use that the packet's executor makes of the resource. */
#include "check_main.h"

#include "cmd/cmd.h"

#include <string.h>

START_TEST(fields_cover_packets)
{
    unsigned n;
    const struct cmd_field *field = cmd_fields(_i, &n);
    size_t at = 0;

    for (unsigned i = 0; i < n; i++) {
        ck_assert_msg(field[i].offset == at, "%s.%s is at %u, not at %zu", cmd_name(_i),
                      field[i].name, field[i].offset, at);
        at += (size_t)field[i].count * (field[i].kind == CMD_FIELD_U64 ? 8 : 4);
    }
    ck_assert_msg(at == cmd_packet_bytes(_i), "%s: fields end at %zu of %zu", cmd_name(_i), at,
                  cmd_packet_bytes(_i));
}
END_TEST

/* The uses of all handles, and of the bound resources (field NULL). */
static const struct {
    enum cmd_op op;
    const char *field;
    enum cmd_field_use use;
} expected[] = {
    {CMD_SET_TEXTURE, "image", CMD_USE_BIND_TEXTURE},
    {CMD_SET_TEXTURE_LOD, "image", CMD_USE_NAME},
    {CMD_SET_STREAM, "buffer", CMD_USE_BIND_STREAM},
    {CMD_SET_INDICES, "buffer", CMD_USE_BIND_INDICES},
    {CMD_SET_DECLARATION, "declaration", CMD_USE_NAME},
    {CMD_SET_SHADER, "shader", CMD_USE_NAME},
    {CMD_SET_TARGET, "surface.image", CMD_USE_BIND_TARGET},
    {CMD_CLEAR, NULL, CMD_USE_BOUND_WRITE},
    {CMD_DRAW, NULL, CMD_USE_BOUND_MODIFY},
    {CMD_DRAW_UP, NULL, CMD_USE_BOUND_MODIFY},
    {CMD_DRAW_PATCH, NULL, CMD_USE_BOUND_MODIFY},
    {CMD_DRAW_PATCH, "declaration", CMD_USE_NAME},
    {CMD_PROCESS_VERTICES, NULL, CMD_USE_BOUND_READ},
    {CMD_PROCESS_VERTICES, "dst_buffer", CMD_USE_WRITE},
    {CMD_PROCESS_VERTICES, "declaration", CMD_USE_NAME},
    {CMD_COPY, "dst.image", CMD_USE_WRITE_LEVEL},
    {CMD_COPY, "src.image", CMD_USE_READ_LEVEL},
    {CMD_STRETCH, "dst.image", CMD_USE_WRITE_LEVEL},
    {CMD_STRETCH, "src.image", CMD_USE_READ_LEVEL},
    {CMD_FILL, "dst.image", CMD_USE_WRITE_LEVEL},
    {CMD_GENERATE_MIPS, "image", CMD_USE_MODIFY},
    {CMD_BEGIN_QUERY, "query", CMD_USE_NAME},
    {CMD_END_QUERY, "query", CMD_USE_RESULT},
    {CMD_PRESENT, "image", CMD_USE_READ},
    {CMD_DESTROY, "handle", CMD_USE_DESTROY},
    {CMD_SET_BACKING, "handle", CMD_USE_NAME},
    {CMD_TOUCH, "image", CMD_USE_NAME},
    {CMD_WRITE_BUFFER, "buffer", CMD_USE_UPLOAD},
    {CMD_WRITE_IMAGE, "dst.image", CMD_USE_UPLOAD_LEVEL},
    {CMD_COMPOSE_RECTS, "dst.image", CMD_USE_MODIFY},
    {CMD_COMPOSE_RECTS, "src.image", CMD_USE_READ_LEVEL},
    {CMD_COMPOSE_RECTS, "src_rects", CMD_USE_READ},
    {CMD_COMPOSE_RECTS, "dst_rects", CMD_USE_READ},
};

static unsigned expected_use(enum cmd_op op, const char *field)
{
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        if (expected[i].op == op && !expected[i].field == !field &&
            (!field || !strcmp(expected[i].field, field)))
            return expected[i].use;
    return CMD_USE_NONE;
}

/* The handles are the fields of these kinds, and each has its use. */
START_TEST(handles_have_uses)
{
    unsigned n, uses = expected_use(_i, NULL);
    const struct cmd_field *field = cmd_fields(_i, &n);
    const struct cmd_handle_field *handle = cmd_handles(_i);

    for (unsigned i = 0; i < n; i++) {
        unsigned use = expected_use(_i, field[i].name);

        if (field[i].kind < CMD_FIELD_IMAGE)
            continue;
        ck_assert_msg(use != CMD_USE_NONE, "%s.%s has no use", cmd_name(_i), field[i].name);
        ck_assert_msg(handle->use == use, "%s.%s: use %u", cmd_name(_i), field[i].name,
                      handle->use);
        ck_assert_uint_eq(handle->offset, field[i].offset);
        ck_assert_int_eq(handle->kind, field[i].kind == CMD_FIELD_RESOURCE
                                           ? CMD_FREE
                                           : CMD_IMAGE + field[i].kind - CMD_FIELD_IMAGE);
        uses |= handle++->use;
    }
    ck_assert_uint_eq(handle->use, CMD_USE_NONE);
    ck_assert_msg(cmd_uses(_i) == uses, "%s: uses %u", cmd_name(_i), cmd_uses(_i));
}
END_TEST

/* Where a slot has a number, it is the first word; a level is named by a struct cmd_surface. */
START_TEST(uses_rely_on_the_layout)
{
    unsigned n;
    const struct cmd_field *field = cmd_fields(_i, &n);

    if (cmd_uses(_i) & CMD_USE_BIND && !(cmd_uses(_i) & CMD_USE_BIND_INDICES))
        ck_assert_msg(field[0].kind == CMD_FIELD_U32, "%s: no slot", cmd_name(_i));
    for (unsigned i = 0; i < n; i++) {
        if (field[i].kind < CMD_FIELD_IMAGE || !(expected_use(_i, field[i].name) & CMD_USE_LEVEL))
            continue;
        ck_assert_uint_lt(i + 2, n);
        ck_assert_ptr_nonnull(strstr(field[i].name, ".image"));
        ck_assert_ptr_nonnull(strstr(field[i + 1].name, ".face"));
        ck_assert_ptr_nonnull(strstr(field[i + 2].name, ".level"));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("fields of packets");
    TCase *tests = tcase_create("fields");

    tcase_add_loop_test(tests, fields_cover_packets, 0, CMD_OP_COUNT);
    tcase_add_loop_test(tests, handles_have_uses, 0, CMD_OP_COUNT);
    tcase_add_loop_test(tests, uses_rely_on_the_layout, 0, CMD_OP_COUNT);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
