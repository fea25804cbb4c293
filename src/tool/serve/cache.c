/* Cache of answers by key: a table with chains, and a list in order of use. */
#include "tool/serve/cache.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <pthread.h>
#include <string.h>

enum { BUCKETS = 4096 };

struct entry {
    struct entry *next;          /* of the bucket */
    struct entry *newer, *older; /* NULL while the answer is being made */
    bool ready;
    size_t n, size; /* size: of the entry, with key and answer */
    char *bytes;    /* behind the key */
    char key[];
};

struct cache {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    size_t most, held;
    struct entry *bucket[BUCKETS];
    struct entry *newest, *oldest;
};

static struct entry **bucket_of(struct cache *c, const char *key)
{
    return &c->bucket[hash_bytes(key, strlen(key), 0) % BUCKETS];
}

static struct entry **find(struct cache *c, const char *key)
{
    struct entry **at = bucket_of(c, key);

    while (*at && strcmp((*at)->key, key))
        at = &(*at)->next;
    return at;
}

static void unlink_entry(struct cache *c, struct entry *e)
{
    *(e->newer ? &e->newer->older : &c->newest) = e->older;
    *(e->older ? &e->older->newer : &c->oldest) = e->newer;
}

static void link_newest(struct cache *c, struct entry *e)
{
    e->newer = NULL;
    e->older = c->newest;
    *(c->newest ? &c->newest->newer : &c->oldest) = e;
    c->newest = e;
}

static void drop(struct cache *c, struct entry **at)
{
    struct entry *e = *at;

    if (e->ready) {
        unlink_entry(c, e);
        c->held -= e->size;
    }
    *at = e->next;
    mem_free(e);
}

static struct entry *add(struct cache *c, const char *key, size_t n)
{
    size_t key_bytes = strlen(key) + 1;
    struct entry *e = mem_alloc(sizeof(*e) + key_bytes + n), **bucket = bucket_of(c, key);

    if (!e)
        return NULL;
    *e = (struct entry){.next = *bucket, .n = n, .size = sizeof(*e) + key_bytes + n};
    memcpy(e->key, key, key_bytes);
    e->bytes = e->key + key_bytes;
    *bucket = e;
    return e;
}

enum status cache_create(struct cache **out, size_t most)
{
    struct cache *c = mem_calloc(1, sizeof(*c));

    *out = c;
    if (!c)
        return ST_NOMEM;
    c->most = most;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->ready, NULL);
    return ST_OK;
}

void cache_destroy(struct cache *c)
{
    if (!c)
        return;
    for (unsigned i = 0; i < BUCKETS; i++)
        while (c->bucket[i])
            drop(c, &c->bucket[i]);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->ready);
    mem_free(c);
}

bool cache_get(struct cache *c, const char *key, char **out, size_t *n)
{
    struct entry *e;

    *out = NULL;
    pthread_mutex_lock(&c->lock);
    while ((e = *find(c, key)) && !e->ready)
        pthread_cond_wait(&c->ready, &c->lock);
    if (e && (*out = mem_alloc(e->n + 1))) {
        memcpy(*out, e->bytes, e->n);
        (*out)[e->n] = 0;
        *n = e->n;
        unlink_entry(c, e);
        link_newest(c, e);
    }
    if (!e)
        (void)add(c, key, 0); /* out of memory: others make the answer, too */
    pthread_mutex_unlock(&c->lock);
    return *out != NULL;
}

void cache_give_up(struct cache *c, const char *key)
{
    struct entry **at;

    pthread_mutex_lock(&c->lock);
    at = find(c, key);
    if (*at && !(*at)->ready)
        drop(c, at);
    pthread_cond_broadcast(&c->ready);
    pthread_mutex_unlock(&c->lock);
}

void cache_put(struct cache *c, const char *key, const char *bytes, size_t n)
{
    struct entry **at, *e;

    pthread_mutex_lock(&c->lock);
    at = find(c, key);
    if (*at)
        drop(c, at);
    e = n < c->most ? add(c, key, n) : NULL;
    if (e) {
        memcpy(e->bytes, bytes, n);
        e->ready = true;
        c->held += e->size;
        link_newest(c, e);
    }
    while (c->held > c->most)
        drop(c, find(c, c->oldest->key));
    pthread_cond_broadcast(&c->ready);
    pthread_mutex_unlock(&c->lock);
}

size_t cache_bytes(struct cache *c)
{
    size_t held;

    pthread_mutex_lock(&c->lock);
    held = c->held;
    pthread_mutex_unlock(&c->lock);
    return held;
}
