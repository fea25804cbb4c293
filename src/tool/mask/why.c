/* Tells which variants make the pixels of a mask uncertain.
 *
 * Tested by tests/unit/tool/mask/test_mask.c. */
#include "tool/mask/mask.h"
#include "util/variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name of the class of a variant, which has one. */
static const char *class_of(const struct variant *variant)
{
    return variant_class_name((unsigned)__builtin_ctz(variant->class));
}

void mask_count_members(const struct mask *mask, struct mask_member out[MASK_VARIANTS])
{
    size_t n = (size_t)mask->reference.width * mask->reference.height;

    memset(out, 0, MASK_VARIANTS * sizeof(*out));
    for (size_t i = 0; i < n; i++) {
        uint64_t members = mask->members[i];
        bool alone = members && !(members & (members - 1));

        for (; members; members &= members - 1) {
            unsigned v = (unsigned)__builtin_ctzll(members);

            out[v].pixels++;
            out[v].alone += alone;
        }
    }
}

void mask_print_members(const struct mask *mask)
{
    struct mask_member count[MASK_VARIANTS];

    mask_count_members(mask, count);
    for (unsigned v = 0; v < variant_count(); v++)
        if (count[v].pixels)
            printf("  %-18s %-10s pixels %" PRIu64 " alone %" PRIu64 "\n", variant_get(v)->name,
                   class_of(variant_get(v)), count[v].pixels, count[v].alone);
}

static unsigned difference(const uint8_t *a, const uint8_t *b)
{
    unsigned most = 0;

    for (unsigned c = 0; c < 4; c++) {
        unsigned d = (unsigned)abs(a[c] - b[c]);

        most = d > most ? d : most;
    }
    return most;
}

static void print_colour(const char *before, const uint8_t *rgba)
{
    printf("%s%3u %3u %3u %3u", before, rgba[0], rgba[1], rgba[2], rgba[3]);
}

bool mask_print_why(const struct mask *mask, const struct mask_input *input)
{
    const struct tool_image *reference = &mask->reference;
    unsigned x = input->why[0], y = input->why[1], n = 0;
    size_t i = (size_t)y * reference->width + x;

    if (x >= reference->width || y >= reference->height)
        return false;
    printf("pixel %u,%u", x, y);
    print_colour(" reference ", reference->rgba + 4 * i);
    print_colour(" low ", mask->low.rgba + 4 * i);
    print_colour(" high ", mask->high.rgba + 4 * i);
    putchar('\n');
    for (unsigned v = 0; v < variant_count(); v++) {
        const struct variant *variant = variant_get(v);
        unsigned by = difference(mask->why[v], reference->rgba + 4 * i);

        if (!(mask->used >> v & 1) || !by)
            continue;
        printf("  %-18s %-10s", variant->name, class_of(variant));
        print_colour(" ", mask->why[v]);
        printf("  off by %3u%s  %s\n", by, by > input->tolerance ? " " : " (within the tolerance)",
               variant->about);
        n += by > input->tolerance;
    }
    printf("  %s\n", n ? "uncertain" : "certain: no variant is further off than the tolerance");
    return true;
}
