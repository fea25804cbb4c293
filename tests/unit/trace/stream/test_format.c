/* Checks that docs/formats.md describes compiled streams as the source defines them. */
#include "check_main.h"

#include "trace/stream/player.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static const char *document; /* its section on compiled streams */

static void setup(void)
{
    FILE *file = fopen("docs/formats.md", "rb");
    size_t n;

    ck_assert_msg(file, "docs/formats.md is not here: tests run in the project's folder");
    text = calloc(1, 1 << 20);
    n = fread(text, 1, (1 << 20) - 1, file);
    ck_assert_uint_gt(n, 0);
    fclose(file);
    document = strstr(text, "\n## Compiled streams");
    ck_assert_ptr_nonnull(document);
}

static void teardown(void)
{
    free(text);
}

static void __attribute__((format(printf, 1, 2))) has_row(const char *format, ...)
{
    char row[1024] = "\n";
    va_list args;

    va_start(args, format);
    vsnprintf(row + 1, sizeof(row) - 1, format, args);
    va_end(args);
    ck_assert_msg(strstr(document, row), "docs/formats.md has no row that begins:%s", row);
}

#define HAS_FIELD(record, member)                                                                  \
    has_row("| %zu-%zu | " #member " | ", offsetof(struct record, member),                         \
            offsetof(struct record, member) + sizeof(((struct record *)0)->member) - 1)

START_TEST(headers)
{
    HAS_FIELD(nvs_header, magic);
    HAS_FIELD(nvs_header, version);
    HAS_FIELD(nvs_header, reserved);
    HAS_FIELD(nvs_header, packets);
    HAS_FIELD(nvs_header, checksum);
    has_row("| 0-7 | magic | `" NVS_MAGIC "` |");
    has_row("| 8-11 | version | %u |", NVS_VERSION);
    HAS_FIELD(nvs_section, tag);
    HAS_FIELD(nvs_section, packed);
    HAS_FIELD(nvs_section, bytes);
    HAS_FIELD(nvs_section, count);
    HAS_FIELD(nvs_section, first);
    HAS_FIELD(nvs_section, checksum);
    HAS_FIELD(nvs_head, op);
    HAS_FIELD(nvs_head, flags);
    HAS_FIELD(nvs_head, stream);
    ck_assert_uint_eq(sizeof(struct nvs_header), 32);
    ck_assert_uint_eq(sizeof(struct nvs_section), 32);
    ck_assert_uint_eq(sizeof(struct nvs_head), 4);
}
END_TEST

START_TEST(tags)
{
    static const uint32_t all[] = {NVS_BLOBS, NVS_LARGE, NVS_RECORDS, NVS_INDEX, NVS_END};

    for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        has_row("| `%c%c%c%c` | ", (char)all[i], (char)(all[i] >> 8), (char)(all[i] >> 16),
                (char)(all[i] >> 24));
}
END_TEST

/* --- Records ---------------------------------------------------------------------------------- */

static const char *const kinds[] = {
    [CMD_FIELD_U32] = "u32",       [CMD_FIELD_I32] = "i32",
    [CMD_FIELD_F32] = "f32",       [CMD_FIELD_U64] = "u64",
    [CMD_FIELD_IMAGE] = "image",   [CMD_FIELD_BUFFER] = "buffer",
    [CMD_FIELD_SHADER] = "shader", [CMD_FIELD_DECLARATION] = "declaration",
    [CMD_FIELD_QUERY] = "query",   [CMD_FIELD_RESOURCE] = "resource",
};

/* Formats the fields; table rows cannot wrap, so long lists continue in rows with empty cells. */
static void put_fields(char *to, size_t room, const struct nvs_op_info *info)
{
    enum { ROW_CHARACTERS = 70 };
    size_t n = 0, in_row = 0;

    *to = 0;
    for (unsigned i = 0; i < info->n_fields; i++) {
        const struct cmd_field *f = &info->field[i];
        char field[64];
        size_t length = (size_t)snprintf(field, sizeof(field), "`%s` %s", f->name, kinds[f->kind]);
        const char *separator = "";

        if (f->count > 1)
            length += (size_t)snprintf(field + length, sizeof(field) - length, "[%u]", f->count);
        if (i)
            separator = in_row + length > ROW_CHARACTERS ? ", |\n| | | | " : ", ";
        in_row = strchr(separator, '\n') ? length : in_row + strlen(separator) + length;
        n += (size_t)snprintf(to + n, room - n, "%s%s", separator, field);
    }
}

START_TEST(records)
{
    unsigned expected = 0, rows = 0;
    const char *section, *end;

    for (unsigned op = 0; op < NVS_OPS; op++) {
        struct nvs_op_info info;
        char fields[800];

        if (!nvs_op_info(op, &info))
            continue;
        put_fields(fields, sizeof(fields), &info);
        has_row("| %u | `%s` | %zu | %s |\n", op, info.name, info.bytes, fields);
        expected++;
    }
    section = strstr(document, "\n## Compiled streams");
    ck_assert_ptr_nonnull(section);
    end = strstr(section + 1, "\n## ");
    for (const char *at = section; (at = strstr(at, "\n| ")) && (!end || at < end); at += 3)
        rows += at[3] >= '0' && at[3] <= '9' && strstr(at + 3, " | `") == strchr(at + 3, ' ');
    ck_assert_uint_eq(rows, expected); /* no other rows */
}
END_TEST

/* The fields of the file's own records cover them, as tests/unit/cmd/test_fields.c checks for
 * packets. */
START_TEST(fields_cover_records)
{
    for (unsigned op = CMD_OP_COUNT; op < NVS_OPS; op++) {
        struct nvs_op_info info;
        size_t at = 0;

        if (!nvs_op_info(op, &info))
            continue;
        for (unsigned i = 0; i < info.n_fields; i++) {
            ck_assert_msg(info.field[i].offset == at, "%s.%s", info.name, info.field[i].name);
            at += 4;
        }
        ck_assert_msg(at == info.bytes, "%s", info.name);
    }
}
END_TEST

/* --- Limits ----------------------------------------------------------------------------------- */

static void limit(const char *what, uint64_t bytes)
{
    if (bytes % (UINT64_C(1) << 30) == 0)
        has_row("| %s | %" PRIu64 " GiB |\n", what, bytes >> 30);
    else if (bytes % (1 << 20) == 0)
        has_row("| %s | %" PRIu64 " MiB |\n", what, bytes >> 20);
    else
        has_row("| %s | %" PRIu64 " KiB |\n", what, bytes >> 10);
}

START_TEST(limits)
{
    has_row("| a section unpacks to | %u times its packed bytes |\n", NVS_RATIO);
    limit("a section of records or blobs unpacks to", NVS_SECTION_MAX);
    limit("any section unpacks to", NVS_LARGE_MAX);
    limit("unpacked blobs that are kept for later use", NVS_BLOB_CACHE_BYTES);
    limit("live objects: in any case", NVS_MEMORY_BASE);
    has_row("| live objects: for each byte of the file | %" PRIu64 " bytes |\n", NVS_MEMORY_FACTOR);
    limit("live objects: together", NVS_MEMORY_MAX);
    limit("size charged for a stream", NVS_STREAM_BYTES);
    limit("size charged for a resource, besides its contents", NVS_OVERHEAD);
    has_row("| size charged for a byte of shader code | %u bytes |\n", NVS_SHADER_FACTOR);
    has_row("| streams | %u |\n", NVS_STREAMS);
    has_row("| primitives of a draw, or instances, beyond those that buffers hold | %u |\n",
            NVS_EXTRA_PRIMITIVES);
    has_row("| vertices of all instances of a draw | 2^%d |\n", __builtin_ctz(NVS_MAX_VERTICES));
    has_row("| pixels of all rectangles of a clear | 2^%d |\n", __builtin_ctzll(NVS_MAX_CLEARED));
    ck_assert_uint_eq(NVS_OWN_SECTION_BYTES, 64 << 10);
    ck_assert_uint_eq(NVS_INLINE_BYTES, 64);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("the description of compiled streams");
    TCase *tests = tcase_create("docs/formats.md");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, headers);
    tcase_add_test(tests, tags);
    tcase_add_test(tests, records);
    tcase_add_test(tests, fields_cover_records);
    tcase_add_test(tests, limits);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
