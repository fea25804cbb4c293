/* Board that writes command streams, buffers and flips to a file.
 *
 * Tested by tests/unit/present/r500/test_sink.c. */
#include "present/r500/board/board.h"

#include "present/file/stream.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/output_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct file_board {
    struct r500_board board;
    char *name;                   /* as the user gave it */
    char path[OUTPUT_PATH_BYTES]; /* of the open file */
    FILE *file;                   /* NULL: not open */
    bool failed;                  /* and the failure is logged */
    uint32_t handles;             /* handles assigned so far */
};

static struct file_board *of(struct r500_board *board)
{
    return (struct file_board *)board;
}

/* --- The file --------------------------------------------------------------------------------- */

/* Logs the first failure; call it directly after the system call. */
static enum status checked(struct file_board *b, enum status st)
{
    if (st == ST_OK)
        return ST_OK;
    if (!b->failed)
        log_error("present", "%s: cannot be written: %s", b->path,
                  st == ST_IO ? strerror(errno) : status_text(st));
    b->failed = true;
    return st;
}

static enum status open_file(struct file_board *b)
{
    enum status st;
    int file;

    if (b->file)
        return ST_OK;
    st = stream_open(&file, b->path, b->name, b->board.writer);
    if (st != ST_OK) {
        b->failed = true;
        return st;
    }
    b->file = output_file_wait(file) ? fdopen(file, "wb") : NULL;
    if (!b->file) {
        st = checked(b, ST_IO);
        close(file);
        return st;
    }
    return checked(b, r500_file_begin(b->file, b->board.chip));
}

/* --- The board -------------------------------------------------------------------------------- */

static enum status create(struct r500_board *board, uint32_t bytes, enum r500_use use,
                          struct r500_buffer *out)
{
    struct file_board *b = of(board);
    enum status st = open_file(b);

    *out = (struct r500_buffer){0};
    if (st != ST_OK)
        return st;
    *out = (struct r500_buffer){++b->handles, bytes, NULL};
    if (use == R500_TARGET)
        return checked(b, r500_file_buffer(b->file, out)); /* records only its size: a file has no
                                                            * reader */
    out->data = mem_calloc(1, bytes);
    return out->data ? ST_OK : ST_NOMEM;
}

static void release(struct r500_board *board, struct r500_buffer *buffer)
{
    (void)board;
    mem_free(buffer->data);
    *buffer = (struct r500_buffer){0};
}

static enum status begin(struct r500_board *board, const struct r500_buffer *texture)
{
    (void)board;
    (void)texture;
    return ST_OK;
}

static enum status submit(struct r500_board *board, const struct r500_submit *submit,
                          const struct r500_buffer *texture)
{
    struct file_board *b = of(board);
    enum status st = checked(b, r500_file_buffer(b->file, texture));

    return st == ST_OK ? checked(b, r500_file_submit(b->file, submit)) : st;
}

static enum status flip(struct r500_board *board, const struct r500_flip *flip)
{
    struct file_board *b = of(board);
    enum status st = checked(b, r500_file_flip(b->file, flip));

    return st == ST_OK && fflush(b->file) != 0 ? checked(b, ST_IO) : st;
}

static enum status close_file(struct r500_board *board)
{
    struct file_board *b = of(board);
    enum status st = ST_OK;

    if (b->file && fclose(b->file))
        st = checked(b, ST_IO);
    if (b->failed)
        st = ST_IO;
    mem_free(b->name);
    mem_free(b);
    return st;
}

static const struct r500_board_ops ops = {create, release, begin, submit, flip, close_file};

enum status r500_board_file(struct r500_board **out, const char *name, enum r500_chip chip)
{
    struct file_board *b = mem_calloc(1, sizeof(*b));

    *out = NULL;
    if (!b)
        return ST_NOMEM;
    b->board = (struct r500_board){.ops = &ops, .chip = chip};
    b->name = mem_strdup(name);
    if (!b->name) {
        mem_free(b);
        return ST_NOMEM;
    }
    *out = &b->board;
    return ST_OK;
}
