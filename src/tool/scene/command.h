/* What every command of the scene language gets and uses: the state of a scene and its current
 * line, failures, memory, and the outcome of calls. */
#ifndef TOOL_SCENE_COMMAND_H
#define TOOL_SCENE_COMMAND_H

#include "tool/scene/scene.h"

#include <windows.h>
#include <d3d9.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

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

struct block;

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
    bool spares;    /* an `expect-novem` did not count */
    char todo[160]; /* reason; "" if expectations must be met */

    IDirect3D9 *d3d;
    IDirect3DDevice9 *device;
    HWND window;
    D3DDEVTYPE type; /* of the device */
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

/* Each command of the language has a function, cmd_<name>. */
#define COMMAND(name) command_fn cmd_##name;
#include "tool/scene/commands.def"
#undef COMMAND

/* --- command.c: failures and memory ----------------------------------------------------------- */

/* Reports an error of the scene or of its device and aborts the scene as failed. */
void scene_fail(struct scene *scene, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
void scene_say(const struct scene *scene, const char *format, va_list args);
/* Zeroed memory, freed with the scene. */
void *scene_alloc(struct scene *scene, size_t size);
/* Releases the objects of scene_own; frees the memory of scene_alloc. */
void scene_release_objects(struct scene *scene);
void scene_free(struct scene *scene);
/* Aborts a scene that requests too much memory. */
void scene_use_memory(struct scene *scene, uint64_t bytes);

/* Gives the object to the scene, which releases it at the end. NULL is allowed. */
void scene_own(struct scene *scene, void *object);

/* --- outcome.c: results of calls and expectations --------------------------------------------- */

/* Whether `expect-novem` counts: scene_library_is_novem. */
bool scene_is_on_novem(void);
/* Checks a call's result: without `-> NAME` a failure aborts the scene; with it the result must
 * have that name. */
bool scene_check(struct scene *scene, HRESULT hr, const char *what);
/* Counts one expectation, as todo if it is marked so. Prints the line if it is not met. */
void scene_expect(struct scene *scene, bool met, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void scene_begin(struct scene *scene); /* enters BeginScene … EndScene */
void scene_end(struct scene *scene);   /* leaves BeginScene … EndScene */

#endif
