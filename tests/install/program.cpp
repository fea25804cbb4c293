/* A C++ program of somebody else: draws a triangle through methods, asks for interfaces by their
 * ids, and checks pixels. */
#include <d3d9.h>
#include <novem.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

/* Names that the library has inside must not collide. */
extern "C" int log_write(void)
{
    return 3;
}

static unsigned lines;

static void count(void *, int, const char *)
{
    lines++;
}

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    std::fprintf(stderr, "wrong: %s\n", what);
    std::exit(1);
}

int main()
{
    struct vertex {
        float x, y, z, w;
        D3DCOLOR colour;
    };
    static const vertex triangle[3] = {
        {-1, -1, 0, 1, 0xff00ff00}, {31, -1, 0, 1, 0xff00ff00}, {-1, 31, 0, 1, 0xff00ff00}};
    D3DPRESENT_PARAMETERS pp;
    IDirect3DDevice9 *device = NULL;
    IDirect3DSurface9 *target = NULL, *copy = NULL;
    IDirect3DResource9 *resource = NULL;
    D3DLOCKED_RECT locked;
    uint64_t first, second;

    novem_set_log(count, NULL);
    check(novem_set("THREADS", "2") == NOVEM_OK, "novem_set");
    check(novem_set("COLOUR", "red") == NOVEM_UNKNOWN_SETTING, "an unknown setting");
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    check(d3d != NULL, "Direct3DCreate9");
    check(!std::strcmp(novem_setting("THREADS"), "2"), "novem_setting");
    ZeroMemory(&pp, sizeof(pp));
    pp.BackBufferWidth = pp.BackBufferHeight = 16;
    pp.BackBufferFormat = D3DFMT_A8R8G8B8;
    pp.SwapEffect = D3DSWAPEFFECT_DISCARD;
    pp.Windowed = TRUE;
    check(SUCCEEDED(d3d->CreateDevice(0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                      &pp, &device)),
          "CreateDevice");
    device->Clear(0, NULL, D3DCLEAR_TARGET, 0xffff0000, 1, 0);
    device->GetRenderTarget(0, &target);
    check(novem_surface_hash(target, &first) == NOVEM_OK, "novem_surface_hash");
    device->SetRenderState(D3DRS_LIGHTING, FALSE);
    device->SetFVF(D3DFVF_XYZRHW | D3DFVF_DIFFUSE);
    check(SUCCEEDED(device->BeginScene()), "BeginScene");
    check(SUCCEEDED(device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle, sizeof(triangle[0]))),
          "DrawPrimitiveUP");
    device->EndScene();
    check(novem_surface_hash(target, &second) == NOVEM_OK && second != first,
          "the hash after a draw");
    check(SUCCEEDED(
              target->QueryInterface(IID_IDirect3DResource9, reinterpret_cast<void **>(&resource))),
          "QueryInterface");
    check(resource->GetType() == D3DRTYPE_SURFACE, "GetType");
    device->CreateOffscreenPlainSurface(16, 16, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL);
    check(SUCCEEDED(device->GetRenderTargetData(target, copy)), "GetRenderTargetData");
    copy->LockRect(&locked, NULL, D3DLOCK_READONLY);
    check(*static_cast<DWORD *>(locked.pBits) == 0xff00ff00, "the colour of the triangle");
    copy->UnlockRect();
    resource->Release();
    copy->Release();
    target->Release();
    check(device->Release() == 0, "references of the device");
    check(d3d->Release() == 0, "references of Direct3D");
    check(lines == 0, "lines of the log");
    std::puts("C++ program: ok");
}
