/* Binds and clears render targets, and attaches fast-clear metadata to their surfaces. */
#include "draw/scene/scene.h"

#include "util/alloc.h"
#include "util/equal.h"
#include "util/fpenv.h"
#include "util/log.h"

#include <string.h>

/* Fast-clear metadata of a level; reset if anything but rendering has changed the image. NULL: the
 * image is a volume, or its memory can be written without notice. */
static struct raster_fast_clear *fast_clear_of(const struct tex_image *image,
                                               struct tex_level *level)
{
    uint64_t changes = image->version - image->rendered;
    size_t n;

    if (!image->desc.unlocked || image->user_memory || image->shared ||
        image->desc.shape == TEX_VOLUME_MAP)
        return NULL;
    if (level->metadata && level->metadata_changes == changes)
        return level->metadata;
    n = raster_fast_clear_count(level->width, level->height);
    if (!level->metadata)
        level->metadata = mem_calloc(n, sizeof(struct raster_fast_clear));
    else
        memset(level->metadata, 0, n * sizeof(struct raster_fast_clear));
    level->metadata_changes = changes;
    return level->metadata;
}

/* For a volume, `face` is the slice. */
static struct raster_surface surface_of(const struct draw_target *target)
{
    struct tex_image *image = target->image;
    struct raster_surface out = {0};
    struct tex_level *level;
    bool volume;

    if (!image || image->format->layout == TEX_LAYOUT_RAW)
        return out;
    volume = image->desc.shape == TEX_VOLUME_MAP;
    level = tex_image_level(image, volume ? 0 : target->face, target->level);
    out.format = image->format;
    out.data = level->data + (volume ? (size_t)target->face * level->slice_pitch : 0);
    out.row_pitch = level->row_pitch;
    out.sample_pitch = level->slice_pitch;
    out.width = level->width;
    out.height = level->height;
    out.fast_clear = fast_clear_of(image, level);
    return out;
}

/* Takes over size and sample count of the target, unless an earlier target has set them; then it
 * returns false. */
static bool adopt_size(struct raster_targets *out, const struct draw_target *target,
                       bool include_null)
{
    struct tex_image *image = target->image;
    struct tex_level *level;

    if (!image || out->width || (!include_null && image->format->layout == TEX_LAYOUT_RAW))
        return false;
    level = tex_image_level(image, 0, target->level);
    out->width = level->width;
    out->height = level->height;
    out->samples = image->desc.samples;
    return true;
}

/* Unbinds targets whose sample count differs (reference: multisample/mismatch), except a depth
 * surface with more samples than the program asked for: its first ones are used. */
static void drop_mismatched_samples(struct raster_targets *out, const struct draw_state *state)
{
    for (unsigned t = 0; t < DRAW_TARGETS; t++)
        if (out->colour[t].format && state->target[t].image->desc.samples != out->samples)
            out->colour[t] = (struct raster_surface){0};
    if (out->depth.format && state->depth.image->desc.samples != out->samples &&
        !(state->depth.image->desc.lends_samples &&
          state->depth.image->desc.samples > out->samples))
        out->depth = (struct raster_surface){0};
}

/* The first colour target sets the size, else the depth surface. A D3DFMT_NULL target sets it only
 * if there is neither (reference: target/null). */
static void collect_targets(struct raster_targets *out, const struct draw_state *state,
                            struct target_scale *scale)
{
    const struct draw_target *sizes = NULL; /* the target that sets the size */

    memset(out, 0, sizeof(*out));
    for (unsigned t = 0; t < DRAW_TARGETS; t++) {
        out->colour[t] = surface_of(&state->target[t]);
        if (adopt_size(out, &state->target[t], false))
            sizes = &state->target[t];
    }
    out->depth = surface_of(&state->depth);
    if (adopt_size(out, &state->depth, false))
        sizes = &state->depth;
    if (adopt_size(out, &state->target[0], true))
        sizes = &state->target[0];
    translate_scale_init(scale, sizes ? &sizes->image->desc : NULL);
    drop_mismatched_samples(out, state);
}

static void mark_written(struct draw_scene *scene, const struct draw_target *target)
{
    if (target->image) {
        target->image->last_scene = scene->serial;
        tex_image_touch(target->image);
        target->image->rendered++;
    }
}

static enum status set_targets(struct draw_scene *scene, const struct raster_targets *targets)
{
    enum status st;

    if (bytes_equal(targets, &scene->targets, sizeof(*targets)))
        return ST_OK;
    scene_flush(scene);
    if (!(st = raster_set_targets(scene->raster, targets)))
        scene->targets = *targets;
    return st;
}

enum status target_bind(struct draw_scene *scene, const struct draw_state *state, bool *has_target)
{
    struct raster_targets targets;
    enum status st;

    collect_targets(&targets, state, &scene->scale);
    *has_target = targets.width != 0;
    if (!*has_target)
        return ST_OK;
    if ((st = set_targets(scene, &targets)))
        return st;
    for (unsigned t = 0; t < DRAW_TARGETS; t++)
        mark_written(scene, &state->target[t]);
    mark_written(scene, &state->depth);
    scene->open = true;
    return ST_OK;
}

/* Clears the rectangles, or everything, clipped to viewport and scissor (reference: clear/area). */
static enum status clear_rects(struct draw_scene *scene, const struct draw_state *state,
                               const struct draw_clear *clear, const struct raster_clear *values)
{
    uint32_t n = clear->rects ? clear->n_rects : 1;
    int32_t(*rects)[4] = scratch_get(&scene->rects, (size_t)n * sizeof(*rects));
    unsigned kept = 0;

    if (!rects)
        return ST_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        int32_t *r = rects[kept];

        translate_clip_rect(state, r);
        if (clear->rects)
            translate_intersect(r, clear->rects[i].x1, clear->rects[i].y1, clear->rects[i].x2,
                                clear->rects[i].y2);
        translate_scale_rect(&scene->scale, r);
        kept += r[0] < r[2] && r[1] < r[3];
    }
    if (!kept)
        return ST_OK;
    return raster_clear(scene->raster, values, (const int32_t(*)[4])rects, kept);
}

enum status target_clear(struct draw_scene *scene, const struct draw_state *state,
                         const struct draw_clear *clear)
{
    struct raster_clear values = {.colour = (clear->flags & D3DCLEAR_TARGET) != 0,
                                  .depth = (clear->flags & D3DCLEAR_ZBUFFER) != 0,
                                  .stencil = (clear->flags & D3DCLEAR_STENCIL) != 0,
                                  .z = clear->z,
                                  .stencil_value = (uint8_t)clear->stencil,
                                  .srgb_write = state->render[D3DRS_SRGBWRITEENABLE] != 0};
    struct fp_mode mode;
    enum status st;
    bool has_target;

    for (unsigned c = 0; c < 4; c++) {
        static const uint8_t shift[4] = {16, 8, 0, 24};

        values.rgba[c] = (float)(clear->colour >> shift[c] & 255) / 255.0f;
    }
    mode = fp_enter();
    if (values.depth || values.stencil)
        scene_flush_depth_readers(scene);
    st = target_bind(scene, state, &has_target);
    scene->depth_written |= values.depth || values.stencil;
    if (values.depth)
        scene->discarded_depth = NULL;
    if (!st && has_target)
        st = clear_rects(scene, state, clear, &values);
    fp_leave(mode);
    return st;
}

void target_warn_discarded_depth(struct draw_scene *scene, const struct draw_state *state)
{
    if (!scene->discarded_depth || scene->discarded_depth != state->depth.image ||
        !state->render[D3DRS_ZENABLE] || state->render[D3DRS_ZFUNC] == D3DCMP_ALWAYS)
        return;
    log_once("draw", "discarded depth",
             "a draw tests depth that Present has discarded: the buffer was created with Discard "
             "and has not been cleared since (NOVEM_DISCARD_DEPTH=off keeps its contents)");
    scene->discarded_depth = NULL;
}

enum status target_reset_depth(struct draw_scene *scene, struct tex_image *image)
{
    const struct raster_clear values = {.depth = true, .stencil = true, .z = 1.0f};
    const int32_t all[1][4] = {{0, 0, TEX_MAX_SIZE, TEX_MAX_SIZE}};
    const struct draw_target target = {.image = image};
    struct raster_targets targets = scene->targets;
    struct raster_surface surface = surface_of(&target);
    enum status st;

    scene_flush_depth_readers(scene);
    if (targets.depth.data != surface.data) { /* the open scene has another depth surface */
        memset(&targets, 0, sizeof(targets));
        (void)adopt_size(&targets, &target, false);
    }
    targets.depth = surface;
    if ((st = set_targets(scene, &targets)))
        return st;
    mark_written(scene, &target);
    scene->open = scene->depth_written = true;
    scene->discarded_depth = image;
    return raster_clear(scene->raster, &values, all, 1);
}
