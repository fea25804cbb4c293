/* Builds uncertainty masks: renders all variants and accumulates the range of values and the
 * classes of each pixel.
 *
 * Tested by tests/unit/tool/mask/test_mask.c. */
#include "tool/image/image.h"
#include "tool/mask/mask.h"
#include "util/alloc.h"
#include "util/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status image_copy(struct tool_image *out, const struct tool_image *from)
{
    enum status st = tool_image_create(out, from->width, from->height);

    if (st == ST_OK)
        memcpy(out->rgba, from->rgba, (size_t)from->width * from->height * 4);
    return st;
}

void mask_fini(struct mask *mask)
{
    tool_image_fini(&mask->reference);
    tool_image_fini(&mask->low);
    tool_image_fini(&mask->high);
    mem_free(mask->classes);
    mem_free(mask->members);
    mem_free(mask->why);
    memset(mask, 0, sizeof(*mask));
}

/* Takes ownership of the picture. */
static enum status mask_init(struct mask *mask, struct tool_image *picture)
{
    enum status st;
    size_t n;

    memset(mask, 0, sizeof(*mask));
    mask->reference = *picture;
    memset(picture, 0, sizeof(*picture));
    n = (size_t)mask->reference.width * mask->reference.height;
    mask->classes = mem_calloc(n, 1);
    mask->members = mem_calloc(n, sizeof(*mask->members));
    mask->why = mem_calloc(MASK_VARIANTS, sizeof(*mask->why));
    st = mask->classes && mask->members && mask->why ? image_copy(&mask->low, &mask->reference)
                                                     : ST_NOMEM;
    if (st == ST_OK)
        st = image_copy(&mask->high, &mask->reference);
    if (st != ST_OK)
        mask_fini(mask);
    return st;
}

/* What a picture adds to a mask. */
struct addition {
    struct mask *mask;
    uint64_t member;
    uint8_t class;
    unsigned tolerance;
};

static void add_pixel(const struct addition *a, size_t i, const uint8_t *rgba)
{
    const uint8_t *reference = a->mask->reference.rgba + 4 * i;
    uint8_t *low = a->mask->low.rgba + 4 * i, *high = a->mask->high.rgba + 4 * i;
    unsigned most = 0;

    if (!memcmp(reference, rgba, 4))
        return;
    a->mask->classes[i] |= a->class;
    for (unsigned c = 0; c < 4; c++) {
        unsigned d = (unsigned)abs(rgba[c] - reference[c]);

        most = d > most ? d : most;
        low[c] = rgba[c] < low[c] ? rgba[c] : low[c];
        high[c] = rgba[c] > high[c] ? rgba[c] : high[c];
    }
    if (most > a->tolerance)
        a->mask->members[i] |= a->member;
}

/* A picture of another size makes every pixel uncertain: the program chose the size by what it had
 * rendered. */
static void add_picture(const struct addition *a, const struct tool_image *picture)
{
    const struct tool_image *reference = &a->mask->reference;
    size_t n = (size_t)reference->width * reference->height;
    bool alike = picture->width == reference->width && picture->height == reference->height;

    for (size_t i = 0; i < n; i++) {
        if (alike) {
            add_pixel(a, i, picture->rgba + 4 * i);
            continue;
        }
        a->mask->classes[i] |= a->class;
        a->mask->members[i] |= a->member;
    }
    a->mask->used |= a->member;
}

/* Keeps the colour of the pixel that the user asks about. */
static void keep_colour(const struct mask_input *input, struct mask *mask, unsigned variant,
                        const struct tool_image *picture)
{
    const unsigned *at = input->why;

    if (at[0] < picture->width && at[1] < picture->height)
        memcpy(mask->why[variant], picture->rgba + 4 * ((size_t)at[1] * picture->width + at[0]), 4);
}

/* --- Streams ---------------------------------------------------------------------------------- */

struct mask_build {
    const struct mask_input *input;
    struct mask *masks;
    unsigned n, made;
    char *message;
};

/* who NULL: the reference. */
static enum status failed(struct mask_build *m, const char *who, const struct mask_stream *stream)
{
    const char *reason = mask_stream_reason(stream);

    if (!who && *reason)
        snprintf(m->message, MASK_MESSAGE, "%s", reason);
    else
        snprintf(m->message, MASK_MESSAGE, "%s: %s has no picture of it%s%s", m->input->file,
                 who ? who : "the reference", *reason ? ": " : "", reason);
    return ST_INVALID;
}

static enum status take_reference(struct mask_build *m)
{
    struct mask_stream *stream;
    struct tool_image picture;
    enum mask_next next = MASK_END;
    uint64_t frame;
    enum status st = mask_stream_open(&stream, m->input, NULL);

    while (st == ST_OK && m->made < m->n &&
           (next = mask_stream_next(stream, &frame, &picture)) == MASK_PICTURE) {
        st = mask_init(&m->masks[m->made], &picture);
        m->made += st == ST_OK;
        tool_image_fini(&picture);
    }
    if (st == ST_OK && (next == MASK_BROKEN || !m->made))
        st = failed(m, NULL, stream);
    mask_stream_close(stream);
    return st;
}

static enum status take_variant(struct mask_build *m, struct mask_stream *stream,
                                const struct variant *variant)
{
    unsigned index = (unsigned)(variant - variant_get(0));
    struct tool_image picture;
    uint64_t frame;

    for (unsigned i = 0; i < m->made; i++) {
        if (mask_stream_next(stream, &frame, &picture) != MASK_PICTURE)
            return failed(m, variant->name, stream);
        add_picture(&(struct addition){&m->masks[i], UINT64_C(1) << index, variant->class,
                                       m->input->tolerance},
                    &picture);
        keep_colour(m->input, &m->masks[i], index, &picture);
        tool_image_fini(&picture);
    }
    return ST_OK;
}

static unsigned select_variants(const struct mask_build *m,
                                const struct variant *selected[MASK_VARIANTS])
{
    const char *prefix = m->input->variants ? m->input->variants : "";
    unsigned n = 0;

    for (unsigned i = 0; i < variant_count() && n < MASK_VARIANTS; i++)
        if (!strncmp(variant_get(i)->name, prefix, strlen(prefix)))
            selected[n++] = variant_get(i);
    return n;
}

/* Renders `jobs` variants concurrently and adds their pictures in turn. */
static enum status take_variants(struct mask_build *m)
{
    const struct variant *selected[MASK_VARIANTS];
    struct mask_stream *stream[MASK_VARIANTS] = {NULL};
    unsigned n = select_variants(m, selected), started = 0;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = m->input->jobs ? m->input->jobs : processors > 0 ? (unsigned)processors : 1;
    enum status st = ST_OK;

    if (!n) {
        snprintf(m->message, MASK_MESSAGE, "no variant has a name that starts with '%s'",
                 m->input->variants);
        return ST_INVALID;
    }
    for (unsigned i = 0; i < n && st == ST_OK; i++) {
        for (; started < n && started < i + jobs && st == ST_OK; started++)
            st = mask_stream_open(&stream[started], m->input, selected[started]);
        if (st == ST_OK)
            st = take_variant(m, stream[i], selected[i]);
        mask_stream_close(stream[i]);
        stream[i] = NULL;
    }
    for (unsigned i = 0; i < started; i++)
        mask_stream_close(stream[i]);
    return st;
}

enum status mask_make(const struct mask_input *input, struct mask *out, unsigned n, unsigned *made,
                      char message[MASK_MESSAGE])
{
    struct mask_build m = {.input = input, .masks = out, .n = n, .message = message};
    enum status st;

    memset(out, 0, n * sizeof(*out));
    snprintf(message, MASK_MESSAGE, "%s: out of memory", input->file);
    st = take_reference(&m);
    if (st == ST_OK)
        st = take_variants(&m);
    *made = st == ST_OK ? m.made : 0;
    for (unsigned i = 0; i < n && st != ST_OK; i++)
        mask_fini(&out[i]);
    return st;
}
