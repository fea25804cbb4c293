/* Reader of apitrace streams: events, values, signatures, damage. */
#include "check_main.h"
#include "stream.h"

#include "trace/trace.h"
#include "util/alloc.h"

#include <inttypes.h>

static struct trace_error error;

static struct trace_reader *open_packed(const struct stream *packed)
{
    struct trace_reader *reader = NULL;

    ck_assert_msg(trace_open_memory(&reader, packed->bytes, packed->n, &error) == ST_OK, "%s",
                  error.text);
    return reader;
}

/* The tests keep stream and file alive until the reader is closed. */
static struct stream packed;

static struct trace_reader *open_stream(struct stream *s)
{
    packed = pack_snappy(s, 1 << 20);
    return open_packed(&packed);
}

static void done(struct trace_reader *reader, struct stream *s)
{
    trace_close(reader);
    free(s->bytes);
    free(packed.bytes);
    packed = (struct stream){0};
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static const struct trace_call *next(struct trace_reader *reader)
{
    const struct trace_call *call = NULL;
    enum status st = trace_next(reader, &call);

    ck_assert_msg(st == ST_OK, "%s", trace_reader_error(reader)->text);
    return call;
}

static const char *const two_args[] = {"a", "b", NULL};

START_TEST(reads_a_call)
{
    struct stream s = {0};
    struct trace_reader *reader;
    const struct trace_call *call;
    const char *name, *value;

    put_header(&s);
    put_enter(&s, 3, 501, "Direct3DCreate9", two_args);
    put_arg(&s, 1);
    put_uint(&s, 32);
    put_end(&s);
    put_leave(&s, 0);
    put_arg(&s, 0);
    put_uint(&s, 7);
    put_ret(&s);
    put_opaque(&s, 0x36dd30);
    put_end(&s);
    reader = open_stream(&s);
    ck_assert_uint_eq(trace_version(reader), 6);
    ck_assert_str_eq(trace_container_name(reader), "snappy");
    ck_assert(trace_property(reader, 0, &name, &value));
    ck_assert_str_eq(name, "process.name");
    ck_assert_str_eq(value, "test");
    ck_assert(!trace_property(reader, 1, &name, &value));
    call = next(reader);
    ck_assert_str_eq(call->function->name, "Direct3DCreate9");
    ck_assert_str_eq(call->function->args[1], "b");
    ck_assert_uint_eq(call->number, 0);
    ck_assert_uint_eq(call->thread, 3);
    ck_assert_uint_eq(call->argc, 2);
    ck_assert(call->complete);
    ck_assert_uint_eq(trace_number(&call->args[0]), 7);
    ck_assert_uint_eq(trace_number(&call->args[1]), 32);
    ck_assert_int_eq(call->ret.kind, TRACE_OPAQUE);
    ck_assert_uint_eq(call->ret.u.uint, 0x36dd30);
    ck_assert_ptr_null(next(reader));
    ck_assert_ptr_null(next(reader));
    done(reader, &s);
}
END_TEST

/* A call "f" whose only argument is the value that follows. */
static void put_call_head(struct stream *s)
{
    static const char *const args[] = {"x", NULL};

    put_header(s);
    put_enter(s, 0, 0, "f", args);
    put_arg(s, 0);
}

static void put_call_tail(struct stream *s)
{
    put_end(s);
    put_leave(s, 0);
    put_end(s);
}

static void put_enum_sig(struct stream *s, unsigned id)
{
    put_var(s, id);
    put_var(s, 2);
    put_text(s, "ZERO");
    put(s, 4);
    put_var(s, 0);
    put_text(s, "FAIL");
    put(s, 3);
    put_var(s, 5);
}

/* One array with a value of every kind. */
static void put_all_kinds(struct stream *s)
{
    const double real = 0.1;
    const uint32_t denormal = 1;

    put(s, 0x0b);
    put_var(s, 17);
    put(s, 0x00);
    put(s, 0x01);
    put(s, 0x02);
    put(s, 0x03); /* -2^31 */
    put_var(s, 0x80000000u);
    put_uint(s, UINT64_MAX);
    put(s, 0x05); /* floats are stored as bits */
    put_bytes(s, &denormal, 4);
    put(s, 0x06);
    put_bytes(s, &real, 8);
    put(s, 0x07);
    put_text(s, "te\"xt");
    put_blob(s, "\1\2\3", 3);
    put(s, 0x09);
    put_enum_sig(s, 1);
    put(s, 3);
    put_var(s, 5);
    put(s, 0x09); /* the same enum again; the value is outside its table */
    put_var(s, 1);
    put(s, 4);
    put_var(s, 99);
    put(s, 0x0a); /* bitmasks and enums have separate ids */
    put_var(s, 1);
    put_var(s, 1);
    put_text(s, "BIT");
    put_var(s, 4);
    put_var(s, 6);
    put(s, 0x0c); /* struct 1, with members */
    put_var(s, 1);
    put_text(s, "POINT");
    put_var(s, 2);
    put_text(s, "x");
    put_text(s, "y");
    put_uint(s, 10);
    put(s, 0x03);
    put_var(s, 20);
    put(s, 0x0c);
    put_var(s, 1);
    put_uint(s, 30);
    put_uint(s, 40);
    put_opaque(s, 0xabcdef0123456789u);
    put(s, 0x0e);
    put(s, 0x07);
    put_text(s, "ps_1_1");
    put_blob(s, "code", 4);
    put(s, 0x0f);
    put_var(s, 2);
    put_var(s, 'W');
    put_var(s, 0x20ac);
}

START_TEST(reads_every_kind)
{
    struct stream s = {0};
    struct trace_reader *reader;
    const struct trace_value *v;
    const struct trace_call *call;

    put_call_head(&s);
    put_all_kinds(&s);
    put_call_tail(&s);
    reader = open_stream(&s);
    call = next(reader);
    ck_assert_int_eq(call->ret.kind, TRACE_MISSING);
    ck_assert_int_eq(call->args[0].kind, TRACE_ARRAY);
    ck_assert_uint_eq(call->args[0].count, 17);
    v = call->args[0].u.items;
    ck_assert_int_eq(v[0].kind, TRACE_NULL);
    ck_assert_int_eq(v[1].kind, TRACE_BOOL);
    ck_assert_uint_eq(v[1].u.uint, 0);
    ck_assert_uint_eq(v[2].u.uint, 1);
    ck_assert_int_eq(v[3].kind, TRACE_SINT);
    ck_assert_int_eq(v[3].u.sint, INT32_MIN);
    ck_assert_uint_eq(v[4].u.uint, UINT64_MAX);
    ck_assert_int_eq(v[5].kind, TRACE_FLOAT);
    ck_assert_uint_eq(v[5].u.float_bits, 1);
    ck_assert_double_eq(v[6].u.real, 0.1);
    ck_assert_str_eq(v[7].u.text, "te\"xt");
    ck_assert_uint_eq(v[7].count, 5);
    ck_assert_int_eq(v[8].kind, TRACE_BLOB);
    ck_assert_mem_eq(v[8].u.bytes, "\1\2\3", 3);
    ck_assert_int_eq(v[9].u.sint, -5);
    ck_assert_str_eq(v[9].names->entries[1].name, "FAIL");
    ck_assert_int_eq(v[9].names->entries[1].value, -5);
    ck_assert_int_eq(v[10].u.sint, 99);
    ck_assert_ptr_eq(v[10].names, v[9].names);
    ck_assert_uint_eq(v[11].u.uint, 6);
    ck_assert_str_eq(v[11].names->entries[0].name, "BIT");
    ck_assert_str_eq(v[12].type->name, "POINT");
    ck_assert_int_eq(v[12].u.items[1].u.sint, -20);
    ck_assert_ptr_eq(v[13].type, v[12].type);
    ck_assert_uint_eq(v[13].u.items[0].u.uint, 30);
    ck_assert_uint_eq(v[14].u.uint, 0xabcdef0123456789u);
    ck_assert_int_eq(v[15].kind, TRACE_REPR);
    ck_assert_str_eq(v[15].u.items[0].u.text, "ps_1_1");
    ck_assert_mem_eq(v[15].u.items[1].u.bytes, "code", 4);
    ck_assert_int_eq(v[16].kind, TRACE_WSTRING);
    ck_assert_uint_eq(v[16].u.units[1], 0x20ac);
    done(reader, &s);
}
END_TEST

/* Chunk ends may split the stream anywhere, inside numbers and blobs too. */
START_TEST(chunks_may_end_anywhere)
{
    struct stream s = {0}, cut;
    struct trace_reader *reader;
    const struct trace_call *call;

    put_call_head(&s);
    put_all_kinds(&s);
    put_call_tail(&s);
    cut = pack_snappy(&s, (size_t)_i);
    reader = open_packed(&cut);
    call = next(reader);
    ck_assert_mem_eq(call->args[0].u.items[8].u.bytes, "\1\2\3", 3);
    ck_assert_uint_eq(call->args[0].u.items[14].u.uint, 0xabcdef0123456789u);
    ck_assert_ptr_null(next(reader));
    free(cut.bytes);
    done(reader, &s);
}
END_TEST

START_TEST(signatures_are_spelt_out_once)
{
    struct stream s = {0};
    struct trace_reader *reader;
    const struct trace_function *f, *g;

    put_header(&s);
    put_enter(&s, 0, 4, "f", two_args);
    put_end(&s);
    put_leave(&s, 0);
    put_end(&s);
    put_enter(&s, 0, 900, "g", NULL);
    put_end(&s);
    put_leave(&s, 1);
    put_end(&s);
    put_enter(&s, 0, 4, NULL, NULL);
    put_end(&s);
    put_leave(&s, 2);
    put_end(&s);
    reader = open_stream(&s);
    f = next(reader)->function;
    g = next(reader)->function;
    ck_assert_uint_eq(f->index, 0);
    ck_assert_uint_eq(g->index, 1);
    ck_assert_uint_eq(g->argc, 0);
    ck_assert_ptr_eq(next(reader)->function, f);
    done(reader, &s);
}
END_TEST

/* Calls are delivered in the order of their returns; calls without return come last, marked. */
START_TEST(threads_interleave)
{
    static const uint64_t order[] = {1, 0, 3, 2};
    struct stream s = {0};
    struct trace_reader *reader;
    const struct trace_call *call;

    put_header(&s);
    put_enter(&s, 0, 0, "f", two_args); /* 0 */
    put_arg(&s, 0);
    put_uint(&s, 100);
    put_end(&s);
    put_enter(&s, 1, 0, NULL, NULL); /* 1 */
    put_end(&s);
    put_leave(&s, 1);
    put_end(&s);
    put_enter(&s, 1, 0, NULL, NULL); /* 2: no leave event */
    put_arg(&s, 1);
    put_uint(&s, 9);
    put_end(&s);
    put_leave(&s, 0);
    put_ret(&s);
    put_uint(&s, 1);
    put_end(&s);
    put_enter(&s, 0, 0, NULL, NULL); /* 3 */
    put_end(&s);
    put_leave(&s, 3);
    put_end(&s);
    reader = open_stream(&s);
    for (int i = 0; i < 4; i++) {
        call = next(reader);
        ck_assert_uint_eq(call->number, order[i]);
        ck_assert_int_eq(call->complete, i < 3);
        ck_assert_uint_eq(call->thread, order[i] == 1 || order[i] == 2);
    }
    ck_assert_uint_eq(trace_number(&call->args[1]), 9);
    ck_assert_int_eq(call->args[0].kind, TRACE_MISSING);
    ck_assert_ptr_null(next(reader));
    done(reader, &s);
}
END_TEST

START_TEST(flags_and_stacks)
{
    struct stream s = {0};
    struct trace_reader *reader;
    const struct trace_call *call;

    put_header(&s);
    put_enter(&s, 0, 0, "memcpy", NULL);
    put(&s, 5);
    put_var(&s, 1);
    put(&s, 4); /* a stack with the same frame twice */
    put_var(&s, 2);
    put_var(&s, 8);
    put(&s, 1);
    put_text(&s, "game.exe");
    put(&s, 2);
    put_text(&s, "main");
    put(&s, 3);
    put_text(&s, "main.c");
    put(&s, 4);
    put_var(&s, 42);
    put(&s, 5);
    put_var(&s, 0x1000);
    put(&s, 0);
    put_var(&s, 8);
    put_end(&s);
    put_leave(&s, 0);
    put_end(&s);
    reader = open_stream(&s);
    call = next(reader);
    ck_assert_uint_eq(call->flags, TRACE_FAKE);
    ck_assert_uint_eq(call->frame_count, 2);
    ck_assert_ptr_eq(call->frames[0], call->frames[1]);
    ck_assert_str_eq(call->frames[0]->function, "main");
    ck_assert_int_eq(call->frames[0]->line, 42);
    ck_assert_int_eq(call->frames[0]->offset, 0x1000);
    done(reader, &s);
}
END_TEST

START_TEST(older_versions_have_no_header)
{
    struct stream s = {0};
    struct trace_reader *reader;

    put_var(&s, (uint64_t)_i);
    put_enter(&s, 2, 0, "f", NULL);
    put_end(&s);
    put_leave(&s, 0);
    put_end(&s);
    reader = open_stream(&s);
    ck_assert_uint_eq(trace_version(reader), (unsigned)_i);
    ck_assert_uint_eq(next(reader)->thread, 2);
    done(reader, &s);
}
END_TEST

static void refuses(struct stream *s, enum status st, const char *words)
{
    struct stream file = pack_snappy(s, 1 << 20);
    struct trace_reader *reader = NULL;

    ck_assert_int_eq(trace_open_memory(&reader, file.bytes, file.n, &error), st);
    ck_assert_ptr_null(reader);
    ck_assert_msg(strstr(error.text, words), "%s", error.text);
    ck_assert_int_eq(mem_live_blocks(), 0);
    free(file.bytes);
    free(s->bytes);
}

START_TEST(refuses_other_versions)
{
    static const unsigned versions[] = {0, 3, 7, 100};
    struct stream s = {0};

    put_var(&s, versions[_i]);
    put_enter(&s, 0, 0, "f", NULL);
    refuses(&s, ST_UNSUPPORTED, "version");
}
END_TEST

START_TEST(refuses_a_newer_semantic_version)
{
    struct stream s = {0};

    put_var(&s, 6);
    put_var(&s, 7);
    put_text(&s, "");
    refuses(&s, ST_UNSUPPORTED, "semantic version");
}
END_TEST

START_TEST(refuses_other_files)
{
    struct trace_reader *reader = NULL;

    ck_assert_int_ne(trace_open_memory(&reader, "", 0, &error), ST_OK);
    ck_assert_int_ne(trace_open_memory(&reader, "\x89PNG\r\n\x1a\n", 8, &error), ST_OK);
    ck_assert_int_ne(trace_open_memory(&reader, "at", 2, &error), ST_OK);
    ck_assert_int_eq(trace_open(&reader, "/no/such/file", &error), ST_IO);
    ck_assert(strstr(error.text, "cannot be opened"));
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* --- Damage: all calls before it are delivered, then one error with its position -------------- */

/* Damage in the third call. */
static const struct {
    const char *name, *words;
    size_t n;
    const char *bytes;
} damages[] = {
    {"event", "not an event", 1, "\x77"},
    {"leave of nothing", "was not entered", 2, "\x01\x63"},
    {"leave of a returned call", "was not entered", 2, "\x01\x00"},
    {"detail", "not a tag of a call", 4, "\x00\x00\x00\x09"},
    {"value", "not a tag of a value", 6, "\x00\x00\x00\x01\x00\x10"},
    {"argument", "argument 2 of f", 6, "\x00\x00\x00\x01\x02\x00"},
    {"array", "does not fit", 11, "\x00\x00\x00\x01\x00\x0b\xff\xff\xff\xff\x0f"},
    {"array beyond 32 bits", "more than a file can hold", 11,
     "\x00\x00\x00\x01\x00\x0b\xff\xff\xff\xff\x10"},
    {"blob", "ends in the middle", 11, "\x00\x00\x00\x01\x00\x08\xff\xff\xff\xff\x0f"},
    {"string", "too long", 11, "\x00\x00\x00\x01\x00\x07\xff\xff\xff\xff\x0f"},
    {"wide string", "too long", 11, "\x00\x00\x00\x01\x00\x0f\xff\xff\xff\xff\x0f"},
    {"struct id", "not plausible", 11, "\x00\x00\x00\x01\x00\x0c\xff\xff\xff\xff\x0f"},
    {"function id", "not plausible", 7, "\x00\x00\xff\xff\xff\xff\x0f"},
    {"enum value", "signed number", 9, "\x00\x00\x00\x01\x00\x09\x05\x00\x06"},
    {"enum table", "not plausible", 10, "\x00\x00\x00\x01\x00\x09\x05\xff\xff\x7f"},
    {"number", "longer than 64 bits", 16,
     "\x00\x00\x00\x01\x00\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
    {"call stack", "not plausible", 8, "\x00\x00\x00\x04\xff\xff\xff\x01"},
    {"stack frame", "not a tag of a stack frame", 7, "\x00\x00\x00\x04\x01\x00\x09"},
    {"cut in a value", "ends in the middle", 6, "\x00\x00\x00\x01\x00\x05"},
    {"cut in an enter event", "ends in the middle", 3, "\x00\x00\x00"},
    {"cut after the event", "ends in the middle", 1, "\x00"},
};

START_TEST(damage_is_reported_with_its_position)
{
    struct stream s = {0};
    struct trace_reader *reader;
    const struct trace_call *call;
    uint64_t sound;

    put_header(&s);
    put_enter(&s, 0, 0, "f", two_args);
    put_end(&s);
    put_leave(&s, 0);
    put_end(&s);
    put_enter(&s, 0, 0, NULL, NULL);
    put_arg(&s, 1);
    put_uint(&s, 5);
    put_end(&s);
    put_leave(&s, 1);
    put_end(&s);
    sound = s.n;
    put_bytes(&s, damages[_i].bytes, damages[_i].n);
    reader = open_stream(&s);
    ck_assert_uint_eq(next(reader)->number, 0);
    ck_assert_uint_eq(trace_number(&next(reader)->args[1]), 5);
    while (trace_next(reader, &call) == ST_OK && call)
        ck_assert(!call->complete);
    ck_assert_int_eq(trace_next(reader, &call), ST_DAMAGED);
    ck_assert_msg(strstr(trace_reader_error(reader)->text, damages[_i].words), "%s: %s",
                  damages[_i].name, trace_reader_error(reader)->text);
    ck_assert_uint_ge(trace_reader_error(reader)->stream_byte, sound);
    ck_assert_uint_le(trace_reader_error(reader)->stream_byte, s.n);
    /* Offset of the chunk, or the end of the file if more bytes were expected. */
    ck_assert(trace_reader_error(reader)->file_byte == 2 ||
              trace_reader_error(reader)->file_byte == packed.n);
    done(reader, &s);
}
END_TEST

START_TEST(nesting_has_a_limit)
{
    struct stream s = {0};
    struct trace_reader *reader;
    const struct trace_call *call;

    put_call_head(&s);
    for (int i = 0; i < 100000; i++) {
        put(&s, 0x0b);
        put_var(&s, 1);
    }
    put(&s, 0);
    put_call_tail(&s);
    reader = open_stream(&s);
    while (trace_next(reader, &call) == ST_OK && call)
        ck_assert(!call->complete);
    ck_assert(strstr(trace_reader_error(reader)->text, "nested"));
    done(reader, &s);
}
END_TEST

START_TEST(open_calls_have_a_limit)
{
    struct stream s = {0};
    struct trace_reader *reader;
    const struct trace_call *call;
    unsigned n = 0;

    put_header(&s);
    put_enter(&s, 0, 0, "f", NULL);
    put_end(&s);
    for (int i = 0; i < 10000; i++) {
        put_enter(&s, 0, 0, NULL, NULL);
        put_end(&s);
    }
    reader = open_stream(&s);
    while (trace_next(reader, &call) == ST_OK && call)
        n++;
    ck_assert(strstr(trace_reader_error(reader)->text, "are open"));
    ck_assert_uint_eq(n, 4096);
    done(reader, &s);
}
END_TEST

/* With any allocation failing, the reader reports it and frees all memory. */
START_TEST(survives_failed_allocations)
{
    struct stream s = {0}, file;
    bool finished = false;

    put_call_head(&s);
    put_all_kinds(&s);
    put_call_tail(&s);
    file = pack_snappy(&s, 64);
    for (int k = 0; !finished; k++) {
        struct trace_reader *reader = NULL;
        const struct trace_call *call;
        enum status st;

        mem_fail_after(k);
        st = trace_open_memory(&reader, file.bytes, file.n, &error);
        while (st == ST_OK && (st = trace_next(reader, &call)) == ST_OK && call)
            ;
        mem_fail_after(-1);
        trace_close(reader);
        ck_assert(st == ST_OK || st == ST_NOMEM);
        ck_assert_int_eq(mem_live_blocks(), 0);
        finished = st == ST_OK;
        ck_assert_int_lt(k, 1000);
    }
    free(file.bytes);
    free(s.bytes);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("apitrace");
    TCase *tc = tcase_create("grammar");

    tcase_add_test(tc, reads_a_call);
    tcase_add_test(tc, reads_every_kind);
    tcase_add_loop_test(tc, chunks_may_end_anywhere, 1, 20);
    tcase_add_test(tc, signatures_are_spelt_out_once);
    tcase_add_test(tc, threads_interleave);
    tcase_add_test(tc, flags_and_stacks);
    tcase_add_loop_test(tc, older_versions_have_no_header, 4, 6);
    tcase_add_loop_test(tc, refuses_other_versions, 0, 4);
    tcase_add_test(tc, refuses_a_newer_semantic_version);
    tcase_add_test(tc, refuses_other_files);
    suite_add_tcase(suite, tc);
    tc = tcase_create("damage");
    tcase_add_loop_test(tc, damage_is_reported_with_its_position, 0,
                        sizeof(damages) / sizeof(damages[0]));
    tcase_add_test(tc, nesting_has_a_limit);
    tcase_add_test(tc, open_calls_have_a_limit);
    tcase_add_test(tc, survives_failed_allocations);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
