/* Reader of dx9mt frame files: translates each frame to the Direct3D 9 calls that draw it. */
#include "trace/dx9mt/dx9mt.h"
#include "trace/dx9mt/dx9mt_private.h"

#include "util/alloc.h"

#include <string.h>

static struct dx9mt *of(struct trace_reader *base)
{
    return (struct dx9mt *)base;
}

static bool recognise(const uint8_t *first, size_t n)
{
    return n >= 4 && !memcmp(first, "\x01\x90\xad\xde", 4);
}

static void start(struct trace_reader *base)
{
    if (!base->in.plain)
        container_fail(&base->in, ST_UNSUPPORTED, "a compressed dx9mt frame; decompress it first");
    decoder_init(&of(base)->decoder);
}

static void finish(struct trace_reader *base)
{
    struct dx9mt *d = of(base);

    decoder_fini(&d->decoder);
    dx9mt_objects_fini(d);
    mem_free(d->bytes);
    mem_free(d->calls);
}

/* A truncated frame is presented after its last complete draw. */
static void next_draw(struct dx9mt *d)
{
    struct dx9mt_draw draw;

    if (d->draw >= d->header.draw_count || !dx9mt_read_draw(d, d->draw, &draw)) {
        dx9mt_present_frame(d);
        d->step = DX9MT_PRESENT;
        return;
    }
    dx9mt_draw(d, &draw);
    d->draw++;
}

/* Enqueues calls or sets an error; does nothing in state DX9MT_DONE. */
static void next_step(struct dx9mt *d)
{
    switch (d->step) {
    case DX9MT_FRAME:
        if (!dx9mt_read_frame(d))
            return;
        dx9mt_begin_frame(d);
        d->step = DX9MT_DRAWS;
        break;
    case DX9MT_DRAWS:
        next_draw(d);
        break;
    case DX9MT_PRESENT:
        if (d->cut.status != ST_OK)
            container_fail_with(&d->base.in, &d->cut);
        d->step = d->base.follow ? DX9MT_FRAME : DX9MT_DONE;
        break;
    case DX9MT_DONE:
        break;
    }
}

static enum status next(struct trace_reader *base, const struct trace_call **out)
{
    struct dx9mt *d = of(base);

    for (;;) {
        if (dx9mt_take_call(d, out) != ST_OK)
            container_fail(&base->in, ST_NOMEM, "%s", status_text(ST_NOMEM));
        if (*out)
            return ST_OK;
        if (base->in.failed)
            return base->in.error.status;
        if (d->step == DX9MT_DONE)
            return ST_OK;
        next_step(d);
    }
}

const struct trace_format dx9mt_format = {
    "dx9mt frame", sizeof(struct dx9mt), recognise, start, next, finish,
};
