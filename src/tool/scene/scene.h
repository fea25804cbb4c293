/* Interface of the scene runner's parts. The runner executes a scene (.d9t) line by line; each line
 * is one command of the table in scene.c.
 *
 * The runner uses only the public Direct3D 9 interface, so it can test any implementation.
 * tests/conformance/language.md describes the language. */
#ifndef TOOL_SCENE_SCENE_H
#define TOOL_SCENE_SCENE_H

#include <windows.h>
#include <d3d9.h>

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    MAX_WORDS = 96,
    MAX_RESOURCES = 64,
    MAX_STREAMS = 8,
    MAX_ELEMENTS = 24,
    MAX_OWNED = 4096,
    MAX_BUFFERS = 32
};

/* One line, split in place: words, and the text between { and } if the line has a block. */
struct line {
    int number;
    int n;
    char *word[MAX_WORDS];
    char *block; /* NULL: no block */
    int block_line;
    const char *outcome; /* name after ->; NULL: the call must succeed */
};

enum resource_kind {
    RESOURCE_NONE,
    RESOURCE_TEXTURE,
    RESOURCE_CUBE,
    RESOURCE_VOLUME,
    RESOURCE_SURFACE
};

struct resource {
    char name[24];
    enum resource_kind kind;
    D3DFORMAT format;
    D3DPOOL pool;
    DWORD usage;
    UINT width, height, depth, levels;
    union {
        IUnknown *unknown;
        IDirect3DBaseTexture9 *base;
        IDirect3DTexture9 *texture;
        IDirect3DCubeTexture9 *cube;
        IDirect3DVolumeTexture9 *volume;
        IDirect3DSurface9 *surface;
    } u;
};

/* A component group of a vertex, in vertex order. */
struct element {
    BYTE stream, type; /* D3DDECLTYPE */
    WORD offset;
};

struct stream {
    IDirect3DVertexBuffer9 *buffer;
    uint8_t *data;
    UINT stride, offset, n_vertices;
};

/* A vertex buffer with a name. */
struct named_buffer {
    char name[24];
    IDirect3DVertexBuffer9 *buffer;
    UINT size;
};

/* The surface that `expect` reads, as last read back. */
struct image {
    D3DFORMAT format;
    UINT width, height, pitch;
    uint8_t *data;
    size_t room;
};

struct tally {
    unsigned passed, failed, todo, skipped;
};

struct block;

/* The scene's picture (picture.c): 8 bits a channel, RGBA, rows without padding. Images of
 * different widths are stacked, with 0 to the right of the narrower ones. height 0: the scene shows
 * nothing. */
struct scene_picture {
    uint32_t width, height;
    uint8_t *rgba;
    bool cut; /* the scene shows more than a picture can hold */
};

struct scene {
    const char *path;
    struct scene_picture *picture; /* NULL: not wanted */
    FILE *out;                     /* for failure messages */
    bool verbose;
    char *at; /* read position in the text */
    int next_line;
    struct line line;
    struct tally tally;
    uint64_t memory;      /* bytes that the scene has requested */
    struct block *blocks; /* memory of scene_alloc */
    jmp_buf abandon;
    bool skipped, has_rule;
    char todo[160]; /* reason; "" if expectations must be met */

    IDirect3D9 *d3d;
    IDirect3DDevice9 *device;
    HWND window;
    bool in_scene;
    bool software_models; /* use vs_2_sw and the like */
    D3DCAPS9 caps;

    struct resource resource[MAX_RESOURCES];
    int n_resources;
    struct resource *reading; /* the surface to read; NULL: render target `reading_target` */
    UINT reading_level, reading_face, reading_target;
    struct image image;
    bool image_valid;

    struct element element[MAX_ELEMENTS];
    int n_elements;
    UINT stride[MAX_STREAMS];
    struct stream stream[MAX_STREAMS];
    struct named_buffer buffer[MAX_BUFFERS];
    int n_buffers;
    IDirect3DIndexBuffer9 *indices;
    uint8_t *index_data;
    D3DFORMAT index_format;
    UINT n_indices;
    DWORD fvf; /* in force unless a declaration is set */
    IDirect3DVertexDeclaration9 *declaration;

    char *shader_text[2], *drawn_shaders; /* coverage.c: current vs and ps; shaders drawn since the
                                           * last expectation */

    IDirect3DQuery9 *query[27]; /* [0]: unnamed; then a … z */
    IUnknown *owned[MAX_OWNED]; /* released with the scene */
    int n_owned;
};

typedef void command_fn(struct scene *scene);

/* --- scene.c ---------------------------------------------------------------------------------- */

/* Reports an error of the scene or of its device and aborts the scene as failed. */
void scene_fail(struct scene *scene, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/* Checks a call's result: without `-> NAME` a failure aborts the scene; with it the result must
 * have that name. */
bool scene_check(struct scene *scene, HRESULT hr, const char *what);
/* Counts one expectation, as todo if it is marked so. Prints the line if it is not met. */
void scene_expect(struct scene *scene, bool met, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Zeroed memory, freed with the scene. */
void *scene_alloc(struct scene *scene, size_t size);
/* Aborts a scene that requests too much memory. */
void scene_use_memory(struct scene *scene, uint64_t bytes);

/* Gives the object to the scene, which releases it at the end. NULL is allowed. */
void scene_own(struct scene *scene, void *object);
void scene_begin(struct scene *scene); /* enters BeginScene … EndScene */
void scene_end(struct scene *scene);   /* leaves BeginScene … EndScene */
/* Runs the text, which is modified in place, and reports failures to `out`. The picture, if not
 * NULL, starts empty; the caller frees it. */
struct tally scene_run(const char *path, char *text, FILE *out, bool verbose,
                       struct scene_picture *picture);
/* Runs a file. An unreadable file counts as failed. */
struct tally scene_run_file(const char *path, FILE *out, bool verbose,
                            struct scene_picture *picture);
void scene_picture_free(struct scene_picture *picture);

/* --- picture.c -------------------------------------------------------------------------------- */

void picture_add(struct scene_picture *picture, const struct image *image);

/* --- compare.c: reads the surface for expectations into scene->image -------------------------- */

void scene_read_image(struct scene *scene);

/* --- list.c ----------------------------------------------------------------------------------- */

/* The scenes that an argument names: a file, or all *.d9t of a folder sorted by name. */
struct scene_list {
    char **path;
    unsigned n;
};
void scene_list_make(struct scene_list *list, const char *path);
void scene_list_free(struct scene_list *list);

/* --- device.c --------------------------------------------------------------------------------- */

bool device_open(struct scene *scene); /* false: Direct3D 9 is not available */
void device_close(struct scene *scene);
command_fn cmd_backbuffer, cmd_device, cmd_present, cmd_needs, cmd_begin, cmd_end;

/* --- parse.c ---------------------------------------------------------------------------------- */

bool parse_line(struct scene *scene); /* false: end of file */
/* The i-th word; aborts the scene if the line has fewer. */
const char *parse_word(struct scene *scene, int i);
/* Value of `key=` on this line; NULL if absent. */
const char *parse_key(const struct scene *scene, const char *key);
bool parse_flag(const struct scene *scene, const char *word);
bool parse_is_number(const char *text);
float parse_float(struct scene *scene, const char *text);
uint32_t parse_uint(struct scene *scene, const char *text);   /* decimal, or hexadecimal with 0x */
uint32_t parse_hex(struct scene *scene, const char *text);    /* hexadecimal without 0x */
uint32_t parse_colour(struct scene *scene, const char *text); /* aarrggbb, rrggbb is opaque */
void parse_size(struct scene *scene, const char *text, UINT *w, UINT *h, UINT *d);
/* Parses comma-separated floats; returns their number, at most max. */
int parse_floats(struct scene *scene, const char *text, float *out, int max);
LONG parse_whole(struct scene *scene, float value); /* the value must be an integer */
UINT parse_key_uint(struct scene *scene, const char *key, UINT otherwise);
/* The next word of a block, without comments; NULL at the end. *at starts as line.block. */
char *parse_block_word(struct scene *scene, char **at);

/* --- names.c ---------------------------------------------------------------------------------- */

struct name {
    const char *text;
    DWORD value;
};
enum name_list {
    NAMES_FORMAT,
    NAMES_POOL,
    NAMES_PRIMITIVE,
    NAMES_DECLTYPE,
    NAMES_DECLUSAGE,
    NAMES_FILTER,
    NAMES_HRESULT,
    NAMES_TRANSFORM,
    NAMES_FVF,
    NAMES_FACE,
    NAMES_USAGE
};
DWORD name_value(struct scene *scene, enum name_list list, const char *text);
const char *name_of(enum name_list list, DWORD value); /* NULL: the value has no name */
D3DFORMAT name_format(struct scene *scene, const char *text);

/* Parses NAME=VALUE of a render, sampler or texture stage state. */
enum state_class { STATE_RENDER, STATE_SAMPLER, STATE_STAGE };
void name_state(struct scene *scene, enum state_class class, char *assignment, DWORD *state,
                DWORD *value);

/* --- state.c ---------------------------------------------------------------------------------- */

D3DTRANSFORMSTATETYPE transform_number(struct scene *scene, const char *text);
/* Builds the matrix that the words from i on, or the block, describe. */
D3DMATRIX transform_matrix(struct scene *scene, int i);
command_fn cmd_state, cmd_sampler, cmd_stage, cmd_transform, cmd_multiply, cmd_light, cmd_material,
    cmd_viewport, cmd_scissor, cmd_clipplane, cmd_clear, cmd_query, cmd_palette;

/* --- resource.c ------------------------------------------------------------------------------- */

command_fn cmd_target, cmd_texture, cmd_cube, cmd_volume, cmd_surface, cmd_bind, cmd_rendertarget,
    cmd_depth, cmd_fill, cmd_lod, cmd_read, cmd_evict, cmd_preload;
/* Value of key=; default +x. */
UINT parse_key_face(struct scene *scene, const char *key);
/* Parses key=x0,y0,x1,y1; false if the key is absent. */
bool parse_key_rect(struct scene *scene, const char *key, RECT *rect);
struct resource *resource_find(struct scene *scene, const char *name);
/* Same, but the resource must be a texture. */
IDirect3DBaseTexture9 *resource_texture(struct scene *scene, const char *name);
/* Aborts a scene whose images need too much memory. */
void resource_use_memory(struct scene *scene, UINT width, UINT height, UINT depth, UINT samples);
/* A surface of the resource; the scene owns it. */
IDirect3DSurface9 *resource_surface(struct scene *scene, struct resource *resource, UINT face,
                                    UINT level);

/* --- copies.c --------------------------------------------------------------------------------- */

command_fn cmd_stretchrect, cmd_colorfill, cmd_updatesurface, cmd_updatetexture, cmd_generate,
    cmd_autofilter, cmd_targetdata, cmd_frontdata, cmd_dirty;

/* --- texels.c --------------------------------------------------------------------------------- */

/* Bytes per row of blocks, and rows of blocks, of a w × h image. */
UINT texel_row_bytes(D3DFORMAT format, UINT w);
UINT texel_rows(D3DFORMAT format, UINT h);
/* Writes the texels described at *at (language.md, "texels") to one image. Stops at a word that
 * starts the next image. */
void texel_write(struct scene *scene, char **at, D3DFORMAT format, UINT w, UINT h, UINT d,
                 uint8_t *bits, UINT pitch, UINT slice_pitch);
/* Decodes a texel; false if the runner cannot read the format. */
bool texel_decode(D3DFORMAT format, const uint8_t *bits, float rgba[4]);

/* --- geometry.c ------------------------------------------------------------------------------- */

command_fn cmd_fvf, cmd_decl, cmd_vertices, cmd_indices, cmd_freq, cmd_draw, cmd_quad, cmd_quadxyz;
/* Sets the vertex layout and streams of the scene. */
void geometry_bind(struct scene *scene);
DWORD geometry_fvf(struct scene *scene, char *text);
/* Parses vertex elements from a block, with the end marker; returns their number. layout: the block
 * is the scene's vertex layout. */
UINT geometry_elements(struct scene *scene, char *at, D3DVERTEXELEMENT9 *elements, bool layout);

/* --- buffer.c --------------------------------------------------------------------------------- */

command_fn cmd_buffer, cmd_stream, cmd_process, cmd_holds;
void buffer_name(struct scene *scene, const char *name, IDirect3DVertexBuffer9 *buffer, UINT size);
const struct named_buffer *buffer_find(struct scene *scene, const char *name);

/* --- vertex_answers.c ------------------------------------------------------------------------- */

/* Handles `answer` of a vertex query; false: the line asks something else. */
bool answer_vertex_query(struct scene *scene);
command_fn cmd_software, cmd_clipstatus;

/* --- shader.c --------------------------------------------------------------------------------- */

command_fn cmd_shader, cmd_const;
/* Assembles a shader; the scene owns the tokens. */
uint32_t *shader_assemble(struct scene *scene, const char *text, size_t *n);
/* Creates and sets a shader; NULL unsets it. */
void shader_set(struct scene *scene, bool pixel, const uint32_t *tokens);

/* --- compute.c -------------------------------------------------------------------------------- */

command_fn cmd_compute;

/* --- coverage.c ------------------------------------------------------------------------------- */

void coverage_to(const char *path);
void coverage_shader(struct scene *scene, bool pixel, const uint32_t *tokens);
/* Records a draw; transformed vertices do not run the vertex shader. */
void coverage_draw(struct scene *scene, bool transformed);
void coverage_expectation_met(struct scene *scene); /* records a met expectation */

/* --- query_commands.c ------------------------------------------------------------------------- */

command_fn cmd_answer, cmd_validate;

/* --- compare.c -------------------------------------------------------------------------------- */

command_fn cmd_expect;
/* Compares the whole target with word i of the line (and `tol N` after it); `what` is for the
 * message. */
void expect_all(struct scene *scene, int i, const char *what);

#endif
