/* Tests of files whose names the system's code page lacks, and of novem.log. This program copies
 * itself and d3d9.dll into a folder, and runs the copy as a program with windows or a console. */
#include "show.h"

#include <stdio.h>
#include <string.h>

#define FOLDER L"\u65e5\u672c\u8a9e \u00e9\u00df \u03a9"
#define PROGRAM FOLDER L"\\\u30b2\u30fc\u30e0.exe"
#define PROGRAM_UTF8 "\u65e5\u672c\u8a9e \u00e9\u00df \u03a9\\\u30b2\u30fc\u30e0.exe"
#define LOG FOLDER L"\\novem.log"

enum {
    CONSOLE = IMAGE_SUBSYSTEM_WINDOWS_CUI,
    WINDOWS = IMAGE_SUBSYSTEM_WINDOWS_GUI,
    FILE_BYTES = 256 << 10
};

/* --- The program in the folder ---------------------------------------------------------------- */

/* The system may tell of a key some frames late. */
static void press(HWND window, IDirect3DDevice9Ex *device, BYTE key)
{
    SetForegroundWindow(window);
    keybd_event(key, 0, 0, 0);
    show_frames(device, 0xff4080c0);
    keybd_event(key, 0, KEYEVENTF_KEYUP, 0);
    pump();
}

/* "quiet" does nothing wrong; "loud" makes a call that fails. */
static int be_program(const char *how)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_IMMEDIATE);
    IDirect3DTexture9 *texture;

    for (int i = 0; i < 3; i++)
        show_colour(device, 0xff4080c0);
    if (!strcmp(how, "loud"))
        ck_assert_int_eq(IDirect3DDevice9Ex_CreateTexture(device, 0, 0, 1, 0, D3DFMT_DXT1,
                                                          D3DPOOL_DEFAULT, &texture, NULL),
                         D3DERR_INVALIDCALL);
    if (GetEnvironmentVariableW(L"NOVEM_SCREENSHOT_KEY", NULL, 0))
        press(window, device, VK_F11);
    IDirect3DDevice9Ex_Release(device);
    return 0;
}

/* --- Files ------------------------------------------------------------------------------------ */

static char bytes[4 << 20];

/* Returns the length; -1: there is no such file. The text in `bytes` ends with a zero. */
static int load(const wchar_t *path)
{
    FILE *file = _wfopen(path, L"rb");
    int n = -1;

    if (file) {
        n = (int)fread(bytes, 1, sizeof(bytes) - 1, file);
        fclose(file);
    }
    bytes[n < 0 ? 0 : n] = '\0';
    return n;
}

static void store(const wchar_t *path, const void *from, size_t n)
{
    FILE *file = _wfopen(path, L"wb");

    ck_assert(file);
    ck_assert_uint_eq(fwrite(from, 1, n, file), n);
    fclose(file);
}

static bool exists(const wchar_t *path)
{
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

static void copy_program(WORD subsystem)
{
    wchar_t path[MAX_PATH];
    IMAGE_DOS_HEADER *dos = (void *)bytes;
    IMAGE_NT_HEADERS *nt;
    int n;

    GetModuleFileNameW(NULL, path, MAX_PATH);
    n = load(path);
    ck_assert_int_gt(n, 4096);
    nt = (void *)(bytes + dos->e_lfanew);
    nt->OptionalHeader.Subsystem = subsystem;
    store(PROGRAM, bytes, (size_t)n);
}

static void run(const char *how)
{
    STARTUPINFOW start = {.cb = sizeof(start)};
    PROCESS_INFORMATION process;
    wchar_t command[64];
    DWORD code = 1;

    swprintf(command, 64, L"program %hs", how);
    ck_assert(
        CreateProcessW(PROGRAM, command, NULL, NULL, FALSE, 0, NULL, FOLDER, &start, &process));
    ck_assert(WaitForSingleObject(process.hProcess, 60000) == WAIT_OBJECT_0);
    ck_assert(GetExitCodeProcess(process.hProcess, &code));
    ck_assert_uint_eq(code, 0);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
}

static void configure(const char *text)
{
    store(FOLDER L"\\novem.conf", text, strlen(text));
}

static void setup(void)
{
    if (exists(FOLDER))
        return;
    ck_assert(CreateDirectoryW(FOLDER, NULL));
    ck_assert(CopyFileW(L"d3d9.dll", FOLDER L"\\d3d9.dll", FALSE));
}

/* --- Names ------------------------------------------------------------------------------------ */

/* Settings of novem.conf beside the program, each with a name of its own. */
START_TEST(names_in_settings)
{
    copy_program(WINDOWS);
    CreateDirectoryW(FOLDER L"\\\u753b\u9762", NULL);
    CreateDirectoryW(FOLDER L"\\\u00fc", NULL);
    CreateDirectoryW(FOLDER L"\\\u5199\u771f", NULL);
    configure(
        "SINK = png:\u753b\u9762,y4m:\u52d5\u753b.y4m,raw:\u00fc\\\u03a9.raw,shm:.\\\u5171\u6709\n"
        "SINK_QUEUE = 0\n"
        "CAPTURE_FRAME = 1\n"
        "CAPTURE_DIR = \u00fc\n");
    SetEnvironmentVariableW(L"NOVEM_SCREENSHOT_KEY", L"F11");
    SetEnvironmentVariableW(L"NOVEM_SCREENSHOT_DIR", L"\u5199\u771f");
    run("quiet");
    SetEnvironmentVariableW(L"NOVEM_SCREENSHOT_KEY", NULL);
    SetEnvironmentVariableW(L"NOVEM_SCREENSHOT_DIR", NULL);
    ck_assert_int_gt(load(FOLDER L"\\\u753b\u9762\\frame-00002.png"), 100);
    ck_assert(!memcmp(bytes, "\x89PNG", 4));
    ck_assert_int_gt(load(FOLDER L"\\\u52d5\u753b.y4m"), 3 * SHOW_WIDTH * SHOW_HEIGHT);
    ck_assert(!memcmp(bytes, "YUV4MPEG2 W640 H480", 19));
    ck_assert_int_gt(load(FOLDER L"\\\u00fc\\\u03a9.raw"), 3 * SHOW_WIDTH * SHOW_HEIGHT);
    ck_assert_int_gt(load(FOLDER L"\\\u00fc\\capture-0001.trace"), 100);
    ck_assert_int_gt(load(FOLDER L"\\\u5199\u771f\\screenshot-0001.png"), 100);
    ck_assert(!exists(FOLDER L"\\\u5171\u6709")); /* removed at the end */
    ck_assert_int_gt(load(LOG), 100);             /* what was saved */
    ck_assert(strstr(bytes, "\u5199\u771f/screenshot-0001.png"));
    ck_assert(strstr(bytes, "\u00fc/capture-0001.trace"));
    ck_assert(DeleteFileW(LOG));
}
END_TEST

/* Names in the environment, and names that are longer than 260 characters. */
START_TEST(names_in_the_environment)
{
    wchar_t path[1024], start[MAX_PATH], full[1024];
    size_t n;

    configure("SINK = none\n");
    GetCurrentDirectoryW(MAX_PATH, start);
    swprintf(path, 1024, L"\\\\?\\%ls\\%ls\\", start, FOLDER);
    for (unsigned depth = 0; depth < 4; depth++) {
        n = wcslen(path);
        for (unsigned i = 0; i < 80; i++)
            path[n++] = L'a' + depth;
        path[n] = L'\0';
        ck_assert(CreateDirectoryW(path, NULL));
        wcscat(path, L"\\");
    }
    swprintf(full, 1024, L"%ls\u8a18\u9332.txt", path);
    SetEnvironmentVariableW(L"NOVEM_LOG_FILE", full + 4);
    SetEnvironmentVariableW(L"NOVEM_RECORD", L"\u8a18\u9332.trace");
    run("quiet");
    SetEnvironmentVariableW(L"NOVEM_RECORD", NULL);
    SetEnvironmentVariableW(L"NOVEM_LOG_FILE", NULL);
    ck_assert_int_gt(load(FOLDER L"\\\u8a18\u9332.trace"), 100);
    ck_assert_int_gt(load(full), 100);
    ck_assert(strstr(bytes, "device of Novem "));
    ck_assert(!exists(LOG));
}
END_TEST

/* --- novem.log -------------------------------------------------------------------------------- */

START_TEST(a_quiet_program_leaves_no_log)
{
    configure("SINK = none\n");
    run("quiet");
    ck_assert(!exists(LOG));
}
END_TEST

/* It begins with what explains the warning, and moves when it is long. */
START_TEST(a_log_beside_the_program)
{
    configure("# \u8a2d\u5b9a\nMUL_ZERO = ieee\nSINK = none\n");
    run("loud");
    ck_assert_int_gt(load(LOG), 100);
    ck_assert(strstr(bytes, PROGRAM_UTF8 ", process "));
    ck_assert(strstr(bytes, " info  api: device of Novem "));
    ck_assert(strstr(bytes, "; MUL_ZERO=ieee; settings of "));
    ck_assert(strstr(bytes, "novem.conf\n"));
    ck_assert(strstr(bytes, " warn  api: CreateTexture DXT1 failed (D3DERR_INVALIDCALL)"));
    ck_assert(!exists(LOG L".1"));
    store(LOG, memset(bytes, 'x', FILE_BYTES), FILE_BYTES);
    run("loud");
    ck_assert_int_eq(load(LOG L".1"), FILE_BYTES);
    ck_assert(load(LOG) > 100 && strstr(bytes, "CreateTexture DXT1 failed"));
}
END_TEST

/* A folder has the name: the log cannot be opened, and the program runs on. */
START_TEST(no_log_where_none_can_be)
{
    DeleteFileW(LOG);
    DeleteFileW(LOG L".1");
    ck_assert(CreateDirectoryW(LOG, NULL));
    run("loud");
    ck_assert(RemoveDirectoryW(LOG));
    ck_assert(!exists(LOG L".1"));
}
END_TEST

START_TEST(no_log_beside_a_console_program)
{
    copy_program(CONSOLE);
    run("loud");
    ck_assert(!exists(LOG));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows paths");
    TCase *tc = tcase_create("paths");

    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, names_in_settings);
    tcase_add_test(tc, names_in_the_environment);
    tcase_add_test(tc, a_quiet_program_leaves_no_log);
    tcase_add_test(tc, a_log_beside_the_program);
    tcase_add_test(tc, no_log_where_none_can_be);
    tcase_add_test(tc, no_log_beside_a_console_program);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    SRunner *runner;

    if (argc > 1)
        return be_program(argv[1]);
    if (!exists(L"d3d9.dll")) {
        printf("100%%: Checks: 0, Failures: 0, Errors: 0 (Wine's own d3d9)\n");
        return 0;
    }
    runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    srunner_free(runner);
    return 0;
}
