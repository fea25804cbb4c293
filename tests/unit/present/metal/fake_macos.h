/* Fake of macOS for tests: an Objective-C runtime with the classes that Novem uses, a window, and a
 * GPU that works as late as possible, so that a missing wait gives a wrong picture. A message that
 * a class does not understand ends the test. Objects are counted. */
#ifndef TEST_METAL_FAKE_MACOS_H
#define TEST_METAL_FAKE_MACOS_H

#include "present/metal/objc.h"
#include "present/metal/shader.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_OBJECTS = 512, FAKE_EVENTS = 8, FAKE_SIDE = 1024, FAKE_DRAWS = 4, FAKE_LOG = 64 };
enum { FAKE_STATUS_COMPLETED = 4, FAKE_STATUS_ERROR = 5 };

struct fake_draw {
    struct objc_any *texture;
    struct objc_viewport viewport;
    struct metal_shader_quad values;
};

struct objc_any {
    const char *class;
    bool is_class;
    int count; /* references; 0: free */
    char text[64];
    /* MTLTexture, and a MTLTextureDescriptor's size */
    uint32_t width, height, *pixels;
    /* MTLCommandBuffer, MTLRenderCommandEncoder */
    struct fake_draw draws[FAKE_DRAWS];
    unsigned n_draws;
    struct objc_any *commands, *target; /* of an encoder, a pass, a drawable */
    struct objc_any *owned;             /* released with it */
    bool ended, done, presented;
    unsigned committed; /* number of the commit, from 1 on; 0: not yet */
    objc_uint status;
    /* NSEvent */
    objc_uint type;
    struct objc_point at;
    double scroll;
    bool own, repeated;
    uint16_t character; /* and of an NSString */
};

static struct fake_macos {
    struct objc_any objects[FAKE_OBJECTS];
    struct objc_any *pending[FAKE_OBJECTS]; /* autoreleased */
    unsigned n_pending, pools;
    /* The screen, the window and the layer. */
    uint32_t screen[FAKE_SIDE * FAKE_SIDE], shown_width, shown_height;
    unsigned frames, commits, run;
    bool main_thread, running, visible, miniaturized, hidden, occluded, sync, wants_layer;
    double scale, contents_scale; /* pixels a point: of the display, and as the layer knows it */
    struct objc_size points, drawable;
    struct objc_any *application, *window, *view, *layer, *device, *view_layer;
    char title[64];
    struct objc_any events[FAKE_EVENTS]; /* waiting */
    unsigned n_events, next_event, sent_events;
    /* Faults: message fail_at, counted from 0, has the result NULL, or the frame fails. */
    unsigned messages, fail_at;
    const char *failed; /* its name */
    bool no_device, no_drawable, no_space, gpu_fails, no_shader;
    int spaces; /* colour spaces that are not released */
} fake;

static const char fake_srgb_name[] = "sRGB";
static const objc_id fake_srgb = (objc_id)fake_srgb_name;

/* --- Objects ---------------------------------------------------------------------------------- */

static objc_id fake_new(const char *class)
{
    struct objc_any *object = NULL;

    for (unsigned i = 0; i < FAKE_OBJECTS && !object; i++)
        if (!fake.objects[i].count)
            object = &fake.objects[i];
    ck_assert_ptr_nonnull(object);
    *object = (struct objc_any){.class = class, .count = 1};
    return object;
}

static objc_id fake_later(objc_id object)
{
    ck_assert_uint_ne(fake.pools, 0); /* otherwise the object would live for ever */
    fake.pending[fake.n_pending++] = object;
    return object;
}

static void fake_drop(objc_id object)
{
    ck_assert_int_gt(object->count, 0);
    if (--object->count)
        return;
    free(object->pixels);
    object->pixels = NULL;
    if (object->owned)
        fake_drop(object->owned);
}

static unsigned fake_alive(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < FAKE_OBJECTS; i++)
        n += fake.objects[i].count > 0 && !fake.objects[i].is_class &&
             &fake.objects[i] != fake.application;
    return n;
}

static void *fake_push(void)
{
    return (void *)(uintptr_t)(++fake.pools + fake.n_pending * 16);
}

static void fake_pop(void *pool)
{
    unsigned first = (unsigned)((uintptr_t)pool / 16);

    while (fake.n_pending > first)
        fake_drop(fake.pending[--fake.n_pending]);
    fake.pools--;
}

/* --- The GPU ---------------------------------------------------------------------------------- */

/* As the shader does it, with the filter nearest; other filters show the values that they get. */
static void fake_draw(struct objc_any *target, const struct fake_draw *d)
{
    const struct metal_shader_quad *v = &d->values;

    ck_assert_uint_eq(v->picture[0], d->texture->width);
    ck_assert_uint_eq(v->picture[1], d->texture->height);
    ck_assert(d->viewport.x == v->origin[0] && d->viewport.y == v->origin[1]);
    ck_assert(d->viewport.width == v->shown[0] && d->viewport.height == v->shown[1]);
    for (int32_t y = 0; y < (int32_t)target->height; y++)
        for (int32_t x = 0; x < (int32_t)target->width; x++) {
            int64_t column = x - v->origin[0], row = y - v->origin[1];

            if (column < 0 || row < 0 || column >= v->shown[0] || row >= v->shown[1])
                continue;
            column = column * v->picture[0] / v->shown[0];
            row = row * v->picture[1] / v->shown[1];
            target->pixels[(uint32_t)y * target->width + (uint32_t)x] =
                v->filter ? 0xf0000000 + v->filter
                          : d->texture->pixels[row * d->texture->width + column];
        }
}

static void fake_run(struct objc_any *commands)
{
    commands->done = true;
    commands->status = fake.gpu_fails ? FAKE_STATUS_ERROR : FAKE_STATUS_COMPLETED;
    memset(commands->target->pixels, 0,
           (size_t)commands->target->width * commands->target->height * 4);
    for (unsigned i = 0; i < commands->n_draws; i++)
        fake_draw(commands->target, &commands->draws[i]);
    if (!commands->presented)
        return;
    memcpy(fake.screen, commands->target->pixels,
           (size_t)commands->target->width * commands->target->height * 4);
    fake.shown_width = commands->target->width;
    fake.shown_height = commands->target->height;
    fake.frames++;
}

/* Runs what was committed up to a number, in the order of the numbers. */
static void fake_finish(unsigned last)
{
    for (; fake.run < last; fake.run++)
        for (unsigned i = 0; i < FAKE_OBJECTS; i++)
            if (fake.objects[i].count && fake.objects[i].committed == fake.run + 1)
                fake_run(&fake.objects[i]);
}

/* What a user sees after some time. */
static inline void fake_look(void)
{
    fake_finish(fake.commits);
}

/* --- Methods: result f(object, name, …) -------------------------------------------- */

#define METHOD(result, name, ...) static result name(objc_id self, objc_sel sel, ##__VA_ARGS__)
#define UNUSED ((void)self, (void)sel)

METHOD(int, fake_nothing)
{
    UNUSED;
    return 0;
}
METHOD(objc_id, fake_null)
{
    UNUSED;
    return NULL;
}
METHOD(objc_id, fake_alloc)
{
    (void)sel;
    return fake_new(self->class);
}
METHOD(objc_id, fake_self)
{
    (void)sel;
    return self;
}
METHOD(objc_id, fake_retain)
{
    (void)sel;
    self->count++;
    return self;
}
METHOD(int, fake_release)
{
    (void)sel;
    fake_drop(self);
    return 0;
}
METHOD(objc_id, fake_make_layer)
{
    UNUSED;
    return fake.layer = fake_later(fake_new("CAMetalLayer"));
}
METHOD(objc_id, fake_descriptor)
{
    UNUSED;
    return fake_later(fake_new("MTLRenderPassDescriptor"));
}
METHOD(objc_bool, fake_is_main_thread)
{
    UNUSED;
    return fake.main_thread;
}
METHOD(objc_id, fake_string, objc_text text)
{
    objc_id string;

    UNUSED;
    string = fake_new("NSString");
    snprintf(string->text, sizeof(string->text), "%s", text);
    return fake_later(string);
}
METHOD(objc_text, fake_text)
{
    (void)sel;
    return self->text;
}
METHOD(objc_id, fake_description)
{
    objc_id string = fake_new("NSString");

    UNUSED;
    snprintf(string->text, sizeof(string->text), "the fake says no");
    return fake_later(string);
}
METHOD(objc_uint, fake_length)
{
    (void)sel;
    return self->character != 0;
}
METHOD(unsigned short, fake_character, objc_uint i)
{
    (void)sel;
    ck_assert_uint_eq(i, 0);
    return self->character;
}

/* NSApplication */
METHOD(objc_id, fake_application)
{
    UNUSED;
    if (!fake.application)
        fake.application = fake_new("NSApplication");
    return fake.application;
}
METHOD(objc_bool, fake_is_running)
{
    UNUSED;
    return fake.running;
}
METHOD(objc_bool, fake_policy, objc_int policy)
{
    UNUSED;
    ck_assert_int_eq(policy, 0);
    return 1;
}
METHOD(int, fake_flag, objc_bool flag)
{
    UNUSED;
    (void)flag;
    return 0;
}
METHOD(objc_id, fake_date)
{
    UNUSED;
    return fake_later(fake_new("NSDate"));
}
METHOD(objc_id, fake_next_event, objc_uint mask, objc_id date, objc_id mode, objc_bool dequeue)
{
    struct objc_any *event;
    int count;

    UNUSED;
    ck_assert(mask == ~(objc_uint)0 && dequeue && !strcmp(date->class, "NSDate"));
    ck_assert_str_eq(mode->text, "kCFRunLoopDefaultMode");
    if (fake.next_event == fake.n_events)
        return NULL;
    event = fake_new("NSEvent");
    count = event->count;
    *event = fake.events[fake.next_event++];
    event->class = "NSEvent";
    event->count = count;
    return fake_later(event);
}
METHOD(int, fake_send_event, objc_id event)
{
    UNUSED;
    ck_assert_str_eq(event->class, "NSEvent");
    fake.sent_events++;
    return 0;
}
METHOD(objc_bool, fake_is_hidden)
{
    UNUSED;
    return fake.hidden;
}

/* NSWindow and NSView */
METHOD(objc_id, fake_init_window, struct objc_rect area, objc_uint style, objc_uint backing,
       objc_bool defer)
{
    (void)sel;
    ck_assert(style == 15 && backing == 2 && !defer);
    fake.points = area.size;
    fake.window = self;
    fake.wants_layer = false;
    fake.view = self->owned = fake_new("NSView");
    return self;
}
METHOD(int, fake_title, objc_id title)
{
    UNUSED;
    snprintf(fake.title, sizeof(fake.title), "%s", title->text);
    return 0;
}
METHOD(objc_id, fake_content_view)
{
    UNUSED;
    return fake.view;
}
METHOD(int, fake_order_front, objc_id sender)
{
    UNUSED;
    ck_assert_ptr_null(sender);
    fake.visible = true;
    return 0;
}
METHOD(int, fake_content_size, struct objc_size size)
{
    UNUSED;
    fake.points = size;
    return 0;
}
METHOD(double, fake_backing_scale)
{
    UNUSED;
    return fake.scale;
}
METHOD(objc_bool, fake_is_visible)
{
    UNUSED;
    return fake.visible && !fake.miniaturized && !fake.hidden;
}
METHOD(objc_bool, fake_is_miniaturized)
{
    UNUSED;
    return fake.miniaturized;
}
METHOD(objc_uint, fake_occlusion)
{
    UNUSED;
    return fake.visible && !fake.occluded ? 8194 : 8192;
}
METHOD(int, fake_close)
{
    UNUSED;
    fake.visible = false;
    return 0;
}
METHOD(struct objc_rect, fake_bounds)
{
    UNUSED;
    return (struct objc_rect){{0, 0}, fake.points};
}
METHOD(int, fake_set_layer, objc_id layer)
{
    UNUSED;
    ck_assert(!fake.wants_layer || !layer); /* the layer first, or the view makes its own */
    fake.view_layer = layer;
    return 0;
}
METHOD(int, fake_wants_layer, objc_bool wants)
{
    UNUSED;
    fake.wants_layer = wants;
    return 0;
}

/* NSEvent */
METHOD(objc_uint, fake_type)
{
    (void)sel;
    return self->type;
}
METHOD(objc_id, fake_event_window)
{
    (void)sel;
    return self->own ? fake.window : NULL;
}
METHOD(objc_bool, fake_repeat)
{
    (void)sel;
    return self->repeated;
}
METHOD(objc_id, fake_characters)
{
    objc_id string = fake_new("NSString");

    (void)sel;
    string->character = self->character;
    return fake_later(string);
}
METHOD(struct objc_point, fake_location)
{
    (void)sel;
    return self->at;
}
METHOD(double, fake_scroll)
{
    (void)sel;
    return self->scroll;
}
METHOD(objc_bool, fake_precise)
{
    (void)sel;
    return self->repeated;
}

/* CAMetalLayer and MTLDevice */
METHOD(int, fake_set_device, objc_id device)
{
    UNUSED;
    ck_assert_ptr_eq(device, fake.device);
    return 0;
}
METHOD(int, fake_format, objc_uint format)
{
    UNUSED;
    ck_assert_uint_eq(format, 80);
    return 0;
}
METHOD(int, fake_space, objc_id space)
{
    UNUSED;
    ck_assert_ptr_eq(space, (objc_id)&fake.spaces);
    return 0;
}
METHOD(int, fake_count, objc_uint count)
{
    UNUSED;
    ck_assert_uint_eq(count, 3);
    return 0;
}
METHOD(int, fake_sync, objc_bool sync)
{
    UNUSED;
    fake.sync = sync;
    return 0;
}
METHOD(int, fake_contents_scale, double scale)
{
    UNUSED;
    fake.contents_scale = scale;
    return 0;
}
METHOD(int, fake_drawable_size, struct objc_size size)
{
    UNUSED;
    fake.drawable = size;
    return 0;
}
static objc_id fake_new_texture(uint32_t width, uint32_t height)
{
    objc_id texture = fake_new("MTLTexture");

    ck_assert(width && height && (size_t)width * height <= FAKE_SIDE * FAKE_SIDE);
    texture->width = width;
    texture->height = height;
    texture->pixels = calloc((size_t)width * height, 4);
    return texture;
}
METHOD(objc_id, fake_next_drawable)
{
    objc_id drawable;

    UNUSED;
    if (fake.no_drawable)
        return NULL;
    drawable = fake_later(fake_new("CAMetalDrawable"));
    drawable->target =
        fake_later(fake_new_texture((uint32_t)fake.drawable.width, (uint32_t)fake.drawable.height));
    return drawable;
}
METHOD(objc_id, fake_drawable_texture)
{
    (void)sel;
    return self->target;
}
METHOD(objc_id, fake_queue)
{
    UNUSED;
    return fake_new("MTLCommandQueue");
}
static void fake_error(objc_id *error)
{
    if (error)
        *error = fake_later(fake_new("NSError"));
}
METHOD(objc_id, fake_library, objc_id source, objc_id options, objc_id *error)
{
    UNUSED;
    ck_assert_ptr_null(options);
    ck_assert(!strncmp(source->text, "#include <metal_stdlib>", 23));
    if (!fake.no_shader)
        return fake_new("MTLLibrary");
    fake_error(error);
    return NULL;
}
METHOD(objc_id, fake_function, objc_id name)
{
    UNUSED;
    ck_assert(strstr(metal_shader_source, name->text)); /* the shader has it */
    return fake_new("MTLFunction");
}
METHOD(objc_id, fake_pipeline, objc_id descriptor, objc_id *error)
{
    UNUSED;
    (void)error;
    ck_assert_str_eq(descriptor->class, "MTLRenderPipelineDescriptor");
    return fake_new("MTLRenderPipelineState");
}
METHOD(int, fake_set_function, objc_id function)
{
    UNUSED;
    (void)function;
    return 0;
}
METHOD(objc_id, fake_attachments)
{
    (void)sel;
    return self;
}
METHOD(objc_id, fake_attachment, objc_uint i)
{
    (void)sel;
    ck_assert_uint_eq(i, 0);
    return self;
}
METHOD(objc_id, fake_texture_descriptor, objc_uint format, objc_uint width, objc_uint height,
       objc_bool mips)
{
    objc_id descriptor = fake_new("MTLTextureDescriptor");

    UNUSED;
    ck_assert(format == 80 && !mips);
    descriptor->width = (uint32_t)width;
    descriptor->height = (uint32_t)height;
    return fake_later(descriptor);
}
METHOD(objc_id, fake_texture, objc_id descriptor)
{
    UNUSED;
    return descriptor ? fake_new_texture(descriptor->width, descriptor->height) : NULL;
}
METHOD(int, fake_replace, struct objc_region r, objc_uint level, objc_bytes bytes, objc_uint pitch)
{
    (void)sel;
    ck_assert(!r.x && !r.y && !r.z && r.depth == 1 && !level);
    ck_assert(r.width == self->width && r.height == self->height && pitch >= 4 * r.width);
    for (uint32_t y = 0; y < self->height; y++)
        memcpy(self->pixels + (size_t)y * self->width, (const char *)bytes + y * pitch,
               (size_t)self->width * 4);
    return 0;
}

/* MTLCommandQueue, MTLCommandBuffer and MTLRenderCommandEncoder */
METHOD(objc_id, fake_commands)
{
    UNUSED;
    return fake_later(fake_new("MTLCommandBuffer"));
}
METHOD(int, fake_set_texture, objc_id texture)
{
    (void)sel;
    self->target = texture;
    return 0;
}
METHOD(int, fake_load, objc_uint action)
{
    UNUSED;
    ck_assert_uint_eq(action, 2);
    return 0;
}
METHOD(int, fake_store, objc_uint action)
{
    UNUSED;
    ck_assert_uint_eq(action, 1);
    return 0;
}
METHOD(int, fake_clear, struct objc_colour c)
{
    UNUSED;
    ck_assert(c.red == 0 && c.green == 0 && c.blue == 0 && c.alpha == 1);
    return 0;
}
METHOD(objc_id, fake_encoder, objc_id pass)
{
    objc_id encoder = fake_later(fake_new("MTLRenderCommandEncoder"));

    (void)sel;
    encoder->commands = self;
    self->target = pass->target;
    self->owned = self->target;
    if (self->owned)
        self->owned->count++;
    return encoder;
}
METHOD(int, fake_set_pipeline, objc_id pipeline)
{
    UNUSED;
    ck_assert_str_eq(pipeline->class, "MTLRenderPipelineState");
    return 0;
}
METHOD(int, fake_viewport, struct objc_viewport viewport)
{
    (void)sel;
    ck_assert(viewport.near_depth == 0 && viewport.far_depth == 1);
    self->draws[0].viewport = viewport;
    return 0;
}
METHOD(int, fake_fragment_texture, objc_id texture, objc_uint i)
{
    (void)sel;
    ck_assert_uint_eq(i, 0);
    self->draws[0].texture = texture;
    return 0;
}
METHOD(int, fake_fragment_bytes, objc_bytes bytes, objc_uint length, objc_uint i)
{
    (void)sel;
    ck_assert(length == sizeof(self->draws[0].values) && !i);
    memcpy(&self->draws[0].values, bytes, length);
    return 0;
}
METHOD(int, fake_draw_primitives, objc_uint type, objc_uint first, objc_uint count)
{
    (void)sel;
    ck_assert(type == 3 && !first && count == 3);
    ck_assert_uint_lt(self->commands->n_draws, FAKE_DRAWS);
    self->commands->draws[self->commands->n_draws++] = self->draws[0];
    return 0;
}
METHOD(int, fake_end)
{
    (void)sel;
    self->commands->ended = true;
    return 0;
}
METHOD(int, fake_present, objc_id drawable)
{
    (void)sel;
    ck_assert_ptr_eq(drawable->target, self->target);
    self->presented = true;
    return 0;
}
METHOD(int, fake_commit)
{
    (void)sel;
    ck_assert(self->ended && !self->committed);
    self->committed = ++fake.commits;
    return 0;
}
METHOD(int, fake_wait)
{
    (void)sel;
    ck_assert(self->committed);
    fake_finish(self->committed);
    return 0;
}
METHOD(objc_uint, fake_status)
{
    (void)sel;
    return self->status;
}
METHOD(objc_id, fake_buffer_error)
{
    UNUSED;
    return fake_later(fake_new("NSError"));
}

/* --- The runtime ------------------------------------------------------------------------------ */

static const struct fake_method {
    const char *class, *name; /* class "*": every object; "+C": the class itself */
    objc_function function;
    bool object; /* its result is an object, which may be NULL */
} fake_methods[] = {
#define M(class, name, function)                                                                   \
    {                                                                                              \
        class, name, (objc_function)(function), false                                              \
    }
#define O(class, name, function)                                                                   \
    {                                                                                              \
        class, name, (objc_function)(function), true                                               \
    }
    O("*", "retain", fake_retain),
    M("*", "release", fake_release),
    O("*", "init", fake_self),
    O("+*", "alloc", fake_alloc),
    M("+NSThread", "isMainThread", fake_is_main_thread),
    O("+NSString", "stringWithUTF8String:", fake_string),
    M("NSString", "UTF8String", fake_text),
    M("NSString", "length", fake_length),
    M("NSString", "characterAtIndex:", fake_character),
    O("NSError", "localizedDescription", fake_description),
    O("+NSDate", "distantPast", fake_date),
    O("+NSApplication", "sharedApplication", fake_application),
    M("NSApplication", "isRunning", fake_is_running),
    M("NSApplication", "setActivationPolicy:", fake_policy),
    M("NSApplication", "finishLaunching", fake_nothing),
    M("NSApplication", "activateIgnoringOtherApps:", fake_flag),
    O("NSApplication", "nextEventMatchingMask:untilDate:inMode:dequeue:", fake_next_event),
    M("NSApplication", "sendEvent:", fake_send_event),
    M("NSApplication", "isHidden", fake_is_hidden),
    O("NSWindow", "initWithContentRect:styleMask:backing:defer:", fake_init_window),
    M("NSWindow", "setReleasedWhenClosed:", fake_flag),
    M("NSWindow", "setTitle:", fake_title),
    M("NSWindow", "setAcceptsMouseMovedEvents:", fake_flag),
    M("NSWindow", "center", fake_nothing),
    M("NSWindow", "makeKeyAndOrderFront:", fake_order_front),
    M("NSWindow", "setContentSize:", fake_content_size),
    O("NSWindow", "contentView", fake_content_view),
    M("NSWindow", "backingScaleFactor", fake_backing_scale),
    M("NSWindow", "isVisible", fake_is_visible),
    M("NSWindow", "isMiniaturized", fake_is_miniaturized),
    M("NSWindow", "occlusionState", fake_occlusion),
    M("NSWindow", "close", fake_close),
    M("NSView", "bounds", fake_bounds),
    M("NSView", "setLayer:", fake_set_layer),
    M("NSView", "setWantsLayer:", fake_wants_layer),
    M("NSEvent", "type", fake_type),
    M("NSEvent", "window", fake_event_window),
    M("NSEvent", "isARepeat", fake_repeat),
    O("NSEvent", "charactersIgnoringModifiers", fake_characters),
    M("NSEvent", "locationInWindow", fake_location),
    M("NSEvent", "scrollingDeltaY", fake_scroll),
    M("NSEvent", "hasPreciseScrollingDeltas", fake_precise),
    O("+CAMetalLayer", "layer", fake_make_layer),
    M("CAMetalLayer", "setDevice:", fake_set_device),
    M("CAMetalLayer", "setPixelFormat:", fake_format),
    M("CAMetalLayer", "setColorspace:", fake_space),
    M("CAMetalLayer", "setFramebufferOnly:", fake_flag),
    M("CAMetalLayer", "setOpaque:", fake_flag),
    M("CAMetalLayer", "setMaximumDrawableCount:", fake_count),
    M("CAMetalLayer", "setDisplaySyncEnabled:", fake_sync),
    M("CAMetalLayer", "setContentsScale:", fake_contents_scale),
    M("CAMetalLayer", "setDrawableSize:", fake_drawable_size),
    O("CAMetalLayer", "nextDrawable", fake_next_drawable),
    O("CAMetalDrawable", "texture", fake_drawable_texture),
    O("MTLDevice", "newCommandQueue", fake_queue),
    O("MTLDevice", "newLibraryWithSource:options:error:", fake_library),
    O("MTLLibrary", "newFunctionWithName:", fake_function),
    O("MTLDevice", "newRenderPipelineStateWithDescriptor:error:", fake_pipeline),
    M("MTLRenderPipelineDescriptor", "setVertexFunction:", fake_set_function),
    M("MTLRenderPipelineDescriptor", "setFragmentFunction:", fake_set_function),
    O("MTLRenderPipelineDescriptor", "colorAttachments", fake_attachments),
    O("MTLRenderPipelineDescriptor", "objectAtIndexedSubscript:", fake_attachment),
    M("MTLRenderPipelineDescriptor", "setPixelFormat:", fake_format),
    O("+MTLTextureDescriptor",
      "texture2DDescriptorWithPixelFormat:width:height:mipmapped:", fake_texture_descriptor),
    O("MTLDevice", "newTextureWithDescriptor:", fake_texture),
    M("MTLTexture", "replaceRegion:mipmapLevel:withBytes:bytesPerRow:", fake_replace),
    O("MTLCommandQueue", "commandBuffer", fake_commands),
    O("+MTLRenderPassDescriptor", "renderPassDescriptor", fake_descriptor),
    O("MTLRenderPassDescriptor", "colorAttachments", fake_attachments),
    O("MTLRenderPassDescriptor", "objectAtIndexedSubscript:", fake_attachment),
    M("MTLRenderPassDescriptor", "setTexture:", fake_set_texture),
    M("MTLRenderPassDescriptor", "setLoadAction:", fake_load),
    M("MTLRenderPassDescriptor", "setStoreAction:", fake_store),
    M("MTLRenderPassDescriptor", "setClearColor:", fake_clear),
    O("MTLCommandBuffer", "renderCommandEncoderWithDescriptor:", fake_encoder),
    M("MTLRenderCommandEncoder", "setRenderPipelineState:", fake_set_pipeline),
    M("MTLRenderCommandEncoder", "setViewport:", fake_viewport),
    M("MTLRenderCommandEncoder", "setFragmentTexture:atIndex:", fake_fragment_texture),
    M("MTLRenderCommandEncoder", "setFragmentBytes:length:atIndex:", fake_fragment_bytes),
    M("MTLRenderCommandEncoder", "drawPrimitives:vertexStart:vertexCount:", fake_draw_primitives),
    M("MTLRenderCommandEncoder", "endEncoding", fake_end),
    M("MTLCommandBuffer", "presentDrawable:", fake_present),
    M("MTLCommandBuffer", "commit", fake_commit),
    M("MTLCommandBuffer", "waitUntilCompleted", fake_wait),
    M("MTLCommandBuffer", "status", fake_status),
    O("MTLCommandBuffer", "error", fake_buffer_error),
#undef M
#undef O
};

static objc_id fake_get_class(objc_text name)
{
    for (unsigned i = 0; i < FAKE_OBJECTS; i++)
        if (fake.objects[i].is_class && !strcmp(fake.objects[i].class, name))
            return &fake.objects[i];
    objc_id class = fake_new(name);

    class->is_class = true;
    return class;
}

static objc_sel fake_register(objc_text name)
{
    return (objc_sel)name;
}

/* An object stands for its class; whether it is one, objects of classes know. */
static objc_id fake_class_of(objc_id object)
{
    ck_assert_msg(object->count > 0, "a message to an object that was released: %s", object->class);
    return object;
}

static bool fake_has(const struct fake_method *m, const struct objc_any *object)
{
    const char *class = m->class;

    if (object->is_class != (*class == '+'))
        return false;
    class += *class == '+';
    return !strcmp(class, "*") || !strcmp(class, object->class);
}

static objc_function fake_implementation(objc_id object, objc_sel sel)
{
    const char *name = (const char *)sel;

    for (unsigned i = 0; i < sizeof(fake_methods) / sizeof(fake_methods[0]); i++) {
        const struct fake_method *m = &fake_methods[i];

        if (strcmp(m->name, name) || !fake_has(m, object))
            continue;
        if (m->object && fake.messages++ == fake.fail_at) {
            fake.failed = name;
            if (!strcmp(name, "init") || !strncmp(name, "initWith", 8))
                fake_drop(object); /* as initialisers do that return nil */
            return (objc_function)fake_null;
        }
        return m->function;
    }
    ck_abort_msg("%s%s does not understand %s", object->is_class ? "class " : "", object->class,
                 name);
}

static objc_id fake_default_device(void)
{
    return fake.no_device ? NULL : (fake.device = fake_new("MTLDevice"));
}

static objc_id fake_create_space(objc_id name)
{
    ck_assert_ptr_eq(name, fake_srgb);
    if (fake.no_space)
        return NULL;
    fake.spaces++;
    return (objc_id)&fake.spaces;
}

static void fake_release_space(objc_id space)
{
    ck_assert_ptr_eq(space, (objc_id)&fake.spaces);
    fake.spaces--;
}

/* A Mac with nothing on its screen. */
static void fake_start(void)
{
    static const struct objc_runtime runtime = {
        fake_get_class, fake_register,       fake_class_of,     fake_implementation, fake_push,
        fake_pop,       fake_default_device, fake_create_space, fake_release_space,  &fake_srgb};

    for (unsigned i = 0; i < FAKE_OBJECTS; i++)
        free(fake.objects[i].pixels);
    memset(&fake, 0, sizeof(fake));
    fake.main_thread = true;
    fake.scale = 1;
    fake.fail_at = UINT32_MAX;
    objc_replace(&runtime);
}

#endif
