/* State of the chip model. Private to the model. */
#ifndef PRESENT_R500_MODEL_STATE_H
#define PRESENT_R500_MODEL_STATE_H

#include "present/r500/model/model.h"
#include "present/r500/shader/code.h"
#include "present/r500/stream/regs.h"

enum {
    MODEL_PVS_DWORDS = 2048 * 4, /* code, constants and clip planes */
    MODEL_US_DWORDS = US_INSTRUCTIONS * US_WORDS,
    MODEL_CONSTANTS = 256,
    MODEL_VERTICES = 256, /* maximum per draw */
    MODEL_TEXTURES = 8,   /* texture coordinates per vertex */
    MODEL_UNITS = 16,
    MODEL_COMPONENTS = 32, /* components that the rasteriser interpolates */
    MODEL_SUBPIXELS = 12,
    MODEL_TEMPS = 128,
};

struct model {
    const struct r500_submit *submit;
    const struct r500_memory *memory;
    struct r500_error *error;
    enum status status; /* sticky */
    uint32_t next;      /* next packet */
    uint32_t regs[R500_REGISTER_BYTES / 4];
    bool written[R500_REGISTER_BYTES / 4];
    struct r500_buffer *target, *texture[MODEL_UNITS];
    uint32_t us[MODEL_US_DWORDS], us_at, pvs[MODEL_PVS_DWORDS], pvs_at;
    float us_constant[MODEL_CONSTANTS][4];
    bool drawn;                  /* drawn since the last flush of the colour cache */
    const uint32_t *vertex_data; /* of the current draw */
    uint32_t vertex_dwords;
    uint64_t work; /* fragment instructions so far, including bounding-box pixels outside of
                    * triangles */
};

/* A vertex: window coordinates in twelfths of a pixel, and interpolated components. */
struct model_vertex {
    int32_t x, y;
    float components[MODEL_COMPONENTS];
};

/* Stores the first failure; returns false. */
bool model_fail(struct model *m, enum status st, const char *format, ...) PRINTF_LIKE(3, 4);
/* Returns a register; fails if the stream has not written it. */
uint32_t model_reg(struct model *m, uint32_t reg);

/* Computes vertex i of a draw. *n_components is the same for all vertices. */
bool model_vertex(struct model *m, uint32_t i, struct model_vertex *out, unsigned *n_components);

/* A fragment program with its textures, ready to run. */
struct model_shader;
struct model_shader *model_shader_create(struct model *m);
unsigned model_shader_length(const struct model_shader *shader); /* in instructions */
void model_shader_destroy(struct model_shader *shader);
/* Computes the four bytes of a pixel from its interpolated components. */
void model_shade(struct model_shader *shader, const double *components, uint8_t out[4]);

/* Rasterises a primitive of n vertices to the colour buffer. */
void model_raster(struct model *m, const struct model_vertex *vertices, uint32_t n,
                  unsigned n_components, uint32_t primitive);

#endif
