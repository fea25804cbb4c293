/* Escaping of arbitrary bytes for JSON and XML, and pictures.
 *
 * Tested by tests/unit/tool/golden/test_report.c. */
#include "tool/golden/text.h"

#include "tool/page/page.h"

#include <stdio.h>

/* Decodes one UTF-8 character. Returns its code and its length in bytes; 0xfffd and 1 for invalid
 * UTF-8. */
static uint32_t character(const char *text, unsigned *bytes)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    unsigned n = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    uint32_t code = n > 1 ? at[0] & (0x7fu >> n) : at[0];

    *bytes = 1;
    if (!n || at[0] > 0xf4)
        return 0xfffd;
    for (unsigned i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0xfffd;
        code = code << 6 | (at[i] & 0x3f);
    }
    if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0xfffd;
    *bytes = n;
    return code;
}

static void put_character(FILE *file, const char *text, uint32_t code, unsigned bytes)
{
    if (code == 0xfffd)
        fputs("\xef\xbf\xbd", file);
    else
        fwrite(text, 1, bytes, file);
}

void golden_put_json(FILE *file, const char *text)
{
    unsigned bytes;

    fputc('"', file);
    for (; *text; text += bytes) {
        uint32_t code = character(text, &bytes);

        if (code == '"' || code == '\\')
            fprintf(file, "\\%c", (char)code);
        else if (code < ' ' || code == '<' || code == 0x7f || code == 0x2028 || code == 0x2029)
            fprintf(file, "\\u%04x", (unsigned)code);
        else
            put_character(file, text, code, bytes);
    }
    fputc('"', file);
}

void golden_put_xml(FILE *file, const char *text)
{
    unsigned bytes;

    for (; *text; text += bytes) {
        uint32_t code = character(text, &bytes);

        if (code == '<')
            fputs("&lt;", file);
        else if (code == '>')
            fputs("&gt;", file);
        else if (code == '&')
            fputs("&amp;", file);
        else if (code == '"')
            fputs("&quot;", file);
        else if (code == '\t' || code == '\n' || code == '\r')
            fprintf(file, "&#%u;", (unsigned)code);
        else if (code >= ' ' && code != 0xfffe && code != 0xffff)
            put_character(file, text, code, bytes);
    }
}

void golden_put_png(FILE *file, const uint8_t *bytes, size_t n)
{
    fputs("\"data:image/png;base64,", file);
    page_put_base64(file, bytes, n);
    fputc('"', file);
}
