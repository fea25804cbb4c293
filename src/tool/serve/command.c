/* `novem inspect`: serves the page of a captured frame on 127.0.0.1 and opens it in the browser.
 *
 * Tested by tests/unit/tool/serve/test_command.c. */
#include "tool/serve/serve.h"

#include "tool/cli/cli.h"
#include "tool/frame/candidate.h"
#include "tool/page/frame_page.h"
#include "tool/serve/app.h"
#include "tool/serve/work.h"
#include "trace/trace.h"
#include "util/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Bounds, which docs/inspect-server.md lists. */
enum { SESSIONS = 6, SECONDS = 120 };
static const size_t cache_most = (size_t)64 << 20, pictures_most = (size_t)512 << 20,
                    answer_most = (size_t)128 << 20, memory_most = (size_t)2 << 30;

struct inspector {
    const char *command, *file, *candidate;
    unsigned frame, port;
    bool no_browser;
    char folder[PATH_MAX];
    struct serve_work work;
    struct serve_app app;
    struct http_server *server;
    pid_t browser;
};

/* --- The page --------------------------------------------------------------------------------- */

static const char *page_title;

/* Copies the page, with the nonce in each element that opens a style or script. */
static char *add_nonce(const char *page, const char *nonce, size_t *n)
{
    static const char *const elements[] = {"<script>", "<style>"};
    size_t count = 0, size = strlen(page) + 1;
    char *out, *to;

    for (unsigned e = 0; e < 2; e++)
        for (const char *at = page; (at = strstr(at, elements[e])); at++)
            count++;
    out = to = mem_alloc(size + count * (HTTP_SECRET + sizeof(" nonce=\"\"")));
    if (!out)
        return NULL;
    while (*page) {
        for (unsigned e = 0; e < 2; e++) {
            size_t length = strlen(elements[e]);

            if (strncmp(page, elements[e], length))
                continue;
            to += sprintf(to, "%.*s nonce=\"%s\"", (int)length - 1, page, nonce);
            page += length - 1;
        }
        *to++ = *page++;
    }
    *to = 0;
    *n = (size_t)(to - out);
    return out;
}

static char *make_page(const char *nonce, size_t *n)
{
    char *text = NULL, *page = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);

    if (!file)
        return NULL;
    frame_page_write(file, true, page_title);
    if (!fclose(file))
        page = add_nonce(text, nonce, n);
    free(text); /* allocated by open_memstream */
    return page;
}

/* --- Parts ------------------------------------------------------------------------------------ */

/* A folder for pictures that only this user can read. */
static int make_folder(struct inspector *in)
{
    const char *temporary = getenv("TMPDIR");
    char images[PATH_MAX + 8];

    snprintf(in->folder, sizeof(in->folder), "%s/novem-inspect-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(in->folder)) {
        int error = errno;
        char path[PATH_MAX];

        snprintf(path, sizeof(path), "%s", in->folder);
        *in->folder = 0;
        return tool_error(in->command, "%s: %s", path, strerror(error));
    }
    snprintf(images, sizeof(images), "%s/images", in->folder);
    if (mkdir(images, 0700))
        return tool_error(in->command, "%s: %s", images, strerror(errno));
    return TOOL_OK;
}

/* Forks the processes, while this one has one thread. */
static int start_processes(struct inspector *in)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const struct session_work work = {&in->work, serve_work_go_to, serve_work_answer};
    const struct session_limits limits = {.sessions = SESSIONS,
                                          .answers = cores < 2 ? 2 : (unsigned)cores,
                                          .seconds = SECONDS,
                                          .answer_bytes = answer_most,
                                          .memory = memory_most};
    enum status st;

    in->work = (struct serve_work){in->command, in->file, in->folder, in->candidate, NULL};
    st = sessions_start(&in->app.sessions, &work, &limits);
    if (st != ST_OK)
        return st == ST_INVALID ? TOOL_ERROR : tool_error(in->command, "%s", status_text(st));
    st = frame_index_start(&in->app.index, in->file);
    if (st == ST_OK)
        st = cache_create(&in->app.cache, cache_most);
    if (st == ST_OK)
        st = pictures_create(&in->app.pictures, in->folder, pictures_most);
    if (st == ST_OK)
        st = serve_edits_create(&in->app.edits, in->folder);
    return st == ST_OK ? TOOL_OK : tool_error(in->command, "%s", status_text(st));
}

static int start_server(struct inspector *in)
{
    const struct http_options options = {
        .port = in->port, .ctx = &in->app, .post = "edit", .answer = serve_answer};
    const char *reason;

    in->app.folder = in->folder;
    in->app.file = in->file;
    in->app.frame = in->frame;
    in->app.page = make_page;
    page_title = in->file;
    if (http_start(&in->server, &options, &reason) == ST_OK)
        return TOOL_OK;
    if (in->port)
        return tool_error(in->command, "port %u: %s", in->port, reason);
    return tool_error(in->command, "%s", reason);
}

static void open_browser(struct inspector *in)
{
    const char *const words[] = {"xdg-open", http_address(in->server), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (posix_spawnp(&in->browser, words[0], &actions, &attributes, (char *const *)(uintptr_t)words,
                     environ))
        in->browser = 0;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
}

static void remove_folder(const struct inspector *in)
{
    pid_t pid;
    const char *const words[] = {"rm", "-rf", "--", in->folder, NULL};

    if (*in->folder &&
        !posix_spawnp(&pid, words[0], NULL, NULL, (char *const *)(uintptr_t)words, environ))
        (void)waitpid(pid, NULL, 0);
}

/* --- The command ------------------------------------------------------------------------------ */

/* Waits for the end by a signal, which all threads leave to this one. */
static void wait_for_end(const sigset_t *ends)
{
    int number;

    (void)sigwait(ends, &number);
}

static int serve(struct inspector *in)
{
    sigset_t ends;
    int code = start_processes(in);

    if (code != TOOL_OK)
        return code;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    code = start_server(in);
    if (code != TOOL_OK)
        return code;
    printf("%s\n", http_address(in->server));
    fflush(stdout);
    if (!in->no_browser)
        open_browser(in);
    wait_for_end(&ends);
    return TOOL_OK;
}

static int run(struct inspector *in)
{
    struct trace_reader *reader;
    struct trace_error error;
    int code;

    /* What is no capture is said at once. */
    if (trace_open(&reader, in->file, &error) != ST_OK)
        return tool_error(in->command, "%s: %s", in->file, error.text);
    trace_close(reader);
    signal(SIGPIPE, SIG_IGN);
    code = make_folder(in);
    if (code == TOOL_OK)
        code = serve(in);
    http_stop(in->server);
    frame_index_stop(in->app.index);
    sessions_stop(in->app.sessions);
    cache_destroy(in->app.cache);
    pictures_destroy(in->app.pictures);
    serve_edits_destroy(in->app.edits);
    remove_folder(in);
    return code;
}

int tool_inspect(int argc, char **argv)
{
    struct inspector in = {.command = argv[0]};
    const struct tool_option options[] = {
        {"--frame", "F", "the first frame to show, counted from 0 (default: 0)", OPT_UINT,
         &in.frame},
        {"--port", "N", "listen on this port (default: any free one)", OPT_UINT, &in.port},
        {"--candidate", "CMD",
         "compare with the pictures that this command writes to {out} after the draws {calls} of "
         "{capture}",
         OPT_TEXT, &in.candidate},
        {"--no-browser", NULL, "only print the address", OPT_FLAG, &in.no_browser},
    };
    const struct tool_usage usage = {
        "inspect CAPTURE [--frame F]",
        "Shows the frames of a capture in a browser: draws, pictures before and after each,\n"
        "states, shaders, meshes, resources, and the history of a pixel that is clicked. The\n"
        "server listens on this machine alone, at an address with a random token, which it\n"
        "prints. It ends by Ctrl+C.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &in.file);

    if (code >= 0)
        return code;
    if (in.port > 65535)
        return tool_error(in.command, "--port %u: the last port is 65535", in.port);
    if (in.candidate && !frame_candidate_is_command(in.candidate))
        return tool_error(in.command, "--candidate needs {capture}, {out}, and {calls} or {call}");
    if (in.candidate && !tool_programs_exist(in.command, in.candidate))
        return TOOL_ERROR;
    return run(&in);
}
