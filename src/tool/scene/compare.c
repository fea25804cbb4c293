/* Scene commands `expect` and `expect-novem`: read a surface back and compare its pixels with
 * expected values.
 *
 * Tested by tests/conformance. */
#include "tool/scene/compare.h"
#include "tool/scene/command.h"
#include "tool/scene/parse.h"
#include "tool/scene/resource.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Reading back ----------------------------------------------------------------------------- */

static void copy_locked(struct scene *scene, IDirect3DSurface9 *surface,
                        const D3DSURFACE_DESC *desc)
{
    struct image *image = &scene->image;
    D3DLOCKED_RECT locked;
    UINT rows = texel_rows(desc->Format, desc->Height);

    image->pitch = texel_row_bytes(desc->Format, desc->Width);
    if (!image->pitch)
        scene_fail(scene, "the runner cannot read this format");
    scene_check(scene, IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY),
                "LockRect");
    if ((size_t)image->pitch * rows > image->room) {
        image->room = (size_t)image->pitch * rows;
        image->data = scene_alloc(scene, image->room);
    }
    for (UINT y = 0; y < rows; y++)
        memcpy(image->data + (size_t)y * image->pitch,
               (const uint8_t *)locked.pBits + (ptrdiff_t)y * locked.Pitch, image->pitch);
    scene_check(scene, IDirect3DSurface9_UnlockRect(surface), "UnlockRect");
    image->format = desc->Format;
    image->width = desc->Width;
    image->height = desc->Height;
}

/* Resolves a multisampled surface by a copy. */
static IDirect3DSurface9 *resolved(struct scene *scene, IDirect3DSurface9 *surface,
                                   const D3DSURFACE_DESC *desc)
{
    IDirect3DSurface9 *plain = NULL;

    if (desc->MultiSampleType == D3DMULTISAMPLE_NONE)
        return surface;
    resource_use_memory(scene, desc->Width, desc->Height, 1, 1);
    scene_check(scene,
                IDirect3DDevice9_CreateRenderTarget(scene->device, desc->Width, desc->Height,
                                                    desc->Format, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                    &plain, NULL),
                "CreateRenderTarget");
    scene_own(scene, plain);
    scene_check(
        scene,
        IDirect3DDevice9_StretchRect(scene->device, surface, NULL, plain, NULL, D3DTEXF_NONE),
        "StretchRect");
    return plain;
}

static void read_target(struct scene *scene, IDirect3DSurface9 *surface,
                        const D3DSURFACE_DESC *desc)
{
    IDirect3DSurface9 *copy = NULL;

    resource_use_memory(scene, desc->Width, desc->Height, 1, 1);
    scene_check(scene,
                IDirect3DDevice9_CreateOffscreenPlainSurface(scene->device, desc->Width,
                                                             desc->Height, desc->Format,
                                                             D3DPOOL_SYSTEMMEM, &copy, NULL),
                "CreateOffscreenPlainSurface");
    scene_own(scene, copy);
    scene_check(
        scene,
        IDirect3DDevice9_GetRenderTargetData(scene->device, resolved(scene, surface, desc), copy),
        "GetRenderTargetData");
    copy_locked(scene, copy, desc);
}

void scene_read_image(struct scene *scene)
{
    IDirect3DSurface9 *surface = NULL;
    D3DSURFACE_DESC desc;
    const char *outcome = scene->line.outcome;

    if (scene->image_valid)
        return;
    scene->line.outcome = NULL;
    scene_end(scene);
    if (scene->reading) {
        surface =
            resource_surface(scene, scene->reading, scene->reading_face, scene->reading_level);
    } else {
        scene_check(
            scene, IDirect3DDevice9_GetRenderTarget(scene->device, scene->reading_target, &surface),
            "GetRenderTarget");
        scene_own(scene, surface);
    }
    scene_check(scene, IDirect3DSurface9_GetDesc(surface, &desc), "GetDesc");
    if (desc.Usage & D3DUSAGE_RENDERTARGET)
        read_target(scene, surface, &desc);
    else
        copy_locked(scene, surface, &desc);
    scene->line.outcome = outcome;
    scene->image_valid = true;
    if (scene->picture)
        picture_add(scene->picture, &scene->image);
}

/* --- Comparing -------------------------------------------------------------------------------- */

/* Expected value of a pixel: alternatives of colours, floats or raw bits. */
struct wanted {
    const char *text;
    float tol[4]; /* of each channel: codes of 8 bits for colours, values for floats */
    bool step;    /* tol is the format's step instead */
};

static const uint8_t *pixel(const struct image *image, UINT x, UINT y)
{
    return image->data + (size_t)y * image->pitch + texel_row_bytes(image->format, 1) * (size_t)x;
}

static unsigned to_byte(float v)
{
    return v > 0.0f ? (v < 1.0f ? (unsigned)(v * 255.0f + 0.5f) : 255u) : 0u;
}

static uint32_t to_argb(const float rgba[4])
{
    return (uint32_t)to_byte(rgba[3]) << 24 | to_byte(rgba[0]) << 16 | to_byte(rgba[1]) << 8 |
           to_byte(rgba[2]);
}

static bool near_colour(uint32_t got, uint32_t want, bool with_alpha, const float tol[4])
{
    static const int shift[4] = {16, 8, 0, 24};

    for (int c = 0; c < (with_alpha ? 4 : 3); c++) {
        int d = (int)(got >> shift[c] & 255) - (int)(want >> shift[c] & 255);
        if (!((float)abs(d) <= tol[c]))
            return false;
    }
    return true;
}

/* f:r,g,b,a; - skips a channel. */
static bool near_floats(struct scene *scene, const char *text, const float rgba[4],
                        const float tol[4])
{
    for (int c = 0; *text && c < 4; c++) {
        size_t n = strcspn(text, ",");
        char part[40] = "";

        if (n >= sizeof(part))
            scene_fail(scene, "'%s' is too long", text);
        memcpy(part, text, n);
        if (strcmp(part, "-")) {
            float want = parse_float(scene, part);
            if (!(fabsf(rgba[c] - want) <= tol[c]) && !(isinf(want) && rgba[c] == want) &&
                !(isnan(want) && isnan(rgba[c])))
                return false;
        }
        text += n + (text[n] == ',');
    }
    return true;
}

/* One step of the format's channels; values are compared with a reserve for the digits of the
 * scene, colours with the codes that a step may span. */
static const float *find_steps(struct scene *scene, bool floats, float out[4])
{
    unsigned bits[4];

    if (!texel_channel_bits(scene->image.format, bits))
        scene_fail(scene, "this format has no steps");
    for (int c = 0; c < 4; c++) {
        float step = bits[c] ? 1.0f / (float)((1u << bits[c]) - 1) : 0.0f;

        out[c] = floats ? step + 1e-5f : ceilf(step * 255.0f);
    }
    return out;
}

static bool matches_one(struct scene *scene, const char *text, const uint8_t *bits,
                        const struct wanted *want)
{
    float rgba[4], steps[4];
    size_t n = strlen(text);

    if (!strncmp(text, "raw:", 4)) {
        uint32_t raw = 0;
        memcpy(&raw, bits,
               texel_row_bytes(scene->image.format, 1) < 4 ? texel_row_bytes(scene->image.format, 1)
                                                           : 4);
        return raw == parse_hex(scene, text + 4);
    }
    if (!texel_decode(scene->image.format, bits, rgba))
        scene_fail(scene, "the runner cannot read this format");
    if (!strncmp(text, "f:", 2))
        return near_floats(scene, text + 2, rgba,
                           want->step ? find_steps(scene, true, steps) : want->tol);
    return near_colour(to_argb(rgba), parse_colour(scene, text), n == 8,
                       want->step ? find_steps(scene, false, steps) : want->tol);
}

/* | separates alternatives. */
static bool matches(struct scene *scene, const struct wanted *want, const uint8_t *bits)
{
    const char *text = want->text;
    char part[96];

    while (*text) {
        size_t n = strcspn(text, "|");
        if (n >= sizeof(part))
            scene_fail(scene, "'%s' is too long", text);
        memcpy(part, text, n);
        part[n] = '\0';
        if (matches_one(scene, part, bits, want))
            return true;
        text += n + (text[n] == '|');
    }
    return false;
}

static void describe(struct scene *scene, const uint8_t *bits, bool floats, char *out, size_t size)
{
    float rgba[4];

    if (texel_decode(scene->image.format, bits, rgba) && floats)
        snprintf(out, size, "f:%.9g,%.9g,%.9g,%.9g", (double)rgba[0], (double)rgba[1],
                 (double)rgba[2], (double)rgba[3]);
    else
        snprintf(out, size, "%08x", (unsigned)to_argb(rgba));
}

/* Judges a rectangle as one expectation and reports the first wrong pixel and their number. `what`:
 * a name for the message, or "". */
static void check_rect(struct scene *scene, const struct wanted *want, const char *what, UINT x0,
                       UINT y0, UINT x1, UINT y1)
{
    UINT wrong = 0, first_x = 0, first_y = 0;
    char got[96] = "";

    if (x1 > scene->image.width || y1 > scene->image.height || x0 >= x1 || y0 >= y1)
        scene_fail(scene, "the target has %ux%u pixels", scene->image.width, scene->image.height);
    for (UINT y = y0; y < y1; y++) {
        for (UINT x = x0; x < x1; x++) {
            if (matches(scene, want, pixel(&scene->image, x, y)) || wrong++)
                continue;
            first_x = x;
            first_y = y;
            describe(scene, pixel(&scene->image, x, y), !strncmp(want->text, "f:", 2), got,
                     sizeof(got));
        }
    }
    scene_expect(scene, !wrong, "%s%swant %s, got %s at %u,%u%s", what, *what ? ": " : "",
                 want->text, got, first_x, first_y, wrong > 1 ? " (and more)" : "");
}

/* --- Maps ------------------------------------------------------------------------------------- */

static const char *legend(struct scene *scene, char key)
{
    for (int i = 2; i < scene->line.n; i++) {
        const char *w = scene->line.word[i];
        if (w[0] == key && w[1] == '=')
            return w + 2;
    }
    scene_fail(scene, "the map uses '%c' without defining it", key);
}

static void show_row(struct scene *scene, UINT y, UINT x0, const char *row)
{
    char got[96];

    fprintf(scene->out, "  row %u:", y);
    for (UINT x = x0; row[x - x0]; x++) {
        describe(scene, pixel(&scene->image, x, y), false, got, sizeof(got));
        fprintf(scene->out, " %s", got);
    }
    putc('\n', scene->out);
}

/* N, R,G,B,A or `step`. */
static void parse_tolerance(struct scene *scene, struct wanted *want, const char *text)
{
    int n;

    want->step = !strcmp(text, "step");
    if (want->step)
        return;
    n = parse_floats(scene, text, want->tol, 4);
    if (n != 1 && n != 4)
        scene_fail(scene, "tol needs one number, four numbers or step");
    for (int c = n; c < 4; c++)
        want->tol[c] = want->tol[0];
}

/* expect map .=ff000000 T=ff00ff00 [at=x,y] [tol=N] { rows of letters }: one expectation per
 * row. */
static void expect_map(struct scene *scene)
{
    const char *at_key = parse_key(scene, "at"), *tol_key = parse_key(scene, "tol");
    float origin[2] = {0};
    struct wanted want = {0};
    char *at = scene->line.block, *row;
    UINT x0, y;

    if (tol_key)
        parse_tolerance(scene, &want, tol_key);

    if (at_key)
        parse_floats(scene, at_key, origin, 2);
    x0 = (UINT)parse_whole(scene, origin[0]);
    for (y = (UINT)parse_whole(scene, origin[1]); (row = parse_block_word(scene, &at)); y++) {
        bool met = true;
        size_t n = strlen(row);

        if (x0 > scene->image.width || n > scene->image.width - x0 || y >= scene->image.height)
            scene_fail(scene, "the map is larger than the target");
        for (size_t i = 0; i < n; i++) {
            want.text = legend(scene, row[i]);
            met &= matches(scene, &want, pixel(&scene->image, x0 + (UINT)i, y));
        }
        scene_expect(scene, met, "row %u: want %s", y, row);
        if (!met && !scene->todo[0])
            show_row(scene, y, x0, row);
    }
}

static void read_tolerance(struct scene *scene, struct wanted *want, int n)
{
    if (scene->line.n <= n || strcmp(scene->line.word[n], "tol"))
        return;
    parse_tolerance(scene, want, parse_word(scene, n + 1));
}

void expect_all(struct scene *scene, int i, const char *what)
{
    struct wanted want = {.text = parse_word(scene, i)};

    read_tolerance(scene, &want, i + 1);
    scene_read_image(scene);
    check_rect(scene, &want, what, 0, 0, scene->image.width, scene->image.height);
}

/* expect X Y COLOUR | all COLOUR | rect X0 Y0 X1 Y1 COLOUR (tol N) | map …; see language.md. The
 * image is read even if another library need not meet `expect-novem`, so that pictures have the
 * same images. */
void cmd_expect(struct scene *scene)
{
    const char *where = parse_word(scene, 1);
    struct wanted want = {0};
    UINT r[4] = {0};
    int n = !strcmp(where, "all") ? 2 : !strcmp(where, "rect") ? 6 : 3;

    scene_read_image(scene);
    if (!scene_is_on_novem() && !strcmp(scene->line.word[0], "expect-novem")) {
        scene->spares = true;
        return;
    }
    if (!strcmp(where, "map")) {
        expect_map(scene);
        return;
    }
    want.text = parse_word(scene, n);
    if (scene->line.n > n + 1 && strcmp(scene->line.word[n + 1], "tol"))
        scene_fail(scene, "'%s'?", scene->line.word[n + 1]);
    read_tolerance(scene, &want, n + 1);
    if (n == 2) {
        r[2] = scene->image.width;
        r[3] = scene->image.height;
    } else if (n == 6) {
        for (int i = 0; i < 4; i++)
            r[i] = parse_uint(scene, parse_word(scene, 2 + i));
    } else {
        r[0] = parse_uint(scene, where);
        r[1] = parse_uint(scene, parse_word(scene, 2));
        r[2] = r[0] + 1;
        r[3] = r[1] + 1;
    }
    check_rect(scene, &want, "", r[0], r[1], r[2], r[3]);
}
