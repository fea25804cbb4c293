/* Finds the name that a misspelt one probably means, for messages that ask "did you mean ...?". */
#ifndef UTIL_SUGGESTION_H
#define UTIL_SUGGESTION_H

struct suggestion {
    const char *typed, *best; /* best: the nearest name so far; NULL: none is near */
    unsigned distance;        /* of best, or the first distance that is too far */
};

/* Begins a search; all names must live as long as the suggestion is used. */
void suggestion_init(struct suggestion *s, const char *typed);
/* Considers a name. Upper and lower case are the same, and so are - and _. */
void suggestion_offer(struct suggestion *s, const char *name);

/* The arguments of "%s%s%s", which prints "; did you mean NAME?" or nothing. */
#define SUGGESTION_FORMAT "%s%s%s"
#define SUGGESTION_ARGS(s)                                                                         \
    (s).best ? "; did you mean " : "", (s).best ? (s).best : "", (s).best ? "?" : ""

#endif
