/* Text of any bytes and pictures inside JSON, XML and scripts. */
#ifndef TOOL_GOLDEN_TEXT_H
#define TOOL_GOLDEN_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The code of the character at text and how many bytes it has; 0xfffd and 1 where it is no UTF-8.
 */
uint32_t golden_character(const char *text, unsigned *bytes);
/* As a string of JSON with its quotes, safe inside <script>. */
void golden_put_json(FILE *file, const char *text);
/* As text or attribute of XML 1.0; characters that it does not allow are left out. */
void golden_put_xml(FILE *file, const char *text);
/* "data:image/png;base64,…" with its quotes. */
void golden_put_png(FILE *file, const uint8_t *bytes, size_t n);

#endif
