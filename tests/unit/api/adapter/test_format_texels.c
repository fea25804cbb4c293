/* Tests that claimed texture and plain surface formats work: texels of every format, texture type
 * and level match the documented layout, as do claimed filtering, sRGB decoding, vertex textures
 * and mip generation (reference: device/format-checks). */
#include "format_draw.h"

static struct oracle current(const struct oracle_format **f, int i)
{
    *f = &oracle_formats[i];
    return oracle_of(*f);
}

/* Depth formats are rendered instead: test_format_depth.c. */
static bool is_claimed(const struct oracle *o, DWORD usage, D3DRESOURCETYPE type)
{
    HRESULT hr = ask(usage, type, o->d3d);

    if (o->kind == ORACLE_NONE || o->kind == ORACLE_DEPTH)
        return false;
    return hr == D3D_OK;
}

/* --- Creation --------------------------------------------------------------------------------- */

enum { LEVELS = 2 };

/* Odd sizes where the format supports them. */
static unsigned odd(const struct oracle *o, unsigned size)
{
    return o->kind == ORACLE_BLOCKS ? SIDE : o->kind == ORACLE_VIDEO ? size - 1 : size;
}

static void fill_level(IDirect3DTexture9 *texture, unsigned level, const struct texels *t)
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DTexture9_LockRect(texture, level, &lock, NULL, 0));
    write_rows(t, 0, lock.pBits, (unsigned)lock.Pitch);
    OK(IDirect3DTexture9_UnlockRect(texture, level));
}

static IDirect3DTexture9 *make_2d(const struct oracle *o, struct texels t[LEVELS], D3DPOOL pool)
{
    IDirect3DTexture9 *texture, *staging;
    unsigned w = odd(o, 7), h = odd(o, 5);

    OK(IDirect3DDevice9_CreateTexture(device, w, h, LEVELS, 0, o->d3d, pool, &texture, NULL));
    staging = texture;
    if (pool == D3DPOOL_DEFAULT)
        OK(IDirect3DDevice9_CreateTexture(device, w, h, LEVELS, 0, o->d3d, D3DPOOL_SYSTEMMEM,
                                          &staging, NULL));
    for (unsigned l = 0; l < LEVELS; l++) {
        t[l] = random_texels(o, w >> l, h >> l, 1, 10 + l);
        fill_level(staging, l, &t[l]);
    }
    if (pool == D3DPOOL_DEFAULT) {
        OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)staging,
                                          (IDirect3DBaseTexture9 *)texture));
        release(staging);
    }
    return texture;
}

static void bind(void *texture)
{
    OK(IDirect3DDevice9_SetTexture(device, 0, texture));
}

static const float origin[3] = {0, 0, 0}, along_u[3] = {1, 0, 0}, along_v[3] = {0, 1, 0};

/* --- Sampling --------------------------------------------------------------------------------- */

START_TEST(texels_2d)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    struct texels t[LEVELS];

    if (!is_claimed(&o, 0, D3DRTYPE_TEXTURE))
        return;
    use_pixel_shader(sampling);
    for (D3DPOOL pool = D3DPOOL_DEFAULT; pool <= D3DPOOL_MANAGED; pool++) {
        IDirect3DTexture9 *texture = make_2d(&o, t, pool);

        bind(texture);
        for (unsigned l = 0; l < LEVELS; l++) {
            draw_quad(t[l].w, t[l].h, origin, along_u, along_v, (float)l);
            expect_slice(pool == D3DPOOL_DEFAULT ? "texture" : "managed texture", f->name, &t[l], 0,
                         oracle_tolerance(&o));
        }
        bind(NULL);
        release(texture);
    }
}
END_TEST

/* Direction of texel (u, v) of each face: +x (1,-v,-u) and so on, u and v from -1 to 1. */
static const float faces[6][3][3] = {
    {{1, 1, 1}, {0, 0, -2}, {0, -2, 0}}, {{-1, 1, -1}, {0, 0, 2}, {0, -2, 0}},
    {{-1, 1, -1}, {2, 0, 0}, {0, 0, 2}}, {{-1, -1, 1}, {2, 0, 0}, {0, 0, -2}},
    {{-1, 1, 1}, {2, 0, 0}, {0, -2, 0}}, {{1, 1, -1}, {-2, 0, 0}, {0, -2, 0}},
};

START_TEST(texels_cube)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DCubeTexture9 *texture;
    struct texels t[6][LEVELS];
    D3DLOCKED_RECT lock;

    if (!is_claimed(&o, 0, D3DRTYPE_CUBETEXTURE))
        return;
    use_pixel_shader(sampling);
    OK(IDirect3DDevice9_CreateCubeTexture(device, SIDE, LEVELS, 0, o.d3d, D3DPOOL_MANAGED, &texture,
                                          NULL));
    bind(texture);
    for (unsigned face = 0; face < 6; face++)
        for (unsigned l = 0; l < LEVELS; l++) {
            t[face][l] = random_texels(&o, SIDE >> l, SIDE >> l, 1, 100 + face * 10 + l);
            OK(IDirect3DCubeTexture9_LockRect(texture, (D3DCUBEMAP_FACES)face, l, &lock, NULL, 0));
            write_rows(&t[face][l], 0, lock.pBits, (unsigned)lock.Pitch);
            OK(IDirect3DCubeTexture9_UnlockRect(texture, (D3DCUBEMAP_FACES)face, l));
        }
    for (unsigned face = 0; face < 6; face++)
        for (unsigned l = 0; l < LEVELS; l++) {
            draw_quad(SIDE >> l, SIDE >> l, faces[face][0], faces[face][1], faces[face][2],
                      (float)l);
            expect_slice("cube texture", f->name, &t[face][l], 0, oracle_tolerance(&o));
        }
    bind(NULL);
    release(texture);
}
END_TEST

START_TEST(texels_volume)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DVolumeTexture9 *texture;
    D3DLOCKED_BOX lock;
    struct texels t;

    if (!is_claimed(&o, 0, D3DRTYPE_VOLUMETEXTURE))
        return;
    use_pixel_shader(sampling);
    t = random_texels(&o, odd(&o, 5), odd(&o, 3), SLICES, 1000);
    OK(IDirect3DDevice9_CreateVolumeTexture(device, t.w, t.h, t.d, 1, 0, o.d3d, D3DPOOL_MANAGED,
                                            &texture, NULL));
    OK(IDirect3DVolumeTexture9_LockBox(texture, 0, &lock, NULL, 0));
    for (unsigned z = 0; z < t.d; z++)
        write_rows(&t, z, (uint8_t *)lock.pBits + z * (unsigned)lock.SlicePitch,
                   (unsigned)lock.RowPitch);
    OK(IDirect3DVolumeTexture9_UnlockBox(texture, 0));
    bind(texture);
    for (unsigned z = 0; z < t.d; z++) {
        const float from[3] = {0, 0, ((float)z + 0.5f) / (float)t.d};

        draw_quad(t.w, t.h, from, along_u, along_v, 0);
        expect_slice("volume texture", f->name, &t, z, oracle_tolerance(&o));
    }
    bind(NULL);
    release(texture);
}
END_TEST

/* --- Sampling capabilities -------------------------------------------------------------------- */

/* Midway between two texels is their mean; without the claim ValidateDevice fails. */
START_TEST(filtered)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DTexture9 *texture;
    struct texels t[LEVELS];
    DWORD passes;

    if (!is_claimed(&o, 0, D3DRTYPE_TEXTURE))
        return;
    use_pixel_shader(sampling);
    texture = make_2d(&o, t, D3DPOOL_MANAGED);
    bind(texture);
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR));
    RETURNS(IDirect3DDevice9_ValidateDevice(device, &passes),
            is_claimed(&o, D3DUSAGE_QUERY_FILTER, D3DRTYPE_TEXTURE) ? D3D_OK : E_FAIL);
    if (is_claimed(&o, D3DUSAGE_QUERY_FILTER, D3DRTYPE_TEXTURE)) {
        float texel = 1.0f / (float)t[0].w;
        const float from[3] = {0.5f * texel, 0, 0}, right[3] = {1.0f - texel, 0, 0};

        draw_quad(t[0].w - 1, t[0].h, from, right, along_v, 0);
        read_pixels();
        for (unsigned y = 0; y < t[0].h; y++)
            for (unsigned x = 0; x + 1 < t[0].w; x++) {
                double a[4], b[4];

                wanted(&t[0], x, y, 0, a);
                wanted(&t[0], x + 1, y, 0, b);
                for (int c = 0; c < 4; c++)
                    a[c] = (a[c] + b[c]) / 2.0;
                expect_pixel("LINEAR", f->name, x, y, a, fmax(oracle_tolerance(&o), 1e-6));
            }
    }
    bind(NULL);
    release(texture);
}
END_TEST

/* Without the claim SRGBTEXTURE has no effect. */
START_TEST(srgb_read)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DTexture9 *texture;
    struct texels t[LEVELS];
    bool decodes;

    if (!is_claimed(&o, 0, D3DRTYPE_TEXTURE))
        return;
    decodes = is_claimed(&o, D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE);
    use_pixel_shader(sampling);
    texture = make_2d(&o, t, D3DPOOL_MANAGED);
    bind(texture);
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_SRGBTEXTURE, TRUE));
    draw_quad(t[0].w, t[0].h, origin, along_u, along_v, 0);
    read_pixels();
    for (unsigned y = 0; y < t[0].h; y++)
        for (unsigned x = 0; x < t[0].w; x++) {
            double want[4];

            wanted(&t[0], x, y, 0, want);
            for (int c = 0; decodes && c < 3; c++)
                want[c] = oracle_linear(want[c]);
            expect_pixel("SRGBTEXTURE", f->name, x, y, want,
                         oracle_tolerance(&o) * (decodes ? 2.3 : 1));
        }
    bind(NULL);
    release(texture);
}
END_TEST

/* One point per texel; the vertex shader samples its colour. */
START_TEST(vertex_textures)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DTexture9 *texture;
    struct texels t[LEVELS];
    float v[SIDE * SIDE][7];
    unsigned n = 0;

    if (!is_claimed(&o, D3DUSAGE_QUERY_VERTEXTEXTURE, D3DRTYPE_TEXTURE))
        return;
    texture = make_2d(&o, t, D3DPOOL_MANAGED);
    for (unsigned y = 0; y < t[0].h; y++)
        for (unsigned x = 0; x < t[0].w; x++, n++) {
            const float vertex[7] = {2.0f * (float)x / SIDE - 1.0f,
                                     1.0f - 2.0f * (float)y / SIDE,
                                     0.5f,
                                     ((float)x + 0.5f) / (float)t[0].w,
                                     ((float)y + 0.5f) / (float)t[0].h,
                                     0,
                                     0};

            memcpy(v[n], vertex, sizeof(vertex));
        }
    use_pixel_shader("ps_3_0\ndcl_texcoord v0\nmov oC0, v0\n");
    use_vertex_shader("vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_2d s0\ndcl_position o0\n"
                      "dcl_texcoord o1\ntexldl r0, v1, s0\nmov o0, v0\nmov o1, r0\n");
    OK(IDirect3DDevice9_SetTexture(device, D3DVERTEXTEXTURESAMPLER0,
                                   (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE4(0)));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, n, v, sizeof(v[0])));
    expect_slice("vertex texture", f->name, &t[0], 0, oracle_tolerance(&o));
    OK(IDirect3DDevice9_SetTexture(device, D3DVERTEXTEXTURESAMPLER0, NULL));
    release(texture);
}
END_TEST

/* D3D_OK: level 1 is the mean of 2x2 texels; NOAUTOGEN: only level 0 exists. */
START_TEST(generated_levels)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DTexture9 *texture;
    struct texels t;
    double tolerance;
    HRESULT claim;

    if (!is_claimed(&o, 0, D3DRTYPE_TEXTURE))
        return;
    claim = ask(D3DUSAGE_AUTOGENMIPMAP, D3DRTYPE_TEXTURE, o.d3d);
    ck_assert(SUCCEEDED(claim));
    t = random_texels(&o, SIDE, SIDE, 1, 5);
    use_pixel_shader(sampling);
    OK(IDirect3DDevice9_CreateTexture(device, SIDE, SIDE, 0, D3DUSAGE_AUTOGENMIPMAP, o.d3d,
                                      D3DPOOL_MANAGED, &texture, NULL));
    ck_assert_uint_eq(IDirect3DTexture9_GetLevelCount(texture), 1);
    fill_level(texture, 0, &t);
    bind(texture);
    if (claim == D3DOK_NOAUTOGEN) {
        draw_quad(SIDE, SIDE, origin, along_u, along_v, 1);
        expect_slice("NOAUTOGEN", f->name, &t, 0, oracle_tolerance(&o));
        bind(NULL);
        release(texture);
        return;
    }
    draw_quad(SIDE / 2, SIDE / 2, origin, along_u, along_v, 1);
    read_pixels();
    for (unsigned y = 0; y < SIDE / 2; y++)
        for (unsigned x = 0; x < SIDE / 2; x++) {
            double sum[4] = {0}, part[4];

            tolerance = 1e-6;
            for (int i = 0; i < 4; i++) {
                wanted(&t, 2 * x + (i & 1), 2 * y + (i >> 1), 0, part);
                for (int c = 0; c < 4; c++)
                    sum[c] += part[c] / 4.0;
            }
            for (unsigned i = 0; i < o.n; i++) /* half a code, or 11 bits of half floats */
                tolerance =
                    fmax(tolerance, o.kind == ORACLE_FLOATS
                                        ? (o.channel[i].bits == 16 ? 0x1p-10 : 1e-6)
                                        : 0.51 / (double)((UINT64_C(1) << o.channel[i].bits) - 1));
            expect_pixel("AUTOGENMIPMAP", f->name, x, y, sum, tolerance);
        }
    bind(NULL);
    release(texture);
}
END_TEST

/* --- Plain surfaces --------------------------------------------------------------------------- */

/* A lock returns what the last lock wrote; UpdateSurface copies it to a texture. */
START_TEST(plain_surfaces)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DSurface9 *plain, *system, *level;
    IDirect3DTexture9 *texture;
    D3DLOCKED_RECT lock;
    struct texels t;

    if (!is_claimed(&o, 0, D3DRTYPE_SURFACE) || !is_claimed(&o, 0, D3DRTYPE_TEXTURE))
        return;
    t = random_texels(&o, odd(&o, 7), odd(&o, 5), 1, 77);
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, t.w, t.h, o.d3d, D3DPOOL_DEFAULT,
                                                    &plain, NULL));
    OK(IDirect3DSurface9_LockRect(plain, &lock, NULL, 0));
    write_rows(&t, 0, lock.pBits, (unsigned)lock.Pitch);
    OK(IDirect3DSurface9_UnlockRect(plain));
    OK(IDirect3DSurface9_LockRect(plain, &lock, NULL, D3DLOCK_READONLY));
    for (unsigned y = 0; y < rows(&t); y++)
        ck_assert_mem_eq((uint8_t *)lock.pBits + y * (unsigned)lock.Pitch,
                         t.bytes + y * row_bytes(&t), row_bytes(&t));
    OK(IDirect3DSurface9_UnlockRect(plain));
    release(plain);

    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, t.w, t.h, o.d3d, D3DPOOL_SYSTEMMEM,
                                                    &system, NULL));
    OK(IDirect3DSurface9_LockRect(system, &lock, NULL, 0));
    write_rows(&t, 0, lock.pBits, (unsigned)lock.Pitch);
    OK(IDirect3DSurface9_UnlockRect(system));
    OK(IDirect3DDevice9_CreateTexture(device, t.w, t.h, 1, 0, o.d3d, D3DPOOL_DEFAULT, &texture,
                                      NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    OK(IDirect3DDevice9_UpdateSurface(device, system, NULL, level, NULL));
    use_pixel_shader(sampling);
    bind(texture);
    draw_quad(t.w, t.h, origin, along_u, along_v, 0);
    expect_slice("UpdateSurface", f->name, &t, 0, oracle_tolerance(&o));
    bind(NULL);
    release(level);
    release(texture);
    release(system);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/format_texels");
    TCase *tc = tcase_create("texels");

    tcase_add_checked_fixture(tc, open_target, close_target);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, texels_2d, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, texels_cube, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, texels_volume, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, filtered, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, srgb_read, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, vertex_textures, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, generated_levels, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, plain_surfaces, 0, ORACLE_FORMATS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
