/* Interface of the parts of `novem captures`: replays of all captures of a folder and their page.
 */
#ifndef TOOL_CAPTURE_CAPTURES_H
#define TOOL_CAPTURE_CAPTURES_H

#include <stdbool.h>
#include <stddef.h>

enum { CAPTURES_PATH = 4096 };
/* Of 255, a channel: of two pictures, and of a picture and a mask. */
enum { CAPTURES_TOLERANCE = 2, CAPTURES_MASK_TOLERANCE = 1 };

/* Opinions of a picture, and the share of pixels up to which two of them agree. */
enum captures_opinion { CAPTURES_NOVEM, CAPTURES_REFERENCE, CAPTURES_GPU, CAPTURES_OPINIONS };
#define CAPTURES_AGREE 0.001

struct capture {
    char *name;
    char status[32]; /* "ok", or why the replay did not finish */
    unsigned long long calls, unsupported, failed, frames, draws;
    double milliseconds;
    unsigned references, compared;
    double worst;        /* largest share of pixels of a picture beyond TOLERANCE, 0 … 1 */
    char worst_name[32]; /* the file of that picture */
    double mean;         /* distance of a channel over all reference pictures, in 1/255 */
    bool gpu;            /* there is a picture of a GPU, and `apart` is set */
    /* Shares of pixels of the last picture beyond TOLERANCE between the two other opinions. */
    double apart[CAPTURES_OPINIONS];
    /* The mask of that picture by itself: its pixels, those that are uncertain, and those of the
     * GPU's that differ within the mask, or are wrong by it. */
    bool masked;
    unsigned long long pixels, uncertain, permitted, wrong;
    const char *reason; /* text of the note, NULL without one; points into survey.reasons */
    unsigned note;      /* number of the note, 0 without one */
};

struct survey {
    const char *command, *folder, *out, *work, *reasons_path, *sheet_path, *only;
    const char *gpu; /* NULL: no pictures of a GPU */
    bool masks;      /* judge these pictures by uncertainty masks */
    unsigned limit, threads;
    struct capture *captures;
    size_t count, room;
    char *reasons; /* text of the file of reasons; read_reasons splits it in place */
};

/* captures_run.c: replays a capture in a child process and compares its pictures with the
 * references. False, with errno: no process can be started. */
bool captures_run(const struct survey *s, struct capture *c);
/* Runs this program with arguments of its own in a child process; its output goes to the file
 * `log`. limit: seconds. False, with errno: no process can be started. */
bool captures_execute(const char *log, unsigned limit, const char *const args[], int *status);

/* captures_gpu.c: compares the last picture of the capture with that of a GPU, if there is one, and
 * judges it. Call it after captures_run. False, with errno: no process can be started. */
bool captures_compare_gpu(const struct survey *s, struct capture *c);
/* The opinion that differs from two others that agree, or -1. */
int captures_alone(const struct capture *c);

/* captures_page.c: write the Markdown page, and a contact sheet: the worst picture of every capture
 * that has references, beside the reference. The number of a cell is the capture's in the table.
 * Return TOOL_OK, or TOOL_ERROR after an error message. */
int captures_write_page(const struct survey *s);
int captures_write_sheet(const struct survey *s);

#endif
