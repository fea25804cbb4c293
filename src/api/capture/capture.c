/* Start and end of a capture of one frame: settings, file, and the methods of the objects.
 *
 * Tested by tests/unit/trace/test_capture_frame.c. */
#include "api/capture/capture.h"

#include "api/capture/snapshot.h"
#include "api/config/config.h"
#include "api/memory/resource.h"
#include "api/swapchain/swapchain.h"
#include "present/file/key.h"
#include "util/folder.h"
#include "util/log.h"
#include "util/output_file.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { LAST_NUMBER = 9999 };

/* The settings of the process, and the capture that is being written; one at a time. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool ready;
    struct key_watch key;
    bool requested; /* by api_capture_request */
    bool counts;    /* CAPTURE_FRAME applies, and has not happened yet */
    UINT frame;
    const char *folder;
    unsigned last; /* number of the last file */

    struct swapchain *chain; /* the frame ends with its Present; NULL: no capture */
    UINT number;
    bool by_number;                            /* CAPTURE_FRAME started it, not the key */
    const void *device_methods, *d3d9_methods; /* the original ones */
    char path[OUTPUT_PATH_BYTES];
} capture;

/* --- Methods of the objects ------------------------------------------------------------------- */

/* Objects whose methods the program has replaced keep them. */
static void swap_methods(const void **methods, const void *from, const void *to)
{
    if (*methods == from)
        __atomic_store_n(methods, to, __ATOMIC_RELEASE);
    else if (*methods != to)
        log_once("api", "capture methods",
                 "the program has replaced methods of Direct3D: those calls are not captured");
}

static void swap_object(struct object *obj, bool record)
{
    const void *real = obj->class->vtbl, *recording = record_methods(obj->class->record, real);

    swap_methods(&obj->vtbl, record ? real : recording, record ? recording : real);
}

static void swap_levels(struct texture *texture, bool record)
{
    for (unsigned i = 0; i < texture->faces * texture->levels; i++)
        swap_object(&texture->sub[i].base, record);
}

/* The interface pointer comes first in all objects. */
static const void *methods_of(const void *obj)
{
    return *(const void *const *)obj;
}

static void swap_all(struct device *d, bool record)
{
    const void *device = capture.device_methods, *d3d9 = capture.d3d9_methods;
    const void *to_device = record_methods(d->ex ? RECORD_DEVICE_EX : RECORD_DEVICE, device);
    const void *to_d3d9 = record_methods(d->ex ? RECORD_D3D9_EX : RECORD_D3D9, d3d9);

    for (struct object *obj = d->objects; obj; obj = obj->next) {
        enum record_class class = obj->class->record;

        swap_object(obj, record);
        if (class == RECORD_TEXTURE || class == RECORD_CUBE || class == RECORD_VOLUMES)
            swap_levels((struct texture *)obj, record);
    }
    swap_methods((const void **)d, record ? device : to_device, record ? to_device : device);
    swap_methods((const void **)d->d3d9, record ? d3d9 : to_d3d9, record ? to_d3d9 : d3d9);
}

/* --- The file --------------------------------------------------------------------------------- */

/* Opens the first file that does not exist yet. ST_IO: errno says why. */
static enum status open_new(void)
{
    enum status st = ST_IO;

    errno = EEXIST;
    for (unsigned n = capture.last + 1; st == ST_IO && errno == EEXIST && n <= LAST_NUMBER; n++) {
        int length = snprintf(capture.path, sizeof(capture.path), "%s/capture-%04u.trace",
                              capture.folder, n);

        if (length < 0 || (size_t)length >= sizeof(capture.path)) {
            errno = ENAMETOOLONG;
            return ST_IO;
        }
        st = record_begin(capture.path);
        if (st == ST_OK || (st == ST_IO && errno == EEXIST))
            capture.last = n; /* else the folder may be created later */
    }
    return st;
}

/* Makes the folder if it is missing. */
static enum status open_file(void)
{
    enum status st = open_new();

    return st == ST_IO && errno == ENOENT && folder_make(capture.folder) ? open_new() : st;
}

static void report_open(enum status st, int error)
{
    if (st == ST_BUSY)
        log_error("api", "a frame cannot be captured while RECORD writes all frames: "
                         "cut it with `novem trim --frames`");
    else
        log_error("api", "%s: a frame cannot be captured: %s", capture.path,
                  st == ST_IO ? strerror(error) : status_text(st));
}

/* Removes a capture that is of no use. The reason has been logged, or is given. */
static void discard(const char *reason)
{
    uint64_t calls;

    (void)record_end(&calls);
    output_file_discard(capture.path);
    if (reason)
        log_error("api", "%s: removed: %s", capture.path, reason);
}

/* --- Start and end ---------------------------------------------------------------------------- */

static void ended(const void *presenter);

static void start(struct swapchain *chain)
{
    struct device *d = chain->base.device;
    enum status st = open_file();

    if (st != ST_OK) {
        report_open(st, errno);
        present_message(d->present, "no capture: see the log");
        return;
    }
    capture.device_methods = methods_of(d);
    capture.d3d9_methods = methods_of(d->d3d9);
    st = api_snapshot_put(d);
    if (st != ST_OK) {
        discard(status_text(st));
        present_message(d->present, "no capture: see the log");
        return;
    }
    capture.chain = chain;
    capture.number = chain->presents;
    record_on_present(ended);
    swap_all(d, true);
}

static void stop(struct device *d)
{
    record_on_present(NULL);
    swap_all(d, false);
    capture.chain = NULL;
}

/* The first capture is said at the level of warnings, which the log shows by default: the user
 * looks for the file. */
static void say(uint64_t calls)
{
    static const char format[] =
        "capture saved: %s: frame %u, %" PRIu64 " calls; open it with `novem inspect`";

    if (!log_once("api", "capture", format, capture.path, capture.number, calls))
        log_info("api", format, capture.path, capture.number, calls);
}

static void finish(struct device *d)
{
    uint64_t calls;

    stop(d);
    if (!record_end(&calls)) {
        discard("it cannot be written");
        present_message(d->present, "no capture: see the log");
        return;
    }
    say(calls);
    present_message(d->present, "capture saved: %s", capture.path);
}

/* Called by the recorder after a Present of any swap chain, outside the lock of the device. The
 * presenter lives: its method is running. */
static void ended(const void *presenter)
{
    struct swapchain *chain;
    struct device *d;

    pthread_mutex_lock(&mutex);
    chain = capture.chain;
    d = chain ? chain->base.device : NULL;
    pthread_mutex_unlock(&mutex);
    if (!chain || (presenter != chain && (!chain->implicit || presenter != d)))
        return;
    api_device_lock(d); /* before the mutex, as in presented() */
    pthread_mutex_lock(&mutex);
    if (capture.chain == chain)
        finish(d);
    pthread_mutex_unlock(&mutex);
    api_device_unlock(d);
}

static bool is_wanted(const struct swapchain *chain)
{
    HWND window = chain->parameters.hDeviceWindow;
    bool pressed = key_watch_pressed(&capture.key, (uintptr_t)window);

    if (capture.chain)
        return false; /* one at a time */
    if (capture.requested)
        pressed = true;
    capture.requested = false;
    capture.by_number = capture.counts && chain->presents == capture.frame;
    if (capture.by_number)
        capture.counts = false;
    return capture.by_number || pressed;
}

/* The lock of the device is held. */
static void presented(struct swapchain *chain)
{
    pthread_mutex_lock(&mutex);
    if (is_wanted(chain))
        start(chain);
    pthread_mutex_unlock(&mutex);
}

void api_capture_attach(struct device *d)
{
    const char *frame = api_config_text(CONFIG_CAPTURE_FRAME);

    pthread_mutex_lock(&mutex);
    if (!capture.ready) {
        capture.ready = true;
        key_watch_init(&capture.key, "CAPTURE_KEY", api_config_text(CONFIG_CAPTURE_KEY));
        capture.counts = frame != NULL;
        capture.frame = api_config_number(CONFIG_CAPTURE_FRAME);
        capture.folder = api_config_text(CONFIG_CAPTURE_DIR);
    }
    if (capture.key.key || capture.counts || api_config_has_panel())
        d->presented = presented;
    pthread_mutex_unlock(&mutex);
    if (d->presented)
        presented(d->chain); /* frame 0 */
}

void api_capture_request(void)
{
    pthread_mutex_lock(&mutex);
    capture.requested = true;
    pthread_mutex_unlock(&mutex);
}

void api_capture_detach(struct device *d)
{
    pthread_mutex_lock(&mutex);
    if (capture.chain && capture.chain->base.device == d) {
        stop(d);
        discard("the device was released before it presented the frame");
        capture.counts = capture.by_number; /* another device may present it */
    }
    pthread_mutex_unlock(&mutex);
}
