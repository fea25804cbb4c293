/* Parser of one [[case]] table: its kind, name and tolerance. Globs and lists of frames expand to
 * several cases.
 *
 * Tested by tests/unit/tool/golden/test_manifest.c and tests/unit/tool/golden/test_verdict.c. */
#include "tool/golden/case.h"

#include "tool/golden/tolerance.h"
#include "tool/golden/manifest.h"
#include "tool/golden/files.h"
#include "tool/golden/manifest_reader.h"

#include "util/alloc.h"
#include "util/folder_names.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES_MOST = 100000 };

/* --- Tolerance -------------------------------------------------------------------------------- */

static void read_tolerance(struct case_source *s, struct golden_case *c)
{
    const struct toml_node *node = case_find(s, "tolerance");

    if (node && (node->kind != TOML_TEXT || !golden_tolerance_parse(node->text, &c->tolerance)))
        case_blame(
            s, node,
            "is not one of: exact, max N, N pixels above T, K of WxH above T, flip X, ssim X");
}

static bool read_rect(const struct toml_node *node, struct golden_rect *out)
{
    uint32_t v[4];

    if (node->kind != TOML_ARRAY || node->count != 4)
        return false;
    for (unsigned i = 0; i < 4; i++) {
        if (node->items[i].kind != TOML_WHOLE || node->items[i].whole < 0 ||
            node->items[i].whole > 65536)
            return false;
        v[i] = (uint32_t)node->items[i].whole;
    }
    *out = (struct golden_rect){v[0], v[1], v[2], v[3]};
    return v[0] < v[2] && v[1] < v[3];
}

static void read_ignore(struct case_source *s, struct golden_case *c)
{
    const struct toml_node *node = case_find(s, "ignore");
    struct golden_rect *rects;

    if (!node)
        return;
    rects = arena_alloc(s->memory, (node->count + 1) * sizeof(*rects));
    s->reader->nomem |= !rects;
    if (node->kind != TOML_ARRAY)
        case_blame(s, node, "must be a list of rectangles [x0, y0, x1, y1]");
    for (size_t i = 0; rects && !s->wrong && i < node->count; i++)
        if (!read_rect(&node->items[i], &rects[i]))
            case_blame(s, node, "must have rectangles [x0, y0, x1, y1] with x0 < x1 and y0 < y1");
    c->ignore = rects;
    c->n_ignore = rects ? (unsigned)node->count : 0;
}

static void read_rules(struct case_source *s, struct golden_case *c)
{
    const struct toml_node *alpha = case_find(s, "alpha");

    read_tolerance(s, c);
    read_ignore(s, c);
    c->expect_fail = case_find_text(s, "expect-fail");
    c->reason = case_find_text(s, "reason");
    c->skip = case_find_text(s, "skip");
    c->hash = case_find_text(s, "hash");
    if (alpha && alpha->kind != TOML_BOOL)
        case_blame(s, alpha, "must be true or false");
    else if (alpha)
        c->ignore_alpha = !alpha->whole;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* Names become paths inside the report's folder: ".." and unusual characters are refused. */
static bool is_valid_name(const char *name)
{
    const char *part = name;

    if (!*name || *name == '/' || strlen(name) > 200)
        return false;
    for (const char *p = name; *p; p++)
        if ((unsigned char)*p < 32 || *p == '\\' || *p == 127)
            return false;
    while (part) {
        size_t n = strcspn(part, "/");

        if (!n || (n == 1 && part[0] == '.') || (n == 2 && !strncmp(part, "..", 2)))
            return false;
        part = part[n] ? part + n + 1 : NULL;
    }
    return true;
}

/* A path without its extension and without leading parts that leave the folder. */
static char *name_of_path(struct case_source *s, const char *path)
{
    const char *folder = s->reader->manifest->folder, *dot;

    if (!strncmp(path, folder, strlen(folder)))
        path += strlen(folder);
    while (!strncmp(path, "../", 3) || !strncmp(path, "./", 2) || *path == '/')
        path += strcspn(path, "/") + 1;
    dot = strrchr(path, '.');
    return golden_print(s->memory, "%.*s", dot && !strchr(dot, '/') ? (int)(dot - path) : 1000,
                        path);
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* Adds an error case for an invalid name; other cases of the table are still read. */
static void refuse_name(struct case_source *s, const char *name)
{
    char *fit = golden_print(s->memory, "%.100s", name);

    for (char *p = fit; p && *p; p++)
        if ((unsigned char)*p < 32 || *p == '\\' || *p == 127)
            *p = '_';
    golden_case_broken(s->reader, fit && is_valid_name(fit) ? fit : NULL, s->table->line,
                       "the case's name is not a valid file name");
    s->reader->nomem |= !fit;
}

static struct golden_case *start(struct case_source *s, const char *name, enum golden_kind kind)
{
    struct golden_case *c;

    if (!name || !is_valid_name(name)) {
        s->reader->nomem |= !name;
        if (name)
            refuse_name(s, name);
        return NULL;
    }
    c = golden_case_add(s->reader);
    if (c) {
        c->name = name;
        c->line = s->table->line;
        c->kind = kind;
        c->of_pattern = toml_get(s->table, "scenes") || toml_get(s->table, "images");
    }
    return c;
}

/* Reads the tolerance, masks and goldens of a case with known kind and name; an error makes the
 * case broken. */
static void finish(struct case_source *s, struct golden_case *c, const char *golden_key)
{
    read_rules(s, c);
    case_read_goldens(s, golden_key, c);
    case_read_mask(s, c);
    if (!s->wrong)
        return;
    c->broken = golden_print(s->memory, "%s:%u: %s", s->reader->manifest->path, s->line, s->wrong);
    s->reader->nomem |= !c->broken;
    s->wrong = NULL;
}

static void add_scene(struct case_source *s, const char *path, const char *name)
{
    struct golden_case *c = start(s, name ? name : name_of_path(s, path), GOLDEN_SCENE);

    if (!c)
        return;
    c->input = path;
    finish(s, c, "golden");
}

/* Adds a case for a golden of a folder. The candidate's picture has the same path relative to the
 * pattern's fixed part. */
static void add_image(struct case_source *s, const char *path, const char *pattern)
{
    const char **golden = arena_alloc(s->memory, sizeof(*golden));
    size_t same = strcspn(pattern, "*?[");
    struct golden_case *c;

    while (same && pattern[same - 1] != '/')
        same--;
    c = golden ? start(s, name_of_path(s, path + same), GOLDEN_IMAGE) : NULL;

    s->reader->nomem |= !golden;
    if (!c)
        return;
    finish(s, c, "golden");
    if (!c->n_goldens) {
        *golden = path;
        c->goldens = golden;
        c->n_goldens = 1;
        c->golden_path = path;
    }
}

static void add_glob(struct case_source *s, const struct toml_node *node, bool scenes)
{
    char *pattern = case_in_folder(s, node->text);
    struct folder_names found;
    enum status st = pattern ? folder_names_find(&found, pattern) : ST_NOMEM;

    if (st != ST_OK) {
        case_blame(s, node, st == ST_NOTFOUND ? "matches no file" : "cannot be searched");
        return;
    }
    for (size_t i = 0; i < found.n && !s->reader->nomem; i++) {
        char *path = golden_print(s->memory, "%s", found.name[i]);

        s->reader->nomem |= !path;
        if (path && scenes)
            add_scene(s, path, NULL);
        else if (path)
            add_image(s, path, pattern);
    }
    folder_names_free(&found);
}

static void add_pair(struct case_source *s, const char *name)
{
    const char *candidate = case_find_text(s, "candidate");
    const struct toml_node *reference = toml_get(s->table, "reference");
    struct golden_case *c;

    if (!name && reference->kind == TOML_TEXT)
        name = name_of_path(s, reference->text);
    else if (!name)
        case_blame(s, reference, "is a list, so the case needs a name");
    c = name ? start(s, name, GOLDEN_IMAGE) : NULL;
    if (!c)
        return;
    c->candidate = candidate ? case_in_folder(s, candidate) : NULL;
    finish(s, c, "reference");
    c->requires_golden = true;
}

/* Parses frames: "3", "0-9", "1,5,10-12". */
static void add_frames(struct case_source *s, const char *path, const char *name,
                       const char *frames, const struct toml_node *node)
{
    uint64_t total = 0;

    for (const char *at = frames; *at && !s->wrong;) {
        char *end;
        uint64_t first = strtoull(at, &end, 10), last = first;

        if (end != at && *end == '-') {
            at = end + 1;
            last = strtoull(at, &end, 10);
        }
        if (end == at || *at < '0' || *at > '9' || (*end && *end != ',') || last < first ||
            last - first >= FRAMES_MOST || (total += last - first + 1) > FRAMES_MOST) {
            case_blame(s, node, "is not a list of frames such as \"0-9,20\"");
            return;
        }
        for (uint64_t f = first; f <= last && !s->reader->nomem; f++) {
            char *own = golden_print(s->memory, "%s/frame-%05u", name, (unsigned)f);
            struct golden_case *c = start(s, own, GOLDEN_CAPTURE);

            if (!c)
                return;
            c->input = path;
            c->frame = f;
            finish(s, c, "golden");
        }
        at = *end ? end + 1 : end;
    }
}

static void add_capture(struct case_source *s, const struct toml_node *node, const char *name)
{
    const struct toml_node *frames = case_find(s, "frames");
    char *path = case_in_folder(s, node->text);

    if (!name && path)
        name = name_of_path(s, path);
    if (!path || !name)
        s->reader->nomem = true;
    else if (frames && (frames->kind != TOML_TEXT || !frames->text[0]))
        case_blame(s, frames, "must be a string such as \"0-9,20\"");
    else
        add_frames(s, path, name, frames ? frames->text : "0", frames ? frames : node);
}

/* The one key that gives the case's kind; NULL after an error. */
static const struct toml_node *find_kind(struct case_source *s)
{
    static const char *const kinds[] = {"scene", "scenes", "capture", "images", "reference"};
    const struct toml_node *kind = NULL;
    unsigned n = 0;

    for (unsigned i = 0; i < 5; i++) {
        const struct toml_node *node = toml_get(s->table, kinds[i]);

        if (!node)
            continue;
        kind = node;
        n++;
        if (node->kind != TOML_TEXT && strcmp(node->key, "reference"))
            case_blame(s, node, "must be a string");
    }
    if (n != 1)
        case_blame(s, s->table, "needs one of scene, scenes, capture, images, reference");
    return s->wrong ? NULL : kind;
}

static void read_kind(struct case_source *s, const char *name)
{
    const struct toml_node *kind = find_kind(s);

    if (!kind)
        return;
    if (!strcmp(kind->key, "scene")) {
        char *path = case_in_folder(s, kind->text);

        if (path)
            add_scene(s, path, name);
    } else if (!strcmp(kind->key, "capture")) {
        add_capture(s, kind, name);
    } else if (!strcmp(kind->key, "reference")) {
        add_pair(s, name);
    } else if (name) {
        case_blame(s, kind, "gives several cases, which cannot share a name");
    } else {
        add_glob(s, kind, !strcmp(kind->key, "scenes"));
    }
}

void golden_case_read(struct golden_reader *reader, const struct toml_node *table)
{
    struct case_source s = {.reader = reader, .memory = &reader->manifest->memory, .table = table};
    const struct toml_node *own;
    const char *name = NULL;

    if (table->kind != TOML_TABLE) {
        golden_case_broken(reader, NULL, table->line, "a case must be a table, [[case]]");
        return;
    }
    case_check_keys(&s, table);
    case_find_override(&s);
    own = toml_get(table, "name");
    if (own && own->kind != TOML_TEXT)
        case_blame(&s, own, "must be a string");
    else if (own)
        name = golden_print(s.memory, "%s", own->text);
    if (!s.wrong)
        read_kind(&s, name);
    if (s.wrong)
        golden_case_broken(reader, name && is_valid_name(name) ? name : NULL, s.line, s.wrong);
}
