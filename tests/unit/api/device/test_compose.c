/* One-bit textures and ComposeRects: arguments, pools, order with locks
 * (reference: copy/composerects, copy/composerects-rules). */
#include "api_test.h"

enum { W = 16, H = 4, PITCH = 4 };

struct glyph {
    USHORT x, y, w, h;
};
struct place {
    USHORT glyph, reserved;
    SHORT x, y;
};

static IDirect3DTexture9 *make(IDirect3DDevice9Ex *device, D3DPOOL pool, DWORD usage)
{
    IDirect3DTexture9 *texture;

    OK(IDirect3DDevice9Ex_CreateTexture(device, W, H, 1, usage, D3DFMT_A1, pool, &texture, NULL));
    return texture;
}

static void set_bits(IDirect3DTexture9 *texture, const uint8_t bits[2 * H])
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
    ck_assert_int_eq(lock.Pitch, PITCH);
    for (int y = 0; y < H; y++)
        memcpy((char *)lock.pBits + y * lock.Pitch, bits + 2 * y, 2);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
}

static void expect_bits(IDirect3DTexture9 *texture, const uint8_t bits[2 * H])
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < H; y++)
        ck_assert_mem_eq((char *)lock.pBits + y * lock.Pitch, bits + 2 * y, 2);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
}

static IDirect3DVertexBuffer9 *array(IDirect3DDevice9Ex *device, const void *data, UINT bytes)
{
    IDirect3DVertexBuffer9 *buffer;
    void *memory;

    OK(IDirect3DDevice9Ex_CreateVertexBuffer(device, bytes, D3DUSAGE_TEXTAPI, 0, D3DPOOL_DEFAULT,
                                             &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &memory, 0));
    memcpy(memory, data, bytes);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    return buffer;
}

static IDirect3DSurface9 *surface_of(IDirect3DTexture9 *texture)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    IDirect3DSurface9_Release(surface); /* the texture keeps it */
    return surface;
}

static const uint8_t font_bits[2 * H] = {0xf0, 0, 0x90, 0, 0xf0, 0, 0, 0};

/* A device with a font: a frame of 4x3 pixels. */
struct world {
    IDirect3DDevice9Ex *device;
    IDirect3DTexture9 *staging, *font;
    IDirect3DVertexBuffer9 *glyphs, *places;
};

static void open_world(struct world *w)
{
    static const struct glyph glyph = {0, 0, 4, 3};
    static const struct place place = {0, 0, 2, 1};

    w->device = create_type_ex(D3DDEVTYPE_REF);
    w->staging = make(w->device, D3DPOOL_SYSTEMMEM, 0);
    w->font = make(w->device, D3DPOOL_DEFAULT, D3DUSAGE_TEXTAPI);
    set_bits(w->staging, font_bits);
    OK(IDirect3DDevice9Ex_UpdateTexture(w->device, (IDirect3DBaseTexture9 *)w->staging,
                                        (IDirect3DBaseTexture9 *)w->font));
    w->glyphs = array(w->device, &glyph, sizeof(glyph));
    w->places = array(w->device, &place, sizeof(place));
}

static void close_world(struct world *w)
{
    release(w->places);
    release(w->glyphs);
    release(w->font);
    release(w->staging);
    ck_assert_uint_eq(release(w->device), 0);
}

static HRESULT compose(struct world *w, IDirect3DTexture9 *out, UINT count, int operation, INT x)
{
    return IDirect3DDevice9Ex_ComposeRects(w->device, surface_of(w->font), surface_of(out),
                                           w->glyphs, count, w->places,
                                           (D3DCOMPOSERECTSOP)operation, x, 0);
}

/* The destination lies in either pool. Later writes to the buffers and the font come too late. */
START_TEST(pools_and_order)
{
    static const uint8_t framed[2 * H] = {0, 0, 0x3c, 0, 0x24, 0, 0x3c, 0},
                                    twice[2 * H] = {0, 0, 0x3c, 0xf0, 0x24, 0x90, 0x3c, 0xf0};
    struct world w;
    IDirect3DTexture9 *out;
    struct place *place;

    open_world(&w);
    out = make(w.device, _i ? D3DPOOL_SYSTEMMEM : D3DPOOL_DEFAULT, _i ? 0 : D3DUSAGE_DYNAMIC);
    OK(compose(&w, out, 1, D3DCOMPOSERECTS_OR, 0));
    OK(IDirect3DVertexBuffer9_Lock(w.places, 0, 0, (void **)&place, 0));
    place->x = 8;
    OK(IDirect3DVertexBuffer9_Unlock(w.places));
    expect_bits(out, framed);
    OK(compose(&w, out, 1, D3DCOMPOSERECTS_COPY, 0));
    OK(compose(&w, out, 0, D3DCOMPOSERECTS_NEG, 0)); /* nothing */
    OK(compose(&w, out, 5, D3DCOMPOSERECTS_OR, 0));  /* the buffer has one */
    expect_bits(out, twice);
    if (_i) { /* is dirty */
        IDirect3DTexture9 *copy = make(w.device, D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC);

        OK(IDirect3DDevice9Ex_UpdateTexture(w.device, (IDirect3DBaseTexture9 *)out,
                                            (IDirect3DBaseTexture9 *)copy));
        OK(compose(&w, out, 1, D3DCOMPOSERECTS_NEG, 0));
        expect_bits(copy, twice);
        OK(IDirect3DDevice9Ex_UpdateTexture(w.device, (IDirect3DBaseTexture9 *)out,
                                            (IDirect3DBaseTexture9 *)copy));
        expect_bits(copy, framed);
        release(copy);
    }
    release(out);
    close_world(&w);
}
END_TEST

/* User memory receives the result. */
START_TEST(user_memory)
{
    uint8_t memory[2 * H] = {0};
    static const uint8_t framed[2 * H] = {0, 0, 0x3c, 0, 0x24, 0, 0x3c, 0};
    HANDLE handle = memory;
    struct world w;
    IDirect3DTexture9 *out;

    open_world(&w);
    OK(IDirect3DDevice9Ex_CreateTexture(w.device, W, H, 1, 0, D3DFMT_A1, D3DPOOL_SYSTEMMEM, &out,
                                        &handle));
    OK(compose(&w, out, 1, D3DCOMPOSERECTS_OR, 0));
    ck_assert_mem_eq(memory, framed, sizeof(memory));
    release(out);
    close_world(&w);
}
END_TEST

START_TEST(refused)
{
    struct world w;
    IDirect3DTexture9 *out, *rgb;
    IDirect3DSurface9 *plain;
    IDirect3DVertexBuffer9 *plain_buffer, *made;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DDevice9 *simple;
    D3DLOCKED_RECT lock;
    void *memory;

    open_world(&w);
    out = make(w.device, D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC);
    OK(IDirect3DDevice9Ex_CreateTexture(w.device, W, H, 1, 0, D3DFMT_A8, D3DPOOL_DEFAULT, &rgb,
                                        NULL));
    OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(w.device, W, H, D3DFMT_A1, D3DPOOL_SYSTEMMEM,
                                                      &plain, NULL));
    OK(IDirect3DDevice9Ex_CreateVertexBuffer(w.device, 8, 0, 0, D3DPOOL_DEFAULT, &plain_buffer,
                                             NULL));
#define COMPOSE(src, dst, glyphs, places)                                                          \
    IDirect3DDevice9Ex_ComposeRects(w.device, src, dst, glyphs, 1, places, D3DCOMPOSERECTS_COPY,   \
                                    0, 0)
    OK(COMPOSE(surface_of(w.font), surface_of(out), w.glyphs, w.places));
    REFUSED(COMPOSE(NULL, surface_of(out), w.glyphs, w.places));
    REFUSED(COMPOSE(surface_of(w.font), NULL, w.glyphs, w.places));
    REFUSED(COMPOSE(surface_of(w.font), surface_of(out), NULL, w.places));
    REFUSED(COMPOSE(surface_of(w.font), surface_of(out), w.glyphs, NULL));
    REFUSED(COMPOSE(surface_of(w.font), surface_of(w.font), w.glyphs, w.places));
    REFUSED(COMPOSE(surface_of(w.staging), surface_of(out), w.glyphs, w.places));
    REFUSED(COMPOSE(surface_of(out), surface_of(w.font), w.glyphs, w.places));
    REFUSED(COMPOSE(surface_of(w.font), surface_of(rgb), w.glyphs, w.places));
    REFUSED(COMPOSE(surface_of(w.font), plain, w.glyphs, w.places));
    REFUSED(COMPOSE(surface_of(w.font), surface_of(out), plain_buffer, w.places));
    REFUSED(COMPOSE(surface_of(w.font), surface_of(out), w.glyphs, plain_buffer));
    for (int operation = 0; operation < 7; operation++)
        RETURNS(compose(&w, out, 1, operation, 0),
                operation >= 1 && operation <= 4 ? D3D_OK : D3DERR_INVALIDCALL);
    OK(compose(&w, out, 0xffff, 1, 0));
    REFUSED(compose(&w, out, 0x10000, 1, 0));
    OK(IDirect3DTexture9_LockRect(out, 0, &lock, NULL, 0));
    REFUSED(compose(&w, out, 1, 1, 0));
    OK(IDirect3DTexture9_UnlockRect(out, 0));
    OK(IDirect3DVertexBuffer9_Lock(w.glyphs, 0, 0, &memory, 0));
    REFUSED(compose(&w, out, 1, 1, 0));
    OK(IDirect3DVertexBuffer9_Unlock(w.glyphs));

    /* The usage: vertex buffers and textures of Ex devices; no stream source. */
    REFUSED(IDirect3DDevice9Ex_SetStreamSource(w.device, 0, w.glyphs, 0, 8));
    REFUSED(IDirect3DDevice9Ex_CreateIndexBuffer(w.device, 8, D3DUSAGE_TEXTAPI, D3DFMT_INDEX16,
                                                 D3DPOOL_DEFAULT, &indices, NULL));
    simple = create_device();
    REFUSED(IDirect3DDevice9_CreateVertexBuffer(simple, 8, D3DUSAGE_TEXTAPI, 0, D3DPOOL_DEFAULT,
                                                &made, NULL));
    ck_assert_uint_eq(release(simple), 0);
    release(plain_buffer);
    release(plain);
    release(rgb);
    release(out);
    close_world(&w);
}
END_TEST

static HRESULT ask(IDirect3D9 *d3d, DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format)
{
    return IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_REF, D3DFMT_X8R8G8B8, usage, type,
                                        format);
}

/* Hardware has neither the format nor, therefore, the operation. */
START_TEST(hardware)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    IDirect3DTexture9 *texture;

    REFUSED(IDirect3DDevice9Ex_CreateTexture(device, W, H, 1, D3DUSAGE_TEXTAPI, D3DFMT_A1,
                                             D3DPOOL_DEFAULT, &texture, NULL));
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Only the reference device of Direct3D 9Ex has A1, as 2D textures. */
START_TEST(offered)
{
    IDirect3D9 *simple = Direct3DCreate9(D3D_SDK_VERSION);
    IDirect3D9Ex *ex;

    OK(Direct3DCreate9Ex(D3D_SDK_VERSION, &ex));
    RETURNS(ask(simple, 0, D3DRTYPE_TEXTURE, D3DFMT_A1), D3DERR_NOTAVAILABLE);
    RETURNS(IDirect3D9Ex_CheckDeviceFormat(ex, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0,
                                           D3DRTYPE_TEXTURE, D3DFMT_A1),
            D3DERR_NOTAVAILABLE);
    OK(ask((IDirect3D9 *)ex, 0, D3DRTYPE_TEXTURE, D3DFMT_A1));
    OK(ask((IDirect3D9 *)ex, D3DUSAGE_TEXTAPI, D3DRTYPE_TEXTURE, D3DFMT_A1));
    OK(ask((IDirect3D9 *)ex, D3DUSAGE_QUERY_FILTER, D3DRTYPE_TEXTURE, D3DFMT_A1));
    RETURNS(ask((IDirect3D9 *)ex, D3DUSAGE_TEXTAPI, D3DRTYPE_TEXTURE, D3DFMT_A8),
            D3DERR_NOTAVAILABLE);
    RETURNS(ask((IDirect3D9 *)ex, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_A1),
            D3DERR_NOTAVAILABLE);
    RETURNS(ask((IDirect3D9 *)ex, 0, D3DRTYPE_CUBETEXTURE, D3DFMT_A1), D3DERR_NOTAVAILABLE);
    RETURNS(ask((IDirect3D9 *)ex, 0, D3DRTYPE_SURFACE, D3DFMT_A1), D3DERR_NOTAVAILABLE);
    release(ex);
    release(simple);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/compose");
    TCase *tc = tcase_create("one bit");

    tcase_add_loop_test(tc, pools_and_order, 0, 2);
    tcase_add_test(tc, user_memory);
    tcase_add_test(tc, refused);
    tcase_add_test(tc, hardware);
    tcase_add_test(tc, offered);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
