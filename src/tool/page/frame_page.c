/* Writer of the page of a captured frame.
 *
 * Tested by tests/unit/tool/page/test_frame_page.c and tests/browser/frame_page.py. */
#include "tool/page/frame_page.h"

#include "tool/page/page.h"

PAGE_PART(frame_body, "page/frame/page.html");
PAGE_PART(frame_style, "page/frame/page.css");
PAGE_PART(frame_data, "page/frame/data.js");
PAGE_PART(frame_parts, "page/frame/parts.js");
PAGE_PART(frame_picture, "page/frame/picture.js");
PAGE_PART(frame_tree, "page/frame/tree.js");
PAGE_PART(frame_film, "page/frame/film.js");
PAGE_PART(frame_targets, "page/frame/targets.js");
PAGE_PART(frame_textures, "page/frame/textures.js");
PAGE_PART(frame_mesh, "page/frame/mesh.js");
PAGE_PART(frame_mesh_view, "page/frame/mesh_view.js");
PAGE_PART(frame_state, "page/frame/state.js");
PAGE_PART(frame_shaders, "page/frame/shaders.js");
PAGE_PART(frame_resources, "page/frame/resources.js");
PAGE_PART(frame_costs, "page/frame/costs.js");
PAGE_PART(frame_pixel, "page/frame/pixel.js");
PAGE_PART(frame_steps, "page/frame/steps.js");
PAGE_PART(frame_candidate, "page/frame/candidate.js");
PAGE_PART(frame_edit, "page/frame/edit.js");
PAGE_PART(frame_main, "page/frame/main.js");

void frame_page_write(FILE *file, bool live, const char *title)
{
    page_put_start(file, title);
    PAGE_PUT(file, frame_style);
    fputs("</style>\n</head>\n<body>\n", file);
    PAGE_PUT(file, frame_body);
    fprintf(file, "<script>\n\"use strict\";\nwindow.NOVEM = {live: %s};\n</script>\n<script>\n",
            live ? "true" : "false");
    page_put_scripts(file);
    PAGE_PUT(file, frame_data);
    PAGE_PUT(file, frame_parts);
    PAGE_PUT(file, frame_picture);
    PAGE_PUT(file, frame_tree);
    PAGE_PUT(file, frame_film);
    PAGE_PUT(file, frame_targets);
    PAGE_PUT(file, frame_textures);
    PAGE_PUT(file, frame_mesh_view);
    PAGE_PUT(file, frame_mesh);
    PAGE_PUT(file, frame_state);
    PAGE_PUT(file, frame_shaders);
    PAGE_PUT(file, frame_resources);
    PAGE_PUT(file, frame_costs);
    PAGE_PUT(file, frame_pixel);
    PAGE_PUT(file, frame_steps);
    PAGE_PUT(file, frame_candidate);
    if (live)
        PAGE_PUT(file, frame_edit);
    PAGE_PUT(file, frame_main);
    fputs("</script>\n</body>\n</html>\n", file);
}
