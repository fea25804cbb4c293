/* Object map of a replay: recorded addresses, the objects that stand for them, and reference
 * counts.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/args.h"

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

/* Releases all references of the replayer. Direct3D may keep the object alive. */
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

/* Releases descendants of o that the program holds no reference to; o itself is unchanged. */
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

/* Releases o and its children if the program holds no reference to any of them. */
static void family_check(struct replay *r, struct object *o)
{
    if (o->kind == OBJ_DEVICE ? o->refs != 0 : family_held(o))
        return;
    let_go_children(r, o);
    let_go(r, o);
}

/* Clears the entry for a new object at the same address. */
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
        replay_out_of_memory(r);
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
    if (parent == o || device == o) { /* occurs only in damaged captures */
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

bool arg_object(struct replay_call *q, unsigned i, uint32_t kinds, void *out)
{
    uint64_t address = trace_number(arg(q, i));
    struct object *o;

    *(void **)out = NULL;
    if (!address)
        return true;
    o = object_find(q->replay, address);
    if (!o || !o->iface || !(kinds & 1u << o->kind)) {
        replay_call_skip(q, "object 0x%llx %s", (unsigned long long)address,
                         !o          ? "is unknown"
                         : !o->iface ? "is gone"
                                     : "is of another kind");
        return false;
    }
    *(void **)out = o->iface;
    return true;
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
        device = NULL; /* these belong to no device */
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

/* Returns the object that owns the reference to release. A texture and its levels share one
 * reference count in Direct3D, so that a program may release one through another. */
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
        return; /* the program released too often; keep the count */
    from->refs--;
    if (!from->refs && from->parent && from->parent->iface) {
        from->pinned = true; /* keep the reference: the program may still use it */
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

    /* The order is irrelevant: children hold references to their device and parents. */
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

/* Releases the program's references to implicit surfaces before a Reset, which requires that, and
 * gives them to the successors afterwards. */
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
