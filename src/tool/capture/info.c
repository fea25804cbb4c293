/* `novem info`: summarises a capture without executing it.
 *
 * Tested by tests/unit/tool/capture/test_dump.c. */
#include "tex/format.h"
#include "tool/capture/capture.h"
#include "tool/capture/compiled.h"
#include "tool/cli/cli.h"
#include "tool/inspect/state_names.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/plural.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMATS_MAX = 256, SHADERS_MAX = 32, VALUES_MAX = 64 };

struct function_count {
    const struct trace_function *function;
    uint64_t calls, failed;
};

struct format_count {
    const char *method; /* "CreateTexture" */
    uint32_t format;
    uint64_t count;
};

struct shader_count {
    uint32_t version; /* version token of the byte code */
    uint64_t count;
};

struct survey {
    struct function_count *functions; /* indexed by trace_function.index */
    uint32_t function_count;
    struct format_count formats[FORMATS_MAX];
    struct shader_count shaders[SHADERS_MAX];
    unsigned format_count, shader_count;
    uint64_t calls, incomplete, frames, draws, pictures, upload_bytes;
    uint32_t threads; /* highest thread number + 1 */
    uint64_t creations;
    uint64_t devices;
    struct { /* parameters of the last device */
        uint32_t width, height, format, samples, swap_effect;
    } screen;
};

static struct function_count *count_of(struct survey *s, const struct trace_function *function)
{
    if (function->index >= s->function_count) {
        uint32_t n = (function->index + 256) & ~255u;
        struct function_count *bigger = mem_realloc(s->functions, n * sizeof(*bigger));

        if (!bigger)
            return NULL;
        memset(bigger + s->function_count, 0, (n - s->function_count) * sizeof(*bigger));
        s->functions = bigger;
        s->function_count = n;
    }
    s->functions[function->index].function = function;
    return &s->functions[function->index];
}

static const struct trace_value *named_arg(const struct trace_call *call, const char *name)
{
    for (uint32_t i = 0; i < call->argc; i++)
        if (!strcmp(call->function->args[i], name))
            return &call->args[i];
    return NULL;
}

static void count_format(struct survey *s, const char *method, uint32_t format)
{
    for (unsigned i = 0; i < s->format_count; i++)
        if (s->formats[i].format == format && !strcmp(s->formats[i].method, method)) {
            s->formats[i].count++;
            return;
        }
    if (s->format_count < FORMATS_MAX)
        s->formats[s->format_count++] = (struct format_count){method, format, 1};
}

static void count_shader(struct survey *s, const struct trace_value *code)
{
    uint32_t version;

    if (code && code->kind == TRACE_REPR)
        code = &code->u.items[1];
    if (!code || code->kind != TRACE_BLOB || code->count < 4)
        return;
    memcpy(&version, code->u.bytes, 4);
    for (unsigned i = 0; i < s->shader_count; i++)
        if (s->shaders[i].version == version) {
            s->shaders[i].count++;
            return;
        }
    if (s->shader_count < SHADERS_MAX)
        s->shaders[s->shader_count++] = (struct shader_count){version, 1};
}

static void note_screen(struct survey *s, const struct trace_value *parameters)
{
    const struct trace_value *m;

    if (!parameters || parameters->kind != TRACE_ARRAY || !parameters->count)
        return;
    m = &parameters->u.items[0];
    if (m->kind != TRACE_STRUCT || m->count < 7)
        return;
    m = m->u.items;
    s->screen.width = (uint32_t)trace_number(&m[0]);
    s->screen.height = (uint32_t)trace_number(&m[1]);
    s->screen.format = (uint32_t)trace_number(&m[2]);
    s->screen.samples = (uint32_t)trace_number(&m[4]);
    s->screen.swap_effect = (uint32_t)trace_number(&m[6]);
}

static void survey_creation(struct survey *s, const struct trace_call *call, const char *method)
{
    const struct trace_value *format = named_arg(call, "Format");

    if (format)
        count_format(s, method, (uint32_t)trace_number(format));
    if (strstr(method, "Shader"))
        count_shader(s, named_arg(call, "pFunction"));
    if (!strncmp(method, "CreateDevice", 12)) {
        note_screen(s, named_arg(call, "pPresentationParameters"));
        s->devices++;
    }
    s->creations++;
}

static enum status survey_call(struct survey *s, const struct trace_call *call)
{
    const char *name = call->function->name, *method = strstr(name, "::");
    struct function_count *n = count_of(s, call->function);

    if (!n)
        return ST_NOMEM;
    if (call->thread >= s->threads)
        s->threads = call->thread + 1;
    if (!call->complete) {
        s->incomplete++;
        return ST_OK;
    }
    s->calls++;
    n->calls++;
    if (trace_failed(call)) {
        n->failed++;
        return ST_OK;
    }
    s->draws += replay_is_draw(name);
    s->frames += replay_is_present(name);
    s->pictures += replay_has_moment(name);
    if (!strcmp(name, "memcpy") && call->argc > 1 && call->args[1].kind == TRACE_BLOB)
        s->upload_bytes += call->args[1].count;
    if (method && !strncmp(method, "::Create", 8))
        survey_creation(s, call, method + 2);
    return ST_OK;
}

/* --- Printing --------------------------------------------------------------------------------- */

static int by_calls(const void *a, const void *b)
{
    const struct function_count *x = a, *y = b;

    if (x->calls != y->calls)
        return x->calls < y->calls ? 1 : -1;
    return x->function && y->function ? strcmp(x->function->name, y->function->name) : 0;
}

static void print_functions(struct survey *s)
{
    if (s->function_count)
        qsort(s->functions, s->function_count, sizeof(*s->functions), by_calls);
    printf("\ncalls by name (failed when recorded):\n");
    for (uint32_t i = 0; i < s->function_count && s->functions[i].calls; i++) {
        const struct function_count *n = &s->functions[i];

        printf("  %8" PRIu64 "  %s", n->calls, n->function->name);
        if (n->failed)
            printf(" (%" PRIu64 ")", n->failed);
        putchar('\n');
    }
}

static void print_unsupported(const struct survey *s)
{
    bool any = false;

    printf("\nunsupported calls:");
    for (uint32_t i = 0; i < s->function_count; i++)
        if (s->functions[i].calls &&
            replay_support_of(s->functions[i].function->name) == REPLAY_UNKNOWN) {
            printf("%s  %8" PRIu64 "  %s\n", any ? "" : "\n", s->functions[i].calls,
                   s->functions[i].function->name);
            any = true;
        }
    if (!any)
        printf(" none\n");
}

static void print_formats(const struct survey *s)
{
    printf("\nformats:%s\n", s->format_count ? "" : " none");
    for (unsigned i = 0; i < s->format_count; i++)
        printf("  %8" PRIu64 "  %-28s %s%s\n", s->formats[i].count, s->formats[i].method,
               tex_format_name(s->formats[i].format),
               tex_format_get(s->formats[i].format) ? "" : " (unknown)");
}

static void print_shaders(const struct survey *s)
{
    printf("\nshaders:%s\n", s->shader_count ? "" : " none");
    for (unsigned i = 0; i < s->shader_count; i++) {
        uint32_t v = s->shaders[i].version;
        const char *kind = v >> 16 == 0xfffe ? "vs" : v >> 16 == 0xffff ? "ps" : "?";

        printf("  %8" PRIu64 "  %s_%u_%u\n", s->shaders[i].count, kind, v >> 8 & 0xff, v & 0xff);
    }
}

static void print_survey(struct survey *s, const struct trace_reader *reader)
{
    const char *name, *value, *swap_effect = inspect_swap_effect_name(s->screen.swap_effect);

    printf("format     %s", trace_format_name(reader));
    if (trace_version(reader))
        printf(", stream version %u", trace_version(reader));
    printf("\ncontainer  %s\n", trace_container_name(reader));
    for (unsigned i = 0; trace_property(reader, i, &name, &value); i++)
        printf("property   %s = %s\n", name, value);
    printf("calls      %" PRIu64 " in " PLURAL_FORMAT, s->calls,
           PLURAL(s->threads, "thread", "threads"));
    if (s->incomplete)
        printf(", %" PRIu64 " more never returned", s->incomplete);
    printf("\nframes     %" PRIu64 " (" PLURAL_FORMAT " with read-backs)\n", s->frames,
           PLURAL(s->pictures, "picture", "pictures"));
    printf("draws      %" PRIu64 "\n", s->draws);
    printf("uploads    %.1f MiB\n", (double)s->upload_bytes / (1 << 20));
    if (s->devices > 1)
        printf("devices    %" PRIu64 "; the screen is that of the last one\n", s->devices);
    if (s->screen.width)
        printf("screen     %ux%u %s, " PLURAL_FORMAT ", %s\n", s->screen.width, s->screen.height,
               tex_format_name(s->screen.format), PLURAL(s->screen.samples, "sample", "samples"),
               swap_effect ? swap_effect : "unknown swap effect");
    print_shaders(s);
    print_formats(s);
    print_unsupported(s);
    print_functions(s);
}

int tool_info(int argc, char **argv)
{
    const char *file;
    const struct tool_usage usage = {
        "info FILE",
        "Counts the contents of a capture: frames, draws, calls by name, shader versions, "
        "formats,\n"
        "and calls that a replay must skip; for a compiled stream, records by name. Executes "
        "nothing.",
        NULL,
        0,
        1,
        1,
    };
    struct survey survey = {0};
    struct trace_reader *reader;
    struct trace_error error;
    const struct trace_call *call;
    enum status st;
    int code = tool_parse(&usage, argc, argv, &file);

    if (code >= 0)
        return code;
    if (nvs_is_file(file))
        return tool_info_compiled(argv[0], file);
    if (trace_open(&reader, file, &error) != ST_OK)
        return tool_error(argv[0], "%s: %s", file, error.text);
    while ((st = trace_next(reader, &call)) == ST_OK && call)
        if ((st = survey_call(&survey, call)) != ST_OK)
            break;
    print_survey(&survey, reader);
    if (st != ST_OK)
        tool_error(argv[0], "%s: %s", file,
                   st == ST_NOMEM ? status_text(st) : trace_reader_error(reader)->text);
    trace_close(reader);
    mem_free(survey.functions);
    return st == ST_OK ? TOOL_OK : TOOL_ERROR;
}
