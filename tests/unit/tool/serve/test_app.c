/* Routes: from a request to sessions, cache and files of pictures. The stub that answers counts how
 * often it is asked, in shared memory. */
#include "unit/tool/command.h"

#include "tool/serve/app.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

static unsigned *asked;

static enum status go_to(void *ctx, uint64_t frame, char error[SESSION_TEXT])
{
    *(uint64_t *)ctx = frame;
    snprintf(error, SESSION_TEXT, "there is no frame %d", (int)frame);
    return frame < 10 ? ST_OK : ST_NOTFOUND;
}

/* "picture/N" writes a picture of 1000 bytes with the number N. */
static enum status stub(void *ctx, const char *question, char **out, size_t *n,
                        char error[SESSION_TEXT])
{
    uint64_t frame = *(uint64_t *)ctx;
    char *text = malloc(4096), path[128];
    unsigned number;
    FILE *file;

    __atomic_add_fetch(asked, 1, __ATOMIC_SEQ_CST);
    if (!strcmp(question, "event/404"))
        return ST_NOTFOUND;
    if (!strcmp(question, "crash"))
        abort();
    *out = text;
    *n = (size_t)sprintf(text, "{\"key\":\"%s\",\"frame\":%d,\"frames\":1,\"live\":false}",
                         question, (int)frame);
    if (sscanf(question, "picture/%u", &number) != 1)
        return ST_OK;
    snprintf(path, sizeof(path), "%s/images/%04x.png", folder, number);
    file = fopen(path, "w");
    if (!file || fprintf(file, "%-1000u", number) != 1000 || fclose(file)) {
        snprintf(error, SESSION_TEXT, "%s", path);
        return ST_IO;
    }
    *n = (size_t)sprintf(text, "{\"file\":\"images/%04x.png\"}", number);
    return ST_OK;
}

static char *page(const char *nonce, size_t *n)
{
    char *text = mem_strdup(nonce);

    *n = strlen(nonce);
    return text;
}

static struct serve_app app;
static uint64_t place;
static const struct session_work work = {.ctx = &place, .go_to = go_to, .answer = stub};
static const struct session_limits limits = {
    .sessions = 3, .answers = 2, .seconds = 10, .answer_bytes = 1 << 20, .memory = 64 << 20};

static void start(void)
{
    open_folder();
    asked = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_int_eq(mkdir(in_folder("images"), 0700), 0);
    app = (struct serve_app){.folder = folder, .frame = 3, .page = page};
    ck_assert_int_eq(sessions_start(&app.sessions, &work, &limits), ST_OK);
    ck_assert_int_eq(cache_create(&app.cache, 1 << 20), ST_OK);
    ck_assert_int_eq(pictures_create(&app.pictures, folder, 5000), ST_OK);
}

static void stop(void)
{
    sessions_stop(app.sessions);
    cache_destroy(app.cache);
    pictures_destroy(app.pictures);
    close_folder();
}

static struct http_answer got;

static const char *get(const char *path, const char *frame)
{
    static char text[4096];
    struct http_request request = {.path = path, .frame = frame, .nonce = "0123"};

    memset(&got, 0, sizeof(got));
    serve_answer(&app, &request, &got);
    snprintf(text, sizeof(text), "%.*s", (int)got.n, got.bytes ? got.bytes : "");
    mem_free(got.bytes);
    return text;
}

static void refuses(const char *path, const char *frame, unsigned status)
{
    const char *text = get(path, frame);

    ck_assert_msg(got.status == status, "%s: %u %s", path, got.status, text);
}

START_TEST(answers_keys)
{
    ck_assert_str_eq(get("data/event/5", NULL),
                     "{\"key\":\"event/5\",\"frame\":3,\"frames\":1,\"live\":false}");
    ck_assert_uint_eq(got.status, HTTP_OK);
    ck_assert_str_eq(got.type, "application/json");
    ck_assert(!got.unchanging);
    ck_assert_ptr_nonnull(strstr(get("data/event/5", "7"), "\"frame\":7"));
    /* The second time, the cache answers. */
    ck_assert_uint_eq(*asked, 2);
    ck_assert_ptr_nonnull(strstr(get("data/event/5", "7"), "\"frame\":7"));
    ck_assert_ptr_nonnull(strstr(get("data/event/5", "3"), "\"frame\":3"));
    ck_assert_uint_eq(*asked, 2);
}
END_TEST

START_TEST(adds_what_the_server_knows)
{
    const char *text = get("data/frame", NULL);

    ck_assert_msg(strstr(text, "\"live\":true") && strstr(text, "\"frames\":0") &&
                      strstr(text, "\"film\":[]") && strstr(text, "\"complete\":true") &&
                      strstr(text, "\"frame\":3") && !strstr(text, "false"),
                  "%s", text);
    ck_assert_str_eq(get("data/film", NULL),
                     "{\"live\":true,\"frames\":0,\"complete\":true,\"film\":[]}");
}
END_TEST

START_TEST(serves_the_page)
{
    ck_assert_str_eq(get("", NULL), "0123");
    ck_assert_str_eq(got.type, "text/html; charset=utf-8");
    ck_assert_uint_eq(*asked, 0);
}
END_TEST

START_TEST(refuses_what_is_not_there)
{
    refuses("nothing", NULL, HTTP_NOT_FOUND);
    refuses("images/0001.png", NULL, HTTP_NOT_FOUND);
    refuses("images/../x.png", NULL, HTTP_NOT_FOUND);
    refuses("data/event/5", "x", HTTP_NOT_FOUND);
    refuses("data/event/5", "-1", HTTP_NOT_FOUND);
    ck_assert_uint_eq(*asked, 0);
    refuses("data/event/404", NULL, HTTP_NOT_FOUND);
    refuses("data/event/5", "10", HTTP_NOT_FOUND);
    ck_assert_str_eq(got.type, "application/json");
    ck_assert_str_eq(get("data/event/5", "10"), "{\"error\": \"there is no frame 10\"}\n");
    refuses("data/crash", NULL, HTTP_FAILED);
    refuses("data/crash", NULL, HTTP_FAILED); /* no failure is kept */
    ck_assert_uint_eq(*asked, 3);
    refuses("data/event/5", NULL, HTTP_OK);
}
END_TEST

/* A file that no answer named is not served. A link in the place of a picture is neither read nor
 * written through. All files are in the test's own folder. */
START_TEST(serves_only_pictures_of_answers)
{
    uint8_t *bytes;
    size_t n;

    write_text(in_folder("images/abcd.png"), "secret");
    refuses("images/abcd.png", NULL, HTTP_NOT_FOUND);
    get("data/picture/1", NULL);
    write_text(in_folder("outside"), "secret");
    ck_assert_int_eq(unlink(in_folder("images/0001.png")), 0);
    ck_assert_int_eq(symlink("../outside", in_folder("images/0001.png")), 0);
    ck_assert_int_eq(strncmp(get("images/0001.png", NULL), "1 ", 2), 0);
    ck_assert_uint_eq(got.status, HTTP_OK);
    ck_assert_int_eq(tool_file_read(in_folder("outside"), &bytes, &n), ST_OK);
    ck_assert_str_eq((char *)bytes, "secret");
    mem_free(bytes);
}
END_TEST

/* Five pictures fit. One that was removed is made again. */
START_TEST(pictures_are_bounded)
{
    char path[32], expected[16];

    for (unsigned i = 0; i < 20; i++) {
        snprintf(path, sizeof(path), "data/picture/%u", i);
        get(path, NULL);
        ck_assert_uint_eq(got.status, HTTP_OK);
        ck_assert_uint_le(pictures_bytes(app.pictures), 5000);
    }
    ck_assert_int_ne(access(in_folder("images/0000.png"), F_OK), 0);
    ck_assert_int_eq(access(in_folder("images/0013.png"), F_OK), 0);
    ck_assert_uint_eq(*asked, 20);
    for (unsigned i = 0; i < 20; i++) {
        snprintf(path, sizeof(path), "images/%04x.png", i);
        snprintf(expected, sizeof(expected), "%u ", i);
        ck_assert_int_eq(strncmp(get(path, NULL), expected, strlen(expected)), 0);
        ck_assert_uint_eq(got.status, HTTP_OK);
        ck_assert_str_eq(got.type, "image/png");
        ck_assert_uint_eq(got.n, 1000);
        ck_assert(got.unchanging);
        ck_assert_uint_le(pictures_bytes(app.pictures), 5000);
    }
    ck_assert_uint_gt(*asked, 20);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("app");
    TCase *tc = tcase_create("routes");

    tcase_add_checked_fixture(tc, start, stop);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, answers_keys);
    tcase_add_test(tc, adds_what_the_server_knows);
    tcase_add_test(tc, serves_the_page);
    tcase_add_test(tc, refuses_what_is_not_there);
    tcase_add_test(tc, serves_only_pictures_of_answers);
    tcase_add_test(tc, pictures_are_bounded);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
