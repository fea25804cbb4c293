/* What the control panel shows and changes. The list of devices does not change during these calls.
 * Private to the module. */
#ifndef API_PANEL_ANSWERS_H
#define API_PANEL_ANSWERS_H

#include "api/com/device.h"
#include "control/control.h"

enum { PANEL_DEVICES = 16 }; /* further ones are not shown */

struct panel_devices {
    unsigned n;
    struct {
        struct device *device;
        unsigned number; /* counts the devices of the process from 1 */
    } entry[PANEL_DEVICES];
};

/* See struct control_handler; ctx are the devices. */
void api_panel_figures(const struct panel_devices *devices, struct control_body *out);
void api_panel_settings(struct control_body *out);
bool api_panel_set(const struct panel_devices *devices, const char *name, const char *value,
                   struct control_body *why);
bool api_panel_act(const struct panel_devices *devices, const char *name, struct control_body *why);
/* The number of changes so far. */
unsigned api_panel_changes(void);

#endif
