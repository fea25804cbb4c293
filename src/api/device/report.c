/* Log lines of devices. Those that explain later ones are context: the file of the log has them
 * whatever its level is.
 *
 * Tested by tests/unit/api/device/test_report.c. */
#include "api/device/report.h"

#include "api/com/refused.h"
#include "api/config/config.h"
#include "api/swapchain/swapchain.h"
#include "cmd/cmd.h"
#include "tex/format.h"
#include "util/clock.h"
#include "util/cpu.h"
#include "util/log.h"
#include "util/path.h"
#include "util/version.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- The device ------------------------------------------------------------------------------- */

static const char *type_name(const struct device *d)
{
    return d->creation.DeviceType == D3DDEVTYPE_REF       ? "REF"
           : d->creation.DeviceType == D3DDEVTYPE_SW      ? "SW"
           : d->creation.DeviceType == D3DDEVTYPE_NULLREF ? "NULLREF"
                                                          : "HAL";
}

static const char *vertex_processing(DWORD flags)
{
    return flags & D3DCREATE_HARDWARE_VERTEXPROCESSING ? "hardware"
           : flags & D3DCREATE_MIXED_VERTEXPROCESSING  ? "mixed"
                                                       : "software";
}

/* Describes a size, a format and where they are shown: "1024x768 X8R8G8B8 in a window". */
static void describe_chain(const D3DPRESENT_PARAMETERS *p, char *out, size_t size)
{
    snprintf(out, size, "%ux%u %s %s%s", p->BackBufferWidth, p->BackBufferHeight,
             tex_format_name(p->BackBufferFormat), p->Windowed ? "in a window" : "full screen",
             p->MultiSampleType ? ", multisampled" : "");
}

static void describe_settings(char *out, size_t size)
{
    const char *file = api_config_file();

    if (api_config_picture_changes(out, size))
        snprintf(out + strlen(out), size - strlen(out), "; ");
    snprintf(out + strlen(out), size - strlen(out), "%s%s",
             *file ? "settings of " : "no novem.conf", file);
}

void api_report_device(const struct device *d)
{
    unsigned threads = api_config_number(CONFIG_THREADS);
    char chain[128], settings[1024], program[PATH_TEXT_BYTES];
    const char *name = path_of_program(program, sizeof(program));

    describe_chain(&d->chain->parameters, chain, sizeof(chain));
    describe_settings(settings, sizeof(settings));
    log_context("api",
                "device of Novem %s: numerics %s, %u bit, %s, %u threads, %s; program %s; %s%s, %s "
                "vertex processing, %s; %s",
                version_text(), NOVEM_NUMERICS, (unsigned)sizeof(void *) * 8,
                cpu_isa_name(cpu_isa()), threads ? threads : cpu_count(),
                strcasecmp(api_config_text(CONFIG_JIT), "off") ? "JIT" : "interpreted", name,
                type_name(d), d->ex ? " Ex" : "", vertex_processing(d->creation.BehaviorFlags),
                chain, settings);
}

void api_report_reset(const struct device *d)
{
    char chain[128];

    describe_chain(&d->chain->parameters, chain, sizeof(chain));
    log_context("api", "Reset: %s", chain);
}

/* A lock that waits costs the time in which program and renderer could work side by side. */
void api_report_end(const struct device *d)
{
    struct cmd_waits waits = d->stream ? cmd_waits(d->stream) : (struct cmd_waits){0};

    if (waits.n)
        log_context("api", "device released after %u frames: %llu locks waited %.1f ms",
                    d->chain ? (unsigned)d->chain->presents : 0, (unsigned long long)waits.n,
                    (double)waits.nanoseconds / (double)(CLOCK_SECOND / 1000));
}

/* --- Refusals --------------------------------------------------------------------------------- */

HRESULT api_refuse_parameters(HRESULT hr, const char *call, const D3DPRESENT_PARAMETERS *p)
{
    char chain[128];

    describe_chain(p, chain, sizeof(chain));
    return api_refused(
        hr, call, p->BackBufferFormat,
        "%s, %u back buffers, swap effect %u, samples %u, depth %s, interval 0x%x", chain,
        p->BackBufferCount, (unsigned)p->SwapEffect, (unsigned)p->MultiSampleType,
        p->EnableAutoDepthStencil ? tex_format_name(p->AutoDepthStencilFormat) : "none",
        p->PresentationInterval);
}

HRESULT api_refuse_reset(const struct device *d)
{
    return api_refused(D3DERR_INVALIDCALL, "Reset", D3DFMT_UNKNOWN,
                       "the program holds %u resources of D3DPOOL_DEFAULT",
                       atomic_load(&d->reset_blockers));
}
