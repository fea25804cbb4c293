/* Maps positions of the mouse between a window and the picture in it.
 * Tested by tests/windows/test_mouse.c and test_managed_mouse.c. */
#ifdef _WIN32

#include "api/window/mouse.h"

#include "api/config/config.h"
#include "api/window/imports.h"
#include "present/present.h"

#include <windowsx.h>

#include <pthread.h>
#include <stdbool.h>

/* --- Positions -------------------------------------------------------------------------------- */

/* A window and the picture in it. window: NULL: nothing is mapped. */
struct shown {
    HWND window;
    uint32_t picture[2];
};

static struct shown current;
static HHOOK hook;                                       /* of the messages of the current window */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both */

static bool get_shown(struct shown *out)
{
    pthread_mutex_lock(&lock);
    *out = current;
    pthread_mutex_unlock(&lock);
    return out->window != NULL;
}

/* What is shown where at the moment. */
struct map {
    struct shown shown;
    RECT area; /* of the window on the screen */
    enum present_scaling scaling;
};

/* Asks for the place at each use: programs, users and window managers move windows. A minimised
 * window shows no picture. */
static bool get_map(struct map *out)
{
    if (!get_shown(&out->shown) || IsIconic(out->shown.window) ||
        !GetWindowRect(out->shown.window, &out->area) || IsRectEmpty(&out->area))
        return false;
    out->scaling = (enum present_scaling)api_config_choice(CONFIG_SCALING);
    return true;
}

static void area_size(const struct map *map, uint32_t out[2])
{
    out[0] = (uint32_t)(map->area.right - map->area.left);
    out[1] = (uint32_t)(map->area.bottom - map->area.top);
}

/* present_to_picture or present_from_picture */
typedef void convert(enum present_scaling scaling, const uint32_t picture[2],
                     const uint32_t size[2], int32_t position[2]);

/* Between positions relative to the area and pixels of the picture. */
static POINT inside(const struct map *map, POINT at, convert *by)
{
    int32_t position[2] = {at.x, at.y};
    uint32_t size[2];

    area_size(map, size);
    by(map->scaling, map->shown.picture, size, position);
    return (POINT){position[0], position[1]};
}

/* The same on the screen, where the picture has its corner in that of the area. */
static POINT on_screen(const struct map *map, POINT at, convert *by)
{
    POINT place = inside(map, (POINT){at.x - map->area.left, at.y - map->area.top}, by);

    return (POINT){place.x + map->area.left, place.y + map->area.top};
}

/* The area that the program is told of. */
static RECT picture_rect(const struct map *map)
{
    return (RECT){map->area.left, map->area.top, map->area.left + (LONG)map->shown.picture[0],
                  map->area.top + (LONG)map->shown.picture[1]};
}

/* Positions on other monitors stay. */
static POINT to_program(const struct map *map, POINT at)
{
    return PtInRect(&map->area, at) ? on_screen(map, at, present_to_picture) : at;
}

/* Positions behind the picture that are not on another monitor end at its edge, as at that of the
 * screen. */
static POINT to_screen(const struct map *map, POINT at)
{
    RECT picture = picture_rect(map);

    return PtInRect(&picture, at) || PtInRect(&map->area, at)
               ? on_screen(map, at, present_from_picture)
               : at;
}

/* Right and bottom edges of a rectangle lie behind its last pixel. */
static RECT rect_by(const struct map *map, const RECT *rect,
                    POINT one(const struct map *map, POINT at))
{
    POINT first = one(map, (POINT){rect->left, rect->top});
    POINT last = one(map, (POINT){rect->right - 1, rect->bottom - 1});

    return (RECT){first.x, first.y, last.x + 1, last.y + 1};
}

/* --- Messages --------------------------------------------------------------------------------- */

static bool is_on_screen(UINT message)
{
    return message == WM_MOUSEWHEEL || message == WM_MOUSEHWHEEL;
}

/* A message that the window's thread takes from its queue. Those that programs send each other do
 * not come here. */
static LRESULT CALLBACK map_message(int code, WPARAM wparam, LPARAM lparam)
{
    MSG *message = (MSG *)lparam;
    struct map map;

    if (code == HC_ACTION && get_map(&map)) {
        POINT at = {GET_X_LPARAM(message->lParam), GET_Y_LPARAM(message->lParam)};

        if (message->hwnd == map.shown.window && message->message >= WM_MOUSEFIRST &&
            message->message <= WM_MOUSEHWHEEL) {
            at = is_on_screen(message->message) ? to_program(&map, at)
                                                : inside(&map, at, present_to_picture);
            message->lParam = MAKELPARAM(at.x, at.y);
        }
        message->pt = to_program(&map, message->pt);
    }
    return CallNextHookEx(NULL, code, wparam, lparam);
}

intptr_t mouse_map_sent(HWND window, UINT message, intptr_t lparam)
{
    uint32_t size[2];
    struct map map;

    if (message != WM_SIZE || !get_map(&map) || map.shown.window != window)
        return lparam;
    area_size(&map, size);
    return lparam == MAKELPARAM(size[0], size[1])
               ? MAKELPARAM(map.shown.picture[0], map.shown.picture[1])
               : lparam;
}

/* --- Positions for the program ---------------------------------------------------------------- */

static BOOL WINAPI get_cursor_position(POINT *out)
{
    BOOL good = GetCursorPos(out);
    struct map map;

    if (good && get_map(&map))
        *out = to_program(&map, *out);
    return good;
}

static BOOL WINAPI set_cursor_position(int x, int y)
{
    POINT at = {x, y};
    struct map map;

    if (get_map(&map))
        at = to_screen(&map, at);
    return SetCursorPos(at.x, at.y);
}

static BOOL WINAPI clip_cursor(const RECT *rect)
{
    struct map map;
    RECT mapped;

    if (rect && get_map(&map)) {
        mapped = rect_by(&map, rect, to_screen);
        rect = &mapped;
    }
    return ClipCursor(rect);
}

static BOOL WINAPI get_clip_cursor(RECT *out)
{
    BOOL good = GetClipCursor(out);
    struct map map;

    if (good && get_map(&map))
        *out = rect_by(&map, out, to_program);
    return good;
}

static BOOL WINAPI get_cursor_info(CURSORINFO *out)
{
    BOOL good = GetCursorInfo(out);
    struct map map;

    if (good && get_map(&map))
        out->ptScreenPos = to_program(&map, out->ptScreenPos);
    return good;
}

static DWORD WINAPI get_message_position(void)
{
    DWORD packed = GetMessagePos();
    POINT at = {GET_X_LPARAM(packed), GET_Y_LPARAM(packed)};
    struct map map;

    if (!get_map(&map))
        return packed;
    at = to_program(&map, at);
    return (DWORD)MAKELPARAM(at.x, at.y);
}

void mouse_move(int x, int y)
{
    POINT at = {x, y}, now;
    struct map map;

    if (get_map(&map))
        at = to_screen(&map, at);
    /* A move to the same position would send a message. */
    if (!GetCursorPos(&now) || now.x != at.x || now.y != at.y)
        SetCursorPos(at.x, at.y);
}

/* --- Sizes for the program -------------------------------------------------------------------- */

static BOOL WINAPI get_client_rect(HWND window, RECT *out)
{
    BOOL good = GetClientRect(window, out);
    uint32_t size[2];
    struct map map;

    if (!good || !get_map(&map) || map.shown.window != window)
        return good;
    area_size(&map, size);
    if (out->right == (LONG)size[0] && out->bottom == (LONG)size[1])
        SetRect(out, 0, 0, (LONG)map.shown.picture[0], (LONG)map.shown.picture[1]);
    return good;
}

static BOOL WINAPI get_window_rect(HWND window, RECT *out)
{
    BOOL good = GetWindowRect(window, out);
    struct map map;

    if (good && get_map(&map) && map.shown.window == window)
        *out = picture_rect(&map);
    return good;
}

/* A taskbar is as wide as it is. */
static void map_monitor(MONITORINFO *info)
{
    RECT before = info->rcMonitor;
    struct map map;

    if (!get_map(&map) || !EqualRect(&before, &map.area))
        return;
    info->rcMonitor = picture_rect(&map);
    info->rcWork.right += info->rcMonitor.right - before.right;
    info->rcWork.bottom += info->rcMonitor.bottom - before.bottom;
}

static BOOL WINAPI get_monitor_info_a(HMONITOR monitor, MONITORINFO *out)
{
    BOOL good = GetMonitorInfoA(monitor, out);

    if (good)
        map_monitor(out);
    return good;
}

static BOOL WINAPI get_monitor_info_w(HMONITOR monitor, MONITORINFO *out)
{
    BOOL good = GetMonitorInfoW(monitor, out);

    if (good)
        map_monitor(out);
    return good;
}

/* The mode that the program asked for is the current one. The list of modes stays. */
static void map_mode(DWORD index, POINTL corner, DWORD *width, DWORD *height)
{
    uint32_t size[2];
    struct map map;

    if (index != ENUM_CURRENT_SETTINGS || !get_map(&map))
        return;
    area_size(&map, size);
    if (corner.x != map.area.left || corner.y != map.area.top || *width != size[0] ||
        *height != size[1])
        return;
    *width = map.shown.picture[0];
    *height = map.shown.picture[1];
}

static BOOL WINAPI enum_settings_a(const char *device, DWORD index, DEVMODEA *out)
{
    BOOL good = EnumDisplaySettingsA(device, index, out);

    if (good)
        map_mode(index, out->dmPosition, &out->dmPelsWidth, &out->dmPelsHeight);
    return good;
}

static BOOL WINAPI enum_settings_w(const wchar_t *device, DWORD index, DEVMODEW *out)
{
    BOOL good = EnumDisplaySettingsW(device, index, out);

    if (good)
        map_mode(index, out->dmPosition, &out->dmPelsWidth, &out->dmPelsHeight);
    return good;
}

static BOOL WINAPI enum_settings_ex_a(const char *device, DWORD index, DEVMODEA *out, DWORD flags)
{
    BOOL good = EnumDisplaySettingsExA(device, index, out, flags);

    if (good)
        map_mode(index, out->dmPosition, &out->dmPelsWidth, &out->dmPelsHeight);
    return good;
}

static BOOL WINAPI enum_settings_ex_w(const wchar_t *device, DWORD index, DEVMODEW *out,
                                      DWORD flags)
{
    BOOL good = EnumDisplaySettingsExW(device, index, out, flags);

    if (good)
        map_mode(index, out->dmPosition, &out->dmPelsWidth, &out->dmPelsHeight);
    return good;
}

/* The primary monitor has its corner at 0,0. */
static int WINAPI get_system_metrics(int index)
{
    int size = GetSystemMetrics(index);
    struct map map;

    if ((index != SM_CXSCREEN && index != SM_CYSCREEN) || !get_map(&map) || map.area.left ||
        map.area.top)
        return size;
    return (int)map.shown.picture[index == SM_CYSCREEN];
}

/* --- Functions of the program ----------------------------------------------------------------- */

static FARPROC WINAPI find_function(HMODULE module, const char *name);
static HMODULE WINAPI load_a(const char *name);
static HMODULE WINAPI load_w(const wchar_t *name);
static HMODULE WINAPI load_with_flags_a(const char *name, HANDLE file, DWORD flags);
static HMODULE WINAPI load_with_flags_w(const wchar_t *name, HANDLE file, DWORD flags);

static const struct {
    const char *module, *name;
    void *own;
} functions[] = {
    {"user32.dll", "GetCursorPos", (void *)get_cursor_position},
    {"user32.dll", "SetCursorPos", (void *)set_cursor_position},
    {"user32.dll", "ClipCursor", (void *)clip_cursor},
    {"user32.dll", "GetClipCursor", (void *)get_clip_cursor},
    {"user32.dll", "GetCursorInfo", (void *)get_cursor_info},
    {"user32.dll", "GetMessagePos", (void *)get_message_position},
    {"user32.dll", "GetClientRect", (void *)get_client_rect},
    {"user32.dll", "GetWindowRect", (void *)get_window_rect},
    {"user32.dll", "GetSystemMetrics", (void *)get_system_metrics},
    {"user32.dll", "GetMonitorInfoA", (void *)get_monitor_info_a},
    {"user32.dll", "GetMonitorInfoW", (void *)get_monitor_info_w},
    {"user32.dll", "EnumDisplaySettingsA", (void *)enum_settings_a},
    {"user32.dll", "EnumDisplaySettingsW", (void *)enum_settings_w},
    {"user32.dll", "EnumDisplaySettingsExA", (void *)enum_settings_ex_a},
    {"user32.dll", "EnumDisplaySettingsExW", (void *)enum_settings_ex_w},
    {"kernel32.dll", "GetProcAddress", (void *)find_function},
    {"kernel32.dll", "LoadLibraryA", (void *)load_a},
    {"kernel32.dll", "LoadLibraryW", (void *)load_w},
    {"kernel32.dll", "LoadLibraryExA", (void *)load_with_flags_a},
    {"kernel32.dll", "LoadLibraryExW", (void *)load_with_flags_w},
};
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

static void *of_system(unsigned i)
{
    HMODULE module = GetModuleHandleA(functions[i].module);

    return module ? (void *)GetProcAddress(module, functions[i].name) : NULL;
}

static void exchange_functions(bool own)
{
    struct import imports[FUNCTIONS];

    for (unsigned i = 0; i < FUNCTIONS; i++) {
        imports[i].from = own ? of_system(i) : functions[i].own;
        imports[i].to = own ? functions[i].own : of_system(i);
        if (!imports[i].to)
            imports[i].from = NULL;
    }
    imports_exchange(imports, FUNCTIONS);
}

/* The program may keep the function for as long as it runs, so this dll stays loaded. */
static FARPROC give(unsigned i)
{
    HMODULE self;

    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       (const char *)functions, &self);
    return (FARPROC)functions[i].own;
}

static FARPROC WINAPI find_function(HMODULE module, const char *name)
{
    FARPROC found = GetProcAddress(module, name);
    struct shown shown;

    if (!found || !get_shown(&shown))
        return found;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if ((void *)found == of_system(i))
            return give(i);
    return found;
}

/* A dll that the program loads gets the functions, too, and so do those that it brings along. */
static HMODULE loaded(HMODULE module)
{
    DWORD error = GetLastError();
    struct shown shown;

    if (module && get_shown(&shown))
        exchange_functions(true);
    SetLastError(error);
    return module;
}

static HMODULE WINAPI load_a(const char *name)
{
    return loaded(LoadLibraryA(name));
}

static HMODULE WINAPI load_w(const wchar_t *name)
{
    return loaded(LoadLibraryW(name));
}

static HMODULE WINAPI load_with_flags_a(const char *name, HANDLE file, DWORD flags)
{
    return loaded(LoadLibraryExA(name, file, flags));
}

static HMODULE WINAPI load_with_flags_w(const wchar_t *name, HANDLE file, DWORD flags)
{
    return loaded(LoadLibraryExW(name, file, flags));
}

/* --- Begin and end ---------------------------------------------------------------------------- */

/* Sets what is shown, and the hook for its window. */
static void set_shown(const struct shown *shown)
{
    HHOOK before = NULL, made = NULL;
    bool same;

    pthread_mutex_lock(&lock);
    same = current.window == shown->window;
    current = *shown;
    pthread_mutex_unlock(&lock);
    if (same)
        return;
    if (shown->window)
        made = SetWindowsHookExA(WH_GETMESSAGE, map_message, NULL,
                                 GetWindowThreadProcessId(shown->window, NULL));
    pthread_mutex_lock(&lock);
    before = hook;
    hook = made;
    pthread_mutex_unlock(&lock);
    if (before)
        UnhookWindowsHookEx(before);
}

void mouse_map_begin(HWND window, uint32_t width, uint32_t height)
{
    set_shown(&(struct shown){.window = window, .picture = {width, height}});
    exchange_functions(true);
}

void mouse_map_end(HWND window)
{
    struct shown shown;

    if (!get_shown(&shown) || shown.window != window)
        return;
    set_shown(&(struct shown){.window = NULL});
    exchange_functions(false);
}

#endif
