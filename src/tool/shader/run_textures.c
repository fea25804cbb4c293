/* Textures of `novem run-shader`: PNG files, a checkerboard or a solid colour.
 *
 * Tested by tests/unit/tool/shader/test_run.c. */
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/shader/run.h"
#include "util/alloc.h"

#include <string.h>

enum { KIND_CUBE = 3, KIND_VOLUME = 4, CHECKS = 8 };

int run_textures_option(struct run_textures *t, const char *command, const char *text)
{
    char name[RUN_NAME];
    const char *source = run_split_name(text, name);
    int number = source ? run_register_number(name, 's') : -1;

    if (number < 0 || number >= VM_MAX_SAMPLERS || !*source)
        return tool_error(
            command, "--texture %s: expected s0=file.png, s0=checker or s0=solid:1,0,0,1", text);
    t->source[number] = source;
    return TOOL_OK;
}

/* --- Images ----------------------------------------------------------------------------------- */

static MUST_CHECK enum status create(struct tex_image **out, D3DFORMAT format, unsigned kind,
                                     uint32_t width, uint32_t height, bool mips)
{
    struct tex_desc desc = {
        .format = format,
        .shape = kind == KIND_CUBE     ? TEX_CUBE_MAP
                 : kind == KIND_VOLUME ? TEX_VOLUME_MAP
                                       : TEX_2D,
        .width = width,
        .height = height,
        .depth = 1,
        .levels = mips ? 0 : 1,
        .samples = 1,
    };

    return tex_image_create(out, &desc, NULL);
}

/* Copies the same rows to every face. */
static void fill(struct tex_image *image, const void *texels, size_t row_bytes)
{
    for (uint32_t face = 0; face < image->faces; face++) {
        struct tex_level *level = tex_image_level(image, face, 0);

        for (uint32_t y = 0; y < level->height; y++)
            memcpy(level->data + (size_t)y * level->row_pitch,
                   (const uint8_t *)texels + y * row_bytes, row_bytes);
    }
}

static int solid(struct tex_image **out, const char *command, const char *text, unsigned kind)
{
    const char *at = text;
    struct run_vector colour;

    if (!run_parse_vector(&at, &colour) || *at)
        return tool_error(command, "--texture solid:%s: the colour must be r,g,b,a", text);
    if (create(out, D3DFMT_A32B32G32R32F, kind, 1, 1, false) != ST_OK)
        return tool_error(command, "out of memory");
    fill(*out, colour.x, sizeof(colour.x));
    return TOOL_OK;
}

static int checker(struct tex_image **out, const char *command, unsigned kind, bool mips)
{
    uint32_t texels[CHECKS * CHECKS];

    for (unsigned i = 0; i < CHECKS * CHECKS; i++)
        texels[i] = (i ^ i / CHECKS) & 1 ? 0xff000000 : 0xffffffff;
    if (create(out, D3DFMT_A8B8G8R8, kind, CHECKS, CHECKS, mips) != ST_OK)
        return tool_error(command, "out of memory");
    fill(*out, texels, CHECKS * sizeof(*texels));
    return TOOL_OK;
}

static int picture(struct tex_image **out, const char *command, const char *path, unsigned kind,
                   bool mips)
{
    struct tool_image image;
    enum status st = tool_png_read(path, &image);

    if (st != ST_OK)
        return tool_error(command, "%s is not a readable PNG file", path);
    if (kind == KIND_CUBE && image.width != image.height) {
        tool_image_fini(&image);
        return tool_error(command, "%s: faces of a cube map must be square", path);
    }
    st = create(out, D3DFMT_A8B8G8R8, kind, image.width, image.height, mips);
    if (st == ST_OK)
        fill(*out, image.rgba, (size_t)image.width * 4);
    tool_image_fini(&image);
    return st == ST_OK ? TOOL_OK : tool_error(command, "%s: %s", path, status_text(st));
}

/* --- Samplers --------------------------------------------------------------------------------- */

static int settings(const struct run_textures *t, const char *command,
                    struct tex_sampler_state *state)
{
    static const struct {
        const char *name;
        uint8_t value;
    } address[] = {
        {"wrap", D3DTADDRESS_WRAP}, {"mirror", D3DTADDRESS_MIRROR}, {"clamp", D3DTADDRESS_CLAMP}};

    memset(state, 0, sizeof(*state));
    memset(state->address, D3DTADDRESS_WRAP, sizeof(state->address));
    state->min_filter = state->mag_filter = D3DTEXF_POINT;
    state->mip_filter = D3DTEXF_NONE;
    state->max_anisotropy = 1;
    if (t->filter && !strcmp(t->filter, "linear"))
        state->min_filter = state->mag_filter = state->mip_filter = D3DTEXF_LINEAR;
    else if (t->filter && strcmp(t->filter, "point"))
        return tool_error(command, "--filter %s: must be point or linear", t->filter);
    for (unsigned i = 0; t->address && i < 3; i++) {
        if (!strcmp(t->address, address[i].name)) {
            memset(state->address, address[i].value, sizeof(state->address));
            return TOOL_OK;
        }
    }
    if (t->address)
        return tool_error(command, "--address %s: must be wrap, mirror or clamp", t->address);
    return TOOL_OK;
}

static int open_one(struct run_textures *t, const char *command, unsigned number, unsigned kind,
                    bool mips)
{
    const char *source = t->source[number] ? t->source[number] : t->fallback;
    struct tex_image **image = &t->image[number];

    if (!source) {
        fprintf(stderr, "novem %s: note: no --texture for s%u, so it reads 0,0,0,1\n", command,
                number);
        return TOOL_OK;
    }
    if (!strncmp(source, "solid:", 6))
        return solid(image, command, source + 6, kind);
    if (!strcmp(source, "checker"))
        return checker(image, command, kind, mips);
    return picture(image, command, source, kind, mips);
}

int run_textures_open(struct run_textures *t, const char *command, const struct vm_info *info)
{
    struct tex_sampler_state state;
    int code = settings(t, command, &state);

    for (unsigned i = 0; code == TOOL_OK && i < VM_MAX_SAMPLERS; i++) {
        bool mips = state.mip_filter != D3DTEXF_NONE;
        struct tex_sampler_state mine = state;

        if (!(info->samplers >> i & 1)) {
            if (t->source[i])
                return tool_error(command, "the shader does not read s%u", i);
            continue;
        }
        code = open_one(t, command, i, info->sampler_kind[i], mips);
        if (code != TOOL_OK)
            break;
        /* Linear filtering of equal colours may round to another value. */
        if (t->image[i] && t->image[i]->desc.width == 1 && t->image[i]->desc.height == 1)
            mine.min_filter = mine.mag_filter = D3DTEXF_POINT;
        if (t->image[i] && t->image[i]->desc.levels > 1 &&
            tex_generate_mips(t->image[i], D3DTEXF_LINEAR) != ST_OK)
            code = tool_error(command, "s%u: cannot generate mip levels", i);
        else if (tex_sampler_init(&t->sampler[i], t->image[i], &mine) != ST_OK)
            code = tool_error(command, "out of memory");
    }
    return code;
}

void run_textures_fini(struct run_textures *t)
{
    for (unsigned i = 0; i < VM_MAX_SAMPLERS; i++)
        tex_image_unref(&t->image[i]);
}
