/* Dispatch table: maps the op of a command packet to its executor.
 *
 * Tested by tests/conformance. */
#include "cmd/exec.h"

/* Functions of type cmd_exec_fn that call the typed executors. */
#define PACKET(ID, name)                                                                           \
    static enum status call_##name(struct cmd_stream *s, const void *p, const void *data,          \
                                   size_t data_bytes)                                              \
    {                                                                                              \
        return exec_##name(s, p, data, data_bytes);                                                \
    }
#include "cmd/packets.def"
#undef PACKET

cmd_exec_fn *const cmd_exec[CMD_OP_COUNT] = {
#define PACKET(ID, name) [CMD_##ID] = call_##name,
#include "cmd/packets.def"
#undef PACKET
};
