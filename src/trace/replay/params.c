/* Reads the arguments of plain methods.
 *
 * Tested by tests/unit/trace/replay/test_methods.c. */
#include "trace/replay/params.h"

#include "util/plural.h"
#include "util/primitive.h"

#include <string.h>

/* --- Structs, lists, results ------------------------------------------------------------------ */

/* The pointer is null if it was null when recorded. */
bool params_struct(size_t size, struct params *p, const char *name, uint32_t class, void *to)
{
    size_t n = size / sizeof(*p->memory);
    void *memory = p->memory + p->used;
    bool ok = true;

    if (size % sizeof(*p->memory) || n > sizeof(p->memory) / sizeof(*p->memory) - p->used)
        return params_none(size, p, name, class, to);
    p->used += n;
    *(void **)to = arg_words(p->q, ++p->i, memory, n, &ok);
    if (!ok)
        replay_call_skip(p->q, "%s is malformed", name);
    return ok;
}

enum { LIST_MAX = 65536 }; /* elements that a call may count */

size_t params_count(const struct params *p, unsigned counted, size_t n)
{
    uint32_t count = counted ? arg_u32(p->q, counted) : 1;

    return count > LIST_MAX ? SIZE_MAX : n * count;
}

bool params_list(size_t size, struct params *p, const char *name, uint32_t class, void *to)
{
    void *list = NULL;

    (void)class;
    p->i++;
    if (size != SIZE_MAX)
        list = arg_array(p->q, p->i, size);
    *(void **)to = list;
    if (!list)
        replay_call_skip(p->q, "%s has fewer elements than counted", name);
    return list;
}

enum { OUT_BYTES = 2048 }; /* any struct that a method returns */

/* Nothing reads what is no object. Handles of shared resources are not asked for. */
bool params_out(size_t size, struct params *p, const char *name, uint32_t class, void *to)
{
    p->i++;
    (void)size;
    (void)name;
    if (class == PARAM_HANDLE)
        return true;
    if (class == PARAM_WORD) {
        *(void **)to = replay_scratch(p->q->replay, OUT_BYTES);
        return *(void **)to;
    }
    p->out = p->i;
    p->kind = class;
    p->object = NULL;
    *(void **)to = &p->object;
    return true;
}

bool params_none(size_t size, struct params *p, const char *name, uint32_t class, void *to)
{
    (void)size;
    (void)class;
    (void)to;
    replay_call_skip(p->q, "%s cannot be read", name);
    return false;
}

/* Levels belong to their texture; other objects to the device. */
void params_register(struct params *p)
{
    struct object *self = p->q->self;

    replay_call_out(p->q, p->out, (enum object_kind)__builtin_ctz(p->kind), p->object,
                    self->kind == OBJ_DEVICE ? NULL : self);
}

/* --- Draws with data -------------------------------------------------------------------------- */

/* Reads n elements of `each` bytes; null if no bytes were recorded. */
static bool read_blob(struct params *p, const char *what, uint64_t n, uint32_t each, void *to)
{
    uint32_t size;
    const uint8_t *bytes = arg_blob(p->q, ++p->i, &size);

    *(const void **)to = bytes;
    if (!bytes || !each || n <= size / each)
        return true;
    replay_call_skip(p->q, PLURAL_FORMAT " of %s %s too few", PLURAL(size, "byte", "bytes"), what,
                     size == 1 ? "is" : "are");
    return false;
}

bool params_vertices(size_t size, struct params *p, const char *name, uint32_t class, void *to)
{
    const struct replay_call *q = p->q;

    (void)size;
    (void)name;
    (void)class;
    return read_blob(p, "vertices", primitive_vertices(arg_u32(q, 1), arg_u32(q, 2)), arg_u32(q, 4),
                     to);
}

bool params_indices(size_t size, struct params *p, const char *name, uint32_t class, void *to)
{
    const struct replay_call *q = p->q;

    (void)size;
    (void)name;
    (void)class;
    return read_blob(p, "indices", primitive_vertices(arg_u32(q, 1), arg_u32(q, 4)),
                     arg_u32(q, 6) == D3DFMT_INDEX32 ? 4 : 2, to);
}

bool params_indexed_vertices(size_t size, struct params *p, const char *name, uint32_t class,
                             void *to)
{
    const struct replay_call *q = p->q;

    (void)size;
    (void)name;
    (void)class;
    return read_blob(p, "vertices", (uint64_t)arg_u32(q, 2) + arg_u32(q, 3), arg_u32(q, 8), to);
}

/* --- Shaders and declarations ----------------------------------------------------------------- */

/* A comment token can skip at most 0x7fff tokens. As many end tokens follow the recorded code, so
 * that no parser of damaged code leaves the memory. */
enum { SHADER_END = 0x0000ffff, SHADER_PADDING = 0x8000 };

bool params_byte_code(size_t size, struct params *p, const char *name, uint32_t class, void *to)
{
    uint32_t n;
    const uint8_t *bytes = arg_blob(p->q, ++p->i, &n);
    DWORD *tokens =
        bytes ? replay_scratch(p->q->replay, ((size_t)n / 4 + SHADER_PADDING) * 4) : NULL;

    (void)size;
    (void)name;
    (void)class;
    *(void **)to = tokens;
    if (!tokens) {
        replay_call_skip(p->q, "no byte code was recorded");
        return false;
    }
    memcpy(tokens, bytes, n / 4 * 4);
    for (uint32_t i = 0; i < SHADER_PADDING; i++)
        tokens[n / 4 + i] = SHADER_END;
    return true;
}

/* Maximum elements of a declaration, including the terminator. */
enum { DECLARATION_MAX = 65 };

/* The recording may lack the terminator. */
bool params_elements(size_t size, struct params *p, const char *name, uint32_t class, void *to)
{
    const struct trace_value *list = arg(p->q, ++p->i);
    uint32_t n = list->kind == TRACE_ARRAY ? list->count : 0;
    D3DVERTEXELEMENT9 *elements =
        replay_scratch(p->q->replay, (DECLARATION_MAX + 1) * sizeof(*elements));

    (void)size;
    (void)class;
    *(void **)to = elements;
    if (!elements || !n || n > DECLARATION_MAX) {
        replay_call_skip(p->q, PLURAL_FORMAT, PLURAL(n, "element", "elements"));
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w[6];

        if (value_words(&list->u.items[i], w, 6) != 6) {
            replay_call_skip(p->q, "%s has a malformed element", name);
            return false;
        }
        elements[i] = (D3DVERTEXELEMENT9){(WORD)w[0], (WORD)w[1], (BYTE)w[2],
                                          (BYTE)w[3], (BYTE)w[4], (BYTE)w[5]};
    }
    elements[n] = (D3DVERTEXELEMENT9)D3DDECL_END();
    return true;
}
