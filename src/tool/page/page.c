/* Shared parts of the HTML pages.
 *
 * Tested by tests/unit/tool/page/test_frame_page.c, tests/unit/tool/golden/test_report.c and
 * tests/browser. */
#include "tool/page/page.h"

PAGE_PART(page_base, "page/shared/base.css");
PAGE_PART(page_dom, "page/shared/dom.js");
PAGE_PART(page_png, "page/shared/png.js");
PAGE_PART(page_viewer, "page/shared/viewer.js");

static void put_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
    }
}

void page_put_start(FILE *file, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          file);
    put_text(file, title);
    fputs("</title>\n<style>\n", file);
    PAGE_PUT(file, page_base);
}

void page_put_scripts(FILE *file)
{
    PAGE_PUT(file, page_dom);
    PAGE_PUT(file, page_png);
    PAGE_PUT(file, page_viewer);
}

void page_put_base64(FILE *file, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < n; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16 | (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (i + 2 < n ? bytes[i + 2] : 0);
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                        i + 1 < n ? digits[three >> 6 & 63] : '=',
                        i + 2 < n ? digits[three & 63] : '='};

        fwrite(four, 1, 4, file);
    }
}
