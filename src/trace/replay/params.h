/* Arguments of plain methods: reads the recorded arguments of a call one after another, by the
 * description in record/methods.def. */
#ifndef TRACE_REPLAY_PARAMS_H
#define TRACE_REPLAY_PARAMS_H

#include "trace/replay/args.h"

#include <string.h>

/* What a parameter's C type says: kinds of objects, or one of these. */
enum { PARAM_WORD = 0, PARAM_FLOAT = 1 << OBJ_KIND_COUNT, PARAM_HANDLE = 2 << OBJ_KIND_COUNT };
#define PARAM_OBJECT(type, kinds) type * : (kinds), type ** : (kinds)
#define PARAM_CLASS(type)                                                                          \
    _Generic((type)0,                                                                              \
        float: PARAM_FLOAT,                                                                        \
        void **: PARAM_HANDLE,                                                                     \
        PARAM_OBJECT(IDirect3DDevice9, KIND(DEVICE)),                                              \
        PARAM_OBJECT(IDirect3DSwapChain9, KIND(SWAP_CHAIN)),                                       \
        PARAM_OBJECT(IDirect3DSurface9, KIND(SURFACE)),                                            \
        PARAM_OBJECT(IDirect3DBaseTexture9, KINDS_TEXTURE),                                        \
        PARAM_OBJECT(IDirect3DTexture9, KIND(TEXTURE)),                                            \
        PARAM_OBJECT(IDirect3DCubeTexture9, KIND(CUBE)),                                           \
        PARAM_OBJECT(IDirect3DVolumeTexture9, KIND(VOLUME_TEXTURE)),                               \
        PARAM_OBJECT(IDirect3DVolume9, KIND(VOLUME)),                                              \
        PARAM_OBJECT(IDirect3DVertexBuffer9, KIND(VERTEX_BUFFER)),                                 \
        PARAM_OBJECT(IDirect3DIndexBuffer9, KIND(INDEX_BUFFER)),                                   \
        PARAM_OBJECT(IDirect3DVertexShader9, KIND(VERTEX_SHADER)),                                 \
        PARAM_OBJECT(IDirect3DPixelShader9, KIND(PIXEL_SHADER)),                                   \
        PARAM_OBJECT(IDirect3DVertexDeclaration9, KIND(DECLARATION)),                              \
        PARAM_OBJECT(IDirect3DStateBlock9, KIND(STATE_BLOCK)),                                     \
        PARAM_OBJECT(IDirect3DQuery9, KIND(QUERY)),                                                \
        default: PARAM_WORD)

struct params {
    struct replay_call *q;
    unsigned i; /* index of the argument read last */
    /* The object that the call returns. */
    unsigned out; /* index of its argument; 0: none */
    uint32_t kind;
    void *object;
    uint32_t memory[64]; /* of structs */
    size_t used;
};

static inline void params_begin(struct params *p, struct replay_call *q)
{
    p->q = q;
    p->i = p->out = 0;
    p->used = 0;
}

/* Reads the next argument to *to. Returns false after a warning if it is malformed. size: bytes of a
 * struct, or words of a list. class: see PARAM_CLASS. */
typedef bool params_fn(size_t size, struct params *p, const char *name, uint32_t class, void *to);
params_fn params_struct, params_list, params_out;
/* Arguments whose size depends on others; record/special.c writes them. */
params_fn params_vertices, params_indices, params_indexed_vertices, params_byte_code,
    params_elements;
/* An argument of a method that needs a handler of its own. */
params_fn params_none;

/* Returns the size of a list: n words, times argument `counted` unless that is 0. Returns SIZE_MAX
 * for too large a count. */
size_t params_count(const struct params *p, unsigned counted, size_t n);

/* Most arguments are numbers, so that this function is worth inlining. */
static inline bool params_value(size_t size, struct params *p, const char *name, uint32_t class,
                                void *to)
{
    unsigned i = ++p->i;
    uint32_t word;

    (void)size;
    (void)name;
    if (class == PARAM_FLOAT) {
        *(float *)to = arg_float(p->q, i);
        return true;
    }
    if (class != PARAM_WORD)
        return arg_object(p->q, i, class, to);
    word = arg_u32(p->q, i);
    memcpy(to, &word, sizeof(word));
    return true;
}

/* Registers the object that the call returned. */
void params_register(struct params *p);
/* Ends a call; returns its result. */
static inline HRESULT params_end(struct params *p, HRESULT hr)
{
    if (p->out && SUCCEEDED(hr))
        params_register(p);
    return hr;
}

#endif
