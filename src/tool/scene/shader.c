/* Scene commands for shaders and constants; shaders are assembly text or byte code in hexadecimal
 * words.
 *
 * Tested by tests/conformance/shader. */
#include "tool/scene/shader.h"
#include "tool/scene/command.h"
#include "tool/scene/parse.h"

#include "util/alloc.h"
#include "vm/vm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Byte code starts with its version token. */
static bool is_byte_code(const char *text)
{
    text += strspn(text, " \t\r\n");
    return !strncmp(text, "fffe", 4) || !strncmp(text, "ffff", 4);
}

static uint32_t *read_words(struct scene *scene)
{
    char *at = scene->line.block, *word;
    uint32_t *tokens = scene_alloc(scene, strlen(at) * 2 + 8); /* a word needs at least a character
                                                                * and a blank */
    size_t n = 0;

    while ((word = parse_block_word(scene, &at)))
        tokens[n++] = parse_hex(scene, word);
    if (!vm_token_count(tokens, n)) /* CreateVertexShader and CreatePixelShader take no length */
        scene_fail(scene, "the byte code has no end");
    return tokens;
}

/* Checks that disassembling and assembling reproduces each shader. */
static void check_listing(struct scene *scene, const uint32_t *tokens, size_t n)
{
    struct vm_error error = {0};
    uint32_t *again = NULL;
    size_t n_again = 0;
    char *text = NULL;
    bool ok = vm_disassemble_exact(&text, tokens, n, &error) == ST_OK &&
              vm_assemble(&again, &n_again, text, &error) == ST_OK;
    bool same = ok && n_again == n && !memcmp(again, tokens, n * sizeof(*again));

    mem_free(again);
    mem_free(text);
    if (!ok)
        scene_fail(scene, "the listing: %s", error.text);
    if (!same)
        scene_fail(scene, "the disassembly assembles to other words");
}

static uint32_t *read_shader(struct scene *scene, bool pixel)
{
    size_t n;
    uint32_t *tokens = shader_text(scene, pixel, &n);

    check_listing(scene, tokens, n);
    return tokens;
}

static void set_vertex_shader(struct scene *scene, const uint32_t *tokens)
{
    IDirect3DVertexShader9 *shader = NULL;

    if (tokens && !scene_check(scene,
                               IDirect3DDevice9_CreateVertexShader(scene->device,
                                                                   (const DWORD *)tokens, &shader),
                               "CreateVertexShader"))
        return;
    scene_own(scene, shader);
    scene_check(scene, IDirect3DDevice9_SetVertexShader(scene->device, shader), "SetVertexShader");
}

static void set_pixel_shader(struct scene *scene, const uint32_t *tokens)
{
    IDirect3DPixelShader9 *shader = NULL;

    if (tokens && !scene_check(scene,
                               IDirect3DDevice9_CreatePixelShader(scene->device,
                                                                  (const DWORD *)tokens, &shader),
                               "CreatePixelShader"))
        return;
    scene_own(scene, shader);
    scene_check(scene, IDirect3DDevice9_SetPixelShader(scene->device, shader), "SetPixelShader");
}

void shader_set(struct scene *scene, bool pixel, const uint32_t *tokens)
{
    coverage_shader(scene, pixel, tokens);
    if (pixel)
        set_pixel_shader(scene, tokens);
    else
        set_vertex_shader(scene, tokens);
}

/* shader vs|ps none | shader vs|ps [options] { text or words } | shader vs|ps FILE [options] */
void cmd_shader(struct scene *scene)
{
    const char *stage = parse_word(scene, 1);
    uint32_t *tokens = NULL;

    if (strcmp(stage, "vs") && strcmp(stage, "ps"))
        scene_fail(scene, "shader vs or shader ps");
    if (scene->line.block && is_byte_code(scene->line.block))
        tokens = read_words(scene);
    else if (scene->line.block || strcmp(parse_word(scene, 2), "none"))
        tokens = read_shader(scene, stage[0] == 'p');
    shader_set(scene, stage[0] == 'p', tokens);
}

static HRESULT set_floats(struct scene *scene, bool vs, UINT reg, const float *v, UINT n)
{
    return vs ? IDirect3DDevice9_SetVertexShaderConstantF(scene->device, reg, v, n)
              : IDirect3DDevice9_SetPixelShaderConstantF(scene->device, reg, v, n);
}

static HRESULT set_ints(struct scene *scene, bool vs, UINT reg, const int *v, UINT n)
{
    return vs ? IDirect3DDevice9_SetVertexShaderConstantI(scene->device, reg, v, n)
              : IDirect3DDevice9_SetPixelShaderConstantI(scene->device, reg, v, n);
}

static HRESULT set_bools(struct scene *scene, bool vs, UINT reg, const BOOL *v, UINT n)
{
    return vs ? IDirect3DDevice9_SetVertexShaderConstantB(scene->device, reg, v, n)
              : IDirect3DDevice9_SetPixelShaderConstantB(scene->device, reg, v, n);
}

/* const vs|ps cN|iN|bN numbers …: sets consecutive registers if there are more numbers than one
 * takes. */
void cmd_const(struct scene *scene)
{
    bool vs = !strcmp(parse_word(scene, 1), "vs");
    const char *reg = parse_word(scene, 2);
    UINT number = parse_uint(scene, reg + 1), n = (UINT)scene->line.n - 3;
    float f[MAX_WORDS];
    int i[MAX_WORDS];
    HRESULT hr;

    for (UINT k = 0; k < n; k++) {
        if (reg[0] == 'c')
            f[k] = parse_float(scene, scene->line.word[3 + k]);
        else
            i[k] = (int)parse_uint(scene, scene->line.word[3 + k]);
    }
    if (!n || (reg[0] != 'b' && n % 4))
        scene_fail(scene, "a register has four numbers");
    if (reg[0] == 'c')
        hr = set_floats(scene, vs, number, f, n / 4);
    else if (reg[0] == 'i')
        hr = set_ints(scene, vs, number, i, n / 4);
    else
        hr = set_bools(scene, vs, number, i, n);
    scene_check(scene, hr, "SetShaderConstant");
}
