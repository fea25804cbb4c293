/* The processors that a thread may use, by turns. */
#ifndef TOOL_MEASURE_PROCESSORS_H
#define TOOL_MEASURE_PROCESSORS_H

/* Of one measurement, at most: a processor that has been idle needs time to speed up. */
enum { PROCESSORS_MAX = 4 };

struct processors {
    unsigned id[PROCESSORS_MAX];
    unsigned n; /* 0: there is no choice, or the system gives none */
    void *before;
};

/* Of many processors, each call takes others. processors_close gives the thread back what it may
 * use. */
void processors_open(struct processors *p);
void processors_close(struct processors *p);
/* Moves the calling thread to one of them. */
void processors_use(struct processors *p, unsigned turn);

#endif
