/* Reads shaders of any kind: byte code, assembly, HLSL, a pass of an effect.
 *
 * Tested by tests/unit/tool/shader/test_load.c. */
#include "tool/shader/shader.h"

#include "util/alloc.h"

#include <string.h>

struct loading {
    const char *command, *file; /* the file's name for messages */
    const struct tool_shader_options *options;
    struct tool_shader *out;
    struct tool_errors errors;
    enum status st; /* of places */
};

/* --- Assembly: #include and -D ---------------------------------------------------------------- */

static MUST_CHECK enum status read_in(const char *folder, size_t length, const char *name,
                                      char **text, char **path)
{
    size_t size = length + strlen(name) + 2, n;
    uint8_t *bytes;
    enum status st;

    *path = mem_alloc(size);
    if (!*path)
        return ST_NOMEM;
    snprintf(*path, size, "%.*s%s%s", (int)length, folder, length ? "/" : "", name);
    st = tool_file_read(*path, &bytes, &n);
    *text = (char *)bytes;
    if (st != ST_OK)
        mem_free(*path);
    return st;
}

/* Looks next to the including file first, then in the folders of -I. */
static enum status include(void *ctx, const char *from, const char *name, char **text, char **path)
{
    const struct loading *l = ctx;
    const struct tool_list *folders = &l->options->folders;
    const char *beside = from ? from : l->file, *slash = strrchr(beside, '/');
    enum status st = read_in(beside, slash ? (size_t)(slash - beside) : 0, name, text, path);

    for (unsigned i = 0; st != ST_OK && st != ST_NOMEM && i < folders->n; i++)
        st = read_in(folders->text[i], strlen(folders->text[i]), name, text, path);
    return st;
}

/* Splits NAME or NAME=VALUE. */
static const char *split_define(char name[64], const char *text)
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);

    snprintf(name, 64, "%.*s", (int)length, text);
    return equals ? equals + 1 : "1";
}

static void report(void *ctx, const struct vm_error *error)
{
    struct loading *l = ctx;

    tool_errors_text(&l->errors, error);
}

static void place(void *ctx, const struct vm_asm_place *place)
{
    struct loading *l = ctx;

    if (l->st == ST_OK)
        l->st = vm_lines_add(l->out->lines, place);
}

static int assemble(struct loading *l, const char *text)
{
    static struct vm_asm_define define[TOOL_LIST_MAX];
    static char names[TOOL_LIST_MAX][64];
    const struct tool_list *defines = &l->options->defines;
    struct vm_asm_source source = {define, defines->n, include, l, report, place};
    struct vm_error error;
    enum status st;

    for (unsigned i = 0; i < defines->n; i++) {
        define[i].value = split_define(names[i], defines->text[i]);
        define[i].name = names[i];
    }
    st = vm_assemble_source(&l->out->words, &l->out->n, text, &source, &error);
    if (st == ST_OK)
        st = l->st;
    if (st == ST_NOMEM)
        return tool_error(l->command, "%s", status_text(st));
    return tool_errors_end(&l->errors);
}

/* --- HLSL ------------------------------------------------------------------------------------- */

/* Each line of the compiler's messages becomes one of ours. */
static void print_messages(const struct loading *l, const char *messages, bool names_file)
{
    for (const char *at = messages; at && *at;) {
        size_t n = strcspn(at, "\n");

        if (n)
            tool_error(l->command, "%s%s%.*s", names_file ? l->file : "", names_file ? ": " : "",
                       (int)n, at);
        names_file = false;
        at += n + (at[n] == '\n');
    }
}

static int take_result(struct loading *l, struct hlsl_result *result, enum status st)
{
    bool ours = st == ST_UNSUPPORTED || !result->messages || !strchr(result->messages, ':');

    print_messages(l, result->messages, ours);
    if (st == ST_INVALID && (!result->messages || !*result->messages))
        return tool_error(l->command, "%s: the compiler refuses it and gives no reason", l->file);
    if (st == ST_INVALID || st == ST_UNSUPPORTED)
        return TOOL_ERROR;
    if (st != ST_OK)
        return tool_error(l->command, "%s", status_text(st));
    l->out->words = result->words;
    l->out->n = result->n;
    l->out->compiled = true;
    result->words = NULL;
    return TOOL_OK;
}

static int compile(struct loading *l, const char *text, size_t n, const char *entry,
                   const char *profile)
{
    static struct hlsl_define define[TOOL_LIST_MAX];
    static char names[TOOL_LIST_MAX][64];
    const struct tool_list *defines = &l->options->defines, *folders = &l->options->folders;
    struct hlsl_source source = {.text = text,
                                 .n = n,
                                 .name = l->file,
                                 .entry = entry,
                                 .profile = profile,
                                 .define = define,
                                 .n_defines = defines->n,
                                 .folder = folders->text,
                                 .n_folders = folders->n};
    struct hlsl_result result;
    int code;

    if (!hlsl_profile_is_known(profile))
        return tool_error(l->command,
                          "%s: '%s' is no profile of Direct3D 9: vs_1_1, vs_2_0, vs_2_a, vs_3_0, "
                          "ps_1_1 to ps_1_4, ps_2_0, ps_2_a, ps_2_b, ps_3_0",
                          l->file, profile);
    for (unsigned i = 0; i < defines->n; i++) {
        define[i].value = split_define(names[i], defines->text[i]);
        define[i].name = names[i];
    }
    code = take_result(l, &result, hlsl_compile(&result, &source));
    hlsl_result_fini(&result);
    return code;
}

static int compile_file(struct loading *l, const char *text, size_t n)
{
    const struct tool_shader_options *o = l->options;

    if (!o->profile)
        return tool_error(l->command,
                          "%s: is HLSL: -T PROFILE says what to compile it for, such as vs_3_0 or "
                          "ps_3_0 (and -E ENTRY which function, by default main)",
                          l->file);
    return compile(l, text, n, o->entry ? o->entry : "main", o->profile);
}

/* -T is a profile, or only "vs" or "ps". */
static int load_pass(struct loading *l, const char *text, size_t n)
{
    const struct tool_shader_options *o = l->options;
    char error[HLSL_ERROR], stage = o->profile ? o->profile[0] : o->stage;
    bool whole = o->profile && strlen(o->profile) > 2;
    struct hlsl_pass pass;
    enum status st = hlsl_effect_pass(&pass, text, n, o->technique, o->pass, stage, error);
    bool placed;
    int code;

    if (st == ST_INVALID) {
        placed = *error >= '0' && *error <= '9';
        return tool_error(l->command, "%s:%s%s", l->file, placed ? "" : " ", error);
    }
    if (st != ST_OK)
        return tool_error(l->command, "%s", status_text(st));
    code = pass.is_assembly
               ? assemble(l, pass.text)
               : compile(l, pass.text, strlen(pass.text), o->entry ? o->entry : pass.entry,
                         whole ? o->profile : pass.profile);
    mem_free(pass.text);
    return code;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

size_t tool_shader_words(uint8_t *bytes, size_t n)
{
    uint32_t *words = (uint32_t *)(void *)bytes;

    for (size_t i = 0; i < n / 4; i++)
        words[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                   (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    return n / 4;
}

static int load_text(struct loading *l, char *text, size_t n)
{
    if (memchr(text, 0, n))
        return tool_error(l->command, "%s: is neither a text nor byte code of Direct3D 9", l->file);
    if (l->out->kind == HLSL_IS_EFFECT && !(l->options->hlsl && l->options->profile))
        return load_pass(l, text, n);
    if (l->out->kind != HLSL_IS_ASSEMBLY)
        return compile_file(l, text, n);
    (void)hlsl_keep_asm_block(text);
    return assemble(l, text);
}

static int load(struct loading *l, uint8_t **bytes, size_t n)
{
    int code;

    l->out->kind = hlsl_kind_of(*bytes, n);
    if (l->options->hlsl && l->out->kind != HLSL_IS_EFFECT)
        l->out->kind = HLSL_IS_HLSL;
    if (l->out->kind == HLSL_IS_BYTE_CODE) {
        l->out->n = tool_shader_words(*bytes, n);
        l->out->words = (uint32_t *)(void *)*bytes;
        *bytes = NULL;
        code = TOOL_OK;
    } else {
        code = load_text(l, (char *)*bytes, n);
    }
    if (code == TOOL_OK && l->out->kind != HLSL_IS_ASSEMBLY &&
        vm_lines_add_debug(l->out->lines, l->out->words, l->out->n) != ST_OK)
        return tool_error(l->command, "%s", status_text(ST_NOMEM));
    return code;
}

int tool_shader_load(struct tool_shader *out, const char *command, const char *path,
                     const struct tool_shader_options *options)
{
    struct loading l = {command, path, options, out, {command, path, NULL, 0}, ST_OK};
    uint8_t *bytes = NULL;
    enum status st;
    size_t n;
    int code;

    memset(out, 0, sizeof(*out));
    st = tool_file_read(path, &bytes, &n);
    if (st != ST_OK)
        return tool_error(command, "%s: %s", path, tool_file_reason(path, st));
    st = vm_lines_create(&out->lines);
    code = st == ST_OK ? load(&l, &bytes, n) : tool_error(command, "%s", status_text(st));
    mem_free(bytes);
    return code;
}

void tool_shader_fini(struct tool_shader *shader)
{
    mem_free(shader->words);
    vm_lines_destroy(shader->lines);
    memset(shader, 0, sizeof(*shader));
}
