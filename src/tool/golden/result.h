/* Results of golden cases: verdicts, metrics and their comparison. */
#ifndef TOOL_GOLDEN_RESULT_H
#define TOOL_GOLDEN_RESULT_H

#include "tool/golden/manifest.h"
#include "tool/image/image.h"

enum golden_verdict {
    GOLDEN_PASS,
    GOLDEN_XFAIL,   /* fails as the manifest or the baseline expects */
    GOLDEN_FIXED,   /* passes although the baseline lists a failure */
    GOLDEN_SKIPPED, /* not run; every later verdict is unexpected */
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

struct golden_summary {
    size_t count[GOLDEN_VERDICTS], total;
    double seconds;
};

/* Returns TOOL_OK, TOOL_DIFFERS or TOOL_ERROR. */
int golden_exit_code(const struct golden_summary *summary);
/* --- metrics.c, verdict.c --------------------------------------------------------------------- */

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

#endif
