/* Check of a program that the validator must refuse. */
#ifndef TESTS_UNIT_VM_REFUSAL_H
#define TESTS_UNIT_VM_REFUSAL_H

#include "shader.h"

#include "vm/isa/decode.h"

#include <stdio.h>

static inline void check_refused(const uint32_t *words, size_t n, const struct vm_limits *limits,
                          unsigned token, const char *reason, const char *text)
{
    struct vm_error error = {0, ""};
    struct vm_program *program;
    int64_t live = mem_live_blocks();
    char version[8], start[160];
    struct vm_version v;

    ck_assert(vm_version_decode(&v, words[0]));
    ck_assert_msg(vm_program_create(&program, words, n, limits, &error) == ST_INVALID,
                  "accepted: %s", text);
    ck_assert_ptr_null(program);
    ck_assert_int_eq(mem_live_blocks(), live);
    /* "ps_2_0: REASON, in 'INSTRUCTION'" */
    vm_version_text(version, &v);
    snprintf(start, sizeof(start), "%s: %s", version, reason);
    ck_assert_msg(!strncmp(error.text, start, strlen(start)), "%s\n'%s' instead of '%s'", text,
                  error.text, start);
    ck_assert_msg(!error.token || words[error.token] == 0xffff || strstr(error.text, ", in '"), "%s",
                  error.text);
    ck_assert_msg(!token || error.token == token, "%s\nword %zu instead of %u", text, error.token,
                  token);
}

#endif
