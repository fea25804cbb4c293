/* Tests of lock validation and addresses for every surface kind × pool × usage × format × flags ×
 * rectangle. The expectations restate the rules of docs/reference.md (locks/lockable, locks/flags,
 * locks/rectangles, locks/pitch, locks/ati). */
#include "api_test.h"

enum { EDGE = 32 };

#define ATI1 ((D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1'))
#define ATI2 ((D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2'))

/* Block sizes in locks. partial: DEFAULT resources accept parts of blocks. */
static const struct format {
    D3DFORMAT format;
    UINT block_w, block_h, bytes;
    bool partial, depth, lockable;
} formats[] = {
    {D3DFMT_A8R8G8B8, 1, 1, 4, true, false, false},
    {D3DFMT_R8G8B8, 1, 1, 3, true, false, false},
    {D3DFMT_L8, 1, 1, 1, true, false, false},
    {D3DFMT_A32B32G32R32F, 1, 1, 16, true, false, false},
    {D3DFMT_DXT1, 4, 4, 8, false, false, false},
    {D3DFMT_DXT5, 4, 4, 16, false, false, false},
    {D3DFMT_YUY2, 2, 1, 4, false, false, false},
    {ATI1, 1, 1, 1, true, false, true},
    {ATI2, 1, 1, 1, true, false, true},
    {D3DFMT_D24S8, 1, 1, 4, true, true, false},
    {D3DFMT_D16_LOCKABLE, 1, 1, 2, true, true, true},
    {D3DFMT_D32F_LOCKABLE, 1, 1, 4, true, true, true},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

enum kind {
    TEXTURE_2D,
    TEXTURE_CUBE,
    TEXTURE_VOLUME,
    PLAIN,
    TARGET,
    LOCKABLE_TARGET,
    DEPTH,
    KINDS
};

static const D3DPOOL pools[] = {D3DPOOL_DEFAULT, D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM,
                                D3DPOOL_SCRATCH};
static const DWORD usages[] = {0, D3DUSAGE_DYNAMIC, D3DUSAGE_RENDERTARGET, D3DUSAGE_DEPTHSTENCIL};
static const DWORD flag_sets[] = {
    0,
    D3DLOCK_READONLY,
    D3DLOCK_DISCARD,
    D3DLOCK_NOOVERWRITE,
    D3DLOCK_NO_DIRTY_UPDATE,
    D3DLOCK_DONOTWAIT,
    D3DLOCK_NOSYSLOCK,
    D3DLOCK_DISCARD | D3DLOCK_READONLY,
    D3DLOCK_DISCARD | D3DLOCK_NOOVERWRITE,
    D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE | D3DLOCK_DONOTWAIT | D3DLOCK_NOSYSLOCK,
};

enum rect_class { INSIDE, PART_OF_BLOCK, WRONG };
static const struct {
    RECT rect;
    enum rect_class class;
} rects[] = {
    {{0, 0, EDGE, EDGE}, INSIDE},  {{4, 8, 12, 20}, INSIDE},      {{28, 28, EDGE, EDGE}, INSIDE},
    {{1, 4, 5, 8}, PART_OF_BLOCK}, {{4, 4, 7, 8}, PART_OF_BLOCK}, {{4, 4, 4, 8}, WRONG},
    {{4, 4, 8, 4}, WRONG},         {{8, 4, 4, 8}, WRONG},         {{4, 8, 8, 4}, WRONG},
    {{-4, 4, 4, 8}, WRONG},        {{4, -8, 8, -4}, WRONG},       {{28, 4, 36, 8}, WRONG},
    {{4, 28, 8, 36}, WRONG},       {{36, 36, 40, 40}, WRONG},     {{-4, -4, 36, 36}, WRONG},
};
enum { RECTS = sizeof(rects) / sizeof(rects[0]), FLAG_SETS = sizeof(flag_sets) / sizeof(DWORD) };

struct subject {
    enum kind kind;
    D3DPOOL pool;
    DWORD usage;
    const struct format *format;
    IUnknown *object; /* the created object */
    IDirect3DSurface9 *surface;
    IDirect3DVolume9 *volume;
};

/* False: the combination cannot be created. */
static bool create(IDirect3DDevice9 *d, struct subject *s)
{
    D3DFORMAT f = s->format->format;
    HRESULT hr = D3DERR_INVALIDCALL;

    s->surface = NULL;
    s->volume = NULL;
    switch (s->kind) {
    case TEXTURE_2D:
        hr = IDirect3DDevice9_CreateTexture(d, EDGE, EDGE, 1, s->usage, f, s->pool,
                                            (IDirect3DTexture9 **)&s->object, NULL);
        if (SUCCEEDED(hr))
            OK(IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)s->object, 0, &s->surface));
        return SUCCEEDED(hr);
    case TEXTURE_CUBE:
        hr = IDirect3DDevice9_CreateCubeTexture(d, EDGE, 1, s->usage, f, s->pool,
                                                (IDirect3DCubeTexture9 **)&s->object, NULL);
        if (SUCCEEDED(hr))
            OK(IDirect3DCubeTexture9_GetCubeMapSurface((IDirect3DCubeTexture9 *)s->object,
                                                       D3DCUBEMAP_FACE_NEGATIVE_Y, 0, &s->surface));
        return SUCCEEDED(hr);
    case TEXTURE_VOLUME:
        hr = IDirect3DDevice9_CreateVolumeTexture(d, EDGE, EDGE, 3, 1, s->usage, f, s->pool,
                                                  (IDirect3DVolumeTexture9 **)&s->object, NULL);
        if (SUCCEEDED(hr))
            OK(IDirect3DVolumeTexture9_GetVolumeLevel((IDirect3DVolumeTexture9 *)s->object, 0,
                                                      &s->volume));
        return SUCCEEDED(hr);
    case PLAIN:
        hr = IDirect3DDevice9_CreateOffscreenPlainSurface(d, EDGE, EDGE, f, s->pool, &s->surface,
                                                          NULL);
        break;
    case TARGET:
    case LOCKABLE_TARGET:
        hr = IDirect3DDevice9_CreateRenderTarget(d, EDGE, EDGE, f, D3DMULTISAMPLE_NONE, 0,
                                                 s->kind == LOCKABLE_TARGET, &s->surface, NULL);
        break;
    default:
        hr = IDirect3DDevice9_CreateDepthStencilSurface(d, EDGE, EDGE, f, D3DMULTISAMPLE_NONE, 0,
                                                        FALSE, &s->surface, NULL);
    }
    s->object = NULL;
    return SUCCEEDED(hr);
}

static void destroy(struct subject *s)
{
    if (s->volume)
        release(s->volume);
    if (s->surface)
        release(s->surface);
    if (s->object)
        release(s->object);
}

static bool lockable(const struct subject *s)
{
    return s->pool != D3DPOOL_DEFAULT || (s->usage & D3DUSAGE_DYNAMIC) || s->kind == PLAIN ||
           s->kind == LOCKABLE_TARGET || s->format->lockable;
}

static bool locks(const struct subject *s, DWORD flags, int rect)
{
    enum rect_class class = rect < 0 ? INSIDE : rects[rect].class;
    const DWORD contradiction = D3DLOCK_DISCARD | D3DLOCK_READONLY;

    if (!lockable(s) || (s->pool == D3DPOOL_DEFAULT && (flags & contradiction) == contradiction))
        return false;
    if (s->kind == TEXTURE_VOLUME)
        return class == INSIDE ||
               (class == PART_OF_BLOCK && (s->format->partial || s->format->block_h == 1));
    if (s->pool != D3DPOOL_DEFAULT)
        return true;
    return class == INSIDE || (class == PART_OF_BLOCK && s->format->partial);
}

static LONG expected_pitch(const struct format *f)
{
    return (LONG)(EDGE / f->block_w * f->bytes); /* a multiple of 4 for this size */
}

static void check_surface(const struct subject *s, const char *base, DWORD flags, int rect)
{
    const RECT *r = rect < 0 ? NULL : &rects[rect].rect;
    const struct format *f = s->format;
    D3DLOCKED_RECT out = {4711, (void *)s};
    HRESULT hr = IDirect3DSurface9_LockRect(s->surface, &out, r, flags);
    bool want = locks(s, flags, rect);

    ck_assert_msg(hr == (want ? D3D_OK : D3DERR_INVALIDCALL),
                  "kind %d pool %d usage %u format %u flags %#x rect %d: %#x", s->kind, s->pool,
                  (unsigned)s->usage, (unsigned)f->format, (unsigned)flags, rect, (unsigned)hr);
    if (!want) {
        ck_assert_int_eq(out.Pitch, 4711);
        ck_assert_ptr_eq(out.pBits, s);
        return;
    }
    ck_assert_int_eq(out.Pitch, expected_pitch(f));
    if (base && r)
        ck_assert_int_eq((char *)out.pBits - base, r->top / (LONG)f->block_h * out.Pitch +
                                                       r->left / (LONG)f->block_w * (LONG)f->bytes);
    REFUSED(IDirect3DSurface9_LockRect(s->surface, &out, NULL, flags));
    OK(IDirect3DSurface9_UnlockRect(s->surface));
    RETURNS(IDirect3DSurface9_UnlockRect(s->surface),
            s->kind == TEXTURE_2D ? D3D_OK : D3DERR_INVALIDCALL);
}

static void check_volume(const struct subject *s, const char *base, DWORD flags, int rect)
{
    const RECT *r = rect < 0 ? NULL : &rects[rect].rect;
    const struct format *f = s->format;
    D3DBOX box = {0};
    D3DLOCKED_BOX out = {1, 2, (void *)s};
    HRESULT hr;

    if (r)
        box = (D3DBOX){(UINT)r->left, (UINT)r->top, (UINT)r->right, (UINT)r->bottom, 1, 3};
    hr = IDirect3DVolume9_LockBox(s->volume, &out, r ? &box : NULL, flags);
    ck_assert_msg(hr == (locks(s, flags, rect) ? D3D_OK : D3DERR_INVALIDCALL),
                  "pool %d usage %u format %u flags %#x box %d: %#x", s->pool, (unsigned)s->usage,
                  (unsigned)f->format, (unsigned)flags, rect, (unsigned)hr);
    if (FAILED(hr))
        return;
    ck_assert_int_eq(out.RowPitch, expected_pitch(f));
    ck_assert_int_eq(out.SlicePitch, expected_pitch(f) * (LONG)(EDGE / f->block_h));
    if (base && r)
        ck_assert_int_eq((char *)out.pBits - base, out.SlicePitch +
                                                       r->top / (LONG)f->block_h * out.RowPitch +
                                                       r->left / (LONG)f->block_w * (LONG)f->bytes);
    REFUSED(IDirect3DVolume9_LockBox(s->volume, &out, NULL, flags));
    OK(IDirect3DVolume9_UnlockBox(s->volume));
    REFUSED(IDirect3DVolume9_UnlockBox(s->volume));
}

/* Address of the level, where locks return the same memory each time; else NULL. */
static const char *base_of(const struct subject *s)
{
    D3DLOCKED_RECT rect = {0};
    D3DLOCKED_BOX box = {0};

    if (s->format->format == ATI1 || s->format->format == ATI2)
        if (s->pool == D3DPOOL_DEFAULT || s->kind == PLAIN)
            return NULL; /* a copy that lives as long as its lock */
    if (!lockable(s))
        return NULL;
    if (s->volume) {
        OK(IDirect3DVolume9_LockBox(s->volume, &box, NULL, 0));
        OK(IDirect3DVolume9_UnlockBox(s->volume));
        return box.pBits;
    }
    OK(IDirect3DSurface9_LockRect(s->surface, &rect, NULL, 0));
    OK(IDirect3DSurface9_UnlockRect(s->surface));
    return rect.pBits;
}

static unsigned check_subject(IDirect3DDevice9 *device, struct subject *s)
{
    const char *base;

    if (!create(device, s))
        return 0;
    base = base_of(s);
    for (int flags = 0; flags < FLAG_SETS; flags++)
        for (int rect = -1; rect < RECTS; rect++) {
            if (s->volume)
                check_volume(s, base, flag_sets[flags], rect);
            else
                check_surface(s, base, flag_sets[flags], rect);
        }
    destroy(s);
    return 1;
}

/* All combinations of one resource kind. */
START_TEST(lock_rules)
{
    /* Minimum number of pool, usage and format combinations that exist. */
    static const unsigned least[KINDS] = {40, 30, 25, 15, 2, 2, 3};
    IDirect3DDevice9 *device = create_device();
    unsigned n = 0;

    for (size_t pool = 0; pool < sizeof(pools) / sizeof(pools[0]); pool++)
        for (size_t usage = 0; usage < sizeof(usages) / sizeof(usages[0]); usage++)
            for (int format = 0; format < FORMATS; format++) {
                struct subject s = {(enum kind)_i, pools[pool], usages[usage], &formats[format],
                                    NULL,          NULL,        NULL};

                /* Stand-alone surfaces have no usage, and only plain ones have a pool. */
                if ((_i >= PLAIN && usage) || (_i > PLAIN && pool))
                    continue;
                n += check_subject(device, &s);
            }
    ck_assert_uint_ge(n, least[_i]);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/lock_rules");
    TCase *tc = tcase_create("rules");

    tcase_add_loop_test(tc, lock_rules, 0, KINDS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
