/* Keys of the user: reads their names, and counts how often each went down. */
#include "present/file/key.h"

#include "util/forks.h"
#include "util/log.h"
#include "util/suggestion.h"

#include <ctype.h>
#include <pthread.h>
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

/* --- Presses ---------------------------------------------------------------------------------- */

enum { KEYS = 256 };

/* Shared by all watches: Windows tells only the first who asks that a key was pressed. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool down;
    unsigned presses;
} state[KEYS];

void key_note(int key)
{
    if (key <= 0 || key >= KEYS)
        return;
    pthread_mutex_lock(&lock);
    state[key].presses++;
    pthread_mutex_unlock(&lock);
}

#ifdef _WIN32

/* GetAsyncKeyState: the highest bit says that the key is down, the lowest that it went down since
 * anybody asked. That one alone tells of a key that was pressed and released between two frames.
 * Keys that are held repeat it. */
static void ask(int key)
{
    unsigned now = (unsigned short)GetAsyncKeyState(key);

    state[key].presses += (now & 0x8001) && !state[key].down;
    state[key].down = (now & 0x8000) != 0;
}

static bool is_in_front(uint64_t window)
{
    HWND root = GetAncestor((HWND)(uintptr_t)window, GA_ROOT);

    return root && root == GetForegroundWindow();
}

/* Whether keys go to another program. */
static bool is_elsewhere(void)
{
    DWORD process = 0;

    GetWindowThreadProcessId(GetForegroundWindow(), &process);
    return process != GetCurrentProcessId();
}

#else

static void ask(int key)
{
    (void)key;
}

static bool is_in_front(uint64_t window)
{
    (void)window;
    return true;
}

static bool is_elsewhere(void)
{
    return false;
}

#endif

static unsigned presses_of(int key)
{
    unsigned presses;

    fork_guard(&lock, FORK_OUTER);
    pthread_mutex_lock(&lock);
    ask(key);
    presses = state[key].presses;
    pthread_mutex_unlock(&lock);
    return presses;
}

/* A press that the frame of another window of the program notices first waits for the window in
 * front. */
bool key_watch_pressed(struct key_watch *watch, uint64_t window)
{
    unsigned presses;
    bool front, pressed;

    if (!watch->key)
        return false;
    presses = presses_of(watch->key);
    front = is_in_front(window);
    pressed = front && presses != watch->presses;
    if (front || is_elsewhere())
        watch->presses = presses;
    return pressed;
}

/* --- Settings --------------------------------------------------------------------------------- */

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
    if (watch->key)
        watch->presses = presses_of(watch->key); /* earlier ones were not meant for the program */
    if (name && !watch->key)
        unknown_key(setting, name);
}
