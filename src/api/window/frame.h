/* The frame of a device window (title bar, borders, menu): hides it in full screen, gives one to a
 * full-screen device that runs in a window, and restores what was before. Private to the module.
 * The functions are for Windows alone. */
#ifndef API_WINDOW_FRAME_H
#define API_WINDOW_FRAME_H

#include <windows.h>

#include <stdbool.h>

/* What a window had before its device changed it. All zero: nothing was changed. */
struct window_frame {
    HWND window;
    LONG style, extended;         /* before */
    LONG set_style, set_extended; /* by this module; equal to the two above: not changed */
    RECT before, placed; /* rectangles: before, and the one that the device gave the window */
};

/* Records styles and rectangle of the window. Does nothing if it is the recorded one already. */
void frame_record(struct window_frame *frame, HWND window);
/* Removes the frame from the window's styles. */
void frame_strip(struct window_frame *frame);
/* Gives a window back the styles that frame_strip has changed while it is minimised, and takes them
 * again. Styles that the program has changed since stay. */
void frame_show(const struct window_frame *frame);
void frame_hide(const struct window_frame *frame);
/* Gives the window a title bar and a border that cannot be dragged; a window with a title bar keeps
 * its styles. */
void frame_add(struct window_frame *frame);
/* Turns the rectangle of a client area into that of the window, with the top left corner at 0,0. */
void frame_around(const struct window_frame *frame, RECT *rect);
/* Whether the client area is smaller than the window. */
bool frame_is_visible(HWND window);
/* Size of the client area after frame_restore. */
SIZE frame_client_size(const struct window_frame *frame, bool placement);
/* Restores styles that the program has not changed since. placement: also the rectangle, if the
 * program has not moved the window since. Forgets the window. */
void frame_restore(struct window_frame *frame, bool placement);

#endif
