/* HLSL through the library vkd3d-shader: a stand-in checks the loading, what it is given, and its
 * messages; the real one compiles where it is installed. */
#include "unit/tool/command.h"

#include "tool/hlsl/vkd3d.h"
#include "util/path.h"

static char library[PATH_TEXT_BYTES + 32];

static void setup(void)
{
    char path[PATH_TEXT_BYTES];
    const char *name = path_of_program(path, sizeof(path));

    open_folder();
    snprintf(library, sizeof(library), "%.*sfake_vkd3d.so", (int)(name - path), path);
    hlsl_library = library;
}

static struct hlsl_source source_of(const char *text)
{
    return (struct hlsl_source){
        .text = text, .n = strlen(text), .name = "a.hlsl", .entry = "main", .profile = "ps_3_0"};
}

static void check(const struct hlsl_source *source, enum status expected, const char *messages)
{
    struct hlsl_result result = {.words = NULL};

    ck_assert_int_eq(vkd3d_compile(&result, source), expected);
    ck_assert_msg(strstr(result.messages, messages) != NULL, "%s", result.messages);
    ck_assert((result.words != NULL) == (expected == ST_OK));
    if (result.words)
        ck_assert_uint_eq(result.words[0], source->profile[0] == 'p' ? 0xffff0200 : 0xfffe0200);
    hlsl_result_fini(&result);
}

START_TEST(compiles)
{
    static const struct hlsl_define defines[] = {{"A", "1"}, {"B", "x y"}};
    struct hlsl_source source = source_of("float4 main() {}");

    check(&source, ST_OK, "a.hlsl:1:1: W1: main ps_3_0 \n");
    source.define = defines;
    source.n_defines = 2;
    source.entry = "vertex";
    source.profile = "vs_2_0";
    check(&source, ST_OK, "a.hlsl:1:1: W1: vertex vs_2_0 A=1 B=x y \n");
    source = source_of("error");
    check(&source, ST_INVALID, "a.hlsl:3:5: E5000: syntax error\na.hlsl:4:1: E5001: another\n");
    source = source_of("dxbc");
    check(&source, ST_INVALID, "no byte code of Direct3D 9");
}
END_TEST

/* Beside the source first, then in the folders. */
START_TEST(includes)
{
    struct hlsl_source source = source_of("#include \"part.fxh\"\n");
    const char *folders[] = {"/nowhere", folder};
    char path[64];

    check(&source, ST_INVALID, "E4002");
    path_in_folder(path, "part.fxh");
    write_text(path, "PART");
    source.folder = folders;
    source.n_folders = 2;
    check(&source, ST_OK, "PART\n");
    source.n_folders = 0;
    path_in_folder(path, "b.hlsl");
    source.name = path;
    check(&source, ST_OK, "PART\n");
}
END_TEST

START_TEST(missing_and_old_libraries)
{
    struct hlsl_source source = source_of("float4 main() {}");

    setenv("FAKE_VKD3D", "old", 1);
    check(&source, ST_UNSUPPORTED, "fake_vkd3d.so is version 1.2, which compiles no HLSL (1.3 and");
    unsetenv("FAKE_VKD3D");
    hlsl_library = "libvkd3d-nowhere.so.1";
    check(&source, ST_UNSUPPORTED, "libvkd3d-nowhere.so.1 is not there");
    hlsl_library = "libc.so.6";
    check(&source, ST_UNSUPPORTED, "libc.so.6 is version 0.0, which compiles no HLSL");
}
END_TEST

START_TEST(the_real_one)
{
    struct hlsl_source source = source_of(
        "float4 c;\nfloat4 main(float2 t : TEXCOORD0) : COLOR\n{\n    return c * t.x;\n}\n");
    struct hlsl_result result = {.words = NULL};
    enum status st;

    hlsl_library = "libvkd3d-shader.so.1";
    st = vkd3d_compile(&result, &source);
    if (st == ST_UNSUPPORTED) {
        printf("skipped: %s\n", result.messages);
    } else {
        ck_assert_msg(st == ST_OK, "%s", result.messages);
        ck_assert_uint_eq(result.words[0], 0xffff0300);
    }
    hlsl_result_fini(&result);
}
END_TEST

/* Any allocation may fail. */
START_TEST(out_of_memory)
{
    struct hlsl_source source = source_of("float4 main() {}");
    int64_t live = mem_live_blocks();

    for (int64_t k = 0; k < 50; k++) {
        struct hlsl_result result = {.words = NULL};
        enum status st;

        mem_fail_after(k);
        st = vkd3d_compile(&result, &source);
        mem_fail_after(-1);
        hlsl_result_fini(&result);
        ck_assert_int_eq(mem_live_blocks(), live);
        if (st == ST_OK) {
            ck_assert_int_gt(k, 1);
            return;
        }
        ck_assert_int_eq(st, ST_NOMEM);
    }
    ck_abort_msg("it never succeeds");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/hlsl/vkd3d");
    TCase *t = tcase_create("vkd3d");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_add_test(t, compiles);
    tcase_add_test(t, includes);
    tcase_add_test(t, missing_and_old_libraries);
    tcase_add_test(t, the_real_one);
    tcase_add_test(t, out_of_memory);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
