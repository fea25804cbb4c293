/* `novem record`: runs a program and records its Direct3D calls to a capture. */
#include "tool/capture/capture.h"
#include "tool/cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes the path absolute: the program may change its working directory before it creates its first
 * object. */
static bool whole_path(const char *path, char *out, size_t size)
{
    char here[PATH_MAX] = "";

    if (path[0] != '/' && !getcwd(here, sizeof(here) - 1))
        return false;
    if (here[0])
        strcat(here, "/");
    return (size_t)snprintf(out, size, "%s%s", here, path) < size;
}

static int run(char **program, int *status)
{
    pid_t child = fork();

    if (child < 0)
        return errno;
    if (!child) {
        execvp(program[0], program);
        fprintf(stderr, "novem record: %s: %s\n", program[0], strerror(errno));
        _exit(127);
    }
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

static int verdict(const char *path, int status)
{
    if (WIFSIGNALED(status))
        tool_error("record", "signal %d ended the program", WTERMSIG(status));
    if (access(path, R_OK))
        return tool_error("record",
                          "%s was not written: the program created no Direct3D 9 object of Novem",
                          path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : TOOL_ERROR;
}

int tool_record(int argc, char **argv)
{
    const char *file = "novem.trace", *none[1];
    const struct tool_option options[] = {
        {"-o", "FILE", "the capture (default: novem.trace)", OPT_TEXT, &file},
    };
    const struct tool_usage usage = {
        .line = "record [-o FILE] -- PROGRAM [ARGUMENTS]",
        .text = "Runs a program with NOVEM_RECORD set, so that its Direct3D 9 calls become a "
                "capture in\n"
                "apitrace's format. If the program crashes or is killed, the capture holds all "
                "presented\n"
                "frames. The exit code is the program's.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    char path[400]; /* fits into the buffer of a setting */
    int words = 1, code, status = 0, error;

    while (words < argc && strcmp(argv[words], "--"))
        words++;
    code = tool_parse(&usage, words, argv, none);
    if (code >= 0)
        return code;
    if (words + 1 >= argc)
        return tool_error("record", "usage: novem %s", usage.line);
    if (!whole_path(file, path, sizeof(path)))
        return tool_error("record", "%s: the path is too long", file);
    if (unlink(path) && errno != ENOENT)
        return tool_error("record", "%s: %s", path, strerror(errno));
    setenv("NOVEM_RECORD", path, 1);
    error = run(argv + words + 1, &status);
    return error ? tool_error("record", "%s", strerror(error)) : verdict(path, status);
}
