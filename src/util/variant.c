/* The members of the family, and the one in force. */
#include "util/variant.h"

#include "util/hash.h"

#include <stddef.h>
#include <string.h>

const struct vary *vary_now;

static const struct vary members[] = {
#define MEMBER(member, kind, ...) {.name = member, .class = VARY_##kind, __VA_ARGS__},
#include "util/variant.def"
#undef MEMBER
};

unsigned vary_count(void)
{
    return sizeof(members) / sizeof(members[0]);
}

const struct vary *vary_get(unsigned i)
{
    return &members[i];
}

const struct vary *vary_find(const char *name)
{
    for (unsigned i = 0; i < vary_count(); i++)
        if (!strcmp(name, members[i].name))
            return &members[i];
    return NULL;
}

const char *vary_class_name(unsigned class_bit)
{
    static const char *const names[VARY_CLASSES] = {"edge", "texel", "depth", "arithmetic",
                                                    "undefined"};

    return names[class_bit];
}

uint32_t vary_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

float vary_random(const struct vary *v, const uint32_t *words, unsigned n)
{
    uint64_t h = hash_bytes(words, n * sizeof(*words), v->seed);
    float r = (float)(int32_t)(uint32_t)(h >> 32) * 0x1p-31f;

    return v->negative ? -r : r;
}
