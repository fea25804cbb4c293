/* Builds uncertainty masks: renders all variants and accumulates the range of values and the
 * classes of each pixel.
 *
 * Tested by tests/unit/tool/mask/test_mask.c. */
#include "tool/image/image.h"
#include "tool/mask/mask.h"
#include "util/alloc.h"
#include "util/variant.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VARIANTS_MAX = 64 };

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
    memset(mask, 0, sizeof(*mask));
}

/* Takes ownership of the picture. */
static enum status mask_init(struct mask *mask, struct tool_image *picture)
{
    enum status st;

    memset(mask, 0, sizeof(*mask));
    mask->reference = *picture;
    memset(picture, 0, sizeof(*picture));
    mask->classes = mem_calloc((size_t)mask->reference.width * mask->reference.height, 1);
    st = mask->classes ? image_copy(&mask->low, &mask->reference) : ST_NOMEM;
    if (st == ST_OK)
        st = image_copy(&mask->high, &mask->reference);
    if (st != ST_OK)
        mask_fini(mask);
    return st;
}

static void add_pixel(struct mask *mask, size_t i, const uint8_t *rgba, uint8_t class)
{
    uint8_t *low = mask->low.rgba + 4 * i, *high = mask->high.rgba + 4 * i;

    if (memcmp(mask->reference.rgba + 4 * i, rgba, 4))
        mask->classes[i] |= class;
    for (unsigned c = 0; c < 4; c++) {
        low[c] = rgba[c] < low[c] ? rgba[c] : low[c];
        high[c] = rgba[c] > high[c] ? rgba[c] : high[c];
    }
}

/* A picture of another size makes every pixel uncertain: the program chose the size by what it had
 * rendered. */
static void add_picture(struct mask *mask, const struct tool_image *picture, uint8_t class)
{
    const struct tool_image *reference = &mask->reference;
    size_t n = (size_t)reference->width * reference->height;
    bool alike = picture->width == reference->width && picture->height == reference->height;

    for (size_t i = 0; i < n; i++) {
        if (alike)
            add_pixel(mask, i, picture->rgba + 4 * i, class);
        else
            mask->classes[i] |= class;
    }
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
    struct tool_image picture;
    uint64_t frame;

    for (unsigned i = 0; i < m->made; i++) {
        if (mask_stream_next(stream, &frame, &picture) != MASK_PICTURE)
            return failed(m, variant->name, stream);
        add_picture(&m->masks[i], &picture, variant->class);
        tool_image_fini(&picture);
    }
    return ST_OK;
}

static unsigned select_variants(const struct mask_build *m,
                                const struct variant *selected[VARIANTS_MAX])
{
    const char *prefix = m->input->variants ? m->input->variants : "";
    unsigned n = 0;

    for (unsigned i = 0; i < variant_count() && n < VARIANTS_MAX; i++)
        if (!strncmp(variant_get(i)->name, prefix, strlen(prefix)))
            selected[n++] = variant_get(i);
    return n;
}

/* Renders `jobs` variants concurrently and adds their pictures in turn. */
static enum status take_variants(struct mask_build *m)
{
    const struct variant *selected[VARIANTS_MAX];
    struct mask_stream *stream[VARIANTS_MAX] = {NULL};
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
