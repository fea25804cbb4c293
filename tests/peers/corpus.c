/* Compares Novem's assembler and validator with other assemblers and compilers (peers.md):
 *   corpus write TEXTS [FILES]       writes the generated corpus and FILES, separated by NUL
 *   corpus join TEXTS FILES          writes FILES only
 *   corpus compare TEXTS WORDS       compares with WORDS, the output of assemble.exe
 *   corpus check WORDS               validates, disassembles and assembles compiled shaders
 * Exit code 1: differences that peers.md does not explain. */
#include "../unit/vm/corpus.h"

#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_all(const char *path, size_t *n)
{
    enum { MOST = 64 << 20 };
    FILE *in = fopen(path, "rb");
    uint8_t *bytes = mem_calloc(1, MOST + 1);

    if (!in || !bytes) {
        fprintf(stderr, "peers: cannot read %s\n", path);
        exit(2);
    }
    *n = fread(bytes, 1, MOST, in);
    fclose(in);
    return bytes;
}

/* --- The corpus ------------------------------------------------------------------------------- */

static void write_item(void *ctx, const struct vm_version *v, const struct vm_item *item)
{
    uint32_t words[VM_ITEM_WORDS + 2];
    char *text;

    if (vm_disassemble(&text, words, corpus_words(words, v, item), NULL) != ST_OK)
        exit(2);
    fwrite(text, 1, strcspn(text, "/"), ctx); /* without the number of instruction slots */
    fputc(0, ctx);
    mem_free(text);
}

/* *_sw versions differ from 2_x and 3_0 in the version token alone, and Wine's assembler does not
 * know them. */
static void write_corpus(FILE *out)
{
    struct vm_version v;

    for (unsigned i = 0; i < CORPUS_VERSIONS; i++) {
        if (corpus_version(&v, i) && v.minor != 255)
            corpus_visit(&v, write_item, out);
    }
}

static int write_texts(const char *path, bool generated, char **files, int n_files)
{
    FILE *out = fopen(path, "wb");

    if (!out)
        return 2;
    if (generated)
        write_corpus(out);
    for (int i = 0; i < n_files; i++) {
        size_t n;
        uint8_t *text = read_all(files[i], &n);

        fwrite(text, 1, n + 1, out);
        mem_free(text);
    }
    return fclose(out) ? 2 : 0;
}

/* --- Output of assemble.exe ------------------------------------------------------------------- */

struct results {
    const uint8_t *at, *end;
};

/* The words of the next result; NULL: none left. */
static const uint32_t *next_result(struct results *r, uint32_t *n)
{
    const uint32_t *words = (const uint32_t *)(const void *)r->at;

    *n = 0;
    if (r->end - r->at < 4 || (size_t)(r->end - r->at) / 4 - 1 < words[0])
        return NULL;
    *n = words[0];
    r->at += 4 + 4 * (size_t)*n;
    return words + 1;
}

/* --- Differences that peers.md explains ------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* The instruction of a corpus text, without version and blanks. */
static const char *instruction_of(const char *text)
{
    const char *line = strchr(text, '\n');

    return line ? line + 1 + strspn(line + 1, " ") : "";
}

enum verdict { SAME, BOTH_REFUSE, EXPLAINED, THEY_REFUSE, WE_REFUSE, OTHER_WORDS, VERDICTS };

static bool is_explained(enum verdict verdict, const char *text)
{
    const char *version = text + strspn(text, " "), *line = instruction_of(text);
    bool pixel_2 = begins(version, "ps_2");

    if (verdict == THEY_REFUSE)
        return (pixel_2 && strstr(line, "sincos")) ||
               (begins(line, "def ") && strstr(line, "e-")) ||
               (begins(line, "dcl_") && strstr(line, "_pp_centroid"));
    if (verdict == OTHER_WORDS)
        return begins(line, "defi ") || (begins(line, "texcoord") && strstr(line, "_sat ")) ||
               (begins(version, "ps_1_4") && begins(line, "mov r1, t"));
    return false;
}

/* --- Comparison ------------------------------------------------------------------------------- */

struct piece {
    size_t at, n;
    bool moves;
};

static const uint32_t *sorted_words; /* words of the instructions that qsort compares */

/* Sorts declarations and definitions by their words, in front of all other instructions, which keep
 * their order. */
static int compare_pieces(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;

    if (!a->moves || !b->moves)
        return a->moves != b->moves ? b->moves - a->moves : a->at < b->at ? -1 : 1;
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    return memcmp(sorted_words + a->at, sorted_words + b->at, a->n * sizeof(uint32_t));
}

/* Returns the shader with sorted declarations as a new array; NULL: invalid. */
static uint32_t *in_order(const uint32_t *words, size_t n)
{
    struct piece *piece = mem_calloc(n, sizeof(*piece));
    uint32_t *out = mem_alloc(n * sizeof(*out)), *to = out;
    struct vm_reader reader;
    struct vm_item item;
    size_t n_pieces = 0;
    enum status st = vm_reader_open(&reader, words, n, NULL);

    do {
        if (st == ST_OK)
            st = vm_reader_next(&reader, &item, NULL);
        if (st == ST_OK)
            piece[n_pieces++] = (struct piece){
                item.token, item.n_words, item.kind == VM_ITEM_DCL || item.kind == VM_ITEM_DEF};
    } while (st == ST_OK && item.kind != VM_ITEM_END);
    sorted_words = words;
    qsort(piece, n_pieces, sizeof(*piece), compare_pieces);
    *to++ = words[0];
    for (size_t i = 0; i < n_pieces; i++) {
        memcpy(to, words + piece[i].at, piece[i].n * sizeof(*to));
        to += piece[i].n;
    }
    mem_free(piece);
    if (st == ST_OK)
        return out;
    mem_free(out);
    return NULL;
}

/* Equal except for the order of declarations, which Wine's assembler changes. */
static bool is_same(const uint32_t *ours, const uint32_t *theirs, size_t n)
{
    uint32_t *a = in_order(ours, n), *b = in_order(theirs, n);
    bool same = a && b && !memcmp(a, b, n * sizeof(*a));

    mem_free(a);
    mem_free(b);
    return same;
}

static enum verdict judge(const char *text, const uint32_t *theirs, uint32_t n_theirs)
{
    uint32_t *ours;
    size_t n;
    enum verdict verdict = SAME;

    if (vm_assemble(&ours, &n, text, NULL) != ST_OK) {
        verdict = n_theirs ? WE_REFUSE : BOTH_REFUSE;
    } else {
        if (!n_theirs)
            verdict = THEY_REFUSE;
        else if (n != n_theirs || !is_same(ours, theirs, n))
            verdict = OTHER_WORDS;
        mem_free(ours);
    }
    return verdict > EXPLAINED && is_explained(verdict, text) ? EXPLAINED : verdict;
}

static void print_text(const char *what, const char *text)
{
    printf("%s: %.*s | %s", what, (int)strcspn(text + 4, "\n"), text + 4, instruction_of(text));
}

static int compare(const char *texts_path, const char *words_path)
{
    static const char *const names[] = {"same",        "both refuse", "explained",
                                        "they refuse", "we refuse",   "other words"};
    unsigned counts[VERDICTS] = {0};
    size_t n_texts, n_words;
    uint8_t *texts = read_all(texts_path, &n_texts), *bytes = read_all(words_path, &n_words);
    struct results results = {bytes, bytes + n_words};

    for (size_t at = 0; at < n_texts;) {
        const char *text = (const char *)texts + at;
        uint32_t n;
        const uint32_t *words = next_result(&results, &n);
        enum verdict verdict;

        if (!words) {
            printf("results are missing\n");
            return 1;
        }
        verdict = judge(text, words, n);
        if (verdict > EXPLAINED && counts[verdict] < 40)
            print_text(names[verdict], text);
        counts[verdict]++;
        at += strlen(text) + 1;
    }
    for (unsigned i = 0; i < VERDICTS; i++)
        printf("%s%s %u", i ? ", " : "", names[i], counts[i]);
    printf("\n");
    mem_free(texts);
    mem_free(bytes);
    return !counts[SAME] || counts[THEY_REFUSE] || counts[WE_REFUSE] || counts[OTHER_WORDS];
}

/* --- Compiled shaders ------------------------------------------------------------------------- */

static bool check_compiled(const uint32_t *words, size_t n, struct vm_error *error)
{
    struct vm_program *program;
    uint32_t *again;
    char *text;
    bool same;

    if (vm_program_create(&program, words, n, &vm_limits_hardware, error) != ST_OK)
        return false;
    vm_program_destroy(program);
    if (vm_disassemble_exact(&text, words, n, error) != ST_OK)
        return false;
    if (vm_assemble(&again, &n, text, error) != ST_OK)
        return false;
    same = !memcmp(again, words, n * sizeof(*words));
    if (!same)
        snprintf(error->text, sizeof(error->text), "other words come back");
    mem_free(again);
    mem_free(text);
    return same;
}

static int check(const char *path)
{
    size_t n_bytes;
    uint8_t *bytes = read_all(path, &n_bytes);
    struct results results = {bytes, bytes + n_bytes};
    const uint32_t *words;
    unsigned good = 0, refused = 0, bad = 0;
    uint32_t n;

    for (unsigned i = 0; (words = next_result(&results, &n)); i++) {
        struct vm_error error = {0, ""};

        if (!n) {
            refused++;
        } else if (check_compiled(words, n, &error)) {
            good++;
        } else {
            printf("shader %u: %s\n", i, error.text);
            bad++;
        }
    }
    printf("%u good, %u bad, %u not compiled\n", good, bad, refused);
    mem_free(bytes);
    return bad || !good;
}

int main(int argc, char **argv)
{
    if (argc >= 3 && (!strcmp(argv[1], "write") || !strcmp(argv[1], "join")))
        return write_texts(argv[2], argv[1][0] == 'w', argv + 3, argc - 3);
    if (argc == 4 && !strcmp(argv[1], "compare"))
        return compare(argv[2], argv[3]);
    if (argc == 3 && !strcmp(argv[1], "check"))
        return check(argv[2]);
    fprintf(stderr, "usage: corpus write|join TEXTS [FILES] | compare TEXTS WORDS | check WORDS\n");
    return 2;
}
