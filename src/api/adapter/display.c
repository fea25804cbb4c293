/* Display adapters: enumerates the monitors and their modes, and changes modes.
 * Tested by tests/unit/api/adapter/test_adapter.c and tests/windows/test_fullscreen.c. */
#include "api/adapter/adapter.h"

#include "api/config/config.h"
#include "util/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ADAPTERS = 16, MODES = 256 };

struct size {
    UINT width, height, refresh;
};

static struct adapter {
    char name[32];
    struct size mode[MODES]; /* sorted */
    UINT n_modes;
} adapters[ADAPTERS];
static UINT n_adapters;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Mode of the desktop where the system cannot be asked. */
static const struct size default_mode = {1920, 1080, 60};

static int compare(const void *left, const void *right)
{
    const struct size *a = left, *b = right;

    if (a->width != b->width)
        return a->width < b->width ? -1 : 1;
    if (a->height != b->height)
        return a->height < b->height ? -1 : 1;
    return a->refresh < b->refresh ? -1 : a->refresh > b->refresh;
}

static void add_mode(struct adapter *adapter, struct size size)
{
    for (UINT i = 0; i < adapter->n_modes; i++)
        if (!compare(&adapter->mode[i], &size))
            return;
    if (adapter->n_modes < MODES)
        adapter->mode[adapter->n_modes++] = size;
}

/* --- System calls ----------------------------------------------------------------------------- */

#ifdef _WIN32

static bool setting(const char *name, DWORD index, DEVMODEA *mode)
{
    memset(mode, 0, sizeof(*mode));
    mode->dmSize = sizeof(*mode);
    return EnumDisplaySettingsA(name, index, mode) && mode->dmPelsWidth && mode->dmPelsHeight;
}

static struct size size_of(const DEVMODEA *mode)
{
    /* 0 and 1 mean the hardware's default rate */
    UINT refresh = mode->dmDisplayFrequency > 1 ? mode->dmDisplayFrequency : default_mode.refresh;

    return (struct size){mode->dmPelsWidth, mode->dmPelsHeight, refresh};
}

static struct size current(const struct adapter *adapter)
{
    DEVMODEA mode;

    return setting(adapter->name, ENUM_CURRENT_SETTINGS, &mode) ? size_of(&mode) : default_mode;
}

/* Lists the 32-bit modes. */
static void list_modes(struct adapter *adapter)
{
    DEVMODEA mode;

    for (DWORD i = 0; setting(adapter->name, i, &mode); i++)
        if (mode.dmBitsPerPel == 32)
            add_mode(adapter, size_of(&mode));
}

static void list_adapters(bool primary)
{
    DISPLAY_DEVICEA device = {.cb = sizeof(device)};

    for (DWORD i = 0; EnumDisplayDevicesA(NULL, i, &device, 0); i++)
        if ((device.StateFlags & DISPLAY_DEVICE_ATTACHED_TO_DESKTOP) &&
            !(device.StateFlags & DISPLAY_DEVICE_PRIMARY_DEVICE) == !primary &&
            n_adapters < ADAPTERS)
            memcpy(adapters[n_adapters++].name, device.DeviceName, sizeof(adapters[0].name));
}

static void list_all(void)
{
    list_adapters(true);
    list_adapters(false);
}

struct search {
    const char *name;
    HMONITOR found;
    RECT rect, work;
};

static BOOL CALLBACK is_monitor(HMONITOR monitor, HDC dc, RECT *rect, LPARAM param)
{
    struct search *search = (struct search *)param;
    MONITORINFOEXA info = {.cbSize = sizeof(info)};

    (void)dc;
    (void)rect;
    if (!GetMonitorInfoA(monitor, (MONITORINFO *)&info) || strcmp(info.szDevice, search->name))
        return TRUE;
    search->found = monitor;
    search->rect = info.rcMonitor;
    search->work = info.rcWork;
    return FALSE;
}

static struct search find_monitor(UINT adapter)
{
    struct search search = {.name = api_adapter_name(adapter)};

    EnumDisplayMonitors(NULL, NULL, is_monitor, (LPARAM)&search);
    if (search.found)
        return search;
    search.found = MonitorFromPoint((POINT){0, 0}, MONITOR_DEFAULTTOPRIMARY);
    search.rect = (RECT){0, 0, GetSystemMetrics(SM_CXSCREEN), GetSystemMetrics(SM_CYSCREEN)};
    search.work = search.rect;
    return search;
}

HMONITOR api_adapter_monitor(UINT adapter)
{
    return adapter < api_adapter_count() ? find_monitor(adapter).found : NULL;
}

RECT api_adapter_rect(UINT adapter)
{
    return find_monitor(adapter).rect;
}

RECT api_adapter_work_area(UINT adapter)
{
    return find_monitor(adapter).work;
}

bool api_set_mode(UINT adapter, UINT width, UINT height, UINT refresh)
{
    const char *name = api_adapter_name(adapter);
    DEVMODEA mode;
    LONG result;

    if (!setting(name, ENUM_CURRENT_SETTINGS, &mode))
        return false;
    if (mode.dmPelsWidth == width && mode.dmPelsHeight == height &&
        (!refresh || size_of(&mode).refresh == refresh))
        return true;
    mode.dmPelsWidth = width;
    mode.dmPelsHeight = height;
    mode.dmDisplayFrequency = refresh;
    mode.dmFields = DM_PELSWIDTH | DM_PELSHEIGHT | (refresh ? DM_DISPLAYFREQUENCY : 0);
    result = ChangeDisplaySettingsExA(name, &mode, NULL, CDS_FULLSCREEN, NULL);
    if (result != DISP_CHANGE_SUCCESSFUL)
        log_warn("api", "%s: the system refused mode %ux%u (%ld)", name, width, height, result);
    return result == DISP_CHANGE_SUCCESSFUL;
}

static bool restore_mode(const struct adapter *adapter)
{
    DEVMODEA now, registry;

    if (setting(adapter->name, ENUM_CURRENT_SETTINGS, &now) &&
        setting(adapter->name, ENUM_REGISTRY_SETTINGS, &registry) &&
        now.dmPelsWidth == registry.dmPelsWidth && now.dmPelsHeight == registry.dmPelsHeight &&
        now.dmDisplayFrequency == registry.dmDisplayFrequency)
        return true;
    return ChangeDisplaySettingsExA(adapter->name, NULL, NULL, 0, NULL) == DISP_CHANGE_SUCCESSFUL;
}

void api_restore_modes(void)
{
    for (UINT i = 0; i < api_adapter_count(); i++)
        if (!restore_mode(&adapters[i]))
            log_warn("api", "%s: cannot restore the desktop's mode", adapters[i].name);
}

#else

static struct size current(const struct adapter *adapter)
{
    (void)adapter;
    return default_mode;
}

static void list_modes(struct adapter *adapter)
{
    (void)adapter;
}

static void list_all(void)
{
}

HMONITOR api_adapter_monitor(UINT adapter)
{
    return adapter < api_adapter_count() ? (HMONITOR)(uintptr_t)(adapter + 1) : NULL;
}

RECT api_adapter_rect(UINT adapter)
{
    (void)adapter;
    return (RECT){0, 0, (LONG)default_mode.width, (LONG)default_mode.height};
}

RECT api_adapter_work_area(UINT adapter)
{
    return api_adapter_rect(adapter);
}

bool api_set_mode(UINT adapter, UINT width, UINT height, UINT refresh)
{
    (void)adapter;
    (void)width;
    (void)height;
    (void)refresh;
    return true;
}

void api_restore_modes(void)
{
}

#endif

/* --- Mode lists ------------------------------------------------------------------------------- */

/* Adds common sizes where the system reports no mode or only one, as on headless displays. Such
 * modes are stretched onto the desktop. */
static void add_usual_modes(struct adapter *adapter)
{
    static const struct size sizes[] = {
        {640, 480, 60},   {720, 480, 60},   {800, 600, 60},   {1024, 768, 60},  {1152, 864, 60},
        {1280, 720, 60},  {1280, 800, 60},  {1280, 960, 60},  {1280, 1024, 60}, {1366, 768, 60},
        {1440, 900, 60},  {1600, 900, 60},  {1600, 1200, 60}, {1680, 1050, 60}, {1920, 1080, 60},
        {1920, 1200, 60}, {2560, 1440, 60}, {3840, 2160, 60},
    };

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        add_mode(adapter, sizes[i]);
}

static void add_resolution(struct adapter *adapter)
{
    struct size size = current(adapter);

    if (api_resolution(&size.width, &size.height))
        add_mode(adapter, size);
}

static void list(void)
{
    list_all();
    if (!n_adapters)
        strcpy(adapters[n_adapters++].name, "\\\\.\\DISPLAY1");
    for (UINT i = 0; i < n_adapters; i++) {
        list_modes(&adapters[i]);
        if (adapters[i].n_modes < 2)
            add_usual_modes(&adapters[i]);
        add_mode(&adapters[i], current(&adapters[i]));
        add_resolution(&adapters[i]);
        qsort(adapters[i].mode, adapters[i].n_modes, sizeof(adapters[i].mode[0]), compare);
    }
}

bool api_resolution(UINT *width, UINT *height)
{
    unsigned size[2];

    api_config_load();
    if (!api_config_size(CONFIG_RESOLUTION, size))
        return false;
    *width = size[0];
    *height = size[1];
    return true;
}

/* Whether programs are told of a mode: RESOLUTION is the largest one. */
static bool is_told(const struct size *size)
{
    UINT width, height;

    return !api_resolution(&width, &height) || (size->width <= width && size->height <= height);
}

UINT api_adapter_count(void)
{
    pthread_once(&once, list);
    return n_adapters;
}

const char *api_adapter_name(UINT adapter)
{
    return adapter < api_adapter_count() ? adapters[adapter].name : "";
}

void api_adapter_mode(UINT adapter, D3DDISPLAYMODE *mode)
{
    struct size size = adapter < api_adapter_count() ? current(&adapters[adapter]) : default_mode;

    *mode = (D3DDISPLAYMODE){size.width, size.height, size.refresh, D3DFMT_X8R8G8B8};
}

void api_adapter_told_mode(UINT adapter, D3DDISPLAYMODE *mode)
{
    api_adapter_mode(adapter, mode);
    api_resolution(&mode->Width, &mode->Height);
}

static bool has_modes(UINT adapter, D3DFORMAT format, struct device_kind kind)
{
    return adapter < api_adapter_count() && api_has_modes(format, kind);
}

UINT api_mode_count(UINT adapter, D3DFORMAT format, struct device_kind kind)
{
    UINT count = 0;

    for (UINT i = 0; has_modes(adapter, format, kind) && i < adapters[adapter].n_modes; i++)
        count += is_told(&adapters[adapter].mode[i]);
    return count;
}

bool api_mode_at(UINT adapter, D3DFORMAT format, UINT index, struct device_kind kind,
                 D3DDISPLAYMODE *mode)
{
    for (UINT i = 0; has_modes(adapter, format, kind) && i < adapters[adapter].n_modes; i++) {
        struct size size = adapters[adapter].mode[i];

        if (!is_told(&size) || index--)
            continue;
        *mode = (D3DDISPLAYMODE){size.width, size.height, size.refresh, format};
        return true;
    }
    return false;
}

bool api_mode_exists(UINT adapter, UINT width, UINT height, D3DFORMAT format,
                     struct device_kind kind)
{
    if (!has_modes(adapter, api_without_alpha(format), kind))
        return false;
    for (UINT i = 0; i < adapters[adapter].n_modes; i++)
        if (adapters[adapter].mode[i].width == width && adapters[adapter].mode[i].height == height)
            return true;
    return false;
}
