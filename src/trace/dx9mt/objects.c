/* Objects of a dx9mt frame: their addresses in the synthetic calls, and objects cached by their
 * bytes.
 *
 * Tested by tests/unit/trace/dx9mt/test_dx9mt.c. */
#include "trace/dx9mt/dx9mt_private.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <windows.h>
#include <d3d9.h>

#include <string.h>

enum { CACHED_MAX = 4096 };

uint32_t dx9mt_new_object(struct dx9mt *d)
{
    d->next_object += 16;
    return d->next_object;
}

void *dx9mt_list_add(struct dx9mt *d, struct dx9mt_list *list, size_t size)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 32;
        void *bigger = mem_realloc(list->items, room * size);

        if (!bigger) {
            d->no_memory = true;
            return NULL;
        }
        list->items = bigger;
        list->room = room;
    }
    return memset((char *)list->items + list->count++ * size, 0, size);
}

void dx9mt_objects_fini(struct dx9mt *d)
{
    mem_free(d->textures.items);
    mem_free(d->targets.items);
    mem_free(d->cached.items);
    mem_free(d->buffers.items);
}

/* --- Objects cached by their bytes ------------------------------------------------------------ */

static struct dx9mt_cached *find_cached(const struct dx9mt_list *list, uint64_t hash, uint32_t size,
                                        uint32_t release)
{
    struct dx9mt_cached *cached = list->items;

    for (size_t i = 0; i < list->count; i++)
        if (cached[i].hash == hash && cached[i].size == size && cached[i].release == release)
            return &cached[i];
    return NULL;
}

static void release_cached(struct dx9mt *d, struct dx9mt_list *list)
{
    const struct dx9mt_cached *cached = list->items;

    for (size_t i = 0; i < list->count; i++)
        CALL(d, (enum dx9mt_call)cached[i].release, cached[i].object);
    list->count = 0;
}

static struct dx9mt_cached *add_cached(struct dx9mt *d, struct dx9mt_list *list, uint64_t hash,
                                       uint32_t size, uint32_t release)
{
    struct dx9mt_cached *cached = dx9mt_list_add(d, list, sizeof(*cached));

    if (cached)
        *cached = (struct dx9mt_cached){hash, size, release, dx9mt_new_object(d)};
    return cached;
}

uint32_t dx9mt_use_cached(struct dx9mt *d, enum dx9mt_call number, const void *bytes, uint32_t size)
{
    uint32_t release = number == CALL_CREATE_VERTEX_SHADER  ? CALL_VERTEX_SHADER_RELEASE
                       : number == CALL_CREATE_PIXEL_SHADER ? CALL_PIXEL_SHADER_RELEASE
                                                            : CALL_DECLARATION_RELEASE;
    uint64_t hash = hash_bytes(bytes, size, 0);
    struct dx9mt_cached *cached = find_cached(&d->cached, hash, size, release);

    if (cached)
        return cached->object;
    if (d->cached.count == CACHED_MAX)
        release_cached(d, &d->cached); /* bound objects stay alive */
    cached = add_cached(d, &d->cached, hash, size, release);
    if (!cached)
        return 0;
    CALL_WITH(d, DX9MT_OUT + 1, bytes, size, number, DX9MT_DEVICE, DX9MT_OUT + 1, DX9MT_OUT,
              cached->object);
    return cached->object;
}

uint32_t dx9mt_use_buffer(struct dx9mt *d, const void *bytes, uint32_t size, uint32_t index_format)
{
    uint32_t release = index_format ? CALL_INDICES_RELEASE : CALL_VERTICES_RELEASE;
    uint64_t hash = hash_bytes(bytes, size, index_format);
    struct dx9mt_cached *cached = find_cached(&d->buffers, hash, size, release);

    if (cached)
        return cached->object;
    cached = add_cached(d, &d->buffers, hash, size, release);
    if (!cached)
        return 0;
    CALL(d, index_format ? CALL_CREATE_INDEX_BUFFER : CALL_CREATE_VERTEX_BUFFER, DX9MT_DEVICE, size,
         0, index_format, D3DPOOL_DEFAULT, DX9MT_OUT, cached->object, 0, 0);
    CALL(d, index_format ? CALL_INDICES_LOCK : CALL_VERTICES_LOCK, cached->object, 0, 0, DX9MT_OUT,
         0);
    CALL_WITH(d, DX9MT_OUT, bytes, size, index_format ? CALL_INDICES_UNLOCK : CALL_VERTICES_UNLOCK,
              cached->object);
    return cached->object;
}

void dx9mt_end_frame_objects(struct dx9mt *d)
{
    release_cached(d, &d->buffers);
}
