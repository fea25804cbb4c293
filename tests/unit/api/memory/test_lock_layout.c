/* Tests of locks whose memory layout differs from the renderer's: ATI1, ATI2, and user memory.
 * Under AddressSanitizer they also detect writes out of bounds. */
#include "api_test.h"

#include "util/alloc.h"

#define ATI1 ((D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1'))
#define ATI2 ((D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2'))

/* --- ATI1 and ATI2 (reference: locks/ati) ----------------------------------------------------- */

static const D3DPOOL memory_pools[] = {D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH};

/* Levels follow one another at one byte a pixel; faces start at multiples of 16. */
START_TEST(ati_levels_are_linear)
{
    IDirect3DDevice9 *device = create_device();
    D3DFORMAT format = _i & 1 ? ATI2 : ATI1;
    IDirect3DCubeTexture9 *cube;
    char *base = NULL;
    D3DLOCKED_RECT lock;
    LONG offset = 0;

    OK(IDirect3DDevice9_CreateCubeTexture(device, 33, 0, 0, format, memory_pools[_i / 2], &cube,
                                          NULL));
    for (int face = 0; face < 6; face++) {
        for (UINT level = 0; level < 6; level++) {
            LONG edge = 33 >> level;

            OK(IDirect3DCubeTexture9_LockRect(cube, (D3DCUBEMAP_FACES)face, level, &lock, NULL, 0));
            base = base ? base : lock.pBits;
            ck_assert_int_eq(lock.Pitch, edge);
            ck_assert_int_eq((char *)lock.pBits - base, offset);
            OK(IDirect3DCubeTexture9_UnlockRect(cube, (D3DCUBEMAP_FACES)face, level));
            offset += edge * edge;
        }
        offset = (offset + 15) & ~15;
    }
    release(cube);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static size_t block_bytes(D3DFORMAT format, UINT edge)
{
    size_t blocks = (edge + 3) / 4;

    return blocks * blocks * (format == ATI1 ? 8 : 16);
}

static void fill_level(IDirect3DTexture9 *texture, D3DFORMAT format, UINT level, bool locked)
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DTexture9_LockRect(texture, level, &lock, NULL, 0));
    memset(lock.pBits, (int)level + 1, block_bytes(format, 33u >> level));
    if (!locked)
        OK(IDirect3DTexture9_UnlockRect(texture, level));
}

static void check_levels(IDirect3DTexture9 *texture, D3DFORMAT format)
{
    unsigned char want[33 * 33 * 2];
    D3DLOCKED_RECT lock;

    for (UINT level = 0; level < 6; level++) {
        memset(want, (int)level + 1, sizeof(want));
        OK(IDirect3DTexture9_LockRect(texture, level, &lock, NULL, D3DLOCK_READONLY));
        ck_assert_mem_eq(lock.pBits, want, block_bytes(format, 33u >> level));
        OK(IDirect3DTexture9_UnlockRect(texture, level));
    }
}

/* Although the blocks of adjacent levels overlap, no level overwrites another. */
START_TEST(ati_levels_keep_their_blocks)
{
    IDirect3DDevice9 *device = create_device();
    D3DFORMAT format = _i & 1 ? ATI2 : ATI1;
    IDirect3DTexture9 *texture;

    OK(IDirect3DDevice9_CreateTexture(device, 33, 33, 0, 0, format, memory_pools[_i / 2], &texture,
                                      NULL));
    for (UINT level = 0; level < 6; level++)
        fill_level(texture, format, level, false);
    check_levels(texture, format);
    /* All levels locked at once. */
    for (UINT level = 0; level < 6; level++)
        fill_level(texture, format, level, true);
    for (UINT level = 0; level < 6; level++)
        OK(IDirect3DTexture9_UnlockRect(texture, level));
    check_levels(texture, format);
    fill_level(texture, format, 0, true); /* one level stays locked */
    release(texture);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* All slices of a volume. */
START_TEST(ati_volume)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVolumeTexture9 *volumes;
    unsigned char want[24 * 8 * 8];
    D3DLOCKED_BOX lock;

    for (size_t i = 0; i < sizeof(want); i++)
        want[i] = (unsigned char)(i * 5 + 1);
    OK(IDirect3DDevice9_CreateVolumeTexture(device, 24, 8, 8, 1, 0, ATI2, D3DPOOL_SCRATCH, &volumes,
                                            NULL));
    OK(IDirect3DVolumeTexture9_LockBox(volumes, 0, &lock, NULL, 0));
    ck_assert_int_eq(lock.RowPitch, 24);
    ck_assert_int_eq(lock.SlicePitch, 192);
    memcpy(lock.pBits, want, sizeof(want));
    OK(IDirect3DVolumeTexture9_UnlockBox(volumes, 0));
    OK(IDirect3DVolumeTexture9_LockBox(volumes, 0, &lock, NULL, D3DLOCK_READONLY));
    ck_assert_mem_eq(lock.pBits, want, sizeof(want));
    OK(IDirect3DVolumeTexture9_UnlockBox(volumes, 0));
    release(volumes);
    release(device);
}
END_TEST

/* --- User memory (reference: resources/user-memory) ------------------------------------------- */

START_TEST(user_memory)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    unsigned char memory[33 * 33];
    HANDLE handle = memory;
    IDirect3DTexture9 *texture, *copy;
    IDirect3DVertexBuffer9 *buffer;
    D3DLOCKED_RECT lock;

    for (unsigned i = 0; i < sizeof(memory); i++)
        memory[i] = (unsigned char)(i * 7);
    REFUSED(IDirect3DDevice9Ex_CreateTexture(device, 33, 33, 0, 0, D3DFMT_L8, D3DPOOL_SYSTEMMEM,
                                             &texture, &handle));
    REFUSED(IDirect3DDevice9Ex_CreateTexture(device, 33, 33, 1, 0, D3DFMT_L8, D3DPOOL_SCRATCH,
                                             &texture, &handle));
    RETURNS(IDirect3DDevice9Ex_CreateVertexBuffer(device, 16, 0, 0, D3DPOOL_SYSTEMMEM, &buffer,
                                                  &handle),
            D3DERR_NOTAVAILABLE);
    OK(IDirect3DDevice9Ex_CreateTexture(device, 33, 33, 1, 0, D3DFMT_L8, D3DPOOL_SYSTEMMEM,
                                        &texture, &handle));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
    ck_assert_int_eq(lock.Pitch, 33);
    ck_assert_ptr_eq(lock.pBits, memory);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));

    OK(IDirect3DDevice9Ex_CreateTexture(device, 33, 33, 1, D3DUSAGE_DYNAMIC, D3DFMT_L8,
                                        D3DPOOL_DEFAULT, &copy, NULL));
    OK(IDirect3DDevice9Ex_UpdateTexture(device, (IDirect3DBaseTexture9 *)texture,
                                        (IDirect3DBaseTexture9 *)copy));
    OK(IDirect3DTexture9_LockRect(copy, 0, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < 33; y++)
        ck_assert_mem_eq((char *)lock.pBits + y * lock.Pitch, memory + 33 * y, 33);
    OK(IDirect3DTexture9_UnlockRect(copy, 0));
    release(copy);
    release(texture);
    REFUSED(IDirect3DDevice9Ex_CreateTexture(device, 16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                             &texture, NULL));
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Rows are tight, also rows of blocks; memory behind them is neither read nor written. */
static const struct {
    D3DFORMAT format;
    UINT width, height;
    LONG pitch;
    size_t bytes;
    size_t rows; /* rows of blocks; of ATI1 the upper half */
} tight[] = {
    {D3DFMT_R3G3B2, 5, 3, 5, 15, 3}, {D3DFMT_R5G6B5, 3, 3, 6, 18, 3},
    {D3DFMT_DXT1, 8, 8, 16, 32, 2},  {D3DFMT_DXT5, 12, 8, 48, 96, 2},
    {D3DFMT_YUY2, 6, 3, 12, 36, 3},  {D3DFMT_A16B16G16R16F, 3, 2, 24, 48, 2},
    {ATI1, 8, 8, 8, 64, 4},          {ATI2, 8, 8, 8, 64, 8},
    {ATI2, 6, 6, 6, 36, 6},
};

START_TEST(user_memory_is_tight)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    unsigned char *memory = malloc(tight[_i].bytes), *before = malloc(tight[_i].bytes);
    HANDLE handle = memory;
    IDirect3DTexture9 *texture, *copy, *back;
    D3DLOCKED_RECT lock, got, want;

    for (size_t i = 0; i < tight[_i].bytes; i++)
        before[i] = memory[i] = (unsigned char)(i * 7 + 3);
    OK(IDirect3DDevice9Ex_CreateTexture(device, tight[_i].width, tight[_i].height, 1, 0,
                                        tight[_i].format, D3DPOOL_SYSTEMMEM, &texture, &handle));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
    ck_assert_int_eq(lock.Pitch, tight[_i].pitch);
    ck_assert_ptr_eq(lock.pBits, memory);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));

    /* Expected: a copy of the same memory by the CPU. */
    OK(IDirect3DDevice9Ex_CreateTexture(device, tight[_i].width, tight[_i].height, 1,
                                        D3DUSAGE_DYNAMIC, tight[_i].format, D3DPOOL_DEFAULT, &copy,
                                        NULL));
    OK(IDirect3DDevice9Ex_UpdateTexture(device, (IDirect3DBaseTexture9 *)texture,
                                        (IDirect3DBaseTexture9 *)copy));
    OK(IDirect3DDevice9Ex_CreateTexture(device, tight[_i].width, tight[_i].height, 1,
                                        D3DUSAGE_DYNAMIC, tight[_i].format, D3DPOOL_DEFAULT, &back,
                                        NULL));
    OK(IDirect3DTexture9_LockRect(back, 0, &want, NULL, 0));
    for (size_t y = 0; y < tight[_i].rows; y++)
        memcpy((char *)want.pBits + y * (size_t)want.Pitch, memory + y * (size_t)lock.Pitch,
               (size_t)lock.Pitch);
    OK(IDirect3DTexture9_LockRect(copy, 0, &got, NULL, D3DLOCK_READONLY));
    ck_assert_int_eq(got.Pitch, want.Pitch);
    for (size_t y = 0; y < tight[_i].rows; y++)
        ck_assert_mem_eq((char *)got.pBits + y * (size_t)got.Pitch,
                         (char *)want.pBits + y * (size_t)want.Pitch, (size_t)lock.Pitch);
    OK(IDirect3DTexture9_UnlockRect(copy, 0));
    OK(IDirect3DTexture9_UnlockRect(back, 0));
    ck_assert_mem_eq(memory, before, tight[_i].bytes);
    release(back);
    release(copy);
    release(texture);
    ck_assert_uint_eq(release(device), 0);
    free(memory);
    free(before);
}
END_TEST

/* GetRenderTargetData writes to user memory. */
START_TEST(target_data_to_user_memory)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    DWORD memory[3 * 2 + 1] = {0};
    HANDLE handle = memory;
    IDirect3DSurface9 *target, *surface;

    memory[6] = 0x1234;
    OK(IDirect3DDevice9Ex_CreateRenderTarget(device, 3, 2, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0,
                                             FALSE, &target, NULL));
    OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, 3, 2, D3DFMT_A8R8G8B8,
                                                      D3DPOOL_SYSTEMMEM, &surface, &handle));
    OK(IDirect3DDevice9Ex_ColorFill(device, target, NULL, 0x80ff0102));
    OK(IDirect3DDevice9Ex_GetRenderTargetData(device, target, surface));
    for (int i = 0; i < 6; i++)
        ck_assert_uint_eq(memory[i], 0x80ff0102);
    ck_assert_uint_eq(memory[6], 0x1234);
    release(surface);
    release(target);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/lock_layout");
    TCase *tc = tcase_create("level-memory");

    tcase_add_loop_test(tc, ati_levels_are_linear, 0, 6);
    tcase_add_loop_test(tc, ati_levels_keep_their_blocks, 0, 6);
    tcase_add_test(tc, ati_volume);
    tcase_add_test(tc, user_memory);
    tcase_add_loop_test(tc, user_memory_is_tight, 0, sizeof(tight) / sizeof(tight[0]));
    tcase_add_test(tc, target_data_to_user_memory);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
