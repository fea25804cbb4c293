/* What the renderer needs before it samples a texture: user memory, uploads, generated mip levels.
 * Tested by tests/unit/api/memory/test_managed_model.c and
 * tests/unit/api/memory/test_lock_layout.c. */
#include "api/com/device.h"
#include "api/memory/managed.h"
#include "api/memory/memory.h"
#include "cmd/cmd.h"

bool api_checks_before_draw(const struct texture *texture)
{
    return texture->generates || texture->sub[0].user_memory ||
           api_managed_has_device_copy(texture);
}

void api_set_mip_filter(struct texture *texture, D3DTEXTUREFILTERTYPE filter)
{
    if (texture->auto_filter != filter)
        texture->stale = true;
    texture->auto_filter = filter;
}

enum status api_generate_mips(struct texture *texture)
{
    struct cmd_generate_mips packet = {texture->image, texture->auto_filter};
    enum status st = ST_OK;

    if (texture->generates)
        st = cmd_emit_generate_mips(texture->base.device->stream, &packet, NULL, 0);
    if (texture->generates && st == ST_OK)
        texture->stale = false;
    return st;
}

enum status api_before_draw(struct texture *texture)
{
    enum status st;

    if (FAILED(api_before_read(&texture->sub[0])))
        return ST_NOMEM;
    st = api_managed_upload(texture);
    return st == ST_OK && texture->stale ? api_generate_mips(texture) : st;
}
