/* Writes PNG files with stb_image_write.
 *
 * Tested by tests/unit/present/file/test_png.c. */
#include "present/file/png_file.h"
#include "util/alloc.h"
#include "util/log.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#define STBIW_MALLOC(size) mem_alloc(size)
#define STBIW_REALLOC(old, size) mem_realloc(old, size)
#define STBIW_FREE(block) mem_free(block)
#pragma GCC diagnostic ignored "-Wunused-function" /* formats that are not used */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

/* Uses filter Up for all rows: trying all five takes more time than all other work. */
__attribute__((constructor)) static void configure_stb(void)
{
    stbi_write_force_png_filter = 2;
    stbi_write_png_compression_level = 5; /* the lowest level that stb supports */
}

struct output {
    FILE *file;
    bool failed;
};

static void write_bytes(void *ctx, void *data, int size)
{
    struct output *output = ctx;

    if (fwrite(data, 1, (size_t)size, output->file) != (size_t)size)
        output->failed = true;
}

static enum status need(struct png_memory *memory, size_t size)
{
    uint8_t *grown;

    if (size <= memory->size)
        return ST_OK;
    grown = mem_realloc(memory->rgb, size);
    if (!grown)
        return ST_NOMEM;
    memory->rgb = grown;
    memory->size = size;
    return ST_OK;
}

enum status png_write(struct png_memory *memory, FILE *file, const char *path,
                      const struct present_frame *frame)
{
    struct output output = {file, false};
    enum status st = need(memory, (size_t)frame->width * frame->height * 3);
    int written = 0;

    if (st == ST_OK)
        st = present_to_rgb(frame, memory->rgb);
    if (st == ST_OK)
        written = stbi_write_png_to_func(write_bytes, &output, (int)frame->width,
                                         (int)frame->height, 3, memory->rgb, (int)frame->width * 3);
    if (fclose(file) || output.failed || (st == ST_OK && !written)) {
        log_error("present", "%s: writing failed", path);
        return ST_IO;
    }
    return st;
}
