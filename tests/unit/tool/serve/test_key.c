/* Paths below the token: what they mean, and which mean nothing. */
#include "check_main.h"

#include "tool/serve/key.h"

#include <string.h>

static struct serve_key key;

START_TEST(paths)
{
    ck_assert(serve_key_parse(&key, "") && key.kind == SERVE_PAGE);
    ck_assert(serve_key_parse(&key, "images/00ff12.png") && key.kind == SERVE_PICTURE && !key.raw);
    ck_assert_str_eq(key.picture, "00ff12.png");
    ck_assert(serve_key_parse(&key, "images/0123456789abcdef-depth.png"));
    ck_assert(serve_key_parse(&key, "images/00ff12.f32") && key.raw);
    ck_assert(serve_key_parse(&key, "data/frame") && key.kind == SERVE_FRAME);
    ck_assert(serve_key_parse(&key, "data/film") && key.kind == SERVE_FILM);
    ck_assert(serve_key_parse(&key, "data/film/12") && key.kind == SERVE_THUMB);
    ck_assert_uint_eq(key.film, 12);
    ck_assert(serve_key_parse(&key, "data/event/12/overlay/depth-fail"));
    ck_assert_int_eq(key.kind, SERVE_ANSWER);
    ck_assert_str_eq(key.key, "event/12/overlay/depth-fail");
    ck_assert(serve_key_parse(&key, "data/pixel/18446744073709551615/4294967295/3/4"));
    ck_assert_int_eq(key.kind, SERVE_PIXEL);
    ck_assert(serve_key_parse(&key, "data/edit/0123456789abcdef/capture"));
    ck_assert_int_eq(key.kind, SERVE_CAPTURE);
    ck_assert(serve_key_parse(&key, "data/edit/0123456789abcdef/resource/3/end/0/0/0"));
    ck_assert_int_eq(key.kind, SERVE_EDIT);
    ck_assert_str_eq(key.edit, "0123456789abcdef");
    ck_assert_str_eq(key.rest, "resource/3/end/0/0/0");
    ck_assert(serve_key_parse(&key, "data/pixel/18446744073709551615/4294967295/3/4"));
    ck_assert(key.call == UINT64_MAX && key.resource == UINT32_MAX && key.x == 3 && key.y == 4);
}
END_TEST

START_TEST(no_paths)
{
    static const char *const none[] = {
        "x",
        "/",
        "data",
        "data/",
        "images/",
        "image/00.png",
        "images/.png",
        "images/00.gif",
        "images/00.pngx",
        "images/00.png/",
        "images/../00.png",
        "images/0G.png",
        "images/0.0.png",
        "images/a/b.png",
        "images/0123456789abcdef0123456789abcdef.png",
        "data//frame",
        "data/frame/",
        "data/..",
        "data/event/..",
        "data/event/./1",
        "data/a b",
        "data/a%20",
        "data/a\n",
        "data/film/",
        "data/film/x",
        "data/film/01",
        "data/film/-1",
        "data/film/1/2",
        "data/film/18446744073709551616",
        "data/pixel/1/2/3",
        "data/pixel/1/2/3/4/5",
        "data/pixel/1/2/3/4294967296",
        "data/pixel/1/2/3/",
        "data/pixel/+1/2/3/4",
        "edit",
        "data/edit/0123456789abcde/event/1",
        "data/edit/0123456789abcdef",
        "data/edit/0123456789abcdef/",
        "data/edit/0123456789ABCDEF/event/1",
        "data/edit/../event/1",
        "data/edit/0123456789abcdef0/event/1",
        "data/edit/0123456789abcdef/frame",
        "data/edit/0123456789abcdef/film/1",
        "data/edit/0123456789abcdef/pixel/1/2/3/4",
        "data/edit/0123456789abcdef/edit/0123456789abcdef/event/1",
    };

    for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++)
        ck_assert_msg(!serve_key_parse(&key, none[i]), "%s", none[i]);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("key");
    TCase *tc = tcase_create("paths");

    tcase_add_test(tc, paths);
    tcase_add_test(tc, no_paths);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
