/* Start and end of the control panel's server, and the list of devices that it shows. */
#include "api/panel/panel.h"

#include "api/config/config.h"
#include "api/panel/answers.h"
#include "util/forks.h"
#include "util/log.h"

#include <pthread.h>

/* Ports that are tried when the one of the setting is in use: a launcher and its game may have the
 * same novem.conf. */
enum { PORTS = 10 };

/* `life` guards the server; `lock` guards the list, and is held while the server asks. A thread
 * takes them in this order. The server's thread takes `lock` alone, so that it can be awaited under
 * `life`. Forks wait for `life` and for the server's thread, so nobody holds `lock` then. */
static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static struct control *server; /* NULL: none runs */
static struct panel_devices devices;
static unsigned created;

/* --- What the server asks --------------------------------------------------------------------- */

static void figures(void *ctx, struct control_body *out)
{
    (void)ctx;
    pthread_mutex_lock(&lock);
    api_panel_figures(&devices, out);
    pthread_mutex_unlock(&lock);
}

static void settings(void *ctx, struct control_body *out)
{
    (void)ctx;
    pthread_mutex_lock(&lock);
    api_panel_settings(out);
    pthread_mutex_unlock(&lock);
}

static bool set(void *ctx, const char *name, const char *value, struct control_body *why)
{
    bool good;

    (void)ctx;
    pthread_mutex_lock(&lock);
    good = api_panel_set(&devices, name, value, why);
    pthread_mutex_unlock(&lock);
    return good;
}

static bool act(void *ctx, const char *name, struct control_body *why)
{
    bool good;

    (void)ctx;
    pthread_mutex_lock(&lock);
    good = api_panel_act(&devices, name, why);
    pthread_mutex_unlock(&lock);
    return good;
}

/* --- Forks ------------------------------------------------------------------------------------ */

/* A child has no server. */
static void in_child(void)
{
    control_drop(server);
    server = NULL;
    devices.n = 0;
}

static void watch_forks(void)
{
    fork_guard(&life, FORK_OUTERMOST);
    fork_in_child(in_child);
}

/* --- Start and end ---------------------------------------------------------------------------- */

/* Opens the port, or one of the next ones. */
static enum status open_near(unsigned port, const char **reason)
{
    const struct control_handler handler = {NULL, figures, settings, set, act};
    enum status st = ST_BUSY;

    for (unsigned i = 0; st == ST_BUSY && i < (port ? PORTS : 1) && port + i <= 65535; i++)
        st = control_start(&server, port + i, &handler, reason);
    return st;
}

static void start(void)
{
    unsigned port = api_config_number(CONFIG_CONTROL);
    const char *reason = "";
    enum status st = open_near(port, &reason);

    if (st == ST_BUSY)
        log_warn("api", "CONTROL = %u: no control panel: the ports from %u on are in use", port,
                 port);
    else if (st != ST_OK)
        log_warn("api", "CONTROL = %u: no control panel: %s", port, reason);
    else if (control_port(server) == port)
        log_info("api", "control panel: http://127.0.0.1:%u/", port);
    else if (port)
        log_warn("api", "CONTROL = %u: the port is in use; control panel: http://127.0.0.1:%u/",
                 port, control_port(server));
    else
        log_warn("api", "control panel: http://127.0.0.1:%u/", control_port(server));
}

void api_panel_attach(struct device *d)
{
    if (!api_config_has_panel())
        return;
    watch_forks();
    pthread_mutex_lock(&life);
    pthread_mutex_lock(&lock);
    created++;
    if (devices.n < PANEL_DEVICES) {
        devices.entry[devices.n].device = d;
        devices.entry[devices.n++].number = created;
    }
    pthread_mutex_unlock(&lock);
    if (!server)
        start();
    pthread_mutex_unlock(&life);
}

/* Takes the device out of the list. Returns whether it was the last one. */
static bool take_out(const struct device *d)
{
    unsigned kept = 0, before = devices.n;

    for (unsigned i = 0; i < before; i++)
        if (devices.entry[i].device != d)
            devices.entry[kept++] = devices.entry[i];
    devices.n = kept;
    return before && !kept;
}

void api_panel_detach(struct device *d)
{
    bool last;

    if (!api_config_has_panel())
        return;
    pthread_mutex_lock(&life);
    pthread_mutex_lock(&lock);
    last = take_out(d);
    pthread_mutex_unlock(&lock);
    if (last) {
        control_stop(server);
        server = NULL;
    }
    pthread_mutex_unlock(&life);
}
