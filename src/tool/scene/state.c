/* Scene commands that set device state: render, sampler and stage states, matrices, lights,
 * viewport; also Clear and queries.
 *
 * Tested by tests/conformance. */
#include "tool/scene/state.h"
#include "tool/scene/command.h"
#include "tool/scene/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void cmd_state(struct scene *scene)
{
    for (int i = 1; i < scene->line.n; i++) {
        DWORD state, value;
        name_state(scene, STATE_RENDER, scene->line.word[i], &state, &value);
        scene_check(scene, IDirect3DDevice9_SetRenderState(scene->device, state, value),
                    "SetRenderState");
    }
}

static DWORD sampler_number(struct scene *scene, const char *text)
{
    if (!strncmp(text, "vertex", 6))
        return D3DVERTEXTEXTURESAMPLER0 + parse_uint(scene, text + 6);
    return parse_uint(scene, text);
}

void cmd_sampler(struct scene *scene)
{
    DWORD sampler = sampler_number(scene, parse_word(scene, 1));

    for (int i = 2; i < scene->line.n; i++) {
        DWORD state, value;
        name_state(scene, STATE_SAMPLER, scene->line.word[i], &state, &value);
        scene_check(scene,
                    IDirect3DDevice9_SetSamplerState(scene->device, sampler,
                                                     (D3DSAMPLERSTATETYPE)state, value),
                    "SetSamplerState");
    }
}

void cmd_stage(struct scene *scene)
{
    DWORD stage = parse_uint(scene, parse_word(scene, 1));

    for (int i = 2; i < scene->line.n; i++) {
        DWORD state, value;
        name_state(scene, STATE_STAGE, scene->line.word[i], &state, &value);
        scene_check(scene,
                    IDirect3DDevice9_SetTextureStageState(scene->device, stage,
                                                          (D3DTEXTURESTAGESTATETYPE)state, value),
                    "SetTextureStageState");
    }
}

/* --- Matrices --------------------------------------------------------------------------------- */

static D3DMATRIX identity(void)
{
    D3DMATRIX m;

    memset(&m, 0, sizeof(m));
    for (int i = 0; i < 4; i++)
        m.m[i][i] = 1.0f;
    return m;
}

static void from_rows(struct scene *scene, D3DMATRIX *m)
{
    char *at = scene->line.block, *word;

    for (int i = 0; i < 16; i++) {
        word = parse_block_word(scene, &at);
        if (!word)
            scene_fail(scene, "a matrix has 16 numbers");
        m->m[i / 4][i % 4] = parse_float(scene, word);
    }
}

/* Left-handed projections of the Direct3D documentation: depth 0 at zn, 1 at zf. */
static void projection(D3DMATRIX *m, bool perspective, const float a[4])
{
    float w = a[0], h = a[1], zn = a[2], zf = a[3];

    *m = identity();
    m->m[0][0] = (perspective ? 2.0f * zn : 2.0f) / w;
    m->m[1][1] = (perspective ? 2.0f * zn : 2.0f) / h;
    m->m[2][2] = (perspective ? zf : 1.0f) / (zf - zn);
    m->m[3][2] = (perspective ? zn * zf : zn) / (zn - zf);
    if (perspective) {
        m->m[2][3] = 1.0f;
        m->m[3][3] = 0.0f;
    }
}

/* world … world255, view, projection, tex0 … tex7. */
D3DTRANSFORMSTATETYPE transform_number(struct scene *scene, const char *text)
{
    if (!strncmp(text, "world", 5) && text[5])
        return (D3DTRANSFORMSTATETYPE)D3DTS_WORLDMATRIX(parse_uint(scene, text + 5));
    if (!strncmp(text, "0x", 2))
        return (D3DTRANSFORMSTATETYPE)parse_uint(scene, text);
    return (D3DTRANSFORMSTATETYPE)name_value(scene, NAMES_TRANSFORM, text);
}

D3DMATRIX transform_matrix(struct scene *scene, int at)
{
    const char *form = scene->line.block ? "rows" : parse_word(scene, at);
    D3DMATRIX m = identity();
    float a[4] = {0};

    for (int i = 0; i < 4 && at + 1 + i < scene->line.n; i++)
        a[i] = parse_float(scene, scene->line.word[at + 1 + i]);
    if (scene->line.block)
        from_rows(scene, &m);
    else if (!strcmp(form, "translate"))
        memcpy(m.m[3], a, 3 * sizeof(float));
    else if (!strcmp(form, "scale"))
        m.m[0][0] = a[0], m.m[1][1] = a[1], m.m[2][2] = a[2];
    else if (!strcmp(form, "ortho") || !strcmp(form, "perspective"))
        projection(&m, form[0] == 'p', a);
    else if (strcmp(form, "identity"))
        scene_fail(scene, "transform '%s'?", form);
    return m;
}

/* transform WHICH identity | translate x y z | scale x y z | ortho w h zn zf | perspective w h zn
 * zf | { 16 numbers in row order } */
void cmd_transform(struct scene *scene)
{
    D3DTRANSFORMSTATETYPE which = transform_number(scene, parse_word(scene, 1));
    D3DMATRIX m = transform_matrix(scene, 2);

    scene_check(scene, IDirect3DDevice9_SetTransform(scene->device, which, &m), "SetTransform");
}

/* multiply WHICH …: arguments as for transform */
void cmd_multiply(struct scene *scene)
{
    D3DTRANSFORMSTATETYPE which = transform_number(scene, parse_word(scene, 1));
    D3DMATRIX m = transform_matrix(scene, 2);

    scene_check(scene, IDirect3DDevice9_MultiplyTransform(scene->device, which, &m),
                "MultiplyTransform");
}

/* --- Lights and materials --------------------------------------------------------------------- */

static void key_colour(struct scene *scene, const char *key, D3DCOLORVALUE *out)
{
    const char *text = parse_key(scene, key);
    float v[4] = {0, 0, 0, 1};

    if (!text)
        return;
    parse_floats(scene, text, v, 4);
    *out = (D3DCOLORVALUE){v[0], v[1], v[2], v[3]};
}

static void key_vector(struct scene *scene, const char *key, D3DVECTOR *out)
{
    const char *text = parse_key(scene, key);
    float v[3] = {0};

    if (!text)
        return;
    parse_floats(scene, text, v, 3);
    *out = (D3DVECTOR){v[0], v[1], v[2]};
}

static float key_float(struct scene *scene, const char *key, float otherwise)
{
    const char *text = parse_key(scene, key);

    return text ? parse_float(scene, text) : otherwise;
}

/* A type's name or number; an invalid number is allowed. */
static D3DLIGHTTYPE light_type(struct scene *scene, const char *text)
{
    if (!strcmp(text, "point"))
        return D3DLIGHT_POINT;
    if (!strcmp(text, "spot"))
        return D3DLIGHT_SPOT;
    if (!strcmp(text, "directional"))
        return D3DLIGHT_DIRECTIONAL;
    return (D3DLIGHTTYPE)parse_uint(scene, text);
}

/* light N directional|point|spot|TYPE key=value …: sets and enables a light; light N off|on. */
void cmd_light(struct scene *scene)
{
    DWORD number = parse_uint(scene, parse_word(scene, 1));
    const char *type = parse_word(scene, 2);
    D3DLIGHT9 light;

    if (strcmp(type, "off") && strcmp(type, "on")) {
        memset(&light, 0, sizeof(light));
        light.Type = light_type(scene, type);
        key_colour(scene, "diffuse", &light.Diffuse);
        key_colour(scene, "specular", &light.Specular);
        key_colour(scene, "ambient", &light.Ambient);
        key_vector(scene, "position", &light.Position);
        key_vector(scene, "direction", &light.Direction);
        light.Range = key_float(scene, "range", 1000.0f);
        light.Falloff = key_float(scene, "falloff", 1.0f);
        light.Attenuation0 = key_float(scene, "a0", 0.0f);
        light.Attenuation1 = key_float(scene, "a1", 0.0f);
        light.Attenuation2 = key_float(scene, "a2", 0.0f);
        light.Theta = key_float(scene, "theta", 0.0f);
        light.Phi = key_float(scene, "phi", 0.0f);
        scene_check(scene, IDirect3DDevice9_SetLight(scene->device, number, &light), "SetLight");
    }
    scene_check(scene, IDirect3DDevice9_LightEnable(scene->device, number, !!strcmp(type, "off")),
                "LightEnable");
}

void cmd_material(struct scene *scene)
{
    D3DMATERIAL9 material;

    memset(&material, 0, sizeof(material));
    key_colour(scene, "diffuse", &material.Diffuse);
    key_colour(scene, "ambient", &material.Ambient);
    key_colour(scene, "specular", &material.Specular);
    key_colour(scene, "emissive", &material.Emissive);
    material.Power = key_float(scene, "power", 0.0f);
    scene_check(scene, IDirect3DDevice9_SetMaterial(scene->device, &material), "SetMaterial");
}

/* --- Viewport, scissor and clip planes -------------------------------------------------------- */

/* viewport x y w h [minz maxz] */
void cmd_viewport(struct scene *scene)
{
    D3DVIEWPORT9 vp = {parse_uint(scene, parse_word(scene, 1)),
                       parse_uint(scene, parse_word(scene, 2)),
                       parse_uint(scene, parse_word(scene, 3)),
                       parse_uint(scene, parse_word(scene, 4)),
                       0.0f,
                       1.0f};

    if (scene->line.n > 5) {
        vp.MinZ = parse_float(scene, parse_word(scene, 5));
        vp.MaxZ = parse_float(scene, parse_word(scene, 6));
    }
    scene_check(scene, IDirect3DDevice9_SetViewport(scene->device, &vp), "SetViewport");
}

/* scissor x0 y0 x1 y1: sets the rectangle; a render state enables the test. */
void cmd_scissor(struct scene *scene)
{
    RECT r;

    r.left = (LONG)parse_uint(scene, parse_word(scene, 1));
    r.top = (LONG)parse_uint(scene, parse_word(scene, 2));
    r.right = (LONG)parse_uint(scene, parse_word(scene, 3));
    r.bottom = (LONG)parse_uint(scene, parse_word(scene, 4));
    scene_check(scene, IDirect3DDevice9_SetScissorRect(scene->device, &r), "SetScissorRect");
}

/* clipplane N a b c d */
void cmd_clipplane(struct scene *scene)
{
    float plane[4];

    for (int i = 0; i < 4; i++)
        plane[i] = parse_float(scene, parse_word(scene, 2 + i));
    scene_check(scene,
                IDirect3DDevice9_SetClipPlane(scene->device,
                                              parse_uint(scene, parse_word(scene, 1)), plane),
                "SetClipPlane");
}

static bool parse_rect(struct scene *scene, const char *word, D3DRECT *rect)
{
    float v[4];

    if (strncmp(word, "rect=", 5))
        return false;
    if (parse_floats(scene, word + 5, v, 4) != 4)
        scene_fail(scene, "rect=x0,y0,x1,y1");
    *rect = (D3DRECT){parse_whole(scene, v[0]), parse_whole(scene, v[1]), parse_whole(scene, v[2]),
                      parse_whole(scene, v[3])};
    return true;
}

/* clear [ARGB] [z [stencil]] [z=Z] [stencil=S] [rect=x0,y0,x1,y1 …] */
void cmd_clear(struct scene *scene)
{
    D3DRECT rects[8];
    DWORD n_rects = 0, flags = 0, stencil = 0, colour = 0, position = 0;
    float z = 1.0f;

    for (int i = 1; i < scene->line.n; i++) {
        const char *w = scene->line.word[i];
        if (n_rects < 8 && parse_rect(scene, w, &rects[n_rects])) {
            n_rects++;
        } else if (!strncmp(w, "z=", 2) || (!strchr(w, '=') && position == 1)) {
            z = parse_float(scene, w + (w[1] == '=' ? 2 : 0));
            flags |= D3DCLEAR_ZBUFFER;
            position = 2;
        } else if (!strncmp(w, "stencil=", 8) || (!strchr(w, '=') && position == 2)) {
            stencil = parse_uint(scene, w + (strchr(w, '=') ? 8 : 0));
            flags |= D3DCLEAR_STENCIL;
            position = 3;
        } else {
            colour = parse_colour(scene, w);
            flags |= D3DCLEAR_TARGET;
            position = 1;
        }
    }
    scene_check(scene,
                IDirect3DDevice9_Clear(scene->device, n_rects, n_rects ? rects : NULL, flags,
                                       colour, z, stencil),
                "Clear");
}

/* The query named by the word at `at` (one letter); without a word the unnamed query. */
static IDirect3DQuery9 **named_query(struct scene *scene, int at)
{
    const char *name = at < scene->line.n ? scene->line.word[at] : "";

    if (name[0] && (name[0] < 'a' || name[0] > 'z' || name[1]))
        scene_fail(scene, "query '%s'? names are letters", name);
    return &scene->query[name[0] ? name[0] - 'a' + 1 : 0];
}

enum { PATIENCE = 10 }; /* seconds; other implementations may not support overlapping queries */

static void expect_count(struct scene *scene)
{
    DWORD want = parse_uint(scene, parse_word(scene, 2)), got = 0, tol = 0;
    bool tolerant = scene->line.n > 4 && !strcmp(scene->line.word[3], "tol");
    IDirect3DQuery9 *query = *named_query(scene, tolerant ? 5 : 3);
    HRESULT hr = S_FALSE;

    if (!query)
        scene_fail(scene, "query begin must come first");
    if (tolerant)
        tol = parse_uint(scene, parse_word(scene, 4));
    scene_end(scene);
    for (time_t end = time(NULL) + PATIENCE; hr == S_FALSE && time(NULL) <= end;)
        hr = IDirect3DQuery9_GetData(query, &got, sizeof(got), D3DGETDATA_FLUSH);
    if (hr == S_FALSE)
        scene_fail(scene, "the query never ends");
    scene_check(scene, hr, "GetData");
    scene_expect(scene, (got > want ? got - want : want - got) <= tol,
                 "occlusion query: want %u, got %u", (unsigned)want, (unsigned)got);
}

static void begin_query(struct scene *scene)
{
    IDirect3DQuery9 **query = named_query(scene, 2);

    scene_begin(scene);
    if (!*query) {
        scene_check(scene,
                    IDirect3DDevice9_CreateQuery(scene->device, D3DQUERYTYPE_OCCLUSION, query),
                    "CreateQuery");
        scene_own(scene, *query);
    }
    scene_check(scene, IDirect3DQuery9_Issue(*query, D3DISSUE_BEGIN), "Issue");
}

/* query begin [a] | query end [a] | query expect N [tol N] [a]: counts the samples of the draws in
 * between. */
void cmd_query(struct scene *scene)
{
    const char *what = parse_word(scene, 1);
    IDirect3DQuery9 *query;

    if (!strcmp(what, "begin")) {
        begin_query(scene);
    } else if (!strcmp(what, "end")) {
        query = *named_query(scene, 2);
        if (!query)
            scene_fail(scene, "query begin must come first");
        scene_check(scene, IDirect3DQuery9_Issue(query, D3DISSUE_END), "Issue");
    } else if (!strcmp(what, "expect")) {
        expect_count(scene);
    } else if (!strcmp(what, "create")) {
        scene_check(scene,
                    IDirect3DDevice9_CreateQuery(
                        scene->device, (D3DQUERYTYPE)parse_uint(scene, parse_word(scene, 2)), NULL),
                    "CreateQuery");
    } else {
        scene_fail(scene, "query '%s'?", what);
    }
}

/* palette N [{ colours }]: SetPaletteEntries with the colours, then black; without a block it
 * selects the palette. */
void cmd_palette(struct scene *scene)
{
    PALETTEENTRY entries[256];
    UINT number = parse_uint(scene, parse_word(scene, 1)), n = 0;
    char *at = scene->line.block;

    if (!at) {
        scene_check(scene, IDirect3DDevice9_SetCurrentTexturePalette(scene->device, number),
                    "SetCurrentTexturePalette");
        return;
    }
    memset(entries, 0, sizeof(entries));
    for (char *word; (word = parse_block_word(scene, &at)); n++) {
        uint32_t argb = parse_colour(scene, word);

        if (n == 256)
            scene_fail(scene, "a palette has 256 colours");
        entries[n] =
            (PALETTEENTRY){(BYTE)(argb >> 16), (BYTE)(argb >> 8), (BYTE)argb, (BYTE)(argb >> 24)};
    }
    scene_check(scene, IDirect3DDevice9_SetPaletteEntries(scene->device, number, entries),
                "SetPaletteEntries");
}
