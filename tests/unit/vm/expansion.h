/* Checks of the assembler's preprocessor. */
#ifndef TESTS_UNIT_VM_EXPANSION_H
#define TESTS_UNIT_VM_EXPANSION_H

#include "shader.h"

#include <stdio.h>

/* A text must give the same words as another one without directives. */
static inline void check_expansion(const char *text, const char *plain)
{
    struct shader a = shader_assemble(text), b = shader_assemble(plain);

    ck_assert_msg(a.n == b.n && !memcmp(a.words, b.words, a.n * 4), "%s", text);
    shader_free(&a);
    shader_free(&b);
}

static inline void check_mistake(const char *text, const struct vm_asm_source *source, const char *message)
{
    struct vm_error error = {0, ""};
    int64_t live = mem_live_blocks();
    uint32_t *words;
    size_t n;

    ck_assert_msg(vm_assemble_source(&words, &n, text, source, &error) == ST_INVALID, "%s", text);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s\n'%s' instead of '%s'", text, error.text,
                  message);
    ck_assert_int_eq(mem_live_blocks(), live);
}

#endif
