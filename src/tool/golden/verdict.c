/* Verdict of one case: compares the candidate's picture with its golden or goldens. */
#include "tool/golden/tolerance.h"
#include "tool/golden/manifest.h"
#include "tool/golden/result.h"
#include "tool/golden/files.h"
#include "tool/image/image.h"
#include "tool/image/png.h"
#include "util/alloc.h"
#include "util/path.h"
#include "util/plural.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const golden_verdict_names[GOLDEN_VERDICTS] = {
    "pass",    "expected fail",   "fixed", "skipped", "fail",      "new",
    "missing", "unexpected pass", "flaky", "crashed", "timed out", "error",
};

static void set_verdict(struct golden_result *result, enum golden_verdict verdict,
                        const char *format, ...) PRINTF_LIKE(3, 4);
static void set_verdict(struct golden_result *result, enum golden_verdict verdict,
                        const char *format, ...)
{
    va_list args;

    result->verdict = verdict;
    va_start(args, format);
    vsnprintf(result->message, sizeof(result->message), format, args);
    va_end(args);
}

/* --- Excluded pixels -------------------------------------------------------------------------- */

/* Loads only regular files: pipes and devices may be endless. */
static enum status load(const char *path, struct png_file *out, const char **why)
{
    if (!path_is_folder(path) && !path_is_special(path))
        return png_load(path, out, why);
    memset(out, 0, sizeof(*out));
    *why = "is not a regular file";
    return ST_IO;
}

/* The caller frees the image. */
static enum status read_picture(const char *path, const struct tool_image *like,
                                struct tool_image *out, const char **why)
{
    struct png_file file;
    enum status st = load(path, &file, why);

    memset(out, 0, sizeof(*out));
    if (st != ST_OK)
        return st;
    st = png_decode(&file, out, why);
    png_unload(&file);
    if (st == ST_OK && (out->width != like->width || out->height != like->height)) {
        *why = "has another size than the golden";
        tool_image_fini(out);
        return ST_DAMAGED;
    }
    return st;
}

/* Extends the bounds, because deviations may add up (docs/uncertainty.md). */
static bool in_limits(const uint8_t *rgba, const uint8_t *low, const uint8_t *high)
{
    unsigned slack = tool_pixel_slack(low, high);

    for (unsigned c = 0; c < 3; c++)
        if (rgba[c] + slack < low[c] || rgba[c] > high[c] + slack)
            return false;
    return true;
}

static enum status add_mask(const struct golden_case *c, const struct tool_image *candidate,
                            uint8_t *map, const char **why)
{
    size_t n = (size_t)candidate->width * candidate->height;
    struct tool_image mask, low = {0}, high = {0};
    enum status st = read_picture(c->mask, candidate, &mask, why);

    if (st == ST_OK && c->mask_low)
        st = read_picture(c->mask_low, candidate, &low, why);
    if (st == ST_OK && c->mask_high)
        st = read_picture(c->mask_high, candidate, &high, why);
    for (size_t i = 0; st == ST_OK && i < n; i++) {
        const uint8_t *m = mask.rgba + 4 * i;

        if ((m[0] || m[1] || m[2]) &&
            (!low.rgba || !high.rgba ||
             in_limits(candidate->rgba + 4 * i, low.rgba + 4 * i, high.rgba + 4 * i)))
            map[i] = GOLDEN_MASKED;
    }
    tool_image_fini(&mask);
    tool_image_fini(&low);
    tool_image_fini(&high);
    return st;
}

static void add_ignored(const struct golden_case *c, uint32_t width, uint32_t height, uint8_t *map)
{
    for (unsigned i = 0; i < c->n_ignore; i++) {
        struct golden_rect r = c->ignore[i];

        r.x1 = r.x1 < width ? r.x1 : width;
        for (uint32_t y = r.y0; y < r.y1 && y < height; y++)
            if (r.x0 < r.x1)
                memset(map + (size_t)y * width + r.x0, GOLDEN_IGNORED, r.x1 - r.x0);
    }
}

/* Builds the map of excluded pixels; NULL if none is excluded. Freed with mem_free. */
static enum status make_map(const struct golden_case *c, const struct tool_image *candidate,
                            uint8_t **out, const char **why)
{
    uint32_t width = candidate->width, height = candidate->height;
    enum status st = ST_OK;

    *out = NULL;
    if (!c->mask && !c->n_ignore)
        return ST_OK;
    *out = mem_calloc((size_t)width * height, 1);
    *why = status_text(ST_NOMEM);
    if (!*out)
        return ST_NOMEM;
    if (c->mask)
        st = add_mask(c, candidate, *out, why);
    if (st == ST_OK)
        add_ignored(c, width, height, *out);
    return st;
}

/* --- One golden ------------------------------------------------------------------------------- */

struct candidate {
    const char *path;
    struct png_file file;
    struct tool_image image; /* decoded on first use */
    bool decoded;
};

static bool decode_candidate(struct candidate *candidate, struct golden_result *result)
{
    const char *why;
    enum status st;

    if (candidate->decoded)
        return true;
    st = png_decode(&candidate->file, &candidate->image, &why);
    if (st != ST_OK) {
        set_verdict(result, st == ST_NOMEM ? GOLDEN_ERROR : GOLDEN_FAIL, "%s: %s", candidate->path,
                    why);
        return false;
    }
    candidate->decoded = true;
    snprintf(result->hash, sizeof(result->hash), "%016" PRIx64,
             tool_image_hash(&candidate->image, true));
    return true;
}

static void describe(const struct golden_case *c, struct golden_result *result)
{
    const struct golden_metrics *m = &result->metrics;
    char tolerance[GOLDEN_TOLERANCE_TEXT], masked[48] = "", measure[48] = "";

    golden_tolerance_print(&c->tolerance, tolerance);
    if (m->in_mask)
        snprintf(masked, sizeof(masked), ", %" PRIu64 " more within the mask", m->in_mask);
    if (c->tolerance.measure == GOLDEN_WINDOW)
        snprintf(measure, sizeof(measure), ", %u in the densest window", m->densest);
    else if (c->tolerance.measure == GOLDEN_COUNT)
        snprintf(measure, sizeof(measure), ", %" PRIu64 " above %u", m->above, c->tolerance.above);
    else if (m->flip > GOLDEN_UNMEASURED)
        snprintf(measure, sizeof(measure), ", FLIP %.4f", m->flip);
    else if (m->ssim > GOLDEN_UNMEASURED)
        snprintf(measure, sizeof(measure), ", SSIM %.4f", m->ssim);
    if (!m->differing && !m->in_mask)
        snprintf(result->message, sizeof(result->message), "same pixels");
    else
        snprintf(result->message, sizeof(result->message),
                 "max %u, " PLURAL_FORMAT "%s in [%u, %u, %u, %u]%s; tolerance: %s", m->max,
                 PLURAL(m->differing, "pixel differs", "pixels differ"), masked, m->box.x0,
                 m->box.y0, m->box.x1, m->box.y1, measure, tolerance);
}

static void compare_images(const struct golden_case *c, const struct tool_image *golden,
                           const struct tool_image *candidate, struct golden_result *result)
{
    const char *why = "";
    uint8_t *map = NULL;
    enum status st;

    if (golden->width != candidate->width || golden->height != candidate->height) {
        set_verdict(result, GOLDEN_FAIL,
                    "sizes differ: the golden is %ux%u, the candidate's picture %ux%u",
                    golden->width, golden->height, candidate->width, candidate->height);
        return;
    }
    st = make_map(c, candidate, &map, &why);
    if (st != ST_OK) {
        set_verdict(result, GOLDEN_ERROR, "%s: %s", c->mask ? c->mask : c->name, why);
    } else if (golden_measure(golden, candidate, map, c, &result->metrics) != ST_OK) {
        set_verdict(result, GOLDEN_ERROR, "out of memory");
    } else {
        result->verdict =
            golden_within(&result->metrics, &c->tolerance) ? GOLDEN_PASS : GOLDEN_FAIL;
        describe(c, result);
    }
    mem_free(map);
}

/* Whether the golden has the content hash that the manifest requires. */
static bool has_hash(const struct tool_image *golden, const char *path, const char *want,
                     struct golden_result *result)
{
    char hash[17];

    if (!want)
        return true;
    snprintf(hash, sizeof(hash), "%016" PRIx64, tool_image_hash(golden, true));
    if (!strcmp(hash, want))
        return true;
    set_verdict(result, GOLDEN_ERROR, "%s: has hash %s, the manifest requires %s", path, hash,
                want);
    return false;
}

static void compare_decoded(const struct golden_case *c, const struct png_file *golden,
                            const char *path, const char *want, struct candidate *candidate,
                            struct golden_result *result)
{
    struct tool_image image;
    const char *why;

    if (png_decode(golden, &image, &why) != ST_OK)
        set_verdict(result, GOLDEN_ERROR, "%s: %s", path, why);
    else if (has_hash(&image, path, want, result) && decode_candidate(candidate, result))
        compare_images(c, &image, &candidate->image, result);
    tool_image_fini(&image);
}

/* Compares with a golden that is known only by its hash. */
static void compare_hash(const char *want, const char *path, struct candidate *candidate,
                         struct golden_result *result)
{
    if (!decode_candidate(candidate, result))
        return;
    if (!strcmp(result->hash, want))
        set_verdict(result, GOLDEN_PASS, "same hash");
    else
        set_verdict(result, GOLDEN_FAIL, "has hash %s, not %s; %s does not exist", result->hash,
                    want, path);
}

static void compare_golden(const struct golden_case *c, const char *path, const char *want,
                           bool stored, struct candidate *candidate, struct golden_result *result)
{
    struct png_file golden;
    const char *why;
    enum status st = load(path, &golden, &why);

    memset(&result->metrics, 0, sizeof(result->metrics));
    result->metrics.flip = result->metrics.ssim = GOLDEN_UNMEASURED;
    if (stored && st == ST_IO)
        compare_hash(want, path, candidate, result);
    else if (st != ST_OK)
        set_verdict(result, GOLDEN_ERROR, "%s: %s", path, why);
    else if (!want && png_same(&golden, &candidate->file))
        set_verdict(result, GOLDEN_PASS, "same bytes");
    else
        compare_decoded(c, &golden, path, want, candidate, result);
    if (st == ST_OK)
        png_unload(&golden);
}

/* --- All goldens ------------------------------------------------------------------------------ */

/* "hash:0123…" is stored as STORE/01/0123….png. Freed with mem_free. */
static char *stored_path(const struct golden_manifest *manifest, const char *hash)
{
    return golden_format("%s/%.2s/%s.png", manifest->store ? manifest->store : "store", hash, hash);
}

static bool better(const struct golden_result *a, const struct golden_result *b)
{
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict;
    return a->metrics.measured &&
           (!b->metrics.measured || a->metrics.differing < b->metrics.differing);
}

/* Compares with all goldens and keeps the best result. */
static void compare_goldens(const struct golden_manifest *manifest, const struct golden_case *c,
                            const char *const *goldens, unsigned n, struct candidate *candidate,
                            struct golden_result *result)
{
    for (unsigned i = 0; i < n; i++) {
        bool stored = !strncmp(goldens[i], "hash:", 5);
        struct golden_result one = *result;

        one.reference =
            stored ? stored_path(manifest, goldens[i] + 5) : golden_format("%s", goldens[i]);
        if (one.reference)
            compare_golden(c, one.reference, stored ? goldens[i] + 5 : c->hash, stored, candidate,
                           &one);
        else
            set_verdict(&one, GOLDEN_ERROR, "out of memory");
        if (!i || better(&one, result)) {
            mem_free(result->reference);
            *result = one;
        } else {
            mem_free(one.reference);
        }
        if (result->verdict == GOLDEN_PASS)
            return;
    }
}

void golden_compare(const struct golden_manifest *manifest, const struct golden_case *c,
                    const char *rendered, const char *path, struct golden_result *out)
{
    struct candidate candidate = {.path = path};
    const char *why;
    enum status st;

    mem_free(out->reference);
    out->reference = NULL;
    st = load(path, &candidate.file, &why);
    if (st == ST_IO)
        set_verdict(out, GOLDEN_MISSING, "%s: %s", path, why);
    else if (st != ST_OK)
        set_verdict(out, GOLDEN_FAIL, "%s: %s", path, why);
    else if (c->n_goldens)
        compare_goldens(manifest, c, c->goldens, c->n_goldens, &candidate, out);
    else if (c->requires_golden)
        set_verdict(out, GOLDEN_NEW, "no golden yet: %s",
                    c->golden_path ? c->golden_path : c->name);
    else if (rendered)
        compare_goldens(manifest, c, &rendered, 1, &candidate, out);
    else
        set_verdict(out, GOLDEN_ERROR, "the reference produced no picture");
    tool_image_fini(&candidate.image);
    png_unload(&candidate.file);
}

void golden_apply_expectation(struct golden_result *result)
{
    char message[GOLDEN_MESSAGE];

    if (!result->c->expect_fail && !result->c->known_failure)
        return;
    if (result->c->known_failure && !result->c->expect_fail) {
        if (result->verdict == GOLDEN_PASS) {
            set_verdict(result, GOLDEN_FIXED, "the baseline lists a failure");
        } else if (result->verdict == GOLDEN_FAIL || result->verdict == GOLDEN_MISSING ||
                   result->verdict == GOLDEN_CRASHED || result->verdict == GOLDEN_TIMEOUT) {
            snprintf(message, sizeof(message), "%s", result->message);
            set_verdict(result, GOLDEN_XFAIL, "in the baseline (%s: %.400s)",
                        golden_verdict_names[result->verdict], message);
        }
        return;
    }
    if (result->verdict == GOLDEN_PASS) {
        set_verdict(result, GOLDEN_XPASS, "expected to fail: %s", result->c->expect_fail);
    } else if (result->verdict == GOLDEN_FAIL || result->verdict == GOLDEN_MISSING ||
               result->verdict == GOLDEN_CRASHED || result->verdict == GOLDEN_TIMEOUT) {
        snprintf(message, sizeof(message), "%s", result->message);
        set_verdict(result, GOLDEN_XFAIL, "%.200s (%.280s)", result->c->expect_fail, message);
    }
}
