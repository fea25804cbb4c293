/* The control panel of the process: a server while a device lives, if CONTROL has a port
 * (docs/control.md). */
#ifndef API_PANEL_PANEL_H
#define API_PANEL_PANEL_H

struct device;

/* Last step of creating a device: the panel shows it from now on. Starts the server with the first
 * one. */
void api_panel_attach(struct device *device);
/* First step of destroying it. Stops the server with the last one. */
void api_panel_detach(struct device *device);

#endif
