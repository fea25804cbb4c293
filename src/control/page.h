/* The panel's page: one file of HTML, embedded in the library. Private to the folder. */
#ifndef CONTROL_PAGE_H
#define CONTROL_PAGE_H

#include "control/body.h"

/* Puts the page, whose scripts and styles have the nonce. Neither text needs escapes. */
void page_put(struct control_body *out, const char *nonce, const char *token);

#endif
