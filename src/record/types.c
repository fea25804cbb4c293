/* Type descriptors from names.def and structs.def, and the value types of device states.
 *
 * Tested by tests/unit/trace/test_record.c. */
#include "record/types.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- Numbers ---------------------------------------------------------------------------------- */

struct record_type record_u8 = {.shape = SHAPE_UINT, .size = 1};
struct record_type record_u16 = {.shape = SHAPE_UINT, .size = 2};
struct record_type record_u32 = {.shape = SHAPE_UINT, .size = 4};
struct record_type record_u64 = {.shape = SHAPE_UINT, .size = 8};
struct record_type record_i32 = {.shape = SHAPE_SINT, .size = 4};
struct record_type record_i64 = {.shape = SHAPE_SINT, .size = 8};
struct record_type record_f32 = {.shape = SHAPE_FLOAT, .size = 4};
struct record_type record_object = {.shape = SHAPE_ADDRESS, .size = sizeof(void *)};
struct record_type record_handle = {.shape = SHAPE_ADDRESS, .size = sizeof(void *)};
struct record_type record_address = {.shape = SHAPE_ADDRESS, .size = sizeof(void *)};

#define NAMED(kind, type, bytes)                                                                   \
    struct record_type record_##type = {                                                           \
        .shape = kind, .size = bytes, .names = type##_names, .count = COUNT(type##_names)};
#define ENUM(type) static const struct record_name type##_names[] = {
#define BITMASK(type) ENUM(type)
#define NAME(value) {#value, value},
/* clang-format off */
#define END_ENUM(type, bytes) }; NAMED(SHAPE_ENUM, type, bytes)
#define END_BITMASK(type, bytes) }; NAMED(SHAPE_BITMASK, type, bytes)
/* clang-format on */
#include "record/names.def"

/* --- Structs and arrays ----------------------------------------------------------------------- */

#define ARRAY(type, element, bytes, n)                                                             \
    static struct record_type record_##type = {                                                    \
        .shape = SHAPE_ARRAY, .size = (bytes) * (n), .of = &record_##element, .count = n};
ARRAY(bytes8, u8, 1, 8)
ARRAY(row, f32, 4, 4)
ARRAY(matrix, row, 16, 4)
ARRAY(ramp, u16, 2, 256)
static struct record_type record_text32 = {.shape = SHAPE_TEXT, .size = 32};
static struct record_type record_text512 = {.shape = SHAPE_TEXT, .size = 512};

#define STRUCT(type) static const struct record_member type##_members[] = {
#define MEMBER(type, member, kind) {#member, offsetof(type, member), &record_##kind},
/* clang-format off */
#define END(type) }; struct record_type record_##type = {.shape = SHAPE_STRUCT, .size = sizeof(type), \
    .name = #type, .members = type##_members, .count = COUNT(type##_members)};
/* clang-format on */
#include "record/structs.def"

/* --- States ----------------------------------------------------------------------------------- */

static struct record_type *const render_states[256] = {
    [D3DRS_ZENABLE] = &record_D3DZBUFFERTYPE,
    [D3DRS_FILLMODE] = &record_D3DFILLMODE,
    [D3DRS_SHADEMODE] = &record_D3DSHADEMODE,
    [D3DRS_ZWRITEENABLE] = &record_boolean,
    [D3DRS_ALPHATESTENABLE] = &record_boolean,
    [D3DRS_LASTPIXEL] = &record_boolean,
    [D3DRS_SRCBLEND] = &record_D3DBLEND,
    [D3DRS_DESTBLEND] = &record_D3DBLEND,
    [D3DRS_CULLMODE] = &record_D3DCULL,
    [D3DRS_ZFUNC] = &record_D3DCMPFUNC,
    [D3DRS_ALPHAFUNC] = &record_D3DCMPFUNC,
    [D3DRS_DITHERENABLE] = &record_boolean,
    [D3DRS_ALPHABLENDENABLE] = &record_boolean,
    [D3DRS_FOGENABLE] = &record_boolean,
    [D3DRS_SPECULARENABLE] = &record_boolean,
    [D3DRS_FOGTABLEMODE] = &record_D3DFOGMODE,
    [D3DRS_RANGEFOGENABLE] = &record_boolean,
    [D3DRS_STENCILENABLE] = &record_boolean,
    [D3DRS_STENCILFAIL] = &record_D3DSTENCILOP,
    [D3DRS_STENCILZFAIL] = &record_D3DSTENCILOP,
    [D3DRS_STENCILPASS] = &record_D3DSTENCILOP,
    [D3DRS_STENCILFUNC] = &record_D3DCMPFUNC,
    [D3DRS_CLIPPING] = &record_boolean,
    [D3DRS_LIGHTING] = &record_boolean,
    [D3DRS_FOGVERTEXMODE] = &record_D3DFOGMODE,
    [D3DRS_COLORVERTEX] = &record_boolean,
    [D3DRS_LOCALVIEWER] = &record_boolean,
    [D3DRS_NORMALIZENORMALS] = &record_boolean,
    [D3DRS_DIFFUSEMATERIALSOURCE] = &record_D3DMATERIALCOLORSOURCE,
    [D3DRS_SPECULARMATERIALSOURCE] = &record_D3DMATERIALCOLORSOURCE,
    [D3DRS_AMBIENTMATERIALSOURCE] = &record_D3DMATERIALCOLORSOURCE,
    [D3DRS_EMISSIVEMATERIALSOURCE] = &record_D3DMATERIALCOLORSOURCE,
    [D3DRS_VERTEXBLEND] = &record_D3DVERTEXBLENDFLAGS,
    [D3DRS_POINTSPRITEENABLE] = &record_boolean,
    [D3DRS_POINTSCALEENABLE] = &record_boolean,
    [D3DRS_MULTISAMPLEANTIALIAS] = &record_boolean,
    [D3DRS_PATCHEDGESTYLE] = &record_D3DPATCHEDGESTYLE,
    [D3DRS_DEBUGMONITORTOKEN] = &record_D3DDEBUGMONITORTOKENS,
    [D3DRS_INDEXEDVERTEXBLENDENABLE] = &record_boolean,
    [D3DRS_BLENDOP] = &record_D3DBLENDOP,
    [D3DRS_POSITIONDEGREE] = &record_D3DDEGREETYPE,
    [D3DRS_NORMALDEGREE] = &record_D3DDEGREETYPE,
    [D3DRS_SCISSORTESTENABLE] = &record_boolean,
    [D3DRS_ANTIALIASEDLINEENABLE] = &record_boolean,
    [D3DRS_ENABLEADAPTIVETESSELLATION] = &record_boolean,
    [D3DRS_TWOSIDEDSTENCILMODE] = &record_boolean,
    [D3DRS_CCW_STENCILFAIL] = &record_D3DSTENCILOP,
    [D3DRS_CCW_STENCILZFAIL] = &record_D3DSTENCILOP,
    [D3DRS_CCW_STENCILPASS] = &record_D3DSTENCILOP,
    [D3DRS_CCW_STENCILFUNC] = &record_D3DCMPFUNC,
    [D3DRS_COLORWRITEENABLE1] = &record_colour_write,
    [D3DRS_COLORWRITEENABLE2] = &record_colour_write,
    [D3DRS_COLORWRITEENABLE3] = &record_colour_write,
    [D3DRS_SRGBWRITEENABLE] = &record_boolean,
    [D3DRS_SEPARATEALPHABLENDENABLE] = &record_boolean,
    [D3DRS_SRCBLENDALPHA] = &record_D3DBLEND,
    [D3DRS_DESTBLENDALPHA] = &record_D3DBLEND,
    [D3DRS_BLENDOPALPHA] = &record_D3DBLENDOP,
};

static struct record_type *const stage_states[] = {
    [D3DTSS_COLOROP] = &record_D3DTEXTUREOP,
    [D3DTSS_ALPHAOP] = &record_D3DTEXTUREOP,
    [D3DTSS_TEXCOORDINDEX] = &record_coordinates,
    [D3DTSS_TEXTURETRANSFORMFLAGS] = &record_D3DTEXTURETRANSFORMFLAGS,
};

static struct record_type *const sampler_states[] = {
    [D3DSAMP_ADDRESSU] = &record_D3DTEXTUREADDRESS,
    [D3DSAMP_ADDRESSV] = &record_D3DTEXTUREADDRESS,
    [D3DSAMP_ADDRESSW] = &record_D3DTEXTUREADDRESS,
    [D3DSAMP_MAGFILTER] = &record_D3DTEXTUREFILTERTYPE,
    [D3DSAMP_MINFILTER] = &record_D3DTEXTUREFILTERTYPE,
    [D3DSAMP_MIPFILTER] = &record_D3DTEXTUREFILTERTYPE,
    [D3DSAMP_SRGBTEXTURE] = &record_boolean,
};

static struct record_type *pick(struct record_type *const *types, size_t n, DWORD state)
{
    return state < n && types[state] ? types[state] : &record_u32;
}

struct record_type *record_render_state(DWORD state)
{
    return pick(render_states, COUNT(render_states), state);
}

struct record_type *record_stage_state(DWORD state)
{
    return pick(stage_states, COUNT(stage_states), state);
}

struct record_type *record_sampler_state(DWORD state)
{
    return pick(sampler_states, COUNT(sampler_states), state);
}
