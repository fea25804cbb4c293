/* Functions of Windows Vista that the compiler's thread library imports. These pointers replace the
 * imports: a call loads the function, or does its work with functions of Windows XP. So the dll
 * starts on XP.
 *
 * Tested by tests/windows, which run the dll, and scripts/check_pe.py. */
#ifdef _WIN32
#include <windows.h>

#ifdef __i386__
#define IMPORT(name, bytes) __asm__("__imp__" name "@" bytes)
#else
#define IMPORT(name, bytes) __asm__("__imp_" name)
#endif

/* CREATE_WAITABLE_TIMER_MANUAL_RESET; older headers lack it. */
enum { TIMER_MANUAL_RESET = 1 };

typedef ULONGLONG WINAPI tick_count_fn(void);
typedef HANDLE WINAPI create_timer_fn(LPSECURITY_ATTRIBUTES, LPCWSTR, DWORD, DWORD);

static FARPROC find(const char *name)
{
    return GetProcAddress(GetModuleHandleA("kernel32.dll"), name);
}

/* Milliseconds of the performance counter, which does not wrap around in practice. */
static ULONGLONG WINAPI count_ticks(void)
{
    LARGE_INTEGER count, frequency;

    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (ULONGLONG)(count.QuadPart / frequency.QuadPart * 1000 +
                       count.QuadPart % frequency.QuadPart * 1000 / frequency.QuadPart);
}

static ULONGLONG WINAPI tick_count(void)
{
    static tick_count_fn *volatile known; /* threads that race store the same */
    tick_count_fn *fn = known;

    if (!fn) {
        fn = (tick_count_fn *)(void (*)(void))find("GetTickCount64");
        known = fn = fn ? fn : count_ticks;
    }
    return fn();
}

static HANDLE WINAPI create_timer(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name, DWORD flags,
                                  DWORD access)
{
    create_timer_fn *fn = (create_timer_fn *)(void (*)(void))find("CreateWaitableTimerExW");

    return fn ? fn(attributes, name, flags, access)
              : CreateWaitableTimerW(attributes, flags & TIMER_MANUAL_RESET ? TRUE : FALSE, name);
}

extern tick_count_fn *const import_tick_count IMPORT("GetTickCount64", "0");
extern create_timer_fn *const import_create_timer IMPORT("CreateWaitableTimerExW", "16");
tick_count_fn *const import_tick_count = tick_count;
create_timer_fn *const import_create_timer = create_timer;
#else
typedef int windows_xp_unused; /* other systems need nothing here */
#endif
