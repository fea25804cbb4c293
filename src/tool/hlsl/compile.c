/* Chooses the compiler of HLSL.
 *
 * Tested by tests/unit/tool/hlsl/test_wine.c and tests/tool/hlsl.sh. */
#include "tool/hlsl/compiler.h"
#include "tool/hlsl/vkd3d.h"

#include <stdio.h>
#include <string.h>

bool hlsl_profile_is_known(const char *profile)
{
    static const char *const known[] = {
        "vs_1_1", "vs_2_0", "vs_2_a", "vs_2_sw", "vs_3_0", "vs_3_sw", "ps_1_1", "ps_1_2",
        "ps_1_3", "ps_1_4", "ps_2_0", "ps_2_a",  "ps_2_b", "ps_2_sw", "ps_3_0", "ps_3_sw"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (!strcmp(profile, known[i]))
            return true;
    return false;
}

#ifdef _WIN32

static enum status compile_here(struct hlsl_result *out, const struct hlsl_source *source)
{
    return windows_compile(out, source);
}

#else

static enum status say_missing(struct hlsl_result *out, const char *library, const char *wine)
{
    return compiler_say(
        out, ST_UNSUPPORTED,
        "is HLSL, and no compiler for it is installed: install Wine (Debian: apt install wine), or "
        "vkd3d-shader 1.3 or later (libvkd3d-shader1 of Debian 12 and 13 is 1.2)\n(%s; %s)",
        library, wine);
}

static enum status compile_here(struct hlsl_result *out, const struct hlsl_source *source)
{
    struct hlsl_result wine = {.words = NULL};
    enum status st = vkd3d_compile(out, source);
    char library[160];

    if (st != ST_UNSUPPORTED)
        return st;
    snprintf(library, sizeof(library), "%s", out->messages);
    hlsl_result_fini(out);
    st = wine_compile(&wine, source);
    if (st != ST_UNSUPPORTED) {
        *out = wine;
        return st;
    }
    st = say_missing(out, library, wine.messages);
    hlsl_result_fini(&wine);
    return st;
}

#endif

/* Whether a directive of the preprocessor reads no file; hash follows the text's '#'. Words must be
 * whole: ends of lines and comments can divide an #include. */
static bool reads_no_file(const char *hash)
{
    static const char *const words[] = {"define", "undef", "ifdef", "ifndef", "if",   "elif",
                                        "else",   "endif", "error", "pragma", "line", "#"};
    const char *word = hash + strspn(hash, " \t");

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (!strncmp(word, words[i], strlen(words[i])))
            return true;
    return false;
}

/* The line of a directive that may read a file; 0: there is none. */
static unsigned find_include(const char *text)
{
    unsigned line = 1;

    for (const char *at = text; *at; at++) {
        line += *at == '\n';
        if (*at == '#' && !(at > text && at[-1] == '#') && !reads_no_file(at + 1))
            return line;
    }
    return 0;
}

enum status hlsl_compile(struct hlsl_result *out, const struct hlsl_source *source)
{
    unsigned line;

    *out = (struct hlsl_result){.words = NULL};
    if (!hlsl_profile_is_known(source->profile))
        return compiler_say(out, ST_INVALID,
                            "'%s' is no profile of Direct3D 9: vs_1_1, vs_2_0, vs_2_a, vs_3_0, "
                            "ps_1_1 to ps_1_4, ps_2_0, ps_2_a, ps_2_b, ps_3_0",
                            source->profile);
    if (source->alone && (line = find_include(source->text)))
        return compiler_say(out, ST_INVALID, "%s:%u:1: #include is not possible here", source->name,
                            line);
    if (source->n_defines > HLSL_DEFINES)
        return compiler_say(out, ST_INVALID, "more than %d macros", HLSL_DEFINES);
    return compile_here(out, source);
}
