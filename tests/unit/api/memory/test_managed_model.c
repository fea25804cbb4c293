/* Random test of managed textures against a model with two memories and a list of dirty boxes
 * (reference: locks/managed, locks/dirty): locks, AddDirtyRect, PreLoad, EvictManagedResources and
 * draws. */
#include "api_test.h"

enum { EDGE = 16, LEVELS = 3, STEPS = 400, SEEDS = 12, KEPT_APART = 8 };

struct vertex {
    float x, y, z, rhw, u, v;
};

struct model {
    uint64_t random;
    IDirect3DDevice9 *device;
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *target; /* EDGE × EDGE, lockable */
    DWORD system[LEVELS][EDGE * EDGE], shown[LEVELS][EDGE * EDGE];
    RECT dirty[KEPT_APART];
    unsigned n_dirty;
};

static uint32_t below(struct model *m, uint32_t n)
{
    m->random ^= m->random >> 12;
    m->random ^= m->random << 25;
    m->random ^= m->random >> 27;
    return (uint32_t)(m->random * UINT64_C(0x2545f4914f6cdd1d) >> 32) % n;
}

static int edge_of(int level)
{
    return EDGE >> level;
}

static RECT rect_in(struct model *m, int edge)
{
    LONG x = (LONG)below(m, (uint32_t)edge), y = (LONG)below(m, (uint32_t)edge);

    return (RECT){x, y, x + 1 + (LONG)below(m, (uint32_t)(edge - x)),
                  y + 1 + (LONG)below(m, (uint32_t)(edge - y))};
}

/* --- Model ------------------------------------------------------------------------------------ */

static bool model_upload(struct model *m)
{
    bool any = m->n_dirty > 0;

    for (int level = 0; level < LEVELS; level++)
        for (unsigned i = 0; i < m->n_dirty; i++) {
            const RECT *d = &m->dirty[i];
            LONG up = (1 << level) - 1;

            for (LONG y = d->top >> level; y < (d->bottom + up) >> level; y++)
                for (LONG x = d->left >> level; x < (d->right + up) >> level; x++)
                    m->shown[level][y * EDGE + x] = m->system[level][y * EDGE + x];
        }
    m->n_dirty = 0;
    return any;
}

static void model_all_dirty(struct model *m)
{
    m->dirty[0] = (RECT){0, 0, EDGE, EDGE};
    m->n_dirty = 1;
}

/* --- Operations on both ----------------------------------------------------------------------- */

static void do_lock(struct model *m)
{
    int level = (int)below(m, LEVELS);
    RECT r = rect_in(m, edge_of(level));
    DWORD colour = below(m, 0x1000000) | 0xff000000;
    bool hide = below(m, 3) != 0 || m->n_dirty == KEPT_APART;
    D3DLOCKED_RECT lock;

    OK(IDirect3DTexture9_LockRect(m->texture, (UINT)level, &lock, &r,
                                  hide ? D3DLOCK_NO_DIRTY_UPDATE : 0));
    for (LONG y = r.top; y < r.bottom; y++)
        for (LONG x = r.left; x < r.right; x++) {
            DWORD *row = (DWORD *)(void *)((char *)lock.pBits + (y - r.top) * lock.Pitch);

            row[x - r.left] = colour + (DWORD)(y * EDGE + x);
            m->system[level][y * EDGE + x] = colour + (DWORD)(y * EDGE + x);
        }
    OK(IDirect3DTexture9_UnlockRect(m->texture, (UINT)level));
    if (!hide)
        m->dirty[m->n_dirty++] =
            (RECT){r.left << level, r.top << level, r.right << level, r.bottom << level};
}

static void do_dirty(struct model *m)
{
    RECT r = rect_in(m, EDGE);

    if (m->n_dirty == KEPT_APART)
        return;
    if (!below(m, 6)) {
        OK(IDirect3DTexture9_AddDirtyRect(m->texture, NULL));
        model_all_dirty(m);
        return;
    }
    OK(IDirect3DTexture9_AddDirtyRect(m->texture, &r));
    m->dirty[m->n_dirty++] = r;
}

static void draw(struct model *m, int level)
{
    float e = EDGE - 0.5f;
    const struct vertex quad[] = {{-0.5f, -0.5f, 0, 1, 0, 0},
                                  {e, -0.5f, 0, 1, 1, 0},
                                  {-0.5f, e, 0, 1, 0, 1},
                                  {e, e, 0, 1, 1, 1}};

    OK(IDirect3DDevice9_SetSamplerState(m->device, 0, D3DSAMP_MAXMIPLEVEL, (DWORD)level));
    OK(IDirect3DDevice9_BeginScene(m->device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(m->device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])));
    OK(IDirect3DDevice9_EndScene(m->device));
}

static void look(struct model *m, int seed, int step)
{
    int level = (int)below(m, LEVELS);
    D3DLOCKED_RECT lock;

    draw(m, level);
    model_upload(m);
    OK(IDirect3DSurface9_LockRect(m->target, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < EDGE; y++)
        for (int x = 0; x < EDGE; x++) {
            DWORD got = ((DWORD *)(void *)((char *)lock.pBits + y * lock.Pitch))[x];
            DWORD want = m->shown[level][(y >> level) * EDGE + (x >> level)];

            ck_assert_msg(got == want, "seed %d step %d level %d at %d,%d: %08x, not %08x", seed,
                          step, level, x, y, (unsigned)got, (unsigned)want);
        }
    OK(IDirect3DSurface9_UnlockRect(m->target));
}

static void step(struct model *m, int seed, int n)
{
    switch (below(m, 8)) {
    case 0:
    case 1:
    case 2:
        do_lock(m);
        break;
    case 3:
        do_dirty(m);
        break;
    case 4:
        draw(m, (int)below(m, LEVELS)); /* without reading back: the draw may stay queued */
        model_upload(m);
        break;
    case 5:
        if (!below(m, 6)) {
            OK(IDirect3DDevice9_EvictManagedResources(m->device));
            model_all_dirty(m);
        } else {
            IDirect3DTexture9_PreLoad(m->texture);
            model_upload(m);
        }
        break;
    default:
        look(m, seed, n);
    }
}

START_TEST(model)
{
    struct model m = {.random = (uint64_t)(_i + 1) * UINT64_C(0x9e3779b97f4a7c15)};

    m.device = create_device();
    OK(IDirect3DDevice9_CreateTexture(m.device, EDGE, EDGE, LEVELS, 0, D3DFMT_A8R8G8B8,
                                      D3DPOOL_MANAGED, &m.texture, NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(m.device, EDGE, EDGE, D3DFMT_A8R8G8B8, 0, 0, TRUE,
                                           &m.target, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(m.device, 0, m.target));
    OK(IDirect3DDevice9_SetDepthStencilSurface(m.device, NULL));
    OK(IDirect3DDevice9_SetFVF(m.device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetTextureStageState(m.device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(m.device, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetSamplerState(m.device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT));
    OK(IDirect3DDevice9_SetTexture(m.device, 0, (IDirect3DBaseTexture9 *)m.texture));
    model_all_dirty(&m);
    for (int n = 0; n < STEPS; n++)
        step(&m, _i, n);
    release(m.target);
    release(m.texture);
    ck_assert_uint_eq(release(m.device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/managed_model");
    TCase *tc = tcase_create("model");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, model, 0, SEEDS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
