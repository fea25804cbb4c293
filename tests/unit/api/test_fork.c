/* Tests that a forked child does not wait for render threads that only its parent has: its calls
 * return an error, and a device of its own works. */
#include "api_test.h"

#include "util/log.h"

#include <sys/wait.h>
#include <unistd.h>

static IDirect3DDevice9 *make_device(void)
{
    IDirect3DDevice9 *device;

    setenv("NOVEM_THREADS", "3", 1);
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

static Suite *suite(void)
{
    Suite *s = suite_create("api/fork");
    TCase *tc = tcase_create("fork");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, child_gets_errors);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
