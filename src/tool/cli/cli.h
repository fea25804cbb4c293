/* Interface shared by the subcommands of `novem`: options, errors, files, images. */
#ifndef TOOL_CLI_CLI_H
#define TOOL_CLI_CLI_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of every subcommand. */
enum { TOOL_OK = 0, TOOL_DIFFERS = 1, TOOL_ERROR = 2 };

struct tool_command {
    const char *name, *summary;        /* summary: one line of `novem --help` */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an exit code */
};

/* --- Options: one table per command defines parser and help ----------------------------------- */

enum tool_option_kind { OPT_FLAG, OPT_TEXT, OPT_UINT, OPT_LIST };

/* Values of an option that may be repeated. */
enum { TOOL_LIST_MAX = 256 };
struct tool_list {
    const char *text[TOOL_LIST_MAX];
    unsigned n;
};

struct tool_option {
    const char *name;  /* "--frames" or "-o" */
    const char *value; /* name of its value in --help; NULL: a flag */
    const char *help;
    enum tool_option_kind kind;
    void *out; /* bool, const char *, unsigned or struct tool_list, by kind */
};

struct tool_usage {
    const char *line; /* "replay FILE [options]" */
    const char *text; /* a paragraph for --help */
    const struct tool_option *options;
    size_t option_count;
    unsigned files_min, files_max;
};

/* Parses the command line into the options' targets and files[] (files_max entries, NULL if
 * absent). Returns a negative number to continue, else the exit code after help or a one-line
 * error. */
int tool_parse(const struct tool_usage *usage, int argc, char **argv, const char **files);

/* Prints "novem <command>: <message>" on stderr; returns TOOL_ERROR. */
int tool_error(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- Files and shaders ------------------------------------------------------------------------ */

/* Reads a whole file ("-": standard input) and appends a 0; the caller frees it. */
MUST_CHECK enum status tool_file_read(const char *path, uint8_t **out, size_t *n);
MUST_CHECK enum status tool_file_write(const char *path, const void *bytes, size_t n);

struct vm_error;
enum tool_shader_check { TOOL_SHADER_ANY, TOOL_SHADER_DEVICE, TOOL_SHADER_STRICT };
/* Converts little-endian byte code to words in place. Returns the number of words. */
size_t tool_shader_words(uint8_t *bytes, size_t n);
/* Whether a device accepts the byte code; if not, *error explains. */
bool tool_shader_is_good(const uint32_t *words, size_t n, enum tool_shader_check check,
                         struct vm_error *error);

/* --- Images: 8 bits a channel, R G B A, rows without padding ---------------------------------- */

struct tool_image {
    uint32_t width, height;
    uint8_t *rgba;
};

/* channels: 3 drops alpha. Text chunks record version, command line and content hash. */
MUST_CHECK enum status tool_png_write(const char *path, const struct tool_image *image,
                                      unsigned channels);
/* The caller frees with tool_image_fini. */
MUST_CHECK enum status tool_png_read(const char *path, struct tool_image *out);
MUST_CHECK enum status tool_image_create(struct tool_image *out, uint32_t width, uint32_t height);
void tool_image_fini(struct tool_image *image);
/* Decodes a PNG in memory with stb_image; png.h has a faster path. */
MUST_CHECK enum status tool_image_decode(const uint8_t *bytes, size_t n, struct tool_image *out);
/* Hash of size and pixels. Without alpha the pixels count as opaque. `novem replay --hash` prints
 * it and PNGs store it as Novem-Hash. */
uint64_t tool_image_hash(const struct tool_image *image, bool with_alpha);

/* Difference of two images of one size in R, G and B. */
struct tool_difference {
    unsigned max;           /* largest channel difference */
    double mean;            /* over all channels of all pixels */
    double squares;         /* mean squared difference */
    uint64_t pixels, above; /* above: pixels with a channel difference above the threshold */
};
/* heat: NULL, or receives a picture of the differences. ST_INVALID: the sizes differ. */
MUST_CHECK enum status tool_image_compare(const struct tool_image *a, const struct tool_image *b,
                                          unsigned threshold, struct tool_difference *out,
                                          struct tool_image *heat);

/* --- Contact sheets: numbered pairs of thumbnails, ours left, the reference right ------------- */

struct tool_sheet {
    struct tool_image image;
    unsigned cells, used;
};

MUST_CHECK enum status tool_sheet_create(struct tool_sheet *out, unsigned cells);
/* Fills the next cell; either image may be NULL. Cells past the last are ignored. */
void tool_sheet_add(struct tool_sheet *sheet, unsigned number, const struct tool_image *ours,
                    const struct tool_image *reference);

/* --- Subcommands ------------------------------------------------------------------------------ */

int tool_replay(int argc, char **argv);
int tool_record(int argc, char **argv);
int tool_view(int argc, char **argv);
int tool_compile(int argc, char **argv);
/* info and dump of a compiled stream. */
int tool_info_compiled(const char *command, const char *file);
int tool_dump_compiled(const char *command, const char *file, const char *name, uint64_t from,
                       uint64_t to);
int tool_info(int argc, char **argv);
int tool_dump(int argc, char **argv);
int tool_diff(int argc, char **argv);
int tool_scene(int argc, char **argv);
int tool_golden(int argc, char **argv);
int tool_mask(int argc, char **argv);
int tool_captures(int argc, char **argv);
int tool_config(int argc, char **argv);
int tool_asm(int argc, char **argv);
int tool_dis(int argc, char **argv);
int tool_run_shader(int argc, char **argv);
int tool_r500(int argc, char **argv);
int tool_pixel(int argc, char **argv);
int tool_frame(int argc, char **argv);
int tool_trim(int argc, char **argv);
/* `novem golden bisect`; argv[0] is "bisect". */
int tool_bisect(int argc, char **argv);

#endif
