/* Constants and ranges of inputs that stand in the comments of a shader.
 *
 * Tested by tests/unit/tool/cost/test_job.c. */
#include "tool/cost/job.h"

#include <string.h>
#include <strings.h>

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

static void read_range(struct cost_directives *out, const char *line)
{
    struct cost_range range = {0};
    char name[16];
    unsigned index;

    if (out->n_ranges == COST_RANGES ||
        sscanf(line, "range %15[a-zA-Z]%u %f %f", name, &index, &range.low, &range.high) != 4 ||
        index > 15 || !usage_of(name, &range.usage))
        return;
    range.index = (uint8_t)index;
    out->range[out->n_ranges++] = range;
}

static void read_constant(struct run_constants *k, const char *line)
{
    unsigned n;
    float f[4];
    int i[3];

    if (sscanf(line, "set c%u %f %f %f %f", &n, &f[0], &f[1], &f[2], &f[3]) == 5 && n < RUN_FLOATS)
        memcpy(k->f[n], f, sizeof(f));
    if (sscanf(line, "set i%u %d %d %d", &n, &i[0], &i[1], &i[2]) == 4 && n < RUN_INTS)
        memcpy(k->i[n], i, sizeof(i));
    if (sscanf(line, "set b%u %d", &n, &i[0]) == 2 && n < RUN_BOOLS)
        k->b[n] = i[0] != 0;
}

/* The text of a comment at `line`, or NULL. */
static const char *comment(const char *line)
{
    line += strspn(line, " \t");
    if (*line != ';' && strncmp(line, "//", 2) != 0)
        return NULL;
    return line + strspn(line, ";/ \t");
}

void cost_directives_read(struct cost_directives *out, struct run_constants *k, const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        const char *words;

        line += *line == '\n';
        words = comment(line);
        if (words && !strncmp(words, "range ", 6))
            read_range(out, words);
        if (words && !strncmp(words, "set ", 4))
            read_constant(k, words);
    }
}
