/* Generator of the fuzz target's seed corpus: assembles every shader text of the tree.
 *
 *   seeds FOLDER FILE…     FILE: a shader, or a conformance scene with `shader vs { … }` blocks */
#include "fuzz/vm/case.h"
#include "fuzz/vm/mutate.h"

static const char *folder;
static unsigned n_written, n_refused;

static void write_case(const uint32_t *words, size_t n)
{
    char path[512];
    uint8_t header[CASE_HEADER] = {CASE_SOFTWARE | (uint8_t)(n_written * 2), 0, 0,
                                   (uint8_t)n_written};
    FILE *file;

    snprintf(path, sizeof(path), "%s/seed-%04u", folder, n_written++);
    file = fopen(path, "wb");
    if (!file || fwrite(header, 1, CASE_HEADER, file) != CASE_HEADER ||
        fwrite(words, 4, n, file) != n || fclose(file)) {
        fprintf(stderr, "%s cannot be written\n", path);
        exit(1);
    }
}

static void add_text(const char *text)
{
    struct vm_error error;
    uint32_t *words;
    size_t n;

    if (vm_assemble(&words, &n, text, &error) != ST_OK) {
        n_refused++;
        return;
    }
    write_case(words, n);
    mem_free(words);
}

/* Adds the texts between "{" and "}" lines of a scene. */
static void add_scene(char *text)
{
    char *at = text, *end;

    while ((at = strstr(at, "\nshader "))) {
        at++;
        if (!strstr(at, "{\n") || strchr(at, '{') > strchr(at, '\n'))
            continue;
        at = strchr(at, '\n');
        end = strstr(at, "\n}");
        if (!end)
            return;
        *end = 0;
        add_text(at);
        at = end + 1;
    }
}

static void add_source(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = malloc(1 << 20);
    size_t n = file ? fread(text, 1, (1 << 20) - 1, file) : 0;

    if (!file) {
        fprintf(stderr, "%s cannot be read\n", name);
        exit(1);
    }
    fclose(file);
    text[n] = 0;
    if (strstr(name, ".d9t"))
        add_scene(text);
    else
        add_text(text);
    free(text);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    folder = argv[1];
    for (unsigned i = 0; i < N_SEEDS; i++)
        add_text(seeds[i]);
    for (int i = 2; i < argc; i++)
        add_source(argv[i]);
    printf("fuzz: %u seeds (%u texts are no shaders of their own)\n", n_written, n_refused);
    return n_written >= N_SEEDS ? 0 : 1;
}
