/* Levels of adaptive tessellation (reference: tessellation/adaptive). */
#include "tess/adaptive.h"

#include "util/math.h"

double tess_vertex_level(const struct tess_adaptive *adaptive, const float position[4],
                         float segments, float factor)
{
    double depth = 0.0;

    for (unsigned c = 0; c < 4; c++)
        depth += (double)position[c] * (double)adaptive->plane[c];
    return (double)segments * (double)factor / depth;
}

static double at_least_1(float level)
{
    return level >= 1.0f ? (double)level : 1.0;
}

/* A depth of 0 gives infinite levels, and two of them may give NaN: these are the maximum, as
 * negative levels are. */
float tess_edge_level(const struct tess_adaptive *adaptive, double a, double b)
{
    double level = (a + b) / 2.0;
    double minimum = at_least_1(adaptive->minimum), maximum = at_least_1(adaptive->maximum);

    if (!(level >= 0.0 && level <= maximum))
        level = maximum;
    if (level < minimum)
        level = minimum;
    return math_narrowf(level);
}
