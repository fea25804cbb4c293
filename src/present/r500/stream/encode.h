/* Encodes a frame as a command stream: one textured quad. */
#ifndef PRESENT_R500_STREAM_ENCODE_H
#define PRESENT_R500_STREAM_ENCODE_H

#include "present/r500/stream/submit.h"

/* Source of the quad's window coordinates. */
enum r500_form {
    R500_BYPASS,  /* vertex data in the stream; no vertex shader */
    R500_PROGRAM, /* a pass-through vertex shader */
    R500_FORMS
};

/* Names "bypass" and "program". Return NULL and R500_FORMS for unknown values. */
const char *r500_form_name(unsigned form);
enum r500_form r500_form_by_name(const char *name);

/* Parameters of the copy from an A8R8G8B8 texture to an ARGB8888 colour buffer; both are linear and
 * start at offset 0 of their buffers. */
struct r500_quad {
    enum r500_chip chip;
    enum r500_form form;
    uint32_t width, height, pitch;                      /* texture size in texels */
    uint32_t target_width, target_height, target_pitch; /* colour buffer size in pixels */
    uint32_t left, top, right, bottom;                  /* quad in the colour buffer */
    bool opaque;                                        /* treats texture alpha as 1 */
};

enum {
    R500_QUAD_DWORDS = 248, /* upper bound */
    R500_TARGET_ENTRY = 0,  /* relocation of the colour buffer */
    R500_TEXTURE_ENTRY = 1, /* relocation of the texture */
    R500_QUAD_RELOCS = 2,
    R500_SCANOUT_ALIGN = 64, /* pitch alignment of displayed buffers in pixels */
    R500_TEXTURE_ALIGN = 8,  /* pitch alignment of textures in texels */
};

/* Returns ST_INVALID, logged, if the chip does not support a size or pitch. */
MUST_CHECK enum status r500_encode_quad(uint32_t stream[R500_QUAD_DWORDS], uint32_t *n,
                                        const struct r500_quad *quad);

#endif
