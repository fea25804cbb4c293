/* Texture palettes of the device.
 * Tested by tests/conformance/format. */
#include "api/set/palette.h"

#include "api/com/device_methods.h"
#include "api/set/write.h"
#include "api/state/state.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

#include <string.h>

enum { MAX_PALETTES = 65536 };

struct palette {
    PALETTEENTRY entry[256];
};

static struct palette *palette_get(struct device *d, UINT index)
{
    if (index >= d->n_palettes) {
        unsigned room = d->n_palettes ? d->n_palettes : 16;
        struct palette **grown;

        while (room <= index)
            room *= 2;
        grown = mem_realloc(d->palettes, room * sizeof(*grown));
        if (!grown)
            return NULL;
        memset(grown + d->n_palettes, 0, (room - d->n_palettes) * sizeof(*grown));
        d->palettes = grown;
        d->n_palettes = room;
    }
    if (!d->palettes[index])
        d->palettes[index] = mem_calloc(1, sizeof(struct palette));
    return d->palettes[index];
}

HRESULT WINAPI device_SetPaletteEntries(IDirect3DDevice9Ex *iface, UINT index,
                                        const PALETTEENTRY *entries)
{
    ENTER(d, iface);
    struct palette *palette;

    if (index >= MAX_PALETTES || !entries)
        return D3DERR_INVALIDCALL;
    for (unsigned i = 0; i < 256 && !(d->caps.TextureCaps & D3DPTEXTURECAPS_ALPHAPALETTE); i++)
        if (entries[i].peFlags != 0xff)
            return D3DERR_INVALIDCALL;
    palette = palette_get(d, index);
    if (!palette)
        return E_OUTOFMEMORY;
    memcpy(palette->entry, entries, sizeof(palette->entry));
    if (index == d->state->palette)
        d->palette_dirty = true;
    return D3D_OK;
}

HRESULT WINAPI device_GetPaletteEntries(IDirect3DDevice9Ex *iface, UINT index,
                                        PALETTEENTRY *entries)
{
    ENTER(d, iface);

    if (!entries || index >= d->n_palettes || !d->palettes[index])
        return D3DERR_INVALIDCALL;
    memcpy(entries, d->palettes[index]->entry, sizeof(d->palettes[index]->entry));
    return D3D_OK;
}

HRESULT WINAPI device_SetCurrentTexturePalette(IDirect3DDevice9Ex *iface, UINT index)
{
    ENTER(d, iface);
    struct state *s;

    if (index >= MAX_PALETTES)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_PALETTE);
    s->palette = index;
    if (s == d->state)
        d->palette_dirty = true;
    return D3D_OK;
}

HRESULT WINAPI device_GetCurrentTexturePalette(IDirect3DDevice9Ex *iface, UINT *index)
{
    ENTER(d, iface);

    if (!index)
        return D3DERR_INVALIDCALL;
    *index = d->state->palette;
    return D3D_OK;
}

void api_free_palettes(struct device *d)
{
    for (unsigned i = 0; i < d->n_palettes; i++)
        mem_free(d->palettes[i]);
    mem_free(d->palettes);
}

enum status api_emit_palette(struct device *d)
{
    UINT current = d->state->palette;
    const struct palette *palette = current < d->n_palettes ? d->palettes[current] : NULL;
    struct cmd_set_palette packet;

    for (unsigned i = 0; i < 256; i++) {
        const PALETTEENTRY white = {255, 255, 255, 255};
        const PALETTEENTRY *e = palette ? &palette->entry[i] : &white;
        packet.colour[i] = D3DCOLOR_ARGB(e->peFlags, e->peRed, e->peGreen, e->peBlue);
    }
    return cmd_emit_set_palette(d->stream, &packet, NULL, 0);
}
