/* Writers for values whose type or size depends on other arguments. args[0] is the object.
 *
 * Tested by tests/unit/trace/test_record.c. */
#include "record/call.h"

#include "tex/format.h"
#include "util/log.h"
#include "util/primitive.h"

static void put_blob(struct writer *w, uint64_t pointer, uint64_t bytes)
{
    if (pointer)
        writer_blob(w, record_pointer(pointer), (size_t)bytes);
    else
        writer_null(w);
}

/* --- States ----------------------------------------------------------------------------------- */

static void put_at(struct writer *w, struct record_type *type, uint64_t pointer)
{
    if (!pointer) {
        writer_null(w);
        return;
    }
    writer_array(w, 1);
    writer_value(w, type, record_pointer(pointer));
}

void record_put_render_state(struct writer *w, const uint64_t *args)
{
    writer_value(w, record_render_state((DWORD)args[1]), &args[2]);
}

void record_put_render_state_at(struct writer *w, const uint64_t *args)
{
    put_at(w, record_render_state((DWORD)args[1]), args[2]);
}

void record_put_stage_state(struct writer *w, const uint64_t *args)
{
    writer_value(w, record_stage_state((DWORD)args[2]), &args[3]);
}

void record_put_stage_state_at(struct writer *w, const uint64_t *args)
{
    put_at(w, record_stage_state((DWORD)args[2]), args[3]);
}

void record_put_sampler_state(struct writer *w, const uint64_t *args)
{
    writer_value(w, record_sampler_state((DWORD)args[2]), &args[3]);
}

void record_put_sampler_state_at(struct writer *w, const uint64_t *args)
{
    put_at(w, record_sampler_state((DWORD)args[2]), args[3]);
}

/* --- Draws with data -------------------------------------------------------------------------- */

void record_put_vertices(struct writer *w, const uint64_t *args)
{
    put_blob(w, args[3],
             primitive_vertices((D3DPRIMITIVETYPE)args[1], (uint32_t)args[2]) * (uint32_t)args[4]);
}

void record_put_indices(struct writer *w, const uint64_t *args)
{
    unsigned size = (D3DFORMAT)args[6] == D3DFMT_INDEX32 ? 4 : 2;

    put_blob(w, args[5], primitive_vertices((D3DPRIMITIVETYPE)args[1], (uint32_t)args[4]) * size);
}

/* The data start at vertex 0. */
void record_put_indexed_vertices(struct writer *w, const uint64_t *args)
{
    put_blob(w, args[7], ((uint64_t)(uint32_t)args[2] + (uint32_t)args[3]) * (uint32_t)args[8]);
}

/* --- Shaders and declarations ----------------------------------------------------------------- */

/* Counts bytes up to and including the end token. Comments, and instructions since model 2, contain
 * their length. */
static size_t shader_bytes(const DWORD *code)
{
    enum { END = 0x0000ffff, COMMENT = 0xfffe, MOST = 1 << 18 };
    bool sized = (code[0] >> 8 & 0xff) >= 2;
    size_t at = 1;

    while (at < MOST && code[at] != END) {
        DWORD token = code[at++];

        if ((token & 0xffff) == COMMENT)
            at += token >> 16 & 0x7fff;
        else if (sized && !(token & 0x80000000))
            at += token >> 24 & 0xf;
        else if (!sized && (token & 0xffff) == 0x51) /* def: constants may look like tokens */
            at += 5;
    }
    return (at + 1) * sizeof(*code);
}

void record_put_byte_code(struct writer *w, const uint64_t *args)
{
    const DWORD *code = record_pointer(args[1]);

    put_blob(w, args[1], code ? shader_bytes(code) : 0);
}

static void put_elements(struct writer *w, const D3DVERTEXELEMENT9 *elements, size_t n)
{
    writer_array(w, n);
    for (size_t i = 0; i < n; i++)
        writer_value(w, &record_D3DVERTEXELEMENT9, &elements[i]);
}

void record_put_elements(struct writer *w, const uint64_t *args)
{
    const D3DVERTEXELEMENT9 *elements = record_pointer(args[1]);
    size_t n = 0;

    if (!elements) {
        writer_null(w);
        return;
    }
    while (n < MAXD3DDECLLENGTH && elements[n].Stream != 0xff)
        n++;
    put_elements(w, elements, n + 1);
}

void record_put_declaration(struct writer *w, const uint64_t *args)
{
    const UINT *count = record_pointer(args[2]);

    if (args[1] && count)
        put_elements(w, record_pointer(args[1]), *count);
    else
        writer_null(w);
}

/* --- Other values ----------------------------------------------------------------------------- */

void record_put_answer(struct writer *w, const uint64_t *args)
{
    const IDirect3DQuery9Vtbl *real = record_real(RECORD_QUERY);
    IDirect3DQuery9 *query = record_pointer(args[0]);

    if (!args[1] || !args[2]) {
        writer_null(w);
        return;
    }
    switch (real->GetType(query)) {
    case D3DQUERYTYPE_EVENT:
    case D3DQUERYTYPE_TIMESTAMPDISJOINT:
        put_at(w, &record_boolean, args[1]);
        break;
    case D3DQUERYTYPE_OCCLUSION:
        put_at(w, &record_u32, args[1]);
        break;
    case D3DQUERYTYPE_TIMESTAMP:
    case D3DQUERYTYPE_TIMESTAMPFREQ:
        put_at(w, &record_u64, args[1]);
        break;
    default:
        put_blob(w, args[1], (uint32_t)args[2]);
    }
}

/* For D3DPOOL_SYSTEMMEM the handle is the address of application texels without padding. */
void record_put_shared_memory(struct writer *w, const uint64_t *args)
{
    const struct tex_format *f = tex_format_get((D3DFORMAT)args[5]);
    void *const *handle = record_pointer(args[8]);
    UINT width = (UINT)args[1], height = (UINT)args[2];

    if (!handle || (D3DPOOL)args[6] != D3DPOOL_SYSTEMMEM || !*handle || !f) {
        put_at(w, &record_handle, args[8]);
        return;
    }
    log_once("record", "user memory",
             "application memory of a texture is recorded when the texture is created and when it "
             "is locked; other writes are not recorded");
    writer_array(w, 1);
    writer_blob(w, *handle,
                (size_t)((width + f->block_w - 1) / f->block_w) * f->bytes *
                    tex_slice_rows(f, height));
}
