/* Renders one variant in a child process and streams its pictures through a pipe.
 *
 * Processes keep the variants independent of each other; a crash costs only one mask.
 *
 * Tested by tests/unit/tool/mask/test_mask.c. */
#include "tool/image/image.h"
#include "tool/mask/mask.h"
#include "tool/scene/scene.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/variant.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct mask_stream {
    pid_t process;
    FILE *from;
    char reason[MASK_MESSAGE]; /* of a broken stream; empty: unknown, as after a crash */
};

/* Precedes the pixels of each picture. Width 0 ends the stream; the reason of a failure follows,
 * whose length is the height. */
struct header {
    uint64_t frame;
    uint32_t width, height;
};

/* --- Child process ---------------------------------------------------------------------------- */

struct sender {
    const struct mask_input *input;
    FILE *to;
    bool failed;
    char reason[MASK_MESSAGE];
};

static void fail(struct sender *sender, const char *reason)
{
    const char *file = sender->input->file;
    bool named = !strncmp(reason, file, strlen(file)); /* readers of files name them */

    if (!sender->failed)
        snprintf(sender->reason, sizeof(sender->reason), "%s%s%s", named ? "" : file,
                 named ? "" : ": ", reason);
    sender->reason[strcspn(sender->reason, "\n")] = '\0';
    sender->failed = true;
}

static void send(struct sender *sender, uint64_t frame, uint32_t width, uint32_t height,
                 const uint8_t *rgba)
{
    struct header header = {frame, width, height};
    size_t pixels = (size_t)width * height;

    if (fwrite(&header, sizeof(header), 1, sender->to) != 1 ||
        (pixels && fwrite(rgba, 4, pixels, sender->to) != pixels))
        sender->failed = true;
}

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct sender *sender = ctx;
    struct replay_picture picture;

    if (!moment->present || moment->frame < sender->input->first)
        return moment->frame <= sender->input->last;
    if (moment->frame > sender->input->last)
        return false;
    if (replay_take_picture(replay, &picture) == ST_OK) {
        for (size_t i = 0; i < (size_t)picture.width * picture.height; i++)
            picture.rgba[4 * i + 3] = 255; /* `novem replay` writes opaque pictures too */
        send(sender, moment->frame, picture.width, picture.height, picture.rgba);
        mem_free(picture.rgba);
    }
    return moment->frame < sender->input->last && !sender->failed;
}

static void send_scene(struct sender *sender)
{
    struct scene_picture picture = {0};
    char *messages = NULL;
    size_t n;
    FILE *out = open_memstream(&messages, &n);

    if (out) {
        scene_run_file(sender->input->file, out, true, &picture);
        fclose(out);
    }
    if (picture.cut)
        fail(sender, "shows more than a picture can hold");
    else if (!out || !picture.height)
        fail(sender, messages && *messages ? messages : "the scene has no picture");
    else
        send(sender, 0, picture.width, picture.height, picture.rgba);
    scene_picture_free(&picture);
    free(messages); /* allocated by open_memstream */
}

static void no_frame(struct sender *sender, const char *why)
{
    char reason[MASK_MESSAGE];

    snprintf(reason, sizeof(reason), "there is no frame %" PRIu64 "%s%s", sender->input->first,
             why ? ": " : "", why ? why : "");
    fail(sender, reason);
}

static void send_capture(struct sender *sender)
{
    const struct replay_options options = {.ctx = sender, .on_moment = on_moment};
    struct trace_reader *reader;
    struct replay *replay = NULL;
    struct trace_error error;
    enum status st;

    if (trace_open(&reader, sender->input->file, &error) != ST_OK) {
        fail(sender, error.text);
        return;
    }
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if (st != ST_OK && st != ST_DAMAGED)
        fail(sender, status_text(st));
    else if (replay_get_stats(replay)->frames <= sender->input->first)
        no_frame(sender, st == ST_DAMAGED ? trace_reader_error(reader)->text : NULL);
    replay_destroy(replay);
    trace_close(reader);
}

static bool is_scene(const char *file)
{
    size_t n = strlen(file);

    return n > 4 && !strcmp(file + n - 4, ".d9t");
}

static _Noreturn void run(const struct mask_input *input, const struct variant *variant, int to)
{
    struct sender sender = {.input = input, .to = fdopen(to, "wb")};

    setenv("NOVEM_THREADS", "1", 1);
    setenv("NOVEM_LOG", "none", 1);
    setenv("NOVEM_SINK", "none", 1);
    unsetenv("NOVEM_RECORD");
    variant_current = variant;
    if (!sender.to)
        _exit(1);
    if (is_scene(input->file))
        send_scene(&sender);
    else
        send_capture(&sender);
    send(&sender, 0, 0, (uint32_t)strlen(sender.reason), NULL);
    fwrite(sender.reason, 1, strlen(sender.reason), sender.to);
    _exit(fclose(sender.to) || sender.failed);
}

/* --- Parent process --------------------------------------------------------------------------- */

enum status mask_stream_open(struct mask_stream **out, const struct mask_input *input,
                             const struct variant *variant)
{
    struct mask_stream *stream = mem_calloc(1, sizeof(*stream));
    int ends[2];

    *out = NULL;
    if (!stream || pipe(ends)) {
        mem_free(stream);
        return ST_NOMEM;
    }
    fflush(NULL);
    stream->process = fork();
    if (!stream->process) {
        close(ends[0]);
        run(input, variant, ends[1]);
    }
    close(ends[1]);
    stream->from = stream->process < 0 ? NULL : fdopen(ends[0], "rb");
    if (!stream->from) {
        close(ends[0]);
        mask_stream_close(stream);
        return ST_NOMEM;
    }
    *out = stream;
    return ST_OK;
}

enum mask_next mask_stream_next(struct mask_stream *stream, uint64_t *frame, struct tool_image *out)
{
    struct header header;

    memset(out, 0, sizeof(*out));
    if (fread(&header, sizeof(header), 1, stream->from) != 1)
        return MASK_BROKEN;
    if (!header.width && !header.height)
        return MASK_END;
    if (!header.width) {
        size_t n = header.height < MASK_MESSAGE ? header.height : MASK_MESSAGE - 1;

        stream->reason[fread(stream->reason, 1, n, stream->from)] = '\0';
        return MASK_BROKEN;
    }
    if (tool_image_create(out, header.width, header.height) != ST_OK)
        return MASK_BROKEN;
    *frame = header.frame;
    if (fread(out->rgba, 4, (size_t)out->width * out->height, stream->from) ==
        (size_t)out->width * out->height)
        return MASK_PICTURE;
    tool_image_fini(out);
    return MASK_BROKEN;
}

const char *mask_stream_reason(const struct mask_stream *stream)
{
    return stream->reason;
}

void mask_stream_close(struct mask_stream *stream)
{
    if (!stream)
        return;
    if (stream->from)
        fclose(stream->from);
    if (stream->process > 0) {
        kill(stream->process, SIGKILL);
        while (waitpid(stream->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    mem_free(stream);
}
