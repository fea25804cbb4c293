/* Status codes of all fallible functions below the API. */
#ifndef UTIL_STATUS_H
#define UTIL_STATUS_H

#if defined(__GNUC__)
#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MUST_CHECK
#define PRINTF_LIKE(fmt, args)
#endif

/* X(name, text); api/com/hresult.c maps each to the HRESULT that the application gets. */
#define STATUS_LIST(X)                                                                             \
    X(OK, "ok")                                                                                    \
    X(NOMEM, "out of memory")                                                                      \
    X(INVALID, "invalid argument")                                                                 \
    X(UNSUPPORTED, "not supported")                                                                \
    X(LOST, "device lost")                                                                         \
    X(BUSY, "still in use")                                                                        \
    X(NOTFOUND, "not found")                                                                       \
    X(IO, "input/output error")                                                                    \
    X(DAMAGED, "damaged data")

enum status {
#define X(id, text) ST_##id,
    STATUS_LIST(X)
#undef X
};

/* Returns a static English text. */
const char *status_text(enum status st);

#endif
