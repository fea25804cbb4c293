/* Shader coverage of the scenes: records the text of every shader whose draw was followed by a met
 * expectation.
 *
 * check_coverage.sh compares the instructions in these texts with vm/isa/isa.def.
 *
 * Tested by tests/conformance/check_coverage.sh. */
#include "tool/scene/shader.h"
#include "tool/scene/command.h"

#include "util/alloc.h"
#include "util/path.h"
#include "vm/vm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *list; /* output file, opened for appending; NULL: disabled */

void coverage_to(const char *path)
{
    list = path;
}

void coverage_shader(struct scene *scene, bool pixel, const uint32_t *tokens)
{
    struct vm_error error;
    char *text;

    scene->shader_text[pixel] = NULL;
    if (!list || !tokens)
        return;
    if (vm_disassemble(&text, tokens, vm_token_count(tokens, 1 << 18), &error) != ST_OK)
        scene_fail(scene, "disassembling: %s", error.text);
    scene->shader_text[pixel] = scene_alloc(scene, strlen(text) + 1);
    strcpy(scene->shader_text[pixel], text);
    mem_free(text);
}

static void add_drawn(struct scene *scene, const char *text)
{
    size_t used = scene->drawn_shaders ? strlen(scene->drawn_shaders) : 0;
    char *longer;

    if (!text || (scene->drawn_shaders && strstr(scene->drawn_shaders, text)))
        return;
    longer = scene_alloc(scene, used + strlen(text) + 1);
    if (used)
        memcpy(longer, scene->drawn_shaders, used);
    strcpy(longer + used, text);
    scene->drawn_shaders = longer;
}

void coverage_draw(struct scene *scene, bool transformed)
{
    if (!transformed)
        add_drawn(scene, scene->shader_text[0]);
    add_drawn(scene, scene->shader_text[1]);
}

void coverage_expectation_met(struct scene *scene)
{
    FILE *file = list && scene->drawn_shaders ? path_open(list, "a") : NULL;
    bool good = false;

    if (!list || !scene->drawn_shaders)
        return;
    if (file)
        good = fprintf(file, "// %s\n%s", scene->path, scene->drawn_shaders) > 0;
    if (file && fclose(file))
        good = false;
    if (!good)
        scene_fail(scene, "%s cannot be written: %s", list, strerror(errno));
    scene->drawn_shaders = NULL;
}
