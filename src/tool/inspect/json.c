/* JSON output of a pixel's history.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "draw/draw.h"
#include "tool/inspect/history.h"
#include "tool/inspect/value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fprintf(out, "\\n");
        else if (c < 32)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* JSON has no infinities or NaNs. */
static void put_float(FILE *out, float x)
{
    if (isfinite(x))
        fprintf(out, "%.9g", (double)x);
    else
        fprintf(out, "\"%s\"", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

static void put_floats(FILE *out, const float *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        fprintf(out, i ? ", " : "[");
        put_float(out, x[i]);
    }
    fprintf(out, "]");
}

static void put_value(FILE *out, const struct inspect_value *value)
{
    if (!value->format) {
        fprintf(out, "null");
        return;
    }
    for (unsigned s = 0; s < value->samples; s++) {
        int stencil = inspect_value_stencil(value, s);

        fprintf(out, s ? ", {\"raw\": \"0x" : "[{\"raw\": \"0x");
        for (unsigned i = value->format->bytes; i-- > 0;)
            fprintf(out, "%02x", value->raw[s][i]);
        if (value->format->layout == TEX_LAYOUT_DEPTH) {
            fprintf(out, "\", \"depth\": ");
            put_float(out, value->rgba[s][0]);
        } else {
            fprintf(out, "\", \"rgba\": ");
            put_floats(out, value->rgba[s], 4);
        }
        if (stencil >= 0)
            fprintf(out, ", \"stencil\": %d", stencil);
        fprintf(out, "}");
    }
    fprintf(out, "]");
}

static void put_values(FILE *out, const char *name, const struct inspect_values *values)
{
    const char *separator = "";

    fprintf(out, "\"%s\": {", name);
    for (unsigned t = 0; t <= DRAW_TARGETS; t++) {
        if (!values->target[t].format)
            continue;
        fprintf(out, "%s\"%s\": ", separator, inspect_target_name(t));
        put_value(out, &values->target[t]);
        separator = ", ";
    }
    fprintf(out, "}");
}

static void put_primitive(FILE *out, const struct inspect_primitive *p)
{
    fprintf(out, "{\"primitive\": %" PRIu32 ", \"instance\": %" PRIu32 ", \"outcome\": ", p->number,
            p->instance);
    put_string(out, p->outcome);
    fprintf(out, ", \"tests\": [");
    for (unsigned i = 0; i < p->n_tests; i++)
        fprintf(out, "%s{\"test\": \"%s\", \"samples\": %" PRIu64 ", \"passed\": %" PRIu64 "}",
                i ? ", " : "", p->test[i].name, p->test[i].before, p->test[i].after);
    fprintf(out, "], \"shader\": ");
    if (p->has_output)
        put_floats(out, p->output, 4);
    else
        fprintf(out, "null");
    fprintf(out, ", ");
    put_values(out, "before", &p->before);
    fprintf(out, ", ");
    put_values(out, "after", &p->after);
    if (p->trace) {
        fprintf(out, ", \"trace\": ");
        put_string(out, p->trace);
    }
    fprintf(out, "}");
}

static void put_event(FILE *out, const struct inspect_event *e)
{
    fprintf(out, "{\"call\": %" PRIu64 ", \"name\": ", e->call);
    put_string(out, e->name);
    fprintf(out, ", \"what\": ");
    put_string(out, e->what);
    fprintf(out, ", \"target\": \"%s\", \"exact\": %s, ", inspect_target_name(e->target),
            e->exact ? "true" : "false");
    put_values(out, "before", &e->before);
    fprintf(out, ", ");
    put_values(out, "after", &e->after);
    if (e->source >= 0)
        fprintf(out, ", \"source\": %d", e->source);
    if (e->draw) {
        fprintf(out, ",\n   \"primitives\": [");
        for (unsigned i = 0; i < e->n_primitives; i++) {
            fprintf(out, i ? ",\n    " : "\n    ");
            put_primitive(out, &e->primitive[i]);
        }
        fprintf(out, "]");
    }
    fprintf(out, "}");
}

static void put_point(FILE *out, const struct inspect_history *h, unsigned n)
{
    const struct inspect_point *p = &h->point[n];
    const char *separator = "\n  ";

    fprintf(out,
            "{\"surface\": %" PRIu32 ", \"face\": %" PRIu32 ", \"level\": %" PRIu32
            ", \"x\": %" PRIu32 ", \"y\": %" PRIu32 ", \"end\": %" PRIu64 ", \"format\": ",
            p->image, p->face, p->level, p->x, p->y, p->end);
    put_string(out, p->start.format ? p->start.format->name : "");
    fprintf(out, ", \"start\": ");
    put_value(out, &p->start);
    fprintf(out, ", \"final\": ");
    put_value(out, &p->final);
    fprintf(out, ", \"events\": [");
    for (unsigned i = 0; i < h->n_events; i++) {
        if (h->event[i].point != n)
            continue;
        fprintf(out, "%s", separator);
        put_event(out, &h->event[i]);
        separator = ",\n  ";
    }
    fprintf(out, "]}");
}

void inspect_print_json(const struct inspect_history *h, FILE *out)
{
    fprintf(out, "{\"capture\": ");
    put_string(out, h->request->file);
    fprintf(out,
            ", \"width\": %" PRIu32 ", \"height\": %" PRIu32
            ", \"draws\": %u, \"exact\": %s, \"points\": [",
            h->width, h->height, h->draws, inspect_history_is_exact(h) ? "true" : "false");
    for (unsigned i = 0; i < h->n_points; i++) {
        fprintf(out, i ? ",\n " : "\n ");
        put_point(out, h, i);
    }
    fprintf(out, "]}\n");
}
