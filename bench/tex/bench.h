/* What work on textures beside sampling costs: decoding, uploads, copies. A row is one figure; rows
 * stand in tables, one a file, that main.c lists. */
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
    /* The figure, in that unit, with the instruction set in force. */
    double (*measure)(const struct bench_row *row);
    D3DFORMAT format;
    unsigned size, detail; /* what the row's measure makes of them */
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

/* --- Time (main.c) ---------------------------------------------------------------------------- */

/* Something to be timed: prepare, if there is one, comes before each call and does not count. */
struct bench_work {
    void (*prepare)(void *ctx);
    void (*run)(void *ctx);
    void *ctx;
};
/* Processor seconds of the fastest call, those of all threads added up. */
double bench_seconds(const struct bench_work *work);

/* --- Devices (device.c) ----------------------------------------------------------------------- */

enum { BENCH_WIDTH = 1024, BENCH_HEIGHT = 768 };

/* Uses the instruction set in force. One at a time. */
IDirect3DDevice9 *bench_open(void);
void bench_close(IDirect3DDevice9 *device);
/* Returns when all that was drawn is in memory. */
void bench_finish(IDirect3DDevice9 *device);
/* Bytes that make every format of whole numbers busy. */
void bench_noise(void *to, size_t bytes);

#endif
