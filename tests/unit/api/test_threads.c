/* Tests of a multithreaded device: threads create, write, draw and release objects of their own and
 * shared ones, and each checks its result. Also tests errors of deferred work. */
#include "api_test.h"

#include "util/alloc.h"
#include "util/log.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, EDGE = 16, DEFAULT_ROUNDS = 40 };

struct shared {
    IDirect3DDevice9 *device;
    IDirect3DVertexBuffer9 *buffer; /* all threads write and draw it */
    unsigned rounds;
};

struct own {
    struct shared *shared;
    unsigned number;
};

static IDirect3DTexture9 *filled_texture(IDirect3DDevice9 *device, D3DPOOL pool, DWORD usage,
                                         DWORD colour)
{
    IDirect3DTexture9 *texture;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, usage, D3DFMT_A8R8G8B8, pool, &texture,
                                      NULL));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
    for (int y = 0; y < EDGE; y++)
        for (int x = 0; x < EDGE; x++)
            ((DWORD *)((char *)lock.pBits + y * lock.Pitch))[x] = colour;
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    return texture;
}

static void expect_colour(IDirect3DDevice9 *device, IDirect3DSurface9 *target, DWORD colour)
{
    IDirect3DSurface9 *copy;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    OK(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < EDGE; y++)
        for (int x = 0; x < EDGE; x++)
            ck_assert_uint_eq(((DWORD *)((char *)lock.pBits + y * lock.Pitch))[x], colour);
    OK(IDirect3DSurface9_UnlockRect(copy));
    release(copy);
}

/* State changes by other threads between two calls do not affect copies and fills. */
static void copy_round(const struct own *own, unsigned round)
{
    IDirect3DDevice9 *device = own->shared->device;
    DWORD colour = 0xff000000 | own->number << 20 | (round * 0x3579 & 0xfffff);
    IDirect3DTexture9 *from = filled_texture(device, D3DPOOL_SYSTEMMEM, 0, colour), *to;
    IDirect3DSurface9 *target, *level;

    OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &to, NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, 0, 0, FALSE,
                                           &target, NULL));
    OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)from,
                                      (IDirect3DBaseTexture9 *)to));
    OK(IDirect3DTexture9_GetSurfaceLevel(to, 0, &level));
    OK(IDirect3DDevice9_StretchRect(device, level, NULL, target, NULL, D3DTEXF_POINT));
    release(from); /* while its copy is pending */
    release(level);
    release(to);
    expect_colour(device, target, colour);
    OK(IDirect3DDevice9_ColorFill(device, target, NULL, ~colour));
    expect_colour(device, target, ~colour);
    release(target);
}

/* These draws have undefined results, but must not disturb other threads. */
static void draw_round(const struct own *own, unsigned round)
{
    IDirect3DDevice9 *device = own->shared->device;
    IDirect3DTexture9 *texture =
        filled_texture(device, round & 1 ? D3DPOOL_MANAGED : D3DPOOL_DEFAULT,
                       round & 1 ? 0 : D3DUSAGE_DYNAMIC, round);
    float *v;

    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, own->shared->buffer, 0, 24));
    OK(IDirect3DVertexBuffer9_Lock(own->shared->buffer, own->number * 72, 72, (void **)&v,
                                   D3DLOCK_NOOVERWRITE));
    for (int i = 0; i < 3; i++)
        memcpy(v + 6 * i, ((float[6]){i == 1 ? 640 : 0, i == 2 ? 480 : 0, 0.5f, 1, 1, 1}), 24);
    OK(IDirect3DVertexBuffer9_Unlock(own->shared->buffer));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 3 * own->number, 1));
    if (round % 4 == 0)
        OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    release(texture); /* usually while bound, until another thread binds its own */
    if (!own->number)
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
}

static void count_round(const struct own *own)
{
    IDirect3DQuery9 *query;
    DWORD passed;

    OK(IDirect3DDevice9_CreateQuery(own->shared->device, D3DQUERYTYPE_OCCLUSION, &query));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    while (IDirect3DQuery9_GetData(query, &passed, sizeof(passed), D3DGETDATA_FLUSH) == S_FALSE)
        ;
    release(query);
}

static void *live(void *arg)
{
    const struct own *own = arg;

    for (unsigned round = 0; round < own->shared->rounds; round++) {
        copy_round(own, round);
        draw_round(own, round);
        if (round % 8 == 0)
            count_round(own);
    }
    return NULL;
}

/* NOVEM_TEST_ROUNDS sets how often each thread does everything. */
START_TEST(eight_threads)
{
    const char *text = getenv("NOVEM_TEST_ROUNDS");
    struct shared shared = {.rounds = text ? (unsigned)strtoul(text, NULL, 10) : DEFAULT_ROUNDS};
    struct own own[THREADS];
    pthread_t thread[THREADS];

    setenv("NOVEM_THREADS", "3", 1);
    setenv("NOVEM_SINK", "none", 1);
    shared.device =
        create_device_flags(D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED);
    OK(IDirect3DDevice9_CreateVertexBuffer(shared.device, 72 * THREADS, D3DUSAGE_DYNAMIC, 0,
                                           D3DPOOL_DEFAULT, &shared.buffer, NULL));
    for (unsigned i = 0; i < THREADS; i++) {
        own[i] = (struct own){&shared, i};
        ck_assert_int_eq(pthread_create(&thread[i], NULL, live, &own[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    release(shared.buffer);
    ck_assert_uint_eq(release(shared.device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static HRESULT draw_strip(IDirect3DDevice9 *device)
{
    static const float v[4][4] = {{0, 0, 0, 1}, {640, 0, 0, 1}, {0, 480, 0, 1}, {640, 480, 0, 1}};

    return IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0]));
}

/* A draw that runs out of memory in the renderer has already returned. The next drawing call
 * returns the error, once. */
START_TEST(late_failure)
{
    IDirect3DDevice9 *device;
    HRESULT hr = D3D_OK;

    setenv("NOVEM_THREADS", "2", 1);
    setenv("NOVEM_SINK", "none", 1);
    log_set_level(LOG_NONE);
    device = create_device();
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    mem_fail_after(0);
    OK(draw_strip(device)); /* creates pipelines and bins first */
    for (int i = 0; i < 10000 && SUCCEEDED(hr); i++) {
        usleep(100);
        hr = IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0);
    }
    mem_fail_after(-1);
    RETURNS(hr, E_OUTOFMEMORY);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0); /* returns the failure */
    OK(draw_strip(device));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static bool is_whole_png(const char *dir, int frame)
{
    static const char end[] = "IEND\xae\x42\x60\x82";
    char path[PATH_MAX], last[8];
    FILE *file;
    bool whole;

    snprintf(path, sizeof(path), "%s/frame-%05d.png", dir, frame);
    file = fopen(path, "rb");
    whole =
        file && !fseek(file, -8, SEEK_END) && fread(last, 1, 8, file) == 8 && !memcmp(last, end, 8);
    if (file)
        fclose(file);
    unlink(path);
    return whole;
}

/* Frame files of a queue length of 0 are complete even if the process exits without releasing the
 * device. */
START_TEST(frames_survive_exit)
{
    char dir[] = "/tmp/novem-frames-XXXXXX", sink[sizeof(dir) + 8];
    int status;
    pid_t child;

    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(sink, sizeof(sink), "png:%s", dir);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        IDirect3DDevice9 *device;

        setenv("NOVEM_THREADS", "3", 1);
        setenv("NOVEM_SINK", sink, 1);
        setenv("NOVEM_SINK_QUEUE", "0", 1);
        device = create_device();
        for (int i = 0; i < 3; i++) {
            OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
            OK(draw_strip(device));
            OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        }
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    for (int i = 0; i < 3; i++)
        ck_assert(is_whole_png(dir, i));
    rmdir(dir);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/threads");
    TCase *tc = tcase_create("threads");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, eight_threads);
    tcase_add_test(tc, late_failure);
    tcase_add_test(tc, frames_survive_exit);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
