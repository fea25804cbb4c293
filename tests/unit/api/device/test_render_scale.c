/* Tests of RENDER_SCALE: a program that draws, writes and reads at the sizes that it asked for
 * (docs/picture-settings.md). Areas are even, so that their edges are whole numbers at scales
 * 0.5 and 2. */
#include "api_test.h"

#include "api/config/config.h"
#include "api/memory/resource.h"
#include "util/alloc.h"

#include <stdio.h>

enum { W = 64, H = 48 };

/* The first two have exact edges. With 0.5, pixels beside an edge are mixed. */
static const char *const scales[] = {"2", "0.5", "0.75", "1.5", "1"};
enum { SCALES = sizeof(scales) / sizeof(scales[0]) };

static IDirect3DDevice9 *device;
static IDirect3DSurface9 *back, *copy;

static D3DPRESENT_PARAMETERS parameters(UINT width, UINT height)
{
    D3DPRESENT_PARAMETERS p = test_parameters();

    p.BackBufferWidth = width;
    p.BackBufferHeight = height;
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    return p;
}

static IDirect3DSurface9 *plain(UINT width, UINT height, D3DFORMAT format)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, width, height, format,
                                                    D3DPOOL_SYSTEMMEM, &surface, NULL));
    return surface;
}

static void take_objects(UINT width, UINT height)
{
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    copy = plain(width, height, D3DFMT_A8R8G8B8);
}

static void open_device(const char *scale)
{
    IDirect3D9 *d3d9;
    D3DPRESENT_PARAMETERS p = parameters(W, H);

    setenv("NOVEM_RENDER_SCALE", scale, 1);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    release(d3d9);
    take_objects(W, H);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
}

static void close_device(void)
{
    release(back);
    release(copy);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static bool is_close(DWORD a, DWORD b, int tolerance)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        if (abs((int)(a >> shift & 255) - (int)(b >> shift & 255)) > tolerance)
            return false;
    return true;
}

/* Pixels of the surface are `inside` in the rectangle and `outside` elsewhere, but may be mixed at
 * less than `margin` pixels from its edges. */
static void expect_area(IDirect3DSurface9 *surface, RECT r, DWORD inside, DWORD outside, int margin)
{
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT lock;

    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    OK(IDirect3DSurface9_LockRect(surface, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < (int)desc.Height; y++) {
        const DWORD *row = (const void *)((const char *)lock.pBits + y * lock.Pitch);

        for (int x = 0; x < (int)desc.Width; x++) {
            bool within = x >= r.left - margin && x < r.right + margin && y >= r.top - margin &&
                          y < r.bottom + margin;
            bool well_within = x >= r.left + margin && x < r.right - margin &&
                               y >= r.top + margin && y < r.bottom - margin;

            if (well_within == within)
                ck_assert_msg(row[x] == (within ? inside : outside), "scale %s, %d,%d: %08x",
                              getenv("NOVEM_RENDER_SCALE"), x, y, (unsigned)row[x]);
        }
    }
    OK(IDirect3DSurface9_UnlockRect(surface));
}

static int margin_of(int i)
{
    return i == 0 || i == SCALES - 1 ? 0 : 2;
}

static const RECT area = {16, 12, 40, 32};

/* Reads the back buffer through GetRenderTargetData and through a lock. */
static void expect_back(int i, DWORD inside, DWORD outside)
{
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    expect_area(copy, area, inside, outside, margin_of(i));
    expect_area(back, area, inside, outside, margin_of(i));
}

/* --- Drawing ---------------------------------------------------------------------------------- */

struct vertex {
    float x, y, z, rhw;
    DWORD colour;
    float u, v;
};
enum { FVF = D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1 };

/* The edges lie between pixels, whose centres are at whole numbers. */
static void draw_rect(float left, float top, float right, float bottom, float z, DWORD colour)
{
    const float x0 = left - 0.5f, y0 = top - 0.5f, x1 = right - 0.5f, y1 = bottom - 0.5f;
    const struct vertex v[4] = {{x0, y0, z, 1, colour, 0, 0},
                                {x1, y0, z, 1, colour, 1, 0},
                                {x0, y1, z, 1, colour, 0, 1},
                                {x1, y1, z, 1, colour, 1, 1}};

    OK(IDirect3DDevice9_SetFVF(device, FVF));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])));
    OK(IDirect3DDevice9_EndScene(device));
}

static void draw_area(DWORD colour)
{
    draw_rect((float)area.left, (float)area.top, (float)area.right, (float)area.bottom, 0.5f,
              colour);
}

/* The view volume, moved to the top left by a part of a pixel. */
static void draw_whole_clip_space(float move, DWORD colour)
{
    struct {
        float x, y, z;
        DWORD colour;
    } v[4];
    D3DVIEWPORT9 p;

    OK(IDirect3DDevice9_GetViewport(device, &p));
    for (int i = 0; i < 4; i++) {
        v[i].x = (i % 2 ? 1.0f : -1.0f) - 2.0f * move / (float)p.Width;
        v[i].y = (i / 2 ? -1.0f : 1.0f) + 2.0f * move / (float)p.Height;
        v[i].z = 0.5f;
        v[i].colour = colour;
    }
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])));
    OK(IDirect3DDevice9_EndScene(device));
}

/* The viewport, whose edges lie half a pixel to the bottom right of those between pixels. */
static void draw_clip_space(DWORD colour)
{
    draw_whole_clip_space(0.5f, colour);
}

static void set_viewport(RECT r)
{
    D3DVIEWPORT9 p = {
        (DWORD)r.left, (DWORD)r.top, (DWORD)(r.right - r.left), (DWORD)(r.bottom - r.top),
        0.0f,          1.0f};

    OK(IDirect3DDevice9_SetViewport(device, &p));
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void expect_size(IDirect3DSurface9 *surface, UINT width, UINT height)
{
    D3DSURFACE_DESC desc;

    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    ck_assert_uint_eq(desc.Width, width);
    ck_assert_uint_eq(desc.Height, height);
}

START_TEST(reported_sizes)
{
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *depth;
    D3DVIEWPORT9 viewport;
    RECT scissor;

    open_device(scales[_i]);
    expect_size(back, W, H);
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    expect_size(depth, W, H);
    release(depth);
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    ck_assert(viewport.Width == W && viewport.Height == H);
    OK(IDirect3DDevice9_GetScissorRect(device, &scissor));
    ck_assert(scissor.right == W && scissor.bottom == H);
    OK(IDirect3DDevice9_CreateTexture(device, W, H, 0, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    ck_assert_uint_eq(IDirect3DTexture9_GetLevelCount(texture), 7);
    for (UINT level = 0; level < 7; level++) {
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, level, &depth));
        expect_size(depth, W >> level, H >> level ? H >> level : 1);
        release(depth);
    }
    release(texture);
    close_device();
}
END_TEST

/* Frames have the size at which they are rendered: the setting does something. */
START_TEST(frames_have_the_rendered_size)
{
    static const unsigned sizes[SCALES][2] = {{128, 96}, {32, 24}, {48, 36}, {96, 72}, {W, H}};
    char folder[] = "/tmp/novem-test-XXXXXX", sink[64], command[128];
    unsigned char head[24];
    FILE *file;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(sink, sizeof(sink), "png:%s", folder);
    setenv("NOVEM_SINK", sink, 1);
    setenv("NOVEM_SINK_QUEUE", "0", 1);
    open_device(scales[_i]);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    close_device();
    snprintf(command, sizeof(command), "cat %s/*.png", folder);
    file = popen(command, "r");
    ck_assert_uint_eq(fread(head, 1, sizeof(head), file), sizeof(head));
    pclose(file);
    ck_assert_uint_eq(head[19], sizes[_i][0]);
    ck_assert_uint_eq(head[23], sizes[_i][1]);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* A change holds from the next Reset on. */
START_TEST(changes_wait_for_reset)
{
    static const struct {
        const char *value;
        unsigned width;
    } changes[] = {{"0.5", W / 2}, {"2", W * 2}, {"1", W}};
    D3DPRESENT_PARAMETERS p = parameters(W, H);

    open_device("1");
    for (unsigned i = 0; i < 3; i++) {
        uint32_t before = ((struct surface *)back)->stored_width;

        ck_assert_int_eq(api_config_change(CONFIG_RENDER_SCALE, changes[i].value), ST_OK);
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        ck_assert_uint_eq(((struct surface *)back)->stored_width, before);
        release(back);
        OK(IDirect3DDevice9_Reset(device, &p));
        OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
        ck_assert_uint_eq(((struct surface *)back)->stored_width, changes[i].width);
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
        draw_area(0xffff0000);
        expect_back(i == 2 ? SCALES - 1 : 1 - i, 0xffff0000, 0xff000000);
    }
    close_device();
}
END_TEST

START_TEST(positions)
{
    open_device(scales[_i]);
    draw_area(0xffff0000);
    expect_back(_i, 0xffff0000, 0xff000000);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 1, 0xff000000, 1.0f, 0));
    set_viewport(area);
    draw_clip_space(0xff00ff00);
    expect_back(_i, 0xff00ff00, 0xff000000);
    close_device();
}
END_TEST

/* Rectangles from one pixel centre to the next, as programs draw that do not know of pixel centres:
 * the first row and column of the viewport are whole. */
START_TEST(borders)
{
    open_device(scales[_i]);
    draw_rect(0.5f, 0.5f, W + 0.5f, H + 0.5f, 0.5f, 0xffff0000);
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    expect_area(copy, (RECT){0, 0, W, H}, 0xffff0000, 0, 0);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 1, 0xff000000, 1.0f, 0));
    draw_whole_clip_space(0.0f, 0xff00ff00);
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    expect_area(copy, (RECT){0, 0, W, H}, 0xff00ff00, 0, 0);
    close_device();
}
END_TEST

START_TEST(rectangles)
{
    const D3DRECT clear = {area.left, area.top, area.right, area.bottom};

    open_device(scales[_i]);
    OK(IDirect3DDevice9_Clear(device, 1, &clear, 1, 0xff0000ff, 1.0f, 0));
    expect_back(_i, 0xff0000ff, 0xff000000);
    OK(IDirect3DDevice9_ColorFill(device, back, NULL, 0xff808080));
    OK(IDirect3DDevice9_ColorFill(device, back, &area, 0xff123456));
    expect_back(_i, 0xff123456, 0xff808080);
    OK(IDirect3DDevice9_SetScissorRect(device, &area));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, TRUE));
    draw_rect(0, 0, W, H, 0.5f, 0xffffff00);
    expect_back(_i, 0xffffff00, 0xff808080);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 1, 0xff00ffff, 1.0f, 0));
    expect_back(_i, 0xff00ffff, 0xff808080);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, FALSE));
    set_viewport(area);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 1, 0xff654321, 1.0f, 0));
    expect_back(_i, 0xff654321, 0xff808080);
    close_device();
}
END_TEST

/* A lock of a part changes that part alone. */
START_TEST(locks)
{
    D3DLOCKED_RECT lock;

    open_device(scales[_i]);
    OK(IDirect3DSurface9_LockRect(back, &lock, &area, 0));
    for (int y = 0; y < area.bottom - area.top; y++)
        for (int x = 0; x < area.right - area.left; x++)
            memcpy((char *)lock.pBits + y * lock.Pitch + x * 4, &(DWORD){0xff00ff00}, 4);
    REFUSED(IDirect3DSurface9_LockRect(back, &lock, NULL, 0));
    OK(IDirect3DSurface9_UnlockRect(back));
    expect_back(_i, 0xff00ff00, 0xff000000);
    OK(IDirect3DSurface9_LockRect(back, &lock, NULL, D3DLOCK_DONOTWAIT));
    OK(IDirect3DSurface9_UnlockRect(back));
    OK(IDirect3DSurface9_LockRect(back, &lock, NULL, 0)); /* the device ends with an open lock */
    close_device();
}
END_TEST

static IDirect3DSurface9 *target(UINT width, UINT height)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DDevice9_CreateRenderTarget(device, width, height, D3DFMT_A8R8G8B8, 0, 0, FALSE,
                                           &surface, NULL));
    return surface;
}

static void fill_plain(IDirect3DSurface9 *surface, DWORD colour)
{
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT lock;

    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    OK(IDirect3DSurface9_LockRect(surface, &lock, NULL, 0));
    for (UINT y = 0; y < desc.Height; y++)
        for (UINT x = 0; x < desc.Width; x++)
            memcpy((char *)lock.pBits + y * (UINT)lock.Pitch + x * 4, &colour, 4);
    OK(IDirect3DSurface9_UnlockRect(surface));
}

START_TEST(updates)
{
    const POINT at = {area.left, area.top};
    const RECT part = {2, 2, 2 + area.right - area.left, 2 + area.bottom - area.top};
    IDirect3DSurface9 *source;

    open_device(scales[_i]);
    source = plain(W, H, D3DFMT_A8R8G8B8);
    fill_plain(source, 0xffabcdef);
    OK(IDirect3DDevice9_UpdateSurface(device, source, &part, back, &at));
    expect_back(_i, 0xffabcdef, 0xff000000);
    fill_plain(source, 0xff010203);
    OK(IDirect3DDevice9_UpdateSurface(device, source, NULL, back, NULL));
    draw_area(0xffabcdef);
    expect_back(_i, 0xffabcdef, 0xff010203);
    release(source);
    close_device();
}
END_TEST

/* Between a target of the back buffer's size, the back buffer, and a smaller target, which is not
 * scaled. */
START_TEST(stretches)
{
    const RECT half = {area.left / 2, area.top / 2, area.right / 2, area.bottom / 2};
    IDirect3DSurface9 *same, *small, *small_copy;

    open_device(scales[_i]);
    same = target(W, H);
    small = target(W / 2, H / 2);
    small_copy = plain(W / 2, H / 2, D3DFMT_A8R8G8B8);
    draw_area(0xffff00ff);
    OK(IDirect3DDevice9_StretchRect(device, back, NULL, same, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_ColorFill(device, back, NULL, 0));
    OK(IDirect3DDevice9_StretchRect(device, same, NULL, small, NULL, D3DTEXF_LINEAR));
    OK(IDirect3DDevice9_GetRenderTargetData(device, small, small_copy));
    expect_area(small_copy, half, 0xffff00ff, 0xff000000, margin_of(_i));
    OK(IDirect3DDevice9_StretchRect(device, same, &area, back, &area, D3DTEXF_NONE));
    expect_back(_i, 0xffff00ff, 0);
    OK(IDirect3DDevice9_ColorFill(device, small, NULL, 0xff112233));
    OK(IDirect3DDevice9_StretchRect(device, small, &half, back, &area, D3DTEXF_POINT));
    expect_back(_i, 0xff112233, 0);
    release(same);
    release(small);
    release(small_copy);
    close_device();
}
END_TEST

START_TEST(front_buffer)
{
    open_device(scales[_i]);
    draw_area(0xffff8000);
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, copy)); /* before a Present: the buffer */
    expect_area(copy, area, 0xffff8000, 0xff000000, margin_of(_i));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 1, 0xff000000, 1.0f, 0));
    draw_area(0xff0080ff);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, copy));
    expect_area(copy, area, 0xff0080ff, 0xff000000, margin_of(_i));
    close_device();
}
END_TEST

/* A texture of the back buffer's size is a target, and is sampled like any other. */
START_TEST(textures)
{
    IDirect3DSurface9 *level;
    IDirect3DTexture9 *texture;

    open_device(scales[_i]);
    OK(IDirect3DDevice9_CreateTexture(device, W, H, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, level));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000040, 1.0f, 0));
    draw_area(0xffffffff);
    OK(IDirect3DDevice9_GetRenderTargetData(device, level, copy));
    expect_area(copy, area, 0xffffffff, 0xff000040, margin_of(_i));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0, 1.0f, 0));
    draw_rect(0, 0, W, H, 0.5f, 0xffffffff);
    expect_back(_i, 0xffffffff, 0xff000040);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    release(level);
    release(texture);
    close_device();
}
END_TEST

/* Levels below the first are scaled with it, also where the scaled chain would be shorter. */
START_TEST(mip_levels)
{
    const RECT half = {area.left / 2, area.top / 2, area.right / 2, area.bottom / 2};
    IDirect3DSurface9 *level, *small_copy;
    IDirect3DTexture9 *texture;

    open_device(scales[_i]);
    OK(IDirect3DDevice9_CreateTexture(device, W, H, 0, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    small_copy = plain(W / 2, H / 2, D3DFMT_A8R8G8B8);
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 6, &level));
    OK(IDirect3DDevice9_ColorFill(device, level, NULL, 0xff00ff00));
    release(level);
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 1, &level));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, level));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 1, 0xff000040, 1.0f, 0));
    draw_rect((float)half.left, (float)half.top, (float)half.right, (float)half.bottom, 0.5f,
              0xffff0000);
    OK(IDirect3DDevice9_GetRenderTargetData(device, level, small_copy));
    expect_area(small_copy, half, 0xffff0000, 0xff000040, margin_of(_i));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 1));
    draw_rect(0, 0, W, H, 0.5f, 0xffffffff);
    expect_back(_i, 0xffff0000, 0xff000040);
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 6));
    draw_rect(0, 0, W, H, 0.5f, 0xffffffff);
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    expect_area(copy, (RECT){0, 0, W, H}, 0xff00ff00, 0, 0);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    release(level);
    release(small_copy);
    release(texture);
    close_device();
}
END_TEST

/* The depth buffer is scaled with the back buffer, and also serves smaller targets, which are
 * not. */
START_TEST(depth)
{
    IDirect3DSurface9 *small, *small_copy;

    open_device(scales[_i]);
    draw_rect(0, 0, W, H, 0.75f, 0xff000080);
    draw_area(0xffff0000);
    draw_rect(0, 0, W, H, 0.625f, 0xff00ff00); /* before the first, behind the second */
    expect_back(_i, 0xffff0000, 0xff00ff00);
    small = target(W - 2, H - 2);
    small_copy = plain(W - 2, H - 2, D3DFMT_A8R8G8B8);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, small));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
    draw_rect(0, 0, W, H, 0.75f, 0xff000080);
    draw_area(0xffff0000);
    draw_rect(0, 0, W, H, 0.625f, 0xff00ff00);
    OK(IDirect3DDevice9_GetRenderTargetData(device, small, small_copy));
    expect_area(small_copy, area, 0xffff0000, 0xff00ff00, 0);
    release(small);
    release(small_copy);
    close_device();
}
END_TEST

/* An Ex device keeps its scale: depth surfaces and textures that it keeps serve what it makes
 * later. A larger back buffer changes which surfaces are scaled; those that were kept stay as they
 * are. */
START_TEST(ex_devices_keep_the_scale)
{
    static const D3DFORMAT intz = (D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z');
    D3DPRESENT_PARAMETERS p = parameters(W, H);
    IDirect3DSurface9 *depth[2], *made;
    IDirect3DTexture9 *texture;
    IDirect3DDevice9Ex *ex;

    setenv("NOVEM_RENDER_SCALE", "0.5", 1);
    ex = create_device_ex();
    device = (IDirect3DDevice9 *)ex;
    OK(IDirect3DDevice9Ex_ResetEx(ex, &p, NULL));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, W, H, D3DFMT_D24S8, 0, 0, FALSE,
                                                  &depth[0], NULL));
    OK(IDirect3DDevice9_CreateTexture(device, W, H, 1, D3DUSAGE_DEPTHSTENCIL, intz, D3DPOOL_DEFAULT,
                                      &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &depth[1]));
    copy = plain(W, H, D3DFMT_A8R8G8B8);
    ck_assert_int_eq(api_config_change(CONFIG_RENDER_SCALE, "2"), ST_OK);
    for (unsigned larger = 0; larger < 2; larger++) {
        p = parameters(W << larger, H << larger);
        OK(IDirect3DDevice9Ex_ResetEx(ex, &p, NULL));
        OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
        ck_assert_uint_eq(((struct surface *)back)->stored_width, (W << larger) / 2);
        release(back);
        made = target(W, H);
        ck_assert_uint_eq(((struct surface *)made)->stored_width, larger ? W : W / 2);
        ck_assert_uint_eq(((struct surface *)depth[0])->stored_width, W / 2);
        OK(IDirect3DDevice9_SetRenderTarget(device, 0, made));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, TRUE));
        for (unsigned i = 0; i < 2; i++) {
            OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth[i]));
            OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
            draw_rect(0, 0, W, H, 0.5f, 0xffff0000);
            draw_rect(0, 0, W, H, 0.75f, 0xff00ff00);
            OK(IDirect3DDevice9_GetRenderTargetData(device, made, copy));
            ck_assert_uint_eq(surface_pixel(copy, 8, 8), 0xffff0000);
            if (!larger || !i) /* the texture ends before the target: a documented limit */
                ck_assert_uint_eq(surface_pixel(copy, W - 4, H - 4), 0xffff0000);
        }
        release(made);
    }
    release(copy);
    release(depth[0]);
    release(depth[1]);
    release(texture);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* RESZ copies the depth buffer to a texture of another format, whose image may be smaller. */
START_TEST(depth_copies)
{
    const DWORD resz = 0x7fa05000, intz = MAKEFOURCC('I', 'N', 'T', 'Z');
    IDirect3DTexture9 *texture;

    open_device(scales[_i]);
    OK(IDirect3DDevice9_CreateTexture(device, W, H, 1, D3DUSAGE_DEPTHSTENCIL, (D3DFORMAT)intz,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    draw_rect(0, 0, W, H, 1.0f, 0);
    draw_rect((float)area.left, (float)area.top, (float)area.right, (float)area.bottom, 0.2f, 0);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_POINTSIZE, resz));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    draw_rect(0, 0, W, H, 0.5f, 0xffff0000);
    expect_back(_i, 0x33330000, 0xffff0000); /* red and alpha are the depth */
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    release(texture);
    close_device();
}
END_TEST

START_TEST(points)
{
    const struct vertex v = {27.5f, 21.5f, 0.5f, 1, 0xffff0000, 0, 0};
    const RECT r = {20, 14, 36, 30};
    float size = 16.0f;
    DWORD bits;

    open_device(scales[_i]);
    memcpy(&bits, &size, sizeof(bits));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_POINTSIZE, bits));
    OK(IDirect3DDevice9_SetFVF(device, FVF));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, &v, sizeof(v)));
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    expect_area(copy, r, 0xffff0000, 0xff000000, margin_of(_i));
    /* The limits are the program's sizes, too. */
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 1, 0xff000000, 1.0f, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_POINTSIZE_MAX, bits));
    size = 64.0f;
    memcpy(&bits, &size, sizeof(bits));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_POINTSIZE, bits));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, &v, sizeof(v)));
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    expect_area(copy, r, 0xffff0000, 0xff000000, margin_of(_i));
    close_device();
}
END_TEST

/* vPos counts pixels of the program: the shader writes it / 64. */
START_TEST(pixel_positions)
{
    static const DWORD vs[] = {0xfffe0300, 0x0200001f, 0x80000000, 0x900f0000,
                               0x0200001f, 0x80000000, 0xe00f0000, 0x02000001,
                               0xe00f0000, 0x90e40000, 0x0000ffff};
    static const DWORD ps[] = {
        0xffff0300, 0x0200001f, 0x80000000, 0x90031000, 0x05000051, 0xa00f0000, 0x3c800000,
        0x00000000, 0x3f800000, 0x00000000, 0x03000005, 0x80030000, 0x90e41000, 0xa0000000,
        0x02000001, 0x800c0000, 0xa0a90000, 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};
    IDirect3DVertexShader9 *vertex;
    IDirect3DPixelShader9 *pixel;
    D3DLOCKED_RECT lock;

    open_device(scales[_i]);
    OK(IDirect3DDevice9_CreateVertexShader(device, vs, &vertex));
    OK(IDirect3DDevice9_CreatePixelShader(device, ps, &pixel));
    OK(IDirect3DDevice9_SetVertexShader(device, vertex));
    OK(IDirect3DDevice9_SetPixelShader(device, pixel));
    draw_clip_space(0);
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    OK(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 2; y < H - 2; y++)
        for (int x = 2; x < W - 2; x++) {
            DWORD is = *(const DWORD *)((const char *)lock.pBits + y * lock.Pitch + 4 * x);
            DWORD due = 0xff << 24 | (DWORD)(x * 255 / 64) << 16 | (DWORD)(y * 255 / 64) << 8;

            ck_assert_msg(is_close(is & 0xffff00, due & 0xffff00, 2), "%d,%d: %08x", x, y,
                          (unsigned)is);
        }
    OK(IDirect3DSurface9_UnlockRect(copy));
    OK(IDirect3DDevice9_SetVertexShader(device, NULL));
    OK(IDirect3DDevice9_SetPixelShader(device, NULL));
    release(vertex);
    release(pixel);
    close_device();
}
END_TEST

START_TEST(occlusion)
{
    IDirect3DQuery9 *query;
    DWORD pixels = 0;

    open_device(scales[_i]);
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
    draw_area(0xffffffff);
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    while (IDirect3DQuery9_GetData(query, &pixels, sizeof(pixels), D3DGETDATA_FLUSH) == S_FALSE)
        continue;
    ck_assert_uint_eq(pixels, (DWORD)((area.right - area.left) * (area.bottom - area.top)));
    release(query);
    close_device();
}
END_TEST

/* A viewport of a state block, and another size of the back buffer. */
START_TEST(state_blocks_and_reset)
{
    D3DPRESENT_PARAMETERS p = parameters(2 * W, 2 * H);
    IDirect3DStateBlock9 *block;
    D3DVIEWPORT9 viewport;
    IDirect3DSurface9 *former;

    open_device(scales[_i]);
    set_viewport(area);
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &block));
    set_viewport((RECT){0, 0, W, H});
    OK(IDirect3DStateBlock9_Apply(block));
    draw_clip_space(0xff00ff00);
    expect_back(_i, 0xff00ff00, 0xff000000);
    release(block);
    release(back);
    release(copy);
    OK(IDirect3DDevice9_Reset(device, &p));
    take_objects(2 * W, 2 * H);
    expect_size(back, 2 * W, 2 * H);
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    ck_assert(viewport.Width == 2 * W && viewport.Height == 2 * H);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
    draw_area(0xffff0000);
    expect_back(_i, 0xffff0000, 0xff000000);
    former = target(W, H); /* no longer of the back buffer's size */
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, former));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 1, 0xff000000, 1.0f, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    draw_area(0xffff0000);
    release(copy);
    copy = plain(W, H, D3DFMT_A8R8G8B8);
    OK(IDirect3DDevice9_GetRenderTargetData(device, former, copy));
    expect_area(copy, area, 0xffff0000, 0xff000000, 0);
    release(former);
    close_device();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/render_scale");
    TCase *tc = tcase_create("render_scale");

    tcase_add_loop_test(tc, reported_sizes, 0, SCALES);
    tcase_add_loop_test(tc, frames_have_the_rendered_size, 0, SCALES);
    tcase_add_test(tc, changes_wait_for_reset);
    tcase_add_test(tc, ex_devices_keep_the_scale);
    tcase_add_loop_test(tc, positions, 0, SCALES);
    tcase_add_loop_test(tc, borders, 0, SCALES);
    tcase_add_loop_test(tc, rectangles, 0, SCALES);
    tcase_add_loop_test(tc, locks, 0, SCALES);
    tcase_add_loop_test(tc, updates, 0, SCALES);
    tcase_add_loop_test(tc, stretches, 0, SCALES);
    tcase_add_loop_test(tc, front_buffer, 0, SCALES);
    tcase_add_loop_test(tc, textures, 0, SCALES);
    tcase_add_loop_test(tc, mip_levels, 0, SCALES);
    tcase_add_loop_test(tc, depth, 0, SCALES);
    tcase_add_loop_test(tc, depth_copies, 0, SCALES);
    tcase_add_loop_test(tc, points, 0, SCALES);
    tcase_add_loop_test(tc, pixel_positions, 0, SCALES);
    tcase_add_loop_test(tc, occlusion, 0, SCALES);
    tcase_add_loop_test(tc, state_blocks_and_reset, 0, SCALES);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
