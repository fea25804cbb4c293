/* Test of the pipeline cache with more pipelines than it holds. */
#include "api_test.h"

#include "util/alloc.h"

enum { OPERATIONS = 13, DRAWS = OPERATIONS * OPERATIONS * OPERATIONS }; /* the cache holds 2048 */

static void set_operation(IDirect3DDevice9 *device, DWORD stage, unsigned i)
{
    OK(IDirect3DDevice9_SetTextureStageState(device, stage, D3DTSS_COLOROP,
                                             D3DTOP_SELECTARG1 + i % OPERATIONS));
    OK(IDirect3DDevice9_SetTextureStageState(device, stage, D3DTSS_COLORARG1, D3DTA_TFACTOR));
}

/* Every draw uses a new pipeline, and another target than the one before, also when the cache
 * overflows. */
START_TEST(cache_overflow)
{
    static const struct {
        float x, y, z, rhw;
    } triangle[] = {{0, 0, 0, 1}, {8, 0, 0, 1}, {0, 8, 0, 1}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *target[2];

    for (unsigned i = 0; i < 2; i++)
        OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE,
                                               0, FALSE, &target[i], NULL));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    for (unsigned i = 0; i < DRAWS; i++) {
        set_operation(device, 0, i);
        set_operation(device, 1, i / OPERATIONS);
        set_operation(device, 2, i / OPERATIONS / OPERATIONS);
        OK(IDirect3DDevice9_SetRenderTarget(device, 0, target[i % 2]));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle,
                                            sizeof(triangle[0])));
    }
    release(target[0]);
    release(target[1]);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/pipelines");
    TCase *tc = tcase_create("pipelines");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, cache_overflow);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
