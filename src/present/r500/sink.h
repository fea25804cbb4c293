/* Sink "r500:FILE" and "r500:/dev/dri/card0" (docs/r500.md). Private to r500. */
#ifndef PRESENT_R500_SINK_H
#define PRESENT_R500_SINK_H

#include "present/r500/board/board.h"
#include "present/r500/stream/encode.h"

/* Options after "?" in the sink's name. */
struct r500_settings {
    enum r500_chip chip; /* of a file; R500_CHIPS: not given */
    enum r500_form form;
    uint32_t width, height; /* picture size; 0: that of the frame or display */
};
/* Parses a subset of "chip=RV570&form=program&size=1920x1080"; "" is valid. Returns ST_INVALID,
 * logged. */
MUST_CHECK enum status r500_settings_parse(struct r500_settings *out, const char *text);

/* Centres the largest quad with the frame's aspect ratio in the target. All sizes are above 0. */
void r500_fit(struct r500_quad *quad);

struct present_sink;
/* Takes ownership of the board, even on failure. queue: maximum queued frames, file boards only. */
MUST_CHECK enum status r500_sink_create(struct present_sink **out, struct r500_board *board,
                                        const struct r500_settings *settings, unsigned queue);

#endif
