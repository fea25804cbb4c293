/* Memory of meshes.
 * Tested by tests/unit/tess/test_holes.c. */
#include "tess/tess.h"

enum status tess_mesh_resize(struct tess_mesh *mesh, uint32_t n_elements, uint32_t n_vertices,
                             uint32_t n_indices)
{
    uint64_t vertex_bytes = (uint64_t)n_elements * n_vertices * sizeof(*mesh->vertex);
    uint64_t index_bytes = (uint64_t)n_indices * sizeof(*mesh->index);

    mesh->n_elements = mesh->n_vertices = mesh->n_indices = 0;
    if (vertex_bytes > SIZE_MAX / 2 || index_bytes > SIZE_MAX / 2)
        return ST_NOMEM;
    mesh->vertex = scratch_get(&mesh->vertex_memory, (size_t)vertex_bytes + 1);
    mesh->index = scratch_get(&mesh->index_memory, (size_t)index_bytes + 1);
    if (!mesh->vertex || !mesh->index)
        return ST_NOMEM;
    mesh->n_elements = n_elements;
    mesh->n_vertices = n_vertices;
    mesh->n_indices = n_indices;
    return ST_OK;
}

void tess_mesh_fini(struct tess_mesh *mesh)
{
    scratch_fini(&mesh->vertex_memory);
    scratch_fini(&mesh->index_memory);
    *mesh = (struct tess_mesh){0};
}
