/* Requests for edits: JSON, command lines, and files. */
#include "tool/serve/edits.h"

#include "tool/edit/source.h"
#include "tool/hlsl/hlsl.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096 };

/* --- Requests --------------------------------------------------------------------------------- */

static bool say(char error[EDIT_TEXT], const char *text)
{
    snprintf(error, EDIT_TEXT, "%s", text);
    return false;
}

static bool add_texts(struct serve_edit *out, const cJSON *list,
                      bool (*add)(struct edit *, const char *, char[EDIT_TEXT]),
                      char error[EDIT_TEXT])
{
    const cJSON *item;

    if (list && !cJSON_IsArray(list))
        return say(error, "the request is malformed: not a list");
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsString(item))
            return say(error, "the request is malformed: not a text");
        if (!add(&out->edit, item->valuestring, error))
            return false;
    }
    return true;
}

static const char *const stages[] = {"vertex", "pixel"};

/* How HLSL of a stage is compiled. False: the request is malformed. */
static bool read_source(struct edit_source *out, const cJSON *request, bool pixel)
{
    const cJSON *profiles = cJSON_GetObjectItemCaseSensitive(request, "profiles");
    const cJSON *profile = cJSON_GetObjectItemCaseSensitive(profiles, stages[pixel]);
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(request, "entry");

    *out = (struct edit_source){cJSON_GetStringValue(entry), cJSON_GetStringValue(profile)};
    return (!profiles || cJSON_IsObject(profiles)) && (!entry || out->entry) &&
           (!profile || out->profile);
}

static bool add_shader(struct serve_edit *out, const cJSON *request, bool pixel,
                       char error[EDIT_TEXT])
{
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(request, stages[pixel]);
    struct edit_source source;
    char why[EDIT_TEXT];
    bool good;

    if (!read_source(&source, request, pixel))
        return say(error, "the request is malformed: an entry or a profile is a text");
    if (!text)
        return true;
    if (!cJSON_IsNull(text) && !cJSON_IsString(text))
        return say(error, "the request is malformed: a shader is a text");
    good = cJSON_IsNull(text) ? edit_add_shader(&out->edit, pixel, NULL, why)
                              : edit_add_text(&out->edit, pixel, text->valuestring, &source, why);
    if (good)
        return true;
    snprintf(error, EDIT_TEXT, "%s shader: %.400s", pixel ? "pixel" : "vertex", why);
    return false;
}

bool serve_edit_parse(struct serve_edit *out, const char *json, size_t n, char error[EDIT_TEXT])
{
    cJSON *request = cJSON_ParseWithLength(json, n);
    const cJSON *call = cJSON_GetObjectItemCaseSensitive(request, "call");
    bool good = cJSON_IsNumber(call) && call->valuedouble >= 0 && call->valuedouble < 9e15 &&
                floor(call->valuedouble) == call->valuedouble;

    memset(out, 0, sizeof(*out));
    if (!good)
        say(error, "the request is malformed: no call");
    out->call = good ? (uint64_t)call->valuedouble : 0;
    good =
        good && add_shader(out, request, false, error) && add_shader(out, request, true, error) &&
        add_texts(out, cJSON_GetObjectItemCaseSensitive(request, "set"), edit_add_state, error) &&
        add_texts(out, cJSON_GetObjectItemCaseSensitive(request, "constants"), edit_add_constant,
                  error);
    if (good && !out->edit.n)
        good = say(error, "nothing is changed");
    cJSON_Delete(request);
    return good;
}

/* --- Command lines ---------------------------------------------------------------------------- */

/* As one word of a shell. Lines and other controls within do not end it. */
static void put_word(FILE *out, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-";

    if (*text && *text != '-' && strspn(text, plain) == strlen(text)) {
        fputs(text, out);
        return;
    }
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

/* A shader's file, and how it is compiled. */
static void put_shader(FILE *out, const cJSON *request, bool pixel)
{
    const cJSON *shader = cJSON_GetObjectItemCaseSensitive(request, stages[pixel]);
    const char *text = cJSON_GetStringValue(shader);
    enum hlsl_kind kind = text ? hlsl_kind_of(text, strlen(text)) : HLSL_IS_ASSEMBLY;
    struct edit_source source = {NULL, NULL};

    if (!shader)
        return;
    fprintf(out, " --%s-shader %s%s", stages[pixel], text ? stages[pixel] : "none",
            !text                      ? ""
            : kind == HLSL_IS_ASSEMBLY ? ".asm"
            : kind == HLSL_IS_EFFECT   ? ".fx"
                                       : ".hlsl");
    if (kind != HLSL_IS_HLSL || !read_source(&source, request, pixel))
        return;
    if (source.profile) {
        fputs(" -T ", out);
        put_word(out, source.profile);
    }
}

static bool is_hlsl(const cJSON *request, bool pixel)
{
    const char *text =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request, stages[pixel]));

    return text && hlsl_kind_of(text, strlen(text)) == HLSL_IS_HLSL;
}

static void put_entry(FILE *out, const cJSON *request)
{
    const char *entry = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request, "entry"));

    if (!entry || (!is_hlsl(request, false) && !is_hlsl(request, true)))
        return;
    fputs(" -E ", out);
    put_word(out, entry);
}

static void put_texts(FILE *out, const char *option, const cJSON *list)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, list)
    {
        fprintf(out, " %s ", option);
        put_word(out, cJSON_IsString(item) ? item->valuestring : "");
    }
}

char *serve_edit_command(const char *json, size_t n, const char *file)
{
    cJSON *request = cJSON_ParseWithLength(json, n);
    const cJSON *call = cJSON_GetObjectItemCaseSensitive(request, "call");
    char *text = NULL, *copy;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out) {
        fputs("novem edit ", out);
        if (*file == '-')
            fputs("./", out);
        put_word(out, file);
        fprintf(out, " -o edited.trace --call %.0f", cJSON_IsNumber(call) ? call->valuedouble : 0);
        put_shader(out, request, false);
        put_shader(out, request, true);
        put_entry(out, request);
        put_texts(out, "--set", cJSON_GetObjectItemCaseSensitive(request, "set"));
        put_texts(out, "--constant", cJSON_GetObjectItemCaseSensitive(request, "constants"));
        fclose(out);
    }
    cJSON_Delete(request);
    copy = text ? mem_strdup(text) : NULL;
    free(text); /* allocated by open_memstream */
    return copy;
}

/* --- Files ------------------------------------------------------------------------------------ */

struct serve_edits {
    pthread_mutex_t lock;
    char folder[PATH - 64];
    char id[SERVE_EDITS][SERVE_EDIT_ID]; /* a ring: "" is free */
    unsigned next;
};

static void path_of(const char *folder, const char *id, char path[PATH])
{
    snprintf(path, PATH, "%s/edits/%s.json", folder, id);
}

enum status serve_edits_create(struct serve_edits **out, const char *folder)
{
    struct serve_edits *edits = mem_calloc(1, sizeof(*edits));
    char path[PATH];

    *out = edits;
    if (!edits)
        return ST_NOMEM;
    snprintf(edits->folder, sizeof(edits->folder), "%s", folder);
    pthread_mutex_init(&edits->lock, NULL);
    snprintf(path, sizeof(path), "%s/edits", folder);
    if (!mkdir(path, 0700) || errno == EEXIST)
        return ST_OK;
    serve_edits_destroy(edits);
    *out = NULL;
    return ST_IO;
}

void serve_edits_destroy(struct serve_edits *edits)
{
    if (!edits)
        return;
    pthread_mutex_destroy(&edits->lock);
    mem_free(edits);
}

/* A file appears under its name when it is complete: processes may read it at any time. */
static bool write_file(const char *path, const char *bytes, size_t n)
{
    char part[PATH + 8];
    FILE *file;
    bool good;

    snprintf(part, sizeof(part), "%s.part", path);
    file = fopen(part, "wb");
    if (!file)
        return false;
    good = fwrite(bytes, 1, n, file) == n;
    good = !fclose(file) && good && !rename(part, path);
    if (!good)
        unlink(part);
    return good;
}

enum status serve_edits_store(struct serve_edits *edits, const char *json, size_t n,
                              char id[SERVE_EDIT_ID])
{
    enum status st = ST_OK;
    bool known = false;
    char path[PATH];

    snprintf(id, SERVE_EDIT_ID, "%016" PRIx64, hash_bytes(json, n, 0));
    pthread_mutex_lock(&edits->lock);
    for (unsigned i = 0; i < SERVE_EDITS; i++)
        known |= !strcmp(edits->id[i], id);
    if (!known) {
        char *slot = edits->id[edits->next];

        if (*slot) {
            path_of(edits->folder, slot, path);
            unlink(path);
        }
        memcpy(slot, id, SERVE_EDIT_ID);
        edits->next = (edits->next + 1) % SERVE_EDITS;
        path_of(edits->folder, id, path);
        if (!write_file(path, json, n)) {
            *slot = 0;
            st = ST_IO;
        }
    }
    pthread_mutex_unlock(&edits->lock);
    return st;
}

enum status serve_edits_read(const char *folder, const char *id, char **json, size_t *n)
{
    enum status st = ST_NOTFOUND;
    struct stat about;
    char path[PATH];
    int fd;

    *json = NULL;
    path_of(folder, id, path);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return ST_NOTFOUND;
    if (!fstat(fd, &about) && S_ISREG(about.st_mode)) {
        *n = (size_t)about.st_size;
        *json = mem_alloc(*n + 1);
        st = *json ? ST_OK : ST_NOMEM;
    }
    if (st == ST_OK && read(fd, *json, *n) != (ssize_t)*n) {
        mem_free(*json);
        *json = NULL;
        st = ST_IO;
    }
    if (st == ST_OK)
        (*json)[*n] = 0;
    close(fd);
    return st;
}
