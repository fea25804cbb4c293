/* The panel's page, from the files of src/control/page. The Makefile lists them as dependencies.
 *
 * Tested by tests/unit/control/test_control.c and tests/browser/control_panel.py. */
#include "control/page.h"

#include "util/embed.h"

#define PAGE_PART(name, path) EMBED(name, "src/control/page/" path)
#define PAGE_PUT(out, name) control_put_bytes(out, name, (size_t)(name##_end - name))

PAGE_PART(panel_style, "page.css");
PAGE_PART(panel_body, "page.html");
PAGE_PART(panel_script, "page.js");

void page_put(struct control_body *out, const char *nonce, const char *token)
{
    control_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<link rel=\"icon\" href=\"data:,\">\n<title>Novem</title>\n");
    control_format(out, "<style nonce=\"%s\">\n", nonce);
    PAGE_PUT(out, panel_style);
    control_put(out, "</style>\n</head>\n<body>\n");
    PAGE_PUT(out, panel_body);
    control_format(out, "<script nonce=\"%s\">\n\"use strict\";\nwindow.NOVEM = {token: \"%s\"};\n",
                   nonce, token);
    PAGE_PUT(out, panel_script);
    control_put(out, "</script>\n</body>\n</html>\n");
}
