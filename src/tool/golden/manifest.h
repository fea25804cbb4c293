/* Golden manifests: the cases and both runners. docs/golden.md describes them. */
#ifndef TOOL_GOLDEN_MANIFEST_H
#define TOOL_GOLDEN_MANIFEST_H

#include "tool/golden/tolerance.h"
#include "util/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    bool of_pattern;   /* from `scenes` or `images`: a case of its own replaces it */
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
    const char *skip;        /* reason why the case does not run, or NULL */
    bool known_failure;      /* the baseline lists the case */
    const char *remark;      /* of the baseline, or NULL */
};

/* Runs one side of the comparison: /bin/sh commands with placeholders, or a folder of PNGs. */
struct golden_runner {
    const char *scene, *capture; /* NULL: the reference runs Novem, the candidate runs nothing */
    const char *folder;
    const char *backend; /* "vendor/driver" or "vendor"; NULL: no such key */
    bool is_partial;     /* given as one command, for scenes or for captures; others are left out */
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

#endif
