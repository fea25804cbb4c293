/* Exhaustive accuracy test: every one-argument function of util/simd/math.h over all 2^32 arguments
 * on every instruction set, against libm in double precision; pow over random pairs. Exceeding a
 * bound of docs/reference.md (numbers/accuracy) is a failure. */
#include "tool/cli/cli.h"
#include "util/cpu.h"
#include "util/fpenv.h"
#include "util/simd/math_kern.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096, MAX_THREADS = 64 };

/* --- Claimed bounds --------------------------------------------------------------------------- */

static double reciprocal(double x)
{
    return 1.0 / x;
}
static double reciprocal_root(double x)
{
    return 1.0 / sqrt(fabs(x));
}
static double log2_of_magnitude(double x)
{
    return log2(fabs(x));
}

/* Error in units in the last place of the exact value. An unexpected NaN counts as infinite error.
 * A result below the normal range may be zero or the least normal number. */
static double ulps(float got, double exact)
{
    const uint64_t exponent = UINT64_C(0x7ff) << 52;
    uint64_t bits;
    double last_place;

    if (isnan(exact) || isnan(got))
        return isnan(exact) && isnan(got) ? 0 : INFINITY;
    if (fabs(exact) < FLT_MIN)
        return got == 0 || fabs(got) == FLT_MIN ? 0 : INFINITY;
    if (isinf(got) || isinf(exact))
        return fabs(exact) > FLT_MAX && got == (exact > 0 ? INFINITY : -INFINITY) ? 0 : INFINITY;
    memcpy(&bits, &exact, sizeof(bits));
    bits = (bits & exponent) - (UINT64_C(23) << 52);
    memcpy(&last_place, &bits, sizeof(bits));
    return fabs(got - exact) / last_place;
}
static double absolute(float got, double exact)
{
    return isnan(got) ? INFINITY : fabs(got - exact);
}
static double beyond_one(float got, double exact)
{
    return isnan(exact) ? ulps(got, exact) : isnan(got) ? INFINITY : fabs(got);
}

/* Valid for arguments with low < |x| <= high. */
static const struct claim {
    const char *name, *unit;
    enum math_function function;
    double (*exact)(double x);
    double (*error)(float got, double exact);
    double low, high, bound;
} claims[] = {
    {"rcp", "ulp", MATH_RCP, reciprocal, ulps, -1, INFINITY, 0.5},
    {"rsq", "ulp", MATH_RSQ, reciprocal_root, ulps, -1, INFINITY, 0.86},
    {"exp2", "ulp", MATH_EXP2, exp2, ulps, -1, INFINITY, 0.9},
    {"log2", "ulp", MATH_LOG2, log2_of_magnitude, ulps, -1, INFINITY, 1.0},
    {"sin, |x| <= pi/4", "ulp", MATH_SIN, sin, ulps, -1, 0x1.921fb4p-1, 1.0},
    {"cos, |x| <= pi/4", "ulp", MATH_COS, cos, ulps, -1, 0x1.921fb4p-1, 1.0},
    {"sin, |x| <= pi", "absolute", MATH_SIN, sin, absolute, 0x1.921fb4p-1, 0x1.921fb6p1, 0x1p-23},
    {"cos, |x| <= pi", "absolute", MATH_COS, cos, absolute, 0x1.921fb4p-1, 0x1.921fb6p1, 0x1p-23},
    {"sin, |x| <= 1e5", "absolute", MATH_SIN, sin, absolute, 0x1.921fb6p1, 1e5, 0x1p-23},
    {"cos, |x| <= 1e5", "absolute", MATH_COS, cos, absolute, 0x1.921fb6p1, 1e5, 0x1p-23},
    {"sin beyond", "magnitude", MATH_SIN, NULL, beyond_one, 1e5, INFINITY, 1.0},
    {"cos beyond", "magnitude", MATH_COS, NULL, beyond_one, 1e5, INFINITY, 1.0},
};
enum { N_CLAIMS = sizeof(claims) / sizeof(claims[0]) };

struct worst {
    double error;
    float at;
};

static struct worst worst[N_CLAIMS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool differs;

/* --- One block of arguments ------------------------------------------------------------------- */

static void check_claims(enum math_function function, const float *x, const float *got,
                         struct worst *found)
{
    for (unsigned c = 0; c < N_CLAIMS; c++) {
        const struct claim *claim = &claims[c];

        if (claim->function != function)
            continue;
        for (unsigned i = 0; i < BLOCK; i++) {
            /* NaN belongs to every range without an upper end. */
            bool inside = fabsf(x[i]) > claim->low && fabsf(x[i]) <= claim->high;
            double exact, error;

            if (!inside && !(isnan(x[i]) && isinf(claim->high)))
                continue;
            exact = claim->exact ? claim->exact(x[i]) : isfinite(x[i]) ? 0 : NAN;
            error = claim->error(got[i], exact);
            if (error > found[c].error)
                found[c] = (struct worst){error, x[i]};
        }
    }
}

static bool same(const float *a, const float *b, const float *x, const char *what)
{
    for (unsigned i = 0; i < BLOCK; i++) {
        if (!memcmp(&a[i], &b[i], 4) || (isnan(a[i]) && isnan(b[i])))
            continue;
        printf("%s of %a: %a, scalar %a\n", what, x[i], a[i], b[i]);
        return false;
    }
    return true;
}

static void check_block(const float *x, struct worst *found)
{
    static const char *const names[] = MATH_NAMES;
    float got[BLOCK], other[BLOCK], y[BLOCK] = {0};

    for (enum math_function f = 0; f < MATH_POW; f++) {
        KERN_FOR(math_kern, ISA_SCALAR)->fn[f](got, x, y, BLOCK);
        check_claims(f, x, got, found);
        for (enum cpu_isa isa = ISA_SCALAR + 1; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa(isa))
                continue;
            KERN_FOR(math_kern, isa)->fn[f](other, x, y, BLOCK);
            if (!same(other, got, x, names[f]))
                differs = true;
        }
    }
}

/* --- All blocks ------------------------------------------------------------------------------- */

static uint64_t every = 1;
static atomic_uint_least64_t next_block;

static void *work(void *unused)
{
    uint64_t n = (UINT64_C(1) << 32) / every, block;
    struct worst found[N_CLAIMS] = {{0, 0}};
    float x[BLOCK];

    (void)fp_enter();
    while ((block = atomic_fetch_add(&next_block, 1)) * BLOCK < n && !differs) {
        for (unsigned i = 0; i < BLOCK; i++) {
            uint32_t bits = (uint32_t)((block * BLOCK + i) * every);

            memcpy(&x[i], &bits, 4);
        }
        check_block(x, found);
    }
    pthread_mutex_lock(&lock);
    for (unsigned c = 0; c < N_CLAIMS; c++)
        if (found[c].error > worst[c].error)
            worst[c] = found[c];
    pthread_mutex_unlock(&lock);
    return unused;
}

/* pow is exp2(y * log2 |x|): its error grows with the product. Returned in units of that bound. */
static struct worst pow_error(void)
{
    struct worst found = {0, 0};
    uint64_t state = 1;
    float x[BLOCK], y[BLOCK], got[BLOCK];

    for (uint64_t n = 0; n < UINT64_C(4000000000) / every / 256; n += BLOCK) {
        for (unsigned i = 0; i < BLOCK; i++) {
            uint32_t bits;

            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bits = (uint32_t)(state >> 33); /* positive; includes NaN and infinity */
            memcpy(&x[i], &bits, 4);
            if (i & 1) /* most powers of arbitrary numbers are out of range */
                x[i] = 0.5f + (float)(state >> 40) * 0x1p-24f;
            y[i] = ((float)(state >> 20 & 0xffffff) * 0x1p-23f - 1.0f) * (i & 2 ? 8.0f : 128.0f);
        }
        KERN_PICK(math_kern)->fn[MATH_POW](got, x, y, BLOCK);
        for (unsigned i = 0; i < BLOCK; i++) {
            double t = (double)y[i] * log2(x[i]), exact = exp2(t), error;

            if (!(fabs(t) < 126) || !isfinite(x[i]))
                continue;
            error = isnan(got[i]) ? INFINITY
                                  : fabs(got[i] / exact - 1) / ((1 + 1.04 * fabs(t)) * 0x1p-23);
            if (error > found.error)
                found = (struct worst){error, x[i]};
        }
    }
    return found;
}

/* Returns an exit code, or a negative number to continue. */
static int parse(int argc, char **argv)
{
    unsigned n = 1;
    const struct tool_option options[] = {
        {"--every", "N", "each N-th argument only", OPT_UINT, &n},
    };
    const struct tool_usage usage = {
        .line = "[options]",
        .text = "Compares functions of one argument with libm for all arguments, in minutes.\n"
                "The exit code is 1 if an error exceeds its bound.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    int code;

    tool_set_program("functions");
    code = tool_parse(&usage, argc, argv, NULL);
    every = n;
    return code < 0 && !n ? tool_error("", "--every is at least 1") : code;
}

int main(int argc, char **argv)
{
    unsigned n_threads = cpu_count() < MAX_THREADS ? cpu_count() : MAX_THREADS;
    pthread_t thread[MAX_THREADS];
    struct worst power;
    bool failed;
    int code = parse(argc, argv);

    if (code >= 0)
        return code;
    for (unsigned i = 0; i < n_threads; i++)
        if (pthread_create(&thread[i], NULL, work, NULL))
            abort();
    for (unsigned i = 0; i < n_threads; i++)
        pthread_join(thread[i], NULL);
    (void)fp_enter();
    power = pow_error();
    failed = differs || power.error > 1;
    printf("%-18s %-10s %12s %12s  at\n", "function", "unit", "bound", "worst");
    for (unsigned c = 0; c < N_CLAIMS; c++) {
        failed |= worst[c].error > claims[c].bound;
        printf("%-18s %-10s %12.4g %12.4g  %a%s\n", claims[c].name, claims[c].unit, claims[c].bound,
               worst[c].error, worst[c].at, worst[c].error > claims[c].bound ? "  EXCEEDED" : "");
    }
    printf("%-18s %-10s %12s %12.4g  %a\n", "pow", "of bound", "1", power.error, power.at);
    return failed;
}
