/* State of the viewer: pause, zoom and position.
 *
 * Tested by tests/unit/tool/view/test_view.c. */
#include "tool/view/viewer.h"

#include "present/window/keys.h"
#include "util/clock.h"

/* --- Frames ----------------------------------------------------------------------------------- */

bool viewer_wants_frame(const struct viewer *viewer)
{
    return !viewer->paused || viewer->step;
}

static int32_t scaled(uint32_t n, int zoom)
{
    return zoom >= 0 ? (int32_t)(n << zoom) : (int32_t)(n >> -zoom);
}

static void centre(struct viewer *v)
{
    int32_t high = (int32_t)v->height - VIEWER_BAR;

    if (v->moved)
        return;
    v->left = ((int32_t)v->width - scaled(v->picture.width, v->zoom)) / 2;
    v->top = (high - scaled(v->picture.height, v->zoom)) / 2;
}

static void count(struct viewer *v, uint64_t now)
{
    v->frames++;
    if (v->second && now - v->second < CLOCK_SECOND)
        return;
    v->fps = v->second ? v->frames : 0;
    v->frames = 0;
    v->second = now;
}

void viewer_take(struct viewer *v, const struct frames_picture *picture, uint64_t hash,
                 uint64_t now)
{
    v->picture = *picture;
    v->hash = hash;
    v->step = false;
    count(v, now);
    centre(v);
}

/* --- Positions -------------------------------------------------------------------------------- */

bool viewer_pixel_at(const struct viewer *v, int32_t x, int32_t y, uint32_t *px, uint32_t *py)
{
    int32_t column = viewer_unscaled(x - v->left, v->zoom),
            row = viewer_unscaled(y - v->top, v->zoom);

    *px = (uint32_t)column;
    *py = (uint32_t)row;
    return v->picture.pixels && column >= 0 && row >= 0 && *px < v->picture.width &&
           *py < v->picture.height && y < (int32_t)v->height - VIEWER_BAR;
}

void viewer_resize(struct viewer *v, uint32_t width, uint32_t height)
{
    v->width = width;
    v->height = height;
    centre(v);
}

void viewer_zoom(struct viewer *v, int by)
{
    int zoom = v->zoom + by;
    int32_t column = viewer_unscaled(v->mouse_x - v->left, v->zoom);
    int32_t row = viewer_unscaled(v->mouse_y - v->top, v->zoom);

    if (zoom < VIEWER_ZOOM_MIN || zoom > VIEWER_ZOOM_MAX)
        return;
    v->zoom = zoom;
    v->moved = true;
    v->left = v->mouse_x - (zoom >= 0 ? column * (1 << zoom) : column / (1 << -zoom));
    v->top = v->mouse_y - (zoom >= 0 ? row * (1 << zoom) : row / (1 << -zoom));
}

void viewer_drag(struct viewer *v, int32_t dx, int32_t dy)
{
    const int32_t far = 1 << 24; /* limit, so that the user cannot lose the picture */

    v->moved = true;
    v->left = v->left + dx > far ? far : v->left + dx < -far ? -far : v->left + dx;
    v->top = v->top + dy > far ? far : v->top + dy < -far ? -far : v->top + dy;
}

/* --- Keys ------------------------------------------------------------------------------------- */

enum viewer_action viewer_key(struct viewer *v, int32_t key)
{
    enum { STEP = 64 };

    switch (key) {
    case 'q':
    case KEYS_ESCAPE:
        return VIEWER_QUIT;
    case 's':
        return v->picture.pixels ? VIEWER_SAVE : VIEWER_NOTHING;
    case ' ':
        v->paused = !v->paused;
        v->step = false;
        break;
    case '.':
    case 'n':
        v->paused = v->step = true;
        break;
    case '+':
    case '=':
        viewer_zoom(v, 1);
        break;
    case '-':
        viewer_zoom(v, -1);
        break;
    case '1':
        v->zoom = 0;
        v->moved = false;
        centre(v);
        break;
    case KEYS_LEFT:
    case KEYS_RIGHT:
        viewer_drag(v, key == KEYS_LEFT ? STEP : -STEP, 0);
        break;
    case KEYS_UP:
    case KEYS_DOWN:
        viewer_drag(v, 0, key == KEYS_UP ? STEP : -STEP);
        break;
    default:
        break;
    }
    return VIEWER_NOTHING;
}
