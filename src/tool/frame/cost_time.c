/* Processor time of a frame's events, measured in forks that stand at the frame's start.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/frame/cost.h"

#include "util/alloc.h"

#include <string.h>

bool frame_cost_is_event(enum cmd_op op)
{
    return op == CMD_CLEAR || op == CMD_COPY || op == CMD_STRETCH || op == CMD_FILL ||
           op == CMD_COMPOSE_RECTS;
}

bool frame_cost_is_present(const char *function)
{
    const char *colons = strstr(function, "::");

    return colons && (!strcmp(colons, "::Present") || !strcmp(colons, "::PresentEx"));
}

#ifdef _WIN32

/* Windows has no forks: events are counted, without times. */
enum status frame_times_measure(struct frame_times *out, struct frame_walk *walk, unsigned runs)
{
    (void)walk, (void)runs;
    *out = (struct frame_times){0};
    return ST_OK;
}

#else

#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMES_MAX = 1 << 20 };

/* Shared memory that a fork fills. */
struct times {
    uint32_t n;
    uint64_t call; /* of the last event */
    enum status status;
    double seconds[TIMES_MAX];
};

struct timing {
    struct times *out;
    double start;
    bool running;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A fork shares its parent's memory until it writes there: the event that writes first would pay
 * for a copy of each page. */
static void own_memory(struct tex_image *image)
{
    enum { PAGE = 4096 };

    for (size_t i = 0; image && i < image->bytes; i += PAGE) {
        volatile uint8_t *byte = image->memory + i;

        *byte = *byte;
    }
}

static void own_targets(const struct draw_state *state)
{
    for (unsigned t = 0; t < DRAW_TARGETS; t++)
        own_memory(state->target[t].image);
    own_memory(state->depth.image);
}

/* The image that a copy writes. */
static struct tex_image *written_image(const struct frame_packet *packet)
{
    cmd_handle image = 0;

    if (packet->op == CMD_COPY)
        image = ((const struct cmd_copy *)packet->packet)->dst.image;
    else if (packet->op == CMD_STRETCH)
        image = ((const struct cmd_stretch *)packet->packet)->dst.image;
    else if (packet->op == CMD_FILL)
        image = ((const struct cmd_fill *)packet->packet)->dst.image;
    else if (packet->op == CMD_COMPOSE_RECTS)
        image = ((const struct cmd_compose_rects *)packet->packet)->dst.image;
    return image ? cmd_rendered_image(packet->stream, image) : NULL;
}

static void before(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct timing *timing = ctx;

    (void)walk;
    timing->running = frame_cost_is_event(packet->op);
    if (!timing->running)
        return;
    draw_flush(cmd_renderer(packet->stream));
    own_targets(cmd_rendered_state(packet->stream));
    own_memory(written_image(packet));
    timing->start = now();
}

/* Shaders are compiled here, so that the draw that needs them first is not charged for it. */
static void on_draw(void *ctx, struct frame_walk *walk, struct draw *draw,
                    const struct draw_state *state, const struct draw_args *args)
{
    struct timing *timing = ctx;
    const struct vm_program *vertex, *pixel;
    enum status st = draw_programs(draw, state, args->type, &vertex, &pixel);

    (void)walk;
    (void)st; /* the draw fails, too */
    draw_flush(draw);
    if (timing->running)
        return; /* another part of the same packet */
    own_targets(state);
    timing->running = true;
    timing->start = now();
}

static void after(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct timing *timing = ctx;
    struct times *out = timing->out;
    uint64_t call = frame_walk_call(walk);
    double seconds;

    if (!timing->running)
        return;
    timing->running = false;
    draw_flush(cmd_renderer(packet->stream));
    seconds = now() - timing->start;
    if ((!out->n || out->call != call) && out->n < TIMES_MAX)
        out->seconds[out->n++] = 0.0;
    out->call = call;
    out->seconds[out->n - 1] += seconds;
}

/* The frame ends with its Present, which would show the frame again. */
static bool on_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    (void)ctx;
    (void)walk;
    return !frame_cost_is_present(call->function->name);
}

static enum status run_fork(struct times *shared, struct frame_walk *walk)
{
    struct timing timing = {.out = shared};
    const struct frame_visitor visitor = {
        .ctx = &timing, .call = on_call, .before = before, .after = after, .draw = on_draw};
    int status;
    pid_t child;

    shared->n = 0;
    shared->status = ST_LOST;
    fflush(NULL);
    child = fork();
    if (child < 0)
        return ST_NOMEM;
    if (!child) {
        shared->status = frame_walk_run(walk, &visitor);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return ST_LOST;
    return shared->status;
}

static void take_least(struct frame_times *out, const struct times *shared, bool first)
{
    for (uint32_t i = 0; i < out->n && i < shared->n; i++)
        if (first || shared->seconds[i] < out->seconds[i])
            out->seconds[i] = shared->seconds[i];
}

enum status frame_times_measure(struct frame_times *out, struct frame_walk *walk, unsigned runs)
{
    struct times *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    enum status st = ST_OK;

    *out = (struct frame_times){0};
    if (shared == MAP_FAILED)
        return ST_NOMEM;
    for (unsigned i = 0; i < runs && !st; i++) {
        if ((st = run_fork(shared, walk)))
            break;
        if (!out->seconds) {
            out->n = shared->n;
            out->seconds = mem_alloc((out->n + 1) * sizeof(*out->seconds));
            if (!out->seconds)
                st = ST_NOMEM;
        }
        if (!st)
            take_least(out, shared, !i);
    }
    munmap(shared, sizeof(*shared));
    return st;
}

#endif
