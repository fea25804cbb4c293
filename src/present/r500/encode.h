/* A frame as a stream of packets: one textured quad. */
#ifndef PRESENT_R500_ENCODE_H
#define PRESENT_R500_ENCODE_H

#include "present/r500/submit.h"

/* Who makes window coordinates of the quad's corners. */
enum r500_form {
    R500_BYPASS,  /* nobody: they are in the stream, and the vertex shader is left out */
    R500_PROGRAM, /* a vertex shader that passes them on */
    R500_FORMS
};

/* NULL and R500_FORMS where there is none: "bypass", "program". */
const char *r500_form_name(unsigned form);
enum r500_form r500_form_by_name(const char *name);

/* Texture A8R8G8B8 to colour buffer ARGB8888, both linear and from the start of their buffers. */
struct r500_quad {
    enum r500_chip chip;
    enum r500_form form;
    uint32_t width, height, pitch;                      /* of the texture, in texels */
    uint32_t target_width, target_height, target_pitch; /* of the colour buffer, in pixels */
    uint32_t left, top, right, bottom;                  /* of the quad in it */
    bool opaque;                                        /* alpha of the texture counts as 1 */
};

enum {
    R500_QUAD_DWORDS = 248, /* at most */
    R500_TARGET_ENTRY = 0,  /* relocations of the stream: the colour buffer, */
    R500_TEXTURE_ENTRY = 1, /* the texture */
    R500_QUAD_RELOCS = 2,
    R500_SCANOUT_ALIGN = 64, /* pixels: pitch of what a display shows */
    R500_TEXTURE_ALIGN = 8,  /* texels: pitch */
};

/* ST_INVALID, logged: sizes or pitches that the chip does not take. */
MUST_CHECK enum status r500_encode_quad(uint32_t stream[R500_QUAD_DWORDS], uint32_t *n,
                                        const struct r500_quad *quad);

#endif
