/* Objects: recorded addresses and what stands for them, and the references they hold. */
#include "trace/replay_private.h"

#include "util/alloc.h"

#include <string.h>

static size_t slot_of(const struct object_map *map, uint64_t address)
{
    uint64_t h = address * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(h >> 32) & (map->size - 1);

    while (map->slots[i] && map->slots[i]->address != address)
        i = (i + 1) & (map->size - 1);
    return i;
}

static bool map_grow(struct object_map *map)
{
    struct object_map bigger = {.size = map->size ? map->size * 2 : 1024};

    bigger.slots = mem_calloc(bigger.size, sizeof(*bigger.slots));
    if (!bigger.slots)
        return false;
    for (struct object *o = map->all; o; o = o->next)
        bigger.slots[slot_of(&bigger, o->address)] = o;
    mem_free(map->slots);
    map->slots = bigger.slots;
    map->size = bigger.size;
    return true;
}

struct object *object_find(struct replay *r, uint64_t address)
{
    return r->objects.size ? r->objects.slots[slot_of(&r->objects, address)] : NULL;
}

static struct object *find_or_add(struct replay *r, uint64_t address)
{
    struct object_map *map = &r->objects;
    struct object *o = object_find(r, address);

    if (o)
        return o;
    if (map->used * 2 >= map->size && !map_grow(map))
        return NULL;
    o = mem_calloc(1, sizeof(*o));
    if (!o)
        return NULL;
    o->address = address;
    o->next = map->all;
    map->all = o;
    map->used++;
    map->slots[slot_of(map, address)] = o;
    return o;
}

static void detach(struct object *o)
{
    struct object **slot = o->parent ? &o->parent->children : NULL;

    while (slot && *slot && *slot != o)
        slot = &(*slot)->sibling;
    if (slot && *slot)
        *slot = o->sibling;
    o->parent = o->sibling = NULL;
}

static void attach(struct object *o, struct object *parent)
{
    o->parent = parent;
    if (parent) {
        o->sibling = parent->children;
        parent->children = o;
    }
}

/* Drops every reference we hold. The object may live on inside Direct3D; we have no claim to it. */
static void let_go(struct replay *r, struct object *o)
{
    IUnknown *unknown = o->iface;

    memory_remove_regions(r, o, -1);
    o->iface = NULL;
    for (uint32_t n = o->refs + o->pinned; unknown && n; n--)
        unknown->lpVtbl->Release(unknown);
    o->refs = 0;
    o->pinned = false;
    mem_free(o->user_memory);
    o->user_memory = NULL;
}

/* Lets go of those below o that the program holds no reference to, o's own state aside. */
static void let_go_children(struct replay *r, struct object *o)
{
    for (struct object *child = o->children; child; child = child->sibling) {
        let_go_children(r, child);
        if (!child->refs)
            let_go(r, child);
    }
}

static bool family_held(const struct object *o)
{
    if (o->refs)
        return true;
    for (const struct object *child = o->children; child; child = child->sibling)
        if (child->refs)
            return true;
    return false;
}

/* The last reference of the program to o or its children may be gone. */
static void family_check(struct replay *r, struct object *o)
{
    if (o->kind == OBJ_DEVICE ? o->refs != 0 : family_held(o))
        return;
    let_go_children(r, o);
    let_go(r, o);
}

/* Makes room for another object at the same address. */
static void overwrite(struct replay *r, struct object *o)
{
    let_go_children(r, o);
    while (o->children)
        detach(o->children);
    detach(o);
    let_go(r, o);
    if (o->kind == OBJ_DEVICE)
        for (struct object *other = r->objects.all; other; other = other->next)
            if (other->device == o)
                other->device = NULL;
    *o = (struct object){.address = o->address, .next = o->next};
}

struct object *object_register(struct replay *r, uint64_t address, enum object_kind kind,
                               void *iface, struct object *device, struct object *parent)
{
    struct object *o = find_or_add(r, address);
    IUnknown *unknown = iface;

    if (!o) {
        unknown->lpVtbl->Release(unknown);
        return NULL;
    }
    if (o->iface == iface && o->kind == kind) {
        o->refs++;
        if (o->pinned)
            unknown->lpVtbl->Release(unknown);
        o->pinned = false;
        return o;
    }
    if (parent == o || device == o) { /* only a damaged capture makes an object its own parent */
        unknown->lpVtbl->Release(unknown);
        return NULL;
    }
    overwrite(r, o);
    o->kind = kind;
    o->iface = iface;
    o->refs = 1;
    o->device = device;
    attach(o, parent);
    return o;
}

struct object *replay_call_out(struct replay_call *q, unsigned i, enum object_kind kind,
                               void *iface, struct object *parent)
{
    uint64_t address = arg_out_address(q, i);
    struct object *device = q->self && q->self->kind == OBJ_DEVICE ? q->self
                            : q->self                              ? q->self->device
                                                                   : NULL;
    IUnknown *unknown = iface;

    if (kind == OBJ_D3D || kind == OBJ_DEVICE)
        device = NULL; /* belong to no device */
    if (!iface)
        return NULL;
    if (!address) {
        unknown->lpVtbl->Release(unknown);
        return NULL;
    }
    return object_register(q->replay, address, kind, iface, device, parent);
}

void object_add_ref(struct object *o)
{
    IUnknown *unknown = o->iface;

    o->refs++;
    if (o->pinned)
        o->pinned = false;
    else
        unknown->lpVtbl->AddRef(unknown);
}

/* A texture and its levels share one count in Direct3D: a release through one may be the last of
 * another. */
static struct object *lender(struct object *o)
{
    struct object *parent = o->parent;

    if (o->refs)
        return o;
    if (parent && (KINDS_TEXTURE & 1u << parent->kind) && parent->refs)
        return parent;
    if (KINDS_TEXTURE & 1u << o->kind)
        for (struct object *child = o->children; child; child = child->sibling)
            if (child->refs)
                return child;
    return NULL;
}

void object_release(struct replay *r, struct object *o)
{
    struct object *from = lender(o);
    IUnknown *unknown;

    if (!from)
        return; /* more releases than references: ours stay right */
    from->refs--;
    if (!from->refs && from->parent && from->parent->iface) {
        from->pinned = true; /* withheld: the program may use it without a reference */
    } else {
        unknown = from->iface;
        if (!from->refs)
            memory_remove_regions(r, from, -1);
        unknown->lpVtbl->Release(unknown);
        if (!from->refs && !from->children) {
            from->refs = 0;
            from->iface = NULL;
            mem_free(from->user_memory);
            from->user_memory = NULL;
        }
    }
    if (from->refs)
        return;
    while (from->parent && from->parent->kind != OBJ_DEVICE)
        from = from->parent;
    if (from->iface && (!from->parent || !from->parent->iface))
        family_check(r, from);
}

void objects_fini(struct replay *r)
{
    struct object *o, *next;

    /* Children hold their device and their parents, so the order does not matter to Direct3D. */
    for (o = r->objects.all; o; o = o->next)
        let_go(r, o);
    for (o = r->objects.all; o; o = next) {
        next = o->next;
        mem_free(o);
    }
    mem_free(r->objects.slots);
    r->objects = (struct object_map){0};
}

static void *successor(const struct object *o, IDirect3DDevice9 *device)
{
    IDirect3DSwapChain9 *chain = NULL;
    IDirect3DSurface9 *surface = NULL;

    switch (o->origin) {
    case ORIGIN_SWAP_CHAIN:
        return SUCCEEDED(IDirect3DDevice9_GetSwapChain(device, o->chain, &chain)) ? chain : NULL;
    case ORIGIN_BACK_BUFFER:
        return SUCCEEDED(IDirect3DDevice9_GetBackBuffer(device, o->chain, o->index,
                                                        D3DBACKBUFFER_TYPE_MONO, &surface))
                   ? surface
                   : NULL;
    case ORIGIN_DEPTH:
        return SUCCEEDED(IDirect3DDevice9_GetDepthStencilSurface(device, &surface)) ? surface
                                                                                    : NULL;
    default:
        return NULL;
    }
}

/* The program's references are taken from the old object and given to the new one, so that a
 * device that insists on having all its surfaces back gets them. */
void objects_before_reset(struct replay *r, struct object *device)
{
    for (struct object *o = r->objects.all; o; o = o->next)
        if (o->device == device && o->origin != ORIGIN_OTHER && o->iface) {
            uint32_t refs = o->refs;

            let_go(r, o);
            o->refs = refs;
        }
}

void objects_after_reset(struct replay *r, struct object *device)
{
    for (struct object *o = r->objects.all; o; o = o->next) {
        IUnknown *unknown;

        if (o->device != device || o->origin == ORIGIN_OTHER || o->iface)
            continue;
        o->iface = unknown = successor(o, device->iface);
        if (!unknown) {
            o->refs = 0;
            continue;
        }
        o->pinned = !o->refs;
        for (uint32_t n = 1; n < o->refs; n++)
            unknown->lpVtbl->AddRef(unknown);
    }
}
