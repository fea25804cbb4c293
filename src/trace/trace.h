/* Public interface of src/trace: capture readers, and the replayer of their Direct3D 9 calls. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Calls ------------------------------------------------------------------------------------ */

enum trace_kind {
    TRACE_MISSING, /* argument or result that was not recorded; distinct from null */
    TRACE_NULL,
    TRACE_BOOL,    /* u.uint: 0 or 1 */
    TRACE_SINT,    /* u.sint, always negative */
    TRACE_UINT,    /* u.uint */
    TRACE_FLOAT,   /* u.float_bits, never converted: it may hold an integer */
    TRACE_DOUBLE,  /* u.real */
    TRACE_STRING,  /* u.text, count bytes and a NUL; encoding unknown */
    TRACE_BLOB,    /* u.bytes, count bytes */
    TRACE_ENUM,    /* u.sint, names */
    TRACE_BITMASK, /* u.uint, names */
    TRACE_ARRAY,   /* u.items, count elements */
    TRACE_STRUCT,  /* u.items, one per member; type */
    TRACE_OPAQUE,  /* u.uint: an address in the recorded process, never 0 */
    TRACE_REPR,    /* u.items: [0] readable form, [1] machine-readable form */
    TRACE_WSTRING, /* u.units, count code units */
};

struct trace_name {
    const char *name;
    int64_t value;
};

/* Names of an enum's values or a bitmask's bits. Values outside the table occur. */
struct trace_names {
    uint32_t count;
    const struct trace_name *entries;
};

struct trace_struct {
    const char *name; /* "" if anonymous; the same holds for members */
    uint32_t count;
    const char *const *members;
};

struct trace_function {
    const char *name; /* "IDirect3DDevice9::Clear", "Direct3DCreate9", "memcpy" */
    uint32_t argc;
    const char *const *args;
    uint32_t index; /* small index, unique per function within the capture */
};

struct trace_value {
    enum trace_kind kind;
    uint32_t count;
    union {
        uint64_t uint;
        int64_t sint;
        uint32_t float_bits;
        double real;
        const char *text;
        const uint8_t *bytes;
        const struct trace_value *items;
        const uint32_t *units;
    } u;
    union {
        const struct trace_names *names;
        const struct trace_struct *type;
    };
};

struct trace_frame {
    const char *module, *function, *file; /* NULL where not recorded */
    int64_t line, offset;                 /* negative where not recorded */
};

enum trace_flags {
    TRACE_FAKE = 1,   /* call synthesised by the tracer or reader (memcpy at Unlock) */
    TRACE_PACKED = 2, /* lock: the rows are recorded without padding, whatever the pitch says */
};

struct trace_call {
    uint64_t number; /* counts entered calls, from 0 */
    uint32_t thread, flags;
    bool complete; /* false: entered but never left; has no results and must not be executed */
    const struct trace_function *function;
    uint32_t argc; /* = function->argc */
    const struct trace_value *args;
    struct trace_value ret;
    uint32_t frame_count; /* call stack, innermost first */
    const struct trace_frame *const *frames;
};

/* --- Reading ---------------------------------------------------------------------------------- */

struct trace_reader;

/* Description and position of an error in a capture. */
struct trace_error {
    enum status status;
    uint64_t stream_byte; /* offset in the decompressed stream */
    uint64_t file_byte;   /* offset of the chunk (snappy), or of the last byte consumed */
    char text[256];       /* one line with both offsets, without the file name */
};

/* Opens a capture and detects its format by the first bytes:
 * - an apitrace stream of version 4, 5 or 6 in a snappy, gzip, zstd or brotli container;
 * - a PIX run file, plain or in gzip;
 * - a dx9mt frame file.
 * On failure *error (never NULL) gives the reason. trace_open_memory borrows its data until
 * trace_close. */
MUST_CHECK enum status trace_open(struct trace_reader **out, const char *path,
                                  struct trace_error *error);
MUST_CHECK enum status trace_open_memory(struct trace_reader **out, const void *data, size_t size,
                                         struct trace_error *error);
void trace_close(struct trace_reader *reader); /* NULL is allowed */
/* Options of dx9mt frame files, set before the first trace_next; other formats ignore them.
 * as_viewer: the calls reproduce dx9mt's viewer instead of Direct3D. follow: after each frame the
 * reader waits for the next one written into the file, without an end. */
void trace_set_frames(struct trace_reader *reader, bool as_viewer, bool follow);

/* Returns calls in the order in which they returned; *out is borrowed until the next trace_next,
 * and NULL at the end. Calls that were entered and never left come last, oldest first, marked
 * incomplete. A damaged or truncated file first delivers all calls before the damage, then
 * ST_DAMAGED for good; trace_reader_error gives the reason and position. */
MUST_CHECK enum status trace_next(struct trace_reader *reader, const struct trace_call **out);
const struct trace_error *trace_reader_error(const struct trace_reader *reader);

const char *trace_format_name(const struct trace_reader *reader); /* "apitrace", "PIX run file" */
unsigned trace_version(const struct trace_reader *reader);        /* 0: the format has none */
const char *trace_container_name(const struct trace_reader *reader); /* "snappy", … */
/* Returns property i as name and value, e.g. "process.name"; false past the last one. */
bool trace_property(const struct trace_reader *reader, unsigned i, const char **name,
                    const char **value);
/* Returns the compressed bytes consumed so far and their total, for progress bars. */
void trace_progress(const struct trace_reader *reader, uint64_t *done, uint64_t *total);

/* Converts any numeric kind to 64 bits: negative values sign-extended, floats as their bits, BOOL
 * 0/1, null and missing 0, REPR by its machine-readable form. */
uint64_t trace_number(const struct trace_value *value);
/* Returns whether the recorded call returned a failing HRESULT. */
bool trace_failed(const struct trace_call *call);

/* --- Replaying -------------------------------------------------------------------------------- */

struct replay;

/* A moment: a point of the replay that has a picture. It lies directly before each Present of a
 * device or swap chain, and directly after each GetRenderTargetData or GetFrontBufferData. */
struct replay_moment {
    uint64_t call; /* call number in the capture */
    const char *name;
    bool present;
    uint64_t frame; /* Presents so far, from 0: the frame that this moment ends or lies in */
};

/* Picture of a moment: render target 0, or back buffer 0 of the presented swap chain, with
 * multisampling resolved. 8 bits per channel, R G B A, rows without padding. */
struct replay_picture {
    uint32_t width, height;
    uint32_t format; /* D3DFORMAT of the render target */
    uint8_t *rgba;   /* the caller frees it with mem_free */
};

struct replay_options {
    void *ctx;
    /* Called at every moment; may be NULL. May call replay_take_picture. False ends the replay. */
    bool (*on_moment)(void *ctx, struct replay *replay, const struct replay_moment *moment);
    /* Called before every executed call; may be NULL. False ends the replay. */
    bool (*on_call)(void *ctx, struct replay *replay, const struct trace_call *call);
    /* Called for every complete call that is known and never executed, such as D3DPERF_BeginEvent;
     * may be NULL. */
    void (*on_ignored)(void *ctx, struct replay *replay, const struct trace_call *call);
    /* Receives warnings, one line each without newline: "call 12 IDirect3DDevice9::Clear: …". NULL
     * sends them to the log. */
    void (*on_warning)(void *ctx, const char *line);
    /* Opens a window of the program and returns its handle, which the caller closes after
     * replay_destroy. NULL: hidden windows on Windows, elsewhere distinct numbers. */
    void *(*open_window)(void *ctx, uint32_t width, uint32_t height);
};

struct replay_stats {
    uint64_t calls;     /* complete calls read */
    uint64_t last_call; /* highest number of a call read */
    uint64_t executed;  /* calls passed on to Direct3D */
    uint64_t frames, draws;
    uint64_t failed;                 /* succeeded when recorded, fail in the replay */
    uint64_t skipped;                /* not executed: an object is missing or arguments are
                                      * malformed */
    uint64_t unsupported;            /* not executed: unknown to the replayer */
    uint64_t out_of_memory;          /* of those that failed, were skipped or lost an object: for
                                      * lack of memory */
    uint64_t incomplete;             /* entered and never left in the capture */
    uint64_t uploads, short_uploads; /* memory copies; those with less data than the lock */
    uint64_t queries, query_differences; /* occlusion results compared; those that differ from the
                                          * capture */
};

/* The caller keeps the reader, which must outlive the replay. */
MUST_CHECK enum status replay_create(struct replay **out, struct trace_reader *reader,
                                     const struct replay_options *options);
void replay_destroy(struct replay *replay); /* NULL is allowed; releases all objects */

/* Runs to the end of the capture, or until a hook returns false. Returns ST_DAMAGED if the capture
 * is damaged, after executing all calls before the damage, ST_LOST if no device could be created,
 * and ST_NOMEM if memory ran out in any call; the calls after it were executed, too. */
MUST_CHECK enum status replay_run(struct replay *replay);
/* Reads and executes one call. *more: false at the end of the capture, or after a hook returned
 * false. Errors are those of replay_run; the first one ends the replay, but for ST_NOMEM, which each
 * later call returns, too. */
MUST_CHECK enum status replay_step(struct replay *replay, bool *more);
const struct replay_stats *replay_get_stats(const struct replay *replay);

/* --- Calls that are not in the capture ---
 *
 * For on_call, so that a change of the state can be made before the call and undone after it. */

/* The live IDirect3DDevice9 that a call is a method of; NULL: there is none. No reference is taken. */
void *replay_device(struct replay *replay, const struct trace_call *call);
/* The recorded address that stands for a live object; 0: none does. */
uint64_t replay_address(const struct replay *replay, const void *object);
/* The nth address of 32 bits, from 0, that no object of the capture has had so far. */
uint64_t replay_spare_address(struct replay *replay, unsigned n);
/* Executes a call at once, with addresses of the recorded process, outside of statistics. False: it
 * fails, or objects or arguments do not fit. */
bool replay_inject(struct replay *replay, const struct trace_call *call);

/* Returns how the replayer treats a function, by its recorded name alone. */
enum replay_support { REPLAY_UNKNOWN, REPLAY_IGNORED, REPLAY_RUN };
enum replay_support replay_support_of(const char *name);
bool replay_is_draw(const char *name);
bool replay_is_present(const char *name);
/* Returns true for Presents and readbacks, which have a picture. */
bool replay_has_moment(const char *name);

/* Valid only inside on_moment. Returns ST_NOTFOUND if there is no picture (no target, D3DFMT_NULL)
 * and ST_UNSUPPORTED for a format that cannot be displayed. */
MUST_CHECK enum status replay_take_picture(struct replay *replay, struct replay_picture *out);
/* Valid at any time until replay_destroy: the device of the last executed call, or the newest one
 * if that call had none. back_buffer: back buffer 0 instead of render target 0. */
MUST_CHECK enum status replay_take_target(struct replay *replay, bool back_buffer,
                                          struct replay_picture *out);

/* --- Compiled streams ---------------------------------------------------------------------------
 *
 * A compiled stream is a file of the command packets that a replay sends to the renderer. It can be
 * played without the captured calls.
 */

struct nvs_compiler;

/* Records all packets of all devices to the file until nvs_compile_end. The renderer should use one
 * thread (NOVEM_THREADS=1), so that the file does not depend on timing. */
MUST_CHECK enum status nvs_compile_begin(struct nvs_compiler **out, const char *path);
/* The caller passes every moment of the replay. */
void nvs_compile_moment(struct nvs_compiler *compiler, struct replay *replay,
                        const struct replay_moment *moment);
/* Called after replay_destroy. Returns the first failure of the compilation. */
MUST_CHECK enum status nvs_compile_end(struct nvs_compiler *compiler);

struct nvs;

struct nvs_options {
    void *ctx;
    /* Hooks as in struct replay_options. on_moment may call nvs_take_picture. */
    bool (*on_moment)(void *ctx, struct nvs *nvs, const struct replay_moment *moment);
    void (*on_warning)(void *ctx, const char *line);
    /* Range of frames whose moments have pictures. The player skips draws that they do not depend
     * on. */
    uint64_t first, last;
};

/* Returns whether the file starts with the magic of a compiled stream. */
bool nvs_is_file(const char *path);
MUST_CHECK enum status nvs_open(struct nvs **out, const char *path, struct trace_error *error);
MUST_CHECK enum status nvs_open_memory(struct nvs **out, const void *data, size_t size,
                                       struct trace_error *error);
void nvs_close(struct nvs *nvs); /* NULL is allowed */
/* Plays the stream to the end, or until a hook returns false. Once only. Returns ST_DAMAGED with an
 * error if the file is damaged, after executing all records before the damage. */
MUST_CHECK enum status nvs_run(struct nvs *nvs, const struct nvs_options *options);
const struct trace_error *nvs_error(const struct nvs *nvs);
const struct replay_stats *nvs_get_stats(const struct nvs *nvs);
MUST_CHECK enum status nvs_take_picture(struct nvs *nvs, struct replay_picture *out);
void nvs_progress(const struct nvs *nvs, uint64_t *done, uint64_t *total);
/* Statistics of the file's contents, gathered instead of playing it. */
struct nvs_contents {
    uint64_t records, frames, draws, blobs, blob_bytes;
    uint64_t independent_frames; /* frames that depend on no earlier frame */
    struct nvs_count {
        const char *name;
        uint64_t records, bytes; /* bytes: of the records' data */
    } count[300];                /* indexed by op; name NULL: undefined */
};
MUST_CHECK enum status nvs_get_contents(struct nvs *nvs, struct nvs_contents *out);
/* Prints every record as a line of text, instead of playing the stream. */
MUST_CHECK enum status nvs_print(struct nvs *nvs, void (*line)(void *ctx, const char *text),
                                 void *ctx);

/* --- Compiled streams on any Direct3D 9 library --------------------------------------------------
 *
 * Plays a compiled stream by calls of Direct3D 9 instead of command packets. Pools, usages and calls
 * between them are not in the file; the player chooses its own.
 */

struct nvs_calls;

struct nvs_calls_options {
    void *ctx;
    /* Hooks as in struct replay_options. on_moment may call nvs_calls_take_picture. */
    bool (*on_moment)(void *ctx, struct nvs_calls *calls, const struct replay_moment *moment);
    void (*on_warning)(void *ctx, const char *line);
    void *(*open_window)(void *ctx, uint32_t width, uint32_t height);
};

MUST_CHECK enum status nvs_calls_open(struct nvs_calls **out, const char *path,
                                      struct trace_error *error);
MUST_CHECK enum status nvs_calls_open_memory(struct nvs_calls **out, const void *data, size_t size,
                                             struct trace_error *error);
void nvs_calls_close(struct nvs_calls *calls); /* NULL is allowed */
/* As nvs_run; ST_LOST if no device could be created. */
MUST_CHECK enum status nvs_calls_run(struct nvs_calls *calls,
                                     const struct nvs_calls_options *options);
const struct trace_error *nvs_calls_error(const struct nvs_calls *calls);
const struct replay_stats *nvs_calls_get_stats(const struct nvs_calls *calls);
MUST_CHECK enum status nvs_calls_take_picture(struct nvs_calls *calls, struct replay_picture *out);

#endif
