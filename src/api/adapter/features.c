/* Which features the reference device and the reported hardware offer (reference: device/reference,
 * device/offers). Tested by tests/unit/api/adapter/test_features.c. */
#include "api/adapter/adapter.h"

#include "api/config/config.h"
#include "draw/draw.h"

#include <strings.h>

enum {
    NO_VENDOR = 0,
    VENDOR_NVIDIA = 1,
    VENDOR_ATI = 2,
    VENDOR_INTEL = 4,
    VENDOR_OTHER = 8,
    EVERY_VENDOR = 15
};

#define QUAD_FILTER_BITS                                                                           \
    (D3DPTFILTERCAPS_MINFPYRAMIDALQUAD | D3DPTFILTERCAPS_MAGFPYRAMIDALQUAD |                       \
     D3DPTFILTERCAPS_MINFGAUSSIANQUAD | D3DPTFILTERCAPS_MAGFGAUSSIANQUAD)

/* The reference device, and NULLREF, which stands for it where it is not installed. */
struct device_kind api_device_kind(D3DDEVTYPE type, bool ex)
{
    bool all = !strcasecmp(api_config_text(CONFIG_CAPS), "reference");

    return (struct device_kind){ex, all || type == D3DDEVTYPE_REF || type == D3DDEVTYPE_NULLREF};
}

static unsigned reported_vendor(void)
{
    switch (api_vendor()) {
    case 0x10de:
        return VENDOR_NVIDIA;
    case 0x1002:
        return VENDOR_ATI;
    case 0x8086:
        return VENDOR_INTEL;
    default:
        return VENDOR_OTHER;
    }
}

bool api_offers(enum api_feature feature, struct device_kind kind)
{
    static const uint8_t vendors[FEATURE_COUNT] = {
#define FEATURE(id, hardware) [FEATURE_##id] = (hardware),
#include "api/adapter/features.def"
    };

    return kind.reference || (vendors[feature] & reported_vendor()) ||
           (api_adapter_features() >> feature & 1);
}

void api_feature_caps(D3DCAPS9 *caps, struct device_kind kind)
{
#define CAPS_BITS(id, member, bits)                                                                \
    if (api_offers(FEATURE_##id, kind))                                                            \
        caps->member |= (bits);
#define CAPS_VALUE(id, member, value)                                                              \
    if (api_offers(FEATURE_##id, kind))                                                            \
        caps->member = (value);
#include "api/adapter/features.def"
    (void)caps;
    (void)kind;
}
