/* The page of a captured frame: one HTML file with its styles and scripts. Its data are separate;
 * the page asks for the answer of a key when it shows it (docs/inspect.md).
 *
 *   from disk   the key K is the file data/K.js beside the page, with the text answer("K", {...});
 *               A page from disk may not read the pixels of image files. For a picture with the
 * file images/HASH.png it loads the key HASH: {"png": base64, "f32": base64 or absent}. Without
 *               that file it shows images/HASH.png, but has no values, channels or differences of
 * it. served      GET data/K and GET images/NAME, relative to the page's address. The query of the
 * page's address (?frame=N) is added to each request; the page opens ?frame=N for another frame.
 *
 * A key without an answer is a missing file, or the status 404. The answer null means the same. */
#ifndef TOOL_PAGE_FRAME_PAGE_H
#define TOOL_PAGE_FRAME_PAGE_H

#include "util/status.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes the page. live: a server answers, so the page offers pixel histories, overlays and other
 * frames. title: name of the capture, any bytes. */
void frame_page_write(FILE *file, bool live, const char *title);

/* Writes the page of a folder that has the answers: folder/index.html, and folder/data/NAME.js with
 * the pixels of each picture folder/images/NAME.png that does not have that file yet; folder/data
 * exists. ST_OK, ST_NOMEM or ST_IO; path then names the file, and errno says why. */
enum { FRAME_PAGE_PATH = 4096 };
MUST_CHECK enum status frame_page_write_folder(const char *folder, const char *title,
                                               char path[FRAME_PAGE_PATH]);

#endif
