/* Plugin of QEMU's user emulation that counts the instructions of a program
 * (scripts/bench_arm64.sh):
 *
 *   qemu-aarch64 -plugin instructions.so,out=FILE[,from=FUNCTION,call=N,end=M] program arguments
 *
 * FILE gets a line "INSTRUCTIONS ADDRESS FUNCTION" per block of code that has run. Code without a
 * symbol, as of functions that the program compiles, has the function "?". With `from`, only the
 * instructions from the Nth call of FUNCTION on count (N is 1 unless it is given). With `end`, the
 * program ends where its Mth call begins.
 *
 * Debian packages QEMU without qemu-plugin.h: the declarations are those of its interface 1. QEMU
 * adds to the counters without locks, so the program should use one thread. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- QEMU's interface ------------------------------------------------------------------------- */

typedef uint64_t qemu_plugin_id_t;
struct qemu_info;
struct qemu_plugin_tb; /* a block of translated code */
struct qemu_plugin_insn;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                                  void (*translated)(qemu_plugin_id_t id,
                                                                     struct qemu_plugin_tb *code));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *code,
                                                 void (*runs)(unsigned cpu, void *data),
                                                 enum qemu_plugin_cb_flags flags, void *data);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *code,
                                                     enum qemu_plugin_op op, void *number,
                                                     uint64_t add);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id,
                                           void (*at_exit)(qemu_plugin_id_t id, void *data),
                                           void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *code);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *code);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *code,
                                                        size_t i);
extern const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn);

#define EXPORT __attribute__((visibility("default")))
EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc,
                               char **argv);

/* --- Counting --------------------------------------------------------------------------------- */

struct block {
    struct block *next;
    uint64_t address, instructions;
    const char *function;
};

static struct block *blocks; /* the last translated first; never freed */
static const char *out, *from;
static unsigned long call = 1, end, calls;
static uint64_t entry; /* address of `from`, once it runs */

static void write_counts(qemu_plugin_id_t id, void *data);

/* At the Nth call, forgets what has run before. */
static void enters(unsigned cpu, void *data)
{
    (void)cpu, (void)data;
    calls++;
    if (calls == call)
        for (struct block *b = blocks; b; b = b->next)
            b->instructions = 0;
    if (calls == end) {
        write_counts(0, NULL);
        _Exit(0);
    }
}

/* QEMU may translate the same code twice: both have their counter. It translates under a lock. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *code)
{
    const char *function = qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(code, 0));
    struct block *block = malloc(sizeof(*block));

    (void)id;
    if (!block) {
        fprintf(stderr, "instructions.so: out of memory\n");
        exit(1);
    }
    *block = (struct block){blocks, qemu_plugin_tb_vaddr(code), 0,
                            function && *function ? function : "?"};
    blocks = block;
    if (!entry && from && !strcmp(from, block->function)) /* its first block is its entry */
        entry = block->address;
    if (entry && entry == block->address)
        qemu_plugin_register_vcpu_tb_exec_cb(code, enters, QEMU_PLUGIN_CB_NO_REGS, NULL);
    qemu_plugin_register_vcpu_tb_exec_inline(code, QEMU_PLUGIN_INLINE_ADD_U64, &block->instructions,
                                             qemu_plugin_tb_n_insns(code));
}

/* The program's own exit status is known already: a failure ends QEMU with another one. */
static void write_counts(qemu_plugin_id_t id, void *data)
{
    FILE *file = fopen(out, "w");
    int failed = !file;

    (void)id, (void)data;
    for (const struct block *b = blocks; file && b; b = b->next)
        if (b->instructions)
            fprintf(file, "%llu %llx %s\n", (unsigned long long)b->instructions,
                    (unsigned long long)b->address, b->function);
    if (file) {
        failed |= ferror(file) != 0;
        failed |= fclose(file) != 0;
    }
    if (failed)
        fprintf(stderr, "instructions.so: %s cannot be written\n", out);
    if (from && calls < call)
        fprintf(stderr, "instructions.so: %s has been called %lu times, not %lu\n", from, calls,
                call);
    if (failed || (from && calls < call))
        _Exit(1);
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "out=", 4))
            out = strdup(argv[i] + 4);
        else if (!strncmp(argv[i], "from=", 5))
            from = strdup(argv[i] + 5);
        else if (!strncmp(argv[i], "call=", 5))
            call = strtoul(argv[i] + 5, NULL, 10);
        else if (!strncmp(argv[i], "end=", 4))
            end = strtoul(argv[i] + 4, NULL, 10);
    }
    if (!out) {
        fprintf(stderr, "instructions.so: it needs an argument out=FILE\n");
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, write_counts, NULL);
    return 0;
}
