/* Keys of the user: reads their names, and asks Windows whether one is down. */
#include "present/file/key.h"

#include "util/log.h"
#include "util/suggestion.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#ifdef _WIN32
#include <windows.h>
#endif

static const struct {
    const char *name;
    int key;
} keys[] = {{"PrintScreen", 0x2c}, {"Pause", 0x13},  {"Insert", 0x2d},   {"Home", 0x24},
            {"End", 0x23},         {"PageUp", 0x21}, {"PageDown", 0x22}, {"ScrollLock", 0x91}};

int key_code(const char *name)
{
    enum { F1 = 0x70 };
    char *end;
    long n;

    for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (!strcasecmp(name, keys[i].name))
            return keys[i].key;
    if (isalnum((unsigned char)name[0]) && !name[1])
        return toupper((unsigned char)name[0]); /* letters and digits are their own key codes */
    if ((name[0] != 'F' && name[0] != 'f') || !isdigit((unsigned char)name[1]))
        return 0;
    n = strtol(name + 1, &end, 10);
    return !*end && n >= 1 && n <= 24 ? F1 + (int)n - 1 : 0;
}

#ifdef _WIN32

static bool is_down(int key, uint64_t window)
{
    HWND root = GetAncestor((HWND)(uintptr_t)window, GA_ROOT);

    return root && root == GetForegroundWindow() && (GetAsyncKeyState(key) & 0x8000);
}

#else

static bool is_down(int key, uint64_t window)
{
    (void)key;
    (void)window;
    return false;
}

#endif

bool key_watch_pressed(struct key_watch *watch, uint64_t window)
{
    bool was = watch->down;

    if (!watch->key || !window)
        return false;
    watch->down = is_down(watch->key, window);
    return watch->down && !was;
}

static void unknown_key(const char *setting, const char *name)
{
    struct suggestion s;

    suggestion_init(&s, name);
    for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        suggestion_offer(&s, keys[i].name);
    log_warn("present", "%s: unknown key '%s'" SUGGESTION_FORMAT, setting, name,
             SUGGESTION_ARGS(s));
}

void key_watch_init(struct key_watch *watch, const char *setting, const char *name)
{
    *watch = (struct key_watch){.key = name ? key_code(name) : 0};
    if (name && !watch->key)
        unknown_key(setting, name);
}
