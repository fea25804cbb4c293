/* The lottery: draws random pipeline states, a seed each, and prints a row of tab-separated columns
 * for each: name, status (ok or refused), least processor ms a frame over all threads, processor ms
 * of the first frame, hash of the targets, features, reason. A case is a seed, or NAME/plain and
 * NAME/with of the table of penalties.
 *
 * Tested by tests/tool/lottery.sh. */
#include "lottery.h"
#include "library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BACK_BUFFER = 64, MOST_SEEDS = 1000000 };

static const char usage[] =
    "usage: lottery [options] [CASE...]\n"
    "\n"
    "Draws random pipeline states with a Direct3D 9 library and prints a row for each. A CASE is "
    "a\n"
    "seed (17), a range of seeds (1-300), NAME/plain or NAME/with of the table of penalties, or "
    "-,\n"
    "which reads cases from the standard input, one a line. Default: 1-20.\n"
    "\n"
    "  --d3d9 FILE        the library; default: Novem's, on Windows the d3d9.dll that is found\n"
    "  --time MS          processor time of a round (default: 10); 0 draws and measures nothing\n"
    "  --rounds N         rounds of a case; the fastest counts (default: 4)\n"
    "  --pictures PREFIX  writes a picture of each case to PREFIX + case + .png\n"
    "  --penalties        all cases of the table of penalties\n"
    "  --describe         prints the state of each case in words and draws nothing\n"
    "  --help             prints this text\n";

struct options {
    const char *library, *pictures;
    double time;
    int rounds;
    bool penalties, describe;
};

/* --- Rows ------------------------------------------------------------------------------------- */

static void print_feature(void *context, const char *feature, const char *value)
{
    bool *first = context;

    printf("%s%s=%s", *first ? "" : ";", feature, value);
    *first = false;
}

static void print_words(void *context, const char *feature, const char *value)
{
    (void)context;
    printf("  %-22s %s\n", feature, value);
}

static void print_row(const char *name, const struct lottery_state *state, const char *status,
                      const char *figures, const char *reason)
{
    bool first = true;

    printf("%s\t%s\t%s\t", name, status, figures);
    lottery_features(state, print_feature, &first);
    printf("\t%s\n", reason);
    fflush(stdout);
}

/* --- Measurement ------------------------------------------------------------------------------ */

/* Processor ms of frames, all threads. */
static double draw_frames(struct lottery_scene *scene, int frames)
{
    double start = bench_processor_seconds();

    for (int i = 0; i < frames; i++)
        lottery_frame(scene);
    lottery_wait(scene);
    return 1e3 * (bench_processor_seconds() - start);
}

/* The least processor ms a frame of all rounds. The first round is the first that takes long
 * enough. */
static double measure(struct lottery_scene *scene, const struct options *o)
{
    double took, least;
    int frames = 2;

    while ((took = draw_frames(scene, frames)) < o->time && frames < 1 << 20) {
        double want = took > 0.0 ? 1.1 * o->time / took : 4.0;

        frames = (int)(frames * (want < 4.0 ? want : 4.0)) + 1;
    }
    least = took / frames;
    for (int i = 1; i < o->rounds; i++) {
        took = draw_frames(scene, frames) / frames;
        least = took < least ? took : least;
    }
    return least;
}

/* Four decimals; below 0: none. A device lowers the precision of x87, which printf of some C
 * libraries uses for floating-point numbers. */
static void figure(char *to, size_t size, double ms)
{
    unsigned long long parts = ms > 0.0 ? (unsigned long long)(ms * 1e4 + 0.5) : 0;

    if (ms < 0.0)
        snprintf(to, size, "-");
    else
        snprintf(to, size, "%llu.%04llu", parts / 10000, parts % 10000);
}

static void run_case(struct bench *bench, const char *name, const struct lottery_state *state,
                     const struct options *o)
{
    struct lottery_scene scene;
    char figures[96], ms[32], first_ms[32], path[1024];
    double first;
    uint64_t hash;

    bench_release(bench);
    if (!lottery_begin(&scene, bench, state)) {
        print_row(name, state, "refused", "-\t-\t-", bench->refusal);
        return;
    }
    first = draw_frames(&scene, 1);
    figure(ms, sizeof(ms), o->time > 0.0 ? measure(&scene, o) : -1.0);
    figure(first_ms, sizeof(first_ms), first);
    hash = lottery_hash(&scene);
    if (o->pictures) {
        snprintf(path, sizeof(path), "%s%s.png", o->pictures, name);
        for (char *c = path + strlen(o->pictures); *c; c++)
            *c = *c == '/' ? '-' : *c;
        lottery_picture(&scene, path);
    }
    snprintf(figures, sizeof(figures), "%s\t%s\t%016llx", ms, first_ms, (unsigned long long)hash);
    print_row(name, state, "ok", figures, "");
}

/* --- Cases ------------------------------------------------------------------------------------ */

static void one_case(struct bench *bench, const char *name, const struct lottery_state *state,
                     const struct options *o)
{
    if (!o->describe) {
        run_case(bench, name, state, o);
        return;
    }
    printf("%s\n", name);
    lottery_features(state, print_words, NULL);
}

static bool one_penalty(struct bench *bench, const char *wanted, const struct options *o)
{
    struct lottery_state state;
    const char *name, *what;
    char full[64];
    bool found = false;

    for (unsigned i = 0; lottery_penalty(i / 2, i % 2, &state, &name, &what); i++) {
        snprintf(full, sizeof(full), "%s/%s", name, i % 2 ? "with" : "plain");
        if (wanted && strcmp(wanted, full))
            continue;
        found = true;
        one_case(bench, full, &state, o);
    }
    return found;
}

/* A seed or a range. False: neither. */
static bool seeds(struct bench *bench, const char *text, const struct options *o)
{
    char *end;
    unsigned long first = strtoul(text, &end, 10), last = first;

    if (end == text || *text < '0' || *text > '9')
        return false;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        last = strtoul(end + 1, &end, 10);
    if (*end || last < first || last > MOST_SEEDS)
        return false;
    for (; first <= last; first++) {
        struct lottery_state state;
        char name[24];

        lottery_draw_state(&state, (uint32_t)first);
        snprintf(name, sizeof(name), "%lu", first);
        one_case(bench, name, &state, o);
    }
    return true;
}

static bool read_cases(struct bench *bench, const struct options *o);

static bool run_argument(struct bench *bench, const char *text, const struct options *o)
{
    if (!strcmp(text, "-"))
        return read_cases(bench, o);
    if (seeds(bench, text, o) || one_penalty(bench, text, o))
        return true;
    fprintf(stderr, "lottery: %s is no case\n", text);
    return false;
}

static bool read_cases(struct bench *bench, const struct options *o)
{
    char line[128];

    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!strcmp(line, "-") || !run_argument(bench, line, o))
            return false;
    }
    return true;
}

/* --- Arguments -------------------------------------------------------------------------------- */

static bool read_number(const char *text, double least, double most, double *to)
{
    char *end;

    errno = 0;
    *to = strtod(text, &end);
    return end != text && !*end && !errno && *to >= least && *to <= most;
}

/* The number of arguments of an option that was read, 0: it is unknown or lacks its value. */
static int read_option(struct options *o, const char *option, const char *value)
{
    double number;

    if (!strcmp(option, "--penalties"))
        return o->penalties = true, 1;
    if (!strcmp(option, "--describe"))
        return o->describe = true, 1;
    if (!value)
        return 0;
    if (!strcmp(option, "--d3d9"))
        return o->library = value, 2;
    if (!strcmp(option, "--pictures"))
        return o->pictures = value, 2;
    if (!strcmp(option, "--time") && read_number(value, 0.0, 1e6, &number))
        return o->time = number, 2;
    if (!strcmp(option, "--rounds") && read_number(value, 1.0, 1000.0, &number))
        return o->rounds = (int)number, 2;
    return 0;
}

int main(int argc, char **argv)
{
    struct options o = {.time = 10.0, .rounds = 4};
    struct bench bench = {0};
    bool good = true;
    int at = 1;

    while (at < argc && !strncmp(argv[at], "--", 2)) {
        int n;

        if (!strcmp(argv[at], "--help")) {
            fputs(usage, stdout);
            return 0;
        }
        n = read_option(&o, argv[at], at + 1 < argc ? argv[at + 1] : NULL);
        if (!n) {
            fprintf(stderr, "lottery: %s is no option or has no right value\n%s", argv[at], usage);
            return 2;
        }
        at += n;
    }
    if (!o.describe) {
        bench_draw_all_layers();
        if (!library_open("lottery", o.library))
            return 1;
        bench_open(&bench, BACK_BUFFER, BACK_BUFFER, D3DFMT_UNKNOWN);
        printf("# %s\n# case\tstatus\tms\tfirst ms\thash\tfeatures\treason\n",
               bench.adapter.Description);
    }
    if (o.penalties)
        one_penalty(&bench, NULL, &o);
    else if (at == argc)
        good = run_argument(&bench, "1-20", &o);
    for (; good && at < argc; at++)
        good = run_argument(&bench, argv[at], &o);
    if (!o.describe)
        bench_close(&bench);
    return good ? 0 : 2;
}
