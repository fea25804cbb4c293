/* The renderer's options, from the settings.
 * Tested by tests/unit/api/test_order.c and tests/golden. */
#include "api/api.h"
#include "api/config/config.h"
#include <strings.h>

#include "util/fault_injection.h"
#include "util/log.h"
#include "util/variant.h"

static void set_fault(enum fault fault)
{
    fault_current = fault;
    if (fault && NOVEM_FAULTS)
        log_warn("api", "FAULT = %s: rendering errors are injected (%s)", fault_name(fault),
                 fault_text(fault));
    else if (fault)
        log_warn("api", "FAULT = %s: no effect, this build injects no faults", fault_name(fault));
}

struct draw_options api_draw_options(void)
{
    api_config_load();
    if (api_config_text(CONFIG_VARIANT))
        variant_current = variant_find(api_config_text(CONFIG_VARIANT));
    if (api_config_text(CONFIG_FAULT))
        set_fault(fault_find(api_config_text(CONFIG_FAULT)));
    return (struct draw_options){
        .threads = api_config_number(CONFIG_THREADS),
        .ieee = api_config_ieee(),
        .no_aa_lines = !api_config_on(CONFIG_ANTIALIASED_LINES),
        .force_late_zs = !api_config_on(CONFIG_EARLY_Z),
        .no_packing = !api_config_on(CONFIG_FRAGMENT_PACKING),
        .interpret = !strcasecmp(api_config_text(CONFIG_JIT), "off"),
        .eager = !strcasecmp(api_config_text(CONFIG_JIT), "eager"),
        .keep_overdrawn = !api_config_on(CONFIG_CULL_OVERDRAWN),
        .no_fast_clear = !api_config_on(CONFIG_FAST_CLEAR),
        .anisotropy = api_config_forced(CONFIG_ANISOTROPY),
        .tile = api_config_number(CONFIG_TILE_SIZE),
    };
}
