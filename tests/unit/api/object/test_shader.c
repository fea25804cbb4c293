/* Tests of shader objects: the limits in the caps (a shader at the limit is created, one above is
 * refused), and what Create and GetFunction accept. */
#include "api_test.h"

#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>

enum { MAX_WORDS = 200000 };

struct code {
    DWORD *word;
    unsigned n;
};

static void add(struct code *c, unsigned n, const DWORD *words)
{
    ck_assert_uint_lt(c->n + n, MAX_WORDS);
    memcpy(c->word + c->n, words, n * sizeof(*words));
    c->n += n;
}
#define ADD(c, ...)                                                                                \
    add(c, sizeof((const DWORD[]){__VA_ARGS__}) / sizeof(DWORD), (const DWORD[]){__VA_ARGS__})

enum { OP_MOV = 0x02000001, REG_R0 = 0x80000000, READ_C0 = 0xa0e40000 };

/* Each function writes a shader of size n with its version token. */

static void vs_constants(struct code *c, unsigned n)
{
    ADD(c, 0xfffe0300, 0x0200001f, 0x80000000, 0xe00f0000, OP_MOV, 0xe00f0000, READ_C0 + n - 1);
}

static void vs_temps(struct code *c, unsigned n)
{
    ADD(c, 0xfffe0201, OP_MOV, 0xc00f0000, READ_C0, OP_MOV, REG_R0 + 0x000f0000 + n - 1, READ_C0);
}

static void ps_temps(struct code *c, unsigned n)
{
    ADD(c, 0xffff0201, OP_MOV, REG_R0 + 0x000f0000 + n - 1, READ_C0, OP_MOV, 0x800f0800, READ_C0);
}

static void movs(struct code *c, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        ADD(c, OP_MOV, REG_R0 + 0x000f0000, READ_C0);
}

static void vs_slots(struct code *c, unsigned n)
{
    ADD(c, 0xfffe0300, 0x0200001f, 0x80000000, 0xe00f0000);
    movs(c, n);
}

static void ps_slots(struct code *c, unsigned n)
{
    ADD(c, 0xffff0300);
    movs(c, n);
}

static void ps_2_x_slots(struct code *c, unsigned n)
{
    ADD(c, 0xffff0201, OP_MOV, 0x800f0800, READ_C0);
    movs(c, n - 1);
}

static void nest(struct code *c, unsigned n, unsigned words, const DWORD *open, DWORD close)
{
    for (unsigned i = 0; i < n; i++)
        add(c, words, open);
    for (unsigned i = 0; i < n; i++)
        ADD(c, close);
}

static const DWORD rep[] = {0x01000026, 0xf0e40000};               /* rep i0 */
static const DWORD if_gt[] = {0x02010029, 0xa0000000, 0xa0000000}; /* if_gt c0.x, c0.x */

static void vs_loops(struct code *c, unsigned n)
{
    ADD(c, 0xfffe0201, OP_MOV, 0xc00f0000, READ_C0);
    nest(c, n, 2, rep, 0x27);
}

static void ps_loops(struct code *c, unsigned n)
{
    ADD(c, 0xffff0201, OP_MOV, 0x800f0800, READ_C0);
    nest(c, n, 2, rep, 0x27);
}

static void vs_ifs(struct code *c, unsigned n)
{
    ADD(c, 0xfffe0201, OP_MOV, 0xc00f0000, READ_C0);
    nest(c, n, 3, if_gt, 0x2b);
}

static void ps_ifs(struct code *c, unsigned n)
{
    ADD(c, 0xffff0201, OP_MOV, 0x800f0800, READ_C0);
    nest(c, n, 3, if_gt, 0x2b);
}

static HRESULT create(IDirect3DDevice9 *device, void (*write)(struct code *, unsigned), unsigned n)
{
    struct code c = {mem_alloc(MAX_WORDS * sizeof(DWORD)), 0};
    IUnknown *shader = NULL;
    HRESULT hr;

    write(&c, n);
    ADD(&c, 0x0000ffff);
    hr = c.word[0] >> 16 == 0xffff
             ? IDirect3DDevice9_CreatePixelShader(device, c.word, (IDirect3DPixelShader9 **)&shader)
             : IDirect3DDevice9_CreateVertexShader(device, c.word,
                                                   (IDirect3DVertexShader9 **)&shader);
    if (SUCCEEDED(hr))
        release(shader);
    mem_free(c.word);
    return hr;
}

static const struct {
    const char *name;
    void (*write)(struct code *, unsigned);
} limits[] = {
    {"MaxVertexShaderConst", vs_constants},
    {"VS20Caps.NumTemps", vs_temps},
    {"PS20Caps.NumTemps", ps_temps},
    {"MaxVertexShader30InstructionSlots", vs_slots},
    {"MaxPixelShader30InstructionSlots", ps_slots},
    {"PS20Caps.NumInstructionSlots", ps_2_x_slots},
    {"VS20Caps.StaticFlowControlDepth", vs_loops},
    {"PS20Caps.StaticFlowControlDepth", ps_loops},
    {"VS20Caps.DynamicFlowControlDepth", vs_ifs},
    {"PS20Caps.DynamicFlowControlDepth", ps_ifs},
};

static unsigned claimed(const D3DCAPS9 *caps, int i)
{
    const DWORD claims[] = {caps->MaxVertexShaderConst,
                            (DWORD)caps->VS20Caps.NumTemps,
                            (DWORD)caps->PS20Caps.NumTemps,
                            caps->MaxVertexShader30InstructionSlots,
                            caps->MaxPixelShader30InstructionSlots,
                            (DWORD)caps->PS20Caps.NumInstructionSlots,
                            (DWORD)caps->VS20Caps.StaticFlowControlDepth,
                            (DWORD)caps->PS20Caps.StaticFlowControlDepth,
                            (DWORD)caps->VS20Caps.DynamicFlowControlDepth,
                            (DWORD)caps->PS20Caps.DynamicFlowControlDepth};

    return (unsigned)claims[i];
}

START_TEST(caps_limit_creation)
{
    IDirect3DDevice9 *device = create_device();
    D3DCAPS9 caps;
    unsigned n;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    n = claimed(&caps, _i);
    ck_assert_msg(create(device, limits[_i].write, n) == D3D_OK, "%s = %u is too much",
                  limits[_i].name, n);
    ck_assert_msg(create(device, limits[_i].write, n + 1) == D3DERR_INVALIDCALL,
                  "%s = %u is not enough", limits[_i].name, n);
    release(device);
}
END_TEST

/* Features that the bits of PS20Caps and VS20Caps grant to ps_2_x and vs_2_x. */
START_TEST(features)
{
    static const DWORD swizzle[] = {
        0xffff0201, OP_MOV,     REG_R0 | 0xf0000, 0xa0500000, /* c0.xxyy */
        OP_MOV,     0x800f0800, READ_C0,          0xffff};
    static const DWORD gradient[] = {0xffff0201, 0x0200001f, 0x80000000, 0xb00f0000,
                                     0x0200005b, 0x800f0000, 0xb0e40000, /* dsx r0, t0 */
                                     OP_MOV,     0x800f0800, READ_C0,    0xffff};
    static const DWORD predicate[] = {0xfffe0201, OP_MOV,     0xc00f0000, READ_C0, 0x0301005e,
                                      0xb00f1000, READ_C0,    READ_C0, /* setp_gt p0, c0, c0 */
                                      0x13000001, 0x800f0000, 0xb0e41000, READ_C0, 0xffff};
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexShader9 *vs;
    IDirect3DPixelShader9 *ps;
    D3DCAPS9 caps;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    ck_assert_uint_eq(caps.PS20Caps.Caps, 0x1f);
    ck_assert_uint_eq(caps.VS20Caps.Caps, D3DVS20CAPS_PREDICATION);
    OK(IDirect3DDevice9_CreatePixelShader(device, swizzle, &ps));
    release(ps);
    OK(IDirect3DDevice9_CreatePixelShader(device, gradient, &ps));
    release(ps);
    OK(IDirect3DDevice9_CreateVertexShader(device, predicate, &vs));
    release(vs);
    release(device);
}
END_TEST

/* ps_2_0: mov r0, c0.xxyy; mov oC0, r0. Only the documentation forbids the swizzle. */
static const DWORD odd_swizzle[] = {0xffff0200, OP_MOV,     REG_R0 | 0xf0000, 0xa0500000,
                                    OP_MOV,     0x800f0800, 0x80e40000,       0xffff};

static unsigned n_warnings;
static char warning[512];

static void keep_warning(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    n_warnings += level == LOG_WARN;
    snprintf(warning, sizeof(warning), "%s", line);
}

/* The first shader that breaks a rule is logged, and all run. */
START_TEST(broken_rules_are_logged_once)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DPixelShader9 *ps;

    log_set_sink(keep_warning, NULL);
    for (unsigned i = 0; i < 2; i++) {
        OK(IDirect3DDevice9_CreatePixelShader(device, odd_swizzle, &ps));
        release(ps);
    }
    log_set_sink(NULL, NULL);
    ck_assert_uint_eq(n_warnings, 1);
    ck_assert_msg(strstr(warning, "pixel shader breaks a rule that STRICT_SHADERS=on enforces: "
                                  "token 1: ps_2_0: source 1 of mov has a swizzle") != NULL,
                  "%s", warning);
    release(device);
}
END_TEST

/* STRICT_SHADERS refuses them, and other shaders as before. */
START_TEST(strict_shaders)
{
    IDirect3DDevice9 *device;
    IDirect3DVertexShader9 *vs;
    IDirect3DPixelShader9 *ps;

    setenv("NOVEM_STRICT_SHADERS", "on", 1);
    device = create_device();
    REFUSED(IDirect3DDevice9_CreatePixelShader(device, odd_swizzle, &ps));
    ck_assert_ptr_null(ps);
    OK(IDirect3DDevice9_CreateVertexShader(device, test_vs, &vs));
    release(vs);
    release(device);
}
END_TEST

START_TEST(shaders)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexShader9 *vs, *got;
    IDirect3DPixelShader9 *ps;
    DWORD tokens[16], dxbc[] = {0x43425844, 0, 0, 0, 0x0000ffff};
    UINT size = 0;

    OK(IDirect3DDevice9_CreateVertexShader(device, test_vs, &vs));
    OK(IDirect3DVertexShader9_GetFunction(vs, NULL, &size));
    ck_assert_uint_eq(size, sizeof(test_vs));
    size--;
    REFUSED(IDirect3DVertexShader9_GetFunction(vs, tokens, &size));
    size++;
    OK(IDirect3DVertexShader9_GetFunction(vs, tokens, &size));
    ck_assert_mem_eq(tokens, test_vs, sizeof(test_vs));
    OK(IDirect3DDevice9_SetVertexShader(device, vs));
    OK(IDirect3DDevice9_GetVertexShader(device, &got));
    ck_assert_ptr_eq(got, vs);
    ck_assert_uint_eq(refs_of(vs), 2);
    release(got);
    release(vs);
    REFUSED(IDirect3DDevice9_CreateVertexShader(device, test_ps, &vs));
    ck_assert_ptr_null(vs);
    REFUSED(IDirect3DDevice9_CreatePixelShader(device, test_vs, &ps));
    REFUSED(IDirect3DDevice9_CreatePixelShader(device, dxbc, &ps));
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/shader");
    TCase *t = tcase_create("shader");

    tcase_add_loop_test(t, caps_limit_creation, 0, sizeof(limits) / sizeof(limits[0]));
    tcase_add_test(t, features);
    tcase_add_test(t, broken_rules_are_logged_once);
    tcase_add_test(t, strict_shaders);
    tcase_add_test(t, shaders);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
