/* Variants of rows: a row with one property changed, such as its colours or the format of its
 * target.
 *
 * The methods of the device that a variant changes are replaced in a copy of its vtable, so rows
 * need not know their variants. variant.c installs the copy; each other file replaces methods of
 * its variants. */
#ifndef BENCH_D3D9_VARIANT_H
#define BENCH_D3D9_VARIANT_H

#include "bench.h"

enum { HOOK_OWNED = 64 };

struct bench_hook {
    struct bench *bench;
    const IDirect3DDevice9Vtbl *real; /* vtable of the device; NULL: it is in use */
    IDirect3DDevice9Vtbl vtbl;
    IDirect3DPixelShader9 *depths; /* the pixel shader that writes depths */
    IUnknown *owned[HOOK_OWNED];
    int n_owned;
};
extern struct bench_hook bench_hook;

/* Keeps an object until the variant ends. */
void bench_hook_own(void *object);

/* variant_geometry.c: vertex colours and rotation. */
void bench_hook_geometry(enum bench_variant variant);
D3DCOLOR bench_vary_colour(uint32_t n);
/* Cosine and sine of the angle by which the geometry is rotated. */
#define BENCH_TURN_COS 0.9925462f
#define BENCH_TURN_SIN 0.1218693f /* 7 degrees */

/* variant_shader.c: shaders that multiply their colour with the vertex colour or rotate positions.
 */
DWORD *bench_vary_shader(const DWORD *tokens, enum bench_variant variant);

/* variant_format.c: targets and textures. */
void bench_hook_targets(void);
void bench_hook_textures(void);

#endif
