/* Samples: a timer interrupts the shader at equal intervals, and the handler of SIGALRM notes where
 * the processor is. An instruction that waits for a result is charged with the wait.
 *
 * Where the processor is outside of the machine code, in the sampler for example, the stack has the
 * address that the code's call returns to.
 *
 * Tested by tests/unit/tool/cost/test_step.c. */
#include "tool/cost/tally.h"

#include "util/fpenv.h"

#include <string.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__))
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#ifdef __x86_64__
enum { PROGRAM_COUNTER = REG_RIP, STACK_POINTER = REG_RSP };
#else
enum { PROGRAM_COUNTER = REG_EIP, STACK_POINTER = REG_ESP };
#endif

enum { INTERVAL = 50 }; /* microseconds */

static struct sampler {
    struct cost_tally *tally;
    const struct cost_machine *machine;
    uintptr_t stack_end; /* the frame of cost_sample */
    volatile sig_atomic_t on;
} sampler;

static bool is_return(const struct cost_machine *m, uintptr_t address, uint16_t *origin)
{
    const struct cost_function *f = cost_machine_find(m, address);
    size_t at = f ? address - (uintptr_t)f->begin : 0;

    if (!f || !m->is_return[f->first + at])
        return false;
    *origin = ir_code_origin(f->code, at - 1);
    return true;
}

/* The stack has words of other functions, whose red zones AddressSanitizer guards. */
__attribute__((no_sanitize("address"))) static bool find_call(const struct sampler *s,
                                                              uintptr_t stack, uint16_t *origin)
{
    for (const uintptr_t *word = (const uintptr_t *)stack; (uintptr_t)word < s->stack_end; word++)
        if (is_return(s->machine, *word, origin))
            return true;
    return false;
}

static void on_alarm(int number, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;
    uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[PROGRAM_COUNTER];
    uintptr_t stack = (uintptr_t)c->uc_mcontext.gregs[STACK_POINTER];
    const struct cost_function *f = cost_machine_find(sampler.machine, pc);
    struct cost_tally *t = sampler.tally;
    uint16_t origin;

    (void)number, (void)info;
    if (!sampler.on)
        return;
    t->total++;
    if (f)
        t->at[f->first + (pc - (uintptr_t)f->begin)]++;
    else if (find_call(&sampler, stack & ~(sizeof(uintptr_t) - 1), &origin))
        t->origin[origin < t->n_origins ? origin : 0]++;
    else
        t->outside++;
}

static void run(struct cost_job *job, double seconds)
{
    double end = measure_now() + seconds;
    uint32_t n = 0;

    /* The clock is read rarely enough to be no part of the samples. */
    for (; measure_now() < end; n = n < 64 ? n + 1 : n) {
        sampler.on = 1;
        for (uint32_t i = 0; i <= n; i++)
            cost_job_run(job);
        sampler.on = 0;
    }
}

bool cost_sample(struct cost_tally *out, const struct cost_machine *m, struct cost_job *job,
                 double seconds)
{
    struct sigaction action = {.sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | SA_RESTART}, old;
    struct itimerval timer = {{0, INTERVAL}, {0, INTERVAL}}, none = {{0, 0}, {0, 0}};
    struct fp_mode mode;

    if (!m->n_functions || sigaction(SIGALRM, &action, &old))
        return false;
    sampler = (struct sampler){
        .tally = out, .machine = m, .stack_end = (uintptr_t)__builtin_frame_address(0)};
    mode = fp_enter();
    if (!setitimer(ITIMER_REAL, &timer, NULL))
        run(job, seconds);
    setitimer(ITIMER_REAL, &none, NULL);
    fp_leave(mode);
    sigaction(SIGALRM, &old, NULL);
    return out->total != 0;
}

#else

bool cost_sample(struct cost_tally *out, const struct cost_machine *m, struct cost_job *job,
                 double seconds)
{
    (void)out, (void)m, (void)job, (void)seconds;
    return false;
}

#endif
