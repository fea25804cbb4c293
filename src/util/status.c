/* Texts of status codes. */
#include "util/status.h"

const char *status_text(enum status st)
{
    static const char *const text[] = {
#define X(id, words) [ST_##id] = words,
        STATUS_LIST(X)
#undef X
    };

    return text[st];
}
