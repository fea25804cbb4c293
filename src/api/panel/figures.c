/* Figures of the control panel: the process, its devices, and times of their frames.
 *
 * Tested by tests/unit/api/panel/test_panel.c. */
#include "api/config/config.h"
#include "api/panel/answers.h"
#include "present/present.h"
#include "tex/format.h"
#include "util/clock.h"
#include "util/cpu.h"
#include "util/process.h"
#include "util/version.h"

#include <inttypes.h>

static void put_process(struct control_body *out)
{
    char program[256];

    api_config_program(program, sizeof(program));
    control_put(out, "{\"version\": ");
    control_put_string(out, version_text());
    control_put(out, ", \"numerics\": " NOVEM_NUMERICS ", \"program\": ");
    control_put_string(out, program);
    control_format(out, ", \"pid\": %lu, \"bits\": %u, \"isa\": \"%s\", \"changes\": %u",
                   process_id(), (unsigned)(8 * sizeof(void *)), cpu_isa_name(cpu_isa()),
                   api_panel_changes());
}

static void put_times(struct control_body *out, const struct present_figures *f)
{
    control_put(out, ", \"times_us\": [");
    for (uint32_t i = 0; i < f->n_times; i++)
        control_format(out, i ? ",%u" : "%u", (unsigned)f->time_us[i]);
    control_put(out, "]");
}

static void put_device(struct control_body *out, const struct device *d, unsigned number)
{
    uint64_t now = clock_now();
    struct present_figures f;

    present_get_figures(d->present, &f);
    control_format(out, "{\"number\": %u, \"threads\": %u, \"frames\": %" PRIu64, number,
                   (unsigned)f.counters.threads, f.frames);
    control_format(out, ", \"idle_ms\": %" PRIu64 ", \"mean_us\": %u, \"worst_us\": %u",
                   f.last && now > f.last ? (now - f.last) / 1000000 : 0, (unsigned)f.mean_us,
                   (unsigned)f.worst_us);
    control_format(out, ", \"width\": %u, \"height\": %u, \"format\": ", (unsigned)f.width,
                   (unsigned)f.height);
    control_put_string(out, f.format ? f.format->name : NULL);
    control_format(out, ", \"full_screen\": %s, \"draws\": %u", f.whole_window ? "true" : "false",
                   (unsigned)f.counters.draws);
    control_format(out, ", \"primitives\": %" PRIu64 ", \"bytes\": %" PRIu64, f.counters.primitives,
                   f.counters.bytes);
    control_format(out, ", \"pipelines\": %" PRIu64 ", \"message\": ", f.counters.pipelines);
    control_put_string(out, f.message);
    put_times(out, &f);
    control_put(out, "}");
}

void api_panel_figures(const struct panel_devices *devices, struct control_body *out)
{
    put_process(out);
    control_put(out, ", \"devices\": [");
    for (unsigned i = 0; i < devices->n; i++) {
        control_put(out, i ? ",\n" : "\n");
        put_device(out, devices->entry[i].device, devices->entry[i].number);
    }
    control_put(out, "]}\n");
}
