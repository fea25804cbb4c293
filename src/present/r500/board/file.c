/* Board that writes command streams, buffers and flips to a file.
 *
 * Tested by tests/unit/present/r500/test_sink.c. */
#include "present/r500/board/board.h"

#include "util/alloc.h"
#include "util/log.h"

#include <errno.h>
#include <string.h>

struct file_board {
    struct r500_board board;
    FILE *file;
    uint32_t handles; /* handles assigned so far */
};

static struct file_board *of(struct r500_board *board)
{
    return (struct file_board *)board;
}

static enum status create(struct r500_board *board, uint32_t bytes, enum r500_use use,
                          struct r500_buffer *out)
{
    *out = (struct r500_buffer){++of(board)->handles, bytes, NULL};
    if (use == R500_TARGET)
        return r500_file_buffer(of(board)->file, out); /* records only its size: a file has no
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
    enum status st = r500_file_buffer(of(board)->file, texture);

    return st == ST_OK ? r500_file_submit(of(board)->file, submit) : st;
}

static enum status flip(struct r500_board *board, const struct r500_flip *flip)
{
    enum status st = r500_file_flip(of(board)->file, flip);

    return st == ST_OK && fflush(of(board)->file) != 0 ? ST_IO : st;
}

static void close_file(struct r500_board *board)
{
    fclose(of(board)->file);
    mem_free(board);
}

static const struct r500_board_ops ops = {create, release, begin, submit, flip, close_file};

enum status r500_board_file(struct r500_board **out, const char *path, enum r500_chip chip)
{
    struct file_board *board = mem_calloc(1, sizeof(*board));
    enum status st;

    *out = NULL;
    if (!board)
        return ST_NOMEM;
    board->board = (struct r500_board){.ops = &ops, .chip = chip};
    board->file = fopen(path, "wb");
    if (!board->file) {
        log_error("present", "%s: %s", path, strerror(errno));
        mem_free(board);
        return ST_IO;
    }
    st = r500_file_begin(board->file, chip);
    if (st == ST_OK)
        *out = &board->board;
    else
        close_file(&board->board);
    return st;
}
