/* What a way (tex_sampler_way) says of windows (sample_window.h). */
#ifndef TEX_SAMPLE_WINDOW_WAY_H
#define TEX_SAMPLE_WINDOW_WAY_H

/* Texels of windows each way: those of 8x8 and of 11x11 fill one and two registers. */
enum { TEX_WINDOW_LESS = 8, TEX_WINDOW_MORE = 11 };

/* Beside TEX_WAY_MAGNIFY and the level; 0 where there is no window. The least coordinate of a block
 * is in its left upper corner unless it grows to the left or upwards. */
enum {
    TEX_WINDOW_U_LEFT = 1 << 9,
    TEX_WINDOW_U_UP = 1 << 10,
    TEX_WINDOW_V_LEFT = 1 << 11,
    TEX_WINDOW_V_UP = 1 << 12,
    TEX_WINDOW_SIDE = 13 /* a shift */
};

/* 0: there is none. */
static inline unsigned tex_window_side(int way)
{
    return (unsigned)(way >> TEX_WINDOW_SIDE);
}

#endif
