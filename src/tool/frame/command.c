/* `novem frame`: the command line.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "tool/cli/cli.h"
#include "tool/frame/answer.h"
#include "tool/frame/candidate.h"
#include "tool/frame/cost_overlay.h"
#include "tool/frame/frame.h"
#include "tool/frame/steps.h"
#include "tool/frame/tables.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "util/path.h"

#include <stdlib.h>

struct options {
    const char *command, *file, *folder, *target, *overlay, *steps, *candidate;
    unsigned frame, call; /* UINT32_MAX: not given */
    bool passes, resources, states, constants, vertices, json;
};

static int write_target(const struct options *o)
{
    struct tool_image image;
    int code;

    path_set_variable("NOVEM_THREADS", "1");
    code = inspect_target_take(&image, o->command, o->file,
                               o->call == UINT32_MAX ? UINT64_MAX : o->call);
    if (code != TOOL_OK)
        return code;
    if (o->overlay)
        code = frame_overlay_blend(&image, o->command, o->file, o->call, o->overlay);
    if (code != TOOL_OK) {
        tool_image_fini(&image);
        return code;
    }
    if (tool_png_write(o->target, &image, 3) != ST_OK)
        code = tool_write_error(o->command, o->target);
    tool_image_fini(&image);
    return code;
}

/* Prints an answer as JSON or as a table. */
static int print_answer(const struct options *o, const char *key,
                        void (*print)(FILE *out, const cJSON *answer))
{
    const char *why; /* there is no answer */
    cJSON *answer;
    uint64_t frame = o->frame == UINT32_MAX ? 0 : o->frame;
    char *text;
    int code = TOOL_OK;

    if (o->frame == UINT32_MAX && o->call != UINT32_MAX)
        code = frame_of_call(&frame, o->command, o->file, o->call);
    if (code == TOOL_OK)
        code = frame_ask(&answer, o->command, o->file, frame, key);
    if (code != TOOL_OK)
        return code;
    why = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "why"));
    text = o->json ? frame_answer_text(answer) : NULL;
    if (why)
        code = tool_error(o->command, "%s: %s", o->file, why);
    else if (!o->json)
        print(stdout, answer);
    else if (text)
        printf("%s\n", text);
    else
        code = tool_error(o->command, "%s", status_text(ST_NOMEM));
    cJSON_free(text);
    cJSON_Delete(answer);
    return code;
}

static int print_steps(const struct options *o)
{
    struct frame_invocation parsed;
    char key[FRAME_KEY];
    int n = snprintf(key, sizeof(key), "steps/%u/%s", o->call, o->steps);

    if (n < 0 || n >= (int)sizeof(key) || !frame_steps_parse(key, &parsed))
        return tool_error(o->command,
                          "'%s' is neither pixel/X/Y/PRIMITIVE nor vertex/NUMBER, each with or "
                          "without /INSTANCE",
                          o->steps);
    return print_answer(o, key, frame_print_steps);
}

/* Prints what the options ask for; negative: nothing. */
static int print_table(const struct options *o)
{
    bool of_call = o->states || o->constants || o->vertices || o->steps;
    char key[FRAME_KEY];

    if (o->passes + o->resources + o->states + o->constants + o->vertices + (o->steps != NULL) > 1)
        return tool_error(o->command, "only one of --passes, --resources, --states, --constants, "
                                      "--vertices and --steps may be given");
    if (of_call && o->call == UINT32_MAX)
        return tool_error(o->command, "--call N is required: the draw");
    if (o->steps)
        return print_steps(o);
    snprintf(key, sizeof(key), "%s/%u", o->vertices ? "mesh" : "event", o->call);
    if (o->passes)
        return print_answer(o, "frame", frame_print_passes);
    if (o->resources)
        return print_answer(o, "resources", frame_print_resources);
    if (o->states)
        return print_answer(o, key, frame_print_states);
    if (o->constants)
        return print_answer(o, key, frame_print_constants);
    if (o->vertices)
        return print_answer(o, key, frame_print_vertices);
    return o->json ? tool_error(o->command, "--json needs one of --passes, --resources, --states, "
                                            "--constants, --vertices and --steps")
                   : -1;
}

/* --- The candidate ---------------------------------------------------------------------------- */

static int report_candidate(const cJSON *answer)
{
    const cJSON *first = cJSON_GetObjectItemCaseSensitive(answer, "first"), *event;
    const cJSON *missing = cJSON_GetObjectItemCaseSensitive(answer, "missing");
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(answer, "events");

    if (cJSON_IsNumber(missing) && missing->valuedouble > 0)
        printf("the candidate has no picture of %.0f of %d draws and clears\n",
               missing->valuedouble, cJSON_GetArraySize(events));
    if (!cJSON_IsNumber(first)) {
        printf("no target of the candidate differs\n");
        return cJSON_IsNumber(missing) && missing->valuedouble > 0 ? TOOL_DIFFERS : TOOL_OK;
    }
    cJSON_ArrayForEach(event, events)
    {
        if (cJSON_GetObjectItemCaseSensitive(event, "call")->valuedouble != first->valuedouble)
            continue;
        printf("call %.0f is the first after which the candidate's target differs: %.0f pixels, at "
               "most by %d\n",
               first->valuedouble, cJSON_GetObjectItemCaseSensitive(event, "pixels")->valuedouble,
               cJSON_GetObjectItemCaseSensitive(event, "max")->valueint);
    }
    return TOOL_DIFFERS;
}

/* Writes the answer "candidate", {} without one, and says where the first difference is. */
static int write_candidate(const struct options *o)
{
    char error[CANDIDATE_TEXT];
    cJSON *answer;
    int code = TOOL_OK;

    if (frame_candidate_answer(&answer, o->candidate, o->file,
                               o->frame == UINT32_MAX ? 0 : o->frame, o->folder, error) != ST_OK)
        return tool_error(o->command, "%s", error);
    if (o->candidate)
        code = report_candidate(answer);
    if (frame_answer_write(o->folder, "candidate", answer) != ST_OK)
        return tool_write_error(o->command, o->folder);
    return code;
}

static int check_candidate(const struct options *o)
{
    if (!o->candidate)
        return TOOL_OK;
    if (o->call != UINT32_MAX)
        return tool_error(o->command, "--candidate is for a whole frame, not for --call");
    if (!frame_candidate_is_command(o->candidate))
        return tool_error(o->command, "--candidate needs {capture}, {out}, and {calls} or {call}");
    return tool_programs_exist(o->command, o->candidate) ? TOOL_OK : TOOL_ERROR;
}

int tool_frame(int argc, char **argv)
{
    struct options o = {.command = argv[0], .frame = UINT32_MAX, .call = UINT32_MAX};
    const struct tool_option options[] = {
        {"--frame", "F", "the frame, counted from 0 (default: 0)", OPT_UINT, &o.frame},
        {"-o", "DIR", "folder for the files, created if missing", OPT_TEXT, &o.folder},
        {"--call", "N", "write only call N of the frame", OPT_UINT, &o.call},
        {"--target", "FILE", "write only render target 0 after call N, as PNG", OPT_TEXT,
         &o.target},
        {"--overlay", "KIND",
         "put over that picture what draw N did: draw, wireframe, overdraw, depth-fail,\n"
         "stencil-fail, shaded, quads, triangle-size or cost",
         OPT_TEXT, &o.overlay},
        {"--passes", NULL, "print passes, markers and draws instead of writing files", OPT_FLAG,
         &o.passes},
        {"--resources", NULL, "print textures, buffers and targets, and who uses them", OPT_FLAG,
         &o.resources},
        {"--states", NULL, "print the states of draw N", OPT_FLAG, &o.states},
        {"--constants", NULL, "print the shader constants of draw N", OPT_FLAG, &o.constants},
        {"--vertices", NULL, "print the vertices of draw N, before and after the vertex stage",
         OPT_FLAG, &o.vertices},
        {"--steps", "WHICH",
         "print the steps of a shader of draw N; WHICH is pixel/X/Y/PRIMITIVE or vertex/NUMBER",
         OPT_TEXT, &o.steps},
        {"--json", NULL, "print JSON instead of text", OPT_FLAG, &o.json},
        {"--candidate", "CMD",
         "compare with the pictures that this command writes to {out} after the draws {calls} of "
         "{capture}",
         OPT_TEXT, &o.candidate},
    };
    const struct tool_usage usage = {
        "frame CAPTURE --frame F -o DIR",
        "Writes the draws of a frame to a folder: index.txt, index.json and index.html list its\n"
        "clears, draws and copies. For each draw there are the non-default states, the shaders\n"
        "(also those of the fixed function), the textures, the vertices before and after the\n"
        "vertex shader as OBJ, and the targets before and after. The folder data has the same and\n"
        "more for the page and for programs (docs/frame.md). With --candidate the exit code is 1\n"
        "if a target differs from that of another Direct3D 9.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &o.file);

    if (code >= 0)
        return code;
    if (o.overlay && (!o.target || o.call == UINT32_MAX))
        return tool_error(o.command, "--overlay needs --call N and --target FILE");
    if (o.target)
        return write_target(&o);
    code = print_table(&o);
    if (code >= 0)
        return code;
    if (!o.folder)
        return tool_error(o.command, "-o DIR is required: the folder for the files");
    code = check_candidate(&o);
    if (code == TOOL_OK)
        code = frame_files_write(o.command, o.file, o.frame == UINT32_MAX ? 0 : o.frame,
                                 o.call == UINT32_MAX ? UINT64_MAX : o.call, o.folder);
    return code == TOOL_OK ? write_candidate(&o) : code;
}
