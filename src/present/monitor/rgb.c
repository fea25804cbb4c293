/* Converts frames to 8-bit red, green and blue. */
#include "present/monitor/pixels.h"

#include "util/alloc.h"

enum status present_to_rgb(const struct present_frame *frame, uint8_t *rgb)
{
    struct pixel_reader reader;
    enum status st = pixels_begin(&reader, frame->format, NULL);
    uint32_t *words;

    if (st != ST_OK)
        return st;
    words = mem_alloc((size_t)frame->width * sizeof(*words));
    if (!words)
        return ST_NOMEM;
    for (uint32_t y = 0; y < frame->height; y++) {
        pixels_row(&reader, frame->data + (size_t)y * frame->row_pitch, frame->width, words);
        for (uint32_t x = 0; x < frame->width; x++, rgb += 3) {
            rgb[0] = (uint8_t)(words[x] >> 16);
            rgb[1] = (uint8_t)(words[x] >> 8);
            rgb[2] = (uint8_t)words[x];
        }
    }
    mem_free(words);
    return ST_OK;
}
