/* Exact counts: the processor stops after every instruction (the trap flag of x86), and the handler
 * of SIGTRAP counts it. No performance counters are needed, and other processes do not matter.
 *
 * What the code calls, the sampler above all, is counted for the instruction that calls it. */
#include "tool/cost/tally.h"

#include "util/fpenv.h"

#include <string.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__))
#include <signal.h>
#include <ucontext.h>

#ifdef __x86_64__
enum { PROGRAM_COUNTER = REG_RIP, STACK_POINTER = REG_RSP };
#else
enum { PROGRAM_COUNTER = REG_EIP, STACK_POINTER = REG_ESP };
#endif
enum { FLAGS = REG_EFL, TRAP_FLAG = 0x100 };

/* A step takes about two microseconds. */
enum { MAX_STEPS = 4000000, MAX_CALLS = 64 };

static struct stepper {
    struct cost_tally *tally;
    struct cost_machine *machine;
    volatile sig_atomic_t stop;
    bool started, running;                /* running: inside vm_run */
    uintptr_t returns_to;                 /* where vm_run returns to */
    const struct cost_function *previous; /* that the last instruction was in; NULL: outside */
    uintptr_t last;                       /* its address */
    uint16_t calls[MAX_CALLS];            /* origins of the calls that are open */
    unsigned n_calls;
} stepper;

enum { RET = 0xc3 };

/* The code has called something: the call's return address is on the stack. */
static void note_call(struct stepper *s, uintptr_t stack)
{
    uintptr_t to = *(const uintptr_t *)stack;
    const struct cost_function *f = s->previous;
    size_t at = (size_t)(s->last - (uintptr_t)f->begin);

    if (s->n_calls < MAX_CALLS)
        s->calls[s->n_calls++] = ir_code_origin(f->code, at);
    if (to > (uintptr_t)f->begin && to < (uintptr_t)f->end)
        s->machine->is_return[f->first + (to - (uintptr_t)f->begin)] = 1;
}

static void count(struct stepper *s, uintptr_t pc, uintptr_t stack)
{
    const struct cost_function *f = cost_machine_find(s->machine, pc);
    struct cost_tally *t = s->tally;
    bool returned = s->previous && *(const uint8_t *)s->last == RET;

    if (s->previous && !f && !returned)
        note_call(s, stack);
    if (!s->previous && f && s->n_calls &&
        s->machine->is_return[f->first + (pc - (uintptr_t)f->begin)])
        s->n_calls--;
    if (f)
        t->at[f->first + (pc - (uintptr_t)f->begin)]++;
    else if (s->n_calls)
        t->origin[s->calls[s->n_calls - 1] < t->n_origins ? s->calls[s->n_calls - 1] : 0]++;
    else
        t->outside++;
    t->total++;
    s->previous = f;
    s->last = pc;
}

/* The first signal comes from raise; each further one after an instruction. */
static void on_trap(int number, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[PROGRAM_COUNTER];
    uintptr_t stack = (uintptr_t)c->uc_mcontext.gregs[STACK_POINTER];
    struct stepper *s = &stepper;

    (void)number, (void)info;
    if (s->stop || s->tally->total > MAX_STEPS) {
        c->uc_mcontext.gregs[FLAGS] &= ~(greg_t)TRAP_FLAG;
        return;
    }
    c->uc_mcontext.gregs[FLAGS] |= TRAP_FLAG;
    s->started = true;
    if (!s->running && pc == (uintptr_t)vm_run) {
        s->running = true;
        s->returns_to = *(const uintptr_t *)stack;
        s->previous = NULL;
        s->n_calls = 0;
    } else if (s->running && pc == s->returns_to) {
        s->running = false;
    }
    if (s->running)
        count(s, pc, stack);
}

bool cost_can_step(void)
{
    return true;
}

bool cost_step(struct cost_tally *out, struct cost_machine *m, struct cost_job *job)
{
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO}, old;
    struct fp_mode mode;

    if (!m->n_functions || sigaction(SIGTRAP, &action, &old))
        return false;
    stepper = (struct stepper){.tally = out, .machine = m};
    mode = fp_enter();
    if (!raise(SIGTRAP))
        cost_job_run(job);
    stepper.stop = 1;
    __asm__ volatile("nop\n\tnop" ::: "memory"); /* the last trap takes the flag back */
    fp_leave(mode);
    sigaction(SIGTRAP, &old, NULL);
    return out->total && out->total <= MAX_STEPS;
}

#else

bool cost_can_step(void)
{
    return false;
}

bool cost_step(struct cost_tally *out, struct cost_machine *m, struct cost_job *job)
{
    (void)out, (void)m, (void)job;
    return false;
}

#endif
