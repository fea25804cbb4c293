/* Planar video surfaces, YV12 and NV12: creation, locks, copies, conversion and fills
 * (reference: format/planar). */
#include "api_test.h"

#include <stdlib.h>

#define YV12 ((D3DFORMAT)MAKEFOURCC('Y', 'V', '1', '2'))
#define NV12 ((D3DFORMAT)MAKEFOURCC('N', 'V', '1', '2'))

enum { W = 20, H = 16 };
static const D3DFORMAT formats[] = {YV12, NV12};

static IDirect3DSurface9 *plain(IDirect3DDevice9 *device, D3DFORMAT format, D3DPOOL pool)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, W, H, format, pool, &surface, NULL));
    return surface;
}

/* Writes one pixel and the chroma sample that it shares. */
static void put(D3DFORMAT format, const D3DLOCKED_RECT *lock, int x, int y, const uint8_t yuv[3])
{
    uint8_t *bits = lock->pBits, *chroma = bits + lock->Pitch * H;

    bits[y * lock->Pitch + x] = yuv[0];
    if (format == NV12) {
        chroma[y / 2 * lock->Pitch + x / 2 * 2] = yuv[1];
        chroma[y / 2 * lock->Pitch + x / 2 * 2 + 1] = yuv[2];
    } else {
        chroma[y / 2 * (lock->Pitch / 2) + x / 2] = yuv[2];
        chroma[(H / 2 + y / 2) * (lock->Pitch / 2) + x / 2] = yuv[1];
    }
}

/* The top left quarter has one colour, the rest another one, as in a public test of hardware. */
static void fill(IDirect3DSurface9 *surface, D3DFORMAT format, const uint8_t a[3],
                 const uint8_t b[3])
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DSurface9_LockRect(surface, &lock, NULL, 0));
    ck_assert_int_ge(lock.Pitch, W);
    ck_assert_int_eq(lock.Pitch % 2, 0);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            put(format, &lock, x, y, x < W / 2 && y < H / 2 ? a : b);
    OK(IDirect3DSurface9_UnlockRect(surface));
}

static void expect_near(DWORD got, DWORD want)
{
    for (int shift = 0; shift < 24; shift += 8)
        ck_assert_msg(abs((int)(got >> shift & 255) - (int)(want >> shift & 255)) <= 18,
                      "%06x, not %06x", (unsigned)got & 0xffffff, (unsigned)want & 0xffffff);
}

/* Colours and tolerance of a public test of hardware. */
static const struct {
    uint8_t yuv[3];
    DWORD colour;
} colours[] = {{{0x00, 0x00, 0x00}, 0x008800}, {{0xff, 0xff, 0xff}, 0xff7dff},
               {{0xff, 0x00, 0x00}, 0x4aff14}, {{0x00, 0xff, 0xff}, 0xb800ee},
               {{0x00, 0xff, 0x00}, 0x0024ee}, {{0xff, 0x00, 0xff}, 0xffe114},
               {{0x00, 0x00, 0xff}, 0xb80000}, {{0xff, 0xff, 0x00}, 0x4affff}};

START_TEST(layout)
{
    D3DFORMAT format = formats[_i & 1];
    int a = _i / 2, b = a ^ 1;
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *video = plain(device, format, D3DPOOL_DEFAULT), *target;

    OK(IDirect3DDevice9_CreateRenderTarget(device, 640, 480, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE,
                                           0, TRUE, &target, NULL));
    fill(video, format, colours[a].yuv, colours[b].yuv);
    OK(IDirect3DDevice9_StretchRect(device, video, NULL, target, NULL, D3DTEXF_POINT));
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            expect_near(surface_pixel(target, (1 + 2 * i) * 80, (1 + 2 * j) * 60),
                        colours[i < 2 && j < 2 ? a : b].colour);
    release(target);
    release(video);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static void same_bytes(IDirect3DSurface9 *a, IDirect3DSurface9 *b)
{
    D3DLOCKED_RECT p, q;

    OK(IDirect3DSurface9_LockRect(a, &p, NULL, D3DLOCK_READONLY));
    OK(IDirect3DSurface9_LockRect(b, &q, NULL, D3DLOCK_READONLY));
    ck_assert_int_eq(p.Pitch, q.Pitch);
    ck_assert_mem_eq(p.pBits, q.pBits, (size_t)p.Pitch * (H + H / 2));
    OK(IDirect3DSurface9_UnlockRect(a));
    OK(IDirect3DSurface9_UnlockRect(b));
}

/* UpdateSurface and StretchRect between surfaces of one format copy all planes. */
START_TEST(copies)
{
    D3DFORMAT format = formats[_i];
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *system = plain(device, format, D3DPOOL_SYSTEMMEM),
                      *video = plain(device, format, D3DPOOL_DEFAULT),
                      *second = plain(device, format, D3DPOOL_DEFAULT),
                      *other = plain(device, formats[!_i], D3DPOOL_DEFAULT);
    const RECT part = {2, 4, 12, 10}, odd[] = {{1, 0, 4, 4}, {0, 1, 4, 4}, {0, 0, 3, 4}};
    const POINT to = {8, 6}, odd_to = {7, 6};

    fill(system, format, colours[4].yuv, colours[5].yuv);
    OK(IDirect3DDevice9_UpdateSurface(device, system, NULL, video, NULL));
    same_bytes(system, video);
    OK(IDirect3DDevice9_StretchRect(device, video, NULL, second, NULL, D3DTEXF_NONE));
    same_bytes(video, second);
    OK(IDirect3DDevice9_UpdateSurface(device, system, &part, video, &to));
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        REFUSED(IDirect3DDevice9_UpdateSurface(device, system, &odd[i], video, NULL));
        REFUSED(IDirect3DDevice9_StretchRect(device, video, &odd[i], second, &odd[i], 0));
    }
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, &part, video, &odd_to));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, NULL, other, NULL));
    REFUSED(IDirect3DDevice9_StretchRect(device, video, NULL, other, NULL, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_StretchRect(device, video, NULL, second, &part, D3DTEXF_POINT));
    release(other);
    release(second);
    release(video);
    release(system);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Nothing converts to video; RGB targets of any format take it, and linear filters blend RGB. */
START_TEST(conversion)
{
    static const D3DFORMAT targets[] = {D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_A16B16G16R16F};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *video = plain(device, formats[_i], D3DPOOL_DEFAULT), *target, *rgb;
    IDirect3D9 *d3d;

    OK(IDirect3DDevice9_GetDirect3D(device, &d3d));
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        OK(IDirect3D9_CheckDeviceFormatConversion(d3d, 0, D3DDEVTYPE_HAL, formats[_i], targets[i]));
        OK(IDirect3DDevice9_CreateRenderTarget(device, 33, 7, targets[i], D3DMULTISAMPLE_NONE, 0,
                                               FALSE, &target, NULL));
        OK(IDirect3DDevice9_StretchRect(device, video, NULL, target, NULL, D3DTEXF_LINEAR));
        REFUSED(IDirect3DDevice9_StretchRect(device, target, NULL, video, NULL, D3DTEXF_LINEAR));
        release(target);
    }
    RETURNS(IDirect3D9_CheckDeviceFormatConversion(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                                   formats[_i]),
            D3DERR_NOTAVAILABLE);
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, W, H, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT,
                                                    &rgb, NULL));
    REFUSED(IDirect3DDevice9_StretchRect(device, rgb, NULL, video, NULL, D3DTEXF_NONE));
    release(rgb);
    release(d3d);
    release(video);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(creation)
{
    D3DFORMAT format = formats[_i];
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *surface;
    IDirect3DTexture9 *texture;
    IDirect3D9 *d3d;

    OK(IDirect3DDevice9_GetDirect3D(device, &d3d));
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, D3DRTYPE_SURFACE,
                                    format));
    RETURNS(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                         D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, format),
            D3DERR_NOTAVAILABLE);
    RETURNS(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0,
                                         D3DRTYPE_TEXTURE, format),
            D3DERR_NOTAVAILABLE);
    for (int i = 0; i < 2; i++)
        REFUSED(IDirect3DDevice9_CreateOffscreenPlainSurface(
            device, 16 + (UINT)i, 17 - (UINT)i, format, D3DPOOL_DEFAULT, &surface, NULL));
    for (D3DPOOL pool = D3DPOOL_DEFAULT; pool <= D3DPOOL_SCRATCH; pool++)
        REFUSED(IDirect3DDevice9_CreateTexture(device, 16, 16, 1, 0, format, pool, &texture, NULL));
    surface = plain(device, format, D3DPOOL_SCRATCH);
    release(surface);
    release(d3d);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Locks of a part start in the plane of luma. */
START_TEST(rectangles)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *video = plain(device, formats[_i], D3DPOOL_DEFAULT);
    const RECT part = {4, 6, 10, 12}, odd = {3, 6, 10, 12};
    D3DLOCKED_RECT all, lock;

    OK(IDirect3DSurface9_LockRect(video, &all, NULL, 0));
    OK(IDirect3DSurface9_UnlockRect(video));
    OK(IDirect3DSurface9_LockRect(video, &lock, &part, 0));
    ck_assert_int_eq(lock.Pitch, all.Pitch);
    ck_assert_int_eq((char *)lock.pBits - (char *)all.pBits, 6 * all.Pitch + 4);
    OK(IDirect3DSurface9_UnlockRect(video));
    REFUSED(IDirect3DSurface9_LockRect(video, &lock, &odd, 0));
    release(video);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* The planes of user memory have no padding, whatever the pitch of the image is. */
START_TEST(user_memory)
{
    enum { WIDTH = 6, HEIGHT = 4, BYTES = WIDTH * HEIGHT * 3 / 2 };
    IDirect3DDevice9Ex *device = create_device_ex();
    uint8_t memory[BYTES], yuv[3], before[BYTES];
    HANDLE handle = memory;
    IDirect3DSurface9 *system, *video;
    D3DLOCKED_RECT lock, in;

    for (int i = 0; i < BYTES; i++)
        memory[i] = before[i] = (uint8_t)(i * 5 + 1);
    OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, WIDTH, HEIGHT, formats[_i],
                                                      D3DPOOL_SYSTEMMEM, &system, &handle));
    OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, WIDTH, HEIGHT, formats[_i],
                                                      D3DPOOL_DEFAULT, &video, NULL));
    OK(IDirect3DSurface9_LockRect(system, &in, NULL, 0));
    ck_assert_ptr_eq(in.pBits, memory);
    ck_assert_int_eq(in.Pitch, WIDTH);
    OK(IDirect3DSurface9_UnlockRect(system));
    OK(IDirect3DDevice9Ex_UpdateSurface(device, system, NULL, video, NULL));
    OK(IDirect3DSurface9_LockRect(video, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *bits = lock.pBits, *chroma = bits + lock.Pitch * HEIGHT;
            int tight = WIDTH * HEIGHT, half = lock.Pitch / 2;

            yuv[0] = bits[y * lock.Pitch + x];
            yuv[1] = _i ? chroma[y / 2 * lock.Pitch + x] : chroma[y / 2 * half + x / 2];
            yuv[2] = _i ? 0 : chroma[(HEIGHT / 2 + y / 2) * half + x / 2];
            ck_assert_uint_eq(yuv[0], memory[y * WIDTH + x]);
            ck_assert_uint_eq(yuv[1], _i ? memory[tight + y / 2 * WIDTH + x]
                                         : memory[tight + y / 2 * (WIDTH / 2) + x / 2]);
            if (!_i)
                ck_assert_uint_eq(yuv[2], memory[tight + tight / 4 + y / 2 * (WIDTH / 2) + x / 2]);
        }
    }
    OK(IDirect3DSurface9_UnlockRect(video));
    ck_assert_mem_eq(memory, before, BYTES);
    release(video);
    release(system);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/video");
    TCase *tc = tcase_create("planar");

    tcase_add_loop_test(tc, layout, 0, 16);
    tcase_add_loop_test(tc, copies, 0, 2);
    tcase_add_loop_test(tc, conversion, 0, 2);
    tcase_add_loop_test(tc, creation, 0, 2);
    tcase_add_loop_test(tc, rectangles, 0, 2);
    tcase_add_loop_test(tc, user_memory, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
