/* Tests that multisample types claimed by CheckDeviceMultiSampleType work: clear, draws to all and
 * to single samples, depth test and resolve (reference: multisample/types, multisample/resolve). */
#include "format_oracle.h"

#include "util/alloc.h"
#include "vm/vm.h"

enum { WIDTH = 19, HEIGHT = 9 };

static IDirect3D9 *d3d9;
static IDirect3DDevice9 *device;

static void open_device(void)
{
    static const char text[] = "ps_2_0\nmov oC0, c0\n";
    IDirect3DPixelShader9 *shader;
    struct vm_error error;
    uint32_t *words;
    size_t n;

    device = create_device();
    OK(IDirect3DDevice9_GetDirect3D(device, &d3d9));
    ck_assert_int_eq(vm_assemble(&words, &n, text, &error), ST_OK);
    OK(IDirect3DDevice9_CreatePixelShader(device, (const DWORD *)words, &shader));
    OK(IDirect3DDevice9_SetPixelShader(device, shader));
    IDirect3DPixelShader9_Release(shader);
    mem_free(words);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
}

static void close_device(void)
{
    IDirect3D9_Release(d3d9);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static bool has_samples(D3DFORMAT format, unsigned samples)
{
    return format != D3DFMT_UNKNOWN &&
           SUCCEEDED(IDirect3D9_CheckDeviceMultiSampleType(d3d9, 0, D3DDEVTYPE_HAL, format, TRUE,
                                                           (D3DMULTISAMPLE_TYPE)samples, NULL));
}

static bool is_claimed(D3DFORMAT format, DWORD usage)
{
    return SUCCEEDED(IDirect3D9_CheckDeviceFormat(d3d9, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage,
                                                  D3DRTYPE_SURFACE, format));
}

static IDirect3DSurface9 *target(D3DFORMAT format, unsigned samples)
{
    IDirect3DSurface9 *out;

    OK(IDirect3DDevice9_CreateRenderTarget(device, WIDTH, HEIGHT, format,
                                           (D3DMULTISAMPLE_TYPE)samples, 0, FALSE, &out, NULL));
    return out;
}

/* Fills the left `columns` of the target. */
static void fill_columns(float columns, float z, const float rgba[4])
{
    float right = columns - 0.5f;
    const float corners[4][4] = {{-0.5f, -0.5f, z, 1},
                                 {right, -0.5f, z, 1},
                                 {-0.5f, HEIGHT - 0.5f, z, 1},
                                 {right, HEIGHT - 0.5f, z, 1}};

    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 0, rgba, 1));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners,
                                        sizeof(corners[0])));
    OK(IDirect3DDevice9_EndScene(device));
}

/* Resolves the surface and converts it to single precision. */
static void read_floats(IDirect3DSurface9 *from, float (*out)[WIDTH][4])
{
    IDirect3DSurface9 *floats = target(D3DFMT_A32B32G32R32F, 0), *copy;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_StretchRect(device, from, NULL, floats, NULL, D3DTEXF_POINT));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, WIDTH, HEIGHT, D3DFMT_A32B32G32R32F,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, floats, copy));
    OK(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY));
    for (unsigned y = 0; y < HEIGHT; y++)
        memcpy(out[y], (const char *)lock.pBits + (ptrdiff_t)y * lock.Pitch, sizeof(out[y]));
    OK(IDirect3DSurface9_UnlockRect(copy));
    release(copy);
    release(floats);
}

static const float first[4] = {0.25f, 0.75f, 1.0f, 0.0f}, second[4] = {1.0f, 0.125f, 0.5f, 1.0f};
static float plain[2][HEIGHT][WIDTH][4], mixed[HEIGHT][WIDTH][4];

/* Draws both colours without multisampling, as expected values. */
static void draw_plain(D3DFORMAT format)
{
    IDirect3DSurface9 *one = target(format, 0);

    OK(IDirect3DDevice9_SetRenderTarget(device, 0, one));
    fill_columns(WIDTH, 0, first);
    read_floats(one, plain[0]);
    fill_columns(WIDTH, 0, second);
    read_floats(one, plain[1]);
    release(one);
}

/* Tolerance: half a step of the narrowest compared channel, 4 bits; alpha may have 1. */
static bool is_near(float got, float want, unsigned channel)
{
    return fabsf(got - want) <= (channel == 3 ? 0.5f : 0.5f / 15.0f) + 1e-4f;
}

static void test_target(const char *name, D3DFORMAT format, unsigned samples)
{
    IDirect3DSurface9 *many = target(format, samples);

    draw_plain(format);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, many));
    fill_columns(WIDTH, 0, first);
    read_floats(many, mixed); /* equal samples resolve to their value exactly */
    ck_assert_msg(!memcmp(mixed, plain[0], sizeof(mixed)), "%s, %u samples", name, samples);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, (1u << samples / 2) - 1));
    fill_columns(11, 0, second);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, ~0u));
    read_floats(many, mixed);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            for (unsigned c = 0; c < 4; c++) {
                float a = plain[0][y][x][c], b = plain[x < 11][y][x][c];

                ck_assert_msg(is_near(mixed[y][x][c], (a + b) / 2, c),
                              "%s, %u samples, (%u,%u): channel %u is %f", name, samples, x, y, c,
                              mixed[y][x][c]);
            }
    release(many);
}

START_TEST(targets)
{
    const struct oracle_format *f = &oracle_formats[_i];

    if (!is_claimed(f->d3d, D3DUSAGE_RENDERTARGET) || !strcmp(f->name, "NULL") ||
        !strcmp(f->name, "RESZ"))
        return;
    for (unsigned samples = 2; samples <= 16; samples++)
        if (has_samples(f->d3d, samples))
            test_target(f->name, f->d3d, samples);
    ck_assert(has_samples(f->d3d, 4));
}
END_TEST

/* Depth 0.25 passes against 0.5 in some columns, and 0.75 fails. */
static void test_depth(const char *name, D3DFORMAT format, unsigned samples)
{
    IDirect3DSurface9 *many = target(D3DFMT_A8R8G8B8, samples), *depth;

    OK(IDirect3DDevice9_CreateDepthStencilSurface(
        device, WIDTH, HEIGHT, format, (D3DMULTISAMPLE_TYPE)samples, 0, FALSE, &depth, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, many));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, TRUE));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0));
    fill_columns(13, 0.5f, first);
    fill_columns(5, 0.25f, second);
    fill_columns(WIDTH, 0.75f, second);
    read_floats(many, mixed);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            ck_assert_msg((mixed[y][x][0] == 1.0f) == (x < 5 || x >= 13), "%s, %u samples: (%u,%u)",
                          name, samples, x, y);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    release(depth);
    release(many);
}

START_TEST(depths)
{
    const struct oracle_format *f = &oracle_formats[_i];

    if (!is_claimed(f->d3d, D3DUSAGE_DEPTHSTENCIL))
        return;
    for (unsigned samples = 2; samples <= 16; samples++)
        if (has_samples(f->d3d, samples))
            test_depth(f->name, f->d3d, samples);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/format_samples");
    TCase *tc = tcase_create("samples");

    tcase_add_checked_fixture(tc, open_device, close_device);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, targets, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, depths, 0, ORACLE_FORMATS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
