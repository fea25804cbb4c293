/* Renderer side: frees the memory and the objects of a destroyed resource.
 * Tested by tests/unit/api/com/test_com.c and tests/unit/api/test_order.c. */
#include "cmd/stream.h"

#include "util/alloc.h"

static void free_backings(struct cmd_stream *stream, struct cmd_resource *resource)
{
    for (unsigned i = 0; i < resource->n_backings; i++) {
        struct cmd_backing *backing = &resource->backing[i];

        draw_release(stream->draw, &backing->image);
        mem_free(backing->data);
    }
    mem_free(resource->backing);
    resource->backing = NULL;
}

void cmd_free_resource(struct cmd_stream *stream, struct cmd_resource *resource)
{
    switch (resource->kind) {
    case CMD_IMAGE:
        if (resource->backing)
            free_backings(stream, resource);
        else
            draw_release(stream->draw, &resource->u.image);
        break;
    case CMD_BUFFER:
        if (resource->backing)
            free_backings(stream, resource);
        else
            mem_free(resource->u.buffer.data);
        break;
    case CMD_SHADER:
        vm_program_destroy(resource->u.shader);
        break;
    case CMD_DECLARATION:
        mem_free(resource->u.declaration);
        break;
    case CMD_QUERY:
        occlusion_cancel(&stream->occlusion, stream->draw, &resource->u.query->occlusion);
        mem_free(resource->u.query);
        break;
    case CMD_FREE:
        break;
    }
    resource->kind = CMD_FREE;
}
