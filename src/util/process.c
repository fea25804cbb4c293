/* Commands in process groups (POSIX) and jobs (Windows).
 *
 * Tested by tests/unit/tool/golden/test_runner.c and tests/tool/other_novem.sh. */
#include "util/process.h"

#include "util/alloc.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t stopped;

bool process_is_stopped(void)
{
    return stopped != 0;
}

#ifdef _WIN32

#include "util/path.h"

#include <windows.h>

unsigned long process_id(void)
{
    return GetCurrentProcessId();
}

enum { ENDED_BY_US = 0x4e6f76 };

static BOOL WINAPI note_event(DWORD event)
{
    (void)event;
    stopped = SIGINT;
    return TRUE;
}

void process_catch_signals(void)
{
    stopped = 0;
    SetConsoleCtrlHandler(note_event, TRUE);
}

void process_release_signals(void)
{
    SetConsoleCtrlHandler(note_event, FALSE);
    if (stopped)
        raise(stopped);
}

static HANDLE open_inherited(const wchar_t *path, DWORD access, DWORD how)
{
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof(inherit), .bInheritHandle = TRUE};

    return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                       &inherit, how, FILE_ATTRIBUTE_NORMAL, NULL);
}

/* A job whose processes end with its handle, and a command in it that has not run yet. */
static bool start_in_job(struct process *out, wchar_t *line, STARTUPINFOW *startup)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    PROCESS_INFORMATION made;

    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    out->group = CreateJobObjectW(NULL, NULL);
    if (!out->group)
        return false;
    SetInformationJobObject(out->group, JobObjectExtendedLimitInformation, &limits, sizeof(limits));
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, startup,
                        &made)) {
        CloseHandle(out->group);
        return false;
    }
    AssignProcessToJobObject(out->group, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    out->id = (intptr_t)made.hProcess;
    return true;
}

/* cmd.exe removes the outer quotes (/s) and runs the rest as it is. Returns NULL: out of memory. */
static wchar_t *shell_line(const char *line)
{
    static const char before[] = "cmd.exe /d /s /c \"";
    size_t n = strlen(line) + sizeof(before) + 2;
    wchar_t *wide = mem_alloc(n * sizeof(*wide));
    char *text = mem_alloc(n);

    if (text && wide) {
        snprintf(text, n, "%s%s\"", before, line);
        path_widen(wide, n, text);
    }
    mem_free(text);
    return text ? wide : (mem_free(wide), NULL);
}

bool process_start(struct process *out, const char *line, const char *log)
{
    STARTUPINFOW startup = {.cb = sizeof(startup), .dwFlags = STARTF_USESTDHANDLES};
    wchar_t *wide = shell_line(line), path[PATH_WIDE];
    bool good = false;

    startup.hStdInput = open_inherited(L"NUL", GENERIC_READ, OPEN_EXISTING);
    startup.hStdOutput = wide && path_wide(path, log)
                             ? open_inherited(path, GENERIC_WRITE, CREATE_ALWAYS)
                             : INVALID_HANDLE_VALUE;
    startup.hStdError = startup.hStdOutput;
    if (startup.hStdOutput != INVALID_HANDLE_VALUE) {
        good = start_in_job(out, wide, &startup);
        CloseHandle(startup.hStdOutput);
    }
    if (startup.hStdInput != INVALID_HANDLE_VALUE)
        CloseHandle(startup.hStdInput);
    mem_free(wide);
    return good;
}

static void close_process(struct process *process)
{
    CloseHandle((HANDLE)process->id);
    CloseHandle(process->group);
    *process = (struct process){0};
}

/* An exception that nothing handled ends a program with its number, such as 0xc0000005. */
static bool is_crash(DWORD code)
{
    return code >= 0xc0000000u;
}

enum process_end process_poll(struct process *process, int *code)
{
    DWORD value = 1;

    if (WaitForSingleObject((HANDLE)process->id, 0) == WAIT_TIMEOUT)
        return PROCESS_RUNS;
    GetExitCodeProcess((HANDLE)process->id, &value);
    close_process(process);
    *code = is_crash(value) ? SIGSEGV : (int)value;
    return is_crash(value) ? PROCESS_SIGNAL : PROCESS_CODE;
}

void process_kill(struct process *process)
{
    if (!process->group)
        return;
    TerminateJobObject(process->group, ENDED_BY_US);
    WaitForSingleObject((HANDLE)process->id, 10000);
    close_process(process);
}

int process_run(const char *line)
{
    STARTUPINFOW startup = {.cb = sizeof(startup)};
    struct process process = {0};
    wchar_t *wide = shell_line(line);
    DWORD code = (DWORD)-1;

    if (wide && start_in_job(&process, wide, &startup)) {
        WaitForSingleObject((HANDLE)process.id, INFINITE);
        GetExitCodeProcess((HANDLE)process.id, &code);
        close_process(&process);
    }
    mem_free(wide);
    return is_crash(code) ? -1 : (int)code;
}

/* Names of files have no quotes on Windows. */
char *process_quote(const char *text)
{
    size_t n = strlen(text) + 3;
    char *out = strchr(text, '"') ? NULL : mem_alloc(n);

    if (out)
        snprintf(out, n, "\"%s\"", text);
    return out;
}

#else

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned long process_id(void)
{
    return (unsigned long)getpid();
}

extern char **environ;

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[sizeof(ends) / sizeof(ends[0])];

static void note_signal(int number)
{
    stopped = number;
}

void process_catch_signals(void)
{
    stopped = 0;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        const struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

        if (!sigaction(ends[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN)
            sigaction(ends[i], &note, NULL);
    }
}

void process_release_signals(void)
{
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        sigaction(ends[i], &before[i], NULL);
    if (stopped)
        raise(stopped);
}

bool process_start(struct process *out, const char *line, const char *log)
{
    char *args[] = {"sh", "-c", (char *)line, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    bool good = false;
    pid_t pid;

    if (posix_spawn_file_actions_init(&files))
        return false;
    if (!posix_spawnattr_init(&attributes)) {
        good =
            !posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0) &&
            !posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666) &&
            !posix_spawn_file_actions_adddup2(&files, 1, 2) &&
            !posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) &&
            !posix_spawnattr_setpgroup(&attributes, 0) &&
            !posix_spawn(&pid, "/bin/sh", &files, &attributes, args, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    *out = (struct process){.id = good ? pid : 0};
    return good;
}

static enum process_end describe(int status, int *code)
{
    bool by_shell = !WIFSIGNALED(status) && WEXITSTATUS(status) > 128;

    *code = WIFSIGNALED(status) ? WTERMSIG(status)
            : by_shell ? WEXITSTATUS(status) - 128 /* the shell reports a signal this way */
                       : WEXITSTATUS(status);
    return WIFSIGNALED(status) || by_shell ? PROCESS_SIGNAL : PROCESS_CODE;
}

enum process_end process_poll(struct process *process, int *code)
{
    int status;

    if (!waitpid((pid_t)process->id, &status, WNOHANG))
        return PROCESS_RUNS;
    process->id = 0;
    return describe(status, code);
}

void process_kill(struct process *process)
{
    int status;

    if (!process->id)
        return;
    kill(-(pid_t)process->id, SIGKILL);
    waitpid((pid_t)process->id, &status, 0);
    process->id = 0;
}

int process_run(const char *line)
{
    int status = system(line);

    return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

char *process_quote(const char *text)
{
    char *quoted = mem_alloc(4 * strlen(text) + 3), *p = quoted;

    if (!quoted)
        return NULL;
    *p++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') {
            memcpy(p, "'\\''", 4);
            p += 4;
        } else {
            *p++ = *text;
        }
    }
    *p++ = '\'';
    *p = '\0';
    return quoted;
}

#endif
