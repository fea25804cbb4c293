/* State tracker of the checker: computes how much memory a draw accesses, by the rules of
 * track_draw (docs/r500.md).
 *
 * Tested by tests/unit/present/r500/check/test_check.c. */
#include "present/r500/check/track.h"

#include "present/r500/check/checker.h"
#include "util/plural.h"

#include <stdio.h>

enum { WALK_INDICES = 1, WALK_LIST = 2, WALK_STREAM = 3 };

void track_init(struct track *track)
{
    *track = (struct track){
        .n_colours = TRACK_COLOURS,
        .n_arrays = 11,
        .max_y = 4096,
        .vertex_dwords = 0x7f,
        .max_index = 0xffffff,
        .z_enabled = true,
        .colour_dirty = true,
        .depth_dirty = true,
        .texture_dirty = true,
        .resolve_dirty = true,
    };
    for (unsigned i = 0; i < TRACK_COLOURS; i++)
        track->colour[i] = (struct track_surface){.pitch = 8192, .cpp = 16};
    track->depth = (struct track_surface){.pitch = 8192, .cpp = 4};
    for (unsigned i = 0; i < TRACK_ARRAYS; i++)
        track->array[i].dwords = 0x7f;
    for (unsigned i = 0; i < TRACK_TEXTURES; i++)
        track->texture[i] = (struct track_texture){
            .pitch = 16536,
            .width = 16536,
            .height = 16536,
            .width_11 = 1 << 11,
            .height_11 = 1 << 11,
            .levels = 12,
            .log2_depth = 16,
            .cpp = 64,
            .coord_type = 1,
            .round_width = true,
            .round_height = true,
        };
}

static bool surface_fits(const struct track_surface *surface, uint32_t cpp, uint32_t rows,
                         const char *what, struct r500_error *error)
{
    uint64_t needed = (uint64_t)surface->pitch * cpp * rows + surface->offset;

    if (!surface->buffer)
        return checker_refuse(error, "there is no %s", what);
    if (needed <= surface->buffer->size)
        return true;
    return checker_refuse(error, "%s is too small: %u x %u x %u + %u needs %llu bytes, it has %u",
                          what, surface->pitch, cpp, rows, surface->offset,
                          (unsigned long long)needed, surface->buffer->size);
}

static bool colours_fit(struct track *track, struct r500_error *error)
{
    bool used = track->cb_clear || track->channel_mask || track->blend_read;
    char what[24];

    for (unsigned i = 0; track->colour_dirty && used && i < track->n_colours; i++) {
        snprintf(what, sizeof(what), "colour buffer %u", i);
        if (!surface_fits(&track->colour[i], track->colour[i].cpp, track->max_y, what, error))
            return false;
    }
    track->colour_dirty = false;
    return true;
}

static bool depth_fits(struct track *track, struct r500_error *error)
{
    if (track->depth_dirty && track->z_enabled &&
        !surface_fits(&track->depth, track->depth.cpp, track->max_y, "z buffer", error))
        return false;
    track->depth_dirty = false;
    if (track->resolve_dirty && track->resolving &&
        !surface_fits(&track->resolve, track->colour[0].cpp, track->max_y, "resolve buffer", error))
        return false;
    track->resolve_dirty = false;
    return true;
}

static bool arrays_fit(const struct track *track, uint64_t vertices, struct r500_error *error)
{
    for (unsigned i = 0; i < track->n_arrays; i++) {
        uint64_t needed = 4 * vertices * track->array[i].dwords;

        if (!track->array[i].buffer)
            return checker_refuse(error, "there is no vertex array %u", i);
        if (needed > track->array[i].buffer->size)
            return checker_refuse(error,
                                  "vertex array %u is too small: needs %llu bytes, it has %u", i,
                                  (unsigned long long)needed, track->array[i].buffer->size);
    }
    return true;
}

static bool vertices_fit(const struct track *track, struct r500_error *error)
{
    bool alternative = track->vf_cntl >> 14 & 1;
    uint32_t n = alternative ? track->alt_count : track->vf_cntl >> 16;

    switch (track->vf_cntl >> 4 & 3) {
    case WALK_INDICES:
        return arrays_fit(track, track->max_index, error);
    case WALK_LIST:
        return arrays_fit(track, n ? n - 1 : UINT32_MAX, error);
    case WALK_STREAM:
        if ((uint64_t)track->vertex_dwords * n == track->immediate)
            return true;
        return checker_refuse(error,
                              PLURAL_FORMAT " of " PLURAL_FORMAT " are not the %u of the packet",
                              PLURAL(n, "vertex", "vertices"),
                              PLURAL(track->vertex_dwords, "dword", "dwords"), track->immediate);
    default:
        return checker_refuse(error, "no vertex source: PRIM_WALK is 0");
    }
}

static uint64_t power_of_two(uint64_t n)
{
    uint64_t power = 1;

    while (power < n)
        power *= 2;
    return power;
}

static uint64_t compressed(enum track_compression compression, uint64_t width, uint64_t height)
{
    bool dxt1 = compression == TRACK_DXT1;
    uint64_t wide = (width + 3) / 4, least = dxt1 ? 4 : 2;

    return (wide > least ? wide : least) * ((height + 3) / 4) * (dxt1 ? 8 : 16);
}

static uint64_t texture_bytes(const struct track_texture *t)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i <= t->levels; i++) {
        uint64_t width = (t->use_pitch ? t->pitch : t->width | t->width_11) >> i;
        uint64_t height = (t->height | t->height_11) >> i, depth = 1;

        if (!t->use_pitch && t->round_width)
            width = power_of_two(width);
        if (t->round_height)
            height = power_of_two(height);
        if (t->coord_type == 1 && (1ull << t->log2_depth) >> i)
            depth = (1ull << t->log2_depth) >> i;
        sum +=
            (t->compression ? compressed(t->compression, width, height) : width * height) * depth;
    }
    return sum * t->cpp * (t->coord_type == 2 ? 6 : 1);
}

static bool textures_fit(struct track *track, struct r500_error *error)
{
    for (unsigned i = 0; track->texture_dirty && i < TRACK_TEXTURES; i++) {
        const struct track_texture *t = &track->texture[i];

        if (!t->enabled)
            continue;
        if (!t->buffer)
            return checker_refuse(error, "there is no texture %u", i);
        if (t->coord_type == 3)
            return checker_refuse(error, "texture %u has coordinates of an unknown type", i);
        if (texture_bytes(t) > t->buffer->size)
            return checker_refuse(error, "texture %u is too small: needs %llu bytes, it has %u", i,
                                  (unsigned long long)texture_bytes(t), t->buffer->size);
    }
    track->texture_dirty = false;
    return true;
}

bool track_draw(struct track *track, struct r500_error *error)
{
    return colours_fit(track, error) && depth_fits(track, error) && vertices_fit(track, error) &&
           textures_fit(track, error);
}
