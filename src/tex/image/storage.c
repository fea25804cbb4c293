/* Image storage: the layout of levels and faces in one allocation, and reference counting. */
#include "tex/image/image.h"

#include "util/alloc.h"

#include <string.h>

enum { FACE_ALIGN = 16, READABLE_PAST_END = 64, CACHE_LINE = 64, MAX_SAMPLES = 16 };
/* Samplers address 32-bit words with signed 32-bit indices. */
static const uint64_t MAX_IMAGE_BYTES = (UINT64_C(1) << 32) - 4096;

static uint32_t at_least_1(uint32_t x)
{
    return x ? x : 1;
}

static uint32_t full_chain(const struct tex_desc *desc)
{
    uint32_t largest = desc->width > desc->height ? desc->width : desc->height, levels = 1;

    if (desc->shape == TEX_VOLUME_MAP && desc->depth > largest)
        largest = desc->depth;
    while (largest >>= 1)
        levels++;
    return levels;
}

static bool size_is_valid(uint32_t size)
{
    return size >= 1 && size <= TEX_MAX_SIZE;
}

/* Planar images are 2D surfaces. Chroma has half their size (reference: format/planar). */
static bool planes_are_valid(const struct tex_desc *desc)
{
    return desc->shape == TEX_2D && desc->levels == 1 && desc->samples == 1 &&
           desc->width % 2 == 0 && desc->height % 2 == 0;
}

static bool desc_is_valid(const struct tex_desc *desc)
{
    if (!tex_format_get(desc->format) || !size_is_valid(desc->width) ||
        !size_is_valid(desc->height) || !size_is_valid(desc->depth))
        return false;
    if (desc->shape != TEX_VOLUME_MAP && desc->depth != 1)
        return false;
    if (desc->shape == TEX_CUBE_MAP && desc->width != desc->height)
        return false;
    if (desc->levels > full_chain(desc) + (desc->scale[0] > 0.0f ? 2 : 0) ||
        desc->levels > TEX_MAX_LEVELS || desc->samples < 1 || desc->samples > MAX_SAMPLES ||
        (desc->samples & (desc->samples - 1)))
        return false;
    if (tex_format_get(desc->format)->layout == TEX_LAYOUT_PLANAR)
        return planes_are_valid(desc);
    return desc->samples == 1 || (desc->shape == TEX_2D && desc->levels == 1);
}

/* Returns the distance to the next level. Direct3D 9 reports one byte per pixel for ATI1 and ATI2,
 * and applications that step from level to level rely on it, although ATI1 needs half of that. */
static uint64_t level_bytes(const struct tex_format *format, const struct tex_level *level,
                            uint64_t bytes)
{
    uint64_t claimed = (uint64_t)((level->width + 3) & ~3u) * level->height;

    if (format->d3d == TEX_FMT_ATI1 || format->d3d == TEX_FMT_ATI2)
        return bytes > claimed ? bytes : claimed;
    return bytes;
}

/* Pads a row pitch to an odd number of cache lines. With a pitch of a power of two, or a multiple
 * of a large one, the rows of a tile share few cache sets; multisampling aggravates that. */
enum { CONFLICTING_PITCH = 512 };
static uint32_t pad_row_pitch(uint32_t row_pitch)
{
    return ((row_pitch + CACHE_LINE - 1) & ~(CACHE_LINE - 1u)) | CACHE_LINE;
}

static uint64_t lay_out_level(const struct tex_image *image, struct tex_level *level, uint32_t l)
{
    const struct tex_format *format = image->format;
    const struct tex_desc *desc = &image->desc;
    uint64_t slice;

    level->width = at_least_1(desc->width >> l);
    level->height = at_least_1(desc->height >> l);
    level->depth = at_least_1(desc->depth >> l);
    level->row_pitch = tex_row_pitch(format, level->width);
    if (image->user_memory) /* user memory has no padding */
        level->row_pitch = tex_row_bytes(format, level->width);
    if (desc->samples > 1 || (desc->unlocked && level->row_pitch % CONFLICTING_PITCH == 0))
        level->row_pitch = pad_row_pitch(level->row_pitch);
    slice = (uint64_t)level->row_pitch * tex_slice_rows(format, level->height);
    level->slice_pitch = (uint32_t)slice;
    return level_bytes(format, level, slice * level->depth * desc->samples);
}

/* Computes sizes and pitches, and addresses starting at `base` unless it is NULL. Returns the total
 * bytes. */
static uint64_t lay_out(struct tex_image *image, uint8_t *base)
{
    uint64_t offset = 0;

    for (uint32_t face = 0; face < image->faces; face++) {
        for (uint32_t l = 0; l < image->desc.levels; l++) {
            struct tex_level unused, *level = &unused;
            uint64_t bytes;

            if (image->level)
                level = tex_image_level(image, face, l);
            bytes = lay_out_level(image, level, l);
            level->data = base ? base + (size_t)offset : NULL;
            offset += bytes;
        }
        offset = (offset + FACE_ALIGN - 1) & ~(uint64_t)(FACE_ALIGN - 1);
    }
    return offset;
}

size_t tex_image_bytes(const struct tex_desc *desc)
{
    struct tex_image image = {.desc = *desc};
    uint64_t bytes;

    if (!desc_is_valid(desc))
        return 0;
    image.format = tex_format_get(desc->format);
    image.faces = desc->shape == TEX_CUBE_MAP ? 6 : 1;
    if (!desc->levels)
        image.desc.levels = full_chain(desc);
    bytes = lay_out(&image, NULL);
    return bytes > MAX_IMAGE_BYTES || bytes + READABLE_PAST_END > SIZE_MAX ? 0 : (size_t)bytes;
}

/* Destroys a copy that the image owns; NULL is allowed. */
static void destroy_copy(void *owned)
{
    struct tex_image_copy *copy = owned;

    if (copy)
        copy->destroy(copy);
}

static void image_destroy(struct tex_image *image)
{
    if (!image)
        return;
    destroy_copy(image->decode_cache);
    destroy_copy(image->quad_texels);
    if (image->shared)
        image->shared->release(image->shared);
    else if (!image->user_memory)
        mem_free(image->memory);
    for (uint32_t i = 0; image->level && i < image->faces * image->desc.levels; i++)
        mem_free(image->level[i].metadata);
    mem_free(image->level);
    mem_free(image);
}

static enum status allocate(struct tex_image *image, void *memory)
{
    uint32_t n = image->faces * image->desc.levels;
    uint64_t bytes;

    image->level = mem_calloc(n, sizeof(*image->level));
    if (!image->level)
        return ST_NOMEM;
    bytes = lay_out(image, NULL);
    if (bytes > MAX_IMAGE_BYTES || bytes + READABLE_PAST_END > SIZE_MAX)
        return ST_NOMEM;
    image->bytes = (size_t)bytes;
    image->memory = memory ? memory : mem_calloc(1, (size_t)bytes + READABLE_PAST_END);
    if (!image->memory)
        return ST_NOMEM;
    lay_out(image, image->memory);
    return ST_OK;
}

static enum status create(struct tex_image **out, const struct tex_desc *desc, void *memory,
                          bool user_memory)
{
    struct tex_image *image;
    enum status st;

    *out = NULL;
    if (!desc_is_valid(desc))
        return ST_INVALID;
    image = mem_calloc(1, sizeof(*image));
    if (!image)
        return ST_NOMEM;
    atomic_init(&image->refs, 1);
    image->format = tex_format_get(desc->format);
    image->desc = *desc;
    if (!desc->levels)
        image->desc.levels = full_chain(desc);
    image->faces = desc->shape == TEX_CUBE_MAP ? 6 : 1;
    image->version = 1;
    image->user_memory = user_memory;
    st = allocate(image, memory);
    if (st != ST_OK) {
        image_destroy(image);
        return st;
    }
    *out = image;
    return ST_OK;
}

enum status tex_image_create(struct tex_image **out, const struct tex_desc *desc, void *memory)
{
    return create(out, desc, memory, memory != NULL);
}

enum status tex_image_create_shared(struct tex_image **out, const struct tex_desc *desc,
                                    struct tex_memory *memory)
{
    enum status st = create(out, desc, memory->bytes, false);

    if (st == ST_OK)
        (*out)->shared = memory;
    return st;
}

struct tex_image *tex_image_ref(struct tex_image *image)
{
    atomic_fetch_add_explicit(&image->refs, 1, memory_order_relaxed);
    return image;
}

void tex_image_unref(struct tex_image **slot)
{
    struct tex_image *image = *slot;

    *slot = NULL;
    if (image && atomic_fetch_sub_explicit(&image->refs, 1, memory_order_acq_rel) == 1)
        image_destroy(image);
}

void tex_image_touch(struct tex_image *image)
{
    image->version++;
}

void tex_image_touch_box(struct tex_image *image, uint32_t face, uint32_t level,
                         const struct tex_box *box)
{
    struct tex_image_copy *decoded = (void *)image->decode_cache;

    if (decoded)
        decoded->mark_dirty(decoded, face * image->desc.levels + level, box);
    image->version++;
}
