/* Log lines of a device: what it is, Resets, its loss, and locks that waited. */
#ifndef API_DEVICE_REPORT_H
#define API_DEVICE_REPORT_H

#include "api/com/device.h"

void api_report_device(const struct device *device);
void api_report_reset(const struct device *device);
void api_report_end(const struct device *device);

/* Presentation parameters that were refused, with the call's name. Returns hr. */
HRESULT api_refuse_parameters(HRESULT hr, const char *call, const D3DPRESENT_PARAMETERS *p);
/* A Reset while resources of D3DPOOL_DEFAULT live. */
HRESULT api_refuse_reset(const struct device *device);

#endif
