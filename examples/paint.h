/* 2D painter of the examples: rounded boxes, shadows, lines, rings and text. All are quads that
 * sample one atlas of alpha masks, batched into few draw calls. */
#ifndef EXAMPLES_PAINT_H
#define EXAMPLES_PAINT_H

#include "common.h"

enum paint_font { FONT_SMALL, FONT_TEXT, FONT_TITLE, FONT_HUGE, FONT_COUNT };
enum { PAINT_GLYPHS = 103, PAINT_VERTICES = 6 * 2048 };

struct paint_vertex {
    float x, y, z, rhw;
    uint32_t colour;
    float u, v;
};

struct paint_glyph {
    short x, y, w, h; /* rectangle in the atlas; drawn at pen + left, line + 0 */
    short left, advance;
};

struct paint {
    struct ex_app *app;
    IDirect3DTexture9 *atlas;
    IDirect3DVertexBuffer9 *vb;
    struct paint_vertex *batch;
    UINT n;
    struct paint_glyph glyph[FONT_COUNT][PAINT_GLYPHS];
};

void paint_open(struct paint *p, struct ex_app *app);
void paint_close(struct paint *p);
/* The painter owns the device state between begin and end. Coordinates are pixel edges. */
void paint_begin(struct paint *p);
void paint_end(struct paint *p);
void paint_flush(struct paint *p);

/* Clips to the rectangle until paint_unclip. */
void paint_clip(struct paint *p, float x, float y, float w, float h);
void paint_unclip(struct paint *p);

void paint_box(struct paint *p, float x, float y, float w, float h, float radius, uint32_t colour);
/* Colours of the top and the bottom edge. */
void paint_gradient(struct paint *p, float x, float y, float w, float h, uint32_t top,
                    uint32_t bottom);
void paint_shadow(struct paint *p, float x, float y, float w, float h, float blur, uint32_t colour);
void paint_line(struct paint *p, float x0, float y0, float x1, float y1, float width,
                uint32_t colour);
/* Arc of a ring, clockwise from the top; from and to are in turns. */
void paint_ring(struct paint *p, float x, float y, float radius, float width, float from, float to,
                uint32_t colour);
void paint_disc(struct paint *p, float x, float y, float radius, uint32_t colour);
/* Area between the points of a curve and the line y = floor. */
void paint_area(struct paint *p, const float *x, const float *y, int n, float floor, uint32_t top,
                uint32_t bottom);
/* Draws a texture of the caller. */
void paint_picture(struct paint *p, IDirect3DTexture9 *picture, float x, float y, float w, float h);

/* y is the top of the capitals. Returns the end position of the pen. Icons: \1 home \2 chart \3
 * bell \4 gear \5 tick \6 arrow up \7 cross. */
float paint_text(struct paint *p, enum paint_font font, float x, float y, uint32_t colour,
                 const char *text);
float paint_text_width(const struct paint *p, enum paint_font font, const char *text);

#endif
