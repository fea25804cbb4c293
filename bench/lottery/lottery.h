/* The lottery: random valid pipeline states, drawn through the Direct3D 9 API alone. A seed decides
 * state and geometry; the device has no influence on it. A device that cannot draw a state refuses
 * it. */
#ifndef BENCH_LOTTERY_LOTTERY_H
#define BENCH_LOTTERY_LOTTERY_H

#include "../d3d9/bench.h"

enum { LOTTERY_WIDTH = 512, LOTTERY_HEIGHT = 384, LOTTERY_TEXTURES = 3, LOTTERY_TARGETS = 4 };

/* --- Choices ---------------------------------------------------------------------------------- */

/* A value of a state, how often it is drawn, and its name. Tables end with a NULL name. */
struct choice {
    DWORD value;
    unsigned weight; /* 0: penalty cases alone use it */
    const char *word;
};

extern const struct choice lottery_formats[], lottery_depths[], lottery_samples[],
    lottery_functions[], lottery_stencil_ops[], lottery_factors[], lottery_blend_ops[],
    lottery_masks[], lottery_fogs[], lottery_geometries[], lottery_colours[], lottery_types[],
    lottery_texels[], lottery_filters[], lottery_mips[], lottery_addresses[], lottery_sizes[],
    lottery_scales[], lottery_stage_ops[], lottery_stage_args[], lottery_pixel_shaders[],
    lottery_vertex_shaders[];

const char *lottery_word(const struct choice *table, DWORD value);

enum lottery_geometry {
    GEOMETRY_LARGE,
    GEOMETRY_MESH,
    GEOMETRY_SMALL,
    GEOMETRY_SPRITES,
    GEOMETRY_SLIVERS,
    GEOMETRY_BLOCKS, /* rectangles of whole pixels */
    GEOMETRY_CUT     /* by the near plane, the far plane and the edges of the view */
};
enum lottery_colour { COLOUR_WHITE, COLOUR_PRIMITIVE, COLOUR_VARYING };
enum lottery_fog { FOG_NONE, FOG_TABLE_LINEAR, FOG_TABLE_EXP, FOG_TABLE_EXP2, FOG_VERTEX };
enum lottery_vertex_shader { VS_NONE, VS_1_1, VS_2_0, VS_3_0 };
enum lottery_pixel_shader {
    PS_NONE,
    PS_COLOUR,
    PS_TEXTURE,
    PS_TEX_1_1,
    PS_BUMP_1_1,
    PS_DEPENDENT_1_4,
    PS_LAYERS,
    PS_LIGHT,
    PS_KILL,
    PS_DEPTH,
    PS_CUBE,
    PS_VOLUME,
    PS_PROJECTED,
    PS_ARITHMETIC,
    PS_TARGETS_2,
    PS_TARGETS_4,
    PS_BRANCH,
    PS_LOOP,
    PS_GRADIENTS,
    PS_COUNT
};

/* --- States ----------------------------------------------------------------------------------- */

struct lottery_texture {
    D3DFORMAT format;
    D3DRESOURCETYPE type;
    DWORD size; /* texels of a side */
    bool levels, srgb;
    DWORD filter, mip, anisotropy, address;
    float bias;
    DWORD scale; /* texels a pixel, in hundredths */
};

struct lottery_stage {
    DWORD op, arg1, arg2;
    DWORD alpha_op;
};

struct lottery_stencil {
    DWORD function, fail, depth_fail, pass;
};

struct lottery_state {
    uint32_t seed;
    /* Targets */
    DWORD width, height;
    D3DFORMAT target, depth;
    DWORD targets, samples, write_mask;
    bool srgb_write;
    /* Tests */
    bool depth_test, depth_write, alpha_test, stencil_test, two_sided, scissor, depth_bias,
        clip_plane;
    DWORD depth_function, alpha_function, alpha_reference;
    struct lottery_stencil stencil[2]; /* front, back */
    /* Output */
    bool blend, separate_alpha;
    DWORD source, destination, op, source_alpha, destination_alpha, op_alpha;
    DWORD fog;
    /* Shading */
    DWORD pixel_shader, vertex_shader, textures, lights;
    bool specular, flat;
    struct lottery_texture texture[LOTTERY_TEXTURES];
    struct lottery_stage stage[LOTTERY_TEXTURES];
    /* Geometry */
    DWORD geometry, colour, draws;
    bool transformed; /* vertices in pixels */
    bool cull;
    DWORD mesh_cells;
};

/* choices.c: draws the state of a seed. */
void lottery_draw_state(struct lottery_state *state, uint32_t seed);
/* A number below n for a seed and a purpose. It depends on nothing else, so that a new purpose
 * changes no older one. */
uint32_t lottery_lot(uint32_t seed, const char *purpose, uint32_t n);

/* describe.c: calls `tell` for each feature of the state. */
typedef void lottery_tell_fn(void *context, const char *feature, const char *value);
void lottery_features(const struct lottery_state *state, lottery_tell_fn *tell, void *context);

/* penalty.c: a plain state, and the same with one feature. Returns false after the last case. */
bool lottery_penalty(unsigned n, bool with, struct lottery_state *state, const char **name,
                     const char **what);

/* --- Drawing ---------------------------------------------------------------------------------- */

enum { LOTTERY_MAX_VERTICES = 60000 };

struct lottery_vertex {
    struct vec3 position;
    struct vec3 normal;
    D3DCOLOR diffuse, specular;
    struct vec3 coordinates[LOTTERY_TEXTURES];
};

/* Vertices in pixels. */
struct lottery_screen_vertex {
    struct vec3 position;
    float rhw;
    D3DCOLOR diffuse, specular;
    struct vec3 coordinates[LOTTERY_TEXTURES];
};

struct lottery_mesh {
    struct lottery_vertex *vertices;
    uint16_t *indices;
    UINT n_vertices, n_indices;
};

struct lottery_scene {
    struct bench *bench;
    const struct lottery_state *state;
    IDirect3DSurface9 *target[LOTTERY_TARGETS]; /* of one sample; those that are read */
    IDirect3DSurface9 *multisampled, *depth, *readback;
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *indices;
    UINT n_vertices, n_indices, stride;
};

/* geometry.c: slope of the camera: half the height of the view at distance 1. */
#define LOTTERY_SLOPE 0.5f
#define LOTTERY_NEAR 1.0f
#define LOTTERY_FAR 16.0f
void lottery_make_mesh(const struct lottery_state *state, struct lottery_mesh *mesh);
void lottery_free_mesh(struct lottery_mesh *mesh);

/* textures.c: NULL if it cannot be created; the bench owns it. */
IDirect3DBaseTexture9 *lottery_make_texture(struct bench *bench, const struct lottery_texture *t,
                                            unsigned stage);

/* refuse.c: why the device cannot draw a state; NULL: it can. */
const char *lottery_refusal(struct bench *bench, const struct lottery_state *state);

/* scene.c: false, with bench->refusal: the device cannot create a resource. */
bool lottery_begin(struct lottery_scene *scene, struct bench *bench,
                   const struct lottery_state *state);
/* Goes on with another state on the same targets. */
bool lottery_change(struct lottery_scene *scene, const struct lottery_state *state);
void lottery_frame(struct lottery_scene *scene);
/* Returns when all frames are complete and the first target is in system memory. */
void lottery_wait(struct lottery_scene *scene);
/* A hash of all targets, without unused bits of the format. */
uint64_t lottery_hash(struct lottery_scene *scene);
/* Writes the first target as a PNG file. */
void lottery_picture(struct lottery_scene *scene, const char *path);

/* pixels.c: pixels and texels of any format. */
unsigned lottery_pixel_bytes(D3DFORMAT format);
void lottery_pack(D3DFORMAT format, struct ex_colour c, uint8_t *to);
struct ex_colour lottery_unpack(D3DFORMAT format, const uint8_t *from);
/* Clears bits without a meaning in a row of pixels. */
void lottery_clear_unused(D3DFORMAT format, uint8_t *row, unsigned pixels);

#endif
