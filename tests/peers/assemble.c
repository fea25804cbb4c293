/* Assembles and compiles shader texts with d3dcompiler_47.dll (Wine's or Microsoft's):
 *
 *   assemble.exe asm TEXTS WORDS      assembler texts, separated by NUL
 *   assemble.exe hlsl TEXTS WORDS     HLSL texts; each begins with its profile and a newline
 *
 * WORDS receives a count and as many words for each text; count 0: the text was refused. */
#include <windows.h>

#include <d3dcommon.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef HRESULT(WINAPI *assemble_fn)(const void *text, SIZE_T size, const char *name,
                                     const D3D_SHADER_MACRO *macros, ID3DInclude *include,
                                     UINT flags, ID3DBlob **code, ID3DBlob **errors);
typedef HRESULT(WINAPI *compile_fn)(const void *text, SIZE_T size, const char *name,
                                    const D3D_SHADER_MACRO *macros, ID3DInclude *include,
                                    const char *entry, const char *profile, UINT flags,
                                    UINT effect_flags, ID3DBlob **code, ID3DBlob **errors);

static assemble_fn assemble;
static compile_fn compile;
static void *crashed[5]; /* continuation after a crash */

/* The assembler of Wine 8 crashes on a predicate in front of an invalid instruction. */
static LONG WINAPI survive(EXCEPTION_POINTERS *exception)
{
    if (exception->ExceptionRecord->ExceptionCode == (DWORD)EXCEPTION_ACCESS_VIOLATION)
        __builtin_longjmp(crashed, 1);
    return EXCEPTION_CONTINUE_SEARCH;
}

static HRESULT translate(bool hlsl, char *text, ID3DBlob **code, ID3DBlob **errors)
{
    char *body = hlsl ? strchr(text, '\n') : NULL;

    if (!hlsl)
        return assemble(text, strlen(text), NULL, NULL, NULL, 0, code, errors);
    if (!body || body - text < 4)
        return E_FAIL;
    *body++ = 0;
    return compile(body, strlen(body), NULL, NULL, NULL, "main", text + 3, 0, 0, code, errors);
}

static void write_result(FILE *out, bool hlsl, char *text)
{
    ID3DBlob *volatile code = NULL, *volatile errors = NULL;
    volatile HRESULT hr = E_FAIL;
    uint32_t n;

    if (!__builtin_setjmp(crashed))
        hr = translate(hlsl, text, (ID3DBlob **)&code, (ID3DBlob **)&errors);
    n = SUCCEEDED(hr) && code ? (uint32_t)(code->lpVtbl->GetBufferSize(code) / 4) : 0;

    fwrite(&n, sizeof(n), 1, out);
    if (n)
        fwrite(code->lpVtbl->GetBufferPointer(code), 4, n, out);
    if (!n && hlsl && errors)
        fprintf(stderr, "%s\n", (const char *)errors->lpVtbl->GetBufferPointer(errors));
    if (code)
        code->lpVtbl->Release(code);
    if (errors)
        errors->lpVtbl->Release(errors);
}

static char *read_all(const char *path, size_t *n)
{
    FILE *in = fopen(path, "rb");
    char *text = malloc(64 << 20);

    if (!in || !text)
        exit(2);
    *n = fread(text, 1, 64 << 20, in);
    fclose(in);
    return text;
}

int main(int argc, char **argv)
{
    HMODULE dll = LoadLibraryA("d3dcompiler_47.dll");
    bool hlsl = argc == 4 && !strcmp(argv[1], "hlsl");
    FILE *out = argc == 4 ? fopen(argv[3], "wb") : NULL;
    char *text;
    size_t n;

    if (!out || !dll)
        return 2;
    assemble = (assemble_fn)(void *)GetProcAddress(dll, "D3DAssemble");
    compile = (compile_fn)(void *)GetProcAddress(dll, "D3DCompile");
    if (!assemble || !compile)
        return 2;
    AddVectoredExceptionHandler(1, survive);
    text = read_all(argv[2], &n);
    for (size_t at = 0; at < n;) {
        size_t length = strlen(text + at);

        write_result(out, hlsl, text + at);
        at += length + 1;
    }
    return fclose(out) ? 2 : 0;
}
