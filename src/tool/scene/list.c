/* Lists of scenes from command line arguments. A folder stands for all its scenes, because Windows
 * limits a command line to 32,767 characters.
 *
 * Tested by tests/fuzz/api/test_scenes.c. */
#include "tool/scene/scene.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_scene(const char *name)
{
    size_t n = strlen(name);

    return n > 4 && !strcmp(name + n - 4, ".d9t");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
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
    DIR *folder = opendir(path);

    *list = (struct scene_list){0};
    if (!folder) {
        add(list, "", path);
        return;
    }
    for (struct dirent *e = readdir(folder); e; e = readdir(folder))
        if (is_scene(e->d_name))
            add(list, path, e->d_name);
    closedir(folder);
    if (list->n)
        qsort(list->path, list->n, sizeof(*list->path), by_name);
}

void scene_list_free(struct scene_list *list)
{
    for (unsigned i = 0; i < list->n; i++)
        free(list->path[i]);
    free(list->path);
}
