/* Results of `novem captures`: the Markdown page and the contact sheet.
 *
 * Tested by tests/unit/tool/capture/test_captures.c. */
#include "tool/capture/captures.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"

#include <stdio.h>
#include <string.h>

enum { WRAP_COLUMNS = 110 };

static void print_intro(FILE *file)
{
    fprintf(file,
            "# Captures\n\n"
            "This page shows how Novem renders recordings of real programs. Read it to see which "
            "programs Novem replays\nand how far its pictures are from those of another "
            "implementation.\n\n"
            "`make captures` writes this page; do not edit it. `NOVEM_DATA` names the folder of "
            "the captures. The command\nreplays each capture in a process of its own and compares "
            "the pictures with references. The references were\nrendered by wined3d on llvmpipe. "
            "They are a second opinion, not the truth. The notes are kept in\n"
            "[captures-reasons.tsv](captures-reasons.tsv).\n\n");
    fprintf(file,
            "| column | meaning |\n"
            "| --- | --- |\n"
            "| # | number of the capture on the contact sheet (`--sheet`) |\n"
            "| status | `ok`: the replay reached the end of the capture; otherwise the error |\n"
            "| frames, draws | calls of Present, calls that draw |\n"
            "| ms | wall time a frame in milliseconds, on the machine that wrote this page; `-` "
            "without a Present |\n"
            "| pictures | reference pictures |\n"
            "| worst | largest share of pixels of one picture that differ by more than %d/255 in "
            "a channel |\n"
            "| mean | mean difference of a channel over all reference pictures, in 1/255 |\n"
            "| note | number of the note below the table |\n\n",
            CAPTURES_TOLERANCE);
}

static void print_summary(FILE *file, const struct survey *s)
{
    unsigned replayed = 0, compared = 0, pictures = 0, within_1 = 0, within_01 = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];

        replayed += !strcmp(c->status, "ok");
        pictures += c->references;
        compared += c->references != 0;
        within_1 += c->references && c->worst <= 0.01;
        within_01 += c->references && c->worst <= 0.001;
    }
    fprintf(file,
            "## Summary\n\n"
            "| | |\n"
            "| --- | --- |\n"
            "| captures | %zu |\n"
            "| replayed to the end | %u |\n"
            "| captures with references | %u |\n"
            "| reference pictures | %u |\n"
            "| captures of which every picture agrees in 99 %% of its pixels | %u |\n"
            "| captures of which every picture agrees in 99.9 %% of its pixels | %u |\n\n",
            s->count, replayed, compared, pictures, within_1, within_01);
}

static void print_row(FILE *file, unsigned number, const struct capture *c)
{
    fprintf(file, "| %u | %s | %s | %llu | %llu | ", number, c->name, c->status, c->frames,
            c->draws);
    if (c->frames)
        fprintf(file, "%.1f | ", c->milliseconds / (double)c->frames);
    else
        fprintf(file, "- | ");
    if (c->references)
        fprintf(file, "%u | %.3f %% | %.3f | ", c->references, 100 * c->worst, c->mean);
    else
        fprintf(file, "0 | - | - | ");
    if (c->note)
        fprintf(file, "%u |\n", c->note);
    else
        fprintf(file, "|\n");
}

static void print_results(FILE *file, const struct survey *s)
{
    fprintf(file,
            "## Results\n\n"
            "| # | capture | status | frames | draws | ms | pictures | worst | mean | note |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < s->count; i++)
        print_row(file, (unsigned)i + 1, &s->captures[i]);
}

/* Who differs from two that agree; "-": no two differ so; "?": no two agree. */
static const char *name_alone(const struct capture *c)
{
    static const char *const names[] = {"Novem", "wined3d", "GPU"};
    bool none = true;
    int who = captures_alone(c);

    for (int i = 0; i < CAPTURES_OPINIONS; i++)
        none &= c->apart[i] > CAPTURES_AGREE;
    return who >= 0 ? names[who] : none ? "?" : "-";
}

static void print_gpu(FILE *file, const struct survey *s)
{
    unsigned alone[CAPTURES_OPINIONS] = {0}, pictures = 0;

    for (size_t i = 0; i < s->count; i++)
        pictures += s->captures[i].gpu;
    if (!pictures)
        return;
    fprintf(file,
            "\n## A GPU as the third opinion\n\n"
            "The last picture of each capture that a GPU drew, too: an NVIDIA H100 through DXVK 3. "
            "The columns have the\nshare of pixels that differ by more than %d/255 in a channel. "
            "Two pictures agree if at most %.1f %% differ. *Alone*\nis who differs from two that "
            "agree; `-`: all agree; `?`: no two agree.\n\n"
            "| capture | Novem, GPU | Novem, wined3d | wined3d, GPU | alone |\n"
            "| --- | --- | --- | --- | --- |\n",
            CAPTURES_TOLERANCE, 100 * CAPTURES_AGREE);
    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];
        int who = captures_alone(c);

        if (!c->gpu)
            continue;
        fprintf(file, "| %s | %.3f %% | %.3f %% | %.3f %% | %s |\n", c->name,
                100 * c->apart[CAPTURES_REFERENCE], 100 * c->apart[CAPTURES_GPU],
                100 * c->apart[CAPTURES_NOVEM], name_alone(c));
        if (who >= 0)
            alone[who]++;
    }
    fprintf(file, "\nOf %u pictures Novem is alone in %u, wined3d in %u and the GPU in %u.\n",
            pictures, alone[CAPTURES_NOVEM], alone[CAPTURES_REFERENCE], alone[CAPTURES_GPU]);
}

static double percent(unsigned long long part, unsigned long long all)
{
    return 100.0 * (double)part / (double)all;
}

static void print_masks(FILE *file, const struct survey *s)
{
    unsigned pictures = 0, passed = 0, same = 0;

    for (size_t i = 0; i < s->count; i++)
        pictures += s->captures[i].masked;
    if (!pictures)
        return;
    fprintf(file,
            "\n### Judged by masks\n\n"
            "The GPU's pictures by the [uncertainty masks](uncertainty.md) of their frames, at a "
            "tolerance of one code.\n*Permitted*: pixels that differ within the mask's bounds. "
            "*Wrong*: pixels outside the mask, or beyond its bounds.\n\n"
            "| capture | uncertain | permitted | wrong | pixels wrong |\n"
            "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];

        if (!c->masked)
            continue;
        fprintf(file, "| %s | %.2f %% | %.3f %% | %.3f %% | %llu |\n", c->name,
                percent(c->uncertain, c->pixels), percent(c->permitted, c->pixels),
                percent(c->wrong, c->pixels), c->wrong);
        passed += !c->wrong;
        same += !c->wrong && !c->permitted;
    }
    fprintf(file, "\nOf %u pictures %u pass, %u of them without the mask.\n", pictures, passed,
            same);
}

/* Lists captures with calls that fail here or that the replay cannot execute. */
static void print_failed_calls(FILE *file, const struct survey *s)
{
    bool any = false;

    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];

        if (!c->failed && !c->unsupported)
            continue;
        if (!any)
            fprintf(file, "\n## Failed and unsupported calls\n\n"
                          "A failed call succeeded when it was recorded and returns an error from "
                          "Novem. The replay skips unsupported\ncalls. Captures without such calls "
                          "are left out.\n\n"
                          "| capture | failed | unsupported |\n"
                          "| --- | --- | --- |\n");
        any = true;
        fprintf(file, "| %s | %llu | %llu |\n", c->name, c->failed, c->unsupported);
    }
}

/* Writes words separated by spaces and breaks the line before WRAP_COLUMNS. *column is the width of
 * the line so far; new lines begin with indent spaces. */
static void print_words(FILE *file, const char *text, unsigned *column, unsigned indent)
{
    while (*(text += strspn(text, " "))) {
        unsigned n = (unsigned)strcspn(text, " ");

        if (*column + 1 + n > WRAP_COLUMNS) {
            fprintf(file, "\n%*s", (int)indent, "");
            *column = indent;
        } else if (*column > indent) {
            fputc(' ', file);
            ++*column;
        }
        fprintf(file, "%.*s", (int)n, text);
        *column += n;
        text += n;
    }
}

/* A note is a list item: its number, the captures that share it, and the reason. */
static void print_note(FILE *file, const struct survey *s, unsigned note)
{
    const char *reason = NULL;
    unsigned indent = (unsigned)fprintf(file, "%u. ", note), column = indent;

    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];
        bool more = false;
        char name[CAPTURES_PATH];

        if (c->note != note)
            continue;
        for (size_t k = i + 1; k < s->count; k++)
            more |= s->captures[k].note == note;
        snprintf(name, sizeof(name), "`%s`%s", c->name, more ? "," : ":");
        print_words(file, name, &column, indent);
        reason = c->reason;
    }
    print_words(file, reason, &column, indent);
    fputc('\n', file);
}

static void print_notes(FILE *file, const struct survey *s)
{
    unsigned notes = 0;

    for (size_t i = 0; i < s->count; i++)
        if (s->captures[i].note > notes)
            notes = s->captures[i].note;
    if (notes)
        fprintf(file, "\n## Notes\n\n");
    for (unsigned note = 1; note <= notes; note++)
        print_note(file, s, note);
}

int captures_write_page(const struct survey *s)
{
    FILE *file = s->out ? fopen(s->out, "w") : stdout;

    if (!file)
        return tool_write_error(s->command, s->out);
    print_intro(file);
    print_summary(file, s);
    print_results(file, s);
    print_gpu(file, s);
    print_masks(file, s);
    print_failed_calls(file, s);
    print_notes(file, s);
    if (file != stdout && !tool_file_close(file, s->out))
        return tool_write_error(s->command, s->out);
    return TOOL_OK;
}

int captures_write_sheet(const struct survey *s)
{
    struct tool_sheet sheet;
    unsigned cells = 0;
    enum status st;

    for (size_t i = 0; i < s->count; i++)
        cells += s->captures[i].references != 0;
    if (tool_sheet_create(&sheet, cells) != ST_OK)
        return tool_error(s->command, "the sheet would be too large");
    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];
        struct tool_image ours = {0}, reference = {0};
        char path[CAPTURES_PATH];

        if (!c->references)
            continue;
        snprintf(path, sizeof(path), "%s/%s/%s", s->work, c->name, c->worst_name);
        st = tool_png_read(path, &ours);
        snprintf(path, sizeof(path), "%s/%s/ref/%s", s->folder, c->name, c->worst_name);
        st = tool_png_read(path, &reference);
        tool_sheet_add(&sheet, (unsigned)i + 1, &ours, &reference);
        tool_image_fini(&ours);
        tool_image_fini(&reference);
    }
    st = tool_png_write(s->sheet_path, &sheet.image, 3);
    tool_image_fini(&sheet.image);
    return st == ST_OK ? TOOL_OK : tool_write_error(s->command, s->sheet_path);
}
