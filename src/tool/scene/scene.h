/* Text scenes (.d9t): runs a scene line by line and returns its results and its picture.
 *
 * The runner uses only the public Direct3D 9 interface, so it can test any implementation.
 * tests/conformance/language.md describes the language. */
#ifndef TOOL_SCENE_SCENE_H
#define TOOL_SCENE_SCENE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tally {
    unsigned passed, failed, todo, skipped;
};

/* The scene's picture (picture.c): 8 bits a channel, RGBA, rows without padding. Images of
 * different widths are stacked, with 0 to the right of the narrower ones. height 0: the scene shows
 * nothing. */
struct scene_picture {
    uint32_t width, height;
    uint8_t *rgba;
    bool cut; /* the scene shows more than a picture can hold */
};

/* The window of all devices from now on; NULL: a hidden one on Windows, elsewhere none. */
void scene_use_window(void *window);

/* Runs the text, which is modified in place, and reports failures to `out`. The picture, if not
 * NULL, starts empty; the caller frees it. */
struct tally scene_run(const char *path, char *text, FILE *out, bool verbose,
                       struct scene_picture *picture);
/* Runs a file. An unreadable file counts as failed. */
struct tally scene_run_file(const char *path, FILE *out, bool verbose,
                            struct scene_picture *picture);
void scene_picture_free(struct scene_picture *picture);

/* The scenes that an argument names: a file, or all *.d9t of a folder sorted by name. */
struct scene_list {
    char **path;
    unsigned n;
};
void scene_list_make(struct scene_list *list, const char *path);
void scene_list_free(struct scene_list *list);

/* Whether the library is Novem, which must meet `expect-novem`, too. It is by default. */
void scene_library_is_novem(bool is_novem);

/* From now on, a scene that names no rule or expects nothing fails. */
void scene_demand_conformance(void);

/* From now on, appends the text of each shader that a met expectation depends on to the file. */
void coverage_to(const char *path);

#endif
