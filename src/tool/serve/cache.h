/* Answers that were given, with bounded memory. */
#ifndef TOOL_SERVE_CACHE_H
#define TOOL_SERVE_CACHE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>

struct cache;

/* Keeps at most `most` bytes of keys and answers. */
MUST_CHECK enum status cache_create(struct cache **out, size_t most);
void cache_destroy(struct cache *cache); /* NULL is allowed */

/* Looks up an answer and copies it: the caller frees it with mem_free. False: it is not there, and
 * the caller makes it and then calls cache_put or cache_give_up. Another thread that asks for the
 * same key meanwhile waits. */
bool cache_get(struct cache *cache, const char *key, char **out, size_t *n);
/* Copies the answer into the cache; the answers used longest ago leave it. */
void cache_put(struct cache *cache, const char *key, const char *bytes, size_t n);
/* There is no answer: threads that wait make it on their own. */
void cache_give_up(struct cache *cache, const char *key);
/* For tests: bytes held. */
size_t cache_bytes(struct cache *cache);

#endif
