/* Benchmarks of texture work other than sampling: decoding, uploads, copies. A row is one
 * measurement; each file has a table of rows, and main.c lists the tables. */
#ifndef BENCH_TEX_BENCH_H
#define BENCH_TEX_BENCH_H

#include <windows.h>
#include <d3d9.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_row {
    const char *name;
    const char *unit;
    /* Measures in that unit, with the current instruction set. */
    double (*measure)(const struct bench_row *row);
    D3DFORMAT format;
    unsigned size, detail; /* meaning depends on `measure` */
};

struct bench_table {
    const char *title;
    const struct bench_row *rows;
    unsigned count;
};
#define BENCH_TABLE(name, text, table)                                                             \
    const struct bench_table name = {text, table, sizeof(table) / sizeof((table)[0])}

extern const struct bench_table bench_decode, bench_upload, bench_copies;

_Noreturn void bench_fail(const char *what);
void bench_check(HRESULT hr, const char *what);

/* --- Timing (main.c) -------------------------------------------------------------------------- */

/* Work to time. `prepare`, if not NULL, runs before each call and is not timed. */
struct bench_work {
    void (*prepare)(void *ctx);
    void (*run)(void *ctx);
    void *ctx;
};
/* Returns CPU seconds, summed over all threads, of the fastest call. */
double bench_seconds(const struct bench_work *work);

/* --- Devices (device.c) ----------------------------------------------------------------------- */

enum { BENCH_WIDTH = 1024, BENCH_HEIGHT = 768 };

/* Uses the current instruction set. One device at a time. */
IDirect3DDevice9 *bench_open(void);
void bench_close(IDirect3DDevice9 *device);
/* Returns when all submitted work is in memory. */
void bench_finish(IDirect3DDevice9 *device);
/* Random bytes that give varied texels in every integer format. */
void bench_noise(void *to, size_t bytes);

#endif
