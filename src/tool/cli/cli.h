/* Command line of `novem`: the form of a subcommand, its options, its error messages, and files. */
#ifndef TOOL_CLI_CLI_H
#define TOOL_CLI_CLI_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes of every subcommand. */
enum { TOOL_OK = 0, TOOL_DIFFERS = 1, TOOL_ERROR = 2 };

struct tool_command {
    const char *name, *summary;        /* summary: one line of `novem --help` */
    int (*run)(int argc, char **argv); /* argv[0]: "replay", "golden run"; returns an exit code */
};

/* --- Options: one table per command defines parser and help ----------------------------------- */

enum tool_option_kind { OPT_FLAG, OPT_TEXT, OPT_UINT, OPT_REAL, OPT_LIST };

/* Values of an option that may be repeated. */
enum { TOOL_LIST_MAX = 256 };
struct tool_list {
    const char *text[TOOL_LIST_MAX];
    unsigned n;
};

struct tool_option {
    const char *name;  /* "--frames" or "-o" */
    const char *value; /* name of its value in --help; NULL: a flag */
    const char *help;
    enum tool_option_kind kind;
    void *out; /* bool, const char *, unsigned, double or struct tool_list, by kind */
};

struct tool_usage {
    const char *line; /* "replay FILE [options]" */
    const char *text; /* a paragraph for --help */
    const struct tool_option *options;
    size_t option_count;
    unsigned files_min, files_max;
};

/* Parses the command line into the options' targets and files[] (files_max entries, NULL if
 * absent). Returns a negative number to continue, else the exit code after help or a one-line
 * error. */
int tool_parse(const struct tool_usage *usage, int argc, char **argv, const char **files);

/* For programs other than `novem`, which share its parser: messages begin with `name` alone, usage
 * lines are those of the program, and --version prints its version. */
void tool_set_program(const char *name);

/* --- Commands with subcommands, and a walk over the tables of all commands -------------------- */

struct tool_commands {
    const struct tool_command *list;
    size_t count;
};

/* Runs the subcommand that argv[1] names; "--help" lists them. `parent` is "golden". */
int tool_run_subcommand(const char *parent, const struct tool_commands *commands, int argc,
                        char **argv);
/* Prints an error for a word that names no command, with the name that is most like it. */
int tool_unknown_command(const struct tool_commands *commands, const char *parent,
                         const char *word);

/* Called with a command's words ("golden run"), its summary and its table. A command that has
 * subcommands comes before them and has no table (NULL). */
typedef void tool_visitor(void *context, const char *words, const char *summary,
                          const struct tool_usage *usage);
/* Calls `visit` for each command and subcommand. Tables live in the functions of the commands,
 * which run up to tool_parse. */
void tool_each_command(const struct tool_commands *commands, tool_visitor *visit, void *context);

/* Prints "novem <command>: <message>" on stderr, or "<program>: <message>" for other programs;
 * returns TOOL_ERROR. */
int tool_error(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- Settings ---------------------------------------------------------------------------------
 *
 * Return false after an error message. They read the settings: a command that changes variables of
 * the environment does so before. */

/* Whether no setting changes pictures: those of this process, and, through the environment and
 * novem.conf, those of programs that it starts. */
bool tool_pictures_are_reference(const char *command);
/* Whether no setting changes the size or the samples of targets. */
bool tool_targets_are_as_asked(const char *command);

/* --- Programs of a candidate ------------------------------------------------------------------ */

/* If the text begins with the placeholder of a program that belongs to `novem` ("{retrace}"),
 * returns the placeholder's length, and the program's path; "" if it is not there. Else 0. */
size_t tool_program_find(const char *text, char *path, size_t size);
/* Returns false after an error message if a command names a program that is not there. */
bool tool_programs_exist(const char *command, const char *text);

/* Finds the d3d9.dll for programs of 32 or 64 bits that belongs to `novem`, built or installed. */
bool tool_dll_find(unsigned bits, char *path, size_t size);

/* --- Files ------------------------------------------------------------------------------------ */

/* Reads a whole file ("-": standard input) and appends a 0; the caller frees it. */
MUST_CHECK enum status tool_file_read(const char *path, uint8_t **out, size_t *n);
/* Writes a whole file ("-": standard output). A file that cannot be written in full is removed;
 * errno says why. */
MUST_CHECK enum status tool_file_write(const char *path, const void *bytes, size_t n);
/* Why tool_file_read or another reader has failed with st: of ST_IO what the system says of the
 * file. */
const char *tool_file_reason(const char *path, enum status st);
/* Prints "novem <command>: <path> cannot be written", with the reason in errno; returns TOOL_ERROR.
 */
int tool_write_error(const char *command, const char *path);
/* Whether two paths name one file: a command must not overwrite its input. */
bool tool_file_is_same(const char *a, const char *b);
/* Closes an output file. False if any of its bytes could not be written: errno says why, and the
 * file is removed unless path is NULL. */
MUST_CHECK bool tool_file_close(FILE *file, const char *path);

#endif
