/* Loads a Direct3D 9 library at run time and forwards Direct3DCreate9 and Direct3DCreate9Ex to it,
 * so that one program can draw with any implementation.
 *
 * Tested by tests/tool/retrace.sh. */
#include "library.h"

#include "util/path.h"

#include <windows.h>
#include <d3d9.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>
#endif

const bool library_is_loaded = true;

typedef IDirect3D9 *WINAPI create_fn(UINT version);
typedef HRESULT WINAPI create_ex_fn(UINT version, IDirect3D9Ex **out);

static create_fn *create;
static create_ex_fn *create_ex;
static bool novem;
static char name[4096 + 64];

#ifdef _WIN32

static void *symbol(void *library, const char *function)
{
    return (void *)(uintptr_t)GetProcAddress((HMODULE)library, function);
}

/* Wine marks its own dlls after the DOS header. */
enum { MARK_AT = 64 };
#define MARK "Wine builtin DLL"

static bool file_is_wines(const char *path)
{
    char head[MARK_AT + sizeof(MARK)] = "";
    FILE *file = path_open(path, "rb");
    size_t n = file ? fread(head, 1, sizeof(head), file) : 0;

    if (file)
        fclose(file);
    return n < sizeof(head) || !memcmp(head + MARK_AT, MARK, sizeof(MARK) - 1);
}

/* Wine may load its own dll in place of another of the same name. Returns false after a message:
 * the program would judge the wrong one. */
static bool is_the_file(const char *program, HMODULE library)
{
    if (memcmp((const char *)library + MARK_AT, MARK, sizeof(MARK) - 1))
        return true;
    if (!file_is_wines(name)) {
        fprintf(stderr, "%s: Wine loads its own d3d9 instead of %s: set WINEDLLOVERRIDES=d3d9=n\n",
                program, name);
        return false;
    }
    snprintf(name, sizeof(name), "Wine's own d3d9");
    return true;
}

/* With a path, the dlls that the library needs are looked for beside it. */
static void *load(const char *program, const char *path)
{
    wchar_t wide[PATH_WIDE], full[PATH_WIDE];
    HMODULE library = NULL;
    DWORD n;

    if (!path) {
        library = LoadLibraryA("d3d9.dll");
    } else {
        n = path_wide(wide, path) ? GetFullPathNameW(wide, PATH_WIDE, full, NULL) : 0;
        if (n && n < PATH_WIDE)
            library = LoadLibraryExW(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    }
    if (!library) {
        fprintf(stderr, "%s: %s cannot be loaded: Windows error %lu%s\n", program,
                path ? path : "d3d9.dll", GetLastError(),
                GetLastError() == ERROR_BAD_EXE_FORMAT
                    ? " (the dll and this program differ in word size)"
                    : "");
        return NULL;
    }
    n = GetModuleFileNameW(library, wide, PATH_WIDE);
    if (!n || n >= PATH_WIDE || !path_narrow(name, sizeof(name), wide))
        snprintf(name, sizeof(name), "%s", path ? path : "d3d9.dll");
    return is_the_file(program, library) ? library : NULL;
}

/* Novem's version resource names the product, in 16-bit characters; its exports are those of
 * Direct3D. */
static bool is_novem(void *library)
{
    static const WCHAR key[] = L"ProductName\0\0Novem";
    HRSRC found = FindResourceA(library, MAKEINTRESOURCEA(1), (LPCSTR)RT_VERSION);
    HGLOBAL loaded = found ? LoadResource(library, found) : NULL;
    const char *data = loaded ? LockResource(loaded) : NULL;
    DWORD size = data ? SizeofResource(library, found) : 0;

    for (DWORD at = 0; at + sizeof(key) <= size; at += sizeof(WCHAR))
        if (!memcmp(data + at, key, sizeof(key)))
            return true;
    return false;
}

#else

static void *symbol(void *library, const char *function)
{
    return dlsym(library, function);
}

static bool is_novem(void *library)
{
    return symbol(library, "novem_version");
}

/* Opens Novem's library in the build folder, where it is installed, or where the system finds it.
 */
static void *load_own(void)
{
    static const char *const places[] = {"/libnovem.so", "/../libnovem.so", "/../lib/libnovem.so.1",
                                         "/../lib/libnovem.so"};
    char folder[PATH_MAX], path[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    char *slash;

    folder[n > 0 ? n : 0] = '\0';
    slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", folder, places[i]);
        if (!access(path, F_OK)) {
            snprintf(name, sizeof(name), "%s", path);
            return dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    }
    snprintf(name, sizeof(name), "libnovem.so.1");
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* dlopen looks for a name without a slash in the system's folders only; people mean a file. */
static void *load(const char *program, const char *path)
{
    char here[4096];
    void *library;

    snprintf(here, sizeof(here), "%s%s", path && !strchr(path, '/') ? "./" : "", path ? path : "");
    if (path && access(here, F_OK))
        snprintf(here, sizeof(here), "%s", path);
    if (path)
        snprintf(name, sizeof(name), "%s", here);
    library = path ? dlopen(here, RTLD_NOW | RTLD_LOCAL) : load_own();
    if (!library)
        fprintf(stderr, "%s: no Direct3D 9 library: %s\n", program, dlerror());
    return library;
}

#endif

bool library_open(const char *program, const char *path)
{
    void *library = load(program, path);

    if (!library)
        return false;
    create = (create_fn *)(uintptr_t)symbol(library, "Direct3DCreate9");
    create_ex = (create_ex_fn *)(uintptr_t)symbol(library, "Direct3DCreate9Ex");
    novem = is_novem(library);
    if (!create)
        fprintf(stderr, "%s: %s has no function Direct3DCreate9\n", program, name);
    return create;
}

bool library_is_novem(void)
{
    return novem;
}

const char *library_path(void)
{
    return name;
}

bool library_print_adapter(const char *program)
{
    IDirect3D9 *d3d = create(D3D_SDK_VERSION);
    D3DADAPTER_IDENTIFIER9 id;
    unsigned long long version;
    HRESULT hr;

    if (!d3d) {
        fprintf(stderr, "%s: %s creates no Direct3D\n", program, name);
        return false;
    }
    memset(&id, 0, sizeof(id));
    hr = IDirect3D9_GetAdapterIdentifier(d3d, D3DADAPTER_DEFAULT, 0, &id);
    IDirect3D9_Release(d3d);
    if (FAILED(hr)) {
        fprintf(stderr, "%s: %s names no adapter: %08lx\n", program, name,
                (unsigned long)(uint32_t)hr);
        return false;
    }
    version = (unsigned long long)id.DriverVersion.QuadPart;
    printf("library: %s\nadapter: %.*s\ndriver: %.*s %u.%u.%u.%u\nids: %04x:%04x\n", name,
           (int)sizeof(id.Description), id.Description, (int)sizeof(id.Driver), id.Driver,
           (unsigned)(version >> 48) & 0xffff, (unsigned)(version >> 32) & 0xffff,
           (unsigned)(version >> 16) & 0xffff, (unsigned)version & 0xffff, (unsigned)id.VendorId,
           (unsigned)id.DeviceId);
    return true;
}

IDirect3D9 *WINAPI Direct3DCreate9(UINT version)
{
    return create ? create(version) : NULL;
}

HRESULT WINAPI Direct3DCreate9Ex(UINT version, IDirect3D9Ex **out)
{
    return create_ex ? create_ex(version, out) : D3DERR_NOTAVAILABLE;
}
