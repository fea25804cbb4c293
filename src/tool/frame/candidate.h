/* Pictures of another Direct3D 9 implementation, the candidate, draw by draw. */
#ifndef TOOL_FRAME_CANDIDATE_H
#define TOOL_FRAME_CANDIDATE_H

#include "util/status.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

enum { CANDIDATE_TEXT = 256 };

/* What a candidate's command is called with. */
struct candidate_values {
    const char *capture, *out;
    uint64_t call, last; /* {call}; {calls} is "call-last" */
};

/* The command with {capture}, {call}, {calls}, {out} and programs such as {retrace} replaced, each
 * quoted for the shell; the caller frees it with free. NULL: out of memory. */
char *frame_candidate_command(const char *candidate, const struct candidate_values *values);
/* Whether a command can be called for draws: it has {capture}, {out}, and {call} or {calls}. */
bool frame_candidate_is_command(const char *candidate);

/* The answer "candidate" of a frame: replays the capture for Novem's pictures of render target 0
 * after each draw and clear of the frame, and runs the candidate for its own: once if its command
 * has {calls}, which writes call-00070.png and so on to the folder {out}; else once for each
 * {call}.
 *
 * {"command", "first": CALL of the first difference or null, "missing": n,
 *  "events": [{"call", "pixels", "max", "reference": PICTURE, "picture": PICTURE or null}]}
 *
 * Pictures go to folder/images. candidate NULL: the answer is {}. On failure `error` says why in
 * one line. */
MUST_CHECK enum status frame_candidate_answer(cJSON **out, const char *candidate, const char *file,
                                              uint64_t frame, const char *folder,
                                              char error[CANDIDATE_TEXT]);

#endif
