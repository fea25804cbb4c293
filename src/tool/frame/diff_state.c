/* `novem diff-state`: what differs between two draws.
 *
 * Tested by tests/unit/tool/frame/test_tables.c. */
#include "tool/cli/cli.h"
#include "tool/frame/answer.h"
#include "tool/frame/difference.h"
#include "tool/frame/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool parse_call(const char *text, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    return *text >= '0' && *text <= '9' && !errno && !*end;
}

/* The answer of a draw; an exit code after a message. */
static int ask(cJSON **out, const char *command, const char *file, const char *call)
{
    uint64_t number, frame;
    char key[FRAME_KEY];
    int code;

    *out = NULL;
    if (!parse_call(call, &number))
        return tool_error(command, "'%s' is not the number of a call", call);
    code = frame_of_call(&frame, command, file, number);
    if (code != TOOL_OK)
        return code;
    snprintf(key, sizeof(key), "event/%" PRIu64, number);
    code = frame_ask(out, command, file, frame, key);
    if (code == TOOL_OK && !cJSON_GetObjectItemCaseSensitive(*out, "states")) {
        cJSON_Delete(*out);
        *out = NULL;
        code = tool_error(command, "%s: call %s is no draw", file, call);
    }
    return code;
}

static int print(const char *command, const cJSON *a, const cJSON *b, bool json)
{
    cJSON *difference = frame_difference(a, b);
    char *text = difference && json ? frame_answer_text(difference) : NULL;
    int code = difference && difference->child ? TOOL_DIFFERS : TOOL_OK;

    if (!difference || (json && !text))
        code = tool_error(command, "%s", status_text(ST_NOMEM));
    else if (json)
        printf("%s\n", text);
    else
        frame_print_difference(stdout, difference);
    cJSON_free(text);
    cJSON_Delete(difference);
    return code;
}

int tool_diff_state(int argc, char **argv)
{
    const char *files[3];
    bool json = false;
    cJSON *a = NULL, *b = NULL;
    const struct tool_option options[] = {
        {"--json", NULL, "print a JSON array of objects: group, name, before, after", OPT_FLAG,
         &json},
    };
    const struct tool_usage usage = {
        "diff-state CAPTURE CALL_A CALL_B",
        "Prints the targets, shaders, states, textures, constants, vertex streams and vertex\n"
        "elements that differ between two draws, one per line: value of A -> value of B. The exit\n"
        "code is 1 if any differs.",
        options,
        sizeof(options) / sizeof(options[0]),
        3,
        3,
    };
    int code = tool_parse(&usage, argc, argv, files);

    if (code >= 0)
        return code;
    code = ask(&a, argv[0], files[0], files[1]);
    if (code == TOOL_OK)
        code = ask(&b, argv[0], files[0], files[2]);
    if (code == TOOL_OK)
        code = print(argv[0], a, b, json);
    cJSON_Delete(a);
    cJSON_Delete(b);
    return code;
}
