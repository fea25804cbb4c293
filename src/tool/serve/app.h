/* What the server answers: the page, answers by key, and pictures. */
#ifndef TOOL_SERVE_APP_H
#define TOOL_SERVE_APP_H

#include "tool/serve/cache.h"
#include "tool/serve/edits.h"
#include "tool/serve/http.h"
#include "tool/serve/index.h"
#include "tool/serve/sessions.h"

#include <stdint.h>

struct pictures;

struct serve_app {
    struct sessions *sessions;
    struct frame_index *index; /* NULL: the list of frames is empty */
    struct cache *cache;
    struct pictures *pictures;
    struct serve_edits *edits;
    const char *file;   /* the capture, for command lines */
    const char *folder; /* has images/, where answers put their pictures */
    uint64_t frame;     /* of the first page */
    /* Makes the page, with styles and scripts that have the nonce; freed with mem_free. NULL: out
     * of memory. */
    char *(*page)(const char *nonce, size_t *n);
};

/* Answers a request; for struct http_options. ctx: a struct serve_app. */
void serve_answer(void *ctx, const struct http_request *request, struct http_answer *out);

/* --- pictures.c: files of pictures, with bounded size ----------------------------------------- */

/* Keeps files of folder/images up to `most` bytes. */
MUST_CHECK enum status pictures_create(struct pictures **out, const char *folder, size_t most);
void pictures_destroy(struct pictures *pictures); /* NULL is allowed; the files stay */
/* Notes the pictures that an answer names ("images/NAME"), with the question that makes them
 * again. Removes the files used longest ago. */
void pictures_note(struct pictures *pictures, const char *answer, uint64_t frame,
                   const char *question);
/* Reads a picture; the caller frees it with mem_free. ST_NOTFOUND: no answer has named it. ST_BUSY:
 * its file was removed; *frame and question, which has SESSION_QUESTION bytes, make it again. */
MUST_CHECK enum status pictures_read(struct pictures *pictures, const char *name, char **bytes,
                                     size_t *n, uint64_t *frame, char *question);
size_t pictures_bytes(struct pictures *pictures); /* for tests */

#endif
