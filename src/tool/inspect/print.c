/* Text output of a pixel's history.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "draw/draw.h"
#include "tool/inspect/history.h"
#include "tool/inspect/value.h"
#include "util/plural.h"

#include <inttypes.h>
#include <string.h>

static void hex_text(const struct inspect_value *value, unsigned sample, char *out)
{
    out += sprintf(out, "0x");
    for (unsigned i = value->format->bytes; i-- > 0;)
        out += sprintf(out, "%02x", value->raw[sample][i]);
}

void inspect_value_text(const struct inspect_value *value, unsigned sample, char out[INSPECT_TEXT])
{
    const float *v = value->rgba[sample];
    char hex[2 * INSPECT_BYTES + 3];
    int stencil = inspect_value_stencil(value, sample);

    hex_text(value, sample, hex);
    if (value->format->layout != TEX_LAYOUT_DEPTH)
        snprintf(out, INSPECT_TEXT, "%s (%.6g, %.6g, %.6g, %.6g)", hex, (double)v[0], (double)v[1],
                 (double)v[2], (double)v[3]);
    else if (stencil >= 0)
        snprintf(out, INSPECT_TEXT, "%s (%.9g, stencil %d)", hex, (double)v[0], stencil);
    else
        snprintf(out, INSPECT_TEXT, "%s (%.9g)", hex, (double)v[0]);
}

const char *inspect_target_name(unsigned target)
{
    static const char *const names[] = {"colour", "colour 1", "colour 2", "colour 3", "depth"};

    return names[target];
}

unsigned inspect_values_shown(const struct inspect_event *event,
                              const struct inspect_values *before,
                              const struct inspect_values *after)
{
    unsigned shown = 0;

    for (unsigned t = 0; t <= DRAW_TARGETS; t++)
        if (before->target[t].format &&
            (t == event->target || !inspect_value_same(&before->target[t], &after->target[t])))
            shown |= 1u << t;
    return shown;
}

static void print_change(FILE *out, const char *indent, unsigned t,
                         const struct inspect_value *before, const struct inspect_value *after)
{
    char a[INSPECT_TEXT], b[INSPECT_TEXT];

    for (unsigned s = 0; s < before->samples; s++) {
        bool same = !memcmp(before->raw[s], after->raw[s], before->format->bytes);

        inspect_value_text(before, s, a);
        inspect_value_text(after, s, b);
        fprintf(out, "%s%s", indent, inspect_target_name(t));
        if (before->samples > 1)
            fprintf(out, ", sample %u", s);
        if (same)
            fprintf(out, "  %s, unchanged\n", a);
        else
            fprintf(out, "  %s -> %s\n", a, b);
    }
}

static void print_values(FILE *out, const char *indent, const struct inspect_event *event,
                         const struct inspect_values *before, const struct inspect_values *after)
{
    unsigned shown = inspect_values_shown(event, before, after);

    for (unsigned t = 0; t <= DRAW_TARGETS; t++)
        if (shown >> t & 1)
            print_change(out, indent, t, &before->target[t], &after->target[t]);
}

static void print_tests(FILE *out, const struct inspect_primitive *p)
{
    fprintf(out, "        ");
    for (unsigned i = 0; i < p->n_tests; i++) {
        const struct inspect_test *t = &p->test[i];

        fprintf(out, "%s%s", i ? ", " : "", t->name);
        if (!i && t->after > 1)
            fprintf(out, " of %" PRIu64 " samples", t->after);
        else if (!i)
            continue;
        else if (t->after == t->before)
            fprintf(out, " passed");
        else if (!t->after)
            fprintf(out, " FAILED");
        else
            fprintf(out, " left %" PRIu64 " of %" PRIu64, t->after, t->before);
    }
    fprintf(out, "\n");
}

static void print_trace(FILE *out, const char *text)
{
    while (*text) {
        int n = (int)strcspn(text, "\n");

        fprintf(out, "        | %.*s\n", n, text);
        text += n + (text[n] == '\n');
    }
}

static void print_primitive(FILE *out, const struct inspect_event *event,
                            const struct inspect_primitive *p)
{
    fprintf(out, "    primitive %" PRIu32, p->number);
    if (p->instance)
        fprintf(out, " of instance %" PRIu32, p->instance);
    fprintf(out, ": %s\n", p->outcome);
    print_tests(out, p);
    if (p->has_output)
        fprintf(out, "        shader gave (%.9g, %.9g, %.9g, %.9g)\n", (double)p->output[0],
                (double)p->output[1], (double)p->output[2], (double)p->output[3]);
    print_values(out, "        ", event, &p->before, &p->after);
    if (p->trace)
        print_trace(out, p->trace);
}

static void print_event(FILE *out, const struct inspect_event *e)
{
    fprintf(out, "call %" PRIu64 " %s: %s\n", e->call, e->name, e->what);
    for (unsigned i = 0; i < e->n_primitives; i++)
        print_primitive(out, e, &e->primitive[i]);
    if (!e->draw)
        print_values(out, "    ", e, &e->before, &e->after);
    if (!e->exact) {
        fprintf(out, "    the whole draw gives another result than its primitives one by one:\n");
        print_values(out, "    ", e, &e->before, &e->after);
    }
    if (e->source >= 0)
        fprintf(out, "    that pixel's history: point %d below\n", e->source);
}

static void print_point(FILE *out, const struct inspect_history *h, unsigned n)
{
    const struct inspect_point *p = &h->point[n];
    char text[INSPECT_TEXT];

    fprintf(out, "%spoint %u: pixel %" PRIu32 ",%" PRIu32 " of surface %" PRIu32, n ? "\n" : "", n,
            p->x, p->y, p->image);
    if (p->face || p->level)
        fprintf(out, " (face %" PRIu32 ", level %" PRIu32 ")", p->face, p->level);
    fprintf(out, ", %s", p->start.format ? p->start.format->name : "without pixels");
    fprintf(out, ", up to call %" PRIu64 "\n", p->end);
    if (!p->started || !p->start.format)
        return;
    inspect_value_text(&p->start, 0, text);
    fprintf(out, "at the start: %s\n", text);
    for (unsigned i = 0; i < h->n_events; i++)
        if (h->event[i].point == n)
            print_event(out, &h->event[i]);
    if (!p->ended)
        return;
    inspect_value_text(&p->final, 0, text);
    fprintf(out, "at the end: %s\n", text);
}

void inspect_print_text(const struct inspect_history *h, FILE *out)
{
    for (unsigned i = 0; i < h->n_points; i++)
        print_point(out, h, i);
    fprintf(out, "\n" PLURAL_FORMAT " to the surface in that time; values %s\n",
            PLURAL(h->draws, "draw", "draws"),
            inspect_history_is_exact(h) ? "add up" : "do NOT add up");
}
