/* This process, and commands in processes of their own: a line for the system's shell, /bin/sh or
 * cmd.exe. */
#ifndef UTIL_PROCESS_H
#define UTIL_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* The number of this process. */
unsigned long process_id(void);

/* A running command and the processes that it has started. */
struct process {
    intptr_t id; /* process group, or handle */
    void *group; /* job object of Windows */
};

enum process_end { PROCESS_RUNS, PROCESS_CODE, PROCESS_SIGNAL };

/* Starts a command with an empty input; its output and messages go to the file `log`. */
bool process_start(struct process *out, const char *line, const char *log);
/* Asks without waiting. After the end, *code is the exit code, or the number of the signal that
 * ended the command, and the process is gone. */
enum process_end process_poll(struct process *process, int *code);
/* Ends the command and what it has started, if it runs. */
void process_kill(struct process *process);

/* Runs a command with this process's streams. Returns its exit code; -1: it crashed or could not be
 * started. */
int process_run(const char *line);

/* Returns the text as one word for the shell; NULL: out of memory, or no such word exists. Free it
 * with mem_free. */
char *process_quote(const char *text);

/* Between these two calls, signals that would end this process (Ctrl-C) are only noted.
 * process_release_signals raises the noted one again. */
void process_catch_signals(void);
void process_release_signals(void);
bool process_is_stopped(void);

#endif
