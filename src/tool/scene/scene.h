/* What the parts of the scene runner share. A scene is run line by line: each line is one command
 * of the table in scene.c, executed when it is read. Only the public Direct3D 9 interface is used,
 * so the same program judges this library and any other Direct3D 9. tests/conformance/language.md
 * describes the text.
 */
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

/* One line, taken apart in place: words, and the text between { and } if it has a block. */
struct line {
    int number;
    int n;
    char *word[MAX_WORDS];
    char *block; /* NULL without one */
    int block_line;
    const char *outcome; /* the name after ->, NULL when the call has to succeed */
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

/* How one component group of a vertex is written down, in the order of the vertex. */
struct element {
    BYTE stream, type; /* D3DDECLTYPE */
    WORD offset;
};

struct stream {
    IDirect3DVertexBuffer9 *buffer;
    uint8_t *data;
    UINT stride, offset, n_vertices;
};

/* A vertex buffer that commands name. */
struct named_buffer {
    char name[24];
    IDirect3DVertexBuffer9 *buffer;
    UINT size;
};

/* The surface that `expect` looks at, as last read. */
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

/* What a scene shows (picture.c): 8 bits a channel, R G B A, rows without padding; where images of
 * several widths lie below each other, 0 to the right of them. Without height: nothing was shown.
 */
struct scene_picture {
    uint32_t width, height;
    uint8_t *rgba;
    bool cut; /* there was more than a picture holds */
};

struct scene {
    const char *path;
    struct scene_picture *picture; /* NULL: not wanted */
    FILE *out;                     /* for what is wrong */
    bool verbose;
    char *at; /* where reading goes on */
    int next_line;
    struct line line;
    struct tally tally;
    uint64_t memory;      /* that it has asked for */
    struct block *blocks; /* of scene_alloc */
    jmp_buf abandon;
    bool skipped, has_rule;
    char todo[160]; /* reason; empty when expectations have to be met */

    IDirect3D9 *d3d;
    IDirect3DDevice9 *device;
    HWND window;
    bool in_scene;
    bool software_models; /* vs_2_sw and the like */
    D3DCAPS9 caps;

    struct resource resource[MAX_RESOURCES];
    int n_resources;
    struct resource *reading; /* NULL: render target `reading_target` */
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
    DWORD fvf; /* in force unless there is a declaration */
    IDirect3DVertexDeclaration9 *declaration;

    char *shader_text[2],
        *drawn_shaders; /* coverage.c: current vs and ps; those drawn since the last look */

    IDirect3DQuery9 *query[27]; /* without a name, a … z */
    IUnknown *owned[MAX_OWNED]; /* released with the scene */
    int n_owned;
};

typedef void command_fn(struct scene *scene);

/* --- scene.c ---------------------------------------------------------------------------------- */

/* Says what is wrong with the scene (or with the device under it) and leaves it as failed. */
void scene_fail(struct scene *scene, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/* Judges an outcome: without `-> NAME` a failure ends the scene, with it the name must come out. */
bool scene_check(struct scene *scene, HRESULT hr, const char *what);
/* Counts one expectation, as todo where it is marked so; prints the line when it is not met. */
void scene_expect(struct scene *scene, bool met, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Zeroed, and freed with the scene. */
void *scene_alloc(struct scene *scene, size_t size);
/* Leaves a scene that takes too much memory. */
void scene_use_memory(struct scene *scene, uint64_t bytes);

/* The scene releases the object at its end. NULL is allowed. */
void scene_own(struct scene *scene, void *object);
void scene_begin(struct scene *scene); /* inside BeginScene … EndScene */
void scene_end(struct scene *scene);   /* outside */
/* Runs the text, which it takes apart; what is wrong is said to `out`. The picture, where it is not
 * NULL, starts empty and is freed by the caller. */
struct tally scene_run(const char *path, char *text, FILE *out, bool verbose,
                       struct scene_picture *picture);
/* The same with a file; one that cannot be read has failed. */
struct tally scene_run_file(const char *path, FILE *out, bool verbose,
                            struct scene_picture *picture);
void scene_picture_free(struct scene_picture *picture);

/* --- picture.c -------------------------------------------------------------------------------- */

void picture_add(struct scene_picture *picture, const struct image *image);

/* --- compare.c: the surface that expectations look at, as it is now, becomes scene->image ----- */

void scene_read_image(struct scene *scene);

/* --- list.c ----------------------------------------------------------------------------------- */

/* The scenes that an argument names: the file, or all *.d9t of a folder in the order of names. */
struct scene_list {
    char **path;
    unsigned n;
};
void scene_list_make(struct scene_list *list, const char *path);
void scene_list_free(struct scene_list *list);

/* --- device.c --------------------------------------------------------------------------------- */

bool device_open(struct scene *scene); /* false: no Direct3D 9 here */
void device_close(struct scene *scene);
command_fn cmd_backbuffer, cmd_device, cmd_present, cmd_needs, cmd_begin, cmd_end;

/* --- parse.c ---------------------------------------------------------------------------------- */

bool parse_line(struct scene *scene); /* false at the end of the file */
/* The i-th word; leaves the scene when there are fewer. */
const char *parse_word(struct scene *scene, int i);
/* The value of `key=` on this line, NULL when absent. */
const char *parse_key(const struct scene *scene, const char *key);
bool parse_flag(const struct scene *scene, const char *word);
bool parse_is_number(const char *text);
float parse_float(struct scene *scene, const char *text);
uint32_t parse_uint(struct scene *scene, const char *text);   /* decimal, or hexadecimal with 0x */
uint32_t parse_hex(struct scene *scene, const char *text);    /* hexadecimal without 0x */
uint32_t parse_colour(struct scene *scene, const char *text); /* aarrggbb, rrggbb is opaque */
void parse_size(struct scene *scene, const char *text, UINT *w, UINT *h, UINT *d);
/* Comma-separated floats; the count, at most max. */
int parse_floats(struct scene *scene, const char *text, float *out, int max);
LONG parse_whole(struct scene *scene, float value); /* without its fraction */
UINT parse_key_uint(struct scene *scene, const char *key, UINT otherwise);
/* The next word of a block (comments skipped), NULL at its end; *at starts as line.block. */
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
const char *name_of(enum name_list list, DWORD value); /* NULL when it has none */
D3DFORMAT name_format(struct scene *scene, const char *text);

/* NAME=VALUE of a render, sampler or texture stage state. */
enum state_class { STATE_RENDER, STATE_SAMPLER, STATE_STAGE };
void name_state(struct scene *scene, enum state_class class, char *assignment, DWORD *state,
                DWORD *value);

/* --- state.c ---------------------------------------------------------------------------------- */

D3DTRANSFORMSTATETYPE transform_number(struct scene *scene, const char *text);
/* The matrix that words from i on, or the block, describe. */
D3DMATRIX transform_matrix(struct scene *scene, int i);
command_fn cmd_state, cmd_sampler, cmd_stage, cmd_transform, cmd_multiply, cmd_light, cmd_material,
    cmd_viewport, cmd_scissor, cmd_clipplane, cmd_clear, cmd_query, cmd_palette;

/* --- resource.c ------------------------------------------------------------------------------- */

command_fn cmd_target, cmd_texture, cmd_cube, cmd_volume, cmd_surface, cmd_bind, cmd_rendertarget,
    cmd_depth, cmd_fill, cmd_lod, cmd_read, cmd_evict, cmd_preload;
/* The value of key=, +x when it is not given. */
UINT parse_key_face(struct scene *scene, const char *key);
/* key=x0,y0,x1,y1; false when it is not given. */
bool parse_key_rect(struct scene *scene, const char *key, RECT *rect);
struct resource *resource_find(struct scene *scene, const char *name);
/* The same, which has to be a texture. */
IDirect3DBaseTexture9 *resource_texture(struct scene *scene, const char *name);
/* Leaves a scene whose images take too much memory. */
void resource_use_memory(struct scene *scene, UINT width, UINT height, UINT depth, UINT samples);
/* A surface of the resource, kept by the scene. */
IDirect3DSurface9 *resource_surface(struct scene *scene, struct resource *resource, UINT face,
                                    UINT level);

/* --- copies.c --------------------------------------------------------------------------------- */

command_fn cmd_stretchrect, cmd_colorfill, cmd_updatesurface, cmd_updatetexture, cmd_generate,
    cmd_autofilter, cmd_targetdata, cmd_frontdata, cmd_dirty;

/* --- texels.c --------------------------------------------------------------------------------- */

/* Bytes of a row of blocks, and rows of blocks, of a w × h image. */
UINT texel_row_bytes(D3DFORMAT format, UINT w);
UINT texel_rows(D3DFORMAT format, UINT h);
/* Writes the description at *at (see language.md, "texels") to one image; stops before a word that
 * starts another one. */
void texel_write(struct scene *scene, char **at, D3DFORMAT format, UINT w, UINT h, UINT d,
                 uint8_t *bits, UINT pitch, UINT slice_pitch);
/* r, g, b, a of a texel; false for formats that the runner cannot read. */
bool texel_decode(D3DFORMAT format, const uint8_t *bits, float rgba[4]);

/* --- geometry.c ------------------------------------------------------------------------------- */

command_fn cmd_fvf, cmd_decl, cmd_vertices, cmd_indices, cmd_freq, cmd_draw, cmd_quad, cmd_quadxyz;
/* Sets the layout and the streams that the scene has described. */
void geometry_bind(struct scene *scene);
DWORD geometry_fvf(struct scene *scene, char *text);
/* The elements that a block describes, with the end; their number. `layout`: vertices look so. */
UINT geometry_elements(struct scene *scene, char *at, D3DVERTEXELEMENT9 *elements, bool layout);

/* --- buffer.c --------------------------------------------------------------------------------- */

command_fn cmd_buffer, cmd_stream, cmd_process, cmd_holds;
void buffer_name(struct scene *scene, const char *name, IDirect3DVertexBuffer9 *buffer, UINT size);
const struct named_buffer *buffer_find(struct scene *scene, const char *name);

/* --- vertex_answers.c ------------------------------------------------------------------------- */

/* `answer` about vertices; false: about something else. */
bool answer_vertex_query(struct scene *scene);
command_fn cmd_software, cmd_clipstatus;

/* --- shader.c --------------------------------------------------------------------------------- */

command_fn cmd_shader, cmd_const;
/* Kept with the scene. */
uint32_t *shader_assemble(struct scene *scene, const char *text, size_t *n);
/* Creates and sets a shader; NULL: none. */
void shader_set(struct scene *scene, bool pixel, const uint32_t *tokens);

/* --- compute.c -------------------------------------------------------------------------------- */

command_fn cmd_compute;

/* --- coverage.c ------------------------------------------------------------------------------- */

void coverage_to(const char *path);
void coverage_shader(struct scene *scene, bool pixel, const uint32_t *tokens);
/* A draw was made; transformed vertices do not run the vertex shader. */
void coverage_draw(struct scene *scene, bool transformed);
void coverage_expectation_met(struct scene *scene); /* an expectation was */

/* --- query_commands.c ------------------------------------------------------------------------- */

command_fn cmd_answer, cmd_validate;

/* --- compare.c -------------------------------------------------------------------------------- */

command_fn cmd_expect;
/* Judges the whole target by word i of the line (and `tol N` behind it); `what` goes into the
 * message. */
void expect_all(struct scene *scene, int i, const char *what);

#endif
