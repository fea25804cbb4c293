/* Results of the benchmark: figures, where they come from, and their forms of output. */
#ifndef TOOL_BENCH_RESULTS_H
#define TOOL_BENCH_RESULTS_H

#include "tool/bench/subject.h"
#include "tool/measure/passes.h"
#include "util/cpu.h"

#include <stdio.h>

struct bench_figure {
    enum bench_group group;
    char name[BENCH_NAME];
    char profile[JOB_PROFILE]; /* of shaders; else "" */
    enum cpu_isa isa;
    bool interpreted;    /* by the interpreter of the IR; else machine code */
    unsigned threads;    /* that run at once, with lanes of their own */
    double ns;           /* of a lane, over all threads: the least; 0: too short to be measured */
    double spread;       /* the median of the passes over the least, minus 1 */
    bool calm;           /* two passes or more had a core alone; of several threads: not known */
    double extra;        /* of flow control: time over that of straight code, minus 1 */
    double instructions; /* that a lane executes in that time */
    double operations;   /* lane operations in that time; 0: not counted */
    uint64_t text;       /* hash of what was measured */
    /* While it is measured. */
    unsigned subject;
    bool absent; /* compiled, and the program has no machine code */
    struct measure_passes passes, beside;
};

enum { BENCH_TEXT = 128 };

struct bench_results {
    /* The host line. */
    char novem[BENCH_TEXT], numerics[BENCH_TEXT], build[BENCH_TEXT], processor[BENCH_TEXT];
    unsigned processors; /* that the process may use */
    unsigned passes;     /* of each figure, at least */
    double seconds;      /* of the whole run */
    double lost;         /* share of the time in which the processor worked for others */
    double hertz;        /* the highest clock, at which the times of one thread are; 0: not known */
    struct bench_figure *figure;
    unsigned n, max;
};

/* Sets the host line. */
void bench_results_init(struct bench_results *results);
void bench_results_fini(struct bench_results *results);
/* A new figure of zeros; NULL: out of memory. */
struct bench_figure *bench_results_add(struct bench_results *results);
/* The figure of the same subject, instruction set, mode and thread count; NULL: there is none. */
const struct bench_figure *bench_results_find(const struct bench_results *results,
                                              const struct bench_figure *figure);
/* ns of a lane operation of the ceiling for an instruction set; 0: not measured. */
double bench_results_ceiling(const struct bench_results *results, enum cpu_isa isa);
/* Lane operations of the figure in percent of the ceiling; 0: unknown. */
double bench_share(const struct bench_results *results, const struct bench_figure *figure);
/* The median of the figures' spreads. */
double bench_results_spread(const struct bench_results *results);
/* The part of the figures of one thread that are not calm. */
double bench_results_shared(const struct bench_results *results);
/* A machine is calm if less than BENCH_SHARED of the figures of one thread are not, and the spread
 * is below BENCH_SPREAD. If there are figures of several threads, others must take less than
 * BENCH_LOST of its time, too. */
#define BENCH_SHARED 0.05
#define BENCH_LOST 0.05
#define BENCH_SPREAD 0.03
bool bench_is_calm(const struct bench_results *results);

/* Columns of tables and series of plots: instruction set and mode, of one thread or more. */
struct bench_column {
    enum cpu_isa isa;
    bool interpreted;
    unsigned threads;
};
enum { BENCH_COLUMNS = 64 };
/* Those of figures with one thread, or with more: compiled ones first. Returns their number. */
unsigned bench_columns(const struct bench_results *results, bool one_thread,
                       struct bench_column column[BENCH_COLUMNS]);
/* The group's figure of a name in a column; NULL: there is none. */
const struct bench_figure *bench_cell(const struct bench_results *results, enum bench_group group,
                                      const char *name, const struct bench_column *column);
const char *bench_mode(bool interpreted); /* "interpreted", "compiled" */

/* --- Output ----------------------------------------------------------------------------------- */

void bench_print_table(const struct bench_results *results, FILE *out);
/* One line for each figure, after a line of names. */
void bench_print_csv(const struct bench_results *results, FILE *out);
/* The form of docs/bench.md, a figure a line. False: out of memory. */
bool bench_print_json(const struct bench_results *results, FILE *out);
/* A plot of the shaders with one thread. False: there are none. */
bool bench_print_svg(const struct bench_results *results, FILE *out);

/* Reads what bench_print_json has written. Returns TOOL_OK, or TOOL_ERROR after a message. The
 * caller calls bench_results_fini in either case. */
int bench_read_json(struct bench_results *results, const char *command, const char *path);

#endif
