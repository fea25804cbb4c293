/* Listing of the machine code: each part below the instruction of the shader that it is for.
 * objdump disassembles it, where that is installed; otherwise the bytes are shown.
 *
 * Tested by tests/unit/tool/cost/test_cost.c. */
#include "tool/cost/report.h"

#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct listing {
    const struct cost_report *report;
    const struct cost_function *function;
    FILE *out;
    int origin; /* of the line before; -1: none */
};

/* The line of a symbol, where the origin changes. */
static void print_symbol(struct listing *l, size_t at)
{
    int origin = ir_code_origin(l->function->code, at);
    uint32_t i = (uint32_t)origin - 1;

    if (origin == l->origin)
        return;
    l->origin = origin;
    if (origin && i < l->report->n_lines)
        fprintf(l->out, "%u: %s\n", i, l->report->line[i].text);
    else
        fprintf(l->out, "entry and exit:\n");
}

/* How often the machine instruction ran, a lane, and its share of the time. */
static void print_weight(const struct listing *l, size_t at)
{
    const struct cost_report *r = l->report;

    if (r->samples)
        fprintf(l->out, "%6.1f%%",
                100.0 * (double)r->hits.at[l->function->first + at] / (double)r->hits.total);
    if (r->instructions >= 0.0)
        fprintf(l->out, "%8.2f", (double)r->steps.at[l->function->first + at] / (double)r->lanes);
}

/* --- objdump ---------------------------------------------------------------------------------- */

/* Writes the bytes to a temporary file. */
static bool write_bytes(const struct cost_function *f, char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    size_t n = (size_t)(f->end - f->begin);
    bool good;
    int fd;

    if ((size_t)snprintf(path, size, "%s/novem-cost-XXXXXX", folder ? folder : "/tmp") >= size)
        return false;
    fd = mkstemp(path);
    if (fd < 0)
        return false;
    good = write(fd, f->begin, n) == (ssize_t)n;
    good &= !close(fd);
    if (!good)
        unlink(path);
    return good;
}

/* The path contains no quotes: mkstemp appends letters to TMPDIR. */
static FILE *start_objdump(const char *path)
{
    char command[4200];

    if (strchr(path, '\'') || access(path, R_OK))
        return NULL;
    snprintf(command, sizeof(command),
             "objdump -D -b binary -m %s --no-show-raw-insn '%s' 2>/dev/null",
             sizeof(void *) == 8 ? "i386:x86-64" : "i386", path);
    return popen(command, "r");
}

/* "  1a4:\tvmulps ..." */
static bool print_disassembled(struct listing *l, const char *line)
{
    char *end;
    unsigned long at = strtoul(line, &end, 16);

    if (end == line || *end != ':' || at >= (size_t)(l->function->end - l->function->begin))
        return false;
    print_symbol(l, at);
    print_weight(l, at);
    fprintf(l->out, "  %6lx:  %s", at, end + 1 + strspn(end + 1, " \t"));
    return true;
}

/* False: there is no objdump. */
static bool disassemble(struct listing *l)
{
    char path[4096], line[512];
    bool any = false;
    FILE *from;

    if (!write_bytes(l->function, path, sizeof(path)))
        return false;
    from = start_objdump(path);
    while (from && fgets(line, sizeof(line), from))
        any |= print_disassembled(l, line);
    if (from)
        pclose(from);
    unlink(path);
    return any;
}

/* --- Bytes ------------------------------------------------------------------------------------ */

static void dump(struct listing *l)
{
    size_t n = (size_t)(l->function->end - l->function->begin);
    unsigned column = 0;

    for (size_t at = 0; at < n; at++) {
        if (ir_code_origin(l->function->code, at) != l->origin && column) {
            fprintf(l->out, "\n");
            column = 0;
        }
        print_symbol(l, at);
        if (!column)
            fprintf(l->out, "  %6zx: ", at);
        fprintf(l->out, " %02x", l->function->begin[at]);
        column = (column + 1) % 16;
        if (!column)
            fprintf(l->out, "\n");
    }
    fprintf(l->out, "%s", column ? "\n" : "");
}

bool cost_print_machine(const struct cost_report *r, FILE *out)
{
    fprintf(out, "\nmachine code of %s\n", r->path);
    if (!r->compiled)
        fprintf(out, "none: the shader is interpreted\n");
    for (uint32_t i = 0; i < r->machine.n_functions; i++) {
        struct listing l = {r, &r->machine.function[i], out, -1};

        if (i)
            fprintf(out, "\nroutine %u\n", i);
        if (disassemble(&l))
            continue;
        fprintf(out, "(objdump is not installed)\n");
        dump(&l);
    }
    return true;
}
