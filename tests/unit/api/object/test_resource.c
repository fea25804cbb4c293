/* Tests of IDirect3DResource9: private data, priorities, PreLoad and GetType of every kind of
 * resource. */
#include "api_test.h"

#include "util/alloc.h"

/* --- One resource of each kind ---------------------------------------------------------------- */

/* Levels are created with their texture, `owner`, and released with it. Volumes are not resources,
 * but their vtable has the private data methods at the same positions. */
struct subject {
    IDirect3DResource9 *resource;
    IUnknown *owner;
};

enum {
    TEXTURE,
    TEXTURE_LEVEL,
    CUBE,
    CUBE_LEVEL,
    VOLUMES,
    VOLUME_LEVEL,
    PLAIN,
    TARGET,
    DEPTH,
    VERTICES,
    INDICES,
    SUBJECTS
};

static struct subject textures_of(IDirect3DDevice9 *d, int kind, D3DPOOL pool)
{
    IDirect3DVolumeTexture9 *volumes;
    IDirect3DCubeTexture9 *cube;
    IDirect3DTexture9 *texture;
    struct subject s = {NULL, NULL};
    void *level = NULL;

    switch (kind) {
    case TEXTURE:
    case TEXTURE_LEVEL:
        OK(IDirect3DDevice9_CreateTexture(d, 4, 4, 2, 0, D3DFMT_A8R8G8B8, pool, &texture, NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 1, (IDirect3DSurface9 **)&level));
        s.owner = (IUnknown *)texture;
        break;
    case CUBE:
    case CUBE_LEVEL:
        OK(IDirect3DDevice9_CreateCubeTexture(d, 4, 2, 0, D3DFMT_A8R8G8B8, pool, &cube, NULL));
        OK(IDirect3DCubeTexture9_GetCubeMapSurface(cube, D3DCUBEMAP_FACE_NEGATIVE_Z, 1,
                                                   (IDirect3DSurface9 **)&level));
        s.owner = (IUnknown *)cube;
        break;
    default:
        OK(IDirect3DDevice9_CreateVolumeTexture(d, 4, 4, 4, 2, 0, D3DFMT_A8R8G8B8, pool, &volumes,
                                                NULL));
        OK(IDirect3DVolumeTexture9_GetVolumeLevel(volumes, 1, (IDirect3DVolume9 **)&level));
        s.owner = (IUnknown *)volumes;
    }
    release(level); /* lives as long as its texture */
    s.resource = kind == TEXTURE_LEVEL || kind == CUBE_LEVEL || kind == VOLUME_LEVEL
                     ? level
                     : (void *)s.owner;
    return s;
}

static struct subject make(IDirect3DDevice9 *d, int kind, D3DPOOL pool)
{
    D3DPOOL plain = pool == D3DPOOL_MANAGED ? D3DPOOL_SYSTEMMEM : pool;
    void *out = NULL;

    switch (kind) {
    case PLAIN:
        OK(IDirect3DDevice9_CreateOffscreenPlainSurface(d, 4, 4, D3DFMT_A8R8G8B8, plain,
                                                        (IDirect3DSurface9 **)&out, NULL));
        break;
    case TARGET:
        OK(IDirect3DDevice9_CreateRenderTarget(d, 4, 4, D3DFMT_A8R8G8B8, 0, 0, FALSE,
                                               (IDirect3DSurface9 **)&out, NULL));
        break;
    case DEPTH:
        OK(IDirect3DDevice9_CreateDepthStencilSurface(d, 4, 4, D3DFMT_D24S8, 0, 0, FALSE,
                                                      (IDirect3DSurface9 **)&out, NULL));
        break;
    case VERTICES:
        OK(IDirect3DDevice9_CreateVertexBuffer(d, 16, 0, 0, pool, (IDirect3DVertexBuffer9 **)&out,
                                               NULL));
        break;
    case INDICES:
        OK(IDirect3DDevice9_CreateIndexBuffer(d, 16, 0, D3DFMT_INDEX16, pool,
                                              (IDirect3DIndexBuffer9 **)&out, NULL));
        break;
    default:
        return textures_of(d, kind, pool);
    }
    return (struct subject){out, out};
}

/* --- Private data (reference: resources/private-data) ----------------------------------------- */

static const GUID guid = {1, 2, 3, {4}}, other_guid = {1, 2, 3, {5}};

START_TEST(bytes)
{
    IDirect3DDevice9 *device = create_device();
    struct subject s = make(device, _i, D3DPOOL_DEFAULT);
    IDirect3DResource9 *r = s.resource;
    unsigned char data[16] = "0123456789abcde", back[20];
    DWORD size = 0xdeadbabe;

    RETURNS(IDirect3DResource9_GetPrivateData(r, &guid, NULL, NULL), D3DERR_NOTFOUND);
    RETURNS(IDirect3DResource9_GetPrivateData(r, &guid, back, &size), D3DERR_NOTFOUND);
    ck_assert_uint_eq(size, 0xdeadbabe);
    RETURNS(IDirect3DResource9_FreePrivateData(r, &guid), D3DERR_NOTFOUND);
    REFUSED(IDirect3DResource9_SetPrivateData(r, NULL, data, sizeof(data), 0));
    REFUSED(IDirect3DResource9_SetPrivateData(r, &guid, NULL, 4, 0));

    OK(IDirect3DResource9_SetPrivateData(r, &guid, data, sizeof(data), 0));
    OK(IDirect3DResource9_SetPrivateData(r, &other_guid, data + 1, 3, 0));
    memset(data, 0, sizeof(data)); /* the call copied them */
    size = 0;
    OK(IDirect3DResource9_GetPrivateData(r, &guid, NULL, &size));
    ck_assert_uint_eq(size, 16);
    REFUSED(IDirect3DResource9_GetPrivateData(r, &guid, back, NULL));
    size = 15;
    memset(back, 0xee, sizeof(back));
    RETURNS(IDirect3DResource9_GetPrivateData(r, &guid, back, &size), D3DERR_MOREDATA);
    ck_assert_uint_eq(size, 16);
    ck_assert_uint_eq(back[0], 0xee);
    size = sizeof(back);
    OK(IDirect3DResource9_GetPrivateData(r, &guid, back, &size));
    ck_assert_uint_eq(size, 16);
    ck_assert_mem_eq(back, "0123456789abcde", 16);
    ck_assert_uint_eq(back[16], 0xee);
    OK(IDirect3DResource9_GetPrivateData(r, &other_guid, back, &size));
    ck_assert_uint_eq(size, 3);
    ck_assert_mem_eq(back, "123", 3);

    OK(IDirect3DResource9_SetPrivateData(r, &guid, "x", 1, 0)); /* replaces */
    size = sizeof(back);
    OK(IDirect3DResource9_GetPrivateData(r, &guid, back, &size));
    ck_assert_uint_eq(size, 1);
    OK(IDirect3DResource9_FreePrivateData(r, &guid));
    RETURNS(IDirect3DResource9_GetPrivateData(r, &guid, back, &size), D3DERR_NOTFOUND);
    size = sizeof(back);
    OK(IDirect3DResource9_GetPrivateData(r, &other_guid, back, &size));
    /* Empty data is valid. */
    OK(IDirect3DResource9_SetPrivateData(r, &guid, NULL, 0, 0));
    OK(IDirect3DResource9_GetPrivateData(r, &guid, NULL, &size));
    ck_assert_uint_eq(size, 0);
    release(s.owner);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* A counted object that calls the resource when its last reference is released. */
struct counted {
    const IUnknownVtbl *vtbl;
    ULONG refs;
    IDirect3DResource9 *look_at;
    HRESULT found;
};

static HRESULT WINAPI counted_query(IUnknown *iface, REFIID iid, void **out)
{
    (void)iface;
    (void)iid;
    *out = NULL;
    return E_NOINTERFACE;
}

static ULONG WINAPI counted_addref(IUnknown *iface)
{
    return ++((struct counted *)iface)->refs;
}

static ULONG WINAPI counted_release(IUnknown *iface)
{
    struct counted *c = (struct counted *)iface;
    DWORD size = 0;

    if (!--c->refs && c->look_at) {
        c->found = IDirect3DResource9_GetPrivateData(c->look_at, &guid, NULL, &size);
        IDirect3DResource9_FreePrivateData(c->look_at, &guid);
    }
    return c->refs;
}

static const IUnknownVtbl counted_vtbl = {
    .QueryInterface = counted_query, .AddRef = counted_addref, .Release = counted_release};

START_TEST(objects)
{
    IDirect3DDevice9 *device = create_device();
    struct subject s = make(device, _i, D3DPOOL_DEFAULT);
    IDirect3DResource9 *r = s.resource;
    struct counted a = {&counted_vtbl, 1, NULL, 0}, b = a;
    IUnknown *got = NULL;
    DWORD size;

    REFUSED(IDirect3DResource9_SetPrivateData(r, &guid, &a, 0, D3DSPD_IUNKNOWN));
    REFUSED(IDirect3DResource9_SetPrivateData(r, &guid, &a, 5, D3DSPD_IUNKNOWN));
    REFUSED(IDirect3DResource9_SetPrivateData(r, &guid, &a, 2 * sizeof(void *), D3DSPD_IUNKNOWN));
    REFUSED(IDirect3DResource9_SetPrivateData(r, &guid, NULL, sizeof(void *), D3DSPD_IUNKNOWN));
    ck_assert_uint_eq(a.refs, 1);
    OK(IDirect3DResource9_SetPrivateData(r, &guid, &a, sizeof(void *), D3DSPD_IUNKNOWN));
    ck_assert_uint_eq(a.refs, 2);
    /* A refused call keeps the old data. */
    REFUSED(IDirect3DResource9_SetPrivateData(r, &guid, &b, 5, D3DSPD_IUNKNOWN));
    ck_assert_uint_eq(a.refs, 2);
    size = sizeof(void *);
    OK(IDirect3DResource9_GetPrivateData(r, &guid, &got, &size));
    ck_assert_ptr_eq(got, &a);
    ck_assert_uint_eq(a.refs, 3);
    counted_release(got);
    /* Neither a size query nor a failure adds a reference. */
    OK(IDirect3DResource9_GetPrivateData(r, &guid, NULL, &size));
    size = 1;
    RETURNS(IDirect3DResource9_GetPrivateData(r, &guid, &got, &size), D3DERR_MOREDATA);
    ck_assert_uint_eq(size, sizeof(void *));
    ck_assert_uint_eq(a.refs, 2);
    /* The same object again, another one, bytes, none. */
    OK(IDirect3DResource9_SetPrivateData(r, &guid, &a, sizeof(void *), D3DSPD_IUNKNOWN));
    ck_assert_uint_eq(a.refs, 2);
    OK(IDirect3DResource9_SetPrivateData(r, &guid, &b, sizeof(void *), D3DSPD_IUNKNOWN));
    ck_assert_uint_eq(a.refs, 1);
    ck_assert_uint_eq(b.refs, 2);
    OK(IDirect3DResource9_SetPrivateData(r, &guid, "bytes", 5, 0));
    ck_assert_uint_eq(b.refs, 1);
    OK(IDirect3DResource9_SetPrivateData(r, &guid, &b, sizeof(void *), D3DSPD_IUNKNOWN));
    OK(IDirect3DResource9_FreePrivateData(r, &guid));
    ck_assert_uint_eq(b.refs, 1);
    /* Destroying the resource releases its data. */
    OK(IDirect3DResource9_SetPrivateData(r, &guid, &a, sizeof(void *), D3DSPD_IUNKNOWN));
    OK(IDirect3DResource9_SetPrivateData(r, &other_guid, &b, sizeof(void *), D3DSPD_IUNKNOWN));
    release(s.owner);
    ck_assert_uint_eq(a.refs, 1);
    ck_assert_uint_eq(b.refs, 1);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* A released object finds its entry removed, and may change the private data. */
START_TEST(released_object_calls_back)
{
    IDirect3DDevice9 *device = create_device();
    struct subject s = make(device, PLAIN, D3DPOOL_DEFAULT);
    struct counted a = {&counted_vtbl, 1, s.resource, D3D_OK};

    OK(IDirect3DResource9_SetPrivateData(s.resource, &guid, &a, sizeof(void *), D3DSPD_IUNKNOWN));
    counted_release((IUnknown *)&a);
    OK(IDirect3DResource9_SetPrivateData(s.resource, &guid, "new", 3, 0));
    ck_assert_uint_eq(a.refs, 0);
    RETURNS(a.found, D3DERR_NOTFOUND);
    release(s.owner);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* A texture and its levels have separate private data. */
START_TEST(levels_have_their_own)
{
    IDirect3DDevice9 *device = create_device();
    struct subject s = make(device, _i, D3DPOOL_DEFAULT);
    DWORD size = 0;

    OK(IDirect3DResource9_SetPrivateData(s.resource, &guid, "level", 5, 0));
    RETURNS(IDirect3DResource9_GetPrivateData((IDirect3DResource9 *)s.owner, &guid, NULL, &size),
            D3DERR_NOTFOUND);
    OK(IDirect3DResource9_SetPrivateData((IDirect3DResource9 *)s.owner, &guid, "tex", 3, 0));
    OK(IDirect3DResource9_GetPrivateData(s.resource, &guid, NULL, &size));
    ck_assert_uint_eq(size, 5);
    release(s.owner);
    release(device);
}
END_TEST

/* --- Priorities, PreLoad, types (reference: resources/priority) ------------------------------- */

static const D3DPOOL pools[] = {D3DPOOL_DEFAULT, D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM};

static void check_priority(int kind, D3DPOOL pool, IDirect3DResource9 *r)
{
    bool counts = pool == D3DPOOL_MANAGED && (kind == TEXTURE || kind == CUBE || kind == VOLUMES ||
                                              kind == VERTICES || kind == INDICES);

    ck_assert_uint_eq(IDirect3DResource9_GetPriority(r), 0);
    ck_assert_uint_eq(IDirect3DResource9_SetPriority(r, 1), 0);
    ck_assert_uint_eq(IDirect3DResource9_GetPriority(r), counts ? 1 : 0);
    ck_assert_uint_eq(IDirect3DResource9_SetPriority(r, 2), counts ? 1 : 0);
    ck_assert_uint_eq(IDirect3DResource9_SetPriority(r, 0), counts ? 2 : 0);
}

START_TEST(priorities)
{
    static const D3DRESOURCETYPE types[SUBJECTS] = {
        [TEXTURE] = D3DRTYPE_TEXTURE,       [TEXTURE_LEVEL] = D3DRTYPE_SURFACE,
        [CUBE] = D3DRTYPE_CUBETEXTURE,      [CUBE_LEVEL] = D3DRTYPE_SURFACE,
        [VOLUMES] = D3DRTYPE_VOLUMETEXTURE, [PLAIN] = D3DRTYPE_SURFACE,
        [TARGET] = D3DRTYPE_SURFACE,        [DEPTH] = D3DRTYPE_SURFACE,
        [VERTICES] = D3DRTYPE_VERTEXBUFFER, [INDICES] = D3DRTYPE_INDEXBUFFER,
    };
    IDirect3DDevice9 *device = create_device();

    for (int kind = 0; kind < SUBJECTS; kind++) {
        struct subject s;

        if (kind == VOLUME_LEVEL)
            continue;
        s = make(device, kind, pools[_i]);
        check_priority(kind, pools[_i], s.resource);
        ck_assert_int_eq(IDirect3DResource9_GetType(s.resource), types[kind]);
        IDirect3DResource9_PreLoad(s.resource);
        release(s.owner);
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/resource");
    TCase *tc = tcase_create("private-data");

    tcase_add_loop_test(tc, bytes, 0, SUBJECTS);
    tcase_add_loop_test(tc, objects, 0, SUBJECTS);
    tcase_add_test(tc, released_object_calls_back);
    tcase_add_loop_test(tc, levels_have_their_own, TEXTURE_LEVEL, TEXTURE_LEVEL + 1);
    tcase_add_loop_test(tc, levels_have_their_own, CUBE_LEVEL, CUBE_LEVEL + 1);
    tcase_add_loop_test(tc, levels_have_their_own, VOLUME_LEVEL, VOLUME_LEVEL + 1);
    tcase_add_loop_test(tc, priorities, 0, 3);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
