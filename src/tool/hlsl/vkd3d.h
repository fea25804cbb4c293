/* HLSL through the library vkd3d-shader, which is opened at run time. Private to the module, and
 * for its tests: the part of the library's public interface that is used here. */
#ifndef TOOL_HLSL_VKD3D_H
#define TOOL_HLSL_VKD3D_H

#include "tool/hlsl/hlsl.h"

/* ST_UNSUPPORTED: the library is missing, or reads no HLSL: messages say so. */
MUST_CHECK enum status vkd3d_compile(struct hlsl_result *out, const struct hlsl_source *source);

/* --- The interface of libvkd3d-shader.so.1 ---------------------------------------------------- */

/* Values of its enumerations. HLSL and byte code of Direct3D 9 exist since version 1.3. */
enum {
    VKD3D_COMPILE_INFO = 0,
    VKD3D_HLSL_SOURCE_INFO = 6,
    VKD3D_PREPROCESS_INFO = 7,
    VKD3D_SOURCE_HLSL = 2,
    VKD3D_TARGET_D3D_BYTECODE = 4,
    VKD3D_LOG_WARNING = 2
};

struct vkd3d_code {
    const void *code;
    size_t size;
};

struct vkd3d_compile_info {
    int type; /* VKD3D_COMPILE_INFO */
    const void *next;
    struct vkd3d_code source;
    int source_type, target_type;
    const void *options;
    unsigned n_options;
    int log_level;
    const char *source_name;
};

struct vkd3d_hlsl_source_info {
    int type; /* VKD3D_HLSL_SOURCE_INFO */
    const void *next;
    const char *entry_point;
    struct vkd3d_code secondary_code;
    const char *profile;
};

struct vkd3d_macro {
    const char *name, *value;
};

struct vkd3d_preprocess_info {
    int type; /* VKD3D_PREPROCESS_INFO */
    const void *next;
    const struct vkd3d_macro *macros;
    unsigned n_macros;
    int (*open_include)(const char *name, bool local, const char *parent, void *ctx,
                        struct vkd3d_code *out);
    void (*close_include)(const struct vkd3d_code *code, void *ctx);
    void *include_ctx;
};

enum { VKD3D_OK = 0, VKD3D_ERROR = -1 };

#endif
