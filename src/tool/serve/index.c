/* Reads a capture's calls, without running them, to list its frames.
 *
 * The list says where frames start; it is no index to jump by: what a frame shows depends on all
 * calls before it, and a stream in gzip, zstd or brotli is read from its start in any case.
 *
 * Tested by tests/unit/tool/serve/test_index.c. */
#include "tool/serve/index.h"

#include "trace/trace.h"
#include "util/alloc.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES_MOST = 1 << 20 };

struct frame_index {
    pthread_mutex_t lock;
    pthread_t thread;
    pid_t reader;
    int socket;
    struct frame_entry *entry;
    uint64_t n, max;
    bool complete;
};

/* --- The process that reads ------------------------------------------------------------------- */

static bool put(FILE *out, struct frame_entry *entry, uint64_t next_call)
{
    bool good = fwrite(entry, sizeof(*entry), 1, out) == 1;

    *entry = (struct frame_entry){.call = next_call};
    return good;
}

static void list_frames(struct trace_reader *reader, FILE *out)
{
    struct frame_entry entry;
    const struct trace_call *call;
    uint64_t frames = 0;
    bool calls = false;

    memset(&entry, 0, sizeof(entry));
    while (trace_next(reader, &call) == ST_OK && call && frames < FRAMES_MOST) {
        const char *name = call->function->name;
        bool runs = call->complete && !trace_failed(call);

        calls = true;
        entry.draws += runs && replay_is_draw(name);
        if (!runs || !replay_is_present(name))
            continue;
        calls = false;
        if (!put(out, &entry, call->number + 1) || (frames++ < 100 && fflush(out)))
            return;
    }
    if (calls && frames < FRAMES_MOST)
        (void)put(out, &entry, 0);
}

static _Noreturn void read_capture(const char *file, int to)
{
    struct trace_reader *reader;
    struct trace_error error;
    FILE *out = fdopen(to, "w");

    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)!nice(10);
    if (out && trace_open(&reader, file, &error) == ST_OK)
        list_frames(reader, out);
    _exit(!out || fflush(out));
}

/* --- The thread that receives ----------------------------------------------------------------- */

static bool append(struct frame_index *index, const struct frame_entry *entry)
{
    bool good = true;

    pthread_mutex_lock(&index->lock);
    if (index->n == index->max) {
        uint64_t max = index->max ? 2 * index->max : 256;
        void *more = mem_realloc(index->entry, max * sizeof(*entry));

        good = more != NULL;
        if (good) {
            index->entry = more;
            index->max = max;
        }
    }
    if (good)
        index->entry[index->n++] = *entry;
    pthread_mutex_unlock(&index->lock);
    return good;
}

static void *receive(void *ctx)
{
    struct frame_index *index = ctx;
    struct frame_entry entry;
    size_t have = 0;

    for (;;) {
        ssize_t n = read(index->socket, (char *)&entry + have, sizeof(entry) - have);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        have += (size_t)n;
        if (have < sizeof(entry))
            continue;
        have = 0;
        if (!append(index, &entry))
            break;
    }
    pthread_mutex_lock(&index->lock);
    index->complete = true;
    pthread_mutex_unlock(&index->lock);
    return NULL;
}

/* --- Start and stop --------------------------------------------------------------------------- */

static enum status fork_reader(struct frame_index *index, const char *file)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return ST_IO;
    index->socket = ends[0];
    index->reader = fork();
    if (!index->reader) {
        close(ends[0]);
        read_capture(file, ends[1]);
    }
    close(ends[1]);
    return index->reader < 0 ? ST_NOMEM : ST_OK;
}

static void end_reader(struct frame_index *index)
{
    if (index->socket >= 0)
        close(index->socket);
    if (index->reader > 0) {
        kill(index->reader, SIGKILL);
        (void)waitpid(index->reader, NULL, 0);
    }
    pthread_mutex_destroy(&index->lock);
    mem_free(index->entry);
    mem_free(index);
}

enum status frame_index_start(struct frame_index **out, const char *file)
{
    struct frame_index *index = mem_calloc(1, sizeof(*index));
    enum status st;

    *out = NULL;
    if (!index)
        return ST_NOMEM;
    index->socket = -1;
    pthread_mutex_init(&index->lock, NULL);
    st = fork_reader(index, file);
    if (st == ST_OK && pthread_create(&index->thread, NULL, receive, index))
        st = ST_NOMEM;
    if (st == ST_OK)
        *out = index;
    else
        end_reader(index);
    return st;
}

void frame_index_stop(struct frame_index *index)
{
    if (!index)
        return;
    kill(index->reader, SIGKILL); /* the thread sees the end of the pipe */
    pthread_join(index->thread, NULL);
    end_reader(index);
}

uint64_t frame_index_count(struct frame_index *index, bool *complete)
{
    uint64_t n;

    pthread_mutex_lock(&index->lock);
    n = index->n;
    *complete = index->complete;
    pthread_mutex_unlock(&index->lock);
    return n;
}

uint64_t frame_index_get(struct frame_index *index, uint64_t first, struct frame_entry *out,
                         uint64_t n)
{
    pthread_mutex_lock(&index->lock);
    if (first >= index->n)
        n = 0;
    else if (n > index->n - first)
        n = index->n - first;
    if (n)
        memcpy(out, index->entry + first, n * sizeof(*out));
    pthread_mutex_unlock(&index->lock);
    return n;
}
