/* First pass over a compiled stream: what each of its resources is for.
 *
 * Tested by tests/unit/trace/calls/test_uses.c, tests/fuzz/trace/test_nvs.c and
 * tests/tool/retrace.sh. */
#include "trace/calls/calls.h"

#include "draw/draw.h"
#include "util/alloc.h"

#include <string.h>

/* Constants beyond those of hardware need software vertex processing. */
enum { HARDWARE_FLOATS = 256 };

struct copy {
    uint32_t dst, src; /* indices of resources */
};

/* The resource of each handle of a stream, as index + 1; 0: none. */
struct handles {
    uint32_t *resource, n;
};

struct pass {
    struct calls_uses *uses;
    struct handles handles[NVS_STREAMS];
    uint32_t stream[NVS_STREAMS]; /* index of the open stream + 1 */
    uint32_t room_resources, room_streams;
    struct copy *copies;
    uint32_t n_copies, room_copies;
};

/* Makes room for one more element. */
static bool grow(void **list, uint32_t n, uint32_t *room, size_t element)
{
    uint32_t want = n ? n * 2 : 64;
    void *more;

    if (n < *room)
        return true;
    more = mem_realloc(*list, want * element);
    if (!more)
        return false;
    *list = more;
    *room = want;
    return true;
}

static struct calls_resource_use *use_of(struct pass *pass, unsigned stream, uint32_t handle)
{
    const struct handles *h = &pass->handles[stream];

    return handle < h->n && h->resource[handle] ? &pass->uses->resource[h->resource[handle] - 1]
                                                : NULL;
}

static void add(struct pass *pass, unsigned stream, uint32_t handle, uint32_t use)
{
    struct calls_resource_use *r = use_of(pass, stream, handle);

    if (r)
        r->use |= use;
}

static struct calls_stream_use *stream_use(struct pass *pass, unsigned stream)
{
    return pass->stream[stream] ? &pass->uses->stream[pass->stream[stream] - 1] : NULL;
}

/* --- Records ---------------------------------------------------------------------------------- */

static enum status name_handle(struct pass *pass, unsigned stream, uint32_t handle)
{
    struct handles *h = &pass->handles[stream];
    uint32_t *more;

    if (handle >= h->n) {
        if (handle > h->n + 1)
            return ST_DAMAGED;
        more = mem_realloc(h->resource, (h->n * 2 + 4) * sizeof(*more));
        if (!more)
            return ST_NOMEM;
        memset(more + h->n, 0, (h->n * 2 + 4 - h->n) * sizeof(*more));
        h->resource = more;
        h->n = h->n * 2 + 4;
    }
    h->resource[handle] = pass->uses->n_resources;
    return ST_OK;
}

static enum status create(struct pass *pass, const struct nvs_record *record)
{
    const struct nvs_create_image *p = (const void *)record->packet;
    const struct nvs_create_shader *shader = (const void *)record->packet;
    struct calls_stream_use *stream = stream_use(pass, record->head.stream);
    struct calls_resource_use use = {0};

    if (record->head.op == NVS_CREATE_IMAGE)
        use = (struct calls_resource_use){p->samples > 1 ? USED_DRAWN : 0, p->width, p->height};
    if (record->head.op == NVS_CREATE_SHADER && shader->software && stream)
        stream->software = true;
    if (!grow((void **)&pass->uses->resource, pass->uses->n_resources, &pass->room_resources,
              sizeof(use)))
        return ST_NOMEM;
    pass->uses->resource[pass->uses->n_resources++] = use;
    return name_handle(pass, record->head.stream, p->handle);
}

static enum status open(struct pass *pass, unsigned stream)
{
    struct calls_uses *uses = pass->uses;

    if (!grow((void **)&uses->stream, uses->n_streams, &pass->room_streams, sizeof(*uses->stream)))
        return ST_NOMEM;
    uses->stream[uses->n_streams++] = (struct calls_stream_use){0};
    pass->stream[stream] = uses->n_streams;
    if (pass->handles[stream].n)
        memset(pass->handles[stream].resource, 0,
               pass->handles[stream].n * sizeof(*pass->handles[stream].resource));
    return ST_OK;
}

static enum status copy(struct pass *pass, unsigned stream, const struct cmd_copy *p)
{
    const struct calls_resource_use *dst = use_of(pass, stream, p->dst.image);
    const struct calls_resource_use *src = use_of(pass, stream, p->src.image);

    if (!dst || !src)
        return ST_OK;
    if (!grow((void **)&pass->copies, pass->n_copies, &pass->room_copies, sizeof(*pass->copies)))
        return ST_NOMEM;
    pass->copies[pass->n_copies++] = (struct copy){(uint32_t)(dst - pass->uses->resource),
                                                   (uint32_t)(src - pass->uses->resource)};
    return ST_OK;
}

static void show(struct pass *pass, unsigned stream, const struct nvs_moment *p)
{
    const struct calls_resource_use *image = use_of(pass, stream, p->image);
    struct calls_stream_use *use = stream_use(pass, stream);

    add(pass, stream, p->image, USED_DRAWN);
    if (!image || !use)
        return;
    use->width = image->width > use->width ? image->width : use->width;
    use->height = image->height > use->height ? image->height : use->height;
}

static void need_software(struct pass *pass, unsigned stream, bool needed)
{
    struct calls_stream_use *use = stream_use(pass, stream);

    if (use && needed)
        use->software = true;
}

static void need_reference(struct pass *pass, unsigned stream, bool needed)
{
    struct calls_stream_use *use = stream_use(pass, stream);

    if (use && needed)
        use->reference = true;
}

/* Whether only a reference device emits the render state with this value. */
static bool is_of_reference(uint32_t state, uint32_t value)
{
    switch (state) {
    case D3DRS_ZENABLE:
        return value == D3DZB_USEW;
    case D3DRS_DITHERENABLE:
        return value == DRAW_DITHERS;
    case D3DRS_SRCBLEND:
    case D3DRS_DESTBLEND:
    case D3DRS_SRCBLENDALPHA:
    case D3DRS_DESTBLENDALPHA:
        return draw_is_second_colour(value);
    default:
        return false;
    }
}

/* The same of sampler states. */
static bool is_filter_of_reference(uint32_t state, uint32_t value)
{
    return (state == D3DSAMP_MAGFILTER || state == D3DSAMP_MINFILTER) &&
           (value == D3DTEXF_PYRAMIDALQUAD || value == D3DTEXF_GAUSSIANQUAD);
}

static enum status note(struct pass *pass, const struct nvs_record *record)
{
    unsigned s = record->head.stream;
    const union {
        struct cmd_set_render_state state;
        struct cmd_set_sampler_state sampler;
        struct cmd_set_target target;
        struct cmd_set_texture texture;
        struct cmd_set_stream stream;
        struct cmd_set_indices indices;
        struct cmd_set_constants constants;
        struct cmd_set_software software;
        struct cmd_process_vertices process;
        struct cmd_copy copy;
        struct cmd_stretch stretch;
        struct cmd_fill fill;
        struct cmd_generate_mips mips;
        struct nvs_moment moment;
    } *p = (const void *)record->packet;

    switch (record->head.op) {
    case CMD_SET_RENDER_STATE:
        need_reference(pass, s, is_of_reference(p->state.state, p->state.value));
        break;
    case CMD_SET_SAMPLER_STATE:
        need_reference(pass, s, is_filter_of_reference(p->sampler.state, p->sampler.value));
        break;
    case CMD_SET_TARGET:
        add(pass, s, p->target.surface.image,
            p->target.index == CMD_DEPTH_TARGET ? USED_DRAWN | USED_DEPTH : USED_DRAWN);
        break;
    case CMD_SET_TEXTURE:
        add(pass, s, p->texture.image, USED_TEXTURE);
        break;
    case CMD_SET_STREAM:
        add(pass, s, p->stream.buffer, USED_VERTICES);
        break;
    case CMD_SET_INDICES:
        add(pass, s, p->indices.buffer,
            p->indices.index_bytes == 4 ? USED_INDICES_32 : USED_INDICES);
        break;
    case CMD_SET_CONSTANTS:
        need_software(pass, s,
                      !p->constants.pixel && p->constants.kind == CMD_FLOATS &&
                          p->constants.start + p->constants.count > HARDWARE_FLOATS);
        break;
    case CMD_SET_SOFTWARE:
        need_software(pass, s, p->software.on);
        break;
    case CMD_SET_NPATCH: /* devices that offer no N-patches do not emit it */
    case CMD_DRAW_PATCH:
        need_reference(pass, s, true);
        break;
    case CMD_PROCESS_VERTICES:
        add(pass, s, p->process.dst_buffer, USED_VERTICES);
        need_software(pass, s, true);
        break;
    case CMD_COPY:
        return copy(pass, s, &p->copy);
    case CMD_STRETCH:
        add(pass, s, p->stretch.dst.image, USED_DRAWN);
        add(pass, s, p->stretch.src.image, USED_DRAWN);
        break;
    case CMD_FILL:
        add(pass, s, p->fill.dst.image, USED_DRAWN);
        break;
    case CMD_GENERATE_MIPS:
        add(pass, s, p->mips.image, USED_MIPS);
        break;
    case NVS_MOMENT:
        show(pass, s, &p->moment);
        break;
    case NVS_OPEN:
        return open(pass, s);
    case NVS_CREATE_IMAGE:
    case NVS_CREATE_BUFFER:
    case NVS_CREATE_SHADER:
    case NVS_CREATE_DECLARATION:
    case NVS_CREATE_QUERY:
        return create(pass, record);
    default:
        break;
    }
    return ST_OK;
}

/* What is copied from a drawn image is out of the program's hands, too. */
static void follow_copies(struct pass *pass)
{
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t i = 0; i < pass->n_copies; i++) {
            uint32_t *dst = &pass->uses->resource[pass->copies[i].dst].use;
            uint32_t src = pass->uses->resource[pass->copies[i].src].use;

            if ((src & USED_DRAWN) & ~*dst) {
                *dst |= USED_DRAWN;
                more = true;
            }
        }
    }
}

enum status calls_find_uses(struct nvs_reader *reader, struct calls_uses *out)
{
    struct pass *pass = mem_calloc(1, sizeof(*pass));
    struct nvs_record *record = mem_calloc(1, sizeof(*record));
    enum status st = ST_NOMEM;

    *out = (struct calls_uses){0};
    if (pass && record) {
        pass->uses = out;
        while ((st = nvs_reader_next(reader, record)) == ST_OK)
            if ((st = note(pass, record)) != ST_OK)
                break;
        follow_copies(pass);
        for (unsigned i = 0; i < NVS_STREAMS; i++)
            mem_free(pass->handles[i].resource);
        mem_free(pass->copies);
    }
    mem_free(record);
    mem_free(pass);
    return st == ST_NOTFOUND || st == ST_DAMAGED ? ST_OK : st;
}

void calls_free_uses(struct calls_uses *uses)
{
    mem_free(uses->resource);
    mem_free(uses->stream);
    *uses = (struct calls_uses){0};
}
