/* `novem golden run`: manifests, tolerances, verdicts and child processes. */
#include "unit/tool/command.h"

#include "tool/cli/cli.h"
#include "tool/golden/golden.h"
#include "tool/image/image.h"
#include "tool/image/png.h"

#include <signal.h>
#include <sys/stat.h>

/* --- Helpers ---------------------------------------------------------------------------------- */

static void save(const char *name, const struct tool_image *image)
{
    char path[64];

    path_in_folder(path, name);
    ck_assert_int_eq(tool_png_write(path, image, 4), ST_OK);
}

/* A 32x32 image of grey 100 with `n` pixels in a row from (x, y) brighter by `by`. */
static struct tool_image grey(unsigned x, unsigned y, unsigned n, unsigned by)
{
    struct tool_image image;

    ck_assert_int_eq(tool_image_create(&image, 32, 32), ST_OK);
    memset(image.rgba, 100, 32 * 32 * 4);
    for (unsigned i = 0; i < n; i++)
        image.rgba[4 * (y * 32 + x + i)] = (uint8_t)(100 + by);
    return image;
}

static void save_grey(const char *name, unsigned x, unsigned y, unsigned n, unsigned by)
{
    struct tool_image image = grey(x, y, n, by);

    save(name, &image);
    tool_image_fini(&image);
}

static void copy_file(const char *from, const char *to)
{
    char a[64], b[64];
    uint8_t *bytes;
    size_t n;

    path_in_folder(a, from);
    path_in_folder(b, to);
    ck_assert_int_eq(tool_file_read(a, &bytes, &n), ST_OK);
    ck_assert_int_eq(tool_file_write(b, bytes, n), ST_OK);
    mem_free(bytes);
}

/* Runs a manifest with this text and returns the output. */
static const char *golden(int expected, const char *text, const char *candidate, const char *extra)
{
    static char path[64], out[64];
    char *args[] = {"golden",          "run",         path, "-o", out, "--candidate",
                    (char *)candidate, (char *)extra, NULL};

    path_in_folder(path, "m.toml");
    path_in_folder(out, "out");
    write_text(path, text);
    return run_command(tool_golden, expected, extra ? 8 : 7, args);
}

static void says(const char *printed, const char *text)
{
    ck_assert_msg(strstr(printed, text) != NULL, "'%s' is not in: %s", text, printed);
}

/* --- Tolerances ------------------------------------------------------------------------------- */

static const char *const tolerances[] = {
    "exact", "max 3", "20 pixels above 4", "6 of 8x8 above 2", "flip 0.05", "ssim 0.98"};

START_TEST(tolerances_are_read_and_printed)
{
    struct golden_tolerance t;
    char text[GOLDEN_TOLERANCE_TEXT];

    ck_assert(golden_tolerance_parse(tolerances[_i], &t));
    golden_tolerance_print(&t, text);
    ck_assert_str_eq(text, tolerances[_i]);
}
END_TEST

START_TEST(wrong_tolerances_are_refused)
{
    static const char *const wrong[] = {
        "",       "max",   "max 300",          "max 3 ", "about",    "exactly", "3 pixels above",
        "max -1", "20 of", "3 of 0x8 above 1", "max 3x", "flip 1.5", "ssim",    "flip x"};
    struct golden_tolerance t;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_msg(!golden_tolerance_parse(wrong[i], &t), "%s", wrong[i]);
}
END_TEST

/* Result of each tolerance for six pixels in a row that are brighter by 5. */
static const struct {
    const char *tolerance;
    bool within;
} rungs[] = {
    {"exact", false},
    {"max 4", false},
    {"max 5", true},
    {"5 pixels above 4", false},
    {"6 pixels above 4", true},
    {"0 pixels above 5", true},
    {"5 of 8x8 above 4", false},
    {"6 of 8x8 above 4", true},
    {"3 of 3x3 above 4", true},
    {"2 of 3x3 above 4", false},
    {"0 of 8x8 above 5", true},
    {"flip 0.0001", false},
    {"flip 0.01", true},
    {"ssim 0.9999", false},
    {"ssim 0.9", true},
};

START_TEST(tolerances_accept_and_reject)
{
    struct tool_image a = grey(0, 0, 0, 0), b = grey(20, 9, 6, 5);
    struct golden_case c = {0};
    struct golden_metrics m;

    ck_assert(golden_tolerance_parse(rungs[_i].tolerance, &c.tolerance));
    ck_assert_int_eq(golden_measure(&a, &b, NULL, &c, &m), ST_OK);
    ck_assert_msg(golden_within(&m, &c.tolerance) == rungs[_i].within, "%s", rungs[_i].tolerance);
    ck_assert_uint_eq(m.max, 5);
    ck_assert_uint_eq(m.differing, 6);
    ck_assert_uint_eq(m.box.x0, 20);
    ck_assert_uint_eq(m.box.x1, 26);
    ck_assert_uint_eq(m.box.y0, 9);
    ck_assert_uint_eq(m.box.y1, 10);
    ck_assert_double_eq_tol(m.mean, 30.0 / (32 * 32 * 4), 1e-12);
    tool_image_fini(&a);
    tool_image_fini(&b);
}
END_TEST

/* Compares the densest window with an exhaustive search. */
START_TEST(densest_window_is_found)
{
    struct tool_image a = grey(0, 0, 0, 0), b = grey(0, 0, 0, 0);
    struct golden_case c = {.tolerance = {GOLDEN_WINDOW, 3, 0, 5, 4, 0}};
    struct golden_metrics m;
    unsigned most = 0, seed = 1;

    for (unsigned i = 0; i < 32 * 32; i++) {
        seed = seed * 1664525 + 1013904223;
        b.rgba[4 * i + 1] = (uint8_t)(100 + (seed >> 24) % 7);
    }
    for (unsigned y = 0; y + 4 <= 32; y++)
        for (unsigned x = 0; x + 5 <= 32; x++) {
            unsigned n = 0;

            for (unsigned k = 0; k < 20; k++)
                n += b.rgba[4 * ((y + k / 5) * 32 + x + k % 5) + 1] > 103;
            most = n > most ? n : most;
        }
    ck_assert_int_eq(golden_measure(&a, &b, NULL, &c, &m), ST_OK);
    ck_assert_uint_eq(m.densest, most);
    ck_assert_uint_gt(most, 10);
    tool_image_fini(&a);
    tool_image_fini(&b);
}
END_TEST

/* --- PNG -------------------------------------------------------------------------------------- */

START_TEST(equal_files_are_not_decoded)
{
    struct tool_image image = grey(3, 3, 2, 9);
    struct png_file a, b;
    char path[64], *first[] = {"novem", "one"}, *second[] = {"novem", "other", "words"};
    const char *why;

    path_in_folder(path, "a.png");
    png_set_command(2, first);
    save("a.png", &image);
    ck_assert_int_eq(png_load(path, &a, &why), ST_OK);
    png_set_command(3, second);
    save("a.png", &image);
    ck_assert_int_eq(png_load(path, &b, &why), ST_OK);
    ck_assert(a.n != b.n); /* text chunks differ */
    ck_assert(png_same(&a, &b));
    png_unload(&b);
    image.rgba[0]++;
    save("a.png", &image);
    ck_assert_int_eq(png_load(path, &b, &why), ST_OK);
    ck_assert(!png_same(&a, &b));
    png_unload(&a);
    png_unload(&b);
    tool_image_fini(&image);
}
END_TEST

/* A change of any byte is detected. */
START_TEST(damaged_files_are_refused)
{
    struct png_file file;
    char path[64];
    const char *why;
    uint8_t *bytes, *copy;
    size_t n;

    path_in_folder(path, "a.png");
    save_grey("a.png", 1, 1, 5, 5);
    ck_assert_int_eq(tool_file_read(path, &bytes, &n), ST_OK);
    for (size_t i = 0; i < n; i++) {
        copy = mem_alloc(n);
        memcpy(copy, bytes, n);
        copy[i] ^= 0x10;
        ck_assert_msg(png_take(copy, n, &file, &why) == ST_DAMAGED, "byte %zu", i);
    }
    for (size_t i = 0; i < n; i++) {
        copy = mem_alloc(n);
        memcpy(copy, bytes, i);
        ck_assert_msg(png_take(copy, i, &file, &why) == ST_DAMAGED, "%zu bytes", i);
    }
    mem_free(bytes);
}
END_TEST

/* --- Verdicts --------------------------------------------------------------------------------- */

static const char pair[] = "[[case]]\nname = 'p'\nreference = 'a.png'\ncandidate = 'b.png'\n";

static const char *run_pair(int expected, const char *more)
{
    char text[512];

    snprintf(text, sizeof(text), "%s%s", pair, more);
    return golden(expected, text, folder, "--quiet");
}

START_TEST(pairs_pass_and_fail)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    says(run_pair(TOOL_DIFFERS, ""), "max 5, 6 pixels differ in [20, 9, 26, 10]");
    says(run_pair(TOOL_OK, "tolerance = 'max 5'\n"), "1 pass");
    says(run_pair(TOOL_OK, "ignore = [[0, 0, 4, 4], [20, 8, 26, 11]]\n"), "1 pass");
    says(run_pair(TOOL_DIFFERS, "ignore = [[20, 8, 25, 11]]\n"), "1 pixels differ");
    says(run_pair(TOOL_DIFFERS, "tolerance = 'ssim 1'\n"), "SSIM 0.9");
    run_pair(TOOL_OK, "tolerance = 'ssim 1'\nignore = [[20, 9, 26, 10]]\n");
    run_pair(TOOL_OK, "tolerance = 'flip 0'\nignore = [[20, 9, 26, 10]]\n");
    says(run_pair(TOOL_OK, "expect-fail = 'known'\n"), "1 expected fail");
    copy_file("a.png", "b.png");
    says(run_pair(TOOL_OK, ""), "1 pass");
    says(run_pair(TOOL_DIFFERS, "expect-fail = 'known'\n"), "unexpected pass");
}
END_TEST

START_TEST(alpha_is_compared_by_default)
{
    struct tool_image image = grey(0, 0, 0, 0);

    save("a.png", &image);
    image.rgba[3] = 7;
    save("b.png", &image);
    tool_image_fini(&image);
    says(run_pair(TOOL_DIFFERS, ""), "max 93, 1 pixels");
    run_pair(TOOL_OK, "alpha = false\n");
}
END_TEST

START_TEST(masks_allow_and_count)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    struct tool_image mask;

    ck_assert_int_eq(tool_image_create(&mask, 32, 32), ST_OK);
    memset(mask.rgba + 4 * (9 * 32 + 20), 255, 4 * 5);
    save("p.mask.png", &mask);
    says(run_pair(TOOL_DIFFERS, "mask = '{name}.mask.png'\n"),
         "1 pixels differ, 5 more within the mask in [25, 9, 26, 10]");
    memset(mask.rgba + 4 * (9 * 32 + 25), 255, 4);
    save("p.mask.png", &mask);
    run_pair(TOOL_OK, "mask = '{name}.mask.png'\n");
    mask.height = 31;
    save("p.mask.png", &mask);
    says(run_pair(TOOL_ERROR, "mask = '{name}.mask.png'\n"), "has another size than the golden");
    says(run_pair(TOOL_ERROR, "mask = 'none.png'\n"), "none.png: cannot be read");
    tool_image_fini(&mask);
}
END_TEST

START_TEST(bad_pictures_are_named)
{
    struct tool_image small;
    char path[64];

    save_grey("a.png", 0, 0, 0, 0);
    says(run_pair(TOOL_DIFFERS, ""), "missing");
    path_in_folder(path, "b.png");
    write_text(path, "no picture");
    says(run_pair(TOOL_DIFFERS, ""), "b.png: is not a PNG");
    ck_assert_int_eq(tool_image_create(&small, 4, 4), ST_OK);
    save("b.png", &small);
    tool_image_fini(&small);
    says(run_pair(TOOL_DIFFERS, ""), "the golden is 32x32, the candidate's picture 4x4");
    path_in_folder(path, "a.png");
    write_text(path, "no picture");
    says(run_pair(TOOL_ERROR, ""), "a.png: is not a PNG");
    unlink(path);
    says(run_pair(TOOL_DIFFERS, ""), "no golden yet");
}
END_TEST

START_TEST(hashes_of_goldens_are_checked)
{
    struct tool_image image = grey(0, 0, 0, 0);
    char more[64];

    save("a.png", &image);
    save_grey("b.png", 0, 0, 0, 0);
    snprintf(more, sizeof(more), "hash = '%016llx'\n",
             (unsigned long long)tool_image_hash(&image, true));
    run_pair(TOOL_OK, more);
    says(run_pair(TOOL_ERROR, "hash = '0123456789abcdef'\n"), "the manifest requires 0123");
    tool_image_fini(&image);
}
END_TEST

START_TEST(backends_have_their_own_goldens)
{
    static const char text[] = "[[case]]\nname = 'p'\nreference = ['{backend}.png', 'a.png']\n"
                               "candidate = 'b.png'\n[case.backend.'amd']\ntolerance = 'max 9'\n";
    char path[64], made[64];

    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    golden(TOOL_DIFFERS, text, folder, NULL);
    save_grey("c.png", 20, 9, 6, 5);
    copy_file("c.png", "mesa.2.png"); /* the second of mesa's goldens */
    save_grey("mesa.png", 1, 1, 1, 1);
    path_in_folder(path, "m.toml");
    path_in_folder(made, "out");
    for (unsigned i = 0; i < 4; i++) {
        static const char *const keys[] = {"mesa", "mesa/llvmpipe", "amd/x", "nvidia/mesa"};
        char *args[] = {"golden", "run", path, "-o", made, "--backend", (char *)keys[i], NULL};

        run_command(tool_golden, i < 3 ? TOOL_OK : TOOL_DIFFERS, 7, args);
    }
}
END_TEST

static void holds(const char *name, const char *text)
{
    char path[64];
    uint8_t *bytes;
    size_t n;

    path_in_folder(path, name);
    ck_assert_msg(tool_file_read(path, &bytes, &n) == ST_OK, "%s", path);
    says((const char *)bytes, text);
    mem_free(bytes);
}

/* --- Child processes -------------------------------------------------------------------------- */

static const char scenes[] =
    "[reference]\nscene = 'while IFS=\"\t\" read a b; do cp \"$a\" \"$b\"; done < {list}'\n"
    "[candidate.good]\nscene = 'cp {scene} {out}'\n"
    "[candidate.crash]\nscene = 'kill -SEGV $$'\n"
    "[candidate.slow]\nscene = 'sleep 60'\ntimeout = 1\n"
    "[candidate.none]\nscene = 'true'\n"
    "[candidate.code]\nscene = 'echo last words; exit 3'\n"
    "[candidate.late]\nscene = 'cp {scene} {out}; kill -ABRT $$'\n"
    "[candidate.flaky]\nscene = 'if [ -e {scene}.seen ]; then cp {scene} {out}; fi; touch "
    "{scene}.seen'\n"
    "retries = 1\n"
    "[candidate.half]\nscene = 'while IFS=\"\t\" read a b; do case \"$a\" in *b.png) kill -SEGV "
    "$$;; esac; cp \"$a\" \"$b\"; done < {list}'\n"
    "[[case]]\nscenes = '?.png'\n";

static const struct {
    const char *candidate;
    int code;
    const char *says;
} ends[] = {
    {"good", TOOL_OK, "3 cases: 3 pass"},
    {"crash", TOOL_DIFFERS, "3 cases: 3 crashed"},
    {"none", TOOL_DIFFERS, "3 cases: 3 missing"},
    {"code", TOOL_DIFFERS, "exit code 3, no picture; last words"},
    {"late", TOOL_DIFFERS, "signal 6"},
    {"flaky", TOOL_DIFFERS, "3 cases: 3 flaky"},
    {"half", TOOL_DIFFERS, "3 cases: 2 pass, 1 crashed"},
    {"/no/such/folder", TOOL_ERROR, "is not a folder"},
};

START_TEST(abnormal_ends_are_reported)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 1, 1, 1, 1);
    save_grey("c.png", 1, 2, 1, 1);
    says(golden(ends[_i].code, scenes, ends[_i].candidate, NULL), ends[_i].says);
}
END_TEST

START_TEST(logs_of_failures_are_kept)
{
    static const char text[] = "[candidate.loud]\nscene = 'echo {case}; case {case} in b) exit 3;; "
                               "esac; cp {scene} {out}'\n"
                               "[reference]\nscene = 'echo reference; cp {scene} {out}'\n"
                               "[[case]]\nscenes = '?.png'\n";
    char path[64];

    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 1, 1, 1, 1);
    says(golden(TOOL_DIFFERS, text, "loud", NULL), "1 pass, 1 crashed");
    holds("out/logs/b.log", "b\n");
    holds("out/report/000001.js", "log:\"b\\u000a\"");
    path_in_folder(path, "out/logs/a.log");
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(time_outs_end_commands)
{
    save_grey("a.png", 0, 0, 0, 0);
    says(golden(TOOL_DIFFERS, scenes, "slow", NULL), "1 timed out");
}
END_TEST

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

START_TEST(signals_end_commands)
{
    static const char text[] = "[candidate.long]\nscene = 'kill -TERM $PPID; sleep 60'\n"
                               "[[case]]\nscenes = '?.png'\ngolden = '{name}.png'\n";
    char path[64];

    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 0, 0, 0, 0);
    signal(SIGTERM, count_signal);
    says(golden(TOOL_ERROR, text, "long", NULL), "stopped by a signal");
    signal(SIGTERM, SIG_DFL);
    ck_assert_int_eq(signals, 1);
    path_in_folder(path, "out/results.jsonl");
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(pipes_are_refused)
{
    char path[64];

    save_grey("a.png", 0, 0, 0, 0);
    path_in_folder(path, "b.png");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    says(golden(TOOL_DIFFERS, "[[case]]\nreference = 'a.png'\ncandidate = 'b.png'\n", folder, NULL),
         "is not a regular file");
}
END_TEST

START_TEST(frames_are_cases)
{
    static const char text[] =
        "[reference]\ncapture = 'for f in 0 1 2; do cp {capture} {out}/frame-0000$f.png; done'\n"
        "[candidate.two]\ncapture = 'for f in 0 1; do cp {capture} {out}/frame-0000$f.png; done'\n"
        "[[case]]\ncapture = 'a.png'\nframes = '0-2'\n";

    save_grey("a.png", 0, 0, 0, 0);
    says(golden(TOOL_DIFFERS, text, "two", NULL), "a/frame-00002");
    says(golden(TOOL_DIFFERS, text, "two", NULL), "3 cases: 2 pass, 1 missing");
}
END_TEST

/* --- Manifests -------------------------------------------------------------------------------- */

static const struct {
    const char *text, *says;
} mistakes[] = {
    {"[[case]]\nreference = 'a.png'\ncandidate = 'b.png'\ntolerance = 'wide'\n", "m.toml:4: "},
    {"[[case]]\nreference = 'a.png'\nscene = 'x'\n", "needs one of"},
    {"[[case]]\nname = '../up'\nreference = 'a.png'\n", "not a valid file name"},
    {"[[case]]\nreference = 'a.png'\nsize = 3\n", "'size' is not a key of a case"},
    {"[[case]]\nname = 'open\nreference = 'a.png'\n", "m.toml:2: "},
    {"[[case]]\nscenes = 'none*.d9t'\n", "matches no file"},
    {"[[case]]\nreference = 'a.png'\nignore = [[3, 3, 1, 1]]\n", "x0 < x1"},
    {"[[case]]\ncapture = 'x.trace'\nframes = '3-1'\n", "not a list of frames"},
    {"[[case]]\nname = 'q'\nreference = 'a.png'\ncandidate = 'b.png'\n", "duplicate case"},
};

START_TEST(broken_cases_are_named_and_others_run)
{
    char text[1024];
    const char *printed;

    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 0, 0, 0, 0);
    snprintf(text, sizeof(text), "%s%s", mistakes[_i].text,
             "[[case]]\nname = 'q'\nreference = 'a.png'\ncandidate = 'b.png'\n");
    printed = golden(TOOL_ERROR, text, folder, NULL);
    says(printed, mistakes[_i].says);
    says(printed, "2 cases: 1 pass, 1 error");
}
END_TEST

START_TEST(broken_manifests_are_named)
{
    says(golden(TOOL_ERROR, "[defaults\n", folder, NULL), "m.toml:1: ");
    says(golden(TOOL_ERROR, "what = 3\n", folder, NULL), "m.toml:1: 'what' is not a part");
    says(golden(TOOL_ERROR, "[candidate.x]\ntimeout = -1\n", "x", NULL), "m.toml:2: 'timeout'");
    says(golden(TOOL_ERROR, "", folder, NULL), "m.toml: has no case");
}
END_TEST

START_TEST(bad_file_names_are_one_case_each)
{
    static const char text[] = "[[case]]\nimages = 'a*.png'\n";
    const char *printed;

    save_grey("a\n1.png", 0, 0, 0, 0);
    save_grey("a\n2.png", 0, 0, 0, 0);
    save_grey("a3.png", 0, 0, 0, 0);
    printed = golden(TOOL_ERROR, text, folder, NULL);
    says(printed, "a_1 ");
    says(printed, "3 cases: 1 pass, 2 error");
}
END_TEST

START_TEST(invalid_frame_lists_keep_valid_frames)
{
    says(golden(TOOL_ERROR,
                "[reference]\ncapture = 'true'\n[[case]]\ncapture = 'x.trace'\nframes = '0,x'\n",
                folder, NULL),
         "not a list of frames");
}
END_TEST

START_TEST(filters_without_match_fail)
{
    char manifest[64], out[64];
    char *args[] = {"golden",   "run", manifest,      "-o",   out,
                    "--filter", "x*",  "--candidate", folder, NULL};

    save_grey("a.png", 0, 0, 0, 0);
    path_in_folder(manifest, "m.toml");
    path_in_folder(out, "out");
    write_text(manifest, "[[case]]\nimages = 'a.png'\n");
    says(run_command(tool_golden, TOOL_ERROR, 9, args), "no case matches --filter");
}
END_TEST

START_TEST(shards_and_filters_select)
{
    unsigned in[3] = {0};
    char name[16];

    for (unsigned i = 0; i < 300; i++) {
        snprintf(name, sizeof(name), "case-%u", i);
        in[golden_shard(name, 3)]++;
    }
    ck_assert_uint_gt(in[0], 70);
    ck_assert_uint_gt(in[1], 70);
    ck_assert_uint_gt(in[2], 70);
    ck_assert(golden_matches("blend/*", "blend/add"));
    ck_assert(golden_matches("add*", "blend/add-one"));
    ck_assert(!golden_matches("add", "blend/add-one"));
}
END_TEST

/* --- Reports ---------------------------------------------------------------------------------- */

START_TEST(reports_list_each_case)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    run_pair(TOOL_DIFFERS, "reason = 'a < b & \"c\"'\n[[case]]\nname = 'x/q'\n"
                           "reference = 'a.png'\ncandidate = 'a.png'\n");
    holds("out/results.jsonl", "\"box\":[20,9,26,10]");
    holds("out/results.jsonl", "\"reason\":\"a < b & \\\"c\\\"\"");
    holds("out/junit.xml", "tests=\"2\" failures=\"1\" errors=\"0\"");
    holds("out/junit.xml", "<failure type=\"fail\" message=\"max 5, 6 pixels");
    holds("out/junit.xml", "classname=\"x\" name=\"q\"");
    holds("out/report.html", "a \\u003c b");
    holds("out/report/000000.js", "reference:\"data:image/png;base64,iVBOR");
}
END_TEST

START_TEST(shards_are_merged)
{
    static const char text[] = "[[case]]\nimages = 'a*.png'\n";
    char manifest[64], merged[64], parts[3][64];
    char *join[] = {"golden", "merge", parts[0], parts[1], parts[2], "-o", merged, NULL};
    char *lose[] = {"golden", "merge", parts[0], parts[1], "-o", merged, NULL};

    for (unsigned i = 0; i < 12; i++) {
        char name[16];

        snprintf(name, sizeof(name), "a%u.png", i);
        save_grey(name, i, i, 1, i);
    }
    path_in_folder(manifest, "m.toml");
    path_in_folder(merged, "merged");
    write_text(manifest, text);
    for (unsigned i = 0; i < 3; i++) {
        char shard[8], name[8];
        char *args[] = {"golden",  "run", manifest,      "-o",   parts[i],
                        "--shard", shard, "--candidate", folder, NULL};

        snprintf(shard, sizeof(shard), "%u/3", i + 1);
        snprintf(name, sizeof(name), "part%u", i);
        path_in_folder(parts[i], name);
        run_command(tool_golden, TOOL_OK, 9, args);
    }
    says(run_command(tool_golden, TOOL_OK, 7, join), "12 cases: 12 pass");
    holds("merged/results.jsonl", "\"case\":\"a11\"");
    says(run_command(tool_golden, TOOL_ERROR, 6, lose), "cases have no result: a shard is missing");
    write_text(manifest, "not JSON\n");
    join[2] = manifest;
    says(run_command(tool_golden, TOOL_ERROR, 7, join), "m.toml:1: is not a result record");
}
END_TEST

/* --- Accepting -------------------------------------------------------------------------------- */

static const char *accept(int expected, const char *option)
{
    static char out[64];
    char *args[] = {"golden", "accept", out, (char *)option, NULL};

    path_in_folder(out, "out");
    return run_command(tool_golden, expected, option ? 4 : 3, args);
}

START_TEST(accepted_pictures_are_goldens)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    run_pair(TOOL_DIFFERS, "");
    says(accept(TOOL_OK, NULL), "1 to accept");
    run_pair(TOOL_DIFFERS, "");
    says(accept(TOOL_OK, "--yes"), "1 accepted");
    run_pair(TOOL_OK, "");
    says(accept(TOOL_OK, NULL), "0 to accept");
    save_grey("b.png", 1, 1, 1, 1);
    run_pair(TOOL_DIFFERS, "");
    says(accept(TOOL_OK, "--add"), "a.2.png (new");
}
END_TEST

START_TEST(manifests_are_patched)
{
    struct tool_image image = grey(20, 9, 6, 5);
    char more[128], want[64];
    const char *printed;

    save_grey("a.png", 0, 0, 0, 0);
    save("b.png", &image);
    snprintf(want, sizeof(want), "+hash = '%016llx'",
             (unsigned long long)tool_image_hash(&image, true));
    tool_image_fini(&image);
    image = grey(0, 0, 0, 0);
    snprintf(more, sizeof(more), "hash = '%016llx'\n# end\n",
             (unsigned long long)tool_image_hash(&image, true));
    tool_image_fini(&image);
    run_pair(TOOL_DIFFERS, more);
    printed = accept(TOOL_OK, "--yes");
    says(printed, "@@ -5 +5 @@\n-hash = ");
    says(printed, want);
    holds("m.toml", want + 1);
    holds("m.toml", "# end");
    copy_file("b.png", "a.png");
    run_pair(TOOL_DIFFERS, "expect-fail = 'known'\nalpha = true\n");
    says(accept(TOOL_OK, "--yes"), "@@ -5 +4,0 @@\n-expect-fail = 'known'");
    holds("m.toml", "candidate = 'b.png'\nalpha = true\n");
}
END_TEST

START_TEST(stores_keep_goldens_by_hash)
{
    static const char text[] = "store = 'st'\n[[case]]\nname = 'p'\ncandidate = 'b.png'\n"
                               "reference = 'hash:0123456789abcdef'\n[[case]]\nscene = 'x'\n"
                               "golden = 'hash:0123456789abcdef'\n";
    char path[64];

    save_grey("x.png", 20, 9, 6, 5);
    says(golden(TOOL_DIFFERS, text, folder, NULL), "st/01/0123456789abcdef.png does not exist");
    says(accept(TOOL_OK, "--yes"), "+golden = 'hash:");
    path_in_folder(path, "m.toml");
    char *args[] = {"golden",      "run",  path,       "-o", folder,
                    "--candidate", folder, "--filter", "x",  NULL};
    says(run_command(tool_golden, TOOL_OK, 9, args), "1 pass");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden");
    TCase *tc = tcase_create("golden");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_loop_test(tc, tolerances_are_read_and_printed, 0,
                        sizeof(tolerances) / sizeof(tolerances[0]));
    tcase_add_test(tc, wrong_tolerances_are_refused);
    tcase_add_loop_test(tc, tolerances_accept_and_reject, 0, sizeof(rungs) / sizeof(rungs[0]));
    tcase_add_test(tc, densest_window_is_found);
    tcase_add_test(tc, equal_files_are_not_decoded);
    tcase_add_test(tc, damaged_files_are_refused);
    tcase_add_test(tc, pairs_pass_and_fail);
    tcase_add_test(tc, alpha_is_compared_by_default);
    tcase_add_test(tc, masks_allow_and_count);
    tcase_add_test(tc, bad_pictures_are_named);
    tcase_add_test(tc, hashes_of_goldens_are_checked);
    tcase_add_test(tc, backends_have_their_own_goldens);
    tcase_add_loop_test(tc, abnormal_ends_are_reported, 0, sizeof(ends) / sizeof(ends[0]));
    tcase_add_test(tc, logs_of_failures_are_kept);
    tcase_add_test(tc, time_outs_end_commands);
    tcase_add_test(tc, signals_end_commands);
    tcase_add_test(tc, pipes_are_refused);
    tcase_add_test(tc, frames_are_cases);
    tcase_add_loop_test(tc, broken_cases_are_named_and_others_run, 0,
                        sizeof(mistakes) / sizeof(mistakes[0]));
    tcase_add_test(tc, broken_manifests_are_named);
    tcase_add_test(tc, bad_file_names_are_one_case_each);
    tcase_add_test(tc, invalid_frame_lists_keep_valid_frames);
    tcase_add_test(tc, filters_without_match_fail);
    tcase_add_test(tc, shards_and_filters_select);
    tcase_add_test(tc, reports_list_each_case);
    tcase_add_test(tc, shards_are_merged);
    tcase_add_test(tc, accepted_pictures_are_goldens);
    tcase_add_test(tc, manifests_are_patched);
    tcase_add_test(tc, stores_keep_goldens_by_hash);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
