/* Shaders of a scene as text: assembly, HLSL, effects and byte code, in the scene or in a file.
 *
 * Tested by tests/conformance/shader and tests/tool/hlsl.sh. */
#include "tool/hlsl/hlsl.h"
#include "tool/scene/command.h"
#include "tool/scene/parse.h"
#include "tool/scene/shader.h"

#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>

enum { DEFINES = MAX_WORDS / 2, NAME_BYTES = 64 };

/* What the line says: the words of `novem asm`. */
struct request {
    const char *file; /* NULL: the block */
    const char *entry, *profile, *technique, *pass;
    struct hlsl_define define[DEFINES];
    const char *folder[DEFINES];
    unsigned n_defines, n_folders;
};

static void read_option(struct scene *scene, struct request *r, const char *option, char *value)
{
    char *equals = strchr(value, '=');

    if (!strcmp(option, "-E")) {
        r->entry = value;
    } else if (!strcmp(option, "-T")) {
        r->profile = value;
    } else if (!strcmp(option, "-I")) {
        r->folder[r->n_folders++] = value;
    } else if (!strcmp(option, "--technique")) {
        r->technique = value;
    } else if (!strcmp(option, "--pass")) {
        r->pass = value;
    } else if (!strcmp(option, "-D")) {
        if (equals)
            *equals = 0;
        r->define[r->n_defines++] = (struct hlsl_define){value, equals ? equals + 1 : "1"};
    } else {
        scene_fail(scene, "'%s' is no option of a shader", option);
    }
}

static void read_line(struct scene *scene, struct request *r)
{
    for (int i = 2; i < scene->line.n; i++) {
        char *word = scene->line.word[i];

        if (word[0] == '-') {
            read_option(scene, r, word, (char *)(uintptr_t)parse_word(scene, i + 1));
            i++;
        } else if (r->file || scene->line.block) {
            scene_fail(scene, "a shader is one file or a block");
        } else {
            r->file = word;
        }
    }
}

/* --- Compiling -------------------------------------------------------------------------------- */

static uint32_t *keep(struct scene *scene, const uint32_t *words, size_t n)
{
    uint32_t *copy = scene_alloc(scene, n * sizeof(*copy));

    memcpy(copy, words, n * sizeof(*copy));
    return copy;
}

uint32_t *shader_assemble(struct scene *scene, const char *text, size_t *n)
{
    struct vm_error error = {0};
    uint32_t *tokens = NULL, *copy;

    if (vm_assemble(&tokens, n, text, &error) != ST_OK)
        scene_fail(scene, "assembling: %s", error.text);
    copy = keep(scene, tokens, *n);
    mem_free(tokens);
    return copy;
}

static uint32_t *compile(struct scene *scene, const struct request *r, const char *name,
                         const char *text, const char *entry, const char *profile, size_t *n)
{
    struct hlsl_source source = {.text = text,
                                 .n = strlen(text),
                                 .name = name,
                                 .entry = r->entry ? r->entry : entry,
                                 .profile = profile,
                                 .define = r->define,
                                 .n_defines = r->n_defines,
                                 .folder = r->folder,
                                 .n_folders = r->n_folders};
    struct hlsl_result result;
    enum status st = hlsl_compile(&result, &source);
    char why[1024];
    uint32_t *words = st == ST_OK ? keep(scene, result.words, result.n) : NULL;

    snprintf(why, sizeof(why), "%s", result.messages ? result.messages : status_text(st));
    *n = result.n;
    hlsl_result_fini(&result);
    if (!words)
        scene_fail(scene, "%s: %s", r->file ? r->file : "the shader", why);
    return words;
}

static uint32_t *compile_pass(struct scene *scene, const struct request *r, const char *name,
                              const char *text, char stage, size_t *n)
{
    char error[HLSL_ERROR] = "out of memory";
    struct hlsl_pass pass;
    uint32_t *words;
    char *copy;

    if (hlsl_effect_pass(&pass, text, strlen(text), r->technique, r->pass, stage, error) != ST_OK)
        scene_fail(scene, "%s: %s", name, error);
    copy = scene_alloc(scene, strlen(pass.text) + 1); /* a failure leaves this function */
    strcpy(copy, pass.text);
    mem_free(pass.text);
    words = pass.is_assembly ? shader_assemble(scene, copy, n)
                             : compile(scene, r, name, copy, pass.entry,
                                       r->profile ? r->profile : pass.profile, n);
    return words;
}

static uint32_t *read_text(struct scene *scene, const struct request *r, const char *name,
                           char *text, bool pixel, size_t *n)
{
    enum hlsl_kind kind = hlsl_kind_of(text, strlen(text));

    if (kind == HLSL_IS_EFFECT)
        return compile_pass(scene, r, name, text, pixel ? 'p' : 'v', n);
    if (kind == HLSL_IS_HLSL && !r->profile)
        scene_fail(scene, "HLSL needs -T PROFILE, such as %s_3_0", pixel ? "ps" : "vs");
    if (kind == HLSL_IS_HLSL)
        return compile(scene, r, name, text, "main", r->profile, n);
    (void)hlsl_keep_asm_block(text);
    return shader_assemble(scene, text, n);
}

/* --- Files ------------------------------------------------------------------------------------ */

/* A file's path counts from the folder of the scene. */
static char *path_of(struct scene *scene, const char *file)
{
    const char *slash = *file == '/' ? NULL : strrchr(scene->path, '/');
    size_t length = slash ? (size_t)(slash - scene->path) + 1 : 0;
    char *path = scene_alloc(scene, length + strlen(file) + 1);

    memcpy(path, scene->path, length);
    strcpy(path + length, file);
    return path;
}

static uint32_t *read_file(struct scene *scene, const struct request *r, bool pixel, size_t *n)
{
    char *path = path_of(scene, r->file), *bytes, *copy;
    size_t size;

    if (hlsl_read_file(path, &bytes, &size) != ST_OK)
        scene_fail(scene, "%s cannot be read", path);
    copy = scene_alloc(scene, size + 8);
    memcpy(copy, bytes, size);
    mem_free(bytes);
    if (hlsl_kind_of(copy, size) != HLSL_IS_BYTE_CODE)
        return read_text(scene, r, path, copy, pixel, n);
    *n = size / 4;
    if (!vm_token_count((const uint32_t *)(void *)copy, *n))
        scene_fail(scene, "%s: the byte code has no end", path);
    return (uint32_t *)(void *)copy;
}

uint32_t *shader_text(struct scene *scene, bool pixel, size_t *n)
{
    struct request *r = scene_alloc(scene, sizeof(*r));

    read_line(scene, r);
    if (scene->line.block)
        return read_text(scene, r, scene->path, scene->line.block, pixel, n);
    if (!r->file)
        scene_fail(scene, "a shader is none, a file or a block");
    return read_file(scene, r, pixel, n);
}

bool shader_compiler_is_there(const char *profile)
{
    static const char *const texts[] = {"float4 main() : POSITION { return 0; }",
                                        "float4 main() : COLOR { return 0; }"};
    const char *text = texts[*profile == 'p'];
    struct hlsl_source source = {
        .text = text, .n = strlen(text), .name = "needs", .entry = "main", .profile = profile};
    struct hlsl_result result;
    bool there = hlsl_compile(&result, &source) == ST_OK;

    hlsl_result_fini(&result);
    return there;
}
