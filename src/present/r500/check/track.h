/* State that the checker tracks through a stream. Private to the checker. */
#ifndef PRESENT_R500_CHECK_TRACK_H
#define PRESENT_R500_CHECK_TRACK_H

#include "present/r500/stream/submit.h"

enum { TRACK_COLOURS = 4, TRACK_ARRAYS = 16, TRACK_TEXTURES = 16 };

enum track_compression { TRACK_PLAIN, TRACK_DXT1, TRACK_DXT35 };

struct track_surface {
    const struct r500_buffer *buffer;
    uint32_t pitch, cpp, offset; /* pixels, bytes per pixel, bytes */
};

struct track_texture {
    const struct r500_buffer *buffer;
    uint32_t pitch, width, height, width_11, height_11, levels, log2_depth, cpp, coord_type;
    enum track_compression compression;
    bool enabled, use_pitch, round_width, round_height;
};

struct track {
    struct track_surface colour[TRACK_COLOURS], depth, resolve;
    struct track_texture texture[TRACK_TEXTURES];
    struct {
        const struct r500_buffer *buffer;
        uint32_t dwords;
    } array[TRACK_ARRAYS];
    uint32_t n_colours, n_arrays, max_y, vertex_dwords, max_index, immediate, vf_cntl, alt_count;
    uint32_t channel_mask;
    bool z_enabled, blend_read, cb_clear, resolving;
    bool colour_dirty, depth_dirty, texture_dirty, resolve_dirty;
};

/* Sets the state at the start of a stream; no state of earlier streams remains. */
void track_init(struct track *track);
/* Returns whether all accesses of a draw lie inside their buffers; else error->text gives the
 * reason. */
bool track_draw(struct track *track, struct r500_error *error);

#endif
