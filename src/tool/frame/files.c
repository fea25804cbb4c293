/* Writes a captured frame to files: state, pictures, meshes and shaders of every draw.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "tool/frame/frame.h"

#include "tool/frame/answer.h"

#include "cmd/cmd.h"
#include "draw/draw.h"
#include "tex/tex.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "tool/inspect/history.h"
#include "tool/inspect/state_names.h"
#include "tool/page/frame_page.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/path.h"
#include "util/plural.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHADERS_KEPT = 64 };

struct dump {
    const char *command, *file, *folder;
    struct frame_writer *answers; /* writes the pictures, too */
    uint64_t frame, only;         /* only: the one call to write; UINT64_MAX: all */
    FILE *text, *json;
    int error;                 /* errno of the first failure, or 0 */
    bool active, failed, said; /* said: the reason of the failure was printed */
    uint64_t call;
    const char *name;
    unsigned events;
    bool drawn; /* the current packet is a draw whose dump was started */
    char before[DRAW_TARGETS + 1][FRAME_PICTURE_NAME];
    /* Cache of the pictures written last. */
    struct seen {
        struct draw_target target;
        uint64_t version;
        char name[FRAME_PICTURE_NAME];
    } seen[16];
    unsigned next_seen;
    struct {
        uint64_t program; /* vm_program_id; 0: none */
        uint64_t hash;    /* of its text, the file's name */
    } shader[SHADERS_KEPT];
    unsigned next_shader;
};

/* --- The index -------------------------------------------------------------------------------- */

/* A file or a picture could not be made: the first reason is reported. */
static void fail(struct dump *d)
{
    if (!d->failed)
        d->error = errno;
    d->failed = true;
}

static FILE *open_in(const struct dump *d, const char *name)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s", d->folder, name);
    return path_open(path, "w");
}

static void close_in(struct dump *d, FILE *file, const char *name)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s", d->folder, name);
    errno = 0;
    if (file && !tool_file_close(file, path))
        fail(d);
}

static bool make_folder(const struct dump *d, const char *name)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s%s", d->folder, name);
    return path_make_folder(path) || errno == EEXIST;
}

/* Creates the folder and the index when the frame turns out to exist; false after an error
 * message. */
static bool begin_files(struct dump *d)
{
    if (d->text)
        return true;
    if (d->failed)
        return false;
    d->failed = true;
    if (!make_folder(d, "") || !make_folder(d, "/images") || !make_folder(d, "/shaders") ||
        !(d->text = open_in(d, "index.txt")) || !(d->json = open_in(d, "index.json"))) {
        tool_error(d->command, "%s: %s", d->folder, strerror(errno));
        d->said = true;
        return false;
    }
    d->failed = false;
    fprintf(d->json, "{\"frame\": %" PRIu64 ", \"events\": [", d->frame);
    return true;
}

static void begin_event(struct dump *d, const char *what)
{
    fprintf(d->text, "call %" PRIu64 " %s: %s\n", d->call, d->name, what);
    fprintf(d->json, "%s {\"call\": %" PRIu64 ", \"name\": \"%s\", \"what\": \"%s\"",
            d->events ? ",\n" : "\n", d->call, d->name, what);
    d->events++;
}

static void put_file(struct dump *d, const char *what, const char *path)
{
    fprintf(d->text, "    %-12s %s\n", what, path);
    fprintf(d->json, ", \"%s\": \"%s\"", what, path);
}

static void put_picture(struct dump *d, const char *what, const char *name)
{
    if (!*name)
        return;
    fprintf(d->text, "    %-12s images/%s\n", what, name);
    fprintf(d->json, ", \"%s\": \"images/%s\"", what, name);
}

static void end_event(struct dump *d)
{
    fprintf(d->json, "}");
}

static const struct draw_target *target_of(const struct draw_state *state, unsigned t)
{
    return t < DRAW_TARGETS ? &state->target[t] : &state->depth;
}

/* A picture written recently whose surface has not changed since. */
static const char *find_picture(const struct dump *d, const struct draw_target *target)
{
    for (unsigned i = 0; i < 16; i++) {
        const struct seen *seen = &d->seen[i];

        if (seen->target.image == target->image && seen->target.face == target->face &&
            seen->target.level == target->level && seen->version == target->image->version)
            return seen->name;
    }
    return NULL;
}

/* name: "" if there is no picture. */
static void write_picture(struct dump *d, const struct draw_target *target, bool changes,
                          char name[FRAME_PICTURE_NAME])
{
    const char *known = target->image ? find_picture(d, target) : NULL;
    enum status st;

    if (known) {
        memcpy(name, known, FRAME_PICTURE_NAME);
        return;
    }
    st = frame_writer_picture(d->answers, target, changes, name);
    if (st == ST_OK) {
        struct seen *seen = &d->seen[d->next_seen++ % 16];

        seen->target = *target;
        seen->version = target->image->version;
        memcpy(seen->name, name, FRAME_PICTURE_NAME);
    }
    if (st != ST_OK)
        *name = 0;
    if (st != ST_OK && st != ST_UNSUPPORTED)
        fail(d);
}

static void write_targets(struct dump *d, const struct draw_state *state,
                          char names[DRAW_TARGETS + 1][FRAME_PICTURE_NAME])
{
    for (unsigned t = 0; t <= DRAW_TARGETS; t++)
        write_picture(d, target_of(state, t), true, names[t]);
}

static void put_targets(struct dump *d, const char *when,
                        char names[DRAW_TARGETS + 1][FRAME_PICTURE_NAME])
{
    char what[48];

    for (unsigned t = 0; t <= DRAW_TARGETS; t++) {
        snprintf(what, sizeof(what), "%s %s", inspect_target_name(t), when);
        put_picture(d, what, names[t]);
    }
}

/* --- Draws ------------------------------------------------------------------------------------ */

static void put_textures(struct dump *d, const struct draw_state *state, uint32_t samplers)
{
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++) {
        const struct draw_target level = {.image = state->texture[i].image};
        char name[FRAME_PICTURE_NAME], what[32];

        if (!(samplers >> i & 1) || !level.image)
            continue;
        write_picture(d, &level, false, name);
        snprintf(what, sizeof(what), "texture %u", i);
        put_picture(d, what, name);
    }
}

/* Whether N-patches read the displacement map. */
static bool reads_displacement(const struct draw_state *state)
{
    const struct draw_decl *decl = state->decl;
    bool found = false;

    for (unsigned i = 0; i < decl->n + decl->n_generated; i++)
        found |= decl->element[i].Method == D3DDECLMETHOD_LOOKUP ||
                 decl->element[i].Method == D3DDECLMETHOD_LOOKUPPRESAMPLED;
    return state->tessellator && found;
}

static uint32_t samplers_of(const struct draw_state *state, const struct vm_program *vertex,
                            const struct vm_program *pixel)
{
    return vm_program_info(pixel)->samplers |
           (vm_program_info(vertex)->samplers & 15) << DRAW_VERTEX_SAMPLER |
           (uint32_t)reads_displacement(state) << DRAW_DISPLACEMENT_SAMPLER;
}

static bool write_shader(const struct dump *d, const struct vm_program *program, uint64_t *hash)
{
    char path[4096], *text;
    bool written;

    if (vm_program_text(&text, program) != ST_OK)
        return false;
    *hash = hash_bytes(text, strlen(text), 0);
    snprintf(path, sizeof(path), "%s/shaders/%016" PRIx64 ".txt", d->folder, *hash);
    written = tool_file_write(path, text, strlen(text)) == ST_OK;
    mem_free(text);
    return written;
}

/* Shaders that were written last are not written again. */
static void put_shader(struct dump *d, const char *what, const struct vm_program *program)
{
    uint64_t id = vm_program_id(program);
    unsigned at = 0;
    char name[64];

    while (at < SHADERS_KEPT && d->shader[at].program != id)
        at++;
    if (at == SHADERS_KEPT) {
        at = d->next_shader++ % SHADERS_KEPT;
        d->shader[at].program = 0;
        if (!write_shader(d, program, &d->shader[at].hash)) {
            fail(d);
            return;
        }
        d->shader[at].program = id;
    }
    snprintf(name, sizeof(name), "shaders/%016" PRIx64 ".txt", d->shader[at].hash);
    put_file(d, what, name);
}

static void put_mesh(struct dump *d, struct frame_walk *walk, struct draw *draw,
                     const struct draw_state *state, const struct draw_args *args)
{
    char name[64], screen_name[64], path[4096], screen_path[4096];

    snprintf(name, sizeof(name), "call-%08" PRIu64 ".obj", d->call);
    snprintf(screen_name, sizeof(screen_name), "call-%08" PRIu64 "-screen.obj", d->call);
    snprintf(path, sizeof(path), "%s/%s", d->folder, name);
    snprintf(screen_path, sizeof(screen_path), "%s/%s", d->folder, screen_name);
    if (inspect_mesh_write(draw, state, args, frame_walk_hooks(walk), path, screen_path) != ST_OK) {
        d->failed = true;
        return;
    }
    put_file(d, "mesh", name);
    put_file(d, "on screen", screen_name);
}

static void put_state(struct dump *d, const struct draw_state *state, uint32_t samplers)
{
    uint32_t stages = state->ps ? 0 : 1;
    char name[64], path[4096];
    FILE *out;

    for (unsigned i = 0; !state->ps && i < FF_STAGES; i++)
        if (state->stage[i][D3DTSS_COLOROP] != D3DTOP_DISABLE)
            stages |= 1u << i;
    snprintf(name, sizeof(name), "call-%08" PRIu64 ".txt", d->call);
    snprintf(path, sizeof(path), "%s/%s", d->folder, name);
    out = path_open(path, "w");
    if (!out) {
        fail(d);
        return;
    }
    errno = 0;
    inspect_states_print(out, state, samplers, stages);
    if (!tool_file_close(out, path))
        fail(d);
    put_file(d, "state", name);
}

static void on_draw(void *ctx, struct frame_walk *walk, struct draw *draw,
                    const struct draw_state *state, const struct draw_args *args)
{
    struct dump *d = ctx;
    const struct vm_program *vertex, *pixel;
    uint32_t samplers;
    enum status st;
    char what[64];

    if (!d->active)
        return;
    st = draw_programs(draw, state, args->type, &vertex, &pixel);
    d->failed |= st == ST_NOMEM;
    if (st != ST_OK) /* the draw fails, too */
        return;
    samplers = samplers_of(state, vertex, pixel);
    draw_flush(draw);
    snprintf(what, sizeof(what), PLURAL_FORMAT ", %s",
             PLURAL(args->primitives, "primitive", "primitives"),
             inspect_primitive_name(args->type) ? inspect_primitive_name(args->type)
                                                : "unknown type");
    begin_event(d, what);
    put_state(d, state, samplers);
    put_shader(d, "vertex shader", vertex);
    put_shader(d, "pixel shader", pixel);
    put_textures(d, state, samplers);
    put_mesh(d, walk, draw, state, args);
    write_targets(d, state, d->before);
    put_targets(d, "before", d->before);
    d->drawn = true;
}

/* --- Packets ---------------------------------------------------------------------------------- */

/* Forgets the pictures written last. */
static void on_forget(void *ctx, struct frame_walk *walk)
{
    struct dump *d = ctx;

    (void)walk;
    memset(d->seen, 0, sizeof(d->seen));
}

static bool makes_event(enum cmd_op op)
{
    return cmd_is_draw(op) || op == CMD_CLEAR || op == CMD_COPY || op == CMD_STRETCH ||
           op == CMD_FILL || op == CMD_COMPOSE_RECTS;
}

/* Answers about markers need the folder, too. */
static void on_marker(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    struct dump *d = ctx;

    (void)walk;
    (void)call;
    if (d->only == UINT64_MAX)
        begin_files(d);
}

static void before(void *ctx, struct frame_walk *walk, const struct frame_packet *p)
{
    struct dump *d = ctx;

    (void)walk;
    d->drawn = false;
    if (makes_event(p->op) && d->active)
        d->active = begin_files(d);
}

static void end_targets(struct dump *d, const struct draw_state *state)
{
    char names[DRAW_TARGETS + 1][FRAME_PICTURE_NAME];

    write_targets(d, state, names);
    put_targets(d, "after", names);
    end_event(d);
}

static void end_surface(struct dump *d, struct cmd_stream *stream, const struct cmd_surface *dst,
                        const char *what)
{
    struct draw_target target = {cmd_rendered_image(stream, dst->image), dst->face, dst->level};
    char name[FRAME_PICTURE_NAME];

    begin_event(d, what);
    write_picture(d, &target, true, name);
    put_picture(d, "after", name);
    end_event(d);
}

static void after(void *ctx, struct frame_walk *walk, const struct frame_packet *p)
{
    struct dump *d = ctx;
    const void *packet = p->packet;

    (void)walk;
    if (!d->active)
        return;
    draw_flush(cmd_renderer(p->stream));
    if (p->op == CMD_CLEAR) {
        begin_event(d, "clear");
        end_targets(d, cmd_rendered_state(p->stream));
    } else if (d->drawn) {
        end_targets(d, cmd_rendered_state(p->stream));
    } else if (p->op == CMD_COPY) {
        end_surface(d, p->stream, &((const struct cmd_copy *)packet)->dst, "copy");
    } else if (p->op == CMD_STRETCH) {
        end_surface(d, p->stream, &((const struct cmd_stretch *)packet)->dst, "stretched copy");
    } else if (p->op == CMD_FILL) {
        end_surface(d, p->stream, &((const struct cmd_fill *)packet)->dst, "fill");
    } else if (p->op == CMD_COMPOSE_RECTS) {
        end_surface(d, p->stream, &((const struct cmd_compose_rects *)packet)->dst,
                    "composed glyphs");
    }
}

static bool on_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    struct dump *d = ctx;

    d->call = call->number;
    d->name = frame_walk_name(walk);
    d->active = d->only == UINT64_MAX || d->only == d->call;
    return !d->failed;
}

/* --- The frame -------------------------------------------------------------------------------- */

/* A frame without any draw gets an index, too. */
static int check_found(struct dump *d, const struct frame_walk *walk)
{
    if (d->failed || d->events)
        return TOOL_OK;
    if (!frame_walk_presented(walk))
        return tool_error(d->command, "%s: there is no frame %" PRIu64, d->file, d->frame);
    if (d->only != UINT64_MAX)
        return tool_error(
            d->command, "%s: there is no draw, clear or copy at call %" PRIu64 " of frame %" PRIu64,
            d->file, d->only, d->frame);
    return begin_files(d) ? TOOL_OK : TOOL_ERROR;
}

/* Answers are worth something only if the frame was found. */
static void end_answers(struct dump *d, struct frame_writer *answers, int code)
{
    enum status st = frame_writer_end(answers);

    if (st == ST_OK || code != TOOL_OK || d->failed)
        return;
    d->failed = true;
    d->error = answers->error;
}

static int replay_frame(struct dump *d)
{
    const struct frame_visitor visitor = {.ctx = d,
                                          .call = on_call,
                                          .marker = on_marker,
                                          .before = before,
                                          .after = after,
                                          .draw = on_draw,
                                          .forget = on_forget};
    struct frame_writer answers;
    struct frame_walk *walk;
    enum status st;
    int code = frame_walk_open(&walk, d->command, d->file, d->frame);

    if (code != TOOL_OK)
        return code;
    d->answers = &answers;
    st = frame_writer_begin(&answers, walk, d->folder, d->only);
    if (st == ST_OK) {
        frame_walk_watch(walk, answers.visitor);
        st = frame_walk_run(walk, &visitor);
    }
    if (st == ST_OK)
        code = check_found(d, walk);
    else
        code = tool_error(d->command, "%s: %s", d->file, status_text(st));
    end_answers(d, &answers, code);
    frame_walk_close(walk);
    return code;
}

/* The costs of the frame for the page: another walk through it. */
static void write_costs(struct dump *d)
{
    struct frame_walk *walk;
    enum status st;

    if (frame_walk_open(&walk, d->command, d->file, d->frame) != TOOL_OK) {
        d->failed = d->said = true;
        return;
    }
    st = frame_costs_write(walk, d->folder);
    if (st != ST_OK)
        fail(d);
    frame_walk_close(walk);
}

static void write_page(struct dump *d)
{
    const char *name = strrchr(d->file, '/');
    char path[FRAME_PAGE_PATH];

    if (frame_page_write_folder(d->folder, name ? name + 1 : d->file, path) == ST_OK)
        return;
    tool_write_error(d->command, path);
    d->failed = d->said = true;
}

static void close_files(struct dump *d)
{
    if (d->json)
        fprintf(d->json, "\n]}\n");
    close_in(d, d->text, "index.txt");
    close_in(d, d->json, "index.json");
}

int frame_files_write(const char *command, const char *file, uint64_t frame, uint64_t call,
                      const char *folder)
{
    struct dump d = {
        .command = command, .file = file, .folder = folder, .frame = frame, .only = call};
    int code = replay_frame(&d);

    close_files(&d);
    if (code == TOOL_OK && !d.failed && call == UINT64_MAX)
        write_costs(&d);
    if (code == TOOL_OK && !d.failed)
        write_page(&d);
    if (d.failed && !d.said)
        return tool_error(command, "%s: not all files could be written%s%s", folder,
                          d.error ? ": " : "", d.error ? strerror(d.error) : "");
    return d.said ? TOOL_ERROR : code;
}
