/* `novem pixel`: prints the history of one pixel of a captured frame. */
#include "tool/cli/cli.h"
#include "tool/inspect/history.h"
#include "tool/inspect/inspect.h"
#include "trace/trace.h"
#include "util/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *at, *frame, *call, *since, *trace, *file;
    bool json, html, hex;
};

static bool number(const char *text, uint64_t *out)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return !errno && !*end;
}

static bool parse_at(const char *text, struct inspect_request *request)
{
    const char *comma = strchr(text, ',');
    char first[16];
    uint64_t x, y;

    if (!comma || (size_t)(comma - text) >= sizeof(first))
        return false;
    memcpy(first, text, (size_t)(comma - text));
    first[comma - text] = 0;
    if (!number(first, &x) || !number(comma + 1, &y) || x > UINT32_MAX || y > UINT32_MAX)
        return false;
    request->x = (uint32_t)x;
    request->y = (uint32_t)y;
    return true;
}

static int parse(const struct options *o, struct inspect_request *request)
{
    request->call = UINT64_MAX;
    request->hex = o->hex;
    request->trace = o->trace != NULL;
    if (!o->at || !parse_at(o->at, request))
        return tool_error(request->command, "--at X,Y is required: the pixel");
    if (!o->frame == !o->call)
        return tool_error(request->command, "either --frame or --call is required");
    if ((o->frame && !number(o->frame, &request->frame)) ||
        (o->call && !number(o->call, &request->call)))
        return tool_error(request->command, "'%s' is not a number", o->frame ? o->frame : o->call);
    request->first = o->frame ? request->frame : UINT64_MAX;
    if ((o->since && !number(o->since, &request->first)) ||
        (o->trace && !number(o->trace, &request->trace_call)))
        return tool_error(request->command, "'%s' is not a number", o->since ? o->since : o->trace);
    if (o->since && o->frame && request->first > request->frame)
        return tool_error(request->command, "--since %s is after --frame %s", o->since, o->frame);
    return -1;
}

/* Whether the traced call is a draw that touches the pixel. */
static bool has_traced_draw(const struct inspect_history *h)
{
    for (unsigned i = 0; i < h->n_events; i++)
        if (h->event[i].draw && h->event[i].call == h->request->trace_call)
            return true;
    return false;
}

static int run(const struct options *o, const struct inspect_request *request)
{
    struct inspect_history history;
    int code;

    path_set_variable("NOVEM_THREADS", "1");
    code = inspect_history_gather(&history, request);
    if (code == TOOL_OK) {
        if (o->json)
            inspect_print_json(&history, stdout);
        else if (o->html)
            inspect_print_page(&history, stdout);
        else
            inspect_print_text(&history, stdout);
        if (!inspect_history_is_exact(&history))
            code = TOOL_DIFFERS;
        if (request->trace && !has_traced_draw(&history))
            code = tool_error(request->command,
                              "%s: call %" PRIu64 " is no draw that touches the pixel",
                              request->file, request->trace_call);
    }
    inspect_history_fini(&history);
    return code;
}

int tool_pixel(int argc, char **argv)
{
    struct options o = {0};
    struct inspect_request request = {.command = argv[0]};
    const struct tool_option options[] = {
        {"--at", "X,Y", "the pixel, from the top left corner", OPT_TEXT, &o.at},
        {"--frame", "F", "in the picture of frame F, counted from 0", OPT_TEXT, &o.frame},
        {"--call", "N", "in render target 0 after call N", OPT_TEXT, &o.call},
        {"--since", "F", "start at frame F instead of the picture's frame", OPT_TEXT, &o.since},
        {"--trace", "N", "trace the shaders of draw N, instruction by instruction", OPT_TEXT,
         &o.trace},
        {"--hex", NULL, "print registers as bits", OPT_FLAG, &o.hex},
        {"--json", NULL, "print JSON", OPT_FLAG, &o.json},
        {"--html", NULL, "print HTML", OPT_FLAG, &o.html},
    };
    const struct tool_usage usage = {
        "pixel CAPTURE --frame F --at X,Y [options]",
        "Lists every clear, draw and copy that touched a pixel. For a draw it lists each "
        "primitive\n"
        "that covers the pixel, the result of each test, and the values before and after. If the\n"
        "pixel was copied from another surface, the list continues there. The exit code is 1 if\n"
        "the listed values do not add up to the pixel in the picture.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &o.file);

    request.file = o.file;
    if (code < 0)
        code = parse(&o, &request);
    return code < 0 ? run(&o, &request) : code;
}
