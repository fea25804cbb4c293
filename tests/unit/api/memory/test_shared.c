/* Tests of shared resources (reference: resources/shared). */
#include "api_test.h"

#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static IDirect3DTexture9 *texture(IDirect3DDevice9Ex *device, D3DFORMAT format, DWORD usage,
                                  HANDLE *handle)
{
    IDirect3DTexture9 *out = NULL;

    OK(IDirect3DDevice9Ex_CreateTexture(device, 64, 64, 1, usage, format, D3DPOOL_DEFAULT, &out,
                                        handle));
    return out;
}

static void fill(IDirect3DDevice9Ex *device, IDirect3DTexture9 *target, D3DCOLOR colour)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DTexture9_GetSurfaceLevel(target, 0, &surface));
    OK(IDirect3DDevice9Ex_ColorFill(device, surface, NULL, colour));
    release(surface);
}

/* Returns when all submitted work is complete. */
static void finish(IDirect3DDevice9Ex *device)
{
    IDirect3DQuery9 *query;
    BOOL done = FALSE;

    OK(IDirect3DDevice9Ex_CreateQuery(device, D3DQUERYTYPE_EVENT, &query));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    while (IDirect3DQuery9_GetData(query, &done, sizeof(done), D3DGETDATA_FLUSH) == S_FALSE)
        ;
    release(query);
}

/* Reads pixel (32, 32) through a copy to system memory: draws textures first, reads targets
 * directly. */
static D3DCOLOR read_pixel(IDirect3DDevice9Ex *device, IDirect3DTexture9 *from, bool draw)
{
    static const float quad[4][6] = {
        {0, 0, 0, 1, 0, 0}, {64, 0, 0, 1, 1, 0}, {0, 64, 0, 1, 0, 1}, {64, 64, 0, 1, 1, 1}};
    IDirect3DSurface9 *source, *copy;
    D3DLOCKED_RECT locked;
    D3DCOLOR colour;

    if (draw) {
        OK(IDirect3DDevice9Ex_SetTexture(device, 0, (IDirect3DBaseTexture9 *)from));
        OK(IDirect3DDevice9Ex_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
        OK(IDirect3DDevice9Ex_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad,
                                              sizeof(quad[0])));
        OK(IDirect3DDevice9Ex_SetTexture(device, 0, NULL));
        OK(IDirect3DDevice9Ex_GetRenderTarget(device, 0, &source));
        OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                          D3DPOOL_SYSTEMMEM, &copy, NULL));
    } else {
        OK(IDirect3DTexture9_GetSurfaceLevel(from, 0, &source));
        OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, 64, 64, D3DFMT_A8R8G8B8,
                                                          D3DPOOL_SYSTEMMEM, &copy, NULL));
    }
    OK(IDirect3DDevice9Ex_GetRenderTargetData(device, source, copy));
    OK(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY));
    colour = ((D3DCOLOR *)(void *)((char *)locked.pBits + 32 * locked.Pitch))[32];
    IDirect3DSurface9_UnlockRect(copy);
    release(source);
    release(copy);
    return colour;
}

/* Whether another process could open the handle. */
static bool exists(HANDLE handle)
{
    char path[64];

    snprintf(path, sizeof(path), "/dev/shm/novem-shared-%08x", (unsigned)(uintptr_t)handle);
    return access(path, F_OK) == 0;
}

START_TEST(devices_share_pixels)
{
    IDirect3DDevice9Ex *a = create_device_ex(), *b = create_device_ex();
    HANDLE handle = NULL;
    IDirect3DTexture9 *in_a = texture(a, D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, &handle), *in_b;
    HANDLE same = handle;

    ck_assert_ptr_nonnull(handle);
    in_b = texture(b, D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, &same);
    ck_assert_ptr_eq(same, handle);
    ck_assert_uint_eq(read_pixel(b, in_b, false), 0);
    for (unsigned i = 0; i < 3; i++) {
        fill(a, in_a, 0xff102030 + i);
        finish(a);
        ck_assert_uint_eq(read_pixel(b, in_b, false), 0xff102030 + i);
        ck_assert_uint_eq(read_pixel(b, in_b, true), 0xff102030 + i);
    }
    fill(b, in_b, 0xffabcdef);
    finish(b);
    ck_assert_uint_eq(read_pixel(a, in_a, true), 0xffabcdef);
    release(in_a);
    ck_assert_uint_eq(release(a), 0); /* the other device keeps it */
    ck_assert_uint_eq(read_pixel(b, in_b, true), 0xffabcdef);
    ck_assert(exists(handle));
    release(in_b);
    ck_assert_uint_eq(release(b), 0);
    ck_assert(!exists(handle));
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Formats that are sampled from a decoded copy. */
START_TEST(decode_cache_is_invalidated)
{
    IDirect3DDevice9Ex *a = create_device_ex(), *b = create_device_ex();
    HANDLE handle = NULL;
    IDirect3DTexture9 *in_a = texture(a, D3DFMT_A2R10G10B10, D3DUSAGE_RENDERTARGET, &handle);
    IDirect3DTexture9 *in_b = texture(b, D3DFMT_A2R10G10B10, D3DUSAGE_RENDERTARGET, &handle);

    for (unsigned i = 0; i < 3; i++) {
        D3DCOLOR colour = i & 1 ? 0xffff0000 : 0xff00ff00;

        fill(a, in_a, colour);
        finish(a);
        ck_assert_uint_eq(read_pixel(b, in_b, true), colour);
    }
    release(in_a);
    release(in_b);
    release(a);
    release(b);
}
END_TEST

START_TEST(processes_share_pixels)
{
    HANDLE handle = NULL;
    int to_child[2], status;
    pid_t child;

    ck_assert_int_eq(pipe(to_child), 0);
    child = fork(); /* before any thread exists */
    if (!child) {
        IDirect3DDevice9Ex *device;
        IDirect3DTexture9 *t;

        if (read(to_child[0], &handle, sizeof(handle)) != sizeof(handle))
            _exit(3);
        device = create_device_ex();
        t = texture(device, D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET, &handle);
        fill(device, t, 0xff445566);
        finish(device);
        release(t);
        release(device);
        _exit(0);
    }
    IDirect3DDevice9Ex *device = create_device_ex();
    IDirect3DTexture9 *t = texture(device, D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET, &handle);

    ck_assert_int_eq(write(to_child[1], &handle, sizeof(handle)), sizeof(handle));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(read_pixel(device, t, true) & 0xffffff, 0x445566);
    release(t);
    release(device);
    ck_assert(!exists(handle));
}
END_TEST

/* A forked child that releases its copy takes nothing from its parent. */
START_TEST(forked_children_keep_the_name)
{
    IDirect3DDevice9Ex *device;
    IDirect3DTexture9 *first, *second;
    HANDLE handle = NULL;
    pid_t child;
    int status;

    setenv("NOVEM_THREADS", "1", 1); /* with more, the child's calls do nothing */
    device = create_device_ex();
    first = texture(device, D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, &handle);
    child = fork();
    if (!child) {
        release(first);
        _exit(release(device) != 0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert(exists(handle));
    second = texture(device, D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, &handle);
    release(first);
    release(second);
    ck_assert_uint_eq(release(device), 0);
    ck_assert(!exists(handle));
}
END_TEST

START_TEST(other_descriptions_fail)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    HANDLE handle = NULL, unknown = (HANDLE)(uintptr_t)0x40000042;
    IDirect3DTexture9 *t = texture(device, D3DFMT_A8R8G8B8, 0, &handle), *other = NULL;
    IDirect3DSurface9 *surface = NULL;
    HANDLE kept = handle;

#define CREATE(size, format, handle)                                                               \
    IDirect3DDevice9Ex_CreateTexture(device, size, 64, 1, 0, format, D3DPOOL_DEFAULT, &other,      \
                                     handle)
    REFUSED(CREATE(32, D3DFMT_A8R8G8B8, &handle));
    REFUSED(CREATE(128, D3DFMT_A8R8G8B8, &handle));
    REFUSED(CREATE(64, D3DFMT_X8R8G8B8, &handle));
    REFUSED(CREATE(64, D3DFMT_A16B16G16R16F, &handle));
    REFUSED(CREATE(64, D3DFMT_A8R8G8B8, &unknown));
    ck_assert_ptr_null(other);
    ck_assert_ptr_eq(handle, kept);
    OK(CREATE(64, D3DFMT_A8R8G8B8, &handle));
    release(other);
    handle = NULL;
    OK(IDirect3DDevice9Ex_CreateRenderTarget(
        device, 16, 16, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &surface, &handle));
    ck_assert_ptr_nonnull(handle);
    release(surface);
    finish(device); /* the renderer releases it */
    REFUSED(IDirect3DDevice9Ex_CreateRenderTarget(
        device, 16, 16, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &surface, &handle));
    release(t);
    release(device);
}
END_TEST

/* Every allocation may fail. */
START_TEST(out_of_memory_leaks_nothing)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    bool ok = false;

    log_set_level(LOG_NONE);
    for (int n = 0; !ok && n < 100; n++) {
        IDirect3DTexture9 *t = NULL;
        HANDLE handle = NULL;
        HRESULT hr;

        mem_fail_after(n);
        hr = IDirect3DDevice9Ex_CreateTexture(device, 8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                              &t, &handle);
        mem_fail_after(-1);
        ok = SUCCEEDED(hr);
        if (ok)
            release(t);
        else
            RETURNS(hr, E_OUTOFMEMORY);
    }
    ck_assert(ok);
    release(device);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static bool has_name(HANDLE handle)
{
    char path[64];

    snprintf(path, sizeof(path), "/dev/shm/novem-shared-%08x", (unsigned)(uintptr_t)handle);
    return !access(path, F_OK);
}

/* A child that shares a texture, and ends without a release when *go is closed. */
static pid_t share_in_child(HANDLE *handle, int *go)
{
    int answer[2], ends[2];
    pid_t child;

    ck_assert_int_eq(pipe(answer), 0);
    ck_assert_int_eq(pipe(ends), 0);
    child = fork();
    if (!child) {
        IDirect3DDevice9Ex *device = create_device_ex();
        HANDLE made = NULL;
        char byte;

        close(ends[1]);
        texture(device, D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, &made);
        _exit(write(answer[1], &made, sizeof(made)) != sizeof(made) || read(ends[0], &byte, 1) > 0);
    }
    ck_assert_int_eq(read(answer[0], handle, sizeof(*handle)), sizeof(*handle));
    close(answer[0]);
    close(answer[1]);
    close(ends[0]);
    *go = ends[1];
    return child;
}

/* The first creation in a process removes the names of processes that have ended without a release,
 * and no others. */
START_TEST(names_of_dead_processes_go)
{
    HANDLE dead[2] = {NULL, NULL}, living = NULL, own = NULL;
    IDirect3DTexture9 *opened, *made;
    IDirect3DDevice9Ex *device;
    FILE *foreign;
    pid_t child;
    int go, ends[2];

    child = share_in_child(&living, &go);
    for (int i = 0; i < 2; i++) /* both live at the same time: the names differ */
        ck_assert_int_gt(share_in_child(&dead[i], &ends[i]), 0);
    for (int i = 0; i < 2; i++)
        close(ends[i]);
    for (int i = 0; i < 2; i++)
        ck_assert_int_gt(waitpid(-1, NULL, 0), 0);
    ck_assert(has_name(dead[0]) && has_name(dead[1]) && has_name(living));
    foreign = fopen("/dev/shm/novem-shared-game", "w");
    ck_assert_ptr_nonnull(foreign);
    fclose(foreign);

    device = create_device_ex();
    made = texture(device, D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, &own);
    ck_assert(own == dead[0] || !has_name(dead[0]));
    ck_assert(own == dead[1] || !has_name(dead[1]));
    ck_assert(has_name(living));
    ck_assert_int_eq(unlink("/dev/shm/novem-shared-game"), 0);
    opened = texture(device, D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, &living);

    close(go);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert(has_name(living)); /* this process still uses it */
    release(opened);
    release(made);
    ck_assert_uint_eq(release(device), 0);
    ck_assert(!has_name(living) && !has_name(own));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/shared");
    TCase *tc = tcase_create("shared");

    tcase_add_test(tc, devices_share_pixels);
    tcase_add_test(tc, decode_cache_is_invalidated);
    tcase_add_test(tc, processes_share_pixels);
    tcase_add_test(tc, forked_children_keep_the_name);
    tcase_add_test(tc, other_descriptions_fail);
    tcase_add_test(tc, out_of_memory_leaks_nothing);
    tcase_add_test(tc, names_of_dead_processes_go);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
