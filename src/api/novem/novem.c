/* Functions of libnovem beside those of Direct3D 9: version, settings, log, and hashes of
 * surfaces. */
#include "api/novem/novem.h"

#include "api/config/config.h"
#include "tex/tex.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/version.h"

#include <d3d9.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef _WIN32
#define EXPORT
#else
#define EXPORT __attribute__((visibility("default")))
#endif

EXPORT const char *novem_result_text(int result)
{
    switch (result) {
    case NOVEM_OK:
        return "ok";
    case NOVEM_INVALID_ARGUMENT:
        return "invalid argument";
    case NOVEM_UNKNOWN_SETTING:
        return "unknown setting";
    case NOVEM_INVALID_VALUE:
        return "invalid value of a setting";
    case NOVEM_TOO_LATE:
        return "the settings have been read";
    case NOVEM_OUT_OF_MEMORY:
        return "out of memory";
    case NOVEM_FAILED:
        return "Direct3D refused";
    default:
        return "unknown result";
    }
}

/* --- Version ---------------------------------------------------------------------------------- */

EXPORT const char *novem_version(void)
{
    return version_text();
}

EXPORT unsigned novem_numerics_version(void)
{
    return (unsigned)strtoul(NOVEM_NUMERICS, NULL, 10);
}

EXPORT unsigned novem_interface(void)
{
    return NOVEM_INTERFACE;
}

/* --- Settings --------------------------------------------------------------------------------- */

EXPORT int novem_set(const char *name, const char *value)
{
    enum config_key key = name ? api_config_find(name) : CONFIG_COUNT;

    if (!name || !value)
        return NOVEM_INVALID_ARGUMENT;
    if (key == CONFIG_COUNT)
        return NOVEM_UNKNOWN_SETTING;
    switch (api_config_set(key, value)) {
    case ST_OK:
        return NOVEM_OK;
    case ST_BUSY:
        return NOVEM_TOO_LATE;
    default:
        return NOVEM_INVALID_VALUE;
    }
}

EXPORT const char *novem_setting(const char *name)
{
    enum config_key key = name ? api_config_find(name) : CONFIG_COUNT;

    if (key == CONFIG_COUNT)
        return NULL;
    api_config_load();
    return api_config_text(key);
}

/* --- Log -------------------------------------------------------------------------------------- */

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static novem_log_fn *log_callback; /* changed while no sink is set */

static void forward(void *ctx, enum log_level level, const char *line)
{
    log_callback(ctx, (int)level, line);
}

EXPORT void novem_set_log(novem_log_fn *callback, void *context)
{
    pthread_mutex_lock(&log_lock);
    log_set_sink(NULL, NULL);
    log_callback = callback;
    if (callback)
        log_set_sink(forward, context);
    pthread_mutex_unlock(&log_lock);
}

/* --- Surfaces --------------------------------------------------------------------------------- */

static void put_little32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t hash_rows(const struct tex_plane *plane, uint64_t hash)
{
    const struct tex_level *level = &plane->level;

    for (uint32_t y = 0; y < tex_block_rows(plane->format, level->height); y++)
        hash = hash_bytes(level->data + (size_t)y * level->row_pitch,
                          tex_row_bytes(plane->format, level->width), hash);
    return hash;
}

static uint64_t hash_surface(const D3DSURFACE_DESC *desc, const D3DLOCKED_RECT *locked)
{
    const struct tex_level level = {.data = locked->pBits,
                                    .width = desc->Width,
                                    .height = desc->Height,
                                    .depth = 1,
                                    .row_pitch = (uint32_t)locked->Pitch};
    struct tex_plane planes[TEX_PLANES];
    unsigned n = tex_level_planes(tex_format_get(desc->Format), &level, planes);
    uint64_t hash;
    uint8_t head[12];

    put_little32(head, desc->Width);
    put_little32(head + 4, desc->Height);
    put_little32(head + 8, desc->Format);
    hash = hash_bytes(head, sizeof(head), 0);
    for (unsigned i = 0; i < n; i++)
        hash = hash_rows(&planes[i], hash);
    return hash;
}

static HRESULT hash_locked(IDirect3DSurface9 *surface, const D3DSURFACE_DESC *desc, uint64_t *hash)
{
    D3DLOCKED_RECT locked;
    HRESULT hr = IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY);

    if (FAILED(hr))
        return hr;
    *hash = hash_surface(desc, &locked);
    return IDirect3DSurface9_UnlockRect(surface);
}

/* Hashes a copy in system memory, which can be locked. */
static HRESULT hash_target(IDirect3DSurface9 *surface, const D3DSURFACE_DESC *desc, uint64_t *hash)
{
    IDirect3DSurface9 *copy = NULL;
    IDirect3DDevice9 *device;
    HRESULT hr = IDirect3DSurface9_GetDevice(surface, &device);

    if (FAILED(hr))
        return hr;
    hr = IDirect3DDevice9_CreateOffscreenPlainSurface(device, desc->Width, desc->Height,
                                                      desc->Format, D3DPOOL_SYSTEMMEM, &copy, NULL);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_GetRenderTargetData(device, surface, copy);
    if (SUCCEEDED(hr))
        hr = hash_locked(copy, desc, hash);
    if (copy)
        IDirect3DSurface9_Release(copy);
    IDirect3DDevice9_Release(device);
    return hr;
}

EXPORT int novem_surface_hash(struct IDirect3DSurface9 *surface, uint64_t *hash)
{
    D3DSURFACE_DESC desc;
    HRESULT hr;

    if (!hash)
        return NOVEM_INVALID_ARGUMENT;
    *hash = 0;
    if (!surface || FAILED(IDirect3DSurface9_GetDesc(surface, &desc)))
        return NOVEM_INVALID_ARGUMENT;
    hr = desc.Usage & D3DUSAGE_RENDERTARGET ? hash_target(surface, &desc, hash)
                                            : hash_locked(surface, &desc, hash);
    if (SUCCEEDED(hr))
        return NOVEM_OK;
    return hr == E_OUTOFMEMORY        ? NOVEM_OUT_OF_MEMORY
           : hr == D3DERR_INVALIDCALL ? NOVEM_INVALID_ARGUMENT
                                      : NOVEM_FAILED;
}
