/* HTML output of a pixel's history.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "draw/draw.h"
#include "tool/inspect/history.h"
#include "tool/inspect/value.h"

#include <inttypes.h>

static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fprintf(out, "&lt;");
        else if (*text == '&')
            fprintf(out, "&amp;");
        else
            fputc(*text, out);
    }
}

static unsigned byte_of(float x)
{
    return x > 0.0f ? x < 1.0f ? (unsigned)(x * 255.0f + 0.5f) : 255 : 0;
}

static void put_value(FILE *out, const struct inspect_value *value)
{
    char text[INSPECT_TEXT];

    for (unsigned s = 0; value->format && s < value->samples; s++) {
        const float *v = value->rgba[s];

        inspect_value_text(value, s, text);
        fprintf(out, "<div><i style='background:#%02x%02x%02x'></i>%s</div>", byte_of(v[0]),
                byte_of(v[1]), byte_of(v[2]), text);
    }
}

static void put_row(FILE *out, const struct inspect_event *e, const struct inspect_values *before,
                    const struct inspect_values *after)
{
    unsigned shown = inspect_values_shown(e, before, after);

    for (unsigned side = 0; side < 2; side++) {
        fprintf(out, "<td>");
        for (unsigned t = 0; t <= DRAW_TARGETS; t++)
            if (shown >> t & 1)
                put_value(out, side ? &after->target[t] : &before->target[t]);
        fprintf(out, "</td>");
    }
    fprintf(out, "</tr>\n");
}

static void put_primitive(FILE *out, const struct inspect_event *e,
                          const struct inspect_primitive *p)
{
    fprintf(out, "<tr class=p><td></td><td>primitive %" PRIu32, p->number);
    if (p->instance)
        fprintf(out, ", instance %" PRIu32, p->instance);
    fprintf(out, ": <b>%s</b><small>", p->outcome);
    for (unsigned i = 0; i < p->n_tests; i++)
        fprintf(out, " · %s %" PRIu64 "/%" PRIu64, p->test[i].name, p->test[i].after,
                p->test[i].before);
    fprintf(out, "</small>");
    if (p->trace) {
        fprintf(out, "<details><summary>shaders</summary><pre>");
        put_text(out, p->trace);
        fprintf(out, "</pre></details>");
    }
    fprintf(out, "</td>");
    put_row(out, e, &p->before, &p->after);
}

static void put_event(FILE *out, const struct inspect_event *e)
{
    fprintf(out, "<tr><td>%" PRIu64 "</td><td>", e->call);
    put_text(out, e->name);
    fprintf(out, ": ");
    put_text(out, e->what);
    if (e->source >= 0)
        fprintf(out, " (point %d)", e->source);
    fprintf(out, "</td>");
    put_row(out, e, &e->before, &e->after);
    for (unsigned i = 0; i < e->n_primitives; i++)
        put_primitive(out, e, &e->primitive[i]);
}

static void put_point(FILE *out, const struct inspect_history *h, unsigned n)
{
    const struct inspect_point *p = &h->point[n];

    fprintf(out, "<h2>Point %u: pixel %" PRIu32 ",%" PRIu32 " of surface %" PRIu32 "</h2>\n", n,
            p->x, p->y, p->image);
    fprintf(out, "<table><tr><th>call<th>what<th>before<th>after</tr>\n");
    for (unsigned i = 0; i < h->n_events; i++)
        if (h->event[i].point == n)
            put_event(out, &h->event[i]);
    fprintf(out, "</table>\n<p>At the end:</p>");
    put_value(out, &p->final);
}

void inspect_print_page(const struct inspect_history *h, FILE *out)
{
    fprintf(
        out,
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width'><title>Pixel</title>\n"
        "<style>body{font:14px sans-serif;overflow-wrap:anywhere}pre{overflow:auto}"
        "@media(max-width:600px){td,th,tr{display:block}}td,th{vertical-align:top;text-align:left;"
        "padding:2px 12px 2px 0}table{border-collapse:collapse}tr{border-top:1px solid "
        "#ccc}tr.p{border:0}i{display:inline-block;width:1em;height:1em;margin-right:.4em;"
        "border:1px solid #888}small{color:#555}td div{font-family:monospace}</style>\n"
        "</head><body>\n<h1>");
    put_text(out, h->request->file);
    fprintf(out, "</h1>\n");
    for (unsigned i = 0; i < h->n_points; i++)
        put_point(out, h, i);
    fprintf(out, "</body></html>\n");
}
