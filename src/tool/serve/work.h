/* What the processes of sessions do: a walk through a capture, and its answers. */
#ifndef TOOL_SERVE_WORK_H
#define TOOL_SERVE_WORK_H

#include "tool/frame/walk.h"
#include "tool/serve/key.h"
#include "tool/serve/sessions.h"

struct serve_work {
    const char *command, *file;
    const char *folder;    /* has images/, for pictures */
    const char *candidate; /* command of another implementation; NULL: none */
    struct frame_walk *walk;
};

/* ctx: a struct serve_work. */
enum status serve_work_go_to(void *ctx, uint64_t frame, char error[SESSION_TEXT]);
enum status serve_work_answer(void *ctx, const char *question, char **out, size_t *n,
                              char error[SESSION_TEXT]);

/* --- pixel.c, thumb.c, edited.c: answers that the frame does not give ------------------------- */

/* Each prints JSON. The process ends afterwards. On failure `error` may say why. */
enum status serve_pixel(struct serve_work *work, const struct serve_key *key, char **out, size_t *n,
                        char error[SESSION_TEXT]);
enum status serve_thumb(struct serve_work *work, const struct serve_key *key, char **out, size_t *n,
                        char error[SESSION_TEXT]);
/* The answer of a frame with the changes of an edit. */
enum status serve_edited(struct serve_work *work, const struct serve_key *key, char **out,
                         size_t *n, char error[SESSION_TEXT]);
/* The bytes of a capture with the changes of an edit. */
enum status serve_edited_capture(struct serve_work *work, const struct serve_key *key, char **out,
                                 size_t *n, char error[SESSION_TEXT]);

#endif
