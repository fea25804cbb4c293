/* The executors: exec_<name>(stream, packet, data, data_bytes), one a packet. Private to cmd. */
#ifndef CMD_EXEC_H
#define CMD_EXEC_H

#include "cmd/stream.h"

#define PACKET(ID, name)                                                                           \
    enum status exec_##name(struct cmd_stream *s, const struct cmd_##name *p, const void *data,    \
                            size_t data_bytes);
#include "cmd/packets.def"
#undef PACKET

#define EXEC(name)                                                                                 \
    enum status exec_##name(struct cmd_stream *s, const struct cmd_##name *p, const void *data,    \
                            size_t data_bytes)
#define NO_DATA ((void)data, (void)data_bytes)

#endif
