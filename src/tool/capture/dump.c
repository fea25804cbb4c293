/* `novem dump`: prints the calls of a capture as text in the format of `apitrace dump`. */
#include "tool/capture/capture.h"
#include "tool/capture/compiled.h"
#include "tool/cli/cli.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "vm/vm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_value(const struct trace_value *value);

static void print_char(uint32_t c)
{
    if (c == '"' || c == '\\')
        printf("\\%c", (int)c);
    else if (c == '\t')
        printf("\\t");
    else if (c == '\r')
        printf("\\r");
    else if ((c >= 0x20 && c < 0x7f) || c == '\n')
        putchar((int)c);
    else
        printf(c < 256 ? "\\%03o" : "\\x%04x", c);
}

static void print_text(const struct trace_value *value)
{
    putchar('"');
    for (uint32_t i = 0; i < value->count; i++)
        print_char((uint8_t)value->u.text[i]);
    putchar('"');
}

static void print_wide(const struct trace_value *value)
{
    printf("L\"");
    for (uint32_t i = 0; i < value->count; i++)
        print_char(value->u.units[i]);
    putchar('"');
}

/* Prints the shortest text that reads back to the same value; apitrace prints 7 digits and loses
 * bits. */
static void print_float(float value)
{
    char text[32];

    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    fputs(text, stdout);
}

static void print_enum(const struct trace_value *value)
{
    for (uint32_t i = 0; i < value->names->count; i++)
        if (value->names->entries[i].value == value->u.sint) {
            fputs(value->names->entries[i].name, stdout);
            return;
        }
    printf("%" PRId64, value->u.sint);
}

static void print_bitmask(const struct trace_value *value)
{
    uint64_t rest = value->u.uint;
    bool first = true;

    for (uint32_t i = 0; i < value->names->count; i++) {
        uint64_t bits = (uint64_t)value->names->entries[i].value;

        if (bits ? (rest & bits) != bits : rest || !first)
            continue;
        printf("%s%s", first ? "" : " | ", value->names->entries[i].name);
        first = false;
        rest &= ~bits;
        if (!rest)
            break;
    }
    if (rest || first)
        printf("%s0x%" PRIx64, first ? "" : " | ", rest);
}

static void print_items(const struct trace_value *value)
{
    putchar('{');
    for (uint32_t i = 0; i < value->count; i++) {
        printf("%s", i ? ", " : "");
        print_value(&value->u.items[i]);
    }
    putchar('}');
}

static bool is_guid(const struct trace_value *value)
{
    return value->count == 4 && !strcmp(value->type->name, "GUID") &&
           value->u.items[3].kind == TRACE_ARRAY && value->u.items[3].count == 8;
}

/* Name of an interface id, recognised by its first field. */
static const char *iid_name(uint32_t data1)
{
    switch (data1) {
    case 0x81bdcbca:
        return "IID_IDirect3D9";
    case 0x02177241:
        return "IID_IDirect3D9Ex";
    case 0xd0223b96:
        return "IID_IDirect3DDevice9";
    case 0xb18b10ce:
        return "IID_IDirect3DDevice9Ex";
    case 0x794950f2:
        return "IID_IDirect3DSwapChain9";
    case 0x91886caf:
        return "IID_IDirect3DSwapChain9Ex";
    default:
        return NULL;
    }
}

static void print_guid(const struct trace_value *value)
{
    const struct trace_value *tail = value->u.items[3].u.items;
    const char *name = iid_name((uint32_t)trace_number(&value->u.items[0]));

    if (name) {
        fputs(name, stdout);
        return;
    }

    printf("uuid(%08x-%04x-%04x-", (unsigned)trace_number(&value->u.items[0]),
           (unsigned)trace_number(&value->u.items[1]), (unsigned)trace_number(&value->u.items[2]));
    for (unsigned i = 0; i < 8; i++)
        printf("%s%02x", i == 2 ? "-" : "", (unsigned)trace_number(&tail[i]));
    putchar(')');
}

static void print_struct(const struct trace_value *value)
{
    if (is_guid(value)) {
        print_guid(value);
        return;
    }
    putchar('{');
    for (uint32_t i = 0; i < value->count; i++) {
        printf("%s%s%s", i ? ", " : "", value->type->members[i],
               value->type->members[i][0] ? " = " : "");
        print_value(&value->u.items[i]);
    }
    putchar('}');
}

static void print_value(const struct trace_value *value)
{
    float real;

    switch (value->kind) {
    case TRACE_MISSING:
        printf("?");
        break;
    case TRACE_NULL:
        printf("NULL");
        break;
    case TRACE_BOOL:
        printf("%s", value->u.uint ? "true" : "false");
        break;
    case TRACE_SINT:
        printf("%" PRId64, value->u.sint);
        break;
    case TRACE_UINT:
        printf("%" PRIu64, value->u.uint);
        break;
    case TRACE_FLOAT:
        memcpy(&real, &value->u.float_bits, sizeof(real));
        print_float(real);
        break;
    case TRACE_DOUBLE:
        printf("%.17g", value->u.real);
        break;
    case TRACE_STRING:
        print_text(value);
        break;
    case TRACE_BLOB:
        printf("blob(%u)", value->count);
        break;
    case TRACE_ENUM:
        print_enum(value);
        break;
    case TRACE_BITMASK:
        print_bitmask(value);
        break;
    case TRACE_ARRAY:
        printf("%s", value->count == 1 ? "&" : "");
        if (value->count == 1)
            print_value(&value->u.items[0]);
        else
            print_items(value);
        break;
    case TRACE_STRUCT:
        print_struct(value);
        break;
    case TRACE_OPAQUE:
        printf("0x%" PRIx64, value->u.uint);
        break;
    case TRACE_REPR:
        print_value(&value->u.items[0]);
        break;
    case TRACE_WSTRING:
        print_wide(value);
        break;
    }
}

static void print_stack(const struct trace_call *call)
{
    for (uint32_t i = 0; i < call->frame_count; i++) {
        const struct trace_frame *frame = call->frames[i];

        printf("    %s!%s", frame->module ? frame->module : "?",
               frame->function ? frame->function : "?");
        if (frame->file)
            printf(" %s:%" PRId64, frame->file, frame->line);
        if (frame->offset >= 0)
            printf(" +0x%" PRIx64, (uint64_t)frame->offset);
        putchar('\n');
    }
}

static void print_call(const struct trace_call *call, bool thread)
{
    printf("%" PRIu64 " ", call->number);
    if (thread)
        printf("@%u ", call->thread);
    printf("%s(", call->function->name);
    for (uint32_t i = 0; i < call->argc; i++) {
        printf("%s%s = ", i ? ", " : "", call->function->args[i]);
        print_value(&call->args[i]);
    }
    putchar(')');
    if (call->ret.kind != TRACE_MISSING) {
        printf(" = ");
        print_value(&call->ret);
    }
    printf("%s%s\n", call->flags & TRACE_FAKE ? " // fake" : "",
           call->complete ? "" : " // incomplete");
    print_stack(call);
}

/* Prints the disassembly of a call's shader arguments, indented. */
static void print_shaders(const struct trace_call *call)
{
    if (!strstr(call->function->name, "Create") || !strstr(call->function->name, "Shader"))
        return;
    for (uint32_t i = 0; i < call->argc; i++) {
        const struct trace_value *value = &call->args[i];
        uint32_t words[64 * 1024];
        char *text = NULL;
        size_t n;

        if (value->kind == TRACE_REPR)
            value = &value->u.items[1];
        n = value->count / 4;
        if (value->kind != TRACE_BLOB || n > sizeof(words) / 4)
            continue;
        memcpy(words, value->u.bytes, n * 4);
        if (vm_disassemble(&text, words, n, NULL) == ST_OK)
            for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
                printf("    %s\n", line);
        mem_free(text);
    }
}

static bool parse_range(const char *text, uint64_t *from, uint64_t *to)
{
    char tail;
    int n = sscanf(text, "%" SCNu64 "-%" SCNu64 "%c", from, to, &tail);

    if (n == 1 && !strchr(text, '-')) {
        *to = *from;
        return true;
    }
    if (n == 1 && text[strlen(text) - 1] == '-') {
        *to = UINT64_MAX;
        return true;
    }
    return n == 2 && *from <= *to;
}

static void print_properties(const struct trace_reader *reader)
{
    const char *name, *text;

    for (unsigned i = 0; trace_property(reader, i, &name, &text); i++) {
        struct trace_value value = {.kind = TRACE_STRING, .count = (uint32_t)strlen(text)};

        value.u.text = text;
        printf("// %s = ", name);
        print_value(&value);
        putchar('\n');
    }
}

int tool_dump(int argc, char **argv)
{
    const char *file, *range = NULL, *name = NULL;
    bool threads = false, shaders = false, viewer_exact = false, found = false;
    const struct tool_option options[] = {
        {"--calls", "A-B", "only calls A to B, by number", OPT_TEXT, &range},
        {"--name", "TEXT", "only calls whose name contains TEXT", OPT_TEXT, &name},
        {"--shaders", NULL, "show shaders as assembly text", OPT_FLAG, &shaders},
        {"--viewer-exact", NULL, "dx9mt frame: the calls that draw the picture of dx9mt's viewer",
         OPT_FLAG, &viewer_exact},
        {"--threads", NULL, "show the thread of each call as @N", OPT_FLAG, &threads},
    };
    const struct tool_usage usage = {
        "dump FILE [options]",
        "Prints the calls of a capture in the order in which they returned. Damage ends the list\n"
        "with an error; calls that never returned are marked `// incomplete`. For a compiled\n"
        "stream it prints records; --calls and --name then select records.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    uint64_t from = 0, to = UINT64_MAX;
    struct trace_reader *reader;
    struct trace_error error;
    const struct trace_call *call;
    enum status st;
    int code = tool_parse(&usage, argc, argv, &file);

    if (code >= 0)
        return code;
    if (range && !parse_range(range, &from, &to))
        return tool_error(argv[0], "'%s' is not a range of calls", range);
    if (nvs_is_file(file))
        return tool_dump_compiled(argv[0], file, name, from, to);
    if (trace_open(&reader, file, &error) != ST_OK)
        return tool_error(argv[0], "%s: %s", file, error.text);
    trace_set_frames(reader, viewer_exact, false);
    print_properties(reader);
    while ((st = trace_next(reader, &call)) == ST_OK && call) {
        found |= call->number >= from && call->number <= to;
        if (call->number >= from && call->number <= to &&
            (!name || strstr(call->function->name, name))) {
            print_call(call, threads);
            if (shaders)
                print_shaders(call);
        }
    }
    if (st != ST_OK)
        tool_error(argv[0], "%s: %s", file, trace_reader_error(reader)->text);
    else if (range && !found)
        tool_error(argv[0], "%s: there is no call %s", file, range);
    trace_close(reader);
    return st == ST_OK && (found || !range) ? TOOL_OK : TOOL_ERROR;
}
