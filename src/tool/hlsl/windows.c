/* Compiles HLSL with d3dcompiler_47.dll, Windows' or Wine's.
 *
 * Tested by tests/tool/hlsl.sh. */
#include "tool/hlsl/compiler.h"

#ifdef _WIN32

#include "util/alloc.h"

#include <windows.h>

#include <d3dcommon.h>
#include <string.h>

typedef HRESULT(WINAPI *compile_fn)(const void *text, SIZE_T size, const char *name,
                                    const D3D_SHADER_MACRO *macros, ID3DInclude *include,
                                    const char *entry, const char *profile, UINT flags,
                                    UINT effect_flags, ID3DBlob **code, ID3DBlob **errors);

/* --- #include --------------------------------------------------------------------------------- */

enum { MAX_INCLUDES = 256 };

struct includes {
    ID3DInclude iface;
    const struct hlsl_source *source;
    struct {
        char *text, *path;
    } file[MAX_INCLUDES];
    unsigned n;
};

static HRESULT WINAPI open_include(ID3DInclude *iface, D3D_INCLUDE_TYPE type, const char *name,
                                   const void *parent, const void **data, UINT *bytes)
{
    struct includes *in = (struct includes *)iface;
    const char *from = in->source->name;
    size_t n = 0;

    (void)type;
    for (unsigned i = 0; i < in->n; i++)
        if (in->file[i].text == parent)
            from = in->file[i].path;
    if (in->n == MAX_INCLUDES || compiler_include(in->source, from, name, &in->file[in->n].text, &n,
                                                  &in->file[in->n].path) != ST_OK)
        return E_FAIL;
    *data = in->file[in->n++].text;
    *bytes = (UINT)n;
    return S_OK;
}

/* The texts are freed at the end: their addresses name files. */
static HRESULT WINAPI close_include(ID3DInclude *iface, const void *data)
{
    (void)iface;
    (void)data;
    return S_OK;
}

static struct ID3DIncludeVtbl include_methods = {open_include, close_include};

/* --- Compiling -------------------------------------------------------------------------------- */

static enum status take_result(struct hlsl_result *out, HRESULT hr, ID3DBlob *code,
                               ID3DBlob *errors)
{
    enum status st =
        compiler_say(out, FAILED(hr) || !code ? ST_INVALID : ST_OK, "%.*s",
                     errors ? (int)errors->lpVtbl->GetBufferSize(errors) : 0,
                     errors ? (const char *)errors->lpVtbl->GetBufferPointer(errors) : "");

    return st == ST_OK ? compiler_take_code(out, code->lpVtbl->GetBufferPointer(code),
                                            code->lpVtbl->GetBufferSize(code))
                       : st;
}

enum status windows_compile(struct hlsl_result *out, const struct hlsl_source *source)
{
    static D3D_SHADER_MACRO macros[HLSL_DEFINES + 1];
    HMODULE dll = LoadLibraryA("d3dcompiler_47.dll");
    compile_fn compile =
        dll ? (compile_fn)(void *)GetProcAddress(dll, "D3DCompile") : (compile_fn)NULL;
    struct includes *in = mem_calloc(1, sizeof(*in));
    ID3DBlob *code = NULL, *errors = NULL;
    enum status st = ST_NOMEM;

    if (!compile)
        st = compiler_say(out, ST_UNSUPPORTED, "%s",
                          "is HLSL, and d3dcompiler_47.dll, which compiles it, is not there");
    memset(macros, 0, sizeof(macros));
    for (unsigned i = 0; i < source->n_defines; i++)
        macros[i] = (D3D_SHADER_MACRO){source->define[i].name, source->define[i].value};
    if (compile && in) {
        in->iface.lpVtbl = &include_methods;
        in->source = source;
        st = take_result(out,
                         compile(source->text, source->n, source->name, macros, &in->iface,
                                 source->entry, source->profile, 0, 0, &code, &errors),
                         code, errors);
    }
    for (unsigned i = 0; in && i < in->n; i++) {
        mem_free(in->file[i].text);
        mem_free(in->file[i].path);
    }
    mem_free(in);
    if (code)
        code->lpVtbl->Release(code);
    if (errors)
        errors->lpVtbl->Release(errors);
    if (dll)
        FreeLibrary(dll);
    return st;
}

#endif
