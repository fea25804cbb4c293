/* Procedural textures of the examples: tileable noise, mip chains, normal maps and cube maps. */
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Noise ------------------------------------------------------------------------------------ */

static float lattice(int x, int y, int period, uint32_t seed)
{
    x = (x % period + period) % period;
    y = (y % period + period) % period;
    return (float)(ex_hash((uint32_t)x + seed * 131u, (uint32_t)y) >> 8) / 16777215.0f;
}

float ex_noise(float x, float y, int period, uint32_t seed)
{
    float fx = ex_floor(x), fy = ex_floor(y), u = x - fx, v = y - fy;
    int ix = (int)fx, iy = (int)fy;

    u = u * u * (3.0f - 2.0f * u);
    v = v * v * (3.0f - 2.0f * v);
    return ex_mix(
        ex_mix(lattice(ix, iy, period, seed), lattice(ix + 1, iy, period, seed), u),
        ex_mix(lattice(ix, iy + 1, period, seed), lattice(ix + 1, iy + 1, period, seed), u), v);
}

float ex_fbm(float x, float y, int period, int octaves, uint32_t seed)
{
    float sum = 0.0f, weight = 0.5f, total = 0.0f;

    for (int i = 0; i < octaves; i++) {
        sum += weight * ex_noise(x, y, period, seed + (uint32_t)i);
        total += weight;
        weight *= 0.5f;
        x *= 2.0f;
        y *= 2.0f;
        period *= 2;
    }
    return sum / total;
}

/* --- Colours ---------------------------------------------------------------------------------- */

struct ex_colour ex_rgba(float r, float g, float b, float a)
{
    return (struct ex_colour){r, g, b, a};
}

struct ex_colour ex_blend(struct ex_colour a, struct ex_colour b, float t)
{
    return ex_rgba(ex_mix(a.r, b.r, t), ex_mix(a.g, b.g, t), ex_mix(a.b, b.b, t),
                   ex_mix(a.a, b.a, t));
}

static uint32_t to_byte(float v)
{
    return (uint32_t)(ex_clamp(v, 0.0f, 1.0f) * 255.0f + 0.5f);
}

uint32_t ex_pack(struct ex_colour c)
{
    return to_byte(c.a) << 24 | to_byte(c.r) << 16 | to_byte(c.g) << 8 | to_byte(c.b);
}

/* --- Mip levels ------------------------------------------------------------------------------- */

static uint32_t average(const uint32_t *t, int a, int b, int c, int d)
{
    uint32_t out = 0;

    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t sum = (t[a] >> shift & 255) + (t[b] >> shift & 255) + (t[c] >> shift & 255) +
                       (t[d] >> shift & 255);
        out |= (sum + 2) / 4 << shift;
    }
    return out;
}

/* Halves an image in place; an axis of one texel stays. */
static void halve(uint32_t *t, int *w, int *h)
{
    int nw = *w > 1 ? *w / 2 : 1, nh = *h > 1 ? *h / 2 : 1, dx = *w > 1, dy = *h > 1 ? *w : 0;

    for (int y = 0; y < nh; y++) {
        for (int x = 0; x < nw; x++) {
            int at = (*h > 1 ? 2 * y : 0) * *w + (*w > 1 ? 2 * x : 0);
            t[y * nw + x] = average(t, at, at + dx, at + dy, at + dx + dy);
        }
    }
    *w = nw;
    *h = nh;
}

static void copy_rows(const D3DLOCKED_RECT *to, const uint32_t *t, int w, int h)
{
    for (int y = 0; y < h; y++)
        memcpy((char *)to->pBits + (ptrdiff_t)y * to->Pitch, t + (ptrdiff_t)y * w, (size_t)w * 4);
}

IDirect3DTexture9 *ex_texture_from(struct ex_app *app, int w, int h, const uint32_t *texels,
                                   bool levels)
{
    IDirect3DTexture9 *texture = NULL;
    uint32_t *t = ex_alloc((size_t)w * (size_t)h * 4);
    D3DLOCKED_RECT locked;

    memcpy(t, texels, (size_t)w * (size_t)h * 4);
    ex_check(IDirect3DDevice9_CreateTexture(app->device, (UINT)w, (UINT)h, levels ? 0 : 1, 0,
                                            D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL),
             "CreateTexture");
    for (UINT level = 0; level < IDirect3DTexture9_GetLevelCount(texture); level++) {
        if (level)
            halve(t, &w, &h);
        ex_check(IDirect3DTexture9_LockRect(texture, level, &locked, NULL, 0), "LockRect");
        copy_rows(&locked, t, w, h);
        IDirect3DTexture9_UnlockRect(texture, level);
    }
    free(t);
    return texture;
}

IDirect3DTexture9 *ex_texture(struct ex_app *app, int size, ex_texel_fn *texel, void *ctx)
{
    uint32_t *t = ex_alloc((size_t)size * (size_t)size * 4);
    IDirect3DTexture9 *texture;

    for (int i = 0; i < size * size; i++)
        t[i] = ex_pack(texel(((float)(i % size) + 0.5f) / (float)size,
                             ((float)(i / size) + 0.5f) / (float)size, ctx));
    texture = ex_texture_from(app, size, size, t, true);
    free(t);
    return texture;
}

IDirect3DTexture9 *ex_normal_map(struct ex_app *app, int size, float depth, ex_texel_fn *height,
                                 void *ctx)
{
    size_t n = (size_t)size * (size_t)size;
    uint32_t *t = ex_alloc(n * 4);
    float *h = ex_alloc(n * 4), slope = depth * (float)size * 0.5f;
    IDirect3DTexture9 *texture;

    for (int i = 0; i < (int)n; i++)
        h[i] = height(((float)(i % size) + 0.5f) / (float)size,
                      ((float)(i / size) + 0.5f) / (float)size, ctx)
                   .r;
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            int left = (x + size - 1) % size, right = (x + 1) % size;
            int above = (y + size - 1) % size, below = (y + 1) % size;
            struct vec3 normal =
                ex_normalize(ex_vec3((h[y * size + left] - h[y * size + right]) * slope,
                                     (h[above * size + x] - h[below * size + x]) * slope, 1.0f));
            t[y * size + x] = ex_pack(ex_rgba(normal.x * 0.5f + 0.5f, normal.y * 0.5f + 0.5f,
                                              normal.z * 0.5f + 0.5f, h[y * size + x]));
        }
    }
    texture = ex_texture_from(app, size, size, t, true);
    free(t);
    free(h);
    return texture;
}

/* Direction of the texel (u, v), -1 … 1, of a cube face. */
static struct vec3 face_direction(int face, float u, float v)
{
    switch (face) {
    case 0:
        return ex_vec3(1, -v, -u);
    case 1:
        return ex_vec3(-1, -v, u);
    case 2:
        return ex_vec3(u, 1, v);
    case 3:
        return ex_vec3(u, -1, -v);
    case 4:
        return ex_vec3(u, -v, 1);
    default:
        return ex_vec3(-u, -v, -1);
    }
}

IDirect3DCubeTexture9 *ex_cube_texture(struct ex_app *app, int size, ex_sky_fn *sky, void *ctx)
{
    IDirect3DCubeTexture9 *cube = NULL;
    uint32_t *t = ex_alloc((size_t)size * (size_t)size * 4);
    D3DLOCKED_RECT locked;

    ex_check(IDirect3DDevice9_CreateCubeTexture(app->device, (UINT)size, 0, 0, D3DFMT_A8R8G8B8,
                                                D3DPOOL_MANAGED, &cube, NULL),
             "CreateCubeTexture");
    for (int face = 0; face < 6; face++) {
        int w = size, h = size;

        for (int i = 0; i < size * size; i++) {
            float u = ((float)(i % size) + 0.5f) / (float)size * 2.0f - 1.0f;
            float v = ((float)(i / size) + 0.5f) / (float)size * 2.0f - 1.0f;
            t[i] = ex_pack(sky(ex_normalize(face_direction(face, u, v)), ctx));
        }
        for (UINT level = 0; level < IDirect3DCubeTexture9_GetLevelCount(cube); level++) {
            if (level)
                halve(t, &w, &h);
            ex_check(IDirect3DCubeTexture9_LockRect(cube, (D3DCUBEMAP_FACES)face, level, &locked,
                                                    NULL, 0),
                     "LockRect");
            copy_rows(&locked, t, w, h);
            IDirect3DCubeTexture9_UnlockRect(cube, (D3DCUBEMAP_FACES)face, level);
        }
    }
    free(t);
    return cube;
}
