/* Tests that a forked child does not wait for render threads that only its parent has: its calls
 * return an error, and a device of its own works. */
#include "api_test.h"

#include "util/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static IDirect3DDevice9 *make_device(void)
{
    IDirect3DDevice9 *device;

    setenv("NOVEM_THREADS", "3", 0);
    setenv("NOVEM_SINK", "raw:/dev/null", 0); /* has a thread of its own */
    device = create_device();
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    return device;
}

static HRESULT draw(IDirect3DDevice9 *device)
{
    static const float triangle[3][4] = {{0, 0, 0, 1}, {64, 0, 0, 1}, {0, 64, 0, 1}};

    return IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, 16);
}

/* All kinds of calls that wait for the renderer. Returns the number of the first that is wrong. */
static int use_in_child(IDirect3DDevice9 *device, IDirect3DVertexBuffer9 *buffer,
                        IDirect3DQuery9 *query)
{
    IDirect3DSurface9 *back = NULL, *copy = NULL;
    D3DLOCKED_RECT rect;
    void *data;
    DWORD result;

    for (int i = 0; i < 100000; i++) /* more than the ring holds */
        if (SUCCEEDED(draw(device)))
            return 1;
    if (SUCCEEDED(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0)))
        return 2;
    if (SUCCEEDED(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &data, 0)))
        return 3;
    if (SUCCEEDED(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL)))
        return 4;
    if (IDirect3DQuery9_GetData(query, &result, sizeof(result), D3DGETDATA_FLUSH) == S_FALSE)
        return 5;
    if (FAILED(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back)))
        return 6;
    if (SUCCEEDED(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                               D3DPOOL_SYSTEMMEM, &copy, NULL)) &&
        SUCCEEDED(IDirect3DDevice9_GetRenderTargetData(device, back, copy)))
        return 7;
    if (copy && SUCCEEDED(IDirect3DSurface9_LockRect(copy, &rect, NULL, 0)))
        return 8;
    if (copy)
        release(copy);
    release(back);
    release(buffer);
    release(query);
    release(device);
    device = make_device();
    if (FAILED(draw(device)) || FAILED(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL)) ||
        release(device))
        return 9;
    return 0;
}

START_TEST(child_gets_errors)
{
    IDirect3DDevice9 *device = make_device();
    IDirect3DVertexBuffer9 *buffer;
    IDirect3DQuery9 *query;
    int status = -1;
    pid_t child;

    log_set_level(LOG_NONE);
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 48, 0, 0, D3DPOOL_DEFAULT, &buffer, NULL));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_EVENT, &query));
    OK(draw(device));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, 16));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 1));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    child = fork();
    if (!child) {
        alarm(10);
        _exit(use_in_child(device, buffer, query));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "the child was ended by signal %d", WTERMSIG(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    OK(draw(device)); /* nothing has changed for the parent */
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    release(buffer);
    release(query);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Without render threads the device of the parent works in the child. Its frames go nowhere: more
 * than the queue of the sink holds. */
START_TEST(child_uses_device_without_threads)
{
    IDirect3DDevice9 *device;
    int status = -1;
    pid_t child;

    log_set_level(LOG_NONE);
    setenv("NOVEM_THREADS", "1", 1);
    device = make_device();
    child = fork();
    if (!child) {
        alarm(10);
        for (unsigned i = 0; i < 10; i++)
            if (FAILED(draw(device)) ||
                FAILED(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL)))
                _exit(1);
        _exit(release(device) != 0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* A device that the child makes writes its frames, also those that are queued at exit. */
START_TEST(child_writes_its_frames)
{
    char folder[] = "/tmp/novem-fork-XXXXXX", sink[64], path[64];
    IDirect3DDevice9 *device;
    int status = -1;
    struct stat about = {0};
    pid_t child;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    sprintf(sink, "raw:%s/frames", folder);
    setenv("NOVEM_SINK", sink, 1);
    device = make_device();
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    child = fork();
    if (!child) {
        alarm(10);
        device = make_device();
        for (unsigned i = 0; i < 3; i++)
            OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(release(device), 0);
    sprintf(path, "%s/frames-2", folder); /* the parent's device has the name itself */
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(about.st_size, 3 * 640 * 480 * 4);
    unlink(path);
    sprintf(path, "%s/frames", folder);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/fork");
    TCase *tc = tcase_create("fork");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, child_gets_errors);
    tcase_add_test(tc, child_uses_device_without_threads);
    tcase_add_test(tc, child_writes_its_frames);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
