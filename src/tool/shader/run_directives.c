/* What stands in for values that a command line does not give: what the comments of a shader say,
 * or defaults.
 *
 * Tested by tests/unit/tool/cost/test_job.c and tests/unit/tool/bench/test_bench.c. */
#include "tool/shader/run.h"

#include <string.h>
#include <strings.h>

void run_constants_defaults(struct run_constants *k)
{
    for (unsigned i = 0; i < RUN_FLOATS * 4; i++)
        k->f[i / 4][i % 4] = 0.4f + 0.01f * (float)(i % 9);
    for (unsigned i = 0; i < RUN_INTS; i++) {
        k->i[i][0] = 4;
        k->i[i][2] = 1;
    }
    for (unsigned i = 0; i < VM_SYSTEM_COUNT; i++)
        memcpy(k->system[i], k->f[i], sizeof(k->system[i]));
}

static bool usage_of(const char *name, uint8_t *usage)
{
    if (!strcasecmp(name, "vpos") || !strcasecmp(name, "vface")) {
        *usage = !strcasecmp(name, "vpos") ? VM_USAGE_VPOS : VM_USAGE_VFACE;
        return true;
    }
    for (unsigned i = 0; i <= VM_USAGE_SAMPLE; i++)
        if (vm_usage_text(i) && !strcasecmp(name, vm_usage_text(i))) {
            *usage = (uint8_t)i;
            return true;
        }
    return false;
}

static bool read_range(struct run_directives *out, const char *line)
{
    struct run_range range = {0};
    char name[16];
    unsigned index;

    if (out->n_ranges == RUN_RANGES ||
        sscanf(line, "range %15[a-zA-Z]%u %f %f", name, &index, &range.low, &range.high) != 4 ||
        index > 15 || !usage_of(name, &range.usage))
        return false;
    range.index = (uint8_t)index;
    out->range[out->n_ranges++] = range;
    return true;
}

static bool read_constant(struct run_constants *k, const char *line)
{
    unsigned n;
    float f[4];
    int i[3];

    if (sscanf(line, "set c%u %f %f %f %f", &n, &f[0], &f[1], &f[2], &f[3]) == 5 && n < RUN_FLOATS)
        return memcpy(k->f[n], f, sizeof(f)), true;
    if (sscanf(line, "set i%u %d %d %d", &n, &i[0], &i[1], &i[2]) == 4 && n < RUN_INTS)
        return memcpy(k->i[n], i, sizeof(i)), true;
    if (sscanf(line, "set b%u %d", &n, &i[0]) == 2 && n < RUN_BOOLS)
        return k->b[n] = i[0] != 0, true;
    return false;
}

/* The text of a comment at `line`, or NULL. */
static const char *comment(const char *line)
{
    line += strspn(line, " \t");
    if (*line != ';' && strncmp(line, "//", 2) != 0)
        return NULL;
    return line + strspn(line, ";/ \t");
}

static bool begins(const char *words, const char *word)
{
    size_t n = strlen(word);

    return !strncmp(words, word, n) && strchr(" \t\r\n", words[n]); /* also the end of the text */
}

static bool read_directive(struct run_directives *out, struct run_constants *k, const char *words)
{
    if (begins(words, "range"))
        return read_range(out, words);
    if (begins(words, "set"))
        return read_constant(k, words);
    if (begins(words, "executes"))
        return sscanf(words, "executes %u", &out->executed) == 1;
    return true;
}

const char *run_directives_read(struct run_directives *out, struct run_constants *k,
                                const char *text)
{
    const char *bad = NULL;

    for (const char *line = text; line; line = strchr(line, '\n')) {
        const char *words;

        line += *line == '\n';
        words = comment(line);
        if (words && !read_directive(out, k, words) && !bad)
            bad = line;
    }
    return bad;
}

void run_directives_range(const struct run_directives *d, const struct vm_io *io, float *low,
                          float *high)
{
    *low = 0.05f;
    *high = 1.05f;
    for (unsigned i = 0; i < d->n_ranges; i++)
        if (d->range[i].usage == io->usage && d->range[i].index == io->index) {
            *low = d->range[i].low;
            *high = d->range[i].high;
        }
}
