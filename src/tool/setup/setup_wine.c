/* `novem setup-wine PROGRAM.exe [--undo]`.
 *
 * Tested by tests/tool/setup_wine.sh. */
#include "tool/setup/setup.h"

#include "tool/cli/cli.h"
#include "tool/setup/advice.h"
#include "tool/setup/dll.h"
#include "tool/setup/pe.h"
#include "tool/setup/wine.h"
#include "util/alloc.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char command[] = "setup-wine";
static const char native[] = "native"; /* the value of an override that this command sets */

struct program {
    char folder[RECORD_PATH_BYTES];
    const char *name; /* without the folder */
    unsigned bits;
    char prefix[WINE_PATH_BYTES], record[RECORD_PATH_BYTES];
    struct record done, other; /* other: of another program of the folder that uses the same dll */
    char other_name[RECORD_NAME_BYTES]; /* empty: no other program does */
    bool had_record;
};

/* --- What is there ---------------------------------------------------------------------------- */

static bool locate(struct program *p, const char *path)
{
    const char *slash = strrchr(path, '/');
    int n = slash ? (int)(slash - path) : 1;
    enum status st;

    p->name = slash ? slash + 1 : path;
    if (slash == path)
        n = 1; /* the root */
    if (snprintf(p->folder, sizeof(p->folder), "%.*s", n, slash ? path : ".") >= PATH_MAX - 300 ||
        strlen(p->name) >= RECORD_NAME_BYTES - 20)
        return tool_error(command, "%s: the path is too long", path), false;
    if (!record_path(p->folder, p->name, p->record) || !wine_prefix(p->prefix))
        return tool_error(command, "neither WINEPREFIX nor HOME is set, or one is too long"), false;
    st = record_read(&p->done, p->record);
    p->had_record = st == ST_OK;
    if (st == ST_DAMAGED)
        return tool_error(command, "%s is not a record of this command", p->record), false;
    if (st != ST_OK && st != ST_NOTFOUND)
        return tool_error(command, "%s: %s", p->record, strerror(errno)), false;
    if (!record_of_other(p->folder, p->name, &p->other, p->other_name))
        p->other_name[0] = '\0';
    return true;
}

/* Reads the program's headers, and prints what they say. */
static bool examine(struct program *p, const char *path)
{
    struct pe pe;
    uint8_t *bytes;
    size_t n;
    const char *other;
    enum status st = tool_file_read(path, &bytes, &n);
    bool good = false;

    if (st != ST_OK)
        return tool_error(command, "%s: %s", path, tool_file_reason(path, st)), false;
    other = pe_open(&pe, bytes, n);
    if (other)
        tool_error(command, "%s is %s, and Novem is for 32-bit and 64-bit Windows programs", path,
                   other);
    else if (pe.is_dll)
        tool_error(command, "%s is a dll: name the program that uses it", path);
    else if (pe.machine != PE_X86 && pe.machine != PE_X86_64)
        tool_error(command, "%s is a program for %s: Novem has dlls for x86 and x86-64 alone", path,
                   pe_machine(&pe));
    else
        good = true;
    if (good) {
        p->bits = pe.machine == PE_X86 ? 32 : 64;
        printf("program   %s, %u bit\n", path, p->bits);
        advise_on_imports(&pe, p->folder, p->name);
    }
    mem_free(bytes);
    return good;
}

/* Reads the dll to copy: the one that --dll names, or the one that belongs to `novem`. */
static bool open_dll(struct dll_file *out, const struct program *p, const char *named)
{
    char path[PATH_MAX];
    enum status st;

    if (!named && !tool_dll_find(p->bits, path, sizeof(path)))
        return tool_error(command,
                          "the %u-bit d3d9.dll is neither built (make dlls) nor installed; --dll "
                          "names one",
                          p->bits),
               false;
    named = named ? named : path;
    st = dll_read(out, named);
    if (st != ST_OK)
        return tool_error(command, "%s: %s", named, tool_file_reason(named, st)), false;
    if (!out->version[0])
        tool_error(command, "%s is not a d3d9.dll of Novem", named);
    else if (out->machine != (p->bits == 32 ? PE_X86 : PE_X86_64))
        tool_error(command, "%s is for %u-bit programs, and %s is a %u-bit program", named,
                   96 - p->bits, p->name, p->bits);
    else
        return true;
    dll_free(out);
    return false;
}

/* Two programs of a folder share its dll, so they need the same bits. */
static bool suits_other(const struct program *p, const struct dll_file *novem)
{
    char name[RECORD_NAME_BYTES], path[RECORD_PATH_BYTES + RECORD_NAME_BYTES];
    struct dll_file now;
    bool good;

    if (!p->other_name[0] || !dll_find(p->folder, name))
        return true;
    snprintf(path, sizeof(path), "%s/%s", p->folder, name);
    if (dll_read(&now, path) != ST_OK)
        return true; /* dll_put says why */
    good = !now.version[0] || now.machine == novem->machine;
    dll_free(&now);
    return good ||
           (tool_error(command, "%s of this folder uses the %u-bit d3d9.dll: a folder can hold one",
                       p->other_name, 96 - p->bits),
            false);
}

/* --- Setting up ------------------------------------------------------------------------------- */

static bool write_record(const struct program *p)
{
    if (record_write(&p->done, p->record) == ST_OK)
        return true;
    return tool_error(command, "%s cannot be written: %s", p->folder, strerror(errno)), false;
}

/* Notes the value that the override has before it is changed. */
static bool note_override(struct program *p, bool has_value, const char *value)
{
    struct record *r = &p->done;

    for (unsigned i = 0; i < r->override_count; i++)
        if (!strcmp(r->overrides[i].prefix, p->prefix))
            return true;
    if (r->override_count == RECORD_PREFIXES)
        return tool_error(command, "%s is set up in too many prefixes", p->name), false;
    snprintf(r->overrides[r->override_count].prefix, WINE_PATH_BYTES, "%s", p->prefix);
    snprintf(r->overrides[r->override_count].before, WINE_VALUE_BYTES, "%s", value);
    r->overrides[r->override_count++].had_value = has_value;
    return true;
}

static bool reset_override(const struct program *p, bool had_value, const char *value)
{
    return had_value ? wine_set_override(p->prefix, p->name, value)
                     : wine_remove_override(p->prefix, p->name);
}

/* The record comes first, so that --undo knows of a command that was stopped. If a step fails, the
 * earlier ones are undone. */
static bool apply(struct program *p, const struct dll_file *novem, bool has_value,
                  const char *value)
{
    struct record before = p->done;
    bool is_native = has_value && (*value == 'n' || *value == 'N');

    if (!is_native && !note_override(p, has_value, value))
        return false;
    if (!write_record(p))
        return false;
    if (is_native || wine_set_override(p->prefix, p->name, native)) {
        if (is_native)
            printf("is there  override d3d9 = %s for %s in %s\n", value, p->name, p->prefix);
        else
            printf("set       override d3d9 = %s for programs called %s in %s\n", native, p->name,
                   p->prefix);
        if (dll_put(novem, p->folder, &p->done))
            return write_record(p);
        if (!is_native && reset_override(p, has_value, value))
            printf("took back the override\n");
    }
    p->done = before;
    if (!p->had_record || !write_record(p))
        unlink(p->record);
    return false;
}

static bool is_same_dll(const struct program *p, const struct dll_file *novem)
{
    char name[RECORD_NAME_BYTES], path[RECORD_PATH_BYTES + RECORD_NAME_BYTES];
    struct dll_file now;
    bool same;

    if (!dll_find(p->folder, name))
        return false;
    snprintf(path, sizeof(path), "%s/%s", p->folder, name);
    if (dll_read(&now, path) != ST_OK)
        return false;
    same = now.n == novem->n && !memcmp(now.bytes, novem->bytes, now.n);
    dll_free(&now);
    return same;
}

static int set_up_with(struct program *p, const struct dll_file *novem)
{
    char value[WINE_VALUE_BYTES] = "";
    enum wine_answer answer;

    if (!suits_other(p, novem))
        return TOOL_ERROR;
    if (!wine_is_prefix(p->prefix))
        printf("prefix    %s is new: Wine makes it now\n", p->prefix);
    fflush(stdout);
    answer = wine_override(p->prefix, p->name, value);
    if (answer == WINE_FAILED)
        return TOOL_ERROR;
    if (answer == WINE_HAS && (*value == 'n' || *value == 'N') && is_same_dll(p, novem)) {
        printf("%s is already set up: d3d9.dll (Novem %s) is in %s, and the override is %s\n",
               p->name, novem->version, p->folder, value);
        return advise_on_wine(p->prefix, p->bits), TOOL_OK;
    }
    if (!p->done.dll[0] && p->other_name[0]) {
        memcpy(p->done.dll, p->other.dll, sizeof(p->done.dll));
        memcpy(p->done.backup, p->other.backup, sizeof(p->done.backup));
    }
    if (!apply(p, novem, answer == WINE_HAS, value))
        return TOOL_ERROR;
    printf("wrote     %s, for --undo\n", p->record);
    printf("start     cd '%s' && %swine '%s'\n", p->folder,
           advise_has_wrapper(p->folder) ? "WINEDLLOVERRIDES=d3d8=n " : "", p->name);
    return advise_on_wine(p->prefix, p->bits), TOOL_OK;
}

static int set_up(const char *path, const char *dll)
{
    struct program p;
    struct dll_file novem;
    int code;

    if (!locate(&p, path) || !examine(&p, path) || !open_dll(&novem, &p, dll))
        return TOOL_ERROR;
    code = set_up_with(&p, &novem);
    dll_free(&novem);
    return code;
}

/* --- Undoing ---------------------------------------------------------------------------------- */

static bool undo_override(const struct program *p, unsigned i)
{
    const char *prefix = p->done.overrides[i].prefix, *before = p->done.overrides[i].before;
    bool had_value = p->done.overrides[i].had_value;
    char value[WINE_VALUE_BYTES];
    enum wine_answer answer;

    if (!wine_is_prefix(prefix)) {
        printf("missing   the prefix %s\n", prefix);
        return true;
    }
    answer = wine_override(prefix, p->name, value);
    if (answer == WINE_FAILED)
        return false;
    if (answer == WINE_HAS_NO || strcmp(value, native)) {
        printf("left      the override of %s in %s: it is %s now\n", p->name, prefix,
               answer == WINE_HAS_NO ? "not there" : value);
        return true;
    }
    if (had_value ? !wine_set_override(prefix, p->name, before)
                  : !wine_remove_override(prefix, p->name))
        return false;
    printf(had_value ? "set       override d3d9 = %3$s for %1$s in %2$s, as before\n"
                     : "removed   the override of d3d9 for %1$s in %2$s\n",
           p->name, prefix, before);
    return true;
}

static int undo(const char *path)
{
    struct program p;

    if (!locate(&p, path))
        return TOOL_ERROR;
    if (!p.had_record) {
        printf("%s was not set up by this command: there is nothing to undo\n", path);
        return TOOL_OK;
    }
    if (access(p.folder, W_OK))
        return tool_error(command, "%s cannot be written: %s", p.folder, strerror(errno));
    for (unsigned i = 0; i < p.done.override_count; i++)
        if (!undo_override(&p, i))
            return TOOL_ERROR;
    if (p.done.dll[0] && p.other_name[0])
        printf("left      %s/%s: %s uses it\n", p.folder, p.done.dll, p.other_name);
    else if (p.done.dll[0] && !dll_take_back(p.folder, &p.done))
        return TOOL_ERROR;
    if (unlink(p.record))
        return tool_error(command, "%s cannot be removed: %s", p.record, strerror(errno));
    printf("removed   %s\n", p.record);
    return TOOL_OK;
}

int tool_setup_wine(int argc, char **argv)
{
    const char *dll = NULL, *path;
    bool is_undo = false;
    const struct tool_option options[] = {
        {"--dll", "FILE", "copy this d3d9.dll of Novem, not the one that is built or installed",
         OPT_TEXT, &dll},
        {"--undo", NULL, "take back what this command has done for the program", OPT_FLAG,
         &is_undo},
    };
    const struct tool_usage usage = {
        .line = "setup-wine PROGRAM.exe [--dll FILE | --undo]",
        .text = "Makes a Windows program use Novem under Wine. Copies d3d9.dll for its number of "
                "bits into\n"
                "its folder, and sets Wine's override of d3d9 for programs of this name, in the "
                "prefix\n"
                "that WINEPREFIX names (default: ~/.wine). A d3d9.dll that was there before gets "
                "the name\n"
                "d3d9.dll.before-novem. PROGRAM.exe.novem-setup.txt notes what was done, for "
                "--undo. The\n"
                "variable WINE names another program than `wine`.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
        .files_min = 1,
        .files_max = 1,
    };
    int code = tool_parse(&usage, argc, argv, &path);

    if (code >= 0)
        return code;
    if (is_undo && dll)
        return tool_error(command, "usage: novem %s", usage.line);
    return is_undo ? undo(path) : set_up(path, dll);
}
