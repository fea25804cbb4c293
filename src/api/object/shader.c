/* Vertex and pixel shader objects: bytecode validation against the device's limits, and
 * GetFunction. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/config/config.h"
#include "api/object/object.h"
#include "api/state/state.h"
#include "cmd/cmd.h"
#include "util/alloc.h"
#include "util/log.h"
#include "vm/vm.h"

#include <string.h>

OBJECT_METHODS(IDirect3DVertexShader9, vertex)
OBJECT_METHODS(IDirect3DPixelShader9, pixel)

static HRESULT get_function(const struct shader *shader, void *out, UINT *bytes)
{
    if (!bytes)
        return D3DERR_INVALIDCALL;
    if (!out) {
        *bytes = shader->bytes;
        return D3D_OK;
    }
    if (*bytes < shader->bytes)
        return D3DERR_INVALIDCALL;
    memcpy(out, shader->tokens, shader->bytes);
    return D3D_OK;
}

static HRESULT WINAPI vertex_GetFunction(IDirect3DVertexShader9 *iface, void *out, UINT *bytes)
{
    return get_function(shader_of(iface), out, bytes);
}

static HRESULT WINAPI pixel_GetFunction(IDirect3DPixelShader9 *iface, void *out, UINT *bytes)
{
    return get_function(shader_of(iface), out, bytes);
}

static const IDirect3DVertexShader9Vtbl vertex_vtbl = {OBJECT_VTBL(vertex),
                                                       .GetFunction = vertex_GetFunction};
static const IDirect3DPixelShader9Vtbl pixel_vtbl = {OBJECT_VTBL(pixel),
                                                     .GetFunction = pixel_GetFunction};

static void shader_destroy(struct object *obj)
{
    struct shader *shader = (struct shader *)obj;

    cmd_destroy(obj->device->stream, shader->handle);
    mem_free(shader->tokens);
    mem_free(shader);
}

static const IID *const vertex_iids[] = {&IID_IUnknown, &IID_IDirect3DVertexShader9, NULL};
static const IID *const pixel_iids[] = {&IID_IUnknown, &IID_IDirect3DPixelShader9, NULL};
static const struct object_class vertex_class = {&vertex_vtbl, RECORD_VERTEX_SHADER, vertex_iids,
                                                 shader_destroy};
static const struct object_class pixel_class = {&pixel_vtbl, RECORD_PIXEL_SHADER, pixel_iids,
                                                shader_destroy};

/* Applications pass no length. The longest valid shader (32768 instructions) is shorter than
 * this. */
enum { MAX_TOKENS = 1 << 18 };

/* Logs a broken rule that does not refuse, the first time that any shader breaks it
 * (reference: shader/lenient). */
static void log_finding(void *ctx, const struct vm_finding *finding)
{
    log_once("api", vm_rule_info[finding->rule].name,
             "%s shader breaks a rule that STRICT_SHADERS=on enforces: token %u: %s",
             (const char *)ctx, (unsigned)finding->error.token, finding->error.text);
}

/* Limits of a shader. Software vertex processing raises the numbers of registers for every vertex
 * model, but among pixel models only for ps_2_sw and ps_3_sw (reference: shader/software). */
static struct vm_limits limits_of(const struct device *d, DWORD version, bool pixel)
{
    bool software_model = (version & 0xff) == 0xff;
    struct vm_limits limits =
        d->software_shaders && (!pixel || software_model) ? vm_limits_software : vm_limits_hardware;

    if (api_config_on(CONFIG_STRICT_SHADERS))
        return limits;
    limits.enforced = VM_RULES_LIMIT;
    limits.report = log_finding;
    limits.report_ctx = pixel ? "pixel" : "vertex";
    return limits;
}

/* Whether the device supports the model. Software vertex processing supports all, hardware those of
 * its caps; 2_sw and 3_sw count as 2_0 and 3_0. */
static bool model_ok(const struct device *d, const struct vm_program *program, DWORD version,
                     bool pixel)
{
    if ((version & 0xff) == 0xff)
        version &= ~0xffu;
    if (pixel)
        return version <= d->caps.PixelShaderVersion;
    return d->software_shaders ||
           (version <= d->caps.VertexShaderVersion &&
            vm_program_info(program)->direct_constants <= d->caps.MaxVertexShaderConst);
}

static enum status check(struct vm_program **out, size_t *n, const struct device *d,
                         const DWORD *tokens, bool pixel)
{
    struct vm_limits limits = limits_of(d, tokens[0], pixel);
    struct vm_error error = {0, "the end token is missing"};
    enum status st = ST_INVALID;

    *n = vm_token_count((const uint32_t *)tokens, MAX_TOKENS);
    if (*n)
        st = vm_program_create(out, (const uint32_t *)tokens, *n, &limits, &error);
    if (st == ST_OK && (vm_program_info(*out)->stage == VM_PIXEL) != pixel) {
        vm_program_destroy(*out);
        error = (struct vm_error){0, "the shader belongs to the other stage"};
        st = ST_INVALID;
    }
    if (st == ST_OK && !model_ok(d, *out, tokens[0], pixel)) {
        vm_program_destroy(*out);
        error = (struct vm_error){0, "the shader exceeds the device's caps"};
        st = ST_INVALID;
    }
    if (st == ST_INVALID)
        log_warn("api", "%s shader refused: token %u: %s", pixel ? "pixel" : "vertex",
                 (unsigned)error.token, error.text);
    return st;
}

static HRESULT create_shader(struct shader **out, struct device *device, const DWORD *tokens,
                             bool pixel)
{
    struct vm_program *program;
    struct shader *shader;
    enum status st;
    size_t n;

    *out = NULL;
    st = check(&program, &n, device, tokens, pixel);
    if (st != ST_OK)
        return api_hresult(st);
    shader = mem_calloc(1, sizeof(*shader));
    if (!shader || !(shader->tokens = mem_alloc(n * sizeof(DWORD)))) {
        vm_program_destroy(program);
        mem_free(shader);
        return E_OUTOFMEMORY;
    }
    shader->pixel = pixel;
    shader->bytes = (UINT)(n * sizeof(DWORD));
    memcpy(shader->tokens, tokens, shader->bytes);
    shader->beyond_hardware = !pixel && vm_program_info(program)->direct_constants > VS_FLOATS;
    st = cmd_create_shader(device->stream, program, &shader->handle);
    if (st != ST_OK) {
        mem_free(shader->tokens);
        mem_free(shader);
        return api_hresult(st);
    }
    api_object_init(&shader->base, pixel ? &pixel_class : &vertex_class, device, 1);
    *out = shader;
    return D3D_OK;
}

HRESULT WINAPI device_CreateVertexShader(IDirect3DDevice9Ex *iface, const DWORD *tokens,
                                         IDirect3DVertexShader9 **out)
{
    ENTER(d, iface);

    if (!tokens || !out)
        return D3DERR_INVALIDCALL;
    return create_shader((struct shader **)out, d, tokens, false);
}

HRESULT WINAPI device_CreatePixelShader(IDirect3DDevice9Ex *iface, const DWORD *tokens,
                                        IDirect3DPixelShader9 **out)
{
    ENTER(d, iface);

    if (!tokens || !out)
        return D3DERR_INVALIDCALL;
    return create_shader((struct shader **)out, d, tokens, true);
}
