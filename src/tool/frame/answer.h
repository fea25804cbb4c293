/* Answers to the questions of the frame's page: JSON by key, pictures as PNG files.
 *
 * docs/frame.md lists keys and answers. */
#ifndef TOOL_FRAME_ANSWER_H
#define TOOL_FRAME_ANSWER_H

#include "tool/frame/walk.h"

#include <cjson/cJSON.h>

enum { FRAME_SHADER_ID = 17 };

/* The longest key, with its NUL. Keys consist of [A-Za-z0-9_.,=-] and '/'. */
enum { FRAME_KEY = 128 };
bool frame_key_is_valid(const char *key);

/* The answer to one key. Runs the rest of the frame as far as the answer needs it, so a walk
 * answers one key: a server forks a walk that stands at the frame's start for each question.
 *
 * Pictures that the answer names as "images/HASH.png" and "images/HASH.f32" are written to `folder`
 * (folder/images exists). A file that is there already is not written again. folder NULL: answers
 * have no pictures.
 *
 * ST_OK: *out is the answer, which the caller frees with cJSON_Delete.
 * ST_NOTFOUND: nothing has this key: no such call, resource or shader in the frame.
 * ST_INVALID: the key is malformed or of an unknown kind.
 * ST_NOMEM, ST_IO (errno says why), or the failure of the replay. */
MUST_CHECK enum status frame_answer(struct frame_walk *walk, const char *folder, const char *key,
                                    cJSON **out);

/* The bare JSON of an answer, in ASCII: every other character and '<' is written as \uXXXX, so that
 * it may stand inside a script element. The caller frees it with cJSON_free; NULL: out of memory.
 */
char *frame_answer_text(const cJSON *answer);

/* As frame_answer without pictures, in a walk of its own. Returns an exit code, after a message if
 * there is no answer. */
int frame_ask(cJSON **out, const char *command, const char *file, uint64_t frame, const char *key);
/* The frame in which a call lies, by the names of calls. Returns an exit code after a message. */
int frame_of_call(uint64_t *out, const char *command, const char *file, uint64_t call);

/* Writes the answers of a whole frame to folder/data as scripts that call answer(key, value), and
 * the answer `frame` to folder/frame.json, too. The folder exists. Returns as frame_answer. */
MUST_CHECK enum status frame_answers_write(struct frame_walk *walk, const char *folder);

/* The same beside another visitor of the walk: begin, run the walk with `visitor`, end. call: the
 * one call whose events and meshes are written; UINT64_MAX: all. `end` frees what `begin` made;
 * call it always. */
struct frame_collector;
struct frame_writer {
    const struct frame_visitor *visitor;
    const char *folder;
    struct frame_collector *collector;
    enum status status;
    int error; /* errno, if a file could not be written */
};
MUST_CHECK enum status frame_writer_begin(struct frame_writer *w, struct frame_walk *walk,
                                          const char *folder, uint64_t call);
/* While it runs: writes a picture of a surface to folder/images, with values from 0 to 1, also of
 * depth. Its name is a hash of the picture. changes: the surface is a target. */
enum { FRAME_PICTURE_NAME = 32 };
MUST_CHECK enum status frame_writer_picture(struct frame_writer *w,
                                            const struct draw_target *target, bool changes,
                                            char name[FRAME_PICTURE_NAME]);
MUST_CHECK enum status frame_writer_end(struct frame_writer *w);

/* Writes one answer, which it frees, to folder/data. ST_IO: errno says why. */
MUST_CHECK enum status frame_answer_write(const char *folder, const char *key, cJSON *answer);

/* Writes the answer `costs` to folder/data, too. Runs the rest of the frame. */
MUST_CHECK enum status frame_costs_write(struct frame_walk *walk, const char *folder);

/* The id of a shader in answers: 16 hexadecimal digits, equal for equal text. ST_NOMEM. */
MUST_CHECK enum status frame_shader_id(const struct vm_program *program, char id[FRAME_SHADER_ID]);

#endif
