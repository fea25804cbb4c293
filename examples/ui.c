/* Example of a user interface: hundreds of small textured quads, alpha blending, scissored lists,
 * text and charts. */
#include "paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_POINTS = 64, ROWS = 14 };

#define INK 0xffe8ecf4
#define DIM 0xff8792a8
#define FAINT 0xff4a556c
#define CARD 0xff1c2333
#define TRACK 0xff2a3347
#define BLUE 0xff4f8cff
#define TEAL 0xff2ed3b7
#define CORAL 0xffff6b6b
#define AMBER 0xffffb547
#define VIOLET 0xffa57bff

struct ui {
    struct ex_app app;
    struct paint p;
    IDirect3DTexture9 *picture;
    float t;
};

/* --- Textures and data ------------------------------------------------------------------------ */

/* A sunset over ridges, for the preview. */
static struct ex_colour landscape(float u, float v, void *ctx)
{
    struct ex_colour c = ex_blend(ex_rgba(0.16f, 0.18f, 0.42f, 1), ex_rgba(0.98f, 0.55f, 0.38f, 1),
                                  ex_smooth(0.0f, 0.65f, v));
    float dx = (u - 0.66f) * 1.8f, dy = v - 0.42f, sun = dx * dx + dy * dy;

    (void)ctx;
    c = ex_blend(c, ex_rgba(1, 0.86f, 0.62f, 1), 0.7f * (1.0f - ex_smooth(0.0f, 0.09f, sun)));
    c = ex_blend(c, ex_rgba(1, 0.97f, 0.85f, 1), 1.0f - ex_smooth(0.0048f, 0.0056f, sun));
    for (int i = 0; i < 4; i++) {
        float base = 0.50f + 0.12f * (float)i, depth = (float)i / 3.0f;
        float ridge =
            base -
            0.22f * (ex_fbm(u * 3.0f + (float)i * 5.3f, 0.5f, 64, 6, 60u + (uint32_t)i) - 0.35f);
        struct ex_colour rock =
            ex_blend(ex_rgba(0.62f, 0.38f, 0.45f, 1), ex_rgba(0.07f, 0.08f, 0.16f, 1), depth);
        c = ex_blend(c, rock, ex_smooth(ridge - 0.004f, ridge + 0.004f, v));
    }
    return c;
}

/* A curve like measured data, 0 … 1. */
static float sample(float x, uint32_t seed)
{
    return ex_clamp(0.15f + 0.75f * ex_fbm(x, 0.5f, 4096, 4, seed), 0.0f, 1.0f);
}

/* --- Widgets ---------------------------------------------------------------------------------- */

static void card(struct ui *s, float x, float y, float w, float h, const char *title)
{
    paint_shadow(&s->p, x, y + 6, w, h, 14, 0x90000000);
    paint_box(&s->p, x, y, w, h, 12, CARD);
    paint_box(&s->p, x + 12, y, w - 24, 1, 0, 0x18ffffff);
    if (title)
        paint_text(&s->p, FONT_TEXT, x + 18, y + 17, DIM, title);
}

static void sidebar(struct ui *s)
{
    static const char *const icons[] = {"\1", "\2", "\3", "\4"};

    paint_box(&s->p, 0, 0, 64, (float)s->app.height, 0, 0xff141a27);
    paint_disc(&s->p, 32, 36, 17, BLUE);
    paint_disc(&s->p, 32, 36, 9, 0xff141a27);
    paint_disc(&s->p, 37, 31, 5, TEAL);
    for (int i = 0; i < 4; i++) {
        float y = 92.0f + 56.0f * (float)i;
        if (i == 1) {
            paint_box(&s->p, 10, y - 10, 44, 40, 10, 0x404f8cff);
            paint_box(&s->p, 0, y - 2, 3, 24, 0, BLUE);
        }
        paint_text(&s->p, FONT_TITLE, 24, y + 2, i == 1 ? INK : FAINT, icons[i]);
    }
    paint_disc(&s->p, 44, 202, 5, CORAL);
    paint_disc(&s->p, 32, (float)s->app.height - 36, 15, VIOLET);
    paint_text(&s->p, FONT_TEXT, 26, (float)s->app.height - 41, 0xff141a27, "AK");
}

static void header(struct ui *s)
{
    char text[32];
    int seconds = s->app.frame / 60;

    paint_text(&s->p, FONT_TITLE, 88, 28, INK, "Render overview");
    snprintf(text, sizeof(text), "Live   %02d:%02d:%02d", 9 + seconds / 3600 % 15,
             (41 + seconds / 60) % 60, seconds % 60);
    paint_disc(&s->p, 318, 36, 4, s->app.frame / 30 % 2 ? TEAL : 0xff1f8c7a);
    paint_text(&s->p, FONT_TEXT, 330, 31, DIM, text);
    paint_box(&s->p, 648, 20, 170, 32, 16, TRACK);
    paint_text(&s->p, FONT_TEXT, 666, 31, FAINT, "Search scenes...");
    paint_box(&s->p, 830, 20, 106, 32, 16, BLUE);
    paint_text(&s->p, FONT_TEXT, 848, 31, 0xffffffff, "New render");
}

static void frame_chart(struct ui *s, float x, float y, float w, float h)
{
    float px[CURVE_POINTS], py[CURVE_POINTS], floor = y + h - 34;
    char text[24];

    card(s, x, y, w, h, "Frames per second");
    for (int i = 0; i < 4; i++) {
        float gy = y + 62 + (floor - y - 62) * (float)i / 3.0f;
        paint_box(&s->p, x + 44, gy, w - 62, 1, 0, 0x14ffffff);
        snprintf(text, sizeof(text), "%d", 240 - 80 * i);
        paint_text(&s->p, FONT_SMALL, x + 18, gy - 4, FAINT, text);
    }
    for (int line = 0; line < 2; line++) {
        uint32_t colour = line ? TEAL : BLUE;
        for (int i = 0; i < CURVE_POINTS; i++) {
            px[i] = x + 44 + (w - 62) * (float)i / (CURVE_POINTS - 1);
            py[i] = floor - (floor - y - 66) *
                                sample((float)i * 0.13f + s->t * 0.9f, line ? 7u : 3u) *
                                (line ? 0.62f : 1.0f);
        }
        paint_area(&s->p, px, py, CURVE_POINTS, floor, (colour & 0xffffff) | 0x58000000,
                   colour & 0xffffff);
        for (int i = 0; i + 1 < CURVE_POINTS; i++)
            paint_line(&s->p, px[i], py[i], px[i + 1], py[i + 1], 2.2f, colour);
        paint_disc(&s->p, px[CURVE_POINTS - 1], py[CURVE_POINTS - 1], 8,
                   (colour & 0xffffff) | 0x40000000);
        paint_disc(&s->p, px[CURVE_POINTS - 1], py[CURVE_POINTS - 1], 4, colour);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(text, sizeof(text), "-%ds", 50 - 10 * i);
        paint_text(&s->p, FONT_SMALL, x + 44 + (w - 92) * (float)i / 5.0f, y + h - 21, FAINT,
                   i == 5 ? "now" : text);
    }
    paint_disc(&s->p, x + w - 150, y + 22, 4, BLUE);
    paint_text(&s->p, FONT_SMALL, x + w - 140, y + 18, DIM, "vertex");
    paint_disc(&s->p, x + w - 82, y + 22, 4, TEAL);
    paint_text(&s->p, FONT_SMALL, x + w - 72, y + 18, DIM, "pixel");
}

static void gauge(struct ui *s, float x, float y, float w, float h)
{
    float load = 0.55f + 0.3f * ex_sin(s->t * 0.8f), cx = x + w / 2, cy = y + h / 2 + 14;
    char text[16];

    card(s, x, y, w, h, "Tile workers");
    paint_ring(&s->p, cx, cy, 56, 12, 0, 1, TRACK);
    paint_ring(&s->p, cx, cy, 56, 12, 0, load * 0.6f, BLUE);
    paint_ring(&s->p, cx, cy, 56, 12, load * 0.6f, load, VIOLET);
    paint_disc(&s->p, cx + 56 * ex_sin(load * 2 * EX_PI), cy - 56 * ex_cos(load * 2 * EX_PI), 6,
               VIOLET);
    snprintf(text, sizeof(text), "%d%%", (int)(load * 100.0f + 0.5f));
    paint_text(&s->p, FONT_HUGE, cx - paint_text_width(&s->p, FONT_HUGE, text) / 2 + 3, cy - 22,
               INK, text);
    paint_text(&s->p, FONT_SMALL, cx - paint_text_width(&s->p, FONT_SMALL, "busy") / 2, cy + 20,
               DIM, "busy");
}

static void bars(struct ui *s, float x, float y, float w, float h)
{
    card(s, x, y, w, h, "Batches by tile row");
    for (int i = 0; i < 16; i++) {
        float v = sample((float)i * 0.9f + s->t * 0.35f, 11),
              bx = x + 18 + (w - 36) / 16 * (float)i;
        float bh = (h - 66) * v, top = y + h - 18 - bh;
        uint32_t c = i == 10 ? AMBER : BLUE;

        paint_box(&s->p, bx, y + 48, (w - 36) / 16 - 5, h - 66, 3, TRACK);
        paint_box(&s->p, bx, top, (w - 36) / 16 - 5, bh, 3, c);
    }
}

static void event_row(struct ui *s, float x, float y, float w, int i)
{
    static const struct {
        const char *text, *note;
        uint32_t colour;
    } kinds[] = {
        {"Plan compiled", "ps_3_0, 84 instr", BLUE},  {"Golden image equal", "scene 118", TEAL},
        {"Shadow map grown", "1024 to 2048", VIOLET}, {"Pixel differs by 1", "tile 14,3", AMBER},
        {"Texture uploaded", "DXT5 512x512", BLUE},   {"Query finished", "41,220 samples", TEAL},
        {"Shader refused", "c32 in ps_2_0", CORAL},
    };
    int k = (i * 5 + i / 3) % 7;
    char time[16];

    if (i % 2)
        paint_box(&s->p, x - 6, y - 8, w + 12, 34, 6, 0x0cffffff);
    paint_box(&s->p, x, y - 1, 22, 22, 7, (kinds[k].colour & 0xffffff) | 0x38000000);
    paint_text(&s->p, FONT_SMALL, x + 8, y + 6, kinds[k].colour,
               kinds[k].colour == CORAL   ? "\7"
               : kinds[k].colour == AMBER ? "!"
                                          : "\5");
    paint_text(&s->p, FONT_TEXT, x + 34, y, INK, kinds[k].text);
    paint_text(&s->p, FONT_SMALL, x + 34, y + 15, DIM, kinds[k].note);
    snprintf(time, sizeof(time), "%dm", i + 1);
    paint_text(&s->p, FONT_SMALL, x + w - paint_text_width(&s->p, FONT_SMALL, time), y + 15, FAINT,
               time);
}

/* A list that scrolls inside a scissor rectangle. */
static void events(struct ui *s, float x, float y, float w, float h)
{
    float travel = ROWS * 34.0f - (h - 62), wave = 0.5f - 0.5f * ex_cos(s->t * 0.45f);
    float scroll = travel * wave, knob = (h - 70) * 0.35f;

    card(s, x, y, w, h, "Events");
    paint_text(&s->p, FONT_TEXT, x + w - 66, y + 17, BLUE, "See all");
    paint_clip(&s->p, x, y + 46, w, h - 58);
    for (int i = 0; i < ROWS; i++)
        event_row(s, x + 18, y + 58 + 34.0f * (float)i - scroll, w - 44, i);
    paint_unclip(&s->p);
    paint_box(&s->p, x + w - 12, y + 50, 4, h - 68, 2, TRACK);
    paint_box(&s->p, x + w - 12, y + 50 + (h - 68 - knob) * wave, 4, knob, 2, FAINT);
}

static void preview(struct ui *s, float x, float y, float w, float h)
{
    float iw = w - 28, ih = h - 62, done = ex_clamp(0.5f + 0.5f * ex_sin(s->t * 0.5f), 0, 1);

    card(s, x, y, w, h, "Preview");
    paint_picture(&s->p, s->picture, x + 14, y + 42, iw, ih);
    paint_box(&s->p, x + 14 + iw * done, y + 42, iw * (1 - done), ih, 0, 0xc0141a27);
    paint_box(&s->p, x + 13 + iw * done, y + 42, 2, ih, 0, 0xffffffff);
    paint_box(&s->p, x + 24, y + 42 + ih - 26, 78, 18, 9, 0xa0000000);
    paint_text(&s->p, FONT_SMALL, x + 34, y + 42 + ih - 21, INK, "1024 x 512");
}

static void slider(struct ui *s, float x, float y, float w, const char *name, float v, uint32_t c)
{
    char text[16];

    snprintf(text, sizeof(text), "%d", (int)(v * 16.0f + 0.5f));
    paint_text(&s->p, FONT_TEXT, x, y, INK, name);
    paint_text(&s->p, FONT_TEXT, x + w - paint_text_width(&s->p, FONT_TEXT, text), y, DIM, text);
    paint_box(&s->p, x, y + 20, w, 6, 3, TRACK);
    paint_box(&s->p, x, y + 20, w * v, 6, 3, c);
    paint_shadow(&s->p, x + w * v - 5, y + 19, 10, 10, 5, 0xa0000000);
    paint_disc(&s->p, x + w * v, y + 23, 8, 0xffffffff);
}

static void toggle(struct ui *s, float x, float y, const char *name, float on)
{
    paint_text(&s->p, FONT_TEXT, x, y + 5, INK, name);
    paint_box(&s->p, x + 130, y, 38, 20, 10, TRACK);
    paint_box(&s->p, x + 130, y, 38, 20, 10, (TEAL & 0xffffff) | (uint32_t)(on * 255.0f) << 24);
    paint_disc(&s->p, x + 140 + 18 * on, y + 10, 7, 0xffffffff);
}

static void settings(struct ui *s, float x, float y, float w, float h)
{
    float flip = ex_smooth(-0.2f, 0.2f, ex_sin(s->t * 1.1f));

    card(s, x, y, w, h, "Quality");
    slider(s, x + 18, y + 48, w - 36, "Anisotropy", 0.5f + 0.4f * ex_sin(s->t * 0.7f), BLUE);
    slider(s, x + 18, y + 92, w - 36, "Samples", 0.25f, VIOLET);
    toggle(s, x + 18, y + 134, "Early depth", 1);
    toggle(s, x + 18, y + 164, "Show tiles", flip);
}

/* A notification that slides in from below every few seconds. */
static void toast(struct ui *s)
{
    float phase = s->t / 6.0f, in;

    phase -= ex_floor(phase);
    in = ex_smooth(0.1f, 0.16f, phase) - ex_smooth(0.72f, 0.78f, phase);
    if (in <= 0.0f)
        return;
    {
        float x = (float)s->app.width - 300, y = (float)s->app.height + 20 - 90 * in;
        paint_shadow(&s->p, x, y + 6, 276, 54, 20, 0xc0000000);
        paint_box(&s->p, x, y, 276, 54, 12, 0xff2b3550);
        paint_disc(&s->p, x + 28, y + 27, 13, TEAL);
        paint_text(&s->p, FONT_TEXT, x + 23, y + 22, 0xff10261f, "\5");
        paint_text(&s->p, FONT_TEXT, x + 54, y + 14, INK, "All 312 scenes are equal");
        paint_text(&s->p, FONT_SMALL, x + 54, y + 33, DIM, "scalar, sse2, avx2, avx512");
    }
}

static void draw_frame(struct ui *s)
{
    struct paint *p = &s->p;

    s->t = s->app.time + 1.4f;
    ex_check(IDirect3DDevice9_BeginScene(s->app.device), "BeginScene");
    paint_begin(p);
    paint_gradient(p, 0, 0, (float)s->app.width, (float)s->app.height, 0xff161c2a, 0xff0e121c);
    sidebar(s);
    header(s);
    frame_chart(s, 84, 72, 420, 218);
    gauge(s, 520, 72, 196, 218);
    events(s, 732, 72, 204, 444);
    bars(s, 84, 306, 200, 210);
    preview(s, 300, 306, 204, 210);
    settings(s, 520, 306, 196, 210);
    toast(s);
    paint_end(p);
    ex_check(IDirect3DDevice9_EndScene(s->app.device), "EndScene");
}

int main(int argc, char **argv)
{
    static struct ui s;

    ex_open(&s.app, "ui: many small quads", argc, argv);
    paint_open(&s.p, &s.app);
    s.picture = ex_texture(&s.app, 512, landscape, NULL);
    do {
        draw_frame(&s);
    } while (ex_next_frame(&s.app));
    IDirect3DDevice9_SetTexture(s.app.device, 0, NULL);
    IDirect3DTexture9_Release(s.picture);
    paint_close(&s.p);
    ex_close(&s.app);
    return 0;
}
