/* The list of subjects.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/subject.h"

#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <stdio.h>
#include <string.h>

static const char *const groups[BENCH_GROUPS] = {"ceiling", "operation", "flow", "sampler",
                                                 "shader"};

const char *bench_group_name(enum bench_group group)
{
    return groups[group];
}

enum bench_group bench_group_find(const char *name)
{
    unsigned g = 0;

    while (g < BENCH_GROUPS && strcmp(groups[g], name) != 0)
        g++;
    return (enum bench_group)g;
}

bool bench_subject_wanted(const struct bench_subjects *s, enum bench_group group, const char *name)
{
    char full[BENCH_NAME + 32];

    snprintf(full, sizeof(full), "%s/%s", groups[group], name);
    return !s->only || strstr(full, s->only);
}

struct bench_subject *bench_subject_add(struct bench_subjects *s, enum bench_group group,
                                        const char *name)
{
    struct bench_subject *more;

    for (unsigned i = 0; i < s->n; i++)
        if (s->list[i].group == group && !strcmp(s->list[i].name, name)) {
            tool_error(s->command, "%s: there is another %s of this name", name, groups[group]);
            return NULL;
        }
    if (s->n == s->max) {
        unsigned max = s->max ? 2 * s->max : 64;

        if (!(more = mem_realloc(s->list, max * sizeof(*more)))) {
            tool_error(s->command, "%s", status_text(ST_NOMEM));
            return NULL;
        }
        s->list = more;
        s->max = max;
    }
    more = &s->list[s->n++];
    memset(more, 0, sizeof(*more));
    more->group = group;
    more->divide = 1;
    snprintf(more->name, sizeof(more->name), "%s", name);
    return more;
}

int bench_subject_open(struct bench_subjects *s, struct bench_subject *subject, struct job *job,
                       const char *text)
{
    subject->text = hash_bytes(text, strlen(text), subject->text);
    return job_open(job, s->command, subject->name, text);
}

int bench_add_ceiling(struct bench_subjects *s)
{
    struct bench_subject *subject = bench_subject_add(s, BENCH_CEILING, "lane-operations");

    if (!subject)
        return TOOL_ERROR;
    subject->instructions = subject->operations = 1;
    return TOOL_OK;
}

void bench_subjects_fini(struct bench_subjects *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        job_close(&s->list[i].job);
        job_close(&s->list[i].beside);
    }
    mem_free(s->list);
    s->list = NULL;
    s->n = s->max = 0;
}
