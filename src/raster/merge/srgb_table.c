/* Tables for sRGB targets. The code of a colour grows with it, so that a search finds the first
 * float of each code. No range of the table has two such floats: from code 1 on, the first floats
 * of two codes differ by more than a 128th of the power of two below.
 *
 * Tested by tests/unit/raster/merge/test_merge.c. */
#include "raster/merge/merge.h"

#include "tex/tex.h"
#include "util/fpenv.h"

#include <string.h>

enum { CODES = 256, LEAST = 0x39000000 /* 2^-13 */, ONE = 0x3f800000 };

/* Codes of floats given by their bits, rounded to nearest, halves up. */
static void codes_of(const uint32_t bits[RASTER_LANES], unsigned code[RASTER_LANES])
{
    _Alignas(64) float value[RASTER_LANES];

    memcpy(value, bits, sizeof(value));
    tex_linear_to_srgb(value, RASTER_LANES);
    for (unsigned i = 0; i < RASTER_LANES; i++)
        code[i] = (unsigned)(value[i] * 255.0f + 0.5f);
}

/* The bits of the first floats of RASTER_LANES codes. */
static void find_first(unsigned code, uint32_t first[RASTER_LANES])
{
    uint32_t low[RASTER_LANES],
        middle[RASTER_LANES]; /* the code of `low` is less, that of `first` is not */
    unsigned got[RASTER_LANES];

    for (unsigned i = 0; i < RASTER_LANES; i++) {
        low[i] = LEAST;
        first[i] = ONE;
    }
    for (unsigned step = 0; step < 32; step++) {
        for (unsigned i = 0; i < RASTER_LANES; i++)
            middle[i] = low[i] + (first[i] - low[i]) / 2;
        codes_of(middle, got);
        for (unsigned i = 0; i < RASTER_LANES; i++)
            *(got[i] < code + i ? &low[i] : &first[i]) = middle[i];
    }
}

void raster_merge_tables_init(struct raster_merge_tables *tables)
{
    uint32_t first[CODES], code = 0;
    struct fp_mode mode = fp_enter();

    for (unsigned i = 0; i < CODES; i += RASTER_LANES)
        find_first(i, first + i);
    fp_leave(mode);
    memcpy(tables->linear, tex_srgb_table(8), sizeof(tables->linear));
    memset(tables->code, 0, sizeof(tables->code));
    for (uint32_t high = LEAST >> 16; high <= ONE >> 16; high++) {
        uint32_t *word = &tables->code[high & 0x7ff];

        while (code + 1 < CODES && first[code + 1] <= high << 16)
            code++;
        *word = code << 16;
        if (code + 1 < CODES && first[code + 1] >> 16 == high)
            *word += 0x10000 - (first[code + 1] & 0xffff);
    }
}
