/* Software vertex processing and clip status. */
#include "api/com/device_methods.h"
#include "api/set/set.h"
#include "api/state/state.h"
#include "cmd/cmd.h"

/* Draws with software vertex processing update it (reference: vertices/clip-status). */
HRESULT api_set_clip_status(struct device *d, const D3DCLIPSTATUS9 *status)
{
    struct cmd_set_clip_status packet = {status->ClipUnion, status->ClipIntersection};

    return api_hresult(cmd_emit_set_clip_status(d->stream, &packet, NULL, 0));
}

HRESULT WINAPI device_SetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface, BOOL software)
{
    ENTER(d, iface);
    struct cmd_set_software packet = {software != FALSE};
    enum status st;

    if (!(d->creation.BehaviorFlags & D3DCREATE_MIXED_VERTEXPROCESSING))
        return d->software == (software != FALSE) ? D3D_OK : D3DERR_INVALIDCALL;
    d->software = software != FALSE;
    st = cmd_emit_set_software(d->stream, &packet, NULL, 0);
    if (st != ST_OK)
        return api_hresult(st);
    return d->shader_refused ? api_emit_slot(d, SLOT_VERTEX_SHADER) : D3D_OK;
}

BOOL WINAPI device_GetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    return d->software;
}

HRESULT WINAPI device_SetClipStatus(IDirect3DDevice9Ex *iface, const D3DCLIPSTATUS9 *status)
{
    ENTER(d, iface);

    if (!status)
        return D3DERR_INVALIDCALL;
    return api_set_clip_status(d, status);
}

HRESULT WINAPI device_GetClipStatus(IDirect3DDevice9Ex *iface, D3DCLIPSTATUS9 *status)
{
    ENTER(d, iface);

    if (!status)
        return D3DERR_INVALIDCALL;
    *status = cmd_clip_status(d->stream);
    return D3D_OK;
}
