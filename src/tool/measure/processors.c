/* The processors that a thread may use, by turns.
 *
 * Tested by tests/unit/tool/measure/test_processors.c. */
#include "tool/measure/processors.h"

#ifdef __linux__

#include "util/alloc.h"

#include <sched.h>

/* Every k-th of the set's processors, from `from` on. */
static void choose(struct processors *p, const cpu_set_t *set, unsigned from)
{
    unsigned n = (unsigned)CPU_COUNT(set), kept = n < PROCESSORS_MAX ? n : PROCESSORS_MAX;
    unsigned at = 0;

    for (unsigned id = 0; id < CPU_SETSIZE && p->n < kept; id++)
        if (CPU_ISSET(id, set)) {
            unsigned step = n / kept;

            if (at++ % step == from % step)
                p->id[p->n++] = id;
        }
}

void processors_open(struct processors *p)
{
    static unsigned from;
    cpu_set_t *before = mem_calloc(1, sizeof(*before));

    *p = (struct processors){.before = before};
    if (!before || sched_getaffinity(0, sizeof(*before), before) || CPU_COUNT(before) < 2 ||
        sched_setaffinity(0, sizeof(*before), before))
        return;
    choose(p, before, from++);
}

void processors_close(struct processors *p)
{
    if (p->n)
        (void)sched_setaffinity(0, sizeof(cpu_set_t), p->before);
    mem_free(p->before);
    *p = (struct processors){0};
}

void processors_use(struct processors *p, unsigned turn)
{
    cpu_set_t one;

    if (!p->n)
        return;
    CPU_ZERO(&one);
    CPU_SET(p->id[turn % p->n], &one);
    (void)sched_setaffinity(0, sizeof(one), &one); /* it may have gone: the thread stays */
}

#else

void processors_open(struct processors *p)
{
    *p = (struct processors){0};
}

void processors_close(struct processors *p)
{
    (void)p;
}

void processors_use(struct processors *p, unsigned turn)
{
    (void)p, (void)turn;
}

#endif
