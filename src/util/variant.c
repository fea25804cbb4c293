/* Table of variant renderers, the active one, and their pseudo-random values. */
#include "util/variant.h"

#include "util/hash.h"

#include <stddef.h>
#include <string.h>

const struct variant *variant_current;

static const struct variant variants[] = {
#define VARIANT(id, kind, text, ...)                                                               \
    {.name = id, .about = text, .class = VARIANT_##kind, __VA_ARGS__},
#include "util/variant.def"
#undef VARIANT
};

unsigned variant_count(void)
{
    return sizeof(variants) / sizeof(variants[0]);
}

const struct variant *variant_get(unsigned i)
{
    return &variants[i];
}

const struct variant *variant_find(const char *name)
{
    for (unsigned i = 0; i < variant_count(); i++)
        if (!strcmp(name, variants[i].name))
            return &variants[i];
    return NULL;
}

const char *variant_class_name(unsigned class_bit)
{
    static const char *const names[VARIANT_CLASSES] = {"edge", "texel", "depth", "arithmetic",
                                                       "undefined"};

    return names[class_bit];
}

uint32_t variant_float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

float variant_cut(float value, unsigned bits)
{
    uint32_t code = (uint32_t)(value * 255.0f + 0.5f) >> (8 - bits);

    return (float)code / (float)((1u << bits) - 1);
}

float variant_random(const struct variant *v, const uint32_t *words, unsigned n)
{
    uint64_t h = hash_bytes(words, n * sizeof(*words), v->seed);
    float r = (float)(int32_t)(uint32_t)(h >> 32) * 0x1p-31f;

    return v->negative ? -r : r;
}
