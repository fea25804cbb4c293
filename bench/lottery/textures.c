/* Textures of the lottery: one smooth pattern in each format, for 2D, cube and volume textures. */
#include "lottery.h"

#include <string.h>

/* --- Contents --------------------------------------------------------------------------------- */

/* Waves that repeat at the edges; `stage` shifts them. */
static struct ex_colour pattern(float u, float v, float w, unsigned stage)
{
    float turn = 2.0f * EX_PI, s = (float)stage;
    float a = ex_sin(turn * (3.0f * u + v + 0.2f * s)), b = ex_sin(turn * (2.0f * v - u + w));
    float c = ex_sin(turn * (5.0f * u + 4.0f * v + 0.3f * s));

    return ex_rgba(0.5f + 0.3f * a + 0.15f * c, 0.5f + 0.3f * b + 0.15f * a,
                   0.5f + 0.25f * a * b + 0.2f * c, 0.5f + 0.35f * b - 0.1f * c);
}

struct place {
    unsigned size, x, y, z, depth, stage, face;
};

static struct ex_colour texel(const struct place *p, unsigned x, unsigned y)
{
    float scale = 1.0f / (float)p->size;

    return pattern(((float)(p->x + x) + 0.5f) * scale, ((float)(p->y + y) + 0.5f) * scale,
                   ((float)p->z + 0.5f) / (float)p->depth + 0.37f * (float)p->face, p->stage);
}

static uint16_t narrow(struct ex_colour c)
{
    uint16_t word;

    lottery_pack(D3DFMT_R5G6B5, c, (uint8_t *)&word);
    return word;
}

/* The colours of a block lie between those of two corners. Colour 0 is the greater word, so that
 * DXT1 has no transparent texels. */
static void pack_colours(const struct place *p, uint8_t *to)
{
    uint16_t first = narrow(texel(p, 0, 0)), last = narrow(texel(p, 3, 3));
    uint16_t ends[2] = {first > last ? first : last, first > last ? last : first};
    uint32_t indices = 0;

    for (unsigned i = 16; i-- > 0;) {
        static const uint8_t code[4] = {0, 2, 3, 1};
        unsigned along = (i % 4 + i / 4) * 3 / 6;

        indices = indices << 2 | code[first > last ? along : 3 - along];
    }
    if (ends[0] == ends[1])
        indices = 0;
    memcpy(to, ends, 4);
    memcpy(to + 4, &indices, 4);
}

static uint8_t alpha_of(const struct place *p, unsigned x, unsigned y)
{
    return (uint8_t)(255.0f * ex_clamp(texel(p, x, y).a, 0.0f, 1.0f));
}

/* Four bits a texel. */
static void pack_alpha_dxt3(const struct place *p, uint8_t *to)
{
    for (unsigned i = 0; i < 8; i++) {
        unsigned x = i % 2 * 2, y = i / 2;

        to[i] = (uint8_t)(alpha_of(p, x, y) >> 4 | (alpha_of(p, x + 1, y) & 0xf0));
    }
}

/* Between two ends: three bits a texel. */
static void pack_alpha_dxt5(const struct place *p, uint8_t *to)
{
    static const uint8_t code[8] = {0, 2, 3, 4, 5, 6, 7, 1};
    uint8_t first = alpha_of(p, 0, 0), last = alpha_of(p, 3, 3);
    uint64_t indices = 0;

    for (unsigned i = 16; i-- > 0;)
        indices = indices << 3 | code[(i % 4 + i / 4) * 7 / 6];
    to[0] = first;
    to[1] = last;
    for (unsigned i = 0; i < 6; i++)
        to[2 + i] = (uint8_t)(indices >> 8 * i);
}

static bool is_compressed(D3DFORMAT format)
{
    return format == D3DFMT_DXT1 || format == D3DFMT_DXT3 || format == D3DFMT_DXT5;
}

static void fill_blocks(D3DFORMAT format, struct place p, uint8_t *to, int pitch)
{
    unsigned bytes = format == D3DFMT_DXT1 ? 8 : 16;

    for (p.y = 0; p.y < p.size; p.y += 4)
        for (p.x = 0; p.x < p.size; p.x += 4) {
            uint8_t *block = to + (ptrdiff_t)(p.y / 4) * pitch + (size_t)(p.x / 4) * bytes;

            if (format == D3DFMT_DXT3)
                pack_alpha_dxt3(&p, block);
            else if (format == D3DFMT_DXT5)
                pack_alpha_dxt5(&p, block);
            pack_colours(&p, block + bytes - 8);
        }
}

static void fill(D3DFORMAT format, const struct place *p, void *bits, int pitch)
{
    uint8_t *to = bits;

    if (is_compressed(format)) {
        fill_blocks(format, *p, to, pitch);
        return;
    }
    for (unsigned y = 0; y < p->size; y++)
        for (unsigned x = 0; x < p->size; x++)
            lottery_pack(format, texel(p, x, y),
                         to + (ptrdiff_t)y * pitch + (size_t)x * lottery_pixel_bytes(format));
}

/* --- Objects ---------------------------------------------------------------------------------- */

static IDirect3DBaseTexture9 *make_plane(struct bench *bench, const struct lottery_texture *t,
                                         unsigned stage)
{
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;

    if (FAILED(IDirect3DDevice9_CreateTexture(bench->app.device, t->size, t->size,
                                              t->levels ? 0 : 1, 0, t->format, D3DPOOL_MANAGED,
                                              &texture, NULL)))
        return NULL;
    bench_own(bench, texture);
    for (DWORD i = 0; i < IDirect3DTexture9_GetLevelCount(texture); i++) {
        struct place p = {.size = t->size >> i, .depth = 1, .stage = stage};

        ex_check(IDirect3DTexture9_LockRect(texture, i, &locked, NULL, 0), "LockRect");
        fill(t->format, &p, locked.pBits, locked.Pitch);
        IDirect3DTexture9_UnlockRect(texture, i);
    }
    return (IDirect3DBaseTexture9 *)texture;
}

static IDirect3DBaseTexture9 *make_cube(struct bench *bench, const struct lottery_texture *t,
                                        unsigned stage)
{
    IDirect3DCubeTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;

    if (FAILED(IDirect3DDevice9_CreateCubeTexture(bench->app.device, t->size, t->levels ? 0 : 1, 0,
                                                  t->format, D3DPOOL_MANAGED, &texture, NULL)))
        return NULL;
    bench_own(bench, texture);
    for (DWORD i = 0; i < IDirect3DCubeTexture9_GetLevelCount(texture); i++)
        for (unsigned face = 0; face < 6; face++) {
            struct place p = {.size = t->size >> i, .depth = 1, .stage = stage, .face = face};

            ex_check(IDirect3DCubeTexture9_LockRect(texture, (D3DCUBEMAP_FACES)face, i, &locked,
                                                    NULL, 0),
                     "LockRect");
            fill(t->format, &p, locked.pBits, locked.Pitch);
            IDirect3DCubeTexture9_UnlockRect(texture, (D3DCUBEMAP_FACES)face, i);
        }
    return (IDirect3DBaseTexture9 *)texture;
}

static IDirect3DBaseTexture9 *make_volume(struct bench *bench, const struct lottery_texture *t,
                                          unsigned stage)
{
    IDirect3DVolumeTexture9 *texture = NULL;
    D3DLOCKED_BOX locked;

    if (FAILED(IDirect3DDevice9_CreateVolumeTexture(bench->app.device, t->size, t->size,
                                                    t->size / 4, t->levels ? 0 : 1, 0, t->format,
                                                    D3DPOOL_MANAGED, &texture, NULL)))
        return NULL;
    bench_own(bench, texture);
    for (DWORD i = 0; i < IDirect3DVolumeTexture9_GetLevelCount(texture); i++) {
        struct place p = {.size = t->size >> i, .depth = t->size / 4 >> i, .stage = stage};

        if (!p.depth)
            p.depth = 1;
        ex_check(IDirect3DVolumeTexture9_LockBox(texture, i, &locked, NULL, 0), "LockBox");
        for (p.z = 0; p.z < p.depth; p.z++)
            fill(t->format, &p, (uint8_t *)locked.pBits + (size_t)p.z * (size_t)locked.SlicePitch,
                 locked.RowPitch);
        IDirect3DVolumeTexture9_UnlockBox(texture, i);
    }
    return (IDirect3DBaseTexture9 *)texture;
}

IDirect3DBaseTexture9 *lottery_make_texture(struct bench *bench, const struct lottery_texture *t,
                                            unsigned stage)
{
    return t->type == D3DRTYPE_CUBETEXTURE     ? make_cube(bench, t, stage)
           : t->type == D3DRTYPE_VOLUMETEXTURE ? make_volume(bench, t, stage)
                                               : make_plane(bench, t, stage);
}
