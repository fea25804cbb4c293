/* Tests of object lifetime: reference counts, containers, and complete vtables. */
#include "api_test.h"

#include "util/alloc.h"

/* --- Counts ----------------------------------------------------------------------------------- */

START_TEST(implicit_objects)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION), *again;
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DSurface9 *target, *back, *depth;
    IDirect3DSwapChain9 *chain;
    IDirect3DDevice9 *device;
    void *container;

    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    ck_assert_uint_eq(refs_of(d3d9), 2);
    ck_assert_uint_eq(refs_of(device), 1);
    OK(IDirect3DDevice9_GetDirect3D(device, &again));
    ck_assert_ptr_eq(again, d3d9);
    ck_assert_uint_eq(release(again), 2);

    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    ck_assert_uint_eq(refs_of(device), 2);
    ck_assert_uint_eq(refs_of(target), 1);
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    ck_assert_ptr_eq(back, target);
    ck_assert_uint_eq(refs_of(device), 2);
    ck_assert_uint_eq(refs_of(target), 2);
    OK(IDirect3DDevice9_GetSwapChain(device, 0, &chain));
    ck_assert_uint_eq(refs_of(chain), 1);
    ck_assert_uint_eq(refs_of(device), 3);
    OK(IDirect3DSurface9_GetContainer(back, &IID_IDirect3DSwapChain9, &container));
    ck_assert_ptr_eq(container, chain);
    release(container);
    RETURNS(IDirect3DSurface9_GetContainer(back, &IID_IDirect3DDevice9, &container), E_NOINTERFACE);
    ck_assert_ptr_null(container);

    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    OK(IDirect3DSurface9_GetContainer(depth, &IID_IDirect3DDevice9, &container));
    ck_assert_ptr_eq(container, device);
    release(container);
    ck_assert_uint_eq(refs_of(device), 4);
    ck_assert_uint_eq(release(depth), 0);
    ck_assert_uint_eq(release(chain), 0);
    ck_assert_uint_eq(release(back), 1);
    ck_assert_uint_eq(release(target), 0);
    ck_assert_uint_eq(refs_of(device), 1);

    /* At zero they stay alive, further releases have no effect, and AddRef works again. */
    ck_assert_uint_eq(release(back), 0);
    ck_assert_uint_eq(refs_of(device), 1);
    ck_assert_uint_eq(IDirect3DSurface9_AddRef(back), 1);
    ck_assert_uint_eq(refs_of(device), 2);
    ck_assert_uint_eq(release(back), 0);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_uint_eq(release(d3d9), 0);
}
END_TEST

typedef void make_fn(IDirect3DDevice9 *device, void **out);

static void make_vb(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 16, 0, 0, D3DPOOL_DEFAULT,
                                           (IDirect3DVertexBuffer9 **)out, NULL));
}
static void make_ib(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateIndexBuffer(device, 16, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT,
                                          (IDirect3DIndexBuffer9 **)out, NULL));
}
static void make_decl(IDirect3DDevice9 *device, void **out)
{
    static const D3DVERTEXELEMENT9 end[] = {D3DDECL_END()};

    OK(IDirect3DDevice9_CreateVertexDeclaration(device, end, (IDirect3DVertexDeclaration9 **)out));
}
static void make_vs(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateVertexShader(device, test_vs, (IDirect3DVertexShader9 **)out));
}
static void make_ps(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreatePixelShader(device, test_ps, (IDirect3DPixelShader9 **)out));
}
static void make_texture(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateTexture(device, 32, 32, 0, 0, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT,
                                      (IDirect3DTexture9 **)out, NULL));
}
static void make_cube(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateCubeTexture(device, 32, 0, 0, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT,
                                          (IDirect3DCubeTexture9 **)out, NULL));
}
static void make_volumes(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateVolumeTexture(device, 32, 32, 2, 0, 0, D3DFMT_X8R8G8B8,
                                            D3DPOOL_DEFAULT, (IDirect3DVolumeTexture9 **)out,
                                            NULL));
}
static void make_depth(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, 32, 32, D3DFMT_D24S8, 0, 0, TRUE,
                                                  (IDirect3DSurface9 **)out, NULL));
}
static void make_plain(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(
        device, 32, 32, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, (IDirect3DSurface9 **)out, NULL));
}
static void make_target(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_X8R8G8B8, 0, 0, TRUE,
                                           (IDirect3DSurface9 **)out, NULL));
}
static void make_block(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, (IDirect3DStateBlock9 **)out));
}
static void make_recorded(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_BeginStateBlock(device));
    ck_assert_uint_eq(refs_of(device), 1);
    OK(IDirect3DDevice9_EndStateBlock(device, (IDirect3DStateBlock9 **)out));
}
static void make_chain(IDirect3DDevice9 *device, void **out)
{
    D3DPRESENT_PARAMETERS p = {.SwapEffect = D3DSWAPEFFECT_DISCARD, .Windowed = TRUE};

    OK(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, (IDirect3DSwapChain9 **)out));
    ck_assert_uint_eq(p.BackBufferCount, 1);
    ck_assert_uint_eq(p.BackBufferWidth, 640);
}
static void make_query(IDirect3DDevice9 *device, void **out)
{
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, (IDirect3DQuery9 **)out));
}

static make_fn *const makers[] = {make_vb,      make_ib,    make_decl,     make_vs,    make_ps,
                                  make_texture, make_cube,  make_volumes,  make_depth, make_plain,
                                  make_target,  make_block, make_recorded, make_chain, make_query};
enum { MAKERS = sizeof(makers) / sizeof(makers[0]) };

START_TEST(created_object_holds_device)
{
    IDirect3DDevice9 *device = create_device();
    void *object, *other;

    makers[_i](device, &object);
    ck_assert_uint_eq(refs_of(object), 1);
    ck_assert_uint_eq(refs_of(device), 2);
    ck_assert_uint_eq(release(object), 0);
    ck_assert_uint_eq(refs_of(device), 1);

    /* The application may release the device first; the last child destroys it. */
    makers[_i](device, &object);
    makers[_i == MAKERS - 1 ? 0 : MAKERS - 1](device, &other);
    ck_assert_uint_eq(release(device), 2);
    ck_assert_uint_eq(release(other), 0);
    ck_assert_uint_eq(release(object), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(vtable_is_complete)
{
    IDirect3DDevice9 *device = create_device();
    void *object, *const *table;

    table = *(void *const **)device;
    for (size_t i = 0; i < sizeof(IDirect3DDevice9ExVtbl) / sizeof(void *); i++)
        ck_assert_ptr_nonnull(table[i]);
    makers[_i](device, &object);
    table = *(void *const **)object;
    for (int i = 0; i < 4; i++)
        ck_assert_ptr_nonnull(table[i]);
    release(object);
    release(device);
}
END_TEST

START_TEST(levels_share_the_count)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVolumeTexture9 *volumes;
    IDirect3DSurface9 *level;
    IDirect3DTexture9 *texture;
    IDirect3DVolume9 *volume;
    void *container;

    OK(IDirect3DDevice9_CreateTexture(device, 32, 32, 2, 0, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT,
                                      &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 1, &level));
    ck_assert_uint_eq(refs_of(device), 2);
    ck_assert_uint_eq(refs_of(texture), 2);
    ck_assert_uint_eq(refs_of(level), 2);
    OK(IDirect3DSurface9_GetContainer(level, &IID_IDirect3DTexture9, &container));
    ck_assert_ptr_eq(container, texture);
    ck_assert_uint_eq(release(container), 2);
    RETURNS(IDirect3DSurface9_GetContainer(level, &IID_IDirect3DSurface9, &container),
            E_NOINTERFACE);
    ck_assert_ptr_null(container);
    ck_assert_uint_eq(release(texture), 1);
    ck_assert_uint_eq(release(level), 0);

    OK(IDirect3DDevice9_CreateVolumeTexture(device, 8, 8, 8, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT,
                                            &volumes, NULL));
    OK(IDirect3DVolumeTexture9_GetVolumeLevel(volumes, 0, &volume));
    RETURNS(IDirect3DVolume9_QueryInterface(volume, &IID_IDirect3DResource9, &container),
            E_NOINTERFACE);
    ck_assert_uint_eq(release(volumes), 1);
    ck_assert_uint_eq(release(volume), 0);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Bindings are not counted; a bound object stays available after its last release. */
START_TEST(bindings_do_not_count)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture;
    IDirect3DBaseTexture9 *got;
    const void *vtbl;

    make_texture(device, (void **)&texture);
    vtbl = *(void **)texture;
    *(void **)texture = (void *)0xdeadbeef; /* games do it */
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    *(const void **)texture = vtbl;
    ck_assert_uint_eq(refs_of(texture), 1);
    ck_assert_uint_eq(release(texture), 0);
    ck_assert_uint_eq(refs_of(device), 1);
    OK(IDirect3DDevice9_GetTexture(device, 0, &got));
    ck_assert_ptr_eq(got, texture);
    ck_assert_uint_eq(refs_of(device), 2);
    ck_assert_uint_eq(release(got), 0);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* A back buffer outlives its chain, and then belongs to the device. */
START_TEST(back_buffer_outlives_chain)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSwapChain9 *chain;
    IDirect3DSurface9 *back;
    void *container;

    make_chain(device, (void **)&chain);
    OK(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    ck_assert_uint_eq(refs_of(chain), 1);
    ck_assert_uint_eq(refs_of(device), 3);
    ck_assert_uint_eq(release(chain), 0);
    OK(IDirect3DSurface9_GetContainer(back, &IID_IDirect3DDevice9, &container));
    release(container);
    ck_assert_uint_eq(release(back), 0);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* --- Ex --------------------------------------------------------------------------------------- */

START_TEST(ex_from_plain_is_refused)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSwapChain9 *chain;
    void *out = device;
    IDirect3D9 *d3d9;

    RETURNS(IDirect3DDevice9_QueryInterface(device, &IID_IDirect3DDevice9Ex, &out), E_NOINTERFACE);
    ck_assert_ptr_null(out);
    OK(IDirect3DDevice9_GetDirect3D(device, &d3d9));
    RETURNS(IDirect3D9_QueryInterface(d3d9, &IID_IDirect3D9Ex, &out), E_NOINTERFACE);
    OK(IDirect3DDevice9_GetSwapChain(device, 0, &chain));
    RETURNS(IDirect3DSwapChain9_QueryInterface(chain, &IID_IDirect3DSwapChain9Ex, &out),
            E_NOINTERFACE);
    release(chain);
    release(d3d9);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(ex_and_base_identity)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    IDirect3DSwapChain9 *chain;
    IDirect3DDevice9 *base;
    IDirect3D9 *d3d9, *ex;

    OK(IDirect3DDevice9Ex_QueryInterface(device, &IID_IDirect3DDevice9, (void **)&base));
    ck_assert_uint_eq(refs_of(device), 2);
    ck_assert_uint_eq(release(base), 1);
    OK(IDirect3DDevice9Ex_GetSwapChain(device, 0, &chain));
    OK(IDirect3DSwapChain9_QueryInterface(chain, &IID_IDirect3DSwapChain9Ex, (void **)&base));
    release(base);
    release(chain);
    OK(IDirect3DDevice9Ex_GetDirect3D(device, &d3d9));
    OK(IDirect3D9_QueryInterface(d3d9, &IID_IDirect3D9Ex, (void **)&ex));
    release(ex);
    release(d3d9);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/com");
    TCase *tc = tcase_create("objects");

    tcase_add_test(tc, implicit_objects);
    tcase_add_loop_test(tc, created_object_holds_device, 0, MAKERS);
    tcase_add_loop_test(tc, vtable_is_complete, 0, MAKERS);
    tcase_add_test(tc, levels_share_the_count);
    tcase_add_test(tc, bindings_do_not_count);
    tcase_add_test(tc, back_buffer_outlives_chain);
    tcase_add_test(tc, ex_from_plain_is_refused);
    tcase_add_test(tc, ex_and_base_identity);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
