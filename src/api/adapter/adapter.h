/* What the graphics adapter is: its formats and caps, its identity and shader model, and the
 * display modes of its monitors. Every adapter has the same formats and caps; they depend on the
 * kind of device that asks. */
#ifndef API_ADAPTER_ADAPTER_H
#define API_ADAPTER_ADAPTER_H

#include "tex/tex.h"

#include <windows.h>
#include <d3d9.h>

#include <stdbool.h>
#include <stdint.h>

/* --- Kinds of devices and what they offer ----------------------------------------------------- */

/* The answers of the adapter depend on these. Values of the type are passed by value. */
struct device_kind {
    bool ex;        /* IDirect3D9Ex created it */
    bool reference; /* it offers all that Novem implements (reference: device/reference) */
};
struct device_kind api_device_kind(D3DDEVTYPE type, bool ex);

enum api_feature {
#define FEATURE(id, hardware) FEATURE_##id,
#include "api/adapter/features.def"
    FEATURE_COUNT
};
/* Whether a device offers the feature. Hardware offers what the reported adapter or its vendor
 * did. */
bool api_offers(enum api_feature feature, struct device_kind kind);
/* Sets the caps of the features that a device offers. */
void api_feature_caps(D3DCAPS9 *caps, struct device_kind kind);

/* --- Caps and formats ------------------------------------------------------------------------- */

void api_caps_fill(D3DCAPS9 *caps, D3DDEVTYPE type, bool software_vertices, bool ex);
/* The format of the display mode that shows a back buffer of the given format. */
D3DFORMAT api_without_alpha(D3DFORMAT format);

/* Description of a format; NULL: unknown, or unknown to this kind of device. */
const struct tex_format *api_format_get(D3DFORMAT format, struct device_kind kind);
/* Whether full-screen devices can set modes of the format (reference: device/display-modes). */
bool api_has_modes(D3DFORMAT format, struct device_kind kind);
bool api_back_buffer_ok(D3DFORMAT format, bool windowed, struct device_kind kind);
/* Whether images of the type may have this combination of usages (reference:
 * device/format-usages). */
bool api_image_usage_ok(DWORD usage, D3DRESOURCETYPE type, struct device_kind kind);
/* Whether the device has multiple-element textures with this combination of usages (reference:
 * target/elements). */
bool api_elements_ok(DWORD usage, D3DRESOURCETYPE type, struct device_kind kind);
HRESULT api_check_format(D3DFORMAT adapter_format, DWORD usage, D3DRESOURCETYPE type,
                         D3DFORMAT format, struct device_kind kind);
HRESULT api_check_type(D3DFORMAT display, D3DFORMAT back, bool windowed, struct device_kind kind);
HRESULT api_check_multisample(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD *levels,
                              struct device_kind kind);
HRESULT api_check_depth_match(D3DFORMAT adapter_format, D3DFORMAT target, D3DFORMAT depth,
                              struct device_kind kind);
HRESULT api_check_conversion(D3DFORMAT from, D3DFORMAT to, struct device_kind kind);
/* Whether the format supports the multisample type, and the quality is below its number of
 * levels. */
bool api_multisample_ok(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD quality,
                        struct device_kind kind);
/* Number of samples of such a surface; 1: not multisampled. */
uint32_t api_sample_count(D3DMULTISAMPLE_TYPE type, DWORD quality);

/* --- Identity and shader model, as novem.conf sets them --------------------------------------- */

/* Fills every member but DeviceName and WHQLLevel. */
void api_fill_adapter_identifier(D3DADAPTER_IDENTIFIER9 *id);
/* PCI id of the reported vendor; 0: Novem. */
DWORD api_vendor(void);
/* Features that the reported adapter offers and not all of its vendor's: 1 << FEATURE_*. */
uint32_t api_adapter_features(void);
/* Shader model of the reported hardware, 0 to 3. Software vertex processing always has model 3. */
unsigned api_shader_model(void);
/* Removes from the caps of full hardware what the reported shader model lacks. */
void api_limit_caps(D3DCAPS9 *caps, bool software_vertices);
/* Reported video memory of an adapter without resources, in bytes. */
int64_t api_video_memory(void);

/* --- Displays --------------------------------------------------------------------------------- */

/* One adapter for each monitor of the desktop, the primary one first. Native builds have one, whose
 * mode never changes. */
UINT api_adapter_count(void);
/* Device name such as "\\.\DISPLAY1". */
const char *api_adapter_name(UINT adapter);
/* Monitor handle on Windows; native builds return a non-NULL constant. NULL: no such adapter. */
HMONITOR api_adapter_monitor(UINT adapter);
/* Rectangle of the monitor on the desktop. */
RECT api_adapter_rect(UINT adapter);

/* The part of that rectangle that no taskbar covers. */
RECT api_adapter_work_area(UINT adapter);

/* Size of the back buffer that the setting RESOLUTION tells programs. False: it is not set. */
bool api_resolution(UINT *width, UINT *height);
/* The mode that programs get told: the current one, with the size of RESOLUTION. */
void api_adapter_told_mode(UINT adapter, D3DDISPLAYMODE *mode);
/* Current mode of the monitor; the format is always X8R8G8B8. */
void api_adapter_mode(UINT adapter, D3DDISPLAYMODE *mode);
/* Modes of the format, sorted by size, then by refresh rate; 0: no mode has the format. RESOLUTION
 * is one of them, and no other is wider or higher. */
UINT api_mode_count(UINT adapter, D3DFORMAT format, struct device_kind kind);
bool api_mode_at(UINT adapter, D3DFORMAT format, UINT index, struct device_kind kind,
                 D3DDISPLAYMODE *mode);
/* A format with alpha matches modes of the format without alpha. Modes above RESOLUTION exist. */
bool api_mode_exists(UINT adapter, UINT width, UINT height, D3DFORMAT format,
                     struct device_kind kind);

/* Sets the mode until api_restore_modes, or until another process changes it. refresh 0: any rate.
 * False: the system refuses. */
bool api_set_mode(UINT adapter, UINT width, UINT height, UINT refresh);
/* Restores the registry's modes of all monitors (reference: device/display-modes). */
void api_restore_modes(void);

#endif
