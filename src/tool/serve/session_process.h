/* Messages between the server and the processes of sessions, and the main loop of such a process.
 */
#ifndef TOOL_SERVE_SESSION_PROCESS_H
#define TOOL_SERVE_SESSION_PROCESS_H

#include "tool/serve/sessions.h"

#include <stdbool.h>
#include <sys/types.h>

/* A request to a session, sent with a descriptor: for an answer the pipe that it is written to, for
 * a session its control socket. */
enum session_kind { SESSION_ANSWER, SESSION_FORK };
struct session_message {
    uint32_t kind;
    uint64_t frame; /* of SESSION_FORK */
    char question[SESSION_QUESTION];
};

/* What a process says: the head, then n bytes, which are the answer or the text of an error. */
struct session_head {
    uint32_t status;
    pid_t pid;
    uint64_t n, hash; /* of the bytes */
};

/* Runs a session in a process that was just forked, until the server closes `control`; never
 * returns. Goes to the frame, says how that went, and waits for requests. */
_Noreturn void session_run(const struct session_work *work, const struct session_limits *limits,
                           uint64_t frame, int control);

/* Writes a head and its bytes. */
bool session_say(int fd, enum status status, const char *bytes, size_t n);
/* Reads what a process says. False: it ended before it had said all, or said more than `most`
 * bytes. */
bool session_hear(int fd, struct session_head *head, char **bytes, size_t most);

#endif
