/* Answers by key, and the answers of a whole frame as files.
 *
 * Tested by tests/unit/tool/frame/test_answer.c. */
#include "tool/frame/answer.h"

#include "tool/cli/cli.h"
#include "tool/frame/collect.h"
#include "tool/frame/cost_json.h"
#include "tool/frame/cost_overlay.h"
#include "tool/frame/mesh_table.h"
#include "tool/frame/steps.h"
#include "util/alloc.h"
#include "util/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Keys ------------------------------------------------------------------------------------- */

bool frame_key_is_valid(const char *key)
{
    size_t n = strlen(key);

    return n && n < FRAME_KEY &&
           strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,=-/") ==
               n &&
           !strstr(key, "..");
}

/* Parses a number up to the next '/' or the end and moves behind it. */
static bool number(const char **at, uint64_t *out)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *out = strtoull(*at, &end, 10);
    if (errno || (*end && *end != '/'))
        return false;
    *at = *end ? end + 1 : end;
    return true;
}

/* "ID/CALL/FACE/LEVEL/SLICE"; CALL may be "end". */
static bool parse_level(const char *at, struct frame_collector *c)
{
    uint64_t part[4];

    if (!number(&at, &part[0]))
        return false;
    if (!strncmp(at, "end/", 4))
        at += 4;
    else if (!number(&at, &c->call))
        return false;
    for (unsigned i = 1; i < 4; i++)
        if (!number(&at, &part[i]))
            return false;
    for (unsigned i = 0; i < 4; i++)
        if (part[i] > UINT32_MAX)
            return false;
    c->level.resource = (uint32_t)part[0];
    c->level.face = (uint32_t)part[1];
    c->level.level = (uint32_t)part[2];
    c->slice = (uint32_t)part[3];
    return !*at;
}

/* What the key asks for. */
static bool parse(const char *key, struct frame_collector *c)
{
    const char *slash = strchr(key, '/'), *rest = slash ? slash + 1 : "";
    size_t n = slash ? (size_t)(slash - key) : strlen(key);

    if (!strcmp(key, "frame"))
        c->want = FRAME_WANT_LIST;
    else if (!strcmp(key, "resources"))
        c->want = FRAME_WANT_RESOURCES;
    else if (n == 5 && !strncmp(key, "event", n))
        c->want = FRAME_WANT_EVENTS | FRAME_WANT_PICTURES;
    else if (n == 4 && !strncmp(key, "mesh", n))
        c->want = FRAME_WANT_MESHES;
    else if (n == 6 && !strncmp(key, "shader", n) && *rest)
        c->want = FRAME_WANT_SHADERS;
    else if (n == 8 && !strncmp(key, "resource", n))
        c->want = FRAME_WANT_LEVEL;
    else
        return false;
    if (c->want & FRAME_WANT_LEVEL)
        return parse_level(rest, c);
    if (c->want & (FRAME_WANT_EVENTS | FRAME_WANT_MESHES))
        return number(&rest, &c->call) && !*rest;
    return true;
}

/* --- One answer ------------------------------------------------------------------------------- */

struct wanted {
    const char *key;
    cJSON *answer;
};

static void keep(void *ctx, const char *key, cJSON *answer)
{
    struct wanted *w = ctx;

    if (!w->answer && (!*key || !strcmp(key, w->key)))
        w->answer = answer;
    else
        cJSON_Delete(answer);
}

/* What the draws and shaders cost; times are the least of three runs. */
static enum status answer_costs(struct frame_walk *walk, cJSON **out)
{
    struct frame_cost cost;
    enum status st = frame_cost_gather(&cost, walk, 3);

    if (st == ST_OK)
        *out = frame_cost_json(&cost);
    frame_cost_fini(&cost);
    return st == ST_OK && !*out ? ST_NOMEM : st;
}

/* "event/CALL/overlay/KIND": the overlay that it names, and the call; FRAME_OVERLAYS: none. */
static enum frame_overlay parse_overlay(const char *key, uint64_t *call)
{
    if (strncmp(key, "event/", 6))
        return FRAME_OVERLAYS;
    key += 6;
    return number(&key, call) && !strncmp(key, "overlay/", 8) ? frame_overlay_find(key + 8)
                                                              : FRAME_OVERLAYS;
}

static enum status answer_overlay(struct frame_walk *walk, const char *folder,
                                  enum frame_overlay overlay, uint64_t call, cJSON **out)
{
    struct frame_pictures pictures = {.folder = folder};
    struct frame_overlay_values values;
    struct frame_picture picture;
    enum status st = frame_overlay_gather(&values, walk, overlay, call, false);

    if (st == ST_OK)
        st = frame_picture_write_counts(&pictures, values.value, values.width, values.height,
                                        frame_overlay_is_mask(overlay), &picture);
    if (st == ST_OK && !(*out = frame_picture_json(&picture)))
        st = ST_NOMEM;
    mem_free(values.value);
    errno = pictures.error;
    return st;
}

static enum status answer_collected(struct frame_walk *walk, const char *folder, const char *key,
                                    cJSON **out)
{
    struct wanted wanted = {.key = key};
    struct frame_collector *c = mem_calloc(1, sizeof(*c));
    enum status st, run;

    if (!c)
        return ST_NOMEM;
    c->call = UINT64_MAX;
    c->mesh_limit = FRAME_MESH_VERTICES;
    c->emit = keep;
    c->ctx = &wanted;
    c->pictures.folder = folder;
    c->pictures.raw_left = SIZE_MAX;
    st = parse(key, c) ? ST_OK : ST_INVALID;
    if (!folder)
        c->want &= ~(unsigned)(FRAME_WANT_PICTURES | FRAME_WANT_LEVEL);
    if (st == ST_OK) {
        frame_collector_begin(c, walk);
        run = frame_walk_run(walk, &c->visitor);
        st = frame_collector_end(c);
        st = run != ST_OK ? run : st;
    }
    if (st == ST_IO)
        errno = c->pictures.error;
    if (st == ST_OK && !wanted.answer)
        st = ST_NOTFOUND;
    if (st == ST_OK)
        *out = wanted.answer;
    else
        cJSON_Delete(wanted.answer);
    frame_collector_fini(c);
    mem_free(c);
    return st;
}

enum status frame_answer(struct frame_walk *walk, const char *folder, const char *key, cJSON **out)
{
    struct frame_invocation invocation;
    enum frame_overlay overlay;
    uint64_t call;

    *out = NULL;
    if (!frame_key_is_valid(key))
        return ST_INVALID;
    if (frame_steps_parse(key, &invocation))
        return frame_steps_json(walk, &invocation, out);
    if (!strcmp(key, "costs"))
        return answer_costs(walk, out);
    overlay = parse_overlay(key, &call);
    if (overlay < FRAME_OVERLAYS)
        return folder ? answer_overlay(walk, folder, overlay, call, out) : ST_NOTFOUND;
    return answer_collected(walk, folder, key, out);
}

/* --- Answers as files ------------------------------------------------------------------------- */

static bool make_folders(char *path, size_t from)
{
    for (char *at = path + from; *at; at++)
        if (*at == '/') {
            *at = 0;
            if (!path_make_folder(path) && errno != EEXIST)
                return false;
            *at = '/';
        }
    return true;
}

static bool write_text(const char *path, const char *before, const char *key, const char *text,
                       const char *after)
{
    FILE *file = path_open(path, "w");

    if (!file)
        return false;
    errno = 0;
    if (before)
        fprintf(file, "%s\"%s\", ", before, key);
    fputs(text, file);
    fputs(after, file);
    return tool_file_close(file, path);
}

static void write_answer(void *ctx, const char *key, cJSON *answer)
{
    struct frame_writer *w = ctx;
    char *text = frame_answer_text(answer), path[4096];

    cJSON_Delete(answer);
    if (!text && w->status == ST_OK)
        w->status = ST_NOMEM;
    snprintf(path, sizeof(path), "%s/data/%s.js", w->folder, key);
    if (text && w->status == ST_OK &&
        (!make_folders(path, strlen(w->folder) + 1) ||
         !write_text(path, "answer(", key, text, ");\n"))) {
        w->error = errno;
        w->status = ST_IO;
    }
    snprintf(path, sizeof(path), "%s/frame.json", w->folder);
    if (text && w->status == ST_OK && !strcmp(key, "frame") &&
        !write_text(path, NULL, key, text, "\n")) {
        w->error = errno;
        w->status = ST_IO;
    }
    cJSON_free(text);
}

enum status frame_writer_begin(struct frame_writer *w, struct frame_walk *walk, const char *folder,
                               uint64_t call)
{
    struct frame_collector *c = mem_calloc(1, sizeof(*c));

    *w = (struct frame_writer){.folder = folder, .collector = c};
    if (!c)
        return ST_NOMEM;
    c->want = FRAME_WANT_LIST | FRAME_WANT_EVENTS | FRAME_WANT_PICTURES | FRAME_WANT_MESHES |
              FRAME_WANT_RESOURCES | FRAME_WANT_SHADERS | FRAME_WANT_TEXTURES;
    c->call = call;
    c->whole = true;
    c->mesh_limit = FRAME_MESH_ON_DISK;
    c->emit = write_answer;
    c->ctx = w;
    c->pictures.folder = folder;
    c->pictures.raw_left = call == UINT64_MAX ? FRAME_RAW_ON_DISK : SIZE_MAX;
    c->pictures.embedded = true;
    frame_collector_begin(c, walk);
    w->visitor = &c->visitor;
    return ST_OK;
}

enum status frame_writer_picture(struct frame_writer *w, const struct draw_target *target,
                                 bool changes, char name[FRAME_PICTURE_NAME])
{
    return frame_picture_write_plain(&w->collector->pictures, target, changes, name);
}

enum status frame_writer_end(struct frame_writer *w)
{
    enum status st = w->collector ? frame_collector_end(w->collector) : ST_NOMEM;

    if (st == ST_OK)
        st = w->status;
    if (!w->error && w->collector)
        w->error = w->collector->pictures.error;
    if (w->collector)
        frame_collector_fini(w->collector);
    mem_free(w->collector);
    w->collector = NULL;
    return st;
}

enum status frame_answers_write(struct frame_walk *walk, const char *folder)
{
    struct frame_writer w;
    enum status st = frame_writer_begin(&w, walk, folder, UINT64_MAX), run = ST_OK;

    if (st == ST_OK)
        run = frame_walk_run(walk, w.visitor);
    st = frame_writer_end(&w);
    if (st == ST_IO)
        errno = w.error;
    return run != ST_OK ? run : st;
}

enum status frame_answer_write(const char *folder, const char *key, cJSON *answer)
{
    struct frame_writer w = {.folder = folder};

    write_answer(&w, key, answer);
    errno = w.error;
    return w.status;
}

enum status frame_costs_write(struct frame_walk *walk, const char *folder)
{
    struct frame_writer w = {.folder = folder};
    cJSON *costs = NULL;
    enum status st = answer_costs(walk, &costs);

    if (st == ST_OK) {
        write_answer(&w, "costs", costs);
        st = w.status;
    }
    errno = w.error;
    return st;
}
