/* JSON of a frame's events, passes, resources and shaders.
 *
 * Tested by tests/unit/tool/frame/test_answer.c. */
#include "tool/frame/event_json.h"

#include "tool/frame/json.h"
#include "tool/frame/shader_lines.h"
#include "util/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Events ----------------------------------------------------------------------------------- */

static void add_target(cJSON *list, const struct frame_target *target, bool full)
{
    cJSON *object = frame_append(list);
    char slot[16];

    frame_target_slot(slot, target);
    frame_add_text(object, "slot", slot);
    frame_add_number(object, "resource", target->resource);
    if (!full)
        return;
    frame_add_number(object, "face", target->face);
    frame_add_number(object, "level", target->level);
    frame_add_text(object, "format", target->format);
    frame_add_number(object, "width", target->width);
    frame_add_number(object, "height", target->height);
    frame_add_number(object, "samples", target->samples);
}

static void describe(cJSON *object, const struct frame_event *e)
{
    frame_add_number(object, "call", (double)e->call);
    frame_add_text(object, "kind", frame_kind_names[e->kind]);
    frame_add_text(object, "name", e->name);
    frame_add_text(object, "what", e->text ? e->text : e->what);
}

static void add_event(cJSON *list, const struct frame_event *e)
{
    cJSON *object = frame_append(list), *targets;
    char colour[8];

    describe(object, e);
    if (e->kind == FRAME_DRAW)
        frame_add_number(object, "primitives", e->primitives);
    if (e->vertices)
        frame_add_number(object, "vertices", e->vertices);
    frame_add_number(object, "pass", e->pass);
    frame_add_number(object, "depth", e->depth);
    if (e->kind == FRAME_BEGIN || e->kind == FRAME_MARK) {
        snprintf(colour, sizeof(colour), "#%06x", (unsigned)(e->colour & 0xffffff));
        frame_add_text(object, "colour", colour);
    }
    targets = frame_add_array(object, "targets");
    for (unsigned i = 0; i < e->n_targets; i++)
        add_target(targets, &e->target[i], false);
    frame_add_number(object, "changed", e->changed);
    if (e->failed)
        cJSON_AddTrueToObject(object, "failed");
}

static void add_pass(cJSON *list, const struct frame_events *events, const struct frame_pass *pass)
{
    cJSON *object = frame_append(list), *targets;
    uint32_t shown = pass->first;

    frame_add_number(object, "first", pass->first);
    frame_add_number(object, "last", pass->last);
    while (shown < pass->last && events->event[shown].kind >= FRAME_BEGIN)
        shown++;
    targets = frame_add_array(object, "targets");
    for (unsigned i = 0; i < events->event[shown].n_targets; i++)
        add_target(targets, &events->event[shown].target[i], false);
    frame_add_text(object, "what", pass->what);
}

/* The file name alone: the folders are nobody's business. */
static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *back = path ? strrchr(path, '\\') : NULL;

    slash = back && (!slash || back > slash) ? back : slash;
    return slash ? slash + 1 : path;
}

/* The size of the frame: that of the last target 0. */
static void add_size(cJSON *object, const struct frame_events *events)
{
    for (uint32_t i = events->n; i-- > 0;)
        for (unsigned t = 0; t < events->event[i].n_targets; t++)
            if (events->event[i].target[t].slot == 0) {
                frame_add_number(object, "width", events->event[i].target[t].width);
                frame_add_number(object, "height", events->event[i].target[t].height);
                return;
            }
    frame_add_number(object, "width", 0);
    frame_add_number(object, "height", 0);
}

cJSON *frame_list_json(const struct frame_events *events, const struct frame_walk *walk)
{
    cJSON *object = cJSON_CreateObject(), *list;

    frame_add_text(object, "capture", base_name(frame_walk_file(walk)));
    frame_add_text(object, "program", base_name(frame_walk_property(walk, "process.name")));
    frame_add_number(object, "frame", (double)frame_walk_frame(walk));
    add_size(object, events);
    frame_add_text(object, "novem", version_text());
    frame_add_text(object, "numerics", NOVEM_NUMERICS);
    cJSON_AddFalseToObject(object, "live");
    list = frame_add_array(object, "events");
    for (uint32_t i = 0; i < events->n; i++)
        add_event(list, &events->event[i]);
    list = frame_add_array(object, "passes");
    for (uint32_t i = 0; i < events->n_passes; i++)
        add_pass(list, events, &events->pass[i]);
    return object;
}

cJSON *frame_event_json(const struct frame_event *event, const struct trace_call *call)
{
    cJSON *object = cJSON_CreateObject(), *list;

    describe(object, event);
    list = frame_add_array(object, "arguments");
    for (uint32_t i = 0; call && i < call->argc; i++) {
        char *text = frame_argument_text(&call->args[i]);
        char *name = frame_utf8(call->function->args[i], strlen(call->function->args[i]));
        cJSON *pair = cJSON_CreateArray();

        cJSON_AddItemToArray(pair, cJSON_CreateString(name ? name : ""));
        cJSON_AddItemToArray(pair, cJSON_CreateString(text ? text : ""));
        cJSON_AddItemToArray(list, pair);
        free(text);
        free(name);
    }
    return object;
}

static void add_picture(cJSON *object, const char *key, const struct frame_picture *picture)
{
    if (picture)
        cJSON_AddItemToObject(object, key, frame_picture_json(picture));
    else
        cJSON_AddNullToObject(object, key);
}

void frame_event_add_targets(cJSON *object, const struct frame_event *event,
                             const struct frame_picture *const before[FRAME_TARGETS],
                             const struct frame_picture *const after[FRAME_TARGETS])
{
    cJSON *list = frame_add_array(object, "targets");

    for (unsigned i = 0; i < event->n_targets; i++) {
        cJSON *target;

        add_target(list, &event->target[i], true);
        target = cJSON_GetArrayItem(list, (int)i);
        add_picture(target, "before", before[i]);
        add_picture(target, "after", after[i]);
    }
}

/* --- Resources -------------------------------------------------------------------------------- */

static const char *kind_of(const struct frame_resource *r)
{
    const struct tex_format *format;

    if (r->kind == CMD_BUFFER)
        return !strcmp(r->method, "CreateIndexBuffer") ? "indices" : "buffer";
    format = tex_format_get(r->image.format);
    if (format && format->layout == TEX_LAYOUT_DEPTH)
        return "depth";
    if (r->image.shape != TEX_2D)
        return r->image.shape == TEX_CUBE_MAP ? "cube" : "volume";
    return !strcmp(r->method, "CreateTexture") ? "texture" : "surface";
}

static void put_usage(char out[256], uint32_t usage)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } names[] = {{D3DUSAGE_RENDERTARGET, "RENDERTARGET"},
                 {D3DUSAGE_DEPTHSTENCIL, "DEPTHSTENCIL"},
                 {D3DUSAGE_WRITEONLY, "WRITEONLY"},
                 {D3DUSAGE_SOFTWAREPROCESSING, "SOFTWAREPROCESSING"},
                 {D3DUSAGE_DONOTCLIP, "DONOTCLIP"},
                 {D3DUSAGE_POINTS, "POINTS"},
                 {D3DUSAGE_RTPATCHES, "RTPATCHES"},
                 {D3DUSAGE_NPATCHES, "NPATCHES"},
                 {D3DUSAGE_DYNAMIC, "DYNAMIC"},
                 {D3DUSAGE_AUTOGENMIPMAP, "AUTOGENMIPMAP"},
                 {D3DUSAGE_DMAP, "DMAP"}};
    size_t n = 0;

    out[0] = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (usage & names[i].bit) {
            n += (size_t)snprintf(out + n, 256 - n, "%s%s", n ? "|" : "", names[i].name);
            usage &= ~names[i].bit;
        }
    if (usage)
        snprintf(out + n, 256 - n, "%s0x%x", n ? "|" : "", (unsigned)usage);
}

static void add_uses(cJSON *object, const struct frame_events *events, uint32_t id, bool writes)
{
    cJSON *list = frame_add_array(object, writes ? "writes" : "reads");

    for (uint32_t i = 0; i < events->n_uses; i++) {
        const struct frame_use *use = &events->use[i];
        cJSON *entry;

        if (use->resource != id || (use->how <= FRAME_BY_UPLOAD) != writes)
            continue;
        entry = frame_append(list);
        frame_add_number(entry, "call", (double)use->call);
        frame_add_text(entry, "how", frame_how_names[use->how]);
    }
}

static void add_resource(cJSON *list, const struct frame_events *events,
                         const struct frame_resource *r)
{
    static const char *const pools[] = {"DEFAULT", "MANAGED", "SYSTEMMEM", "SCRATCH"};
    bool image = r->kind == CMD_IMAGE;
    cJSON *object = frame_append(list);
    char usage[256];

    put_usage(usage, r->usage);
    frame_add_number(object, "id", r->id);
    frame_add_text(object, "kind", kind_of(r));
    if (image) {
        frame_add_text(object, "format", tex_format_name(r->image.format));
        frame_add_number(object, "width", r->image.width);
        frame_add_number(object, "height", r->image.height);
        frame_add_number(object, "depth", r->image.depth);
        frame_add_number(object, "levels", r->image.levels);
        frame_add_number(object, "faces", r->image.shape == TEX_CUBE_MAP ? 6 : 1);
        frame_add_number(object, "samples", r->image.samples);
    }
    frame_add_text(object, "usage", usage);
    frame_add_text(object, "pool", r->pool < 4 ? pools[r->pool] : "DEFAULT");
    frame_add_number(object, "bytes", (double)r->bytes);
    frame_add_text(object, "method", r->method);
    frame_add_number(object, "created", (double)r->created);
    add_uses(object, events, r->id, true);
    add_uses(object, events, r->id, false);
}

cJSON *frame_resources_json(const struct frame_events *events, const struct frame_walk *walk)
{
    cJSON *object = cJSON_CreateObject(), *list = frame_add_array(object, "resources");
    const struct frame_resource *r;

    for (uint32_t id = 1; (r = frame_walk_resource(walk, id)); id++)
        for (uint32_t i = 0; i < events->n_uses; i++)
            if (events->use[i].resource == id) {
                add_resource(list, events, r);
                break;
            }
    return object;
}

/* --- Shaders ---------------------------------------------------------------------------------- */

cJSON *frame_shader_json(const struct frame_shader *shader)
{
    cJSON *object = cJSON_CreateObject(), *list;

    frame_add_text(object, "id", shader->id);
    frame_add_text(object, "kind", shader->pixel ? "pixel" : "vertex");
    frame_add_text(object, "version", shader->version);
    cJSON_AddBoolToObject(object, "fixed", shader->fixed);
    cJSON_AddItemToObject(object, "lines", frame_shader_lines(shader->text));
    list = frame_add_array(object, "draws");
    for (uint32_t i = 0; i < shader->n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)shader->draws[i]));
    return object;
}
