/* Memory of the pipeline fuzz: guards around each block of util/alloc.h, which the linker routes
 * here (--wrap), and the bytes of a surface's image. */
#include "pipeline.h"

#include "api/com/device.h"
#include "api/memory/resource.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Guards ----------------------------------------------------------------------------------- */

/* A block is [size, guard ... 64 bytes][the block][guard]. */
enum { GUARD = 64, GUARD_BYTE = 0xa5 };
uint8_t memory_garbage = 0x41;

void *__real_mem_alloc(size_t size);
void *__real_mem_calloc(size_t n, size_t size);
void *__real_mem_realloc(void *old, size_t size);
void __real_mem_free(void *block);
void *__wrap_mem_alloc(size_t size);
void *__wrap_mem_calloc(size_t n, size_t size);
void *__wrap_mem_realloc(void *old, size_t size);
char *__wrap_mem_strdup(const char *text);
void __wrap_mem_free(void *block);

static void *guard(uint8_t *raw, size_t size)
{
    if (!raw)
        return NULL;
    memset(raw, GUARD_BYTE, GUARD);
    memcpy(raw, &size, sizeof(size));
    memset(raw + GUARD + size, GUARD_BYTE, GUARD);
    return raw + GUARD;
}

static uint8_t *unguard(void *block, size_t *size)
{
    uint8_t *raw = (uint8_t *)block - GUARD;
    ptrdiff_t at;

    memcpy(size, raw, sizeof(*size));
    for (unsigned i = sizeof(*size); i < 2 * GUARD; i++) {
        const uint8_t *byte = i < GUARD ? raw + i : raw + *size + i;

        at = byte - (uint8_t *)block;
        if (*byte != GUARD_BYTE) {
            printf("the library wrote at byte %td of a block of %zu bytes\n", at, *size);
            fflush(stdout);
            abort();
        }
    }
    return raw;
}

void *__wrap_mem_alloc(size_t size)
{
    uint8_t *raw = size > SIZE_MAX - 2 * GUARD ? NULL : __real_mem_alloc(size + 2 * GUARD);

    if (raw && size < 1 << 16)
        memset(raw + GUARD, memory_garbage, size);
    return guard(raw, size);
}

void *__wrap_mem_calloc(size_t n, size_t size)
{
    if (size && n > (SIZE_MAX - 2 * GUARD) / size)
        return NULL;
    return guard(__real_mem_calloc(1, n * size + 2 * GUARD), n * size);
}

void *__wrap_mem_realloc(void *old, size_t size)
{
    size_t before;

    if (!old)
        return __wrap_mem_alloc(size);
    return guard(__real_mem_realloc(unguard(old, &before), size + 2 * GUARD), size);
}

char *__wrap_mem_strdup(const char *text)
{
    char *copy = __wrap_mem_alloc(strlen(text) + 1);

    return copy ? strcpy(copy, text) : NULL;
}

void __wrap_mem_free(void *block)
{
    size_t size;

    if (block)
        __real_mem_free(unguard(block, &size));
}

/* --- Surfaces --------------------------------------------------------------------------------- */

static void must(bool holds, const char *what)
{
    if (!holds) {
        printf("%s failed\n", what);
        fflush(stdout);
        abort();
    }
}

void memory_read(struct bench *bench, IDirect3DSurface9 *surface, const char *name,
                 struct result *to)
{
    const size_t behind = 64; /* readable bytes, see tex/tex.h */
    struct device *device = device_of(bench->app.device);
    const struct surface *s = surface_of(surface);
    struct result_surface *r = to->surface;
    const struct tex_image *image;
    struct tex_level level;

    while (r->name)
        r++;
    must(cmd_map_image(device->stream, s->image, s->face, s->level, CMD_MAP_READ, &level) == ST_OK,
         "map");
    image = cmd_image(device->stream, s->image);
    must(image->bytes + behind <= RESULT_BYTES - to->n_bytes, "room for the memory");
    *r = (struct result_surface){.name = name,
                                 .format = image->desc.format,
                                 .width = level.width,
                                 .height = level.height,
                                 .samples = image->desc.samples,
                                 .pixel_bytes = image->format->bytes,
                                 .row_pitch = level.row_pitch,
                                 .sample_pitch = level.slice_pitch,
                                 .at = to->n_bytes,
                                 .bytes = image->bytes + behind,
                                 .first = (size_t)(level.data - image->memory)};
    memcpy(to->memory + r->at, image->memory, r->bytes);
    to->n_bytes += r->bytes;
    cmd_unmap_image(device->stream, s->image, s->face, s->level, false);
}
