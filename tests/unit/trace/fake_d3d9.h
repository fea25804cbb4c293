/* Fake Direct3D 9 for the replayer's tests: reference-counted objects that detect misuse, lockable
 * memory, and records of call arguments. Each test program includes it once. */
#ifndef TESTS_TRACE_FAKE_D3D9_H
#define TESTS_TRACE_FAKE_D3D9_H

#define COBJMACROS
#define INITGUID
#include <windows.h>
#include <d3d9.h>

#include <check.h>
#include <stdbool.h>
#include <string.h>

enum fake_kind {
    FAKE_D3D,
    FAKE_DEVICE,
    FAKE_TEXTURE,
    FAKE_SURFACE,
    FAKE_VERTEX_BUFFER,
    FAKE_QUERY,
    FAKE_CHAIN,
};

struct fake {
    const void *vtable;
    enum fake_kind kind;
    int refs;
    struct fake *owner; /* a level shares its texture's reference count */
    struct fake *level;
    uint32_t width, height, format, size;
    uint32_t pitch;
    uint8_t memory[4096];
    bool dead;
};

/* Record of calls. */
static struct {
    int live, presents, resets, draws, locks;
    struct fake *device, *back_buffer, *depth, *chain, *buffer;
    const struct fake *texture0, *target0;
    DWORD lock_flags;
    uint32_t pitch; /* of surfaces created from now on */
    HRESULT answer; /* result of SetTexture */
    D3DPRESENT_PARAMETERS parameters;
    uint32_t multisample_limit; /* CreateDevice fails above this sample count */
    bool no_reference;          /* CreateDevice has no reference device */
    D3DDEVTYPE type;            /* of the last device */
    float constants[16];
} fake;

static ULONG fake_add_ref(struct fake *f)
{
    ck_assert_msg(!f->dead, "a reference to a dead object was taken");
    if (f->owner)
        return fake_add_ref(f->owner);
    return (ULONG)++f->refs;
}

static ULONG fake_release(struct fake *f)
{
    ck_assert_msg(!f->dead, "a dead object was released");
    if (f->owner)
        return fake_release(f->owner);
    ck_assert_msg(f->refs > 0, "an object was released once too often");
    if (--f->refs)
        return (ULONG)f->refs;
    if (f == fake.back_buffer || f == fake.depth || f == fake.chain)
        return 0; /* the device keeps them */
    f->dead = true;
    fake.live--;
    if (f->level)
        f->level->dead = true;
    if (f == fake.device)
        fake.back_buffer->dead = fake.depth->dead = fake.chain->dead = true;
    return 0;
}

static const void *fake_vtables[8];

static struct fake *fake_new(enum fake_kind kind)
{
    static struct fake objects[256]; /* never reused, to detect misuse */
    static unsigned count;
    struct fake *f = &objects[count++];

    ck_assert_uint_lt(count, 256);
    f->kind = kind;
    f->vtable = fake_vtables[kind];
    f->refs = 1;
    fake.live++;
    return f;
}

static struct fake *fake_implicit(enum fake_kind kind)
{
    struct fake *f = fake_new(kind);

    f->refs = 0;
    fake.live--;
    f->width = fake.parameters.BackBufferWidth;
    f->height = fake.parameters.BackBufferHeight;
    f->format = D3DFMT_X8R8G8B8;
    f->pitch = f->width * 4;
    return f;
}

static HRESULT hand_out(struct fake *f, void *out)
{
    fake_add_ref(f);
    *(void **)out = f;
    return D3D_OK;
}

/* IUnknown's entries of every vtable. */
#define FAKE_UNKNOWN                                                                               \
    .QueryInterface = (void *)fake_query_interface, .AddRef = (void *)fake_add_ref,                \
    .Release = (void *)fake_release

static HRESULT fake_query_interface(struct fake *f, REFIID iid, void **out)
{
    (void)iid;
    return hand_out(f, out);
}

/* --- Surfaces and textures -------------------------------------------------------------------- */

static HRESULT fake_desc(struct fake *f, D3DSURFACE_DESC *desc)
{
    ck_assert(!f->dead);
    memset(desc, 0, sizeof(*desc));
    desc->Width = f->width;
    desc->Height = f->height;
    desc->Format = f->format;
    return D3D_OK;
}

static HRESULT surface_lock(struct fake *f, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
    uint32_t block = f->format == D3DFMT_DXT1 ? 4 : 1, bytes = f->format == D3DFMT_DXT1 ? 8 : 4;

    ck_assert(!f->dead);
    fake.locks++;
    fake.lock_flags = flags;
    locked->Pitch = (int)f->pitch;
    locked->pBits = f->memory;
    if (rect)
        locked->pBits = f->memory + (uint32_t)rect->top / block * f->pitch +
                        (uint32_t)rect->left / block * bytes;
    return D3D_OK;
}

static HRESULT surface_unlock(struct fake *f)
{
    ck_assert(!f->dead);
    fake.locks--;
    return D3D_OK;
}

static const IDirect3DSurface9Vtbl fake_surface = {
    FAKE_UNKNOWN,
    .GetDesc = (void *)fake_desc,
    .LockRect = (void *)surface_lock,
    .UnlockRect = (void *)surface_unlock,
};

static HRESULT texture_desc(struct fake *f, UINT level, D3DSURFACE_DESC *desc)
{
    (void)level;
    return fake_desc(f, desc);
}

static HRESULT texture_lock(struct fake *f, UINT level, D3DLOCKED_RECT *locked, const RECT *rect,
                            DWORD flags)
{
    (void)level;
    return surface_lock(f, locked, rect, flags);
}

static HRESULT texture_unlock(struct fake *f, UINT level)
{
    (void)level;
    return surface_unlock(f);
}

static HRESULT texture_surface(struct fake *f, UINT level, void **out)
{
    (void)level;
    if (!f->level) {
        f->level = fake_new(FAKE_SURFACE);
        fake.live--;
        f->level->owner = f;
    }
    return hand_out(f->level, out);
}

static const IDirect3DTexture9Vtbl fake_texture = {
    FAKE_UNKNOWN,
    .GetLevelDesc = (void *)texture_desc,
    .GetSurfaceLevel = (void *)texture_surface,
    .LockRect = (void *)texture_lock,
    .UnlockRect = (void *)texture_unlock,
};

/* --- Buffers and queries ---------------------------------------------------------------------- */

static HRESULT buffer_lock(struct fake *f, UINT offset, UINT size, void **out, DWORD flags)
{
    (void)size;
    fake.locks++;
    fake.lock_flags = flags;
    *out = f->memory + offset;
    return D3D_OK;
}

static HRESULT buffer_desc(struct fake *f, D3DVERTEXBUFFER_DESC *desc)
{
    memset(desc, 0, sizeof(*desc));
    desc->Size = f->size;
    return D3D_OK;
}

static const IDirect3DVertexBuffer9Vtbl fake_vertex_buffer = {
    FAKE_UNKNOWN,
    .Lock = (void *)buffer_lock,
    .Unlock = (void *)surface_unlock,
    .GetDesc = (void *)buffer_desc,
};

static const IDirect3DQuery9Vtbl fake_query = {FAKE_UNKNOWN};

/* --- Devices ---------------------------------------------------------------------------------- */

static HRESULT device_texture(struct fake *f, UINT w, UINT h, UINT levels, DWORD usage,
                              D3DFORMAT format, D3DPOOL pool, void **out, HANDLE *shared)
{
    struct fake *t = fake_new(FAKE_TEXTURE);

    (void)f;
    (void)levels;
    (void)usage;
    (void)pool;
    (void)shared;
    t->width = w;
    t->height = h;
    t->format = format;
    t->pitch = fake.pitch;
    *out = t;
    return D3D_OK;
}

static HRESULT device_vertex_buffer(struct fake *f, UINT length, DWORD usage, DWORD fvf,
                                    D3DPOOL pool, void **out, HANDLE *shared)
{
    struct fake *b = fake_new(FAKE_VERTEX_BUFFER);

    (void)f;
    (void)usage;
    (void)fvf;
    (void)pool;
    (void)shared;
    b->size = length;
    *out = fake.buffer = b;
    return D3D_OK;
}

static HRESULT device_query(struct fake *f, D3DQUERYTYPE type, void **out)
{
    (void)f;
    (void)type;
    if (out)
        *out = fake_new(FAKE_QUERY);
    return D3D_OK;
}

static HRESULT device_back_buffer(struct fake *f, UINT chain, UINT index, D3DBACKBUFFER_TYPE type,
                                  void **out)
{
    (void)f;
    (void)type;
    return chain || index ? D3DERR_INVALIDCALL : hand_out(fake.back_buffer, out);
}

static HRESULT device_target(struct fake *f, DWORD index, void **out)
{
    (void)f;
    (void)index;
    return hand_out(fake.back_buffer, out);
}

static HRESULT device_depth(struct fake *f, void **out)
{
    (void)f;
    return hand_out(fake.depth, out);
}

static HRESULT device_chain(struct fake *f, UINT index, void **out)
{
    (void)f;
    (void)index;
    return hand_out(fake.chain, out);
}

static HRESULT device_set_texture(struct fake *f, DWORD stage, struct fake *texture)
{
    (void)f;
    (void)stage;
    ck_assert(!texture || !texture->dead);
    fake.texture0 = texture;
    return fake.answer;
}

static HRESULT device_set_target(struct fake *f, DWORD index, struct fake *surface)
{
    (void)f;
    (void)index;
    ck_assert(!surface || !surface->dead);
    fake.target0 = surface;
    return D3D_OK;
}

static HRESULT device_present(struct fake *f, const RECT *from, const RECT *to, HWND window,
                              const RGNDATA *dirty)
{
    (void)f;
    (void)from;
    (void)to;
    ck_assert_ptr_null(window);
    ck_assert_ptr_null(dirty);
    fake.presents++;
    return D3D_OK;
}

static HRESULT device_read_target(struct fake *f, struct fake *from, struct fake *to)
{
    (void)f;
    ck_assert(!from->dead && !to->dead);
    return D3D_OK;
}

static HRESULT device_draw(struct fake *f, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    (void)f;
    (void)type;
    (void)start;
    (void)count;
    fake.draws++;
    return D3D_OK;
}

static HRESULT device_constants(struct fake *f, UINT start, const float *data, UINT count)
{
    (void)f;
    memcpy(fake.constants + 4 * start, data, 16 * count);
    return D3D_OK;
}

static void device_surfaces(const D3DPRESENT_PARAMETERS *pp)
{
    fake.parameters = *pp;
    fake.back_buffer = fake_implicit(FAKE_SURFACE);
    fake.depth = fake_implicit(FAKE_SURFACE);
    fake.chain = fake_implicit(FAKE_CHAIN);
}

/* Strict: fails while the program holds references to implicit surfaces. */
static HRESULT device_reset(struct fake *f, D3DPRESENT_PARAMETERS *pp)
{
    (void)f;
    if (fake.back_buffer->refs || fake.depth->refs || fake.chain->refs)
        return D3DERR_INVALIDCALL;
    fake.back_buffer->dead = fake.depth->dead = fake.chain->dead = true;
    fake.resets++;
    device_surfaces(pp);
    return D3D_OK;
}

static const IDirect3DDevice9Vtbl fake_device = {
    FAKE_UNKNOWN,
    .CreateTexture = (void *)device_texture,
    .CreateVertexBuffer = (void *)device_vertex_buffer,
    .CreateQuery = (void *)device_query,
    .GetBackBuffer = (void *)device_back_buffer,
    .GetRenderTarget = (void *)device_target,
    .GetDepthStencilSurface = (void *)device_depth,
    .GetSwapChain = (void *)device_chain,
    .SetTexture = (void *)device_set_texture,
    .SetRenderTarget = (void *)device_set_target,
    .Present = (void *)device_present,
    .GetRenderTargetData = (void *)device_read_target,
    .DrawPrimitive = (void *)device_draw,
    .SetVertexShaderConstantF = (void *)device_constants,
    .Reset = (void *)device_reset,
};

static HRESULT d3d_create_device(struct fake *f, UINT adapter, D3DDEVTYPE type, HWND focus,
                                 DWORD behaviour, D3DPRESENT_PARAMETERS *pp, void **out)
{
    (void)f;
    (void)adapter;
    (void)behaviour;
    ck_assert_ptr_nonnull(focus);
    if (pp->MultiSampleType > fake.multisample_limit ||
        (type == D3DDEVTYPE_REF && fake.no_reference))
        return D3DERR_NOTAVAILABLE;
    fake.type = type;
    device_surfaces(pp);
    *out = fake.device = fake_new(FAKE_DEVICE);
    return D3D_OK;
}

static const IDirect3D9Vtbl fake_d3d = {
    FAKE_UNKNOWN,
    .CreateDevice = (void *)d3d_create_device,
};

static const IDirect3DSwapChain9Vtbl fake_chain_vtable = {FAKE_UNKNOWN};

static const void *fake_vtables[8] = {
    [FAKE_D3D] = &fake_d3d,
    [FAKE_DEVICE] = &fake_device,
    [FAKE_TEXTURE] = &fake_texture,
    [FAKE_SURFACE] = &fake_surface,
    [FAKE_VERTEX_BUFFER] = &fake_vertex_buffer,
    [FAKE_QUERY] = &fake_query,
    [FAKE_CHAIN] = &fake_chain_vtable,
};

IDirect3D9 *WINAPI Direct3DCreate9(UINT version)
{
    ck_assert_uint_eq(version, D3D_SDK_VERSION);
    return (IDirect3D9 *)(void *)fake_new(FAKE_D3D);
}

HRESULT WINAPI Direct3DCreate9Ex(UINT version, IDirect3D9Ex **out)
{
    (void)version;
    *out = NULL;
    return D3DERR_NOTAVAILABLE;
}

#endif
