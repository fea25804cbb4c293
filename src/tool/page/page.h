/* What the HTML pages of novem share: the form of the file, styles, and scripts.
 *
 * A page is one file without links to others: styles and scripts are embedded. Its parts are files
 * of this folder and of golden/page, embedded as bytes. */
#ifndef TOOL_PAGE_PAGE_H
#define TOOL_PAGE_PAGE_H

#include "util/embed.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Embeds the file src/tool/PATH as bytes name[] up to name_end. The Makefile lists these files as
 * dependencies. */
#define PAGE_PART(name, path) EMBED(name, "src/tool/" path)

#define PAGE_PUT(file, name) fwrite(name, 1, (size_t)(name##_end - name), file)

/* Writes the page up to its own styles: the style element is open. The title is escaped. */
void page_put_start(FILE *file, const char *title);

/* Writes the shared scripts (dom.js, png.js, viewer.js): the script element is open before and
 * after. */
void page_put_scripts(FILE *file);

/* Writes bytes in base64. */
void page_put_base64(FILE *file, const uint8_t *bytes, size_t n);

#endif
