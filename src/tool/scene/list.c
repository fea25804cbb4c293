/* Lists of scenes from command line arguments. A folder stands for all its scenes, because Windows
 * limits a command line to 32,767 characters.
 *
 * Tested by tests/fuzz/api/test_scenes.c. */
#include "tool/scene/scene.h"

#include "util/folder_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_scene(const char *name)
{
    size_t n = strlen(name);

    return n > 4 && !strcmp(name + n - 4, ".d9t");
}

static void add(struct scene_list *list, const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    const char *slash = folder[0] && !strchr("/\\", folder[strlen(folder) - 1]) ? "/" : "";
    char **longer = realloc(list->path, (list->n + 1) * sizeof(*longer));

    char *path = malloc(n);

    if (!longer || !path) {
        fprintf(stderr, "conformance: out of memory\n");
        exit(2);
    }
    list->path = longer;
    snprintf(path, n, "%s%s%s", folder, slash, name);
    list->path[list->n++] = path;
}

void scene_list_make(struct scene_list *list, const char *path)
{
    struct folder_names names;

    *list = (struct scene_list){0};
    if (folder_names_read(&names, path) != ST_OK) {
        add(list, "", path);
        return;
    }
    for (size_t i = 0; i < names.n; i++)
        if (is_scene(names.name[i]))
            add(list, path, names.name[i]);
    folder_names_free(&names);
}

void scene_list_free(struct scene_list *list)
{
    for (unsigned i = 0; i < list->n; i++)
        free(list->path[i]);
    free(list->path);
}
