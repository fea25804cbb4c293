/* Whole shaders: those of the corpus, and files.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/subject.h"

#include "tool/cli/cli.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/suggestion.h"

#include <string.h>
#include <unistd.h>

static void finish(struct bench_subject *subject)
{
    subject->instructions = subject->job.executed;
    subject->operations = 4.0 * subject->job.executed;
}

static int add_corpus_shader(struct bench_subjects *s, const struct bench_shader *shader)
{
    struct bench_subject *subject;
    int code;

    if (!bench_subject_wanted(s, BENCH_SHADER, shader->name))
        return TOOL_OK;
    if (!(subject = bench_subject_add(s, BENCH_SHADER, shader->name)))
        return TOOL_ERROR;
    code = bench_subject_open(s, subject, &subject->job, shader->text);
    if (code == TOOL_OK)
        finish(subject);
    return code;
}

/* --- Files ------------------------------------------------------------------------------------ */

/* Byte code starts with a version token: 0xfffe or 0xffff in the upper half. */
static bool is_byte_code(const uint8_t *bytes, size_t n)
{
    return n >= 4 && bytes[3] == 0xff && bytes[2] >= 0xfe;
}

static int open_bytes(struct bench_subjects *s, struct bench_subject *subject, const char *path,
                      uint8_t *bytes, size_t n)
{
    subject->text = hash_bytes(bytes, n, 0);
    if (!is_byte_code(bytes, n))
        return job_open(&subject->job, s->command, path, (const char *)bytes);
    n = tool_shader_words(bytes, n);
    return job_open_words(&subject->job, s->command, path, (const uint32_t *)(const void *)bytes,
                          n);
}

static int add_file(struct bench_subjects *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct bench_subject *subject;
    uint8_t *bytes;
    size_t n;
    enum status st;
    int code;

    if (!bench_subject_wanted(s, BENCH_SHADER, slash ? slash + 1 : path))
        return TOOL_OK;
    st = tool_file_read(path, &bytes, &n);
    if (st != ST_OK)
        return tool_error(s->command, "%s: %s", path, tool_file_reason(path, st));
    subject = bench_subject_add(s, BENCH_SHADER, slash ? slash + 1 : path);
    code = subject ? open_bytes(s, subject, path, bytes, n) : TOOL_ERROR;
    mem_free(bytes);
    if (code == TOOL_OK)
        finish(subject);
    return code;
}

/* --- Names ------------------------------------------------------------------------------------ */

static int add_named(struct bench_subjects *s, const char *name)
{
    const struct bench_shader *shader;
    struct suggestion closest;

    suggestion_init(&closest, name);
    for (unsigned i = 0; (shader = bench_corpus(i)); i++) {
        if (!strcmp(shader->name, name))
            return add_corpus_shader(s, shader);
        suggestion_offer(&closest, shader->name);
    }
    if (strpbrk(name, "./-") || !access(name, F_OK))
        return add_file(s, name);
    return tool_error(s->command,
                      "%s: No such file or directory, nor a shader of the corpus" SUGGESTION_FORMAT
                      " (--list lists them)",
                      name, SUGGESTION_ARGS(closest));
}

int bench_add_shaders(struct bench_subjects *s, const char *const *names, unsigned n)
{
    const struct bench_shader *shader;
    int code = TOOL_OK;

    for (unsigned i = 0; i < n && code == TOOL_OK; i++)
        code = add_named(s, names[i]);
    for (unsigned i = 0; !n && code == TOOL_OK && (shader = bench_corpus(i)); i++)
        code = add_corpus_shader(s, shader);
    return code;
}
