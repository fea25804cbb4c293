/* Secrets that other sites' pages cannot guess. Private to the folder. */
#ifndef CONTROL_SECRET_H
#define CONTROL_SECRET_H

#include <stdbool.h>

enum { SECRET_BYTES = 33 };

/* Writes 128 random bits of the system as hexadecimal text. False: it gives none. */
bool secret_make(char out[SECRET_BYTES]);
/* Whether the texts are equal. The time tells nothing of the place of the first difference. */
bool secret_is(const char secret[SECRET_BYTES], const char *text);

#endif
