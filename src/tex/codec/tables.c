/* Lookup tables that are built once: sRGB decoding and the grey palette.
 * Tested by tests/unit/tex/codec/test_pack_kern.c. */
#include "tex/codec/pack_kern.h"

#include "util/fpenv.h"

#include <pthread.h>
#include <string.h>

enum { MAX_BITS = 8 };

/* Codes of n bits start at index 2^n. */
static _Alignas(64) float srgb[2 << MAX_BITS];
static struct tex_srgb_lookup srgb_lookup;
static uint32_t grey[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_srgb_lookup(const float linear[256])
{
    for (unsigned code = 0; code < 256; code++) {
        uint32_t bits;

        memcpy(&bits, &linear[code], sizeof(bits));
        srgb_lookup.linear[code + 1][0] = srgb_lookup.linear[code + 1][1] = linear[code];
        for (unsigned p = 0; p < 4; p++)
            srgb_lookup.planes[p][code] = (uint8_t)(bits >> 8 * p);
    }
}

static void make_tables(void)
{
    struct fp_mode old = fp_enter();

    for (unsigned bits = 1; bits <= MAX_BITS; bits++)
        for (unsigned code = 0; code < 1u << bits; code++)
            srgb[(1u << bits) + code] = (float)code / (float)((1u << bits) - 1);
    for (unsigned i = 0; i < 2 << MAX_BITS; i += TEX_LANES)
        tex_pack_kern_scalar.srgb_to_linear(srgb + i, TEX_LANES);
    make_srgb_lookup(srgb + 256);
    fp_leave(old);
    for (uint32_t i = 0; i < 256; i++)
        grey[i] = 0xff000000 | i * 0x010101;
}

const float *tex_srgb_table(unsigned bits)
{
    pthread_once(&once, make_tables);
    return srgb + (1u << (bits < MAX_BITS ? bits : MAX_BITS));
}

const struct tex_srgb_lookup *tex_srgb_lookup(void)
{
    pthread_once(&once, make_tables);
    return &srgb_lookup;
}

const uint32_t *tex_grey_palette(void)
{
    pthread_once(&once, make_tables);
    return grey;
}
