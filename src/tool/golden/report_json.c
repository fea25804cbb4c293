/* Writer of results.jsonl: the first line describes the run, each further line one case.
 *
 * Tested by tests/unit/tool/golden/test_record.c. */
#include "tool/cli/cli.h"
#include "tool/golden/tolerance.h"
#include "tool/golden/manifest.h"
#include "tool/golden/result.h"
#include "tool/golden/record.h"

#include "util/path.h"
#include "util/version.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_text(cJSON *object, const char *key, const char *text)
{
    if (text && text[0])
        cJSON_AddStringToObject(object, key, text);
}

static void add_metrics(cJSON *object, const struct golden_metrics *m)
{
    cJSON *box;

    if (!m->measured)
        return;
    cJSON_AddNumberToObject(object, "width", m->width);
    cJSON_AddNumberToObject(object, "height", m->height);
    cJSON_AddNumberToObject(object, "max", m->max);
    cJSON_AddNumberToObject(object, "mean", m->mean);
    if (isfinite(m->psnr))
        cJSON_AddNumberToObject(object, "psnr", m->psnr);
    cJSON_AddNumberToObject(object, "differing", (double)m->differing);
    cJSON_AddNumberToObject(object, "above", (double)m->above);
    cJSON_AddNumberToObject(object, "in-mask", (double)m->in_mask);
    cJSON_AddNumberToObject(object, "densest", m->densest);
    if (m->flip > GOLDEN_UNMEASURED)
        cJSON_AddNumberToObject(object, "flip", m->flip);
    if (m->ssim > GOLDEN_UNMEASURED)
        cJSON_AddNumberToObject(object, "ssim", m->ssim);
    if (!m->differing)
        return;
    box = cJSON_AddArrayToObject(object, "box");
    cJSON_AddItemToArray(box, cJSON_CreateNumber(m->box.x0));
    cJSON_AddItemToArray(box, cJSON_CreateNumber(m->box.y0));
    cJSON_AddItemToArray(box, cJSON_CreateNumber(m->box.x1));
    cJSON_AddItemToArray(box, cJSON_CreateNumber(m->box.y1));
}

static cJSON *describe(const struct golden_result *result)
{
    static const char *const kinds[] = {"scene", "capture", "image"};
    const struct golden_case *c = result->c;
    cJSON *object = cJSON_CreateObject();
    char tolerance[GOLDEN_TOLERANCE_TEXT];

    golden_tolerance_print(&c->tolerance, tolerance);
    add_text(object, "case", c->name);
    add_text(object, "verdict", golden_verdict_names[result->verdict]);
    add_text(object, "message", result->message);
    add_text(object, "tolerance", tolerance);
    add_text(object, "reason", c->reason);
    add_text(object, "expect-fail", c->expect_fail);
    add_text(object, "skip", c->skip);
    if (c->known_failure)
        cJSON_AddTrueToObject(object, "known-failure");
    add_text(object, "remark", c->remark);
    if (c->ignore_alpha)
        cJSON_AddTrueToObject(object, "ignore-alpha");
    cJSON_AddNumberToObject(object, "line", c->line);
    add_text(object, "kind", kinds[c->kind]);
    add_text(object, "input", c->input);
    if (c->kind == GOLDEN_CAPTURE)
        cJSON_AddNumberToObject(object, "frame", (double)c->frame);
    add_metrics(object, &result->metrics);
    add_text(object, "reference", result->reference);
    add_text(object, "candidate", result->candidate);
    add_text(object, "mask", result->mask ? result->mask : c->mask);
    add_text(object, "golden", c->golden_path);
    if (c->n_goldens && !strncmp(c->goldens[0], "hash:", 5))
        add_text(object, "stored", c->goldens[0]);
    add_text(object, "wants-hash", c->hash);
    add_text(object, "hash", result->hash);
    cJSON_AddNumberToObject(object, "tries", result->tries);
    cJSON_AddNumberToObject(object, "seconds", result->seconds);
    return object;
}

/* Takes ownership of the object. */
static bool write_line(FILE *file, cJSON *object)
{
    char *text = object ? cJSON_PrintUnformatted(object) : NULL;
    bool good = text && fprintf(file, "%s\n", text) > 0;

    cJSON_free(text);
    cJSON_Delete(object);
    return good;
}

static cJSON *describe_run(const struct golden_manifest *manifest)
{
    const struct golden_runner *runner = &manifest->candidate;
    cJSON *object = cJSON_CreateObject();

    add_text(object, "novem", version_text());
    add_text(object, "numerics", NOVEM_NUMERICS);
    add_text(object, "manifest", manifest->path);
    add_text(object, "candidate",
             runner->folder  ? runner->folder
             : runner->scene ? runner->scene
                             : runner->capture);
    add_text(object, "backend", runner->backend);
    add_text(object, "store", manifest->store);
    cJSON_AddNumberToObject(object, "cases", (double)manifest->selected);
    return object;
}

enum status golden_write_json(const char *path, const struct golden_manifest *manifest,
                              const struct golden_result *results, size_t n)
{
    FILE *file = path_open(path, "w");
    bool good = file && write_line(file, describe_run(manifest));

    for (size_t i = 0; good && i < n; i++)
        good = write_line(file, describe(&results[i]));
    if (file && !tool_file_close(file, path))
        good = false;
    return good ? ST_OK : ST_IO;
}
