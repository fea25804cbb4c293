/* Unwind data of Windows on ARM64, as "ARM64 exception handling" of Microsoft's documentation
 * defines it: a header, the places of epilogues, and a code for each instruction of the prologue,
 * the last first, and of an epilogue. */
#include "util/unwind_arm64.h"

#include <string.h>

/* Unwind codes. */
enum {
    SAVE_FPLR_PUSH = 0x80, /* stp x29, x30, [sp, -8 * (n + 1)]! */
    SAVE_VECTOR = 0xdc,    /* two bytes: str d(8 + n), [sp, 8 * m] */
    SET_FP = 0xe1,         /* mov x29, sp */
    NOP = 0xe3,            /* an instruction without an effect on the caller's registers */
    END = 0xe4             /* of a prologue; the return of an epilogue */
};
enum { INSTRUCTION_BYTES = 4, MOST_INSTRUCTIONS = (1 << 18) - 1 };

struct unwind_codes {
    uint8_t byte[UNWIND_ARM64_CODE_WORDS * sizeof(uint32_t)];
    unsigned n;
};

static void put(struct unwind_codes *codes, unsigned code)
{
    codes->byte[codes->n++] = (uint8_t)code;
}

static void put_vector(struct unwind_codes *codes, const struct executable_frame *frame,
                       unsigned vector)
{
    unsigned place = frame->vectors_at / 8 + vector;

    put(codes, SAVE_VECTOR | vector >> 2);
    put(codes, (vector & 3) << 6 | place);
}

static void put_push(struct unwind_codes *codes, const struct executable_frame *frame)
{
    if (frame->pair_bytes)
        put(codes, SAVE_FPLR_PUSH | (frame->pair_bytes / 8 - 1));
    put(codes, END);
}

unsigned unwind_arm64(uint32_t out[UNWIND_ARM64_WORDS], size_t bytes,
                      const struct executable_frame *frame)
{
    size_t instructions = bytes / INSTRUCTION_BYTES;
    struct unwind_codes codes = {{0}, 0};
    unsigned epilogue, words, n = 0;

    if (instructions > MOST_INSTRUCTIONS)
        return 0;
    for (unsigned i = frame->n_vectors; i-- > 0;)
        put_vector(&codes, frame, i);
    if (frame->sets_pointer) {
        put(&codes, NOP); /* stores the arguments */
        put(&codes, SET_FP);
    }
    put_push(&codes, frame);
    epilogue = codes.n;
    for (unsigned i = 0; i < frame->n_vectors; i++)
        put_vector(&codes, frame, i);
    put_push(&codes, frame);
    while (codes.n % sizeof(uint32_t))
        put(&codes, NOP);
    words = codes.n / sizeof(uint32_t);
    out[n++] = (uint32_t)instructions | (uint32_t)frame->n_leaves << 22 | words << 27;
    for (unsigned i = 0; i < frame->n_leaves; i++)
        out[n++] = frame->leave_at[i] / INSTRUCTION_BYTES | epilogue << 22;
    memcpy(out + n, codes.byte, codes.n);
    return n + words;
}
