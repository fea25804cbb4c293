/* Shaders of the real captures: each one that a program created is accepted, and disassembles and
 * assembles to the same tokens. NOVEM_DATA names the folder; without it the test reports that it
 * checks nothing. */
#include "check_main.h"

#include "trace/trace.h"
#include "util/alloc.h"
#include "vm/vm.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char names[512][64];
static int n_names;
static char folder[1024];

static void list_captures(void)
{
    const char *data = getenv("NOVEM_DATA");
    struct dirent *entry;
    DIR *dir;

    snprintf(folder, sizeof(folder), "%s/traces", data ? data : "../shared/data");
    dir = opendir(folder);
    while (dir && (entry = readdir(dir)) && n_names < 512) {
        if (entry->d_name[0] != '.' && strlen(entry->d_name) < 56 &&
            !strchr(entry->d_name, '.'))
            snprintf(names[n_names++], sizeof(names[0]), "%s", entry->d_name);
    }
    if (dir)
        closedir(dir);
    if (!n_names)
        printf("SKIPPED: no captures in %s (set NOVEM_DATA)\n", folder);
}

static void check_shader(const char *name, const struct trace_call *call, const uint32_t *words,
                         size_t n)
{
    struct vm_error error = {0, "out of memory"};
    struct vm_program *program;
    uint32_t *again;
    size_t n_again;
    char *text;

    n = vm_token_count(words, n);
    ck_assert_msg(n > 0, "%s: call %u has no end", name, (unsigned)call->number);
    ck_assert_msg(vm_program_create(&program, words, n, &vm_limits_hardware, &error) == ST_OK,
                  "%s: call %u: %s", name, (unsigned)call->number, error.text);
    vm_program_destroy(program);
    ck_assert_msg(vm_disassemble_exact(&text, words, n, &error) == ST_OK, "%s", error.text);
    ck_assert_msg(vm_assemble(&again, &n_again, text, &error) == ST_OK, "%s: %s", name, error.text);
    ck_assert_msg(n_again == n && !memcmp(again, words, n * sizeof(*words)), "%s: call %u", name,
                  (unsigned)call->number);
    mem_free(again);
    mem_free(text);
}

static bool creates_shader(const struct trace_call *call)
{
    return call->argc >= 3 && call->complete && !trace_failed(call) &&
           (strstr(call->function->name, "::CreateVertexShader") ||
            strstr(call->function->name, "::CreatePixelShader"));
}

static void check_call(const char *name, const struct trace_call *call)
{
    const struct trace_value *code = &call->args[1];
    uint32_t *words;

    if (code->kind == TRACE_REPR)
        code = &code->u.items[1];
    if (code->kind != TRACE_BLOB)
        return;
    words = mem_alloc(code->count); /* blobs are unaligned */
    memcpy(words, code->u.bytes, code->count);
    check_shader(name, call, words, code->count / 4);
    mem_free(words);
}

START_TEST(shaders_return)
{
    const char *name = names[_i];
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;
    char path[1200];

    snprintf(path, sizeof(path), "%s/%s/%s.trace", folder, name, name);
    ck_assert_msg(trace_open(&reader, path, &error) == ST_OK, "%s: %s", name, error.text);
    while (trace_next(reader, &call) == ST_OK && call) {
        if (creates_shader(call))
            check_call(name, call);
    }
    trace_close(reader);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("trace/capture_shaders");
    TCase *t = tcase_create("captures");

    list_captures();
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, shaders_return, 0, n_names);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
