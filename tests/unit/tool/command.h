/* Test helper for subcommands of `novem`: temporary folder and captured output. */
#ifndef TEST_COMMAND_H
#define TEST_COMMAND_H

#include "check_main.h"
#include "tool/cli/cli.h"
#include "util/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[32];

/* Path in the folder; `path` has 64 bytes. */
static inline void path_in_folder(char *path, const char *name)
{
    snprintf(path, 64, "%s/%s", folder, name);
}

/* Path in the folder in a static buffer that stays valid for three more calls. */
static inline const char *in_folder(const char *name)
{
    static char paths[4][128];
    static unsigned turn;
    char *path = paths[turn++ % 4];

    snprintf(path, 128, "%s/%s", folder, name);
    return path;
}

static inline void open_folder(void)
{
    strcpy(folder, "/tmp/novem-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* Teardown: removes the folder and checks for leaks. */
static inline void close_folder(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static inline void write_text(const char *path, const char *text)
{
    ck_assert_int_eq(tool_file_write(path, text, strlen(text)), ST_OK);
}

/* Runs a command, checks its exit code and returns its stdout and stderr. */
static inline const char *run_command(int (*command)(int, char **), int expected, int argc,
                                      char **argv)
{
    static char printed[1 << 18];
    char path[64];
    uint8_t *bytes;
    size_t n;
    int code, out = dup(1), err = dup(2);

    path_in_folder(path, "printed");
    fflush(stdout);
    ck_assert_ptr_nonnull(freopen(path, "w", stdout));
    dup2(fileno(stdout), 2);
    code = command(argc, argv);
    fflush(stdout);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    ck_assert_int_eq(tool_file_read(path, &bytes, &n), ST_OK);
    snprintf(printed, sizeof(printed), "%s", (const char *)bytes);
    mem_free(bytes);
    ck_assert_msg(code == expected, "exit code %d: %s", code, printed);
    return printed;
}

#endif
