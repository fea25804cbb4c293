/* Adds the costs of a frame's shaders to those of other frames.
 *
 * Tested by tests/unit/tool/frame/test_shader_costs.c. */
#include "tool/frame/shader_costs.h"

#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more entry, which is zeros. False: out of memory. */
static bool grow(void *table, uint32_t n, uint32_t *max, size_t size)
{
    void **slot = table, *more;
    uint32_t wanted = *max ? 2 * *max : 16;

    if (n == *max) {
        if (!(more = mem_realloc(*slot, wanted * size)))
            return false;
        *slot = more;
        *max = wanted;
    }
    memset((uint8_t *)*slot + n * size, 0, size);
    return true;
}

/* The shader with the same text; NULL: out of memory. */
static struct frame_shader *find(struct frame_shaders *all, const struct frame_cost_shader *from)
{
    struct frame_shader *s;

    for (uint32_t i = 0; i < all->n; i++)
        if (!strcmp(all->shader[i].id, from->id) && all->shader[i].pixel == from->pixel)
            return &all->shader[i];
    if (!grow(&all->shader, all->n, &all->max, sizeof(*s)))
        return NULL;
    s = &all->shader[all->n++];
    memcpy(s->id, from->id, sizeof(s->id));
    s->pixel = from->pixel;
    s->generated = from->generated;
    s->n_lines = from->n_lines;
    s->text = mem_strdup(from->text);
    s->line = mem_calloc(from->n_lines + 1, sizeof(*s->line));
    return s->text && s->line ? s : NULL;
}

static enum status keep_settings(struct frame_shader *s, const struct frame_cost_shader *from,
                                 uint64_t frame)
{
    char *settings;

    if (s->settings && from->most <= s->most)
        return ST_OK;
    if (!(settings = mem_strdup(from->settings ? from->settings : "")))
        return ST_NOMEM;
    mem_free(s->settings);
    s->settings = settings;
    s->most = from->most;
    s->most_frame = frame;
    s->most_call = from->most_call;
    return ST_OK;
}

/* Adds the draws of the frame that use the shader with number `index`. */
static enum status add_uses(struct frame_shader *s, const struct frame_cost *cost, uint32_t index)
{
    for (uint32_t i = 0; i < cost->n_events; i++) {
        const struct frame_cost_event *e = &cost->event[i];

        if (e->shader[s->pixel] != index)
            continue;
        if (!grow(&s->use, s->n_uses, &s->max_uses, sizeof(*s->use)))
            return ST_NOMEM;
        s->use[s->n_uses++] =
            (struct frame_shader_use){cost->frame, e->call, s->pixel ? e->shaded : e->vertices,
                                      e->instructions[s->pixel], e->seconds};
    }
    return ST_OK;
}

static enum status add_shader(struct frame_shaders *all, const struct frame_cost *cost,
                              uint32_t index)
{
    const struct frame_cost_shader *from = &cost->shader[index];
    struct frame_shader *s = find(all, from);
    enum status st = s ? keep_settings(s, from, cost->frame) : ST_NOMEM;

    if (st)
        return st;
    s->frames++;
    s->draws += from->draws;
    s->invocations += from->invocations;
    s->instructions += from->instructions;
    s->lookups += from->lookups;
    s->seconds += from->seconds;
    for (uint32_t i = 0; i < s->n_lines; i++)
        s->line[i] += from->line[i];
    return add_uses(s, cost, index);
}

enum status frame_shaders_add(struct frame_shaders *all, const struct frame_cost *cost)
{
    enum status st = ST_OK;

    if (!all->frames++) {
        all->first = cost->frame;
        all->timed = true;
    }
    all->last = cost->frame;
    all->timed &= cost->timed || !cost->n_events;
    for (uint32_t i = 0; i < cost->n_shaders && !st; i++)
        st = add_shader(all, cost, i);
    return st;
}

static int compare(const void *a, const void *b)
{
    const struct frame_shader *x = a, *y = b;

    if (x->instructions != y->instructions)
        return x->instructions < y->instructions ? 1 : -1;
    if (x->invocations != y->invocations)
        return x->invocations < y->invocations ? 1 : -1;
    return strcmp(x->id, y->id);
}

void frame_shaders_sort(struct frame_shaders *all)
{
    if (all->n)
        qsort(all->shader, all->n, sizeof(*all->shader), compare);
}

void frame_shaders_fini(struct frame_shaders *all)
{
    for (uint32_t i = 0; i < all->n; i++) {
        mem_free(all->shader[i].text);
        mem_free(all->shader[i].line);
        mem_free(all->shader[i].settings);
        mem_free(all->shader[i].use);
    }
    mem_free(all->shader);
    *all = (struct frame_shaders){0};
}
