/* Compiles HLSL with Wine's d3dcompiler_47: runs a small Windows program of ours (programs/hlsl.c),
 * which is built and installed with Novem's dlls. */
#include "tool/hlsl/compiler.h"

#ifndef _WIN32

#include "util/alloc.h"
#include "util/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_STARTED = 127, NO_COMPILER = 3, OPTION_BYTES = 4096 };

/* Beside `novem` in the build folder, beside the other programs there, or installed. */
static bool find_program(char *out, size_t size)
{
    static const char *const places[] = {
        "win64/bin/novem-hlsl.exe",
        "../win64/bin/novem-hlsl.exe",
        "../lib/novem/win64/bin/novem-hlsl.exe",
        "../lib64/novem/win64/bin/novem-hlsl.exe",
    };
    char folder[PATH_TEXT_BYTES];
    const char *name = path_of_program(folder, sizeof(folder));

    if (hlsl_program)
        return snprintf(out, size, "%s", hlsl_program) < (int)size && path_exists(out);
    for (size_t i = 0; *name && i < sizeof(places) / sizeof(places[0]); i++)
        if (snprintf(out, size, "%.*s%s", (int)(name - folder), folder, places[i]) < (int)size &&
            path_exists(out))
            return true;
    return false;
}

/* --- Running it ------------------------------------------------------------------------------- */

/* Files for the source, the byte code and the messages: Wine's server outlives the program and
 * would keep pipes open. */
struct files {
    FILE *in, *out, *messages;
};

static void start(char **words, const struct files *f)
{
    const char *named = getenv("WINE");

    setenv("WINEDEBUG", "-all", 0);
    if (dup2(fileno(f->in), 0) < 0 || dup2(fileno(f->out), 1) < 0 ||
        dup2(fileno(f->messages), 2) < 0)
        _exit(NOT_STARTED);
    words[0] = named && *named ? (char *)(uintptr_t)named : words[0];
    execvp(words[0], words);
    if (errno == ENOENT && !(named && *named))
        execvp("wine64", words);
    _exit(NOT_STARTED);
}

static int run(char **words, const struct files *f)
{
    pid_t child;
    int status;

    fflush(NULL);
    rewind(f->in);
    child = fork();
    if (!child)
        start(words, f);
    if (child < 0)
        return NOT_STARTED;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return NOT_STARTED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static MUST_CHECK enum status read_all(FILE *file, char **out, size_t *n)
{
    long size;

    if (fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0)
        return ST_IO;
    rewind(file);
    *n = (size_t)size;
    *out = mem_calloc(1, *n + 1);
    if (!*out)
        return ST_NOMEM;
    if (fread(*out, 1, *n, file) == *n)
        return ST_OK;
    mem_free(*out);
    *out = NULL;
    return ST_IO;
}

/* The messages without returns, which Windows writes. */
static void drop_returns(char *text)
{
    char *to = text;

    for (; *text; text++)
        if (*text != '\r')
            *to++ = *text;
    *to = 0;
}

/* Finds the byte code in the program's output. */
static MUST_CHECK enum status take_code(struct hlsl_result *out, const char *bytes, size_t n)
{
    const char *mark = memmem(bytes, n, HLSL_CODE_MARK, sizeof(HLSL_CODE_MARK) - 1);
    size_t rest = mark ? n - (size_t)(mark - bytes) - (sizeof(HLSL_CODE_MARK) - 1) : 0;
    uint32_t words;

    if (rest < sizeof(words))
        return compiler_take_code(out, "", 0);
    mark += sizeof(HLSL_CODE_MARK) - 1;
    memcpy(&words, mark, sizeof(words));
    rest -= sizeof(words);
    return compiler_take_code(out, mark + sizeof(words), words <= rest / 4 ? (size_t)words * 4 : 0);
}

static MUST_CHECK enum status take_result(struct hlsl_result *out, const struct files *f, int code)
{
    char *messages = NULL, *bytes = NULL;
    size_t n_messages, n = 0;
    enum status st = read_all(f->messages, &messages, &n_messages);

    if (st != ST_OK)
        return st;
    drop_returns(messages);
    if (code == NOT_STARTED)
        st = compiler_say(out, ST_UNSUPPORTED, "%s", "Wine is not installed");
    else if (code == NO_COMPILER)
        st = compiler_say(out, ST_UNSUPPORTED, "%s", "Wine lacks d3dcompiler_47.dll");
    else if (code > 1)
        st = compiler_say(out, ST_UNSUPPORTED, "Wine fails to run novem-hlsl.exe: %s",
                          *messages ? messages : "no message");
    else
        st = compiler_say(out, code ? ST_INVALID : ST_OK, "%s", messages);
    if (st == ST_OK)
        st = read_all(f->out, &bytes, &n);
    if (st == ST_OK)
        st = take_code(out, bytes, n);
    mem_free(bytes);
    mem_free(messages);
    return st;
}

/* --- Its command line ------------------------------------------------------------------------- */

enum { FIRST_WORDS = 5, MAX_FOLDERS = 256 };
enum { MAX_WORDS = FIRST_WORDS + 3 * HLSL_DEFINES + 2 * MAX_FOLDERS + 1 };

/* wine PROGRAM ENTRY PROFILE NAME [-D NAME VALUE]… [-I FOLDER]… */
static MUST_CHECK enum status compile_with(struct hlsl_result *out,
                                           const struct hlsl_source *source, char *program,
                                           const struct files *f)
{
    const char **words = mem_calloc(MAX_WORDS, sizeof(*words));
    unsigned n = 0;
    enum status st;

    if (!words)
        return ST_NOMEM;
    words[n++] = "wine";
    words[n++] = program;
    words[n++] = source->entry;
    words[n++] = source->profile;
    words[n++] = source->name;
    for (unsigned i = 0; i < source->n_defines; i++) {
        words[n++] = "-D";
        words[n++] = source->define[i].name;
        words[n++] = source->define[i].value;
    }
    for (unsigned i = 0; i < source->n_folders && i < MAX_FOLDERS; i++) {
        words[n++] = "-I";
        words[n++] = source->folder[i];
    }
    st = fwrite(source->text, 1, source->n, f->in) == source->n
             ? take_result(out, f, run((char **)(uintptr_t)words, f))
             : ST_IO;
    mem_free(words);
    return st;
}

enum status wine_compile(struct hlsl_result *out, const struct hlsl_source *source)
{
    struct files f = {tmpfile(), tmpfile(), tmpfile()};
    char program[PATH_TEXT_BYTES + 64];
    enum status st = f.in && f.out && f.messages ? ST_OK : ST_IO;

    if (st == ST_OK && !find_program(program, sizeof(program)))
        st = compiler_say(
            out, ST_UNSUPPORTED, "%s",
            "novem-hlsl.exe, which compiles under Wine, is neither built nor installed "
            "(make pe; Debian: novem-d3d9)");
    if (st == ST_OK)
        st = compile_with(out, source, program, &f);
    if (f.in)
        fclose(f.in);
    if (f.out)
        fclose(f.out);
    if (f.messages)
        fclose(f.messages);
    return st;
}

#endif
