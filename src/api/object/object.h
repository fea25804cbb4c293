/* Children of a device: textures, surfaces, volumes, buffers, vertex declarations, shaders and
 * queries. State blocks (set/) and swap chains (swapchain/) have modules of their own. */
#ifndef API_OBJECT_OBJECT_H
#define API_OBJECT_OBJECT_H

#include "api/com/com.h"
#include "api/memory/resource.h"

/* --- Surfaces and volumes --------------------------------------------------------------------- */

enum image_kind { IMAGE_PLAIN, IMAGE_TARGET, IMAGE_DEPTH };
/* Whether such surfaces may have the format; agrees with CheckDeviceFormat. */
bool api_surface_format_ok(const struct tex_format *format, enum image_kind kind, D3DPOOL pool);

struct surface_args {
    enum image_kind kind;
    uint32_t width, height;
    D3DFORMAT format;
    D3DMULTISAMPLE_TYPE samples;
    DWORD quality, usage;
    D3DPOOL pool;
    bool lockable, discardable;
    void *user_memory;
    HANDLE *shared; /* of DEFAULT surfaces; NULL: not shared */
};
/* The surface has one reference, or, if implicit, one private reference. */
HRESULT api_surface_create(struct surface **out, struct device *device,
                           const struct surface_args *args, bool implicit);
/* Replaces the contents of an implicit surface: pointers that applications hold stay valid. */
HRESULT api_surface_recreate(struct surface *surface, const struct surface_args *args);
/* Creates a single-sample image of the surface's format, and of the size that the program or the
 * surface's image has; the caller destroys it. */
MUST_CHECK enum status api_scratch_image(const struct surface *like, bool as_stored,
                                         cmd_handle *out);

/* --- Vertex declarations ---------------------------------------------------------------------- */

struct vertex_decl {
    struct object base;
    cmd_handle handle;
    DWORD fvf;   /* the code that GetFVF returns while it is set; 0: no equivalent code */
    bool of_fvf; /* SetFVF created it */
    unsigned n;  /* number of elements, end marker included */
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH + 1];
};
/* Returns the declaration of an FVF code; creates it on first use. */
HRESULT api_decl_for_fvf(struct vertex_decl **out, struct device *device, DWORD fvf);
/* Releases the declarations that FVF codes have created. */
void api_drop_fvf_decls(struct device *device);

static inline struct vertex_decl *decl_of(void *iface)
{
    return iface;
}

/* --- Shaders ---------------------------------------------------------------------------------- */

struct shader {
    struct object base;
    cmd_handle handle;
    bool pixel;
    bool beyond_hardware; /* uses constants that only software vertex processing has */
    UINT bytes;
    DWORD *tokens;
};
static inline struct shader *shader_of(void *iface)
{
    return iface;
}

/* --- Queries ---------------------------------------------------------------------------------- */

struct query_state {
    D3DQUERYTYPE type;
    bool begun, ended; /* at most one */
};
struct query_state api_query_state(struct object *query);

/* --- The undocumented shader validator -------------------------------------------------------- */

/* Creates an IDirect3DShaderValidator9 with one reference; NULL: out of memory. */
void *api_validator_create(void);

#endif
