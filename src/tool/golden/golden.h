/* Types and functions shared by the files of `novem golden`: cases, verdicts and results.
 * docs/golden.md describes the manifest and the terms. */
#ifndef TOOL_GOLDEN_GOLDEN_H
#define TOOL_GOLDEN_GOLDEN_H

#include "tool/image/image.h"
#include "util/arena.h"

#include <stdio.h>

int tool_golden(int argc, char **argv); /* `novem golden` */

/* --- Tolerances: tolerance.c ------------------------------------------------------------------ */

enum golden_measure {
    GOLDEN_EXACT,  /* "exact" */
    GOLDEN_MAX,    /* "max N": no channel differs by more than N */
    GOLDEN_COUNT,  /* "N pixels above T" */
    GOLDEN_WINDOW, /* "K of WxH above T": no window of that size has more than K pixels above T */
    GOLDEN_FLIP,   /* "flip X": mean LDR-FLIP error of at most X */
    GOLDEN_SSIM    /* "ssim X": mean structural similarity of at least X */
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

/* --- Cases: manifest.c, cases.c, case*.c ------------------------------------------------------ */

struct golden_rect {
    uint32_t x0, y0, x1, y1; /* half-open: pixels x0 … x1-1, y0 … y1-1 */
};

enum golden_kind { GOLDEN_SCENE, GOLDEN_CAPTURE, GOLDEN_IMAGE };

/* All pointers point into the manifest's memory. */
struct golden_case {
    const char *name;
    unsigned line;
    const char *broken; /* error in the case's manifest lines; NULL: none */
    enum golden_kind kind;
    const char *input; /* path of the scene or capture */
    uint64_t frame;
    const char *candidate;      /* GOLDEN_IMAGE: path; NULL: a file in the candidate's folder */
    const char *const *goldens; /* existing goldens, a path or "hash:…" each; any match passes */
    unsigned n_goldens;
    const char *golden_path; /* where an accepted picture is stored; NULL: not in the manifest */
    bool requires_golden;    /* a missing golden is an error: no reference is rendered instead */
    const char *hash;        /* hash that the golden must have, or NULL */
    struct golden_tolerance tolerance;
    bool ignore_alpha;
    const struct golden_rect *ignore;
    unsigned n_ignore;
    const char *mask;    /* PNG whose non-black pixels may differ; NULL: none */
    bool generates_mask; /* the mask is rendered from the scene or capture on demand */
    /* PNGs with the lower and upper bound of each masked pixel, or NULL. */
    const char *mask_low, *mask_high;
    const char *expect_fail; /* reason for an expected failure, or NULL */
    const char *reason;      /* reason for the tolerance, or NULL */
};

/* Runs one side of the comparison: /bin/sh commands with placeholders, or a folder of PNGs. */
struct golden_runner {
    const char *scene, *capture; /* NULL: the reference runs Novem, the candidate runs nothing */
    const char *folder;
    const char *backend; /* "vendor/driver" or "vendor"; NULL: no such key */
    unsigned timeout;    /* seconds per case */
    unsigned retries, batch;
};

struct golden_manifest {
    struct arena memory;
    const char *path, *folder; /* folder: of the manifest; "" or with a trailing slash */
    const char *store;         /* folder of goldens named by hash, or NULL */
    struct golden_runner reference, candidate;
    struct golden_case *cases; /* sorted by name */
    size_t n_cases, capacity;
    size_t selected; /* number of selected cases in all shards */
};

/* The candidate as given on the command line; each field may be NULL. */
struct golden_choice {
    const char *candidate; /* a folder, a command, or a runner's name in the manifest */
    const char *backend;
};

/* Returns false after an error message if no case can run. Cases with errors are listed and marked
 * as broken. */
bool golden_manifest_load(struct golden_manifest *out, const char *path,
                          const struct golden_choice *choice, const char *command);
void golden_manifest_free(struct golden_manifest *manifest);

/* Matches case names against a pattern with * and ? (--filter). The part after the last / may match
 * alone. */
bool golden_matches(const char *pattern, const char *name);
/* The shard of a case, 0 … n-1. */
unsigned golden_shard(const char *name, unsigned n);

/* --- Results ---------------------------------------------------------------------------------- */

enum golden_verdict {
    GOLDEN_PASS,
    GOLDEN_XFAIL, /* fails as the manifest expects */
    GOLDEN_FAIL,
    GOLDEN_NEW,     /* no golden exists */
    GOLDEN_MISSING, /* the candidate produced no picture */
    GOLDEN_XPASS,   /* passes although the manifest expects a failure */
    GOLDEN_FLAKY,   /* a second try gave another result */
    GOLDEN_CRASHED,
    GOLDEN_TIMEOUT,
    GOLDEN_ERROR, /* invalid manifest entry, golden or reference */
    GOLDEN_VERDICTS
};

extern const char *const golden_verdict_names[GOLDEN_VERDICTS];

/* Difference of two images of one size in R, G, B, and in A unless alpha is ignored. */
#define GOLDEN_UNMEASURED (-2.0)

struct golden_metrics {
    bool measured; /* false: the files are equal, or the images cannot be compared */
    unsigned max;
    double mean, psnr;      /* psnr: infinite if the images are equal */
    uint64_t differing;     /* pixels that differ at all */
    uint64_t above;         /* pixels above the tolerance's threshold */
    uint64_t in_mask;       /* differing pixels that the mask covers */
    unsigned densest;       /* most pixels above the threshold in any window (8x8 by default) */
    double flip, ssim;      /* GOLDEN_UNMEASURED unless the tolerance needs it */
    struct golden_rect box; /* bounding box of differing pixels outside mask and ignored regions */
    uint32_t width, height;
};

enum { GOLDEN_MESSAGE = 512 };

struct golden_result {
    const struct golden_case *c;
    enum golden_verdict verdict;
    char message[GOLDEN_MESSAGE];
    struct golden_metrics metrics;
    char *reference, *candidate, *mask; /* paths of PNGs, or NULL; freed with mem_free */
    char hash[17];                      /* of the candidate's pixels, if they were decoded */
    unsigned tries;
    double seconds;
};

/* --- Comparing: metrics.c, verdict.c ---------------------------------------------------------- */

/* Values of a map of excluded pixels; a NULL map excludes none. */
enum { GOLDEN_COUNTS, GOLDEN_IGNORED, GOLDEN_MASKED };

/* The images have the same size. excluded: one byte per pixel, or NULL. */
MUST_CHECK enum status golden_measure(const struct tool_image *a, const struct tool_image *b,
                                      const uint8_t *excluded, const struct golden_case *c,
                                      struct golden_metrics *out);
/* Whether the metrics are within the tolerance. */
bool golden_within(const struct golden_metrics *metrics, const struct golden_tolerance *tolerance);

/* Compares the candidate's picture with the goldens and fills in verdict, message, metrics, hash
 * and reference. rendered: the reference's picture, used if no golden exists, or NULL. */
void golden_compare(const struct golden_manifest *manifest, const struct golden_case *c,
                    const char *rendered, const char *candidate, struct golden_result *out);
/* Inverts the verdict of a case that the manifest expects to fail. */
void golden_apply_expectation(struct golden_result *result);

/* --- Running: run.c, runner.c ----------------------------------------------------------------- */

struct golden_options {
    const char *command; /* "golden run", for error messages */
    const char *out;     /* output folder */
    unsigned jobs;
    bool keep, quiet;
};

/* Runs all cases; results[i] belongs to cases[i]. Returns false after an error message. */
bool golden_run(const struct golden_manifest *manifest, const struct golden_options *options,
                struct golden_result *results);
void golden_results_free(struct golden_result *results, size_t n);

/* --- Files: files.c --------------------------------------------------------------------------- */

/* Creates all parent folders of a path. Returns false on failure. */
bool golden_make_folders(const char *path);
/* Formats into allocated memory, which the caller frees; NULL: out of memory. */
char *golden_format(const char *format, ...) PRINTF_LIKE(1, 2);
/* Formats into the arena; NULL: out of memory. */
char *golden_print(struct arena *memory, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- Reports: report_json.c; record.h declares the others ------------------------------------- */

struct golden_summary {
    size_t count[GOLDEN_VERDICTS], total;
    double seconds;
};

/* Returns TOOL_OK, TOOL_DIFFERS or TOOL_ERROR. */
int golden_exit_code(const struct golden_summary *summary);
/* Writes JSON lines: one object about the run, then one per case. */
MUST_CHECK enum status golden_write_json(const char *path, const struct golden_manifest *manifest,
                                         const struct golden_result *results, size_t n);

#endif
