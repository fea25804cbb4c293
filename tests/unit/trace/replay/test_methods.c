/* Methods of the replayer on a Direct3D 9 that writes down its calls: each plain method passes each
 * of its arguments on, and skips a call with a malformed one; handlers of other methods. */
#include "check_main.h"
#include "noting_d3d9.h"

#include "trace/replay/methods.h"
#include "util/alloc.h"

static const struct plain {
    const char *table, *name;
} plain[] = {
#define METHOD(kinds, name, handler, flags)
#define PLAIN(table, name, flags) {#table, #name},
#define IGNORED(kinds, name)
#include "trace/replay/methods.def"
#undef METHOD
#undef PLAIN
#undef IGNORED
};
enum { PLAIN_COUNT = sizeof(plain) / sizeof(plain[0]) };

/* --- Recorded calls, in the notation of noting_d3d9.h ----------------------------------------- */

enum { ARGS_MAX = 16, POOL = 8192 };

static struct trace_value pool[POOL];
static size_t pool_used;
static unsigned warnings;

static struct trace_value *values(size_t n)
{
    pool_used += n;
    ck_assert_uint_le(pool_used, POOL);
    memset(&pool[pool_used - n], 0, n * sizeof(*pool));
    return &pool[pool_used - n];
}

/* A list of the words 1 … n. */
static struct trace_value words(enum trace_kind kind, unsigned n)
{
    struct trace_value *items = values(n);

    for (unsigned i = 0; i < n; i++)
        items[i] = (struct trace_value){.kind = TRACE_UINT, .u.uint = i + 1};
    return (struct trace_value){.kind = kind, .count = n, .u.items = items};
}

static struct trace_value array_of(unsigned n, struct trace_value item)
{
    struct trace_value *items = values(n);

    for (unsigned i = 0; i < n; i++)
        items[i] = item;
    return (struct trace_value){.kind = TRACE_ARRAY, .count = n, .u.items = items};
}

static uint64_t address_of(unsigned kind)
{
    return 0x100u * kind;
}

/* e2: two vertex elements; m8: memory of eight bytes behind a handle. */
static struct trace_value value_of(char letter, double number)
{
    static const uint8_t bytes[4096];
    unsigned n = (unsigned)number;
    const struct trace_value blob = {.kind = TRACE_BLOB, .count = n, .u.bytes = bytes};
    const struct trace_value object = {.kind = TRACE_OPAQUE, .u.uint = address_of(n)};

    switch (letter) {
    case 'u':
        return (struct trace_value){.kind = TRACE_UINT, .u.uint = n};
    case 'f':
        return (struct trace_value){.kind = TRACE_DOUBLE, .u.real = number};
    case 'o':
        return object;
    case 'n':
        return (struct trace_value){.kind = TRACE_NULL};
    case 's':
        return array_of(1, words(TRACE_STRUCT, n));
    case 'w':
        return words(TRACE_ARRAY, n);
    case 'b':
        return blob;
    case 'e':
        return array_of(n, words(TRACE_STRUCT, 6));
    case 'm':
        return array_of(1, blob);
    case 'p':
        return words(TRACE_ARRAY, 1);
    case 'O':
        return array_of(1, object);
    default:
        return (struct trace_value){0};
    }
}

static unsigned parse(const char *notation, struct trace_value *out)
{
    unsigned n = 0;

    while (*notation) {
        char letter = *notation++, *end;
        double number = strtod(notation, &end);

        out[n++] = value_of(letter, number);
        notation = end + strspn(end, " ");
    }
    return n;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
    warnings++;
}

/* Runs a method of the object of a kind; returns what the handler returned. */
static HRESULT run(const char *name, enum object_kind kind, const char *notation)
{
    const struct method *method = method_find(name);
    const struct trace_function function = {.name = name};
    struct replay replay = {.options.on_warning = on_warning};
    struct trace_value args[ARGS_MAX] = {0};
    struct trace_call call = {.function = &function, .args = args};
    struct replay_call q = {.replay = &replay, .call = &call};
    HRESULT hr;

    noting_start();
    warnings = 0;
    pool_used = 0;
    for (unsigned k = OBJ_DEVICE; k < OBJ_KIND_COUNT; k++)
        object_register(&replay, address_of(k), k, new_reference(1u << k),
                        k == OBJ_DEVICE ? NULL : object_find(&replay, address_of(OBJ_DEVICE)),
                        NULL);
    call.argc = 1 + parse(notation, args + 1);
    q.self = object_find(&replay, address_of(kind));
    ck_assert_msg(method && method->run, "%s has no handler", name);
    hr = method->run(&q);
    objects_fini(&replay);
    mem_free(replay.scratch);
    for (unsigned k = 0; k < OBJ_KIND_COUNT; k++)
        ck_assert_msg(objects[k].refs == 0, "%s: %d references of kind %u", name, objects[k].refs,
                      k);
    ck_assert_int_eq(mem_live_blocks(), 0);
    return hr;
}

/* --- Plain methods ---------------------------------------------------------------------------- */

static const struct {
    const char *table, *label;
    enum object_kind kind;
} interfaces[] = {
    {"DEVICE", "IDirect3DDevice9Ex", OBJ_DEVICE},
    {"SWAP_CHAIN", "IDirect3DSwapChain9", OBJ_SWAP_CHAIN},
    {"RESOURCE", "IDirect3DResource9", OBJ_TEXTURE},
    {"BASE_TEXTURE", "IDirect3DBaseTexture9", OBJ_TEXTURE},
    {"TEXTURE", "IDirect3DTexture9", OBJ_TEXTURE},
    {"CUBE", "IDirect3DCubeTexture9", OBJ_CUBE},
    {"VOLUMES", "IDirect3DVolumeTexture9", OBJ_VOLUME_TEXTURE},
    {"STATE_BLOCK", "IDirect3DStateBlock9", OBJ_STATE_BLOCK},
    {"QUERY", "IDirect3DQuery9", OBJ_QUERY},
};

static HRESULT run_plain(const struct plain *p, const char *notation)
{
    char name[96];
    unsigned i = 0;

    while (strcmp(interfaces[i].table, p->table))
        i++;
    snprintf(name, sizeof(name), "%s::%s", interfaces[i].label, p->name);
    return run(name, interfaces[i].kind, notation);
}

/* Numbers are small, so that lists and blobs are long enough. */
static unsigned number_of(unsigned i)
{
    return i + 2;
}

/* Writes the notation of argument i, well-formed or malformed, and what the method shall receive.
 * Returns false if no value of the argument is malformed. */
static bool put_arg(const struct param *p, unsigned i, bool good, char *arg, char *received)
{
    unsigned kind = p->class ? (unsigned)__builtin_ctz(p->class) : 0;
    unsigned n = p->n * (p->counted ? number_of(p->counted - 1) : 1);

    switch (p->shape) {
    case VALUE:
        if (p->class == PARAM_WORD || p->class == PARAM_FLOAT) {
            sprintf(arg, p->class == PARAM_FLOAT ? "f%u" : "u%u", number_of(i));
            strcpy(received, arg);
            return good;
        }
        sprintf(arg, "o%u", good ? kind : OBJ_KIND_COUNT);
        break;
    case STRUCT:
        sprintf(arg, "s%u", good ? p->n : p->n - 1);
        break;
    case LIST:
        sprintf(arg, "w%u", good ? n : n - 1);
        break;
    case OUT:
        if (p->class == PARAM_WORD || p->class == PARAM_HANDLE)
            strcpy(arg, p->class == PARAM_WORD ? "p" : "n");
        else
            sprintf(arg, "O%u", kind);
        strcpy(received, arg);
        return good;
    case BYTES:
        strcpy(arg, good ? "b4096" : "b1");
        strcpy(received, "b");
        return true;
    case ELEMENTS:
        strcpy(arg, good ? "e3" : "e0");
        strcpy(received, "b");
        return true;
    case OTHER:
        ck_abort_msg("the method is not plain");
    }
    strcpy(received, arg);
    return true;
}

/* Writes a call with a malformed argument; bad: its index, or -1. */
static bool put_call(const struct plain *p, int bad, char *notation, char *expected)
{
    const struct noting_method *method = noting_method(p->table, p->name);
    char arg[16], received[16];
    bool possible = true;

    notation += sprintf(notation, "%s", "");
    expected += sprintf(expected, "%s", p->name);
    for (unsigned i = 0; i < method->count; i++) {
        possible &= put_arg(&method->params[i], i, (int)i != bad, arg, received);
        notation += sprintf(notation, "%s%s", i ? " " : "", arg);
        expected += sprintf(expected, " %s", received);
    }
    return possible;
}

START_TEST(arguments_are_passed_on)
{
    char notation[256], expected[256];

    put_call(&plain[_i], -1, notation, expected);
    ck_assert_int_eq(run_plain(&plain[_i], notation), S_OK);
    ck_assert_str_eq(calls, expected);
    ck_assert_uint_eq(warnings, 0);
}
END_TEST

/* Byte code of any length may be recorded. */
START_TEST(malformed_arguments_are_skipped)
{
    const struct noting_method *method = noting_method(plain[_i].table, plain[_i].name);
    char notation[256], expected[256];

    for (unsigned bad = 0; bad < method->count; bad++) {
        if (!put_call(&plain[_i], (int)bad, notation, expected) || strstr(notation, "b1 O"))
            continue;
        ck_assert_int_eq(run_plain(&plain[_i], notation), REPLAY_SKIPPED);
        ck_assert_str_eq(calls, "");
        ck_assert_uint_eq(warnings, 1);
    }
}
END_TEST

/* --- Other handlers --------------------------------------------------------------------------- */

/* expected NULL: the call is skipped. */
static const struct {
    const char *name, *notation, *expected;
    enum object_kind kind;
} cases[] = {
    /* plain methods: null pointers, missing arguments */
    {"IDirect3DDevice9::SetTexture", "u1 n", "SetTexture u1 n", OBJ_DEVICE},
    {"IDirect3DDevice9::SetTexture", "u1 o4", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::SetTexture", "", "SetTexture u0 n", OBJ_DEVICE},
    {"IDirect3DDevice9::SetScissorRect", "n", "SetScissorRect n", OBJ_DEVICE},
    {"IDirect3DDevice9::SetScissorRect", "x", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::SetVertexShaderConstantF", "u1 n u1", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::SetVertexShaderConstantF", "u1 w8 u70000", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::DrawPrimitiveUP", "u4 u1 n u16", "DrawPrimitiveUP u4 u1 n u16", OBJ_DEVICE},
    {"IDirect3DDevice9::DrawPrimitiveUP", "u4 u1 b47 u16", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::CreateVertexShader", "n O11", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::CreateVertexDeclaration", "e66 O13", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::GetStreamSource", "u1 n n n", "GetStreamSource u1 O9 p p", OBJ_DEVICE},
    /* lists */
    {"IDirect3DDevice9::Clear", "u0 n u3 u5 f0.5 u7", "Clear u0 n u3 u5 f0.5 u7", OBJ_DEVICE},
    {"IDirect3DDevice9::Clear", "u2 w8 u3 u5 f1 u0", "Clear u2 w2 u3 u5 f1 u0", OBJ_DEVICE},
    {"IDirect3DDevice9::Clear", "u2 w7 u3 u5 f1 u0", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::Clear", "u2000000 n u3 u5 f1 u0", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::SetClipPlane", "u1 w4", "SetClipPlane u1 w4", OBJ_DEVICE},
    {"IDirect3DDevice9::SetClipPlane", "u1 n", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::SetPaletteEntries", "u1 w1023", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::SetGammaRamp", "u0 u0 w767", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9Ex::SetConvolutionMonoKernel", "u2 u3 w2 w3",
     "SetConvolutionMonoKernel u2 u3 w2 w3", OBJ_DEVICE},
    {"IDirect3DDevice9Ex::SetConvolutionMonoKernel", "u7 u1 n n",
     "SetConvolutionMonoKernel u7 u1 n n", OBJ_DEVICE},
    {"IDirect3DDevice9Ex::SetConvolutionMonoKernel", "u17 u1 w17 w1", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::DrawRectPatch", "u1 w4 s7", "DrawRectPatch u1 w4 s7", OBJ_DEVICE},
    {"IDirect3DDevice9::DrawRectPatch", "u1 w3 s7", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::DrawRectPatch", "u1 u4 s7", NULL, OBJ_DEVICE},
    {"IDirect3DDevice9::DrawRectPatch", "u1 n n", "DrawRectPatch u1 n n", OBJ_DEVICE},
    {"IDirect3DDevice9::DrawTriPatch", "u1 w3 s4", "DrawTriPatch u1 w3 s4", OBJ_DEVICE},
    {"IDirect3DDevice9::DrawTriPatch", "u1 w3 s3", NULL, OBJ_DEVICE},
    /* objects */
    {"IDirect3DDevice9::CreateQuery", "u9 n", "CreateQuery u9 n", OBJ_DEVICE},
    {"IDirect3DDevice9::CreateQuery", "u9 O15", "CreateQuery u9 O15", OBJ_DEVICE},
    {"IDirect3DDevice9::CreateTexture", "u8 u8 u1 u0 u21 u1 O5 n",
     "CreateTexture u8 u8 u1 u0 u21 u1 O5 n", OBJ_DEVICE},
    {"IDirect3DDevice9::CreateTexture", "u8 u8 u1 u0 u21 u2 O5 m256",
     "CreateTexture u8 u8 u1 u0 u21 u2 O5 p", OBJ_DEVICE},
    {"IDirect3DDevice9::CreateTexture", "u8 u8 u1 u0 u21 u2 O5 m255",
     "CreateTexture u8 u8 u1 u0 u21 u2 O5 n", OBJ_DEVICE},
    {"IDirect3DDevice9::GetTexture", "u1 O5", "GetTexture u1 O5; GetType; GetType", OBJ_DEVICE},
    {"IDirect3DDevice9::GetRenderTarget", "u1 O16", /* an address that is new */
     "GetRenderTarget u1 O4; GetBackBuffer u0 u0 u0 O4", OBJ_DEVICE},
    {"IDirect3DSwapChain9::GetDevice", "O2", "GetDevice O2", OBJ_SWAP_CHAIN},
    {"IDirect3DTexture9::GetDevice", "O2", "GetDevice O2", OBJ_TEXTURE},
    {"IDirect3DQuery9::GetDevice", "O2", "GetDevice O2", OBJ_QUERY},
    {"IDirect3DTexture9::QueryInterface", "u1 O5", NULL, OBJ_TEXTURE},
    {"IDirect3DQuery9::GetData", "p u4 u0", "GetType", OBJ_QUERY},
    /* locks */
    {"IDirect3DTexture9::LockRect", "u3 p s4 u16", "LockRect u3 p s4 u16; GetLevelDesc u3 p",
     OBJ_TEXTURE},
    {"IDirect3DTexture9::LockRect", "u3 p s3 u16", NULL, OBJ_TEXTURE},
    {"IDirect3DTexture9::UnlockRect", "u3", "UnlockRect u3", OBJ_TEXTURE},
    {"IDirect3DCubeTexture9::LockRect", "u2 u3 p n u16384",
     "LockRect u2 u3 p n u0; GetLevelDesc u3 p", OBJ_CUBE},
    {"IDirect3DCubeTexture9::UnlockRect", "u2 u3", "UnlockRect u2 u3", OBJ_CUBE},
    {"IDirect3DVolumeTexture9::LockBox", "u3 p s6 u16", "LockBox u3 p s6 u16; GetLevelDesc u3 p",
     OBJ_VOLUME_TEXTURE},
    {"IDirect3DVolumeTexture9::UnlockBox", "u3", "UnlockBox u3", OBJ_VOLUME_TEXTURE},
};

START_TEST(handlers_read_their_arguments)
{
    HRESULT hr = run(cases[_i].name, cases[_i].kind, cases[_i].notation);

    ck_assert_int_eq(hr, cases[_i].expected ? S_OK : REPLAY_SKIPPED);
    ck_assert_str_eq(calls, cases[_i].expected ? cases[_i].expected : "");
}
END_TEST

/* --- Names ------------------------------------------------------------------------------------ */

START_TEST(names_are_found)
{
    ck_assert_int_eq(replay_support_of("IDirect3DDevice9::Clear"), REPLAY_RUN);
    ck_assert_int_eq(replay_support_of("IDirect3DDevice9Ex::Clear"), REPLAY_RUN);
    ck_assert_int_eq(replay_support_of("IDirect3DDevice9::GetViewport"), REPLAY_IGNORED);
    ck_assert_int_eq(replay_support_of("IDirect3DTexture9::Clear"), REPLAY_UNKNOWN);
    ck_assert_int_eq(replay_support_of("IDirect3DVolume9::SetPriority"), REPLAY_UNKNOWN);
    ck_assert_int_eq(replay_support_of("IDirect3DTexture9::SetPriority"), REPLAY_RUN);
    ck_assert_int_eq(replay_support_of("memcpy"), REPLAY_RUN);
    ck_assert_int_eq(replay_support_of("Clear"), REPLAY_UNKNOWN);
    ck_assert(replay_is_draw("IDirect3DDevice9::DrawPrimitive"));
    ck_assert(replay_is_present("IDirect3DSwapChain9::Present"));
    ck_assert(replay_has_moment("IDirect3DSwapChain9::GetFrontBufferData"));
    ck_assert(!replay_has_moment("IDirect3DDevice9::DrawPrimitive"));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("methods");
    TCase *tests = tcase_create("methods");

    tcase_add_loop_test(tests, arguments_are_passed_on, 0, PLAIN_COUNT);
    tcase_add_loop_test(tests, malformed_arguments_are_skipped, 0, PLAIN_COUNT);
    tcase_add_loop_test(tests, handlers_read_their_arguments, 0,
                        (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(tests, names_are_found);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
