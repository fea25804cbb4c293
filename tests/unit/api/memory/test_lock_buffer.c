/* Tests of vertex and index buffer locks (reference: locks/buffers). */
#include "api_test.h"

START_TEST(buffer_locks)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *buffer;
    D3DVERTEXBUFFER_DESC desc;
    unsigned char *data, *again;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 1025, 0, D3DFVF_XYZ, D3DPOOL_MANAGED, &buffer,
                                           NULL));
    OK(IDirect3DVertexBuffer9_GetDesc(buffer, &desc));
    ck_assert_uint_eq(desc.Size, 1025);
    ck_assert_uint_eq(desc.FVF, D3DFVF_XYZ);
    ck_assert_int_eq(desc.Format, D3DFMT_VERTEXDATA);
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&data, 0));
    ck_assert_uint_eq((uintptr_t)data % 16, 0);
    memset(data, 0x77, 1025);
    OK(IDirect3DVertexBuffer9_Lock(buffer, 16, 4, (void **)&again, D3DLOCK_READONLY));
    ck_assert_ptr_eq(again, data + 16);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    REFUSED(IDirect3DVertexBuffer9_Unlock(buffer));
    /* DISCARD keeps contents and address. */
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 1025, (void **)&again, D3DLOCK_DISCARD));
    ck_assert_ptr_eq(again, data);
    ck_assert_uint_eq(again[1024], 0x77);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    REFUSED(IDirect3DVertexBuffer9_Lock(buffer, 1026, 0, (void **)&again, 0));
    REFUSED(IDirect3DVertexBuffer9_Lock(buffer, 1000, 26, (void **)&again, 0));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&again, 0xdeadbeef));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    release(buffer);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static const D3DPOOL pools[] = {D3DPOOL_DEFAULT, D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM};
static const DWORD usages[] = {
    0,
    D3DUSAGE_DYNAMIC,
    D3DUSAGE_WRITEONLY,
    D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
    D3DUSAGE_SOFTWAREPROCESSING,
    D3DUSAGE_POINTS,
};
static const DWORD flag_sets[] = {
    0,
    D3DLOCK_READONLY,
    D3DLOCK_DISCARD,
    D3DLOCK_NOOVERWRITE,
    D3DLOCK_NO_DIRTY_UPDATE,
    D3DLOCK_DONOTWAIT,
    D3DLOCK_NOSYSLOCK,
    D3DLOCK_DISCARD | D3DLOCK_NOOVERWRITE,
    D3DLOCK_NOOVERWRITE | D3DLOCK_READONLY,
};
enum { FLAG_SETS = sizeof(flag_sets) / sizeof(flag_sets[0]), BYTES = 96 };

/* The vtables of index and vertex buffers have the same layout. */
static IDirect3DVertexBuffer9 *make(IDirect3DDevice9 *device, bool indices, D3DPOOL pool,
                                    DWORD usage)
{
    void *out = NULL;

    if (indices)
        OK(IDirect3DDevice9_CreateIndexBuffer(device, BYTES, usage, D3DFMT_INDEX16, pool,
                                              (IDirect3DIndexBuffer9 **)&out, NULL));
    else
        OK(IDirect3DDevice9_CreateVertexBuffer(device, BYTES, usage, 0, pool,
                                               (IDirect3DVertexBuffer9 **)&out, NULL));
    return out;
}

/* Only an effective DISCARD loses the contents; returned pointers include the offset. */
static void check(IDirect3DVertexBuffer9 *buffer, bool may_discard, DWORD flags)
{
    static const UINT ranges[][2] = {{0, 0}, {0, BYTES}, {4, 8}, {BYTES - 1, 1}, {16, 0}};
    static const UINT outside[][2] = {
        {0, BYTES + 1}, {BYTES, 1}, {1, UINT32_MAX}, {UINT32_MAX, 1}, {BYTES + 1, 0}};
    unsigned char *all, *part;

    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&all, 0));
    ck_assert_uint_eq((uintptr_t)all % 16, 0);
    for (int i = 0; i < BYTES; i++)
        all[i] = (unsigned char)(i * 3 + 1);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        UINT from = ranges[i][0];

        OK(IDirect3DVertexBuffer9_Lock(buffer, from, ranges[i][1], (void **)&part, flags));
        if (!may_discard || !(flags & D3DLOCK_DISCARD)) {
            ck_assert_ptr_eq(part, all + from);
            ck_assert_uint_eq(part[0], (unsigned char)(from * 3 + 1));
        }
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        REFUSED(IDirect3DVertexBuffer9_Unlock(buffer));
    }
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
        REFUSED(IDirect3DVertexBuffer9_Lock(buffer, outside[i][0], outside[i][1], (void **)&part,
                                            flags));
    REFUSED(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, NULL, flags));
    REFUSED(IDirect3DVertexBuffer9_Unlock(buffer));
}

START_TEST(all_kinds)
{
    bool indices = _i & 1;
    D3DPOOL pool = pools[_i / 2];
    IDirect3DDevice9 *device = create_device();

    for (size_t u = 0; u < sizeof(usages) / sizeof(usages[0]); u++)
        for (int f = 0; f < FLAG_SETS; f++) {
            IDirect3DVertexBuffer9 *buffer = make(device, indices, pool, usages[u]);

            check(buffer, pool == D3DPOOL_DEFAULT && (usages[u] & D3DUSAGE_DYNAMIC), flag_sets[f]);
            release(buffer);
        }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* A buffer may be released while it is locked, and while the device has it bound. */
/* NOOVERWRITE returns the memory that pending draws read; DISCARD beside it has no effect
 * (reference: locks/no-overwrite). */
START_TEST(no_overwrite_overrides_discard)
{
    enum { TRIANGLES = 20000, STRIDE = 16, SIZE = 3 * TRIANGLES * STRIDE };
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *buffer;
    float *vertex;
    void *one, *both;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, SIZE, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0,
                                           D3DPOOL_DEFAULT, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&vertex, D3DLOCK_DISCARD));
    for (unsigned i = 0; i < 3 * TRIANGLES; i++, vertex += 4) {
        vertex[0] = i % 3 == 1 ? 64.0f : -1.0f;
        vertex[1] = i % 3 == 2 ? 64.0f : -1.0f;
        vertex[2] = 0.0f;
        vertex[3] = 1.0f;
    }
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, STRIDE));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, TRIANGLES));
    OK(IDirect3DDevice9_EndScene(device));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &one, D3DLOCK_NOOVERWRITE));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &both, D3DLOCK_NOOVERWRITE | D3DLOCK_DISCARD));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    ck_assert_ptr_eq(one, both);
    release(buffer);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(released_while_locked)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *buffer = make(device, false, D3DPOOL_DEFAULT, 0);
    void *data;

    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, 16));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &data, 0));
    ck_assert_uint_eq(release(buffer), 0);
    memset(data, 1, BYTES);
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/lock_buffer");
    TCase *tc = tcase_create("buffers");

    tcase_add_test(tc, buffer_locks);
    tcase_add_loop_test(tc, all_kinds, 0, 2 * (int)(sizeof(pools) / sizeof(pools[0])));
    tcase_add_test(tc, no_overwrite_overrides_discard);
    tcase_add_test(tc, released_while_locked);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
