/* Maps positions of the mouse between a window and the picture in it.
 * Tested by tests/windows/test_mouse.c. */
#ifdef _WIN32

#include "api/window/mouse.h"

#include "api/config/config.h"
#include "present/present.h"

#include <tlhelp32.h>

#include <pthread.h>
#include <string.h>
#include <wchar.h>

/* --- Positions -------------------------------------------------------------------------------- */

/* window: NULL: nothing is mapped. */
struct map {
    HWND window;
    RECT area; /* on the screen */
    uint32_t picture[2];
    enum present_scaling scaling;
};

static struct map current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the map */

static bool get_map(struct map *out)
{
    pthread_mutex_lock(&lock);
    *out = current;
    pthread_mutex_unlock(&lock);
    return out->window != NULL;
}

static void area_size(const struct map *map, uint32_t out[2])
{
    out[0] = (uint32_t)(map->area.right - map->area.left);
    out[1] = (uint32_t)(map->area.bottom - map->area.top);
}

/* Between positions relative to the area and pixels of the picture. */
static POINT to_picture(const struct map *map, POINT at)
{
    int32_t position[2] = {at.x, at.y};
    uint32_t size[2];

    area_size(map, size);
    present_to_picture(map->scaling, map->picture, size, position);
    return (POINT){position[0], position[1]};
}

static POINT from_picture(const struct map *map, POINT at)
{
    int32_t position[2] = {at.x, at.y};
    uint32_t size[2];

    area_size(map, size);
    present_from_picture(map->scaling, map->picture, size, position);
    return (POINT){position[0], position[1]};
}

/* The same on the screen, where the picture has its corner in that of the area. Positions on other
 * monitors stay. */
static POINT to_program(const struct map *map, POINT at)
{
    POINT inside = {at.x - map->area.left, at.y - map->area.top};

    if (!PtInRect(&map->area, at))
        return at;
    inside = to_picture(map, inside);
    return (POINT){inside.x + map->area.left, inside.y + map->area.top};
}

static POINT to_screen(const struct map *map, POINT at)
{
    POINT inside = {at.x - map->area.left, at.y - map->area.top};

    if (inside.x < 0 || inside.y < 0 || (uint32_t)inside.x >= map->picture[0] ||
        (uint32_t)inside.y >= map->picture[1])
        return at;
    inside = from_picture(map, inside);
    return (POINT){inside.x + map->area.left, inside.y + map->area.top};
}

/* Right and bottom edges of a rectangle lie behind its last pixel. */
static RECT rect_by(const struct map *map, const RECT *rect,
                    POINT one(const struct map *map, POINT at))
{
    POINT first = one(map, (POINT){rect->left, rect->top});
    POINT last = one(map, (POINT){rect->right - 1, rect->bottom - 1});

    return (RECT){first.x, first.y, last.x + 1, last.y + 1};
}

bool mouse_map_message(HWND window, UINT message, POINT *at)
{
    bool on_screen = message == WM_MOUSEWHEEL || message == WM_MOUSEHWHEEL;
    struct map map;

    if (message < WM_MOUSEFIRST || message > WM_MOUSEHWHEEL || !get_map(&map) ||
        map.window != window)
        return false;
    *at = on_screen ? to_program(&map, *at) : to_picture(&map, *at);
    return true;
}

/* --- Functions for the program ---------------------------------------------------------------- */

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

/* --- Import tables ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void *own;
} functions[] = {
    {"GetCursorPos", (void *)get_cursor_position},
    {"SetCursorPos", (void *)set_cursor_position},
    {"ClipCursor", (void *)clip_cursor},
    {"GetClipCursor", (void *)get_clip_cursor},
};
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

/* What import tables have, and get. */
struct exchange {
    void *from[FUNCTIONS], *to[FUNCTIONS];
};

static void exchange_one(void **place, const struct exchange *exchange)
{
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        DWORD before;

        if (*place != exchange->from[i] || !*place ||
            !VirtualProtect(place, sizeof(*place), PAGE_READWRITE, &before))
            continue;
        *place = exchange->to[i];
        VirtualProtect(place, sizeof(*place), before, &before);
        return;
    }
}

/* Exchanges the functions in the tables of user32.dll of a module. */
static void exchange_imports(uint8_t *module, const struct exchange *exchange)
{
    const IMAGE_DOS_HEADER *dos = (const void *)module;
    const IMAGE_NT_HEADERS *nt = (const void *)(module + dos->e_lfanew);
    const IMAGE_DATA_DIRECTORY *where;
    const IMAGE_IMPORT_DESCRIPTOR *import;

    if (dos->e_magic != IMAGE_DOS_SIGNATURE || nt->Signature != IMAGE_NT_SIGNATURE)
        return;
    where = &nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    if (!where->VirtualAddress)
        return;
    import = (const void *)(module + where->VirtualAddress);
    for (; import->Name; import++)
        if (!_stricmp((const char *)module + import->Name, "user32.dll"))
            for (void **at = (void **)(void *)(module + import->FirstThunk); *at; at++)
                exchange_one(at, exchange);
}

/* Whether a module is of the system, or is ours. */
static bool stays(const MODULEENTRY32W *module)
{
    MEMORY_BASIC_INFORMATION own;
    wchar_t windows[MAX_PATH];
    UINT n = GetWindowsDirectoryW(windows, MAX_PATH);

    return (VirtualQuery((const void *)exchange_imports, &own, sizeof(own)) &&
            own.AllocationBase == module->modBaseAddr) ||
           (n && n < MAX_PATH && !_wcsnicmp(module->szExePath, windows, n) &&
            module->szExePath[n] == L'\\');
}

/* Calls of a module that is being unloaded meanwhile are the risk of all who change its imports. */
static void exchange_functions(bool own)
{
    MODULEENTRY32W module = {.dwSize = sizeof(module)};
    HMODULE user32 = GetModuleHandleA("user32.dll");
    struct exchange exchange;
    HANDLE modules;

    for (unsigned i = 0; i < FUNCTIONS; i++) {
        void *known = user32 ? (void *)GetProcAddress(user32, functions[i].name) : NULL;

        exchange.from[i] = own ? known : functions[i].own;
        exchange.to[i] = own ? functions[i].own : known;
    }
    modules = user32 ? CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, 0) : INVALID_HANDLE_VALUE;
    if (modules == INVALID_HANDLE_VALUE)
        return;
    for (BOOL more = Module32FirstW(modules, &module); more; more = Module32NextW(modules, &module))
        if (!stays(&module))
            exchange_imports(module.modBaseAddr, &exchange);
    CloseHandle(modules);
}

/* --- Begin and end ---------------------------------------------------------------------------- */

void mouse_map_begin(HWND window, const RECT *area, uint32_t width, uint32_t height)
{
    struct map map = {.window = window,
                      .area = *area,
                      .picture = {width, height},
                      .scaling = (enum present_scaling)api_config_choice(CONFIG_SCALING)};
    uint32_t size[2];

    area_size(&map, size);
    if (!size[0] || !size[1] || (size[0] == width && size[1] == height)) {
        mouse_map_end(window);
        return;
    }
    pthread_mutex_lock(&lock);
    current = map;
    pthread_mutex_unlock(&lock);
    exchange_functions(true);
}

void mouse_map_end(HWND window)
{
    bool ends;

    pthread_mutex_lock(&lock);
    ends = current.window && current.window == window;
    if (ends)
        current.window = NULL;
    pthread_mutex_unlock(&lock);
    if (ends)
        exchange_functions(false);
}

#endif
