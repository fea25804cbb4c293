/* Fuzz test of scenes: mutates words, numbers and lines of valid scenes, and runs them on this
 * library.
 *
 * Nothing may crash or hang. A scene that fails reports its line. Memory stays within a scene's
 * limit, and all of it is freed. SCENES_SEED=n sets the first seed; SCENES_KEEP=FOLDER keeps the
 * last scene of each seed. */
#include "check_main.h"
#include "tool/hlsl/hlsl.h"
#include "tool/scene/scene.h"
#include "fuzz/trace/damage.h"

#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MOST = 1 << 14, SCENES_MOST = 2000, ROUNDS = 400, SECONDS = 60 };

static char *sound[SCENES_MOST];
static unsigned n_sound;
static uint32_t seed;

static uint32_t below(uint32_t n)
{
    return next_random(&seed) % n;
}

/* --- Valid scenes ----------------------------------------------------------------------------- */

static void add_scene(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, TEXT_MOST);
    size_t n = fread(text, 1, TEXT_MOST - 1, f);

    fclose(f);
    if (n < TEXT_MOST / 4 && n_sound < SCENES_MOST)
        sound[n_sound++] = text;
    else
        free(text);
}

static void setup(void)
{
    static const char *const areas[] = {"alpha-test", "blend",      "copy",    "fog",    "format",
                                        "light",      "lock",       "mix",     "query",  "raster",
                                        "shader",     "stage",      "stencil", "target", "texture",
                                        "vertices",   "multisample"};

    hlsl_library = hlsl_program = "/nowhere"; /* no compilers for damaged text */
    for (unsigned i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
        struct scene_list list;
        char path[64];

        snprintf(path, sizeof(path), "tests/conformance/%s", areas[i]);
        scene_list_make(&list, path);
        for (unsigned k = 0; k < list.n; k++)
            add_scene(list.path[k]);
        scene_list_free(&list);
    }
    ck_assert_uint_gt(n_sound, 100);
    limit_memory(4);
}

static void teardown(void)
{
    while (n_sound)
        free(sound[--n_sound]);
}

/* --- Mutations -------------------------------------------------------------------------------- */

/* Start and length of the k-th piece between characters of `ends`. */
static char *piece(char *text, const char *ends, size_t *n)
{
    char *at = text + below((uint32_t)strlen(text) + 1);

    while (at > text && !strchr(ends, at[-1]))
        at--;
    *n = strcspn(at, ends);
    return at;
}

static void replace(char *text, char *at, size_t n, const char *by, size_t bytes)
{
    size_t behind = strlen(at + n) + 1;

    if ((size_t)(at - text) + bytes + behind > TEXT_MOST)
        return;
    memmove(at + bytes, at + n, behind);
    memcpy(at, by, bytes);
}

static void change_number(char *text)
{
    static const char *const numbers[] = {
        "0",   "1",      "-1",    "2",        "3",     "7",           "16",         "31",
        "32",  "33",     "255",   "256",      "4095",  "4096",        "nan",        "inf",
        "1e9", "-1e9",   "-1e30", "65536",    "16384", "2147483647",  "0x80000000", "4294967295",
        "0.5", "0xffff", "ff",    "ffffffff", "1x1",   "16384x16384", "3x5x7"};
    const char *by = numbers[below(sizeof(numbers) / sizeof(numbers[0]))];
    size_t n, digits;
    char *at = piece(text, " \t\r\n={},|@+:", &n);

    digits = strspn(at, "0123456789.-+x");
    if (n && digits == n)
        replace(text, at, n, by, strlen(by));
}

/* Replaces a piece (a word or a line) by one of any scene. */
static void change_piece(char *text, const char *ends)
{
    char *other = strdup(sound[below(n_sound)]);
    size_t n, bytes;
    char *at = piece(text, ends, &n), *by = piece(other, ends, &bytes);

    replace(text, at, below(3) ? n : 0, by, bytes);
    free(other);
}

static void change_byte(char *text)
{
    size_t n = strlen(text), at = n ? below((uint32_t)n) : 0;
    uint8_t byte = damaged((uint8_t)text[at], &seed);

    if (n && byte)
        text[at] = (char)byte;
}

static void drop(char *text, const char *ends)
{
    size_t n;
    char *at = piece(text, ends, &n);

    replace(text, at, n, "", 0);
}

static void change(char *text)
{
    switch (below(10)) {
    case 0:
        change_byte(text);
        break;
    case 1:
        drop(text, "\n");
        break;
    case 2:
        drop(text, " \n");
        break;
    case 3:
        change_piece(text, "\n");
        break;
    case 4:
    case 5:
        change_piece(text, " \t\n=");
        break;
    default:
        change_number(text);
    }
}

/* --- Tests ------------------------------------------------------------------------------------ */

/* matches "scene:17: ..." */
static bool names_a_line(const char *said)
{
    return !strncmp(said, "scene:", 6) && said[6] >= '0' && said[6] <= '9';
}

static char answer[128]; /* first message of the last scene */

static void run(char *text)
{
    char *said = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&said, &n);
    struct tally tally;

    alarm(SECONDS);
    tally = scene_run("scene", text, out, false, NULL);
    alarm(0);
    fclose(out);
    ck_assert_msg(!tally.failed || names_a_line(said), "failed, but says '%.60s'", said);
    snprintf(answer, sizeof(answer), "%s", said);
    free(said);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* A scene that crashes stays in FOLDER/scene-SEED. */
static void keep_text(const char *folder, uint32_t number, const char *text)
{
    char path[256];
    FILE *f;

    snprintf(path, sizeof(path), "%s/scene-%u", folder, number);
    f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

START_TEST(mutated_scenes)
{
    static char text[TEXT_MOST];
    const char *first = getenv("SCENES_SEED"), *keep = getenv("SCENES_KEEP");
    uint32_t number = (first ? (uint32_t)atoi(first) : 0) + (uint32_t)_i;

    seed = number * 7919 + 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        strcpy(text, sound[below(n_sound)]);
        for (unsigned n = 1 + below(4); n; n--)
            change(text);
        if (keep)
            keep_text(keep, number, text);
        run(text);
    }
}
END_TEST

START_TEST(truncated_scenes)
{
    static char text[TEXT_MOST];

    seed = 5;
    for (unsigned round = 0; round < ROUNDS; round++) {
        strcpy(text, sound[below(n_sound)]);
        text[below((uint32_t)strlen(text))] = '\0';
        run(text);
    }
}
END_TEST

/* Excessive numbers and sizes are refused, with the line. */
START_TEST(excessive_scenes)
{
    static const char *const texts[] = {
        "# rule: a/b\ntexture a 16384x16384 A32B32G32R32F\n",
        "volume a 2048x2048x2048 A8R8G8B8\n",
        "target 8192x8192 A8R8G8B8 samples=8\n",
        "backbuffer 16384x16384 A8R8G8B8\n",
        "buffer a 4294967295\n",
        "vertices { 0 0 0 }\ndraw TRIANGLELIST count=1000000000\n",
        "fvf XYZ\nvertices { 0 0 0 }\ndraw POINTLIST up start=1 count=9\n",
        "fvf XYZ\nbuffer a 99\nstream 0 a stride=12\ndraw POINTLIST up start=1 count=1\n",
        "fvf XYZ\nvertices stream=65535 { 0 0 0 }\n",
        "texture a 4x4 A8R8G8B8\nfill a rect=0,0,2,31 { solid ff000000 }\n",
        "texture a 4x4 A8R8G8B8 levels=9 -> INVALIDCALL\nbind 0 a\n",
        "surface a 4x4 A8R8G8B8 plain\nbind 0 a\n",
        "volume a 4x4x4 A8R8G8B8 { slice 4 solid ff000000 }\n",
        "volume a 2x2x2 A8R8G8B8 { slice01 texels ff000000 }\n",
        "shader vs { fffe0200 02000001 }\n",
        "shader vs { fffe0101 1 2 3 4 5 6 7 8 9 a b c d e f 1 2 3 4 5 6 7 8 9 a b c d ffff }\n",
    };

    for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char text[256];

        strcpy(text, texts[i]);
        run(text);
        ck_assert_msg(answer[0] && !strstr(answer, "its rule"), "%s: %s", texts[i], answer);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("broken scenes");
    TCase *tc = tcase_create("broken");

    setenv("NOVEM_THREADS", "1", 0);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, excessive_scenes);
    tcase_add_test(tc, truncated_scenes);
    tcase_add_loop_test(tc, mutated_scenes, 0, 4);
    tcase_set_timeout(tc, 600);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
