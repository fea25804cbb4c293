/* Places of log lines. A file is opened for its first line, takes each line with one write, and
 * moves to FILE.1 and FILE.2 when it is long. Several processes may append to one file.
 *
 * Tested by tests/unit/util/test_log_place.c and tests/windows/test_paths.c. */
#include "util/log_place.h"

#include "util/clock.h"
#include "util/output_file.h"
#include "util/path.h"
#include "util/process.h"
#include "util/version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/file.h>
#endif

/* A line that is longer than a file's limit is none: log.c cuts lines. */
enum { FILE_BYTES = 256 << 10, OLD_FILES = 2, KEPT_BYTES = 8 << 10, ENTRY_BYTES = 2200 };

enum place {
    UNKNOWN,  /* the settings have not been read: stderr, and kept for a file */
    USUAL,    /* stderr, an attached debugger, and the file if there is one */
    STDERR,   /* this place alone; so below */
    DEBUGGER, /* of Windows */
    NAMED,    /* a file that the user named */
    OFF
};

static enum place current;
static char file_path[OUTPUT_PATH_BYTES]; /* empty: the log has no file */
static bool file_failed;
static uint64_t started;      /* time of the first line */
static char kept[KEPT_BYTES]; /* entries that wait for the file to be opened */
static size_t kept_bytes;
static bool kept_severe; /* one of them demands the file */

/* --- The file of this system ------------------------------------------------------------------ */

#ifdef _WIN32

static HANDLE file = INVALID_HANDLE_VALUE;

static bool is_open(void)
{
    return file != INVALID_HANDLE_VALUE;
}

/* Without the right to write elsewhere, each write appends. */
static bool open_file(void)
{
    wchar_t wide[PATH_WIDE];

    if (path_wide(wide, file_path))
        file = CreateFileW(wide, FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE,
                           FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                           OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    return is_open();
}

static void close_file(void)
{
    CloseHandle(file);
    file = INVALID_HANDLE_VALUE;
}

static uint64_t file_bytes(void)
{
    LARGE_INTEGER size;

    return GetFileSizeEx(file, &size) ? (uint64_t)size.QuadPart : 0;
}

static bool may_move(void)
{
    return true;
}

static bool write_file(const char *bytes, size_t n)
{
    DWORD wrote;

    return WriteFile(file, bytes, (DWORD)n, &wrote, NULL) && wrote == n;
}

static const char *reason(char *out, size_t size)
{
    snprintf(out, size, "Windows error %lu", GetLastError());
    return out;
}

static bool has_debugger(void)
{
    return IsDebuggerPresent();
}

static void tell_debugger(const char *line)
{
    wchar_t wide[PATH_WIDE];

    path_widen(wide, PATH_WIDE - 1, line);
    wcscat(wide, L"\n");
    OutputDebugStringW(wide);
}

static void describe_now(char *out, size_t size)
{
    SYSTEMTIME t;

    GetLocalTime(&t);
    snprintf(out, size, "%04u-%02u-%02u %02u:%02u:%02u", t.wYear, t.wMonth, t.wDay, t.wHour,
             t.wMinute, t.wSecond);
}

#else

static int file = -1;

static bool is_open(void)
{
    return file >= 0;
}

/* A pipe whose reader ends would end the program, so a pipe is refused. */
static bool open_file(void)
{
    struct stat about;

    file = output_file_above(
        open(file_path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666));
    if (file >= 0 && !fstat(file, &about) && !S_ISREG(about.st_mode) && !S_ISCHR(about.st_mode)) {
        close(file);
        file = -1;
        errno = EINVAL;
    }
    return file >= 0;
}

static void close_file(void)
{
    close(file);
    file = -1;
}

static uint64_t file_bytes(void)
{
    struct stat about;

    return !fstat(file, &about) && S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
}

/* Of two processes that find the file long, one moves it. */
static bool may_move(void)
{
    struct stat own, named;

    return !flock(file, LOCK_EX | LOCK_NB) && !fstat(file, &own) && !stat(file_path, &named) &&
           own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

static bool write_file(const char *bytes, size_t n)
{
    ssize_t wrote = write(file, bytes, n);

    if (wrote >= 0 && (size_t)wrote != n)
        errno = ENOSPC;
    return wrote == (ssize_t)n;
}

static const char *reason(char *out, size_t size)
{
    snprintf(out, size, "%s", strerror(errno));
    return out;
}

static bool has_debugger(void)
{
    return false;
}

static void tell_debugger(const char *line)
{
    fprintf(stderr, "%s\n", line); /* other systems have no such place */
}

static void describe_now(char *out, size_t size)
{
    time_t now = time(NULL);
    struct tm t;

    if (!localtime_r(&now, &t) || !strftime(out, size, "%Y-%m-%d %H:%M:%S", &t))
        snprintf(out, size, "?");
}

#endif

/* --- Opening and moving ----------------------------------------------------------------------- */

/* A program's own file fails in silence: its folder may be one that only an administrator writes.
 * A file that the user named leaves its lines to stderr. */
static void give_up(const char *what)
{
    char why[128];

    if (current == NAMED)
        fprintf(stderr, "novem: util: %s: the log %s: %s\n", file_path, what,
                reason(why, sizeof(why)));
    if (is_open())
        close_file();
    file_failed = true;
    kept_bytes = 0;
}

static bool old_name(char out[OUTPUT_PATH_BYTES], unsigned n)
{
    return snprintf(out, OUTPUT_PATH_BYTES, n ? "%s.%u" : "%s", file_path, n) < OUTPUT_PATH_BYTES;
}

/* FILE.1 becomes FILE.2, FILE becomes FILE.1. */
static bool move_files(void)
{
    char from[OUTPUT_PATH_BYTES], to[OUTPUT_PATH_BYTES];
    bool good = false;

    for (unsigned n = OLD_FILES; n; n--)
        good = old_name(from, n - 1) && old_name(to, n) && path_rename(from, to);
    return good;
}

/* Makes room for a line. Another process may have moved the file: this one then finds the new file
 * short. While a file cannot be moved, it grows to a multiple of its size. */
static bool open_short(void)
{
    enum { MOST_FILES = 4 };
    bool moved;

    if (!is_open() && !open_file())
        return false;
    if (file_bytes() < FILE_BYTES)
        return true;
    close_file();
    if (!open_file())
        return false;
    if (file_bytes() < FILE_BYTES)
        return true;
    moved = may_move() && move_files();
    if (!moved)
        return file_bytes() < MOST_FILES * FILE_BYTES;
    close_file();
    return open_file();
}

static void begin_file(void)
{
    char program[PATH_TEXT_BYTES], now[32], text[PATH_TEXT_BYTES + 128];
    int n;

    if (!open_short()) {
        give_up("cannot be opened");
        return;
    }
    path_of_program(program, sizeof(program));
    describe_now(now, sizeof(now));
    n = snprintf(text, sizeof(text), "--- %s  %s, process %lu, Novem %s ---\n", now, program,
                 process_id(), version_text());
    if (!write_file(text, (size_t)n) || !write_file(kept, kept_bytes))
        give_up("cannot be written");
    kept_bytes = 0;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* "   12.345 warn  api: text" */
static size_t make_entry(char out[ENTRY_BYTES], enum log_level level, const char *line)
{
    static const char *const names[] = {"none", "error", "warn", "info", "debug"};
    uint64_t now = clock_now(), ms;
    const char *text = !strncmp(line, "novem: ", 7) ? line + 7 : line;
    int n;

    started = started ? started : now;
    ms = (now - started) / (CLOCK_SECOND / 1000);
    n = snprintf(out, ENTRY_BYTES - 1, "%5u.%03u %-5s %s", (unsigned)(ms / 1000),
                 (unsigned)(ms % 1000), names[level], text);
    n = n < ENTRY_BYTES - 1 ? n : ENTRY_BYTES - 2;
    out[n] = '\n';
    return (size_t)n + 1;
}

static void to_file(enum log_level level, const char *line, bool severe)
{
    char entry[ENTRY_BYTES];
    size_t n;

    if (file_failed)
        return;
    n = make_entry(entry, level, line);
    if (!is_open() && kept_bytes + n <= KEPT_BYTES) {
        memcpy(kept + kept_bytes, entry, n);
        kept_bytes += n;
        n = 0;
    }
    kept_severe |= severe;
    if (!file_path[0] || !kept_severe)
        return;
    if (!is_open())
        begin_file();
    else if (!open_short())
        give_up("cannot be opened");
    if (is_open() && n && !write_file(entry, n))
        give_up("cannot be written");
}

void log_place_context(enum log_level level, const char *line)
{
    if (current == UNKNOWN || current == NAMED || (current == USUAL && file_path[0]))
        to_file(level, line, current == NAMED);
}

void log_place_line(enum log_level level, const char *line)
{
    if (current == UNKNOWN || current == NAMED || (current == USUAL && file_path[0]))
        to_file(level, line, true);
    if (current == UNKNOWN || current == USUAL || current == STDERR ||
        (current == NAMED && file_failed))
        fprintf(stderr, "%s\n", line);
    if (current == DEBUGGER ||
        (current != OFF && current != STDERR && current != NAMED && has_debugger()))
        tell_debugger(line);
}

/* --- Choice ----------------------------------------------------------------------------------- */

static enum place find_place(const char *text)
{
    return !text || !*text                 ? USUAL
           : !strcasecmp(text, "stderr")   ? STDERR
           : !strcasecmp(text, "debugger") ? DEBUGGER
           : !strcasecmp(text, "off")      ? OFF
                                           : NAMED;
}

void log_place_set(const char *place, const char *beside)
{
    const char *path;

    if (is_open())
        close_file();
    current = find_place(place);
    path = current == NAMED ? place : current == USUAL && beside ? beside : "";
    file_failed = snprintf(file_path, sizeof(file_path), "%s", path) >= (int)sizeof(file_path);
    if (!file_path[0])
        kept_bytes = 0;
    if (file_path[0] && !file_failed && kept_severe && kept_bytes)
        begin_file();
    kept_severe &= file_path[0] != '\0';
}
