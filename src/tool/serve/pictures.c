/* Pictures of answers: files in a folder, of which the server removes those used longest ago. A
 * picture that is asked for again is made again, by the question whose answer named it.
 *
 * Tested by tests/unit/tool/serve/test_app.c. */
#include "tool/serve/app.h"

#include "tool/serve/key.h"
#include "util/alloc.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PICTURES_MOST = 1 << 16, PATH = 4096 };

struct picture {
    char name[SERVE_NAME];
    uint64_t frame, used;
    size_t n; /* of the file; 0: it was removed */
    char *question;
};

struct pictures {
    pthread_mutex_t lock;
    char folder[PATH - 64];
    size_t most, held;
    uint64_t time;
    struct picture *picture;
    unsigned n, max;
};

enum status pictures_create(struct pictures **out, const char *folder, size_t most)
{
    struct pictures *p = mem_calloc(1, sizeof(*p));

    *out = p;
    if (!p)
        return ST_NOMEM;
    p->most = most;
    snprintf(p->folder, sizeof(p->folder), "%s", folder);
    pthread_mutex_init(&p->lock, NULL);
    return ST_OK;
}

void pictures_destroy(struct pictures *p)
{
    if (!p)
        return;
    for (unsigned i = 0; i < p->n; i++)
        mem_free(p->picture[i].question);
    mem_free(p->picture);
    pthread_mutex_destroy(&p->lock);
    mem_free(p);
}

/* --- Entries (with the lock) ------------------------------------------------------------------ */

static void path_of(const struct pictures *p, const char *name, char path[PATH])
{
    snprintf(path, PATH, "%s/images/%s", p->folder, name);
}

static struct picture *find(struct pictures *p, const char *name)
{
    for (unsigned i = 0; i < p->n; i++)
        if (!strcmp(p->picture[i].name, name))
            return &p->picture[i];
    return NULL;
}

static struct picture *oldest_of(struct pictures *p, bool with_file)
{
    struct picture *oldest = NULL;

    for (unsigned i = 0; i < p->n; i++)
        if ((p->picture[i].n || !with_file) && (!oldest || p->picture[i].used < oldest->used))
            oldest = &p->picture[i];
    return oldest;
}

static void remove_file(struct pictures *p, struct picture *at)
{
    char path[PATH];

    path_of(p, at->name, path);
    unlink(path);
    p->held -= at->n;
    at->n = 0;
}

/* A new entry; NULL: out of memory. */
static struct picture *add(struct pictures *p)
{
    if (p->n == PICTURES_MOST) {
        struct picture *at = oldest_of(p, false);

        remove_file(p, at);
        mem_free(at->question);
        return at;
    }
    if (p->n == p->max) {
        unsigned max = p->max ? 2 * p->max : 256;
        void *more = mem_realloc(p->picture, max * sizeof(*p->picture));

        if (!more)
            return NULL;
        p->picture = more;
        p->max = max;
    }
    return &p->picture[p->n++];
}

static void note(struct pictures *p, const char *name, uint64_t frame, const char *question)
{
    struct picture *at = find(p, name);
    struct stat about;
    char path[PATH];

    if (!at) {
        char *copy = mem_strdup(question);

        at = copy ? add(p) : NULL;
        if (!at) {
            mem_free(copy);
            return;
        }
        *at = (struct picture){.frame = frame, .question = copy};
        snprintf(at->name, sizeof(at->name), "%s", name);
    }
    at->used = ++p->time;
    path_of(p, name, path);
    if (!at->n && !stat(path, &about)) {
        at->n = (size_t)about.st_size;
        p->held += at->n;
    }
}

/* --- Interface -------------------------------------------------------------------------------- */

void pictures_note(struct pictures *p, const char *answer, uint64_t frame, const char *question)
{
    static const char start[] = "\"images/";
    const uint64_t before = p->time;
    struct serve_key key;

    pthread_mutex_lock(&p->lock);
    for (const char *at = answer; (at = strstr(at, start)); at += sizeof(start) - 1) {
        char path[SERVE_NAME + 8];
        size_t n = strcspn(at + 1, "\"");

        if (n >= sizeof(path))
            continue;
        memcpy(path, at + 1, n);
        path[n] = 0;
        if (serve_key_parse(&key, path))
            note(p, key.picture, frame, question);
    }
    /* Those of this answer stay: the page is about to ask for them. */
    while (p->held > p->most) {
        struct picture *oldest = oldest_of(p, true);

        if (!oldest || oldest->used > before)
            break;
        remove_file(p, oldest);
    }
    pthread_mutex_unlock(&p->lock);
}

static enum status read_file(const char *path, char **bytes, size_t *n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    enum status st = ST_NOTFOUND;
    struct stat about;

    *bytes = NULL;
    if (fd < 0)
        return ST_NOTFOUND;
    if (!fstat(fd, &about) && S_ISREG(about.st_mode)) {
        *n = (size_t)about.st_size;
        *bytes = mem_alloc(*n + 1);
        st = *bytes ? ST_OK : ST_NOMEM;
    }
    if (st == ST_OK && read(fd, *bytes, *n) != (ssize_t)*n) {
        mem_free(*bytes);
        st = ST_IO;
    }
    close(fd);
    return st;
}

enum status pictures_read(struct pictures *p, const char *name, char **bytes, size_t *n,
                          uint64_t *frame, char *question)
{
    enum status st = ST_NOTFOUND;
    struct picture *at;
    char path[PATH];

    *bytes = NULL;
    pthread_mutex_lock(&p->lock);
    at = find(p, name);
    if (at) {
        at->used = ++p->time;
        *frame = at->frame;
        snprintf(question, SESSION_QUESTION, "%s", at->question);
        path_of(p, name, path);
        st = at->n ? read_file(path, bytes, n) : ST_BUSY;
        if (st == ST_NOTFOUND) { /* gone, or no plain file: it must not stay in the way */
            remove_file(p, at);
            st = ST_BUSY;
        }
    }
    pthread_mutex_unlock(&p->lock);
    return st;
}

size_t pictures_bytes(struct pictures *p)
{
    size_t held;

    pthread_mutex_lock(&p->lock);
    held = p->held;
    pthread_mutex_unlock(&p->lock);
    return held;
}
