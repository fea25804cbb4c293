/* The shader that shows a picture in a rectangle of a CAMetalLayer, in the Metal Shading Language.
 * Private to metal/. */
#ifndef PRESENT_METAL_SHADER_H
#define PRESENT_METAL_SHADER_H

#include <stdint.h>

/* Constants of a quad, buffer 0 of the fragment function. */
struct metal_shader_quad {
    int32_t origin[2];   /* left, top of the rectangle, in pixels of the layer */
    uint32_t shown[2];   /* its width and height */
    uint32_t picture[2]; /* width and height of the texture */
    uint32_t filter;     /* enum present_filter */
    uint32_t unused;
};

/* A triangle that covers the viewport. Filters as in monitor/scale.h: nearest has the same bits;
 * linear and sharp have the precision of the sampler. */
static const char metal_shader_source[] =
    "#include <metal_stdlib>\n"
    "using namespace metal;\n"
    "struct quad_values { int2 origin; uint2 shown, picture; uint filter, unused; };\n"
    "vertex float4 novem_vertex(uint i [[vertex_id]])\n"
    "{\n"
    "    return float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1);\n"
    "}\n"
    "fragment float4 novem_fragment(float4 position [[position]],\n"
    "                               texture2d<float> picture [[texture(0)]],\n"
    "                               constant quad_values &q [[buffer(0)]])\n"
    "{\n"
    "    constexpr sampler smooth(coord::normalized, filter::linear, address::clamp_to_edge);\n"
    "    uint2 pixel = uint2(int2(position.xy) - q.origin);\n"
    "    float2 size = float2(q.picture);\n"
    "    if (q.filter == 0)\n"
    "        return float4(picture.read(min(pixel * q.picture / q.shown, q.picture - 1)).rgb, 1);\n"
    "    float2 at = (float2(pixel) + 0.5) * size / float2(q.shown);\n"
    "    if (q.filter == 2) {\n"
    "        float2 factor = float2(max(q.shown / q.picture, 1u));\n"
    "        float2 big = at * factor - 0.5, first = floor(big);\n"
    "        float2 a = floor(first / factor), b = floor((first + 1) / factor);\n"
    "        at = a + 0.5 + (b - a) * (big - first);\n"
    "    }\n"
    "    return float4(picture.sample(smooth, at / size).rgb, 1);\n"
    "}\n";

#endif
