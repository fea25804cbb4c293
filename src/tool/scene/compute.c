/* Scene command `compute`: checks the floats that a shader fragment leaves in r0, in a range of
 * shader versions.
 *
 * The runner completes the shader: declarations before the fragment, and code after it that moves
 * r0 to the target.
 *
 * Tested by tests/conformance/shader. */
#include "tool/scene/command.h"
#include "tool/scene/compare.h"
#include "tool/scene/parse.h"
#include "tool/scene/shader.h"

#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A vertex shader's result passes through texture coordinate 0 of a single point, so it is not
 * interpolated. */
static const char vs_2_head[] = "dcl_position v0\n";
static const char vs_2_tail[] = "mov oPos, v0\nmov oT0, r0\n";
static const char vs_3_head[] = "dcl_position v0\ndcl_position o0\ndcl_texcoord o1\n";
static const char vs_3_tail[] = "mov o0, v0\nmov o1, r0\n";
static const char ps_2_tail[] = "mov oC0, r0\n";
static const char ps_2_show[] = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
static const char ps_3_show[] = "ps_3_0\ndcl_texcoord v0\nmov oC0, v0\n";

static bool is_vertex(const char *version)
{
    return version[0] == 'v';
}

static int major(const char *version)
{
    return version[3] - '0';
}

/* The word `result` in the body marks where r0 is output: before the `ret` of a shader with
 * subroutines. */
static char *whole_text(struct scene *scene, const char *version, const char *body)
{
    const char *head = "", *tail = "", *mark = strstr(body, "result");
    size_t before = mark ? (size_t)(mark - body) : strlen(body);
    size_t size = strlen(body) + strlen(version) + 200;
    char *text = scene_alloc(scene, size);

    if (is_vertex(version)) {
        head = major(version) < 3 ? vs_2_head : vs_3_head;
        tail = major(version) < 3 ? vs_2_tail : vs_3_tail;
    } else if (major(version) > 1) {
        tail = ps_2_tail;
    }
    snprintf(text, size, "%s\n%s%.*s\n%s%s", version, head, (int)before, body, tail,
             mark ? mark + strlen("result") : "");
    return text;
}

static void set_shader(struct scene *scene, bool pixel, const char *text)
{
    size_t n;

    shader_set(scene, pixel, shader_assemble(scene, text, &n));
}

static void draw_point(struct scene *scene)
{
    static const float size = 4.0f;
    const char *uvwq = parse_key(scene, "uvwq");
    float vertex[7] = {0}; /* position, texture coordinates */
    DWORD bits;

    if (uvwq && parse_floats(scene, uvwq, vertex + 3, 4) != 4)
        scene_fail(scene, "uvwq: four numbers for a vertex shader");
    memcpy(&bits, &size, sizeof(bits));
    IDirect3DDevice9_SetRenderState(scene->device, D3DRS_POINTSIZE, bits);
    scene_check(
        scene,
        IDirect3DDevice9_SetFVF(scene->device, D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE4(0)),
        "SetFVF");
    scene_begin(scene);
    scene_check(
        scene,
        IDirect3DDevice9_DrawPrimitiveUP(scene->device, D3DPT_POINTLIST, 1, vertex, sizeof(vertex)),
        "DrawPrimitiveUP");
    coverage_draw(scene, false);
}

static void run_version(struct scene *scene, const char *version, const char *body)
{
    char *text = whole_text(scene, version, body);

    scene_check(
        scene, IDirect3DDevice9_Clear(scene->device, 0, NULL, D3DCLEAR_TARGET, 0x40404040, 1.0f, 0),
        "Clear");
    if (is_vertex(version)) {
        set_shader(scene, false, text);
        set_shader(scene, true, major(version) < 3 ? ps_2_show : ps_3_show);
        draw_point(scene);
    } else {
        shader_set(scene, false, NULL);
        set_shader(scene, true, text);
        cmd_quad(scene);
    }
}

/* --- Versions --------------------------------------------------------------------------------- */

static const char *const all_versions[] = {
    "vs_1_1", "vs_2_0", "vs_2_x", "vs_2_sw", "vs_3_0",  "vs_3_sw", "ps_1_1",  "ps_1_2",
    "ps_1_3", "ps_1_4", "ps_2_0", "ps_2_x",  "ps_2_sw", "ps_3_0",  "ps_3_sw",
};
enum { VERSIONS = sizeof(all_versions) / sizeof(all_versions[0]) };

static int find_version(struct scene *scene, const char *text, size_t n)
{
    for (int i = 0; i < VERSIONS; i++)
        if (strlen(all_versions[i]) == n && !memcmp(all_versions[i], text, n))
            return i;
    scene_fail(scene, "'%s' is not a shader version", text);
}

static bool is_version(const char *word)
{
    return (word[0] == 'v' || word[0] == 'p') && !strncmp(word + 1, "s_", 2);
}

/* vs_2_0: only this version; vs_2_0+: this and later ones; vs_2_0..vs_2_sw: a range. */
static void version_range(struct scene *scene, const char *word, int *first, int *last)
{
    size_t n = strcspn(word, "+.");

    *first = *last = find_version(scene, word, n);
    if (word[n] == '+')
        while (*last + 1 < VERSIONS && all_versions[*last + 1][0] == word[0])
            ++*last;
    else if (word[n])
        *last = find_version(scene, word + n + 2, strlen(word + n + 2));
}

static void run_range(struct scene *scene, const char *word, int want)
{
    int first, last;

    version_range(scene, word, &first, &last);
    for (int v = first; v <= last; v++) {
        /* A range covers the versions that the device supports; a version named alone is
         * required. */
        if (first != last && strstr(all_versions[v], "_sw") && !scene->software_models)
            continue;
        run_version(scene, all_versions[v], scene->line.block);
        scene->image_valid = false;
        expect_all(scene, want, all_versions[v]);
    }
}

/* compute VERSION … WANT [tol N] [keys of quad] { body } */
void cmd_compute(struct scene *scene)
{
    int n = 1;

    while (n < scene->line.n && is_version(scene->line.word[n]))
        n++;
    if (n == 1 || !scene->line.block)
        scene_fail(scene, "compute VERSION ... WANT { body }");
    parse_word(scene, n);
    for (int i = 1; i < n; i++)
        run_range(scene, scene->line.word[i], n);
}
