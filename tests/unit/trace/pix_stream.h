/* Builds PIX run files for tests from docs/formats.md: chunks, calls, memory blocks. */
#ifndef TESTS_TRACE_PIX_STREAM_H
#define TESTS_TRACE_PIX_STREAM_H

#include "stream.h"

#include <stdbool.h>

static uint32_t pix_event; /* number of the last event */

static inline void put_word(struct stream *s, uint32_t word)
{
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                              (uint8_t)(word >> 24)};

    put_bytes(s, bytes, 4);
}

static inline void put_chunk(struct stream *s, uint32_t type, const struct stream *body)
{
    put_word(s, (uint32_t)body->n + 4);
    put_word(s, type);
    put_bytes(s, body->bytes, body->n);
}

/* The first chunk, and a definition, which readers skip. */
static inline void put_pix_header(struct stream *s)
{
    const uint32_t words[4] = {0x68, 1, 1, 0x13};
    struct stream body = {0};

    for (unsigned i = 0; i < 4; i++)
        put_word(&body, words[i]);
    put_chunk(s, 0x3e8, &body);
    put_chunk(s, 0x3e9, &body);
    free(body.bytes);
    pix_event = 0;
}

/* A block: memory that a pointer refers to. */
static inline void put_block(struct stream *s, uint32_t address, const void *bytes, uint32_t n)
{
    put_word(s, address);
    put_word(s, n);
    put_word(s, 0);
    put_word(s, n);
    put_bytes(s, bytes, n);
}

/* A call: result and parameters as words, then blocks (NULL: none). at_once: event for calls that
 * precede the frame. */
static inline void put_pix_call(struct stream *s, bool at_once, uint32_t number,
                                const uint32_t *words, size_t n, const struct stream *blocks)
{
    struct stream event = {0}, call = {0};

    put_word(&call, number);
    put_word(&call, 1);
    for (size_t i = 0; i < n; i++)
        put_word(&call, words[i]);
    if (blocks)
        put_bytes(&call, blocks->bytes, blocks->n);
    put_word(&event, at_once ? 11 : 8);
    put_word(&event, ++pix_event);
    for (unsigned i = 0; i < 3; i++)
        put_word(&event, 0); /* parent, time */
    if (!at_once) {
        put_chunk(s, 0x3eb, &event);
        event.n = 0;
        put_word(&event, pix_event);
        put_word(&event, 19);
    }
    put_word(&event, (uint32_t)call.n);
    put_bytes(&event, call.bytes, call.n);
    put_chunk(s, at_once ? 0x3eb : 0x3ec, &event);
    free(event.bytes);
    free(call.bytes);
}

#define PIX_CALL(s, number, ...)                                                                   \
    put_pix_call(s, false, number, (const uint32_t[]){__VA_ARGS__},                                \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / 4, NULL)
#define PIX_CALL_WITH(s, blocks, number, ...)                                                      \
    put_pix_call(s, false, number, (const uint32_t[]){__VA_ARGS__},                                \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / 4, blocks)

/* --- Sample: an 8x4 screen with a 3x2 texture at the top left, and a triangle ----------------- */

enum {
    P_D3D = 0x1000,
    P_DEVICE = 0x2000,
    P_TEXTURE = 0x3000,
    P_BUFFER = 0x4000,
    P_SHADER = 0x5000
};

static inline uint32_t float_word(float value)
{
    uint32_t word;

    memcpy(&word, &value, 4);
    return word;
}

static inline void put_pix_device(struct stream *s)
{
    PIX_CALL(s, 206, P_D3D, 32);
    PIX_CALL(s, 235, 0, P_D3D, 0, 1, 0x77, 0x40, 0x10, 8, 4, 22, 1, 0, 0, 1, 0x77, 1, 0, 0, 0, 0, 0,
             0x20, P_DEVICE);
}

/* R5G6B5: red, green, blue / white, black, magenta. The pitch is 8; the block has rows of 6 bytes.
 */
static inline void put_pix_texture(struct stream *s)
{
    static const uint16_t texels[6] = {0xf800, 0x07e0, 0x001f, 0xffff, 0x0000, 0xf81f};
    struct stream block = {0};

    put_pix_call(s, true, 259,
                 (const uint32_t[]){0, P_DEVICE, 3, 2, 1, 0, 23, 1, 0x20, P_TEXTURE, 0, 0}, 12,
                 NULL);
    PIX_CALL(s, 384, 0, P_TEXTURE, 0, 0x30, 8, 0xabc0, 0, 0, 0, 0, 0, 0);
    put_block(&block, 0xdef0, texels, sizeof(texels));
    PIX_CALL_WITH(s, &block, 385, 0, P_TEXTURE, 0);
    free(block.bytes);
    PIX_CALL(s, 301, 0, P_DEVICE, 0, P_TEXTURE);
}

static inline void put_pix_quad(struct stream *s)
{
    static const float vertices[4][6] = {
        {-0.5f, -0.5f, 0, 1, 0, 0},
        {2.5f, -0.5f, 0, 1, 1, 0},
        {-0.5f, 1.5f, 0, 1, 0, 1},
        {2.5f, 1.5f, 0, 1, 1, 1},
    };
    struct stream block = {0};

    PIX_CALL(s, 325, 0, P_DEVICE, 0x104); /* XYZRHW, one coordinate */
    put_block(&block, 0x9990, vertices, sizeof(vertices));
    PIX_CALL_WITH(s, &block, 319, 0, P_DEVICE, 5, 2, 0x9990, 24);
    free(block.bytes);
}

/* A red triangle from a buffer that covers pixels 4 to 7 of the lowest row. */
static inline void put_pix_triangle(struct stream *s)
{
    static const struct {
        float at[4];
        uint32_t colour;
    } vertices[3] = {
        {{3.5f, 2.5f, 0, 1}, 0xffff0000},
        {{30, 2.5f, 0, 1}, 0xffff0000},
        {{3.5f, 30, 0, 1}, 0xffff0000},
    };
    struct stream block = {0};

    PIX_CALL(s, 262, 0, P_DEVICE, 60, 8, 0x44, 0, 0x20, P_BUFFER, 0, 0);
    PIX_CALL(s, 442, 0, P_BUFFER, 0, 0, 0x20, 0);
    put_block(&block, 0x8880, vertices, sizeof(vertices));
    PIX_CALL_WITH(s, &block, 443, 0, P_BUFFER);
    free(block.bytes);
    PIX_CALL(s, 301, 0, P_DEVICE, 0, 0);
    PIX_CALL(s, 325, 0, P_DEVICE, 0x44); /* XYZRHW, diffuse */
    PIX_CALL(s, 336, 0, P_DEVICE, 0, P_BUFFER, 0, 20);
    PIX_CALL(s, 317, 0, P_DEVICE, 4, 0, 1);
}

static inline void put_pix_frame(struct stream *s)
{
    PIX_CALL(s, 279, 0, P_DEVICE, 0, 0, 0, 0, 0, 0, 1, 0xff102030, float_word(1), 0);
    PIX_CALL(s, 277, 0, P_DEVICE);
    put_pix_texture(s);
    put_pix_quad(s);
    put_pix_triangle(s);
    PIX_CALL(s, 278, 0, P_DEVICE);
    PIX_CALL(s, 253, 0, P_DEVICE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* Shaders, constants and a clip plane, which use other block encodings. */
static inline void put_pix_shaders(struct stream *s)
{
    static const uint32_t code[] = {0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000,
                                    0x00000001, 0xc00f0000, 0x90e40000, 0x0000ffff};
    static const uint8_t elements[16] = {0, 0, 0, 0, 3, 0, 0, 0, 0xff, 0, 0, 0, 17, 0, 0, 0};
    static const float constants[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct stream block = {0};

    put_block(&block, 0x7770, code, sizeof(code));
    PIX_CALL_WITH(s, &block, 327, 0, P_DEVICE, 0x7770, 0x20, P_SHADER);
    block.n = 0;
    put_block(&block, 0x7780, elements, sizeof(elements));
    PIX_CALL_WITH(s, &block, 322, 0, P_DEVICE, 0x7780, 0x20, P_SHADER + 1);
    block.n = 0;
    put_block(&block, 0x7790, constants, sizeof(constants));
    PIX_CALL_WITH(s, &block, 330, 0, P_DEVICE, 3, 0x7790, float_word(1), 2);
    free(block.bytes);
    PIX_CALL(s, 291, 0, P_DEVICE, 1, 0x77a0, float_word(1), float_word(2), float_word(3),
             float_word(4));
}

static inline void put_pix_sample(struct stream *s)
{
    put_pix_header(s);
    put_pix_device(s);
    put_pix_shaders(s);
    PIX_CALL(s, 293, 0, P_DEVICE, 22, 1); /* no culling */
    for (unsigned filter = 5; filter < 7; filter++)
        PIX_CALL(s, 305, 0, P_DEVICE, 0, filter, 1);
    put_pix_frame(s);
    PIX_CALL(s, 367, 0, P_TEXTURE);
    PIX_CALL(s, 433, 0, P_BUFFER);
    PIX_CALL(s, 238, 0, P_DEVICE);
    PIX_CALL(s, 221, 0, P_D3D);
}

#endif
