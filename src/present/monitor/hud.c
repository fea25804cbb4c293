/* Heads-up display: frame statistics and the frame-time graph. */
#include "present/monitor/hud.h"

#include "present/monitor/text.h"
#include "util/clock.h"
#include "util/log.h"
#include "util/suggestion.h"

#include <stdio.h>
#include <string.h>

/* --- Statistics ------------------------------------------------------------------------------- */

static const char *const words[] = {"fps", "frametimes", "draws", "memory"};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

static unsigned item_of(const char *word, size_t length)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (strlen(words[i]) == length && !memcmp(words[i], word, length))
            return 1u << i;
    return 0;
}

static void unknown_item(const char *list, size_t length)
{
    struct suggestion s;
    char word[32];

    snprintf(word, sizeof(word), "%.*s", (int)length, list);
    suggestion_init(&s, word);
    for (unsigned i = 0; i < WORDS; i++)
        suggestion_offer(&s, words[i]);
    log_warn("present", "HUD: '%.*s' is not fps, frametimes, draws or memory" SUGGESTION_FORMAT,
             (int)length, list, SUGGESTION_ARGS(s));
}

unsigned hud_parse(const char *list)
{
    unsigned items = 0, item;
    size_t length;

    for (; list && *list; list += length) {
        list += strspn(list, ", ");
        length = strcspn(list, ", ");
        item = item_of(list, length);
        if (length && !item)
            unknown_item(list, length);
        items |= item;
    }
    return items;
}

/* Updates the averages twice a second, so that they are readable. */
static void end_window(struct hud *hud, uint64_t now)
{
    uint32_t n = hud->window_frames < HUD_COLUMNS ? hud->window_frames : HUD_COLUMNS, worst = 0;

    if (now - hud->window < CLOCK_SECOND / 2)
        return;
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t time = hud->time_us[(hud->n_times - i) % HUD_COLUMNS];

        worst = time > worst ? time : worst;
    }
    hud->mean_ms = (double)(now - hud->window) / 1e6 / hud->window_frames;
    hud->fps = 1000 / hud->mean_ms;
    hud->worst_ms = worst / 1000.0;
    hud->window = now;
    hud->window_frames = 0;
}

void hud_frame(struct hud *hud, uint64_t now, const struct present_counters *counters)
{
    hud->counters = *counters;
    if (!hud->last || now < hud->last) {
        hud->window = now;
        hud->window_frames = 0;
    } else {
        hud->time_us[hud->n_times++ % HUD_COLUMNS] = (uint32_t)((now - hud->last) / 1000);
        hud->window_frames++;
        end_window(hud, now);
    }
    hud->last = now;
}

/* --- Panel ------------------------------------------------------------------------------------ */

enum { MARGIN = 6, GRAPH_HEIGHT = 40 };
enum { WIDTH = HUD_COLUMNS + 2 * MARGIN };

struct panel {
    uint32_t *pixels, pitch;
};

static unsigned lines(const struct hud *hud)
{
    unsigned n = 0;

    for (unsigned items = hud->items; items; items &= items - 1)
        n++;
    return n;
}

void hud_size(const struct hud *hud, uint32_t *width, uint32_t *height)
{
    *width = WIDTH;
    *height = 2 * MARGIN + lines(hud) * TEXT_CELL_HEIGHT - (TEXT_CELL_HEIGHT - TEXT_GLYPH_ROWS);
    if (hud->items & HUD_FRAMETIMES)
        *height += GRAPH_HEIGHT + MARGIN;
}

static void darken(const struct panel *panel, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            panel->pixels[y * panel->pitch + x] =
                panel->pixels[y * panel->pitch + x] >> 2 & 0x3f3f3f;
}

/* Draws one column per frame, newest at the right: green below 17 ms, yellow below 34, else red.
 * The top is 50 ms. */
static void put_graph(const struct hud *hud, const struct panel *panel, uint32_t y)
{
    uint32_t n = hud->n_times < HUD_COLUMNS ? hud->n_times : HUD_COLUMNS;

    for (uint32_t i = 1; i <= n; i++) {
        uint32_t us = hud->time_us[(hud->n_times - i) % HUD_COLUMNS];
        uint32_t top = us < 50000 ? us * GRAPH_HEIGHT / 50000 : GRAPH_HEIGHT;
        uint32_t colour = us < 17000 ? 0x40c040 : us < 34000 ? 0xd0c040 : 0xe04040;
        uint32_t *column = panel->pixels + y * panel->pitch + MARGIN + HUD_COLUMNS - i;

        for (uint32_t row = GRAPH_HEIGHT - (top ? top : 1); row < GRAPH_HEIGHT; row++)
            column[row * panel->pitch] = colour;
    }
}

static void format_count(char *out, size_t size, uint64_t n)
{
    if (n < 100000)
        snprintf(out, size, "%u", (unsigned)n);
    else if (n < 10000000)
        snprintf(out, size, "%uK", (unsigned)(n / 1000));
    else
        snprintf(out, size, "%.0fM", (double)n / 1e6);
}

static void format_line(const struct hud *hud, unsigned item, char *out, size_t size)
{
    const struct present_counters *counters = &hud->counters;
    char primitives[16];

    switch (item) {
    case HUD_FPS:
        snprintf(out, size, "%.1f FPS", hud->fps);
        break;
    case HUD_FRAMETIMES:
        snprintf(out, size, "%.1f MS  WORST %.1f", hud->mean_ms, hud->worst_ms);
        break;
    case HUD_DRAWS:
        format_count(primitives, sizeof(primitives), counters->primitives);
        snprintf(out, size, "%u DRAWS  %s PRIMS", counters->draws, primitives);
        break;
    default:
        snprintf(out, size, "%.1f MB", (double)counters->bytes / 1048576);
    }
}

void hud_paint(const struct hud *hud, uint32_t *pixels, uint32_t pitch)
{
    const struct panel panel = {pixels, pitch};
    uint32_t width, height, y = MARGIN;
    char text[64];

    hud_size(hud, &width, &height);
    darken(&panel, width, height);
    for (unsigned item = HUD_FPS; item <= HUD_MEMORY; item <<= 1) {
        if (!(hud->items & item))
            continue;
        format_line(hud, item, text, sizeof(text));
        text_draw(pixels, pitch, WIDTH, MARGIN, y, text, 0xffffff);
        y += TEXT_CELL_HEIGHT;
        if (item == HUD_FRAMETIMES) {
            put_graph(hud, &panel, y);
            y += GRAPH_HEIGHT + MARGIN;
        }
    }
}
