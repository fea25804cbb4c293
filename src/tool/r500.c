/* `novem r500`: decodes, validates and executes packet files for the Radeon R500 on a model of the
 * chip. */
#include "present/r500/r500.h"
#include "tool/cli/cli.h"
#include "tool/commands.h"
#include "tool/image/image.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char command[] = "r500";

struct session {
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
    return tool_error(command, "%s: byte %zu: stream %u: %s, dword %u: %s", s->file, item->at,
                      s->streams, what, error->at, error->text);
}

/* --- Dump ------------------------------------------------------------------------------------- */

static int dump_item(struct session *s, const struct r500_item *item)
{
    struct r500_error error;

    switch (item->kind) {
    case R500_ITEM_BUFFER:
        printf("buffer %u: %u bytes%s\n", item->handle, item->size,
               item->content ? ", with content" : "");
        break;
    case R500_ITEM_SUBMIT:
        printf("stream %u: %u dwords, %u relocations, flags 0x%x 0x%x\n", s->streams,
               item->submit.n, item->submit.n_relocs, item->submit.flags[0], item->submit.flags[1]);
        if (r500_dump(stdout, &item->submit, &error) != ST_OK)
            return refuse(s, item, "cannot be decoded further", &error);
        break;
    case R500_ITEM_FLIP:
        printf("flip to buffer %u: %ux%u, pitch %u bytes; frame %u of chain %u\n",
               item->flip.handle, item->flip.width, item->flip.height, item->flip.pitch,
               item->flip.number, item->flip.chain);
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
        return tool_error(command, "%s", status_text(st));
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
    return st == ST_OK ? TOOL_OK : tool_error(command, "%s: %s", path, status_text(st));
}

static int run_flip(const struct session *s, const struct r500_item *item)
{
    const struct r500_flip *flip = &item->flip;
    const struct r500_buffer *buffer = r500_buffer(&s->buffers.memory, flip->handle);
    uint64_t hash = 0;

    if (!buffer || !buffer->data || !flip->width || !flip->height || flip->pitch % 4 ||
        flip->pitch / 4 < flip->width || (uint64_t)flip->pitch * flip->height > buffer->size)
        return tool_error(command, "%s: byte %zu: a flip to an invalid picture", s->file, item->at);
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
        return tool_error(command, "%s: %s", s->file, reason);
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
                             : tool_error(command, "%s: byte %zu: %s", s->file, at, reason);
}

static int work(const char *what, struct session *s)
{
    static const struct {
        const char *name;
        item_fn *fn;
        bool keep;
    } subcommands[] = {
        {"dump", dump_item, false}, {"check", check_item, false}, {"run", run_item, true}};
    uint8_t *bytes;
    size_t n;
    enum status st;
    int code = TOOL_ERROR;

    for (unsigned i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++) {
        if (strcmp(subcommands[i].name, what) != 0)
            continue;
        if (subcommands[i].fn == run_item && s->folder && mkdir(s->folder, 0777) && errno != EEXIST)
            return tool_error(command, "%s: %s", s->folder, strerror(errno));
        st = tool_file_read(s->file, &bytes, &n);
        if (st != ST_OK)
            return tool_error(command, "%s: %s", s->file, tool_file_reason(s->file, st));
        code = each_item(s, bytes, n, subcommands[i].fn, subcommands[i].keep);
        if (code == TOOL_OK && subcommands[i].fn == check_item)
            printf("%s: %s: %u streams are valid\n", s->file, r500_chip_name(s->chip), s->streams);
        r500_buffers_fini(&s->buffers);
        mem_free(bytes);
        return code;
    }
    return tool_error(command, "'%s' is not one of dump, check, run", what);
}

int tool_r500(int argc, char **argv)
{
    struct session session = {0};
    const char *files[2];
    const struct tool_option options[] = {
        {"-o", "DIR", "run: write frames as DIR/frame-00000.png; creates DIR if missing", OPT_TEXT,
         &session.folder},
    };
    const struct tool_usage usage = {
        "r500 dump|check|run FILE [options]",
        "Reads a file that the sink r500:FILE wrote.\n"
        "dump prints packets, registers with their non-zero fields, and shaders;\n"
        "check reports where and why Linux's radeon driver would refuse a stream (exit code 1);\n"
        "run checks the streams, executes them on a model of the chip, and prints a hash per "
        "frame.",
        options,
        sizeof(options) / sizeof(options[0]),
        2,
        2,
    };
    int code = tool_parse(&usage, argc, argv, files);

    if (code >= 0)
        return code;
    session.file = files[1];
    return work(files[0], &session);
}
