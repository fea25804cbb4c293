/* Tests that a program which draws for ever without a Present needs a bounded amount of memory: the
 * open scene is flushed when its primitives, constants or released images have become large. */
#include "api_test.h"
#include "sanitized.h"

#include <stdio.h>
#include <unistd.h>

static long resident_mib(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long all, resident = 0;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%ld %ld", &all, &resident), 2);
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
}

enum work { DRAWS, STATES, DEPTH_CLEARS, TEXTURES, WORKS };

static void do_work(IDirect3DDevice9 *device, enum work work, unsigned i)
{
    static const float quad[4][4] = {{0, 0, 0, 1}, {6, 0, 0, 1}, {0, 6, 0, 1}, {6, 6, 0, 1}};
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *level;

    if (work == DEPTH_CLEARS) {
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, (float)(i & 1), 0));
        return;
    }
    if (work == STATES)
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, i));
    if (work == TEXTURES) {
        OK(IDirect3DDevice9_CreateTexture(device, 256, 256, 1, D3DUSAGE_RENDERTARGET,
                                          D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
        OK(IDirect3DDevice9_ColorFill(device, level, NULL, i + 1));
        release(level);
        OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
        release(texture);
    }
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, 16));
}

/* Without a bound, the steps take more than `limit` MiB. */
static const struct {
    unsigned steps;
    long limit;
} works[WORKS] = {[DRAWS] = {800000, 120},
                  [STATES] = {250000, 200},
                  [DEPTH_CLEARS] = {500000, 120},
                  [TEXTURES] = {2500, 250}};

START_TEST(draws_without_present)
{
    enum work work = (enum work)(_i % WORKS);
    IDirect3DDevice9 *device;
    long before, most = 0;

    setenv("NOVEM_THREADS", _i < WORKS ? "1" : "3", 1);
    device = create_device();
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG1,
                                             work == TEXTURES ? D3DTA_TEXTURE : D3DTA_TFACTOR));
    before = resident_mib();
    for (unsigned i = 0; i < works[work].steps; i++) {
        do_work(device, work, i);
        if (i % 1000 == 0 && resident_mib() > most)
            most = resident_mib();
    }
    ck_assert_int_lt(most - before, works[work].limit);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/memory_bounds");
    TCase *tc = tcase_create("bounds");

    tcase_set_timeout(tc, 300);
#ifndef SANITIZED /* they keep freed memory */
    tcase_add_loop_test(tc, draws_without_present, 0, 2 * WORKS);
#endif
    (void)draws_without_present;
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
