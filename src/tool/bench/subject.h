/* Subjects of the benchmark: what is measured, for each instruction set, mode and thread count. */
#ifndef TOOL_BENCH_SUBJECT_H
#define TOOL_BENCH_SUBJECT_H

#include "tool/bench/job.h"

enum bench_group {
    BENCH_CEILING,   /* load, load, multiply, store: what the processor reaches */
    BENCH_OPERATION, /* one kind of instruction */
    BENCH_FLOW,      /* branches, loops and calls around a body */
    BENCH_SAMPLER,   /* texture lookups */
    BENCH_SHADER,    /* whole shaders */
    BENCH_GROUPS
};
const char *bench_group_name(enum bench_group group); /* "operation" */
enum bench_group bench_group_find(const char *name);  /* BENCH_GROUPS: none */

enum { BENCH_NAME = 64 };

struct bench_subject {
    enum bench_group group;
    char name[BENCH_NAME];
    struct job job;
    struct job beside;   /* measured in turns with the job, if it is open */
    bool difference;     /* the time is that of the job minus that beside it */
    double divide;       /* the time of a lane is divided by it */
    double instructions; /* that a lane executes in the time of the figure */
    double operations;   /* lane operations in the same time; 0: not counted */
    uint64_t text;       /* hash of the text: other texts cannot be compared */
    unsigned filter;     /* of samplers */
    bool has_bits;       /* whether the job has run */
    uint64_t bits;       /* hash of what it returned first */
};

struct bench_subjects {
    const char *command; /* for messages */
    const char *only;    /* subjects whose GROUP/NAME contains it; NULL: all */
    struct bench_subject *list;
    unsigned n, max;
};

/* Add the subjects of a group. Return TOOL_OK, or TOOL_ERROR after a message. */
int bench_add_ceiling(struct bench_subjects *s);
int bench_add_operations(struct bench_subjects *s);
int bench_add_flow(struct bench_subjects *s);
int bench_add_samplers(struct bench_subjects *s);
/* names: shaders of the corpus, and files of assembly or byte code; n 0: the corpus. */
int bench_add_shaders(struct bench_subjects *s, const char *const *names, unsigned n);
void bench_subjects_fini(struct bench_subjects *s);

/* The next subject, which is zeros but for group and name; NULL after a message. */
struct bench_subject *bench_subject_add(struct bench_subjects *s, enum bench_group group,
                                        const char *name);
bool bench_subject_wanted(const struct bench_subjects *s, enum bench_group group, const char *name);
/* Opens the job, or the one beside it, and adds the text to the hash. */
int bench_subject_open(struct bench_subjects *s, struct bench_subject *subject, struct job *job,
                       const char *text);

/* --- samplers.c: real textures ---------------------------------------------------------------- */

struct bench_texture;
MUST_CHECK enum status bench_texture_create(struct bench_texture **out);
void bench_texture_destroy(struct bench_texture *texture); /* NULL is allowed */
/* Makes a compiled job of a sampler subject sample the texture, unless it uses the stand-in. */
MUST_CHECK enum status bench_texture_bind(struct bench_texture *texture,
                                          const struct bench_subject *subject);

/* --- corpus.c: the shaders that belong to the tool -------------------------------------------- */

struct bench_shader {
    const char *name, *text; /* text: assembly, with comments of job.h; ends with a 0 */
};
/* The n-th in order of the names; NULL: there are fewer. */
const struct bench_shader *bench_corpus(unsigned n);

#endif
