/* Costs of the shaders of several frames: counts by hand, forms of output, files, errors. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/frame/frame.h"
#include "tool/frame/shader_costs.h"
#include "tool/frame/shader_settings.h"
#include "tool/shader/shader.h"
#include "util/log.h"

#include <cjson/cJSON.h>
#include <sys/stat.h>

enum { SIDE = 64, LARGE = 32 * 32, SMALL = 16 * 16 };

static char path[64];

struct vertex {
    float x, y, z, w;
    D3DCOLOR colour;
};

/* --- The capture ------------------------------------------------------------------------------ */

static IDirect3DPixelShader9 *assemble(IDirect3DDevice9 *device, const char *text)
{
    IDirect3DPixelShader9 *shader;
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_assemble(&words, &n, text, NULL), ST_OK);
    OK(IDirect3DDevice9_CreatePixelShader(device, (const DWORD *)words, &shader));
    mem_free(words);
    return shader;
}

/* A square with sides of `size` pixels; the shader gets c1 = (c, 0, 0, 1). */
static void draw_square(IDirect3DDevice9 *device, IDirect3DPixelShader9 *shader, float size,
                        float c)
{
    const float constant[4] = {c, 0, 0, 1};
    const struct vertex square[4] = {{-0.5f, -0.5f, 0, 1, ~0u},
                                     {size - 0.5f, -0.5f, 0, 1, ~0u},
                                     {-0.5f, size - 0.5f, 0, 1, ~0u},
                                     {size - 0.5f, size - 0.5f, 0, 1, ~0u}};

    OK(IDirect3DDevice9_SetPixelShader(device, shader));
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 1, constant, 1));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])));
}

/* Frame 0: `add` small. Frame 1: `add` small and large, `mov` large. Frame 2: the fixed
 * function. */
static void record_frames(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Windowed = TRUE};
    IDirect3DPixelShader9 *add, *mov;
    IDirect3DDevice9 *device;
    IDirect3D9 *d3d9;

    record_open(path);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    add = assemble(device, "ps_2_0\ndef c0, 1, 0, 0, 1\nmov r0, c0\nadd r0, r0, c1\nmov oC0, r0\n");
    mov = assemble(device, "ps_2_0\nmov oC0, c1\n");
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    draw_square(device, add, 16, 0.125f);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    draw_square(device, add, 16, 0.25f);
    draw_square(device, add, 32, 0.5f);
    draw_square(device, mov, 32, 0.75f);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    draw_square(device, NULL, 32, 0);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    IDirect3DPixelShader9_Release(add);
    IDirect3DPixelShader9_Release(mov);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    IDirect3D9_Release(d3d9);
    record_close();
}

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "x.trace");
    record_frames();
}

static const char *profile(int expected, const char *const *words)
{
    int argc = 0;

    while (words[argc])
        argc++;
    return run_command(tool_profile, expected, argc, (char **)(uintptr_t)words);
}
#define PROFILE(expected, ...)                                                                     \
    profile(expected, (const char *[]){"profile", path, __VA_ARGS__, NULL})
#define SAYS(words, expected, ...)                                                                 \
    do {                                                                                           \
        const char *printed = PROFILE(expected, __VA_ARGS__);                                      \
                                                                                                   \
        ck_assert_msg(strstr(printed, words), "no '%s': %s", words, printed);                      \
    } while (0)

static unsigned count_lines(const char *text)
{
    unsigned n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static int integer(const cJSON *o, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(o, name);

    ck_assert(cJSON_IsNumber(item));
    return item->valueint;
}

/* --- Counts ----------------------------------------------------------------------------------- */

START_TEST(shaders_of_all_frames)
{
    cJSON *all = cJSON_Parse(PROFILE(0, "--all", "--runs", "0", "--json"));
    const cJSON *shaders = cJSON_GetObjectItem(all, "shaders"), *s, *use, *lines;
    int generated = 0, sum;

    ck_assert_ptr_nonnull(all);
    ck_assert_int_eq(cJSON_GetArrayItem(cJSON_GetObjectItem(all, "frames"), 0)->valueint, 0);
    ck_assert_int_eq(cJSON_GetArrayItem(cJSON_GetObjectItem(all, "frames"), 1)->valueint, 2);
    s = cJSON_GetArrayItem(shaders, 0); /* the costliest: `add` */
    ck_assert_str_eq(cJSON_GetObjectItem(s, "model")->valuestring, "ps_2_0");
    ck_assert_int_eq(integer(s, "frames"), 2);
    ck_assert_int_eq(integer(s, "draws"), 3);
    ck_assert_int_eq(integer(s, "invocations"), 2 * SMALL + LARGE);
    ck_assert_int_eq(integer(s, "instructions"), 3 * (2 * SMALL + LARGE));
    ck_assert_ptr_null(cJSON_GetObjectItem(s, "seconds"));
    ck_assert(cJSON_IsFalse(cJSON_GetObjectItem(s, "generated")));
    lines = cJSON_GetObjectItem(s, "lines"); /* version, def, three instructions, a comment */
    ck_assert_int_eq(cJSON_GetArrayItem(lines, 1)->valueint, 0);
    ck_assert_int_eq(cJSON_GetArrayItem(lines, 2)->valueint, 2 * SMALL + LARGE);
    use = cJSON_GetArrayItem(cJSON_GetObjectItem(s, "uses"), 2);
    ck_assert_int_eq(integer(use, "frame"), 1);
    ck_assert_int_eq(integer(use, "invocations"), LARGE);
    ck_assert_int_eq(integer(use, "instructions"), 3 * LARGE);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(s, "uses")), 3);
    sum = 0;
    cJSON_ArrayForEach(s, shaders)
    {
        generated += cJSON_IsTrue(cJSON_GetObjectItem(s, "generated"));
        if (!strcmp(cJSON_GetObjectItem(s, "kind")->valuestring, "vertex"))
            sum += integer(s, "invocations");
    }
    ck_assert_int_eq(generated, cJSON_GetArraySize(shaders) - 2); /* all but `add` and `mov` */
    ck_assert_int_eq(sum, 5 * 4);
    cJSON_Delete(all);
}
END_TEST

START_TEST(ranges_of_frames)
{
    const char *text = PROFILE(0, "--frames", "1", "--runs", "0", "--csv");

    ck_assert_ptr_nonnull(strstr(text, ",pixel,2,1280,3840,0,,ps_2_0,1,1,"));
    ck_assert_ptr_nonnull(strstr(text, ",pixel,1,1024,1024,0,,ps_2_0,1,1,"));
    text = PROFILE(0, "--frames", "0-1", "--runs", "0", "--csv");
    ck_assert_ptr_nonnull(strstr(text, ",pixel,3,1536,4608,0,,ps_2_0,2,1,"));
    text = PROFILE(0, "--frame", "1", "--by", "shader", "--runs", "0", "--csv");
    ck_assert_ptr_nonnull(strstr(text, ",pixel,2,1280,3840,0,,ps_2_0,1,1,"));
    text = PROFILE(0, "--frames", "2-", "--runs", "0", "--csv");
    ck_assert_ptr_null(strstr(text, "ps_2_0"));
    ck_assert_uint_eq(count_lines(text), 3); /* one of each kind */
}
END_TEST

START_TEST(table_and_times)
{
    const char *text = PROFILE(0, "--all", "--runs", "1");

    ck_assert_ptr_nonnull(strstr(text, "\ntotal "));
    ck_assert_ptr_nonnull(strstr(text, "costliest: frame"));
    ck_assert_ptr_nonnull(strstr(text, " %"));
    ck_assert_ptr_null(strstr(text, " - "));
    text = PROFILE(0, "--all", "--runs", "0");
    ck_assert_ptr_nonnull(strstr(text, " - ")); /* no times */
}
END_TEST

/* --- Files ------------------------------------------------------------------------------------ */

/* The file of the costliest shader has the constants of its costliest draw, and is assembled to the
 * same byte code. */
START_TEST(files_of_shaders)
{
    char folder_name[64], id[17], file[128], *text;
    uint8_t *bytes;
    size_t n;

    path_in_folder(folder_name, "shaders");
    text =
        strstr(PROFILE(0, "--all", "--runs", "0", "--csv", "--shaders", folder_name), "_call\n") +
        6;
    memcpy(id, text, 16);
    id[16] = 0;
    ck_assert_ptr_nonnull(strstr(text, "next: novem cost "));
    snprintf(file, sizeof(file), "%s/%s.asm", folder_name, id);
    ck_assert_int_eq(tool_file_read(file, &bytes, &n), ST_OK);
    text = (char *)bytes;
    ck_assert_ptr_nonnull(strstr(text, "3 draws in 2 frames, 1536 invocations."));
    ck_assert_ptr_nonnull(strstr(text, "; Costliest draw: frame 1, call "));
    ck_assert_ptr_nonnull(strstr(text, "\n; set c1 0.5 0 0 1\n; executes 3\n"));
    ck_assert_ptr_null(strstr(text, "; set c0")); /* the shader defines it */
    mem_free(bytes);
    run_command(tool_asm, TOOL_OK, 4,
                (char *[]){"asm", file, "-o", (char *)(uintptr_t)in_folder("x.bin"), NULL});
    /* Again, into the folder that is there now. */
    PROFILE(0, "--all", "--runs", "0", "--csv", "--shaders", folder_name);
}
END_TEST

START_TEST(constants_that_are_read)
{
    static const char *const texts[] = {
        "ps_2_0\ndef c0, 1, 1, 1, 1\nadd r0, c0, c12\nmov oC0, r0\n",
        "vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c2\n",
        "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nmov r0, c[a0.x + 1]\nmov oPos, r0\n",
        "ps_3_0\nmov r0, c3\nif b1\nrep i2\nadd r0, r0, r0\nendrep\nendif\nmov oC0, r0\n",
    };
    static const char *const wanted[] = {
        "; set c12 12 0.1 0 0\n",
        ("; set c0 0 0.1 0 0\n; set c1 1 0.1 0 0\n; set c2 2 0.1 0 0\n; set c3 3 0.1 0 0\n"
         "; set c4 4 0.1 0 0\n; set c5 5 0.1 0 0\n"),
        "; set c255 255 0.1 0 0\n",
        "; set c3 3 0.1 0 0\n; set b1 1\n; set i2 2 1 0\n",
    };
    struct draw_shader_constants *k = mem_calloc(1, sizeof(*k));

    ck_assert_ptr_nonnull(k);
    for (unsigned i = 0; i < 256; i++) {
        k->f[i][0] = (float)i;
        k->f[i][1] = 0.1f;
    }
    k->i[2][0] = 2;
    k->i[2][1] = 1;
    k->b[1] = 7;
    for (unsigned i = 0; i < 4; i++) {
        struct vm_program *program;
        char *settings, *text;
        uint32_t *words;
        size_t n;

        ck_assert_int_eq(vm_assemble(&words, &n, texts[i], NULL), ST_OK);
        ck_assert_int_eq(vm_program_create(&program, words, n, &vm_limits_lenient, NULL), ST_OK);
        ck_assert_int_eq(vm_program_text(&text, program), ST_OK);
        settings = frame_shader_settings(program, text, k);
        for (char *at = settings; (at = strstr(at, "0.100000001")); at += 3) /* 0.1f */
            memmove(at + 3, at + 11, strlen(at + 11) + 1);
        if (i == 2) /* relative addressing reads all */
            ck_assert_ptr_nonnull(strstr(settings, wanted[i]));
        else
            ck_assert_str_eq(settings, wanted[i]);
        mem_free(settings);
        mem_free(text);
        mem_free(words);
        vm_program_destroy(program);
    }
    mem_free(k);
}
END_TEST

/* --- Errors ----------------------------------------------------------------------------------- */

START_TEST(bad_ranges_are_refused)
{
    SAYS("is not a range of frames", TOOL_ERROR, "--frames", "2-1");
    SAYS("is not a range of frames", TOOL_ERROR, "--frames", "x");
    SAYS("is not a range of frames", TOOL_ERROR, "--frames", "1..2");
    SAYS("there is no frame 9", TOOL_ERROR, "--frames", "9", "--runs", "0");
    SAYS("there is no frame 9", TOOL_ERROR, "--frames", "1-9", "--runs", "0");
    SAYS("there is no frame 9", TOOL_ERROR, "--frames", "9-", "--runs", "0");
    SAYS("only one of --frame", TOOL_ERROR, "--all", "--frames", "1");
    SAYS("without --by draw", TOOL_ERROR, "--all", "--by", "draw");
    SAYS("without --folded", TOOL_ERROR, "--all", "--folded");
    SAYS("cannot be written", TOOL_ERROR, "--runs", "0", "--shaders", "/missing/x");
    SAYS("cannot be written", TOOL_ERROR, "--runs", "0", "--shaders", path);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/frame");
    TCase *t = tcase_create("shader_costs");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, shaders_of_all_frames);
    tcase_add_test(t, ranges_of_frames);
    tcase_add_test(t, table_and_times);
    tcase_add_test(t, files_of_shaders);
    tcase_add_test(t, constants_that_are_read);
    tcase_add_test(t, bad_ranges_are_refused);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
