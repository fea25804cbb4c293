/* Shader inputs given by register or semantic: columns of values with one row per lane or quad.
 *
 * Tested by tests/unit/tool/shader/test_run.c. */
#include "tool/cli/cli.h"
#include "tool/shader/run.h"
#include "util/alloc.h"
#include "util/plural.h"

#include <string.h>
#include <strings.h>

enum { MAX_ROWS = 1 << 20 };

/* --- Columns ---------------------------------------------------------------------------------- */

static struct run_column *add_column(struct run_inputs *in)
{
    if (in->n == in->max) {
        unsigned max = in->max ? in->max * 2 : 16;
        void *grown = mem_realloc(in->column, max * sizeof(*in->column));

        if (!grown)
            return NULL;
        in->column = grown;
        in->max = max;
    }
    memset(&in->column[in->n], 0, sizeof(*in->column));
    return &in->column[in->n++];
}

static int add_row(struct run_column *c, const char *command, const struct run_vector *v)
{
    if (c->n == c->max) {
        uint32_t max = c->max ? c->max * 2 : 4;
        void *grown = max > MAX_ROWS ? NULL : mem_realloc(c->row, max * sizeof(*c->row));

        if (!grown)
            return tool_error(command, "%s: too many rows", c->name);
        c->row = grown;
        c->max = max;
    }
    c->row[c->n++] = *v;
    return TOOL_OK;
}

/* Parses the change per pixel; components not given are 0. */
static bool parse_step(const char **at, struct run_vector *step)
{
    if (**at != '@')
        return true;
    ++*at;
    if (!run_parse_vector(at, step))
        return false;
    for (unsigned i = step->n; i < 4; i++)
        step->x[i] = 0.0f;
    return true;
}

int run_inputs_option(struct run_inputs *in, const char *command, const char *text)
{
    struct run_column *c = add_column(in);
    struct run_vector v;
    const char *at;

    if (!c)
        return tool_error(command, "out of memory");
    at = run_split_name(text, c->name);
    while (at) {
        if (!run_parse_vector(&at, &v) || !parse_step(&at, &c->step[0]) ||
            !parse_step(&at, &c->step[1]))
            break;
        if (add_row(c, command, &v) != TOOL_OK)
            return TOOL_ERROR;
        in->quads |= c->step[0].n > 0;
        if (!*at)
            return TOOL_OK;
        if (*at++ != '/')
            break;
    }
    return tool_error(command,
                      "--input %s: expected v0=1,2,3,4, or v0=1,2/3,4 for two lanes, or "
                      "v0=0,0@0.1,0@0,0.1 with steps to the right and down",
                      text);
}

/* --- Files of rows ---------------------------------------------------------------------------- */

/* Reads the column names from the first line. */
static int read_names(struct run_inputs *in, const char *command, const char *path, char *line)
{
    char *rest, *word = strtok_r(line, " \t\r", &rest);

    for (; word; word = strtok_r(NULL, " \t\r", &rest)) {
        struct run_column *c = add_column(in);

        if (!c)
            return tool_error(command, "out of memory");
        if (strlen(word) >= RUN_NAME)
            return tool_error(command, "%s: '%s' is not an input", path, word);
        strcpy(c->name, word);
    }
    return TOOL_OK;
}

static int read_row(struct run_inputs *in, unsigned first, const char *command, const char *path,
                    unsigned number, char *line)
{
    char *rest, *word = strtok_r(line, " \t\r", &rest);
    unsigned n = first;

    for (; word; word = strtok_r(NULL, " \t\r", &rest), n++) {
        const char *at = word;
        struct run_vector v;

        if (n == in->n)
            return tool_error(command, "%s:%u: more than " PLURAL_FORMAT, path, number,
                              PLURAL(in->n - first, "vector", "vectors"));
        if (!run_parse_vector(&at, &v) || *at)
            return tool_error(command, "%s:%u: '%s' is not a vector such as 1,2,3,4", path, number,
                              word);
        if (add_row(&in->column[n], command, &v) != TOOL_OK)
            return TOOL_ERROR;
    }
    if (n < in->n)
        return tool_error(command, "%s:%u: %u of " PLURAL_FORMAT, path, number, n - first,
                          PLURAL(in->n - first, "vector", "vectors"));
    return TOOL_OK;
}

static bool is_blank(const char *line)
{
    return !line[strspn(line, " \t\r")];
}

static int read_lines(struct run_inputs *in, const char *command, const char *path, char *text)
{
    unsigned first = in->n, number = 0;
    int code;

    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        number++;
        line[strcspn(line, "#")] = 0;
        if (is_blank(line))
            continue;
        code = in->n == first ? read_names(in, command, path, line)
                              : read_row(in, first, command, path, number, line);
        if (code != TOOL_OK)
            return code;
    }
    if (in->n == first || !in->column[first].n)
        return tool_error(command, "%s: expected a line of names and rows of vectors", path);
    return TOOL_OK;
}

int run_inputs_file(struct run_inputs *in, const char *command, const char *path)
{
    uint8_t *bytes;
    size_t n;
    int code;

    if (tool_file_read(path, &bytes, &n) != ST_OK)
        return tool_error(command, "%s cannot be read: %s", path, tool_file_reason(path, ST_IO));
    code = read_lines(in, command, path, (char *)bytes);
    mem_free(bytes);
    return code;
}

/* --- Matching columns with inputs ------------------------------------------------------------- */

static void register_name(const struct vm_info *info, const struct vm_io *io, char name[RUN_NAME])
{
    bool coordinate = info->stage == VM_PIXEL && info->major < 3 && io->usage == VM_USAGE_TEXCOORD;

    if (io->usage == VM_USAGE_VPOS || io->usage == VM_USAGE_VFACE)
        strcpy(name, io->usage == VM_USAGE_VPOS ? "vPos" : "vFace");
    else
        snprintf(name, RUN_NAME, "%c%u", coordinate ? 't' : 'v', io->reg);
}

static bool has_semantic(const struct vm_io *io, const char *name)
{
    const char *usage = vm_usage_text(io->usage);
    size_t n = usage ? strlen(usage) : 0;
    char index[8];

    if (!usage || strncasecmp(name, usage, n))
        return false;
    snprintf(index, sizeof(index), "%u", io->index);
    return !strcmp(name + n, index) || (!name[n] && !io->index);
}

static bool is_input(const struct vm_info *info, const struct vm_io *io, const char *name)
{
    char reg[RUN_NAME];

    register_name(info, io, reg);
    return !strcasecmp(name, reg) || has_semantic(io, name);
}

/* The last column for an input wins. */
static const struct run_column *column_of(const struct run_inputs *in, const struct vm_info *info,
                                          const struct vm_io *io)
{
    for (unsigned i = in->n; i-- > 0;)
        if (is_input(info, io, in->column[i].name))
            return &in->column[i];
    return NULL;
}

bool run_inputs_has(const struct run_inputs *in, const struct vm_info *info,
                    const struct vm_io *io)
{
    return column_of(in, info, io) != NULL;
}

static void name_input(FILE *to, const struct vm_info *info, const struct vm_io *io)
{
    char name[RUN_NAME];

    register_name(info, io, name);
    fprintf(to, "%s", name);
    if (vm_usage_text(io->usage))
        fprintf(to, " (%s%u)", vm_usage_text(io->usage), io->index);
}

static int unknown(const char *command, const struct vm_info *info, const char *name)
{
    fflush(stdout);
    fprintf(stderr, "novem %s: the shader has no input %s; it reads ", command, name);
    for (unsigned i = 0; i < info->n_inputs; i++) {
        fprintf(stderr, "%s", i ? ", " : "");
        name_input(stderr, info, &info->input[i]);
    }
    fprintf(stderr, "%s\n", info->n_inputs ? "" : "none");
    return TOOL_ERROR;
}

int run_inputs_check(struct run_inputs *in, const char *command, const struct vm_info *info)
{
    in->rows = 1;
    for (unsigned i = 0; i < in->n; i++) {
        bool used = false;

        for (unsigned k = 0; k < info->n_inputs; k++)
            used |= is_input(info, &info->input[k], in->column[i].name);
        if (!used)
            return unknown(command, info, in->column[i].name);
        if (in->column[i].n > in->rows)
            in->rows = in->column[i].n;
    }
    if (in->quads && info->stage != VM_PIXEL)
        return tool_error(command, "quads and steps need a pixel shader");
    for (unsigned i = 0; i < info->n_inputs && !in->quiet; i++) {
        const struct vm_io *io = &info->input[i];

        if (column_of(in, info, io) || io->usage == VM_USAGE_VPOS || io->usage == VM_USAGE_VFACE)
            continue;
        fprintf(stderr, "novem %s: note: no --input for ", command);
        name_input(stderr, info, io);
        fprintf(stderr, ", so it is 0,0,0,1\n");
    }
    return TOOL_OK;
}

/* --- Lanes ------------------------------------------------------------------------------------ */

uint32_t run_inputs_lanes(const struct run_inputs *in)
{
    return in->quads ? in->rows * 4 : in->rows;
}

/* Value of an input without a column: vPos counts quads from the left, vFace is front, others are
 * 0, 0, 0, 1. */
static float default_value(const struct vm_io *io, uint32_t lane, unsigned c)
{
    if (io->usage == VM_USAGE_VPOS)
        return (float)(c ? lane >> 1 & 1 : lane / 4 * 2 + (lane & 1));
    if (io->usage == VM_USAGE_VFACE)
        return 1.0f;
    return c == 3 ? 1.0f : 0.0f;
}

static float value(const struct run_inputs *in, const struct run_column *column, uint32_t lane,
                   unsigned c)
{
    uint32_t row = in->quads ? lane / 4 : lane;
    const struct run_vector *v = &column->row[row < column->n ? row : column->n - 1];

    if (!in->quads)
        return v->x[c];
    return v->x[c] + (float)(lane & 1) * column->step[0].x[c] +
           (float)(lane >> 1 & 1) * column->step[1].x[c];
}

void run_inputs_fill(const struct run_inputs *in, const struct vm_info *info, uint32_t first,
                     float *slots)
{
    uint32_t last = run_inputs_lanes(in) - 1;

    for (unsigned i = 0; i < info->n_inputs; i++) {
        const struct vm_io *io = &info->input[i];
        const struct run_column *column = column_of(in, info, io);

        for (unsigned c = 0; c < 4; c++) {
            for (uint32_t l = 0; io->slot[c] >= 0 && l < VM_LANES; l++) {
                /* Lanes past the last copy the last lane. */
                uint32_t lane = first + l < last ? first + l : last;

                slots[io->slot[c] * VM_LANES + l] =
                    column ? value(in, column, lane, c) : default_value(io, lane, c);
            }
        }
    }
}

void run_inputs_fini(struct run_inputs *in)
{
    for (unsigned i = 0; i < in->n; i++)
        mem_free(in->column[i].row);
    mem_free(in->column);
    memset(in, 0, sizeof(*in));
}
