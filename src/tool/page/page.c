/* Shared parts of the HTML pages.
 *
 * Tested by tests/unit/tool/page/test_frame_page.c and tests/browser. */
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
