#ifndef _WIN32

#include "present/metal/layer.h"

#include "present/metal/shader.h"
#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

/* Numbers of Metal's enumerations. */
enum {
    PIXEL_BGRA8 = 80, /* MTLPixelFormatBGRA8Unorm: X8R8G8B8, without conversion */
    LOAD_CLEAR = 2,
    STORE = 1,
    TRIANGLES = 3,
    STATUS_ERROR = 5
};

struct texture {
    objc_id object; /* NULL: none yet */
    uint32_t width, height;
};

struct frame {
    objc_id commands; /* NULL: not in flight */
    struct texture textures[METAL_QUADS];
};

struct metal_layer {
    const struct objc *o;
    objc_id device, layer, queue, pipeline;
    struct frame frames[METAL_FRAMES];
    unsigned next; /* frame to use */
    uint32_t size[2];
};

static void drop(const struct objc *o, objc_id *object)
{
    objc_release(o, *object);
    *object = NULL;
}

static enum status failed(const char *step, const char *why)
{
    log_error("present", "Metal: %s failed: %s", step, why);
    return ST_IO;
}

/* --- Creation --------------------------------------------------------------------------------- */

static enum status create_layer(struct metal_layer *l, bool vsync)
{
    const struct objc *o = l->o;
    objc_id space = o->runtime.create_colour_space(*o->runtime.srgb);

    l->layer = objc_retain(o, objc_layer(o, objc_class(o, "CAMetalLayer")));
    if (!l->layer || !space) {
        if (space)
            o->runtime.release_colour_space(space);
        return failed(space ? "CAMetalLayer" : "the colour space sRGB", "no object");
    }
    objc_set_device(o, l->layer, l->device);
    objc_set_pixel_format(o, l->layer, PIXEL_BGRA8);
    objc_set_colour_space(o, l->layer, space);
    objc_set_framebuffer_only(o, l->layer, 1);
    objc_set_opaque(o, l->layer, 1);
    objc_set_maximum_drawable_count(o, l->layer, METAL_FRAMES);
    objc_set_display_sync(o, l->layer, vsync);
    o->runtime.release_colour_space(space);
    return ST_OK;
}

static objc_id new_function(const struct objc *o, objc_id library, const char *name)
{
    objc_id string = objc_string(o, name);

    return string ? objc_new_function(o, library, string) : NULL;
}

static objc_id new_pipeline(const struct metal_layer *l, objc_id library, objc_id *error)
{
    const struct objc *o = l->o;
    objc_id vertex = new_function(o, library, "novem_vertex");
    objc_id fragment = new_function(o, library, "novem_fragment");
    objc_id descriptor = objc_init(o, objc_alloc(o, objc_class(o, "MTLRenderPipelineDescriptor")));
    objc_id target = objc_attachment(o, objc_colour_attachments(o, descriptor), 0);
    objc_id pipeline = NULL;

    objc_set_vertex_function(o, descriptor, vertex);
    objc_set_fragment_function(o, descriptor, fragment);
    objc_set_pixel_format(o, target, PIXEL_BGRA8);
    if (vertex && fragment && target)
        pipeline = objc_new_pipeline(o, l->device, descriptor, error);
    objc_release(o, descriptor);
    objc_release(o, fragment);
    objc_release(o, vertex);
    return pipeline;
}

static enum status create_pipeline(struct metal_layer *l)
{
    const struct objc *o = l->o;
    objc_id error = NULL, library = NULL, source = objc_string(o, metal_shader_source);

    if (source)
        library = objc_new_library(o, l->device, source, NULL, &error);
    if (!library)
        return failed("compiling the shader", objc_error_text(o, error));
    l->pipeline = new_pipeline(l, library, &error);
    objc_release(o, library);
    return l->pipeline ? ST_OK : failed("creating the pipeline", objc_error_text(o, error));
}

enum status metal_layer_create(struct metal_layer **out, const struct objc *o, bool vsync)
{
    struct metal_layer *l = mem_calloc(1, sizeof(*l));
    enum status st = ST_OK;

    *out = NULL;
    if (!l)
        return ST_NOMEM;
    l->o = o;
    l->device = o->runtime.default_device();
    if (!l->device) {
        log_error("present", "this machine has no Metal device");
        st = ST_UNSUPPORTED;
    }
    if (st == ST_OK)
        st = create_layer(l, vsync);
    if (st == ST_OK)
        st = create_pipeline(l);
    if (st == ST_OK) {
        l->queue = objc_new_command_queue(o, l->device);
        if (!l->queue)
            st = failed("creating the command queue", "no object");
    }
    if (st == ST_OK)
        *out = l;
    else
        metal_layer_destroy(l);
    return st;
}

/* Waits until the frame is shown, so that its textures can be written again. */
static enum status finish(const struct objc *o, struct frame *frame)
{
    enum status st = ST_OK;

    if (!frame->commands)
        return ST_OK;
    objc_wait_until_completed(o, frame->commands);
    if (objc_status(o, frame->commands) == STATUS_ERROR)
        st = failed("a frame", objc_error_text(o, objc_error(o, frame->commands)));
    drop(o, &frame->commands);
    return st;
}

void metal_layer_destroy(struct metal_layer *l)
{
    if (!l)
        return;
    for (unsigned i = 0; i < METAL_FRAMES; i++) {
        (void)finish(l->o, &l->frames[i]); /* logged; nothing is shown any more */
        for (unsigned k = 0; k < METAL_QUADS; k++)
            drop(l->o, &l->frames[i].textures[k].object);
    }
    drop(l->o, &l->queue);
    drop(l->o, &l->pipeline);
    drop(l->o, &l->layer);
    drop(l->o, &l->device);
    mem_free(l);
}

objc_id metal_layer_object(const struct metal_layer *l)
{
    return l->layer;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static void resize(struct metal_layer *l, const uint32_t size[2])
{
    if (l->size[0] == size[0] && l->size[1] == size[1])
        return;
    objc_set_drawable_size(l->o, l->layer, (struct objc_size){size[0], size[1]});
    l->size[0] = size[0];
    l->size[1] = size[1];
}

static enum status upload(const struct metal_layer *l, struct texture *t,
                          const struct view_image *image)
{
    const struct objc *o = l->o;
    objc_id descriptor;

    if (!t->object || t->width != image->width || t->height != image->height) {
        drop(o, &t->object);
        descriptor = objc_texture_descriptor(o, objc_class(o, "MTLTextureDescriptor"), PIXEL_BGRA8,
                                             image->width, image->height, 0);
        t->object = objc_new_texture(o, l->device, descriptor);
        if (!t->object)
            return failed("creating a texture", "no object");
        t->width = image->width;
        t->height = image->height;
    }
    objc_replace_region(o, t->object, (struct objc_region){0, 0, 0, image->width, image->height, 1},
                        0, image->pixels, (objc_uint)image->pitch * sizeof(*image->pixels));
    return ST_OK;
}

static void draw_quad(const struct objc *o, objc_id encoder, const struct texture *texture,
                      const struct metal_quad *quad)
{
    const struct view_rect *to = &quad->to;
    const struct metal_shader_quad values = {
        .origin = {to->left, to->top},
        .shown = {(uint32_t)(to->right - to->left), (uint32_t)(to->bottom - to->top)},
        .picture = {texture->width, texture->height},
        .filter = quad->filter};
    const struct objc_viewport viewport = {to->left,        to->top, values.shown[0],
                                           values.shown[1], 0,       1};

    objc_set_viewport(o, encoder, viewport);
    objc_set_fragment_texture(o, encoder, texture->object, 0);
    objc_set_fragment_bytes(o, encoder, &values, sizeof(values), 0);
    objc_draw(o, encoder, TRIANGLES, 0, 3);
}

static enum status encode(const struct metal_layer *l, const struct frame *frame, objc_id drawable,
                          const struct metal_quad *quads, unsigned n)
{
    const struct objc *o = l->o;
    objc_id pass = objc_pass_descriptor(o, objc_class(o, "MTLRenderPassDescriptor"));
    objc_id target = objc_attachment(o, objc_colour_attachments(o, pass), 0);
    objc_id texture = objc_texture(o, drawable), encoder = NULL;

    objc_set_texture(o, target, texture);
    objc_set_load_action(o, target, LOAD_CLEAR);
    objc_set_store_action(o, target, STORE);
    objc_set_clear_colour(o, target, (struct objc_colour){0, 0, 0, 1});
    if (target && texture)
        encoder = objc_encoder(o, frame->commands, pass);
    if (!encoder)
        return failed("encoding a frame", "no object");
    objc_set_pipeline(o, encoder, l->pipeline);
    for (unsigned i = 0; i < n; i++)
        draw_quad(o, encoder, &frame->textures[i], &quads[i]);
    objc_end_encoding(o, encoder);
    objc_present_drawable(o, frame->commands, drawable);
    objc_commit(o, frame->commands);
    return ST_OK;
}

enum status metal_layer_show(struct metal_layer *l, const uint32_t size[2],
                             const struct metal_quad *quads, unsigned n)
{
    struct frame *frame = &l->frames[l->next];
    enum status st = finish(l->o, frame);
    objc_id drawable;

    for (unsigned i = 0; i < n && st == ST_OK; i++)
        st = upload(l, &frame->textures[i], quads[i].image);
    if (st != ST_OK)
        return st;
    resize(l, size);
    drawable = objc_next_drawable(l->o, l->layer);
    if (!drawable)
        return ST_OK; /* all are in use for more than a second, as with a display that is off */
    frame->commands = objc_retain(l->o, objc_command_buffer(l->o, l->queue));
    if (!frame->commands)
        return failed("creating a command buffer", "no object");
    st = encode(l, frame, drawable, quads, n);
    if (st != ST_OK)
        drop(l->o, &frame->commands); /* it was not committed */
    l->next = (l->next + 1) % METAL_FRAMES;
    return st;
}

#endif
