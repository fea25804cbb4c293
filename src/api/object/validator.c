/* IDirect3DShaderValidator9: validates a shader one instruction at a time, and reports errors to a
 * callback (reference: shader/validator).
 *
 * An error in the shader is kept until End. Calls in the wrong order make the object unusable. */
#include "api/object/object.h"

#include "api/com/com.h"
#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>

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

/* Message ids. Only the first five are known from the original. */
enum message {
    MESSAGE_BEGIN_ORDER = 0xeb,
    MESSAGE_NO_VERSION = 0xef,
    MESSAGE_GIVEN_UP = 0xf0,
    MESSAGE_DECLARATION = 0x12c,
    MESSAGE_INSTRUCTION = 0x167,
    MESSAGE_PROGRAM = 0x168
};

struct validator {
    const struct validator_vtbl *vtbl;
    atomic_uint refs;
    enum validator_state state;
    validator_fn callback;
    void *context;
    DWORD_PTR arg;
    struct vm_validator *vm_validator;
    unsigned instructions; /* so far, without the version token */
    bool refused;
};

static void report(struct validator *v, const char *file, int line, DWORD id, const char *message)
{
    if (v->callback)
        v->callback(file, line, v->arg, id, message, v->context);
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

    if (!left) {
        vm_validator_destroy(v->vm_validator);
        mem_free(v);
    }
    return left;
}

static HRESULT WINAPI validator_Begin(struct validator *v, validator_fn callback, void *context,
                                      DWORD_PTR arg)
{
    v->callback = callback;
    v->context = context;
    v->arg = arg;
    if (v->state != IDLE) {
        report(v, NULL, 0, MESSAGE_BEGIN_ORDER, "Begin: the validator is in use or has failed");
        return E_FAIL;
    }
    v->state = BEGUN;
    v->instructions = 0;
    v->refused = false;
    return S_OK;
}

/* `file` is the caller's, and passed back with the message. */
static void refuse(struct validator *v, const char *file, int line, DWORD id,
                   const struct vm_error *error)
{
    char text[sizeof(error->text) + 32];

    snprintf(text, sizeof(text), "instruction %u: %s", v->instructions, error->text);
    report(v, file, line, id, text);
    v->refused = true;
}

/* Instructions that were not validated have not passed: End reports the failure. */
static HRESULT out_of_memory(struct validator *v)
{
    v->refused = true;
    return E_OUTOFMEMORY;
}

static HRESULT take_version(struct validator *v, const char *file, int line, const DWORD *tokens,
                            UINT count)
{
    /* Models 2_sw and 3_sw have limits of their own; all others use hardware limits. */
    const struct vm_limits *limits =
        (tokens[0] & 255) == 255 ? &vm_limits_software : &vm_limits_hardware;
    DWORD kind = tokens[0] >> 16;
    struct vm_error error;
    enum status st;

    if (count != 1 || (kind != 0xfffe && kind != 0xffff)) {
        report(v, NULL, -1, MESSAGE_NO_VERSION, "Instruction: the version token is missing");
        report(v, NULL, 0, MESSAGE_GIVEN_UP, "Instruction: the validator cannot go on");
        v->state = DEAD;
        return E_FAIL;
    }
    v->state = VERSIONED;
    st = vm_validator_create(&v->vm_validator, tokens[0], limits, &error);
    if (st == ST_NOMEM)
        return out_of_memory(v);
    if (st != ST_OK)
        refuse(v, file, line, MESSAGE_INSTRUCTION, &error);
    return S_OK;
}

static DWORD message_of(DWORD opcode)
{
    switch (opcode) {
    case D3DSIO_END:
        return MESSAGE_PROGRAM;
    case D3DSIO_DCL:
    case D3DSIO_DEFB:
    case D3DSIO_DEFI:
    case D3DSIO_DEF:
        return MESSAGE_DECLARATION;
    default:
        return MESSAGE_INSTRUCTION;
    }
}

static HRESULT WINAPI validator_Instruction(struct validator *v, const char *file, int line,
                                            const DWORD *tokens, UINT count)
{
    struct vm_error error;
    enum status st;

    if (v->state == DEAD || v->state == IDLE || !tokens || !count)
        return E_FAIL;
    if (v->state == BEGUN)
        return take_version(v, file, line, tokens, count);
    v->instructions++;
    if (!v->vm_validator) /* unknown version */
        return S_OK;
    st = vm_validator_instruction(v->vm_validator, (const uint32_t *)tokens, count, &error);
    if (st == ST_NOMEM)
        return out_of_memory(v);
    if (st != ST_OK)
        refuse(v, file, line, message_of(tokens[0] & 0xffff), &error);
    return S_OK;
}

static HRESULT WINAPI validator_End(struct validator *v)
{
    static const struct vm_error no_end = {0, "the end token is missing"};

    if (v->state != VERSIONED)
        return E_FAIL;
    if (v->vm_validator && !v->refused && !vm_validator_is_complete(v->vm_validator))
        refuse(v, NULL, 0, MESSAGE_PROGRAM, &no_end);
    vm_validator_destroy(v->vm_validator);
    v->vm_validator = NULL;
    v->state = IDLE;
    return v->refused ? E_FAIL : S_OK;
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
