/* RESZ: copies (resolves) the depth buffer into the texture of sampler 0 (reference: copy/resz).
 * Tested by tests/conformance/copy and tests/conformance/multisample. */
#include "api/set/depth_copy.h"

#include "api/memory/memory.h"
#include "api/state/state.h"
#include "cmd/cmd.h"
#include "util/log.h"

HRESULT api_copy_depth(struct device *d)
{
    struct surface *src = d->depth;
    struct texture *texture = d->state->texture[0];
    struct surface *dst = texture ? &texture->sub[0] : NULL;
    struct cmd_copy copy = {0};

    if (!src || !dst || texture->shape != TEX_2D || !(texture->usage & D3DUSAGE_DEPTHSTENCIL) ||
        src->image == dst->image)
        return D3D_OK;
    if (!tex_same_depth(src->format, dst->format) || src->width != dst->width ||
        src->height != dst->height) {
        log_once("api", "RESZ", "RESZ requires equal sizes and depth formats");
        return D3D_OK;
    }
    if (src->altered || dst->altered) {
        struct cmd_stretch stretch = {.dst = surface_ref(dst),
                                      .src = surface_ref(src),
                                      .dst_box = api_whole_stored_box(dst),
                                      .src_box = api_whole_stored_box(src),
                                      .filter = D3DTEXF_POINT};

        return api_hresult(cmd_emit_stretch(d->stream, &stretch, NULL, 0));
    }
    copy.dst = surface_ref(dst);
    copy.src = surface_ref(src);
    copy.box = (struct cmd_box){0, 0, 0, src->width, src->height, 1};
    return api_hresult(cmd_emit_copy(d->stream, &copy, NULL, 0));
}
