/* Machine code of merge functions of one target: compiled once, then shared by all rasterisers and
 * threads of the process. */
#ifndef RASTER_MERGE_CODE_H
#define RASTER_MERGE_CODE_H

#include "raster/merge/merge.h"

struct ir_code;

/* The cache keeps all code until its last user has gone. */
void raster_merge_cache_use(void);
void raster_merge_cache_leave(void);

/* Tables for sRGB; valid while the caller uses the cache. NULL: memory is short. */
const struct raster_merge_tables *raster_merge_tables_get(void);

/* The code for a target and the instruction set in use; valid while the caller uses the cache.
 * NULL: there is none, or the kernel is faster; the caller takes the kernel. */
const struct ir_code *raster_merge_code_get(const struct raster_merge_target *target);

/* Bytes of work memory, aligned to 64 bytes. Each thread needs its own. */
enum { RASTER_MERGE_WORK_BYTES = 2048 };
/* Runs the function. words: the stored pixels as in merge.h, an array for each word of a pixel;
 * they become the new ones. factor: the blend factors, if the target blends. All but the factors
 * are aligned to 64 bytes. */
void raster_merge_code_run(const struct ir_code *code, const float *const colour[4],
                           uint32_t (*words)[IR_LANES], const float factor[4], void *work);

#endif
