/* Helpers of the vm tests: shaders from text, failures with messages. */
#ifndef TESTS_UNIT_VM_SHADER_H
#define TESTS_UNIT_VM_SHADER_H

#include "check_main.h"

#include "util/alloc.h"
#include "vm/vm.h"

#include <string.h>

struct shader {
    uint32_t *words;
    size_t n;
};

/* The caller frees with shader_free. */
static inline struct shader shader_assemble(const char *text)
{
    struct vm_error error = {0, ""};
    struct shader s;

    ck_assert_msg(vm_assemble(&s.words, &s.n, text, &error) == ST_OK, "%s\n%s", error.text, text);
    return s;
}

static inline void shader_free(struct shader *s)
{
    mem_free(s->words);
    s->words = NULL;
}

/* A program that must be valid; the caller destroys it. */
static inline struct vm_program *shader_program(const char *text, const struct vm_limits *limits)
{
    struct shader s = shader_assemble(text);
    struct vm_error error = {0, ""};
    struct vm_program *program;

    ck_assert_msg(vm_program_create(&program, s.words, s.n, limits, &error) == ST_OK,
                  "word %zu: %s\n%s", error.token, error.text, text);
    shader_free(&s);
    return program;
}

#endif
