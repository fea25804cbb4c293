/* Escaped output of arbitrary bytes and of pictures to JSON, XML and scripts. */
#ifndef TOOL_GOLDEN_TEXT_H
#define TOOL_GOLDEN_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a JSON string with quotes that is also safe inside <script>. */
void golden_put_json(FILE *file, const char *text);
/* Writes XML 1.0 text or attribute content; drops characters that XML does not allow. */
void golden_put_xml(FILE *file, const char *text);
/* Writes "data:image/png;base64,…" with quotes. */
void golden_put_png(FILE *file, const uint8_t *bytes, size_t n);

#endif
