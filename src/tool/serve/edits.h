/* Edits: changes of a draw that the page has asked for, kept as files that the processes of
 * sessions read. */
#ifndef TOOL_SERVE_EDITS_H
#define TOOL_SERVE_EDITS_H

#include "tool/edit/change.h"
#include "tool/serve/key.h"
#include "util/status.h"

#include <stdint.h>

/* What a request asks for:
 * {"call": N, "set": ["ZFUNC=ALWAYS"], "constants": ["ps:c0=1,0,0,1"], "pixel": TEXT, "vertex":
 * TEXT}; a shader that is null stands for the fixed function; all but "call" may be missing. */
struct serve_edit {
    uint64_t call;
    struct edit edit;
};

/* Reads a request. False: `error` says what is wrong with it, for a shader "pixel shader: 2:5: …".
 * The caller calls edit_fini in either case. */
bool serve_edit_parse(struct serve_edit *out, const char *json, size_t n, char error[EDIT_TEXT]);
/* The command line that makes the same capture, in quotes for a shell. It names shaders "pixel.asm"
 * and "vertex.asm", or .hlsl and .fx. The caller frees it with mem_free; NULL: out of memory. */
char *serve_edit_command(const char *json, size_t n, const char *file);

/* --- Files of a folder ------------------------------------------------------------------------ */

enum { SERVE_EDITS = 256 }; /* files that are kept: those stored last */

struct serve_edits;
/* Uses folder/edits, which it creates. */
MUST_CHECK enum status serve_edits_create(struct serve_edits **out, const char *folder);
void serve_edits_destroy(struct serve_edits *edits); /* NULL is allowed; the files stay */
/* Stores a request under the id of its contents. */
MUST_CHECK enum status serve_edits_store(struct serve_edits *edits, const char *json, size_t n,
                                         char id[SERVE_EDIT_ID]);
/* Reads a stored request, in any process; the caller frees it with mem_free. ST_NOTFOUND. */
MUST_CHECK enum status serve_edits_read(const char *folder, const char *id, char **json, size_t *n);

#endif
