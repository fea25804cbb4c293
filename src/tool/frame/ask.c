/* Questions of commands: an answer from a walk of its own, and the frame of a call.
 *
 * Tested by tests/unit/tool/frame/test_tables.c. */
#include "tool/cli/cli.h"
#include "tool/frame/answer.h"
#include "trace/trace.h"

#include <inttypes.h>

int frame_ask(cJSON **out, const char *command, const char *file, uint64_t frame, const char *key)
{
    struct frame_walk *walk;
    enum status st;
    int code = frame_walk_open(&walk, command, file, frame);

    *out = NULL;
    if (code != TOOL_OK)
        return code;
    st = frame_answer(walk, NULL, key, out);
    if (st == ST_NOTFOUND)
        code = tool_error(command, "%s: frame %" PRIu64 " has no %s", file, frame, key);
    else if (st != ST_OK)
        code = tool_error(command, "%s: %s", file, status_text(st));
    frame_walk_close(walk);
    return code;
}

int frame_of_call(uint64_t *out, const char *command, const char *file, uint64_t number)
{
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;
    enum status st;
    bool found = false;

    *out = 0;
    if (trace_open(&reader, file, &error) != ST_OK)
        return tool_error(command, "%s: %s", file, error.text);
    while (!found && (st = trace_next(reader, &call)) == ST_OK && call) {
        found = call->number == number && call->complete;
        if (!found && call->complete && replay_is_present(call->function->name) &&
            !trace_failed(call))
            ++*out;
    }
    trace_close(reader);
    return found ? TOOL_OK : tool_error(command, "%s: there is no call %" PRIu64, file, number);
}
