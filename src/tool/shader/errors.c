/* Errors of a shader's file: prints the first ones with their lines, and counts the others.
 *
 * Tested by tests/unit/tool/shader/test_shader.c. */
#include "tool/shader/shader.h"

#include "util/plural.h"

static bool is_shown(struct tool_errors *errors)
{
    return errors->n++ < TOOL_ERRORS_SHOWN;
}

/* The name of an included file precedes its line. */
static bool names_file(const char *text)
{
    return *text < '0' || *text > '9';
}

void tool_errors_text(struct tool_errors *errors, const struct vm_error *error)
{
    bool named = names_file(error->text);

    if (is_shown(errors))
        tool_error(errors->command, "%s%s%s", named ? "" : errors->file, named ? "" : ":",
                   error->text);
}

void tool_errors_word(struct tool_errors *errors, const struct vm_error *error)
{
    const char *command = errors->command, *file = errors->file;
    struct vm_line line;

    if (!is_shown(errors))
        return;
    if (!errors->lines || !vm_lines_find(errors->lines, error->token, &line))
        tool_error(command, "%s: word %zu: %s", file, error->token, error->text);
    else if (line.column)
        tool_error(command, "%s:%u:%u: %s", line.file ? line.file : file, line.line, line.column,
                   error->text);
    else /* of the source of a compiler */
        tool_error(command, "%s: word %zu (%s:%u): %s", file, error->token,
                   line.file ? line.file : "line", line.line, error->text);
}

int tool_errors_end(const struct tool_errors *errors)
{
    unsigned more = errors->n > TOOL_ERRORS_SHOWN ? errors->n - TOOL_ERRORS_SHOWN : 0;

    if (more)
        tool_error(errors->command, "%s: and " PLURAL_FORMAT, errors->file,
                   PLURAL(more, "more error", "more errors"));
    return errors->n ? TOOL_ERROR : TOOL_OK;
}
