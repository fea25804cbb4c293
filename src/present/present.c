/* The sinks of one device: chosen by name, fed with every frame. */
#include "present/present.h"

#include "present/sinks.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SINKS = 4 };

struct present {
    struct {
        const struct present_sink_ops *ops;
        struct present_sink *sink;
    } open[MAX_SINKS];
    unsigned n;
    bool lasts;
};

static enum status none_open(struct present_sink **out, const char *target)
{
    (void)target;
    *out = NULL;
    return ST_OK;
}

static enum status none_show(struct present_sink *sink, const struct present_frame *frame)
{
    (void)sink;
    (void)frame;
    return ST_OK;
}

static void none_close(struct present_sink *sink)
{
    (void)sink;
}

static const struct present_sink_ops none_ops = {"none", false, none_open, none_show, none_close};

static const struct present_sink_ops *const sinks[] = {&none_ops, &present_png_ops,
                                                       &present_window_ops};

static const char *default_spec(void)
{
    const char *spec = getenv("NOVEM_SINK");

    if (spec)
        return spec;
#ifdef _WIN32
    return "window";
#else
    return "none";
#endif
}

static const struct present_sink_ops *find(const char *name, size_t length)
{
    for (unsigned i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
        if (strlen(sinks[i]->name) == length && !memcmp(sinks[i]->name, name, length))
            return sinks[i];
    return NULL;
}

/* item: "name" or "name:target". */
static enum status open_sink(struct present *present, const char *item)
{
    size_t length = strcspn(item, ":");
    const struct present_sink_ops *ops = find(item, length);
    enum status st;

    if (!ops || present->n == MAX_SINKS) {
        log_error("present", "no sink is called '%s'", item);
        return ST_INVALID;
    }
    st = ops->open(&present->open[present->n].sink, item[length] ? item + length + 1 : "");
    if (st == ST_UNSUPPORTED) {
        log_once("present", ops->name, "the sink '%s' is not available here", ops->name);
        return ST_OK;
    }
    if (st == ST_OK) {
        present->open[present->n++].ops = ops;
        present->lasts |= ops->lasts;
    } else {
        log_error("present", "the sink '%s' cannot be opened: %s", item, status_text(st));
    }
    return st;
}

enum status present_create(struct present **out, const char *spec)
{
    struct present *present = mem_calloc(1, sizeof(*present));
    char *copy = mem_strdup(spec ? spec : default_spec()), *next;
    enum status st = present && copy ? ST_OK : ST_NOMEM;

    *out = NULL;
    for (char *item = copy; st == ST_OK && item; item = next) {
        next = strchr(item, ',');
        if (next)
            *next++ = '\0';
        item += strspn(item, " ");
        if (*item)
            st = open_sink(present, item);
    }
    mem_free(copy);
    if (st != ST_OK) {
        present_destroy(present);
        return st;
    }
    *out = present;
    return ST_OK;
}

void present_destroy(struct present *present)
{
    if (!present)
        return;
    for (unsigned i = 0; i < present->n; i++)
        present->open[i].ops->close(present->open[i].sink);
    mem_free(present);
}

bool present_lasts(const struct present *present)
{
    return present->lasts;
}

static void drop(struct present *present, unsigned i)
{
    present->open[i].ops->close(present->open[i].sink);
    present->open[i] = present->open[--present->n];
}

void present_show(struct present *present, const struct present_frame *frame)
{
    for (unsigned i = 0; i < present->n;) {
        enum status st = present->open[i].ops->show(present->open[i].sink, frame);

        if (st == ST_OK) {
            i++;
            continue;
        }
        log_error("present", "the sink '%s' failed and is closed: %s", present->open[i].ops->name,
                  status_text(st));
        drop(present, i);
    }
}
