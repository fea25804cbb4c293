/* Random test of ProcessVertices: drawing its output gives the same picture as direct draws, over
 * random fixed-function states. Colours are rounded to eight bits once more. */
#include "api_test.h"

#include <math.h>

enum { EDGE = 48, GRID = 5, VERTICES = GRID * GRID, TRIANGLES = 2 * (GRID - 1) * (GRID - 1) };

struct vertex {
    float position[3], weight, normal[3];
    DWORD diffuse, specular;
    float uv[2];
};

struct fixture {
    IDirect3DDevice9 *device;
    IDirect3DSurface9 *target[2], *copy;
    IDirect3DVertexBuffer9 *source, *processed;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DTexture9 *texture;
    uint32_t seed;
};

static uint32_t random32(struct fixture *f)
{
    f->seed ^= f->seed << 13;
    f->seed ^= f->seed >> 17;
    f->seed ^= f->seed << 5;
    return f->seed;
}

static float random_float(struct fixture *f, float low, float high)
{
    return low + (high - low) * (float)(random32(f) >> 8) / 16777216.0f;
}

static DWORD bits_of(float x)
{
    DWORD bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static void state(struct fixture *f, D3DRENDERSTATETYPE id, DWORD value)
{
    OK(IDirect3DDevice9_SetRenderState(f->device, id, value));
}

/* --- Scene ------------------------------------------------------------------------------------ */

/* A smooth texture, so that the last bits of coordinates do not matter. */
static void make_texture(struct fixture *f)
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(f->device, 64, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &f->texture, NULL));
    OK(IDirect3DTexture9_LockRect(f->texture, 0, &lock, NULL, 0));
    for (unsigned y = 0; y < 64; y++)
        for (unsigned x = 0; x < 64; x++) {
            DWORD texel = 0xff000000 | (x < 32 ? x : 63 - x) * 3 << 16 |
                          (y < 32 ? y : 63 - y) * 3 << 8 | 0x80;

            memcpy((char *)lock.pBits + y * (unsigned)lock.Pitch + x * 4, &texel, 4);
        }
    OK(IDirect3DTexture9_UnlockRect(f->texture, 0));
    OK(IDirect3DDevice9_SetTexture(f->device, 0, (IDirect3DBaseTexture9 *)f->texture));
    OK(IDirect3DDevice9_SetSamplerState(f->device, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR));
    OK(IDirect3DDevice9_SetSamplerState(f->device, 0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR));
}

static void make_buffers(struct fixture *f)
{
    WORD *index;

    OK(IDirect3DDevice9_CreateVertexBuffer(f->device, VERTICES * sizeof(struct vertex), 0, 0,
                                           D3DPOOL_SYSTEMMEM, &f->source, NULL));
    OK(IDirect3DDevice9_CreateVertexBuffer(f->device, VERTICES * 36, 0,
                                           D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR |
                                               D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0),
                                           D3DPOOL_SYSTEMMEM, &f->processed, NULL));
    OK(IDirect3DDevice9_CreateIndexBuffer(f->device, TRIANGLES * 6, 0, D3DFMT_INDEX16,
                                          D3DPOOL_SYSTEMMEM, &f->indices, NULL));
    OK(IDirect3DIndexBuffer9_Lock(f->indices, 0, 0, (void **)&index, 0));
    for (WORD y = 0; y + 1 < GRID; y++)
        for (WORD x = 0; x + 1 < GRID; x++) {
            WORD a = (WORD)(y * GRID + x), corners[6] = {a,
                                                         (WORD)(a + 1),
                                                         (WORD)(a + GRID),
                                                         (WORD)(a + 1),
                                                         (WORD)(a + GRID + 1),
                                                         (WORD)(a + GRID)};

            memcpy(index, corners, sizeof(corners));
            index += 6;
        }
    OK(IDirect3DIndexBuffer9_Unlock(f->indices));
    OK(IDirect3DDevice9_SetIndices(f->device, f->indices));
}

static void any_vertices(struct fixture *f)
{
    struct vertex *v;

    OK(IDirect3DVertexBuffer9_Lock(f->source, 0, 0, (void **)&v, 0));
    for (unsigned i = 0; i < VERTICES; i++, v++) {
        float x = (float)(i % GRID) / 2.0f - 1.0f, y = (float)(i / GRID) / 2.0f - 1.0f;

        *v = (struct vertex){
            .position = {x, -y, random_float(f, -0.4f, 0.4f)},
            .weight = random_float(f, 0, 1),
            .normal = {random_float(f, -1, 1), random_float(f, -1, 1), random_float(f, -1.5f, 0)},
            .diffuse = random32(f),
            .specular = random32(f),
            .uv = {random_float(f, 0, 1), random_float(f, 0, 1)},
        };
    }
    OK(IDirect3DVertexBuffer9_Unlock(f->source));
}

/* --- States ---------------------------------------------------------------------------------- */

static void any_matrix(struct fixture *f, D3DTRANSFORMSTATETYPE which, float size, float z)
{
    D3DMATRIX m;

    memset(&m, 0, sizeof(m));

    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++)
            m.m[i][j] = random_float(f, -size, size) + (i == j ? 1.0f : 0.0f);
    m.m[3][2] = z;
    m.m[3][3] = 1.0f;
    OK(IDirect3DDevice9_SetTransform(f->device, which, &m));
}

static void any_light(struct fixture *f)
{
    D3DLIGHT9 light = {.Type = 1 + random32(f) % 3,
                       .Diffuse = {0.7f, 0.6f, 0.9f, 1},
                       .Specular = {0.5f, 1, 0.25f, 1},
                       .Ambient = {0.1f, 0, 0.05f, 0},
                       .Position = {random_float(f, -2, 2), 1, 0},
                       .Direction = {random_float(f, -1, 1), random_float(f, -1, 1), 1},
                       .Range = 100,
                       .Falloff = 1,
                       .Attenuation0 = 1,
                       .Theta = 0.5f,
                       .Phi = 2.5f};
    D3DMATERIAL9 material = {
        {1, 0.8f, 0.6f, 0.5f}, {1, 1, 1, 1}, {1, 1, 1, 0.75f}, {0, 0, 0.1f, 0}, 6};

    OK(IDirect3DDevice9_SetLight(f->device, 0, &light));
    OK(IDirect3DDevice9_LightEnable(f->device, 0, TRUE));
    OK(IDirect3DDevice9_SetMaterial(f->device, &material));
}

struct coordinates {
    DWORD index, transform;
};

static struct coordinates any_state(struct fixture *f)
{
    static const struct coordinates coordinates[] = {
        {0, D3DTTFF_DISABLE},
        {0, D3DTTFF_COUNT2},
        {0, D3DTTFF_COUNT3 | D3DTTFF_PROJECTED},
        {D3DTSS_TCI_CAMERASPACEPOSITION, D3DTTFF_DISABLE},
        {D3DTSS_TCI_CAMERASPACENORMAL, D3DTTFF_COUNT2},
        {D3DTSS_TCI_SPHEREMAP, D3DTTFF_DISABLE},
    };
    D3DMATRIX projection = {
        .m = {{1.4f, 0, 0, 0}, {0, 1.4f, 0, 0}, {0, 0, 1.005f, 1}, {0, 0, -0.1f, 0}}};

    any_matrix(f, D3DTS_WORLDMATRIX(0), 0.3f, 0);
    any_matrix(f, D3DTS_WORLDMATRIX(1), 0.3f, 0);
    any_matrix(f, D3DTS_VIEW, 0.2f, 1.8f);
    any_matrix(f, D3DTS_TEXTURE0, 0.3f, 0.4f);
    OK(IDirect3DDevice9_SetTransform(f->device, D3DTS_PROJECTION, &projection));
    any_light(f);
    state(f, D3DRS_LIGHTING, random32(f) & 1);
    state(f, D3DRS_SPECULARENABLE, random32(f) & 1);
    state(f, D3DRS_LOCALVIEWER, random32(f) & 1);
    state(f, D3DRS_NORMALIZENORMALS, random32(f) & 1);
    state(f, D3DRS_COLORVERTEX, random32(f) & 1);
    state(f, D3DRS_AMBIENT, random32(f) & 0x3f3f3f);
    state(f, D3DRS_VERTEXBLEND, random32(f) & 1);
    state(f, D3DRS_FOGENABLE, random32(f) & 1);
    state(f, D3DRS_FOGVERTEXMODE, 1 + random32(f) % 3);
    state(f, D3DRS_RANGEFOGENABLE, random32(f) & 1);
    state(f, D3DRS_FOGCOLOR, random32(f));
    state(f, D3DRS_FOGSTART, bits_of(1.0f));
    state(f, D3DRS_FOGEND, bits_of(3.0f));
    state(f, D3DRS_FOGDENSITY, bits_of(0.4f));
    return coordinates[random32(f) % 6];
}

/* --- Comparison ------------------------------------------------------------------------------- */

static void coordinates(struct fixture *f, DWORD index, DWORD transform)
{
    OK(IDirect3DDevice9_SetTextureStageState(f->device, 0, D3DTSS_TEXCOORDINDEX, index));
    OK(IDirect3DDevice9_SetTextureStageState(f->device, 0, D3DTSS_TEXTURETRANSFORMFLAGS,
                                             transform));
}

static void draw(struct fixture *f, unsigned target)
{
    OK(IDirect3DDevice9_SetRenderTarget(f->device, 0, f->target[target]));
    OK(IDirect3DDevice9_Clear(f->device, 0, NULL, D3DCLEAR_TARGET, 0x01020304, 0, 0));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(f->device, D3DPT_TRIANGLELIST, 0, 0, VERTICES, 0,
                                             TRIANGLES));
}

static void draw_source(struct fixture *f, struct coordinates c)
{
    OK(IDirect3DDevice9_SetFVF(f->device, D3DFVF_XYZB1 | D3DFVF_NORMAL | D3DFVF_DIFFUSE |
                                              D3DFVF_SPECULAR | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetStreamSource(f->device, 0, f->source, 0, sizeof(struct vertex)));
    coordinates(f, c.index, c.transform);
    draw(f, 0);
}

static void draw_processed(struct fixture *f, struct coordinates c)
{
    bool divided = c.transform & D3DTTFF_PROJECTED;

    OK(IDirect3DDevice9_ProcessVertices(f->device, 0, 0, VERTICES, f->processed, NULL, 0));
    OK(IDirect3DDevice9_SetFVF(f->device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR |
                                              D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0)));
    OK(IDirect3DDevice9_SetStreamSource(f->device, 0, f->processed, 0, 36));
    coordinates(f, 0, divided ? D3DTTFF_COUNT3 | D3DTTFF_PROJECTED : D3DTTFF_DISABLE);
    draw(f, 1);
}

static void read_back(struct fixture *f, unsigned target, uint8_t out[EDGE][EDGE][4])
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_GetRenderTargetData(f->device, f->target[target], f->copy));
    OK(IDirect3DSurface9_LockRect(f->copy, &lock, NULL, D3DLOCK_READONLY));
    for (unsigned y = 0; y < EDGE; y++)
        memcpy(out[y], (char *)lock.pBits + y * (unsigned)lock.Pitch, sizeof(out[y]));
    OK(IDirect3DSurface9_UnlockRect(f->copy));
}

/* Positions are rounded to floats in the buffer, which may move a vertex by 1/256 pixel: edges may
 * gain or lose a pixel. */
static void compare(struct fixture *f, unsigned round)
{
    static uint8_t at_once[EDGE][EDGE][4], processed[EDGE][EDGE][4];
    unsigned drawn = 0, on_edges = 0;

    read_back(f, 0, at_once);
    read_back(f, 1, processed);
    for (unsigned y = 0; y < EDGE; y++)
        for (unsigned x = 0; x < EDGE; x++) {
            unsigned most = 0;

            for (unsigned c = 0; c < 4; c++) {
                unsigned off = (unsigned)abs(at_once[y][x][c] - processed[y][x][c]);

                most = off > most ? off : most;
            }
            drawn += at_once[y][x][3] != 1;
            on_edges += most > 3;
        }
    ck_assert_uint_gt(drawn, 100);
    ck_assert_msg(on_edges <= 2, "round %u: %u pixels differ", round, on_edges);
}

static void open_fixture(struct fixture *f)
{
    f->device = create_device();
    for (unsigned i = 0; i < 2; i++)
        OK(IDirect3DDevice9_CreateRenderTarget(f->device, EDGE, EDGE, D3DFMT_A8R8G8B8,
                                               D3DMULTISAMPLE_NONE, 0, FALSE, &f->target[i], NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(f->device, EDGE, EDGE, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &f->copy, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(f->device, 0, f->target[0]));
    make_texture(f);
    make_buffers(f);
    state(f, D3DRS_ZENABLE, FALSE);
    state(f, D3DRS_CULLMODE, D3DCULL_NONE);
}

static void close_fixture(struct fixture *f)
{
    release(f->source);
    release(f->processed);
    release(f->indices);
    release(f->texture);
    release(f->copy);
    release(f->target[0]);
    release(f->target[1]);
    release(f->device);
}

START_TEST(same_picture)
{
    struct fixture f = {.seed = 77 + (uint32_t)_i};

    open_fixture(&f);
    for (unsigned round = 0; round < 150; round++) {
        struct coordinates c = any_state(&f);

        any_vertices(&f);
        draw_source(&f, c);
        draw_processed(&f, c);
        compare(&f, round);
    }
    close_fixture(&f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/process_vertices");
    TCase *tc = tcase_create("process");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, same_picture, 0, 3);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
