/* A capture for the tests of frames: hostile markers, fixed function, shaders with a constant
 * table, a texture with levels, a copy. */
#ifndef TEST_FRAME_CAPTURE_H
#define TEST_FRAME_CAPTURE_H

#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/frame/answer.h"
#include "tool/frame/frame.h"
#include "util/alloc.h"
#include "util/log.h"
#include "vm/vm.h"

enum { WIDTH = 32, HEIGHT = 16, FRAMES = 3 };

static char path[64];

/* "</script>", quotes, half a pair of surrogates, a pair (U+1F600), a control character. */
static const uint16_t hostile[] = {'<', '/',  's',  'c',    'r', 'i',    'p',    't', '>',
                                   '"', '\'', '\\', 0xd800, 'x', 0xd83d, 0xde00, 7,   0};
static const char hostile_text[] = "</script>\"'\\\xef\xbf\xbdx\xf0\x9f\x98\x80\a";

/* --- Shaders with a constant table ------------------------------------------------------------ */

static inline void put_word(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

/* A table of "shade" (c0 and c1) and of one sampler, "map"; returns its words with the comment. */
static inline unsigned make_table(uint32_t words[32])
{
    uint8_t *table = (uint8_t *)(words + 2);
    const struct {
        const char *name;
        uint16_t set, first, n;
    } entries[] = {{"shade", 2, 0, 2}, {"map", 3, 0, 1}};
    unsigned strings = 28 + 2 * 20;

    memset(words, 0, 32 * sizeof(*words));
    put_word(table, 28);
    put_word(table + 4, strings); /* the creator; any text */
    put_word(table + 12, 2);
    put_word(table + 16, 28);
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *info = table + 28 + 20 * i;

        put_word(info, strings);
        put_word(info + 4, entries[i].set | (uint32_t)entries[i].first << 16);
        put_word(info + 8, entries[i].n);
        strcpy((char *)table + strings, entries[i].name);
        strings += (unsigned)strlen(entries[i].name) + 1;
    }
    words[0] = 0xfffe | (1 + (strings + 3) / 4) << 16;
    words[1] = 0x42415443;
    return 2 + (strings + 3) / 4;
}

/* Assembles a shader and puts the table behind its version. The caller frees it with mem_free. */
static inline uint32_t *make_shader(const char *text, size_t *n)
{
    uint32_t *plain, *words, table[32];
    unsigned more = make_table(table);

    ck_assert_int_eq(vm_assemble(&plain, n, text, NULL), ST_OK);
    words = mem_alloc((*n + more) * sizeof(*words));
    words[0] = plain[0];
    memcpy(words + 1, table, more * sizeof(*words));
    memcpy(words + 1 + more, plain + 1, (*n - 1) * sizeof(*words));
    *n += more;
    mem_free(plain);
    return words;
}

/* --- The program ------------------------------------------------------------------------------ */

struct vertex {
    float x, y, z;
    D3DCOLOR colour;
    float u, v;
};

static const struct vertex square[4] = {{-1, -1, 0.5f, 0xffff0000, 0, 1},
                                        {-1, 1, 0.5f, 0xff00ff00, 0, 0},
                                        {1, -1, 0.5f, 0xff0000ff, 1, 1},
                                        {1, 1, 0.25f, 0xffffffff, 1, 0}};

struct program {
    IDirect3DDevice9 *device;
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DTexture9 *texture, *target;
    IDirect3DPixelShader9 *shader;
};

static inline void fill_resources(struct program *p)
{
    static const uint16_t order[6] = {0, 1, 2, 2, 1, 3};
    D3DLOCKED_RECT lock;
    void *at;

    OK(IDirect3DVertexBuffer9_Lock(p->vertices, 0, 0, &at, 0));
    memcpy(at, square, sizeof(square));
    OK(IDirect3DVertexBuffer9_Unlock(p->vertices));
    OK(IDirect3DIndexBuffer9_Lock(p->indices, 0, 0, &at, 0));
    memcpy(at, order, sizeof(order));
    OK(IDirect3DIndexBuffer9_Unlock(p->indices));
    for (unsigned level = 0; level < 2; level++) {
        OK(IDirect3DTexture9_LockRect(p->texture, level, &lock, NULL, 0));
        for (unsigned y = 0; y < 4u >> level; y++)
            memset((uint8_t *)lock.pBits + y * (size_t)lock.Pitch, 0x40 + 0x40 * (int)level,
                   (4u >> level) * 4);
        OK(IDirect3DTexture9_UnlockRect(p->texture, level));
    }
}

static inline void create_resources(struct program *p)
{
    size_t n;
    uint32_t *words = make_shader("ps_2_0\ndcl v0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\n"
                                  "mad r0, r0, c0, c1\nmov oC0, r0\n",
                                  &n);

    OK(IDirect3DDevice9_CreateVertexBuffer(p->device, sizeof(square), D3DUSAGE_WRITEONLY, 0,
                                           D3DPOOL_MANAGED, &p->vertices, NULL));
    OK(IDirect3DDevice9_CreateIndexBuffer(p->device, 12, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED,
                                          &p->indices, NULL));
    OK(IDirect3DDevice9_CreateTexture(p->device, 4, 4, 2, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &p->texture, NULL));
    OK(IDirect3DDevice9_CreateTexture(p->device, WIDTH, HEIGHT, 1, D3DUSAGE_RENDERTARGET,
                                      D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &p->target, NULL));
    OK(IDirect3DDevice9_CreatePixelShader(p->device, (const DWORD *)words, &p->shader));
    mem_free(words);
    fill_resources(p);
}

/* The calls of a frame, in this order: markers, clear, two draws, a copy. */
static inline void draw_frame(struct program *p)
{
    static const float shade[2][4] = {{1, 0.5f, 0.25f, 1}, {0.125f, 0, 0, 0}};
    IDirect3DDevice9 *d = p->device;
    IDirect3DSurface9 *back, *surface;

    OK(IDirect3DDevice9_GetRenderTarget(d, 0, &back));
    OK(IDirect3DTexture9_GetSurfaceLevel(p->target, 0, &surface));
    OK(IDirect3DDevice9_BeginScene(d));
    D3DPERF_BeginEvent(0xff102030, (const WCHAR *)hostile);
    OK(IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff204060, 1, 0));
    OK(IDirect3DDevice9_SetPixelShader(d, NULL));
    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_ZFUNC, D3DCMP_LESSEQUAL));
    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_ZWRITEENABLE, TRUE));
    OK(IDirect3DDevice9_DrawPrimitive(d, D3DPT_TRIANGLESTRIP, 0, 2));
    D3DPERF_SetMarker(0xffff8000, (const WCHAR *)hostile);
    OK(IDirect3DDevice9_SetPixelShader(d, p->shader));
    OK(IDirect3DDevice9_SetPixelShaderConstantF(d, 0, shade[0], 2));
    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_ZFUNC, D3DCMP_ALWAYS));
    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_ZWRITEENABLE, FALSE));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(d, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2));
    D3DPERF_EndEvent();
    OK(IDirect3DDevice9_EndScene(d));
    OK(IDirect3DDevice9_StretchRect(d, back, NULL, surface, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_Present(d, NULL, NULL, NULL, NULL));
    release(surface);
    release(back);
}

static inline void run_program(void)
{
    D3DPRESENT_PARAMETERS parameters = test_parameters();
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    struct program p = {0};

    parameters.BackBufferWidth = WIDTH;
    parameters.BackBufferHeight = HEIGHT;
    parameters.SwapEffect = D3DSWAPEFFECT_COPY;
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &parameters, &p.device));
    create_resources(&p);
    OK(IDirect3DDevice9_SetFVF(p.device, D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetRenderState(p.device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(p.device, D3DRS_CULLMODE, D3DCULL_NONE));
    OK(IDirect3DDevice9_SetStreamSource(p.device, 0, p.vertices, 0, sizeof(square[0])));
    OK(IDirect3DDevice9_SetIndices(p.device, p.indices));
    OK(IDirect3DDevice9_SetTexture(p.device, 0, (IDirect3DBaseTexture9 *)p.texture));
    for (unsigned frame = 0; frame < FRAMES; frame++)
        draw_frame(&p);
    release(p.vertices);
    release(p.indices);
    release(p.target);
    release(p.shader);
    OK(IDirect3DDevice9_SetTexture(p.device, 0, NULL));
    release(p.texture);
    ck_assert_uint_eq(release(p.device), 0);
    release(d3d9);
}

/* Records the capture as x.trace in the folder. */
static inline void record_capture(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "x.trace");
    record_open(path);
    run_program();
    record_close();
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* The answer to a key in frame 1. It is printed and parsed back; the caller deletes it. */
static inline cJSON *ask(const char *key)
{
    struct frame_walk *walk;
    cJSON *answer, *parsed;
    char *text;

    ck_assert_int_eq(frame_walk_open(&walk, "test", path, 1), TOOL_OK);
    ck_assert_int_eq(frame_answer(walk, folder, key, &answer), ST_OK);
    frame_walk_close(walk);
    text = frame_answer_text(answer);
    ck_assert_ptr_nonnull(text);
    for (const char *at = text; *at; at++)
        ck_assert_msg(*at >= 32 && *at < 127 && *at != '<', "%s", text);
    parsed = cJSON_Parse(text);
    ck_assert_msg(parsed && cJSON_Compare(parsed, answer, true), "%s: %s", key, text);
    cJSON_free(text);
    cJSON_Delete(answer);
    return parsed;
}

static inline const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    ck_assert_msg(item != NULL, "no member %s", key);
    return item;
}

static inline const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(member(object, key));

    ck_assert_msg(text != NULL, "member %s is no text", key);
    return text;
}

static inline double number_of(const cJSON *object, const char *key)
{
    ck_assert_msg(cJSON_IsNumber(member(object, key)), "member %s is no number", key);
    return member(object, key)->valuedouble;
}

/* The n-th event of a kind in frame 1. */
static inline uint64_t call_of(const char *kind, unsigned n)
{
    cJSON *frame = ask("frame");
    const cJSON *event;
    uint64_t call = 0;

    cJSON_ArrayForEach(event,
                       member(frame, "events")) if (!strcmp(text_of(event, "kind"), kind) && !n--)
        call = (uint64_t)number_of(event, "call");
    cJSON_Delete(frame);
    ck_assert_uint_ne(call, 0);
    return call;
}

static inline cJSON *ask_call(const char *what, uint64_t call)
{
    char key[FRAME_KEY];

    snprintf(key, sizeof(key), "%s/%u", what, (unsigned)call);
    return ask(key);
}

/* The element of a list whose member is this text; NULL: none. */
static inline const cJSON *element(const cJSON *list, const char *key, const char *text)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, list) if (!strcmp(text_of(item, key), text)) return item;
    return NULL;
}

#endif
