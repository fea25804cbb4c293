/* PNG files without the packages that Debian lacks for Windows. */
#ifndef PROGRAMS_PNG_H
#define PROGRAMS_PNG_H

#include <stdbool.h>
#include <stdint.h>

/* Writes R G B A pixels; channels 3 drops alpha. False: errno has the reason. */
bool png_write_rgba(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba,
                    unsigned channels);

#endif
