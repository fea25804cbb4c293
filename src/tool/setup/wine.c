/* Runs `wine reg` and reads its answers.
 *
 * Tested by tests/tool/setup_wine.sh. */
#include "tool/setup/wine.h"

#include "tool/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_BYTES = 8192, KEY_BYTES = 600, NOT_STARTED = 127 };

static const char command[] = "setup-wine";

/* --- The prefix ------------------------------------------------------------------------------- */

bool wine_prefix(char out[WINE_PATH_BYTES])
{
    const char *named = getenv("WINEPREFIX"), *home = getenv("HOME");

    if (named && *named)
        return snprintf(out, WINE_PATH_BYTES, "%s", named) < WINE_PATH_BYTES;
    return home && *home && snprintf(out, WINE_PATH_BYTES, "%s/.wine", home) < WINE_PATH_BYTES;
}

static bool has(const char *prefix, const char *name)
{
    char path[WINE_PATH_BYTES + 64];

    return snprintf(path, sizeof(path), "%s/%s", prefix, name) < (int)sizeof(path) &&
           !access(path, F_OK);
}

bool wine_is_prefix(const char *prefix)
{
    return has(prefix, "system.reg");
}

/* system.reg of a 32-bit prefix says so near its beginning. A 64-bit prefix has the dlls of 32-bit
 * programs in a folder of their own, if Wine can run such programs. */
bool wine_runs(const char *prefix, unsigned bits)
{
    char path[WINE_PATH_BYTES + 64], line[256];
    bool is_32 = false;
    FILE *file;

    if (!wine_is_prefix(prefix))
        return true;
    snprintf(path, sizeof(path), "%s/system.reg", prefix);
    file = fopen(path, "r");
    for (int i = 0; file && i < 10 && fgets(line, sizeof(line), file); i++)
        is_32 |= !strncmp(line, "#arch=win32", 11);
    if (file)
        fclose(file);
    return bits == 64 ? !is_32 : is_32 || has(prefix, "drive_c/windows/syswow64/kernel32.dll");
}

/* --- Running wine ----------------------------------------------------------------------------- */

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 128)
            return false;
    return true;
}

static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i]);

        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

/* In the child. The answer goes to a file: Wine's server outlives the command and would keep a pipe
 * open. */
static void start(char **words, const char *prefix, FILE *answer)
{
    const char *named = getenv("WINE");

    setenv("WINEPREFIX", prefix, 1);
    setenv("WINEDEBUG", "-all", 0);
    if (!is_ascii(words[3]) && !locale_is_utf8())
        setenv("LC_ALL", "C.UTF-8", 1); /* Wine reads the name of the key in the locale's letters */
    if (!freopen("/dev/null", "r", stdin) || dup2(fileno(answer), 1) < 0 ||
        dup2(fileno(answer), 2) < 0)
        _exit(NOT_STARTED);
    if (named && *named) {
        words[0] = (char *)named;
        execvp(words[0], words);
    } else {
        execvp(words[0], words);
        if (errno == ENOENT)
            execvp("wine64", words);
    }
    _exit(NOT_STARTED);
}

static int status_of(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs a command, whose first word is replaced, and reads what it prints. Returns its exit code, or
 * -1 with errno. */
static int run(char **words, const char *prefix, char answer[ANSWER_BYTES])
{
    FILE *file = tmpfile();
    size_t n;
    pid_t child;
    int code;

    answer[0] = '\0';
    if (!file)
        return -1;
    fflush(NULL);
    child = fork();
    if (!child)
        start(words, prefix, file);
    code = child < 0 ? -1 : status_of(child);
    rewind(file);
    n = fread(answer, 1, ANSWER_BYTES - 1, file);
    answer[n] = '\0';
    fclose(file);
    return code;
}

/* The last line that says something, without its end. */
static const char *last_line(char *answer)
{
    char *end = answer + strlen(answer), *line;

    while (end > answer && strchr("\r\n \t", end[-1]))
        *--end = '\0';
    line = strrchr(answer, '\n');
    return line ? line + 1 : answer;
}

static void complain(int code, char *answer)
{
    const char *wine = getenv("WINE"), *why = last_line(answer);

    if (code < 0)
        tool_error(command, "wine cannot be started: %s", strerror(errno));
    else if (code == NOT_STARTED && !*why && wine && *wine)
        tool_error(command, "there is no program '%s', which WINE names", wine);
    else if (code == NOT_STARTED && !*why)
        tool_error(command, "Wine is not installed: PATH has no program 'wine'");
    else if (!code)
        tool_error(command, "the answer of `wine reg` has no value: %s", why);
    else
        tool_error(command, "wine has failed with exit code %d%s%s", code, *why ? ": " : "", why);
}

/* --- The registry ----------------------------------------------------------------------------- */

static void program_key(const char *program, char out[KEY_BYTES])
{
    snprintf(out, KEY_BYTES, "HKEY_CURRENT_USER\\Software\\Wine\\AppDefaults\\%s", program);
}

static void override_key(const char *program, char out[KEY_BYTES])
{
    snprintf(out, KEY_BYTES, "HKEY_CURRENT_USER\\Software\\Wine\\AppDefaults\\%s\\DllOverrides",
             program);
}

/* reg says in the user's language that a key is missing, but always begins with its own name. */
static bool is_missing(const char *answer)
{
    return !strncmp(answer, "reg: ", 5) || strstr(answer, "\nreg: ");
}

/* Copies what follows the type of the value d3d9: "    d3d9    REG_SZ    native". */
static bool read_value(const char *answer, char value[WINE_VALUE_BYTES])
{
    const char *at = strstr(answer, "d3d9 "), *type = at ? strstr(at, "REG_SZ") : NULL;
    size_t n;

    if (!type)
        return false;
    type += strlen("REG_SZ");
    type += strspn(type, " ");
    n = strcspn(type, "\r\n");
    if (n >= WINE_VALUE_BYTES)
        return false;
    memcpy(value, type, n);
    value[n] = '\0';
    return true;
}

enum wine_answer wine_override(const char *prefix, const char *program,
                               char value[WINE_VALUE_BYTES])
{
    char key[KEY_BYTES], answer[ANSWER_BYTES];
    char *words[] = {"wine", "reg", "query", key, "/v", "d3d9", NULL};
    int code;

    override_key(program, key);
    code = run(words, prefix, answer);
    if (!code && read_value(answer, value))
        return WINE_HAS;
    if (code == 1 && is_missing(answer))
        return WINE_HAS_NO;
    complain(code, answer);
    return WINE_FAILED;
}

bool wine_set_override(const char *prefix, const char *program, const char *value)
{
    char key[KEY_BYTES], answer[ANSWER_BYTES], copy[WINE_VALUE_BYTES];
    char *words[] = {"wine", "reg",    "add", key,  "/v", "d3d9",
                     "/t",   "REG_SZ", "/d",  copy, "/f", NULL};
    int code;

    override_key(program, key);
    snprintf(copy, sizeof(copy), "%s", value);
    code = run(words, prefix, answer);
    if (code)
        complain(code, answer);
    return !code;
}

bool wine_remove_override(const char *prefix, const char *program)
{
    char key[KEY_BYTES], answer[ANSWER_BYTES];
    char *remove[] = {"wine", "reg", "delete", key, "/v", "d3d9", "/f", NULL};
    char *list[] = {"wine", "reg", "query", key, "/s", NULL};
    char *remove_key[] = {"wine", "reg", "delete", key, "/f", NULL};
    int code;

    override_key(program, key);
    code = run(remove, prefix, answer);
    if (code)
        return complain(code, answer), false;
    program_key(program, key);
    /* An answer that fills the buffer may have been cut. */
    if (!run(list, prefix, answer) && strlen(answer) < ANSWER_BYTES - 1 && !strstr(answer, "REG_"))
        run(remove_key, prefix, answer);
    return true;
}
