/* Words and blocks of HLSL text without comments. Private to the module. */
#ifndef TOOL_HLSL_TEXT_H
#define TOOL_HLSL_TEXT_H

#include <stdbool.h>

bool text_is_word(char c);
/* Whether a word stands at the place, in any case. */
bool text_has_word(const char *at, const char *word);
/* The next place of a word in a text, as a whole and in any case; NULL: none. */
const char *text_find_word(const char *text, const char *at, const char *word);
const char *text_skip_space(const char *at);
/* The brace that closes the one at the place; NULL: none does. */
char *text_end_of_block(char *open);
/* Writes blanks over a range and keeps its lines. */
void text_blank(char *begin, const char *end);

#endif
