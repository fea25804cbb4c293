/* Benchmark of whole shaders: the files of bench/shaders and, on request, those of captures. */
#include "bench.h"
#include "trace/trace.h"
#include "util/alloc.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 16, MAX_WORDS = 1 << 16, NAME_BYTES = 64 };

/* --- One shader ------------------------------------------------------------------------------- */

static void report_shader(const char *group, const struct job *job, struct bench_timing timing)
{
    struct bench_result result = {.group = group,
                                  .name = job->name,
                                  .lane_ns = timing.call_ns,
                                  .ceiling_ns = timing.ceiling_ns,
                                  .instructions = job_instructions(job),
                                  .operations = 4.0 * job_instructions(job)};

    report_add(&result);
    report_cell("%8.3f %7.4f %4.0f%% %7.1f", timing.call_ns, timing.call_ns / job_instructions(job),
                report_share(&result), 1e3 / timing.call_ns);
}

static void measure_shader(const char *group, struct job *job)
{
    const struct vm_info *info = job->info;
    char label[NAME_BYTES + 32];
    uint64_t hash = 0;
    bool first = true;

    snprintf(label, sizeof(label), "%-24.24s %cs_%u_%-2s %4u", job->name,
             info->stage == VM_VERTEX ? 'v' : 'p', info->major,
             info->minor == 255 ? "sw"
             : info->major == 2 ? (info->minor ? "x" : "0")
                                : (const char *[]){"0", "1", "2", "3", "4"}[info->minor % 5],
             job_instructions(job));
    report_name(label);
    for (int isa = -1; bench_next_isa(&isa);) {
        job_compile(job);
        report_shader(group, job, job_measure(job, NULL));
        if (!first && job_hash(job) != hash)
            bench_wrong("%s: the output bits of %s differ", job->name,
                        cpu_isa_name((enum cpu_isa)isa));
        hash = job_hash(job);
        first = false;
        job_drop(job);
    }
    report_end_row();
}

static const char columns[] = " ns/lane  /instr share M/s    ";

/* --- The files -------------------------------------------------------------------------------- */

static int is_shader(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 4 && n < NAME_BYTES && !strcmp(entry->d_name + n - 4, ".asm");
}

/* Reads a file into a buffer that the next call overwrites. */
static const char *read_text(const char *path)
{
    static char text[MAX_TEXT];
    FILE *file = fopen(path, "rb");
    size_t n;

    if (!file)
        bench_fail("cannot read %s", path);
    n = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[n] = 0;
    return text;
}

void job_open_file(struct job *job, const char *name)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s.asm", bench_options.shaders, name);
    job_open(job, name, read_text(path));
}

void bench_corpus(void)
{
    struct dirent **entries;
    int n = scandir(bench_options.shaders, &entries, is_shader, alphasort);
    struct job job;

    if (n <= 0)
        bench_fail("no shaders in '%s'; run next to bench/shaders or pass --shaders DIR",
                   bench_options.shaders);
    report_heading("Shaders: name, version, instructions that a lane executes", columns);
    for (int i = 0; i < n; i++) {
        char name[NAME_BYTES];

        snprintf(name, sizeof(name), "%.*s", (int)strlen(entries[i]->d_name) - 4,
                 entries[i]->d_name);
        if (bench_wants("shader", name)) {
            job_open_file(&job, name);
            measure_shader("shader", &job);
            job_close(&job);
        }
        free(entries[i]);
    }
    free(entries);
}

/* --- Captures --------------------------------------------------------------------------------- */

/* Captures with long shaders from different engines. */
static const char *const captures[] = {
    "bgfx_03-raymarch", "bgfx_06-bump",  "bgfx_16-shadowmaps", "bgfx_33-pom",  "bgfx_36-sky",
    "bgfx_45-bokeh",    "herebedragons", "irr_shaders_asm",    "tokitori-cut",
};
enum { MAX_CALLS = 200000 };

/* The longest shader of each stage in a capture. */
struct longest {
    uint32_t words[2][MAX_WORDS];
    size_t n[2];
};

static void keep_longest(struct longest *longest, const struct trace_call *call)
{
    if (!strstr(call->function->name, "Create") || !strstr(call->function->name, "Shader"))
        return;
    for (uint32_t i = 0; i < call->argc; i++) {
        const struct trace_value *value = &call->args[i];
        uint32_t version;

        if (value->kind == TRACE_REPR)
            value = &value->u.items[1];
        if (value->kind != TRACE_BLOB || value->count < 8 || value->count / 4 > MAX_WORDS)
            continue;
        memcpy(&version, value->u.bytes, 4);
        unsigned stage = version >> 16 == 0xfffe ? VM_VERTEX : VM_PIXEL;

        if (value->count / 4 > longest->n[stage]) {
            longest->n[stage] = value->count / 4;
            memcpy(longest->words[stage], value->u.bytes, longest->n[stage] * 4);
        }
    }
}

static bool read_capture(struct longest *longest, const char *capture)
{
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;
    char path[4096];

    longest->n[0] = longest->n[1] = 0;
    snprintf(path, sizeof(path), "%s/%s/%s.trace", bench_options.captures, capture, capture);
    if (trace_open(&reader, path, &error))
        return false;
    for (unsigned i = 0; i < MAX_CALLS && !trace_next(reader, &call) && call; i++)
        keep_longest(longest, call);
    trace_close(reader);
    return true;
}

void bench_captures(void)
{
    static struct longest longest;

    report_heading("Shaders of captures: the longest of each stage", columns);
    for (unsigned i = 0; i < sizeof(captures) / sizeof(captures[0]); i++) {
        if (!bench_wants("capture", captures[i]) || !read_capture(&longest, captures[i]))
            continue;
        for (unsigned stage = 0; stage < 2; stage++) {
            char name[NAME_BYTES];
            struct job job;

            snprintf(name, sizeof(name), "%s/%s", captures[i], stage == VM_VERTEX ? "vs" : "ps");
            if (!longest.n[stage] ||
                !job_open_tokens(&job, name, longest.words[stage], longest.n[stage]))
                continue;
            measure_shader("capture", &job);
            job_close(&job);
        }
    }
}
