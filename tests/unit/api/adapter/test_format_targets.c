/* Tests that claimed render target formats and conversions work: drawn, blended, sRGB-encoded and
 * copied values match the format's documented layout (reference: device/format-checks). */
#include "format_draw.h"

static struct oracle current(const struct oracle_format **f, int i)
{
    *f = &oracle_formats[i];
    return oracle_of(*f);
}

static bool is_claimed(const struct oracle *o, DWORD usage, D3DRESOURCETYPE type)
{
    return o->kind != ORACLE_NONE && ask(usage, type, o->d3d) == D3D_OK;
}

/* A value after quantisation: the nearest code with halves rounded up, or the nearest float. */
static double kept(const struct oracle *o, struct oracle_channel ch, double value)
{
    double most = (double)((UINT64_C(1) << ch.bits) - 1);

    if (o->kind == ORACLE_FLOATS)
        return value;
    return floor(fmin(fmax(value, 0.0), 1.0) * most + 0.5) / most;
}

static double step_of(const struct oracle *o, struct oracle_channel ch, double value)
{
    if (o->kind != ORACLE_FLOATS)
        return 1.0 / (double)((UINT64_C(1) << ch.bits) - 1);
    return fabs(value) * (ch.bits == 16 ? 0x1p-10 : 0x1p-22) + 1e-12;
}

static int index_of(char letter)
{
    return letter == 'G' ? 1 : letter == 'B' ? 2 : letter == 'A' ? 3 : 0;
}

/* Compares the texel's channels with the colour; tolerance: `steps` codes. */
static void expect_texel(const char *what, const char *name, const struct oracle *o,
                         const uint8_t *texel, const double rgba[4], double steps)
{
    for (unsigned i = 0; i < o->n; i++) {
        struct oracle_channel ch = o->channel[i];
        double want, got;

        if (ch.letter == 'X')
            continue;
        want = kept(o, ch, rgba[index_of(ch.letter)]);
        got = oracle_number(o, ch, oracle_bits(texel, ch));
        ck_assert_msg(fabs(got - want) <= steps * step_of(o, ch, want) + 1e-9,
                      "%s, %s: %c is %.9g, not %.9g", name, what, ch.letter, got, want);
    }
}

/* --- Targets ---------------------------------------------------------------------------------- */

/* Colours inside and outside [0,1]; channels differ, and none lies midway between codes. */
static const float colours[][4] = {
    {0.0f, 1.0f, 0.26f, 0.76f},   {1.0f, 0.0f, 0.61f, 0.41f},  {0.31f, 0.71f, 0.11f, 0.91f},
    {0.123f, 0.87f, 0.51f, 0.2f}, {-0.5f, 1.5f, 2.25f, -3.0f}, {0.999f, 0.001f, 0.4f, 0.6f},
    {0.66f, 0.33f, 0.05f, 0.95f},
};
enum { COLOURS = sizeof(colours) / sizeof(colours[0]) };

/* Pixel i of the row takes colour i. */
static void draw_colours(void)
{
    use_pixel_shader("ps_3_0\nmov oC0, c0\n");
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, TRUE));
    for (int i = 0; i < COLOURS; i++) {
        const RECT one = {i, 0, i + 1, 1};
        const float none[3] = {0};

        OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 0, colours[i], 1));
        OK(IDirect3DDevice9_SetScissorRect(device, &one));
        draw_quad(COLOURS, 1, none, none, none, 0);
    }
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, FALSE));
}

typedef void transform_fn(double rgba[4]);

static void expect_colours(const char *what, const struct oracle_format *f, const struct oracle *o,
                           IDirect3DSurface9 *surface, transform_fn *transform, double steps)
{
    IDirect3DSurface9 *copy;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT lock;

    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, desc.Width, desc.Height, o->d3d,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, surface, copy));
    OK(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY));
    for (int i = 0; i < COLOURS; i++) {
        double want[4];

        for (int c = 0; c < 4; c++)
            want[c] = o->kind == ORACLE_FLOATS ? colours[i][c] : fmin(fmax(colours[i][c], 0), 1);
        if (transform)
            transform(want);
        expect_texel(what, f->name, o, (uint8_t *)lock.pBits + (unsigned)i * o->bytes, want, steps);
    }
    OK(IDirect3DSurface9_UnlockRect(copy));
    release(copy);
}

static void draw_into(IDirect3DSurface9 *surface)
{
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, surface));
    draw_colours();
}

static IDirect3DSurface9 *make_target(const struct oracle *o)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DDevice9_CreateRenderTarget(device, COLOURS, 1, o->d3d, D3DMULTISAMPLE_NONE, 0,
                                           FALSE, &surface, NULL));
    return surface;
}

static void drop_target(IDirect3DSurface9 *surface)
{
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    release(surface);
}

START_TEST(drawn)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DTexture9 *texture;
    IDirect3DCubeTexture9 *cube;
    IDirect3DSurface9 *surface;

    if (is_claimed(&o, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE)) {
        surface = make_target(&o);
        draw_into(surface);
        expect_colours("render target", f, &o, surface, NULL, 0.6);
        drop_target(surface);
    }
    if (is_claimed(&o, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE)) {
        OK(IDirect3DDevice9_CreateTexture(device, 2 * COLOURS, 3, 2, D3DUSAGE_RENDERTARGET, o.d3d,
                                          D3DPOOL_DEFAULT, &texture, NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 1, &surface));
        draw_into(surface);
        expect_colours("level of a texture", f, &o, surface, NULL, 0.6);
        drop_target(surface);
        release(texture);
    }
    if (is_claimed(&o, D3DUSAGE_RENDERTARGET, D3DRTYPE_CUBETEXTURE)) {
        OK(IDirect3DDevice9_CreateCubeTexture(device, COLOURS, 1, D3DUSAGE_RENDERTARGET, o.d3d,
                                              D3DPOOL_DEFAULT, &cube, NULL));
        OK(IDirect3DCubeTexture9_GetCubeMapSurface(cube, D3DCUBEMAP_FACE_NEGATIVE_Y, 0, &surface));
        draw_into(surface);
        expect_colours("face of a cube texture", f, &o, surface, NULL, 0.6);
        drop_target(surface);
        release(cube);
    }
}
END_TEST

/* Sampling a rendered texture returns the drawn values. */
START_TEST(drawn_and_sampled)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    const float from[3] = {0}, right[3] = {1, 0, 0};
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *surface;

    if (!is_claimed(&o, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE))
        return;
    OK(IDirect3DDevice9_CreateTexture(device, COLOURS, 1, 1, D3DUSAGE_RENDERTARGET, o.d3d,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    draw_into(surface);
    drop_target(surface);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    use_pixel_shader(sampling);
    draw_quad(COLOURS, 1, from, right, from, 0);
    read_pixels();
    for (unsigned x = 0; x < COLOURS; x++)
        for (unsigned i = 0; i < o.n; i++) {
            struct oracle_channel ch = o.channel[i];
            double want = kept(&o, ch, colours[x][index_of(ch.letter)]);
            double got = pixels[0][x][index_of(ch.letter)];

            if (ch.letter != 'X')
                ck_assert_msg(fabs(got - want) <= 0.6 * step_of(&o, ch, want) + 1e-6,
                              "%s: %c is %.9g, not %.9g", f->name, ch.letter, got, want);
        }
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    release(texture);
}
END_TEST

/* 32/255 of the colour and then 31/255 added. */
static void in_sum(double rgba[4])
{
    for (int c = 0; c < 4; c++)
        rgba[c] *= 63.0 / 255.0;
}

START_TEST(blended)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DSurface9 *surface;

    if (!is_claimed(&o, D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING,
                    D3DRTYPE_TEXTURE))
        return;
    surface = make_target(&o);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, surface));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1.0f, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHABLENDENABLE, TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SRCBLEND, D3DBLEND_BLENDFACTOR));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_DESTBLEND, D3DBLEND_ONE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_BLENDFACTOR, 0x20202020));
    draw_into(surface);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_BLENDFACTOR, 0x1f1f1f1f));
    draw_into(surface);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHABLENDENABLE, FALSE));
    expect_colours("blending", f, &o, surface, in_sum, 2.2);
    drop_target(surface);
}
END_TEST

static void encoded(double rgba[4])
{
    for (int c = 0; c < 3; c++)
        rgba[c] = oracle_srgb(fmin(fmax(rgba[c], 0.0), 1.0));
}

/* Without the claim SRGBWRITEENABLE has no effect. */
START_TEST(srgb_written)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DSurface9 *surface;
    bool encodes;

    if (!is_claimed(&o, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE))
        return;
    encodes = is_claimed(&o, D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBWRITE, D3DRTYPE_TEXTURE);
    ck_assert_int_eq(encodes, is_claimed(&o, D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBWRITE,
                                         D3DRTYPE_SURFACE));
    surface = make_target(&o);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SRGBWRITEENABLE, TRUE));
    draw_into(surface);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SRGBWRITEENABLE, FALSE));
    expect_colours("SRGBWRITEENABLE", f, &o, surface, encodes ? encoded : NULL, 0.6);
    drop_target(surface);
}
END_TEST

/* --- Conversions ------------------------------------------------------------------------------ */

static IDirect3DSurface9 *make_source(const struct texels *t)
{
    IDirect3DSurface9 *plain = NULL;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, t->w, t->h, t->o.d3d, D3DPOOL_DEFAULT,
                                                    &plain, NULL));
    OK(IDirect3DSurface9_LockRect(plain, &lock, NULL, 0));
    write_rows(t, 0, lock.pBits, (unsigned)lock.Pitch);
    OK(IDirect3DSurface9_UnlockRect(plain));
    return plain;
}

static void expect_converted(const struct texels *t, const char *from, const struct oracle *to,
                             const char *name, IDirect3DSurface9 *copy)
{
    double range = oracle_tolerance(&t->o);
    D3DLOCKED_RECT lock;
    char what[64];

    snprintf(what, sizeof(what), "from %s", from);
    OK(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY));
    for (unsigned y = 0; y < t->h; y++)
        for (unsigned x = 0; x < t->w; x++) {
            double want[4], steps = 0.6;

            wanted(t, x, y, 0, want);
            for (unsigned i = 0; i < to->n; i++) /* sources that are not exact, rounding ties */
                steps = fmax(steps, range / step_of(to, to->channel[i], 1.0) + 1.1);
            if (to->kind == ORACLE_FLOATS && range > 1e-5)
                for (int c = 0; c < 4; c++) /* compared with a non-zero value */
                    steps = fmax(steps, range / fmax(step_of(to, to->channel[0], want[c]), 1e-9));
            expect_texel(what, name, to,
                         (uint8_t *)lock.pBits + y * (unsigned)lock.Pitch + x * to->bytes, want,
                         steps);
        }
    OK(IDirect3DSurface9_UnlockRect(copy));
}

/* From every plain surface format to every claimed target format. */
START_TEST(converted)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DSurface9 *source = NULL, *surface, *copy;
    struct texels t;

    if (o.kind == ORACLE_NONE || o.kind == ORACLE_DEPTH)
        return;
    t = random_texels(&o, SIDE, 4, 1, 31);
    if (is_claimed(&o, 0, D3DRTYPE_SURFACE))
        source = make_source(&t);
    for (int i = 0; i < ORACLE_FORMATS; i++) {
        struct oracle to = oracle_of(&oracle_formats[i]);

        if (IDirect3D9_CheckDeviceFormatConversion(d3d9, 0, D3DDEVTYPE_HAL, o.d3d, to.d3d) !=
                D3D_OK ||
            to.d3d == o.d3d)
            continue;
        ck_assert_msg(source != NULL, "%s", f->name);
        ck_assert(is_claimed(&to, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE));
        OK(IDirect3DDevice9_CreateRenderTarget(device, t.w, t.h, to.d3d, D3DMULTISAMPLE_NONE, 0,
                                               FALSE, &surface, NULL));
        OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, t.w, t.h, to.d3d, D3DPOOL_SYSTEMMEM,
                                                        &copy, NULL));
        OK(IDirect3DDevice9_StretchRect(device, source, NULL, surface, NULL, D3DTEXF_NONE));
        OK(IDirect3DDevice9_GetRenderTargetData(device, surface, copy));
        expect_converted(&t, f->name, &to, oracle_formats[i].name, copy);
        release(copy);
        release(surface);
    }
    if (source)
        release(source);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/format_targets");
    TCase *tc = tcase_create("targets");

    tcase_add_checked_fixture(tc, open_target, close_target);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, drawn, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, drawn_and_sampled, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, blended, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, srgb_written, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, converted, 0, ORACLE_FORMATS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
