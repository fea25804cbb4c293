/* Writes PNG files with stb_image_write.
 *
 * Tested by tests/unit/present/file/test_png.c. */
#include "present/file/png_file.h"
#include "util/alloc.h"
#include "util/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    int error; /* errno of the first failed write; 0: none */
};

static void write_bytes(void *ctx, void *data, int size)
{
    struct output *output = ctx;

    errno = 0;
    if (!output->error && fwrite(data, 1, (size_t)size, output->file) != (size_t)size)
        output->error = errno ? errno : EIO;
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

/* ST_IO: output->error has the reason. */
static enum status write_picture(struct output *output, struct png_memory *memory,
                                 const struct present_frame *frame)
{
    int wide = (int)frame->width, high = (int)frame->height;
    enum status st = need(memory, (size_t)frame->width * frame->height * 3);

    if (st == ST_OK)
        st = present_to_rgb(frame, memory->rgb);
    if (st != ST_OK)
        return st;
    if (!stbi_write_png_to_func(write_bytes, output, wide, high, 3, memory->rgb, wide * 3))
        return ST_NOMEM;
    if (!output->error && fflush(output->file))
        output->error = errno;
    return output->error ? ST_IO : ST_OK;
}

enum status png_write(struct png_memory *memory, int file, const char *path,
                      const struct present_frame *frame)
{
    struct output output = {fdopen(file, "wb"), 0};
    enum status st;

    if (!output.file) {
        close(file);
        return ST_NOMEM;
    }
    st = write_picture(&output, memory, frame);
    if (fclose(output.file) && st == ST_OK) {
        output.error = errno;
        st = ST_IO;
    }
    if (st != ST_OK)
        log_error("present", "%s: cannot be written: %s", path,
                  st == ST_IO ? strerror(output.error) : status_text(st));
    return st;
}
