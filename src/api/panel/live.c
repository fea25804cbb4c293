/* Settings of the control panel: lists them, and changes those of live.def.
 *
 * Tested by tests/unit/api/panel/test_panel.c. */
#include "api/api.h"
#include "api/capture/capture.h"
#include "api/config/config.h"
#include "api/panel/answers.h"
#include "api/swapchain/swapchain.h"
#include "util/log.h"

#include <stdatomic.h>
#include <string.h>

static atomic_uint changes;

/* --- How a value gets into force -------------------------------------------------------------- */

typedef void apply_fn(const struct panel_devices *devices);

static void apply_present(const struct panel_devices *devices)
{
    const struct present_options options = api_present_options();

    for (unsigned i = 0; i < devices->n; i++)
        present_change(devices->entry[i].device->present, &options);
}

static void apply_log(const struct panel_devices *devices)
{
    (void)devices;
    log_set_levels(api_config_text(CONFIG_LOG));
}

static void apply_use(const struct panel_devices *devices)
{
    (void)devices;
}

/* Devices without Ex take the value at Reset, when they have no other targets. */
static void apply_reset(const struct panel_devices *devices)
{
    (void)devices;
}

static const char when_present[] = "the next frame", when_log[] = "once",
                  when_use[] = "the next Present", when_reset[] = "the next Reset";

enum order {
    NOT_LIVE,
#define LIVE(id, how) ORDER_##id,
#include "api/panel/live.def"
#undef LIVE
};

/* All zero: the setting needs a restart of the program. */
static const struct {
    apply_fn *apply;
    enum order order; /* of the fields on the page */
    const char *when; /* "applies at …" */
} live[CONFIG_COUNT] = {
#define LIVE(id, how) [CONFIG_##id] = {apply_##how, ORDER_##id, when_##how},
#include "api/panel/live.def"
#undef LIVE
};

/* --- Listing ---------------------------------------------------------------------------------- */

static void put_member(struct control_body *out, const char *name, const char *text)
{
    control_format(out, ", \"%s\": ", name);
    control_put_string(out, text);
}

/* Words that the value lists; none for most settings. */
static void put_items(struct control_body *out, enum config_key key)
{
    if (key != CONFIG_HUD)
        return;
    control_put(out, ", \"items\": [");
    for (unsigned i = 0; present_hud_item(i); i++) {
        control_put(out, i ? ", " : "");
        control_put_string(out, present_hud_item(i));
    }
    control_put(out, "]");
}

void api_panel_settings(struct control_body *out)
{
    struct api_setting setting;

    control_put(out, "[");
    for (unsigned i = 0; api_setting(i, &setting); i++) {
        enum config_key key = (enum config_key)i;

        control_put(out, i ? ",\n{\"name\": " : "\n{\"name\": ");
        control_put_string(out, setting.name);
        put_member(out, "value", setting.value);
        put_member(out, "default", setting.default_value);
        put_member(out, "origin", setting.origin);
        put_member(out, "accepts", api_config_accepted(key));
        put_member(out, "help", setting.help);
        put_items(out, key);
        if (live[key].when)
            put_member(out, "when", live[key].when);
        control_format(out, ", \"live\": %u", (unsigned)live[key].order);
        control_put(out,
                    api_config_is_changed(key) ? ", \"changed\": true}" : ", \"changed\": false}");
    }
    control_put(out, "\n]\n");
}

unsigned api_panel_changes(void)
{
    return atomic_load(&changes);
}

/* --- Changes ---------------------------------------------------------------------------------- */

static bool is_hud_item(const char *word, size_t length)
{
    if (length == 4 && !memcmp(word, "full", 4))
        return true;
    for (unsigned i = 0; present_hud_item(i); i++)
        if (strlen(present_hud_item(i)) == length && !memcmp(present_hud_item(i), word, length))
            return true;
    return false;
}

/* novem.conf takes any text for the HUD, and reports unknown items where they are used. */
static bool are_hud_items(const char *list, struct control_body *why)
{
    for (size_t length; *list; list += length) {
        list += strspn(list, ", ");
        length = strcspn(list, ", ");
        if (!length || is_hud_item(list, length))
            continue;
        control_format(why, "HUD has no item '%.*s'", (int)(length < 64 ? length : 64), list);
        return false;
    }
    return true;
}

bool api_panel_set(const struct panel_devices *devices, const char *name, const char *value,
                   struct control_body *why)
{
    enum config_key key = api_config_find(name);
    enum status st;

    if (key == CONFIG_COUNT) {
        control_format(why, "no setting is called '%s'", name);
        return false;
    }
    if (!live[key].apply) {
        control_format(why, "%s needs a restart of the program", name);
        return false;
    }
    if (key == CONFIG_HUD && !are_hud_items(value, why))
        return false;
    st = api_config_change(key, value);
    if (st == ST_INVALID)
        control_format(why, "the value is not %s", api_config_accepted(key));
    else if (st != ST_OK)
        control_put(why, "too many changes: start the program again");
    if (st != ST_OK)
        return false;
    live[key].apply(devices);
    atomic_fetch_add(&changes, 1);
    log_info("api", "control panel: %s = %s", name, value);
    return true;
}

/* --- Actions ---------------------------------------------------------------------------------- */

bool api_panel_act(const struct panel_devices *devices, const char *name, struct control_body *why)
{
    if (!devices->n) {
        control_put(why, "the program has no device at present");
        return false;
    }
    if (!strcmp(name, "screenshot")) {
        for (unsigned i = 0; i < devices->n; i++)
            present_request_screenshot(devices->entry[i].device->present);
    } else if (!strcmp(name, "capture")) {
        api_capture_request();
    } else {
        control_format(why, "no action is called '%s'", name);
        return false;
    }
    return true;
}
