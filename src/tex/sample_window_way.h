/* What a way (tex_sampler_way) says of windows (sample_window.h). */
#ifndef TEX_SAMPLE_WINDOW_WAY_H
#define TEX_SAMPLE_WINDOW_WAY_H

enum { TEX_WINDOW = 8 }; /* places along x, and at most along y */

/* Beside TEX_WAY_MAGNIFY and the level; 0 where there is no window. The least coordinate of a block
 * is in its left upper corner unless it grows to the left or upwards. */
enum {
    TEX_WINDOW_U_LEFT = 1 << 9,
    TEX_WINDOW_U_UP = 1 << 10,
    TEX_WINDOW_V_LEFT = 1 << 11,
    TEX_WINDOW_V_UP = 1 << 12,
    TEX_WINDOW_ROWS = 13 /* a shift: half of its rows */
};

/* 4, 6 or 8; 0: there is none. */
static inline int tex_window_rows(int way)
{
    return way >> TEX_WINDOW_ROWS << 1;
}

#endif
