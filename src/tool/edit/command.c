/* `novem edit`: the command line.
 *
 * Tested by tests/unit/tool/edit/test_edit.c. */
#include "tool/cli/cli.h"
#include "tool/edit/edit.h"
#include "tool/edit/write.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/plural.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *command, *pixel, *vertex;
    struct tool_list calls, states, constants, removed, profiles;
    struct tool_shader_options source;
};

/* --- Reading what is asked for ---------------------------------------------------------------- */

/* The profile of a stage: -T may be given once for each. */
static const char *profile_of(const struct request *r, bool pixel)
{
    for (unsigned i = 0; i < r->profiles.n; i++)
        if ((r->profiles.text[i][0] == 'p') == pixel)
            return r->profiles.text[i];
    return NULL;
}

static int add_shader(struct request *r, struct edit_job *job, bool pixel, const char *path)
{
    char error[EDIT_TEXT];
    struct tool_shader shader = {.words = NULL};
    bool whole = path && strcmp(path, "none") != 0, good;
    int code = TOOL_OK;

    if (!path)
        return TOOL_OK;
    r->source.profile = profile_of(r, pixel);
    r->source.stage = pixel ? 'p' : 'v';
    if (whole)
        code = tool_shader_load(&shader, r->command, path, &r->source);
    if (code == TOOL_OK && whole) {
        struct tool_errors errors = {r->command, path, shader.lines, 0};

        code =
            tool_shader_check(shader.words, shader.n,
                              shader.compiled ? TOOL_SHADER_LIMITS : TOOL_SHADER_DEVICE, &errors);
    }
    if (code == TOOL_OK) {
        good = whole ? edit_add_code(&job->edit, pixel, shader.words, shader.n, error)
                     : edit_add_shader(&job->edit, pixel, NULL, error);
        if (!good)
            code = tool_error(r->command, "%s:%s%s", path, *error == '1' ? "" : " ", error);
    }
    tool_shader_fini(&shader);
    return code;
}

static int add_list(const struct request *r, struct edit_job *job, const char *option,
                    const struct tool_list *list,
                    bool (*add)(struct edit *, const char *, char[EDIT_TEXT]))
{
    char error[EDIT_TEXT];

    for (unsigned i = 0; i < list->n; i++)
        if (!add(&job->edit, list->text[i], error))
            return tool_error(r->command, "%s: %s", option, error);
    return TOOL_OK;
}

static int add_calls(const struct request *r, struct edit_job *job)
{
    for (unsigned i = 0; i < r->calls.n; i++) {
        const char *text = r->calls.text[i];
        uint64_t number;
        char *end;

        errno = 0;
        number = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
        if (*text < '0' || *text > '9' || errno || *end)
            return tool_error(r->command, "--call: '%s' is not the number of a call", text);
        for (unsigned k = 0; k < job->n_draws; k++)
            if (job->draw[k].call == number)
                return tool_error(r->command, "--call: %s is given twice", text);
        job->draw[job->n_draws++].call = number;
    }
    for (unsigned i = 0; i < r->removed.n; i++)
        if (!edit_job_remove(job, r->removed.text[i]))
            return tool_error(r->command, "--remove: '%s' is neither a call nor a range A-B",
                              r->removed.text[i]);
    return TOOL_OK;
}

static int read_request(struct request *r, struct edit_job *job)
{
    int code = add_calls(r, job);

    if (code == TOOL_OK)
        code = add_shader(r, job, false, r->vertex);
    if (code == TOOL_OK)
        code = add_shader(r, job, true, r->pixel);
    if (code == TOOL_OK)
        code = add_list(r, job, "--set", &r->states, edit_add_state);
    if (code == TOOL_OK)
        code = add_list(r, job, "--constant", &r->constants, edit_add_constant);
    if (code != TOOL_OK)
        return code;
    if (!job->out)
        return tool_error(r->command, "-o FILE is required: the new capture");
    if (job->edit.n && !job->n_draws)
        return tool_error(r->command, "--call N is required: the draw to change");
    if (!job->edit.n && job->n_draws)
        return tool_error(r->command, "no change is given for the draw: --pixel-shader, "
                                      "--vertex-shader, --set or --constant");
    if (!job->edit.n && !job->n_removed)
        return tool_error(r->command, "no change is given (try novem edit --help)");
    if (tool_file_is_same(job->file, job->out))
        return tool_error(r->command, "%s: is the capture itself", job->out);
    return TOOL_OK;
}

/* --- The command ------------------------------------------------------------------------------ */

static void report(const struct edit_job *job)
{
    uint64_t removed = 0;

    for (unsigned i = 0; i < job->n_removed; i++)
        removed += job->removed[i].found;
    printf("%s: " PLURAL_FORMAT, job->out, PLURAL(job->kept, "call", "calls"));
    if (removed)
        printf(", " PLURAL_FORMAT " removed", PLURAL(removed, "call", "calls"));
    for (unsigned i = 0; i < job->n_draws; i++)
        printf("%s call %" PRIu64 " is now call %" PRIu64, i ? "," : ";", job->draw[i].call,
               job->draw[i].now);
    printf("\n");
}

static int run(const char *command, struct edit_job *job)
{
    log_set_level(LOG_NONE);
    if (edit_job_plan(job) && edit_job_write(job)) {
        report(job);
        return TOOL_OK;
    }
    errno = job->system;
    if (job->system)
        return tool_write_error(command, job->out);
    return tool_error(command, "%s: %s", job->file, job->error);
}

int tool_edit(int argc, char **argv)
{
    static struct request r;
    struct edit_job *job = mem_calloc(1, sizeof(*job));
    const char *file, *out = NULL;
    const struct tool_option options[] = {
        {"--call", "N", "the call number of a draw to change; may be repeated", OPT_LIST, &r.calls},
        {"--pixel-shader", "FILE",
         "draw with this pixel shader: assembly, HLSL, an effect or byte code (- reads standard "
         "input); none: without any",
         OPT_TEXT, &r.pixel},
        {"--vertex-shader", "FILE", "draw with this vertex shader; none: without any", OPT_TEXT,
         &r.vertex},
        {"-T", "PROFILE", "HLSL: what to compile for, such as ps_3_0; once for each stage",
         OPT_LIST, &r.profiles},
        {"-E", "ENTRY", "HLSL: the function to compile (default main)", OPT_TEXT, &r.source.entry},
        {"-D", "NAME[=VALUE]", "shaders: define a macro", OPT_LIST, &r.source.defines},
        {"-I", "FOLDER", "shaders: search this folder for #include", OPT_LIST, &r.source.folders},
        {"--technique", "NAME", "effects: the technique (default: the first)", OPT_TEXT,
         &r.source.technique},
        {"--pass", "NAME", "effects: the pass (default: the first)", OPT_TEXT, &r.source.pass},
        {"--set", "STATE=VALUE",
         "a state, as ZFUNC=ALWAYS, sampler0:MINFILTER=POINT or stage0:COLOROP=ADD; may be "
         "repeated",
         OPT_LIST, &r.states},
        {"--constant", "REG=VALUE",
         "a constant, as ps:c3=1,0,0,1, vs:i0=1,2,3,4 or vs:b0=TRUE; may be repeated", OPT_LIST,
         &r.constants},
        {"--remove", "A-B",
         "remove a call, or a range of calls, that draw, copy or set state; may be repeated",
         OPT_LIST, &r.removed},
        {"-o", "FILE", "the new capture (output file)", OPT_TEXT, &out},
    };
    const struct tool_usage usage = {
        "edit CAPTURE -o FILE [--call N] [options]",
        "Writes a capture in which draws have other shaders, states or constants. Calls before\n"
        "each draw make the changes, and calls after it undo them; all other calls are as before.\n"
        "Later calls get higher numbers.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code;

    r = (struct request){.command = argv[0]};
    if (!job)
        return tool_error(argv[0], "%s", status_text(ST_NOMEM));
    code = tool_parse(&usage, argc, argv, &file);
    if (code < 0) {
        job->file = file;
        job->out = out;
        code = read_request(&r, job);
        if (code == TOOL_OK)
            code = run(r.command, job);
    }
    edit_job_fini(job);
    mem_free(job);
    return code;
}
