/* Pages of the decode cache. */
#ifndef TEX_CACHE_DECODE_CACHE_H
#define TEX_CACHE_DECODE_CACHE_H

#include "tex/cache/cache.h"

enum { TEX_DECODE_PAGE = 64 }; /* a page has 64x64 texels of one slice */

enum tex_page_state { TEX_PAGE_UNDECODED, TEX_PAGE_DECODING, TEX_PAGE_DECODED };

/* The pages of one level of one face. */
struct tex_decode_pages {
    uint32_t across, down, slices; /* numbers of pages */
    atomic_uint undecoded;         /* number of undecoded pages; 0: all texels are readable */
    atomic_uchar *state;           /* enum tex_page_state of each page */
    atomic_uint next_prefetch;     /* for tex_decode_cache_hit */
    struct tex_box dirty;          /* since the last tex_decode_cache_update; empty if x0 >= x1 */
};

/* Ensures that a page is decoded. Any thread may call it. */
void tex_decode_cache_require(struct tex_decode_cache *cache, uint32_t level, uint32_t page_x,
                              uint32_t page_y, uint32_t page_z);
/* Notes a batch whose pages were all decoded. After every few such batches it decodes one more page
 * of this level, or of another if it is complete or large. So the cache becomes complete, and
 * batches need no page checks. */
void tex_decode_cache_hit(struct tex_decode_cache *cache, uint32_t level);
static inline bool tex_decode_cache_is_decoded(const struct tex_decode_pages *pages,
                                               uint32_t page_x, uint32_t page_y, uint32_t page_z)
{
    size_t i = ((size_t)page_z * pages->down + page_y) * pages->across + page_x;

    return atomic_load_explicit(&pages->state[i], memory_order_acquire) == TEX_PAGE_DECODED;
}

#endif
