/* The sink "r500:FILE" and "r500:/dev/dri/card0" (docs/r500.md). Private to r500. */
#ifndef PRESENT_R500_SINK_H
#define PRESENT_R500_SINK_H

#include "present/r500/board.h"
#include "present/r500/encode.h"

/* What stands after "?" in the sink's name. */
struct r500_settings {
    enum r500_chip chip; /* of a file; R500_CHIPS: not given */
    enum r500_form form;
    uint32_t width, height; /* of the picture; 0: the frame's, or the display's */
};
/* "chip=RV570&form=program&size=1920x1080", some of them, or "". ST_INVALID is logged. */
MUST_CHECK enum status r500_settings_parse(struct r500_settings *out, const char *text);

/* The largest area of the frame's shape in the middle of the target. Sizes above 0. */
void r500_fit(struct r500_quad *quad);

struct present_sink;
/* Takes the board over, also where it fails. queue: frames that may wait to be written, of files.
 */
MUST_CHECK enum status r500_sink_create(struct present_sink **out, struct r500_board *board,
                                        const struct r500_settings *settings, unsigned queue);

#endif
