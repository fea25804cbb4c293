/* The door to captures: reading them, and replaying their Direct3D 9 calls. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Calls ------------------------------------------------------------------------------------ */

enum trace_kind {
    TRACE_MISSING, /* an argument or return value that was not recorded; not the same as null */
    TRACE_NULL,
    TRACE_BOOL,    /* u.uint: 0 or 1 */
    TRACE_SINT,    /* u.sint, always negative */
    TRACE_UINT,    /* u.uint */
    TRACE_FLOAT,   /* u.float_bits, never converted: it may be an integer in disguise */
    TRACE_DOUBLE,  /* u.real */
    TRACE_STRING,  /* u.text, count bytes and a NUL; no promise of an encoding */
    TRACE_BLOB,    /* u.bytes, count of them */
    TRACE_ENUM,    /* u.sint, names */
    TRACE_BITMASK, /* u.uint, names */
    TRACE_ARRAY,   /* u.items, count of them */
    TRACE_STRUCT,  /* u.items, one a member; type */
    TRACE_OPAQUE,  /* u.uint: an address in the recorded process, never 0 */
    TRACE_REPR,    /* u.items: [0] for people, [1] for machines */
    TRACE_WSTRING, /* u.units, count of them: one code unit each */
};

struct trace_name {
    const char *name;
    int64_t value;
};

/* The names of an enum or of a bitmask's bits. Values outside the table do occur. */
struct trace_names {
    uint32_t count;
    const struct trace_name *entries;
};

struct trace_struct {
    const char *name; /* "" for an anonymous one; members likewise */
    uint32_t count;
    const char *const *members;
};

struct trace_function {
    const char *name; /* "IDirect3DDevice9::Clear", "Direct3DCreate9", "memcpy" */
    uint32_t argc;
    const char *const *args;
    uint32_t index; /* a small number, another for each function of this capture */
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
    TRACE_FAKE = 1, /* the tracer or reader made this call up (memcpy at Unlock) */
    TRACE_PACKED =
        2, /* of a lock: its rows are recorded without padding, whatever the pitch says */
};

struct trace_call {
    uint64_t number; /* counts entered calls from 0 */
    uint32_t thread, flags;
    bool complete; /* false: entered but never left, so without results; not to be executed */
    const struct trace_function *function;
    uint32_t argc; /* = function->argc */
    const struct trace_value *args;
    struct trace_value ret;
    uint32_t frame_count; /* call stack, innermost first */
    const struct trace_frame *const *frames;
};

/* --- Reading ---------------------------------------------------------------------------------- */

struct trace_reader;

/* What is wrong with a file, and where. */
struct trace_error {
    enum status status;
    uint64_t stream_byte; /* offset in the decoded stream */
    uint64_t file_byte;   /* offset of the chunk (snappy), or of the last compressed byte taken */
    char text[256];       /* one line with both offsets, without the file's name */
};

/* Opens a capture, whose format is known by its first bytes: an apitrace stream of version 4, 5 or
 * 6 in a snappy, gzip, zstd or brotli container, or a PIX run file, plain or in gzip. On failure
 * *error (never NULL) says why. The data of the second form is borrowed until close. */
MUST_CHECK enum status trace_open(struct trace_reader **out, const char *path,
                                  struct trace_error *error);
MUST_CHECK enum status trace_open_memory(struct trace_reader **out, const void *data, size_t size,
                                         struct trace_error *error);
void trace_close(struct trace_reader *reader); /* NULL is allowed */
/* Before the first trace_next; other formats than dx9mt's frame files do not care. as_viewer: the
 * calls draw what dx9mt's viewer shows, not what Direct3D does. follow: after a frame comes the
 * next that is written into the file, without an end. */
void trace_set_frames(struct trace_reader *reader, bool as_viewer, bool follow);

/* The next call in the order calls returned; *out is borrowed until the next trace_next. NULL at
 * the end. Calls that were entered and never left come last, oldest first, marked incomplete.
 * A damaged or cut file first delivers everything before the damage, then answers ST_DAMAGED (for
 * good); trace_reader_error says what and where. */
MUST_CHECK enum status trace_next(struct trace_reader *reader, const struct trace_call **out);
const struct trace_error *trace_reader_error(const struct trace_reader *reader);

const char *trace_format_name(const struct trace_reader *reader); /* "apitrace", "PIX run file" */
unsigned trace_version(const struct trace_reader *reader);        /* 0: the format has none */
unsigned trace_semantic_version(const struct trace_reader *reader);
const char *trace_container_name(const struct trace_reader *reader); /* "snappy", … */
/* Property number i as name and value, e.g. "process.name"; false past the last. */
bool trace_property(const struct trace_reader *reader, unsigned i, const char **name,
                    const char **value);
/* Compressed bytes taken so far and their total, for progress bars. */
void trace_progress(const struct trace_reader *reader, uint64_t *done, uint64_t *total);

/* Any number kind as 64 bits (negative ones sign-extended, floats as their bits, BOOL 0/1, null
 * and missing 0); REPR by its machine value. */
uint64_t trace_number(const struct trace_value *value);
/* The recorded call returned a failing HRESULT. */
bool trace_failed(const struct trace_call *call);

/* --- Replaying -------------------------------------------------------------------------------- */

struct replay;

/* A point at which there is a picture to see: just before a Present of a device or swap chain, and
 * just after a GetRenderTargetData or GetFrontBufferData. */
struct replay_moment {
    uint64_t call; /* number in the capture */
    const char *name;
    bool present;
    uint64_t frame; /* counts Presents from 0: the one that this moment ends or lies in */
};

/* The picture of a moment: render target 0, or back buffer 0 of the swap chain that is presented;
 * multisampled ones resolved. 8 bits a channel, R G B A, rows without padding. */
struct replay_picture {
    uint32_t width, height;
    uint32_t format; /* D3DFORMAT it was rendered in */
    uint8_t *rgba;   /* the owner frees it with mem_free */
};

struct replay_options {
    void *ctx;
    /* Called at every moment, may be NULL. May call replay_take_picture. False ends the replay. */
    bool (*on_moment)(void *ctx, struct replay *replay, const struct replay_moment *moment);
    /* Called before every call that is executed, may be NULL. False ends the replay. */
    bool (*on_call)(void *ctx, struct replay *replay, const struct trace_call *call);
    /* Warnings, one line each without newline, "call 12 IDirect3DDevice9::Clear: …"; NULL sends
     * them to the log. */
    void (*on_warning)(void *ctx, const char *line);
};

struct replay_stats {
    uint64_t calls;    /* complete calls read */
    uint64_t executed; /* of them, passed on to Direct3D */
    uint64_t frames, draws;
    uint64_t failed;                 /* passed when recorded, fail now */
    uint64_t skipped;                /* not executed for want of an object or of sound arguments */
    uint64_t unsupported;            /* not executed because the replayer does not know them */
    uint64_t incomplete;             /* entered and never left in the capture */
    uint64_t uploads, short_uploads; /* memory copies; those with less data than was locked */
    uint64_t queries, query_differences; /* occlusion answers compared with the recorded ones */
};

/* The reader stays the caller's and must outlive the replay. */
MUST_CHECK enum status replay_create(struct replay **out, struct trace_reader *reader,
                                     const struct replay_options *options);
void replay_destroy(struct replay *replay); /* NULL is allowed; releases all objects */

/* Runs to the end of the capture, or until a hook says stop. ST_DAMAGED if the capture is damaged
 * (everything before the damage was executed); ST_LOST if no device could be created. */
MUST_CHECK enum status replay_run(struct replay *replay);
const struct replay_stats *replay_get_stats(const struct replay *replay);

/* How the replayer treats a function: by its recorded name, without looking at arguments. */
enum replay_support { REPLAY_UNKNOWN, REPLAY_IGNORED, REPLAY_RUN };
enum replay_support replay_support_of(const char *name);
bool replay_is_draw(const char *name);
bool replay_is_present(const char *name);
/* Presents and read-backs: calls that have a picture. */
bool replay_has_moment(const char *name);

/* Only inside on_moment. ST_NOTFOUND where there is no picture (no target, D3DFMT_NULL),
 * ST_UNSUPPORTED for a format that cannot be shown. */
MUST_CHECK enum status replay_take_picture(struct replay *replay, struct replay_picture *out);

/* --- Compiled streams ---------------------------------------------------------------------------
 *
 * What a replay sends to the renderer, in a file, so that it can be sent again without the calls.
 */

struct nvs_compiler;

/* From here on until the end, what devices send goes to the file. Settings should say that one
 * thread renders (NOVEM_THREADS=1), so that nothing depends on time. */
MUST_CHECK enum status nvs_compile_begin(struct nvs_compiler **out, const char *path);
/* To be called for every moment of the replay. */
void nvs_compile_moment(struct nvs_compiler *compiler, struct replay *replay,
                        const struct replay_moment *moment);
/* After the replay was destroyed. The first thing that went wrong. */
MUST_CHECK enum status nvs_compile_end(struct nvs_compiler *compiler);

struct nvs;

struct nvs_options {
    void *ctx;
    /* As those of struct replay_options. May call nvs_take_picture. */
    bool (*on_moment)(void *ctx, struct nvs *nvs, const struct replay_moment *moment);
    void (*on_warning)(void *ctx, const char *line);
    /* Only moments of these frames have their pictures, and drawing is left out that they do not
     * depend on. */
    uint64_t first, last;
};

/* Whether the file begins as one. */
bool nvs_is_file(const char *path);
MUST_CHECK enum status nvs_open(struct nvs **out, const char *path, struct trace_error *error);
MUST_CHECK enum status nvs_open_memory(struct nvs **out, const void *data, size_t size,
                                       struct trace_error *error);
void nvs_close(struct nvs *nvs); /* NULL is allowed */
/* To the end, or until a hook says stop. ST_DAMAGED with an error where the file is damaged; what
 * comes before that was executed. Once only. */
MUST_CHECK enum status nvs_run(struct nvs *nvs, const struct nvs_options *options);
const struct trace_error *nvs_error(const struct nvs *nvs);
const struct replay_stats *nvs_get_stats(const struct nvs *nvs);
MUST_CHECK enum status nvs_take_picture(struct nvs *nvs, struct replay_picture *out);
void nvs_progress(const struct nvs *nvs, uint64_t *done, uint64_t *total);
/* Instead of running: what the file holds. */
struct nvs_contents {
    uint64_t records, frames, draws, blobs, blob_bytes;
    uint64_t independent_frames; /* that depend on no frame before */
    struct nvs_count {
        const char *name;
        uint64_t records, bytes; /* bytes: of data */
    } count[300];                /* by number of the record; name NULL where there is none */
};
MUST_CHECK enum status nvs_get_contents(struct nvs *nvs, struct nvs_contents *out);
/* Instead of running: every record as a line of text. */
MUST_CHECK enum status nvs_print(struct nvs *nvs, void (*line)(void *ctx, const char *text),
                                 void *ctx);

#endif
