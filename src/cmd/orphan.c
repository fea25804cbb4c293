/* Reports a stream that a fork has separated from its threads.
 * Tested by tests/unit/api/test_fork.c. */
#include "cmd/stream.h"

#include "util/log.h"

bool cmd_report_orphan(const struct cmd_stream *stream)
{
    (void)stream;
    log_once("cmd", "fork",
             "this process was forked from the one that created the device, whose render threads "
             "it does not have: draws, locks and presents of that device fail here. Create a "
             "device after the fork, or set NOVEM_THREADS=1");
    return true;
}
