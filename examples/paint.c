/* 2D painter of the examples: an atlas of alpha masks (shapes, and a stroke font), and batched
 * quads that sample it. */
#include "paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ATLAS = 1024, DISC = 64, SOFT = 64, ICON = 95 };

/* Pixels per unit of the stroke grid, and half the stroke width. */
static const struct {
    float unit, half_stroke;
} fonts[FONT_COUNT] = {{1.30f, 0.62f}, {1.65f, 0.74f}, {2.4f, 1.15f}, {5.2f, 2.3f}};

/* Strokes as pairs of grid digits, x and y. Capitals reach from y 0 to 6, small letters from 2.
 * Blanks separate polylines; a single point is a dot. */
static const char *const strokes[PAINT_GLYPHS] = {
    [ICON + 1] = "033063 12165652",
    [ICON + 2] = "000666 143322415",
    [ICON + 3] = "0565 151221415255 36 3031",
    [ICON + 4] = "2242442422 3032 3436 0323 4363 1122 5142 1524 5544",
    [ICON + 5] = "031660",
    [ICON + 6] = "2620 022042",
    [ICON + 7] = "0044 4004",
    ['!' - 32] = "0004 06",
    ['#' - 32] = "1016 3036 0242 0444",
    ['%' - 32] = "4006 01 45",
    ['(' - 32] = "10010516",
    [')' - 32] = "00111506",
    ['+' - 32] = "0343 2125",
    [',' - 32] = "0607",
    ['-' - 32] = "0333",
    ['.' - 32] = "06",
    ['/' - 32] = "3006",
    ['0' - 32] = "103041453616050110",
    ['1' - 32] = "112026 1636",
    ['2' - 32] = "01103041420646",
    ['3' - 32] = "01103041423313 334445361605",
    ['4' - 32] = "36300444",
    ['5' - 32] = "4000023243453616 1605",
    ['6' - 32] = "4130100105163645443303",
    ['7' - 32] = "004016",
    ['8' - 32] = "103041423313020110 3344453616050413",
    ['9' - 32] = "0516364541301001021343",
    [':' - 32] = "02 05",
    ['=' - 32] = "0232 0434",
    ['>' - 32] = "013305",
    ['A' - 32] = "060110304146 0343",
    ['B' - 32] = "06003041423303 3344453606",
    ['C' - 32] = "4130100105163645",
    ['D' - 32] = "00063645413000",
    ['E' - 32] = "40000646 0333",
    ['F' - 32] = "400006 0333",
    ['G' - 32] = "41301001051636454323",
    ['H' - 32] = "0006 4046 0343",
    ['I' - 32] = "0006",
    ['J' - 32] = "3035261605",
    ['K' - 32] = "0006 400346",
    ['L' - 32] = "000646",
    ['M' - 32] = "0600234046",
    ['N' - 32] = "06004640",
    ['O' - 32] = "103041453616050110",
    ['P' - 32] = "06003041423303",
    ['Q' - 32] = "103041453616050110 3446",
    ['R' - 32] = "06003041423303 2346",
    ['S' - 32] = "413010010213334445361605",
    ['T' - 32] = "0040 2026",
    ['U' - 32] = "000516364540",
    ['V' - 32] = "002640",
    ['W' - 32] = "0016233640",
    ['X' - 32] = "0046 4006",
    ['Y' - 32] = "002340 2326",
    ['Z' - 32] = "00400646",
    ['_' - 32] = "0646",
    ['a' - 32] = "02223336 341405162635",
    ['b' - 32] = "00062635332202",
    ['c' - 32] = "321203051636",
    ['d' - 32] = "30361605031232",
    ['e' - 32] = "043433221203051636",
    ['f' - 32] = "20110116 0222",
    ['g' - 32] = "321203051636 32372808",
    ['h' - 32] = "0006 02223336",
    ['i' - 32] = "0206 00",
    ['j' - 32] = "121708 10",
    ['k' - 32] = "0006 320436",
    ['l' - 32] = "000516",
    ['m' - 32] = "0602324346 2226",
    ['n' - 32] = "0602223336",
    ['o' - 32] = "122233352616050312",
    ['p' - 32] = "08022233352606",
    ['q' - 32] = "38321203051636",
    ['r' - 32] = "060222",
    ['s' - 32] = "3212031424352606",
    ['t' - 32] = "101526 0222",
    ['u' - 32] = "02051636 3236",
    ['v' - 32] = "021632",
    ['w' - 32] = "0216243642",
    ['x' - 32] = "0236 3206",
    ['y' - 32] = "02051636 32372808",
    ['z' - 32] = "02320636",
};

/* --- Atlas ------------------------------------------------------------------------------------ */

static float segment_distance(float px, float py, float ax, float ay, float bx, float by)
{
    float dx = bx - ax, dy = by - ay, len = dx * dx + dy * dy, t = 0.0f;

    if (len > 0.0f)
        t = ex_clamp(((px - ax) * dx + (py - ay) * dy) / len, 0.0f, 1.0f);
    dx = px - ax - t * dx;
    dy = py - ay - t * dy;
    return sqrtf(dx * dx + dy * dy);
}

/* Distance to the nearest stroke in grid units. */
static float glyph_distance(const char *s, float px, float py)
{
    float best = 1e9f, ax = 0, ay = 0;
    bool pen_down = false;

    for (; *s; s++) {
        float x, y, d;
        if (*s == ' ' || !s[1]) {
            pen_down = false;
            continue;
        }
        x = (float)(s[0] - '0');
        y = (float)(s[1] - '0');
        d = pen_down ? segment_distance(px, py, ax, ay, x, y)
                     : segment_distance(px, py, x, y, x, y);
        best = d < best ? d : best;
        ax = x;
        ay = y;
        pen_down = true;
        s++;
    }
    return best;
}

static int glyph_columns(const char *s)
{
    int widest = 0;

    for (; *s; s++) {
        if (*s == ' ' || !s[1])
            continue;
        widest = s[0] - '0' > widest ? s[0] - '0' : widest;
        s++;
    }
    return widest;
}

static uint32_t mask(float a)
{
    return (uint32_t)(ex_clamp(a, 0.0f, 1.0f) * 255.0f + 0.5f) << 24 | 0x00ffffffu;
}

static void draw_glyph(uint32_t *atlas, const struct paint_glyph *g, const char *s,
                       enum paint_font font)
{
    float unit = fonts[font].unit, half = fonts[font].half_stroke;

    for (int y = 0; y < g->h; y++) {
        for (int x = 0; x < g->w; x++) {
            float px = ((float)x + 0.5f) / unit - 1.0f, py = ((float)y + 0.5f) / unit - 1.0f;
            float d = glyph_distance(s, px, py) * unit;
            atlas[(g->y + y) * ATLAS + g->x + x] = mask(half + 0.5f - d);
        }
    }
}

/* Places rows of glyphs below the shapes. */
static void draw_fonts(struct paint *p, uint32_t *atlas)
{
    int x = 0, y = DISC + 2;

    for (int font = 0; font < FONT_COUNT; font++) {
        float unit = fonts[font].unit;
        int h = (int)(10.0f * unit + 1.0f);

        for (int i = 0; i < PAINT_GLYPHS; i++) {
            struct paint_glyph *g = &p->glyph[font][i];
            int columns = strokes[i] ? glyph_columns(strokes[i]) : 2;

            g->w = (short)((float)(columns + 2) * unit + 1.0f);
            g->h = (short)h;
            if (x + g->w > ATLAS) {
                x = 0;
                y += h + 1;
            }
            g->x = (short)x;
            g->y = (short)y;
            g->left = (short)-(int)(unit + 0.5f);
            g->advance = (short)((float)columns * unit + fonts[font].half_stroke * 2.0f +
                                 unit * 1.1f + 0.5f);
            if (strokes[i])
                draw_glyph(atlas, g, strokes[i], (enum paint_font)font);
            x += g->w + 1;
        }
        x = 0;
        y += h + 1;
    }
}

/* From the left: a disc, a soft disc (shadows), a solid block. */
static void draw_shapes(uint32_t *atlas)
{
    for (int y = 0; y < DISC; y++) {
        for (int x = 0; x < DISC; x++) {
            float dx = (float)x + 0.5f - DISC / 2, dy = (float)y + 0.5f - DISC / 2;
            float d = sqrtf(dx * dx + dy * dy), soft = 1.0f - ex_smooth(0.0f, 1.0f, d / (SOFT / 2));
            atlas[y * ATLAS + x] = mask(DISC / 2 - d);
            atlas[y * ATLAS + DISC + x] = mask(soft * soft);
            atlas[y * ATLAS + 2 * DISC + x] = 0xffffffffu;
        }
    }
}

void paint_open(struct paint *p, struct ex_app *app)
{
    uint32_t *atlas = ex_alloc((size_t)ATLAS * ATLAS * 4);

    memset(p, 0, sizeof(*p));
    p->app = app;
    for (int i = 0; i < ATLAS * ATLAS; i++)
        atlas[i] = 0x00ffffffu;
    draw_shapes(atlas);
    draw_fonts(p, atlas);
    p->atlas = ex_texture_from(app, ATLAS, ATLAS, atlas, false);
    free(atlas);
    p->batch = ex_alloc(PAINT_VERTICES * sizeof(*p->batch));
    ex_check(IDirect3DDevice9_CreateVertexBuffer(
                 app->device, PAINT_VERTICES * sizeof(struct paint_vertex),
                 D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT, &p->vb, NULL),
             "CreateVertexBuffer");
}

void paint_close(struct paint *p)
{
    IDirect3DTexture9_Release(p->atlas);
    IDirect3DVertexBuffer9_Release(p->vb);
    free(p->batch);
}

/* --- Batches ---------------------------------------------------------------------------------- */

void paint_begin(struct paint *p)
{
    static const DWORD states[][2] = {
        {D3DRS_ZENABLE, FALSE},
        {D3DRS_LIGHTING, FALSE},
        {D3DRS_CULLMODE, D3DCULL_NONE},
        {D3DRS_ALPHABLENDENABLE, TRUE},
        {D3DRS_SRCBLEND, D3DBLEND_SRCALPHA},
        {D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA},
    };
    IDirect3DDevice9 *device = p->app->device;

    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
        IDirect3DDevice9_SetRenderState(device, (D3DRENDERSTATETYPE)states[i][0], states[i][1]);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_ALPHAOP, D3DTOP_MODULATE);
    IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSU, D3DTADDRESS_CLAMP);
    IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSV, D3DTADDRESS_CLAMP);
    IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)p->atlas);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1);
}

void paint_flush(struct paint *p)
{
    IDirect3DDevice9 *device = p->app->device;
    void *to;

    if (!p->n)
        return;
    ex_check(IDirect3DVertexBuffer9_Lock(p->vb, 0, 0, &to, D3DLOCK_DISCARD), "Lock");
    memcpy(to, p->batch, p->n * sizeof(*p->batch));
    IDirect3DVertexBuffer9_Unlock(p->vb);
    IDirect3DDevice9_SetStreamSource(device, 0, p->vb, 0, sizeof(*p->batch));
    ex_check(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, p->n / 3),
             "DrawPrimitive");
    p->n = 0;
}

void paint_end(struct paint *p)
{
    paint_flush(p);
    paint_unclip(p);
}

void paint_clip(struct paint *p, float x, float y, float w, float h)
{
    RECT r = {(LONG)x, (LONG)y, (LONG)(x + w), (LONG)(y + h)};

    paint_flush(p);
    IDirect3DDevice9_SetScissorRect(p->app->device, &r);
    IDirect3DDevice9_SetRenderState(p->app->device, D3DRS_SCISSORTESTENABLE, TRUE);
}

void paint_unclip(struct paint *p)
{
    paint_flush(p);
    IDirect3DDevice9_SetRenderState(p->app->device, D3DRS_SCISSORTESTENABLE, FALSE);
}

/* Shifts by half a pixel: in Direct3D 9 pixel centres have integer coordinates. */
static struct paint_vertex vertex(float x, float y, uint32_t colour, float u, float v)
{
    return (struct paint_vertex){x - 0.5f, y - 0.5f, 0, 1, colour, u / ATLAS, v / ATLAS};
}

/* Corners: top left, top right, bottom left, bottom right. */
static void add_quad(struct paint *p, const struct paint_vertex q[4])
{
    static const int corner[6] = {0, 1, 2, 1, 3, 2};

    if (p->n + 6 > PAINT_VERTICES)
        paint_flush(p);
    for (int i = 0; i < 6; i++)
        p->batch[p->n++] = q[corner[i]];
}

/* Maps a rectangle of the atlas to a rectangle of the target. */
static void add_piece(struct paint *p, float x0, float y0, float x1, float y1, float u0, float v0,
                      float u1, float v1, uint32_t colour)
{
    const struct paint_vertex q[4] = {
        vertex(x0, y0, colour, u0, v0), vertex(x1, y0, colour, u1, v0),
        vertex(x0, y1, colour, u0, v1), vertex(x1, y1, colour, u1, v1)};

    if (x1 > x0 && y1 > y0)
        add_quad(p, q);
}

/* Nine-slice box: the corners sample a disc of the atlas at column u0, the other slices its
 * middle. */
static void nine_pieces(struct paint *p, float x, float y, float w, float h, float r, float u0,
                        uint32_t colour)
{
    const float xs[4] = {x, x + r, x + w - r, x + w}, ys[4] = {y, y + r, y + h - r, y + h};
    const float t[4] = {0, DISC / 2, DISC / 2, DISC};

    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++)
            add_piece(p, xs[i], ys[j], xs[i + 1], ys[j + 1], u0 + t[i], t[j], u0 + t[i + 1],
                      t[j + 1], colour);
    }
}

/* --- Shapes ----------------------------------------------------------------------------------- */

enum { FULL_U = 2 * DISC + DISC / 2, FULL_V = DISC / 2 };

void paint_box(struct paint *p, float x, float y, float w, float h, float radius, uint32_t colour)
{
    if (radius > 0.0f)
        nine_pieces(p, x, y, w, h, radius, 0, colour);
    else
        add_piece(p, x, y, x + w, y + h, FULL_U, FULL_V, FULL_U, FULL_V, colour);
}

void paint_gradient(struct paint *p, float x, float y, float w, float h, uint32_t top,
                    uint32_t bottom)
{
    const struct paint_vertex q[4] = {
        vertex(x, y, top, FULL_U, FULL_V), vertex(x + w, y, top, FULL_U, FULL_V),
        vertex(x, y + h, bottom, FULL_U, FULL_V), vertex(x + w, y + h, bottom, FULL_U, FULL_V)};

    add_quad(p, q);
}

void paint_shadow(struct paint *p, float x, float y, float w, float h, float blur, uint32_t colour)
{
    nine_pieces(p, x - blur, y - blur, w + 2 * blur, h + 2 * blur, blur * 2, DISC, colour);
}

void paint_disc(struct paint *p, float x, float y, float radius, uint32_t colour)
{
    add_piece(p, x - radius, y - radius, x + radius, y + radius, 0, 0, DISC, DISC, colour);
}

/* A band between two edges that fades over one pixel on both sides. */
static void add_band(struct paint *p, float ax, float ay, float nax, float nay, float bx, float by,
                     float nbx, float nby, float half, uint32_t colour)
{
    const float at[4] = {-half - 0.5f, -half + 0.5f, half - 0.5f, half + 0.5f};
    const uint32_t clear = colour & 0x00ffffffu;

    for (int i = 0; i < 3; i++) {
        uint32_t c0 = i == 0 ? clear : colour, c1 = i == 2 ? clear : colour;
        const struct paint_vertex q[4] = {
            vertex(ax + nax * at[i], ay + nay * at[i], c0, FULL_U, FULL_V),
            vertex(bx + nbx * at[i], by + nby * at[i], c0, FULL_U, FULL_V),
            vertex(ax + nax * at[i + 1], ay + nay * at[i + 1], c1, FULL_U, FULL_V),
            vertex(bx + nbx * at[i + 1], by + nby * at[i + 1], c1, FULL_U, FULL_V)};
        add_quad(p, q);
    }
}

void paint_line(struct paint *p, float x0, float y0, float x1, float y1, float width,
                uint32_t colour)
{
    float dx = x1 - x0, dy = y1 - y0, length = sqrtf(dx * dx + dy * dy);

    if (length > 0.0f)
        add_band(p, x0, y0, -dy / length, dx / length, x1, y1, -dy / length, dx / length,
                 width * 0.5f, colour);
}

void paint_ring(struct paint *p, float x, float y, float radius, float width, float from, float to,
                uint32_t colour)
{
    int n = (int)((to - from) * 96.0f) + 1;

    for (int i = 0; i < n; i++) {
        float a = (from + (to - from) * (float)i / (float)n) * 2.0f * EX_PI;
        float b = (from + (to - from) * (float)(i + 1) / (float)n) * 2.0f * EX_PI;
        float ax = ex_sin(a), ay = -ex_cos(a), bx = ex_sin(b), by = -ex_cos(b);
        add_band(p, x + ax * radius, y + ay * radius, ax, ay, x + bx * radius, y + by * radius, bx,
                 by, width * 0.5f, colour);
    }
}

void paint_area(struct paint *p, const float *x, const float *y, int n, float floor, uint32_t top,
                uint32_t bottom)
{
    for (int i = 0; i + 1 < n; i++) {
        const struct paint_vertex q[4] = {vertex(x[i], y[i], top, FULL_U, FULL_V),
                                          vertex(x[i + 1], y[i + 1], top, FULL_U, FULL_V),
                                          vertex(x[i], floor, bottom, FULL_U, FULL_V),
                                          vertex(x[i + 1], floor, bottom, FULL_U, FULL_V)};
        add_quad(p, q);
    }
}

void paint_picture(struct paint *p, IDirect3DTexture9 *picture, float x, float y, float w, float h)
{
    paint_flush(p);
    IDirect3DDevice9_SetTexture(p->app->device, 0, (IDirect3DBaseTexture9 *)picture);
    add_piece(p, x, y, x + w, y + h, 0, 0, ATLAS, ATLAS, 0xffffffffu);
    paint_flush(p);
    IDirect3DDevice9_SetTexture(p->app->device, 0, (IDirect3DBaseTexture9 *)p->atlas);
}

/* --- Text ------------------------------------------------------------------------------------- */

static const struct paint_glyph *glyph_of(const struct paint *p, enum paint_font font, char c)
{
    unsigned code = (unsigned char)c, i = code < 8 ? code + ICON : code - 32;

    return &p->glyph[font][i < PAINT_GLYPHS ? i : 0];
}

float paint_text(struct paint *p, enum paint_font font, float x, float y, uint32_t colour,
                 const char *text)
{
    float top = ex_floor(y - fonts[font].unit + 0.5f);

    x = ex_floor(x + 0.5f);
    for (; *text; text++) {
        const struct paint_glyph *g = glyph_of(p, font, *text);
        float gx = x + g->left;
        if (*text != ' ')
            add_piece(p, gx, top, gx + g->w, top + g->h, g->x, g->y, g->x + g->w, g->y + g->h,
                      colour);
        x += g->advance;
    }
    return x;
}

float paint_text_width(const struct paint *p, enum paint_font font, const char *text)
{
    float w = 0;

    for (; *text; text++)
        w += glyph_of(p, font, *text)->advance;
    return w;
}
