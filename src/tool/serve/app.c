/* Routes of the server: from a path to a page, an answer or a picture. */
#include "tool/serve/app.h"

#include "tool/frame/cost_overlay.h"
#include "tool/serve/key.h"
#include "util/alloc.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CACHE_KEY = SESSION_QUESTION + 32 };

static unsigned code_of(enum status st)
{
    return st == ST_OK                             ? HTTP_OK
           : st == ST_NOTFOUND || st == ST_INVALID ? HTTP_NOT_FOUND
                                                   : HTTP_FAILED;
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* Asks a session. A thumb is made from the nearest session: a strip of them would end all others.
 */
static void ask(struct serve_app *app, const struct serve_key *key, uint64_t frame,
                struct session_reply *reply)
{
    if (key->kind == SERVE_THUMB)
        sessions_ask_near(app->sessions, key->film, key->key, reply);
    else
        sessions_ask(app->sessions, frame, key->key, reply);
    if (reply->status == ST_OK)
        pictures_note(app->pictures, reply->bytes, frame, key->key);
}

/* The answer to a key, from the cache or a session; false after setting the error. */
static bool answer_of(struct serve_app *app, const struct serve_key *key, uint64_t frame,
                      struct http_answer *out)
{
    struct session_reply reply;
    char name[CACHE_KEY];

    snprintf(name, sizeof(name), "%" PRIu64 "/%s", frame, key->key);
    if (cache_get(app->cache, name, &out->bytes, &out->n))
        return true;
    ask(app, key, frame, &reply);
    if (reply.status != ST_OK) {
        cache_give_up(app->cache, name);
        http_fail(out, code_of(reply.status), true, reply.error);
        return false;
    }
    cache_put(app->cache, name, reply.bytes, reply.n);
    out->bytes = reply.bytes;
    out->n = reply.n;
    return true;
}

/* --- The list of frames ----------------------------------------------------------------------- */

/* [{"frame": 0, "call": 0, "draws": 12}, …]; NULL: out of memory. */
static cJSON *film_of(struct serve_app *app, uint64_t *frames, bool *complete)
{
    enum { PART = 512 };
    struct frame_entry part[PART];
    cJSON *film = cJSON_CreateArray();
    uint64_t n, at = 0;

    *complete = true;
    *frames = app->index ? frame_index_count(app->index, complete) : 0;
    while (film && at < *frames &&
           (n = frame_index_get(app->index, at, part, *frames - at < PART ? *frames - at : PART)))
        for (uint64_t i = 0; i < n; i++, at++) {
            cJSON *entry = cJSON_CreateObject();

            cJSON_AddItemToArray(film, entry);
            cJSON_AddNumberToObject(entry, "frame", (double)at);
            cJSON_AddNumberToObject(entry, "call", (double)part[i].call);
            cJSON_AddNumberToObject(entry, "draws", part[i].draws);
        }
    return film;
}

/* Puts what the server knows of the capture into an object. */
static void add_film(struct serve_app *app, cJSON *object)
{
    uint64_t frames;
    bool complete;
    cJSON *film = film_of(app, &frames, &complete);

    cJSON_DeleteItemFromObject(object, "frames");
    cJSON_DeleteItemFromObject(object, "film");
    cJSON_DeleteItemFromObject(object, "live");
    cJSON_AddBoolToObject(object, "live", true);
    cJSON_AddNumberToObject(object, "frames", (double)frames);
    cJSON_AddBoolToObject(object, "complete", complete);
    if (film)
        cJSON_AddItemToObject(object, "film", film);
}

/* Prints an object into an answer and frees it. */
static void put_object(struct http_answer *out, cJSON *object)
{
    char *text = object ? cJSON_PrintUnformatted(object) : NULL;

    mem_free(out->bytes);
    out->bytes = text ? mem_strdup(text) : NULL;
    out->n = out->bytes ? strlen(out->bytes) : 0;
    cJSON_free(text);
    cJSON_Delete(object);
    if (!out->bytes)
        http_fail(out, HTTP_FAILED, true, "out of memory");
}

/* Names of the overlays that the answers event/CALL/overlay/NAME show. */
static cJSON *overlay_names(void)
{
    cJSON *names = cJSON_CreateArray();

    for (unsigned i = 0; i < FRAME_OVERLAYS; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(frame_overlay_name(i)));
    return names;
}

static void answer_data(struct serve_app *app, const struct serve_key *key, uint64_t frame,
                        struct http_answer *out)
{
    cJSON *object;

    out->status = HTTP_OK;
    out->type = "application/json";
    if (key->kind == SERVE_FILM) {
        object = cJSON_CreateObject();
        add_film(app, object);
        put_object(out, object);
    } else if (answer_of(app, key, frame, out) && key->kind == SERVE_FRAME) {
        object = cJSON_ParseWithLength(out->bytes, out->n);
        if (object) {
            add_film(app, object);
            cJSON_AddItemToObject(object, "overlays", overlay_names());
        }
        put_object(out, object);
    }
}

/* --- Edits ------------------------------------------------------------------------------------ */

/* The bytes of a capture, which no cache keeps. */
static void answer_capture(struct serve_app *app, const struct serve_key *key, uint64_t frame,
                           struct http_answer *out)
{
    struct session_reply reply;

    sessions_ask(app->sessions, frame, key->key, &reply);
    if (reply.status != ST_OK) {
        http_fail(out, code_of(reply.status), true, reply.error);
        return;
    }
    out->status = HTTP_OK;
    out->type = "application/octet-stream";
    out->bytes = reply.bytes;
    out->n = reply.n;
}

/* Tries the changes: the answer is kept for the page, which asks for it next. False after setting
 * the error. */
static bool try_edit(struct serve_app *app, const char *id, uint64_t call, uint64_t frame,
                     struct http_answer *out)
{
    struct http_answer answer = {0};
    struct serve_key key;
    char question[SESSION_QUESTION];
    bool good;

    snprintf(question, sizeof(question), "edit/%s/event/%" PRIu64, id, call);
    good = serve_key_parse_data(&key, question) && answer_of(app, &key, frame, &answer);
    if (good) {
        mem_free(answer.bytes);
    } else {
        *out = answer;
        if (out->status == HTTP_NOT_FOUND)
            out->status = HTTP_BAD_REQUEST;
    }
    return good;
}

/* POST edit: {"edit": ID, "command": "novem edit …"}; or {"error": TEXT}. */
static void answer_edit(struct serve_app *app, const struct http_request *request, uint64_t frame,
                        struct http_answer *out)
{
    struct serve_edit *edit = mem_calloc(1, sizeof(*edit));
    char error[EDIT_TEXT] = "out of memory", id[SERVE_EDIT_ID] = "", *command = NULL;
    bool good = edit && serve_edit_parse(edit, request->body, request->n_body, error);
    uint64_t call = edit ? edit->call : 0;
    cJSON *object;

    if (edit)
        edit_fini(&edit->edit);
    mem_free(edit);
    if (!good) {
        http_fail(out, HTTP_BAD_REQUEST, true, error);
        return;
    }
    if (serve_edits_store(app->edits, request->body, request->n_body, id) != ST_OK) {
        http_fail(out, HTTP_FAILED, true, "the change cannot be stored");
        return;
    }
    if (!try_edit(app, id, call, frame, out))
        return;
    command = serve_edit_command(request->body, request->n_body, app->file);
    object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "edit", id);
    cJSON_AddStringToObject(object, "command", command ? command : "");
    mem_free(command);
    out->status = HTTP_OK;
    out->type = "application/json";
    put_object(out, object);
}

/* --- Pictures and the page -------------------------------------------------------------------- */

static void answer_picture(struct serve_app *app, const struct serve_key *key,
                           struct http_answer *out)
{
    char question[SESSION_QUESTION];
    struct session_reply reply;
    struct serve_key again;
    uint64_t frame;
    enum status st =
        pictures_read(app->pictures, key->picture, &out->bytes, &out->n, &frame, question);

    if (st == ST_BUSY && serve_key_parse_data(&again, question)) {
        ask(app, &again, frame, &reply);
        mem_free(reply.bytes);
        st = pictures_read(app->pictures, key->picture, &out->bytes, &out->n, &frame, question);
    }
    if (st != ST_OK) {
        http_fail(out, code_of(st), false, st == ST_NOTFOUND ? "not found" : status_text(st));
        return;
    }
    out->status = HTTP_OK;
    out->type = key->raw ? "application/octet-stream" : "image/png";
    out->unchanging = true;
}

void serve_answer(void *ctx, const struct http_request *request, struct http_answer *out)
{
    struct serve_app *app = ctx;
    uint64_t frame = app->frame;
    struct serve_key key;

    if (request->body && (!request->frame || serve_number(request->frame, &frame))) {
        answer_edit(app, request, frame, out);
        return;
    }
    if (!serve_key_parse(&key, request->path) || strlen(request->path) >= SESSION_QUESTION ||
        (request->frame && !serve_number(request->frame, &frame))) {
        http_fail(out, HTTP_NOT_FOUND, false, "not found");
        return;
    }
    if (key.kind == SERVE_PICTURE) {
        answer_picture(app, &key, out);
        return;
    }
    if (key.kind == SERVE_CAPTURE) {
        answer_capture(app, &key, frame, out);
        return;
    }
    if (key.kind != SERVE_PAGE) {
        answer_data(app, &key, frame, out);
        return;
    }
    out->status = HTTP_OK;
    out->type = "text/html; charset=utf-8";
    out->bytes = app->page(request->nonce, &out->n);
    if (!out->bytes)
        http_fail(out, HTTP_FAILED, false, "out of memory");
}
