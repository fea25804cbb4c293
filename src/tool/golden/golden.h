/* What the parts of `novem golden` share: cases, verdicts, results. docs/golden.md describes the
 * manifest and the words used here. */
#ifndef TOOL_GOLDEN_GOLDEN_H
#define TOOL_GOLDEN_GOLDEN_H

#include "tool/tool.h"
#include "util/arena.h"

#include <stdio.h>

/* --- Tolerances: tolerance.c ------------------------------------------------------------------ */

enum golden_measure {
    GOLDEN_EXACT,  /* "exact" */
    GOLDEN_MAX,    /* "max N": no channel further apart than N */
    GOLDEN_COUNT,  /* "N pixels above T" */
    GOLDEN_WINDOW, /* "K of WxH above T": in no window of that size are more than K above T */
    GOLDEN_FLIP,   /* "flip X": mean LDR-FLIP error at most X */
    GOLDEN_SSIM    /* "ssim X": mean structural similarity at least X */
};

struct golden_tolerance {
    enum golden_measure measure;
    unsigned above, count, width, height;
    double limit;
};

enum { GOLDEN_TOLERANCE_TEXT = 64 };

bool golden_tolerance_parse(const char *text, struct golden_tolerance *out);
void golden_tolerance_print(const struct golden_tolerance *tolerance,
                            char out[GOLDEN_TOLERANCE_TEXT]);

/* --- Cases: manifest.c, case.c ---------------------------------------------------------------- */

struct golden_rect {
    uint32_t x0, y0, x1, y1; /* pixels x0 … x1-1, y0 … y1-1 */
};

enum golden_kind { GOLDEN_SCENE, GOLDEN_CAPTURE, GOLDEN_IMAGE };

/* All pointers are into the manifest's memory. */
struct golden_case {
    const char *name;
    unsigned line;
    const char *broken; /* what is wrong with its lines, NULL where nothing is */
    enum golden_kind kind;
    const char *input; /* scene or capture */
    uint64_t frame;
    const char *candidate;      /* of GOLDEN_IMAGE: NULL where the candidate's folder has it */
    const char *const *goldens; /* that are there: any of them is right; a path or "hash:…" */
    unsigned n_goldens;
    const char *golden_path; /* where an accepted picture belongs; NULL: the manifest names none */
    bool requires_golden;    /* nothing is rendered in its place */
    const char *hash;        /* that a golden has to have, or NULL */
    struct golden_tolerance tolerance;
    bool ignore_alpha;
    const struct golden_rect *ignore;
    unsigned n_ignore;
    const char *mask; /* PNG: pixels that are not black may differ; NULL: none */
    bool generates_mask; /* the mask is made of the scene or capture, when it is needed */
    /* PNGs: the least and most that a pixel of the mask may have, or NULL. */
    const char *mask_low, *mask_high;
    const char *expect_fail; /* reason, or NULL */
    const char *reason;      /* for the tolerance, or NULL */
};

/* One side of the comparison: commands for /bin/sh with placeholders, or a folder of PNGs. */
struct golden_runner {
    const char *scene, *capture; /* NULL: Novem itself as the reference, nothing as the candidate */
    const char *folder;
    const char *backend; /* "vendor/driver" or "vendor"; NULL: has no key */
    unsigned timeout;    /* seconds a case */
    unsigned retries, batch;
};

struct golden_manifest {
    struct arena memory;
    const char *path, *folder; /* folder: of the manifest, "" or with a slash at its end */
    const char *store;         /* folder of goldens by hash, or NULL */
    struct golden_runner reference, candidate;
    struct golden_case *cases; /* in the order of names */
    size_t n_cases, room;
    size_t selected; /* cases of all shards */
};

/* What the command line says of the candidate; all may be NULL. */
struct golden_choice {
    const char *candidate; /* a folder, a command, or a name of the manifest */
    const char *backend;
};

/* False after a message: nothing can be run. Cases with broken lines are in the list, marked. */
bool golden_manifest_load(struct golden_manifest *out, const char *path,
                          const struct golden_choice *choice, const char *command);
void golden_manifest_free(struct golden_manifest *manifest);

/* Names of cases, with * and ? (for --filter); the part after the last / may also match alone. */
bool golden_matches(const char *pattern, const char *name);
/* Which of n shards has the case, from 0. */
unsigned golden_shard(const char *name, unsigned n);

/* --- Results ---------------------------------------------------------------------------------- */

enum golden_verdict {
    GOLDEN_PASS,
    GOLDEN_XFAIL, /* differs, as the manifest expects */
    GOLDEN_FAIL,
    GOLDEN_NEW,     /* there is no golden yet */
    GOLDEN_MISSING, /* the candidate shows nothing */
    GOLDEN_XPASS,   /* does not differ, though the manifest expects it */
    GOLDEN_FLAKY,   /* came out differently when tried again */
    GOLDEN_CRASHED,
    GOLDEN_TIMEOUT,
    GOLDEN_ERROR, /* bad input: the manifest, a golden, the reference */
    GOLDEN_VERDICTS
};

extern const char *const golden_verdict_names[GOLDEN_VERDICTS];

/* How far two pictures of one size are apart; channels R, G, B, and A unless it is ignored. */
#define GOLDEN_UNMEASURED (-2.0)

struct golden_metrics {
    bool measured; /* false: equal bytes, or no two pictures of one size */
    unsigned max;
    double mean, psnr;      /* psnr: infinite where nothing differs */
    uint64_t differing;     /* pixels that differ at all */
    uint64_t above;         /* pixels above the tolerance's threshold */
    uint64_t in_mask;       /* pixels that differ where the mask allows it */
    unsigned densest;       /* most pixels above the threshold in a window (8x8 by default) */
    double flip, ssim;      /* GOLDEN_UNMEASURED unless the tolerance asks for it */
    struct golden_rect box; /* around the pixels that differ, outside mask and ignored ones */
    uint32_t width, height;
};

enum { GOLDEN_MESSAGE = 512 };

struct golden_result {
    const struct golden_case *c;
    enum golden_verdict verdict;
    char message[GOLDEN_MESSAGE];
    struct golden_metrics metrics;
    char *reference, *candidate, *mask; /* PNGs on disk or NULL; freed with mem_free */
    char hash[17];                      /* of the candidate's pixels, where they were decoded */
    unsigned tries;
    double seconds;
};

/* --- Comparing: metrics.c, verdict.c -------------------------------------------------------------
 */

/* What a map of excluded pixels holds; NULL stands for a map that is 0 all over. */
enum { GOLDEN_COUNTS, GOLDEN_IGNORED, GOLDEN_MASKED };

/* Sizes are equal. excluded: a byte a pixel, or NULL. */
MUST_CHECK enum status golden_measure(const struct tool_image *a, const struct tool_image *b,
                                      const uint8_t *excluded, const struct golden_case *c,
                                      struct golden_metrics *out);
/* Whether what golden_measure found is within the tolerance. */
bool golden_within(const struct golden_metrics *metrics, const struct golden_tolerance *tolerance);

/* Judges the candidate's picture and fills verdict, message, metrics, hash and reference.
 * rendered: the reference's picture, used where there is no golden, or NULL. */
void golden_compare(const struct golden_manifest *manifest, const struct golden_case *c,
                    const char *rendered, const char *candidate, struct golden_result *out);
/* Turns verdicts around where the manifest expects that the case fails. */
void golden_apply_expectation(struct golden_result *result);

/* --- Running: run.c, runner.c ----------------------------------------------------------------- */

struct golden_options {
    const char *command; /* "golden run", for messages */
    const char *out;     /* folder for results */
    unsigned jobs;
    bool keep, quiet;
};

/* Runs all cases; results[i] is of cases[i]. False after a message. */
bool golden_run(const struct golden_manifest *manifest, const struct golden_options *options,
                struct golden_result *results);
void golden_results_free(struct golden_result *results, size_t n);

/* --- Files: files.c --------------------------------------------------------------------------- */

/* The folders that a path goes through. False where one cannot be made. */
bool golden_make_folders(const char *path);
/* "FOLDER/NAME.png" and so on in memory of its own; NULL: no memory. */
char *golden_format(const char *format, ...) PRINTF_LIKE(1, 2);

/* --- Reports: report_json.c; record.h has the others -------------------------------------------
 */

struct golden_summary {
    size_t count[GOLDEN_VERDICTS], total;
    double seconds;
};

/* TOOL_OK, TOOL_DIFFERS, TOOL_ERROR. */
int golden_exit_code(const struct golden_summary *summary);
/* One object a line, the first about the run. */
MUST_CHECK enum status golden_write_json(const char *path, const struct golden_manifest *manifest,
                                         const struct golden_result *results, size_t n);

/* The case's text in the arena; NULL: no memory. */
char *golden_print(struct arena *memory, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
