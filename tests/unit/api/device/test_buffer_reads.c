/* Tests of the time at which draws read vertex and index buffers (reference: locks/read-time): for
 * every kind of device, pool, usage, lock and buffer, the program rewrites the same place between
 * draws, and each draw shows what the place held when it was called. */
#include "api_test.h"

enum { DRAWS = 160, HEAVY = 8000, STRIDE = 20 };

struct vertex {
    float x, y, z, w;
    DWORD colour;
};

/* --- Scenes ----------------------------------------------------------------------------------- */

/* A device whose render thread lags behind its program. */
static IDirect3DDevice9 *make_device(DWORD flags)
{
    IDirect3DDevice9 *device;

    setenv("NOVEM_THREADS", "3", 1);
    device = create_device_flags(flags);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    return device;
}

/* Clears the target and keeps the render thread busy. */
static void draw_much(IDirect3DDevice9 *device)
{
    struct vertex *v = calloc(3 * HEAVY, sizeof(*v));

    for (unsigned i = 0; i < 3 * HEAVY; i++)
        v[i] = (struct vertex){i % 3 == 1 ? 64.0f : -1.0f, i % 3 == 2 ? -64.0f : -1.0f, 0, 1, 0};
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, HEAVY, v, sizeof(*v)));
    free(v);
}

/* A pixel wide and high, in column i. */
static void quad(struct vertex v[4], unsigned i, DWORD colour)
{
    float x = (float)i - 0.5f;

    for (unsigned k = 0; k < 4; k++)
        v[k] = (struct vertex){x + (float)(k & 1), 9.5f + (float)(k >> 1), 0, 1, colour};
}

static DWORD colour_of(unsigned i)
{
    return 0xff000000 | (i * 0x01030507 + 1);
}

/* The number of draws that did not show their own contents. */
static unsigned count_wrong(IDirect3DDevice9 *device)
{
    IDirect3DSurface9 *target, *copy;
    D3DLOCKED_RECT lock;
    unsigned wrong = 0;

    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    OK(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY));
    for (unsigned i = 0; i < DRAWS; i++)
        wrong += ((DWORD *)((uint8_t *)lock.pBits + 10 * (size_t)lock.Pitch))[i] != colour_of(i);
    OK(IDirect3DSurface9_UnlockRect(copy));
    release(copy);
    release(target);
    return wrong;
}

/* --- What is rewritten ------------------------------------------------------------------------ */

struct kind {
    D3DPOOL pool;
    DWORD usage, lock;
    bool stays_locked; /* the first lock stays open during all draws */
    UINT at;           /* the place, in vertices or indices of a larger buffer */
};

static void *lock_again(IDirect3DVertexBuffer9 *buffer, DWORD flags, UINT at, UINT bytes)
{
    void *data = NULL;
    HRESULT hr;

    do
        hr = IDirect3DVertexBuffer9_Lock(buffer, at, bytes, &data, flags);
    while (hr == D3DERR_WASSTILLDRAWING);
    OK(hr);
    return data;
}

enum { BUFFER_VERTICES = 4000, BUFFER_INDICES = 20000 };

static unsigned rewrite_vertices(IDirect3DDevice9 *device, const struct kind *kind)
{
    IDirect3DVertexBuffer9 *buffer;
    struct vertex *v = NULL;
    unsigned wrong;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, BUFFER_VERTICES * STRIDE, kind->usage, 0,
                                           kind->pool, &buffer, NULL));
    draw_much(device);
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, STRIDE));
    for (unsigned i = 0; i < DRAWS; i++) {
        if (!kind->stays_locked || !i)
            v = lock_again(buffer, kind->lock, kind->at * STRIDE, 4 * STRIDE);
        quad(v, i, colour_of(i));
        if (!kind->stays_locked)
            OK(IDirect3DVertexBuffer9_Unlock(buffer));
        OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, kind->at, 2));
    }
    for (unsigned k = 0; k < 4 && kind->stays_locked; k++)
        v[k].x = -9.0f;
    if (kind->stays_locked)
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
    wrong = count_wrong(device);
    release(buffer);
    return wrong;
}

static unsigned rewrite_indices(IDirect3DDevice9 *device, const struct kind *kind)
{
    IDirect3DVertexBuffer9 *buffer;
    IDirect3DIndexBuffer9 *indices;
    struct vertex *v;
    uint16_t *index = NULL;
    unsigned wrong;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 4 * DRAWS * STRIDE, 0, 0, D3DPOOL_DEFAULT,
                                           &buffer, NULL));
    v = lock_again(buffer, 0, 0, 0);
    for (unsigned i = 0; i < DRAWS; i++)
        quad(v + 4 * (size_t)i, i, colour_of(i));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_CreateIndexBuffer(device, BUFFER_INDICES * 2, kind->usage, D3DFMT_INDEX16,
                                          kind->pool, &indices, NULL));
    draw_much(device);
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, STRIDE));
    OK(IDirect3DDevice9_SetIndices(device, indices));
    for (unsigned i = 0; i < DRAWS; i++) {
        if (!kind->stays_locked || !i)
            index = lock_again((IDirect3DVertexBuffer9 *)indices, kind->lock, kind->at * 2, 8);
        for (unsigned k = 0; k < 4; k++)
            index[k] = (uint16_t)(4 * i + k);
        if (!kind->stays_locked)
            OK(IDirect3DIndexBuffer9_Unlock(indices));
        OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 0, 4 * DRAWS,
                                                 kind->at, 2));
    }
    if (kind->stays_locked)
        OK(IDirect3DIndexBuffer9_Unlock(indices));
    wrong = count_wrong(device);
    release(indices);
    release(buffer);
    return wrong;
}

/* --- All kinds -------------------------------------------------------------------------------- */

enum { DEVICES = 4 };
static const DWORD device_flags[DEVICES] = {D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                            D3DCREATE_MIXED_VERTEXPROCESSING,
                                            D3DCREATE_MIXED_VERTEXPROCESSING, /* in software mode */
                                            D3DCREATE_SOFTWARE_VERTEXPROCESSING};
static const D3DPOOL pools[] = {D3DPOOL_DEFAULT, D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM};
static const DWORD usages[] = {0, D3DUSAGE_DYNAMIC, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
                               D3DUSAGE_DYNAMIC | D3DUSAGE_SOFTWAREPROCESSING};
static const DWORD locks[] = {0,
                              D3DLOCK_NOOVERWRITE,
                              D3DLOCK_DISCARD,
                              D3DLOCK_NOOVERWRITE | D3DLOCK_DISCARD,
                              D3DLOCK_READONLY,
                              D3DLOCK_DONOTWAIT};

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

/* Draws that may see later contents: hardware reads a dynamic DEFAULT buffer when the draw runs. */
static bool may_be_late(int device, const struct kind *kind)
{
    bool software_buffer = device == 3 || (device && (kind->usage & D3DUSAGE_SOFTWAREPROCESSING));

    if (kind->pool != D3DPOOL_DEFAULT || software_buffer)
        return false;
    return kind->stays_locked ||
           ((kind->lock & D3DLOCK_NOOVERWRITE) && (kind->usage & D3DUSAGE_DYNAMIC) && device != 2);
}

START_TEST(draws_read_what_they_were_called_with)
{
    IDirect3DDevice9 *device = make_device(device_flags[_i]);

    if (_i == 2)
        OK(IDirect3DDevice9_SetSoftwareVertexProcessing(device, TRUE));
    for (size_t n = 0; n < COUNT(pools) * COUNT(usages) * COUNT(locks) * 2; n++) {
        struct kind kind = {pools[n % COUNT(pools)], usages[n / COUNT(pools) % COUNT(usages)],
                            locks[n / COUNT(pools) / COUNT(usages) % COUNT(locks)],
                            n >= COUNT(pools) * COUNT(usages) * COUNT(locks), n % 2 ? 1000 : 0};

        if (may_be_late(_i, &kind))
            continue;
        ck_assert_msg(!rewrite_vertices(device, &kind), "vertices: pool %d usage %x lock %x %d",
                      kind.pool, kind.usage, kind.lock, kind.stays_locked);
        ck_assert_msg(!rewrite_indices(device, &kind), "indices: pool %d usage %x lock %x %d",
                      kind.pool, kind.usage, kind.lock, kind.stays_locked);
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* A draw that was called needs the buffer no more, so DONOTWAIT has nothing to refuse. */
START_TEST(locks_are_never_refused)
{
    IDirect3DDevice9 *device = make_device(D3DCREATE_HARDWARE_VERTEXPROCESSING);
    IDirect3DVertexBuffer9 *buffer;
    void *data;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 4 * STRIDE, D3DUSAGE_DYNAMIC, 0,
                                           _i ? D3DPOOL_MANAGED : D3DPOOL_SYSTEMMEM, &buffer,
                                           NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, STRIDE));
    for (unsigned i = 0; i < 3; i++) {
        draw_much(device);
        OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, STRIDE));
        OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2));
        OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &data, D3DLOCK_DONOTWAIT));
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
    }
    release(buffer);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Ranges ----------------------------------------------------------------------------------- */

static unsigned random_state;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * 1103515245u + 12345u;
    return random_state / 65536u % limit;
}

/* Random draws from two streams and an index buffer in system memory, and the same with one thread:
 * all vertices that any index, base, offset or divider reaches are the ones of the call. */
static void draw_randomly(const char *threads, DWORD *out)
{
    static const struct {
        WORD stream, offset;
        BYTE type, method, usage, index;
    } elements[] = {{0, 4, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
                    {1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
                    {0xff, 0, D3DDECLTYPE_UNUSED, 0, 0, 0}};
    enum { VERTICES = 300, INDICES = 500, STEPS = 400 };
    IDirect3DVertexDeclaration9 *decl;
    IDirect3DVertexBuffer9 *places, *colours;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DSurface9 *target, *copy;
    IDirect3DDevice9 *device;
    D3DLOCKED_RECT lock;
    void *data;

    random_state = 7;

    device = make_device(D3DCREATE_MIXED_VERTEXPROCESSING);
    release(device);
    setenv("NOVEM_THREADS", threads, 1);
    device = create_device();
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, (const D3DVERTEXELEMENT9 *)elements,
                                                &decl));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, decl));
    OK(IDirect3DDevice9_CreateVertexBuffer(device, VERTICES * 20, D3DUSAGE_DYNAMIC, 0,
                                           D3DPOOL_SYSTEMMEM, &places, NULL));
    OK(IDirect3DDevice9_CreateVertexBuffer(device, VERTICES * 4, D3DUSAGE_DYNAMIC, 0,
                                           D3DPOOL_SYSTEMMEM, &colours, NULL));
    OK(IDirect3DDevice9_CreateIndexBuffer(device, INDICES * 4, 0, D3DFMT_INDEX32, D3DPOOL_SYSTEMMEM,
                                          &indices, NULL));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    for (unsigned i = 0; i < STEPS; i++) {
        UINT first = random_below(VERTICES), n = 1 + random_below(20),
             up[3] = {random_below(9), random_below(99), 3};
        float point[3][6];

        n = n < VERTICES - first ? n : VERTICES - first;
        OK(IDirect3DVertexBuffer9_Lock(places, first * 20, n * 20, &data, D3DLOCK_NOOVERWRITE));
        for (UINT k = 0; k < n; k++)
            memcpy((uint8_t *)data + 20 * (size_t)k + 4,
                   (float[]){(float)random_below(640), (float)random_below(480), 0, 1}, 16);
        OK(IDirect3DVertexBuffer9_Unlock(places));
        OK(IDirect3DVertexBuffer9_Lock(colours, first * 4, n * 4, &data, D3DLOCK_NOOVERWRITE));
        for (UINT k = 0; k < n; k++)
            ((DWORD *)data)[k] = random_below(0x1000000);
        OK(IDirect3DVertexBuffer9_Unlock(colours));
        OK(IDirect3DIndexBuffer9_Lock(indices, 4 * random_below(INDICES), 4, &data, 0));
        *(DWORD *)data = random_below(VERTICES + 20);
        OK(IDirect3DIndexBuffer9_Unlock(indices));
        OK(IDirect3DDevice9_SetStreamSource(device, 0, places, 20 * random_below(3), 20));
        OK(IDirect3DDevice9_SetStreamSource(device, 1, colours, 4 * random_below(3),
                                            4 * random_below(2)));
        OK(IDirect3DDevice9_SetIndices(device, indices));
        OK(IDirect3DDevice9_SetStreamSourceFreq(
            device, 0, random_below(4) ? 1 : D3DSTREAMSOURCE_INDEXEDDATA | 2));
        OK(IDirect3DDevice9_SetStreamSourceFreq(
            device, 1, random_below(4) ? 1 : D3DSTREAMSOURCE_INSTANCEDATA | 1));
        switch (random_below(4)) {
        case 0:
            OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, first,
                                              1 + random_below(9)));
            break;
        case 1: /* the program declares too few vertices */
            OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP,
                                                     (INT)random_below(9) - 4, 0, 3,
                                                     random_below(INDICES), 1 + random_below(30)));
            break;
        default:
            for (int k = 0; k < 3; k++)
                memcpy(point[k],
                       (float[]){0, (float)random_below(640), (float)random_below(480), 0, 1, 0},
                       24);
            if (random_below(2))
                OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, point, 24));
            else
                OK(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 100, 1,
                                                           up, D3DFMT_INDEX32, (float[100][6]){{0}},
                                                           24));
        }
    }
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    OK(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY));
    memcpy(out, lock.pBits, 640 * 480 * 4);
    OK(IDirect3DSurface9_UnlockRect(copy));
    release(copy);
    release(target);
    release(places);
    release(colours);
    release(indices);
    release(decl);
    ck_assert_uint_eq(release(device), 0);
}

START_TEST(ranges_are_complete)
{
    static DWORD one[640 * 480], many[640 * 480];

    draw_randomly("1", one);
    draw_randomly("3", many);
    ck_assert_mem_eq(one, many, sizeof(one));
}
END_TEST

/* --- ProcessVertices -------------------------------------------------------------------------- */

/* ProcessVertices reads and writes buffers that are staged: what the program wrote elsewhere in the
 * destination stays, and the result is there at once. */
START_TEST(process_vertices_keeps_the_rest)
{
    IDirect3DDevice9 *device = make_device(D3DCREATE_SOFTWARE_VERTEXPROCESSING);
    IDirect3DVertexBuffer9 *from, *to;
    struct vertex *v;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 8 * STRIDE, D3DUSAGE_DYNAMIC,
                                           D3DFVF_XYZRHW | D3DFVF_DIFFUSE, D3DPOOL_SYSTEMMEM, &from,
                                           NULL));
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 8 * STRIDE, D3DUSAGE_DYNAMIC,
                                           D3DFVF_XYZRHW | D3DFVF_DIFFUSE, D3DPOOL_SYSTEMMEM, &to,
                                           NULL));
    for (unsigned round = 0; round < 20; round++) {
        draw_much(device);
        for (unsigned which = 0; which < 2; which++) { /* both become staged */
            IDirect3DVertexBuffer9 *buffer = which ? to : from;

            v = lock_again(buffer, D3DLOCK_NOOVERWRITE, 0, 0);
            for (unsigned i = 0; i < 8; i++)
                v[i] = (struct vertex){(float)i, (float)round, 0, 1, which + round};
            OK(IDirect3DVertexBuffer9_Unlock(buffer));
            OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, STRIDE));
            OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_POINTLIST, 0, 1));
        }
        OK(IDirect3DDevice9_SetStreamSource(device, 0, from, 0, STRIDE));
        OK(IDirect3DDevice9_ProcessVertices(device, 2, 3, 2, to, NULL, 0));
        v = lock_again(to, D3DLOCK_READONLY, 0, 0);
        for (unsigned i = 0; i < 8; i++) {
            bool written = i == 3 || i == 4;

            ck_assert_float_eq(v[i].x, written ? (float)i - 1 : (float)i);
            ck_assert_uint_eq(v[i].colour, written ? round : 1 + round);
        }
        OK(IDirect3DVertexBuffer9_Unlock(to));
    }
    release(from);
    release(to);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/buffer_reads");
    TCase *tc = tcase_create("reads");

    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, draws_read_what_they_were_called_with, 0, DEVICES);
    tcase_add_loop_test(tc, locks_are_never_refused, 0, 2);
    tcase_add_test(tc, ranges_are_complete);
    tcase_add_test(tc, process_vertices_keeps_the_rest);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
