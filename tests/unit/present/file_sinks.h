/* Sinks that write files: a folder for them, a frame, and the errors that they log. */
#ifndef TEST_PRESENT_FILE_SINKS_H
#define TEST_PRESENT_FILE_SINKS_H

#include "present/present.h"
#include "util/alloc.h"
#include "util/log.h"

#include "check_main.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 6, HEIGHT = 4, PIXELS = WIDTH * HEIGHT, ERRORS_BYTES = 4096 };

static char folder[32], errors[ERRORS_BYTES];
static uint32_t pixels[PIXELS];

static inline void note(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    if (level == LOG_ERROR && strlen(errors) + strlen(line) + 1 < ERRORS_BYTES)
        strcat(errors, line);
}

static inline void setup(void)
{
    strcpy(folder, "/tmp/novem-files-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    errors[0] = 0;
    log_set_sink(note, NULL);
    for (unsigned i = 0; i < PIXELS; i++)
        pixels[i] = i * 0x0a3507 ^ 0x00ff00 * (i % 3);
}

static inline void teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static inline struct present *open_sink(const char *format, unsigned queue)
{
    struct present_options options = {.queue = queue};
    char spec[128];
    struct present *present;

    snprintf(spec, sizeof(spec), format, folder, folder);
    options.sinks = spec;
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    return present;
}

static inline struct present_frame frame_of(uint64_t number)
{
    return (struct present_frame){.format = tex_format_get(D3DFMT_X8R8G8B8),
                                  .data = (const uint8_t *)pixels,
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .row_pitch = WIDTH * 4,
                                  .refresh_rate = 75,
                                  .number = number};
}

static inline void show(struct present *present, uint64_t number)
{
    struct present_frame frame = frame_of(number);

    present_show(present, &frame);
}

static inline size_t read_file(const char *name, uint8_t *bytes, size_t n)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    n = fread(bytes, 1, n, file);
    fclose(file);
    return n;
}

static inline unsigned files_in_folder(void)
{
    DIR *dir = opendir(folder);
    unsigned n = 0;

    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

#endif
