/* Tests of the entry points: what they create, and what they refuse. */
#include "api_test.h"

#include "util/alloc.h"

/* Not in the headers. */
struct on12_args {
    BOOL enable;
    IUnknown *device, *queues[2];
    UINT n_queues, node_mask;
};
IDirect3D9 *WINAPI Direct3DCreate9On12(UINT version, struct on12_args *overrides, UINT count);
HRESULT WINAPI Direct3DCreate9On12Ex(UINT version, struct on12_args *overrides, UINT count,
                                     IDirect3D9Ex **out);

static const IID on12_device_iid = {
    0xe7fda234, 0xb589, 0x4049, {0x94, 0x0d, 0x88, 0x78, 0x97, 0x75, 0x31, 0xc8}};

static void check_no_interface(void *object)
{
    IUnknown *unknown = object;
    void *out = object;

    RETURNS(unknown->lpVtbl->QueryInterface(unknown, &on12_device_iid, &out), E_NOINTERFACE);
    ck_assert_ptr_null(out);
    RETURNS(unknown->lpVtbl->QueryInterface(unknown, &on12_device_iid, NULL), E_POINTER);
}

static void check_device(IDirect3D9 *d3d9)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DSwapChain9 *chain;
    IDirect3DDevice9 *device;

    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    OK(IDirect3DDevice9_GetSwapChain(device, 0, &chain));
    check_no_interface(d3d9);
    check_no_interface(device);
    check_no_interface(chain);
    release(chain);
    ck_assert_uint_eq(release(device), 0);
}

/* Overrides that ask for no Direct3D 12 device of theirs (reference: device/on12). */
static const struct {
    struct on12_args args[2];
    UINT count;
    bool null;
} ordinary[] = {
    {.null = true},
    {.null = true, .count = 1},
    {.count = 0, .args = {{.enable = TRUE}}},
    {.count = 1, .args = {{.enable = FALSE}}},
    {.count = 1, .args = {{.enable = TRUE}}},
    {.count = 2, .args = {{.enable = FALSE}, {.enable = TRUE}}},
    {.count = 1, .args = {{.enable = FALSE, .device = (IUnknown *)&on12_device_iid}}},
};

START_TEST(on12_is_ordinary)
{
    struct on12_args args[2], *overrides = ordinary[_i].null ? NULL : args;
    IDirect3D9Ex *ex = NULL;
    IDirect3D9 *d3d9;
    void *out;

    memcpy(args, ordinary[_i].args, sizeof(args));
    d3d9 = Direct3DCreate9On12(D3D_SDK_VERSION, overrides, ordinary[_i].count);
    ck_assert_ptr_nonnull(d3d9);
    RETURNS(IDirect3D9_QueryInterface(d3d9, &IID_IDirect3D9Ex, &out), E_NOINTERFACE);
    check_device(d3d9);
    ck_assert_uint_eq(release(d3d9), 0);

    OK(Direct3DCreate9On12Ex(D3D_SDK_VERSION, overrides, ordinary[_i].count, &ex));
    OK(IDirect3D9Ex_QueryInterface(ex, &IID_IDirect3D9Ex, &out));
    release(out);
    check_device((IDirect3D9 *)ex);
    ck_assert_uint_eq(release(ex), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* A program that brings a Direct3D 12 device wants to share resources with it. */
START_TEST(on12_with_device)
{
    struct on12_args args[2] = {{.enable = FALSE},
                                {.enable = TRUE, .device = (IUnknown *)&on12_device_iid}};
    IDirect3D9Ex *ex = (IDirect3D9Ex *)args;

    ck_assert_ptr_null(Direct3DCreate9On12(D3D_SDK_VERSION, args, 2));
    RETURNS(Direct3DCreate9On12Ex(D3D_SDK_VERSION, args, 2, &ex), D3DERR_NOTAVAILABLE);
    ck_assert_ptr_null(ex);
    REFUSED(Direct3DCreate9On12Ex(D3D_SDK_VERSION, NULL, 0, NULL));
    REFUSED(Direct3DCreate9Ex(D3D_SDK_VERSION, NULL));
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Out of memory: no export leaves its result as it was. */
START_TEST(out_of_memory)
{
    IDirect3D9Ex *ex = (IDirect3D9Ex *)&on12_device_iid;

    mem_fail_after(0);
    ck_assert_ptr_null(Direct3DCreate9(D3D_SDK_VERSION));
    ck_assert_ptr_null(Direct3DCreate9On12(D3D_SDK_VERSION, NULL, 0));
    RETURNS(Direct3DCreate9Ex(D3D_SDK_VERSION, &ex), E_OUTOFMEMORY);
    ck_assert_ptr_null(ex);
    ex = (IDirect3D9Ex *)&on12_device_iid;
    RETURNS(Direct3DCreate9On12Ex(D3D_SDK_VERSION, NULL, 0, &ex), E_OUTOFMEMORY);
    ck_assert_ptr_null(ex);
    mem_fail_after(-1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/exports");
    TCase *tc = tcase_create("exports");

    tcase_add_loop_test(tc, on12_is_ordinary, 0, sizeof(ordinary) / sizeof(ordinary[0]));
    tcase_add_test(tc, on12_with_device);
    tcase_add_test(tc, out_of_memory);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
