/* Stands in for vkd3d-shader in tests. The source says what the library does: "error", "dxbc", or
 * #include "x". FAKE_VKD3D=old makes it a version that reads no HLSL. */
#include "tool/hlsl/vkd3d.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *vkd3d_shader_get_version(unsigned *major, unsigned *minor);
const int *vkd3d_shader_get_supported_source_types(unsigned *n);
const int *vkd3d_shader_get_supported_target_types(int source, unsigned *n);
int vkd3d_shader_compile(const struct vkd3d_compile_info *info, struct vkd3d_code *out,
                         char **messages);
void vkd3d_shader_free_messages(char *messages);
void vkd3d_shader_free_shader_code(struct vkd3d_code *code);

static bool is_old(void)
{
    const char *text = getenv("FAKE_VKD3D");

    return text && !strcmp(text, "old");
}

const char *vkd3d_shader_get_version(unsigned *major, unsigned *minor)
{
    *major = 1;
    *minor = is_old() ? 2 : 14;
    return "fake";
}

const int *vkd3d_shader_get_supported_source_types(unsigned *n)
{
    static const int types[] = {1, VKD3D_SOURCE_HLSL};

    *n = is_old() ? 1 : 2;
    return types;
}

const int *vkd3d_shader_get_supported_target_types(int source, unsigned *n)
{
    static const int types[] = {5, VKD3D_TARGET_D3D_BYTECODE};

    *n = source == VKD3D_SOURCE_HLSL ? 2 : 0;
    return types;
}

/* The text of the file that the source includes, or NULL. */
static const char *include(const struct vkd3d_preprocess_info *preprocess, const char *source,
                           struct vkd3d_code *code)
{
    const char *at = strstr(source, "#include \"");
    char name[64];

    *code = (struct vkd3d_code){"", 0};
    if (!at)
        return "";
    at += strlen("#include \"");
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, "\""), at);
    if (preprocess->open_include(name, true, NULL, preprocess->include_ctx, code) != VKD3D_OK)
        return NULL;
    preprocess->close_include(code, preprocess->include_ctx);
    return code->code;
}

int vkd3d_shader_compile(const struct vkd3d_compile_info *info, struct vkd3d_code *out,
                         char **messages)
{
    static const uint32_t pixel[] = {0xffff0200, 0x02000001, 0x800f0800, 0xa0e40000, 0x0000ffff};
    static const uint32_t vertex[] = {0xfffe0200, 0x02000001, 0xc00f0000, 0xa0e40000, 0x0000ffff};
    const struct vkd3d_preprocess_info *preprocess = info->next;
    const struct vkd3d_hlsl_source_info *hlsl = preprocess->next;
    const char *source = info->source.code, *name = info->source_name;
    struct vkd3d_code included;
    const char *part = include(preprocess, source, &included);
    size_t size = 4096, used;

    *messages = calloc(1, size);
    if (info->type != VKD3D_COMPILE_INFO || preprocess->type != VKD3D_PREPROCESS_INFO ||
        hlsl->type != VKD3D_HLSL_SOURCE_INFO || info->source_type != VKD3D_SOURCE_HLSL ||
        info->target_type != VKD3D_TARGET_D3D_BYTECODE || info->source.size != strlen(source))
        return -4;
    if (!part) {
        snprintf(*messages, size, "%s:1:1: E4002: Failed to open an include.\n", name);
        return -4;
    }
    if (strstr(source, "error")) {
        snprintf(*messages, size, "%s:3:5: E5000: syntax error\n%s:4:1: E5001: another\n", name,
                 name);
        return -4;
    }
    snprintf(*messages, size, "%s:1:1: W1: %s %s", name, hlsl->entry_point, hlsl->profile);
    for (unsigned i = 0; i < preprocess->n_macros; i++) {
        used = strlen(*messages);
        snprintf(*messages + used, size - used, " %s=%s", preprocess->macros[i].name,
                 preprocess->macros[i].value);
    }
    used = strlen(*messages);
    snprintf(*messages + used, size - used, " %.*s\n", (int)included.size, part);
    if (strstr(source, "dxbc"))
        *out = (struct vkd3d_code){"DXBC....", 8};
    else
        *out = (struct vkd3d_code){hlsl->profile[0] == 'p' ? pixel : vertex, sizeof(pixel)};
    return VKD3D_OK;
}

void vkd3d_shader_free_messages(char *messages)
{
    free(messages);
}

void vkd3d_shader_free_shader_code(struct vkd3d_code *code)
{
    code->code = NULL;
}
