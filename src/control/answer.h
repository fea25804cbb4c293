/* The answer to one request: checks who asks, and asks the program. Private to the folder. */
#ifndef CONTROL_ANSWER_H
#define CONTROL_ANSWER_H

#include "control/control.h"
#include "control/request.h"
#include "control/secret.h"

/* What requests must agree with. */
struct answer_place {
    unsigned port;
    char token[SECRET_BYTES];
    struct control_handler handler;
};

/* Puts the whole answer: status line, headers and body. Complete requests: head and body are the
 * bytes. */
void answer_request(const struct answer_place *place, const char *head, size_t head_length,
                    const char *body, struct control_body *out);
/* Puts the answer to a request that is refused before it is complete. */
void answer_refusal(enum control_status status, struct control_body *out);

#endif
