/* Queries that all readers share: the next call, the format, properties and progress.
 *
 * Tested by tests/unit/trace/apitrace/test_apitrace.c. */
#include "trace/reader/reader.h"

void trace_set_frames(struct trace_reader *r, bool as_viewer, bool follow)
{
    r->as_viewer = as_viewer;
    r->follow = follow;
}

enum status trace_next(struct trace_reader *r, const struct trace_call **out)
{
    *out = NULL;
    return r->format->next(r, out);
}

const struct trace_error *trace_reader_error(const struct trace_reader *r)
{
    return &r->in.error;
}

const char *trace_format_name(const struct trace_reader *r)
{
    return r->format->name;
}

unsigned trace_version(const struct trace_reader *r)
{
    return r->version;
}

const char *trace_container_name(const struct trace_reader *r)
{
    return r->in.name;
}

bool trace_property(const struct trace_reader *r, unsigned i, const char **name, const char **value)
{
    if (i >= r->property_count)
        return false;
    *name = r->properties[i].name;
    *value = r->properties[i].value;
    return true;
}

void trace_progress(const struct trace_reader *r, uint64_t *done, uint64_t *total)
{
    *done = r->in.consumed;
    *total = r->in.size;
}
