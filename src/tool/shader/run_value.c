/* Parser for numbers, vectors and register names on the command line.
 *
 * Tested by tests/unit/tool/shader/test_run.c. */
#include "tool/shader/run.h"
#include "tool/shader/shader.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *run_split_name(const char *text, char name[RUN_NAME])
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;

    if (!n || n >= RUN_NAME)
        return NULL;
    memcpy(name, text, n);
    name[n] = 0;
    return equals + 1;
}

/* 0x with exactly eight digits gives the bits of a float, as the disassembler writes NaNs. */
static bool parse_bits(const char **text, float *out)
{
    const char *s = *text;
    uint32_t bits;
    unsigned n = 0;

    if (s[0] != '0' || (s[1] != 'x' && s[1] != 'X'))
        return false;
    while (isxdigit((unsigned char)s[2 + n]))
        n++;
    if (n != 8 || s[10] == '.' || s[10] == 'p' || s[10] == 'P')
        return false;
    bits = (uint32_t)strtoul(s, NULL, 16);
    memcpy(out, &bits, sizeof(bits));
    *text = s + 10;
    return true;
}

static bool parse_float(const char **text, float *out)
{
    char *end;

    if (isspace((unsigned char)**text))
        return false;
    if (parse_bits(text, out))
        return true;
    *out = strtof(*text, &end);
    if (end == *text)
        return false;
    *text = end;
    return true;
}

bool run_parse_vector(const char **text, struct run_vector *out)
{
    *out = (struct run_vector){.x = {0, 0, 0, 1}};
    do {
        if (out->n)
            ++*text;
        if (out->n == 4 || !parse_float(text, &out->x[out->n]))
            return false;
        out->n++;
    } while (**text == ',');
    return true;
}

bool run_parse_ints(const char **text, int32_t out[4], unsigned *n)
{
    memset(out, 0, 4 * sizeof(*out));
    *n = 0;
    do {
        char *end;
        long value;

        if (*n)
            ++*text;
        errno = 0;
        value = strtol(*text, &end, 0);
        if (*n == 4 || end == *text || errno || value < INT32_MIN || value > INT32_MAX)
            return false;
        out[(*n)++] = (int32_t)value;
        *text = end;
    } while (**text == ',');
    return true;
}

int run_register_number(const char *name, char letter)
{
    char *end;
    unsigned long n;

    if (tolower((unsigned char)name[0]) != letter || !isdigit((unsigned char)name[1]))
        return -1;
    n = strtoul(name + 1, &end, 10);
    return *end || n > 65535 ? -1 : (int)n;
}

void run_print_float(FILE *out, float x, bool hex)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    if (hex)
        fprintf(out, "%08x", bits);
    else
        fprintf(out, "%.9g", (double)x);
}
