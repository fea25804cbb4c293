/* `novem view`: shows the frames that a program writes to shared memory in a window. */
#include "tool/view/view.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/view/screen.h"
#include "tool/view/viewer.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/output_file.h"
#include "util/plural.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LAST_COPY = 999 };

struct job {
    const char *command, *name;
    const char *save;     /* save one picture to this file, without a window */
    unsigned wait, limit; /* seconds to wait for it; number of frames to show, 0: until the window
                           * is closed */
    struct frames_reader *reader;
    const struct screen_ops *window;
    struct screen *screen;
    struct viewer viewer;
    struct tool_image image; /* copy of the picture for hashes and files */
    bool dirty, quit, failed;
    unsigned shown;
};

static const uint64_t TICK = CLOCK_SECOND / 250;

/* --- Pictures --------------------------------------------------------------------------------- */

static enum status to_image(struct tool_image *image, const struct frames_picture *picture)
{
    size_t n = (size_t)picture->width * picture->height;
    enum status st = ST_OK;

    if (image->width != picture->width || image->height != picture->height) {
        tool_image_fini(image);
        st = tool_image_create(image, picture->width, picture->height);
    }
    for (size_t i = 0; st == ST_OK && i < n; i++) {
        uint32_t pixel = picture->pixels[i];

        image->rgba[4 * i] = (uint8_t)(pixel >> 16);
        image->rgba[4 * i + 1] = (uint8_t)(pixel >> 8);
        image->rgba[4 * i + 2] = (uint8_t)pixel;
        image->rgba[4 * i + 3] = 255;
    }
    return st;
}

/* Reads the newest frame if it is a new one. */
static enum status poll_frame(struct job *job)
{
    struct frames_picture picture;
    enum status st = frames_next(job->reader, &picture);

    if (st != ST_OK)
        return st;
    st = to_image(&job->image, &picture);
    if (st != ST_OK) {
        job->viewer.picture = (struct frames_picture){0}; /* the reader reuses its pixels */
        return st;
    }
    viewer_take(&job->viewer, &picture, tool_image_hash(&job->image, true), clock_now());
    job->shown++;
    job->dirty = true;
    return ST_OK;
}

static bool save(const struct job *job, const char *path)
{
    const struct frames_picture *picture = &job->viewer.picture;

    if (tool_png_write(path, &job->image, 3) != ST_OK) {
        tool_write_error(job->command, path);
        return false;
    }
    if (printf("%s: frame %" PRIu64 " %016" PRIx64 " %ux%u\n", path, picture->number,
               job->viewer.hash, picture->width, picture->height) < 0 ||
        fflush(stdout)) {
        tool_error(job->command, "the standard output cannot be written: %s", strerror(errno));
        return false;
    }
    return true;
}

static int save_one(struct job *job)
{
    uint64_t end = clock_now() + job->wait * CLOCK_SECOND;
    enum status st = poll_frame(job);

    while (st == ST_NOTFOUND && clock_now() < end) {
        clock_sleep_until(clock_now() + TICK);
        st = poll_frame(job);
    }
    if (st == ST_NOTFOUND)
        return tool_error(job->command, "%s: no frame in " PLURAL_FORMAT, job->name,
                          PLURAL(job->wait, "second", "seconds"));
    if (st != ST_OK)
        return tool_error(job->command, "%s", status_text(st));
    return save(job, job->save) ? TOOL_OK : TOOL_ERROR;
}

/* --- The window ------------------------------------------------------------------------------- */

/* Creates a file that does not exist yet: "game-00012.png", else "game-00012-2.png" and so on.
 * Returns -1 with errno. */
static int create_new(char path[OUTPUT_PATH_BYTES], const char *name, uint64_t number)
{
    const char *base = strrchr(name, '/');
    int file = -1, n;

    base = base ? base + 1 : name;
    errno = EEXIST;
    for (unsigned i = 1; file < 0 && errno == EEXIST && i <= LAST_COPY; i++) {
        n = i == 1 ? snprintf(path, OUTPUT_PATH_BYTES, "%s-%05" PRIu64 ".png", base, number)
                   : snprintf(path, OUTPUT_PATH_BYTES, "%s-%05" PRIu64 "-%u.png", base, number, i);
        if (n >= OUTPUT_PATH_BYTES)
            errno = ENAMETOOLONG;
        else
            file = output_file_create(path);
    }
    return file;
}

/* The window stays open if the file cannot be written. */
static void save_shown(struct job *job)
{
    char path[OUTPUT_PATH_BYTES];
    int file;

    if (!job->viewer.picture.pixels)
        return;
    file = create_new(path, job->name, job->viewer.picture.number);
    if (file < 0) {
        tool_error(job->command, "%s cannot be written: %s", path, strerror(errno));
        return;
    }
    close(file);
    save(job, path);
}

static void handle(struct job *job, const struct screen_event *event)
{
    struct viewer *v = &job->viewer;
    enum viewer_action wish;

    job->dirty = true;
    switch (event->type) {
    case SCREEN_OTHER:
        break;
    case SCREEN_QUIT:
        job->quit = true;
        break;
    case SCREEN_KEY:
        wish = viewer_key(v, event->key);
        job->quit |= wish == VIEWER_QUIT;
        if (wish == VIEWER_SAVE)
            save_shown(job);
        break;
    case SCREEN_MOTION:
        v->mouse_x = event->x;
        v->mouse_y = event->y;
        if (event->left_button)
            viewer_drag(v, event->dx, event->dy);
        break;
    case SCREEN_WHEEL:
        if (event->steps)
            viewer_zoom(v, event->steps > 0 ? 1 : -1);
        break;
    }
}

static enum status paint(struct job *job)
{
    struct screen_pixels to;
    enum status st = job->window->begin(job->screen, &to);

    if (st != ST_OK || !to.width || !to.height)
        return st;
    if (to.width != job->viewer.width || to.height != job->viewer.height)
        viewer_resize(&job->viewer, to.width, to.height);
    viewer_paint(&job->viewer, to.pixels, to.pitch);
    return job->window->end(job->screen);
}

/* The first picture sets the window's size, unless the user has resized it. */
static void fit_window(struct job *job)
{
    enum { LEAST = 320, MOST_WIDTH = 1600, MOST_HEIGHT = 1000 };
    uint32_t width = job->viewer.picture.width, height = job->viewer.picture.height;

    width = width < LEAST ? LEAST : width > MOST_WIDTH ? MOST_WIDTH : width;
    height = height > MOST_HEIGHT ? MOST_HEIGHT : height;
    job->window->resize(job->screen, width, height + VIEWER_BAR);
}

static void step(struct job *job)
{
    bool first = !job->viewer.picture.pixels, has_writer = frames_has_writer(job->reader);
    struct screen_event event;
    enum status st;

    while (!job->quit && job->window->next_event(job->screen, &event))
        handle(job, &event);
    st = viewer_wants_frame(&job->viewer) ? poll_frame(job) : ST_NOTFOUND;
    if (st != ST_OK && st != ST_NOTFOUND) {
        tool_error(job->command, "%s: %s", job->name, status_text(st));
        job->failed = true;
        return;
    }
    if (first && st == ST_OK)
        fit_window(job);
    job->dirty |= has_writer != job->viewer.has_writer;
    job->viewer.has_writer = has_writer;
    if (job->dirty)
        job->failed = paint(job) != ST_OK; /* a message was printed */
    job->dirty = false;
    if (st != ST_OK)
        clock_sleep_until(clock_now() + TICK);
}

static int show(struct job *job)
{
    char title[256];

    snprintf(title, sizeof(title), "novem view %s", job->name);
    job->window = screen_of_system();
    if (job->window->open(&job->screen, title, 640, 480 + VIEWER_BAR) != ST_OK)
        return TOOL_ERROR; /* a message was printed */
    job->dirty = true;
    while (!job->quit && !job->failed && (!job->limit || job->shown < job->limit))
        step(job);
    job->window->close(job->screen);
    return job->failed ? TOOL_ERROR : TOOL_OK;
}

int tool_view(int argc, char **argv)
{
    struct job job = {.command = argv[0], .wait = 10};
    const char *files[1];
    const struct tool_option options[] = {
        {"--save", "FILE.png",
         "without a window, save the newest frame and print its number and hash", OPT_TEXT,
         &job.save},
        {"--wait", "SECONDS", "how long --save waits for a frame (default 10)", OPT_UINT,
         &job.wait},
        {"--frames", "N", "end after N frames", OPT_UINT, &job.limit},
    };
    const struct tool_usage usage = {
        "view NAME [options]",
        "Shows the frames of a program that runs with NOVEM_SINK=shm:NAME; the program may start\n"
        "later or restart. Keys: space pauses, . or n advances one frame; + and - or the wheel\n"
        "zoom, arrows or the mouse move, 1 resets to 1:1; s saves a PNG; q quits. From 32:1 on\n"
        "pixels show their red, green and blue. The hash equals that of `novem replay --hash` if\n"
        "back buffers have no alpha.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, files);

    if (code >= 0)
        return code;
    job.name = job.viewer.name = files[0];
    if (frames_open(&job.reader, job.name) != ST_OK)
        return tool_error(job.command, "%s: the name is too long", job.name);
    code = job.save ? save_one(&job) : show(&job);
    tool_image_fini(&job.image);
    frames_close(job.reader);
    return code;
}
