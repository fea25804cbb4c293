/* Compiles HLSL with vkd3d-shader. */
#include "tool/hlsl/vkd3d.h"

#include "tool/hlsl/compiler.h"

#ifndef _WIN32

#include "util/alloc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* X(result, name without prefix, parameters) */
#define FUNCTIONS(X)                                                                               \
    X(const char *, get_version, (unsigned *major, unsigned *minor))                               \
    X(const int *, get_supported_source_types, (unsigned *n))                                      \
    X(const int *, get_supported_target_types, (int source, unsigned *n))                          \
    X(int, compile,                                                                                \
      (const struct vkd3d_compile_info *info, struct vkd3d_code *out, char **messages))            \
    X(void, free_messages, (char *messages))                                                       \
    X(void, free_shader_code, (struct vkd3d_code * code))

struct library {
    void *handle;
#define X(result, name, parameters) result(*name) parameters;
    FUNCTIONS(X)
#undef X
};

/* --- Loading ---------------------------------------------------------------------------------- */

static bool contains(const int *list, unsigned n, int value)
{
    for (unsigned i = 0; list && i < n; i++)
        if (list[i] == value)
            return true;
    return false;
}

static bool reads_hlsl(const struct library *l)
{
    unsigned n = 0;
    const int *list = l->get_supported_source_types(&n);

    if (!contains(list, n, VKD3D_SOURCE_HLSL))
        return false;
    list = l->get_supported_target_types(VKD3D_SOURCE_HLSL, &n);
    return contains(list, n, VKD3D_TARGET_D3D_BYTECODE);
}

static MUST_CHECK enum status open_library(struct library *l, struct hlsl_result *out)
{
    unsigned major = 0, minor = 0;
    bool whole = true;

    l->handle = dlopen(hlsl_library, RTLD_NOW | RTLD_LOCAL);
    if (!l->handle)
        return compiler_say(out, ST_UNSUPPORTED, "%s is not there", hlsl_library);
#define X(result, name, parameters)                                                                \
    *(void **)&l->name = dlsym(l->handle, "vkd3d_shader_" #name);                                  \
    whole &= l->name != NULL;
    FUNCTIONS(X)
#undef X
    if (whole && reads_hlsl(l))
        return ST_OK;
    if (l->get_version)
        (void)l->get_version(&major, &minor);
    dlclose(l->handle);
    return compiler_say(out, ST_UNSUPPORTED,
                        "%s is version %u.%u, which compiles no HLSL (1.3 and later ones do)",
                        hlsl_library, major, minor);
}

/* --- #include --------------------------------------------------------------------------------- */

enum { MAX_INCLUDES = 256 };

struct includes {
    const struct hlsl_source *source;
    /* Texts of open files, by which the library names the file that includes another. */
    struct {
        char *text, *path;
    } file[MAX_INCLUDES];
    unsigned n;
};

static const char *path_of(const struct includes *in, const char *parent)
{
    for (unsigned i = 0; i < in->n; i++)
        if (in->file[i].text == parent)
            return in->file[i].path;
    return in->source->name;
}

static int open_include(const char *name, bool local, const char *parent, void *ctx,
                        struct vkd3d_code *out)
{
    struct includes *in = ctx;
    size_t n;

    (void)local;
    if (in->n == MAX_INCLUDES ||
        compiler_include(in->source, path_of(in, parent), name, &in->file[in->n].text, &n,
                         &in->file[in->n].path) != ST_OK)
        return VKD3D_ERROR;
    *out = (struct vkd3d_code){in->file[in->n++].text, n};
    return VKD3D_OK;
}

/* The texts are freed at the end: their addresses name files. */
static void close_include(const struct vkd3d_code *code, void *ctx)
{
    (void)code;
    (void)ctx;
}

/* --- Compiling -------------------------------------------------------------------------------- */

static MUST_CHECK enum status compile(const struct library *l, struct hlsl_result *out,
                                      const struct hlsl_source *source, struct includes *in)
{
    struct vkd3d_hlsl_source_info hlsl = {
        .type = VKD3D_HLSL_SOURCE_INFO, .entry_point = source->entry, .profile = source->profile};
    struct vkd3d_macro macros[HLSL_DEFINES];
    struct vkd3d_preprocess_info preprocess = {.type = VKD3D_PREPROCESS_INFO,
                                               .next = &hlsl,
                                               .macros = macros,
                                               .n_macros = source->n_defines,
                                               .open_include = open_include,
                                               .close_include = close_include,
                                               .include_ctx = in};
    struct vkd3d_compile_info info = {.type = VKD3D_COMPILE_INFO,
                                      .next = &preprocess,
                                      .source = {source->text, source->n},
                                      .source_type = VKD3D_SOURCE_HLSL,
                                      .target_type = VKD3D_TARGET_D3D_BYTECODE,
                                      .log_level = VKD3D_LOG_WARNING,
                                      .source_name = source->name};
    struct vkd3d_code code = {NULL, 0};
    char *messages = NULL;
    enum status st;
    int result;

    for (unsigned i = 0; i < source->n_defines; i++)
        macros[i] = (struct vkd3d_macro){source->define[i].name, source->define[i].value};
    result = l->compile(&info, &code, &messages);
    st = compiler_say(out, result < 0 ? ST_INVALID : ST_OK, "%s", messages ? messages : "");
    if (st == ST_OK)
        st = compiler_take_code(out, code.code, code.size);
    if (result >= 0)
        l->free_shader_code(&code);
    if (messages)
        l->free_messages(messages);
    return st;
}

enum status vkd3d_compile(struct hlsl_result *out, const struct hlsl_source *source)
{
    struct library l;
    struct includes *in = mem_calloc(1, sizeof(*in));
    enum status st = in ? open_library(&l, out) : ST_NOMEM;

    if (st == ST_OK) {
        in->source = source;
        st = compile(&l, out, source, in);
        dlclose(l.handle);
    }
    for (unsigned i = 0; in && i < in->n; i++) {
        mem_free(in->file[i].text);
        mem_free(in->file[i].path);
    }
    mem_free(in);
    return st;
}

#endif
