/* Makes calls of Direct3D for the changes of a draw. The values to restore are those of the
 * replay's device, so that state blocks and all other ways to set a state count.
 *
 * Tested by tests/unit/tool/edit/test_edit.c. */
#include "tool/edit/calls.h"

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "tool/inspect/state_names.h"
#include "util/alloc.h"

#include <stdio.h>
#include <string.h>

/* A shader: created and set, and again, and two released. */
enum { CALLS_A_CHANGE = 6 };

struct maker {
    struct edit_calls *out;
    const struct edit *edit;
    struct replay *replay;
    const struct trace_call *draw;
    IDirect3DDevice9 *device;
    unsigned n;
    char *error;
    uint64_t address[2]; /* of the shaders that the edit creates: vertex, pixel */
    uint64_t again[2];   /* of shaders that have to be created again */
};

/* --- Values ----------------------------------------------------------------------------------- */

static struct trace_value unsigned_value(uint32_t n)
{
    return (struct trace_value){.kind = TRACE_UINT, .u.uint = n};
}

static struct trace_value address_value(uint64_t address)
{
    return address ? (struct trace_value){.kind = TRACE_OPAQUE, .u.uint = address}
                   : (struct trace_value){.kind = TRACE_NULL};
}

/* A value with a name of its own, in slot 0 or 1 of the call. */
static struct trace_value named_value(struct edit_call *c, unsigned slot, const char *name,
                                      uint32_t n)
{
    snprintf(c->text[slot], sizeof(c->text[slot]), "%s", name);
    c->value[slot] = (struct trace_name){c->text[slot], n};
    c->type[slot] = (struct trace_names){1, &c->value[slot]};
    return (struct trace_value){.kind = TRACE_ENUM, .u.sint = n, .names = &c->type[slot]};
}

static struct trace_value state_value(struct edit_call *c, const char *state, uint32_t n)
{
    char name[STATE_NAME_BYTES];

    if (inspect_state_value_name(name, state, n) && !strncmp(name, "D3D", 3) &&
        !strchr(name, '|') && strlen(name) < sizeof(c->text[1]))
        return named_value(c, 1, name, n);
    return unsigned_value(n);
}

static struct trace_value array_value(struct edit_call *c, enum edit_kind kind,
                                      const uint32_t *words, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct trace_value *v = &c->items[i];

        *v = unsigned_value(words[i]);
        if (kind == EDIT_FLOATS)
            *v = (struct trace_value){.kind = TRACE_FLOAT, .u.float_bits = words[i]};
        else if ((int32_t)words[i] < 0)
            *v = (struct trace_value){.kind = TRACE_SINT, .u.sint = (int32_t)words[i]};
    }
    return (struct trace_value){.kind = TRACE_ARRAY, .count = n, .u.items = c->items};
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* A call of a method of the device, with its arguments but the device to be filled in. names: of
 * the arguments; static. */
static struct edit_call *add(struct maker *m, const char *method, unsigned argc,
                             const char *const *names)
{
    struct edit_call *c = &m->out->call[m->n++];
    const char *draw = m->draw->function->name, *colons = strstr(draw, "::");

    snprintf(c->name, sizeof(c->name), "%.*s::%s", (int)(colons - draw), draw, method);
    c->function = (struct trace_function){c->name, argc, names, 0};
    c->call = (struct trace_call){.thread = m->draw->thread,
                                  .complete = true,
                                  .function = &c->function,
                                  .argc = argc,
                                  .args = c->args,
                                  .ret = unsigned_value(0)};
    c->args[0] = address_value(trace_number(&m->draw->args[0]));
    return c;
}

static void set_state(struct maker *m, const struct edit_change *change, uint32_t value)
{
    static const char *const render[] = {"this", "State", "Value"};
    static const char *const stage[] = {"this", "Stage", "Type", "Value"};
    static const char *const sampler[] = {"this", "Sampler", "Type", "Value"};
    static const char *const methods[] = {"SetRenderState", "SetTextureStageState",
                                          "SetSamplerState"};
    static const char *const prefixes[] = {"D3DRS_", "D3DTSS_", "D3DSAMP_"};
    unsigned argc = change->kind == EDIT_RENDER_STATE ? 3 : 4;
    struct edit_call *c = add(m, methods[change->kind], argc,
                              change->kind == EDIT_RENDER_STATE  ? render
                              : change->kind == EDIT_STAGE_STATE ? stage
                                                                 : sampler);
    char name[48];

    snprintf(name, sizeof(name), "%s%s", prefixes[change->kind], change->name);
    c->args[1] = unsigned_value(change->index);
    c->args[argc - 2] = named_value(c, 0, name, change->state);
    c->args[argc - 1] = state_value(c, change->name, value);
}

static void set_constant(struct maker *m, const struct edit_change *change, const uint32_t *words)
{
    static const char *const names[3][4] = {
        {"this", "StartRegister", "pConstantData", "Vector4fCount"},
        {"this", "StartRegister", "pConstantData", "Vector4iCount"},
        {"this", "StartRegister", "pConstantData", "BoolCount"}};
    unsigned type = (unsigned)change->kind - EDIT_FLOATS;
    char method[48];
    struct edit_call *c;

    snprintf(method, sizeof(method), "Set%sShaderConstant%c", change->pixel ? "Pixel" : "Vertex",
             "FIB"[type]);
    c = add(m, method, 4, names[type]);
    c->args[1] = unsigned_value(change->index);
    c->args[2] = array_value(c, change->kind, words, change->kind == EDIT_BOOLEAN ? 1 : 4);
    c->args[3] = unsigned_value(1);
}

static void create_shader(struct maker *m, bool pixel, const uint32_t *code, size_t n_words,
                          uint64_t address)
{
    static const char *const names[] = {"this", "pFunction", "ppShader"};
    struct edit_call *c = add(m, pixel ? "CreatePixelShader" : "CreateVertexShader", 3, names);

    c->args[1] = (struct trace_value){.kind = TRACE_BLOB,
                                      .count = (uint32_t)(n_words * sizeof(*code)),
                                      .u.bytes = (const uint8_t *)code};
    c->items[0] = address_value(address);
    c->args[2] = (struct trace_value){.kind = TRACE_ARRAY, .count = 1, .u.items = c->items};
}

static void set_shader(struct maker *m, bool pixel, uint64_t address)
{
    static const char *const names[] = {"this", "pShader"};
    struct edit_call *c = add(m, pixel ? "SetPixelShader" : "SetVertexShader", 2, names);

    c->args[1] = address_value(address);
}

static void release_shader(struct maker *m, bool pixel, uint64_t address)
{
    static const char *const names[] = {"this"};
    struct edit_call *c = add(m, "", 1, names);

    snprintf(c->name, sizeof(c->name), "IDirect3D%sShader9::Release", pixel ? "Pixel" : "Vertex");
    c->args[0] = address_value(address);
}

/* --- The device before the draw --------------------------------------------------------------- */

static HRESULT get_state(IDirect3DDevice9 *device, const struct edit_change *change, DWORD *value)
{
    if (change->kind == EDIT_RENDER_STATE)
        return IDirect3DDevice9_GetRenderState(device, (D3DRENDERSTATETYPE)change->state, value);
    if (change->kind == EDIT_STAGE_STATE)
        return IDirect3DDevice9_GetTextureStageState(
            device, change->index, (D3DTEXTURESTAGESTATETYPE)change->state, value);
    return IDirect3DDevice9_GetSamplerState(device, change->index,
                                            (D3DSAMPLERSTATETYPE)change->state, value);
}

static HRESULT get_constant(IDirect3DDevice9 *device, const struct edit_change *change,
                            uint32_t words[4])
{
    uint32_t i = change->index;
    void *at = words;

    if (change->kind == EDIT_FLOATS)
        return change->pixel ? IDirect3DDevice9_GetPixelShaderConstantF(device, i, at, 1)
                             : IDirect3DDevice9_GetVertexShaderConstantF(device, i, at, 1);
    if (change->kind == EDIT_INTEGERS)
        return change->pixel ? IDirect3DDevice9_GetPixelShaderConstantI(device, i, at, 1)
                             : IDirect3DDevice9_GetVertexShaderConstantI(device, i, at, 1);
    return change->pixel ? IDirect3DDevice9_GetPixelShaderConstantB(device, i, at, 1)
                         : IDirect3DDevice9_GetVertexShaderConstantB(device, i, at, 1);
}

/* The code of the shader that is bound, which the caller frees, and its address; 0: it has none.
 * *code NULL: there is no shader, or no memory. */
static void get_shader(struct maker *m, bool pixel, uint32_t **code, size_t *n_words,
                       uint64_t *address)
{
    IUnknown *shader = NULL;
    UINT bytes = 0;
    HRESULT hr = pixel ? IDirect3DDevice9_GetPixelShader(m->device, (void *)&shader)
                       : IDirect3DDevice9_GetVertexShader(m->device, (void *)&shader);

    *code = NULL;
    *n_words = 0;
    *address = 0;
    if (FAILED(hr) || !shader)
        return;
    *address = replay_address(m->replay, shader);
    if (pixel)
        IDirect3DPixelShader9_GetFunction((IDirect3DPixelShader9 *)shader, NULL, &bytes);
    else
        IDirect3DVertexShader9_GetFunction((IDirect3DVertexShader9 *)shader, NULL, &bytes);
    *code = mem_alloc(bytes ? bytes : 4);
    *n_words = bytes / 4;
    if (*code && pixel)
        IDirect3DPixelShader9_GetFunction((IDirect3DPixelShader9 *)shader, *code, &bytes);
    else if (*code)
        IDirect3DVertexShader9_GetFunction((IDirect3DVertexShader9 *)shader, *code, &bytes);
    shader->lpVtbl->Release(shader);
}

/* --- Making ----------------------------------------------------------------------------------- */

static bool undo_change(struct maker *m, const struct edit_change *change)
{
    uint32_t words[4] = {0};
    DWORD value = 0;
    uint64_t address;
    uint32_t *code;
    size_t n_words;

    switch (change->kind) {
    case EDIT_RENDER_STATE:
    case EDIT_STAGE_STATE:
    case EDIT_SAMPLER_STATE:
        if (FAILED(get_state(m->device, change, &value)))
            return edit_fail(m->error, "the device has no state %s there", change->name);
        set_state(m, change, (uint32_t)value);
        return true;
    case EDIT_FLOATS:
    case EDIT_INTEGERS:
    case EDIT_BOOLEAN:
        if (FAILED(get_constant(m->device, change, words)))
            return edit_fail(m->error, "the device has no constant %cs:%c%u",
                             change->pixel ? 'p' : 'v', "cib"[change->kind - EDIT_FLOATS],
                             (unsigned)change -> index);
        set_constant(m, change, words);
        return true;
    case EDIT_SHADER:
        break;
    }
    get_shader(m, change->pixel, &code, &n_words, &address);
    if (code && !address) { /* released by the program: the device alone keeps it */
        address = m->again[change->pixel];
        create_shader(m, change->pixel, code, n_words, address);
        *(change->pixel ? &m->out->code : &m->out->other_code) = code;
        code = NULL;
        set_shader(m, change->pixel, address);
        release_shader(m, change->pixel, address);
    } else {
        set_shader(m, change->pixel, address);
    }
    mem_free(code);
    if (change->code)
        release_shader(m, change->pixel, m->address[change->pixel]);
    return true;
}

static void make_change(struct maker *m, const struct edit_change *change)
{
    if (change->kind <= EDIT_SAMPLER_STATE) {
        set_state(m, change, change->word[0]);
    } else if (change->kind != EDIT_SHADER) {
        set_constant(m, change, change->word);
    } else {
        if (change->code)
            create_shader(m, change->pixel, change->code, change->n_words,
                          m->address[change->pixel]);
        set_shader(m, change->pixel, change->code ? m->address[change->pixel] : 0);
    }
}

/* The version of a stage's shader with the changes and without; 0: the fixed function. */
static void versions(struct maker *m, bool pixel, unsigned *now, unsigned *was)
{
    uint64_t address;
    uint32_t *code;
    size_t n_words;

    get_shader(m, pixel, &code, &n_words, &address);
    *was = n_words ? code[0] >> 8 & 255 : 0;
    *now = *was;
    mem_free(code);
    for (unsigned i = 0; i < m->edit->n; i++) {
        const struct edit_change *change = &m->edit->change[i];

        if (change->kind == EDIT_SHADER && change->pixel == pixel)
            *now = change->code ? change->code[0] >> 8 & 255 : 0;
    }
}

static bool is_mix(unsigned vertex, unsigned pixel)
{
    return vertex && pixel && (vertex >= 3) != (pixel >= 3);
}

/* Shader model 3 goes with shader model 3 alone (d3d9 documentation of vs_3_0 and ps_3_0). Other
 * devices refuse a mix when they draw. */
static bool check_versions(struct maker *m)
{
    unsigned vertex, pixel, old_vertex, old_pixel;

    versions(m, false, &vertex, &old_vertex);
    versions(m, true, &pixel, &old_pixel);
    if (!is_mix(vertex, pixel) || is_mix(old_vertex, old_pixel))
        return true;
    return edit_fail(
        m->error,
        "a vertex shader of model %u does not go with a pixel shader of model %u: with 3.0 "
        "both must be 3.0",
        vertex, pixel);
}

/* State calls go into a block that is being recorded, not to the device. */
static bool is_recording(IDirect3DDevice9 *device)
{
    IDirect3DStateBlock9 *block = NULL;

    if (FAILED(IDirect3DDevice9_BeginStateBlock(device)))
        return true;
    if (SUCCEEDED(IDirect3DDevice9_EndStateBlock(device, &block)))
        IDirect3DStateBlock9_Release(block);
    return false;
}

static bool execute(const struct edit_calls *calls, unsigned first, unsigned n,
                    struct replay *replay, char error[EDIT_TEXT])
{
    for (unsigned i = first; i < first + n; i++)
        if (!replay_inject(replay, &calls->call[i].call))
            return edit_fail(error, "the device refuses the change: %s fails", calls->call[i].name);
    return true;
}

bool edit_calls_make(struct edit_calls *out, const struct edit *edit, struct replay *replay,
                     const struct trace_call *draw, char error[EDIT_TEXT])
{
    struct maker m = {.out = out, .edit = edit, .replay = replay, .draw = draw, .error = error};

    m.device = replay_device(replay, draw);
    if (!m.device || !strstr(draw->function->name, "::"))
        return edit_fail(error, "the draw has no device");
    if (is_recording(m.device))
        return edit_fail(error, "the draw stands between BeginStateBlock and EndStateBlock");
    if (!check_versions(&m))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        m.address[i] = replay_spare_address(replay, i);
        m.again[i] = replay_spare_address(replay, 2 + i);
    }
    out->call = mem_calloc(edit->n * CALLS_A_CHANGE + 1, sizeof(*out->call));
    if (!out->call)
        return edit_fail(error, "%s", status_text(ST_NOMEM));
    for (unsigned i = 0; i < edit->n; i++)
        make_change(&m, &edit->change[i]);
    out->n_before = m.n;
    for (unsigned i = edit->n; i-- > 0;)
        if (!undo_change(&m, &edit->change[i]))
            return false;
    out->n_after = m.n - out->n_before;
    return execute(out, 0, out->n_before, replay, error);
}

bool edit_calls_undo(const struct edit_calls *calls, struct replay *replay, char error[EDIT_TEXT])
{
    return execute(calls, calls->n_before, calls->n_after, replay, error);
}

void edit_calls_fini(struct edit_calls *calls)
{
    mem_free(calls->call);
    mem_free(calls->code);
    mem_free(calls->other_code);
    memset(calls, 0, sizeof(*calls));
}
