/* `novem r500`: decodes, validates and executes packet files for the Radeon R500 on a model of the
 * chip. */
#include "present/r500/r500.h"
#include "tool/cli/cli.h"
#include "tool/commands.h"
#include "tool/image/image.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/path.h"
#include "util/plural.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct session {
    const char *command;       /* "r500 run" */
    const char *file, *folder; /* folder: for pictures, or NULL */
    enum r500_chip chip;
    struct r500_buffers buffers;
    unsigned streams;
};

/* Action of a subcommand on one item; returns an exit code. */
typedef int item_fn(struct session *session, const struct r500_item *item);

static int refuse(const struct session *s, const struct r500_item *item, const char *what,
                  const struct r500_error *error)
{
    return tool_error(s->command, "%s: byte %zu: stream %u: %s, dword %u: %s", s->file, item->at,
                      s->streams, what, error->at, error->text);
}

/* --- Dump ------------------------------------------------------------------------------------- */

static int dump_item(struct session *s, const struct r500_item *item)
{
    struct r500_error error;

    switch (item->kind) {
    case R500_ITEM_BUFFER:
        printf("buffer %u: " PLURAL_FORMAT "%s\n", item->handle,
               PLURAL(item->size, "byte", "bytes"), item->content ? ", with content" : "");
        break;
    case R500_ITEM_SUBMIT:
        printf("stream %u: " PLURAL_FORMAT ", " PLURAL_FORMAT ", flags 0x%x 0x%x\n", s->streams,
               PLURAL(item->submit.n, "dword", "dwords"),
               PLURAL(item->submit.n_relocs, "relocation", "relocations"), item->submit.flags[0],
               item->submit.flags[1]);
        if (r500_dump(stdout, &item->submit, &error) != ST_OK)
            return refuse(s, item, "cannot be decoded further", &error);
        break;
    case R500_ITEM_FLIP:
        printf("flip to buffer %u: %ux%u, pitch " PLURAL_FORMAT "; frame %u of chain %u\n",
               item->flip.handle, item->flip.width, item->flip.height,
               PLURAL(item->flip.pitch, "byte", "bytes"), item->flip.number, item->flip.chain);
        break;
    }
    return TOOL_OK;
}

/* --- Check ------------------------------------------------------------------------------------ */

static int check_item(struct session *s, const struct r500_item *item)
{
    struct r500_error error;

    if (item->kind == R500_ITEM_SUBMIT &&
        r500_check(&item->submit, &s->buffers.memory, s->chip, &error) != ST_OK) {
        refuse(s, item, "refused", &error);
        return TOOL_DIFFERS;
    }
    return TOOL_OK;
}

/* --- Run -------------------------------------------------------------------------------------- */

static int write_picture(const struct session *s, const struct r500_flip *flip,
                         const uint8_t *pixels)
{
    struct tool_image image;
    char path[1024];
    enum status st = tool_image_create(&image, flip->width, flip->height);

    if (st != ST_OK)
        return tool_error(s->command, "%s", status_text(st));
    for (size_t i = 0; i < (size_t)flip->width * flip->height; i++) {
        const uint8_t *from = pixels + i / flip->width * flip->pitch + i % flip->width * 4;
        uint8_t *to = image.rgba + i * 4;

        to[0] = from[2];
        to[1] = from[1];
        to[2] = from[0];
        to[3] = from[3];
    }
    if (flip->chain)
        snprintf(path, sizeof(path), "%s/frame-%u-%05u.png", s->folder, flip->chain, flip->number);
    else
        snprintf(path, sizeof(path), "%s/frame-%05u.png", s->folder, flip->number);
    st = tool_png_write(path, &image, 3);
    tool_image_fini(&image);
    return st == ST_OK ? TOOL_OK : tool_write_error(s->command, path);
}

static int run_flip(const struct session *s, const struct r500_item *item)
{
    const struct r500_flip *flip = &item->flip;
    const struct r500_buffer *buffer = r500_buffer(&s->buffers.memory, flip->handle);
    uint64_t hash = 0;

    if (!buffer || !buffer->data || !flip->width || !flip->height || flip->pitch % 4 ||
        flip->pitch / 4 < flip->width || (uint64_t)flip->pitch * flip->height > buffer->size)
        return tool_error(s->command, "%s: byte %zu: a flip to an invalid picture", s->file,
                          item->at);
    for (uint32_t y = 0; y < flip->height; y++)
        hash = hash_bytes(buffer->data + (size_t)y * flip->pitch, (size_t)flip->width * 4, hash);
    printf("frame %u of chain %u: %ux%u %016llx\n", flip->number, flip->chain, flip->width,
           flip->height, (unsigned long long)hash);
    return s->folder ? write_picture(s, flip, buffer->data) : TOOL_OK;
}

static int run_item(struct session *s, const struct r500_item *item)
{
    struct r500_error error;
    int code = check_item(s, item);

    if (code != TOOL_OK || item->kind == R500_ITEM_BUFFER)
        return code;
    if (item->kind == R500_ITEM_FLIP)
        return run_flip(s, item);
    if (r500_run(&item->submit, &s->buffers.memory, &error) != ST_OK)
        return refuse(s, item, "cannot be executed", &error);
    return TOOL_OK;
}

/* --- Files ------------------------------------------------------------------------------------ */

static int each_item(struct session *s, const uint8_t *bytes, size_t n, item_fn *fn, bool keep)
{
    struct r500_item item;
    const char *reason;
    size_t at;
    enum status st = r500_file_open(bytes, n, &at, &s->chip, &reason);

    if (st != ST_OK)
        return tool_error(s->command, "%s: %s", s->file, reason);
    while ((st = r500_file_next(bytes, n, &at, &item, &reason)) == ST_OK) {
        int code;

        if (item.kind == R500_ITEM_BUFFER)
            st = r500_buffers_apply(&s->buffers, &item, keep, &reason);
        if (st == ST_NOMEM)
            reason = status_text(st);
        if (st != ST_OK)
            break;
        code = fn(s, &item);
        if (code != TOOL_OK)
            return code;
        s->streams += item.kind == R500_ITEM_SUBMIT;
    }
    return st == ST_NOTFOUND ? TOOL_OK
                             : tool_error(s->command, "%s: byte %zu: %s", s->file, at, reason);
}

static int work(struct session *s, item_fn *fn, bool keep)
{
    uint8_t *bytes;
    size_t n;
    enum status st;
    int code;

    if (s->folder && !path_make_folder(s->folder) && errno != EEXIST)
        return tool_error(s->command, "%s: %s", s->folder, strerror(errno));
    st = tool_file_read(s->file, &bytes, &n);
    if (st != ST_OK)
        return tool_error(s->command, "%s: %s", s->file, tool_file_reason(s->file, st));
    code = each_item(s, bytes, n, fn, keep);
    if (code == TOOL_OK && fn == check_item)
        printf("%s: %s: " PLURAL_FORMAT " valid\n", s->file, r500_chip_name(s->chip),
               PLURAL(s->streams, "stream is", "streams are"));
    r500_buffers_fini(&s->buffers);
    mem_free(bytes);
    return code;
}

static int dump_command(int argc, char **argv)
{
    struct session session = {.command = argv[0]};
    const struct tool_usage usage = {
        .line = "r500 dump FILE",
        .text = "Prints the packets of a file that the sink r500:FILE wrote, the registers with "
                "their\nnon-zero fields, and the shaders.",
        .files_min = 1,
        .files_max = 1,
    };
    int code = tool_parse(&usage, argc, argv, &session.file);

    return code < 0 ? work(&session, dump_item, false) : code;
}

static int check_command(int argc, char **argv)
{
    struct session session = {.command = argv[0]};
    const struct tool_usage usage = {
        .line = "r500 check FILE",
        .text = "Reports where and why Linux's radeon driver would refuse a stream of a file that "
                "the sink\nr500:FILE wrote. The exit code is 1 if it would.",
        .files_min = 1,
        .files_max = 1,
    };
    int code = tool_parse(&usage, argc, argv, &session.file);

    return code < 0 ? work(&session, check_item, false) : code;
}

static int run_command(int argc, char **argv)
{
    struct session session = {.command = argv[0]};
    const struct tool_option options[] = {
        {"-o", "DIR", "write frames as DIR/frame-00000.png; creates DIR if missing", OPT_TEXT,
         &session.folder},
    };
    const struct tool_usage usage = {
        "r500 run FILE [-o DIR]",
        "Checks the streams of a file that the sink r500:FILE wrote, executes them on a model of\n"
        "the chip, and prints a hash per frame. The exit code is 1 if a check fails.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &session.file);

    return code < 0 ? work(&session, run_item, true) : code;
}

int tool_r500(int argc, char **argv)
{
    static const struct tool_command commands[] = {
        {"dump", "print packets, registers and shaders", dump_command},
        {"check", "report what Linux's radeon driver would refuse", check_command},
        {"run", "execute packets on a model of the chip", run_command},
    };
    const struct tool_commands all = {commands, sizeof(commands) / sizeof(commands[0])};

    return tool_run_subcommand("r500", &all, argc, argv);
}
