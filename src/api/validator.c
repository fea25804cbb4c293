/* IDirect3DShaderValidator9: takes a shader one instruction at a time. Valid shaders pass; of the
 * invalid ones only those without a version token are noticed as they come. */
#include "api/validator.h"

#include "api/com.h"
#include "util/alloc.h"

typedef HRESULT(WINAPI *validator_fn)(const char *file, int line, DWORD_PTR arg, DWORD message_id,
                                      const char *message, void *context);

struct validator;

struct validator_vtbl {
    HRESULT(WINAPI *QueryInterface)(struct validator *self, REFIID iid, void **out);
    ULONG(WINAPI *AddRef)(struct validator *self);
    ULONG(WINAPI *Release)(struct validator *self);
    HRESULT(WINAPI *Begin)
    (struct validator *self, validator_fn callback, void *context, DWORD_PTR arg);
    HRESULT(WINAPI *Instruction)
    (struct validator *self, const char *file, int line, const DWORD *tokens, UINT count);
    HRESULT(WINAPI *End)(struct validator *self);
};

enum validator_state { IDLE, BEGUN, VERSIONED, DEAD };

struct validator {
    const struct validator_vtbl *vtbl;
    atomic_uint refs;
    enum validator_state state;
    validator_fn callback;
    void *context;
    DWORD_PTR arg;
};

static void report(struct validator *v, int line, DWORD id, const char *message)
{
    if (v->callback)
        v->callback(NULL, line, v->arg, id, message, v->context);
}

static HRESULT WINAPI validator_QueryInterface(struct validator *v, REFIID iid, void **out)
{
    if (!out)
        return E_POINTER;
    *out = NULL;
    if (!IsEqualIID(iid, &IID_IUnknown))
        return E_NOINTERFACE;
    atomic_fetch_add(&v->refs, 1);
    *out = v;
    return S_OK;
}

static ULONG WINAPI validator_AddRef(struct validator *v)
{
    return atomic_fetch_add(&v->refs, 1) + 1;
}

static ULONG WINAPI validator_Release(struct validator *v)
{
    unsigned left = atomic_fetch_sub(&v->refs, 1) - 1;

    if (!left)
        mem_free(v);
    return left;
}

static HRESULT WINAPI validator_Begin(struct validator *v, validator_fn callback, void *context,
                                      DWORD_PTR arg)
{
    v->callback = callback;
    v->context = context;
    v->arg = arg;
    if (v->state != IDLE) {
        report(v, 0, 0xeb, "Begin: the validator is in use or has failed");
        return E_FAIL;
    }
    v->state = BEGUN;
    return S_OK;
}

static HRESULT WINAPI validator_Instruction(struct validator *v, const char *file, int line,
                                            const DWORD *tokens, UINT count)
{
    (void)file;
    (void)line;
    if (v->state == DEAD || v->state == IDLE || !tokens || !count)
        return E_FAIL;
    if (v->state == BEGUN) {
        DWORD kind = tokens[0] >> 16;

        if (count != 1 || (kind != 0xfffe && kind != 0xffff)) {
            report(v, -1, 0xef, "Instruction: the version token is missing");
            report(v, 0, 0xf0, "Instruction: the validator cannot go on");
            v->state = DEAD;
            return E_FAIL;
        }
        v->state = VERSIONED;
    }
    return S_OK;
}

static HRESULT WINAPI validator_End(struct validator *v)
{
    if (v->state != VERSIONED)
        return E_FAIL;
    v->state = IDLE;
    return S_OK;
}

static const struct validator_vtbl validator_vtbl = {
    validator_QueryInterface, validator_AddRef,      validator_Release,
    validator_Begin,          validator_Instruction, validator_End,
};

void *api_validator_create(void)
{
    struct validator *v = mem_calloc(1, sizeof(*v));

    if (!v)
        return NULL;
    v->vtbl = &validator_vtbl;
    atomic_init(&v->refs, 1);
    return v;
}
