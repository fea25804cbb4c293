/* Emulated adapters: replaces the reported adapter identity, and limits the caps to those of an
 * older shader model. */
#include "api/adapter/adapter.h"

#include "api/config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- Adapter identity ------------------------------------------------------------------------- */

static const struct adapter_profile {
    const char *name;
    DWORD vendor, device;
    const char *driver, *description;
    uint32_t offers; /* bits of enum api_feature */
    WORD version[4];
} profiles[] = {
#define OFFER(id) (UINT32_C(1) << FEATURE_##id)
#define PROFILE(name, vendor, device, driver, description, offers, ...)                            \
    {name, vendor, device, driver, description, offers, {__VA_ARGS__}},
#include "api/config/adapters.def"
#undef PROFILE
#undef OFFER
};
enum { PROFILES = sizeof(profiles) / sizeof(profiles[0]) };

static const struct adapter_profile *find(const char *name)
{
    for (unsigned i = 0; i < PROFILES; i++)
        if (!strcasecmp(profiles[i].name, name))
            return &profiles[i];
    return NULL;
}

static DWORD hex_or(enum config_key key, DWORD otherwise)
{
    const char *text = api_config_text(key);

    return text ? (DWORD)strtoul(text, NULL, 16) : otherwise;
}

DWORD api_vendor(void)
{
    return hex_or(CONFIG_VENDOR_ID, find(api_config_text(CONFIG_ADAPTER))->vendor);
}

void api_fill_adapter_identifier(D3DADAPTER_IDENTIFIER9 *id)
{
    const struct adapter_profile *profile = find(api_config_text(CONFIG_ADAPTER));
    const char *description = api_config_text(CONFIG_DESCRIPTION);
    GUID guid = {0x4e6f7665, 0x6d20, 0x4433, {0x44, 0x39, 0x20, 0x73, 0x6f, 0x66, 0x74, 0x77}};

    memset(id, 0, sizeof(*id));
    snprintf(id->Driver, sizeof(id->Driver), "%s", profile->driver);
    snprintf(id->Description, sizeof(id->Description), "%s",
             description ? description : profile->description);
    id->VendorId = api_vendor();
    id->DeviceId = hex_or(CONFIG_DEVICE_ID, profile->device);
    for (unsigned i = 0; i < 4; i++)
        id->DriverVersion.QuadPart = id->DriverVersion.QuadPart << 16 | profile->version[i];
    guid.Data1 ^= id->VendorId << 16 | id->DeviceId;
    id->DeviceIdentifier = guid;
}

uint32_t api_adapter_features(void)
{
    return find(api_config_text(CONFIG_ADAPTER))->offers;
}

int64_t api_video_memory(void)
{
    return (int64_t)api_config_number(CONFIG_VIDEO_MEMORY) << 20;
}

/* --- Shader models ---------------------------------------------------------------------------- */

unsigned api_shader_model(void)
{
    return api_config_number(CONFIG_SHADER_MODEL);
}

static void limit_vertices(D3DCAPS9 *caps, unsigned model)
{
    static const DWORD versions[] = {0, D3DVS_VERSION(1, 1), D3DVS_VERSION(2, 0)};
    static const DWORD constants[] = {0, 96, 256};

    caps->VertexShaderVersion = versions[model];
    caps->MaxVertexShaderConst = constants[model];
    memset(&caps->VS20Caps, 0, sizeof(caps->VS20Caps));
    if (model == 2) {
        caps->VS20Caps.NumTemps = D3DVS20_MIN_NUMTEMPS;
        caps->VS20Caps.StaticFlowControlDepth = D3DVS20_MIN_STATICFLOWCONTROLDEPTH;
    }
    caps->MaxVShaderInstructionsExecuted = model == 2 ? 65535 : 0;
    caps->MaxVertexShader30InstructionSlots = 0;
    caps->VertexTextureFilterCaps = 0;
}

static void limit_pixels(D3DCAPS9 *caps, unsigned model)
{
    static const DWORD versions[] = {0, D3DPS_VERSION(1, 4), D3DPS_VERSION(2, 0)};

    caps->PixelShaderVersion = versions[model];
    caps->PixelShader1xMaxValue = model ? caps->PixelShader1xMaxValue : 0;
    memset(&caps->PS20Caps, 0, sizeof(caps->PS20Caps));
    if (model == 2) {
        caps->PS20Caps.NumTemps = D3DPS20_MIN_NUMTEMPS;
        caps->PS20Caps.StaticFlowControlDepth = D3DPS20_MIN_STATICFLOWCONTROLDEPTH;
        caps->PS20Caps.NumInstructionSlots = D3DPS20_MIN_NUMINSTRUCTIONSLOTS;
    }
    caps->MaxPShaderInstructionsExecuted = model == 2 ? 96 : 0;
    caps->MaxPixelShader30InstructionSlots = 0;
    if (model < 2)
        caps->NumSimultaneousRTs = 1;
}

void api_limit_caps(D3DCAPS9 *caps, bool software_vertices)
{
    unsigned model = api_shader_model();

    if (!api_config_on(CONFIG_ANTIALIASED_LINES))
        caps->LineCaps &= ~(DWORD)D3DLINECAPS_ANTIALIAS;
    if (model >= 3)
        return;
    if (!software_vertices)
        limit_vertices(caps, model);
    limit_pixels(caps, model);
}
