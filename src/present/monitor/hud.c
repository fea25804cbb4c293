/* Heads-up display: frame statistics and the frame-time graph. */
#include "present/monitor/hud.h"

#include "present/monitor/text.h"
#include "util/clock.h"
#include "util/cpu.h"
#include "util/log.h"
#include "util/suggestion.h"
#include "util/version.h"

#include <stdio.h>
#include <string.h>

/* --- Statistics ------------------------------------------------------------------------------- */

/* In the order of the bits, which is that of the lines. */
static const char *const words[] = {"fps",     "frametimes", "draws",   "memory",
                                    "version", "simd",       "threads", "pipelines"};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

const char *present_hud_item(unsigned index)
{
    return index < WORDS ? words[index] : NULL;
}

static unsigned item_of(const char *word, size_t length)
{
    if (length == 4 && !memcmp(word, "full", 4))
        return HUD_FULL;
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
    suggestion_offer(&s, "full");
    log_warn("present",
             "HUD: '%.*s' is not fps, frametimes, draws, memory, version, simd, threads, "
             "pipelines or full" SUGGESTION_FORMAT,
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

void hud_use_options(struct hud *hud, const struct present_options *options)
{
    hud->items = hud_parse(options->hud);
    hud->scale = options->hud_scale;
    hud->opacity = options->hud_opacity < 100 ? options->hud_opacity : 100;
    hud->corner = options->hud_corner;
}

/* A text that is too long ends with three points. */
static void copy_note(char out[PRESENT_TEXT_BYTES], const char *note)
{
    static const char points[] = "...";

    if (snprintf(out, PRESENT_TEXT_BYTES, "%s", note) >= PRESENT_TEXT_BYTES)
        memcpy(out + PRESENT_TEXT_BYTES - sizeof(points), points, sizeof(points));
}

void hud_init(struct hud *hud, const struct present_options *options)
{
    *hud = (struct hud){0};
    hud_use_options(hud, options);
    if (options->hud_note)
        copy_note(hud->note, options->hud_note);
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

void hud_figures(const struct hud *hud, struct present_figures *out)
{
    uint32_t n = hud->n_times < HUD_COLUMNS ? hud->n_times : HUD_COLUMNS;

    out->last = hud->last;
    out->mean_us = (uint32_t)(hud->mean_ms * 1000);
    out->worst_us = (uint32_t)(hud->worst_ms * 1000);
    out->n_times = n;
    for (uint32_t i = 0; i < n; i++)
        out->time_us[i] = hud->time_us[(hud->n_times - n + i) % HUD_COLUMNS];
}

/* --- Lines ------------------------------------------------------------------------------------ */

enum { MARGIN = 6, GRAPH_HEIGHT = 40 };
enum { WIDTH = HUD_COLUMNS + 2 * MARGIN, LINE_LETTERS = HUD_COLUMNS / TEXT_CELL_WIDTH };
enum { WHITE = 0xffffff, AMBER = 0xffd060, GREEN = 0x80ff80 };
/* Two lines of a text have more letters than one can have. */
enum { LINES_MAX = WORDS + 2 * 2 * (PRESENT_TEXT_BYTES / LINE_LETTERS + 1) };

/* The lines of the panel. A graph follows line number `graph`, from 1; 0: none. */
struct lines {
    unsigned n, graph;
    struct {
        char text[LINE_LETTERS + 1];
        uint32_t colour;
    } line[LINES_MAX];
};

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
    char count[16];

    switch (item) {
    case HUD_FPS:
        snprintf(out, size, "%.1f FPS", hud->fps);
        break;
    case HUD_FRAMETIMES:
        snprintf(out, size, "%.1f MS  WORST %.1f", hud->mean_ms, hud->worst_ms);
        break;
    case HUD_DRAWS:
        format_count(count, sizeof(count), counters->primitives);
        snprintf(out, size, "%u DRAWS  %s PRIMS", counters->draws, count);
        break;
    case HUD_MEMORY:
        snprintf(out, size, "%.1f MB", (double)counters->bytes / 1048576);
        break;
    case HUD_VERSION:
        snprintf(out, size, "NOVEM %s  %u BIT", version_text(), (unsigned)sizeof(void *) * 8);
        break;
    case HUD_SIMD:
        snprintf(out, size, "SIMD %s", cpu_isa_name(cpu_isa()));
        break;
    case HUD_THREADS:
        snprintf(out, size, "%u THREAD%s", counters->threads, counters->threads == 1 ? "" : "S");
        break;
    default:
        format_count(count, sizeof(count), counters->pipelines);
        snprintf(out, size, "%s PIPELINE%s", count, counters->pipelines == 1 ? "" : "S");
    }
}

static bool may_break(const char *text, size_t n)
{
    return text[n] == ' ' || text[n - 1] == '/' || text[n - 1] == '\\';
}

/* The letters of a text that fit a line: up to the last space or separator of paths among them, if
 * there is one. */
static size_t line_length(const char *text)
{
    size_t n = strlen(text);

    if (n <= LINE_LETTERS)
        return n;
    for (n = LINE_LETTERS; n && !may_break(text, n); n--)
        ;
    return n ? n : LINE_LETTERS;
}

static void add_text(struct lines *lines, const char *text, uint32_t colour)
{
    for (size_t n; *text && lines->n < LINES_MAX; text += n + (text[n] == ' ')) {
        n = line_length(text);
        memcpy(lines->line[lines->n].text, text, n);
        lines->line[lines->n].text[n] = '\0';
        lines->line[lines->n++].colour = colour;
    }
}

static void collect_lines(const struct hud *hud, struct lines *lines)
{
    char text[64];

    lines->n = lines->graph = 0;
    for (unsigned item = 1; item <= HUD_FULL; item <<= 1) {
        if (!(hud->items & item))
            continue;
        format_line(hud, item, text, sizeof(text));
        add_text(lines, text, WHITE);
        if (item == HUD_FRAMETIMES)
            lines->graph = lines->n;
    }
    if (hud->items)
        add_text(lines, hud->note, AMBER);
    add_text(lines, hud->message, GREEN);
}

/* --- Panel ------------------------------------------------------------------------------------ */

struct panel {
    uint32_t *pixels, pitch;
    unsigned scale;
};

static uint32_t height_of(const struct lines *lines)
{
    return 2 * MARGIN + lines->n * TEXT_CELL_HEIGHT - (TEXT_CELL_HEIGHT - TEXT_GLYPH_ROWS) +
           (lines->graph ? GRAPH_HEIGHT + MARGIN : 0);
}

void hud_size(const struct hud *hud, unsigned scale, uint32_t *width, uint32_t *height)
{
    struct lines lines;

    collect_lines(hud, &lines);
    *width = WIDTH * scale;
    *height = height_of(&lines) * scale;
}

/* Two channels of a pixel are multiplied at a time. */
static void darken(const struct panel *panel, uint32_t width, uint32_t height, unsigned opacity)
{
    uint32_t light = (100 - opacity) * 256 / 100;

    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t *pixel = &panel->pixels[y * panel->pitch + x];

            *pixel = (((*pixel & 0xff00ff) * light >> 8) & 0xff00ff) |
                     (((*pixel & 0x00ff00) * light >> 8) & 0x00ff00);
        }
}

/* Fills a rectangle of the panel, in its own pixels. */
static void fill(const struct panel *panel, uint32_t left, uint32_t top, uint32_t width,
                 uint32_t height, uint32_t colour)
{
    uint32_t *at = panel->pixels + (size_t)top * panel->scale * panel->pitch + left * panel->scale;

    for (uint32_t y = 0; y < height * panel->scale; y++)
        for (uint32_t x = 0; x < width * panel->scale; x++)
            at[(size_t)y * panel->pitch + x] = colour;
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

        top = top ? top : 1;
        fill(panel, MARGIN + HUD_COLUMNS - i, y + GRAPH_HEIGHT - top, 1, top, colour);
    }
}

void hud_paint(const struct hud *hud, unsigned scale, uint32_t *pixels, uint32_t pitch)
{
    const struct panel panel = {pixels, pitch, scale};
    uint32_t y = MARGIN;
    struct lines lines;

    collect_lines(hud, &lines);
    darken(&panel, WIDTH * scale, height_of(&lines) * scale, hud->opacity);
    for (unsigned i = 0; i < lines.n; i++) {
        text_draw_scaled(pixels, pitch, WIDTH * scale, MARGIN * scale, y * scale, scale,
                         lines.line[i].text, lines.line[i].colour);
        y += TEXT_CELL_HEIGHT;
        if (i + 1 == lines.graph) {
            put_graph(hud, &panel, y);
            y += GRAPH_HEIGHT + MARGIN;
        }
    }
}
