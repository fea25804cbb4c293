/* Runs a candidate for the draws of a frame and compares its pictures with Novem's.
 *
 * Tested by tests/unit/tool/frame/test_candidate.c. */
#include "tool/frame/candidate.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/path.h"
#include "util/process.h"
#include "util/text_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, NAME = 32 };

/* --- The command ------------------------------------------------------------------------------ */

/* Writes text as one word for the shell. */
static void put_quoted(FILE *out, const char *text)
{
    char *quoted = process_quote(text);

    if (quoted)
        fputs(quoted, out);
    mem_free(quoted);
}

char *frame_candidate_command(const char *candidate, const struct candidate_values *v)
{
    const char *p = candidate;
    char *line = NULL, program[PATH_MAX];
    size_t n, used;
    FILE *out = text_stream_open(&line, &n);

    while (out && *p) {
        if (!strncmp(p, "{capture}", 9)) {
            put_quoted(out, v->capture);
            p += 9;
        } else if (!strncmp(p, "{calls}", 7)) {
            fprintf(out, "%" PRIu64 "-%" PRIu64, v->call, v->last);
            p += 7;
        } else if (!strncmp(p, "{call}", 6)) {
            fprintf(out, "%" PRIu64, v->call);
            p += 6;
        } else if (!strncmp(p, "{out}", 5)) {
            put_quoted(out, v->out);
            p += 5;
        } else if ((used = tool_program_find(p, program, sizeof(program)))) {
            put_quoted(out, program);
            p += used;
        } else {
            fputc(*p++, out);
        }
    }
    return text_stream_close(out, &line, &n);
}

bool frame_candidate_is_command(const char *candidate)
{
    return strstr(candidate, "{capture}") && strstr(candidate, "{out}") &&
           (strstr(candidate, "{call}") || strstr(candidate, "{calls}"));
}

/* --- Novem's pictures ------------------------------------------------------------------------- */

struct drawn {
    uint64_t call;
    char reference[NAME]; /* "HASH.png" */
    uint32_t width, height;
};

struct comparison {
    const char *candidate, *file, *folder;
    uint64_t frame;
    struct drawn *drawn;
    size_t n, max;
    uint64_t pending; /* the call before, which has drawn; UINT64_MAX: it has not */
    enum status status;
    char *error;
};

static bool fail(struct comparison *c, enum status st, const char *text)
{
    if (c->status == ST_OK) {
        c->status = st;
        snprintf(c->error, CANDIDATE_TEXT, "%s", text ? text : status_text(st));
    }
    return false;
}

/* Writes a picture to folder/images, under a name made of its contents. */
static bool keep_picture(struct comparison *c, const struct tool_image *image, char name[NAME])
{
    const uint32_t size[2] = {image->width, image->height};
    uint64_t hash = hash_bytes(size, sizeof(size), 0);
    char path[PATH];

    hash = hash_bytes(image->rgba, (size_t)image->width * image->height * 4, hash);
    snprintf(name, NAME, "%016" PRIx64 ".png", hash);
    snprintf(path, sizeof(path), "%s/images/%s", c->folder, name);
    if (path_exists(path) || tool_png_write(path, image, 3) == ST_OK)
        return true;
    return fail(c, ST_IO, "a picture cannot be written");
}

static void take(struct comparison *c, struct replay *replay)
{
    struct replay_picture picture;
    struct tool_image image;
    struct drawn *d;

    if (c->pending == UINT64_MAX)
        return;
    if (c->n == c->max) {
        size_t max = c->max ? 2 * c->max : 64;
        void *more = mem_realloc(c->drawn, max * sizeof(*c->drawn));

        if (!more) {
            fail(c, ST_NOMEM, NULL);
            return;
        }
        c->drawn = more;
        c->max = max;
    }
    d = &c->drawn[c->n];
    *d = (struct drawn){.call = c->pending};
    c->pending = UINT64_MAX;
    if (replay_take_target(replay, false, &picture) != ST_OK)
        return; /* it draws to D3DFMT_NULL */
    image =
        (struct tool_image){.width = picture.width, .height = picture.height, .rgba = picture.rgba};
    for (size_t i = 3; i < (size_t)4 * image.width * image.height; i += 4)
        image.rgba[i] = 255;
    d->width = image.width;
    d->height = image.height;
    if (keep_picture(c, &image, d->reference))
        c->n++;
    mem_free(picture.rgba);
}

static bool is_clear(const char *name)
{
    const char *method = strstr(name, "::");

    return method && !strcmp(method, "::Clear");
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct comparison *c = ctx;
    uint64_t frame = replay_get_stats(replay)->frames;

    take(c, replay);
    if (frame == c->frame &&
        (replay_is_draw(call->function->name) || is_clear(call->function->name)))
        c->pending = call->number;
    return c->status == ST_OK && frame <= c->frame;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

static void take_references(struct comparison *c)
{
    const struct replay_options options = {.ctx = c, .on_call = on_call, .on_warning = on_warning};
    struct trace_reader *reader;
    struct trace_error why;
    struct replay *replay;
    enum status st;

    c->pending = UINT64_MAX;
    if (trace_open(&reader, c->file, &why) != ST_OK) {
        fail(c, ST_IO, why.text);
        return;
    }
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if (st == ST_OK || st == ST_DAMAGED)
        take(c, replay);
    else
        fail(c, st, NULL);
    replay_destroy(replay);
    trace_close(reader);
}

/* --- The candidate's pictures ----------------------------------------------------------------- */

static bool run_command(struct comparison *c, uint64_t first, uint64_t last, const char *out)
{
    const struct candidate_values values = {c->file, out, first, last};
    char *line = frame_candidate_command(c->candidate, &values), text[CANDIDATE_TEXT];
    int code;

    fflush(stdout);
    code = line ? process_run(line) : -1;
    free(line);
    if (code == 0 || code == 1)
        return true; /* 1: a call failed, and pictures may be missing */
    if (code >= 0)
        snprintf(text, sizeof(text), "the candidate's command ended with code %d", code);
    else
        snprintf(text, sizeof(text), "the candidate's command crashed at call %" PRIu64, first);
    return fail(c, ST_LOST, text);
}

static cJSON *picture_json(const char *name)
{
    cJSON *picture = cJSON_CreateObject();
    char path[NAME + 8];

    snprintf(path, sizeof(path), "images/%s", name);
    cJSON_AddStringToObject(picture, "file", path);
    cJSON_AddStringToObject(picture, "format", "R8G8B8");
    return picture;
}

/* Adds the candidate's picture and its difference; `path` is its file, which is removed. */
static bool add_picture(struct comparison *c, cJSON *event, const struct drawn *d, const char *path)
{
    struct tool_image reference = {0}, candidate = {0};
    struct tool_difference difference = {0};
    char name[NAME], other[PATH];
    bool found = tool_png_read(path, &candidate) == ST_OK, differs = false;

    path_remove(path);
    if (!found) {
        cJSON_AddNullToObject(event, "picture");
        return false;
    }
    for (size_t i = 3; i < (size_t)4 * candidate.width * candidate.height; i += 4)
        candidate.rgba[i] = 255;
    if (keep_picture(c, &candidate, name))
        cJSON_AddItemToObject(event, "picture", picture_json(name));
    snprintf(other, sizeof(other), "%s/images/%s", c->folder, d->reference);
    if (candidate.width != d->width || candidate.height != d->height) {
        differs = true;
        difference.above = (uint64_t)d->width * d->height;
        difference.max = 255;
    } else if (strcmp(name, d->reference) != 0) {
        if (tool_png_read(other, &reference) != ST_OK ||
            tool_image_compare(&reference, &candidate, 0, &difference, NULL) != ST_OK)
            fail(c, ST_NOMEM, NULL);
        differs = difference.above > 0;
    }
    cJSON_AddNumberToObject(event, "pixels", (double)difference.above);
    cJSON_AddNumberToObject(event, "max", difference.max);
    tool_image_fini(&reference);
    tool_image_fini(&candidate);
    return differs;
}

/* The candidate's picture after a call. */
static bool call_path(struct comparison *c, char path[PATH], const char *work, uint64_t call)
{
    int n = snprintf(path, PATH, "%s/call-%05" PRIu64 ".png", work, call);

    return (n >= 0 && n < PATH) || fail(c, ST_IO, strerror(ENAMETOOLONG));
}

static void compare_all(struct comparison *c, cJSON *answer, const char *work)
{
    bool once = strstr(c->candidate, "{calls}") != NULL;
    cJSON *events = cJSON_AddArrayToObject(answer, "events"), *first = NULL;
    unsigned missing = 0;
    char path[PATH];

    if (once && c->n && !run_command(c, c->drawn[0].call, c->drawn[c->n - 1].call, work))
        return;
    for (size_t i = 0; i < c->n && c->status == ST_OK; i++) {
        const struct drawn *d = &c->drawn[i];
        cJSON *event = cJSON_CreateObject();

        cJSON_AddItemToArray(events, event);
        if (!call_path(c, path, work, d->call))
            return;
        if (!once && !run_command(c, d->call, d->call, path))
            return;
        cJSON_AddNumberToObject(event, "call", (double)d->call);
        cJSON_AddItemToObject(event, "reference", picture_json(d->reference));
        if (add_picture(c, event, d, path) && !first) {
            first = cJSON_CreateNumber((double)d->call);
            cJSON_AddItemToObject(answer, "first", first);
        }
        missing += cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(event, "picture"));
    }
    if (!first)
        cJSON_AddNullToObject(answer, "first");
    cJSON_AddNumberToObject(answer, "missing", missing);
}

/* Pictures that were not read are left where a run has failed. */
static void remove_work(struct comparison *c, const char *work)
{
    char path[PATH];

    for (size_t i = 0; i < c->n; i++)
        if (call_path(c, path, work, c->drawn[i].call))
            path_remove(path);
    path_remove_folder(work);
}

enum status frame_candidate_answer(cJSON **out, const char *candidate, const char *file,
                                   uint64_t frame, const char *folder, char error[CANDIDATE_TEXT])
{
    struct comparison c = {
        .candidate = candidate, .file = file, .folder = folder, .frame = frame, .error = error};
    char work[PATH];

    *out = cJSON_CreateObject();
    if (!candidate)
        return *out ? ST_OK : ST_NOMEM;
    cJSON_AddStringToObject(*out, "command", candidate);
    take_references(&c);
    snprintf(work, sizeof(work), "%s/candidate-XXXXXX", folder);
    if (c.status == ST_OK && !path_make_temporary(work))
        fail(&c, ST_IO, strerror(errno));
    if (c.status == ST_OK) {
        compare_all(&c, *out, work);
        remove_work(&c, work);
    }
    mem_free(c.drawn);
    if (c.status != ST_OK) {
        cJSON_Delete(*out);
        *out = NULL;
    }
    return c.status;
}
